"""Adjacent: a random square beside a stone."""

from __future__ import annotations

from tengen import _native
from tengen.play.ranking import NativeRankingAgent


class Adjacent(NativeRankingAgent):
    """Plays anywhere beside a stone. Good for trying out searches on small boards."""

    def __init__(self, *, seed: int | None = None) -> None:
        super().__init__(_native.Ranking.adjacent(), seed=seed)
        self.name = "adjacent"
