"""Threats: the generalised threats of the paper's section 3.2 as the utility of a square."""

from __future__ import annotations

from typing import Annotated

from tengen import _native
from tengen.game import Colour, Position
from tengen.play.ranking import NativeRankingAgent, described


class Threats(NativeRankingAgent):
    """Plays where the longest sequences of both players meet, to make its own and to block the others."""

    def __init__(
        self,
        *,
        prioritise: Annotated[
            bool,
            "rows that can be completed first, then blocks, and no threat extended in vain: the paper's option",
        ] = False,
        seed: int | None = None,
    ) -> None:
        super().__init__(_native.Ranking.threats(prioritise), seed=seed)
        self.name = described("threats", prioritise=prioritise or None)

    def evaluate(self, position: Position, colour: Colour) -> float:
        """The values of a player's sequences minus those of the other player's, over all empty squares."""
        game = position.game
        return self.native.evaluate(position.native_board, game.p, game.maker_breaker, colour)
