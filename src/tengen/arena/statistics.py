"""What a score says about strength: intervals, Elo differences, and the sequential test of two hypotheses.

Nothing here knows how games are played. A match is given as counts: of games won, drawn and lost, or of pairs. In a
pair the same opening is played twice with colours swapped, and it is the pairs that are independent of each other: an
opening that favours one colour gives one game to each player, and such pairs vary less than two games at random.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

from tengen.game import TengenError
from tengen.play.intervals import NORMAL, quantile, wilson

ELO_PER_LOGIT = 400 / math.log(10)
MOST_ELO = 1_000
"""That a test may ask about."""
_EMPTY = 1e-3
"""What an outcome that was never seen counts, so that the likelihood of every hypothesis stays above zero."""


def expected_score(elo: float) -> float:
    """The points a game that a player expects who is so much stronger."""
    return 1 / (1 + math.exp(-elo / ELO_PER_LOGIT))


def elo_of_score(score: float) -> float:
    """The difference in strength at which a score is to be expected; infinite if all games were won or lost."""
    if not 0 < score < 1:
        return math.inf if score >= 1 else -math.inf
    return ELO_PER_LOGIT * math.log(score / (1 - score))


@dataclass(frozen=True)
class Outcomes:
    """How often each number of points came, in games (0, 1/2, 1) or in pairs of games (0, 1/2, 1, 3/2, 2)."""

    counts: tuple[int, ...]

    def __post_init__(self) -> None:
        if len(self.counts) not in (3, 5) or min(self.counts) < 0:
            raise TengenError(f"{self.counts}: three counts of games or five of pairs are needed, none below 0")

    @property
    def total(self) -> int:
        """How many games or pairs there were."""
        return sum(self.counts)

    @property
    def values(self) -> tuple[float, ...]:
        """The points a game of each outcome."""
        return tuple(number / (len(self.counts) - 1) for number in range(len(self.counts)))

    @property
    def score(self) -> float:
        """The points a game; one half if nothing was played."""
        if not self.total:
            return 0.5
        return sum(count * value for count, value in zip(self.counts, self.values, strict=True)) / self.total

    @property
    def variance(self) -> float:
        """How far the outcomes lie from their mean, squared."""
        score = self.score
        squares = (count * (value - score) ** 2 for count, value in zip(self.counts, self.values, strict=True))
        return sum(squares) / self.total if self.total else 0.0

    def elo(self, confidence: float = 0.95) -> tuple[float, float, float]:
        """The difference in strength with the lower and upper end of its interval.

        The interval of the score comes from what the outcomes actually vary, so pairs give a narrower one than games.
        """
        reach = quantile(confidence) * math.sqrt(self.variance / self.total) if self.total else 0.5
        low, high = max(self.score - reach, 0.0), min(self.score + reach, 1.0)
        if self.variance == 0 and self.total:  # all outcomes alike: their spread says nothing, Wilson's does
            low, high = wilson(self.score * self.total, self.total, confidence)
        return elo_of_score(self.score), elo_of_score(low), elo_of_score(high)

    def superiority(self) -> float:
        """How likely it is that the true score is above one half."""
        if not self.total:
            return 0.5
        variance = self.variance or 0.25  # if all outcomes are alike, they tell nothing of how much they vary
        return NORMAL.cdf((self.score - 0.5) / math.sqrt(variance / self.total))


@dataclass(frozen=True)
class Sprt:
    """The sequential probability ratio test: is the difference `elo1`, or only `elo0`?

    `alpha` is the chance to accept `elo1` when `elo0` is true, `beta` the chance to accept `elo0` when `elo1` is.

    Raises:
        TengenError: if the numbers make no test.
    """

    elo0: float
    elo1: float
    alpha: float = 0.05
    beta: float = 0.05

    def __post_init__(self) -> None:
        if not self.elo0 < self.elo1:
            raise TengenError(f"elo0 must be below elo1: {self.elo0:g} and {self.elo1:g}")
        if not -MOST_ELO <= self.elo0 < self.elo1 <= MOST_ELO:  # beyond, a score is no longer told from 0 or 1
            raise TengenError(
                f"elo0 and elo1 must lie between -{MOST_ELO:,} and {MOST_ELO:,}: {self.elo0:g} and {self.elo1:g}"
            )
        if not (0 < self.alpha < 0.5 and 0 < self.beta < 0.5):
            raise TengenError(f"alpha and beta must lie between 0 and 0.5: {self.alpha:g} and {self.beta:g}")

    @property
    def bounds(self) -> tuple[float, float]:
        """The log-likelihood ratios at which the test ends: `elo0` is accepted below, `elo1` above."""
        return math.log(self.beta / (1 - self.alpha)), math.log((1 - self.beta) / self.alpha)

    def llr(self, outcomes: Outcomes) -> float:
        """The logarithm of how much likelier the outcomes are under `elo1` than under `elo0`.

        Each hypothesis fixes the mean alone; of all distributions with that mean the likeliest speaks for it (the
        generalised test, as in Stockfish's testing).
        """
        if not outcomes.total:
            return 0.0
        counts = [count or _EMPTY for count in outcomes.counts]
        means = expected_score(self.elo0), expected_score(self.elo1)
        low, high = (_log_likelihood(counts, outcomes.values, mean) for mean in means)
        return high - low

    def verdict(self, outcomes: Outcomes) -> str | None:
        """`elo0` or `elo1`, whichever is accepted; None while the test goes on."""
        lower, upper = self.bounds
        llr = self.llr(outcomes)
        return "elo1" if llr >= upper else "elo0" if llr <= lower else None


def _log_likelihood(counts: Sequence[float], values: Sequence[float], mean: float) -> float:
    """The best log-likelihood of the counts under any distribution on the values with that mean, up to a constant.

    Such a distribution gives value v the share count / total / (1 + t (v - mean)), where t makes the mean right: the
    sum below is zero there, and it falls with t all the way.
    """

    def slope(t: float) -> float:
        return sum(
            count * (value - mean) / (1 + t * (value - mean)) for count, value in zip(counts, values, strict=True)
        )

    low, high = 1 / (mean - values[-1]), 1 / (mean - values[0])  # where a share would become infinite
    for _ in range(200):
        middle = (low + high) / 2
        if middle in (low, high):
            break
        if slope(middle) > 0:
            low = middle
        else:
            high = middle
    t = (low + high) / 2
    return -sum(count * math.log1p(t * (value - mean)) for count, value in zip(counts, values, strict=True))
