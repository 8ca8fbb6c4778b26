"""The analysis server: queries come in, workers answer them, answers go out in any order."""

from __future__ import annotations

import json
import threading
import time
from collections import deque
from collections.abc import Callable
from dataclasses import dataclass, field
from itertools import chain
from typing import IO, Any

from tengen import __version__
from tengen.game import Position, TengenError
from tengen.play.agent import Agent, dismiss
from tengen.protocol.analysis.queries import Action, Query, QueryError, read_query
from tengen.protocol.analysis.questions import answer
from tengen.protocol.speaker import MAX_LINE, read_line
from tengen.solve import Control

MAX_WAITING = 10_000
"""How many positions may wait at once."""
DEFAULT_SECONDS = 10.0
"""What a query may take that gives no limit."""


@dataclass(eq=False)
class _Task:
    """One position of a query."""

    query: Query
    turn: int
    position: Position
    control: Control = field(default_factory=Control)
    started: float = 0.0
    due: float | None = None
    """When to report next."""
    known: Callable[[], dict[str, Any]] = dict

    def known_now(self) -> dict[str, Any]:
        """What is known so far; nothing if an agent has told what cannot be told on."""
        try:
            return self.known()
        except Exception:  # an agent may be anybody's; the answer in the end says what is wrong with it
            return {}

    def said(self, **rest: Any) -> dict[str, Any]:
        """An answer, with what every answer begins with."""
        return {"id": self.query.id, "kind": self.query.kind, "turn": self.turn, **rest}


class AnalysisServer:
    """Answers queries on threads of its own. Nothing that a query says makes it fail."""

    def __init__(
        self,
        make_agent: Callable[[], Agent],
        write: Callable[[str], object],
        threads: int = 1,
        seconds: float = DEFAULT_SECONDS,
    ) -> None:
        """Starts the threads.

        Args:
            make_agent: makes the agent who analyses; each thread has its own.
            write: takes the answers, one line each; never called from two threads at once.
            threads: how many questions are answered at the same time.
            seconds: the limit of a query that gives none.
        """
        self._make_agent, self._write, self._seconds = make_agent, write, seconds
        self._changed = threading.Condition()
        self._waiting: deque[_Task] = deque()
        self._running: list[_Task] = []
        self._ending = False
        self._workers = [
            threading.Thread(target=self._work, name=f"analysis {number}", daemon=True) for number in range(threads)
        ]
        self._reporter = threading.Thread(target=self._report, name="analysis reports", daemon=True)
        for thread in (*self._workers, self._reporter):
            thread.start()

    def accept(self, line: str) -> None:
        """Takes one line of input; never raises anything."""
        if not line.strip():
            return
        if len(line) >= MAX_LINE - 1:
            self._say(QueryError(f"a query has at most {MAX_LINE - 2} bytes").as_json())
            return
        try:
            query = read_query(line)
            if isinstance(query, Action):
                self._act(query)
            else:
                self._enqueue(query)
        except QueryError as error:
            self._say(error.as_json())

    def finish(self, wait: bool = True) -> None:
        """Ends the threads: when all is answered, or at once, with what the running searches have found so far."""
        if not wait:
            self._terminate(None)
        with self._changed:
            self._ending = True
            self._changed.notify_all()
        for thread in (*self._workers, self._reporter):
            thread.join()

    # Taking queries

    def _enqueue(self, query: Query) -> None:
        with self._changed:
            if any(task.query.id == query.id for task in chain(self._waiting, self._running)):
                raise QueryError("a query with this id is not answered yet", "id", query.id)
            if len(self._waiting) + len(query.positions) > MAX_WAITING:
                raise QueryError(f"{MAX_WAITING} positions are waiting already", None, query.id)
            self._waiting += [_Task(query, turn, position) for turn, position in query.positions]
            self._changed.notify_all()

    def _act(self, action: Action) -> None:
        said: dict[str, Any] = {"id": action.id, "action": action.action}
        if action.action == "query_version":
            said["version"] = __version__
        elif action.action == "terminate":
            said["terminate_id"] = action.terminate_id
        self._say(said)
        if action.action != "query_version":
            self._terminate(action.terminate_id)

    def _terminate(self, id: str | None) -> None:
        """Stops the queries with this id, or all: those that wait are answered at once."""
        with self._changed:
            stopped = [task for task in self._waiting if id in (None, task.query.id)]
            self._waiting = deque(task for task in self._waiting if id not in (None, task.query.id))
            for task in self._running:
                if id in (None, task.query.id):
                    task.control.stop()
            for task in stopped:
                self._say(task.said(during_search=False, no_results=True))

    # Answering them

    def _work(self) -> None:
        agents: list[Agent] = []

        def agent() -> Agent:
            if not agents:
                agents.append(self._make_agent())
            return agents[0]

        while (task := self._next()) is not None:
            said = self._answer(task, agent)
            with self._changed:
                self._running.remove(task)
                self._say(said)
                self._changed.notify_all()
        for made in agents:
            dismiss(made)

    def _next(self) -> _Task | None:
        with self._changed:
            while not self._waiting:
                if self._ending:
                    return None
                self._changed.wait()
            task = self._waiting.popleft()
            task.started = time.monotonic()
            if task.query.report_every is not None:
                task.due = task.started + task.query.report_every
            self._running.append(task)
            self._changed.notify_all()
            return task

    def _answer(self, task: _Task, agent: Callable[[], Agent]) -> dict[str, Any]:
        options = dict(task.query.options)
        if task.query.kind != "threats" and not {"seconds", "nodes", "remaining"} & options.keys():
            options["seconds"] = self._seconds

        def tell(known: Callable[[], dict[str, Any]]) -> None:
            task.known = known

        try:
            found = answer(task.query.kind, task.position, options, agent, task.control, tell)
        except TengenError as error:
            if task.control.stopped:  # as a program of others that was ended
                return task.said(during_search=False, no_results=True)
            return task.said(error=str(error))
        except Exception as error:  # a fault of ours must not take the other queries with it
            return task.said(error=f"internal error: {type(error).__name__}: {error}")
        return task.said(during_search=False, answer=found)

    def _report(self) -> None:
        with self._changed:
            while self._running or self._waiting or not self._ending:
                now = time.monotonic()
                for task in self._running:
                    if task.due is not None and task.query.report_every is not None and task.due <= now:
                        seconds = round(now - task.started, 6)
                        self._say(task.said(during_search=True, answer={**task.known_now(), "seconds": seconds}))
                        task.due = now + task.query.report_every
                due = [task.due for task in self._running if task.due is not None]
                self._changed.wait(max(min(due) - now, 0.0) if due else None)

    def _say(self, said: dict[str, Any]) -> None:
        with self._changed:
            try:
                self._write(json.dumps(said))
            except (OSError, ValueError):  # nobody reads any more: there is no point in searching on
                self._waiting.clear()
                for task in self._running:
                    task.control.stop()
                self._ending = True


def serve(server: AnalysisServer, source: IO[bytes], wait: bool = True) -> None:
    """Takes queries until the input ends, then finishes."""
    try:
        while (line := read_line(source)) is not None:
            server.accept(line)
    except BaseException:
        server.finish(wait=False)
        raise
    server.finish(wait)
