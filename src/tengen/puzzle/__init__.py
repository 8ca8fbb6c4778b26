"""What can a player learn from? Puzzles: mined from games, judged, graded, checked and trained with."""

from tengen.puzzle.check import Verdict, check_puzzle
from tengen.puzzle.find import find_puzzle
from tengen.puzzle.mine import Miner, Tally
from tengen.puzzle.puzzle import KINDS, LEVELS, Limits, Puzzle, PuzzleError, read_puzzles
from tengen.puzzle.trainer import Answer, Trainer

__all__ = [
    "KINDS",
    "LEVELS",
    "Answer",
    "Limits",
    "Miner",
    "Puzzle",
    "PuzzleError",
    "Tally",
    "Trainer",
    "Verdict",
    "check_puzzle",
    "find_puzzle",
    "read_puzzles",
]
