"""Work that several processes share."""

from __future__ import annotations

import multiprocessing
import signal
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ProcessPoolExecutor
from concurrent.futures.process import BrokenProcessPool
from contextlib import contextmanager
from typing import TypeVar

Item = TypeVar("Item")
Answer = TypeVar("Answer")


def answers_in_order(work: Callable[[Item], Answer], items: Sequence[Item], jobs: int) -> Iterator[Answer]:
    """Each answer as soon as it and those before it are there; few items or one job need no processes.

    Raises:
        ChildProcessError: if a process was killed.
    """
    if jobs == 1 or len(items) < 2:
        yield from map(work, items)
        return
    executor = ProcessPoolExecutor(min(jobs, len(items)), initializer=_become_worker)
    try:
        with _interrupts_later():
            answers = executor.map(work, items, chunksize=max(1, min(8, len(items) // (4 * jobs))))
        yield from answers
    except BaseException as error:
        for worker in multiprocessing.active_children():  # nobody waits for what they are at
            worker.terminate()
        if isinstance(error, BrokenProcessPool):
            raise ChildProcessError("a worker process was killed, perhaps for want of memory: try fewer jobs") from None
        raise
    finally:
        executor.shutdown(cancel_futures=True)


@contextmanager
def _interrupts_later() -> Iterator[None]:
    """Ctrl-C waits, here and in the processes that are started, which come to ignore it."""
    if not hasattr(signal, "pthread_sigmask"):  # Windows
        yield
        return
    before = signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGINT})
    try:
        yield
    finally:
        signal.pthread_sigmask(signal.SIG_SETMASK, before)


def _become_worker() -> None:
    # Ctrl-C is for the parent, which ends its workers with SIGTERM.
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    signal.signal(signal.SIGTERM, signal.SIG_DFL)
    if hasattr(signal, "pthread_sigmask"):
        signal.pthread_sigmask(signal.SIG_UNBLOCK, {signal.SIGINT})
