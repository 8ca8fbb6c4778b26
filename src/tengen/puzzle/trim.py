"""Removes stones that a puzzle does not need."""

from __future__ import annotations

from collections.abc import Callable, Iterable

from tengen.game import BLACK, WHITE, Position, Square
from tengen.solve import Strategy

_DISTANCES = (2, 4)
"""Stones farther from the action than this are removed if nothing changes; else farther than that; else none."""


def simplified(position: Position, action: set[Square], same: Callable[[Position], bool]) -> Iterable[Position]:
    """The position without stones far from the action that change nothing, most removed first; at last as it is."""
    tried = set()
    for distance in _DISTANCES:
        far = [square for square in _stones(position) if _distance(square, action) > distance]
        far.sort(key=lambda square: -_distance(square, action))
        removed = _needless(position, far, same)
        if removed and frozenset(removed) not in tried:
            tried.add(frozenset(removed))
            yield _without(position, removed)
    yield _without(position, [])


def _needless(position: Position, far: list[Square], same: Callable[[Position], bool]) -> list[Square]:
    """As many of these stones as can go together: all if possible, else what can go of either half."""
    removed: list[Square] = []
    parts = [far] if far else []
    while parts:
        part = parts.pop()
        if same(_without(position, [*removed, *part])):
            removed += part
        elif len(part) > 1:
            parts += [part[len(part) // 2 :], part[: len(part) // 2]]
    return removed


def _without(position: Position, removed: Iterable[Square]) -> Position:
    gone = set(removed)
    black, white = ([square for square in position.stones(c) if square not in gone] for c in (BLACK, WHITE))
    return Position.setup(position.game, black, white, position.turn, position.stones_left)


def _stones(position: Position) -> list[Square]:
    return [*position.stones(position.turn), *position.stones(position.turn.opponent)]


def _distance(square: Square, action: set[Square]) -> int:
    return min(max(abs(square.x - one.x), abs(square.y - one.y)) for one in action)


def squares_of(strategy: Strategy) -> set[Square]:
    """All squares on which a strategy or a reply to it places a stone."""
    found: set[Square] = set()
    stack = [strategy]
    while stack:
        one = stack.pop()
        found.update(one.move)
        for reply in one.replies:
            found.update(reply.move)
            stack.append(reply.answer)
    return found
