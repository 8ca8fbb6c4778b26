"""The native objects: what is dropped is gone, and a process that ends while threads still hold some ends quietly."""

import gc
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from tengen import CONNECT6, Game, Position, solve
from tengen._native import Control, EngineMemory, EngineSettings, MakerBreaker, Ranking, Setup
from tengen.play import Budget, Engine
from tengen.play.evaluation import weights_for
from tengen.prove import defend, settle

STATM = Path("/proc/self/statm")
ATTACK = Position(moves="J10 I9K9 J8L9 I11K11")


def settle_and_fail() -> None:
    def fail() -> object:
        raise LookupError

    with pytest.raises(LookupError):
        settle(Position(Game(7, 4, 4, 1, 1)), stop=fail)


def kilobytes() -> int:
    gc.collect()
    return int(STATM.read_text().split()[1]) * 4


@pytest.mark.skipif(not STATM.exists(), reason="the system does not tell how much memory is in use")
@pytest.mark.parametrize(
    ("make", "times"),
    [
        (lambda: ATTACK.copy().native_board, 5000),
        (Control, 20_000),
        (lambda: Setup(19, 19, 6, 2, False, [1, 2], [3, 4]), 20_000),
        (EngineSettings, 20_000),
        (lambda: EngineMemory(8, 1), 1000),
        (lambda: weights_for(CONNECT6).native(6), 1000),
        (lambda: Ranking.sequences(1.0), 2000),
        (lambda: MakerBreaker(4, [[0, 1], [2, 3]], [], 1, [1, 1], []).holds(Control(), 3, 0), 500),
        (lambda: solve(ATTACK, zones=True, progress=lambda nodes, depth: None).strategy, 100),
        (lambda: defend(ATTACK, nodes=100, tell=lambda *figures: None), 20),
        (lambda: settle(Position(Game(4, 4, 4, 1, 1)), stop=lambda: False), 50),
        (settle_and_fail, 4),
        (lambda: Engine(threads=1).analyse(ATTACK, Budget(nodes=2), report=lambda found: None), 4),
    ],
    ids=[
        "board",
        "control",
        "setup",
        "settings",
        "memory",
        "weights",
        "ranking",
        "maker-breaker",
        "solve",
        "defend",
        "settle",
        "fail",
        "engine",
    ],
)
def test_what_is_dropped_is_gone(make: Callable[[], object], times: int) -> None:
    for _ in range(times // 4 + 1):
        make()
    before, objects = kilobytes(), len(gc.get_objects())
    for _ in range(times):
        make()
    assert kilobytes() - before < 1000
    assert len(gc.get_objects()) - objects < times


HOLDER = """
import threading, time
from tengen import Position

def hold():
    position = Position(moves="J10")
    time.sleep(60)

threading.Thread(target=hold, daemon=True).start()
time.sleep(0.2)
"""


def test_threads_that_hold_native_objects_at_the_end_make_no_noise() -> None:
    ended = subprocess.run([sys.executable, "-c", HOLDER], capture_output=True, text=True, timeout=60, check=True)
    assert ended.stderr == ""
