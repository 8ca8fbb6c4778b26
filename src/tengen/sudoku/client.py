"""Runs a campaign on a job system; can be killed at any time and resumed."""

from __future__ import annotations

import random
import time
from collections.abc import Callable
from dataclasses import dataclass, field

from tengen.grid import DurableJobSystem, Event, EventKind, owner_of
from tengen.sudoku.campaign import Campaign
from tengen.sudoku.grid import SudokuError

KIND = "sudoku"
_ATTEMPTS = 3


@dataclass
class Tally:
    """Events of this run."""

    answers: int = 0
    failures: list[str] = field(default_factory=list)
    lies: dict[str, str] = field(default_factory=dict)
    problem: str = ""
    """Last problem that the job system has reported; empty if there is none."""


class CampaignClient:
    """A running campaign.

    Args:
        campaign: the campaign.
        system: job system that runs its jobs; opened with `campaign.checkpoint()` as `resume`, if that is not None.
    """

    def __init__(self, campaign: Campaign, system: DurableJobSystem) -> None:
        self.campaign, self.system = campaign, system
        self.tally = Tally()
        self._open: dict[str, tuple[int, str | None]] = {}
        """Number and chosen worker of each submitted job, by its id."""
        kept = campaign.checkpoint() or {}
        self._open.update({job: (number, worker) for job, (number, worker) in kept.get("jobs", {}).items()})
        self._fresh = campaign.open_jobs()
        self._failed: dict[int, int] = {}
        self._rng = random.SystemRandom()
        self._is_stopped = False
        self._begun, self._done_before = time.monotonic(), campaign.grids_done

    @property
    def running(self) -> int:
        """Number of submitted jobs without a result."""
        return len(self._open)

    def stop(self) -> None:
        """End `run` soon; may be called from a signal handler."""
        self._is_stopped = True

    def seconds_left(self) -> float | None:
        """Seconds until the end at the pace of this run; None before the first result."""
        done, left = self.campaign.grids_done - self._done_before, self.campaign.grids - self.campaign.grids_done
        return left * (time.monotonic() - self._begun) / done if done > 0 else None

    def run(
        self, *, seconds: float | None = None, poll: float = 0.25, tell: Callable[[], object] | None = None
    ) -> None:
        """Run until every grid is checked, the time is up, or `stop` is called.

        Raises:
            SudokuError: if a job fails repeatedly.
            GridError: if the job system fails.
        """
        deadline = None if seconds is None else time.monotonic() + seconds
        while not self._is_stopped and not self.campaign.is_done:
            if deadline is not None and time.monotonic() > deadline:
                break
            self._hand_in()
            event = self.system.next_event(poll)
            if event is not None:
                self._take(event)
            if tell is not None:
                tell()
        self._keep()

    def abort_all(self) -> None:
        """Abort all submitted jobs; they are submitted again when the campaign is resumed."""
        for job in self._open:
            self.system.abort(job)
        self._open.clear()
        self.campaign.keep_checkpoint(None)

    def _keep(self) -> None:
        self.campaign.keep_checkpoint({"system": dict(self.system.checkpoint()), "jobs": self._open})

    def _trusted(self) -> list[str]:
        return sorted({worker.name for worker in self.system.workers()} - set(self.campaign.liars))

    def _hand_in(self) -> None:
        pending = {number for number, _ in self._open.values()}
        handed_in = False
        for _ in range(self.system.free()):
            chosen = self._second_opinion(pending) or self._first_opinion(pending)
            if chosen is None:
                break
            number, worker = chosen
            job = self.system.submit(KIND, self.campaign.arguments(number), worker=worker)
            self._open[job] = chosen
            pending.add(number)
            handed_in = True
        if handed_in:
            self._keep()

    def _second_opinion(self, pending: set[int]) -> tuple[int, str] | None:
        """Return a job with one result, and the worker to repeat it: of a random other owner, so that nobody can
        arrange for two of their own machines to check each other. Workers of the same owner serve if there is no other.
        """
        trusted = self._trusted()
        for number in self.campaign.waiting():
            if number in pending:
                continue
            used = self.campaign.answered_by(number)
            others = [name for name in trusted if name not in used]
            owners = {owner_of(name) for name in used}
            foreign = [name for name in others if owner_of(name) not in owners] or others
            if foreign:
                owner = self._rng.choice(sorted({owner_of(name) for name in foreign}))
                return number, self._rng.choice([name for name in foreign if owner_of(name) == owner])
        return None

    def _first_opinion(self, pending: set[int]) -> tuple[int, str | None] | None:
        trusted = self._trusted()
        named = None
        if self.campaign.liars:  # which could take a job from the common queue
            if not trusted:
                return None
            load = [worker for _, worker in self._open.values()]
            named = min(trusted, key=load.count)
        for number in self._fresh:
            if number not in pending and not self.campaign.is_settled(number) and not self.campaign.answered_by(number):
                return number, named
        for number in self.campaign.open_jobs():  # whose results were discarded
            if number not in pending and not self.campaign.answered_by(number):
                return number, named
        return None

    def _take(self, event: Event) -> None:
        if event.kind is EventKind.PROBLEM:
            self.tally.problem = event.message
        if event.kind is EventKind.LOST:
            self._call_back(event.worker)
        if event.job not in self._open:
            return
        number, _ = self._open.pop(event.job)
        if event.kind is EventKind.DONE and event.worker is not None:
            self.tally.answers += 1
            reason = self.campaign.take(number, event.worker, event.result, event.seconds)
            if reason is not None:
                self.tally.lies[event.worker] = reason
            self.tally.lies.update(self.campaign.liars)
        elif event.kind is EventKind.FAILED:
            self.tally.failures.append(event.message)
            self._failed[number] = self._failed.get(number, 0) + 1
            if self._failed[number] >= _ATTEMPTS:
                raise SudokuError(f"job {number} has failed {_ATTEMPTS} times, the last time since {event.message}")
        self._keep()

    def _call_back(self, worker: str | None) -> None:
        """Abort the jobs that wait for a worker that is gone."""
        names = {here.name for here in self.system.workers()}
        for job, (_, meant_for) in self._open.items():
            if meant_for is not None and meant_for == worker and worker not in names:
                self.system.abort(job)
