"""Between which bounds a share lies that was seen in some games."""

from __future__ import annotations

import math
from functools import lru_cache
from statistics import NormalDist

NORMAL = NormalDist()


@lru_cache
def quantile(confidence: float) -> float:
    """How many standard deviations to either side hold so much of a normal distribution: 1.96 for 0.95."""
    return NORMAL.inv_cdf((1 + confidence) / 2)


def wilson(points: float, games: int, confidence: float = 0.95) -> tuple[float, float]:
    """Wilson's interval for the points a game; draws make it a little wider than it need be."""
    if games == 0:
        return 0.0, 1.0
    z = quantile(confidence)
    share, weight = points / games, z * z / games
    middle = (share + weight / 2) / (1 + weight)
    reach = z / (1 + weight) * math.sqrt(share * (1 - share) / games + weight / (4 * games))
    # At the ends the formula gives them, but for rounding, of which an Elo difference would make thousands.
    return (0.0 if points == 0 else max(0.0, middle - reach)), (1.0 if points == games else min(1.0, middle + reach))
