"""A record that people work on: every edit is checked, kept, told to all windows, and can be undone."""

from __future__ import annotations

import threading
from collections.abc import Callable, Hashable, Iterable, Sequence
from dataclasses import dataclass
from itertools import islice
from typing import Literal

from pydantic import BaseModel

from tengen.game import BLACK, WHITE, Colour, Move, Position, Square, TengenError
from tengen.record import Node, Record
from tengen.record.tree import MARKS, SETUP_PROPERTIES, STONES_LEFT, advance
from tengen.web.changes import AnyChange, Change, Insert, NumberedTree, Remove, Reorder, SetProperties
from tengen.web.position_keys import PositionKeys

MAX_COMMENT = 100_000
MAX_LABEL = 40
MAX_NODES = 200_000
MAX_UNDO = 500
INFO = ("GN", "PB", "PW", "BR", "WR", "EV", "RO", "PC", "DT", "RE", "TM", "AN", "SO", "GC")
"""What SGF knows of a game as a whole."""


class Edit(BaseModel):
    """What somebody did in one step, and how it is taken back."""

    label: str
    """What it is called, as in "undo comment"."""
    node: int
    """Where he was,"""
    then: int
    """and where he looked after it."""
    changes: list[Change]
    inverse: list[Change] = []


class Operation(BaseModel):
    """A step in the history of a document. All of them, made again in order, give the same document."""

    kind: Literal["edit", "amend", "undo", "redo"]
    """`amend`: an edit that is one with the one before, as typing is."""
    edit: Edit | None = None


@dataclass(frozen=True)
class Told:
    """What windows are told of an operation."""

    revision: int
    changes: Sequence[AnyChange]
    node: int
    """Where whoever did it should look now."""
    is_all_new: bool = False
    """Whether the changes are not known, so that everything has to be looked at again."""


class OutdatedError(TengenError):
    """Another server on the same data has changed a document; it has caught up, and the edit has not been made."""

    def __init__(self, newer: Document) -> None:
        super().__init__(
            f"another workbench has changed {newer.title!r} meanwhile: what it did is shown now, please try again"
        )
        self.newer = newer
        """The document as it is kept now."""


class Document:
    """A record with a history of edits. Safe to use from several threads."""

    def __init__(self, id: str, title: str, tree: NumberedTree, revision: int = 0) -> None:
        self.id, self.title, self.tree, self.revision = id, title, tree, revision
        self.done: list[Edit] = []
        self.undone: list[Edit] = []
        self.keys = PositionKeys(tree)
        """Of the positions after all nodes; for who holds the lock."""
        self.lock = threading.RLock()
        self.keep: Callable[[Operation], object] = lambda operation: None
        """Called with every operation before anybody hears of it. If it raises, the operation has not happened."""
        self.listeners: list[Callable[[Told], object]] = []

    @property
    def record(self) -> Record:
        """What is in it."""
        return self.tree.record

    def position(self, node: int) -> Position:
        """The position after a node.

        Raises:
            TengenError: if the node is not there, or a move on the way to it is illegal.
        """
        with self.lock:
            return self.record.position(self.tree.node(node))

    # What people do

    def play(self, node: int, moves: Iterable[Move]) -> Told:
        """Adds a line of moves after a node; moves that are there already are only gone along.

        Raises:
            TengenError: if one is illegal; then nothing is added.
        """
        with self.lock:
            at = self.tree.node(node)
            position = self.record.position(at)
            branch: Node | None = None
            tip: Node | None = None
            for move in moves:
                colour = position.turn
                new = Node({colour.letter: [str(position.play(move))]})
                if tip is None and (known := _same_child(at, new)) is not None:
                    at = known
                    continue
                if tip is not None:
                    tip.children.append(new)
                    new.parent = tip
                tip = new
                branch = branch or new
            if branch is None:
                return self._told((), self.tree.number(at))
            insert = self._new_branch(self.tree.number(at), len(at.children), branch)
            return self._edit("move", node, [insert], insert.nodes[-1].id)

    def comment(self, node: int, text: str) -> Told:
        """Writes a comment.

        Raises:
            TengenError: if it is too long, or the node is not there.
        """
        _limit("a comment", text, MAX_COMMENT)
        with self.lock:
            last = self.done[-1] if self.done and not self.undone else None
            is_typing = last is not None and (last.label, last.node) == ("comment", node)
            return self._set("comment", node, {"C": [text] if text else []}, "amend" if is_typing else "edit")

    def mark(self, node: int, mark: str, square: Square) -> Told:
        """Puts a mark on a square, or takes it away; another mark there goes.

        Raises:
            TengenError: if there is no such mark or node.
        """
        if mark not in MARKS:
            raise TengenError(f"{mark!r} is no mark; there are {', '.join(MARKS)}")
        with self.lock:
            properties = self.tree.node(node).properties
            name, wanted = str(square), MARKS[mark]
            here = {p: properties[p] for p in MARKS.values() if name in properties.get(p, ())}
            new = {p: [value for value in values if value != name] for p, values in here.items()}
            if wanted not in here:
                new[wanted] = [*properties.get(wanted, ()), name]
            return self._set("mark", node, new)

    def label(self, node: int, square: Square, text: str) -> Told:
        """Writes a text on a square; an empty one takes it away.

        Raises:
            TengenError: if it is too long, or the node is not there.
        """
        _limit("a text on the board", text, MAX_LABEL)
        with self.lock:
            labels = self.tree.node(node).properties.get("LB", ())
            others = [value for value in labels if not value.startswith(f"{square}:")]
            return self._set("text", node, {"LB": [*others, f"{square}:{text}"] if text else others})

    def set_up(
        self,
        node: int,
        black: Sequence[Square],
        white: Sequence[Square],
        turn: Colour | None = None,
        stones_left: int | None = None,
    ) -> Told:
        """Sets up a position: in the beginning of the record if nothing follows yet, else in a new node.

        Raises:
            TengenError: if it cannot be set up.
        """
        game = self.record.game
        wanted = Position.setup(game, black, white, turn, stones_left)
        properties = {
            "AB": [str(s) for s in black],
            "AW": [str(s) for s in white],
            "PL": [wanted.turn.letter],
            STONES_LEFT: [str(wanted.stones_left)] if wanted.stones_left != game.p else [],
        }
        with self.lock:
            at = self.tree.node(node)
            if at is self.record.root and not at.children:
                return self._set("set-up", node, properties | {"AE": []})
            before, kept = self.record.position(at), {*black, *white}
            properties["AE"] = [str(s) for colour in (BLACK, WHITE) for s in before.stones(colour) if s not in kept]
            new = Node({name: values for name, values in properties.items() if values})
            insert = self._new_branch(node, len(at.children), new)
            return self._edit("set-up", node, [insert], insert.nodes[0].id)

    def inform(self, values: dict[str, str]) -> Told:
        """Says something of the game as a whole.

        Raises:
            TengenError: if SGF knows no such thing, or a text is too long.
        """
        for name, value in values.items():
            if name not in INFO:
                raise TengenError(f"{name!r} is not known of a game; there are {', '.join(INFO)}")
            _limit("a text", value, MAX_COMMENT)
        return self._set("game", self.tree.root, {name: [value] if value else [] for name, value in values.items()})

    def annotate(self, values: dict[int, dict[str, list[str]]], label: str = "analysis") -> Told:
        """Sets properties of many nodes that a program found, such as what positions are worth, in one step.

        Raises:
            TengenError: if one of the nodes is not there; then nothing is set.
        """
        with self.lock:
            changes: list[AnyChange] = [SetProperties(node=node, properties=new) for node, new in values.items()]
            return self._edit(label, self.tree.root, changes, self.tree.root)

    def remove(self, node: int) -> Told:
        """Removes a node and all that follows.

        Raises:
            TengenError: if it is the root, or not there.
        """
        with self.lock:
            parent = self.tree.node(node).parent
            return self._edit("delete", node, [Remove(node=node)], node if parent is None else self.tree.number(parent))

    def promote(self, node: int, to_main: bool = False) -> Told:
        """Moves the variation of a node one place up, or makes it the main line all the way to the root.

        Raises:
            TengenError: if the node is not there.
        """
        with self.lock:
            changes: list[AnyChange] = []
            at = self.tree.node(node)
            while at.parent is not None and (to_main or not changes):
                if index := at.parent.children.index(at):
                    changes.append(Reorder(node=self.tree.number(at), index=0 if to_main else index - 1))
                at = at.parent
            return self._edit("promote", node, changes, node) if changes else self._told((), node)

    def graft(self, node: int, branches: Sequence[Node], label: str = "paste") -> Told:
        """Puts branches from elsewhere after a node; what is there already, or in two of them, is not added twice.

        Raises:
            TengenError: if a move would be illegal there; then nothing is added.
        """
        with self.lock:
            at = self.tree.node(node)
            position = self.record.position(at)
            changes: list[AnyChange] = []
            next_number = self.tree.next_number
            added: dict[Node, int] = {}
            where: int | None = None
            stack = [(at, position, branch) for branch in reversed(_merged(branches))]
            while stack:
                at, position, branch = stack.pop()
                if (same := _same_child(at, branch)) is None:
                    _check_legal(position, branch)
                    index = len(at.children) + added.get(at, 0)
                    insert = self.tree.branch(self.tree.number(at), index, branch, next_number)
                    next_number += len(insert.nodes)
                    added[at] = added.get(at, 0) + 1
                    changes.append(insert)
                    where = insert.nodes[0].id if where is None else where
                else:
                    number = self.tree.number(same)
                    where = number if where is None else where
                    if new := _news(same, branch):
                        changes.append(SetProperties(node=number, properties=new))
                    after = advance(position.copy(), same)
                    stack += [(same, after, child) for child in reversed(branch.children)]
            if len(self.tree) + next_number - self.tree.next_number > MAX_NODES:
                raise too_many_nodes()
            look_at = node if where is None else where
            return self._edit(label, node, changes, look_at) if changes else self._told((), look_at)

    def undo(self) -> Told:
        """Takes the last edit back; does nothing if there is none."""
        with self.lock:
            return self.perform(Operation(kind="undo")) if self.done else self._told((), self.tree.root)

    def redo(self) -> Told:
        """Makes the edit again that was taken back last; does nothing if there is none."""
        with self.lock:
            return self.perform(Operation(kind="redo")) if self.undone else self._told((), self.tree.root)

    # How it is done

    def perform(self, operation: Operation) -> Told:
        """Makes a step of the history, keeps it, and tells of it.

        Raises:
            TengenError: if it does not fit this document; then nothing has happened.
            OutdatedError: by `keep`, if there is a newer state; then that is all that has happened to the document.
            Exception: what else `keep` raises; then nothing has happened either.
        """
        with self.lock:
            done, undone = list(self.done), list(self.undone)
            inverse: list[AnyChange] = []
            try:
                changes, look_at = self._next(operation)
                for change in changes:
                    inverse.insert(0, self.tree.apply(change))
                if operation.kind == "edit":
                    self.done[-1].inverse = inverse
                self.keep(operation)
            except BaseException as error:
                for change in inverse:
                    self.tree.apply(change)
                self.done, self.undone = done, undone
                if isinstance(error, OutdatedError):
                    self._catch_up(error.newer)
                raise
            self.revision += 1
            self.keys.note(changes)
            told = self._told(changes, look_at)
            self._tell(told)
            return told

    def _catch_up(self, newer: Document) -> None:
        self.title, self.tree, self.revision = newer.title, newer.tree, newer.revision
        self.done, self.undone, self.keys = newer.done, newer.undone, newer.keys
        self._tell(Told(self.revision, (), self.tree.root, is_all_new=True))

    def _tell(self, told: Told) -> None:
        for listener in list(self.listeners):
            listener(told)

    def _next(self, operation: Operation) -> tuple[Sequence[AnyChange], int]:
        """Notes a step in the lists of edits. Returns the changes that it makes, and where to look after it."""
        if operation.kind == "undo":
            edit = self.done.pop()
            self.undone.append(edit)
            return edit.inverse, edit.node
        if operation.kind == "redo":
            edit = self.undone.pop()
            self.done.append(edit)
            return edit.changes, edit.then
        assert operation.edit is not None
        edit = operation.edit.model_copy()
        if operation.kind == "amend":
            edit.inverse = self.done.pop().inverse
        self.done = [*self.done[1 - MAX_UNDO :], edit]
        self.undone = []
        return edit.changes, edit.then

    def _edit(
        self,
        label: str,
        node: int,
        changes: Sequence[AnyChange],
        look_at: int,
        kind: Literal["edit", "amend"] = "edit",
    ) -> Told:
        edit = Edit(label=label, node=node, then=look_at, changes=list(changes))
        return self.perform(Operation(kind=kind, edit=edit))

    def _set(
        self, label: str, node: int, properties: dict[str, list[str]], kind: Literal["edit", "amend"] = "edit"
    ) -> Told:
        with self.lock:
            now = self.tree.node(node).properties
            if all(now.get(name, []) == values for name, values in properties.items()):
                return self._told((), node)
            return self._edit(label, node, [SetProperties(node=node, properties=properties)], node, kind)

    def _new_branch(self, parent: int, index: int, branch: Node) -> Insert:
        insert = self.tree.branch(parent, index, branch)
        if len(self.tree) + len(insert.nodes) > MAX_NODES:
            raise too_many_nodes()
        return insert

    def _told(self, changes: Sequence[AnyChange], node: int) -> Told:
        return Told(self.revision, changes, node)


def _limit(what: str, text: str, most: int) -> None:
    if len(text) > most:
        raise TengenError(f"{what} has at most {most:,} characters")


def check_size(record: Record) -> None:
    """Refuses a record that could not be worked on.

    Raises:
        TengenError: if it has more nodes than a document may have.
    """
    if next(islice(record.root.walk(), MAX_NODES, None), None) is not None:
        raise too_many_nodes()


def too_many_nodes() -> TengenError:
    """What is said of a record that has, or would have, more nodes than can be worked on."""
    return TengenError(f"a record has at most {MAX_NODES:,} nodes here")


def _check_legal(position: Position, branch: Node) -> None:
    """Plays out a branch.

    Raises:
        TengenError: if something in it is illegal after this position.
    """
    stack = [(branch, position.copy())]
    while stack:
        node, before = stack.pop()
        after = advance(before, node)
        stack += [(child, after.copy() if number else after) for number, child in enumerate(node.children)]


def _meaning(node: Node) -> Hashable:
    """The move or set-up that a node stands for, the same however it is written; None if it is neither."""
    properties = node.properties
    setup = frozenset((name, frozenset(properties[name])) for name in SETUP_PROPERTIES & properties.keys())
    meaning = node.colour, node.move, node.resigns, setup
    return None if meaning == (None, None, False, frozenset()) else meaning


def _same_child(node: Node, other: Node) -> Node | None:
    """The child that stands for the same move or set-up as a node from elsewhere."""
    wanted = _meaning(other)
    return next((child for child in node.children if wanted is not None and _meaning(child) == wanted), None)


def _merged(branches: Sequence[Node]) -> list[Node]:
    """Copies of branches, in which those that begin alike have become one."""
    top = Node()
    alike: dict[tuple[Node, Hashable], Node] = {}
    stack = [(top, branch) for branch in reversed(branches)]
    while stack:
        parent, branch = stack.pop()
        meaning = _meaning(branch)
        copy = None if meaning is None else alike.get((parent, meaning))
        if copy is None:
            copy = Node({name: list(values) for name, values in branch.properties.items()}, parent)
            alike[parent, meaning] = copy
        else:
            copy.properties.update(_news(copy, branch))
        stack += [(copy, child) for child in reversed(branch.children)]
    return top.children


def _news(node: Node, other: Node) -> dict[str, list[str]]:
    """What a node from elsewhere says that this one does not; comments are put one after the other."""
    new = {}
    for name, values in other.properties.items():
        mine = node.properties.get(name)
        if mine is None:
            new[name] = list(values)
        elif name == "C" and values[0] not in mine[0]:
            new[name] = [f"{mine[0]}\n\n{values[0]}"]
    return new
