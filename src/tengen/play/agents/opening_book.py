"""Opening Book: what did well in the games of a collection; then another agent plays on."""

from __future__ import annotations

from typing import Annotated

from tengen.game import Position, TengenError
from tengen.play.agent import Agent, Budget, Choice, Preparing
from tengen.play.agents.sequences import Sequences
from tengen.play.book import SIGNIFICANT, BookMove, OpeningBook, checked_rule
from tengen.play.ranking import described

_PAPER = "paper"


class OpeningBookAgent:
    """Plays the moves of a book of game statistics (by `tengen book build`), and leaves the rest to another agent.

    Raises:
        OSError: if the book cannot be read.
        TengenError: if it is no book, or a parameter makes no sense.
    """

    def __init__(
        self,
        file: Annotated[str, "the book, made by 'tengen book build'"],
        *,
        then: Annotated[Agent | None, "who plays where the book knows no move, sequences unless told"] = None,
        significant: Annotated[int, "how often a move must have been seen for its ratio to count"] = SIGNIFICANT,
        rule: Annotated[str, "paper, or bound: the best lower bound of the share of wins"] = _PAPER,
        seed: int | None = None,
    ) -> None:
        if significant < 1:
            raise TengenError("a move is significant when it was seen at least once")
        self.rule = checked_rule(rule)
        self.book = OpeningBook.read(file)
        self.then = then or Sequences(seed=seed)
        self.significant = significant
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
        self.book.check_game(position)
        if isinstance(self.then, Preparing):
            self.then.prepare(position)

    def choose(self, position: Position, budget: Budget) -> Choice:
        """The move that the book recommends, or else what the other agent chooses.

        Raises:
            TengenError: if the game is over, or not the one of the book.
        """
        found = self.book.recommend(position, self.significant, self.rule)
        if found is None:
            return self.then.choose(position, budget)
        return from_book(found)

    def close(self) -> None:
        """Closes the book and the other agent."""
        self.book.close()
        self.then.close()


def from_book(found: BookMove) -> Choice:
    """A move of a book as a choice that says so."""
    wins, draws, losses = found.results
    return Choice(found.move, win=found.results.ratio, notes={"book": f"{wins} won, {draws} drawn, {losses} lost"})
