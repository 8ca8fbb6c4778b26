"""Windows: blocks the windows in which the other player could make a row.

The paper says no more than that a sliding window identifies sequences and threats, and that the agent tries to block
several windows at once. Our reading: a square is worth the sum of its windows. One with t stones of the other player
and none of ours counts 2 · 2^(c(t-1)), one of ours half of that, with the c of the generalised threats, so that
fuller windows come first and more of them break the tie. A window of ours that this turn can fill outweighs
everything.
"""

from __future__ import annotations

from tengen import _native
from tengen.play.ranking import NativeRankingAgent


class Windows(NativeRankingAgent):
    """Blocks where most of the other player's windows meet; completes a row when it can."""

    def __init__(self, *, seed: int | None = None) -> None:
        super().__init__(_native.Ranking.windows(), seed=seed)
        self.name = "windows"
