"""How a proof is written: names of squares, patterns, and bounds for hostile files."""

from __future__ import annotations

import re
from functools import lru_cache

MAGIC = "tengen-proof 1"
# No game that people play comes near these.
MAX_SIDE, MAX_SPAN, MAX_K, MAX_P = 59, 256, 64, 32
MAX_LINE = 1 << 20
MAX_NODES = 100_000_000
MAX_BYTES = 1 << 32
"""Of a file, unpacked."""

GAME = re.compile(r"Connect\((?:(\d{1,2}),(\d{1,2}),)?(\d{1,2}),(\d{1,2}),(\d{1,2})\)( maker-breaker)?")
SQUARE = re.compile(r"(-?)([A-Z]{1,4})(0|-?[1-9]\d{0,4})")
REPLY = re.compile(r"(\+?)([A-Z0-9-]*)(?:/([1-9]\d?))?")
REFERENCE = re.compile(r"=([1-9]\d{0,9})\.([0-7])")
NUMBER = re.compile(r"0|[1-9]\d{0,4}")


class NoProofError(ValueError):
    """The file is no proof file at all."""


class Refused(Exception):  # noqa: N818 - not an error but an answer
    """Why a proof is not accepted."""


@lru_cache(maxsize=1 << 14)
def column_and_row(name: str) -> tuple[int, int]:
    """A square from its name, both from 0."""
    match = SQUARE.fullmatch(name)
    if match is None:
        raise Refused(f"{name[:20]!r} is no square")
    x = 0
    for letter in match[2]:
        x = x * 26 + ord(letter) - ord("A") + 1
    return -x if match[1] else x - 1, int(match[3]) - 1


def square_name(x: int, y: int) -> str:
    """The name of a square."""
    sign, rest, letters = ("-", -x, "") if x < 0 else ("", x + 1, "")
    while rest:
        rest, letter = divmod(rest - 1, 26)
        letters = chr(ord("A") + letter) + letters
    return f"{sign}{letters}{y + 1}"
