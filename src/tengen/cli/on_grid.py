"""`tengen prove --grid`: a position proved by job-level search, on this machine's cores or on many machines."""

from __future__ import annotations

import json
import os
from collections.abc import Callable
from dataclasses import dataclass
from errno import EISDIR
from pathlib import Path
from typing import Annotated, Any, NoReturn

import typer
from rich.constrain import Constrain

from tengen.cli.by_jobs import PANEL, SearchByJobs, engine_jobs
from tengen.cli.common import EXIT_INTERRUPTED, counted, err, out
from tengen.cli.output import Output
from tengen.cli.solve import EXIT_CODES
from tengen.game import Colour, Position, TengenError
from tengen.grid import JobSystem, check_where, open_jobs
from tengen.search import (
    DEFAULT_POLICY,
    POLICIES,
    Client,
    Journal,
    JournalError,
    Judge,
    LieError,
    ProofNumberSearch,
    Tree,
    Trust,
    policy_of,
    write_whole,
)
from tengen.search.jobs import ENGINE_NODES
from tengen.search.replay import replay
from tengen.search.values import NUMBERS, checked_table

PolicyOption = Annotated[
    str | None,
    typer.Option("--policy", rich_help_panel=PANEL, help=f"{', '.join(POLICIES)}; {DEFAULT_POLICY} unless told."),
]
TableOption = Annotated[
    str | None,
    typer.Option(
        "--table",
        metavar="FILE",
        rich_help_panel=PANEL,
        help='First proof and disproof numbers by status, as JSON: {"B4": [1, 18], …}.',
    ),
]
TrustOption = Annotated[
    float | None,
    typer.Option(
        "--check",
        metavar="SHARE",
        min=0,
        max=1,
        rich_help_panel=PANEL,
        help="Share of the proofs to check of workers that have sent 20 good ones; all unless told.",
    ),
]
JournalOption = Annotated[
    str | None,
    typer.Option(
        "--journal",
        metavar="FILE",
        rich_help_panel=PANEL,
        help="Where to keep all results; a file in your user data, named after the position, unless told. "
        "One that has the answer already gives it.",
    ),
]
ResumeOption = Annotated[bool, typer.Option("--resume", rich_help_panel=PANEL, help="Go on with what the journal has.")]
HintsOption = Annotated[
    str | None,
    typer.Option(
        "--hints",
        metavar="FILE",
        rich_help_panel=PANEL,
        help="A file whose new lines are hints: 'add MOVE at POSITION', 'prefer POSITION', 'prune POSITION'.",
    ),
]


@dataclass(frozen=True, kw_only=True)
class Settings:
    """What the options say."""

    grid: str
    policy: str | None
    job_nodes: int | None
    order: int
    table: str | None
    trust: float | None
    journal: str | None
    resume: bool
    hints: str | None
    seconds: float | None
    proof: str | None
    json: bool

    def numbers(self) -> Any:
        """The table of first numbers.

        Raises:
            TengenError: if the file holds no such table.
            OSError: if it cannot be read.
        """
        if self.table is None:
            return NUMBERS
        try:
            return checked_table(json.loads(Path(self.table).read_text()))
        except TengenError as error:
            raise TengenError(f"{self.table}: {error}") from error
        except (ValueError, AttributeError, RecursionError):
            raise TengenError(f'{self.table} is no table of numbers, which is JSON: {{"B4": [1, 18], …}}') from None

    def check_places(self) -> None:
        """Looks at what is read only once the search runs.

        Raises:
            GridError: if the jobs have no place to run.
            OSError: if a file cannot be read.
        """
        check_where(self.grid)
        if self.hints is not None and Path(self.hints).is_dir():  # it need not be there yet
            raise IsADirectoryError(EISDIR, os.strerror(EISDIR), self.hints)


def prove_on_grid(position: Position, attacker: Colour, settings: Settings) -> NoReturn:
    """Searches until the position is decided, the time is up, or Ctrl-C; tells what was found, and exits.

    Raises:
        TengenError: if the settings make no sense.
        OSError: if a file cannot be read or written.
    """
    output = Output(json=settings.json, proof=settings.proof)
    policy, table = policy_of(settings.policy or DEFAULT_POLICY), settings.numbers()
    settings.check_places()

    def make_search() -> ProofNumberSearch:
        return ProofNumberSearch(Tree(position, attacker), policy, table)

    with Journal.of_proof(position, attacker, settings.journal, resume=True) as journal:
        if journal.is_begun and not settings.resume:
            _expect_answer(journal, make_search())
        checkpoint = journal.last("checkpoint")
        system = open_jobs(settings.grid, resume=checkpoint)
        try:
            client = Client(
                make_search,
                system,
                engine_jobs(settings.job_nodes or ENGINE_NODES, settings.order),
                journal=journal,
                judge=Judge(None if settings.trust is None else Trust(settings.trust)),
                resumed=checkpoint,
            )
            run = SearchRun(client, system, settings)
            run.search()
            proof_nodes = None
            while client.search.tree.winner(0) is not None:
                try:
                    proof_nodes = output.write_proof(
                        lambda file, progress: write_whole(file, client.search.tree, journal, progress=progress)
                    )
                    break
                except LieError as lie:
                    client.withdraw(lie.worker, lie.reason)
                    run.search()
        finally:
            system.close()
    run.finish(journal.path, proof_nodes, output)


def _expect_answer(journal: Journal, search: ProofNumberSearch) -> None:
    """Goes on unasked with a search that has found its answer, since nothing is left to do, but with no other.

    Raises:
        JournalError: if it has not.
    """
    replay(journal, search)
    if not search.is_over:
        raise JournalError(
            f"{journal.path} has an earlier search of this, which is not finished: --resume goes on with it, "
            "--journal FILE keeps a new one elsewhere"
        )
    err.print(f"An earlier search has found the answer: it is in {journal.path}", soft_wrap=True)


class SearchRun(SearchByJobs):
    """The search for a proof."""

    def __init__(self, client: Client, system: JobSystem, settings: Settings) -> None:
        super().__init__(client, system, settings.seconds)
        self.settings = settings
        self.hints = None if settings.hints is None else _HintFile(Path(settings.hints), client.hint)

    def question(self) -> list[tuple[str, str]]:
        """Who is to win, and the proof numbers."""
        search = self.client.search
        figures = search.figures()
        proof, disproof = ("inf" if figures[name] is None else figures[name] for name in _NUMBER_NAMES)
        return [
            ("to be proved", f"{search.tree.attacker} wins"),
            ("numbers", f"proof {proof}, disproof {disproof} ({figures['policy']})"),
        ]

    def look(self) -> Constrain:
        """What is to be seen now; new hints are followed first."""
        if self.hints is not None:
            self.hints.read()
        return super().look()

    def finish(self, path: Path, proof_nodes: int | None, output: Output) -> NoReturn:
        """Tells what was found, and exits."""
        tree = self.client.search.tree
        winner = tree.winner(0)
        result = "unknown" if not tree.is_settled(0) else "win" if winner is tree.attacker else "none"
        self.tell_troubles()
        if self.settings.json:
            output.print_json(self._as_json(result, path, proof_nodes))
        else:
            who = str(tree.attacker).capitalize()
            said = {
                "win": f"{who} wins",
                "none": f"{who} does not win: {'a draw' if winner is None else f'{winner} does'}",
                "unknown": "Interrupted" if self.is_interrupted else "Unknown: a limit came first",
            }[result]
            counts = self.client.counts
            earlier = f" and {counts.replayed:,} earlier" if counts.replayed else ""
            jobs = f"{counted(counts.done, 'job')}{earlier}, {counts.aborted:,} aborted, {counted(len(tree), 'node')}"
            out.print(f"{said} ({jobs}, {self.seconds():.1f} s).", style="bold")
            if line := self.line():
                out.print(f"Best line: {' '.join(map(str, line))}", soft_wrap=True)
            if result == "unknown":
                out.print(f"Kept in {path}: --resume goes on.")
        output.exit(EXIT_INTERRUPTED if self.is_interrupted and result == "unknown" else EXIT_CODES[result])

    def _as_json(self, result: str, path: Path, proof_nodes: int | None) -> dict[str, Any]:
        tree, counts, winner = self.client.search.tree, self.client.counts, self.client.search.tree.winner(0)
        return {
            "result": result,
            "side": str(tree.attacker),
            "winner": None if winner is None else str(winner),
            **self.client.search.figures(),
            "nodes": len(tree),
            "jobs": self.jobs_as_json(),
            "liars": counts.lies,
            "line": [str(move) for move in self.line()],
            "workers": self.workers,
            "interrupted": self.is_interrupted,
            "journal": str(path),
            "proof_nodes": proof_nodes,
            "seconds": round(self.seconds(), 3),
            "position": str(tree.first),
        }


_NUMBER_NAMES = ("proof_number", "disproof_number")


class _HintFile:
    """A file to which people add hints while the search runs."""

    def __init__(self, path: Path, follow: Callable[[str], None]) -> None:
        self.path, self.follow = path, follow
        self.read_up_to = 0

    def read(self) -> None:
        """Follows the lines that are new; a wrong one is told and left."""
        if not self.path.exists():
            return
        with self.path.open("rb") as file:
            file.seek(self.read_up_to)
            for line in file:
                if not line.endswith(b"\n"):
                    return
                self.read_up_to += len(line)
                if line.strip():
                    self._follow(line.decode("utf-8", "replace").strip())

    def _follow(self, hint: str) -> None:
        try:
            self.follow(hint)
            err.print(f"hint: {hint}")
        except TengenError as error:
            err.print(f"hint not followed: {hint}: {error}", style="yellow")
