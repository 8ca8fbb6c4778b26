"""The process of an external engine, which may hang, crash, flood its output or start other processes."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
import threading
import time
import weakref
from collections import deque
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from typing import IO, Any

from tengen import _native
from tengen.game import TengenError
from tengen.play.external.errors import EngineCrashed, EngineStopped, EngineTimeout

if os.name == "posix":
    from tengen.play.external import supervise

MAX_LINE_BYTES = 1 << 20
"""A longer line is cut into pieces."""
MAX_WAITING_BYTES = 4 << 20
"""Bytes of output that are read ahead; a program that prints more has to wait."""
MAX_WAITING_LINES = 10_000
"""The same for lines, since a short line takes much more memory than its bytes."""
MAX_STDERR_BYTES = 8192
FAREWELL_SECONDS = 2.0
"""Seconds that a program may take to end after the farewell, and again after the request to terminate."""
SUPERVISOR_TIMEOUT_S = 15.0
"""Seconds that the supervisor may take to kill all processes of a program."""
STOP_SECONDS = 0.05
"""Seconds between checks of the control while waiting for a line."""
_IS_POSIX = os.name == "posix"
_SUPERVISOR = Path(__file__).absolute().with_name("supervise.py")


@dataclass(frozen=True)
class Command:
    """The command line, folder and limits of a program."""

    program: str
    """A name that is looked up on the path, or a path: relative to our folder, or else to its working folder."""
    arguments: tuple[str, ...] = ()
    folder: str | None = None
    """Its working folder; ours if none is given."""
    memory: int | None = None
    """Limit of the address space of each of its processes, in bytes."""
    cpu_seconds: int | None = None
    """Limit of the processor time of each of its processes."""

    def words(self) -> list[str]:
        """Return the words to execute.

        Raises:
            EngineCrashed: if there is no such program.
            TengenError: if a limit is set that this system does not support.
        """
        program = Path(self.program).expanduser()
        path = shutil.which(program)
        elsewhere = ""
        if path is None and self.folder is not None and not program.is_absolute() and "/" in self.program:
            path = shutil.which(Path(self.folder, program))
            elsewhere = f", here and in {self.folder}"
        if path is None:
            raise EngineCrashed(f"{self.program}: there is no such program, or it may not be executed{elsewhere}")
        if not _IS_POSIX and (self.memory is not None or self.cpu_seconds is not None):
            raise TengenError("limits of memory and processor time are not supported on this system")
        return [str(Path(path).absolute()), *self.arguments]

    def supervised_words(self, control: int) -> list[str]:
        """Return the words that execute the program under its supervisor, with the control pipe of that.

        Raises:
            EngineCrashed: if there is no such program.
        """
        limits = [str(self.memory or 0), str(self.cpu_seconds or 0)]
        return [sys.executable, "-I", "-S", str(_SUPERVISOR), str(control), *limits, *self.words()]


class EngineProcess:
    """A running program, under a supervisor that ends it with all processes that it has started."""

    def __init__(self, command: Command, name: str) -> None:
        """Start the program.

        Raises:
            EngineCrashed: if it cannot be started.
        """
        self.name = name
        try:
            self._process, self._tree = _start(command)
        except OSError as error:
            raise EngineCrashed(f"{name} cannot be started: {error.strerror} ({error.filename})") from error
        # Also at the end of this process: some programs continue when their input ends, and fill the disk with a log.
        self._kill_tree = weakref.finalize(self, self._tree.kill)
        self._lines: deque[tuple[str, int]] = deque()
        """Lines of output, and their sizes."""
        self._waiting_bytes = 0
        self._changed = threading.Condition()
        self._at_end = False
        self._wanted = True
        self._buried = False
        self._stderr = b""
        self._readers = [
            threading.Thread(target=reader, args=(pipe,), name=f"{name} {reader.__name__}", daemon=True)
            for reader, pipe in ((self._read_stdout, self._process.stdout), (self._read_stderr, self._process.stderr))
        ]
        for thread in self._readers:
            thread.start()

    @property
    def is_running(self) -> bool:
        """Whether it has not ended."""
        return self._process.poll() is None

    def send(self, line: str) -> None:
        """Write one line to the program.

        Raises:
            EngineCrashed: if it has closed its input.
        """
        pipe = self._process.stdin
        assert pipe is not None
        try:
            pipe.write(line.encode() + b"\n")
            pipe.flush()
        except (OSError, ValueError):
            raise self._crashed() from None

    def forget_output(self) -> None:
        """Drop the output so far, which cannot be the reply to a later command."""
        with self._changed:
            self._drop_lines()

    def read(self, deadline: float, control: _native.Control | None = None) -> str:
        """Return the next line of output, without its end.

        Args:
            deadline: by the clock of `time.monotonic`.
            control: lets another thread end the waiting.

        Raises:
            EngineStopped: if another thread has ended the waiting.
            EngineTimeout: if there is none in time, also for a program that prints without pause.
            EngineCrashed: if the program has closed its output.
        """
        line = self.read_or_end(deadline, control)
        if line is None:
            raise self._crashed()
        return line

    def read_or_end(self, deadline: float, control: _native.Control | None = None) -> str | None:
        """Return the next line, or None at the end of the output.

        Raises:
            EngineStopped: if another thread has ended the waiting.
            EngineTimeout: if neither comes in time.
        """
        with self._changed:
            while (left := deadline - time.monotonic()) > 0:
                if control is not None and control.stopped:
                    raise EngineStopped(f"{self.name} was stopped")
                if self._lines:
                    line, size = self._lines.popleft()
                    self._waiting_bytes -= size
                    self._changed.notify_all()
                    return line
                if self._at_end:
                    return None
                self._changed.wait(left if control is None else min(left, STOP_SECONDS))
        raise EngineTimeout(f"{self.name} did not answer in time{self._last_words()}")

    def end(self, farewell: str | None) -> None:
        """End it: by the farewell, then by a request to terminate, then by force."""
        with suppress(EngineCrashed):
            if farewell is not None:
                self.send(farewell)
        with suppress(OSError):
            if self._process.stdin is not None:
                self._process.stdin.close()
        self._stop_listening()
        with suppress(subprocess.TimeoutExpired):
            self._process.wait(FAREWELL_SECONDS)
        if self._process.poll() is None:
            self._tree.terminate()
            with suppress(subprocess.TimeoutExpired):
                self._process.wait(FAREWELL_SECONDS)
        self.kill()

    def kill(self) -> None:
        """End it at once, with all processes that it has started."""
        if self._buried:
            return
        self._buried = True
        self._kill_tree()  # also if it has ended: its children may not have
        self._stop_listening()
        self._process.wait()
        for thread in self._readers:
            # A process that escaped may hold a pipe open; its thread then ends with this process.
            thread.join(FAREWELL_SECONDS)
        for pipe, thread in ((self._process.stdout, self._readers[0]), (self._process.stderr, self._readers[1])):
            if pipe is not None and not thread.is_alive():
                pipe.close()
        with suppress(OSError):
            if self._process.stdin is not None:
                self._process.stdin.close()

    def _stop_listening(self) -> None:
        with self._changed:
            self._wanted = False
            self._drop_lines()

    def _drop_lines(self) -> None:
        self._lines.clear()
        self._waiting_bytes = 0
        self._changed.notify_all()

    def _read_stdout(self, pipe: IO[bytes]) -> None:
        while piece := pipe.readline(MAX_LINE_BYTES):
            with self._changed:
                while self._wanted and (
                    len(self._lines) >= MAX_WAITING_LINES or self._waiting_bytes >= MAX_WAITING_BYTES
                ):
                    self._changed.wait()
                if self._wanted:
                    self._lines.append((piece.decode(errors="replace").rstrip("\r\n"), len(piece)))
                    self._waiting_bytes += len(piece)
                    self._changed.notify_all()
        with self._changed:
            self._at_end = True
            self._changed.notify_all()

    def _read_stderr(self, pipe: IO[bytes]) -> None:
        while piece := os.read(pipe.fileno(), MAX_STDERR_BYTES):
            self._stderr = (self._stderr + piece)[-MAX_STDERR_BYTES:]

    def _crashed(self) -> EngineCrashed:
        with suppress(subprocess.TimeoutExpired):
            self._process.wait(FAREWELL_SECONDS)
            self._readers[1].join(FAREWELL_SECONDS)
        code = self._process.poll()
        how = "closed its output" if code is None else f"ended with code {code}"
        if code is not None and code < 0:
            how = f"was ended by signal {-code}"
        return EngineCrashed(f"{self.name} {how}{self._last_words()}")

    def _last_words(self) -> str:
        words = self._stderr.decode(errors="replace").strip()
        return f"; its last words: {words[-500:]}" if words else ""


class _SupervisedTree:
    """The processes of a program under the supervisor, which ends them when its control pipe is closed."""

    def __init__(self, process: subprocess.Popen[bytes], control: int) -> None:
        self._process, self._control = process, control
        self._lock = threading.Lock()
        self._is_killed = False

    def terminate(self) -> None:
        """Ask the program to terminate."""
        with self._lock, suppress(OSError):
            if not self._is_killed:
                os.write(self._control, b"t")

    def kill(self) -> None:
        """Kill all processes."""
        with self._lock:
            if self._is_killed:
                return
            self._is_killed = True
            os.close(self._control)
        with suppress(subprocess.TimeoutExpired):
            self._process.wait(SUPERVISOR_TIMEOUT_S)
        if self._process.poll() is None:
            self._process.kill()  # the program dies with its supervisor
        supervise.kill_cgroup(supervise.program_cgroup(self._process.pid))  # a supervisor that was killed left it


class _ListedTree:
    """The processes of a program on a system without a supervisor: those in the tree of the process table."""

    def __init__(self, process: subprocess.Popen[bytes]) -> None:
        self._process = process

    def terminate(self) -> None:
        """Ask the program to terminate."""
        self._process.terminate()

    def kill(self) -> None:
        """Kill all processes."""
        with suppress(OSError):
            subprocess.run(["taskkill", "/T", "/F", "/PID", str(self._process.pid)], capture_output=True, check=False)
        self._process.kill()


def _start(command: Command) -> tuple[subprocess.Popen[bytes], _SupervisedTree | _ListedTree]:
    if not _IS_POSIX:
        process = _popen(command.words(), command.folder)
        return process, _ListedTree(process)
    reader, writer = os.pipe()
    try:
        # A group of its own: Ctrl-C in a terminal goes to the group in front, and is for us.
        process = _popen(command.supervised_words(reader), command.folder, pass_fds=(reader,), process_group=0)
    except BaseException:
        os.close(writer)
        raise
    finally:
        os.close(reader)
    return process, _SupervisedTree(process, writer)


def _popen(words: list[str], folder: str | None, **options: Any) -> subprocess.Popen[bytes]:
    pipe = subprocess.PIPE
    return subprocess.Popen(words, cwd=folder, stdin=pipe, stdout=pipe, stderr=pipe, **options)
