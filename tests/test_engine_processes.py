"""External engines that flood their output, or start processes that try to outlive them."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path

import psutil
import pytest
from processes import all_end, is_alive, posix_only
from test_external import START, engine

from tengen.play import Budget
from tengen.play.external import Command, EngineFailure, NonsenseAnswer
from tengen.play.external.process import MAX_WAITING_BYTES, EngineProcess

pytestmark = posix_only

SETSID = """
import os, sys, time
file = sys.argv[1]
def note():
    with open(file, "a") as out: out.write(f"{os.getpid()}\\n")
def stay():
    note()
    time.sleep(3600)
if os.fork() == 0:      # a child in a session of its own
    os.setsid()
    stay()
if os.fork() == 0:      # a daemon: its parents have ended
    os.setsid()
    if os.fork() == 0:
        stay()
    os._exit(0)
if os.fork() == 0:      # one that starts another for ever
    os.setsid()
    for _ in range(100_000):
        if os.fork():
            os._exit(0)
        time.sleep(0.02)
note()
while open(file).read().count("\\n") < 3: time.sleep(0.01)
print("ready", flush=True)
"""


@pytest.fixture
def started(tmp_path: Path) -> Iterator[tuple[Path, Path]]:
    """The program above, and the file of the process ids that it writes; what survives is killed."""
    script, pids = tmp_path / "setsid.py", tmp_path / "pids"
    script.write_text(SETSID)
    pids.touch()
    yield script, pids
    for process in psutil.process_iter(["cmdline"]):
        if str(script) in (process.info["cmdline"] or []):
            process.kill()


def processes_of(script: Path) -> list[psutil.Process]:
    """All processes that execute the script, their supervisor aside."""
    return [
        process
        for process in psutil.process_iter(["cmdline"])
        if str(script) in (words := process.info["cmdline"] or []) and not any("supervise" in word for word in words)
    ]


def command(script: Path, pids: Path, then: str) -> Command:
    script.write_text(script.read_text() + then)
    return Command(sys.executable, ("-I", str(script), str(pids)))


@pytest.mark.parametrize("way", ["kill", "end", "garbage"])
def test_processes_in_other_sessions_end_with_the_program(started: tuple[Path, Path], way: str) -> None:
    script, pids = started
    program: EngineProcess | None = EngineProcess(command(script, pids, "time.sleep(3600)"), "program")
    assert program is not None
    assert program.read(time.monotonic() + 60) == "ready"
    assert len(processes_of(script)) >= 3
    if way == "kill":
        program.kill()
    elif way == "end":
        program.end("quit")
    else:
        program._kill_tree()  # what the end of this process does
    assert processes_of(script) == []
    program.kill()


def test_processes_in_other_sessions_end_when_the_program_does(started: tuple[Path, Path]) -> None:
    script, pids = started
    program = EngineProcess(command(script, pids, "sys.exit(7)"), "program")
    assert program.read(time.monotonic() + 60) == "ready"
    with pytest.raises(EngineFailure, match="ended with code 7"):
        program.read(time.monotonic() + 60)
    assert processes_of(script) == []
    program.kill()


def test_processes_in_other_sessions_end_when_we_are_killed(started: tuple[Path, Path], tmp_path: Path) -> None:
    script, pids = started
    started_by = command(script, pids, "time.sleep(3600)")
    code = (
        "import time\nfrom tengen.play.external.process import Command, EngineProcess\n"
        f"program = EngineProcess({started_by!r}, 'program')\n"
        "print(program.read(time.monotonic() + 60), flush=True)\ntime.sleep(3600)\n"
    )
    with subprocess.Popen([sys.executable, "-c", code], stdout=subprocess.PIPE, text=True) as parent:
        assert parent.stdout is not None
        assert parent.stdout.readline() == "ready\n"
        below = psutil.Process(parent.pid).children(recursive=True)
        alive = [*below, *processes_of(script)]
        parent.send_signal(signal.SIGKILL)
    assert all_end(alive)
    assert processes_of(script) == []


def test_a_program_that_kills_its_supervisor_ends_too(tmp_path: Path) -> None:
    script = tmp_path / "hostile.py"
    script.write_text("import os, time\nprint(os.getpid(), flush=True)\nos.kill(os.getppid(), 9)\ntime.sleep(3600)\n")
    program = EngineProcess(Command(sys.executable, ("-I", str(script))), "program")
    pid = int(program.read(time.monotonic() + 60))
    program.kill()
    assert not psutil.pid_exists(pid) or not is_alive(psutil.Process(pid))


def test_the_process_table_finds_the_descendants(started: tuple[Path, Path]) -> None:
    """What is used on systems without a subreaper, with the program that it has to read there."""
    from tengen.play.external import supervise

    child = subprocess.Popen([sys.executable, "-c", "import os, time\nos.fork()\ntime.sleep(3600)"])
    try:
        while len(supervise.descendants(child.pid)) < 1:
            time.sleep(0.01)
        (grandchild,) = supervise.descendants(child.pid)
        assert psutil.Process(grandchild).ppid() == child.pid
        assert child.pid in supervise.descendants(os.getpid())
    finally:
        for pid in [*supervise.descendants(child.pid), child.pid]:
            os.kill(pid, signal.SIGKILL)
        child.wait()


def test_the_cgroup_of_a_killed_supervisor_is_removed_by_the_next_one(tmp_path: Path) -> None:
    from tengen.play.external import supervise

    with subprocess.Popen([sys.executable, "-c", ""]) as ended:
        pass
    folder = supervise.program_cgroup(ended.pid)
    if folder is None:
        pytest.skip("there are no cgroups of version 2")
    try:
        folder.mkdir()
    except OSError:
        pytest.skip("this user may not create a cgroup")
    program = EngineProcess(Command(sys.executable, ("-c", "print('ready')")), "program")
    assert program.read(time.monotonic() + 60) == "ready"
    program.kill()
    assert not folder.exists()


@pytest.mark.parametrize("line", [1 << 20, 1 << 16, 100])
def test_output_that_is_not_read_is_limited_in_bytes(tmp_path: Path, line: int) -> None:
    """An engine that floods has to wait: otherwise 10,000 lines of 1 MB would be kept."""
    script, written = tmp_path / "flood.py", tmp_path / "written"
    script.write_text(
        f"import os\nline = b'x' * {line - 1} + b'\\n'\ncount = 0\nwhile True:\n"
        f"    os.write(1, line)\n    count += len(line)\n"
        f"    with open({str(written)!r}, 'w') as file: file.write(str(count))\n"
    )
    program = EngineProcess(Command(sys.executable, ("-I", str(script))), "program")
    try:
        last, same = "", 0
        while same < 20:  # until it writes no more for two seconds
            time.sleep(0.1)
            now = written.read_text() if written.exists() else ""
            same = same + 1 if now and now == last else 0
            last = now
            assert program._waiting_bytes <= MAX_WAITING_BYTES + (1 << 20)
            assert int(now or 0) <= 2 * MAX_WAITING_BYTES
    finally:
        program.kill()


def test_the_reply_of_an_engine_is_limited(tmp_path: Path) -> None:
    flood = "input()\nprint('=')\nwhile True: print('x' * 1000)"
    agent = engine(tmp_path, flood, ",seconds=300", protocol="gtp")
    with pytest.raises(NonsenseAnswer, match="with more than"):
        agent.choose(START, Budget())
