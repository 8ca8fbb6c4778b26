"""Opening Book: what did well in the games of a collection, or is proved to win; then another agent plays on."""

from __future__ import annotations

from typing import Annotated

from tengen import _native
from tengen.game import Position, TengenError
from tengen.play.agent import Agent, Budget, Choice, Preparing, taking
from tengen.play.agents.sequences import Sequences
from tengen.play.book import SIGNIFICANT, checked_rule
from tengen.play.opener import Statistics, opener_named
from tengen.play.ranking import described

_PAPER = "paper"


class OpeningBookAgent:
    """Plays the moves of a book of game statistics (by `tengen book build`), or those that the atlas has proved to win,
    and leaves the rest to another agent.

    Raises:
        OSError: if the book cannot be read.
        TengenError: if it is no book, or a parameter makes no sense.
    """

    def __init__(
        self,
        file: Annotated[str, "the book, made by 'tengen book build', or mine; or atlas, for proved openings"],
        *,
        then: Annotated[Agent | None, "who plays where the book knows no move, sequences unless told"] = None,
        significant: Annotated[
            int, "how often a move must have been seen for its ratio to count; not for the atlas"
        ] = SIGNIFICANT,
        rule: Annotated[str, "paper, or bound: the best lower bound of the share of wins; not for the atlas"] = _PAPER,
        seed: int | None = None,
    ) -> None:
        if significant < 1:
            raise TengenError("a move is significant when it was seen at least once")
        checked_rule(rule)
        named = opener_named(file)
        if named is not None and (significant, rule) != (SIGNIFICANT, _PAPER):
            raise TengenError(f"opening-book: significant and rule are for books of statistics, not for {file!r}")
        self.opener = named or Statistics(file, rule=rule, significant=significant)
        self.then = then or Sequences(seed=seed)
        self.name = described(
            "opening-book",
            file,
            then=self.then.name,
            significant=None if significant == SIGNIFICANT else significant,
            rule=None if rule == _PAPER else rule,
        )

    def prepare(self, position: Position) -> None:
        """Looks whether the book is for this game, and lets the other agent get ready.

        Raises:
            TengenError: if it is not, or the other agent cannot play from here.
        """
        self._check_game(position)
        if isinstance(self.then, Preparing):
            self.then.prepare(position)

    def choose(self, position: Position, budget: Budget, *, control: _native.Control | None = None) -> Choice:
        """The move that the book recommends, or else what the other agent chooses.

        Args:
            position: where to move.
            budget: what it may cost.
            control: lets another thread stop the other agent, if that can be stopped.

        Raises:
            TengenError: if the game is over, or not the one of the book.
        """
        self._check_game(position)
        return self.opener.choose(position) or taking(self.then.choose, control=control)(position, budget)

    def close(self) -> None:
        """Closes the book and the other agent."""
        self.opener.close()
        self.then.close()

    def _check_game(self, position: Position) -> None:
        if position.game != self.opener.game:
            raise TengenError(f"the book is for {self.opener.game}, not for {position.game}")
