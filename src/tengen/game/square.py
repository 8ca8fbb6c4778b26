"""Squares and moves, and the ways in which people write them.

Columns are letters from the left (A..Z with I used, then AA, AB, …), rows are numbers from the bottom. On the infinite
board there is more to the left of column A (-A, -B, …) and below row 1 (0, -1, …): `-B-3` is a square there.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from functools import lru_cache
from typing import NamedTuple

from tengen.game.errors import NotationError


class Square(NamedTuple):
    """A square by column `x` and row `y`, both from 0 at the lower left: `Square(9, 9)` is J10, tengen."""

    x: int
    y: int

    @classmethod
    def parse(cls, text: str) -> Square:
        """Reads `J10`, in any case.

        Raises:
            NotationError: if the text is not one square.
        """
        match = _SQUARE.fullmatch(text.strip())
        if match is None:
            raise NotationError(f"{text!r} is no square: write a column letter and a row number, like J10")
        return _square(match)

    @property
    def column(self) -> str:
        """The letters of the column."""
        return column_name(self.x)

    def __str__(self) -> str:
        return _square_name(self)


def as_square(value: object) -> Square:
    """A square from what people pass for one: a square, its name, or a pair of numbers.

    Raises:
        NotationError: if it is something else.
    """
    if isinstance(value, str):
        return Square.parse(value)
    if type(value) is Square:
        return value
    if isinstance(value, tuple) and len(value) == 2 and all(type(number) is int for number in value):
        return Square(*value)
    raise NotationError(f"{value!r} is no square: write it like 'J10', or give column and row from 0")


@lru_cache(maxsize=1024)
def column_name(x: int) -> str:
    """The letters of a column: 0 is A, 25 Z, 26 AA; -1 is -A."""
    if x < 0:
        return "-" + column_name(-1 - x)
    letters = ""
    x += 1
    while x:
        x, rest = divmod(x - 1, 26)
        letters = chr(ord("A") + rest) + letters
    return letters


@lru_cache(maxsize=1 << 14)
def _square_name(square: Square) -> str:
    return f"{column_name(square.x)}{square.y + 1}"


# Four letters and five digits reach far beyond any board, and keep a hostile text from making huge numbers.
_SQUARE = re.compile(r"(-?)([A-Za-z]{1,4})(-?\d{1,5})")
_STEP = re.compile(r"(?P<null>pass(?![A-Za-z0-9-]))|(?P<square>(-?)([A-Za-z]{1,4})(-?\d{1,5}))", re.IGNORECASE)
_PLAIN_SQUARE = re.compile(r"[A-Za-z]{1,4}\d{1,5}")
_PLAIN = re.compile(r"(?:[A-Za-z]{1,4}+\d{1,5}+)++")
_BETWEEN = re.compile(r"[\s,;]*")
_SEPARATORS = re.compile(r"[\s,;]+")
_LETTER_PAIRS = re.compile(r"(?:[a-z]{2})++")
MAX_TEXT_LENGTH = 1_000_000
"""Longest text of moves: more than any board holds, and small enough that parsing it takes little time and memory."""
_MAX_CACHED_LENGTH = 200
"""Longer texts of moves are rare, and a cache of them would take much memory."""


@lru_cache(maxsize=1 << 14)
def _square_from(sign: str, letters: str, row: str) -> Square:
    x = 0
    for letter in letters.upper():
        x = x * 26 + ord(letter) - ord("A") + 1
    return Square(-x if sign else x - 1, int(row) - 1)


@lru_cache(maxsize=1 << 14)
def _plain_square(name: str) -> Square:
    return Square.parse(name)


def _square(match: re.Match[str]) -> Square:
    sign, letters, row = match.groups()[-3:]
    return _square_from(sign, letters, row)


class Move:
    """The stones that one player places in one turn. Their order is kept for display but does not count.

    `is_pass` says that the stones still due are not placed: for analysis only (null and semi-null moves).
    """

    __slots__ = ("_hash", "is_pass", "squares")

    squares: tuple[Square, ...]
    is_pass: bool
    _hash: int

    def __init__(self, squares: str | Iterable[Square] = (), is_pass: bool = False) -> None:
        if isinstance(squares, str):
            parsed = parse_move(squares, None)
            squares, is_pass = parsed.squares, is_pass or parsed.is_pass
        stones = tuple(squares)
        for stone in stones:
            if type(stone) is not Square:
                stones = tuple(map(as_square, stones))
                break
        # Moves are shared through a cache, so they must not change: this is the only way to set anything.
        assign = object.__setattr__
        assign(self, "squares", stones)
        assign(self, "is_pass", is_pass)
        assign(self, "_hash", 0)  # until it is asked for: most moves never are
        if stones[0] == stones[1] if len(stones) == 2 else len(set(stones)) != len(stones):  # two are the usual case
            twice = next(s for i, s in enumerate(stones) if s in stones[:i])
            raise NotationError(f"{twice} stands twice in {self}")
        if not stones and not is_pass:
            raise NotationError("a move has at least one stone; write 'pass' for a null move")

    def __setattr__(self, name: str, value: object) -> None:
        raise AttributeError("a move cannot be changed; make a new one")

    def __reduce__(self) -> tuple[type[Move], tuple[tuple[Square, ...], bool]]:
        return Move, (self.squares, self.is_pass)

    @classmethod
    def parse(cls, text: str, height: int | None = None) -> Move:
        """Reads one move: `J10K11`, `J10 K11`, `j10k11`, `pass`, `J10 pass`, or, if the board's height is given,
        SGF's letter pairs (`jjki`, rows from the top).

        Raises:
            NotationError: if the text is not one move.
        """
        return parse_move(text, height)

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Move):
            return NotImplemented
        return self.is_pass == other.is_pass and frozenset(self.squares) == frozenset(other.squares)

    def __hash__(self) -> int:
        if not self._hash:
            object.__setattr__(self, "_hash", hash((frozenset(self.squares), self.is_pass)))
        return self._hash

    def __iter__(self) -> Iterator[Square]:
        return iter(self.squares)

    def __len__(self) -> int:
        return len(self.squares)

    def __str__(self) -> str:
        stones = "".join(map(str, self.squares))
        return f"{stones} pass".lstrip() if self.is_pass else stones

    def __repr__(self) -> str:
        return f"Move({str(self)!r})"


NULL_MOVE = Move(is_pass=True)


class Step(NamedTuple):
    """One word of a list of moves: a square, or None for `pass`; with the place where it stands in the text."""

    square: Square | None
    start: int


def parse_steps(text: str, height: int | None = None) -> list[Step]:
    """Splits a text of moves into its stones. White space, commas and semicolons may stand anywhere between them.

    With a height, a text that consists of SGF's lower-case letter pairs alone is read as such.

    Raises:
        NotationError: at the first word that is neither a square nor `pass`, naming it.
    """
    if len(text) > MAX_TEXT_LENGTH:
        raise NotationError(f"{len(text):,} characters of moves (expected at most {MAX_TEXT_LENGTH:,})")
    if height is not None and (pairs := _letter_pairs(text, height)):
        return pairs
    steps = []
    position = _skip(text, 0)
    while position < len(text):
        match = _STEP.match(text, position)
        if match is None:
            word = _SEPARATORS.split(text[position : position + 40])[0]
            raise NotationError(f"{word!r} at character {position + 1} is no square: write them like J10")
        steps.append(Step(None if match["null"] else _square(match), position))
        position = _skip(text, match.end())
    return steps


def _letter_pairs(text: str, height: int) -> list[Step]:
    """The stones of a text of letter pairs; none if it is something else, or a row in it is off the board."""
    if "pass" in text or not all(_LETTER_PAIRS.fullmatch(word) for word in _SEPARATORS.split(text) if word):
        return []
    steps = [
        Step(Square(ord(pair[0][0]) - ord("a"), height - 1 - (ord(pair[0][1]) - ord("a"))), pair.start())
        for pair in re.finditer(r"[a-z]{2}", text)
    ]
    return steps if all(step.square is not None and step.square.y >= 0 for step in steps) else []


def _skip(text: str, position: int) -> int:
    match = _BETWEEN.match(text, position)
    return match.end() if match else position


def parse_move(text: str, height: int | None) -> Move:
    """Do what `Move.parse` does, with a cache, since most texts occur again."""
    parse = _cached_move if len(text) <= _MAX_CACHED_LENGTH else _cached_move.__wrapped__
    return parse(text, height)


@lru_cache(maxsize=1 << 16)
def _cached_move(text: str, height: int | None) -> Move:
    if len(text) > MAX_TEXT_LENGTH:
        raise NotationError(f"{len(text):,} characters of a move (expected at most {MAX_TEXT_LENGTH:,})")
    if names := _PLAIN.fullmatch(text) and _PLAIN_SQUARE.findall(text):  # what nearly every move looks like
        return Move(map(_plain_square, names))
    steps = parse_steps(text, height)
    if not steps:
        raise NotationError("the move is empty: write squares like J10K11, or 'pass'")
    if any(step.square is None for step in steps[:-1]):
        raise NotationError(f"{text!r}: 'pass' ends a move, nothing may follow it")
    squares = tuple(step.square for step in steps if step.square is not None)
    return Move(squares, is_pass=steps[-1].square is None)
