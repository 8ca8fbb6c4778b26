"""Processes that play games, so that no player can harm the tournament: not by a crash, nor by thinking for ever.

A worker tells what it does, move by move. If it dies of itself, or if a player oversteps his time by far, the player
who was to move has lost; the moves so far are kept. If somebody outside killed it, the game is played again.
"""

from __future__ import annotations

import contextlib
import multiprocessing
import os
import signal
import threading
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from multiprocessing.connection import Connection, wait
from multiprocessing.process import BaseProcess
from pathlib import Path
from typing import NamedTuple

from tengen.arena.game import Outcome, PlayedMove, Reason, Rules, play_game
from tengen.game import BLACK, WHITE, Colour, Position, TengenError
from tengen.play.agent import Agent, Preparing, dismiss

MakeAgent = Callable[[str, int | None], Agent]
"""Makes a player from his spec and a seed. It is called in another process, which finds it by its name."""

START_SECONDS = 600.0
"""In this time a player must be ready to be asked."""
CLOSE_SECONDS = 5.0
"""In this time a player must let go of what he holds."""
GRACE_SECONDS = 2.0
"""A worker that says nothing for so long after a player's time is up is ended."""
ATTEMPTS = 3
"""A game is played again so often when its worker is killed; then the player to move is taken to be the cause."""

_FROM_OUTSIDE = {-getattr(signal, name) for name in ("SIGKILL", "SIGTERM", "SIGINT", "SIGHUP") if hasattr(signal, name)}


class Task(NamedTuple):
    """A game for a worker."""

    number: int
    specs: tuple[str, str]
    """Of Black and White."""
    seeds: tuple[int, int]
    opening: str
    rules: Rules


class _Thinking(NamedTuple):
    colour: Colour
    deadline: float | None


@dataclass
class _Worker:
    process: BaseProcess
    pipe: Connection
    task: Task | None = None
    moves: list[PlayedMove] = field(default_factory=list)
    thinking: Colour | None = None
    """Who is to move; None until the game has begun."""
    overdue: float | None = None
    """When it is to be ended."""

    def begin(self, task: Task) -> None:
        self.task, self.moves, self.thinking, self.overdue = task, [], None, None
        with contextlib.suppress(OSError):  # it has died meanwhile, which is seen when it is waited for
            self.pipe.send(task)

    def blame(self, reason: Reason, detail: str) -> Outcome:
        if self.thinking is None:
            raise TengenError(f"no games can be played here: a process ended before its game began ({detail})")
        return Outcome(self.thinking.opponent, reason, detail, tuple(self.moves))


class Workers:
    """A number of workers; to be closed in the end."""

    def __init__(self, count: int, make_agent: MakeAgent) -> None:
        self._make_agent = make_agent
        self._context = multiprocessing.get_context("spawn")  # a fork would copy the threads that draw the standings
        self._attempts: dict[int, int] = {}
        self._workers: list[_Worker] = []
        for _ in range(count):
            self._workers.append(self._start())

    def _start(self) -> _Worker:
        ours, theirs = self._context.Pipe()
        process = self._context.Process(target=_work, args=(theirs, self._make_agent), daemon=True)
        process.start()
        theirs.close()
        return _Worker(process, ours)

    @property
    def idle(self) -> int:
        """How many have nothing to do."""
        return sum(worker.task is None for worker in self._workers)

    def give(self, task: Task) -> None:
        """Hands a game to an idle worker."""
        next(worker for worker in self._workers if worker.task is None).begin(task)

    def wait(self, seconds: float) -> list[tuple[Task, Outcome]]:
        """The games that end within that time, as soon as there is one.

        Raises:
            TengenError: if a worker cannot even begin.
        """
        finished: list[tuple[Task, Outcome]] = []
        stop = time.monotonic() + seconds
        while not finished and (left := stop - time.monotonic()) > 0:
            busy = {worker.pipe: worker for worker in self._workers if worker.task is not None}
            overdue = [worker.overdue for worker in busy.values() if worker.overdue is not None]
            until = max(0.0, min([left, *(at - time.monotonic() for at in overdue)]))
            for pipe in wait(list(busy), until):
                assert isinstance(pipe, Connection)
                finished += self._listen(busy[pipe])
            now = time.monotonic()
            for worker in busy.values():
                if worker.overdue is not None and now > worker.overdue:
                    finished += self._end(worker, worker.blame(Reason.TIME, "no answer"))
        return finished

    def _listen(self, worker: _Worker) -> Iterator[tuple[Task, Outcome]]:
        task = worker.task
        assert task is not None
        try:
            while worker.task is not None and worker.pipe.poll():
                said = worker.pipe.recv()
                worker.overdue = None
                if isinstance(said, _Thinking):
                    worker.thinking = said.colour
                    if said.deadline is not None:
                        worker.overdue = time.monotonic() + said.deadline + GRACE_SECONDS
                elif isinstance(said, PlayedMove):
                    worker.moves.append(said)
                else:
                    worker.task = None
                    yield task, said
        except (EOFError, OSError):
            worker.process.join()
            _kill(worker.process)  # what it leaves behind
            code = worker.process.exitcode
            attempts = self._attempts[task.number] = self._attempts.get(task.number, 0) + 1
            # Before its game has begun, what is left of an earlier one may have ended it.
            if attempts < ATTEMPTS and (code in _FROM_OUTSIDE or worker.thinking is None):
                self._replace(worker)
                worker.begin(task)
            else:
                yield from self._end(worker, worker.blame(Reason.CRASH, f"the process ended with code {code}"))

    def _end(self, worker: _Worker, outcome: Outcome) -> Iterator[tuple[Task, Outcome]]:
        assert worker.task is not None
        task = worker.task
        _kill(worker.process)
        self._replace(worker)
        yield task, outcome

    def _replace(self, worker: _Worker) -> None:
        worker.pipe.close()
        fresh = self._start()
        worker.process, worker.pipe, worker.task, worker.overdue = fresh.process, fresh.pipe, None, None

    def close(self) -> None:
        """Ends them all, at work or not, with whatever they have started."""
        for worker in self._workers:
            _kill(worker.process)
            worker.pipe.close()
        self._workers = []

    def __enter__(self) -> Workers:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()


def _kill(process: BaseProcess) -> None:
    process.kill()
    if process.pid is not None:
        _kill_session(process.pid)
    process.join()


def _kill_session(leader: int) -> None:
    """Ends the processes of a session, the leader last. A worker leads one, in which the programs are that it started.

    Where the system shows no list of processes, only those end that formed no group of their own; for programs that
    players talk to, the end of their input has to do.
    """
    if not hasattr(os, "getsid"):
        return
    numbers = [int(path.name) for path in Path("/proc").glob("[0-9]*")]
    for number in sorted(numbers, key=lambda number: number == leader):
        with contextlib.suppress(OSError):
            if os.getsid(number) == leader:
                os.kill(number, signal.SIGKILL)
    with contextlib.suppress(OSError):
        os.killpg(leader, signal.SIGKILL)


# In the other processes


class _Teller:
    def __init__(self, pipe: Connection) -> None:
        self._pipe = pipe

    def thinking(self, colour: Colour, deadline: float | None) -> None:
        self._pipe.send(_Thinking(colour, deadline))

    def moved(self, move: PlayedMove) -> None:
        self._pipe.send(move)


def _work(pipe: Connection, make_agent: MakeAgent) -> None:
    if hasattr(os, "setsid"):
        os.setsid()  # Ctrl-C is for the parent
    os.dup2(2, 1)  # what a player prints is no part of our answer
    threading.Thread(target=_die_with_parent, daemon=True).start()
    while True:
        try:
            task = pipe.recv()
        except EOFError:
            return
        agents: list[Agent] = []
        pipe.send(_play(task, make_agent, agents, _Teller(pipe)))
        for agent in agents:  # only now, since one may fail badly at this, and the game is over
            _close(agent)


def _die_with_parent() -> None:
    parent = multiprocessing.parent_process()
    assert parent is not None
    wait([parent.sentinel])
    _kill_session(os.getpid())
    os._exit(1)


def _play(task: Task, make_agent: MakeAgent, agents: list[Agent], teller: _Teller) -> Outcome:
    opening = Position.parse(task.opening)
    for colour in (BLACK, WHITE):
        teller.thinking(colour, START_SECONDS)
        try:
            agents.append(agent := make_agent(task.specs[colour], task.seeds[colour]))
            if isinstance(agent, Preparing):
                agent.prepare(opening)
        except Exception as error:
            return Outcome(colour.opponent, Reason.CRASH, f"could not begin: {type(error).__name__}: {error}")
    return play_game(agents[0], agents[1], opening, task.rules, teller)


def _close(agent: Agent) -> None:
    # One that does not let go must not keep the next game waiting.
    thread = threading.Thread(target=dismiss, args=(agent,), daemon=True)
    thread.start()
    thread.join(CLOSE_SECONDS)
