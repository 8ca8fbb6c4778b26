"""Game trees: a record is a tree of nodes, a node is a list of properties in the manner of SGF.

Squares in properties are always written as people do (`J10K11`), whatever file they came from; the formats translate.
Nothing here recurses, so a tree may be as deep as memory allows.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Generic, TypeVar

from tengen.game import BLACK, CONNECT6, WHITE, Colour, Game, Move, Position, Square, TengenError
from tengen.game.square import as_square, parse_move
from tengen.record.errors import RecordError

STONES_LEFT = "LEFT"
"""Our own property: how many stones of the turn are left after a set-up, where it is not a whole turn."""
SETUP_PROPERTIES = frozenset({"AB", "AW", "AE", "PL", STONES_LEFT})
MARKS = {"triangle": "TR", "square": "SQ", "circle": "CR", "cross": "MA", "selected": "SL", "dimmed": "DD"}
"""The marks that SGF knows, by name."""
RESIGN = "resign"
UNREADABLE = "!"
"""Stands before the name of a property whose value could not be read: no name in a file begins with it."""
Result = TypeVar("Result")


class Node:
    """One node of a record: usually one move, with what was said about it."""

    __slots__ = ("children", "parent", "properties")

    parent: Node | None
    children: list[Node]
    """The continuations; the first is the main one."""
    properties: dict[str, list[str]]
    """SGF's properties, in order. Values are plain text, squares as people write them."""

    def __init__(self, properties: dict[str, list[str]] | None = None, parent: Node | None = None) -> None:
        self.properties = {} if properties is None else properties
        self.parent = parent
        self.children = []
        if parent is not None:
            parent.children.append(self)

    @property
    def colour(self) -> Colour | None:
        """Who moves here; None in a node without a move."""
        if "B" in self.properties:
            return BLACK
        return WHITE if "W" in self.properties else None

    @property
    def move(self) -> Move | None:
        """The stones placed here, possibly a part of a turn; None in a node without a move.

        Raises:
            NotationError: if the property holds something else.
        """
        values = self.properties.get("B") or self.properties.get("W")
        return None if not values or values[0] == RESIGN else parse_move(values[0], None)

    @property
    def resigns(self) -> bool:
        """Whether the player gives up here instead of moving."""
        return (self.properties.get("B") or self.properties.get("W")) == [RESIGN]

    @property
    def comment(self) -> str:
        """The comment, or an empty text."""
        return self.get("C") or ""

    @comment.setter
    def comment(self, text: str) -> None:
        self.set("C", text)

    def get(self, name: str) -> str | None:
        """The first value of a property."""
        values = self.properties.get(name)
        return values[0] if values else None

    def set(self, name: str, value: str) -> None:
        """Gives a property one value; an empty text removes it."""
        if value:
            self.properties[name] = [value]
        else:
            self.properties.pop(name, None)

    def marked(self, mark: str) -> list[Square]:
        """The squares with a mark (`triangle`, `square`, `circle`, `cross`, `selected`, `dimmed`)."""
        return [Square.parse(value) for value in self.properties.get(MARKS[mark], ())]

    def add_mark(self, mark: str, square: Square | str) -> None:
        """Marks a square; marking it again does nothing.

        Raises:
            TengenError: if there is no such mark or square.
        """
        if mark not in MARKS:
            raise RecordError(f"{mark!r} is no mark; there are {', '.join(MARKS)}")
        name = str(as_square(square))
        values = self.properties.setdefault(MARKS[mark], [])
        if name not in values:
            values.append(name)

    @property
    def labels(self) -> dict[Square, str]:
        """The texts written on squares."""
        pairs = (value.split(":", 1) for value in self.properties.get("LB", ()))
        return {Square.parse(square): text for square, text in pairs}

    def add_label(self, square: Square | str, text: str) -> None:
        """Writes a text on a square, over the one that was there."""
        name = str(as_square(square))
        values = [v for v in self.properties.get("LB", ()) if not v.startswith(f"{name}:")]
        self.properties["LB"] = [*values, f"{name}:{text}"]

    def add_move(self, colour: Colour, move: Move | str, comment: str = "") -> Node:
        """Appends a continuation, or returns the one that has this move already."""
        move = parse_move(move, None) if isinstance(move, str) else move
        for child in self.children:
            if child.colour is colour and child.move == move:
                return child
        child = Node({colour.letter: [str(move)]}, self)
        child.comment = comment
        return child

    def path(self) -> list[Node]:
        """The nodes from the root to this one."""
        nodes = []
        node: Node | None = self
        while node is not None:
            nodes.append(node)
            node = node.parent
        return nodes[::-1]

    def main_line(self) -> Iterator[Node]:
        """This node and its main continuation, to the end."""
        node = self
        yield node
        while node.children:
            node = node.children[0]
            yield node

    def walk(self) -> Iterator[Node]:
        """This node and all below it, each before its children, main lines first."""
        stack = [self]
        while stack:
            node = stack.pop()
            yield node
            stack.extend(reversed(node.children))

    def promote(self) -> None:
        """Makes this node its parent's main continuation."""
        if self.parent is not None:
            self.parent.children.remove(self)
            self.parent.children.insert(0, self)

    def detach(self) -> None:
        """Cuts this node, with all below it, off its parent."""
        if self.parent is not None:
            self.parent.children.remove(self)
            self.parent = None


class Visitor(Generic[Result]):
    """Sees a record in the order in which it would be written down. Override what interests you.

    A node that branches begins a variation for each of its children, the main one included.
    """

    def begin_record(self, record: Record) -> None:
        """Called first."""

    def visit_node(self, node: Node) -> bool | None:
        """Called for every node; return False to skip everything below it."""

    def begin_variation(self) -> None:
        """Called before the first node of a variation."""

    def end_variation(self) -> None:
        """Called after the last node of a variation."""

    def result(self) -> Result:
        """What `Record.accept` returns."""
        raise NotImplementedError(f"{type(self).__name__} has no result")


class Record:
    """A game with its variations. What SGF calls game info stands in the root's properties."""

    __slots__ = ("game", "problems", "root")

    game: Game
    root: Node
    problems: list[RecordError]
    """What a lenient reader found wrong."""

    def __init__(self, game: Game = CONNECT6, root: Node | None = None) -> None:
        self.game = game
        self.root = Node() if root is None else root
        self.problems = []

    @classmethod
    def from_position(cls, position: Position) -> Record:
        """A record of how a position came about."""
        record = cls(position.game)
        if setup := position.initial:
            for name, squares in (("AB", setup.black), ("AW", setup.white)):
                if squares:
                    record.root.properties[name] = [str(s) for s in squares]
            if setup.turn is not None:
                record.root.properties["PL"] = [setup.turn.letter]
            if setup.stones_left not in (None, position.game.p):
                record.root.properties[STONES_LEFT] = [str(setup.stones_left)]
        node = record.root
        for colour, move in position.turns:
            node = node.add_move(colour, move)
        return record

    @property
    def result(self) -> str | None:
        """SGF's result, such as `B+` or `W+Resign`."""
        return self.root.get("RE")

    @property
    def title(self) -> str | None:
        """What it says that it is called, else its players or its event; None if it says nothing."""
        players = " – ".join(filter(None, (self.root.get("PB"), self.root.get("PW"))))
        return self.root.get("GN") or players or self.root.get("EV")

    def main_line(self) -> list[Node]:
        """The nodes of the main line, the root first."""
        return list(self.root.main_line())

    def end(self) -> Node:
        """The last node of the main line."""
        node = self.root
        while node.children:
            node = node.children[0]
        return node

    def moves(self) -> list[Move]:
        """The moves of the main line."""
        return [move for node in self.root.main_line() if (move := node.move) is not None]

    def position(self, node: Node | None = None) -> Position:
        """The position after a node, by default the last of the main line.

        Raises:
            RecordError: if a move on the way is illegal, or by the wrong player.
        """
        position = Position(self.game)
        path = (node or self.end()).path()
        for number, step in enumerate(path):
            try:
                position = advance(position, step, path[number + 1].colour if number + 1 < len(path) else None)
            except TengenError as error:
                raise RecordError(f"node {number}: {error}") from error
        return position

    def accept(self, visitor: Visitor[Result]) -> Result:
        """Shows the whole record to a visitor and returns the visitor's result."""
        visitor.begin_record(self)
        stack: list[Node | None] = [self.root]  # None ends a variation
        while stack:
            node = stack.pop()
            if node is None:
                visitor.end_variation()
                continue
            branches = node.parent is not None and len(node.parent.children) > 1
            if branches:
                stack.append(None)
                visitor.begin_variation()
            if visitor.visit_node(node) is not False:
                stack.extend(reversed(node.children))
        return visitor.result()


def advance(position: Position, node: Node, next_colour: Colour | None = None) -> Position:
    """The position after a node. A move is played on the position given; a set-up makes a new one.

    `next_colour`, who moves in the node after it, tells whose turn it is where a set-up does not say.

    Raises:
        TengenError: if the move is illegal or by the wrong player, or the stones cannot be set up.
    """
    if not SETUP_PROPERTIES.isdisjoint(node.properties):
        position = _set_up(position, node, node.colour or next_colour)
    move = node.move
    if move is not None:
        colour = node.colour
        if colour is not position.turn and not position.is_over:
            raise RecordError(f"{colour} plays {move}, but it is {position.turn}'s turn")
        position.play(move)
    return position


def _set_up(position: Position, node: Node, next_colour: Colour | None) -> Position:
    def squares(name: str) -> set[Square]:
        return {Square.parse(value) for value in node.properties.get(name, ())}

    black, white, cleared = squares("AB"), squares("AW"), squares("AE")
    stones = [set(position.stones(BLACK)), set(position.stones(WHITE))]
    stones[0] = stones[0] - cleared - white | black
    stones[1] = stones[1] - cleared - black | white
    player = node.get("PL")
    left = node.get(STONES_LEFT)
    turn = Colour.parse(player) if player is not None else next_colour
    stones_left = int(left) if left is not None and left.isdecimal() and len(left) < 6 else None
    if turn is None and position.stone_count > 0:
        turn = position.turn
    if stones_left is None and turn is position.turn and position.is_mid_turn:
        stones_left = position.stones_left
    ordered: list[Iterable[Square]] = [sorted(side, key=lambda s: (s.y, s.x)) for side in stones]
    return Position.setup(position.game, ordered[0], ordered[1], turn, stones_left)
