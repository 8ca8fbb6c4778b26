"""SGF: read in three steps (grammar, properties, game), written by a visitor.

Three dialects of the squares are understood, each value by its own look: Little Golem's `j10` and `i9k11`, FF[4]'s
`jj` (rows from the top), and NCTU6's `JJ` (rows from the bottom).
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from enum import Enum
from functools import lru_cache

from tengen.game import CONNECT6, Game, GameError, Move, Position, Square, TengenError
from tengen.game.square import parse_move
from tengen.record.errors import RecordError
from tengen.record.tree import RESIGN, Node, Record, Visitor, advance


class Dialect(Enum):
    """How squares are written."""

    LITTLE_GOLEM = "littlegolem"
    FF4 = "sgf"
    NCTU = "nctu"


MOVES = frozenset({"B", "W"})
POINT_LISTS = frozenset({"AB", "AW", "AE", "TR", "SQ", "CR", "MA", "SL", "DD", "TB", "TW", "VW"})
LABELS = frozenset({"LB"})
POINT_PAIRS = frozenset({"AR", "LN"})
_POINTED = MOVES | POINT_LISTS | LABELS | POINT_PAIRS

# Step 1: the grammar.

_VALUE = r"\[[^\\\]]*(?:\\.[^\\\]]*)*\]"
_TOKEN = re.compile(rf"\s*(?:(?P<mark>[();])|(?P<name>[A-Za-z]+)(?P<values>(?:\s*{_VALUE})+))", re.DOTALL)
_VALUES = re.compile(r"\[([^\\\]]*(?:\\.[^\\\]]*)*)\]", re.DOTALL)
_START = re.compile(r"\(\s*;")
_ESCAPE = re.compile(r"\\(\r\n|\n\r|\n|\r|.)", re.DOTALL)
_LONG_NAME = re.compile(r"[a-z]+")


def _unescape(text: str) -> str:
    # A backslash before a line break removes both; before anything else only itself.
    return _ESCAPE.sub(lambda m: "" if m[1][0] in "\r\n" else m[1], text)


def _escape(text: str) -> str:
    if "\\" not in text and "]" not in text:
        return text
    return text.replace("\\", "\\\\").replace("]", "\\]")


def _bad_token(text: str, position: int) -> RecordError:
    start = re.compile(r"\s*").match(text, position)
    offset = start.end() if start else position
    if offset >= len(text):
        return RecordError.at("the file ends in the middle of a game: ')' is missing", text, len(text))
    if word := re.compile(r"[A-Za-z]+\s*").match(text, offset):
        reason = (
            "its value has no end: ']' is missing"
            if text[word.end() : word.end() + 1] == "["
            else "a value in [ ] must follow"
        )
        return RecordError.at(f"property {word[0].strip()[:20]!r}: {reason}", text, offset)
    return RecordError.at(
        f"{text[offset]!r} is out of place: a property, ';', '(' or ')' should stand here", text, offset
    )


def read_sgf(text: str, game: Game | None = None, strict: bool = True) -> Iterator[Record]:
    """Reads a collection, one record after the other.

    Args:
        text: the file; anything before the first `(;` and between games is skipped, as FF[4] asks.
        game: what is played; by default what the file says (RU, SZ, GM), and Connect6 if it is silent.
        strict: whether an illegal move is an error. If not, it goes to the record's `problems`.

    Raises:
        RecordError: where the text is no SGF, or a move is illegal.
    """
    position = 0
    found = False
    while match := _START.search(text, position):
        found = True
        record, position = _read_tree(text, match.start(), game, strict)
        yield record
    if not found:
        raise RecordError.at("there is no SGF here: a game begins with '(;'", text, 0)


def _read_tree(text: str, start: int, game: Game | None, strict: bool) -> tuple[Record, int]:
    builder: _Builder | None = None
    properties: dict[str, list[str]] | None = None
    places: dict[str, int] = {}
    position = start
    depth = 0
    token = _TOKEN.match

    def finish_node() -> None:
        nonlocal builder, properties, places
        if properties is None:
            return
        if builder is None:
            builder = _Builder(text, game or _game_of(properties, text, places), strict)
        builder.add(properties, places)
        properties, places = None, {}

    while True:
        match = token(text, position)
        if match is None:
            raise _bad_token(text, position)
        position = match.end()
        mark = match["mark"]
        if mark is None:
            name = match["name"]
            if not name.isupper():
                name = _LONG_NAME.sub("", name) or name.upper()  # FF[1] to FF[3] wrote Black[..] for B[..]
            if properties is None:
                raise RecordError.at(
                    f"property {name[:20]!r} stands outside a node: ';' is missing", text, match.start("name")
                )
            raw = match["values"]
            values = _VALUES.findall(raw)
            if "\\" in raw:
                values = [_unescape(value) for value in values]
            if name in properties:
                properties[name].extend(values)  # forbidden by FF[4], but nothing is to be lost
            else:
                properties[name] = values
                places[name] = match.start("name")
            continue
        finish_node()
        if mark == ";":
            properties = {}
        elif mark == "(":
            depth += 1
            if builder is not None:
                builder.open()
        else:
            depth -= 1
            if depth == 0:
                break
            if builder is not None:
                builder.close()
    if builder is None:
        raise RecordError.at("the game has no node: ';' is missing", text, start)
    return builder.finish(), position


# Step 2: the properties.


def _game_of(properties: dict[str, list[str]], text: str, places: dict[str, int]) -> Game:
    """The game that a root's properties tell of."""
    for rules in properties.get("RU", ()):
        try:
            return Game.parse(rules)
        except GameError:
            pass  # other programs write other things there
    size = properties.get("SZ", [""])[0].strip()
    if not size:
        return CONNECT6
    try:
        sides = [int(side) for side in re.split(r"[:x]", size)]
        m, n = sides if len(sides) == 2 else (sides[0], sides[0])
        if properties.get("GM", [""])[0].strip() == "4":  # FF[4]'s number for Gomoku
            return Game(m, n, 5, 1, 1)
        return Game(m, n, CONNECT6.k, CONNECT6.p, CONNECT6.q)
    except ValueError as error:
        reason = str(error) if isinstance(error, GameError) else f"{size!r} is no board size"
        raise RecordError.at(f"SZ: {reason}", text, places.get("SZ", 0)) from None


_ALGEBRAIC = re.compile(r"\d")


@lru_cache(maxsize=1 << 15)
def _read_point(value: str, height: int | None, width: int | None) -> Square:
    value = value.strip()
    if _ALGEBRAIC.search(value) or height is None or width is None:
        return Square.parse(value)
    if len(value) != 2 or not value.isascii() or not value.isalpha():
        raise RecordError(f"{value!r} is no square")
    if value.isupper() and max(width, height) <= 26:
        return Square(ord(value[0]) - ord("A"), ord(value[1]) - ord("A"))
    x, y = (ord(c) - ord("a") if c.islower() else ord(c) - ord("A") + 26 for c in value)
    return Square(x, height - 1 - y)


@lru_cache(maxsize=1 << 16)
def _read_move(value: str, height: int | None, width: int | None) -> str:
    """A move as people write it; `pass` and `resign` stay."""
    value = value.strip()
    word = value.lower()
    if word in ("", "pass") or (value == "tt" and height is not None and height <= 19):
        return "pass"
    if word == RESIGN:
        return RESIGN
    if _ALGEBRAIC.search(value):
        return str(parse_move(value, None))
    return "".join(str(_read_point(value[i : i + 2], height, width)) for i in range(0, len(value), 2))


def _read_points(values: list[str], height: int | None, width: int | None) -> list[str]:
    """A list of squares, FF[4]'s rectangles (`aa:cc`) spelt out."""
    points: list[str] = []
    for value in values:
        first, _, last = value.partition(":")
        if not last:
            if value.strip():
                points.append(str(_read_point(value, height, width)))
            continue
        a, b = _read_point(first, height, width), _read_point(last, height, width)
        xs, ys = sorted((a.x, b.x)), sorted((a.y, b.y))
        if (xs[1] - xs[0] + 1) * (ys[1] - ys[0] + 1) > 59 * 59:
            raise RecordError(f"{value!r} is larger than any board")
        points += [str(Square(x, y)) for y in range(ys[1], ys[0] - 1, -1) for x in range(xs[0], xs[1] + 1)]
    return points


def _read_values(name: str, values: list[str], height: int | None, width: int | None) -> list[str]:
    if name in MOVES:
        if len(values) != 1:
            raise RecordError("a node has one move")
        return [_read_move(values[0], height, width)]
    if name in POINT_LISTS:
        return _read_points(values, height, width)
    translated = []
    for value in values:
        first, colon, rest = value.partition(":")
        if not colon:
            raise RecordError(f"{value!r} needs a ':'")
        second = rest if name in LABELS else str(_read_point(rest, height, width))
        translated.append(f"{_read_point(first, height, width)}:{second}")
    return translated


# Step 3: the game.


class _Builder:
    """Builds a tree from nodes as they come, keeps the position beside it, and joins stones of one turn.

    A turn written as one stone a node becomes one node, if nothing was said about the earlier stones and no variation
    begins between them.
    """

    def __init__(self, text: str, game: Game, strict: bool) -> None:
        self.record = Record(game)
        self._text = text
        self._strict = strict
        self._node: Node | None = None
        self._position: Position | None = Position(game)  # None below a node that could not be played
        self._branches: list[tuple[Node | None, Position | None, int]] = []
        self._may_join = False

    def add(self, properties: dict[str, list[str]], places: dict[str, int]) -> None:
        game, parent = self.record.game, self._node
        unreadable = []
        for name, values in properties.items():
            if name in _POINTED:
                try:
                    properties[name] = _read_values(name, values, game.n, game.m)
                except TengenError as error:
                    self._problem(f"{name}: {error}", places[name])
                    unreadable.append(name)
        if unreadable:  # kept, but under a name that nobody takes for squares
            properties = {f"BAD{name}" if name in unreadable else name: v for name, v in properties.items()}
            if not MOVES.isdisjoint(unreadable):
                self._position = None
        colour = "B" if "B" in properties else "W"
        position = self._position
        joins = (
            self._may_join
            and position is not None
            and position.is_mid_turn
            and parent is not None
            and len(parent.properties) == 1
            and colour in parent.properties
            and colour in properties
        )
        node = Node(properties)
        if position is not None:
            try:
                self._position = advance(position, node)
            except TengenError as error:
                self._problem(str(error), places.get(colour, min(places.values(), default=0)))
                self._position = None
                joins = False
        self._may_join = True
        if joins and parent is not None:
            properties[colour][0] = _join(parent.properties[colour][0], properties[colour][0])
            parent.properties = properties
            return
        if parent is None:
            self.record.root = node
        else:
            node.parent = parent
            parent.children.append(node)
        self._node = node

    def open(self) -> None:
        """A variation begins."""
        self._branches.append((self._node, self._position, self._position.steps if self._position is not None else 0))
        self._may_join = False

    def close(self) -> None:
        """The variation ends: back to where it began."""
        self._drop_empty_leaf()
        self._node, self._position, steps = self._branches.pop()
        while self._position is not None and self._position.steps > steps:
            self._position.undo()
        self._may_join = False

    def finish(self) -> Record:
        self._drop_empty_leaf()
        return self.record

    def _drop_empty_leaf(self) -> None:
        # Little Golem ends its files with an empty node, which says nothing.
        node = self._node
        if node is not None and node.parent is not None and not node.properties and not node.children:
            self._node = node.parent
            node.detach()

    def _problem(self, reason: str, place: int) -> None:
        error = RecordError.at(reason, self._text, place)
        if self._strict:
            raise error
        self.record.problems.append(error)


def _join(first: str, second: str) -> str:
    return f"{first} pass" if second == "pass" else first + second


# Writing.


_LINE_LENGTH = 72


def write_sgf(record: Record, dialect: Dialect = Dialect.FF4) -> str:
    """The text of a record.

    Raises:
        RecordError: if the dialect has no way to write it (letter pairs reach 52 columns and rows).
    """
    return record.accept(_Writer(dialect))


class _Writer(Visitor[str]):
    def __init__(self, dialect: Dialect) -> None:
        self._dialect = dialect
        self._parts: list[str] = []
        self._column = 0  # where the present line of text has got to
        self._is_root = True

    def begin_record(self, record: Record) -> None:
        self._game = record.game
        limit = {Dialect.LITTLE_GOLEM: None, Dialect.FF4: 52, Dialect.NCTU: 26}[self._dialect]
        if limit is not None and (
            record.game.m is None or record.game.n is None or max(record.game.m, record.game.n) > limit
        ):
            raise RecordError(
                f"{record.game}: letter pairs reach only {limit} columns and rows; write it as 'littlegolem'"
            )
        self._parts.append("(")

    def visit_node(self, node: Node) -> None:
        properties = node.properties
        if self._is_root:
            self._is_root = False
            properties = self._root_properties(properties)
        if self._dialect is not Dialect.LITTLE_GOLEM:
            move = node.move
            if move is not None and len(move.squares) + move.is_pass > 1:
                properties = self._split_turn(properties, move)
        self._write_node(
            "".join(
                [
                    f"{name}[" + "][".join([_escape(self._value(name, value)) for value in values]) + "]"
                    for name, values in properties.items()
                ]
            )
        )

    def begin_variation(self) -> None:
        self._parts.append("\n(")
        self._column = 1

    def end_variation(self) -> None:
        self._parts.append(")")

    def _write_node(self, content: str) -> None:
        if self._column > _LINE_LENGTH:
            self._parts.append("\n")
            self._column = 0
        self._parts.append(f";{content}")
        self._column += len(content) + 1

    def result(self) -> str:
        return "".join(self._parts) + ")\n"

    def _root_properties(self, properties: dict[str, list[str]]) -> dict[str, list[str]]:
        game = self._game
        head = {"FF": ["4"]}
        if self._dialect is Dialect.FF4:
            head["CA"] = ["UTF-8"]
            head["SZ"] = [str(game.m) if game.m == game.n else f"{game.m}:{game.n}"]
            head["RU"] = [str(game)]
        elif game != CONNECT6:
            head["RU"] = [str(game)]
        if "CA" in properties:
            head["CA"] = ["UTF-8"]
        # What the record has of these keeps its place, with the value that is true of this file.
        merged = {name: head.pop(name, values) for name, values in properties.items()}
        return {**head, **merged}

    def _split_turn(self, properties: dict[str, list[str]], move: Move) -> dict[str, list[str]]:
        """Writes all but the last stone as nodes of their own; what was said belongs to the last."""
        name = "B" if "B" in properties else "W"
        stones = [str(square) for square in move] + (["pass"] if move.is_pass else [])
        for stone in stones[:-1]:
            self._write_node(f"{name}[{self._value(name, stone)}]")
        return {key: [stones[-1]] if key == name else values for key, values in properties.items()}

    def _value(self, name: str, value: str) -> str:
        if name in MOVES:
            return self._move(value)
        if name not in _POINTED:
            return value
        if name in POINT_LISTS:
            return self._point(value)
        first, _, rest = value.partition(":")
        return f"{self._point(first)}:{rest if name in LABELS else self._point(rest)}"

    def _move(self, value: str) -> str:
        if self._dialect is Dialect.LITTLE_GOLEM:
            return value.replace(" ", "").lower()
        if value in ("pass", RESIGN):
            return "" if value == "pass" else value
        return self._point(value)

    def _point(self, value: str) -> str:
        if self._dialect is Dialect.LITTLE_GOLEM:
            return value.lower()
        return _letter_pair(value, self._game.n or 0, self._dialect)


@lru_cache(maxsize=1 << 14)
def _letter_pair(value: str, height: int, dialect: Dialect) -> str:
    square = Square.parse(value)
    if dialect is Dialect.NCTU:
        return chr(ord("A") + square.x) + chr(ord("A") + square.y)
    letters = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ"
    x, y = square.x, height - 1 - square.y
    if not (0 <= x < len(letters) and 0 <= y < len(letters)):
        raise RecordError(f"{value} is off the board")
    return letters[x] + letters[y]
