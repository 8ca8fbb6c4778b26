"""What can a player learn from? Puzzles: mined from games, judged, graded, checked and trained with."""

from tengen.puzzle.check import Verdict, check_puzzle
from tengen.puzzle.find import find_puzzle
from tengen.puzzle.mine import Miner, Tally
from tengen.puzzle.progress import Attempt, Card, Progress, next_puzzle, progress_of
from tengen.puzzle.puzzle import KINDS, LEVELS, Limits, Puzzle, PuzzleError, read_puzzles
from tengen.puzzle.rating import Rating, rated, rating_of_level
from tengen.puzzle.shelf import Shelf
from tengen.puzzle.trainer import Answer, Trainer
from tengen.puzzle.wish import Wish, counts_by_level, find_by_name, shipped_puzzles, themes_of_set

__all__ = [
    "KINDS",
    "LEVELS",
    "Answer",
    "Attempt",
    "Card",
    "Limits",
    "Miner",
    "Progress",
    "Puzzle",
    "PuzzleError",
    "Rating",
    "Shelf",
    "Tally",
    "Trainer",
    "Verdict",
    "Wish",
    "check_puzzle",
    "counts_by_level",
    "find_by_name",
    "find_puzzle",
    "next_puzzle",
    "progress_of",
    "rated",
    "rating_of_level",
    "read_puzzles",
    "shipped_puzzles",
    "themes_of_set",
]
