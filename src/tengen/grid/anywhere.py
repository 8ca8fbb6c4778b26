"""A job system by what a user says: `local`, `local:4`, or the file of an invitation."""

from __future__ import annotations

import os
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from typing import Any

from tengen.grid.errors import GridError
from tengen.grid.jobs import DurableJobSystem
from tengen.grid.pool import Pool

MOST_WORKERS = 1_024
"""On one machine: more would only take its memory."""
_EXTRAS = {"cryptography", "nacl", "nats", "nkeys", "psutil", "pydantic"}


@contextmanager
def extra_packages() -> Iterator[None]:
    """Where modules are imported that not everybody has installed.

    Raises:
        GridError: if one is missing; says what to install.
    """
    try:
        yield
    except ModuleNotFoundError as error:
        if (error.name or "").partition(".")[0] not in _EXTRAS:
            raise
        raise GridError(f"a grid of many machines needs {error.name}: pip install 'tengen[grid]'") from error


def open_jobs(
    where: str = "local",
    *,
    weight: float = 1.0,
    wanted: int | None = None,
    predispatch: int = 1,
    resume: Mapping[str, Any] | None = None,
) -> DurableJobSystem:
    """Opens a job system; to be closed in the end.

    Args:
        where: `local` for this machine's cores, `local:N` for so many processes, or the file of a client's invitation.
        weight: among several clients of a grid.
        wanted: so many workers are enough.
        predispatch: how many jobs may wait beyond those that run.
        resume: the checkpoint of an earlier run.

    Raises:
        GridError: if it cannot be opened; says why.
        OSError: if the file cannot be read.
    """
    place, _, count = where.partition(":")
    if place == "local" and (not count or count.isdecimal()):
        cores = os.cpu_count() or 1
        workers = int(count) if count else cores if wanted is None else min(wanted, cores)
        if not 1 <= workers <= MOST_WORKERS:
            raise GridError(f"a grid on this machine has 1 to {MOST_WORKERS:,} workers, not {workers}")
        return Pool(workers, predispatch=predispatch, resume=resume)
    with extra_packages():
        from tengen.grid.client import GridClient
        from tengen.grid.keys import Invitation
    invitation = Invitation.read(where)
    return GridClient(invitation, weight=weight, wanted=wanted, predispatch=predispatch, resume=resume)
