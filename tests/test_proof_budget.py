"""Proofs from workers that are expensive to check."""

from __future__ import annotations

import contextlib
import gzip

import pytest

from tengen.game import Position
from tengen.grid import Task
from tengen.search.finding import Finding
from tengen.search.jobs import lambda_proof, settlement
from tengen.search.proof_check import Budget, OverBudgetError, ProofChecker
from tengen.search.trust import why_not

POSITION = Position.parse("J10 A1B1 J11J12 C1D3")


@pytest.fixture(scope="module")
def finding() -> Finding:
    result = lambda_proof({"position": str(POSITION), "order": 2}, Task(lambda figures: None))
    found = Finding.from_json(result)
    assert found.outcome == "win"
    return found


def test_a_good_proof_is_accepted_within_the_budget(finding: Finding) -> None:
    checker = ProofChecker(Budget(cpu_s=60))
    try:
        assert why_not(POSITION, [], finding, checker=checker) is None
        other = Position.parse("J10 A1B1 J11J12 C1E3")
        assert why_not(other, [], finding, checker=checker) == "its proof is about something else"
        garbage = Finding("win", proof=b"garbage")
        assert why_not(POSITION, [], garbage, checker=checker) is not None
        assert why_not(POSITION, [], finding, checker=checker) is None
    finally:
        checker.close()


def test_a_proof_that_takes_too_long_is_refused_and_the_next_one_checked(finding: Finding) -> None:
    small = Position.parse("Connect(5,5,4,1,1)")
    long_proof = Finding.from_json(settlement({"position": str(small)}, Task(lambda figures: None)))
    hasty = ProofChecker(Budget(cpu_s=0.1))
    try:
        for _ in range(2):  # the process that was interrupted is replaced
            with pytest.raises(OverBudgetError, match=r"budget of 0.1 s of processor time"):
                why_not(small, [], long_proof, checker=hasty)
        assert why_not(POSITION, [], finding, checker=hasty) is None
    finally:
        hasty.close()


def test_a_proof_that_takes_too_much_memory_is_refused(finding: Finding) -> None:
    text = gzip.decompress(finding.proof)
    bomb = Finding("win", proof=gzip.compress(text + b"9" * (1 << 29), 1))
    checker = ProofChecker(Budget(cpu_s=60, memory_bytes=400 << 20))
    try:
        with contextlib.suppress(OverBudgetError):
            assert why_not(POSITION, [], bomb, checker=checker) is not None  # a limit of the format came first
        assert why_not(POSITION, [], finding, checker=checker) is None
    finally:
        checker.close()
