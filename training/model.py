"""The network as a PyTorch module, in floating point; `training.export` turns it into integers.

Per square: the features of its four line patterns are summed, clipped, mixed with the eight neighbours (one weight for
the square, one for its four orthogonal and one for its four diagonal neighbours, so that all symmetries of the board
give the same result), clipped, and mixed across channels. Squares out of line with every stone ("inactive") are left
out of sums and of the policy. The sums over the active squares feed the value head; the policy is linear in the
features of a square.
"""

from __future__ import annotations

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor, nn

from training.patterns import EMPTY, OFF, PatternSpace, pattern_space

CHANNELS = 32
VALUE_HIDDEN = (32, 16)
ACTIVATION_MAX = 127 / 64
"""Upper clip of activations: 127 in units of 1/64."""
MIX_L1_MAX = 3.0
"""Largest sum of absolute neighbour weights (nine taps) of a channel, which keeps 16-bit sums from overflowing."""
MIX_BIAS_MAX = 1.9
WEIGHT_MAX = 127 / 64
SUM_SCALE = 1 / 16
"""Factor of the sums over squares before the value head."""


class Mapping(nn.Module):
    """Features of line patterns. It is tabulated after training, so its size costs nothing in the engine."""

    def __init__(self, space: PatternSpace, hidden: int = 96) -> None:
        super().__init__()
        self.cells = torch.from_numpy(space.cells.astype(np.int64))
        self.net = nn.Sequential(
            nn.Linear(3 * space.length, hidden),
            nn.ReLU(),
            nn.Linear(hidden, hidden),
            nn.ReLU(),
            nn.Linear(hidden, CHANNELS),
        )

    def forward(self, numbers: Tensor) -> Tensor:
        """Return the features (n, CHANNELS) of patterns by number; a pattern and its mirror image have the same."""
        cells = self.cells[numbers]
        inputs = nn.functional.one_hot(cells, 4)[..., 1:].float()
        both = torch.cat([inputs, inputs.flip(1)]).flatten(1)
        features: Tensor = self.net(both)
        one, other = features.chunk(2)
        return (one + other).clamp(-2 * WEIGHT_MAX, 2 * WEIGHT_MAX) / 2


class Network(nn.Module):
    """Value and policy of positions."""

    def __init__(self, k: int = 6) -> None:
        super().__init__()
        self.k = k
        self.space = pattern_space(k - 1)
        self.mapping = Mapping(self.space)
        self.mix = nn.Parameter(torch.tensor([[1.0], [0.05], [0.05]]).repeat(1, CHANNELS))
        self.mix_bias = nn.Parameter(torch.zeros(CHANNELS))
        self.point = nn.Linear(CHANNELS, CHANNELS)
        self.policy = nn.Parameter(torch.randn(2, CHANNELS) * 0.1)
        first, second = VALUE_HIDDEN
        self.value1 = nn.Linear(CHANNELS, first)
        self.value2 = nn.Linear(first, second)
        self.value3 = nn.Linear(second, 3)
        self.left_bias = nn.Parameter(torch.zeros(2, first))
        self.constrain()

    @torch.no_grad()
    def constrain(self) -> None:
        """Clip the parameters to what the integer format can hold."""
        norm = self.mix[0].abs() + 4 * self.mix[1].abs() + 4 * self.mix[2].abs()
        self.mix.mul_((MIX_L1_MAX / norm).clamp(max=1))
        self.mix_bias.clamp_(-MIX_BIAS_MAX, MIX_BIAS_MAX)
        self.point.weight.clamp_(-WEIGHT_MAX, WEIGHT_MAX)

    def forward(self, numbers: Tensor, is_on_board: Tensor, is_active: Tensor, left: Tensor) -> tuple[Tensor, Tensor]:
        """Return value logits (n, 3) and policy logits (n, height, width).

        Args:
            numbers: pattern numbers (n, height, width, 4).
            is_on_board: squares of the board (n, height, width); the others surround smaller boards in a batch.
            is_active: squares in line with a stone (n, height, width).
            left: stones left in the turn (n).
        """
        different, place = torch.unique(numbers, return_inverse=True)
        features = self.mapping(different)
        lines = nn.functional.embedding(place, features).sum(3)
        activation = (lines.clamp(0, ACTIVATION_MAX) * is_on_board.unsqueeze(3)).permute(0, 3, 1, 2)
        square = activation * self.mix[0].view(1, -1, 1, 1)
        padded = nn.functional.pad(activation, (1, 1, 1, 1))
        height, width = activation.shape[2:]

        def shifted(dx: int, dy: int) -> Tensor:
            return padded[:, :, 1 + dy : 1 + dy + height, 1 + dx : 1 + dx + width]

        orthogonal = shifted(1, 0) + shifted(-1, 0) + shifted(0, 1) + shifted(0, -1)
        diagonal = shifted(1, 1) + shifted(-1, 1) + shifted(1, -1) + shifted(-1, -1)
        mixed = square + orthogonal * self.mix[1].view(1, -1, 1, 1) + diagonal * self.mix[2].view(1, -1, 1, 1)
        mixed = (mixed + self.mix_bias.view(1, -1, 1, 1)).clamp(0, ACTIVATION_MAX).permute(0, 2, 3, 1)
        points = self.point(mixed).clamp(0, ACTIVATION_MAX) * is_active.unsqueeze(3)
        turn = left.long() - 1
        policy = torch.einsum("nyxc,nc->nyx", points, self.policy[turn])
        sums = points.sum((1, 2)) * SUM_SCALE
        hidden = (self.value1(sums) + self.left_bias[turn]).relu()
        value = self.value3(self.value2(hidden).relu())
        return value, policy


def active_squares(cells: NDArray[np.uint8], reach: int) -> NDArray[np.bool_]:
    """Return which squares have a stone within `reach` in one of the eight directions, or are stones."""
    stones = (cells != EMPTY) & (cells != OFF)
    active = stones.copy()
    height, width = cells.shape[1:]
    for dy in range(-reach, reach + 1):
        for dx in range(-reach, reach + 1):
            if (dx or dy) and (dx == 0 or dy == 0 or abs(dx) == abs(dy)):
                if abs(dx) >= width or abs(dy) >= height:
                    continue
                to_y, to_x = slice(max(0, -dy), height - max(0, dy)), slice(max(0, -dx), width - max(0, dx))
                of_y, of_x = slice(max(0, dy), height - max(0, -dy)), slice(max(0, dx), width - max(0, -dx))
                active[:, to_y, to_x] |= stones[:, of_y, of_x]
    on_board: NDArray[np.bool_] = active & (cells != OFF)
    return on_board
