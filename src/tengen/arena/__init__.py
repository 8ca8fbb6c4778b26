"""What do we make with players? Games under a clock, matches, tournaments, and what their results say."""

from tengen.arena.game import Outcome, PlayedMove, Reason, Rules, play_game
from tengen.arena.ledger import Ledger
from tengen.arena.openings import Suite, generate_openings, read_openings
from tengen.arena.ratings import Ratings, Result, fit
from tengen.arena.records import PlayedGame
from tengen.arena.report import Report
from tengen.arena.settings import Format, Player, Settings
from tengen.arena.statistics import Outcomes, Sprt
from tengen.arena.tournament import Tournament

__all__ = [
    "Format",
    "Ledger",
    "Outcome",
    "Outcomes",
    "PlayedGame",
    "PlayedMove",
    "Player",
    "Ratings",
    "Reason",
    "Report",
    "Result",
    "Rules",
    "Settings",
    "Sprt",
    "Suite",
    "Tournament",
    "fit",
    "generate_openings",
    "play_game",
    "read_openings",
]
