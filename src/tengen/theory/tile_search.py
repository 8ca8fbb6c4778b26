"""A search for better tilings: can k in a row be drawn with shorter k?

The plane is cut into bands of rows, and each band into tiles of the same width; within a band each row is shifted against
the one below by a few squares, and from band to band by any number. A tile is watched in all four directions: every run
of more than p of its squares may be a line. A tiling draws Connect(k,p) if any k squares in a row hold a line and the
breaker holds the tiles. Lines that are not needed for the first are left out, for the sake of the second.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from math import prod
from typing import Any

from tengen.game import TengenError
from tengen.theory.lines import MAX_SQUARES, LineBoard, LineGame
from tengen.theory.tiling import DIRECTIONS, Place, Tiling

NODES = 20_000
"""Positions for which a tile is searched before it is left as unknown."""


@dataclass(frozen=True)
class Family:
    """All tilings of one kind, by number.

    Raises:
        TengenError: if the numbers make no sense, or a period has too many squares.
    """

    k: int
    p: int
    width: int
    heights: tuple[int, ...]
    """How many rows each band of a period has."""
    most_shift: int = 1
    """How far a row may be shifted against the one below in its band."""

    def __post_init__(self) -> None:
        numbers = (self.k, self.p, self.width, *self.heights)
        if not self.heights or min(numbers) < 1 or not 0 <= self.most_shift < self.width:
            raise TengenError("k, p, the width and the heights are at least 1, and shifts less than the width")
        if self.width * sum(self.heights) > MAX_SQUARES:
            raise TengenError(f"a period of such tiles has more than {MAX_SQUARES} squares")

    @property
    def _choices(self) -> list[int]:
        shifts = 2 * self.most_shift + 1
        return [choices for height in self.heights for choices in [shifts] * (height - 1) + [self.width]]

    @property
    def size(self) -> int:
        """How many tilings it has."""
        return prod(self._choices)

    def rows(self, number: int) -> tuple[list[int], int]:
        """Where the tiles of each row of a period begin, and how far the next period is shifted.

        Raises:
            TengenError: if there is no such number.
        """
        if not 0 <= number < self.size:
            raise TengenError(f"there is no tiling {number}: there are {self.size}")
        begins, begin = [], 0
        for height in self.heights:
            for _ in range(height - 1):
                begins.append(begin)
                number, shift = divmod(number, 2 * self.most_shift + 1)
                begin += shift - self.most_shift
            begins.append(begin)
            number, shift = divmod(number, self.width)
            begin += shift
        return begins, begin % self.width

    def tiling(self, number: int) -> Tiling | None:
        """A tiling with no more lines than it needs; None if k squares in a row need not hold one.

        One tile of each band, side by side, is one board: parts of a board that share no square are games of their own.

        Raises:
            TengenError: if there is no such number.
        """
        begins, shift = self.rows(number)
        places = [(begin + x, y) for y, begin in enumerate(begins) for x in range(self.width)]
        runs = sorted(self._runs(places), key=len)
        period = self.width, shift, len(begins)

        def with_lines(lines: list[tuple[int, ...]]) -> Tiling:
            return Tiling(LineBoard(len(places), tuple(lines)), period, (tuple(places),))

        if len(runs) > MAX_SQUARES or not with_lines(runs).covers(self.k):
            return None
        kept = runs
        for run in runs:  # the shortest first: they are the hardest to hold
            fewer = [line for line in kept if line != run]
            if with_lines(fewer).covers(self.k):
                kept = fewer
        return with_lines(sorted(kept))

    def _runs(self, places: list[Place]) -> Iterator[tuple[int, ...]]:
        """All squares in a row within a tile, as far as they go, that are too many for one move of the maker."""
        numbers: dict[Place, int] = {}
        first = 0
        for height in self.heights:
            end = first + height * self.width
            numbers = {place: first + i for i, place in enumerate(places[first:end])}
            for dx, dy in DIRECTIONS:
                for x, y in numbers:
                    if (x - dx, y - dy) in numbers:
                        continue
                    run = []
                    while (x, y) in numbers:
                        run.append(numbers[x, y])
                        x, y = x + dx, y + dy
                    if len(run) > self.p:
                        yield tuple(sorted(run))
            first = end


@dataclass
class Findings:
    """What a part of a search has found."""

    tried: int = 0
    covering: int = 0
    """Any k squares in a row hold a line of these."""
    unknown: list[int] | None = None
    held: list[int] | None = None
    """The numbers of those that draw the game."""

    def as_json(self) -> dict[str, Any]:
        """For the journal, and for the way from a worker."""
        return {
            "tried": self.tried,
            "covering": self.covering,
            "unknown": self.unknown or [],
            "held": self.held or [],
        }

    def add(self, found: dict[str, Any]) -> None:
        """Adds what another part has found."""
        self.tried += found["tried"]
        self.covering += found["covering"]
        self.unknown = (self.unknown or []) + found["unknown"]
        self.held = (self.held or []) + found["held"]


def holds(tiling: Tiling, p: int, nodes: int = NODES) -> bool | None:
    """Whether the breaker holds the tiles; None if that takes more positions."""
    return LineGame(tiling.board, p).holds(nodes=nodes)
