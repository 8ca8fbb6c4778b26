"""Sequences: a stone is worth what the whole board is worth after it. The paper's best agent."""

from __future__ import annotations

import math
from typing import Annotated

from tengen import _native
from tengen.game import TengenError
from tengen.play.ranking import NativeRankingAgent, described

DEFENCE = 1.0
"""The paper does not tell its defensive constant."""


class Sequences(NativeRankingAgent):
    """Squares of the stones in each window, own minus the other's, with special care for wins and threats.

    After a stone, by falling importance: a row that the turn can still complete is the maximum; each threat of the
    other player costs much; p + 1 threats of one's own are worth much; else it is the sum of the window scores, minus
    that of the other player times `defence`.

    Raises:
        TengenError: if `defence` is no number from 0 to 1000.
    """

    def __init__(
        self,
        *,
        defence: Annotated[float, "how much the other player's windows weigh against one's own"] = DEFENCE,
        seed: int | None = None,
    ) -> None:
        if not math.isfinite(defence) or not 0 <= defence <= 1000:
            raise TengenError(f"defence is a number from 0 to 1000, not {defence}")
        super().__init__(_native.Ranking.sequences(defence), seed=seed)
        self.name = described("sequences", defence=None if defence == DEFENCE else defence)
