"""Files and folders that one program at a time may change."""

from __future__ import annotations

import os
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

try:
    import fcntl
except ImportError:  # no locks of this kind on Windows
    fcntl = None  # type: ignore[assignment]


def lock_file(descriptor: int) -> None:
    """Have an open file for ourselves until it is closed; where there are no such locks, nothing happens.

    Raises:
        BlockingIOError: if somebody else has it.
        OSError: if it cannot be locked.
    """
    if fcntl is not None:
        fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)


@contextmanager
def locked_folder(folder: Path) -> Iterator[None]:
    """Have a folder for ourselves for a while; waits until nobody else has it.

    Raises:
        OSError: if it cannot be locked.
    """
    if fcntl is None:
        yield
        return
    descriptor = os.open(folder, os.O_RDONLY)
    try:
        fcntl.flock(descriptor, fcntl.LOCK_EX)
        yield
    finally:
        os.close(descriptor)
