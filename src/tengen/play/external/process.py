"""A program at the other end of two pipes, which may hang, die, flood or lie."""

from __future__ import annotations

import os
import shutil
import signal
import subprocess
import sys
import threading
import time
import weakref
from collections import deque
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from typing import IO

from tengen import _native
from tengen.game import TengenError
from tengen.play.external.errors import EngineCrashed, EngineStopped, EngineTimeout

MAX_LINE = 1 << 20
"""A longer line is cut into pieces."""
MAX_WAITING_LINES = 10_000
"""How much is read ahead; a program that prints more than is looked at has to wait."""
MAX_STDERR = 8192
FAREWELL_SECONDS = 2.0
"""How long a program may take to end by itself, and then once more when it is told to terminate."""
STOP_SECONDS = 0.05
"""How often somebody who waits for a line looks whether he is to wait no more."""
_HAS_GROUPS = hasattr(os, "killpg")
_KILL = getattr(signal, "SIGKILL", signal.SIGTERM)
_LAUNCHER = Path(__file__).absolute().with_name("launch.py")


@dataclass(frozen=True)
class Command:
    """How to start a program."""

    program: str
    """A name to be found as a shell finds it, or a path: from our folder, or else from its working folder."""
    arguments: tuple[str, ...] = ()
    folder: str | None = None
    """Its working folder; ours if none is given."""
    memory: int | None = None
    """At most so many bytes of address space."""
    cpu_seconds: int | None = None
    """At most so much processor time, in its whole life."""

    def words(self) -> list[str]:
        """The words to execute.

        Raises:
            EngineCrashed: if there is no such program.
            TengenError: if a limit is asked for that this system cannot set.
        """
        program = Path(self.program).expanduser()
        path = shutil.which(program)
        elsewhere = ""
        if path is None and self.folder is not None and not program.is_absolute() and "/" in self.program:
            path = shutil.which(Path(self.folder, program))
            elsewhere = f", here and in {self.folder}"
        if path is None:
            raise EngineCrashed(f"{self.program}: there is no such program, or it may not be executed{elsewhere}")
        words = [str(Path(path).absolute()), *self.arguments]
        if self.memory is None and self.cpu_seconds is None:
            return words
        if not _HAS_GROUPS:
            raise TengenError("limits of memory and processor time cannot be set on this system")
        limits = [str(self.memory or 0), str(self.cpu_seconds or 0)]
        return [sys.executable, "-I", "-S", str(_LAUNCHER), *limits, *words]


class EngineProcess:
    """A running program, in a process group of its own so that it can be ended with all that it started.

    It stays in our session: whoever ends that ends the program too.
    """

    def __init__(self, command: Command, name: str) -> None:
        """Starts the program.

        Raises:
            EngineCrashed: if it cannot be started.
        """
        self.name = name
        try:
            self._process = subprocess.Popen(
                command.words(),
                cwd=command.folder,
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                stderr=subprocess.PIPE,
                process_group=0 if _HAS_GROUPS else None,
            )
        except OSError as error:
            raise EngineCrashed(f"{name} cannot be started: {error.strerror} ({error.filename})") from error
        # Also when we end without a farewell: some programs run on when their input ends, and fill the disk with a log.
        self._kill_group = weakref.finalize(self, _signal, self._process, _KILL)
        self._lines: deque[str] = deque()
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
        """Whether it has not ended, as far as is known."""
        return self._process.poll() is None

    def send(self, line: str) -> None:
        """Writes one line to the program.

        Raises:
            EngineCrashed: if it does not listen any more.
        """
        pipe = self._process.stdin
        assert pipe is not None
        try:
            pipe.write(line.encode() + b"\n")
            pipe.flush()
        except (OSError, ValueError):
            raise self._crashed() from None

    def forget_output(self) -> None:
        """Drops what was printed before now: it answers nothing that will be asked."""
        with self._changed:
            self._lines.clear()
            self._changed.notify_all()

    def read(self, deadline: float, control: _native.Control | None = None) -> str:
        """The next line that the program prints, without its end.

        Args:
            deadline: by the clock of `time.monotonic`.
            control: lets another thread end the waiting.

        Raises:
            EngineStopped: if somebody has ended the waiting.
            EngineTimeout: if it does not come in time. A program that prints without pause is timed out as well.
            EngineCrashed: if the program has ended its output.
        """
        line = self.read_or_end(deadline, control)
        if line is None:
            raise self._crashed()
        return line

    def read_or_end(self, deadline: float, control: _native.Control | None = None) -> str | None:
        """The next line, or None at the end of the output.

        Raises:
            EngineStopped: if somebody has ended the waiting.
            EngineTimeout: if neither comes in time.
        """
        with self._changed:
            while (left := deadline - time.monotonic()) > 0:
                if control is not None and control.stopped:
                    raise EngineStopped(f"{self.name} was stopped")
                if self._lines:
                    line = self._lines.popleft()
                    self._changed.notify_all()
                    return line
                if self._at_end:
                    return None
                self._changed.wait(left if control is None else min(left, STOP_SECONDS))
        raise EngineTimeout(f"{self.name} did not answer in time{self._last_words()}")

    def end(self, farewell: str | None) -> None:
        """Asks it to end, tells it to, and in the end makes it."""
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
            _signal(self._process, signal.SIGTERM)
            with suppress(subprocess.TimeoutExpired):
                self._process.wait(FAREWELL_SECONDS)
        self.kill()

    def kill(self) -> None:
        """Ends it at once, with all that it has started."""
        if self._buried:
            return
        self._buried = True
        self._kill_group()  # also when it has ended: its children may have not
        self._stop_listening()
        self._process.wait()
        for thread in self._readers:
            # A child that left the process group may hold a pipe open; then its thread is left to end with us.
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
            self._lines.clear()
            self._changed.notify_all()

    def _read_stdout(self, pipe: IO[bytes]) -> None:
        while piece := pipe.readline(MAX_LINE):
            with self._changed:
                while self._wanted and len(self._lines) >= MAX_WAITING_LINES:
                    self._changed.wait()
                if self._wanted:
                    self._lines.append(piece.decode(errors="replace").rstrip("\r\n"))
                    self._changed.notify_all()
        with self._changed:
            self._at_end = True
            self._changed.notify_all()

    def _read_stderr(self, pipe: IO[bytes]) -> None:
        while piece := os.read(pipe.fileno(), MAX_STDERR):
            self._stderr = (self._stderr + piece)[-MAX_STDERR:]

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


def _signal(process: subprocess.Popen[bytes], number: int) -> None:
    """Tells the program and all that it has started."""
    with suppress(ProcessLookupError, PermissionError):
        if _HAS_GROUPS:
            os.killpg(process.pid, number)
        else:
            process.kill()
