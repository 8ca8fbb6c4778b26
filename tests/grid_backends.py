"""The job systems that must all do the same, and what tests do to them."""

from __future__ import annotations

import os
import signal
import socket
import subprocess
import sys
import time
from collections.abc import Mapping
from pathlib import Path
from typing import Any, Protocol

from tengen.grid import DurableJobSystem, Event, EventKind, JobSystem, Pool
from tengen.grid.broker import Broker
from tengen.grid.client import GridClient
from tengen.grid.keys import Invitation
from tengen.grid.subjects import Role

BACKENDS = ["pool", "nats"]
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

    def close_clients(self) -> None:
        """Ends what a test has started."""


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

    def close_clients(self) -> None:
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


class NatsBackend:
    """A broker and two workers, which outlive the tests that use them; whoever is killed is replaced."""

    workers = 2

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.broker = Broker(folder / "broker", port=free_port())
        self.start_broker()
        self.processes: dict[str, subprocess.Popen[bytes]] = {}
        for number in range(1, self.workers + 1):
            self.invite(f"w{number}", "worker")
        self.client = self.invite("tester", "client")
        self._open: list[GridClient] = []
        self.renew()

    def invite(self, name: str, role: Role) -> Path:
        path = self.folder / f"{name}.grid"
        self.broker.invite(name, role).write(path)
        return path

    def renew(self) -> None:
        """Starts the workers that are missing."""
        for number in range(1, self.workers + 1):
            if (process := self.processes.get(f"w{number}")) is None or process.poll() is not None:
                self.processes[f"w{number}"] = start_worker(self.folder / f"w{number}.grid")

    def start_broker(self) -> None:
        self.server = self.broker.start(self.folder / "broker.log")

    def kill_broker(self) -> None:
        """kill -9."""
        self.server.kill()
        self.server.wait()

    def kill(self, name: str) -> None:
        """kill -9; it is gone when this returns, so that `renew` sees it."""
        self.processes[name].kill()
        self.processes[name].wait()

    def open(self, resume: Mapping[str, Any] | None = None) -> GridClient:
        client = GridClient(Invitation.read(self.client), resume=resume)
        self._open.append(client)
        return client

    def abandon(self, system: DurableJobSystem) -> None:
        pass  # the next one has the same key; what is left of this one does no harm

    def kill_worker(self, system: DurableJobSystem, name: str) -> None:
        self.kill(name)

    def client_program(self) -> str:
        return f"from tengen.grid import open_jobs\nsystem = open_jobs({str(self.client)!r})\n"

    def close_clients(self) -> None:
        for client in self._open:
            client.close()
        self._open.clear()
        self.renew()

    def close(self) -> None:
        self.close_clients()
        for process in [*self.processes.values(), self.server]:
            process.terminate()
        for process in [*self.processes.values(), self.server]:
            process.wait()


def start_worker(invitation: Path) -> subprocess.Popen[bytes]:
    """What `tengen worker` does, without the time that the command line takes to load."""
    program = (
        "import sys; from tengen.grid.keys import Invitation; from tengen.grid.worker import work; "
        "work(Invitation.read(sys.argv[1]), 1, nice=False, version='test', tell=lambda sentence: None)"
    )
    return subprocess.Popen([sys.executable, "-c", program, str(invitation)], stderr=subprocess.DEVNULL)


def free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return int(probe.getsockname()[1])
