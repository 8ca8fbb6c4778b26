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
    """What the segments of a board are worth to the side to move."""

    own: tuple[int, ...]
    """Of segments with 0 to k stones of his alone."""
    other: tuple[int, ...]
    """Of segments with 0 to k stones of the other side alone, to that side."""
    tempo: int = 0
    """Of being to move."""

    @classmethod
    def read(cls, file: str) -> Self:
        """Weights as a JSON object with `own`, `other` and `tempo`.

        Raises:
            TengenError: if there are none in the file.
        """
        try:
            told = json.loads(Path(file).read_text())
            own, other, tempo = told["own"], told["other"], told["tempo"]
            fits = len(own) == len(other) and all(
                type(number) is int and abs(number) <= _LARGEST for number in (*own, *other, tempo)
            )
        except (OSError, ValueError, TypeError, KeyError) as error:
            raise TengenError(f"{file} has no weights of segments: {error}") from None
        if not fits:
            raise TengenError(f"{file}: own and other are equally many whole numbers, none beyond {_LARGEST:,}")
        return cls(tuple(own), tuple(other), tempo)

    def native(self, k: int) -> _native.CountingWeights:
        """For rows of k stones.

        Raises:
            TengenError: if they are for rows of another length.
        """
        if len(self.own) != k + 1:
            raise TengenError(f"these are weights for rows of {len(self.own) - 1}, not {k}")
        return _native.CountingWeights(k, list(self.own), list(self.other), self.tempo)


CONNECT6_WEIGHTS = SegmentWeights((0, 10, 24, 101, 150, 300, 0), (0, 9, 25, 72, 260, 400, 0), 290)


def weights_for(game: Game) -> SegmentWeights:
    """Those that are used in a game, unless told otherwise."""
    k, p = game.k, game.p
    if (k, p) == (6, 2):
        return CONNECT6_WEIGHTS
    # Each stone more makes a segment about three times as good, up to where it threatens: that must be answered.
    own = [0, *(min(300, round(300 / 3 ** max(0, k - 1 - p - stones))) for stones in range(1, k)), 0]
    other = [round(weight * (1.5 if stones >= k - p else 0.8)) for stones, weight in enumerate(own)]
    return SegmentWeights(tuple(own), tuple(other))
