"""The job systems that must all do the same, and what tests do to them."""

from __future__ import annotations

import os
import signal
import time
from collections.abc import Mapping
from typing import Any, Protocol

from tengen.grid import DurableJobSystem, Event, EventKind, JobSystem, Pool

BACKENDS = ["pool"]
ANSWERS = (EventKind.DONE, EventKind.ABORTED, EventKind.FAILED)


class Backend(Protocol):
    """Job systems of a kind, with two workers."""

    workers: int

    def open(self, resume: Mapping[str, Any] | None = None) -> DurableJobSystem:
        """A client, which is closed in the end."""

    def abandon(self, system: DurableJobSystem) -> None:
        """What is left of a client that was killed."""

    def kill_worker(self, system: DurableJobSystem, name: str) -> None:
        """kill -9."""

    def client_program(self) -> str:
        """The first lines of a program that has a `system`."""

    def close(self) -> None:
        """Ends whatever was started."""


class PoolBackend:
    workers = 2

    def __init__(self) -> None:
        self._open: list[Pool] = []

    def open(self, resume: Mapping[str, Any] | None = None) -> Pool:
        pool = Pool(self.workers, resume=resume)
        self._open.append(pool)
        return pool

    def abandon(self, system: DurableJobSystem) -> None:
        system.close()

    def kill_worker(self, system: DurableJobSystem, name: str) -> None:
        assert isinstance(system, Pool)
        os.kill(system.processes()[name], signal.SIGKILL)

    def client_program(self) -> str:
        return "from tengen.grid import Pool\nsystem = Pool(2)\n"

    def close(self) -> None:
        for pool in self._open:
            pool.close()


def answers(system: JobSystem, count: int, seconds: float = 90) -> list[Event]:
    """The next answers, however slow the machine."""
    found: list[Event] = []
    deadline = time.monotonic() + seconds
    while len(found) < count:
        event = system.next_event(max(0.0, deadline - time.monotonic()))
        assert event is not None, f"only {len(found)} of {count} answers came: {found}"
        if event.kind in ANSWERS:
            found.append(event)
    return found


def until(system: JobSystem, seconds: float) -> list[Event]:
    """All that happens in that time."""
    found = []
    deadline = time.monotonic() + seconds
    while (left := deadline - time.monotonic()) > 0:
        if event := system.next_event(left):
            found.append(event)
    return found
