"""Workers, broker and client are killed at random while jobs are aborted at random: every job is answered exactly once.

A client that dies between handing a job in and writing it down hands it in again under another id; so a number may be
run more often than answered, but never answered twice.
"""

from __future__ import annotations

import json
import os
import random
import subprocess
import sys
import time
from pathlib import Path

import psutil
import pytest
from grid_backends import NatsBackend

JOBS = 40
SEEDS = range(int(os.environ.get("TENGEN_CHAOS", "1")))
"""One run of each in a test; TENGEN_CHAOS=50 for a long night."""


class Client:
    """The client program, which is started again whenever it was killed."""

    def __init__(self, where: str, state: Path, seed: int) -> None:
        program = Path(__file__).with_name("grid_chaos_client.py")
        self._command = [sys.executable, str(program), where, str(state), str(JOBS), str(seed)]
        self.process = subprocess.Popen(self._command)

    def kill(self) -> None:
        self.process.kill()
        self.process.wait()
        self.process = subprocess.Popen(self._command)

    def kill_child(self) -> None:
        children = psutil.Process(self.process.pid).children()
        if children:
            children[-1].kill()


def judge(state: Path) -> None:
    answers = json.loads(state.read_text())["answers"]
    assert sorted(number for number, _, _ in answers) == list(range(JOBS))
    kinds = [kind for _, kind, _ in answers]
    assert set(kinds) <= {"done", "aborted"}, [answer for answer in answers if answer[1] == "failed"]
    assert kinds.count("done") > JOBS / 2


@pytest.mark.usefixtures("grid_handlers_path")
@pytest.mark.parametrize("seed", SEEDS)
def test_nothing_is_lost_on_one_machine(seed: int, tmp_path: Path) -> None:
    dice, state = random.Random(seed), tmp_path / "state"
    client = Client("local:2", state, seed)
    deeds = [client.kill, client.kill_child, client.kill_child] * 2
    dice.shuffle(deeds)
    for deed in deeds:
        time.sleep(dice.uniform(0.3, 0.8))
        if client.process.poll() is None:
            deed()
    assert client.process.wait(120) == 0
    judge(state)


@pytest.mark.usefixtures("grid_handlers_path")
@pytest.mark.parametrize("seed", SEEDS)
def test_nothing_is_lost_on_a_grid(seed: int, tmp_path: Path) -> None:
    dice, state = random.Random(seed), tmp_path / "state"
    backend = NatsBackend(tmp_path)
    client = Client(str(backend.client), state, seed)

    def kill_worker() -> None:
        backend.kill(dice.choice(list(backend.processes)))
        time.sleep(dice.uniform(0, 0.5))
        backend.renew()

    def kill_broker() -> None:
        backend.server.kill()
        backend.server.wait()
        time.sleep(dice.uniform(0, 0.5))
        backend.server = backend.broker.start(tmp_path / "broker.log")

    deeds = [kill_worker, kill_worker, kill_broker, client.kill] * 2
    dice.shuffle(deeds)
    try:
        for deed in deeds:
            time.sleep(dice.uniform(0.3, 1.0))
            if client.process.poll() is None:
                deed()
        assert client.process.wait(180) == 0
    finally:
        client.process.kill()
        client.process.wait()
        backend.close()
    judge(state)
