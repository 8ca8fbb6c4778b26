"""Two agents for a first game: one that plays anywhere, and one that counts the rows that can still be made."""

from __future__ import annotations

import random

from tengen.game import Game, Move, Position, Square
from tengen.play.agent import Budget, Choice, check_goes_on
from tengen.play.ranking import Ranked, RankingAgent


class Random:
    """Plays on any empty square near the stones."""

    name = "random"

    def __init__(self, *, seed: int | None = None) -> None:
        self._random = random.Random(seed)

    def choose(self, position: Position, budget: Budget) -> Choice:
        """A random move.

        Raises:
            TengenError: if the game is over.
        """
        return Choice(Move(self._random.sample(_candidates(position), position.stones_left)))

    def close(self) -> None:
        """There is nothing to let go of."""


class Simple(RankingAgent):
    """Makes k in a row when it can, stops the other side's threats, and otherwise likes squares on many open rows."""

    name = "simple"

    def __init__(self, *, seed: int | None = None) -> None:
        super().__init__(seed=seed)
        self._random = random.Random(seed)

    def rank(self, position: Position) -> list[Ranked]:
        """The squares near the stones by their value, best first.

        Raises:
            TengenError: if the game is over.
        """
        values = [(square, float(self._value(position, square))) for square in _candidates(position)]
        return sorted(values, key=lambda move: -move[1])

    def pick(self, ranked: list[Ranked], position: Position) -> Square:
        """One of the best squares; drawn move by move, which the games of `bench/thesis.py` count on."""
        best = ranked[0][1]
        return self._random.choice([square for square, value in ranked if value == best])

    def _value(self, position: Position, square: Square) -> int:
        game, me = position.game, position.turn
        value = 0
        for _, _, _, black, white in position.segments_through(square):
            mine, theirs = (black, white) if me == 0 else (white, black)
            if theirs == 0:
                value += self._worth(game, mine, position.stones_left, 64, 1)
            elif mine == 0:
                value += self._worth(game, theirs, game.p, 16, 0)
        return value

    @staticmethod
    def _worth(game: Game, stones: int, reach: int, urgency: int, bonus: int) -> int:
        # A row that can be completed in one turn outweighs everything that only might become one.
        urgent = urgency * 10**9 if stones + reach >= game.k else 0
        return urgent + (4 << 2 * min(stones, 8)) + bonus


def _candidates(position: Position) -> list[Square]:
    """Empty squares worth a look: those near the stones, or the middle of an empty board; farther ones if too few."""
    check_goes_on(position)
    if position.stone_count == 0 and position.stones_left == 1:
        return list(position.empty_squares(within=0))
    within = 2
    while True:
        near = list(position.empty_squares(within=within))
        if len(near) >= position.stones_left:
            return near
        within *= 2
