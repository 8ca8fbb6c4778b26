"""Players by what the user calls them."""

from __future__ import annotations

from tengen.game import Position, TengenError
from tengen.play import OPPONENTS, Opponent
from tengen.play.agent import Agent, Budget, Choice


class _Simple:
    def __init__(self, name: str, opponent: Opponent) -> None:
        self.name = name
        self._opponent = opponent

    def choose(self, position: Position, budget: Budget) -> Choice:
        return Choice(self._opponent.choose(position))

    def close(self) -> None:
        pass


def make_agent(spec: str, seed: int | None = None) -> Agent:
    """The player of a spec.

    Raises:
        TengenError: if there is none.
    """
    if spec not in OPPONENTS:
        raise TengenError(f"{spec!r} is no player; there are {', '.join(OPPONENTS)}")
    return _Simple(spec, OPPONENTS[spec](seed))
