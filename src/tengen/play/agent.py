"""What it is to be an agent: somebody who can be asked for a move within a budget."""

from __future__ import annotations

import inspect
from collections.abc import Callable, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from functools import partial
from typing import Any, Protocol, TypeVar, runtime_checkable

from tengen import _native
from tengen.game import Move, Position, TengenError

Found = TypeVar("Found")


@dataclass(frozen=True)
class Budget:
    """What one move may cost. Nothing given means: the agent's own idea of a good move in reasonable time."""

    seconds: float | None = None
    """At most so long for this move."""
    remaining: float | None = None
    """What is left on the clock for the rest of the game; the agent shares it out among his moves."""
    increment: float = 0.0
    """What the clock gains after each move."""
    nodes: int | None = None
    """At most so many nodes: with this alone, play is repeatable."""
    depth: int | None = None
    """At most so many moves deep."""

    def time_limit(self) -> float | None:
        """The seconds that this move may take: as given, but no more than a fair share of the clock; None if neither
        says anything."""
        if self.remaining is None:
            return self.seconds
        # A game of Connect6 is seldom decided after thirty moves of a side; the clock must never run out.
        share = max(0.001, min(self.remaining / 30 + 0.8 * self.increment, 0.8 * self.remaining))
        return share if self.seconds is None else min(share, self.seconds)


@dataclass(frozen=True)
class Choice:
    """A move with what its maker thinks of it."""

    move: Move
    """All stones that are left in this turn."""
    win: float | None = None
    """How likely the player to move is to win, from 0 to 1."""
    status: str | None = None
    """The same on the scale Bw, B4 to B1, stable, unstable1, unstable2, W1 to W4, Ww."""
    line: tuple[Move, ...] = ()
    """The moves expected from here, this one first."""
    depth: int | None = None
    """How many moves deep the maker looked."""
    nodes: int | None = None
    """How many nodes that took."""
    notes: dict[str, str] = field(default_factory=dict)
    """Whatever else is worth keeping with the game."""


class Agent(Protocol):
    """A player: an agent of our own, the engine, or another program."""

    @property
    def name(self) -> str:
        """What tables and records call it."""

    def choose(self, position: Position, budget: Budget) -> Choice:
        """The move to play: all stones that are left in this turn.

        An agent that can be stopped takes a `control` by keyword as well, and one that tells what it thinks on the way
        a `report`, as those of `ask`.

        Raises:
            TengenError: if the game is over, or the agent cannot play this game.
        """

    def close(self) -> None:
        """Lets go of what the agent holds, such as processes. It is not asked again."""


def check_goes_on(position: Position) -> None:
    """Refuses a finished game.

    Raises:
        TengenError: if the game is over.
    """
    if position.is_over:
        raise TengenError("the game is over: there is no move to choose")


class AgentError(TengenError):
    """An agent failed, in a way that agents should not; what it raised is the cause."""


def taking(function: Callable[..., Found], **offered: Any) -> Callable[..., Found]:
    """A function of an agent with those of the keywords that it takes: older agents, and simpler ones, take none."""
    try:
        taken = inspect.signature(function).parameters
    except (TypeError, ValueError):  # not everything that can be called tells what it takes
        return function
    return partial(function, **{name: value for name, value in offered.items() if name in taken})


def ask(
    agent: Agent,
    position: Position,
    budget: Budget,
    *,
    control: _native.Control | None = None,
    report: Callable[[Sequence[Choice]], object] | None = None,
) -> Choice:
    """The agent's choice. An agent may be anybody's: whatever it does wrong is an error, and the position is safe.

    Args:
        agent: who is asked.
        position: where to move.
        budget: what it may cost.
        control: lets another thread stop an agent that can be stopped; the best so far is the answer then.
        report: called now and then with the best so far, if the agent tells it.

    Raises:
        AgentError: if it raises what an agent should not, or answers with something else than a choice.
        TengenError: as `Agent.choose` does.
    """
    try:
        choice = taking(agent.choose, control=control, report=report)(position.copy(), budget)
    except TengenError:
        raise
    except Exception as error:
        raise AgentError(f"{agent.name} failed: {type(error).__name__}: {error}") from error
    if not isinstance(getattr(choice, "move", None), Move):
        raise AgentError(f"{agent.name} failed: {choice!r} is no choice of a move")
    return choice


def dismiss(agent: Agent) -> None:
    """Has an agent let go of what it holds; if it fails at that, it concerns nobody any more."""
    with suppress(Exception):
        agent.close()


@runtime_checkable
class Preparing(Protocol):
    """An agent that needs time before its first move, or cannot play everything."""

    def prepare(self, position: Position) -> None:
        """Gets ready for a game from this position, whatever the colour.

        Raises:
            TengenError: if it cannot play such a game, or does not get ready.
        """
