"""A worker: takes jobs from a broker, one for each core, and runs them in child processes.

It opens one outgoing connection and listens on nothing. A job is acknowledged when its result is stored. Until then the
worker confirms regularly that it has the job; if it stops, the broker gives the job to another.
"""

from __future__ import annotations

import asyncio
import contextlib
import json
import secrets
import signal
import time
from collections import deque
from collections.abc import Callable, Coroutine
from dataclasses import dataclass, field
from typing import Any

from nats.aio.client import Client
from nats.aio.msg import Msg

from tengen.grid.census import BEAT_SECONDS
from tengen.grid.considerate import Considerate, Pause
from tengen.grid.desk import ATTEMPTS
from tengen.grid.errors import GridError
from tengen.grid.handlers import check_kind
from tengen.grid.intake import Intake
from tengen.grid.jobs import Json
from tengen.grid.keys import Invitation
from tengen.grid.link import TROUBLE, Link, end_all
from tengen.grid.messages import (
    MAX_REPORT,
    AbortMessage,
    JobMessage,
    Outcome,
    ResultMessage,
    SlotReport,
    WorkerBeat,
    decode,
    encode,
)
from tengen.grid.runner import ABORT_SECONDS, MOST_FAILED_STARTS, START_SECONDS, Runner, Said
from tengen.grid.subjects import ASK, abort_subject, ack_place, beat_subject, last_word, live, result_subject

REFUSAL_SECONDS = 1.0
"""Seconds without a further job after one for which the worker has no handler."""
MAX_PROGRESS = 4096
_FIRST_WORD_SECONDS = 5.0
"""Seconds after which the worker reports that no grid answers."""
_SOON = 0.02


@dataclass
class _Work:
    """A running job."""

    job: JobMessage
    client: str
    attempt: int
    reply: str
    begun: float = field(default_factory=time.monotonic)
    progress: Json | None = None
    is_aborted: bool = False
    is_returned: bool = False
    end: asyncio.Future[Said] = field(default_factory=lambda: asyncio.get_running_loop().create_future())


@dataclass
class _Slot:
    number: int
    runner: Runner | None = None
    """None until a process could be started."""
    is_ready: asyncio.Event = field(default_factory=asyncio.Event)
    work: _Work | None = None
    failed_starts: int = 0


class GridWorker:
    """Works for a grid until `leave` is called.

    Args:
        invitation: for a worker.
        cores: how many jobs to do at once.
        nice: whether to make way for whoever else uses this machine.
        version: what to tell about this program.
        runners: what makes the processes; measurements have them played by something lighter.
        tell: is called with a sentence when something happens that the owner of this machine may want to know.

    Raises:
        GridError: if the invitation is not one for a worker.
    """

    def __init__(
        self,
        invitation: Invitation,
        cores: int,
        *,
        nice: bool = False,
        version: str = "",
        tell: Callable[[str], object] = print,
        runners: type[Runner] = Runner,
    ) -> None:
        invitation.expect("worker")
        self._invitation, self._cores, self._nice, self._version, self._tell = invitation, cores, nice, version, tell
        self._name, self._runners = invitation.name, runners
        self._session = secrets.token_hex(8)
        self._slots: list[_Slot] = []
        self._done = 0
        self._aborted: deque[str] = deque(maxlen=1000)
        self._deliveries: set[asyncio.Task[None]] = set()
        self._pause = Pause(cores)
        self._may_pull = asyncio.Condition()
        self._is_leaving = asyncio.Event()
        self._beat_is_due: asyncio.TimerHandle | None = None
        self._is_ended = False

    async def run(self) -> None:
        """Work until `leave`; return when all running jobs are returned.

        Raises:
            RefusedError: if the broker refuses the key, now or later.
            VersionError: if it has another protocol version.
            GridError: if no process for jobs can be started here.
        """
        self._loop = asyncio.get_running_loop()
        self._broken: asyncio.Future[None] = self._loop.create_future()
        invitation = self._invitation
        self._link = Link(
            invitation.url,
            invitation.certificate,
            invitation.seed,
            self._name,
            self._on_open,
            self._on_lost,
            lambda reason: self._tell(reason or "the broker stores messages again"),
        )
        self._intake = Intake(self._link, self._name, self._return)
        self._slots = [_Slot(number) for number in range(1, self._cores + 1)]
        for slot in self._slots:
            self._start_process(slot)
        leaving = asyncio.ensure_future(self._is_leaving.wait())
        tasks = [asyncio.ensure_future(self._link.run()), asyncio.ensure_future(self._beat_for_ever())]
        tasks += [asyncio.ensure_future(self._serve(slot)) for slot in self._slots]
        first_word = self._loop.call_later(_FIRST_WORD_SECONDS, self._tell_if_nobody_answers)
        if self._nice:
            tasks.append(asyncio.ensure_future(self._be_considerate()))
        try:
            ends: list[asyncio.Future[Any]] = [leaving, self._broken, *tasks]
            await asyncio.wait(ends, return_when=asyncio.FIRST_COMPLETED)
            if leaving.done():
                await self._hand_all_back()
            for ended in [self._broken, *tasks]:
                if ended.done():
                    ended.result()  # raises what ended it
        finally:
            first_word.cancel()
            self._is_ended = True
            for slot in self._slots:
                if slot.runner is not None:
                    slot.runner.kill()
            await end_all([leaving, self._broken, *tasks, *self._deliveries])
            await self._intake.close()

    def leave(self) -> None:
        """Return all running jobs and end."""
        self._is_leaving.set()

    # The connection

    def _tell_if_nobody_answers(self) -> None:
        if self._link.client is None:
            reason = f" ({self._link.last_error})" if self._link.last_error else ""
            self._tell(f"no grid answers at {self._invitation.url}; waiting for it{reason}")

    async def _on_open(self, client: Client) -> None:
        self._tell(f"connected to {self._invitation.url} as {self._name!r}, {self._cores} at a time")
        for subject in (abort_subject("*", self._name), abort_subject("*")):
            await client.subscribe(live(subject), cb=self._on_abort)
        await client.subscribe(live(ASK), cb=self._on_ask)
        self._loop.call_soon(self._beat_soon)

    def _on_lost(self) -> None:
        self._intake.interrupt()
        if not self._is_leaving.is_set():
            self._tell(f"the grid at {self._invitation.url} is away; waiting for it")

    async def _on_ask(self, _message: Msg) -> None:
        await self._beat()

    async def _on_abort(self, message: Msg) -> None:
        with contextlib.suppress(GridError):  # malformed
            job, client = decode(AbortMessage, message.data, MAX_REPORT).job, last_word(message.subject)
            self._aborted.append(f"{client} {job}")
            for slot in self._slots:
                if slot.work is not None and (slot.work.job.job, slot.work.client) == (job, client):
                    slot.work.is_aborted = True
                    self._interrupt(slot)

    # Jobs

    async def _serve(self, slot: _Slot) -> None:
        while True:
            async with self._may_pull:
                await self._may_pull.wait_for(lambda: slot.number <= self._pause.cores)
            await slot.is_ready.wait()
            message = await self._intake.next()
            if message is not None:
                await self._work(slot, message)

    async def _return(self, message: Msg) -> None:
        if (work := self._accepted(message)) is not None:
            await self._answer(work, "returned")

    def _accepted(self, message: Msg) -> _Work | None:
        place = ack_place(message.reply)
        if place is None:
            return None
        try:
            job = decode(JobMessage, message.data)
        except GridError as error:
            self._tell(f"a job was thrown away: {error}")
            self._spawn(self._link.send(message.reply, b"+TERM"))
            return None
        return _Work(job, last_word(message.subject), job.attempt + place.delivered - 1, message.reply)

    async def _work(self, slot: _Slot, message: Msg) -> None:
        work = self._accepted(message)
        if work is None:
            return
        job = work.job
        runner = slot.runner
        if self._is_leaving.is_set() or runner is None:  # the process has died while we waited for a job
            self._spawn(self._answer(work, "returned"))
            return
        if f"{work.client} {job.job}" in self._aborted:
            self._spawn(self._answer(work, "aborted"))
            return
        if work.attempt > ATTEMPTS:
            self._spawn(self._answer(work, "abandoned", message="the workers that had it fell silent"))
            return
        try:
            check_kind(job.kind)
        except GridError as error:
            self._spawn(self._answer(work, "refused", message=f"{self._name}: {error}"))
            await asyncio.sleep(REFUSAL_SECONDS)
            return
        slot.work = work
        runner.begin(job.job, job.kind, json.dumps(job.arguments))
        self._beat_soon()
        while not work.end.done():
            await asyncio.wait([work.end], timeout=self._link.ack_seconds / 3)
            if not work.end.done():
                await self._link.send(work.reply, b"+WPI")
        said = work.end.result()
        slot.work = None
        self._done += 1
        self._beat_soon()
        self._spawn(self._answer(work, _outcome(work, said), said.result, said.message, said.seconds))

    async def _answer(
        self, work: _Work, outcome: Outcome, result: Json | None = None, message: str = "", seconds: float = 0.0
    ) -> None:
        job, attempt = work.job.job, work.attempt
        answer = ResultMessage(
            job=job,
            outcome=outcome,
            attempt=attempt,
            result=None if result is None else dict(result),
            message=message[:2000],
            seconds=seconds,
        )
        subject = result_subject(work.client, job, self._name)
        # The acknowledgement subject is unique for each delivery: a retry on this worker is no duplicate.
        await self._link.store(subject, encode(answer), f"{job}:{self._session}:{work.reply}:{outcome}")
        for _ in range(5):  # if all fail, the job runs once more, without harm
            client = await self._link.opened()
            with contextlib.suppress(*TROUBLE):
                await client.request(work.reply, b"+ACK", 2.0)
                return

    # Processes

    def _runner(self) -> Runner:
        def tell(runner: Runner, said: Said) -> None:
            with contextlib.suppress(RuntimeError):  # the loop has ended
                self._loop.call_soon_threadsafe(self._heard, runner, said)

        return self._runners(tell, nice=self._nice)

    def _heard(self, runner: Runner, said: Said) -> None:
        slot = next((slot for slot in self._slots if slot.runner is runner), None)
        if slot is None:
            return
        work = slot.work
        if said.what == "ready":
            slot.failed_starts = 0
            slot.is_ready.set()
        elif said.what == "progress":
            if work is not None and work.job.job == said.job and len(json.dumps(said.result)) <= MAX_PROGRESS:
                work.progress = said.result
        elif said.what == "ended":
            slot.runner = None
            slot.is_ready.clear()
            if work is not None and not work.end.done():
                work.end.set_result(said)
            if self._may_try_again(slot, said.message):
                self._start_process(slot)
        elif work is not None and work.job.job == said.job and not work.end.done():
            work.end.set_result(said)

    def _start_process(self, slot: _Slot) -> None:
        """Start the process of a slot, later if that fails now."""
        if self._is_ended:
            return
        try:
            slot.runner = self._runner()
        except OSError as error:
            if self._may_try_again(slot, str(error)):
                self._loop.call_later(START_SECONDS, self._start_process, slot)

    def _may_try_again(self, slot: _Slot, reason: str) -> bool:
        """Count a failed start; end the worker after too many in a row."""
        slot.failed_starts += 1
        if slot.failed_starts <= MOST_FAILED_STARTS:
            return True
        if not self._broken.done():
            self._broken.set_exception(GridError(f"no process for jobs can be started here: {reason}"))
        return False

    def _interrupt(self, slot: _Slot) -> None:
        work, runner = slot.work, slot.runner
        assert work is not None
        if runner is None:  # it has died, which ends the work as well
            return

        def enforce() -> None:
            if slot.work is work and not work.end.done():
                runner.kill()

        runner.abort(work.job.job)
        self._loop.call_later(ABORT_SECONDS, enforce)

    def _give_back(self, slots: list[_Slot]) -> None:
        for slot in slots:
            if slot.work is not None:
                slot.work.is_returned = True
                self._interrupt(slot)

    async def _hand_all_back(self) -> None:
        self._pause = Pause(0, "leaving")
        self._intake.interrupt()
        self._give_back(self._slots)
        with contextlib.suppress(asyncio.TimeoutError):
            async with asyncio.timeout(ABORT_SECONDS + 3):
                while any(slot.work is not None for slot in self._slots) or self._deliveries:
                    await asyncio.sleep(0.02)
        await self._beat(is_leaving=True)
        if self._link.client is not None:
            with contextlib.suppress(*TROUBLE):
                await self._link.client.flush(2)

    # Beats

    def _beat_soon(self) -> None:
        if self._beat_is_due is None:
            self._beat_is_due = self._loop.call_later(_SOON, lambda: self._spawn(self._beat()))

    async def _beat_for_ever(self) -> None:
        while True:
            await self._beat()
            await asyncio.sleep(BEAT_SECONDS)

    async def _beat(self, is_leaving: bool = False) -> None:
        if self._beat_is_due is not None:
            self._beat_is_due.cancel()
            self._beat_is_due = None
        now = time.monotonic()
        busy = [
            SlotReport(
                slot=slot.number,
                job=slot.work.job.job,
                kind=slot.work.job.kind,
                client=slot.work.client,
                seconds=now - slot.work.begun,
                progress=None if slot.work.progress is None else dict(slot.work.progress),
            )
            for slot in self._slots
            if slot.work is not None
        ]
        beat = WorkerBeat(
            session=self._session,
            cores=self._pause.cores,
            busy=busy,
            done=self._done,
            pause=self._pause.reason,
            version=self._version,
            is_leaving=is_leaving,
        )
        await self._link.send(beat_subject(self._name), encode(beat, MAX_REPORT))

    async def _be_considerate(self) -> None:
        considerate = Considerate(self._cores)
        while True:
            pause = await asyncio.to_thread(considerate.look)
            async with self._may_pull:
                if pause == self._pause or self._is_leaving.is_set():  # no further jobs while leaving
                    continue
                if pause.reason != self._pause.reason:
                    self._tell(f"pausing: {pause.reason}" if pause.reason else "going on")
                self._pause = pause
                self._may_pull.notify_all()
            if pause.gives_back:
                self._give_back(self._slots)
            self._intake.interrupt()
            self._beat_soon()

    def _spawn(self, work: Coroutine[Any, Any, None]) -> None:
        task = asyncio.ensure_future(work)
        self._deliveries.add(task)
        task.add_done_callback(self._deliveries.discard)


def _outcome(work: _Work, said: Said) -> Outcome:
    if said.what == "result":
        return "done"
    if said.what == "error":
        return "failed"
    if work.is_aborted:
        return "aborted"
    return "returned" if work.is_returned else "crashed"


def work(invitation: Invitation, cores: int, *, nice: bool, version: str, tell: Callable[[str], object]) -> None:
    """Work until Ctrl-C or SIGTERM, in a program that does nothing else. The arguments are those of `GridWorker`.

    Raises:
        GridError: as `GridWorker` and its `run` do.
    """

    async def run() -> None:
        worker = GridWorker(invitation, cores, nice=nice, version=version, tell=tell)
        loop = asyncio.get_running_loop()
        with contextlib.suppress(NotImplementedError):  # on Windows, where Ctrl-C just ends it
            for number in (signal.SIGINT, signal.SIGTERM):
                loop.add_signal_handler(number, worker.leave)
        await worker.run()

    asyncio.run(run())
