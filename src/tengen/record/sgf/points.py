"""Squares in the properties of SGF, in three dialects."""

from __future__ import annotations

import re
from enum import Enum
from functools import lru_cache
from string import ascii_letters, ascii_uppercase

from tengen.game import Square
from tengen.game.rules import MAX_STONES
from tengen.game.square import parse_move
from tengen.record.errors import RecordError
from tengen.record.tree import RESIGN


class Dialect(Enum):
    """How squares are written."""

    LITTLE_GOLEM = "littlegolem"
    FF4 = "sgf"
    NCTU = "nctu"


MOVES = frozenset({"B", "W"})
POINT_LISTS = frozenset({"AB", "AW", "AE", "TR", "SQ", "CR", "MA", "SL", "DD", "TB", "TW", "VW"})
LABELS = frozenset({"LB"})
POINT_PAIRS = frozenset({"AR", "LN"})
POINTED = MOVES | POINT_LISTS | LABELS | POINT_PAIRS

_ALGEBRAIC = re.compile(r"\d")
_MAX_CACHED_LENGTH = 100
"""Longer values are rare, and a cache of them would take much memory."""


@lru_cache(maxsize=1 << 15)
def _cached_point(value: str, height: int | None, width: int | None) -> Square:
    value = value.strip()
    if _ALGEBRAIC.search(value) or height is None or width is None:
        return Square.parse(value)
    if len(value) != 2 or not value.isascii() or not value.isalpha():
        raise RecordError(f"invalid square {value!r}")
    if value.isupper() and max(width, height) <= 26:
        return Square(ord(value[0]) - ord("A"), ord(value[1]) - ord("A"))
    x, y = (ord(c) - ord("a") if c.islower() else ord(c) - ord("A") + 26 for c in value)
    return Square(x, height - 1 - y)


def _read_point(value: str, height: int | None, width: int | None) -> Square:
    value = value.strip()
    if len(value) > _MAX_CACHED_LENGTH:
        raise RecordError(f"invalid square {value[:20]!r}…")
    return _cached_point(value, height, width)


def _read_move(value: str, height: int | None, width: int | None) -> str:
    read = _cached_move if len(value) <= _MAX_CACHED_LENGTH else _cached_move.__wrapped__
    return read(value, height, width)


@lru_cache(maxsize=1 << 16)
def _cached_move(value: str, height: int | None, width: int | None) -> str:
    """Return a move in plain notation; `pass` and `resign` stay as they are."""
    value = value.strip()
    word = value.lower()
    if word in ("", "pass") or (value == "tt" and height is not None and height <= 19):
        return "pass"
    if word == RESIGN:
        return RESIGN
    if _ALGEBRAIC.search(value):
        return str(parse_move(value, None))
    if len(value) > 2 * MAX_STONES:
        raise RecordError(f"a move of {len(value) // 2:,} stones (expected at most {MAX_STONES:,})")
    return "".join(str(_read_point(value[i : i + 2], height, width)) for i in range(0, len(value), 2))


def _read_points(values: list[str], height: int | None, width: int | None) -> list[str]:
    """Return a list of squares; the rectangles of FF[4] (`aa:cc`) become their squares."""
    points: list[str] = []
    for value in dict.fromkeys(values):
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
    return list(dict.fromkeys(points))


def read_values(name: str, values: list[str], height: int | None, width: int | None) -> list[str]:
    """The values of a property with squares in it, as people write them.

    Raises:
        TengenError: if they are something else.
    """
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


@lru_cache(maxsize=1 << 14)
def letter_pair(value: str, height: int, dialect: Dialect) -> str:
    """A square as two letters.

    Raises:
        RecordError: if there are no letters for it.
    """
    square = Square.parse(value)
    if dialect is Dialect.NCTU:
        letters, x, y = ascii_uppercase, square.x, square.y
    else:
        letters, x, y = ascii_letters, square.x, height - 1 - square.y
    if not (0 <= x < len(letters) and 0 <= y < len(letters)):
        raise RecordError(f"no letters for square {value} in this dialect: it is off the board")
    return letters[x] + letters[y]
