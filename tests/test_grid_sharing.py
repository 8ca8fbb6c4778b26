"""Workers that come and go, clients that share them, and what is done when something is lost on the way."""

from __future__ import annotations

import asyncio
import errno
import json
import os
import secrets
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import partial
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import psutil
import pytest
from grid_backends import NatsBackend, answers, start_worker, until
from hypothesis import given
from hypothesis import strategies as st
from nats.aio.client import Client

from tengen.grid import Event, EventKind, GridError, Pool, open_jobs
from tengen.grid import worker as worker_module
from tengen.grid.broker import Purged
from tengen.grid.client import GridClient
from tengen.grid.considerate import Considerate, Pause
from tengen.grid.desk import Desk
from tengen.grid.keys import Invitation
from tengen.grid.link import ask, connect
from tengen.grid.messages import JobMessage, ResultMessage, WorkerBeat, decode, encode
from tengen.grid.runner import Runner
from tengen.grid.share import Claim, fair_shares
from tengen.grid.worker import GridWorker


def wait_until(condition: Callable[[], bool], seconds: float = 60) -> None:
    deadline = time.monotonic() + seconds
    while not condition():
        assert time.monotonic() < deadline, "it did not happen"
        time.sleep(0.01)


def test_shares_follow_the_weights_and_what_one_does_not_need_goes_to_others() -> None:
    inf = float("inf")
    assert fair_shares(16, [Claim("a", 1, inf), Claim("b", 1, inf)]) == {"a": 8, "b": 8}
    assert fair_shares(16, [Claim("a", 3, inf), Claim("b", 1, inf)]) == {"a": 12, "b": 4}
    assert fair_shares(16, [Claim("a", 1, inf), Claim("b", 1, 2)]) == {"a": 14, "b": 2}
    assert fair_shares(16, [Claim("a", 1, inf), Claim("b", 1, 0)]) == {"a": 16, "b": 0}
    assert fair_shares(1, [Claim("a", 1, inf), Claim("b", 1, inf)]) == {"a": 1, "b": 0}
    assert fair_shares(0, [Claim("a", 1, inf)]) == {"a": 0}
    assert fair_shares(5, []) == {}


@given(
    st.integers(0, 300),
    st.lists(st.tuples(st.floats(0.1, 10), st.integers(0, 100) | st.just(float("inf"))), max_size=8),
)
def test_shares_use_all_workers_if_somebody_wants_them(workers: int, wishes: list[tuple[float, float]]) -> None:
    claims = [Claim(str(number), weight, most) for number, (weight, most) in enumerate(wishes)]
    shares = fair_shares(workers, claims)
    assert sum(shares.values()) == min(workers, sum(claim.most for claim in claims))
    assert all(0 <= shares[claim.key] <= claim.most for claim in claims)
    assert shares == fair_shares(workers, claims[::-1])  # everybody comes to the same result


def test_clients_share_the_workers_while_they_need_them(nats_backend: NatsBackend) -> None:
    path = nats_backend.folder / "second.grid"
    second_key = Invitation.read(path) if path.exists() else Invitation.read(nats_backend.invite("second", "client"))
    with nats_backend.open() as first:
        wait_until(lambda: first.free() == 3)  # two workers, and one job to hide the way
        jobs = [first.submit("sleep", {"seconds": 60})]
        with GridClient(second_key) as second:
            jobs_of_second = [second.submit("sleep", {"seconds": 60}) for _ in range(2)]
            wait_until(lambda: first.free() == 1)  # its share is one worker now
            assert second.free() <= 1
            for job in jobs_of_second:
                second.abort(job)
            answers(second, 2)
            wait_until(lambda: first.free() == 2)  # the second leaves its share unused: it goes to the first
        with GridClient(second_key, wanted=1, weight=5):
            wait_until(lambda: first.free() == 1)
        wait_until(lambda: first.free() == 2)
        first.abort(jobs[0])
        answers(first, 1)
    for wrong in ({"weight": 0.0}, {"wanted": 0}):
        with pytest.raises(GridError, match="invalid weight"):
            GridClient(second_key, **wrong)


def test_a_worker_that_leaves_hands_its_job_back_and_no_attempt_is_counted(nats_backend: NatsBackend) -> None:
    path = nats_backend.folder / "w3.grid"
    third = start_worker(path if path.exists() else nats_backend.invite("w3", "worker"))
    with nats_backend.open() as client:
        wait_until(lambda: client.free() == 4)
        job = client.submit("sleep", {"seconds": 1.5}, worker="w3")
        wait_until(partial(is_running, client, job))
        again = start_worker(nats_backend.folder / "w3.grid")  # the same key works twice
        third.send_signal(signal.SIGTERM)
        assert third.wait(60) == 0
        event = answers(client, 1)[0]
        assert (event.kind, event.job, event.worker, event.attempt) == (EventKind.DONE, job, "w3", 1)
        again.send_signal(signal.SIGTERM)
        assert again.wait(60) == 0
        events: list[Event] = []
        while not any(event.kind is EventKind.LOST for event in events):
            event_or_none = client.next_event(60)
            assert event_or_none is not None
            events.append(event_or_none)
        assert [event.worker for event in events if event.kind is EventKind.LOST] == ["w3"]


def test_a_job_that_nobody_has_is_handed_in_again(nats_backend: NatsBackend) -> None:
    """The queue is emptied behind the client's back, as by a broker that has lost its disk."""
    with nats_backend.open() as client:
        client._link.ack_seconds = 0.5  # an impatient client
        wait_until(lambda: client.free() == 3)
        blockers = [client.submit("sleep", {"seconds": 60}) for _ in range(2)]
        for blocker in blockers:
            wait_until(partial(is_running, client, blocker))
        lost = client.submit("echo", {"found": True})
        wait_until(lambda: queued(nats_backend) == 3)
        nats_backend.broker.purge("tester")
        for blocker in blockers:
            client.abort(blocker)
        events = answers(client, 3)
        assert [event.result for event in events if event.job == lost] == [{"found": True}]


def test_a_job_that_nobody_takes_waits_in_the_queue_once(nats_backend: NatsBackend) -> None:
    """One worker says that it is idle, but never asks for a job."""
    invitation = Invitation.read(nats_backend.invite("lazy", "worker"))
    is_over = asyncio.Event()

    async def be_lazy() -> None:
        connection = await connect(invitation.url, invitation.certificate, invitation.seed, invitation.name)
        beat = encode(WorkerBeat(session=secrets.token_hex(8), cores=3, busy=[], done=0, version=""))
        while not is_over.is_set():
            await connection.publish("beat.lazy", beat)
            await asyncio.sleep(0.2)
        await connection.close()

    loop = asyncio.new_event_loop()
    thread = threading.Thread(target=loop.run_until_complete, args=(be_lazy(),))
    thread.start()
    try:
        with nats_backend.open() as client:
            client._link.ack_seconds = -0.9  # it has no patience at all
            jobs = [client.submit("echo", {}, worker="lazy") for _ in range(3)]
            wait_until(lambda: min(client._sent[job].submissions for job in jobs) >= 3)
            wait_until(lambda: not any(client._sent[job].is_being_submitted for job in jobs))
            assert queued(nats_backend, "jobs.w.lazy.tester") <= 3
        assert queued(nats_backend, "jobs.w.lazy.tester") == 0
    finally:
        loop.call_soon_threadsafe(is_over.set)
        thread.join()
        loop.close()


def test_a_job_that_is_answered_while_it_is_handed_in_again_is_not(nats_backend: NatsBackend) -> None:
    with nats_backend.open() as client:
        blockers = [client.submit("sleep", {"seconds": 600}) for _ in range(2)]
        for blocker in blockers:
            wait_until(partial(is_running, client, blocker))
        job = client.submit("echo", {})
        wait_until(lambda: queued(nats_backend, "jobs.any.tester") == 3)
        open_job = client._desk.find(job)
        assert open_job is not None

        async def hand_in_again() -> None:
            again = asyncio.ensure_future(client._dispatch(open_job))
            await asyncio.sleep(0)  # it asks the broker to take the earlier copy out
            client._answer(open_job, EventKind.DONE)
            await again

        asyncio.run_coroutine_threadsafe(hand_in_again(), client._loop).result(60)
        assert answers(client, 1)[0].job == job
        assert queued(nats_backend, "jobs.any.tester") == 2


KILLED_CLIENT = """
import json, os, signal, sys, time
from tengen.grid import open_jobs
system = open_jobs(sys.argv[1])
jobs = [system.submit("sleep", {"seconds": 600}) for _ in range(2)]
while not set(jobs) <= {worker.job for worker in system.workers()}:
    time.sleep(0.01)
jobs.append(system.submit("sleep", {"seconds": 600}))
system.submit("echo", {"kept": True})
while any(sent.place is None for sent in system._sent.values()):
    time.sleep(0.01)
kept = system.checkpoint()
print(json.dumps({**kept, "jobs": [job for job in kept["jobs"] if job["job"] not in jobs]}), flush=True)
os.kill(os.getpid(), signal.SIGKILL)
"""
"""Both workers are at jobs of ten minutes, another such job and a short one wait; the short one is in a checkpoint."""


def killed_client(invitation: Path) -> dict[str, Any]:
    """What such a client has kept."""
    command = [sys.executable, "-c", KILLED_CLIENT, str(invitation)]
    kept: dict[str, Any] = json.loads(subprocess.run(command, stdout=subprocess.PIPE, check=False).stdout)
    return kept


def test_what_a_killed_client_has_left_behind_is_thrown_away_by_the_next(nats_backend: NatsBackend) -> None:
    mortal = nats_backend.invite("mortal", "client")
    kept = killed_client(mortal)
    with GridClient(Invitation.read(mortal)) as client:
        client._listens_since = 0.0  # it has waited long enough
        job = client.submit("echo", {})
        (event,) = answers(client, 1)
        assert (event.job, event.kind) == (job, EventKind.DONE)
        wait_until(lambda: queued(nats_backend, "jobs.*.mortal") == 0)
    with GridClient(Invitation.read(mortal), resume=kept) as client:  # even so nothing is lost that somebody wants
        client._link.ack_seconds = 0.5
        (event,) = answers(client, 1)
        assert (event.job, event.result) == (kept["jobs"][0]["job"], {"kept": True})


def test_what_is_resumed_is_not_thrown_away(nats_backend: NatsBackend) -> None:
    mortal = nats_backend.invite("mortal2", "client")
    kept = killed_client(mortal)
    with GridClient(Invitation.read(mortal), resume=kept) as client:
        client._listens_since = 0.0
        (event,) = answers(client, 1)
        assert (event.job, event.kind, event.result) == (kept["jobs"][0]["job"], EventKind.DONE, {"kept": True})
        wait_until(lambda: queued(nats_backend, "jobs.*.mortal2") == 0)


def test_jobs_of_somebody_else_who_uses_the_name_are_left_alone(nats_backend: NatsBackend) -> None:
    with nats_backend.open() as first:
        jobs = [first.submit("sleep", {"seconds": 600}) for _ in range(3)]
        for job in jobs[:2]:
            wait_until(partial(is_running, first, job))
        wait_until(lambda: queued(nats_backend, "jobs.any.tester") == 3)
        with nats_backend.open() as second:
            wait_until(lambda: second._census.has_another("tester", second._session))
            second._listens_since = 0.0
            until(second, 2.5)  # beats of it
            assert all(is_running(second, job) for job in jobs[:2])
            assert queued(nats_backend, "jobs.any.tester") == 3


def test_the_owner_of_a_broker_throws_jobs_away(nats_backend: NatsBackend) -> None:
    mortal = nats_backend.invite("mortal3", "client")
    killed_client(mortal)
    assert nats_backend.broker.purge("mortal3") == Purged(jobs=4, running=2)
    assert queued(nats_backend, "jobs.*.mortal3") == 0
    with nats_backend.open() as client:
        wait_until(lambda: client.free() == 3 and not any(worker.job for worker in client.workers()))
    with pytest.raises(GridError, match="'w1' is a worker: only clients have jobs"):
        nats_backend.broker.purge("w1")
    with pytest.raises(GridError, match="no member 'stranger'"):
        nats_backend.broker.purge("stranger")


def is_running(client: GridClient, job: str) -> bool:
    return any(worker.job == job for worker in client.workers())


def queued(backend: NatsBackend, subjects: str = "jobs.>") -> int:
    """How many jobs wait or run."""

    async def look() -> int:
        admin = backend.broker.admin()
        connection = await connect(admin.url, admin.certificate, admin.seed, admin.name)
        try:
            state = (await ask(connection, "STREAM.INFO.JOBS", {"subjects_filter": subjects}))["state"]
            return sum(state.get("subjects", {}).values())
        finally:
            await connection.close()

    return asyncio.run(look())


def test_a_worker_does_not_try_a_job_whose_workers_fall_silent(nats_backend: NatsBackend) -> None:
    """Handed in as if three workers had been lost with it already."""
    job = JobMessage(job="00112233445566ff", kind="echo", attempt=4, arguments={})
    answer: list[ResultMessage] = []

    async def submit() -> None:
        admin = nats_backend.broker.admin()
        connection: Client = await connect(admin.url, admin.certificate, admin.seed, admin.name)
        heard = await connection.subscribe("res.tester.>")
        await connection.publish("jobs.any.tester", encode(job))
        answer.append(decode(ResultMessage, (await heard.next_msg(60)).data))
        await connection.close()

    asyncio.run(submit())
    assert answer[0].outcome == "abandoned"
    assert answer[0].message == "the workers that had it fell silent"


def test_a_considerate_worker_makes_way(monkeypatch: pytest.MonkeyPatch) -> None:
    used = 0.0
    battery: object = None
    monkeypatch.setattr(psutil, "cpu_count", lambda: 4)
    monkeypatch.setattr(psutil, "cpu_percent", lambda seconds: 100 * used / 4)
    monkeypatch.setattr(psutil, "sensors_battery", lambda: battery, raising=False)
    considerate = Considerate(4)
    monkeypatch.setattr(considerate, "_own_cores", lambda: 1.0)
    for used, cores in ((1.0, 4), (2.2, 3), (3.6, 1), (4.0, 1)):  # noqa: B007, seen by the lambda
        assert considerate.look().cores == cores
    monkeypatch.setattr(considerate, "_own_cores", lambda: 0.0)
    assert considerate.look() == Pause(0, "others use 4.0 of 4 cores")
    battery = SimpleNamespace(power_plugged=False)
    used = 0.0
    assert considerate.look() == Pause(0, "this machine runs on its battery", gives_back=True)
    battery = SimpleNamespace(power_plugged=True)
    assert considerate.look() == Pause(4)


class Machine:
    """Says what a considerate worker finds when it looks around."""

    found = Pause(1)
    seconds = 0.05

    def __init__(self, cores: int) -> None:
        pass

    def look(self) -> Pause:
        time.sleep(self.seconds)
        return self.found


def long_at_first(folder: Path) -> dict[str, Any]:
    """Of a job that is done at once when it is begun again."""
    return {"file": str(folder / "runs"), "number": 1, "seconds": 0, "at_first": 600}


@contextmanager
def working(backend: NatsBackend, name: str, *, nice: bool = False) -> Iterator[list[str]]:
    """A new worker in this process; yields what it tells."""
    said: list[str] = []
    worker = GridWorker(Invitation.read(backend.invite(name, "worker")), 1, nice=nice, tell=said.append)
    loop = asyncio.new_event_loop()
    thread = threading.Thread(target=loop.run_until_complete, args=(worker.run(),))
    thread.start()
    try:
        yield said
    finally:
        loop.call_soon_threadsafe(worker.leave)
        thread.join()
        loop.close()


def test_a_worker_on_battery_hands_its_job_back_and_goes_on_later(
    nats_backend: NatsBackend, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(worker_module, "Considerate", Machine)
    monkeypatch.setattr(worker_module, "check_kind", lambda kind: None)  # its process knows the handlers of the tests
    with working(nats_backend, "laptop", nice=True) as said, nats_backend.open() as client:
        wait_until(lambda: client.free() == 4)
        job = client.submit("note", long_at_first(tmp_path), worker="laptop")
        wait_until((tmp_path / "runs").exists)
        wait_until(partial(is_running, client, job))
        monkeypatch.setattr(Machine, "found", Pause(0, "this machine runs on its battery", gives_back=True))
        # It counts no longer, and its job waits for it.
        wait_until(lambda: client.free() == 2 and not is_running(client, job))
        monkeypatch.setattr(Machine, "found", Pause(1))
        event = answers(client, 1)[0]
        assert (event.kind, event.worker, event.attempt) == (EventKind.DONE, "laptop", 1)
    assert said[1:] == ["pausing: this machine runs on its battery", "going on"]


def test_a_considerate_worker_that_leaves_does_not_go_on(
    nats_backend: NatsBackend, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(worker_module, "Considerate", Machine)
    monkeypatch.setattr(Machine, "seconds", 0.0005)
    with nats_backend.open() as client:
        with working(nats_backend, "netbook", nice=True) as said:
            job = client.submit("sleep", {"seconds": 60}, worker="netbook")
            wait_until(partial(is_running, client, job))
        assert said[1:] == []
        client.abort(job)


def test_where_no_process_can_be_started_one_is_told(
    nats_backend: NatsBackend, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(sys, "executable", "/bin/false")
    with Pool(2) as pool:
        jobs = [pool.submit("echo", {}) for _ in range(3)]
        events = answers(pool, len(jobs))
        assert {(event.kind, event.message) for event in events} == {
            (EventKind.FAILED, "no worker can be started: its process ended with code 1")
        }
        pool.submit("echo", {})
        assert answers(pool, 1)[0].kind is EventKind.FAILED
    worker = GridWorker(Invitation.read(nats_backend.folder / "w1.grid"), 1, tell=lambda sentence: None)
    with pytest.raises(GridError, match="no process for jobs can be started here"):
        asyncio.run(worker.run())


class Shortage:
    """Stands for `subprocess.Popen` on a machine that has no room for another process for a while."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch) -> None:
        self.refusals = 0
        self.started: list[subprocess.Popen[bytes]] = []
        self._start = subprocess.Popen
        monkeypatch.setattr("tengen.grid.runner.subprocess.Popen", self)
        for module in ("pool", "worker"):
            monkeypatch.setattr(f"tengen.grid.{module}.START_SECONDS", 0.01)

    def __call__(self, *arguments: Any, **options: Any) -> subprocess.Popen[bytes]:
        if self.refusals:
            self.refusals -= 1
            raise OSError(errno.ENOMEM, os.strerror(errno.ENOMEM))
        self.started.append(self._start(*arguments, **options))
        return self.started[-1]


def test_a_process_that_cannot_be_started_at_once_is_started_later(
    grid_handlers_path: None, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    shortage = Shortage(monkeypatch)
    with Pool(1) as pool:
        shortage.refusals = 2
        job = pool.submit("die_once", {"mark": str(tmp_path / "mark")}, worker="local-1")
        (event,) = answers(pool, 1)
        assert (event.job, event.kind, event.attempt) == (job, EventKind.DONE, 2)
        assert shortage.refusals == 0


def test_jobs_are_answered_though_no_process_can_be_started_any_more(
    grid_handlers_path: None, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    shortage = Shortage(monkeypatch)
    with Pool(1) as pool:
        shortage.refusals = 10**9
        jobs = {pool.submit("die_once", {"mark": str(tmp_path / "mark")}), pool.submit("echo", {})}
        events = answers(pool, 2)
        assert {event.job for event in events} == jobs
        assert {(event.kind, event.message) for event in events} == {
            (EventKind.FAILED, "no worker can be started: [Errno 12] Cannot allocate memory")
        }
        for job in jobs:
            pool.abort(job)  # too late, and no error
    with pytest.raises(GridError, match=r"no worker can be started: .* Cannot allocate memory"):
        Pool(1)


def test_a_job_whose_process_is_being_started_anew_can_be_aborted(
    grid_handlers_path: None, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    shortage = Shortage(monkeypatch)
    monkeypatch.setattr("tengen.grid.pool.START_SECONDS", 600)
    with Pool(1) as pool:
        shortage.refusals = 1
        job = pool.submit("die_once", {"mark": str(tmp_path / "mark")})
        wait_until(lambda: shortage.refusals == 0)
        pool.abort(job)
        assert [(event.job, event.kind) for event in answers(pool, 1)] == [(job, EventKind.ABORTED)]
        assert pool.free() == 0


def test_a_worker_without_a_process_hands_its_job_back_and_gets_another_later(
    nats_backend: NatsBackend, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    shortage = Shortage(monkeypatch)
    monkeypatch.setattr(worker_module, "check_kind", lambda kind: None)  # its process knows the handlers of the tests
    with working(nats_backend, "hut") as said, nats_backend.open() as client:
        wait_until(lambda: client.free() == 4)
        job = client.submit("note", long_at_first(tmp_path), worker="hut")
        wait_until((tmp_path / "runs").exists)
        shortage.refusals = 2
        shortage.started[-1].kill()
        (event,) = answers(client, 1)
        assert (event.job, event.kind, event.attempt) == (job, EventKind.DONE, 2)
        assert shortage.refusals == 0
    assert len(said) == 1  # that it is connected


def test_a_thread_that_cannot_be_started_leaves_no_process_behind(monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse(_thread: threading.Thread) -> None:
        raise RuntimeError("can't start new thread")

    before = psutil.Process().children()
    with monkeypatch.context() as patch:
        patch.setattr(threading.Thread, "start", refuse)
        with pytest.raises(OSError, match="can't start new thread"):
            Runner(lambda runner, said: None)
    assert set(psutil.Process().children()) <= set(before)  # of other tests one may have ended meanwhile


def test_a_grid_is_opened_by_what_a_user_says(nats_backend: NatsBackend, tmp_path: Path) -> None:
    with Pool(1) as pool:
        pool.submit("echo", {})
        answers(pool, 1)
    local = open_jobs("local:1")
    assert isinstance(local, Pool)
    local.close()
    remote = open_jobs(str(nats_backend.client), wanted=1)
    assert isinstance(remote, GridClient)
    wait_until(lambda: remote.free() == 2)
    remote.close()
    for count in (0, 10**30):
        with pytest.raises(GridError, match="1 to 1,024 workers"):
            open_jobs(f"local:{count}")
    with pytest.raises(FileNotFoundError):
        open_jobs(str(tmp_path / "nothing"))


def test_this_machine_gives_as_many_workers_as_are_wanted_up_to_its_cores(monkeypatch: pytest.MonkeyPatch) -> None:
    made: list[int] = []
    monkeypatch.setattr("tengen.grid.anywhere.Pool", lambda workers, **_: made.append(workers))
    monkeypatch.setattr("os.cpu_count", lambda: 2)
    for wanted in (None, 1, 10**30):
        open_jobs("local", wanted=wanted)
    assert made == [2, 1, 2]


def test_a_job_for_a_worker_that_is_gone_is_answered(grid_handlers_path: None) -> None:
    with Pool(2) as first:
        job = first.submit("echo", {}, worker="local-2")
        kept = first.checkpoint()
    with Pool(1, resume=kept) as second:
        (event,) = answers(second, 1)
    assert (event.job, event.kind) == (job, EventKind.FAILED)
    assert "no worker 'local-2' any more" in event.message


def test_an_answer_is_told_before_the_room_that_it_makes() -> None:
    desk = Desk()
    job = desk.open("echo", {}, None)

    def room_comes_with_an_answer() -> bool:
        desk.answer(Event(EventKind.DONE, job.id))
        return True

    told = [desk.next_event(60, room_comes_with_an_answer) for _ in range(2)]
    assert [event.kind for event in told if event is not None] == [EventKind.DONE, EventKind.FREE]


@pytest.mark.skipif(sys.platform == "win32", reason="it has no sessions")
def test_processes_of_a_pool_have_groups_of_their_own_but_our_session() -> None:
    """For Ctrl-C and for killing they are apart; for sharing out the cores, Linux takes a session for one."""
    with Pool(2) as pool:
        for pid in pool.processes().values():
            assert (os.getpgid(pid), os.getsid(pid)) == (pid, os.getsid(0))
