"""What the engine's own evaluation knows: the weights of segments by the stones on them."""

from __future__ import annotations

from functools import cache

from tengen import _native

LOGIT = 400.0
"""A score of so much is one unit of log-odds: fitted to the results of 13,000 searched positions of the engine's own
games."""

CONNECT6_WEIGHTS = ((0, 8, 30, 80, 150, 300, 0), (0, 6, 24, 60, 260, 400, 0))
"""Of segments with 0 to 6 stones of the side to move alone, and of the other alone."""


@cache
def counting_weights(k: int, p: int) -> _native.CountingWeights:
    """What a segment with so many stones of one side alone is worth to the side to move: of his own, of the other's."""
    if (k, p) == (6, 2):
        return _native.CountingWeights(k, *map(list, CONNECT6_WEIGHTS))
    # Each stone more makes a segment about three times as good, up to where it threatens: that must be answered.
    own = [0] + [min(300, round(300 / 3 ** max(0, k - 1 - p - stones))) for stones in range(1, k)] + [0]
    other = [round(weight * (1.5 if stones >= k - p else 0.8)) for stones, weight in enumerate(own)]
    return _native.CountingWeights(k, own, other)
