"""What every job system must do, whatever it runs on."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path

import psutil
import pytest
from grid_backends import BACKENDS, Backend, answers, until

from tengen.grid import DurableJobSystem, Event, EventKind, GridError

pytestmark = pytest.mark.parametrize("backend", BACKENDS, indirect=True)

ANSWERS = {EventKind.DONE, EventKind.ABORTED, EventKind.FAILED}


@pytest.fixture
def system(backend: Backend) -> DurableJobSystem:
    return backend.open()


def running(system: DurableJobSystem, job: str) -> Callable[[], bool]:
    return lambda: any(worker.job == job for worker in system.workers())


def test_a_result_comes_back_as_it_was_sent(system: DurableJobSystem) -> None:
    sent = {"text": "天元 \u2028", "numbers": [1, -2.5, 1e300, 2**60], "nothing": None, "nested": {"yes": True}}
    job = system.submit("echo", sent)
    event = answers(system, 1)[0]
    assert (event.kind, event.job, event.result, event.attempt) == (EventKind.DONE, job, sent, 1)
    assert event.worker in {worker.name for worker in system.workers()}
    assert event.sequence > 0


def test_every_job_is_answered_once_and_answers_are_numbered_upwards(system: DurableJobSystem) -> None:
    jobs = [system.submit("echo", {"number": number}) for number in range(60)]
    events = answers(system, len(jobs))
    assert sorted(event.job or "" for event in events) == sorted(jobs)
    assert {event.job: event.result for event in events} == {job: {"number": n} for n, job in enumerate(jobs)}
    assert [event.sequence for event in events] == sorted({event.sequence for event in events})
    assert not [event for event in until(system, 0.3) if event.kind in ANSWERS]


def test_there_is_room_for_idle_workers_and_a_little_more(system: DurableJobSystem) -> None:
    room = wait_for_room(system)
    jobs = [system.submit("sleep", {"seconds": 60}) for _ in range(room)]
    assert system.free() == 0
    for job in jobs:
        system.abort(job)
    assert {event.kind for event in answers(system, len(jobs))} == {EventKind.ABORTED}
    assert system.free() == room


def wait_for_room(system: DurableJobSystem) -> int:
    for _ in range(600):
        if system.free() > 2:
            return system.free()
        system.next_event(0.1)
    raise AssertionError("no workers came")


def test_workers_come_and_then_there_is_room(backend: Backend) -> None:
    kinds: list[EventKind] = []
    system = backend.open()
    while kinds.count(EventKind.JOINED) < backend.workers or kinds[-1] is not EventKind.FREE:
        event = system.next_event(60)
        assert event is not None
        kinds.append(event.kind)
    assert set(kinds) <= {EventKind.JOINED, EventKind.FREE}
    assert system.next_event(0.2) is None  # room is told once
    jobs = [system.submit("sleep", {"seconds": 60}) for _ in range(system.free())]
    assert system.next_event(0.2) is None  # there is none
    system.abort(jobs[0])
    assert [event.kind for event in (system.next_event(60), system.next_event(60)) if event is not None] == [
        EventKind.ABORTED,
        EventKind.FREE,
    ]


def test_a_running_native_search_is_aborted_by_its_flag(system: DurableJobSystem, tmp_path: Path) -> None:
    job = system.submit("search", {"mark": str(tmp_path / "mark")})
    wait_until((tmp_path / "mark.begun").exists)
    system.abort(job)
    assert [(event.job, event.kind, event.result) for event in answers(system, 1)] == [(job, EventKind.ABORTED, None)]
    wait_until((tmp_path / "mark").exists)  # it ends of itself: its process is not killed


def wait_until(condition: Callable[[], bool], seconds: float = 60) -> None:
    deadline = time.monotonic() + seconds
    while not condition():
        assert time.monotonic() < deadline, "it did not happen"
        time.sleep(0.005)


def test_a_queued_job_is_aborted_without_being_begun(
    backend: Backend, system: DurableJobSystem, tmp_path: Path
) -> None:
    blockers = [system.submit("sleep", {"seconds": 60}) for _ in range(backend.workers)]
    for blocker in blockers:
        wait_until(running(system, blocker))
    file = tmp_path / "begun"
    job = system.submit("note", {"file": str(file), "number": 1, "seconds": 0})
    system.abort(job)
    assert [(event.job, event.kind) for event in answers(system, 1)] == [(job, EventKind.ABORTED)]
    for blocker in blockers:
        system.abort(blocker)
    answers(system, len(blockers))
    system.submit("echo", {})
    answers(system, 1)
    assert not file.exists()


def test_an_abort_at_any_moment_is_answered_once(system: DurableJobSystem) -> None:
    jobs = [system.submit("sleep", {"seconds": 0.002 * number}) for number in range(30)]
    for job in reversed(jobs):
        system.abort(job)
        system.abort(job)
    events = answers(system, len(jobs))
    assert sorted(event.job or "" for event in events) == sorted(jobs)
    assert {event.kind for event in events} <= {EventKind.ABORTED, EventKind.DONE}
    for job in [*jobs, "nobody-1"]:
        system.abort(job)  # too late, or unknown: nothing happens
    assert not [event for event in until(system, 0.3) if event.kind in ANSWERS]


def test_a_job_that_does_not_heed_its_flag_is_ended_with_its_process(system: DurableJobSystem, tmp_path: Path) -> None:
    job = system.submit("deaf", {"mark": str(tmp_path / "mark")})
    wait_until((tmp_path / "mark").exists)
    system.abort(job)
    assert [(event.job, event.kind) for event in answers(system, 1)] == [(job, EventKind.ABORTED)]
    system.submit("echo", {})
    assert answers(system, 1)[0].kind is EventKind.DONE


def test_a_job_whose_process_dies_is_run_again(system: DurableJobSystem, tmp_path: Path) -> None:
    system.submit("die_once", {"mark": str(tmp_path / "mark")})
    event = answers(system, 1)[0]
    assert (event.kind, event.result, event.attempt) == (EventKind.DONE, {"survived": True}, 2)


@pytest.mark.parametrize(
    ("kind", "reason"),
    [("die", "ended by SIGKILL"), ("segfault", "ended by SIGSEGV"), ("no_memory", "had no memory left")],
)
def test_a_job_that_kills_all_its_workers_is_given_up(system: DurableJobSystem, kind: str, reason: str) -> None:
    poison = system.submit(kind, {})
    event = answers(system, 1)[0]
    assert (event.kind, event.job, event.attempt) == (EventKind.FAILED, poison, 3)
    assert "given up after 3 attempts" in event.message
    assert reason in event.message
    system.submit("echo", {"well": True})
    assert answers(system, 1)[0].result == {"well": True}


@pytest.mark.parametrize(
    ("kind", "reason"),
    [
        ("fail", "RuntimeError: it cannot be done"),
        ("nonsense", "no handler for 'nonsense' jobs is installed; there are "),
        ("broken", "the handler for 'broken' jobs cannot be loaded"),
        ("nan", "ValueError"),
    ],
)
def test_an_error_of_a_handler_is_the_answer(system: DurableJobSystem, kind: str, reason: str) -> None:
    job = system.submit(kind, {})
    event = answers(system, 1)[0]
    assert (event.kind, event.job, event.result) == (EventKind.FAILED, job, None)
    assert reason in event.message


def test_a_large_result_comes_through_and_a_larger_one_is_refused(system: DurableJobSystem) -> None:
    system.submit("big", {"bytes": 3_000_000})
    assert len((answers(system, 1)[0].result or {})["text"]) == 3_000_000
    system.submit("big", {"bytes": 8_000_000})
    event = answers(system, 1)[0]
    assert event.kind is EventKind.FAILED
    assert "are allowed" in event.message


def test_arguments_that_cannot_be_sent_are_refused_at_once(system: DurableJobSystem) -> None:
    with pytest.raises(GridError, match="no JSON"):
        system.submit("echo", {"what": object()})
    with pytest.raises(GridError, match="no JSON"):
        system.submit("echo", {"what": float("inf")})
    with pytest.raises(GridError, match="bytes are allowed"):
        system.submit("echo", {"what": "x" * 2**20})
    assert system.checkpoint()["jobs"] == []


def test_a_named_worker_gets_its_job_while_others_are_idle(system: DurableJobSystem) -> None:
    wait_for_room(system)
    for name in sorted({worker.name for worker in system.workers()}):
        for _ in range(3):
            system.submit("echo", {}, worker=name)
            assert answers(system, 1)[0].worker == name


def test_one_can_see_who_does_what_since_when(system: DurableJobSystem) -> None:
    before = system.now()
    job = system.submit("chatter", {"seconds": 60})

    def is_told() -> bool:
        return any(worker.job == job and worker.progress == {"half": True} for worker in system.workers())

    wait_until(is_told)
    worker = next(worker for worker in system.workers() if worker.job == job)
    assert worker.kind == "chatter"
    assert worker.client is not None
    assert worker.since is not None
    assert before - 2 <= worker.since <= system.now() + 2
    system.abort(job)
    answers(system, 1)
    wait_until(lambda: not running(system, job)())


def test_what_a_handler_prints_is_no_answer(system: DurableJobSystem) -> None:
    system.submit("chatter", {"seconds": 0})
    assert answers(system, 1)[0].result == {"done": True}


def test_a_killed_worker_is_told_and_its_job_is_done_elsewhere(
    backend: Backend, system: DurableJobSystem, tmp_path: Path
) -> None:
    file = tmp_path / "runs"
    job = system.submit("note", {"file": str(file), "number": 7, "seconds": 0, "at_first": 600})
    wait_until(running(system, job))
    wait_until(lambda: file.exists() and file.read_text() == "7\n")
    victim = next(worker.name for worker in system.workers() if worker.job == job)
    backend.kill_worker(system, victim)
    events: list[Event] = []
    while not {EventKind.LOST, EventKind.DONE} <= {event.kind for event in events}:
        event = system.next_event(60)
        assert event is not None
        events.append(event)
    assert [event.worker for event in events if event.kind is EventKind.LOST] == [victim]
    done = [event for event in events if event.kind is EventKind.DONE]
    assert [(event.job, event.result, event.attempt) for event in done] == [(job, {"number": 7}, 2)]
    assert file.read_text() == "7\n7\n"


def test_a_client_goes_on_from_its_checkpoint(backend: Backend) -> None:
    """As after kill -9: the first client gets no chance to tidy up, and answers that it has not taken come again."""
    first = backend.open()
    jobs = {first.submit("echo", {"number": number}): number for number in range(6)}
    taken = answers(first, 2)
    kept = first.checkpoint()
    answers(first, 2)  # taken, but the checkpoint does not know it
    backend.abandon(first)
    second = backend.open(resume=kept)
    events = answers(second, 4)
    assert sorted(event.job or "" for event in taken + events) == sorted(jobs)
    assert all(event.result == {"number": jobs[event.job or ""]} for event in events)
    new = second.submit("echo", {})
    assert new not in jobs
    assert answers(second, 1)[0].job == new
    assert second.checkpoint()["jobs"] == []


def test_a_checkpoint_that_is_none_is_refused(backend: Backend) -> None:
    with pytest.raises(GridError, match="no checkpoint"):
        backend.open(resume={"sequence": 1, "jobs": [{"job": "a"}]})


def test_nothing_is_taken_after_the_end(system: DurableJobSystem) -> None:
    system.submit("sleep", {"seconds": 60})
    system.close()
    assert system.free() == 0
    with pytest.raises(GridError, match="closed"):
        system.submit("echo", {})
    system.close()


def test_a_killed_client_leaves_no_process_behind(backend: Backend, tmp_path: Path) -> None:
    program = backend.client_program() + (
        "import os, sys, time\n"
        "job = system.submit('sleep', {'seconds': 20})\n"
        "while not any(worker.job == job for worker in system.workers()):\n"
        "    time.sleep(0.01)\n"
        "print('running', flush=True)\n"
        "time.sleep(600)\n"
    )
    client = subprocess.Popen(
        [sys.executable, "-c", program], stdout=subprocess.PIPE, text=True, start_new_session=True
    )
    assert client.stdout is not None
    assert client.stdout.readline() == "running\n"
    own = psutil.Process(client.pid).children(recursive=True)
    os.kill(client.pid, signal.SIGKILL)
    client.wait()
    client.stdout.close()
    assert psutil.wait_procs(own, timeout=60)[1] == []
