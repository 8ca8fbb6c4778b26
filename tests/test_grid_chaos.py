"""Workers, broker and client are killed at random while jobs are aborted at random: every job is answered exactly once.

A client that dies between handing a job in and writing it down hands it in again under another id; so a number may be
run more often than answered, but never answered twice. `bench/soak.py grid` does the same for as long as one likes.
"""

from __future__ import annotations

import random
import time
from pathlib import Path

import pytest
from grid_backends import NatsBackend
from grid_chaos import ChaosClient, grid_deeds

JOBS = 40


@pytest.mark.usefixtures("grid_handlers_path")
def test_nothing_is_lost_on_one_machine(tmp_path: Path) -> None:
    dice = random.Random(0)
    client = ChaosClient("local:2", tmp_path / "state", JOBS, seed=0)
    deeds = [client.kill, client.kill_child, client.kill_child] * 2
    dice.shuffle(deeds)
    for deed in deeds:
        time.sleep(dice.uniform(0.3, 0.8))
        if client.process.poll() is None:
            deed()
    assert client.process.wait(120) == 0
    client.judge()


@pytest.mark.usefixtures("grid_handlers_path")
def test_nothing_is_lost_on_a_grid(tmp_path: Path) -> None:
    dice = random.Random(0)
    backend = NatsBackend(tmp_path)
    client = ChaosClient(str(backend.client), tmp_path / "state", JOBS, seed=0)
    deeds = grid_deeds(backend, client, dice) * 2
    dice.shuffle(deeds)
    try:
        for deed in deeds:
            time.sleep(dice.uniform(0.3, 1.0))
            if client.process.poll() is None:
                deed()
        assert client.process.wait(180) == 0
    finally:
        client.end()
        backend.close()
    client.judge()
