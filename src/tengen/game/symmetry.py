"""The 8 symmetries of a board: rotations and mirror images."""

from __future__ import annotations

import enum

from tengen.game.rules import Game
from tengen.game.square import Move, Square


class Symmetry(enum.IntEnum):
    """A symmetry, as bits: 4 swaps the axes, and then 1 mirrors the columns and 2 the rows."""

    IDENTITY = 0
    MIRROR_COLUMNS = 1
    MIRROR_ROWS = 2
    ROTATE_180 = 3
    TRANSPOSE = 4
    ROTATE_LEFT = 5
    ROTATE_RIGHT = 6
    ANTI_TRANSPOSE = 7

    @property
    def inverse(self) -> Symmetry:
        """The symmetry that undoes this one."""
        rotations = {Symmetry.ROTATE_LEFT: Symmetry.ROTATE_RIGHT, Symmetry.ROTATE_RIGHT: Symmetry.ROTATE_LEFT}
        return rotations.get(self, self)

    def then(self, other: Symmetry) -> Symmetry:
        """This symmetry followed by another."""
        mirrors = self & 3
        if other & 4 and mirrors in (1, 2):
            mirrors = 3 - mirrors
        return Symmetry((self ^ other) & 4 | mirrors ^ (other & 3))

    def square(self, square: Square, width: int, height: int) -> Square:
        """Where a square of a board of that size goes. Swapping the axes swaps width and height as well."""
        x, y = square
        if self & 4:
            x, y, width, height = y, x, height, width
        return Square(width - 1 - x if self & 1 else x, height - 1 - y if self & 2 else y)

    def move(self, move: Move, width: int, height: int) -> Move:
        """Where the stones of a move go."""
        return Move((self.square(s, width, height) for s in move), move.is_pass)


def symmetries(game: Game) -> tuple[Symmetry, ...]:
    """The symmetries that map the board onto itself: 8, or 4 on a rectangle that is no square."""
    return tuple(s for s in Symmetry if game.m == game.n or not s & 4)
