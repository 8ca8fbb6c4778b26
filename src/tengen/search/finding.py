"""What a job found, as it travels: checked when it comes in."""

from __future__ import annotations

import base64
from dataclasses import dataclass
from typing import Any

from tengen.game import Move, TengenError
from tengen.grid import Json
from tengen.search.values import STATUSES

OUTCOMES = ("win", "loss", "draw", "move", "nothing")
MAX_MOVES = 1_000
"""Moves that one finding may tell."""
MAX_PROOF = 64 << 20
"""Bytes of a compressed proof."""


class FindingError(TengenError):
    """A result is not what a job can have found."""


@dataclass(frozen=True)
class Finding:
    """What J(position, prohibited moves) found, as the side to move sees it."""

    outcome: str
    """`win`: the side to move wins. `loss`: it loses with every move that is neither prohibited nor told here. `draw`:
    nobody wins. `move`: the best move that is not prohibited. `nothing`: a limit came before any of these."""
    move: Move | None = None
    status: str | None = None
    """The engine's opinion of the position after the move."""
    chance: float | None = None
    """How likely the side that made the move is to win, in the engine's opinion."""
    more_moves: tuple[Move, ...] = ()
    """Further moves with the same status, the most promising first. Those of a loss may hold; a sure loss has none."""
    proof: bytes = b""
    """Of a win, loss or draw the proof file; that of a loss leaves the prohibited moves and those told to others."""
    nodes: int = 0

    @property
    def moves(self) -> tuple[Move, ...]:
        """All moves that it tells."""
        return self.more_moves if self.move is None else (self.move, *self.more_moves)

    def as_json(self) -> dict[str, Any]:
        """As it travels."""
        found: dict[str, Any] = {"outcome": self.outcome, "nodes": self.nodes}
        if self.move is not None:
            found |= {"move": str(self.move), "status": self.status, "chance": self.chance}
        if self.more_moves:
            found |= {"more": [str(move) for move in self.more_moves], "status": self.status}
        if self.proof:
            found["proof"] = base64.b64encode(self.proof).decode()
        return found

    @classmethod
    def from_json(cls, result: Json) -> Finding:
        """Reads what a worker sent.

        Raises:
            FindingError: if no job can have found that.
        """
        outcome, nodes = result.get("outcome"), result.get("nodes", 0)
        if outcome not in OUTCOMES:
            raise FindingError(f"{outcome!r} is no outcome; there are {', '.join(OUTCOMES)}")
        if type(nodes) is not int or nodes < 0:
            raise FindingError(f"{nodes!r} is no number of nodes")
        if outcome == "nothing":
            return cls("nothing", nodes=nodes)
        status, chance = result.get("status"), result.get("chance")
        if status not in STATUSES and (outcome == "move" or status is not None):
            raise FindingError(f"{status!r} is no status")
        if chance is not None and not (type(chance) in (int, float) and 0 <= chance <= 1):
            raise FindingError(f"{chance!r} is no chance: it is a number from 0 to 1")
        likely = None if chance is None else float(chance)
        told = result.get("more", [])
        if not isinstance(told, list) or len(told) > MAX_MOVES or (told and status is None):
            raise FindingError(f"further moves are a list of at most {MAX_MOVES}, with a status")
        more = tuple(map(_move, told))
        if outcome == "move":
            return cls("move", _move(result.get("move")), status, likely, more, nodes=nodes)
        if more and outcome != "loss":
            raise FindingError(f"a {outcome} leaves no moves open")
        return cls(outcome, None, status, likely, more, _bytes(result.get("proof")), nodes)


def _move(text: object) -> Move:
    if not isinstance(text, str):
        raise FindingError(f"{text!r} is no move")
    try:
        return Move.parse(text)
    except TengenError as error:
        raise FindingError(str(error)) from error


def _bytes(text: object) -> bytes:
    if not isinstance(text, str) or not text:
        raise FindingError("a decided result has no proof with it")
    if len(text) > MAX_PROOF * 4 // 3:
        raise FindingError(f"a proof of more than {MAX_PROOF >> 20} MB is too large to be taken")
    try:
        return base64.b64decode(text, validate=True)
    except ValueError as error:  # also what is not even ASCII
        raise FindingError(f"the proof is not written in base64: {error}") from error
