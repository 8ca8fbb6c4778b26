"""A player that knows on which tiling the breaker plays, and attacks its lines: the hardest test for him."""

from __future__ import annotations

import random
from typing import Annotated

from tengen.game import Game, Move, Position, Square, TengenError
from tengen.play.agent import Budget, Choice, check_goes_on
from tengen.theory.known import KNOWN

_GROWTH = 4.0
"""How much more a stone counts on a line for each that is there already."""


class TileAttacker:
    """Attacks the lines of a tiling where it has most stones, now and then somewhere at random."""

    name = "tile-attacker"

    def __init__(
        self,
        strategy: Annotated[str, f"whose tiling: {', '.join(KNOWN)}"] = "b2",
        *,
        noise: Annotated[float, "how often a stone goes to some other line"] = 0.15,
        seed: int | None = None,
    ) -> None:
        if strategy not in KNOWN:
            raise TengenError(f"{strategy!r} is no strategy; there are {', '.join(KNOWN)}")
        self._tiling = KNOWN[strategy].tiling()
        self._noise = noise
        self._random = random.Random(seed)
        self._known_lines: dict[Game, list[tuple[Square, ...]]] = {}

    def choose(self, position: Position, budget: Budget) -> Choice:
        """The squares on the lines that are nearest to full.

        Raises:
            TengenError: if the game is over, or the board has no edge.
        """
        check_goes_on(position)
        if position.game.is_infinite:
            raise TengenError(f"{self.name} plays on boards with an edge only")
        own, others = set(position.stones(position.turn)), set(position.stones(position.turn.opponent))
        if position.game not in self._known_lines:
            self._known_lines[position.game] = self._lines(position)
        lines = [line for line in self._known_lines[position.game] if not others.intersection(line)]
        stones: list[Square] = []
        for _ in range(position.stones_left):
            values: dict[Square, float] = {}
            for line in lines:
                worth = _GROWTH ** len(own.intersection(line))
                for square in line:
                    if square not in own:
                        values[square] = values.get(square, 0.0) + worth
            stone = self._picked(values) if values else self._anywhere(position, stones)
            stones.append(stone)
            own.add(stone)
        return Choice(Move(stones))

    def _picked(self, values: dict[Square, float]) -> Square:
        squares = sorted(values)
        if self._random.random() < self._noise:
            return self._random.choice(squares)
        best = max(values.values())
        return self._random.choice([square for square in squares if values[square] == best])

    def _anywhere(self, position: Position, taken: list[Square]) -> Square:
        return self._random.choice([square for square in position.empty_squares() if square not in taken])

    def _lines(self, position: Position) -> list[tuple[Square, ...]]:
        """All lines of tiles that lie on the board."""
        game, tiling = position.game, self._tiling
        assert game.m is not None
        assert game.n is not None
        places = (tiling.find((x, y)) for x in range(game.m) for y in range(game.n))
        found = []
        for tile in {place[0] for place in places if place is not None}:
            squares = [Square(*tiling.place(tile, number)) for number in range(tiling.board.squares)]
            found += [tuple(squares[number] for number in line) for line in tiling.board.lines]
        return sorted(line for line in found if all(square in position for square in line))

    def close(self) -> None:
        """There is nothing to let go of."""
