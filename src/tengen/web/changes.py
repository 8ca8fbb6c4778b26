"""What can happen to a record's tree: four kinds of change, each with an inverse.

Undo, what is kept on disk, and what browsers are told all consist of these. Nodes have numbers that never change and
are never used again, so that two windows mean the same node by it.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Annotated, Literal

from pydantic import BaseModel, Field

from tengen.game import TengenError
from tengen.record import Node, Record

Properties = dict[str, list[str]]


class FlatNode(BaseModel):
    """A node without its place among its siblings."""

    id: int
    parent: int | None
    properties: Properties


class Insert(BaseModel):
    """A branch comes in: its root first, every node after its parent."""

    kind: Literal["insert"] = "insert"
    parent: int
    index: int
    nodes: list[FlatNode]


class Remove(BaseModel):
    """A branch goes."""

    kind: Literal["remove"] = "remove"
    node: int


class Reorder(BaseModel):
    """A node changes its place among its siblings."""

    kind: Literal["reorder"] = "reorder"
    node: int
    index: int


class SetProperties(BaseModel):
    """Some properties get new values; an empty list removes one."""

    kind: Literal["set"] = "set"
    node: int
    properties: Properties


AnyChange = Insert | Remove | Reorder | SetProperties
Change = Annotated[AnyChange, Field(discriminator="kind")]


class NumberedTree:
    """A record whose nodes are known by numbers."""

    def __init__(self, record: Record, numbers: Iterable[int] | None = None, next_number: int = 0) -> None:
        """Numbers the nodes in the order in which they are walked: as told, else from 0 on.

        Args:
            record: whose nodes they are.
            numbers: of the nodes.
            next_number: all below it have been used, also by nodes that are gone.
        """
        self.record = record
        walked = list(record.root.walk())
        self._numbers = dict(zip(walked, range(len(walked)) if numbers is None else numbers, strict=True))
        self._nodes = {number: node for node, number in self._numbers.items()}
        self.next_number = max(next_number, max(self._nodes) + 1)

    @property
    def root(self) -> int:
        """The number of the root."""
        return self._numbers[self.record.root]

    def __len__(self) -> int:
        return len(self._nodes)

    def __contains__(self, node: int | Node) -> bool:
        """Whether a node, or one with this number, is there."""
        return node in self._nodes if isinstance(node, int) else node in self._numbers

    def node(self, number: int) -> Node:
        """The node with a number.

        Raises:
            TengenError: if there is none.
        """
        try:
            return self._nodes[number]
        except KeyError:
            raise TengenError("this node is not there any more") from None

    def number(self, node: Node) -> int:
        """The number of a node."""
        return self._numbers[node]

    def flat(self, node: Node) -> list[FlatNode]:
        """A branch as a list, every node after its parent."""
        return [
            FlatNode(
                id=self._numbers[one],
                parent=None if one.parent is None else self._numbers[one.parent],
                properties=one.properties,
            )
            for one in node.walk()
        ]

    def branch(self, parent: int, index: int, root: Node, first: int | None = None) -> Insert:
        """The change that puts a branch from elsewhere below a node, numbered from `first` on; it is not made yet."""
        numbers = {}
        nodes = []
        for number, node in enumerate(root.walk(), self.next_number if first is None else first):
            numbers[node] = number
            above = parent if node is root or node.parent is None else numbers[node.parent]
            nodes.append(FlatNode(id=number, parent=above, properties=node.properties))
        return Insert(parent=parent, index=index, nodes=nodes)

    def apply(self, change: AnyChange) -> AnyChange:
        """Makes a change and returns the one that takes it back.

        Raises:
            TengenError: if it is about nodes that are not there; then nothing is changed.
        """
        match change:
            case Insert():
                return self._insert(change)
            case Remove():
                return self._remove(change)
            case Reorder():
                siblings = self._siblings(change.node)
                node = self.node(change.node)
                before = siblings.index(node)
                siblings.remove(node)
                siblings.insert(change.index, node)
                return Reorder(node=change.node, index=before)
            case SetProperties():
                properties = self.node(change.node).properties
                before_it = {name: list(properties.get(name, ())) for name in change.properties}
                for name, values in change.properties.items():
                    if values:
                        properties[name] = list(values)
                    else:
                        properties.pop(name, None)
                return SetProperties(node=change.node, properties=before_it)

    def _insert(self, change: Insert) -> Remove:
        parent = self.node(change.parent)
        root, *below = change.nodes
        for flat in change.nodes:
            if flat.id in self._nodes:
                raise TengenError(f"there is a node {flat.id} already")
        self._add(root, parent)
        parent.children.insert(change.index, parent.children.pop())
        for flat in below:
            self._add(flat, self.node(flat.parent if flat.parent is not None else change.parent))
        return Remove(node=root.id)

    def _add(self, flat: FlatNode, parent: Node) -> None:
        node = Node({name: list(values) for name, values in flat.properties.items()}, parent)
        self._nodes[flat.id] = node
        self._numbers[node] = flat.id
        self.next_number = max(self.next_number, flat.id + 1)

    def _remove(self, change: Remove) -> Insert:
        index = self._siblings(change.node).index(self.node(change.node))
        node = self.node(change.node)
        parent = node.parent
        assert parent is not None
        nodes = self.flat(node)
        for one in node.walk():
            del self._nodes[self._numbers.pop(one)]
        node.detach()
        return Insert(parent=self._numbers[parent], index=index, nodes=nodes)

    def _siblings(self, number: int) -> list[Node]:
        parent = self.node(number).parent
        if parent is None:
            raise TengenError("the beginning of a record cannot be moved or removed")
        return parent.children
