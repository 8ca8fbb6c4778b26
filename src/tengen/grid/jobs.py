"""What every job system does: jobs go out, events come back.

A job names a handler that is installed where it runs, and gives it JSON; a JSON result comes back. No code travels. The
client keeps the truth about its jobs: a job that it submitted is answered exactly once, by `DONE`, `ABORTED` or
`FAILED`, whatever happens to workers, broker or network in between.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum
from typing import Any, Protocol

Json = Mapping[str, Any]
"""Arguments and results: what `json` can write, with a mapping on top."""


class EventKind(StrEnum):
    """What has happened."""

    DONE = "done"
    """A job has its result."""
    ABORTED = "aborted"
    """A job was ended because the client asked for it; there is no result."""
    FAILED = "failed"
    """A job is given up: it failed on several workers, or on all that there are; `message` has the last reason."""
    JOINED = "joined"
    """A worker has come."""
    LOST = "lost"
    """A worker has gone; what it ran is run again elsewhere."""
    FREE = "free"
    """There is room for another job."""
    PROBLEM = "problem"
    """The user should know of something that slows the work down; `message` is empty when the broker has recovered."""


@dataclass(frozen=True)
class Event:
    """Something that the client should know."""

    kind: EventKind
    job: str | None = None
    worker: str | None = None
    result: Json | None = None
    message: str = ""
    """Why a job failed, in words for people."""
    attempt: int = 1
    """How many times the job was begun, this one included."""
    seconds: float = 0.0
    """How long the handler worked on it."""
    sequence: int = 0
    """Where the answer stands in the log of results; numbers only go up, with gaps."""


@dataclass(frozen=True)
class Worker:
    """What one worker is doing."""

    name: str
    slot: int = 1
    """A worker may do several jobs at once."""
    job: str | None = None
    kind: str | None = None
    client: str | None = None
    since: float | None = None
    """The time, as `JobSystem.now` tells it, at which it began."""
    progress: Json | None = None
    """What the handler last told of its work."""


class JobSystem(Protocol):
    """Runs jobs for one client."""

    def submit(self, kind: str, arguments: Json, *, worker: str | None = None) -> str:
        """Hand a job in, for any worker or a certain one, for whom it waits; returns its id at once."""

    def abort(self, job: str) -> None:
        """End a job, queued or running. Its event still comes: `ABORTED`, or `DONE` if it was faster."""

    def free(self) -> int:
        """How many jobs are worth handing in now: idle workers, and a few more to hide the way there and back."""

    def next_event(self, timeout: float | None = None) -> Event | None:
        """The next thing that has happened; waits for it, at most so many seconds."""

    def workers(self) -> Sequence[Worker]:
        """Who works here, and on what."""

    def now(self) -> float:
        """Seconds on the clock of this system; a simulation has its own."""

    def close(self) -> None:
        """Abort what still runs and let go of all workers that were started here."""


class DurableJobSystem(JobSystem, Protocol):
    """A job system whose client can be killed at any moment and go on later."""

    def checkpoint(self) -> Json:
        """What the client keeps, as JSON, together with its own state, whenever it likes.

        Given as `resume` when a system is opened later, every job whose answer had not been taken by `next_event` is
        answered there, under its old id.
        """
