"""Whom to believe: a decided result counts once its proof is checked, whoever sent it.

Results that say only which move is best cannot be checked, and need not be: they steer the search but prove nothing.
"""

from __future__ import annotations

import random
import tempfile
from collections import Counter
from dataclasses import dataclass
from pathlib import Path

from tengen.game import Move, Position
from tengen.prove import NoProofError, check, check_rest
from tengen.prove.checker.file import Header, Survey
from tengen.prove.checker.text import Refused
from tengen.prove.writer import header_of
from tengen.search.finding import Finding


@dataclass(frozen=True)
class Trust:
    """How much to check of what workers send."""

    share: float = 1.0
    """This share of the proofs of a worker that has earned trust is checked."""
    earned_after: int = 20
    """So many proofs of a worker must have been good."""


class Judge:
    """Checks results, and knows who has sent good ones."""

    def __init__(self, trust: Trust | None = None, rng: random.Random | None = None) -> None:
        self.trust = trust or Trust()
        self._rng = rng or random.SystemRandom()
        self._good: Counter[str] = Counter()

    def wants_to_see(self, worker: str) -> bool:
        """Whether the next proof of a worker is to be checked."""
        return self._good[worker] < self.trust.earned_after or self._rng.random() < self.trust.share

    def good(self, worker: str) -> None:
        """A proof of this worker was accepted."""
        self._good[worker] += 1

    def forget(self, worker: str) -> None:
        """Nothing of this worker is trusted any more."""
        del self._good[worker]


def why_not(position: Position, prohibited: list[Move], finding: Finding, *, proof_too: bool = True) -> str | None:
    """Why a finding cannot be believed; None if it can.

    Args:
        position: where the job was run.
        prohibited: the moves that it was not to consider.
        finding: what it says.
        proof_too: check the proof as well, not only that it is about this position.
    """
    for move in finding.moves:
        if len(move) != position.stones_left or not position.is_legal(move):
            return f"{move} is no legal move there"
        if move in prohibited:
            return f"{move} was prohibited"
    if finding.outcome in ("move", "nothing"):
        return None
    with tempfile.TemporaryDirectory(prefix="tengen-") as folder:
        file = Path(folder) / "proof.tpf"
        file.write_bytes(finding.proof)
        try:
            if Survey(file).header != expected_header(position, finding):
                return "its proof is about something else"
            if not proof_too:
                return None
            if finding.outcome == "loss":
                return check_rest(file, [*prohibited, *finding.moves])
            return check(file).reason
        except (NoProofError, Refused) as error:
            return str(error)


def expected_header(position: Position, finding: Finding) -> Header:
    """What the proof of a decided finding must be about."""
    if finding.outcome == "draw":
        return header_of(position, "draw", None)
    return header_of(position, "win", position.turn if finding.outcome == "win" else position.turn.opponent)
