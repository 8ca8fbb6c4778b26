"""A job system by what a user says: `local`, `local:4`, or the file of an invitation."""

from __future__ import annotations

import os
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any

from tengen.grid.errors import GridError
from tengen.grid.jobs import DurableJobSystem
from tengen.grid.pool import Pool

if TYPE_CHECKING:
    from tengen.grid.keys import Invitation

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
    workers = _local_workers(where, wanted)
    if workers is not None:
        return Pool(workers, predispatch=predispatch, resume=resume)
    invitation = _invitation(where)
    with extra_packages():
        from tengen.grid.client import GridClient
    return GridClient(invitation, weight=weight, wanted=wanted, predispatch=predispatch, resume=resume)


def check_where(where: str) -> None:
    """Makes sure that `open_jobs` knows where to go, as far as that can be told without going there.

    Raises:
        GridError: if it says nothing that makes sense, or the file is no invitation of a client.
        OSError: if the file cannot be read.
    """
    if _local_workers(where) is None:
        _invitation(where)


def _local_workers(where: str, wanted: int | None = None) -> int | None:
    """How many processes of this machine are meant; None if it is a file."""
    place, colon, count = where.partition(":")
    if place != "local":
        return None
    if colon and not count.isdecimal():
        raise GridError(f"{where!r}: after 'local:' comes the number of workers, as in local:4")
    cores = os.cpu_count() or 1
    workers = int(count) if colon else cores if wanted is None else min(wanted, cores)
    if not 1 <= workers <= MOST_WORKERS:
        raise GridError(f"a grid on this machine has 1 to {MOST_WORKERS:,} workers, not {workers}")
    return workers


def _invitation(file: str) -> Invitation:
    with extra_packages():
        from tengen.grid.keys import Invitation
    return Invitation.read(file).expect("client")
