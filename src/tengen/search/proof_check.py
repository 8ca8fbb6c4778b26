"""Checks of proofs from workers, in a process with limits of processor time and memory.

A worker chooses its proof, so it could choose one that takes hours to refuse. The check runs in a child process, which
is kept for the next one. Exceeding a limit refuses the proof without saying that it is wrong.
"""

from __future__ import annotations

import base64
import contextlib
import json
import math
import signal
import subprocess
import sys
import tempfile
import threading
from dataclasses import dataclass
from pathlib import Path
from types import FrameType
from typing import Any

from tengen.game import Move, TengenError
from tengen.prove import NoProofError, check, check_rest
from tengen.prove.checker.file import Header, Survey
from tengen.prove.checker.text import Refused

try:
    import resource
except ImportError:  # on Windows there are no such limits
    resource = None  # type: ignore[assignment]


@dataclass(frozen=True)
class Budget:
    """Limits for the check of one proof."""

    cpu_s: float = 20.0
    """Seconds of processor time."""
    memory_bytes: int = 2 << 30
    """Address space of the process that checks."""


class OverBudgetError(TengenError):
    """The check of a proof was ended by its budget: nothing is known about the proof."""


class ProofChecker:
    """Checks proofs one after the other; may be called from several threads.

    Args:
        budget: limits for each proof.
    """

    def __init__(self, budget: Budget | None = None) -> None:
        self.budget = budget or Budget()
        self._process: subprocess.Popen[str] | None = None
        self._lock = threading.Lock()

    def rejection_reason(
        self, proof: bytes, header: Header, left_out: list[Move] | None = None, *, header_only: bool = False
    ) -> str | None:
        """Return why a proof is refused; None if it is accepted.

        Args:
            proof: the content of the proof file.
            header: claim and position that it must be about.
            left_out: moves that a proof of a loss leaves open; None for other proofs.
            header_only: check only that the file is well-formed and has this header.

        Raises:
            OverBudgetError: if the check takes more time or memory than the budget allows.
        """
        request = {
            "proof": base64.b64encode(proof).decode(),
            "header": repr(header),
            "left_out": None if left_out is None else [str(move) for move in left_out],
            "header_only": header_only,
        }
        with self._lock:
            answer = self._ask(request)
        if answer is None:
            raise OverBudgetError("the check of the proof was ended by the system: too much time or memory")
        if "over" in answer:
            what = "processor time" if answer["over"] == "cpu" else "memory"
            limit = f"{self.budget.cpu_s:g} s" if what == "processor time" else f"{self.budget.memory_bytes >> 20} MB"
            raise OverBudgetError(f"the check of the proof exceeds its budget of {limit} of {what}")
        reason: str | None = answer["reason"]
        return reason

    def close(self) -> None:
        """End the process; the next check starts another one."""
        if self._process is not None:
            self._process.kill()
            with self._process:  # closes the pipes and waits
                self._process = None

    def _ask(self, request: dict[str, Any]) -> dict[str, Any] | None:
        if self._process is None or self._process.poll() is not None:
            command = "from tengen.search.proof_check import main; main()"
            self._process = subprocess.Popen(
                [
                    sys.executable, "-P", "-c", command, str(self.budget.cpu_s), str(self.budget.memory_bytes),
                ],
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                text=True,
            )  # fmt: skip
        assert self._process.stdin is not None
        assert self._process.stdout is not None
        line = ""
        with contextlib.suppress(OSError):
            self._process.stdin.write(json.dumps(request) + "\n")
            self._process.stdin.flush()
            line = self._process.stdout.readline()
        if not line:  # killed, as by a system that is short of memory
            self.close()
            return None
        answer: dict[str, Any] = json.loads(line)
        if "over" in answer:
            self.close()  # a check that was interrupted may have left a large heap behind
        return answer


class _OutOfTimeError(BaseException):
    """Raised by the signal for exceeded processor time; not an Exception, so that no handler swallows it."""


def main() -> None:
    """Answer requests from standard input until it ends."""
    cpu_s, memory_bytes = float(sys.argv[1]), int(sys.argv[2])
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    if resource is not None:
        resource.setrlimit(resource.RLIMIT_AS, (memory_bytes, memory_bytes))
        signal.signal(signal.SIGPROF, _on_cpu_limit)
    for line in sys.stdin:
        print(json.dumps(_answer(json.loads(line), cpu_s)), flush=True)


def _on_cpu_limit(_number: int, _frame: FrameType | None) -> None:
    raise _OutOfTimeError


def _answer(request: dict[str, Any], cpu_s: float) -> dict[str, Any]:
    try:
        _limit_cpu(cpu_s)
        try:
            return {"reason": _rejection_reason(request)}
        finally:
            _limit_cpu(0.0)
    except _OutOfTimeError:
        return {"over": "cpu"}
    except (MemoryError, RecursionError):
        return {"over": "memory"}


def _limit_cpu(seconds: float) -> None:
    """Interrupt this process after some processor time, and end it soon after that; 0 for no limit."""
    if resource is None:
        return
    signal.setitimer(signal.ITIMER_PROF, seconds)
    # The signal is handled between two steps of the interpreter. One long step is ended by the system.
    usage = resource.getrusage(resource.RUSAGE_SELF)
    hard = resource.getrlimit(resource.RLIMIT_CPU)[1]
    most = math.ceil(usage.ru_utime + usage.ru_stime + 2 * seconds) + 1 if seconds else hard
    resource.setrlimit(resource.RLIMIT_CPU, (most, hard))


def _rejection_reason(request: dict[str, Any]) -> str | None:
    with tempfile.TemporaryDirectory(prefix="tengen-") as folder:
        file = Path(folder) / "proof.tpf"
        file.write_bytes(base64.b64decode(request["proof"]))
        try:
            if repr(Survey(file).header) != request["header"]:
                return "its proof is about something else"
            if request["header_only"]:
                return None
            if request["left_out"] is not None:
                return check_rest(file, [Move.parse(move) for move in request["left_out"]])
            return check(file).reason
        except (NoProofError, Refused) as error:
            return str(error)
