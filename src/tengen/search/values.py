"""What is known of a position and what is guessed: its value, its status, its proof and disproof numbers."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Final

from tengen.game import BLACK, Colour, TengenError

ATTACKER_WINS: Final = 1
DEFENDER_WINS: Final = 2
ATTACKER_CANNOT_WIN: Final = 4
DEFENDER_CANNOT_WIN: Final = 8
UNKNOWN: Final = 0
WON: Final = ATTACKER_WINS | DEFENDER_CANNOT_WIN
LOST: Final = DEFENDER_WINS | ATTACKER_CANNOT_WIN
DRAWN: Final = ATTACKER_CANNOT_WIN | DEFENDER_CANNOT_WIN
"""A value is a set of facts that are proved. These three leave nothing to ask."""

INFINITY: Final = 10**15
"""Stands for infinite proof and disproof numbers. Finite ones stay below, however often a shared node is counted."""

Numbers = tuple[int, int]
"""Proof number and disproof number."""

_BALANCED: Final = ("stable", "unstable1", "unstable2")
STATUSES: Final = ("Bw", "B4", "B3", "B2", "B1", *_BALANCED, "W1", "W2", "W3", "W4", "Ww")
NUMBERS: Final[Mapping[str, Numbers]] = {
    "B4": (1, 18),
    "B3": (2, 12),
    "B2": (3, 10),
    "B1": (4, 8),
    "stable": (6, 6),
    "unstable1": (5, 5),
    "unstable2": (4, 4),
    "W1": (8, 4),
    "W2": (10, 3),
    "W3": (12, 2),
    "W4": (18, 1),
}
"""The first proof and disproof numbers of a node by its status, if Black attacks (Lin's thesis, Table 7).

Bw and Ww are not among them: a decided position has its proof, and without one the status counts as B4 or W4.
"""
_CHANCES: Final = {"B4": 0.97, "B3": 0.9, "B2": 0.78, "B1": 0.66, "W1": 0.34, "W2": 0.22, "W3": 0.1, "W4": 0.03}


def is_settled(value: int) -> bool:
    """Whether a value leaves nothing to ask: who wins is proved, or that nobody does."""
    return value in (WON, LOST, DRAWN)


def combined(attacker_moves: bool, is_closed: bool, children: Iterable[int]) -> int:
    """The value of a position by those of its children.

    Args:
        attacker_moves: who is to move.
        is_closed: whether the side to move is proved to lose by every other move.
        children: their values.
    """
    any_child, all_children = 0, 15 if is_closed else 0
    for value in children:
        any_child |= value
        all_children &= value
    if attacker_moves:  # he needs one child for what he wants, the defender needs all
        return any_child & WON | all_children & LOST
    return any_child & LOST | all_children & WON


def undecided(status: str) -> str:
    """A status without claims that only a proof can make."""
    return {"Bw": "B4", "Ww": "W4"}.get(status, status)


def first_numbers(status: str, attacker: Colour, table: Mapping[str, Numbers] = NUMBERS) -> Numbers:
    """The numbers of a new node."""
    proof, disproof = table[undecided(status)]
    return (proof, disproof) if attacker is BLACK else (disproof, proof)


def chance_of(status: str, colour: Colour) -> float:
    """About how likely a side is to win, where nobody told it better."""
    chance = _CHANCES.get(undecided(status), 0.5)
    return chance if colour is BLACK else 1 - chance


def checked_table(table: Mapping[str, object]) -> dict[str, Numbers]:
    """A table of numbers that somebody wants to use instead of `NUMBERS`.

    Raises:
        TengenError: if a status is missing or unknown, or numbers are not from 1 to a million.
    """
    found: dict[str, Numbers] = {}
    for status, numbers in table.items():
        if status not in NUMBERS:
            raise TengenError(f"{status!r} is no status of the table; there are {', '.join(NUMBERS)}")
        if not (
            isinstance(numbers, list | tuple)
            and len(numbers) == 2
            and all(type(number) is int and 1 <= number <= 1_000_000 for number in numbers)
        ):
            raise TengenError(f"{status}: write two whole numbers from 1 to a million, like [6, 6], not {numbers!r}")
        found[status] = numbers[0], numbers[1]
    if missing := [status for status in NUMBERS if status not in found]:
        raise TengenError(f"the table of numbers lacks {', '.join(missing)}")
    return found
