"""The process in which handlers run, seen from within; `runner` is the other side.

Jobs come in on standard input, one JSON object a line; answers go out on what was standard output, in the same
manner. The main thread runs the handlers, another one listens, so that an abort reaches a native search at once, and so
that nothing outlives the program that started it.
"""

from __future__ import annotations

import json
import os
import queue
import signal
import sys
import threading
import time
from functools import partial
from typing import Any, BinaryIO, NamedTuple, NoReturn

from tengen.game import TengenError
from tengen.grid.errors import GridError
from tengen.grid.handlers import Task, find_handler
from tengen.grid.jobs import Json

MAX_RESULT = 7 * 2**20
"""Bytes of JSON that a job may answer; a broker passes on little more."""
OUT_OF_MEMORY = 86
"""The exit code of a child that had no memory left."""


class _Job(NamedTuple):
    id: str
    kind: str
    arguments: dict[str, Any]
    task: Task


class Child:
    """Runs jobs one after the other."""

    def __init__(self, jobs: BinaryIO, answers: BinaryIO) -> None:
        self._jobs, self._answers = jobs, answers
        self._waiting: queue.SimpleQueue[_Job] = queue.SimpleQueue()
        self._tasks: dict[str, Task] = {}
        self._writing = threading.Lock()

    def run(self) -> NoReturn:
        """Work until there is nobody to work for."""
        threading.Thread(target=self._listen, daemon=True).start()
        self._say(json.dumps({"ready": True}))
        while True:
            job = self._waiting.get()
            answer = self._answer(job)
            del self._tasks[job.id]
            self._say(answer)

    def _listen(self) -> None:
        for line in self._jobs:
            said = json.loads(line)
            if "abort" in said:
                if task := self._tasks.get(said["abort"]):
                    task.control.stop()
                continue
            job = said["job"]
            task = Task(partial(self._tell, job))
            self._tasks[job] = task
            self._waiting.put(_Job(job, said["kind"], said["arguments"], task))
        _end_group()

    def _tell(self, job: str, figures: Json) -> None:
        self._say(json.dumps({"job": job, "progress": figures}))

    def _answer(self, job: _Job) -> str:
        begun = time.monotonic()
        try:
            outcome = json.dumps(find_handler(job.kind)(job.arguments, job.task), allow_nan=False)
            if len(outcome) > MAX_RESULT:
                raise GridError(f"the result has {len(outcome):,} bytes; {MAX_RESULT:,} are allowed")
            outcome = f'"result": {outcome}'
        except MemoryError:
            os._exit(OUT_OF_MEMORY)  # there may be more memory elsewhere, and here when this process is gone
        except TengenError as error:
            outcome = f'"error": {json.dumps(str(error))}'
        except Exception as error:  # whatever a handler raises is the answer to this job, no more
            outcome = f'"error": {json.dumps(f"{type(error).__name__}: {error}")}'
        if job.task.is_aborted:
            outcome = '"aborted": true'
        return f'{{"job": {json.dumps(job.id)}, "seconds": {time.monotonic() - begun:.6f}, {outcome}}}'

    def _say(self, line: str) -> None:
        with self._writing:
            try:
                self._answers.write(line.encode() + b"\n")
                self._answers.flush()
            except OSError:
                _end_group()


def _end_group() -> NoReturn:
    """Ends this process, with whatever the handlers have started: whoever wanted it is gone."""
    if hasattr(os, "killpg") and os.getpgrp() == os.getpid():
        os.killpg(os.getpgrp(), signal.SIGKILL)
    os._exit(1)


def main() -> NoReturn:
    """Take over standard input and output, and work."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # Ctrl-C is for the parent
    answers = os.fdopen(os.dup(1), "wb")
    os.dup2(2, 1)  # what a handler prints is no answer
    Child(sys.stdin.buffer, answers).run()
