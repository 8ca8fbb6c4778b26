"""Work that several processes share: Ctrl-C ends them at once, and none outlives the program that started it."""

from __future__ import annotations

import os
import signal
import threading
from collections.abc import Callable, Generator, Iterator, Sequence
from contextlib import contextmanager
from typing import TypeVar

Item = TypeVar("Item")
Answer = TypeVar("Answer")


def answers_in_order(
    work: Callable[[Item], Answer],
    items: Sequence[Item],
    jobs: int,
    *,
    prepare: Callable[[], object] | None = None,
    at_once: int | None = None,
) -> Generator[Answer, None, None]:
    """Each answer as soon as it and those before it are there; few items or one job need no processes.

    Args:
        work: makes an answer of an item.
        items: what there is to do.
        jobs: how many processes.
        prepare: is called in each process before its first item.
        at_once: how many items a process is handed at a time; a few, if there are many, unless told.

    Raises:
        ChildProcessError: if a process was killed.
    """
    if jobs == 1 or len(items) < 2:
        if prepare is not None:
            prepare()
        yield from map(work, items)
        return
    # Takes long to load, and most proofs need no second process.
    from concurrent.futures import ProcessPoolExecutor
    from concurrent.futures.process import BrokenProcessPool

    executor = ProcessPoolExecutor(min(jobs, len(items)), initializer=_become_worker, initargs=(prepare,))
    size = at_once or max(1, min(8, len(items) // (4 * jobs)))
    try:
        with _interrupts_later():
            # Not executor.map: it cancels what is left when it is interrupted, and Python before 3.12 prints a
            # traceback when a worker then dies over a cancelled item.
            answers = [
                executor.submit(_several, work, items[start : start + size]) for start in range(0, len(items), size)
            ]
        for answer in answers:
            yield from answer.result()
    except BaseException as error:
        for worker in list(executor._processes.values()):  # nobody waits for what they are at
            worker.terminate()
        if isinstance(error, BrokenProcessPool):
            raise ChildProcessError("a worker process was killed, perhaps for want of memory: try fewer jobs") from None
        raise
    finally:
        executor.shutdown(cancel_futures=True)


def _several(work: Callable[[Item], Answer], items: Sequence[Item]) -> list[Answer]:
    return list(map(work, items))


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


def _become_worker(prepare: Callable[[], object] | None) -> None:
    # Ctrl-C is for the parent, which ends its workers with SIGTERM.
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    signal.signal(signal.SIGTERM, signal.SIG_DFL)
    if hasattr(signal, "pthread_sigmask"):
        signal.pthread_sigmask(signal.SIG_UNBLOCK, {signal.SIGINT})
    threading.Thread(target=_end_with_parent, daemon=True).start()
    if prepare is not None:
        prepare()


def _end_with_parent() -> None:
    import multiprocessing
    from multiprocessing.connection import wait

    parent = multiprocessing.parent_process()
    assert parent is not None
    wait([parent.sentinel])
    os._exit(1)
