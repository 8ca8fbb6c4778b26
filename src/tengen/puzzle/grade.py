"""How hard is a puzzle? Its level, and its themes, from what a solver has to see."""

from __future__ import annotations

from collections.abc import Sequence

from tengen.game import Move, Position
from tengen.play import promising_moves
from tengen.puzzle.puzzle import LEVELS, Limits, Puzzle
from tengen.threat import threat_number

_STEP = 1.1
"""Points of difficulty from one level to the next."""
_MOST_TEMPTING = 15


def features_of(position: Position, kind: str, length: int, line: Sequence[Move]) -> dict[str, int]:
    """What makes a puzzle hard, in numbers.

    `length`; `tempting`, wrong moves that the engine finds more promising, or that make as many threats as the
    solution; `single` and `quiet`, the attacker's moves of the main line with fewer threats than the opponent has
    stones, and with none; `counters`, the opponent's replies in it that make threats of their own.
    """
    own, p = position.turn, position.game.p
    promising = promising_moves(position)
    solution = line[0]
    before = promising.index(solution) if solution in promising else len(promising)
    threats = _threats_after(position, solution)
    tempting = sum(
        1
        for place, move in enumerate(promising)
        if move != solution and (place < before or 0 < threats <= _threats_after(position, move))
    )
    found = {"length": length, "tempting": tempting, "single": 0, "quiet": 0, "counters": 0}
    if kind == "only defence":
        return found
    walk = position.copy()
    for move in line[:-1] if len(line) > 1 else line:
        walk.play(move)
        if walk.turn is own:
            found["counters"] += threat_number(walk, own.opponent) > 0
            continue
        made = threat_number(walk, own)
        found["single"] += 0 < made < p
        found["quiet"] += made == 0
    return found


def graded(
    position: Position,
    kind: str,
    length: int,
    is_shortest: bool,
    by: str,
    line: Sequence[Move],
    refuted: int,
    limits: Limits,
    source: str,
) -> Puzzle:
    """The puzzle that all this makes, with its level and themes."""
    features = features_of(position, kind, length, line)
    return Puzzle(
        position,
        kind,
        line[0],
        length,
        is_shortest,
        by,
        tuple(line),
        level_of(kind, features),
        themes_of(kind, by, features),
        features,
        refuted,
        limits,
        source,
    )


def level_of(kind: str, features: dict[str, int]) -> int:
    """From 1, seen at a glance, to 10."""
    points = (
        1.3 * (features["length"] - 2)
        + 0.1 * min(features["tempting"], _MOST_TEMPTING)
        + 1.5 * features["single"]
        + 3.0 * features["quiet"]
        + 0.7 * features["counters"]
        + (1.5 if kind == "only defence" else 0.0)
    )
    return max(1, min(LEVELS, 1 + int(points / _STEP)))


def themes_of(kind: str, by: str, features: dict[str, int]) -> tuple[str, ...]:
    """By what a player may want to choose puzzles."""
    themes = [kind, f"in {features['length']}"] if kind != "only defence" else [kind]
    if kind == "win":
        themes.append("double threats" if by == "vcdt" else "single threats")
    if features["counters"]:
        themes.append("counter-threats")
    if features["tempting"] == 0:
        themes.append("no temptation")
    return tuple(themes)


def _threats_after(position: Position, move: Move) -> int:
    return threat_number(position.after(move), position.turn)
