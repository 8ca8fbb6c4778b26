"""Which games are drawn, and which are fair? Strategies for the breaker, bounds, and the map of the family."""

from tengen.theory.agent import BreakerAgent
from tengen.theory.complexity import Complexity, complexity
from tengen.theory.evidence import Evidence, Kind, Says
from tengen.theory.fairness import Assessment, Fairness, SelfPlay, assess
from tengen.theory.family import Cell, draw_map, family_map
from tengen.theory.jobs import TileSearch
from tengen.theory.kdraw import Bound, Step, formula, hsieh_tsai, kdraw, theorem_2
from tengen.theory.known import KNOWN, known_breaker
from tengen.theory.lines import LineBoard, LineGame
from tengen.theory.settled import SettledGame, settled_games
from tengen.theory.strategy import Breaker, find_breaker, read_breaker
from tengen.theory.strips import BaseCase, base_cases
from tengen.theory.tile_search import Family
from tengen.theory.tiling import Tiling, b2_tiling, hales_jewett, slanted_board, slanted_tiling, zetters

__all__ = [
    "KNOWN",
    "Assessment",
    "BaseCase",
    "Bound",
    "Breaker",
    "BreakerAgent",
    "Cell",
    "Complexity",
    "Evidence",
    "Fairness",
    "Family",
    "Kind",
    "LineBoard",
    "LineGame",
    "Says",
    "SelfPlay",
    "SettledGame",
    "Step",
    "TileSearch",
    "Tiling",
    "assess",
    "b2_tiling",
    "base_cases",
    "complexity",
    "draw_map",
    "family_map",
    "find_breaker",
    "formula",
    "hales_jewett",
    "hsieh_tsai",
    "kdraw",
    "known_breaker",
    "read_breaker",
    "settled_games",
    "slanted_board",
    "slanted_tiling",
    "theorem_2",
    "zetters",
]
