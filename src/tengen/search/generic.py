"""Generic job-level search: select a node, pre-update, execute its job somewhere, update. Others say which node."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Iterable
from typing import ClassVar

from tengen.game import Move, Position, TengenError
from tengen.search.finding import Finding
from tengen.search.frame import framed, symmetry_to_frame, turned
from tengen.search.tree import Tree

MAX_EFFORT = 4
"""How often a job that found nothing is tried again with more effort, before its node is given up."""


class JobLevelSearch(ABC):
    """Keeps a tree and decides which of its nodes get the next jobs.

    A job of a node finds its best move that has no child yet, or that every such move loses: J(n, children of n). So
    a node has at most one job at a time, and is *active* while it runs.
    """

    name: ClassVar[str]

    def __init__(self, tree: Tree) -> None:
        self.tree = tree
        self.active: set[int] = set()
        self.efforts: dict[int, int] = {}
        """How often the jobs of a node have found nothing, if they have."""
        self.stuck: set[int] = set()
        """Nodes whose jobs find nothing, however often they are tried."""
        self.pruned: set[int] = set()
        self.preferred: set[int] = set()
        self.changed_values = 0
        """How many times a value of a node has become known or has changed."""

    # The four phases

    @abstractmethod
    def select(self) -> list[int]:
        """The nodes that should get jobs next, none of them active; none if there is nothing to be done now."""

    def begin(self, node: int) -> None:
        """Pre-update: a job of this node is on its way."""
        self.active.add(node)
        self._refresh([node])

    def update(self, node: int, position: Position, finding: Finding, proof: int | None = None) -> None:
        """Takes in what a job has found.

        Args:
            node: whose job it was.
            position: the node's position.
            finding: what it found; its proof has been checked.
            proof: where the proof is kept.
        """
        self.active.discard(node)
        children = self.tree.grow(node, position, finding, proof)
        if not finding.proof and not children:
            self.efforts[node] = self.efforts.get(node, 0) + 1
            if self.efforts[node] > MAX_EFFORT:
                self.stuck.add(node)
        self.grown(node, finding)
        self._refresh([node, *children])

    def release(self, node: int) -> None:
        """The job of a node was aborted."""
        self.active.discard(node)
        self._refresh([node])

    def give_up(self, node: int) -> None:
        """The job of a node failed, and would again."""
        self.stuck.add(node)
        self.release(node)

    # What the searches tell

    @property
    @abstractmethod
    def is_over(self) -> bool:
        """Whether the question is answered."""

    @abstractmethod
    def best_child(self, node: int) -> int | None:
        """Where play is expected to go from a node."""

    @abstractmethod
    def figures(self) -> dict[str, object]:
        """How the search stands, in a few words or numbers."""

    def grown(self, node: int, finding: Finding | None = None) -> None:  # noqa: B027 - only some keep more
        """A node has perhaps new children, by what its job has found or by a hint; nothing is refreshed yet."""

    def visit(self, node: int) -> bool:
        """Finds what the search keeps of a node anew from its children; returns whether it has changed."""
        if self.tree.revalue(node):
            self.changed_values += 1
            return True
        return False

    def obsolete(self) -> list[int]:
        """The active nodes whose jobs no longer matter: all ways to them lead through settled or pruned nodes."""
        return [node for node in sorted(self.active) if not self._matters(node)]

    # Hints of people who know more

    def add_move(self, position: Position, move: Move) -> None:
        """Lets a node have a certain child.

        Raises:
            TengenError: if the position has no node here, or the move is illegal.
        """
        node = self._node(position)
        if not position.is_legal(move) or len(move) != position.stones_left:
            raise TengenError(f"{move} is no whole legal move in {position}")
        child = self.tree.add(node, framed(position), turned(move, symmetry_to_frame(position), position), "stable")
        self.grown(node)
        self._refresh([node] if child is None else [node, child])

    def prefer(self, position: Position, wanted: bool = True) -> None:
        """Goes to this node before its siblings whenever the way leads there, or not any longer.

        Raises:
            TengenError: if the position has no node here.
        """
        self._mark(self.preferred, self._node(position), wanted)

    def prune(self, position: Position, wanted: bool = True) -> None:
        """Runs no more jobs below this node, or does again. Nothing is taken as proved by it.

        Raises:
            TengenError: if the position has no node here.
        """
        self._mark(self.pruned, self._node(position), wanted)

    def _mark(self, marks: set[int], node: int, wanted: bool) -> None:
        if wanted:
            marks.add(node)
        else:
            marks.discard(node)
        self._refresh([node])

    def _node(self, position: Position) -> int:
        node = self.tree.find(position)
        if node is None:
            raise TengenError(f"the search has not come to this position yet: {position}")
        return node

    def _refresh(self, nodes: Iterable[int]) -> None:
        self.tree.propagate(nodes, self.visit)

    def _matters(self, node: int) -> bool:
        tree = self.tree
        stack, seen = [node], {node}
        while stack:
            node = stack.pop()
            if tree.is_settled(node) or node in self.pruned:
                continue
            if node == 0:
                return True
            above = [parent for parent in tree.parents(node) if parent not in seen]
            seen.update(above)
            stack += above
        return False
