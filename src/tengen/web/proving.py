"""A job-level search that people watch: its tree grows while they look on, take its lines and give it hints."""

from __future__ import annotations

import threading
from collections import deque
from collections.abc import Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from typing import Any

from tengen.game import Colour, Position, TengenError
from tengen.grid import JobSystem, Worker, open_jobs
from tengen.search import (
    Client,
    Journal,
    Judge,
    LieError,
    ProofNumberSearch,
    Recipe,
    Tree,
    policy_of,
    write_whole,
)
from tengen.search.journal import searches_folder
from tengen.solve import Control
from tengen.web.proof_tree import line_to, shown
from tengen.web.rates import Rate
from tengen.web.tasks import Tell

POLL_SECONDS = 0.2
MOST_JOBS = 64
"""Jobs that windows are told of one by one."""


@dataclass(frozen=True)
class Place:
    """Where a job can run, and what is done there."""

    worker: str
    job: str | None
    kind: str | None
    client: str | None
    seconds: float | None
    line: str | None
    """The moves to the node whose job it is, if the search is ours."""


class Proving:
    """The proof search of one position.

    Args:
        position: where it begins.
        attacker: who is to win.
        where: `local`, or the file of a client's invitation to a grid.
        workers: so many are enough.
        policy: how jobs on their way count.
        seconds: stop after that time.
        name: of the journal and the proof in the user's data.
        rate: counts the jobs that are done.
    """

    def __init__(
        self,
        position: Position,
        attacker: Colour,
        *,
        where: str,
        workers: int | None,
        policy: str,
        seconds: float | None,
        name: str,
        rate: Rate,
    ) -> None:
        self.position, self.attacker = position, attacker
        self.where, self.policy, self.seconds = where, policy_of(policy), seconds
        self.proof = searches_folder() / f"{name}.tpf"
        self._wanted, self._rate = workers, rate
        self._hints: deque[str] = deque()
        self._lock = threading.Lock()
        self._problems: list[str] = []
        self._opened: set[int] = {0}
        self._client: Client | None = None
        self._system: JobSystem | None = None
        self._counted = 0
        self.places: Sequence[Place] = ()
        """Who works for it or beside it, as it was told last; empty when it has ended."""
        self.waiting = 0
        """How many of its jobs wait for a worker."""

    def hint(self, text: str) -> None:
        """Tells the search something, at its next step; `search/hints.py` has the words."""
        with self._lock:
            self._hints.append(text)

    def open(self, node: int) -> dict[str, Any] | None:
        """Somebody looks below a node: its children are told of from now on.

        Returns:
            What is known with them, if the search has ended; while it runs it tells that itself.
        """
        with self._lock:
            self._opened.add(node)
            client = self._client if self._system is None else None
        return None if client is None else self._known(client, None)

    def remove_file(self) -> None:
        """Removes the proof that was written, if any: nobody can ask for it any more."""
        with suppress(OSError):  # it stays, which harms nobody
            self.proof.unlink()

    def work(self, control: Control, tell: Tell) -> dict[str, Any]:
        """Searches until it is decided, stopped, or the time is up."""
        with Journal.of_proof(self.position, self.attacker, resume=True) as journal:
            checkpoint = journal.last("checkpoint")
            self._system = system = open_jobs(self.where, wanted=self._wanted, resume=checkpoint)
            try:
                client = Client(
                    lambda: ProofNumberSearch(Tree(self.position, self.attacker), self.policy),
                    system,
                    Recipe(),
                    journal=journal,
                    judge=Judge(None),
                    resumed=checkpoint,
                )
                self._client = client

                def look() -> None:
                    if control.stopped:
                        client.stop()
                    self._follow_hints(client)
                    self._rate.note(client.counts.done - self._counted)
                    self._counted = client.counts.done
                    tell(lambda: self._known(client, system))

                look()
                client.run(seconds=self.seconds, poll=POLL_SECONDS, tell=look)
                client.abort_all()
                has_proof = self._write_proof(client, journal)
                return {**self._known(client, None), "proof": has_proof}
            finally:
                with self._lock:
                    self._system = None
                self.places, self.waiting = (), 0
                system.close()

    def _follow_hints(self, client: Client) -> None:
        while self._hints:
            with self._lock:
                text = self._hints.popleft()
            try:
                client.hint(text)
            except TengenError as error:
                self._problems = [*self._problems[-4:], f"{text}: {error}"]

    def _write_proof(self, client: Client, journal: Journal) -> bool:
        if client.search.tree.winner(0) is None:
            return False
        try:
            write_whole(self.proof, client.search.tree, journal)
        except LieError as lie:
            client.withdraw(lie.worker, lie.reason)
            return False
        return True

    def _known(self, client: Client, system: JobSystem | None) -> dict[str, Any]:
        search, counts = client.search, client.counts
        assert isinstance(search, ProofNumberSearch)
        tree = search.tree
        winner = tree.winner(0)
        running = self._look_around(client, system)
        with self._lock:
            opened = frozenset(self._opened)
        return {
            "result": "unknown" if not tree.is_settled(0) else "none" if winner is not self.attacker else "win",
            "side": str(self.attacker),
            **search.figures(),
            "nodes": len(tree),
            "jobs": {
                "done": counts.done,
                "decided": counts.decided,
                "aborted": counts.aborted,
                "running": client.running,
                "earlier": counts.replayed,
            },
            "workers": len(self.places),
            "running": running,
            "aborted": [line_to(tree, node) for node in reversed(client.last_aborted)],
            "line": [str(move) for move in tree.line(search.best_child)],
            "tree": shown(search, self.position, opened),
            "problems": self._problems,
            "proof": self.proof.is_file(),
        }

    def _look_around(self, client: Client, system: JobSystem | None) -> list[dict[str, Any]]:
        """Notes who does what; returns the jobs on their way, those that wait for a worker last."""
        jobs = dict(list(client.jobs().items())[:MOST_JOBS]) if system is not None else {}
        lines = {job: line_to(client.search.tree, node) for job, node in jobs.items()}
        self.places = () if system is None else [_place(worker, system.now(), lines) for worker in system.workers()]
        at = {place.job: place for place in self.places if place.job is not None}
        self.waiting = sum(job not in at for job in jobs)
        running = [
            {
                "line": line,
                "worker": None if (place := at.get(job)) is None else place.worker,
                "seconds": None if place is None else place.seconds,
            }
            for job, line in lines.items()
        ]
        return sorted(running, key=lambda one: one["worker"] is None)


def _place(worker: Worker, now: float, lines: Mapping[str, list[str]]) -> Place:
    line = None if worker.job is None else lines.get(worker.job)
    return Place(
        worker=worker.name if worker.slot == 1 else f"{worker.name}/{worker.slot}",
        job=worker.job,
        kind=worker.kind,
        client=worker.client,
        seconds=None if worker.since is None else round(max(0.0, now - worker.since), 1),
        line=None if line is None else " ".join(line),
    )
