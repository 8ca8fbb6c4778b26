"""Analyses that run while people look on: a queue, some threads, and a way to stop each at once."""

from __future__ import annotations

import threading
import time
from collections import deque
from collections.abc import Callable, Collection, Sequence
from dataclasses import dataclass, field
from itertools import count
from typing import Any, Literal

from tengen.game import Position, TengenError
from tengen.play import make_agent
from tengen.play.agent import dismiss
from tengen.protocol.analysis.questions import answer
from tengen.solve import Control

REPORT_SECONDS = 0.1
"""How often at most the world is told of progress."""
KEPT = 50
"""How many finished tasks are remembered."""
MAX_WAITING = 1000
CLOSE_SECONDS = 10.0
"""How long the end of all waits for tasks that do not hear that they are stopped."""

State = Literal["waiting", "running", "done", "stopped", "failed"]
Tell = Callable[[Callable[[], dict[str, Any]]], object]
Work = Callable[[Control, Tell], dict[str, Any]]


@dataclass(eq=False)
class Task:
    """A question that takes a while."""

    id: int
    kind: str
    document: str
    node: int
    position: str
    work: Work = field(repr=False)
    options: dict[str, Any] = field(default_factory=dict)
    state: State = "waiting"
    control: Control = field(default_factory=Control, repr=False)
    started: float | None = None
    seconds: float = 0.0
    answer: dict[str, Any] | None = None
    """What is known; while it runs, what is known so far."""
    error: str | None = None

    def running_seconds(self) -> float:
        """How long it has run."""
        return self.seconds if self.started is None else time.perf_counter() - self.started

    def as_json(self) -> dict[str, Any]:
        """What windows are told."""
        return {
            "id": self.id,
            "kind": self.kind,
            "document": self.document,
            "node": self.node,
            "position": self.position,
            "options": self.options,
            "state": self.state,
            "seconds": round(self.seconds, 3),
            "answer": self.answer,
            "error": self.error,
        }


class Tasks:
    """All analyses, those that wait, run and are finished. Safe to use from several threads."""

    def __init__(
        self,
        tell: Callable[[Task], object],
        slots: int = 2,
        forgotten: Callable[[Task], object] = lambda _task: None,
    ) -> None:
        """Starts the threads.

        Args:
            tell: called whenever a task has changed, from any thread.
            slots: how many tasks run at the same time.
            forgotten: called with each finished task that is not remembered any more.
        """
        self._tell, self._forgotten = tell, forgotten
        self._numbers = count(1)
        self._changed = threading.Condition()
        self._all: dict[int, Task] = {}
        self._waiting: deque[Task] = deque()
        self._ending = False
        self._slots: list[Task | None] = [None] * slots
        self._threads = [threading.Thread(target=self._run, args=[n], daemon=True) for n in range(slots)]
        for thread in self._threads:
            thread.start()

    def add(
        self,
        kind: str,
        document: str,
        node: int,
        position: str,
        work: Work,
        options: dict[str, Any],
        made: Callable[[Task], object] = lambda _task: None,
    ) -> Task:
        """Puts a task into the queue.

        Args:
            kind: of question.
            document: what it is about: the record, …
            node: … the place in it, …
            position: … and the position there.
            work: does it.
            options: what windows are told of the question.
            made: called with the task before anybody hears of it.

        Raises:
            TengenError: if far too many are waiting.
        """
        with self._changed:
            if len(self._waiting) >= MAX_WAITING:
                raise TengenError(f"{MAX_WAITING} analyses are waiting already")
            task = Task(next(self._numbers), kind, document, node, position, work, options)
            made(task)
            self._all[task.id] = task
            self._waiting.append(task)
            old_ones = self._old_ones()
            for old in old_ones:
                del self._all[old.id]
            self._changed.notify_all()
        for old in old_ones:
            self._forgotten(old)
        self._tell(task)
        return task

    def list(self) -> list[Task]:
        """All that are known, the oldest first."""
        with self._changed:
            return [*self._all.values()]

    def slots(self) -> tuple[Task | None, ...]:
        """What each thread is doing."""
        return tuple(self._slots)

    def stop(self, id: int | None = None) -> None:
        """Stops a task, or all: what they have found so far is their answer. Unknown ones are long finished."""
        with self._changed:
            chosen = [*self._all.values()] if id is None else [self._all[id]] if id in self._all else []
            dropped = [task for task in chosen if task in self._waiting]
            for task in dropped:
                self._waiting.remove(task)
                task.state = "stopped"
            for task in chosen:
                task.control.stop()
        for task in dropped:
            self._tell(task)

    def replace_answer(self, id: int, answer: dict[str, Any]) -> None:
        """What a task has found is told in another way; unknown ones are long forgotten."""
        with self._changed:
            task = self._all.get(id)
            if task is None:
                return
            task.answer = answer
        self._tell(task)

    def close(self) -> None:
        """Stops everything and waits for the threads; a task that does not hear of it ends with the process."""
        with self._changed:
            self._ending = True
            self._changed.notify_all()
        self.stop()
        end = time.monotonic() + CLOSE_SECONDS
        for thread in self._threads:
            thread.join(max(0.0, end - time.monotonic()))

    def _old_ones(self) -> Sequence[Task]:
        return [task for task in self._all.values() if task.state not in ("waiting", "running")][:-KEPT]

    def _run(self, slot: int) -> None:
        while (task := self._next()) is not None:
            self._slots[slot] = task
            task.started = begun = time.perf_counter()
            told = 0.0
            self._tell(task)

            def tell(known: Callable[[], dict[str, Any]], task: Task = task, begun: float = begun) -> None:
                nonlocal told
                task.seconds = time.perf_counter() - begun
                if task.seconds - told >= REPORT_SECONDS:
                    told = task.seconds
                    task.answer = known()
                    self._tell(task)

            try:
                task.answer = task.work(task.control, tell)
                state: State = "stopped" if task.control.stopped else "done"
            except TengenError as error:
                if task.control.stopped:  # as a program of others that was ended
                    state = "stopped"
                else:
                    task.error, state = str(error), "failed"
            except Exception as error:  # a fault of ours must not end the thread
                task.error, state = f"internal error: {type(error).__name__}: {error}", "failed"
            task.seconds = time.perf_counter() - begun
            task.started = self._slots[slot] = None
            task.state = state
            self._tell(task)

    def _next(self) -> Task | None:
        with self._changed:
            while not self._waiting:
                if self._ending:
                    return None
                self._changed.wait()
            task = self._waiting.popleft()
            task.state = "running"
            return task


def question(kind: str, position: Position, options: dict[str, Any], agent: str, programs: Collection[str]) -> Work:
    """The work of answering one of the questions of the analysis protocol.

    Args:
        kind: of question.
        position: what it is about.
        options: what the kind of question knows.
        agent: who is asked, if it is a question for an agent.
        programs: those of others that may be asked.

    Raises:
        TengenError: if there is no such agent, or it is a program that may not be asked.
        OSError: if a file that it needs cannot be read.
    """
    player = make_agent(agent, programs=programs)

    def work(control: Control, tell: Tell) -> dict[str, Any]:
        try:
            return answer(kind, position, options, lambda: player, control, tell)
        finally:
            dismiss(player)

    return work
