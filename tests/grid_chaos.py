"""Processes that are killed at random while jobs run, for a short test and a long soak alike."""

from __future__ import annotations

import json
import random
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path

import psutil
from grid_backends import NatsBackend


class ChaosClient:
    """A client program with so many jobs, which is started again whenever it was killed."""

    def __init__(self, where: str, state: Path, jobs: int, seed: int) -> None:
        program = Path(__file__).with_name("grid_chaos_client.py")
        self._command = [sys.executable, str(program), where, str(state), str(jobs), str(seed)]
        self._state, self._jobs = state, jobs
        self.process = subprocess.Popen(self._command)

    def kill(self) -> None:
        self.process.kill()
        self.process.wait()
        self.process = subprocess.Popen(self._command)

    def kill_child(self) -> None:
        children = psutil.Process(self.process.pid).children()
        if children:
            children[-1].kill()

    def end(self) -> None:
        """Whatever it is doing."""
        self.process.kill()
        self.process.wait()

    def judge(self) -> None:
        """Every job was answered exactly once, most by being done, none by a failure."""
        answers = json.loads(self._state.read_text())["answers"]
        assert sorted(number for number, _, _ in answers) == list(range(self._jobs))
        kinds = [kind for _, kind, _ in answers]
        assert set(kinds) <= {"done", "aborted"}, [answer for answer in answers if answer[1] == "failed"]
        assert kinds.count("done") > self._jobs / 2


def grid_deeds(backend: NatsBackend, client: ChaosClient, dice: random.Random) -> list[Callable[[], None]]:
    """What can befall a grid: a worker, the broker or the client is killed, and comes back."""

    def kill_worker() -> None:
        backend.kill(dice.choice(list(backend.processes)))
        time.sleep(dice.uniform(0, 0.5))
        backend.renew()

    def kill_broker() -> None:
        backend.kill_broker()
        time.sleep(dice.uniform(0, 0.5))
        backend.start_broker()

    return [kill_worker, kill_worker, kill_broker, client.kill]
