"""Jobs on many machines: a client of a broker.

The client keeps the truth about its jobs. It puts them into the broker's queue, reads the log of answers from where it
stopped, and puts a job in again when a worker has died of it, has handed it back, or when nobody seems to have it.

What an earlier client of the same name has left behind, having been killed, is called back, unless the checkpoint of
that one is gone on with; but not as long as somebody else uses the name, whose jobs these may be.
"""

from __future__ import annotations

import asyncio
import contextlib
import json
import secrets
import threading
import time
from collections import deque
from collections.abc import Coroutine, Mapping, Sequence
from concurrent.futures import Future
from dataclasses import dataclass
from typing import Any

from nats.aio.client import Client
from nats.aio.msg import Msg
from nats.js.errors import APIError

from tengen.grid.census import BEAT_SECONDS, SILENT_SECONDS, Census
from tengen.grid.desk import ATTEMPTS, DeskSystem, OpenJob
from tengen.grid.errors import GridError, VersionError
from tengen.grid.jobs import Event, EventKind, Json, Worker
from tengen.grid.keys import Invitation
from tengen.grid.link import TROUBLE, Link, ask, end_all
from tengen.grid.log import ResultLog
from tengen.grid.messages import (
    MAX_REPORT,
    AbortMessage,
    ClientBeat,
    JobMessage,
    ResultMessage,
    WorkerBeat,
    decode,
    encode,
)
from tengen.grid.subjects import (
    ASK,
    JOBS,
    abort_subject,
    all_job_subjects,
    beat_subject,
    check_name,
    client_subject,
    job_subject,
    last_word,
    live,
)

CONNECT_TIMEOUT_S = 10.0
"""Seconds to wait for the first connection to the broker."""
ABORT_PATIENCE = 8.0
"""If no worker owns up to an aborted job for so long, the client answers it itself."""
CATCH_UP_S = 3.0
"""Seconds between reads of the result log, in case that a relayed result was lost."""
SATED_SECONDS = 2.0
"""A client that leaves room unused for so long does not need it; others may have it."""


@dataclass
class _Sent:
    """Where an open job is, as far as we know."""

    place: int | None = None
    """Its number in the queue."""
    submissions: int = 0
    missed_since: float | None = None
    """Since when nobody seems to have it, though somebody could."""
    aborted_at: float | None = None

    @property
    def is_on_its_way(self) -> bool:
        """Whether it is being handed in right now."""
        return self.submissions > 0 and self.place is None


class GridClient(DeskSystem):
    """A `JobSystem` of all workers that a broker has; to be closed in the end.

    Args:
        invitation: for a client.
        weight: of this client, when it shares the workers with others.
        wanted: so many workers are enough; all that can be had unless told.
        predispatch: how many jobs may wait beyond those that run.
        resume: the checkpoint of an earlier run; answers that came meanwhile are told now.

    Raises:
        RefusedError: if the grid does not let us in.
        VersionError: if it speaks another version.
        GridError: if it cannot be reached, the invitation is not one for a client, or `resume` is no checkpoint.
    """

    def __init__(
        self,
        invitation: Invitation,
        *,
        weight: float = 1.0,
        wanted: int | None = None,
        predispatch: int = 1,
        resume: Mapping[str, Any] | None = None,
    ) -> None:
        super().__init__()
        self._invitation = invitation.expect("client")
        self._name = invitation.name
        self._session = secrets.token_hex(8)
        self._weight, self._wanted, self._predispatch = weight, wanted, predispatch
        self._is_hungry = True
        self._own_beat()  # refuses what makes no sense
        self._census = Census()
        self._listens_since = 0.0
        self._caught_up_at = 0.0
        self._first_place: int | None = None
        """Where the queue ended when we came: what is before that is not ours, but for resumed jobs."""
        self._has_tidied_up = False
        self._closed: deque[str] = deque(maxlen=1000)
        self._share = 0
        self._submitted_at = time.monotonic()
        self._lock = threading.RLock()
        self._is_closed = False
        self._broken: GridError | None = None
        resumed = [] if resume is None else self._desk.reopen(resume)
        self._sent = {job.id: _Sent() for job in resumed}
        self._is_fresh = resume is None
        self._log = ResultLog(self._name, self._on_answer, None if self._is_fresh else self._desk.sequence)
        self._tasks: set[asyncio.Task[None]] = set()
        self._is_ready: Future[None] = Future()
        self._thread = threading.Thread(target=lambda: asyncio.run(self._main()), name="tengen-grid", daemon=True)
        self._thread.start()
        self._is_ready.result()
        for job in resumed:
            if job.is_aborted:
                self._soon(self._call_back(job))

    def submit(self, kind: str, arguments: Json, *, worker: str | None = None) -> str:
        """Hand a job in, for any worker or a certain one; returns its id at once.

        Raises:
            GridError: if the arguments are no JSON or too long, a name is none, or the client is closed or locked out.
        """
        if worker is not None:
            check_name(worker)
        if not kind.replace("-", "").replace("_", "").isalnum() or len(kind) > 40:
            raise GridError(f"{kind!r} is no kind of job")
        with self._lock:
            if self._is_closed:
                raise GridError("the client is closed")
            if self._broken is not None:
                raise self._broken
            job = self._desk.open(kind, arguments, worker)
            self._sent[job.id] = _Sent()
            self._submitted_at = time.monotonic()
        self._soon(self._dispatch(job))
        return job.id

    def abort(self, job: str) -> None:
        """End a job, queued or running; an unknown one is none of our concern."""
        with self._lock:
            found = self._desk.find(job)
            if found is None or found.is_aborted:
                return
            found.is_aborted = True
        self._soon(self._call_back(found))

    def free(self) -> int:
        """How many jobs are worth handing in now: our share of the workers, and a little more."""
        with self._lock:
            if self._is_closed or not self._share:
                return 0
            return max(0, self._share + self._predispatch - len(self._desk))

    def workers(self) -> Sequence[Worker]:
        """Who works, and on what, for us or for others."""
        with self._lock:
            return self._census.workers()

    def close(self) -> None:
        """Call back whatever is open, and let go."""
        with self._lock:
            if self._is_closed:
                return
            self._is_closed = True
        with contextlib.suppress(RuntimeError):  # locked out, its loop has ended
            self._loop.call_soon_threadsafe(self._leaving.set)
        self._thread.join()

    # What follows runs in the client's own thread.

    def _soon(self, work: Coroutine[Any, Any, None]) -> None:
        def start() -> None:
            task = asyncio.ensure_future(work)
            self._tasks.add(task)
            task.add_done_callback(self._tasks.discard)

        try:
            self._loop.call_soon_threadsafe(start)
        except RuntimeError:  # closed meanwhile
            work.close()

    async def _main(self) -> None:
        self._loop = asyncio.get_running_loop()
        self._leaving = asyncio.Event()
        invitation = self._invitation
        self._link = Link(invitation.url, invitation.certificate, invitation.seed, self._name, self._on_open)
        link = asyncio.ensure_future(self._link.run(CONNECT_TIMEOUT_S))
        leaving = asyncio.ensure_future(self._leaving.wait())
        beating = asyncio.ensure_future(self._beat_for_ever())
        await asyncio.wait([link, leaving], return_when=asyncio.FIRST_COMPLETED)
        try:
            if leaving.done():
                with contextlib.suppress(asyncio.TimeoutError, *TROUBLE):
                    await asyncio.wait_for(self._call_all_back(), 3)
            else:
                self._give_up(link.exception())
        finally:
            await end_all([link, leaving, beating, *self._tasks])

    def _give_up(self, reason: BaseException | None) -> None:
        error = reason if isinstance(reason, GridError) else GridError(f"the grid is lost: {reason!r}")
        if not self._is_ready.done():
            self._is_ready.set_exception(error)
            return
        with self._lock:
            self._broken, self._share = error, 0
            for job in self._desk.jobs():
                self._answer(job, EventKind.FAILED, message=str(error))

    async def _on_open(self, client: Client) -> None:
        with self._lock:
            self._census.forgive_silence()
        await client.subscribe(live(beat_subject("*")), cb=self._on_worker)
        await client.subscribe(live(client_subject("*")), cb=self._on_client)
        self._listens_since = time.monotonic()
        if self._first_place is None:
            try:
                self._first_place = (await ask(client, f"STREAM.INFO.{JOBS}"))["state"]["last_seq"] + 1
            except APIError as error:  # the broker has just started
                raise OSError(str(error)) from error
        await self._log.open(client)
        if self._is_fresh:
            self._is_fresh = False
            self._desk.start_at(self._log.received)
        await client.publish(ASK)
        await client.publish(client_subject(self._name), encode(self._own_beat()))
        if not self._is_ready.done():
            self._is_ready.set_result(None)

    # Answers

    def _on_answer(self, job: str, worker: str, data: bytes) -> None:
        with self._lock:
            found = self._desk.find(job)
            if found is None:
                return
            try:
                result = decode(ResultMessage, data)
                if result.job != job:
                    raise GridError("it is the result of another job")
            except VersionError as error:
                self._retry(found, worker, found.attempt, str(error))
            except GridError as error:
                self._retry(found, worker, found.attempt, f"{worker} sent an invalid result: {error}")
            else:
                self._take(found, worker, result)

    def _take(self, job: OpenJob, worker: str, result: ResultMessage) -> None:
        job.attempt = max(job.attempt, result.attempt)
        more: dict[str, Any] = {"worker": worker, "seconds": result.seconds}
        if result.outcome == "done":
            self._answer(job, EventKind.DONE, result=result.result or {}, **more)
        elif job.is_aborted:
            self._answer(job, EventKind.ABORTED, **more)
        elif result.outcome == "failed":
            self._answer(job, EventKind.FAILED, message=result.message, **more)
        elif result.outcome in ("crashed", "refused"):
            self._retry(job, worker, result.attempt, result.message)
        else:
            self._again(job)

    def _retry(self, job: OpenJob, worker: str, attempt: int, reason: str) -> None:
        if attempt < ATTEMPTS:
            job.attempt = attempt + 1
            self._again(job)
        else:
            message = f"given up after {attempt} attempts, the last time since {reason}"
            self._answer(job, EventKind.FAILED, worker=worker, message=message)
            if (place := self._census.where(job.id)) is not None:  # it babbles, and works on
                self._soon(self._link.send(abort_subject(self._name, place), encode(AbortMessage(job=job.id))))

    def _again(self, job: OpenJob) -> None:
        if job.is_aborted:
            self._answer(job, EventKind.ABORTED)
        else:
            self._soon(self._dispatch(job))

    def _answer(self, job: OpenJob, kind: EventKind, **more: Any) -> None:
        event = Event(kind, job.id, attempt=job.attempt, sequence=self._log.received, **more)
        if self._desk.answer(event):
            self._sent.pop(job.id, None)
            self._closed.append(job.id)

    # Jobs

    async def _dispatch(self, job: OpenJob) -> None:
        sent = self._sent.get(job.id)
        if sent is None or job.is_aborted:
            if sent is not None:
                with self._lock:
                    self._answer(job, EventKind.ABORTED)
            return
        sent.submissions += 1
        sent.missed_since = None
        await self._link.opened()
        await self._take_out(sent)  # else an earlier copy waits there for ever, or is done once more
        if self._desk.find(job.id) is None:  # answered meanwhile
            return
        sent.place = None
        message = JobMessage(job=job.id, kind=job.kind, attempt=job.attempt, arguments=json.loads(job.arguments))
        label = f"{job.id}:{self._session}:{sent.submissions}"
        sent.place = await self._link.store(job_subject(self._name, job.worker), encode(message), label)
        if job.is_aborted:  # while it was on its way
            await self._call_back(job)

    async def _call_back(self, job: OpenJob) -> None:
        sent = self._sent.get(job.id)
        if sent is None:
            return
        sent.aborted_at = time.monotonic()
        worker = self._census.where(job.id)
        message = encode(AbortMessage(job=job.id))
        await self._link.send(abort_subject(self._name, worker), message)
        if worker is None and await self._take_out(sent) and self._census.where(job.id) is None:
            # Should a worker have begun it this instant, it has heard of the abort; its answer comes too late.
            with self._lock:
                self._answer(job, EventKind.ABORTED)

    async def _take_out(self, sent: _Sent) -> bool:
        """Takes a job out of the queue; False if it is not there, or not yet."""
        client = self._link.client
        if client is None or sent.place is None:
            return False
        try:
            await ask(client, f"STREAM.MSG.DELETE.{JOBS}", {"seq": sent.place, "no_erase": True})
        except (APIError, *TROUBLE):
            return False
        return True

    async def _tidy_up(self) -> None:
        """Throws away what an earlier client of our name has left in the queue; resumed jobs are handed in anew."""
        client = await self._link.opened()
        try:
            for subject in all_job_subjects(self._name):
                await ask(client, f"STREAM.PURGE.{JOBS}", {"filter": subject, "seq": self._first_place})
        except (APIError, *TROUBLE):
            self._has_tidied_up = not client.is_closed  # over a new connection it is worth another try
            return
        with self._lock:
            running = self._census.running()
            gone = [job for job in self._desk.jobs() if not self._sent[job.id].submissions and job.id not in running]
        for job in gone:
            self._soon(self._dispatch(job))

    async def _call_orphans_back(self) -> None:
        """Calls back what runs under our name and is not ours."""
        with self._lock:
            orphans = [(job, worker) for job, worker in self._census.jobs_of(self._name) if not self._desk.find(job)]
        for job, worker in orphans:
            await self._link.send(abort_subject(self._name, worker), encode(AbortMessage(job=job)))

    async def _call_all_back(self) -> None:
        for job in self._desk.jobs():
            job.is_aborted = True
            await self._call_back(job)
        await self._link.send(client_subject(self._name), encode(self._own_beat(is_leaving=True)))
        if self._link.client is not None:
            await self._link.client.flush(2)

    # The others

    async def _on_worker(self, message: Msg) -> None:
        with contextlib.suppress(GridError):  # nonsense, or another version: nobody we can work with
            beat, worker = decode(WorkerBeat, message.data, MAX_REPORT), last_word(message.subject)
            with self._lock:
                self._tell(self._census.hear_worker(worker, beat))
                self._divide()
            for slot in beat.busy:
                if slot.job in self._closed:  # it was run twice, or its worker has babbled
                    await self._link.send(abort_subject(self._name, worker), encode(AbortMessage(job=slot.job)))

    async def _on_client(self, message: Msg) -> None:
        with contextlib.suppress(GridError):
            beat = decode(ClientBeat, message.data, MAX_REPORT)
            with self._lock:
                self._census.hear_client(last_word(message.subject), beat)
                self._divide()

    def _tell(self, events: list[Event]) -> None:
        for event in events:
            self._desk.tell(event)

    def _divide(self) -> None:
        before, self._share = self._share, self._census.share(self._name, self._own_beat())
        if self._share > before:
            self._desk.look_again()

    def _own_beat(self, is_leaving: bool = False) -> ClientBeat:
        try:
            return ClientBeat(
                session=self._session,
                weight=float(self._weight),
                wanted=self._wanted,
                open=len(self._desk),
                is_hungry=self._is_hungry,
                is_leaving=is_leaving,
            )
        except ValueError as error:
            raise GridError(f"weight {self._weight} and {self._wanted} workers wanted make no sense") from error

    async def _beat_for_ever(self) -> None:
        while True:
            await asyncio.sleep(BEAT_SECONDS)
            now = time.monotonic()
            connection = self._link.client
            if connection is None:
                continue
            if now - self._caught_up_at > CATCH_UP_S:
                self._caught_up_at = now
                await self._log.catch_up(connection)
            with self._lock:
                self._tell(self._census.forget_silent())
                self._divide()
                self._is_hungry = self.free() == 0 or now - self._submitted_at < SATED_SECONDS
                missed = self._missed(now)
                is_alone = not self._census.has_another(self._name, self._session)
            for job in missed:
                self._soon(self._dispatch(job))
            if is_alone and now - self._listens_since > SILENT_SECONDS:  # who had our name would have been heard
                await self._call_orphans_back()
                if not self._has_tidied_up:
                    self._has_tidied_up = True
                    self._soon(self._tidy_up())
            await self._link.send(client_subject(self._name), encode(self._own_beat()))

    def _missed(self, now: float) -> list[OpenJob]:
        """The jobs that nobody has had for too long though somebody could; those that were aborted are answered."""
        patience = 2 * self._link.ack_seconds + 2
        running, found = self._census.running(), []
        for job in self._desk.jobs():
            sent = self._sent[job.id]
            if job.is_aborted:
                if sent.aborted_at is not None and now - sent.aborted_at > ABORT_PATIENCE:
                    self._answer(job, EventKind.ABORTED)
            elif job.id in running or sent.is_on_its_way or not self._census.idle(job.worker):
                sent.missed_since = None
            elif sent.missed_since is None:
                sent.missed_since = now
            elif now - sent.missed_since > patience:
                found.append(job)
        return found
