"""Runs a program and ends it with all of its descendants.

    python supervise.py CONTROL MEMORY CPU_SECONDS PROGRAM [ARGUMENT ...]

CONTROL is the number of an inherited pipe. The byte `t` on it asks the program to terminate; its end, which also comes
when the parent process dies, kills the program and every process that it has started. MEMORY (bytes) and CPU_SECONDS
limit each process of the program, 0 sets no limit. The exit status is that of the program.

A process group is not enough for that: a child that calls `setsid` leaves it. On Linux the supervisor is a subreaper,
so that every orphaned descendant becomes its child, and the program runs in a cgroup of its own where the user may
create one. Elsewhere the descendants are found in the process table: a child that calls `setsid` and whose parents
have ended is not found there.

This file is executed by its name in an isolated interpreter and needs the standard library only. (Limits that are set
between fork and exec, as usual, may hang a parent with threads; this process has none.)
"""

from __future__ import annotations

import ctypes
import os
import resource
import select
import signal
import sys
import time
from contextlib import suppress
from pathlib import Path

POLL_S = 1.0
"""Seconds between checks that the parent process is alive; its end closes the pipe unless a process inherited it."""
KILL_TIMEOUT_S = 5.0
"""Seconds to kill descendants that start new ones all the time."""
CGROUP_PREFIX = "tengen-engine-"
_PR_SET_PDEATHSIG = 1
_PR_SET_CHILD_SUBREAPER = 36


def cgroup_folder() -> Path | None:
    """Return the folder of this process's cgroup, version 2; None where there is none."""
    try:
        lines = Path("/proc/self/cgroup").read_text(encoding="ascii").splitlines()
        mounts = Path("/proc/self/mounts").read_text(encoding="ascii").splitlines()
    except (OSError, UnicodeError):
        return None
    own = next((line[3:] for line in lines if line.startswith("0::/")), None)
    mount = next((words[1] for line in mounts if (words := line.split())[2] == "cgroup2"), None)
    return None if own is None or mount is None else Path(mount + own)


def program_cgroup(supervisor: int) -> Path | None:
    """Return the folder of the cgroup that the supervisor with a process id creates for its program."""
    folder = cgroup_folder()
    return None if folder is None else folder / f"{CGROUP_PREFIX}{supervisor}"


def kill_cgroup(folder: Path | None) -> None:
    """Kill all processes of a program's cgroup and remove it, if it exists."""
    if folder is None:
        return
    with suppress(OSError):
        (folder / "cgroup.kill").write_text("1")
    deadline = time.monotonic() + KILL_TIMEOUT_S
    while folder.is_dir() and time.monotonic() < deadline:
        with suppress(OSError, ValueError):  # before Linux 5.14 there is no cgroup.kill
            for line in (folder / "cgroup.procs").read_text().split():
                _kill(int(line))
        try:
            folder.rmdir()
        except OSError:  # its processes have not ended yet
            time.sleep(0.01)


def descendants(root: int) -> list[int]:
    """Return the process ids of all descendants of a process, from the process table."""
    children: dict[int, list[int]] = {}
    for pid, parent in _process_table():
        children.setdefault(parent, []).append(pid)
    found: list[int] = []
    waiting = [root]
    while waiting:
        below = children.get(waiting.pop(), [])
        found += below
        waiting += below
    return found


def _process_table() -> list[tuple[int, int]]:
    """Return the ids of all processes with those of their parents."""
    if Path("/proc/self/stat").exists():
        table = []
        for entry in os.scandir("/proc"):
            if entry.name.isdecimal():
                with suppress(OSError, ValueError, IndexError):
                    status = Path(entry.path, "stat").read_bytes()
                    # The name of the program stands in brackets, and may contain anything.
                    table.append((int(entry.name), int(status[status.rindex(b")") + 1 :].split()[1])))
        return table
    import subprocess  # takes a while to load, which every start of a program would pay

    try:
        listed = subprocess.run(["ps", "-A", "-o", "pid=,ppid="], capture_output=True, text=True, check=True).stdout
    except (OSError, subprocess.SubprocessError):
        return []
    return [(int(pid), int(parent)) for pid, parent in (line.split() for line in listed.splitlines())]


def _kill(pid: int, number: int = signal.SIGKILL) -> None:
    with suppress(ProcessLookupError, PermissionError):
        os.kill(pid, number)


def _kill_descendants() -> None:
    """Kill all descendants of this process, and wait for its children."""
    deadline = time.monotonic() + KILL_TIMEOUT_S
    while time.monotonic() < deadline:
        found = descendants(os.getpid())
        # Stopped first: a process that forks all the time would otherwise always be one ahead.
        for pid in found:
            _kill(pid, signal.SIGSTOP)
        for pid in found:
            _kill(pid)
        try:
            while os.waitpid(-1, os.WNOHANG) != (0, 0):
                pass
        except ChildProcessError:
            return  # none is left, and orphans would have become children
        time.sleep(0.005)


def _prctl(option: int, value: int) -> None:
    """Set an option of this process, where the system has it."""
    if sys.platform == "linux":
        with suppress(OSError, AttributeError):
            ctypes.CDLL(None, use_errno=True).prctl(option, value, 0, 0, 0)


def _become(program: list[str], memory: int, cpu_seconds: int, cgroup: Path | None) -> None:
    """Turn the forked child into the program."""
    os.setpgid(0, 0)
    if cgroup is not None:
        with suppress(OSError):
            (cgroup / "cgroup.procs").write_text("0")
    _prctl(_PR_SET_PDEATHSIG, signal.SIGKILL)  # a program that kills its supervisor ends with it
    signal.set_wakeup_fd(-1)
    signal.signal(signal.SIGCHLD, signal.SIG_DFL)
    signal.pthread_sigmask(signal.SIG_SETMASK, set())
    for kind, limit in ((resource.RLIMIT_CPU, cpu_seconds), (resource.RLIMIT_AS, memory)):
        if limit:
            resource.setrlimit(kind, (limit, limit))
    os.execv(program[0], program)


def _make_cgroup() -> Path | None:
    folder = program_cgroup(os.getpid())
    if folder is None:
        return None
    _remove_stale_cgroups(folder.parent)
    try:
        folder.mkdir()
    except OSError:  # most users may not
        return None
    return folder


def _remove_stale_cgroups(parent: Path) -> None:
    """End and remove the cgroups of supervisors that were killed."""
    for folder in parent.glob(f"{CGROUP_PREFIX}*"):
        pid = folder.name.removeprefix(CGROUP_PREFIX)
        if pid.isdecimal() and not Path("/proc", pid).exists():
            kill_cgroup(folder)


def _supervise(control: int, parent: int, child: int, wakeup: int) -> int | None:
    """Wait for the end of the program, and return its status; None if it is to be killed."""
    while True:
        pid = -1
        while pid:
            try:
                pid, status = os.waitpid(-1, os.WNOHANG)
            except ChildProcessError:
                return 0
            if pid == child:
                return status
        if os.getppid() != parent:
            return None
        ready, _, _ = select.select([control, wakeup], [], [], POLL_S)
        if wakeup in ready:
            os.read(wakeup, 4096)
        if control in ready:
            if not os.read(control, 1):
                return None
            with suppress(ProcessLookupError, PermissionError):
                os.killpg(child, signal.SIGTERM)


def main() -> None:
    """Run the program of the command line."""
    control, memory, cpu_seconds = map(int, sys.argv[1:4])
    program = sys.argv[4:]
    parent = os.getppid()
    os.set_inheritable(control, False)
    _prctl(_PR_SET_CHILD_SUBREAPER, 1)
    cgroup = _make_cgroup()
    wakeup, wakeup_writer = os.pipe()
    for end in (wakeup, wakeup_writer):
        os.set_blocking(end, False)
    signal.set_wakeup_fd(wakeup_writer, warn_on_full_buffer=False)
    signal.signal(signal.SIGCHLD, lambda *_: None)
    for number in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP):  # the parent decides
        signal.signal(number, signal.SIG_IGN)
    child = os.fork()
    if child == 0:
        try:
            for number in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP):
                signal.signal(number, signal.SIG_DFL)
            _become(program, memory, cpu_seconds, cgroup)
        except OSError as error:
            print(f"{program[0]}: {error.strerror}", file=sys.stderr, flush=True)
        finally:
            os._exit(127)
    for stream in (0, 1, 2):  # else the program's end of its pipes would stay open after its end
        with suppress(OSError):
            os.close(stream)
    status = _supervise(control, parent, child, wakeup)
    with suppress(ProcessLookupError, PermissionError):
        os.killpg(child, signal.SIGKILL)
    kill_cgroup(cgroup)
    _kill_descendants()
    code = os.waitstatus_to_exitcode(status) if status is not None else -signal.SIGKILL
    if code < 0:
        resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
        with suppress(OSError):  # the signals that cannot be handled have no other action
            signal.signal(-code, signal.SIG_DFL)
        os.kill(os.getpid(), -code)
    os._exit(max(code, 0))


if __name__ == "__main__":
    main()
