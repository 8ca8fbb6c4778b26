"""The client of a job-level search: keeps the workers busy, believes what is proved, and writes everything down."""

from __future__ import annotations

from collections import Counter, deque
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

from tengen.game import Move, Position, TengenError
from tengen.grid import Event, EventKind, JobSystem, Json
from tengen.search.finding import Finding, FindingError
from tengen.search.generic import JobLevelSearch
from tengen.search.hints import read_hint
from tengen.search.journal import Journal
from tengen.search.proof_check import OverBudgetError
from tengen.search.recipe import Recipe
from tengen.search.replay import replay
from tengen.search.trust import Judge, why_not

_SECONDS_BETWEEN_CHECKPOINTS = 1.0
MAX_COSTLY_PROOFS = 3
"""Proofs over budget after which a worker gets no further jobs, or a node is given up."""
_ABORTED = 20
"""So many nodes whose jobs were aborted are remembered, for people who look on."""


@dataclass(frozen=True)
class _Task:
    """A job on its way."""

    node: int
    position: Position
    prohibited: list[Move]
    arguments: dict[str, Any]
    worker: str | None
    """Who alone may run it: none in particular, unless there are liars among them."""


@dataclass
class Counts:
    """What has become of the jobs."""

    done: int = 0
    decided: int = 0
    aborted: int = 0
    failed: int = 0
    refused: int = 0
    seconds: float = 0.0
    """What workers have spent on those that are done."""
    replayed: int = 0
    """Results that came from the journal."""
    lies: dict[str, str] = field(default_factory=dict)
    """Why which worker is not believed."""
    failures: list[str] = field(default_factory=list)
    """The last few messages of jobs that failed."""
    problem: str = ""
    """Last problem that the job system has reported; empty if there is none."""


class Client:
    """Runs a search on a job system.

    Args:
        make_search: makes the search in its first state; called again if results must be withdrawn.
        system: runs the jobs.
        recipe: makes jobs of nodes.
        journal: keeps the results, and has those of an earlier run, which are taken in at once. If the job system can
            resume, checkpoints of it are kept as well.
        resumed: the checkpoint from which the job system was resumed; its jobs are taken over.
        judge: says which proofs to check; without one everything is believed, which is for simulations alone.

    Raises:
        JournalError: if the journal is damaged.
        TengenError: if it has a result that cannot be.
    """

    def __init__(
        self,
        make_search: Callable[[], JobLevelSearch],
        system: JobSystem,
        recipe: Recipe,
        *,
        journal: Journal | None = None,
        judge: Judge | None = None,
        resumed: Json | None = None,
    ) -> None:
        self._make_search, self._system, self._recipe = make_search, system, recipe
        self._journal, self._judge = journal, judge
        self._tasks: dict[str, _Task] = {}
        self._job_of: dict[int, str] = {}
        self._checkpoint_due = 0.0
        self._last_checkpoint: Json | None = None
        self._is_stopped = False
        self.counts = Counts()
        self._costly_proofs: Counter[str] = Counter()
        self._costly_nodes: Counter[int] = Counter()
        self.last_aborted: deque[int] = deque(maxlen=_ABORTED)
        """Nodes whose jobs were aborted, the latest last."""
        self.search = make_search()
        answered = self._replay()
        if journal is not None:
            journal.append({"recipe": recipe.as_json()})
        if resumed is not None:
            self._take_over(resumed, answered)

    @property
    def running(self) -> int:
        """How many jobs are on their way."""
        return len(self._tasks)

    def jobs(self) -> dict[str, int]:
        """The jobs that are on their way, each with its node."""
        return {job: task.node for job, task in self._tasks.items()}

    def run(
        self,
        *,
        seconds: float | None = None,
        poll: float | None = None,
        tell: Callable[[], object] | None = None,
    ) -> None:
        """Searches until the question is answered, nothing can be done any more, or the time is up.

        Args:
            seconds: on the clock of the job system.
            poll: how often to call `tell` at least, in seconds.
            tell: called after every event.

        Raises:
            TengenError: if every worker has lied.
        """
        end = None if seconds is None else self._system.now() + seconds
        while not self.search.is_over and not self._is_stopped:
            nothing_to_do = not self._submit() and not self._tasks and self._system.free() > 0
            left = None if end is None else end - self._system.now()
            if nothing_to_do or (left is not None and left <= 0):
                break
            waits = [limit for limit in (left, poll) if limit is not None]
            event = self._system.next_event(min(waits, default=None))
            if event is not None:
                self._take(event)
            self._keep_checkpoint()
            if tell is not None:
                tell()

    def stop(self) -> None:
        """Lets `run` come to its end after the next event; may be called by a signal."""
        self._is_stopped = True

    def abort_all(self) -> None:
        """Lets go of all jobs that are on their way."""
        for node in list(self._job_of):
            self._abort(node)

    def hint(self, text: str) -> None:
        """Follows a hint, and keeps it in the journal.

        Raises:
            TengenError: if it is none, or speaks of a position that the search does not know.
        """
        read_hint(text, self.search.tree.game)(self.search)
        if self._journal is not None:
            self._journal.append({"hint": text.strip()})
        self._abort_what_is_obsolete()

    def withdraw(self, worker: str, reason: str) -> None:
        """Forgets all that a worker has sent, and does it again without him.

        Raises:
            TengenError: if no other worker is left.
        """
        self.abort_all()
        self.counts.lies[worker] = reason
        if self._judge is not None:
            self._judge.forget(worker)
        if self._journal is not None:
            self._journal.append({"liar": worker, "why": reason})
        self.search = self._make_search()
        self.last_aborted.clear()  # nodes have other numbers now
        self._costly_nodes.clear()
        self._replay()
        if not self._honest_workers():
            raise TengenError(f"no worker is left who can be believed: {worker} sent a result that is wrong: {reason}")

    # Inside

    def _submit(self) -> bool:
        """Hands in jobs while there is room; returns whether there were any."""
        has_submitted = False
        while self._room() > 0:
            nodes = self.search.select()
            if not nodes:
                break
            for node in nodes:
                self._begin(node)
                has_submitted = True
        return has_submitted

    def _begin(self, node: int) -> None:
        tree = self.search.tree
        position = tree.position(node)
        prohibited = tree.prohibited(node, position)
        arguments = self._recipe.arguments(position, prohibited, self.search.efforts.get(node, 0))
        worker = self._chosen_worker()
        self.search.begin(node)
        job = self._system.submit(self._recipe.kind, arguments, worker=worker)
        self._tasks[job] = _Task(node, position, prohibited, arguments, worker)
        self._job_of[node] = job

    def _room(self) -> int:
        """How many jobs may be handed in now; none is for those who have lied."""
        free = self._system.free()
        return free if not self.counts.lies else min(free, len(self._honest_workers()) + 1 - len(self._tasks))

    def _honest_workers(self) -> list[str]:
        return [worker.name for worker in self._system.workers() if worker.name not in self.counts.lies]

    def _chosen_worker(self) -> str | None:
        """Anybody, as long as nobody has lied; else the honest one with the fewest jobs."""
        if not self.counts.lies:
            return None
        jobs = Counter(task.worker for task in self._tasks.values())
        return min(self._honest_workers(), key=lambda worker: jobs[worker], default=None)

    def _take(self, event: Event) -> None:
        if event.kind is EventKind.PROBLEM:
            self.counts.problem = event.message
        if event.job is None:
            return
        task = self._tasks.pop(event.job, None)
        if task is None:  # it was aborted; if it was done all the same, nobody wants to know
            return
        del self._job_of[task.node]
        if event.kind is EventKind.DONE:
            self._done(task, event)
        elif event.kind is EventKind.FAILED:
            self.counts.failed += 1
            self.counts.failures = [*self.counts.failures[-4:], event.message]
            self.search.give_up(task.node)
        else:
            self.search.release(task.node)

    def _done(self, task: _Task, event: Event) -> None:
        worker = event.worker or ""
        if worker in self.counts.lies:
            self.counts.refused += 1
            self.search.release(task.node)
            return
        try:
            finding = Finding.from_json(event.result or {})
            reason, is_checked = self._why_not(task, finding, worker)
        except OverBudgetError as error:
            self._refuse_costly_proof(task, worker, str(error))
            return
        except FindingError as error:
            reason = str(error)
        if reason is not None:
            self.counts.refused += 1
            self.search.release(task.node)
            self.withdraw(worker, reason)
            return
        self.counts.done += 1
        self.counts.decided += finding.outcome in ("win", "loss", "draw")
        self.counts.seconds += event.seconds
        where = None
        if self._journal is not None:
            where = self._journal.append(
                {
                    "kind": self._recipe.kind,
                    "arguments": task.arguments,
                    "job": event.job,
                    "result": finding.as_json(),
                    "worker": worker,
                    "seconds": round(event.seconds, 6),
                    "checked": is_checked,
                }
            )
        before = self.search.changed_values
        self.search.update(task.node, task.position, finding, where)
        if self.search.changed_values != before:
            self._abort_what_is_obsolete()

    def _refuse_costly_proof(self, task: _Task, worker: str, reason: str) -> None:
        """Drop a proof that could not be checked within its budget: it may be right, so nothing is withdrawn."""
        self.counts.refused += 1
        self.counts.failures = [*self.counts.failures[-4:], f"{worker}: {reason}"]
        self._costly_proofs[worker] += 1
        self._costly_nodes[task.node] += 1
        if self._costly_proofs[worker] >= MAX_COSTLY_PROOFS:
            self.counts.lies[worker] = f"{MAX_COSTLY_PROOFS} times, {reason}"  # gets no further jobs
        if self._costly_nodes[task.node] >= MAX_COSTLY_PROOFS:
            self.search.give_up(task.node)
        else:
            self.search.release(task.node)

    def _why_not(self, task: _Task, finding: Finding, worker: str) -> tuple[str | None, bool]:
        """Why a result cannot be believed, and whether its proof was checked."""
        if self._judge is None:
            return None, False
        is_decided = bool(finding.proof)
        looks_closely = is_decided and self._judge.wants_to_see(worker)
        reason = why_not(task.position, task.prohibited, finding, proof_too=looks_closely)
        if reason is None and looks_closely:
            self._judge.good(worker)
        return reason, looks_closely

    def _abort_what_is_obsolete(self) -> None:
        for node in self.search.obsolete():
            self._abort(node)

    def _abort(self, node: int) -> None:
        job = self._job_of.pop(node)
        del self._tasks[job]
        self._system.abort(job)
        self.search.release(node)
        self.counts.aborted += 1
        self.last_aborted.append(node)

    def _keep_checkpoint(self) -> None:
        """Writes down what is on its way, now and then, if that has changed and the job system can resume from it."""
        now = self._system.now()
        if self._journal is not None and now >= self._checkpoint_due and hasattr(self._system, "checkpoint"):
            self._checkpoint_due = now + _SECONDS_BETWEEN_CHECKPOINTS
            checkpoint = self._system.checkpoint()
            if checkpoint != self._last_checkpoint:
                self._journal.append({"checkpoint": checkpoint})
                self._last_checkpoint = checkpoint

    def _take_over(self, checkpoint: Json, answered: set[str]) -> None:
        """Goes on with the jobs of an earlier run."""
        for entry in checkpoint["jobs"]:
            job, arguments = entry["job"], entry["arguments"]
            position = Position.parse(arguments["position"])
            node = self.search.tree.find(position)
            if entry["aborted"] or job in answered or node is None or node in self._job_of:
                self._system.abort(job)
                continue
            self.search.begin(node)
            prohibited = [Move.parse(move) for move in arguments["prohibited"]]
            self._tasks[job] = _Task(node, position, prohibited, arguments, entry["worker"])
            self._job_of[node] = job
        self._abort_what_is_obsolete()

    def _replay(self) -> set[str]:
        """Takes in what the journal has; returns the jobs that it has answers of."""
        if self._journal is None:
            return set()
        told = replay(self._journal, self.search)
        self.counts.lies.update(told.lies)
        self.counts.replayed = told.results
        return told.jobs
