"""The second step: squares in properties, in three dialects."""

from __future__ import annotations

import re
from enum import Enum
from functools import lru_cache

from tengen.game import Square
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
        return chr(ord("A") + square.x) + chr(ord("A") + square.y)
    letters = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ"
    x, y = square.x, height - 1 - square.y
    if not (0 <= x < len(letters) and 0 <= y < len(letters)):
        raise RecordError(f"{value} is off the board")
    return letters[x] + letters[y]
