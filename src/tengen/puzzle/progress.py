"""How does a player get on? All of it follows from his attempts: ratings, streaks, and what is due again."""

from __future__ import annotations

import random
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from datetime import date, datetime, timedelta

from tengen.puzzle.puzzle import Puzzle
from tengen.puzzle.rating import Rating, rated, rating_of_level

BOXES = (timedelta(hours=4), timedelta(days=1), timedelta(days=3), timedelta(days=8), timedelta(days=21))
"""A puzzle that was failed comes again after the first of these, then after the next each time it is solved; who fails
it again begins anew. After the last box it is learnt."""
_NEAREST = 12
"""The next puzzle is one of so many whose ratings are nearest to the player's."""


@dataclass(frozen=True)
class Attempt:
    """Somebody has tried a puzzle."""

    puzzle: str
    """Its name."""
    level: int
    at: datetime
    """With a time zone."""
    is_clean: bool
    """Whether it was solved without a mistake and without help."""
    seconds: float = 0.0


@dataclass(frozen=True)
class Card:
    """A puzzle that was failed and is not learnt yet."""

    box: int
    due: datetime


@dataclass
class Progress:
    """What follows from the attempts that were taken so far, in their order."""

    player: Rating = field(default_factory=Rating)
    puzzles: dict[str, Rating] = field(default_factory=dict)
    """Of those that were tried."""
    cards: dict[str, Card] = field(default_factory=dict)
    last_tried: dict[str, datetime] = field(default_factory=dict)
    history: list[tuple[datetime, float]] = field(default_factory=list)
    """The player's rating after each attempt that was rated."""
    attempts: int = 0
    solved: int = 0
    in_a_row: int = 0
    best_in_a_row: int = 0
    days: list[date] = field(default_factory=list)
    """On which something was tried, by the clock of the player, in order."""

    def take(self, attempt: Attempt) -> None:
        """Goes on with one more attempt. Only the first at a puzzle is rated: after that its solution is known."""
        name = attempt.puzzle
        if name not in self.last_tried:
            self._rate(attempt)
        self.last_tried[name] = attempt.at
        card = self.cards.get(name)
        if not attempt.is_clean:
            self.cards[name] = Card(0, attempt.at + BOXES[0])
        elif card is not None and attempt.at >= card.due:  # solved sooner, it may be remembered for too short a time
            self._promote(name, card, attempt.at)
        self.attempts += 1
        self.solved += attempt.is_clean
        self.in_a_row = self.in_a_row + 1 if attempt.is_clean else 0
        self.best_in_a_row = max(self.best_in_a_row, self.in_a_row)
        day = attempt.at.astimezone().date()
        if not self.days or day > self.days[-1]:
            self.days.append(day)

    def _rate(self, attempt: Attempt) -> None:
        player = self.player
        if self.history:
            player = player.after_days((attempt.at - self.history[-1][0]) / timedelta(days=1))
        puzzle = rating_of_level(attempt.level)
        score = float(attempt.is_clean)
        self.player, self.puzzles[attempt.puzzle] = rated(player, puzzle, score), rated(puzzle, player, 1 - score)
        self.history.append((attempt.at, self.player.value))

    def _promote(self, name: str, card: Card, now: datetime) -> None:
        box = card.box + 1
        if box < len(BOXES):
            self.cards[name] = Card(box, now + BOXES[box])
        else:
            del self.cards[name]

    def rating_of(self, puzzle: Puzzle) -> Rating:
        """How hard a puzzle is for this player's record."""
        return self.puzzles.get(puzzle.name) or rating_of_level(puzzle.level)

    def due(self, now: datetime) -> list[str]:
        """The names of puzzles that should be tried again, those that wait longest first."""
        return sorted((name for name, card in self.cards.items() if card.due <= now), key=lambda n: self.cards[n].due)

    def day_streak(self, today: date) -> int:
        """On how many days in a row something was tried, up to today; a streak of yesterday can still be saved."""
        days = set(self.days)
        day = today if today in days else today - timedelta(days=1)
        streak = 0
        while day in days:
            streak += 1
            day -= timedelta(days=1)
        return streak

    @property
    def best_day_streak(self) -> int:
        """The longest such streak there was."""
        best = length = 0
        for before, day in zip([None, *self.days], self.days, strict=False):
            length = length + 1 if before is not None and day - before == timedelta(days=1) else 1
            best = max(best, length)
        return best

    def figures(self, now: datetime) -> dict[str, int]:
        """How the player gets on at a time, in numbers."""
        player, today = self.player, now.astimezone().date()
        if self.history:
            player = player.after_days((now - self.history[-1][0]) / timedelta(days=1))
        return {
            "rating": round(player.value),
            "deviation": round(player.deviation),
            "attempts": self.attempts,
            "solved": self.solved,
            "in_a_row": self.in_a_row,
            "best_in_a_row": self.best_in_a_row,
            "days": self.day_streak(today),
            "best_days": self.best_day_streak,
            "due": len(self.due(now)),
            "to_repeat": len(self.cards),
        }


def progress_of(attempts: Iterable[Attempt]) -> Progress:
    """What follows from attempts, the oldest first."""
    progress = Progress()
    for attempt in attempts:
        progress.take(attempt)
    return progress


def next_puzzle(puzzles: Sequence[Puzzle], progress: Progress, now: datetime, rng: random.Random) -> Puzzle | None:
    """What to try next: what is due; else something new about as strong as the player; else what he has not seen for
    longest. None if there are no puzzles.

    Args:
        puzzles: those that the player wants.
        progress: of the player.
        now: with a time zone.
        rng: chooses among equally good ones.
    """
    by_name = {one.name: one for one in puzzles}
    for name in progress.due(now):
        if name in by_name:
            return by_name[name]
    new = [one for one in puzzles if one.name not in progress.last_tried]
    if new:
        new.sort(key=lambda one: abs(progress.rating_of(one).value - progress.player.value))
        return rng.choice(new[:_NEAREST])
    return min(puzzles, key=lambda one: progress.last_tried[one.name], default=None)
