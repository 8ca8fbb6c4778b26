"""Copies of a board all over the plane, so that enough squares in a row always hold a line of one of them."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property

from tengen.game import TengenError
from tengen.theory.lines import LineBoard

Place = tuple[int, int]
"""Column and row of a square of the plane."""
DIRECTIONS: tuple[Place, ...] = ((1, 0), (0, 1), (1, 1), (1, -1))
_MAX_CELLS = 1 << 20


@dataclass(frozen=True)
class Tile:
    """A copy of the board on the plane: which one of a period, and how far that is moved."""

    number: int
    offset: Place


@dataclass(frozen=True)
class Tiling:
    """A pattern that repeats along (a, 0) and (b, c), for a period of a, b, c.

    Raises:
        TengenError: if two tiles share a square, or a tile has not as many squares as the board.
    """

    board: LineBoard
    period: tuple[int, int, int]
    tiles: tuple[tuple[Place, ...], ...]
    """For each tile of a period, where the squares of the board lie."""

    def __post_init__(self) -> None:
        a, b, c = self.period
        if a < 1 or c < 1 or not 0 <= b < a or a * c > _MAX_CELLS:
            raise TengenError(f"{self.period} is no period: a and c must be above 0, and b from 0 to below a")
        if any(len(tile) != self.board.squares for tile in self.tiles):
            raise TengenError("a tile must have as many squares as the board")
        if len(self._owners) < len(self.tiles) * self.board.squares:
            raise TengenError("two tiles share a square")

    def reduced(self, place: Place) -> Place:
        """The square of the first period that a square repeats."""
        a, b, c = self.period
        turns, y = divmod(place[1], c)
        return (place[0] - turns * b) % a, y

    @cached_property
    def _owners(self) -> dict[Place, tuple[int, int]]:
        return {
            self.reduced(place): (number, square)
            for number, tile in enumerate(self.tiles)
            for square, place in enumerate(tile)
        }

    def find(self, place: Place) -> tuple[Tile, int] | None:
        """The tile on which a square lies, and which of its squares it is; None if it lies on none."""
        owner = self._owners.get(self.reduced(place))
        if owner is None:
            return None
        x, y = self.tiles[owner[0]][owner[1]]
        return Tile(owner[0], (place[0] - x, place[1] - y)), owner[1]

    def place(self, tile: Tile, square: int) -> Place:
        """Where a square of a tile lies."""
        x, y = self.tiles[tile.number][square]
        return x + tile.offset[0], y + tile.offset[1]

    @cached_property
    def k(self) -> int | None:
        """The fewest squares that always hold a line, wherever they lie in a row; None if no number does."""
        longest = 0
        for needed in self._all_needed():
            if needed is None:
                return None
            longest = max(longest, needed)
        return longest

    def _all_needed(self) -> Iterator[int | None]:
        """For every square and direction, how many squares from there on hold a line."""
        a, _, c = self.period
        for direction in DIRECTIONS:
            extents = self._extents(direction)
            for y in range(c):
                for x in range(a):
                    yield self._needed((x, y), direction, extents)

    def _extents(self, direction: Place) -> dict[Place, int]:
        """By its first square, how many squares in a row the shortest line in this direction takes."""
        extents: dict[Place, int] = {}
        dx, dy = direction
        for tile in self.tiles:
            for line in self.board.lines:
                places = sorted((tile[square] for square in line), key=lambda place: (place[0] * dx, place[1] * dy))
                (x, y), (end_x, end_y) = places[0], places[-1]
                steps = max(abs(end_x - x), abs(end_y - y))
                if all((px - x) * dy == (py - y) * dx for px, py in places):
                    first = self.reduced((x, y))
                    extents[first] = min(extents.get(first, steps + 1), steps + 1)
        return extents

    def _needed(self, place: Place, direction: Place, extents: dict[Place, int]) -> int | None:
        """How many squares from here on hold a line; None if the pattern repeats without one."""
        (x, y), (dx, dy) = place, direction
        best: int | None = None
        for step in range(2 * self.period[0] * self.period[2]):
            if best is not None and step >= best:
                break
            extent = extents.get(self.reduced((x + step * dx, y + step * dy)))
            if extent is not None:
                best = step + extent if best is None else min(best, step + extent)
        return best


def slanted_board(rows: int, width: int) -> LineBoard:
    """A parallelogram, each row one square to the right of the row below: Zetters' board of 3 rows of 4, and B2.

    Its lines are the rows, the columns of full height, and the diagonals from the lower left to the upper right.
    """
    lines = [tuple(row * width + column for column in range(width)) for row in range(rows)]
    lines += [tuple(row * width + x - row for row in range(rows)) for x in range(rows - 1, width)]
    lines += [tuple(row * width + column for row in range(rows)) for column in range(width)]
    turned = tuple(reversed(range(rows * width)))
    return LineBoard(rows * width, tuple(lines), (turned,))


def slanted_tiling(rows: int, width: int) -> Tiling:
    """Bands of slanted boards and bands of their mirror images by turns."""
    board = slanted_board(rows, width)
    squares = [(row, column) for row in range(rows) for column in range(width)]
    upright = tuple((column + row, row) for row, column in squares)
    mirrored = tuple((width - 1 - column - row, rows + row) for row, column in squares)
    return Tiling(board, (width, 0, 2 * rows), (upright, mirrored))


_PAIRS = ("45526700", "30755357", "40512332", "76741613")


def hales_jewett() -> Tiling:
    """Pairs of neighbours, one on each eight squares of every row, column and diagonal; a pair is a board of one line.

    Found by trying: on a torus of 8 x 8 the 32 pairs take each square once. Digit i of a text is where the pair begins
    on line i of the direction, counted from column 0 (for columns: from row 0).
    """
    pairs = []
    for (dx, dy), digits in zip(DIRECTIONS, _PAIRS, strict=True):
        for line, digit in enumerate(digits):
            x, y = (0, line) if dx else (line, 0)
            first = (x + int(digit) * dx, y + int(digit) * dy)
            pairs.append((first, (first[0] + dx, first[1] + dy)))
    return Tiling(LineBoard(2, ((0, 1),), ((1, 0),)), (8, 0, 8), tuple(pairs))


def zetters() -> Tiling:
    """The tiles with which Zetters drew eight in a row."""
    return slanted_tiling(3, 4)


def b2_tiling() -> Tiling:
    """The tiles B2 with which Chiang, Wu and Lin drew eleven in a row for two stones a move."""
    return slanted_tiling(4, 6)
