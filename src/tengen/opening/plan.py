"""What to do next in a campaign: the step that promises the most for what it costs."""

from __future__ import annotations

from collections.abc import Collection, Iterator
from dataclasses import dataclass
from typing import Any

from tengen.game import Move, Position
from tengen.opening.atlas import Atlas, Second, Third
from tengen.opening.jobs import KIND

MOST_LEFT = 80
"""With more open replies than these a third move goes to the next level of the verifier, if there is one."""
_TOLD_MOVES = 999
_NODES_A_SECOND = 150_000
_SOLVED_ALREADY = 0.02
"""What one more winning third move is worth once a second move is known to lose."""
_NEXT_BEST = 0.5
"""What a third move is worth beside the one that is better by a place: one that wins is enough."""
_AFTER_FAILURE = 0.3
"""How likely a larger effort finds what a smaller one has not."""
_EARLY = 0.2
"""The share of its limit that a search takes which finds something."""
_AT_WORK = 0.1
"""What another step with the same second move is worth while one is on its way, which may settle it."""
_REFUTING = {"order": 2, "solver_nodes": 400_000}
_SHAPES_WORTH = 0.05 / 3_000_000
LOOKS = 2
"""The first look is for the engine's own moves, the second for shapes that often win."""


@dataclass(frozen=True)
class Level:
    """What the verifier may spend, on a reply and in all."""

    order: int
    reply_nodes: int
    nodes: int


VERIFIER = (
    Level(2, 2_000, 3_000_000),
    Level(3, 20_000, 20_000_000),
    Level(3, 200_000, 150_000_000),
)
"""The levels of the verifier, which is asked about all replies at once."""


@dataclass(frozen=True)
class Effort:
    """A try at one reply: by a search for a win of order 3, or, for so many seconds, by a job-level search."""

    nodes: int = 0
    seconds: float = 0.0

    @property
    def cost(self) -> float:
        """In nodes."""
        return self.nodes or self.seconds * _NODES_A_SECOND


EFFORTS = (
    Effort(500_000),
    Effort(5_000_000),
    Effort(seconds=120),
    Effort(50_000_000),
    Effort(seconds=500),
    Effort(seconds=2_000),
)
"""What is tried against a reply that the verifier has left open, one after the other."""


@dataclass(frozen=True)
class Step:
    """Something to do."""

    what: str
    """`look`, `refute`, `verify`, `answer` or `search`."""
    second: Second
    third: Third | None
    reply: Move | None
    worth: float
    """How likely it is to help, for what it costs."""

    @property
    def name(self) -> tuple[str, Move, Move | None, Move | None]:
        """Tells steps apart."""
        return self.what, self.second.move, None if self.third is None else self.third.move, self.reply

    @property
    def stage(self) -> tuple[object, ...]:
        """How far the work is that it is a step of: what was found for an earlier stage is of no use any more."""
        if self.third is None:
            return (self.second.looks,)
        left = self.third.left
        tries = None if left is None or self.reply is None else left.get(self.reply)
        return self.third.winner, self.third.levels, left is None, tries

    def __str__(self) -> str:
        moves = [self.second.move, None if self.third is None else self.third.move, self.reply]
        return f"{self.what} {' '.join(str(move) for move in moves if move is not None)}"

    @property
    def position(self) -> Position:
        """Where to look."""
        if self.third is None:
            return self.second.position.copy()
        position = self.second.after(self.third)
        if self.reply is not None:
            position.play(self.reply)
        return position

    @property
    def seconds(self) -> float:
        """How long a job-level search may take."""
        return self._effort.seconds

    def job(self) -> tuple[str, dict[str, Any]]:
        """The kind of its job, and the arguments."""
        where = {"position": str(self.position)}
        if self.third is None:
            return KIND, where | {"shapes": self.second.looks > 0}
        if self.what == "refute":
            return "lambda", where | _REFUTING
        if self.what == "verify":
            level = VERIFIER[self.third.levels]
            limits = {"order": level.order, "reply_nodes": level.reply_nodes, "nodes": level.nodes}
            return "verifier", where | limits | {"max_open": MOST_LEFT, "batch": _TOLD_MOVES}
        return "lambda", where | {"order": 3, "solver_nodes": self._effort.nodes}

    @property
    def _effort(self) -> Effort:
        assert self.third is not None
        assert self.third.left is not None
        assert self.reply is not None
        return EFFORTS[self.third.left[self.reply]]


def steps(atlas: Atlas, only: Collection[Move] = (), at_work: Collection[Move] = ()) -> Iterator[Step]:
    """All that could be done now.

    Args:
        atlas: what is known.
        only: second moves to look at; all unless told.
        at_work: second moves for which something is on its way.
    """
    for second in atlas.seconds.values():
        if only and second.move not in only:
            continue
        if not second.looks:
            yield Step("look", second, None, None, 1.0)  # cheap: first of all
            continue
        share = 1.0 if second.winner is None else _SOLVED_ALREADY
        if second.move in at_work:
            share *= _AT_WORK
        if second.looks < LOOKS:
            yield Step("look", second, None, None, share * _SHAPES_WORTH)
        waiting = [third for third in second.ranked() if third.winner is None and third.value is not None]
        for third in waiting:
            yield from _of_third(second, third, third.value or 0.0, share)
            share *= _NEXT_BEST


def _of_third(second: Second, third: Third, value: float, share: float) -> Iterator[Step]:
    if value == 0.0:  # the engine sees a win of White's: one look for its proof
        if not third.nodes:
            yield Step("refute", second, third, None, share / _REFUTING["solver_nodes"])
    elif third.left is None:
        if third.levels < len(VERIFIER):
            hope = share * value**4 * _of_open(third)
            yield Step("verify", second, third, None, hope / VERIFIER[third.levels].nodes)
    elif all(tries < len(EFFORTS) for tries in third.left.values()):
        tries = min(third.left.values())
        hope = share * value**2 * 0.97 ** len(third.left)
        for count in third.left.values():
            hope *= _AFTER_FAILURE**count
        cost = _EARLY * sum(EFFORTS[count].cost for count in third.left.values())
        reply = next(reply for reply, count in third.left.items() if count == tries)
        what = "search" if EFFORTS[tries].seconds else "answer"
        yield Step(what, second, third, reply, hope / cost)


def _of_open(third: Third) -> float:
    """How hopeful the verifier's last level leaves one."""
    if third.open is None:
        return 1.0
    return 0.5 if third.open <= 2 * MOST_LEFT else 0.2 if third.open < _TOLD_MOVES else 0.05
