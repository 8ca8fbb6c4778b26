"""Minimum Sudoku as windows ask for it: the puzzles of a grid, and campaigns that run elsewhere."""

from __future__ import annotations

import threading
import time
from collections import deque
from collections.abc import Sequence
from typing import Any

from fastapi import FastAPI
from pydantic import Field

from tengen.game import TengenError
from tengen.record import Store
from tengen.solve import Control
from tengen.sudoku import Campaign, Grid, Puzzle, SudokuError, campaigns, check
from tengen.web.models import Model, ShortText, TaskView
from tengen.web.tasks import Tasks, Tell, Work

MOST_CLUES = 18
"""With more, a search takes hours and finds more puzzles than anybody can look at."""
MOST_SHOWN = 1000
"""So many puzzles of a grid are told."""
PACE_STEPS = 20
"""The pace of a campaign is taken over so many changes."""


class SudokuQuestion(Model):
    """A grid whose puzzles are wanted."""

    grid: ShortText
    clues: int


class FoundPuzzle(Model):
    """A puzzle that a campaign has found."""

    grid: str
    puzzle: str


class CampaignView(Model):
    """How far a campaign is."""

    name: str
    problem: str | None = None
    """Why nothing can be said; the rest is empty then."""
    clues: int = 0
    grids: int = 0
    grids_done: int = 0
    puzzle_count: int = 0
    puzzles: list[FoundPuzzle] = Field(default_factory=list)
    """The last ones found."""
    liars: dict[str, str] = Field(default_factory=dict)
    trust: str = ""
    per_minute: float | None = None
    """Grids a minute since the server looks, if there were any."""
    seconds_left: float | None = None


class Campaigns(Model):
    """All campaigns in the user's store."""

    campaigns: list[CampaignView]


def add_sudoku(app: FastAPI, store: Store, tasks: Tasks) -> None:
    """Lets an application search for puzzles and tell of campaigns."""
    watch = CampaignWatch(store)

    @app.get("/api/campaigns")
    def campaigns() -> Campaigns:
        return Campaigns(campaigns=watch.view())

    @app.post("/api/sudoku")
    def search(asked: SudokuQuestion) -> TaskView:
        work = puzzle_search(Grid("".join(asked.grid.split())), asked.clues)
        options = {"clues": asked.clues}
        return TaskView(**tasks.add("sudoku", "", 0, "".join(asked.grid.split()), work, options).as_json())


def puzzle_search(grid: Grid, clues: int) -> Work:
    """The work of finding all puzzles of a grid.

    Raises:
        SudokuError: if the number of clues is too small or too large for a search that somebody waits for.
    """
    if not 1 <= clues <= MOST_CLUES:
        raise SudokuError(f"the workbench looks for puzzles with 1 to {MOST_CLUES} clues, not {clues}")

    def work(control: Control, tell: Tell) -> dict[str, Any]:
        so_far: list[Puzzle] = []

        def progress(looked: int, fresh: list[Puzzle]) -> None:
            so_far.extend(fresh)
            tell(lambda: {"looked": looked, **_told(so_far)})

        found = check(grid, clues, control=control, progress=progress)
        return {"complete": found.is_complete, **_told(found.puzzles)}

    return work


def _told(puzzles: Sequence[Puzzle]) -> dict[str, Any]:
    return {"count": len(puzzles), "puzzles": [str(puzzle) for puzzle in puzzles[:MOST_SHOWN]]}


class CampaignWatch:
    """Looks at campaigns that other processes run. Safe to use from several threads."""

    def __init__(self, store: Store) -> None:
        self._store = store
        self._lock = threading.Lock()
        self._known: dict[str, Campaign] = {}
        """Their files are read once: they may be large."""
        self._seen: dict[str, deque[tuple[float, int]]] = {}

    def view(self) -> list[CampaignView]:
        """How far they are, the newest first.

        Raises:
            StoreError: if the store cannot be used.
        """
        with self._lock:
            return [self._view(name) for name in reversed(campaigns(self._store))]

    def _view(self, name: str) -> CampaignView:
        try:
            if name in self._known:
                self._known[name].reload()
            else:
                self._known[name] = Campaign(self._store, name)
            state = self._known[name].state()
        except (TengenError, OSError) as error:
            return CampaignView(name=name, problem=str(error))
        pace = self._pace(name, state.grids_done)
        return CampaignView(
            name=name,
            clues=state.clues,
            grids=state.grids,
            grids_done=state.grids_done,
            puzzle_count=state.puzzle_count,
            puzzles=[FoundPuzzle(**found) for found in state.puzzles],
            liars=state.liars,
            trust=state.trust,
            per_minute=None if pace is None else 60 * pace,
            seconds_left=None if pace is None or state.is_done else (state.grids - state.grids_done) / pace,
        )

    def _pace(self, name: str, done: int) -> float | None:
        """Grids a second; falls while nothing happens."""
        now = time.monotonic()
        seen = self._seen.setdefault(name, deque(maxlen=PACE_STEPS))
        if not seen or seen[-1][1] != done:
            seen.append((now, done))
        began, before = seen[0]
        return (done - before) / (now - began) if done > before else None
