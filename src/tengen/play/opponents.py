"""Opponents for a first game: one that plays anywhere, and one that counts the rows that can still be made."""

from __future__ import annotations

import random
from collections.abc import Callable
from typing import Protocol

from tengen.game import Game, Move, Position, Square, TengenError


class Opponent(Protocol):
    """Somebody who can be asked for a move."""

    def choose(self, position: Position) -> Move:
        """The move to play: all stones that are left in this turn.

        Raises:
            TengenError: if the game is over.
        """


class RandomOpponent:
    """Plays on any empty square near the stones."""

    def __init__(self, seed: int | None = None) -> None:
        self._random = random.Random(seed)

    def choose(self, position: Position) -> Move:
        """A random move."""
        return Move(self._random.sample(_candidates(position), position.stones_left))


class SimpleOpponent:
    """Makes k in a row when it can, stops the other side's threats, and otherwise likes squares on many open rows."""

    def __init__(self, seed: int | None = None) -> None:
        self._random = random.Random(seed)

    def choose(self, position: Position) -> Move:
        """The squares of highest value, one stone after the other."""
        trial = position.copy()
        stones: list[Square] = []
        while len(stones) < position.stones_left and not (trial.is_over and stones):
            values = self.values(trial)
            best = max(values.values())
            stone = self._random.choice([square for square, value in values.items() if value == best])
            trial.play(stone)
            stones.append(stone)
        return Move(stones)

    def values(self, position: Position) -> dict[Square, int]:
        """What a stone of the player to move is worth on each square worth a look.

        Raises:
            TengenError: if the game is over.
        """
        return {square: self._value(position, square) for square in _candidates(position)}

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
    if position.is_over:
        raise TengenError("the game is over: there is no move to choose")
    if position.stone_count == 0 and position.stones_left == 1:
        return list(position.empty_squares(within=0))
    within = 2
    while True:
        near = list(position.empty_squares(within=within))
        if len(near) >= position.stones_left:
            return near
        within *= 2


OPPONENTS: dict[str, Callable[[int | None], Opponent]] = {"simple": SimpleOpponent, "random": RandomOpponent}
"""The opponents by name; each is made from a seed."""
