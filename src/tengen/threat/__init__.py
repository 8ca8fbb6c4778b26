"""What is threatened here? Threat segments, counters, defences, live and dead lines, line patterns."""

from tengen.threat.counters import METHODS, threat_number
from tengen.threat.defences import Defence, critical_defences
from tengen.threat.generalised import SquareValue, generalised_threats
from tengen.threat.hitting import minimal_hitting_sets, minimum_hitting_set
from tengen.threat.levels import Kind, Level, line_level, pattern_table
from tengen.threat.lines import LineThreat, hp_threats, is_hp3_threat, is_hp_threat, line_threats
from tengen.threat.patterns import PatternMap, PointPattern, line_patterns
from tengen.threat.segments import (
    DIRECTIONS,
    ThreatSegment,
    threat_segments,
    wins_at_once,
)
from tengen.threat.summary import ThreatSummary

__all__ = [
    "DIRECTIONS",
    "METHODS",
    "Defence",
    "Kind",
    "Level",
    "LineThreat",
    "PatternMap",
    "PointPattern",
    "SquareValue",
    "ThreatSegment",
    "ThreatSummary",
    "critical_defences",
    "generalised_threats",
    "hp_threats",
    "is_hp3_threat",
    "is_hp_threat",
    "line_level",
    "line_patterns",
    "line_threats",
    "minimal_hitting_sets",
    "minimum_hitting_set",
    "pattern_table",
    "threat_number",
    "threat_segments",
    "wins_at_once",
]
