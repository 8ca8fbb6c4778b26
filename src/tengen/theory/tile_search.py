"""A search for better tilings: can k in a row be drawn with shorter k?

The plane is cut into bands of rows, and each band into tiles of the same width; within a band each row is shifted
against the one below by a few squares, and from band to band by any number. A tile is watched in all four directions:
every run of more than p of its squares may be a line. A tiling draws Connect(k,p) if any k squares in a row hold a line
and the breaker holds the tiles. Lines that are not needed for the first are left out, for the sake of the second.
"""

from __future__ import annotations

from dataclasses import asdict, dataclass, field
from functools import cache
from math import prod
from typing import Any, NamedTuple

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
        kept: list[tuple[int, ...]] = []
        for direction in DIRECTIONS:
            cycles = _cycles(self.width, len(begins), shift, direction)
            runs = self._runs(places, direction)
            if not _covers(runs, cycles, self.k):
                return None
            for run in sorted(runs, key=len):  # the shortest first: they are the hardest to hold
                fewer = [other for other in runs if other is not run]
                if _covers(fewer, cycles, self.k):
                    runs = fewer
            kept += [run.squares for run in runs]
        if len(kept) > MAX_SQUARES:
            return None
        return Tiling(LineBoard(len(places), tuple(sorted(kept))), (self.width, shift, len(begins)), (tuple(places),))

    def _runs(self, places: list[Place], direction: Place) -> list[_Run]:
        """All squares in a row within a tile, as far as they go, that are too many for one move of the maker."""
        dx, dy = direction
        runs, first = [], 0
        for height in self.heights:
            end = first + height * self.width
            numbers = {place: first + i for i, place in enumerate(places[first:end])}
            for x, y in numbers:
                if (x - dx, y - dy) in numbers:
                    continue
                cell, run = y * self.width + x % self.width, []
                while (x, y) in numbers:
                    run.append(numbers[x, y])
                    x, y = x + dx, y + dy
                if len(run) > self.p:
                    runs.append(_Run(cell, tuple(sorted(run))))
            first = end
        return runs


class _Run(NamedTuple):
    """Squares in a row, and the cell of the period where they begin."""

    cell: int
    squares: tuple[int, ...]

    def __len__(self) -> int:
        return len(self.squares)


@cache
def _cycles(width: int, rows: int, shift: int, direction: Place) -> list[list[int]]:
    """The cells of a period in the order in which one meets them on the way in a direction."""
    dx, dy = direction
    left = set(range(width * rows))
    cycles = []
    while left:
        cell, cycle = min(left), []
        while cell in left:
            left.remove(cell)
            cycle.append(cell)
            y, x = divmod(cell, width)
            turns, y = divmod(y + dy, rows)
            cell = y * width + (x + dx - turns * shift) % width
        cycles.append(cycle)
    return cycles


def _covers(runs: list[_Run], cycles: list[list[int]], k: int) -> bool:
    """Whether any k squares on the way hold a run."""
    lengths = {run.cell: len(run) for run in runs}
    for cycle in cycles:
        needed = k + 1
        for place in range(2 * len(cycle) - 1, -1, -1):
            needed = min(lengths.get(cycle[place % len(cycle)], k + 1), needed + 1)
            if place < len(cycle) and needed > k:
                return False
    return True


@dataclass
class Findings:
    """What a part of a search has found."""

    tried: int = 0
    covering: int = 0
    """Any k squares in a row hold a line of these."""
    unknown: list[int] = field(default_factory=list)
    """The numbers of those of which a limit came first."""
    held: list[int] = field(default_factory=list)
    """The numbers of those that draw the game."""

    def as_json(self) -> dict[str, Any]:
        """For the journal, and for the way from a worker."""
        return asdict(self)

    def add(self, found: dict[str, Any]) -> None:
        """Adds what another part has found."""
        self.tried += found["tried"]
        self.covering += found["covering"]
        self.unknown += found["unknown"]
        self.held += found["held"]


def holds(tiling: Tiling, p: int, nodes: int = NODES) -> bool | None:
    """Whether the breaker holds the tiles; None if that takes more positions."""
    return LineGame(tiling.board, p).holds(nodes=nodes)
