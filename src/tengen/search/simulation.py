"""A job system with a clock of its own: jobs take the time that they once took, on as many workers as one likes."""

from __future__ import annotations

import heapq
import json
import time
from collections import deque
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from itertools import count
from pathlib import Path
from typing import Any

from tengen.grid import Event, EventKind, Handler, Json, Task, Worker
from tengen.grid.handlers import find_handler
from tengen.record.damage import reporting_damage
from tengen.search.journal import Journal, JournalError, read_entries

_Key = tuple[str, str]


@dataclass(frozen=True)
class Performance:
    """What a job found, and the seconds that it took."""

    result: Json
    seconds: float


class Recording:
    """Jobs that have been run once, by what they were asked. One that is missing is run now and added.

    Args:
        journal: a journal to which new jobs are added, if they are to be kept.
        handlers: how to run a kind of job; those that are installed, unless told.
    """

    def __init__(self, journal: Journal | None = None, handlers: Callable[[str], Handler] = find_handler) -> None:
        self._known: dict[_Key, Performance] = {}
        self._journal, self._handlers = journal, handlers
        self.added = 0
        """How many jobs had to be run."""
        if journal is not None:
            self.read(entry for _, entry in journal.entries())

    def read(self, entries: Iterable[dict[str, Any]]) -> None:
        """Add the jobs of a journal.

        Raises:
            JournalError: if an entry is damaged.
        """
        for entry in entries:
            if "result" in entry:
                with reporting_damage(lambda reason: JournalError(f"an entry of the journal is damaged: {reason}")):
                    key = _key(str(entry["kind"]), entry["arguments"])
                    self._known.setdefault(key, Performance(dict(entry["result"]), float(entry["seconds"])))

    def read_file(self, path: str | Path) -> None:
        """Adds the jobs of a journal by its name.

        Raises:
            JournalError: if the file is no journal.
            OSError: if it cannot be read.
        """
        self.read(read_entries(path))

    def __len__(self) -> int:
        return len(self._known)

    def perform(self, kind: str, arguments: Json) -> Performance:
        """What a job finds and how long it takes; whatever its handler raises."""
        key = _key(kind, arguments)
        if key not in self._known:
            task = Task(lambda _: None)
            begun = time.process_time()  # others may be at work on this machine
            result = self._handlers(kind)(arguments, task)
            # Rounded as it is kept: a recording that is read again must give the same search.
            performance = Performance(result, round(time.process_time() - begun, 6))
            self._known[key] = performance
            self.added += 1
            if self._journal is not None:
                entry = {"kind": kind, "arguments": dict(arguments), "result": dict(result)}
                self._journal.append({**entry, "worker": "recording", "seconds": performance.seconds})
        return self._known[key]


def _key(kind: str, arguments: Json) -> _Key:
    return kind, json.dumps(arguments, sort_keys=True)


@dataclass
class _Job:
    id: str
    kind: str
    performance: Performance
    wanted: int | None = None
    """The only worker who may have it, if that was asked for."""
    worker: int | None = None
    begun: float = 0.0
    is_over: bool = False


class Simulator:
    """A `JobSystem` of virtual workers.

    Args:
        recording: what jobs find and how long they take.
        workers: how many.
        latency: the seconds that pass on the way to a worker, and again on the way back.
        predispatch: how many jobs may wait beyond those that run.
    """

    def __init__(self, recording: Recording, workers: int = 1, *, latency: float = 0.0, predispatch: int = 0) -> None:
        self._recording, self._latency, self._predispatch = recording, latency, predispatch
        self._names = [f"virtual-{number}" for number in range(1, workers + 1)]
        self._idle = list(range(workers - 1, -1, -1))
        self._busy: dict[int, _Job] = {}
        self._waiting: deque[_Job] = deque()
        self._jobs: dict[str, _Job] = {}
        self._events: list[tuple[float, int, Event]] = []
        self._numbers = count(1)
        self._now = 0.0
        self.busy_seconds = 0.0
        """What all workers together have spent on jobs, aborted ones included."""
        self.aborted = 0
        """How many jobs were ended while they ran; those that only waited have cost nothing."""

    def submit(self, kind: str, arguments: Json, *, worker: str | None = None) -> str:
        """Hand a job in, for any worker or a certain one; returns its id at once."""
        wanted = None if worker is None else self._names.index(worker)
        job = _Job(f"job-{next(self._numbers)}", kind, self._recording.perform(kind, arguments), wanted)
        self._jobs[job.id] = job
        self._waiting.append(job)
        self._occupy()
        return job.id

    def abort(self, job: str) -> None:
        """End a job, queued or running."""
        found = self._jobs.get(job)
        if found is None or found.is_over:
            return
        if found.worker is None:
            self._waiting.remove(found)
        else:
            self.aborted += 1
        self._leave(found)
        self._happens(self._now + self._latency, Event(EventKind.ABORTED, job))
        self._occupy()

    def free(self) -> int:
        """How many jobs are worth handing in now."""
        return len(self._idle) + self._predispatch - len(self._waiting)

    def next_event(self, timeout: float | None = None) -> Event | None:
        """The next thing that happens; the clock goes on to it, at most so many seconds."""
        end = None if timeout is None else self._now + timeout
        while self._events and (end is None or self._events[0][0] <= end):
            self._now, _, event = heapq.heappop(self._events)
            if event.kind is not EventKind.DONE:
                return event
            job = self._jobs[event.job or ""]
            if not job.is_over:
                self._leave(job)
                self._occupy()
                return event
        if end is not None:
            self._now = end
        return None

    def workers(self) -> Sequence[Worker]:
        """Who works here, and on what."""
        return [
            Worker(name)
            if (job := self._busy.get(number)) is None
            else Worker(name, job=job.id, kind=job.kind, since=job.begun)
            for number, name in enumerate(self._names)
        ]

    def now(self) -> float:
        """Seconds since the start, on the virtual clock."""
        return self._now

    def close(self) -> None:
        """There is nothing to let go of."""

    def _occupy(self) -> None:
        for job in list(self._waiting):
            if not self._idle:
                return
            worker = self._idle[-1] if job.wanted is None else job.wanted
            if worker not in self._idle:
                continue
            self._waiting.remove(job)
            self._idle.remove(worker)
            job.worker, job.begun = worker, self._now
            self._busy[job.worker] = job
            seconds = job.performance.seconds
            event = Event(EventKind.DONE, job.id, self._names[job.worker], job.performance.result, seconds=seconds)
            self._happens(self._now + seconds + 2 * self._latency, event)

    def _leave(self, job: _Job) -> None:
        job.is_over = True
        if job.worker is not None:
            self.busy_seconds += self._now - job.begun
            del self._busy[job.worker]
            self._idle.append(job.worker)

    def _happens(self, when: float, event: Event) -> None:
        heapq.heappush(self._events, (when, next(self._numbers), event))
