"""`tengen prove --grid`: a position proved by job-level search, on this machine's cores or on many machines."""

from __future__ import annotations

import json
import time
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Annotated, Any, NoReturn

import typer
from rich.constrain import Constrain

from tengen.cli.common import EXIT_INTERRUPTED, counted, err, out
from tengen.cli.output import Output
from tengen.cli.searching import REFRESH_SECONDS, live_figures, watched
from tengen.cli.solve import EXIT_CODES
from tengen.game import Colour, Move, Position, TengenError
from tengen.grid import JobSystem, open_jobs
from tengen.search import (
    DEFAULT_POLICY,
    POLICIES,
    Client,
    Journal,
    Judge,
    LieError,
    ProofNumberSearch,
    Recipe,
    Tree,
    Trust,
    policy_of,
    write_whole,
)
from tengen.search.jobs import ENGINE_NODES, VERIFIER_NODES
from tengen.search.values import NUMBERS, checked_table

_PANEL = "Job-level search"
GridOption = Annotated[
    str | None,
    typer.Option(
        "--grid",
        metavar="WHERE",
        rich_help_panel=_PANEL,
        help="Search by jobs: 'local' on this machine's cores, 'local:N', or a FILE that invites to a grid.",
    ),
]
PolicyOption = Annotated[
    str | None,
    typer.Option("--policy", rich_help_panel=_PANEL, help=f"{', '.join(POLICIES)}; {DEFAULT_POLICY} unless told."),
]
JobNodesOption = Annotated[
    int | None,
    typer.Option(
        "--job-nodes",
        min=1,
        max=10**9,
        rich_help_panel=_PANEL,
        help=f"Nodes of the engine for a job ({ENGINE_NODES:,} unless told); the verifier has a hundred times as many.",
    ),
]
TableOption = Annotated[
    str | None,
    typer.Option(
        "--table",
        metavar="FILE",
        rich_help_panel=_PANEL,
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
        rich_help_panel=_PANEL,
        help="Share of the proofs to check of workers that have sent 20 good ones; all unless told.",
    ),
]
JournalOption = Annotated[
    str | None,
    typer.Option(
        "--journal",
        metavar="FILE",
        rich_help_panel=_PANEL,
        help="Where to keep all results; a file in your user data, named after the position, unless told.",
    ),
]
ResumeOption = Annotated[
    bool, typer.Option("--resume", rich_help_panel=_PANEL, help="Go on with what the journal has.")
]
HintsOption = Annotated[
    str | None,
    typer.Option(
        "--hints",
        metavar="FILE",
        rich_help_panel=_PANEL,
        help="A file whose new lines are hints: 'add MOVE at POSITION', 'prefer POSITION', 'prune POSITION'.",
    ),
]

_SHOWN_MOVES = 8


@dataclass(frozen=True)
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

    def recipe(self) -> Recipe:
        """Which jobs to run."""
        nodes = self.job_nodes or ENGINE_NODES
        return Recipe(
            "engine", {"nodes": nodes, "verifier_nodes": nodes * (VERIFIER_NODES // ENGINE_NODES), "order": self.order}
        )

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
        except (ValueError, AttributeError) as error:
            raise TengenError(f"{self.table}: {error}") from error


def prove_on_grid(position: Position, attacker: Colour, settings: Settings) -> NoReturn:
    """Searches until the position is decided, the time is up, or Ctrl-C; tells what was found, and exits.

    Raises:
        TengenError: if the settings make no sense.
        OSError: if a file cannot be read or written.
    """
    output = Output(json=settings.json, proof=settings.proof)
    policy, table = policy_of(settings.policy or DEFAULT_POLICY), settings.numbers()
    with Journal.of_proof(position, attacker, settings.journal, resume=settings.resume) as journal:
        checkpoint = journal.last("checkpoint") if settings.resume else None
        system = open_jobs(settings.grid, resume=checkpoint)
        try:
            client = Client(
                lambda: ProofNumberSearch(Tree(position, attacker), policy, table),
                system,
                settings.recipe(),
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


class SearchRun:
    """A search that can be watched and interrupted, and begun again within the same time."""

    def __init__(self, client: Client, system: JobSystem, settings: Settings) -> None:
        self.client, self.system, self.settings = client, system, settings
        self.begun = time.monotonic()
        self.end = None if settings.seconds is None else system.now() + settings.seconds
        self.is_interrupted = False
        self.workers = 0
        self.hints = None if settings.hints is None else _HintFile(Path(settings.hints), client.hint)

    def search(self) -> None:
        """Runs the search with what is to be seen of it on standard error, if that is a terminal.

        Raises:
            TengenError: if every worker has lied.
        """
        left = None if self.end is None else max(0.0, self.end - self.system.now())
        self.is_interrupted |= watched(
            lambda tell: self.client.run(seconds=left, poll=REFRESH_SECONDS, tell=tell), self.client.stop, self._look
        )
        self.client.abort_all()

    def finish(self, path: Path, proof_nodes: int | None, output: Output) -> NoReturn:
        """Tells what was found, and exits."""
        tree = self.client.search.tree
        winner = tree.winner(0)
        result = "unknown" if not tree.is_settled(0) else "win" if winner is tree.attacker else "none"
        for worker, reason in self.client.counts.lies.items():
            err.print(f"{worker} is not believed: {reason}", style="red", soft_wrap=True)
        for message in self.client.counts.failures:
            err.print(f"a job failed: {message}", style="yellow", soft_wrap=True)
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
            out.print(f"{said} ({jobs}, {self._seconds():.1f} s).", style="bold", soft_wrap=True)
            if line := self._line():
                out.print(f"Best line: {' '.join(map(str, line))}", soft_wrap=True)
            if result == "unknown":
                out.print(f"Kept in {path}: --resume goes on.", soft_wrap=True)
        output.exit(EXIT_INTERRUPTED if self.is_interrupted and result == "unknown" else EXIT_CODES[result])

    def _seconds(self) -> float:
        return time.monotonic() - self.begun

    def _line(self) -> list[Move]:
        search = self.client.search
        return search.tree.line(search.best_child)[:_SHOWN_MOVES]

    def _look(self) -> Constrain:
        workers = self.system.workers()
        self.workers = len(workers)
        if self.hints is not None:
            self.hints.read()
        client, counts = self.client, self.client.counts
        figures = client.search.figures()
        proof, disproof = ("inf" if figures[name] is None else figures[name] for name in _NUMBER_NAMES)
        busy = sum(worker.job is not None for worker in workers)
        rate = counts.done / max(self._seconds(), 0.001)
        limit = "" if self.settings.seconds is None else f" of {self.settings.seconds:,.0f}"
        earlier = f", {counts.replayed:,} earlier" if counts.replayed else ""
        return live_figures(
            [
                ("to be proved", f"{client.search.tree.attacker} wins"),
                ("numbers", f"proof {proof}, disproof {disproof} ({figures['policy']})"),
                ("nodes", f"{len(client.search.tree):,}"),
                ("jobs", f"{counts.done:,} done, {client.running} on their way, {counts.aborted:,} aborted{earlier}"),
                ("", f"{counts.decided:,} decided, {rate * 60:,.0f} a minute"),
                ("best line", " ".join(map(str, self._line()))),
                ("workers", f"{busy} of {len(workers)} busy"),
                ("time", f"{self._seconds():,.0f}{limit} s"),
            ]
        )

    def _as_json(self, result: str, path: Path, proof_nodes: int | None) -> dict[str, Any]:
        tree, counts, winner = self.client.search.tree, self.client.counts, self.client.search.tree.winner(0)
        return {
            "result": result,
            "side": str(tree.attacker),
            "winner": None if winner is None else str(winner),
            **self.client.search.figures(),
            "nodes": len(tree),
            "jobs": {
                "done": counts.done,
                "decided": counts.decided,
                "aborted": counts.aborted,
                "failed": counts.failed,
                "refused": counts.refused,
                "replayed": counts.replayed,
                "seconds": round(counts.seconds, 3),
            },
            "liars": counts.lies,
            "line": [str(move) for move in self._line()],
            "workers": self.workers,
            "interrupted": self.is_interrupted,
            "journal": str(path),
            "proof_nodes": proof_nodes,
            "seconds": round(self._seconds(), 3),
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
            err.print(f"hint: {hint}", soft_wrap=True)
        except TengenError as error:
            err.print(f"hint not followed: {hint}: {error}", style="yellow", soft_wrap=True)
