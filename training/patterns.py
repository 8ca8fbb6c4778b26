"""Line patterns: the input of the network.

The pattern of a square in one direction is the line segment of 2k-1 squares centred on it; every row of k through the
square lies inside. Each cell of the pattern is empty, own, other or off the board. Cells off the board can only stand
at the two ends, so a pattern is identified by the number of such cells on the left and on the right and by the base-3
number of the cells between them (first cell: units). `docs/network.md` describes the numbering.
"""

from __future__ import annotations

from functools import cache

import numpy as np
from numpy.typing import NDArray

EMPTY, OWN, OTHER, OFF = range(4)
DIRECTIONS = ((1, 0), (0, 1), (1, 1), (1, -1))

Indices = NDArray[np.int32]


class PatternSpace:
    """All patterns with `reach` cells on each side of the centre, numbered from 0."""

    def __init__(self, reach: int) -> None:
        self.reach = reach
        self.length = 2 * reach + 1
        self.offsets = np.zeros((reach + 1, reach + 1), np.int64)
        total = 0
        for left in range(reach + 1):
            for right in range(reach + 1):
                self.offsets[left, right] = total
                total += 3 ** (self.length - left - right)
        self.size = int(total)
        self.cells = self._cells()
        self.number_of_code = np.full(4**self.length, -1, np.int32)
        self.number_of_code[self._codes(self.cells)] = np.arange(self.size, dtype=np.int32)
        self.mirror = self.number_of_code[self._codes(self.cells[:, ::-1])]

    def _cells(self) -> NDArray[np.uint8]:
        cells = np.full((self.size, self.length), OFF, np.uint8)
        for left in range(self.reach + 1):
            for right in range(self.reach + 1):
                inner = self.length - left - right
                first = int(self.offsets[left, right])
                numbers = np.arange(3**inner)
                for i in range(inner):
                    cells[first : first + 3**inner, left + i] = numbers // 3**i % 3
        return cells

    def _codes(self, cells: NDArray[np.uint8]) -> NDArray[np.int64]:
        codes: NDArray[np.int64] = cells.astype(np.int64) @ (4 ** np.arange(self.length, dtype=np.int64))
        return codes

    def canonical(self) -> NDArray[np.int64]:
        """Return the numbers of one pattern of each mirror pair, ascending: the order of tables in weight files."""
        numbers = np.arange(self.size)
        return numbers[numbers <= self.mirror]

    def of_boards(self, boards: NDArray[np.uint8]) -> Indices:
        """Return the pattern numbers of boards (batch, height, width), as (batch, height, width, 4).

        Squares off the board have no patterns; their numbers are 0.
        """
        reach = self.reach
        batch, height, width = boards.shape
        padded = np.full((batch, height + 2 * reach, width + 2 * reach), OFF, np.int32)
        padded[:, reach:-reach, reach:-reach] = boards
        numbers = np.empty((batch, height, width, 4), np.int32)
        for d, (dx, dy) in enumerate(DIRECTIONS):
            codes = np.zeros((batch, height, width), np.int32)
            for i in range(self.length):
                x, y = reach + (i - reach) * dx, reach + (i - reach) * dy
                codes += padded[:, y : y + height, x : x + width] << (2 * i)
            numbers[..., d] = np.maximum(self.number_of_code[codes], 0)
        return numbers


@cache
def pattern_space(reach: int) -> PatternSpace:
    """Return the patterns of a reach; they are computed once."""
    return PatternSpace(reach)
