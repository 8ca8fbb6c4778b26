"""`tengen analyse --grid`: the best moves by a job-level search, on this machine's cores or on many machines."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Annotated, Any

import typer

from tengen.cli.by_jobs import ANALYSIS_NODES, PANEL, SearchByJobs, engine_jobs
from tengen.cli.common import chance
from tengen.game import Move, Position, TengenError
from tengen.grid import JobSystem, open_jobs
from tengen.prove import Guide
from tengen.search import AlphaBetaSearch, Client, Journal, Judge, Tree, UpperConfidenceSearch, write_whole

_SECONDS = 60.0
_ORDER = 2
_UCT, _ALPHA_BETA = UpperConfidenceSearch.name, AlphaBetaSearch.name

SearchOption = Annotated[
    str | None,
    typer.Option(
        "--search",
        metavar=f"<{_UCT}|{_ALPHA_BETA}>",
        rich_help_panel=PANEL,
        help=f"{_UCT}, for {_SECONDS:g} s unless told; or {_ALPHA_BETA}, to --depth (3 unless told).",
    ),
]
WidthOption = Annotated[
    int | None,
    typer.Option(
        "--width",
        min=1,
        max=100,
        rich_help_panel=PANEL,
        help=f"Moves in each position of {_ALPHA_BETA}: 4 unless told.",
    ),
]


@dataclass(frozen=True)
class Settings:
    """What the options say."""

    grid: str
    search: str | None
    job_nodes: int | None
    depth: int | None
    width: int | None
    seconds: float | None

    def make_search(self, position: Position) -> Callable[[], UpperConfidenceSearch | AlphaBetaSearch]:
        """Makes the search in its first state.

        Raises:
            TengenError: if there is no such search, or it has no depth or width.
        """
        if self.search not in (None, _UCT, _ALPHA_BETA):
            raise TengenError(f"there is no search {self.search!r}: {_UCT} or {_ALPHA_BETA}")
        if self.search == _ALPHA_BETA:
            limits = {name: value for name in ("depth", "width") if (value := getattr(self, name)) is not None}
            return lambda: AlphaBetaSearch(Tree(position, position.turn), **limits)
        if self.depth is not None or self.width is not None:
            raise TengenError(f"--depth and --width are for --search {_ALPHA_BETA}")
        return lambda: UpperConfidenceSearch(Tree(position, position.turn))


def analyse_by_jobs(position: Position, lines: int, settings: Settings) -> tuple[dict[str, Any], bool]:
    """Searches until the time is up, the search is at its end, or Ctrl-C.

    Returns:
        What was found, much as the analysis protocol tells it, and whether Ctrl-C has ended it.

    Raises:
        TengenError: if the settings make no sense.
        OSError: if a file cannot be read.
    """
    if position.is_over:
        raise TengenError("the game is over: there is nothing to analyse")
    make_search = settings.make_search(position)
    seconds = _SECONDS if settings.seconds is None and settings.search != _ALPHA_BETA else settings.seconds
    with TemporaryDirectory(prefix="tengen-") as folder, Journal(Path(folder) / "journal", {}) as journal:
        system = open_jobs(settings.grid)
        try:
            run = AnalysisRun(make_search, system, journal, settings.job_nodes, seconds)
            run.search()
        finally:
            system.close()
        run.tell_troubles()
        return run.as_json(lines), run.is_interrupted


class AnalysisRun(SearchByJobs):
    """The search for the best moves of the side to move."""

    def __init__(
        self,
        make_search: Callable[[], UpperConfidenceSearch | AlphaBetaSearch],
        system: JobSystem,
        journal: Journal,
        job_nodes: int | None,
        seconds: float | None,
    ) -> None:
        jobs = engine_jobs(job_nodes or ANALYSIS_NODES, _ORDER)
        client = Client(make_search, system, jobs, journal=journal, judge=Judge())
        super().__init__(client, system, seconds)
        self.journal = journal

    @property
    def found(self) -> UpperConfidenceSearch | AlphaBetaSearch:
        """The search as it stands."""
        search = self.client.search
        assert isinstance(search, UpperConfidenceSearch | AlphaBetaSearch)
        return search

    def question(self) -> list[tuple[str, str]]:
        """Whose chance, and how great it is."""
        search = self.found
        return [(f"{search.tree.attacker}'s chance", f"{chance(search.chance(0))} ({search.name})")]

    def as_json(self, lines: int) -> dict[str, Any]:
        """The best moves, best first."""
        search = self.found
        tree, winner = search.tree, search.tree.winner(0)
        moves = [
            _as_json(order, self.line(child), search.chance(child), tree.is_settled(child))
            for order, child in enumerate(search.ranked_children(0)[:lines])
        ]
        if winner is tree.attacker and not any(move["win"] == 1 for move in moves):
            moves = [_as_json(0, [self._proved_move()], 1.0, True)]
        return {
            "agent": search.name,
            "side": str(tree.attacker),
            "stones_left": tree.first.stones_left,
            "moves": moves,
            "winner": None if winner is None else str(winner),
            **search.figures(),
            "nodes": len(tree),
            "jobs": self.jobs_as_json(),
            "liars": self.client.counts.lies,
            "workers": self.workers,
            "seconds": round(self.seconds(), 6),
            "position": str(tree.first),
        }

    def _proved_move(self) -> Move:
        """A job that proves a win at once tells no move; its proof does."""
        tree = self.found.tree
        with TemporaryDirectory(prefix="tengen-") as folder:
            proof = Path(folder) / "win.tpf"
            write_whole(proof, tree, self.journal)
            move = Guide(proof).answer(tree.first)
        assert move is not None
        return move


def _as_json(order: int, line: list[Move], win: float, is_proved: bool) -> dict[str, Any]:
    return {
        "order": order,
        "move": str(line[0]),
        "win": win,
        "is_proved": is_proved,
        "line": [str(move) for move in line],
        "depth": len(line),
        "nodes": None,
    }
