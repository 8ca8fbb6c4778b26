"""Monte Carlo: the stone that wins the most random games."""

from __future__ import annotations

from typing import Annotated

from tengen import _native
from tengen.game import Position, Square, TengenError
from tengen.play.agent import Budget, Choice, check_goes_on
from tengen.play.ranking import Ranked, RankingAgent, as_asked, as_ranked, described, place_stones, salt

GAMES = 40_000
"""Games for each stone, unless told; less than half a second on 19x19."""
MOST = 1_000_000_000


class MonteCarlo(RankingAgent):
    """Plays random games after each stone near the others and takes the one that wins most of them.

    With a number of games its play is repeatable; with a time it is not. `Budget.nodes` counts games, of the whole
    move.

    Raises:
        TengenError: if a parameter makes no sense.
    """

    def __init__(
        self,
        *,
        games: Annotated[int | None, f"random games for each stone, {GAMES:,} unless told"] = None,
        seconds: Annotated[float | None, "the time for a move instead"] = None,
        within: Annotated[int, "how far from a stone the squares that are tried may be"] = 1,
        local: Annotated[bool, "random stones stand beside others, not anywhere on the board"] = True,
        seed: int | None = None,
    ) -> None:
        super().__init__(seed=seed)
        for name, value in (("games", games), ("seconds", seconds), ("within", within)):
            if value is not None and not 0 < value <= MOST:
                raise TengenError(f"{name} must be above 0, and not absurd: {value}")
        self.games, self.seconds, self.within, self.local = games, seconds, within, local
        self.name = described(
            "monte-carlo",
            games=games,
            seconds=seconds,
            within=None if within == 1 else within,
            local=None if local else False,
        )

    def rank(self, position: Position, *, control: _native.Control | None = None) -> list[Ranked]:
        """The squares near the stones with the share of games won after a stone there (draws count half), best first.

        Args:
            position: where to look.
            control: lets another thread stop it; the games played until then count.

        Raises:
            TengenError: if the game is over.
        """
        seconds = None if self.seconds is None else self.seconds / position.stones_left
        return self._rank(position, self.games, seconds, control)

    def choose(self, position: Position, budget: Budget, *, control: _native.Control | None = None) -> Choice:
        """The best square for each stone, within the budget if it names games (`nodes`) or a time.

        Args:
            position: where to move.
            budget: what it may cost.
            control: lets another thread stop it; the games played until then count.

        Raises:
            TengenError: if the game is over.
        """
        games, seconds = self.games, self.seconds
        if (limit := budget.time_limit()) is not None:
            seconds = limit if seconds is None else min(limit, seconds)
        if budget.nodes is not None:
            games = max(1, budget.nodes // max(1, position.stones_left))
        share = None if seconds is None else seconds / max(1, position.stones_left)
        wins: list[float] = []

        def next_stone(trial: Position) -> Square:
            ranked = self._rank(trial, games, share, control)
            wins.append(ranked[0][1])
            return self.pick(ranked, trial)

        move = place_stones(position, next_stone)
        return Choice(move, win=wins[-1] if wins else None)

    def _rank(
        self, position: Position, games: int | None, seconds: float | None, control: _native.Control | None
    ) -> list[Ranked]:
        check_goes_on(position)
        return as_ranked(
            _native.random_games(
                control or _native.Control(),
                *as_asked(position),
                self.within,
                self.local,
                games or (GAMES if seconds is None else 0),
                seconds or 0.0,
                salt(self.seed, position),
            )
        )
