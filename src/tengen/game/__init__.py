"""What is a legal game? Rules, squares, moves, positions, symmetry, and the texts people write them in."""

from tengen.game.errors import GameError, IllegalMoveError, NotationError, SetupError, TengenError
from tengen.game.position import Position, Turn
from tengen.game.rules import BLACK, CONNECT6, GOMOKU, KNOWN_GAMES, TIC_TAC_TOE, WHITE, Colour, Game, aliases
from tengen.game.square import NULL_MOVE, Move, Square, column_name
from tengen.game.symmetry import Symmetry, symmetries
from tengen.game.text import Setup

__all__ = [
    "BLACK",
    "CONNECT6",
    "GOMOKU",
    "KNOWN_GAMES",
    "NULL_MOVE",
    "TIC_TAC_TOE",
    "WHITE",
    "Colour",
    "Game",
    "GameError",
    "IllegalMoveError",
    "Move",
    "NotationError",
    "Position",
    "Setup",
    "SetupError",
    "Square",
    "Symmetry",
    "TengenError",
    "Turn",
    "aliases",
    "column_name",
    "symmetries",
]
