"""Mesh: the board as an elastic surface in which stones make dents; the deepest empty square is the best.

The paper's sentence, that a square's depth is the weight of its stone and the mean weight of the four nearest in each
of the eight radials, is a set of equations for a surface that hangs together; our reading: the mean depth of the four
nearest squares in each of the eight directions. Beyond the edge the depth is 0: the frame holds the surface.
"""

from __future__ import annotations

import math
from typing import Annotated

from tengen import _native
from tengen.game import TengenError
from tengen.play.ranking import NativeRankingAgent, described


class Mesh(NativeRankingAgent):
    """Clumps stones together, and looks at nothing else.

    Raises:
        TengenError: if `theirs` is no number from -100 to 100.
    """

    def __init__(
        self,
        *,
        theirs: Annotated[float, "the weight of the other player's stones; own ones weigh 1"] = 1.0,
        seed: int | None = None,
    ) -> None:
        if not math.isfinite(theirs) or not -100 <= theirs <= 100:
            raise TengenError(f"the weight of stones is a number from -100 to 100, not {theirs}")
        super().__init__(_native.Ranking.mesh(theirs), seed=seed)
        self.name = described("mesh", theirs=None if theirs == 1 else theirs)
