"""What can a player learn from? Puzzles: mined from games, judged, graded, checked and trained with."""

from tengen.puzzle.mine import Miner, Tally
from tengen.puzzle.puzzle import KINDS, Limits, Puzzle, PuzzleError, read_puzzles

__all__ = ["KINDS", "Limits", "Miner", "Puzzle", "PuzzleError", "Tally", "read_puzzles"]
