"""Runs a campaign on a job system: hands jobs in, takes answers, goes on after a kill."""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import dataclass, field

from tengen.grid import DurableJobSystem, Event, EventKind
from tengen.sudoku.campaign import Campaign
from tengen.sudoku.grid import SudokuError

KIND = "sudoku"
_ATTEMPTS = 3


@dataclass
class Tally:
    """What happened in this run."""

    answers: int = 0
    failures: list[str] = field(default_factory=list)
    lies: dict[str, str] = field(default_factory=dict)


class CampaignClient:
    """A campaign that is being run.

    Args:
        campaign: which.
        system: where jobs run; opened with `campaign.checkpoint()` as `resume`, if that is not None.
    """

    def __init__(self, campaign: Campaign, system: DurableJobSystem) -> None:
        self.campaign, self.system = campaign, system
        self.tally = Tally()
        self._open: dict[str, tuple[int, str | None]] = {}
        """By the id of a running job: its number, and the worker it was meant for."""
        kept = campaign.checkpoint() or {}
        self._open.update({job: (number, worker) for job, (number, worker) in kept.get("jobs", {}).items()})
        self._fresh = campaign.open_jobs()
        self._failed: dict[int, int] = {}
        self._is_stopped = False
        self._begun, self._done_before = time.monotonic(), campaign.grids_done

    @property
    def running(self) -> int:
        """Jobs on their way."""
        return len(self._open)

    def stop(self) -> None:
        """Ends `run` soon; may be called from a signal handler."""
        self._is_stopped = True

    def seconds_left(self) -> float | None:
        """How long it will take at the pace of this run; None as long as nobody knows."""
        done, left = self.campaign.grids_done - self._done_before, self.campaign.grids - self.campaign.grids_done
        return left * (time.monotonic() - self._begun) / done if done > 0 else None

    def run(
        self, *, seconds: float | None = None, poll: float = 0.25, tell: Callable[[], object] | None = None
    ) -> None:
        """Works until every grid is checked, the time is up, or `stop`.

        Raises:
            SudokuError: if a job fails again and again, or nobody is left who could do it.
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
        """Calls back what is on its way; it is handed in again when the campaign goes on."""
        for job in self._open:
            self.system.abort(job)
        self._open.clear()
        self.campaign.keep_checkpoint(None)

    def _keep(self) -> None:
        self.campaign.keep_checkpoint({"system": dict(self.system.checkpoint()), "jobs": self._open})

    def _trusted(self) -> list[str]:
        return sorted({worker.name for worker in self.system.workers()} - set(self.campaign.liars))

    def _hand_in(self) -> None:
        on_their_way = {number for number, _ in self._open.values()}
        handed_in = False
        for _ in range(self.system.free()):
            chosen = self._second_opinion(on_their_way) or self._first_opinion(on_their_way)
            if chosen is None:
                break
            number, worker = chosen
            job = self.system.submit(KIND, self.campaign.arguments(number), worker=worker)
            self._open[job] = chosen
            on_their_way.add(number)
            handed_in = True
        if handed_in:
            self._keep()

    def _second_opinion(self, on_their_way: set[int]) -> tuple[int, str] | None:
        """A job that waits for somebody who has not answered it, and the one who has the least to do."""
        trusted = self._trusted()
        for number in self.campaign.waiting():
            if number in on_their_way:
                continue
            others = [name for name in trusted if name not in self.campaign.answered_by(number)]
            if others:
                load = [worker for _, worker in self._open.values()]
                return number, min(others, key=load.count)
        return None

    def _first_opinion(self, on_their_way: set[int]) -> tuple[int, str | None] | None:
        trusted = self._trusted()
        named = None
        if self.campaign.liars:  # what any worker may take, a liar may take
            if not trusted:
                return None
            load = [worker for _, worker in self._open.values()]
            named = min(trusted, key=load.count)
        for number in self._fresh:
            if (
                number not in on_their_way
                and not self.campaign.is_settled(number)
                and not self.campaign.answered_by(number)
            ):
                return number, named
        for number in self.campaign.open_jobs():  # those whose answers were thrown away
            if number not in on_their_way and not self.campaign.answered_by(number):
                return number, named
        return None

    def _take(self, event: Event) -> None:
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
        """What waits for a worker that has gone may be done by another."""
        names = {here.name for here in self.system.workers()}
        for job, (_, meant_for) in self._open.items():
            if meant_for is not None and meant_for == worker and worker not in names:
                self.system.abort(job)
