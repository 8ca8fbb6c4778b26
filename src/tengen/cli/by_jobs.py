"""What the commands that search by jobs share: where the jobs run, and what is seen of the search while it runs."""

from __future__ import annotations

import time
from abc import ABC, abstractmethod
from typing import Annotated, Any

import typer
from rich.constrain import Constrain

from tengen.cli.common import err
from tengen.cli.searching import REFRESH_SECONDS, live_figures, watched
from tengen.game import Move
from tengen.grid import JobSystem
from tengen.search import Client, Recipe
from tengen.search.jobs import ENGINE_NODES, VERIFIER_NODES

PANEL = "Job-level search"
ANALYSIS_NODES = 1_000
"""Who asks for the best move wants many positions looked at soon; a proof wants them decided."""
GridOption = Annotated[
    str | None,
    typer.Option(
        "--grid",
        metavar="WHERE",
        rich_help_panel=PANEL,
        help="Search by jobs: 'local' on this machine's cores, 'local:N', or a FILE that invites to a grid.",
    ),
]
JobNodesOption = Annotated[
    int | None,
    typer.Option(
        "--job-nodes",
        min=1,
        max=10**9,
        rich_help_panel=PANEL,
        help=f"Nodes of the engine for a job ({ENGINE_NODES:,} unless told, {ANALYSIS_NODES:,} to analyse); "
        "the verifier has a hundred times as many.",
    ),
]

_SHOWN_MOVES = 8


def engine_jobs(nodes: int, order: int) -> Recipe:
    """Jobs of the engine with so many nodes, and of the verifier in proportion."""
    return Recipe(
        "engine", {"nodes": nodes, "verifier_nodes": nodes * (VERIFIER_NODES // ENGINE_NODES), "order": order}
    )


class SearchByJobs(ABC):
    """A search that can be watched and interrupted, and begun again within the same time."""

    def __init__(self, client: Client, system: JobSystem, seconds: float | None) -> None:
        self.client, self.system, self.limit = client, system, seconds
        self.begun = time.monotonic()
        self.end = None if seconds is None else system.now() + seconds
        self.is_interrupted = False
        self.workers = 0

    def search(self) -> None:
        """Runs the search with what is to be seen of it on standard error, if that is a terminal.

        Raises:
            TengenError: if every worker has lied.
        """
        left = None if self.end is None else max(0.0, self.end - self.system.now())
        self.is_interrupted |= watched(
            lambda tell: self.client.run(seconds=left, poll=REFRESH_SECONDS, tell=tell), self.client.stop, self.look
        )
        self.client.abort_all()

    @abstractmethod
    def question(self) -> list[tuple[str, str]]:
        """What is asked, and the figures of this kind of search."""

    def line(self, first: int | None = None) -> list[Move]:
        """How the game may go on, from a certain child of the first position if it is told."""
        search = self.client.search
        choose = search.best_child
        return search.tree.line(lambda node: choose(node) if node or first is None else first)[:_SHOWN_MOVES]

    def seconds(self) -> float:
        """Since it began."""
        return time.monotonic() - self.begun

    def look(self) -> Constrain:
        """What is to be seen now."""
        workers = self.system.workers()
        self.workers = len(workers)
        client, counts = self.client, self.client.counts
        busy = sum(worker.job is not None for worker in workers)
        rate = counts.done / max(self.seconds(), 0.001)
        limit = "" if self.limit is None else f" of {self.limit:,.0f}"
        earlier = f", {counts.replayed:,} earlier" if counts.replayed else ""
        return live_figures(
            [
                *self.question(),
                ("nodes", f"{len(client.search.tree):,}"),
                ("jobs", f"{counts.done:,} done, {client.running} on their way, {counts.aborted:,} aborted{earlier}"),
                ("", f"{counts.decided:,} decided, {rate * 60:,.0f} a minute"),
                ("best line", " ".join(map(str, self.line()))),
                ("workers", f"{busy} of {len(workers)} busy"),
                ("time", f"{self.seconds():,.0f}{limit} s"),
                *([("problem", counts.problem)] if counts.problem else []),
            ]
        )

    def tell_troubles(self) -> None:
        """Says who is not believed, and which jobs failed."""
        for worker, reason in self.client.counts.lies.items():
            err.print(f"{worker} is not believed: {reason}", style="red")
        for message in self.client.counts.failures:
            err.print(f"a job failed: {message}", style="yellow")

    def jobs_as_json(self) -> dict[str, Any]:
        """What has become of the jobs."""
        counts = self.client.counts
        return {
            "done": counts.done,
            "decided": counts.decided,
            "aborted": counts.aborted,
            "failed": counts.failed,
            "refused": counts.refused,
            "replayed": counts.replayed,
            "seconds": round(counts.seconds, 3),
        }
