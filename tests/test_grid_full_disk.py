"""A broker whose disk is full: a real small file system, which needs the right to mount one."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest
from grid_backends import answers, free_port, start_worker

from tengen.grid import Event, EventKind
from tengen.grid import broker as broker_module
from tengen.grid.broker import Broker, Supervisor
from tengen.grid.client import GridClient

MEGABYTE = 1 << 20


@pytest.fixture
def small_disk(tmp_path: Path) -> Iterator[Path]:
    disk = tmp_path / "disk"
    disk.mkdir()
    command = ["mount", "-t", "tmpfs", "-o", "size=24m", "tmpfs", str(disk)]
    try:
        subprocess.run(command, check=True, capture_output=True)
    except (OSError, subprocess.CalledProcessError) as error:
        pytest.skip(f"no file system can be mounted here: {error}")
    yield disk
    subprocess.run(["umount", "--lazy", str(disk)], check=True)


def next_problem(client: GridClient) -> Event:
    while (event := client.next_event(120)) is not None:
        if event.kind is EventKind.PROBLEM:
            return event
    raise AssertionError("no problem was reported")


def test_a_full_disk_is_reported_and_overcome(
    small_disk: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(broker_module, "MIN_FREE_BYTES", 8 * MEGABYTE)
    filler = small_disk / "filler"
    filler.write_bytes(bytes(15 * MEGABYTE))
    broker = Broker(small_disk / "grid", port=free_port())
    reports: list[str] = []
    supervisor = Supervisor(broker, tmp_path / "log", reports.append)
    processes: list[subprocess.Popen[bytes]] = []
    try:
        invitation = broker.invite("me", "client")
        broker.invite("w1", "worker").write(tmp_path / "w1.grid")
        with GridClient(invitation) as client:
            jobs = {client.submit("echo", {"text": "x" * 1_000_000}) for _ in range(12)}
            assert "its disk may be full" in next_problem(client).message
            supervisor.check()
            assert len(reports) == 1
            assert "stores no messages" in reports[0]
            command = [sys.executable, "-m", "tengen", "grid", "status", "--json", "--folder", str(broker.folder)]
            status = subprocess.run(command, capture_output=True, text=True, timeout=300)
            assert status.returncode == 0, status.stderr
            filler.unlink()
            supervisor.check()  # restarts the server
            supervisor.check()
            assert reports[1:] == ["the broker stores messages again"]
            processes.append(start_worker(tmp_path / "w1.grid"))
            events = answers(client, len(jobs), seconds=300)
            assert {event.job for event in events} == jobs
            assert {event.kind for event in events} == {EventKind.DONE}
    finally:
        for process in [*processes, supervisor.server]:
            process.terminate()
            process.wait()


def test_a_healthy_broker_is_left_alone(tmp_path: Path) -> None:
    broker = Broker(tmp_path / "grid", port=free_port())
    reports: list[str] = []
    supervisor = Supervisor(broker, tmp_path / "log", reports.append)
    try:
        broker.invite("me", "client")
        server = supervisor.server
        supervisor.check()
        assert supervisor.server is server
        assert reports == []
        assert broker.purge("me").jobs == 0  # probes are not jobs
    finally:
        supervisor.server.terminate()
        supervisor.server.wait()
