"""Who answers: the one place where a name becomes an agent."""

from __future__ import annotations

from tengen.game import Position, TengenError
from tengen.play import OPPONENTS, Opponent
from tengen.play.agent import Agent, Budget, Choice
from tengen.play.external import external_agent, is_external

DEFAULT_AGENT = "simple"


class _OpponentAgent:
    """A simple opponent as an agent: it knows no budget, and needs none."""

    def __init__(self, name: str, opponent: Opponent) -> None:
        self.name, self._opponent = name, opponent

    def choose(self, position: Position, budget: Budget) -> Choice:
        return Choice(self._opponent.choose(position))

    def close(self) -> None:
        pass


def find_agent(spec: str, seed: int | None = None) -> Agent:
    """The agent that a text names: one of ours, or another program, such as `cloudict:/path/to/engine`.

    Raises:
        TengenError: if there is no such agent.
    """
    if is_external(spec):
        return external_agent(spec)
    if spec not in OPPONENTS:
        raise TengenError(f"there is no agent {spec!r}: there are {', '.join(OPPONENTS)}, and other programs")
    return _OpponentAgent(spec, OPPONENTS[spec](seed))
