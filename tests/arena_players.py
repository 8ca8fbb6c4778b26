"""Players of every kind, good and bad, for tests: found by name in the processes that play games."""

import os
import signal
import subprocess
import sys
import time
from pathlib import Path

from tengen.arena.game import Reason
from tengen.game import Move, Position
from tengen.play import make_agent
from tengen.play.agent import Agent, Budget, Choice
from tengen.play.external import is_external

FAULTS = {
    "raises": (Reason.CRASH, "RuntimeError: out of ideas"),
    "occupied": (Reason.ILLEGAL, "occupied"),
    "half": (Reason.ILLEGAL, "1 of 2 stones"),
    "passes": (Reason.ILLEGAL, "nobody may pass"),
    "nonsense": (Reason.ILLEGAL, "move"),
    "nan": (Reason.CRASH, "cannot be kept"),
    "exits": (Reason.CRASH, "ended with code 3"),
    "aborts": (Reason.CRASH, "ended with code -6"),
    "hangs": (Reason.TIME, "no answer"),
    "unmakeable": (Reason.CRASH, "could not begin"),
}
"""What players do wrong: why they lose, and what is said of it."""


class Faulty:
    """Plays like a simple opponent until its second move, and then does what it is named after."""

    def __init__(self, kind: str, seed: int | None) -> None:
        self.name = kind
        self._good = make_agent("simple", seed)
        self._moves = 0
        self._child: subprocess.Popen[bytes] | None = None

    def choose(self, position: Position, budget: Budget) -> Choice:
        self._moves += 1
        if self.name == "noisy":
            print("thinking aloud", flush=True)
        if self.name.startswith("sees ") and not Path(self.name.removeprefix("sees ")).exists():
            raise FileNotFoundError(self.name)
        if self._moves < 2:
            return self._good.choose(position, budget)
        if self.name == "raises":
            raise RuntimeError("out of ideas")
        if self.name == "exits":
            sys.exit(3)
        if self.name == "aborts":
            os.kill(os.getpid(), signal.SIGABRT)
        if self.name == "hangs":
            time.sleep(10_000)
        if self.name.startswith("breeds "):
            self._child = subprocess.Popen(["sleep", "10000"])
            Path(self.name.removeprefix("breeds ")).write_text(str(self._child.pid))
            self._child.wait()
        if self.name == "late":
            time.sleep((budget.seconds or 0.0) + 0.3)
        if self.name == "occupied":
            taken, free = position.stones(position.turn)[:1], list(position.empty_squares())
            return Choice(Move([*taken, *free[: position.stones_left - 1]]))
        if self.name == "half":
            return Choice(Move(list(position.empty_squares())[:1]))
        if self.name == "passes":
            return Choice(Move("pass"))
        if self.name == "nonsense":
            return "J10"  # type: ignore[return-value]
        if self.name == "nan":
            return Choice(self._good.choose(position, budget).move, win=float("nan"))
        return self._good.choose(position, budget)

    def close(self) -> None:
        if self.name == "noisy":
            raise RuntimeError("no goodbye")
        if self.name == "slams the door":
            os.abort()


class Thinker:
    """Tells everything it can about its moves."""

    name = "thinker"

    def __init__(self, seed: int | None) -> None:
        self._good = make_agent("simple", seed)

    def choose(self, position: Position, budget: Budget) -> Choice:
        move = self._good.choose(position, budget).move
        return Choice(move, 0.625, "B1", (move,), 3, 1234, {"mood": "calm ]"})

    def close(self) -> None:
        pass


def make(spec: str, seed: int | None = None) -> Agent:
    """`simple`, `random` and other programs, `thinker`, and what `Faulty` knows; `once FILE` kills its process the
    first time."""
    if spec in ("simple", "random") or is_external(spec):
        return make_agent(spec, seed)
    if spec == "thinker":
        return Thinker(seed)
    if spec == "unmakeable":
        raise FileNotFoundError(2, "No such file", "engine")
    if spec.startswith("once "):
        flag = Path(spec.removeprefix("once "))
        if not flag.exists():
            flag.touch()
            os.kill(os.getpid(), signal.SIGKILL)
        return make_agent("simple", seed)
    return Faulty(spec, seed)
