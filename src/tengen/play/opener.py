"""How to begin: what books and atlases have to say about the first moves of a game.

An opener is named by the file of a statistics book, or by the name under which a package, or a room above this one,
offers its own: entry points of the group `tengen.openers`, which name something that makes an `Opener`.
"""

from __future__ import annotations

from importlib.metadata import entry_points
from typing import Protocol

from tengen.game import Game, Position, TengenError
from tengen.play.agent import Choice
from tengen.play.book import SIGNIFICANT, OpeningBook, book_file, checked_rule

GROUP = "tengen.openers"
"""The entry point group under which openers are offered by name."""


class Opener(Protocol):
    """Somebody who knows some positions of one game by heart, and what to play there."""

    @property
    def game(self) -> Game:
        """The game that it knows; it is asked about no other."""

    def choose(self, position: Position) -> Choice | None:
        """The move to play: all stones that are left in this turn; None where it knows nothing.

        Raises:
            TengenError: if what it knows turns out to be damaged.
        """

    def close(self) -> None:
        """Lets go of files. It is not asked again."""


class Statistics:
    """Opens with the moves that did well in the games of a book.

    Args:
        file: the book, made by `tengen book build`; `mine` is the user's own.
        rule: by which a move is chosen.
        significant: how often a move must have been seen for its results to count.
        above: the least share of its decided games that a move must have won, and more.

    Raises:
        OSError: if the book cannot be read.
        TengenError: if it is no book, or there is no such rule.
    """

    def __init__(self, file: str, *, rule: str, significant: int = SIGNIFICANT, above: float | None = None) -> None:
        self._rule, self._significant, self._above = checked_rule(rule), significant, above
        self._book = OpeningBook.read(book_file(file))

    @property
    def game(self) -> Game:
        """The game of the book."""
        return self._book.game

    def choose(self, position: Position) -> Choice | None:
        """The move that the book recommends; None if there is none, or it did not do well enough.

        Raises:
            TengenError: if the book is for another game, or broken.
        """
        found = self._book.recommend(position, self._significant, self._rule)
        if found is None or (self._above is not None and found.results.ratio <= self._above):
            return None
        wins, draws, losses = found.results
        return Choice(found.move, win=found.results.ratio, notes={"book": f"{wins} won, {draws} drawn, {losses} lost"})

    def close(self) -> None:
        """Closes the book."""
        self._book.close()


def opener_named(name: str) -> Opener | None:
    """The opener that is offered under a name; None if there is none, and the name must be that of a file.

    Raises:
        TengenError: if it cannot be made.
        OSError: if a file that it needs cannot be read.
    """
    for entry in entry_points(group=GROUP, name=name):
        try:
            made: Opener = entry.load()()
        except (TengenError, OSError):
            raise
        except Exception as error:  # whatever a stranger's module does when it is imported
            raise TengenError(f"the book {name!r} cannot be opened: {type(error).__name__}: {error}") from error
        return made
    return None
