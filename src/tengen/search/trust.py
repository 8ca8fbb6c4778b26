"""Trust in results: a win, loss or draw counts once its proof is checked, whichever worker sent it.

Results that only name the best move cannot be checked and need not be: they steer the search but prove nothing.
"""

from __future__ import annotations

import atexit
import random
from collections import Counter
from dataclasses import dataclass

from tengen.game import Move, Position
from tengen.prove.checker.file import Header
from tengen.prove.writer import header_of
from tengen.search.finding import Finding
from tengen.search.proof_check import ProofChecker


@dataclass(frozen=True)
class Trust:
    """Share of the proofs that are checked."""

    share: float = 1.0
    """Share of the proofs to check of a worker that has earned trust."""
    earned_after: int = 20
    """Number of accepted proofs after which a worker has earned trust."""


class Judge:
    """Decides which proofs to check, by the accepted proofs of each worker."""

    def __init__(self, trust: Trust | None = None, rng: random.Random | None = None) -> None:
        self.trust = trust or Trust()
        self._rng = rng or random.SystemRandom()
        self._good: Counter[str] = Counter()

    def wants_to_see(self, worker: str) -> bool:
        """Whether the next proof of a worker is to be checked."""
        return self._good[worker] < self.trust.earned_after or self._rng.random() < self.trust.share

    def good(self, worker: str) -> None:
        """Record an accepted proof of a worker."""
        self._good[worker] += 1

    def forget(self, worker: str) -> None:
        """Withdraw the trust in a worker."""
        del self._good[worker]


_CHECKER = ProofChecker()
atexit.register(_CHECKER.close)


def why_not(
    position: Position,
    prohibited: list[Move],
    finding: Finding,
    *,
    proof_too: bool = True,
    checker: ProofChecker = _CHECKER,
) -> str | None:
    """Return why a finding is rejected; None if it is accepted.

    Args:
        position: position of the job.
        prohibited: moves that the job was not to consider.
        finding: result of the job.
        proof_too: check the whole proof, not only that it is about this position.
        checker: process that checks the proof within a budget.

    Raises:
        OverBudgetError: if the check takes too much time or memory.
    """
    for move in finding.moves:
        if len(move) != position.stones_left or not position.is_legal(move):
            return f"{move} is not a legal move there"
        if move in prohibited:
            return f"{move} was prohibited"
    if finding.outcome in ("move", "nothing"):
        return None
    left_out = [*prohibited, *finding.moves] if finding.outcome == "loss" else None
    header = expected_header(position, finding)
    return checker.rejection_reason(finding.proof, header, left_out, header_only=not proof_too)


def expected_header(position: Position, finding: Finding) -> Header:
    """Return the header that the proof of a win, loss or draw must have."""
    if finding.outcome == "draw":
        return header_of(position, "draw", None)
    return header_of(position, "win", position.turn if finding.outcome == "win" else position.turn.opponent)
