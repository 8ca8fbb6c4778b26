"""Critical defences: the ways to meet all threats of a player without a needless stone."""

from __future__ import annotations

from dataclasses import dataclass

from tengen.game import Colour, Position, Square
from tengen.threat.hitting import minimal_hitting_sets
from tengen.threat.segments import stones_to_place, threat_segments


@dataclass(frozen=True, slots=True)
class Defence:
    """Stones that leave the attacker no threat segment, none of which can be left out."""

    stones: tuple[Square, ...]
    is_normal: bool
    """Whether it takes as few stones as the attacker has threats; else it is relaxed."""


def critical_defences(position: Position, attacker: Colour) -> list[Defence]:
    """Every critical defence against a player's threats, the normal ones first; none if he has no threats, or more than
    the defender can meet.

    The defender has the stones of his turn: p, or what is left if he is in the middle of it.
    """
    segments = threat_segments(position, attacker)
    if not segments:
        return []
    limit = stones_to_place(position, attacker.opponent)
    sets = minimal_hitting_sets((frozenset(segment.empty) for segment in segments), limit)
    return [Defence(tuple(sorted(stones)), len(stones) == len(sets[0])) for stones in sets]
