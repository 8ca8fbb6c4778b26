"""Time controls: how long a player may think, and when his time is up.

    1s/move       so long for each move
    30m           so long for all moves together (the Computer Olympiad)
    5m+2s         the same, and each move gains two seconds
    80m/10x60s    80 minutes, and after that at most 10 moves that take more than 60 seconds (the man-machine matches)
    none          as long as he likes

Hours, minutes, seconds and milliseconds are h, m, s and ms; `olympiad` and `man-machine` are names of the two above.
"""

from __future__ import annotations

import re
from dataclasses import dataclass

from tengen.game import TengenError
from tengen.play.agent import Budget

TOLERANCE = 0.25
"""Seconds by which a player may overstep: a busy machine may wake him late. On a clock for a whole game they are
granted once, not for each move."""
LONGEST = 7 * 24 * 3600.0
"""More is taken for a mistake."""

_NAMES = {"olympiad": "30m", "man-machine": "80m/10x60s"}
_MILLISECONDS = {"h": 3_600_000, "m": 60_000, "s": 1_000, "ms": 1}
_DURATION = r"(?:\d+(?:\.\d+)?(?:ms|h|m|s))+"
_PER_MOVE = re.compile(rf"(?P<move>{_DURATION})/move")
_PER_GAME = re.compile(
    rf"(?P<base>{_DURATION})(?:\+(?P<increment>{_DURATION})|/(?P<count>\d{{1,4}})x(?P<long>{_DURATION}))?"
)


class TimeControlError(TengenError):
    """A text is no time control."""


@dataclass(frozen=True)
class TimeControl:
    """How long the players of a game may think, in seconds. Nothing given: as long as they like."""

    move: float | None = None
    """For each move."""
    base: float | None = None
    """For all moves together."""
    increment: float = 0.0
    """What each move gains."""
    long_moves: int | None = None
    """How many long moves a player may make once `base` is used up; without this the game is lost then."""
    long_time: float = 0.0
    """A move is long that takes more than this."""

    @classmethod
    def parse(cls, text: str) -> TimeControl:
        """Reads a time control as people write it.

        Raises:
            TimeControlError: if it is none.
        """
        plain = text.strip().lower().replace(" ", "")
        plain = _NAMES.get(plain, plain)
        if plain in ("none", "unlimited"):
            return cls()
        if match := _PER_MOVE.fullmatch(plain):
            return cls(move=_seconds(match["move"]))
        if match := _PER_GAME.fullmatch(plain):
            base = _seconds(match["base"])
            if match["increment"]:
                return cls(base=base, increment=_seconds(match["increment"]))
            if match["count"]:
                return cls(base=base, long_moves=int(match["count"]), long_time=_seconds(match["long"]))
            return cls(base=base)
        raise TimeControlError(
            f"{text!r} is no time control: write 1s/move, 30m for a whole game, 5m+2s with an increment, "
            "80m/10x60s (then at most 10 moves over a minute), or none"
        )

    def __str__(self) -> str:
        if self.move is not None:
            return f"{_written(self.move)}/move"
        if self.base is None:
            return "none"
        if self.long_moves is not None:
            return f"{_written(self.base)}/{self.long_moves}x{_written(self.long_time)}"
        return _written(self.base) + (f"+{_written(self.increment)}" if self.increment else "")


class Clock:
    """One player's clock in one game."""

    def __init__(self, control: TimeControl, tolerance: float = TOLERANCE) -> None:
        self.control = control
        self.tolerance = tolerance
        self.used = 0.0
        """Seconds thought so far."""
        self.left = control.base
        """Seconds left of the time for all moves; below 0 if tolerance was needed. None without such a time."""
        self.long_moves_left = control.long_moves

    def budget(self, nodes: int | None = None, depth: int | None = None) -> Budget:
        """What the next move may cost; limits other than time are handed through."""
        control = self.control
        if self.left is None:
            return Budget(seconds=control.move, nodes=nodes, depth=depth)
        if control.long_moves is not None and self.left <= control.long_time:
            # The time for all moves is nearly gone: what is left of it, and then as long as a move may take for free.
            return Budget(seconds=max(self.left, 0.0) + control.long_time, nodes=nodes, depth=depth)
        return Budget(remaining=max(self.left, 0.001), increment=control.increment, nodes=nodes, depth=depth)

    def deadline(self) -> float | None:
        """The seconds after which the next move has certainly lost on time; None if it may take for ever."""
        if self.control.move is not None:
            return self.control.move + self.tolerance
        if self.left is None or self.long_moves_left:
            return None
        if self.long_moves_left is None:
            return self.left + self.tolerance
        return max(self.left, 0.0) + self.control.long_time + self.tolerance

    def spend(self, seconds: float) -> str | None:
        """Counts the time of a move. Returns why the game is lost on time; None if it goes on."""
        deadline = self.deadline()
        allowed = self.left
        self.used += seconds
        if self.left is not None:
            self.left -= seconds
        if deadline is not None and seconds > deadline:
            if self.control.move is not None:
                return f"{seconds:.2f} s for a move instead of {self.control.move:g} s"
            if self.long_moves_left is None:
                return f"{self.used:.2f} s for all moves, {-(self.left or 0.0):.2f} s too many"
            return f"a move of {seconds:.2f} s when no more long moves were left"
        if self.left is not None and allowed is not None:
            if self.long_moves_left is not None:
                # Only what a move takes beyond the time for all moves counts against the long ones.
                beyond = seconds - max(allowed, 0.0)
                if beyond > self.control.long_time + self.tolerance:
                    self.long_moves_left -= 1
            else:
                self.left += self.control.increment
        return None


def _seconds(text: str) -> float:
    parts = re.findall(r"(\d+(?:\.\d+)?)(ms|h|m|s)", text)
    total = sum(float(number) * _MILLISECONDS[unit] for number, unit in parts) / 1000
    if not 0.001 <= total <= LONGEST:
        raise TimeControlError(f"{text!r} is no time to think: a millisecond at least, and at most a week")
    return total


def _written(seconds: float) -> str:
    """A time as `parse` reads it, in the largest unit that needs no fraction."""
    for unit, size in _MILLISECONDS.items():
        if (count := seconds * 1000 / size).is_integer():
            return f"{int(count)}{unit}"
    return f"{seconds!r}s"
