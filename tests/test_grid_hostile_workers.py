"""Workers that fail, return, hold or hide jobs, or claim cores that they do not have."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from grid_backends import answers, free_port, start_worker
from grid_hostile import BEHAVIOURS, start_hostile

from tengen.grid import EventKind
from tengen.grid import client as client_module
from tengen.grid.broker import Broker
from tengen.grid.census import Census
from tengen.grid.client import GridClient
from tengen.grid.keys import Invitation
from tengen.grid.messages import MAX_CORES, WorkerBeat
from tengen.grid.reputation import INITIAL_CORES, QUARANTINE_S, Reputation

JOBS = 20


class Grid:
    """A broker with an honest worker, and a hostile one that comes first."""

    def __init__(self, folder: Path) -> None:
        self.broker = Broker(folder / "broker", port=free_port(), ack_seconds=1.0)
        self.server = self.broker.start(folder / "log")
        self.client: Invitation = self.broker.invite("me", "client")
        for name in ("honest", "hostile"):
            self.broker.invite(name, "worker").write(folder / f"{name}.grid")
        self.folder = folder
        self.workers = [start_worker(folder / "honest.grid")]

    def add_hostile(self, behaviour: str) -> None:
        self.workers.append(start_hostile(self.folder / "hostile.grid", behaviour))

    def close(self) -> None:
        for process in [*self.workers, self.server]:
            process.terminate()
            process.wait()


@pytest.fixture
def grid(tmp_path: Path) -> Iterator[Grid]:
    grid = Grid(tmp_path)
    yield grid
    grid.close()


@pytest.mark.parametrize("behaviour", BEHAVIOURS)
def test_every_job_is_done_in_spite_of_a_hostile_worker(
    grid: Grid, behaviour: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(client_module, "FIRST_DEADLINE_S", 2.0)
    monkeypatch.setattr(client_module, "MIN_DEADLINE_S", 2.0)
    grid.add_hostile(behaviour)
    with GridClient(grid.client) as client:
        while {worker.name for worker in client.workers()} != {"honest", "hostile"}:
            client.next_event(0.1)
        jobs = {client.submit("echo", {"number": number}) for number in range(JOBS)}
        events = answers(client, JOBS, seconds=300)
        assert {event.job for event in events} == jobs
        assert {event.kind for event in events} == {EventKind.DONE}
        assert {event.worker for event in events} == {"honest"}


def test_an_offender_is_reported_and_gets_no_further_jobs(grid: Grid) -> None:
    grid.add_hostile("fail")
    problems: list[str] = []
    with GridClient(grid.client) as client:
        while {worker.name for worker in client.workers()} != {"honest", "hostile"}:
            client.next_event(0.1)
        open_jobs = {client.submit("echo", {"number": number}) for number in range(JOBS)}
        while open_jobs:
            event = client.next_event(60)
            assert event is not None
            open_jobs.discard(event.job or "")
            problems += [event.message] * (event.kind is EventKind.PROBLEM)
        assert problems
        assert all("worker hostile gets no jobs for a while" in problem for problem in problems)
        events = []
        for number in range(JOBS):
            client.submit("echo", {"number": number})
            events += answers(client, 1)
        assert {(event.kind, event.attempt) for event in events} == {(EventKind.DONE, 1)}
        checkpoint = client.checkpoint()
    assert checkpoint["offenders"] == ["hostile"]
    with GridClient(grid.client, resume=checkpoint) as client:
        while {worker.name for worker in client.workers()} != {"honest"}:  # quarantined from the beginning
            client.next_event(0.1)
        client.submit("echo", {"number": 1})
        (event,) = answers(client, 1)
        assert (event.kind, event.worker, event.attempt) == (EventKind.DONE, "honest", 1)


def test_a_job_that_fails_everywhere_is_failed_and_blames_no_worker(grid: Grid) -> None:
    with GridClient(grid.client) as client:
        client.submit("sleep", {"seconds": "x"})  # the handler raises an error
        (event,) = answers(client, 1)
        assert event.kind is EventKind.FAILED
        assert "ValueError" in event.message
        assert client._reputation.is_reliable("honest", 0.0)


def test_a_failure_does_not_count_while_the_other_workers_are_away(grid: Grid) -> None:
    """A hostile worker that is alone for a moment must not be able to fail every job."""
    grid.add_hostile("fail")
    with GridClient(grid.client) as client:
        while {worker.name for worker in client.workers()} != {"honest", "hostile"}:
            client.next_event(0.1)
        honest = grid.workers.pop(0)
        honest.kill()
        honest.wait()
        while {worker.name for worker in client.workers()} != {"hostile"}:
            client.next_event(0.1)
        client.submit("echo", {"number": 1})
        while not client._sent or not next(iter(client._sent.values())).failures:
            assert (event := client.next_event(0.1)) is None or event.kind is not EventKind.FAILED
        grid.workers.append(start_worker(grid.folder / "honest.grid"))
        (event,) = answers(client, 1, seconds=300)
        assert (event.kind, event.worker) == (EventKind.DONE, "honest")


def test_claimed_cores_are_believed_only_as_far_as_results_were_delivered() -> None:
    reputation = Reputation()
    census = Census(lambda name, claimed: reputation.believed_cores(name, claimed, 0.0))
    for number in range(64):
        beat = WorkerBeat(session=f"{number:016x}", cores=MAX_CORES, busy=[], done=10**9, version="1")
        census.hear_worker("boaster", beat)
    assert census.cores == len(census.workers()) == INITIAL_CORES
    for _ in range(5):
        reputation.add_result("boaster")
    assert census.cores == INITIAL_CORES + 5


def test_quarantine_ends_with_probation_and_results_repay_strikes() -> None:
    reputation = Reputation()
    assert [reputation.add_strike("w", 0.0) for _ in range(3)] == [False, False, True]
    assert reputation.believed_cores("w", 8, 1.0) == 0
    later = QUARANTINE_S + 1
    assert reputation.believed_cores("w", 8, later) == 1
    assert reputation.add_strike("w", later)  # on probation one is enough, and for longer
    assert reputation.is_quarantined("w", later + 1.5 * QUARANTINE_S)
    reputation.add_result("w")
    assert reputation.believed_cores("w", 8, later + 3 * QUARANTINE_S) == 8
    for _ in range(100):  # one wasted job in six is put up with
        reputation.add_strike("x", 0.0)
        for _ in range(5):
            reputation.add_result("x")
    assert not reputation.is_quarantined("x", 0.0)


def test_a_job_that_an_offender_holds_is_copied_once(grid: Grid, tmp_path: Path) -> None:
    """The offender goes on reporting that it runs the job: that is no reason to submit it every second."""
    grid.add_hostile("hold")
    with GridClient(grid.client) as client:
        while {worker.name for worker in client.workers()} != {"honest", "hostile"}:
            client.next_event(0.1)
        job = client.submit("sleep", {"seconds": 6})
        while not any(worker.job == job and worker.name == "hostile" for worker in client.workers()):
            if any(worker.job == job for worker in client.workers()):  # the honest one was faster
                pytest.skip("the hostile worker did not get the job")
            client.next_event(0.1)
        client._reputation.add_offender("hostile", client.now())
        submissions = 0
        while (event := client.next_event(0.2)) is None or event.job != job:
            sent = client._sent.get(job)
            submissions = max(submissions, 0 if sent is None else sent.submissions)
        assert (event.kind, event.worker) == (EventKind.DONE, "honest")
        assert submissions == 2
