"""What the engine's own evaluation knows: the weights of segments by the stones on them."""

from __future__ import annotations

import json
from dataclasses import dataclass
from pathlib import Path
from typing import Self

from tengen import _native
from tengen.game import Game, TengenError

LOGIT = 400.0
"""A score of so much is one unit of log-odds: fitted to the results of 13,000 searched positions of the engine's own
games."""
_LARGEST = 10_000
"""Sums over all segments must stay far from the scores that mean a win."""


@dataclass(frozen=True)
class SegmentWeights:
    """What segments are worth to the side to move, by how many stones of one side alone stand on them."""

    own: tuple[int, ...]
    """With 0 to k stones of his."""
    other: tuple[int, ...]
    """With 0 to k stones of the other side, to that side."""


@dataclass(frozen=True)
class Weights:
    """What the evaluation `counts` needs."""

    value: SegmentWeights
    order: SegmentWeights
    """For the order in which moves are tried: what is good to look at first need not be worth as much."""
    tempo: int = 0
    """Of being to move."""

    @classmethod
    def read(cls, file: str) -> Self:
        """Weights as a JSON object: `value` and `order`, each with `own` and `other`, and `tempo`.

        Raises:
            TengenError: if there are none in the file.
        """
        try:
            told = json.loads(Path(file).read_text())
            sets = [told[kind][side] for kind in ("value", "order") for side in ("own", "other")]
            numbers = [*(number for weights in sets for number in weights), told["tempo"]]
        except (OSError, ValueError, TypeError, KeyError) as error:
            raise TengenError(f"{file} has no weights of segments: {error}") from None
        if len(set(map(len, sets))) > 1 or not all(type(one) is int and abs(one) <= _LARGEST for one in numbers):
            raise TengenError(f"{file}: weights are equally many whole numbers each, none beyond {_LARGEST:,}")
        value_own, value_other, order_own, order_other = map(tuple, sets)
        return cls(SegmentWeights(value_own, value_other), SegmentWeights(order_own, order_other), told["tempo"])

    def native(self, k: int) -> _native.CountingWeights:
        """For rows of k stones.

        Raises:
            TengenError: if they are for rows of another length.
        """
        if len(self.value.own) != k + 1:
            raise TengenError(f"these are weights for rows of {len(self.value.own) - 1}, not {k}")
        value, order = self.value, self.order
        return _native.CountingWeights(
            k, list(value.own), list(value.other), self.tempo, list(order.own), list(order.other)
        )


CONNECT6_WEIGHTS = Weights(
    value=SegmentWeights((0, 8, 30, 80, 150, 300, 0), (0, 6, 24, 60, 260, 400, 0)),
    order=SegmentWeights((0, 16, 89, 182, 327, 143, 0), (0, 6, 29, 97, 269, 173, 0)),
)


def weights_for(game: Game) -> Weights:
    """Those that are used in a game, unless told otherwise."""
    k, p = game.k, game.p
    if (k, p) == (6, 2):
        return CONNECT6_WEIGHTS
    # Each stone more makes a segment about three times as good, up to where it threatens: that must be answered.
    own = [0, *(min(300, round(300 / 3 ** max(0, k - 1 - p - stones))) for stones in range(1, k)), 0]
    other = [round(weight * (1.5 if stones >= k - p else 0.8)) for stones, weight in enumerate(own)]
    weights = SegmentWeights(tuple(own), tuple(other))
    return Weights(weights, weights)
