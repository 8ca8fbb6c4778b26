"""Jobs on many machines: a client of a broker.

The client's own table of its jobs is authoritative. It submits them to the broker's queues, reads the log of results
from where it stopped, and submits a job again if a worker has failed, returned or lost it, or holds it for too long.

Jobs go to the queue that all workers share. Any worker may take any job from there, so a broken or hostile one can take
them all: once a worker has offended (see `reputation`), and for every retry, the client chooses a worker and uses the
queue of that one.

Jobs that an earlier client of the same name has left behind are aborted, unless its checkpoint is resumed or another
session of that name is present.
"""

from __future__ import annotations

import asyncio
import contextlib
import json
import random
import secrets
import threading
import time
from collections import Counter, defaultdict, deque
from collections.abc import Coroutine, Mapping, Sequence
from concurrent.futures import Future
from dataclasses import dataclass, field
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
from tengen.grid.reputation import Reputation
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
ABORT_TIMEOUT_S = 8.0
"""Seconds after which an aborted job is reported as aborted though no worker has confirmed it."""
CATCH_UP_S = 3.0
"""Seconds between reads of the result log, in case that a relayed result was lost."""
SATED_SECONDS = 2.0
"""Seconds without a submission after which a client with room is taken not to need it."""
FIRST_DEADLINE_S = 10.0
"""Seconds a job may run before an idle worker gets a copy, until enough jobs of its kind have finished."""
MIN_DEADLINE_S = 5.0
DEADLINE_FACTOR = 4
"""An idle worker gets a copy of a job that has run this many times longer than nearly all others of its kind."""
HARD_DEADLINE_FACTOR = 5
"""Ratio of the deadline after which a copy is made even if all workers are busy to that for idle ones."""
DIVIDE_INTERVAL_S = 0.1
"""Seconds between two computations of the shares, unless workers join or leave: hundreds of them send beats."""
RETURN_STRIKE = 0.5
"""Strikes for a returned job: an honest worker returns one that came at the same time as another."""
_SAMPLES = 200
_MIN_SAMPLES = 5
_FREE_RETRIES = 3
"""Retries of a job without a delay."""
_MAX_RETRY_DELAY_S = 5.0
_ABSENCE_RETRY_S = 1.0
"""Seconds before a retry while the only other workers are away."""
_MAX_ABORTS_PER_BEAT = 32
_MAX_LOST = 2
"""Jobs that may vanish from the common queue before the client stops using it."""


@dataclass
class _Sent:
    """State of an open job on the grid."""

    place: int | None = None
    """Sequence number in the queue."""
    submissions: int = 0
    target: str | None = None
    """Worker in whose queue it is; None for the common queue."""
    submitted_at: float = 0.0
    missed_since: float | None = None
    """Time since which no worker reports to run it, though one could."""
    running_since: float | None = None
    """Time since which a worker reports to run the latest copy."""
    holders: set[str] = field(default_factory=set)
    """Workers that have exceeded the deadline with a copy."""
    copies: int = 0
    """Number of copies that were submitted while another one ran."""
    failures: dict[str, int] = field(default_factory=dict)
    """Workers on which it failed, each with the number of the submission."""
    returns: dict[str, int] = field(default_factory=dict)
    """Workers that have returned it, each with the number of the submission."""
    crashes: int = 0
    abandoned: set[int] = field(default_factory=set)
    """Numbers of the submissions of which a worker reported that others took the job and fell silent."""
    aborted_at: float | None = None

    @property
    def is_being_submitted(self) -> bool:
        """Whether the broker has not confirmed the latest submission."""
        return self.submissions > 0 and self.place is None


class GridClient(DeskSystem):
    """A `JobSystem` of all workers of a broker. Must be closed.

    Args:
        invitation: for a client.
        weight: share of this client among several.
        wanted: most workers to use; None for no limit.
        predispatch: number of jobs that may wait beyond those that run.
        resume: checkpoint of an earlier run; results that arrived since then are reported now.

    Raises:
        RefusedError: if the broker refuses the key.
        VersionError: if it has another protocol version.
        GridError: if it cannot be reached, the invitation is not for a client, or `resume` is not a checkpoint.
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
        self._own_beat()  # checks the arguments
        self._reputation = Reputation()
        self._census = Census(lambda name, cores: self._reputation.believed_cores(name, cores, time.monotonic()))
        self._lost_jobs = 0
        self._seconds: dict[str, deque[float]] = defaultdict(lambda: deque(maxlen=_SAMPLES))
        """Time from submission or start to the result of the latest jobs, by kind."""
        self._listens_since = 0.0
        self._caught_up_at = 0.0
        self._divided_at = 0.0
        self._first_place: int | None = None
        """End of the queue at our start: jobs before it are of an earlier client, except for resumed ones."""
        self._has_removed_leftovers = False
        self._closed: deque[str] = deque(maxlen=1000)
        self._share = 0
        self._submitted_at = time.monotonic()
        self._lock = threading.RLock()
        self._is_closed = False
        self._broken: GridError | None = None
        resumed = [] if resume is None else self._desk.reopen(resume)
        for name in (resume or {}).get("offenders", ()):
            self._reputation.add_offender(str(name), time.monotonic())
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
                self._soon(self._abort_on_grid(job))

    def submit(self, kind: str, arguments: Json, *, worker: str | None = None) -> str:
        """Submit a job for any worker or for one; return its id at once.

        Raises:
            GridError: if the arguments are not JSON or too long, a name is invalid, or the client is closed or refused.
        """
        if worker is not None:
            check_name(worker)
        if not kind.replace("-", "").replace("_", "").isalnum() or len(kind) > 40:
            raise GridError(f"invalid kind of job {kind!r} (expected up to 40 letters, digits, - and _)")
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
        """Abort a job, queued or running; unknown ids are ignored."""
        with self._lock:
            found = self._desk.find(job)
            if found is None or found.is_aborted:
                return
            found.is_aborted = True
        self._soon(self._abort_on_grid(found))

    def free(self) -> int:
        """Number of jobs to submit now: our share of the workers, and `predispatch` more."""
        with self._lock:
            if self._is_closed or not self._share:
                return 0
            return max(0, self._share + self._predispatch - len(self._desk))

    def checkpoint(self) -> Json:
        """Return what to keep in order to resume, with the workers that were found to be unreliable."""
        with self._lock:
            return {**super().checkpoint(), "offenders": self._reputation.offenders()}

    def workers(self) -> Sequence[Worker]:
        """State of all workers, whichever client they work for."""
        with self._lock:
            return self._census.workers()

    def close(self) -> None:
        """Abort all open jobs and disconnect."""
        with self._lock:
            if self._is_closed:
                return
            self._is_closed = True
        with contextlib.suppress(RuntimeError):  # refused by the broker: its loop has ended
            self._loop.call_soon_threadsafe(self._leaving.set)
        self._thread.join()

    # Everything below runs in the client's own thread.

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
        self._link = Link(
            invitation.url,
            invitation.certificate,
            invitation.seed,
            self._name,
            self._on_open,
            on_problem=lambda reason: self._desk.tell(Event(EventKind.PROBLEM, message=reason)),
        )
        link = asyncio.ensure_future(self._link.run(CONNECT_TIMEOUT_S))
        leaving = asyncio.ensure_future(self._leaving.wait())
        beating = asyncio.ensure_future(self._beat_for_ever())
        await asyncio.wait([link, leaving], return_when=asyncio.FIRST_COMPLETED)
        try:
            if leaving.done():
                with contextlib.suppress(asyncio.TimeoutError, *TROUBLE):
                    await asyncio.wait_for(self._abort_all(), 3)
            else:
                self._give_up(link.exception())
        finally:
            await end_all([link, leaving, beating, *self._tasks])

    def _give_up(self, reason: BaseException | None) -> None:
        error = reason if isinstance(reason, GridError) else GridError(f"the connection to the grid failed: {reason!r}")
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

    # Results

    def _on_answer(self, job: str, worker: str, data: bytes) -> None:
        with self._lock:
            open_job = self._desk.find(job)
            try:
                result = decode(ResultMessage, data)
                if result.job != job:
                    raise GridError("it is the result of another job")
            except VersionError as error:
                self._failed(open_job, worker, str(error))
            except GridError as error:
                self._failed(open_job, worker, f"{worker} sent an invalid result: {error}")
            else:
                if open_job is not None:
                    self._take(open_job, worker, result)
                elif result.outcome == "done" and job in self._closed:  # slower than another worker, but honest
                    self._reputation.add_result(worker)

    def _take(self, job: OpenJob, worker: str, result: ResultMessage) -> None:
        more: dict[str, Any] = {"worker": worker, "seconds": result.seconds}
        if result.outcome == "done":
            self._finished(job, worker)
            job.attempt = max(job.attempt, min(result.attempt, ATTEMPTS))  # counts deliveries by the broker as well
            self._answer(job, EventKind.DONE, result=result.result or {}, **more)
        elif job.is_aborted:
            self._answer(job, EventKind.ABORTED, **more)
        elif result.outcome == "abandoned":
            self._abandoned(job, worker, result.message)
        elif result.outcome in ("failed", "crashed", "refused"):
            self._failed(job, worker, result.message, is_crash=result.outcome == "crashed", seconds=result.seconds)
        elif self._counts(self._sent[job.id], worker):  # returned, or aborted without our having asked for it
            sent = self._sent[job.id]
            sent.returns[worker] = sent.submissions
            self._strike(worker, "it returns jobs", RETURN_STRIKE)
            self._again(job)

    def _finished(self, job: OpenJob, worker: str) -> None:
        """Credit a worker with a result, and count it against those that failed or held the same job."""
        now, sent = time.monotonic(), self._sent[job.id]
        self._reputation.add_result(worker)
        self._seconds[job.kind].append(now - (sent.running_since or sent.submitted_at))
        for other in sent.failures.keys() - {worker}:
            if self._reputation.explain_failure(other, now, is_workers_fault=True):
                self._report_quarantine(other, "jobs fail there that others finish")
        for other in sent.holders - {worker}:
            self._strike(other, "it holds jobs that others finish")

    def _failed(
        self, job: OpenJob | None, worker: str, reason: str, *, is_crash: bool = False, seconds: float = 0.0
    ) -> None:
        """Retry a failed job on another worker, or give it up if it failed on enough of them."""
        if job is None or not self._counts(sent := self._sent[job.id], worker):
            return
        if worker not in sent.failures:
            self._reputation.add_failure(worker)
        sent.failures[worker] = sent.submissions
        now = time.monotonic()
        others = [name for name in self._census.names() - sent.failures.keys() if self._is_allowed(name, now)]
        sent.crashes += is_crash
        # A process may die of other causes than its job: worth further attempts on the same worker.
        can_retry_here = is_crash and sent.crashes < ATTEMPTS
        is_retryable = job.worker is None and len(sent.failures) < ATTEMPTS
        if can_retry_here or (is_retryable and others):
            job.attempt += 1
            self._again(job)
            return
        # A single worker must not decide that a job has failed while the others are restarting.
        if is_retryable and self._census.may_return(sent.failures):
            self._again(job, _ABSENCE_RETRY_S)
            return
        for name in sent.failures:
            self._reputation.explain_failure(name, now, is_workers_fault=False)
        if job.attempt > 1:
            reason = f"given up after {job.attempt} attempts, the last time since {reason}"
        self._answer(job, EventKind.FAILED, worker=worker, message=reason, seconds=seconds)
        if (place := self._census.where(job.id)) is not None:  # it has reported a failure and works on
            self._soon(self._link.send(abort_subject(self._name, place), encode(AbortMessage(job=job.id))))

    def _abandoned(self, job: OpenJob, worker: str, reason: str) -> None:
        """Retry a job that workers took without a word: it has killed them, or one of them steals jobs."""
        sent = self._sent[job.id]
        if sent.submissions in sent.abandoned:
            return
        sent.abandoned.add(sent.submissions)
        self._lost_jobs += 1
        if len(sent.abandoned) < ATTEMPTS:
            job.attempt += 1
            self._again(job)
        else:
            message = f"given up after {job.attempt} attempts, the last time since {reason}"
            self._answer(job, EventKind.FAILED, worker=worker, message=message)

    def _counts(self, sent: _Sent, worker: str) -> bool:
        """Whether to act on the report that a job has ended without a result.

        One report for each submission that the worker could take: a worker must not be able to use up all attempts
        of a job by repeating itself.
        """
        last_report = max(sent.failures.get(worker, 0), sent.returns.get(worker, 0))
        return not last_report or (last_report != sent.submissions and sent.target in (None, worker))

    def _strike(self, worker: str, reason: str, weight: float = 1.0) -> None:
        if self._reputation.add_strike(worker, time.monotonic(), weight):
            self._report_quarantine(worker, reason)

    def _report_quarantine(self, worker: str, reason: str) -> None:
        message = f"worker {worker} gets no jobs for a while: {reason}"
        self._desk.tell(Event(EventKind.PROBLEM, worker=worker, message=message))

    def _is_allowed(self, worker: str, now: float) -> bool:
        return not self._reputation.is_quarantined(worker, now)

    def _is_usable(self, worker: str, now: float) -> bool:
        return self._is_allowed(worker, now) and worker in self._census.names()

    def _again(self, job: OpenJob, least_delay: float = 0.0) -> None:
        if job.is_aborted:
            self._answer(job, EventKind.ABORTED)
            return
        retries = self._sent[job.id].submissions - _FREE_RETRIES
        delay = 0.0 if retries < 0 else min(_MAX_RETRY_DELAY_S, 0.1 * 2.0 ** min(retries, 10))
        self._soon(self._dispatch(job, max(delay, least_delay)))

    def _answer(self, job: OpenJob, kind: EventKind, **more: Any) -> None:
        event = Event(kind, job.id, attempt=job.attempt, sequence=self._log.received, **more)
        if self._desk.answer(event):
            self._sent.pop(job.id, None)
            self._closed.append(job.id)

    # Jobs

    async def _dispatch(self, job: OpenJob, delay: float = 0.0) -> None:
        if delay:
            await asyncio.sleep(delay)
        sent = self._sent.get(job.id)
        if sent is None or job.is_aborted:
            if sent is not None:
                with self._lock:
                    self._answer(job, EventKind.ABORTED)
            return
        await self._link.opened()
        await self._unqueue(sent)  # otherwise an earlier copy would stay there, or run as well
        with self._lock:
            if self._desk.find(job.id) is None:  # answered meanwhile
                return
            sent.target = self._choose_worker(job, sent)
            sent.submissions += 1
            sent.place = sent.missed_since = sent.running_since = None
            # Workers count the deliveries of this submission only: earlier ones may have failed without its fault.
            message = JobMessage(job=job.id, kind=job.kind, attempt=1, arguments=json.loads(job.arguments))
            label = f"{job.id}:{self._session}:{sent.submissions}"
            target = sent.target
        place = await self._link.store(job_subject(self._name, target), encode(message), label)
        sent.place, sent.submitted_at = place, time.monotonic()
        if job.is_aborted:  # during the submission
            await self._abort_on_grid(job)

    def _choose_worker(self, job: OpenJob, sent: _Sent) -> str | None:
        """Return the worker for the next submission of a job; None for the common queue."""
        now = time.monotonic()
        if job.worker is not None:
            return job.worker
        is_retry = bool(sent.submissions)
        if not is_retry and self._lost_jobs < _MAX_LOST and not self._reputation.has_offenders(now):
            return None
        capacities = self._census.capacities()
        allowed = [name for name, capacity in capacities.items() if capacity.cores and self._is_allowed(name, now)]
        reliable = [name for name in allowed if self._reputation.is_reliable(name, now)]
        used = sent.failures.keys() | sent.holders | sent.returns.keys()
        fresh = [name for name in reliable if name not in used] or [name for name in allowed if name not in used]
        candidates = fresh or reliable or allowed
        if not candidates:
            return None
        load = Counter(other.target for key, other in self._sent.items() if key != job.id)
        free = {name: capacities[name].cores - max(capacities[name].busy, load[name]) for name in candidates}
        most = max(free.values())
        return random.choice([name for name in candidates if free[name] == most])

    async def _abort_on_grid(self, job: OpenJob) -> None:
        sent = self._sent.get(job.id)
        if sent is None:
            return
        sent.aborted_at = time.monotonic()
        worker = self._census.where(job.id)
        message = encode(AbortMessage(job=job.id))
        await self._link.send(abort_subject(self._name, worker), message)
        if worker is None and await self._unqueue(sent) and self._census.where(job.id) is None:
            # A worker that has begun it this instant has received the abort; its result will be dropped.
            with self._lock:
                self._answer(job, EventKind.ABORTED)

    async def _unqueue(self, sent: _Sent) -> bool:
        """Remove a job from the queue; False if it is not there."""
        client = self._link.client
        if client is None or sent.place is None:
            return False
        try:
            await ask(client, f"STREAM.MSG.DELETE.{JOBS}", {"seq": sent.place, "no_erase": True})
        except (APIError, *TROUBLE):
            return False
        return True

    async def _remove_leftovers(self) -> None:
        """Remove the queued jobs of an earlier client of our name; resumed jobs are submitted again."""
        client = await self._link.opened()
        try:
            for subject in all_job_subjects(self._name):
                await ask(client, f"STREAM.PURGE.{JOBS}", {"filter": subject, "seq": self._first_place})
        except (APIError, *TROUBLE):
            self._has_removed_leftovers = not client.is_closed  # try again on the next connection
            return
        with self._lock:
            running = self._census.running()
            gone = [job for job in self._desk.jobs() if not self._sent[job.id].submissions and job.id not in running]
        for job in gone:
            self._soon(self._dispatch(job))

    async def _abort_orphans(self) -> None:
        """Abort running jobs of our name that are not ours."""
        with self._lock:
            orphans = [(job, worker) for job, worker in self._census.jobs_of(self._name) if not self._desk.find(job)]
        for job, worker in orphans:
            await self._link.send(abort_subject(self._name, worker), encode(AbortMessage(job=job)))

    async def _abort_all(self) -> None:
        for job in self._desk.jobs():
            job.is_aborted = True
            await self._abort_on_grid(job)
        await self._link.send(client_subject(self._name), encode(self._own_beat(is_leaving=True)))
        if self._link.client is not None:
            await self._link.client.flush(2)

    # Other members

    async def _on_worker(self, message: Msg) -> None:
        with contextlib.suppress(GridError):  # malformed, or of another version
            beat, worker = decode(WorkerBeat, message.data, MAX_REPORT), last_word(message.subject)
            with self._lock:
                changes = self._census.hear_worker(worker, beat)
                self._tell(changes)
                if changes or time.monotonic() - self._divided_at > DIVIDE_INTERVAL_S:
                    self._divide()
            closed = [slot for slot in beat.busy if slot.job in self._closed]
            for slot in closed[:_MAX_ABORTS_PER_BEAT]:  # a copy of a job that another worker has finished
                if slot.client == self._name:
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
        self._divided_at = time.monotonic()
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
            raise GridError(
                f"invalid weight {self._weight} or number of workers {self._wanted} (expected more than 0)"
            ) from error

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
            if (
                is_alone and now - self._listens_since > SILENT_SECONDS
            ):  # another session of our name would have sent a beat
                await self._abort_orphans()
                if not self._has_removed_leftovers:
                    self._has_removed_leftovers = True
                    self._soon(self._remove_leftovers())
            await self._link.send(client_subject(self._name), encode(self._own_beat()))

    def _missed(self, now: float) -> list[OpenJob]:
        """Return the jobs to submit again; report those as aborted whose abort nobody has confirmed.

        These are the jobs that no worker reports to run for too long though one could, those whose worker is gone, and
        those that run for much longer than others of their kind, which may be held.
        """
        timeout = 2 * self._link.ack_seconds + 2
        running, capacities, again = self._census.running(), self._census.capacities(), []
        idle_cores = sum(capacity.idle for capacity in capacities.values())
        is_common_unsafe, grace = self._reputation.has_offenders(now), self._link.ack_seconds
        for job in self._desk.jobs():
            sent = self._sent[job.id]
            if job.is_aborted:
                if sent.aborted_at is not None and now - sent.aborted_at > ABORT_TIMEOUT_S:
                    self._answer(job, EventKind.ABORTED)
            elif sent.is_being_submitted:
                sent.missed_since = None
            elif job.id in running:
                sent.missed_since = None
                sent.running_since = sent.running_since or now
                if self._is_overdue(job, sent, now):
                    sent.holders.add(self._census.where(job.id) or "")
                    sent.copies += 1
                    again.append(job)
            elif job.worker is None and sent.target is not None and not self._is_usable(sent.target, now):
                again.append(job)
            elif is_common_unsafe and job.worker is None and sent.target is None and now - sent.submitted_at > grace:
                again.append(job)  # waits in the common queue, or an offender has taken it without a word
            elif not (idle_cores if job.worker is None else self._census.idle(job.worker)):
                sent.missed_since = None
            elif sent.missed_since is None:
                sent.missed_since = now
            elif now - sent.missed_since > timeout:
                if sent.target is None and job.worker is None:
                    self._lost_jobs += 1
                elif job.worker is None and sent.target is not None and self._census.idle(sent.target):
                    self._strike(sent.target, "it does not run its jobs")
                again.append(job)
        return again

    def _is_overdue(self, job: OpenJob, sent: _Sent, now: float) -> bool:
        """Whether another worker should get a copy of a running job."""
        holder = self._census.where(job.id) or ""
        if job.worker is not None or sent.running_since is None or sent.copies >= ATTEMPTS:
            return False
        others = [name for name in self._census.names() - sent.holders - {holder} if self._is_allowed(name, now)]
        if others and holder not in sent.holders and not self._is_usable(holder, now):
            return True
        samples = sorted(self._seconds[job.kind])
        deadline = FIRST_DEADLINE_S
        if len(samples) >= _MIN_SAMPLES:
            deadline = max(MIN_DEADLINE_S, DEADLINE_FACTOR * samples[int(0.9 * len(samples))])
        capacities = self._census.capacities()
        if not any(capacities[name].idle for name in others):
            deadline *= HARD_DEADLINE_FACTOR
        return bool(others) and now - sent.running_since > deadline
