"""An agent that cannot lose where a strategy for the breaker is known."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Annotated

from tengen.game import Game, Move, Position, Square, TengenError
from tengen.play.agent import Budget, Choice, check_goes_on
from tengen.theory.known import KNOWN, known_breaker, name_for
from tengen.theory.lines import members, set_of
from tengen.theory.strategy import Breaker, read_breaker
from tengen.theory.tiling import Tile

_ANSWER, _EXTRA = "answer", "extra"


class BreakerAgent:
    """Holds the draw by a strategy that is proved: 11 in a row with two stones a move, 8 in a row with one. It never
    loses a game that it plays from the start, whatever the other side does, on any board.
    """

    def __init__(
        self,
        strategy: Annotated[str, f"auto, {', '.join(KNOWN)}, or a file that 'tengen draw' has written"] = "auto",
    ) -> None:
        self.name = "breaker" if strategy == "auto" else f"breaker:{strategy}"
        self._strategy = strategy
        self._breaker: Breaker | None = None

    def prepare(self, position: Position) -> None:
        """Finds the strategy, or reads and checks it.

        Raises:
            TengenError: if there is none for this game.
            OSError: if its file cannot be read.
        """
        game = position.game
        breaker = self._breaker
        if breaker is None:
            breaker = self._found(game)
        if game.k < breaker.k or game.p > breaker.p or game.q > game.p:
            raise TengenError(
                f"{self.name} cannot hold {game}: its strategy is for {breaker.k} in a row and more, "
                f"at most {breaker.p} stones a move, and no more in the first"
            )
        self._breaker = breaker

    def _found(self, game: Game) -> Breaker:
        if self._strategy in KNOWN:
            return known_breaker(self._strategy)
        if self._strategy != "auto":
            return read_breaker(self._strategy)
        name = name_for(game.k, game.p)
        if name is None:
            raise TengenError(f"{self.name}: no strategy is known that holds {game}")
        return known_breaker(name)

    def choose(self, position: Position, budget: Budget) -> Choice:
        """Answers the last move on each tile that it touched, and places stones that are left where lines are open.

        Raises:
            TengenError: if the game is over, or cannot be held by the strategy.
        """
        check_goes_on(position)
        self.prepare(position)
        assert self._breaker is not None
        play = _Play(self._breaker, position)
        stones = play.answers()
        notes = {_ANSWER: str(Move(stones))} if stones else {}
        extra = play.extras(position.stones_left - len(stones), stones)
        if extra:
            notes[_EXTRA] = str(Move(extra))
        if play.is_off:
            notes["strategy"] = "left: a tile was not held before the last move"
        return Choice(Move([*stones, *extra]), notes=notes)

    def close(self) -> None:
        """There is nothing to let go of."""


class _Play:
    """A position as the tiles see it."""

    def __init__(self, breaker: Breaker, position: Position) -> None:
        self.breaker, self.position = breaker, position
        self.own = set(position.stones(position.turn))
        self.others = set(position.stones(position.turn.opponent))
        self.is_off = False

    def answers(self) -> list[Square]:
        """The replies to the last move of the other side, at most as many stones as this had."""
        turns = reversed(self.position.turns)
        last = next((set(turn.move) for turn in turns if turn.colour is not self.position.turn), set())
        replies: list[Square] = []
        for tile in sorted(self._tiles(last), key=lambda tile: (tile.offset[1], tile.offset[0], tile.number)):
            lines, stones = self._state(tile, [])
            move = set_of(s for s in members(stones) if self._square(tile, s) in last)
            reply = self.breaker.reply(lines, stones & ~move, move)
            if reply is None:
                self.is_off = True  # somebody else has played before: the extra stones see to what can be saved
            else:
                replies += [self._square(tile, s) for s in members(reply)]
        return replies[: self.position.stones_left]

    def extras(self, count: int, placed: list[Square]) -> list[Square]:
        """Squares on the lines that the other side is nearest to, or any if all lines are stopped."""
        found: list[Square] = []
        for _ in range(count):
            values: dict[Square, float] = {}
            for tile in self._tiles(self.others):
                for square, value in self._values(tile, [*placed, *found]):
                    values[square] = value
            best = max(values, key=lambda square: (values[square], -square.y, -square.x), default=None)
            found.append(self._anywhere([*placed, *found]) if best is None else best)
        return found

    def _values(self, tile: Tile, placed: list[Square]) -> Iterator[tuple[Square, float]]:
        lines, stones = self._state(tile, placed)
        board = self.breaker.board
        weights = {i: 0.5 ** (set_of(board.lines[i]) & ~stones).bit_count() for i in members(lines)}
        for number in range(board.squares):
            square = self._square(tile, number)
            value = sum(weights[i] for i in members(board.through[number] & lines))
            if value and square not in self.others:
                yield square, value

    def _anywhere(self, placed: list[Square]) -> Square:
        within = 2
        while True:
            for square in self.position.empty_squares(within=within):
                if square not in placed:
                    return square
            within *= 2

    def _tiles(self, squares: set[Square]) -> set[Tile]:
        return {found[0] for found in map(self.breaker.tiling.find, squares) if found is not None}

    def _square(self, tile: Tile, number: int) -> Square:
        return Square(*self.breaker.tiling.place(tile, number))

    def _state(self, tile: Tile, placed: list[Square]) -> tuple[int, int]:
        """The lines of a tile that the other side may still fill, and his stones."""
        blocked = stones = 0
        for number in range(self.breaker.board.squares):
            square = self._square(tile, number)
            if square in self.others:
                stones |= 1 << number
            elif square in self.own or square in placed or square not in self.position:
                blocked |= 1 << number
        return self.breaker.board.without(self.breaker.board.all_lines, blocked), stones
