"""Jobs on this machine alone: a few processes, no server."""

from __future__ import annotations

import os
import threading
from collections import deque
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from tengen.grid.desk import ATTEMPTS, DeskSystem, OpenJob
from tengen.grid.errors import GridError
from tengen.grid.jobs import Event, EventKind, Json, Worker
from tengen.grid.runner import ABORT_SECONDS, Runner, Said

_STARTS = 3


@dataclass
class _Seat:
    """A worker's place; its process may change."""

    name: str
    runner: Runner
    job: OpenJob | None = None
    since: float = 0.0
    progress: Json | None = None
    failed_starts: int = 0
    is_ready: bool = False
    named: deque[OpenJob] = field(default_factory=deque)
    """What waits for this worker alone."""


class Pool(DeskSystem):
    """A `JobSystem` of processes on this machine; to be closed in the end. If its client dies, they end at once.

    Args:
        workers: how many; one for each core unless told.
        predispatch: how many jobs may wait beyond those that run.
        resume: the checkpoint of an earlier run; its open jobs are run again.

    Raises:
        GridError: if `resume` is no checkpoint.
    """

    def __init__(
        self, workers: int | None = None, *, predispatch: int = 1, resume: Mapping[str, Any] | None = None
    ) -> None:
        super().__init__()
        self._predispatch = predispatch
        self._lock = threading.RLock()
        self._waiting: deque[OpenJob] = deque()
        self._seats: dict[Runner, _Seat] = {}
        self._answers = 0
        self._is_closed = False
        self._broken = ""
        resumed = [] if resume is None else self._desk.reopen(resume)
        with self._lock:
            for number in range(1, (workers or os.cpu_count() or 1) + 1):
                self._start(f"local-{number}")
            for job in resumed:
                self._enqueue(job)

    def submit(self, kind: str, arguments: Json, *, worker: str | None = None) -> str:
        """Hand a job in, for any worker or a certain one; returns its id at once.

        Raises:
            GridError: if the arguments are no JSON or too long, there is no such worker, or the pool is closed.
        """
        with self._lock:
            if self._is_closed:
                raise GridError("the pool is closed")
            if worker is not None and not self._broken:
                self._seat(worker)  # refuses a name that is none
            job = self._desk.open(kind, arguments, worker)
            self._enqueue(job)
        return job.id

    def abort(self, job: str) -> None:
        """End a job, queued or running; an unknown one is none of our concern."""
        with self._lock:
            found = self._desk.find(job)
            if found is None or found.is_aborted:
                return
            found.is_aborted = True
            seat = next((seat for seat in self._seats.values() if seat.job is found), None)
            if seat is None:
                self._queue_of(found).remove(found)
                self._answer(found, EventKind.ABORTED)
            else:
                seat.runner.abort(job)
                timer = threading.Timer(ABORT_SECONDS, self._enforce, (seat, found))
                timer.daemon = True
                timer.start()

    def free(self) -> int:
        """How many jobs are worth handing in now."""
        with self._lock:
            ready = sum(seat.is_ready for seat in self._seats.values())
            return max(0, ready + self._predispatch - len(self._desk)) if ready else 0

    def workers(self) -> Sequence[Worker]:
        """Who works here, and on what."""
        with self._lock:
            return [
                Worker(seat.name)
                if seat.job is None
                else Worker(seat.name, 1, seat.job.id, seat.job.kind, "local", seat.since, seat.progress)
                for seat in sorted(self._seats.values(), key=lambda seat: int(seat.name.rpartition("-")[2]))
            ]

    def processes(self) -> dict[str, int]:
        """The process number of each worker."""
        with self._lock:
            return {seat.name: seat.runner.pid for seat in self._seats.values()}

    def close(self) -> None:
        """End all workers with what they are at; no event comes of it."""
        with self._lock:
            self._is_closed = True
            for runner in self._seats:
                runner.kill()
            self._seats.clear()

    # What follows is called with the lock held, or takes it: threads that listen to the workers come in here.

    def _start(self, name: str, failed_starts: int = 0) -> None:
        runner = Runner(self._heard, own_session=False)
        self._seats[runner] = _Seat(name, runner, failed_starts=failed_starts)

    def _has_seat(self, name: str) -> bool:
        return any(seat.name == name for seat in self._seats.values())

    def _seat(self, name: str) -> _Seat:
        for seat in self._seats.values():
            if seat.name == name:
                return seat
        names = ", ".join(seat.name for seat in self._seats.values())
        raise GridError(f"there is no worker {name!r}; there are {names}")

    def _queue_of(self, job: OpenJob) -> deque[OpenJob]:
        return self._waiting if job.worker is None else self._seat(job.worker).named

    def _enqueue(self, job: OpenJob) -> None:
        if job.is_aborted:
            self._answer(job, EventKind.ABORTED)
        elif self._broken:
            self._answer(job, EventKind.FAILED, message=self._broken)
        elif job.worker is not None and not self._has_seat(job.worker):  # an earlier run had more workers
            self._answer(job, EventKind.FAILED, message=f"there is no worker {job.worker!r} any more")
        else:
            self._queue_of(job).append(job)
            for seat in self._seats.values():
                self._occupy(seat)

    def _occupy(self, seat: _Seat) -> None:
        if seat.is_ready and seat.job is None and (waiting := seat.named or self._waiting):
            seat.job, seat.since, seat.progress = waiting.popleft(), self.now(), None
            seat.runner.begin(seat.job.id, seat.job.kind, seat.job.arguments)

    def _answer(self, job: OpenJob, kind: EventKind, **more: Any) -> None:
        self._answers += 1
        self._desk.answer(Event(kind, job.id, attempt=job.attempt, sequence=self._answers, **more))

    def _heard(self, runner: Runner, said: Said) -> None:
        with self._lock:
            seat = self._seats.get(runner)
            if seat is None:  # it was closed
                return
            if said.what == "ready":
                seat.is_ready = True
                self._desk.tell(Event(EventKind.JOINED, worker=seat.name))
                self._occupy(seat)
            elif said.what == "progress":
                if seat.job is not None and seat.job.id == said.job:
                    seat.progress = said.result
            elif said.what == "ended":
                self._replace(seat, said)
            elif seat.job is not None and seat.job.id == said.job:
                job, seat.job = seat.job, None
                self._occupy(seat)  # first, since a worker should not wait while its client thinks
                kind = {"result": EventKind.DONE, "error": EventKind.FAILED, "aborted": EventKind.ABORTED}[said.what]
                self._answer(
                    job, kind, worker=seat.name, result=said.result, message=said.message, seconds=said.seconds
                )

    def _replace(self, seat: _Seat, said: Said) -> None:
        """Starts another process for one that is gone, and runs its job again unless that is to blame."""
        del self._seats[seat.runner]
        if not seat.is_ready and seat.failed_starts + 1 >= _STARTS:
            self._give_up(seat, f"no worker can be started: {said.message}")
            return
        self._start(seat.name, 0 if seat.is_ready else seat.failed_starts + 1)
        self._seat(seat.name).named = seat.named
        if seat.is_ready:
            self._desk.tell(Event(EventKind.LOST, worker=seat.name, message=said.message))
        job = seat.job
        if job is None:
            return
        if job.is_aborted:
            self._answer(job, EventKind.ABORTED, worker=seat.name)
        elif job.attempt >= ATTEMPTS:
            message = f"given up after {job.attempt} attempts, the last time since {said.message}"
            self._answer(job, EventKind.FAILED, worker=seat.name, message=message)
        else:
            job.attempt += 1
            self._queue_of(job).appendleft(job)
            for other in self._seats.values():
                self._occupy(other)

    def _give_up(self, seat: _Seat, reason: str) -> None:
        """Goes on without a worker that cannot be started; fails all jobs if it was the last."""
        for job in list(seat.named) if self._seats else self._desk.jobs():
            self._answer(job, EventKind.FAILED, message=reason)
        if not self._seats:
            self._broken = reason

    def _enforce(self, seat: _Seat, job: OpenJob) -> None:
        with self._lock:
            if seat.job is job and seat.runner in self._seats:
                seat.runner.kill()
