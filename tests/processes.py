"""Processes that tests have started: whom these have started in turn, and that all of them come to an end."""

import os
import time
from collections.abc import Sequence

import psutil
import pytest

posix_only = pytest.mark.skipif(os.name != "posix", reason="needs process groups and signals")


def children_of(pid: int, count: int) -> list[psutil.Process]:
    """The children of a process, as soon as it has so many."""
    parent = psutil.Process(pid)
    while True:
        assert is_alive(parent), "it ended too early"  # else its children would be waited for in vain, for ever
        children = parent.children()
        if len(children) >= count:
            return children
        time.sleep(0.05)


def all_end(processes: Sequence[psutil.Process]) -> bool:
    """Whether they have ended, or do so within a minute; what nobody has waited for is no more. Others are killed."""
    deadline = time.monotonic() + 60
    while left := [process for process in processes if is_alive(process)]:
        if time.monotonic() > deadline:
            for process in left:
                process.kill()
            return False
        time.sleep(0.05)
    return True


def is_alive(process: psutil.Process) -> bool:
    """Whether it runs; one whose number another process has got by now does not."""
    try:
        return process.is_running() and process.status() != psutil.STATUS_ZOMBIE
    except psutil.NoSuchProcess:
        return False
