"""Jobs on this machine alone: a few processes, no server."""

from __future__ import annotations

import os
import threading
import time
from collections import deque
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from tengen.grid.desk import ATTEMPTS, DeskSystem, OpenJob
from tengen.grid.errors import GridError
from tengen.grid.jobs import Event, EventKind, Json, Worker
from tengen.grid.runner import ABORT_SECONDS, MOST_FAILED_STARTS, START_SECONDS, Runner, Said


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
        GridError: if `resume` is no checkpoint, or the processes cannot be started.
    """

    def __init__(
        self, workers: int | None = None, *, predispatch: int = 1, resume: Mapping[str, Any] | None = None
    ) -> None:
        super().__init__()
        self._predispatch = predispatch
        self._lock = threading.RLock()
        self._waiting: deque[OpenJob] = deque()
        self._seats: dict[str, _Seat] = {}
        self._answers = 0
        self._is_closed = False
        self._broken = ""
        resumed = [] if resume is None else self._desk.reopen(resume)
        with self._lock:
            try:
                for number in range(1, (workers or os.cpu_count() or 1) + 1):
                    self._seats[f"local-{number}"] = _Seat(f"local-{number}", self._runner())
            except OSError as error:
                self.close()
                raise GridError(f"no worker can be started: {error}") from error
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
                for seat in self._seats.values()
            ]

    def processes(self) -> dict[str, int]:
        """The process number of each worker."""
        with self._lock:
            return {seat.name: seat.runner.pid for seat in self._seats.values()}

    def close(self) -> None:
        """End all workers with what they are at; no event comes of it."""
        with self._lock:
            self._is_closed = True
            for seat in self._seats.values():
                seat.runner.kill()
            self._seats.clear()

    # What follows is called with the lock held, or takes it: threads that listen to the workers come in here.

    def _runner(self) -> Runner:
        return Runner(self._heard, own_session=False)

    def _seat(self, name: str) -> _Seat:
        if name not in self._seats:
            raise GridError(f"there is no worker {name!r}; there are {', '.join(self._seats)}")
        return self._seats[name]

    def _queue_of(self, job: OpenJob) -> deque[OpenJob]:
        return self._waiting if job.worker is None else self._seat(job.worker).named

    def _enqueue(self, job: OpenJob) -> None:
        if job.is_aborted:
            self._answer(job, EventKind.ABORTED)
        elif self._broken:
            self._answer(job, EventKind.FAILED, message=self._broken)
        elif job.worker is not None and job.worker not in self._seats:  # an earlier run had more workers
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
            seat = next((seat for seat in self._seats.values() if seat.runner is runner), None)
            if seat is None:  # it was closed
                return
            if said.what == "ready":
                seat.is_ready, seat.failed_starts = True, 0
                self._desk.tell(Event(EventKind.JOINED, worker=seat.name))
                self._occupy(seat)
            elif said.what == "progress":
                if seat.job is not None and seat.job.id == said.job:
                    seat.progress = said.result
            elif said.what == "ended":
                self._clear(seat, said.message)
            elif seat.job is not None and seat.job.id == said.job:
                job, seat.job = seat.job, None
                self._occupy(seat)  # first, since a worker should not wait while its client thinks
                kind = {"result": EventKind.DONE, "error": EventKind.FAILED, "aborted": EventKind.ABORTED}[said.what]
                self._answer(
                    job, kind, worker=seat.name, result=said.result, message=said.message, seconds=said.seconds
                )
        if said.what == "ended":
            self._restart(seat, said.message)

    def _clear(self, seat: _Seat, reason: str) -> None:
        """Notes that a process is gone, and has its job run again unless that is to blame."""
        if not seat.is_ready:
            seat.failed_starts += 1
            return
        seat.is_ready = False
        self._desk.tell(Event(EventKind.LOST, worker=seat.name, message=reason))
        job, seat.job = seat.job, None
        if job is None:
            return
        if job.is_aborted:
            self._answer(job, EventKind.ABORTED, worker=seat.name)
        elif job.attempt >= ATTEMPTS:
            message = f"given up after {job.attempt} attempts, the last time since {reason}"
            self._answer(job, EventKind.FAILED, worker=seat.name, message=message)
        else:
            job.attempt += 1
            self._queue_of(job).appendleft(job)
            for other in self._seats.values():
                self._occupy(other)

    def _restart(self, seat: _Seat, reason: str) -> None:
        """Starts another process for one that is gone, later if it cannot be now.

        Called by the thread that has listened to the old one: it has nothing else to do any more, and may wait.
        """
        while True:
            with self._lock:
                if self._is_closed:
                    return
                if seat.failed_starts > MOST_FAILED_STARTS:
                    self._give_up(seat, f"no worker can be started: {reason}")
                    return
                try:
                    seat.runner = self._runner()
                    return
                except OSError as error:
                    seat.failed_starts += 1
                    reason = str(error)
            time.sleep(START_SECONDS)

    def _give_up(self, seat: _Seat, reason: str) -> None:
        """Goes on without a worker that cannot be started; fails all jobs if it was the last."""
        del self._seats[seat.name]
        for job in list(seat.named) if self._seats else self._desk.jobs():
            self._answer(job, EventKind.FAILED, message=reason)
        if not self._seats:
            self._broken = reason

    def _enforce(self, seat: _Seat, job: OpenJob) -> None:
        with self._lock:
            if seat.job is job:
                seat.runner.kill()
