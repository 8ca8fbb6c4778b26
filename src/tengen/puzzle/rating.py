"""How strong is a player, and how hard is a puzzle? Glicko ratings: a value, and how far it may be off.

After M. E. Glickman, "Parameter estimation in large dynamic paired comparison experiments" (1999): an attempt is a game
between the player and the puzzle.
"""

from __future__ import annotations

import math
from dataclasses import dataclass

_Q = math.log(10) / 400
FIRST_DEVIATION, LEAST_DEVIATION = 350.0, 45.0
"""Of somebody who is not known, and of somebody who has played a lot; a smaller one would never move again."""
FORGETTING = (FIRST_DEVIATION**2 - LEAST_DEVIATION**2) / 365
"""Variance that a day without an attempt adds: after a year as little is known as at first."""
LEVEL_ONE, LEVEL_STEP, LEVEL_DEVIATION = 800.0, 150.0, 150.0


@dataclass(frozen=True)
class Rating:
    """A strength; two in three true ones are within the deviation."""

    value: float = 1200.0
    deviation: float = FIRST_DEVIATION

    def after_days(self, days: float) -> Rating:
        """What is known of it after so many days in which nothing happened."""
        grown = math.sqrt(self.deviation**2 + FORGETTING * max(0.0, days))
        return Rating(self.value, min(FIRST_DEVIATION, grown))


def rating_of_level(level: int) -> Rating:
    """The first rating of a puzzle that nobody has tried."""
    return Rating(LEVEL_ONE + LEVEL_STEP * (level - 1), LEVEL_DEVIATION)


def rated(one: Rating, other: Rating, score: float) -> Rating:
    """The rating of one after a game against another: 1 for a win, 0 for a loss."""
    weight = _weight(other.deviation)
    expected = 1 / (1 + 10 ** (-weight * (one.value - other.value) / 400))
    certainty = 1 / one.deviation**2 + _Q**2 * weight**2 * expected * (1 - expected)
    value = one.value + _Q / certainty * weight * (score - expected)
    return Rating(value, max(LEAST_DEVIATION, math.sqrt(1 / certainty)))


def _weight(deviation: float) -> float:
    """How much a result against somebody counts who is known so well."""
    return 1 / math.sqrt(1 + 3 * (_Q * deviation / math.pi) ** 2)
