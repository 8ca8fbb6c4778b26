"""A process that runs jobs, seen from the one that started it."""

from __future__ import annotations

import contextlib
import errno
import json
import os
import signal
import subprocess
import sys
import threading
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, Literal

from tengen.grid.child import OUT_OF_MEMORY

ABORT_SECONDS = 2.0
"""A handler that does not heed its stop flag for so long is to be ended with its process."""
START_SECONDS = 2.0
"""Where no process could be started, as for want of memory, it is tried again after so long."""
MOST_FAILED_STARTS = 3
"""So many in a row, a process that was lost included, and no more are put up with."""


@dataclass(frozen=True)
class Said:
    """What a runner has to tell."""

    what: Literal["ready", "progress", "result", "error", "aborted", "ended"]
    """`ended` is the last: the process is gone, and so is what it did."""
    job: str | None = None
    result: dict[str, Any] | None = None
    """The result, or the figures of the progress."""
    message: str = ""
    """What the handler raised, or how the process ended."""
    seconds: float = 0.0


class Runner:
    """Starts the process. It does one job at a time, the next ones wait there.

    Args:
        tell: is called with whatever it says, from a thread of its own.
        nice: whether it makes way for other programs.
        own_session: whether it gets a session of its own. Linux shares the cores out among sessions: on a busy machine
            a word from within the session is heard at once, while who has a busy session himself hears others late.

    Raises:
        OSError: if it cannot be started, or not now.
    """

    def __init__(self, tell: Callable[[Runner, Said], object], *, nice: bool = False, own_session: bool = True) -> None:
        self._tell = tell
        self._process = subprocess.Popen(
            [sys.executable, "-P", "-c", "from tengen.grid.child import main; main()"],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            # Ctrl-C is for us; and whatever it starts can be ended with it.
            start_new_session=own_session,
            process_group=None if own_session else 0,
        )
        if nice and hasattr(os, "setpriority"):
            os.setpriority(os.PRIO_PROCESS, self._process.pid, 10)
        self._writing = threading.Lock()
        try:
            threading.Thread(target=self._listen, daemon=True).start()
        except RuntimeError as error:  # no more threads can be had, as there might be no more processes
            with self._process:  # which closes its pipes and waits for its end
                self.kill()
            raise OSError(errno.EAGAIN, str(error)) from error

    @property
    def pid(self) -> int:
        """The number of the process."""
        return self._process.pid

    def begin(self, job: str, kind: str, arguments: str) -> None:
        """Give it a job; the arguments are JSON."""
        self._write(f'{{"job": {json.dumps(job)}, "kind": {json.dumps(kind)}, "arguments": {arguments}}}\n')

    def abort(self, job: str) -> None:
        """Raise the stop flag of a job, if it has not ended."""
        self._write(json.dumps({"abort": job}) + "\n")

    def kill(self) -> None:
        """End the process with all that it has started; that is told as its end."""
        with contextlib.suppress(OSError):
            if hasattr(os, "killpg") and self._process.poll() is None:
                os.killpg(self._process.pid, signal.SIGKILL)
        self._process.kill()

    def _write(self, line: str) -> None:
        pipe = self._process.stdin
        assert pipe is not None
        # If it has died, that is told by the listener, who has perhaps closed the pipe already.
        with self._writing, contextlib.suppress(OSError, ValueError):
            pipe.write(line.encode())
            pipe.flush()

    def _listen(self) -> None:
        pipe = self._process.stdout
        assert pipe is not None
        for line in pipe:
            try:
                said = _understood(json.loads(line))
            except (ValueError, KeyError):
                break  # the end of a line may be missing when it was killed
            self._tell(self, said)
        self.kill()
        self._process.wait()
        pipe.close()
        with self._writing, contextlib.suppress(OSError):
            assert self._process.stdin is not None
            self._process.stdin.close()
        self._tell(self, Said("ended", message=_ending(self._process.returncode)))


def _understood(line: dict[str, Any]) -> Said:
    if "ready" in line:
        return Said("ready")
    job, seconds = line["job"], line.get("seconds", 0.0)
    if "progress" in line:
        return Said("progress", job, line["progress"])
    if "result" in line:
        return Said("result", job, line["result"], seconds=seconds)
    if "aborted" in line:
        return Said("aborted", job, seconds=seconds)
    return Said("error", job, message=line["error"], seconds=seconds)


def _ending(code: int) -> str:
    if code == OUT_OF_MEMORY:
        return "its process had no memory left"
    if code < 0:
        with contextlib.suppress(ValueError):
            return f"its process was ended by {signal.Signals(-code).name}"
    return f"its process ended with code {code}"
