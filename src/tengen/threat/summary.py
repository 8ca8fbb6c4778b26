"""All there is to tell about one player's threats."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from tengen.game import Colour, Position, Square
from tengen.threat.counters import METHODS
from tengen.threat.defences import Defence, critical_defences
from tengen.threat.lines import LineThreat, is_hp3_threat, is_hp_threat, line_threats
from tengen.threat.segments import ThreatSegment, stones_to_place, threat_segments, wins_at_once


class ThreatSummary:
    """What a player threatens, how it can be met, and what may become a threat."""

    def __init__(self, position: Position, side: Colour, method: str = "exact") -> None:
        self.position = position
        self.side = side
        self.method = method
        self.segments: list[ThreatSegment] = threat_segments(position, side)
        self.counters = {name: count(self.segments) for name, count in METHODS.items()}
        self.number = self.counters[method.replace("-", "_")]
        self.stones = stones_to_place(position, side.opponent)
        self.defences: list[Defence] = critical_defences(position, side)
        self.lines: list[LineThreat] = line_threats(position, side)
        self.hp_threats = [line for line in self.lines if is_hp_threat(line.level, position.game)]
        self.defender_wins_at_once = wins_at_once(position, side.opponent)

    def as_json(self) -> dict[str, Any]:
        """The answer as JSON can hold it."""
        game = self.position.game
        return {
            "side": str(self.side),
            "method": self.method,
            "threats": self.number,
            "counters": self.counters,
            "defender_stones": self.stones,
            "defender_wins_at_once": self.defender_wins_at_once,
            "segments": [_names(segment.squares) for segment in self.segments],
            "defences": [{"stones": _names(d.stones), "normal": d.is_normal} for d in self.defences],
            "lines": [_line_as_json(line) for line in self.lines],
            "hp_threats": [{**_line_as_json(line), "hp3": is_hp3_threat(line.level, game)} for line in self.hp_threats],
        }


def _line_as_json(line: LineThreat) -> dict[str, Any]:
    return {
        "level": str(line.level),
        "kind": line.level.kind.value,
        "number": line.level.number,
        "stones": _names(line.stones),
        "squares": _names(line.squares),
    }


def _names(squares: Iterable[Square]) -> list[str]:
    return [str(square) for square in squares]
