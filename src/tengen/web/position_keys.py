"""Which nodes of a record have the same position: a key for each, kept while the record is edited."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from tengen.game import Position, TengenError
from tengen.record import Node
from tengen.record.tree import SETUP_PROPERTIES, advance
from tengen.web.changes import AnyChange, Insert, NumberedTree, Remove, Reorder, SetProperties

_OF_POSITIONS = SETUP_PROPERTIES | {"B", "W"}


class PositionKeys:
    """The keys of the positions after all nodes, found when they are first asked for; after that each change costs
    only what it touches. Whoever uses it holds the lock of the document.
    """

    def __init__(self, tree: NumberedTree) -> None:
        self._tree = tree
        self._keys: dict[int, int | None] = {}
        self._outdated: set[Node] = {tree.record.root}
        """Branches whose keys are to be found, some of which may be gone by then."""
        self._guessed: set[int] = set()
        """Set-ups that do not say whose turn it is: who moves in the node after them tells."""

    def note(self, changes: Iterable[AnyChange]) -> None:
        """Hears of changes after they were made."""
        for change in changes:
            match change:
                case SetProperties() if _OF_POSITIONS.isdisjoint(change.properties):
                    continue
                case Insert():
                    self._outdate(change.nodes[0].id)
                case SetProperties():
                    self._outdate(change.node)
                case Remove() | Reorder():
                    pass
            for number in self._guessed:
                self._outdate(number)

    def _outdate(self, number: int) -> None:
        if number in self._tree:  # a later change may have removed it
            self._outdated.add(self._tree.node(number))

    def __iter__(self) -> Iterator[tuple[int, int]]:
        """Each node with its key, the same for all orders of moves and all symmetries. Nodes with illegal moves, which
        a lenient reader let in, have none."""
        outdated, self._outdated = self._outdated, set()
        for node in outdated:
            if node in self._tree and outdated.isdisjoint(node.path()[:-1]):  # else it is found with one before it
                self._find(node)
        self._keys = {number: key for number, key in self._keys.items() if number in self._tree}
        return iter([(number, key) for number, key in self._keys.items() if key is not None])

    def _find(self, top: Node) -> None:
        for node in top.walk():
            self._keys[self._tree.number(node)] = None
        try:
            before = Position(self._tree.record.game) if top.parent is None else self._tree.record.position(top.parent)
        except TengenError:
            return
        stack = [(top, before)]
        while stack:
            node, before = stack.pop()
            if not SETUP_PROPERTIES.isdisjoint(node.properties) and "PL" not in node.properties:
                self._guessed.add(self._tree.number(node))
            try:
                after = advance(before, node, node.children[0].colour if node.children else None)
            except TengenError:
                continue
            self._keys[self._tree.number(node)] = after.canonical_key
            stack += [(child, after.copy() if number else after) for number, child in enumerate(node.children)]
