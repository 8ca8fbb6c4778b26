"""How many threats has a player? Three answers: two that mark squares as a window slides by, and the exact one."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from tengen.game import Colour, Position, Square, TengenError
from tengen.threat.hitting import minimum_hitting_set
from tengen.threat.segments import ThreatSegment, threat_segments


def wu_huang(segments: Sequence[ThreatSegment]) -> int:
    """Wu and Huang's counter: a threat segment without a marked square counts, and its last empty square is marked.

    The last one is the right-most; in a column, the topmost. The marks hit every threat segment, so the number is never
    too small; on one line it is exact, across lines it may be too large.
    """
    marked: set[Square] = set()
    for segment in segments:
        if marked.isdisjoint(segment.empty):
            marked.add(segment.empty[-1])
    return len(marked)


def mark_all(segments: Sequence[ThreatSegment]) -> int:
    """The counter that marks every empty square of a segment that it counts.

    No two counted segments share an empty square, so the number is never too large; on one line it is exact, across
    lines it may be too small.
    """
    marked: set[Square] = set()
    count = 0
    for segment in segments:
        if marked.isdisjoint(segment.empty):
            marked.update(segment.empty)
            count += 1
    return count


def exact(segments: Sequence[ThreatSegment]) -> int:
    """The threat number by its definition: the fewest squares that hit every threat segment, also if more than p."""
    return len(minimum_hitting_set(frozenset(segment.empty) for segment in segments))


METHODS: dict[str, Callable[[Sequence[ThreatSegment]], int]] = {
    "exact": exact,
    "wu_huang": wu_huang,
    "mark_all": mark_all,
}
"""The counters by name, each from the threat segments in the order of `threat_segments`."""


def threat_number(position: Position, colour: Colour, method: str = "exact") -> int:
    """How many threats a player has: how many stones the opponent must place so that no threat segment is left.

    Threats count for nothing if the opponent wins at once; `wins_at_once` tells.

    Args:
        position: the position; whose turn it is does not matter.
        colour: the player who threatens.
        method: `exact`, `wu_huang` or `mark_all` (a hyphen will do).

    Raises:
        TengenError: if there is no such method.
    """
    counter = METHODS.get(method.replace("-", "_"))
    if counter is None:
        raise TengenError(f"{method!r} is no way to count threats: say {', '.join(METHODS)}")
    return counter(threat_segments(position, colour))
