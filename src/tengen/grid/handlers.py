"""What the name of a job means: its handler, which is installed where the job runs.

A handler is a function of the job's arguments (JSON) and a `Task`; it returns JSON. A package names its handlers in the
entry point group `tengen.jobs`. No code travels with a job, and what is not named there cannot be called.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Mapping
from functools import cache
from importlib.metadata import EntryPoint, entry_points

from tengen._native import Control
from tengen.grid.errors import GridError
from tengen.grid.jobs import Json

GROUP = "tengen.jobs"
"""The entry point group under which packages add handlers."""

_PROGRESS_SECONDS = 0.2


class Task:
    """What a handler sees of its job beside the arguments.

    `control` is what native searches take: when the job is aborted, its stop flag is raised while the handler works.
    """

    def __init__(self, tell: Callable[[Json], object]) -> None:
        self.control = Control()
        self._tell = tell
        self._told = 0.0

    @property
    def is_aborted(self) -> bool:
        """Whether nobody wants the result any more."""
        return self.control.stopped

    def progress(self, figures: Json) -> None:
        """Tell how the work goes, a few small figures; what comes too often is dropped."""
        now = time.monotonic()
        if now - self._told >= _PROGRESS_SECONDS:
            self._told = now
            self._tell(figures)


Handler = Callable[[Json, Task], Json]


def kinds() -> list[str]:
    """The kinds of jobs that can run here."""
    return sorted(_installed())


def check_kind(kind: str) -> None:
    """Make sure that a kind of job can run here, without loading its handler.

    Raises:
        GridError: if no handler is installed for it.
    """
    if kind not in _installed():
        raise GridError(f"no handler for {kind!r} jobs is installed; there are {', '.join(kinds()) or 'none'}")


def find_handler(kind: str) -> Handler:
    """The handler of a kind of job.

    Raises:
        GridError: if none is installed here, or it cannot be loaded.
    """
    check_kind(kind)
    try:
        handler: Handler = _installed()[kind].load()
    except Exception as error:  # whatever a package does when it is imported
        raise GridError(f"the handler for {kind!r} jobs cannot be loaded: {error}") from error
    return handler


@cache
def _installed() -> Mapping[str, EntryPoint]:
    return {entry.name: entry for entry in entry_points(group=GROUP)}


def echo(arguments: Json, _task: Task) -> Json:
    """Answer with the arguments: shows that a worker is there, and how far away."""
    return arguments


def sleep(arguments: Json, task: Task) -> Json:
    """Do nothing for so many `seconds`, unless aborted: takes a worker without heating it."""
    begun = time.monotonic()
    until = begun + float(arguments["seconds"])
    while (left := until - time.monotonic()) > 0 and not task.is_aborted:
        time.sleep(min(left, 0.005))
        task.progress({"seconds": round(time.monotonic() - begun, 1)})
    return {"seconds": time.monotonic() - begun}
