"""Puzzles as windows ask for them: sets, the next one, answers to moves, and how the player gets on."""

from __future__ import annotations

import random
import threading
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import replace
from datetime import UTC, datetime
from functools import cached_property
from typing import Annotated, Any

from fastapi import Depends, FastAPI, Response
from pydantic import Field

from tengen.game import BLACK, WHITE, Move, Position, Square
from tengen.puzzle import (
    KINDS,
    LEVELS,
    Attempt,
    Limits,
    Progress,
    Puzzle,
    PuzzleError,
    Shelf,
    Trainer,
    Wish,
    counts_by_level,
    next_puzzle,
    shipped_puzzles,
    themes_of_set,
)
from tengen.puzzle.missed import missed_wins
from tengen.puzzle.sheet import choose_for_sheet
from tengen.puzzle.sheet import sheet as make_sheet
from tengen.record import Store
from tengen.solve import Control
from tengen.web.models import GameView, Model, ShortText, TaskView
from tengen.web.tasks import Tell, Work
from tengen.web.workbench import Workbench, game_view

MOST_HISTORY = 300
"""So many points of the curve are told, evenly spread."""
MOST_PLAYED = 60
_LONGEST = 24 * 3600.0


class PuzzleWish(Model):
    """What somebody wants to train with."""

    least: int = 1
    most: int = LEVELS
    kind: ShortText | None = None
    theme: ShortText | None = None
    own: bool = False
    besides: ShortText | None = None
    """The name of the puzzle that is shown now."""


class PuzzleView(Model):
    """A puzzle to solve."""

    name: str
    game: GameView
    black: list[str]
    white: list[str]
    turn: str
    stones_left: int
    kind: str
    level: int
    length: int
    themes: list[str]
    source: str
    line: list[str]
    """The moves of both sides, the solution first."""
    rating: int
    is_due: bool
    """Whether it was failed before and is to be repeated now."""
    was_tried: bool
    is_own: bool


class TriedMove(Model):
    """A move somebody tries."""

    played: list[ShortText] = Field(default_factory=list, max_length=MOST_PLAYED)
    """The right moves so far and their answers."""
    move: ShortText
    window: ShortText = ""
    """Who asks: a search for an earlier question of the same window is given up."""


class MoveAnswer(Model):
    """What is to be said to it."""

    verdict: str
    reply: str | None
    line: list[str]


class Played(Model):
    """The right moves so far and their answers."""

    played: list[ShortText] = Field(default_factory=list, max_length=MOST_PLAYED)


class RightMove(Model):
    """What can be played."""

    move: str


class Tried(Model):
    """How an attempt ended."""

    clean: bool
    seconds: float = Field(ge=0, le=_LONGEST)


class RatingPoint(Model):
    """The player's rating after an attempt."""

    at: str
    rating: int


class ProgressView(Model):
    """How the player gets on."""

    rating: int
    deviation: int
    attempts: int
    solved: int
    in_a_row: int
    best_in_a_row: int
    days: int
    best_days: int
    due: int
    to_repeat: int
    history: list[RatingPoint]


class PuzzleSets(Model):
    """What there is to choose from, if the rest of what is wanted stays."""

    kinds: list[str]
    levels: dict[str, list[int]]
    """By kind, how many of each level have the theme that is wanted."""
    themes: dict[str, int]
    """How many have each theme, of the kind and the levels that are wanted."""
    own: int


def _wish(least: int = 1, most: int = LEVELS, kind: str = "", theme: str = "") -> Wish:
    """What is wanted, as an address tells it."""
    return Wish(least, most, kind or None, theme or None)


def add_puzzles(app: FastAPI, store: Store, bench: Workbench) -> None:
    """Lets an application give puzzles and judge what is tried."""
    room = PuzzleRoom(store)

    @app.get("/api/puzzles")
    def sets(wish: Annotated[Wish, Depends(_wish)], own: bool = False) -> PuzzleSets:
        return room.sets(wish, own)

    @app.get("/api/puzzles/progress")
    def progress() -> ProgressView:
        return room.progress_view()

    @app.post("/api/puzzles/next")
    def next_one(wish: PuzzleWish) -> PuzzleView:
        return room.next(wish)

    @app.get("/api/puzzles/sheet", response_class=Response)
    def sheet(wish: Annotated[Wish, Depends(_wish)], own: bool = False, count: int = 12) -> Response:
        content = make_sheet(choose_for_sheet(wish.among(room.puzzles(own)), count, random.Random()))
        return Response(content, media_type="application/pdf")

    @app.post("/api/puzzles/{name}/move")
    def move(name: str, tried: TriedMove) -> MoveAnswer:
        return room.answer(name, tried)

    @app.delete("/api/puzzles/windows/{window}")
    def leave(window: str) -> None:
        room.leave(window)

    @app.post("/api/puzzles/{name}/solution")
    def solution(name: str, so_far: Played) -> RightMove:
        return RightMove(move=str(Trainer(room.find(name), _moves(so_far.played)).solution()))

    @app.post("/api/puzzles/{name}/attempt")
    def attempt(name: str, tried: Tried) -> ProgressView:
        room.keep_attempt(name, tried)
        return room.progress_view()

    @app.delete("/api/puzzles/{name}")
    def remove(name: str) -> None:
        room.shelf.remove(name)

    @app.post("/api/documents/{id}/missed")
    def missed(id: str, node: int) -> TaskView:
        document = bench.document(id)
        with document.lock:
            here = document.tree.node(node)
            end = document.record.position([*here.path(), *here.main_line()][-1])
        work = missed_in_game(room.shelf, end, document.title)
        return TaskView(**bench.tasks.add("missed", id, node, str(end), work, {}).as_json())


class PuzzleRoom:
    """The puzzles and the player's record, read once. Safe to use from several threads."""

    def __init__(self, store: Store) -> None:
        self.shelf = Shelf(store)
        self._lock = threading.Lock()
        self._progress, self._seen = Progress(), 0
        self._searches: dict[str, Control] = {}
        self._rng = random.Random()

    @contextmanager
    def progress(self) -> Iterator[Progress]:
        """How the player gets on, while nobody else takes in what he tries; attempts in the terminal count at once.

        Raises:
            StoreError: if the store cannot be used.
        """
        with self._lock:
            for number, attempt in self.shelf.attempts(self._seen):
                self._progress.take(attempt)
                self._seen = number
            yield self._progress

    def puzzles(self, own: bool) -> Sequence[Puzzle]:
        """Those of the player's games, or those that come with Tengen."""
        return self.shelf.own_puzzles() if own else shipped_puzzles()

    def find(self, name: str) -> Puzzle:
        """A puzzle by its name.

        Raises:
            PuzzleError: if there is none.
        """
        if (shipped := self._shipped.get(name)) is not None:
            return shipped
        if (own := self.shelf.own_puzzle(name)) is not None:
            return own
        raise PuzzleError(f"there is no puzzle {name}")

    @cached_property
    def _shipped(self) -> dict[str, Puzzle]:
        return {one.name: one for one in shipped_puzzles()}

    def next(self, wish: PuzzleWish) -> PuzzleView:
        """The one to try next.

        Raises:
            PuzzleError: if there is none of that sort.
        """
        wanted = Wish(wish.least, wish.most, wish.kind, wish.theme).among(self.puzzles(wish.own))
        others = [one for one in wanted if one.name != wish.besides]
        with self.progress() as progress:
            chosen = next_puzzle(others or wanted, progress, datetime.now(UTC), self._rng)
        if chosen is None:
            raise PuzzleError("there is no such puzzle")
        return self.view(chosen)

    def view(self, puzzle: Puzzle) -> PuzzleView:
        """A puzzle for the browser."""
        position = puzzle.position
        with self.progress() as progress:
            rating = round(progress.rating_of(puzzle).value)
            is_due = puzzle.name in progress.due(datetime.now(UTC))
            was_tried = puzzle.name in progress.last_tried
        return PuzzleView(
            name=puzzle.name,
            game=game_view(position.game),
            black=_names(position.stones(BLACK)),
            white=_names(position.stones(WHITE)),
            turn=str(position.turn),
            stones_left=position.stones_left,
            kind=puzzle.kind,
            level=puzzle.level,
            length=puzzle.length,
            themes=list(puzzle.themes),
            source=puzzle.source,
            line=[str(move) for move in puzzle.line],
            rating=rating,
            is_due=is_due,
            was_tried=was_tried,
            is_own=self._shipped.get(puzzle.name) != puzzle,  # his game may have led to one of ours
        )

    def answer(self, name: str, tried: TriedMove) -> MoveAnswer:
        """What is to be said to a move.

        Raises:
            TengenError: if there is no such puzzle, or the move cannot be played.
        """
        control = Control()
        with self._lock:
            if tried.window:
                self._stop(tried.window)
                self._searches[tried.window] = control
        try:
            said = Trainer(self.find(name), _moves(tried.played), control).play(Move(tried.move))
        finally:
            with self._lock:
                if self._searches.get(tried.window) is control:
                    del self._searches[tried.window]
        reply = None if said.reply is None else str(said.reply)
        line = [str(move) for move in said.line] or ([] if reply is None else [reply])
        return MoveAnswer(verdict=said.verdict, reply=reply, line=line)

    def leave(self, window: str) -> None:
        """Gives up what is searched for a window."""
        with self._lock:
            self._stop(window)

    def _stop(self, window: str) -> None:
        if (search := self._searches.pop(window, None)) is not None:
            search.stop()

    def keep_attempt(self, name: str, tried: Tried) -> None:
        """Keeps how an attempt ended.

        Raises:
            PuzzleError: if there is no such puzzle.
        """
        puzzle = self.find(name)
        self.shelf.add_attempt(Attempt(name, puzzle.level, datetime.now(UTC), tried.clean, tried.seconds))

    def progress_view(self) -> ProgressView:
        """How the player gets on, for the browser."""
        with self.progress() as told:
            step = max(1, len(told.history) // MOST_HISTORY)
            shown = [RatingPoint(at=at.isoformat(), rating=round(value)) for at, value in told.history[::-step][::-1]]
            return ProgressView(**told.figures(datetime.now(UTC)), history=shown)

    def sets(self, wish: Wish, own: bool) -> PuzzleSets:
        """What there is to choose from."""
        mine = self.shelf.own_puzzles()
        puzzles = mine if own else shipped_puzzles()
        there = {one.kind for one in puzzles}
        of_theme = filter(Wish(theme=wish.theme).fits, puzzles)
        of_kind_and_level = filter(replace(wish, theme=None).fits, puzzles)
        return PuzzleSets(
            kinds=[kind for kind in KINDS if kind in there],
            levels=counts_by_level(of_theme),
            themes=dict(themes_of_set(of_kind_and_level)),
            own=len(mine),
        )


def missed_in_game(shelf: Shelf, game: Position, title: str) -> Work:
    """The work of making puzzles of the wins that were missed in a game."""

    def work(control: Control, tell: Tell) -> dict[str, Any]:
        found: list[dict[str, Any]] = []
        new, done = 0, 0

        def known() -> dict[str, Any]:
            return {"done": done, "of": len(game.turns), "found": [*found], "new": new}

        for done, puzzle in missed_wins(game, Limits(), title, control=control):
            if puzzle is not None:
                new += shelf.keep(puzzle)
                found.append({"name": puzzle.name, "level": puzzle.level, "move": done})
            tell(known)
        return known()

    return work


def _moves(texts: Sequence[str]) -> list[Move]:
    return [Move(text) for text in texts]


def _names(squares: Sequence[Square]) -> list[str]:
    return [str(square) for square in squares]
