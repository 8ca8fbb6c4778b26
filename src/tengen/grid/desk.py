"""What a client knows of its jobs, and what it is still to be told: the part that all job systems have in common.

A job is open from the moment it is handed in until its answer has come. Whatever else comes for it later is dropped: so
answers come exactly once, however often workers repeat themselves.
"""

from __future__ import annotations

import json
import queue
import secrets
import threading
import time
from abc import ABC, abstractmethod
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any, Self

from tengen.grid.errors import GridError
from tengen.grid.jobs import Event, EventKind, Json

ATTEMPTS = 3
"""So many workers may die of a job before it is given up."""
MAX_ARGUMENTS = 2**20
"""Bytes of JSON that a job may be given."""


@dataclass
class OpenJob:
    """A job without an answer."""

    id: str
    kind: str
    arguments: str
    """As JSON: what was handed in is what is sent, whatever the client does with its own objects."""
    worker: str | None
    attempt: int = 1
    is_aborted: bool = False


class Desk:
    """Open jobs and coming events. All methods may be called from any thread."""

    def __init__(self) -> None:
        self._jobs: dict[str, OpenJob] = {}
        self._unseen: dict[str, OpenJob] = {}  # answered, but the client does not know it yet
        self._sequence = 0
        self._room_is_news = True
        self._events: queue.SimpleQueue[Event | None] = queue.SimpleQueue()
        self._lock = threading.RLock()

    @property
    def sequence(self) -> int:
        """The place in the log of results of the last answer that the client has taken."""
        return self._sequence

    def open(self, kind: str, arguments: Json, worker: str | None) -> OpenJob:
        """Note a new job.

        Raises:
            GridError: if its arguments are not JSON, or too long.
        """
        try:
            text = json.dumps(dict(arguments), allow_nan=False)
        except (TypeError, ValueError) as error:
            raise GridError(f"the arguments of a {kind!r} job are no JSON: {error}") from error
        if len(text) > MAX_ARGUMENTS:
            raise GridError(
                f"the arguments of a {kind!r} job have {len(text):,} bytes; {MAX_ARGUMENTS:,} bytes are allowed"
            )
        with self._lock:
            # Not to be guessed: a worker should not be able to answer for jobs that it was not given.
            job = OpenJob(secrets.token_hex(8), kind, text, worker)
            self._jobs[job.id] = job
            self._room_is_news = True
        return job

    def start_at(self, sequence: int) -> None:
        """Say where the log of results stands before anything was asked."""
        self._sequence = sequence

    def find(self, job: str | None) -> OpenJob | None:
        """An open job by its id; None if it is answered, or never was."""
        return self._jobs.get(job or "")

    def jobs(self) -> list[OpenJob]:
        """All open jobs, the oldest first."""
        with self._lock:
            return list(self._jobs.values())

    def __len__(self) -> int:
        return len(self._jobs)

    def answer(self, event: Event) -> bool:
        """Close a job; False, and nothing else, if it is closed already."""
        with self._lock:
            job = self._jobs.pop(event.job or "", None)
            if job is None:
                return False
            self._unseen[job.id] = job
            self._events.put(event)
        return True

    def tell(self, event: Event) -> None:
        """Pass something on that is no answer."""
        self._room_is_news |= event.kind is EventKind.JOINED
        self._events.put(event)

    def look_again(self) -> None:
        """Say that there may be room for another job."""
        self._room_is_news = True
        self._events.put(None)

    def next_event(self, timeout: float | None, has_room: Callable[[], bool]) -> Event | None:
        """The next event, `FREE` if there is no other but room; waits for it, at most so many seconds."""
        deadline = None if timeout is None else time.monotonic() + timeout
        while True:
            # Room first: it may come with an answer, which is to be told before it.
            if self._room_is_news and has_room() and self._events.empty():
                self._room_is_news = False
                return Event(EventKind.FREE)
            left = None if deadline is None else max(0.0, deadline - time.monotonic())
            try:
                event = self._events.get(timeout=left)
            except queue.Empty:
                return None
            if event is not None:
                with self._lock:
                    self._unseen.pop(event.job or "", None)
                    self._sequence = max(self._sequence, event.sequence)
                return event

    def checkpoint(self) -> dict[str, Any]:
        """What a client must keep to go on from here: JSON."""
        with self._lock:
            jobs = [*self._unseen.values(), *self._jobs.values()]
            return {
                "sequence": self._sequence,
                "jobs": [
                    {
                        "job": job.id,
                        "kind": job.kind,
                        "arguments": json.loads(job.arguments),
                        "worker": job.worker,
                        "aborted": job.is_aborted,
                    }
                    for job in jobs
                ],
            }

    def reopen(self, checkpoint: Mapping[str, Any]) -> list[OpenJob]:
        """Take over the jobs of an earlier run.

        Raises:
            GridError: if this is no checkpoint.
        """
        try:
            jobs = [
                OpenJob(
                    str(entry["job"]),
                    str(entry["kind"]),
                    json.dumps(entry["arguments"]),
                    entry["worker"],
                    is_aborted=bool(entry["aborted"]),
                )
                for entry in checkpoint["jobs"]
            ]
            self._sequence = int(checkpoint["sequence"])
        except (KeyError, TypeError, ValueError) as error:
            raise GridError(f"this is no checkpoint of a grid: {error!r}") from error
        with self._lock:
            self._jobs.update({job.id: job for job in jobs})
        return jobs


class DeskSystem(ABC):
    """A job system that keeps its jobs on a desk, wherever they run; to be closed in the end."""

    def __init__(self) -> None:
        self._desk = Desk()

    @abstractmethod
    def free(self) -> int:
        """How many jobs are worth handing in now."""

    @abstractmethod
    def close(self) -> None:
        """Abort what still runs, and let go."""

    def next_event(self, timeout: float | None = None) -> Event | None:
        """The next thing that has happened; waits for it, at most so many seconds."""
        return self._desk.next_event(timeout, lambda: self.free() > 0)

    def now(self) -> float:
        """Seconds on a clock that only goes forward."""
        return time.monotonic()

    def checkpoint(self) -> Json:
        """What to keep in order to go on after an end of any kind."""
        return self._desk.checkpoint()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()
