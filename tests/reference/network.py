"""The evaluation network in NumPy integers: a slow twin of native/network.hpp, written from docs/network.md."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

CHANNELS, FIRST, SECOND, OUTCOMES = 32, 32, 16, 3
EMPTY, OWN, OTHER, OFF = range(4)
Ints = NDArray[np.int64]
Stone = tuple[int, int]


class NetworkTwin:
    """The layers of a network for rows of k."""

    def __init__(self, k: int, weights: bytes) -> None:
        self.reach = k - 1
        self.length = 2 * self.reach + 1
        self.first_pattern: dict[tuple[int, int], int] = {}
        total = 0
        for left in range(k):
            for right in range(k):
                self.first_pattern[left, right] = total
                total += 3 ** (self.length - left - right)
        mirrors = []
        for left, right in self.first_pattern:
            for number in range(3 ** (self.length - left - right)):
                inner = [number // 3**i % 3 for i in range(self.length - left - right)]
                mirrors.append(self.number([*[OFF] * right, *inner[::-1], *[OFF] * left]))
        distinct = [pattern for pattern, mirror in enumerate(mirrors) if pattern <= mirror]
        self._at, self._weights = 0, weights
        table = self._take("<i1", CHANNELS, len(distinct)).T
        row_of = {pattern: row for row, pattern in enumerate(distinct)}
        self.rows = np.array([row_of[min(pattern, mirror)] for pattern, mirror in enumerate(mirrors)])
        self.table = table
        self.neighbours = self._take("<i2", 3, CHANNELS)
        self.neighbour_bias = self._take("<i2", CHANNELS)
        self.points = self._take("<i2", CHANNELS, CHANNELS)
        self.point_bias = self._take("<i4", CHANNELS)
        self.policy = self._take("<i2", 2, CHANNELS)
        self.value1 = self._take("<i2", FIRST, CHANNELS)
        self.value1_bias = self._take("<i4", 2, FIRST)
        self.value2 = self._take("<i2", SECOND, FIRST)
        self.value2_bias = self._take("<i4", SECOND)
        self.value3 = self._take("<i2", OUTCOMES, SECOND)
        self.value3_bias = self._take("<i4", OUTCOMES)
        assert self._at == len(weights)

    def _take(self, kind: str, *shape: int) -> Ints:
        size = int(np.prod(shape)) * np.dtype(kind).itemsize
        part = self._weights[self._at : self._at + size]
        self._at += size
        values: Ints = np.frombuffer(part, kind).reshape(shape).astype(np.int64)
        return values

    def number(self, cells: Sequence[int]) -> int:
        """Return the number of a pattern."""
        left, right = 0, 0
        while cells[left] == OFF:
            left += 1
        while cells[-1 - right] == OFF:
            right += 1
        number = 0
        for cell in reversed(cells[left : len(cells) - right]):
            number = 3 * number + cell
        return self.first_pattern[left, right] + number

    def evaluate(
        self, width: int, height: int, own: Sequence[Stone], other: Sequence[Stone], stones_left: int
    ) -> tuple[list[int], dict[Stone, int]]:
        """Return the logits of win, draw and loss, and the logit of each square in line with a stone."""
        cells = {(x, y): EMPTY for x in range(width) for y in range(height)}
        cells |= dict.fromkeys(own, OWN) | dict.fromkeys(other, OTHER)
        activations = {square: np.clip(self._line_sum(cells, square), 0, 127) for square in cells}
        zero = np.zeros(CHANNELS, np.int64)
        sums, logits = zero.copy(), {}
        head = int(stones_left > 1)
        for x, y in cells:
            if not self._is_active(cells, (x, y)):
                continue
            edges = sum((activations.get((x + i, y + j), zero) for i, j in ((1, 0), (-1, 0), (0, 1), (0, -1))), zero)
            corners = sum((activations.get((x + i, y + j), zero) for i in (1, -1) for j in (1, -1)), zero)
            mixed = self.neighbours[0] * activations[x, y] + self.neighbours[1] * edges + self.neighbours[2] * corners
            mixed = np.clip((mixed + self.neighbour_bias) >> 6, 0, 127)
            features = np.clip((self.points @ mixed + self.point_bias) >> 6, 0, 127)
            sums = sums + features
            logits[x, y] = int(self.policy[head] @ features)
        hidden = np.maximum((self.value1 @ sums >> 10) + self.value1_bias[head], 0)
        hidden = np.maximum((self.value2 @ hidden >> 10) + self.value2_bias, 0)
        return [int(v) for v in (self.value3 @ hidden >> 10) + self.value3_bias], logits

    def _lines(self, cells: dict[Stone, int], square: Stone) -> list[list[int]]:
        x, y = square
        steps = range(-self.reach, self.reach + 1)
        return [
            [cells.get((x + i * dx, y + i * dy), OFF) for i in steps] for dx, dy in ((1, 0), (0, 1), (1, 1), (1, -1))
        ]

    def _line_sum(self, cells: dict[Stone, int], square: Stone) -> Ints:
        features: Ints = self.table[[self.rows[self.number(line)] for line in self._lines(cells, square)]]
        total: Ints = features.sum(0)
        return total

    def _is_active(self, cells: dict[Stone, int], square: Stone) -> bool:
        return any(cell in (OWN, OTHER) for line in self._lines(cells, square) for cell in line)
