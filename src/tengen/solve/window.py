"""The part of a board that a native search works on: all of it, or a window on the infinite one."""

from __future__ import annotations

from typing import NamedTuple

from tengen import _native
from tengen.game import BLACK, WHITE, Colour, Position, Square, TengenError

_MAX_SIDE = 120
"""Of a window on the infinite board."""
_INFINITE_MARGINS = (2, 4, 7)
"""How many times k a window on the infinite board reaches beyond the stones; the next is for wins that leave it."""


class Window(NamedTuple):
    """The part of the board that is searched."""

    left: int
    bottom: int
    width: int
    height: int

    @property
    def corners(self) -> tuple[Square, Square]:
        """The squares at its lower left and upper right."""
        return Square(self.left, self.bottom), Square(self.left + self.width - 1, self.bottom + self.height - 1)

    def number(self, square: Square) -> int:
        """What the native search calls a square."""
        return square.x - self.left + (square.y - self.bottom) * self.width

    def square(self, index: int) -> Square:
        """The square of a number."""
        return Square(index % self.width + self.left, index // self.width + self.bottom)

    def setup(self, position: Position, attacker: Colour) -> _native.Setup:
        """A position as the native search gets it."""
        game = position.game
        return _native.Setup(
            self.width,
            self.height,
            game.k,
            game.p,
            game.maker_breaker,
            [self.number(square) for square in position.stones(attacker)],
            [self.number(square) for square in position.stones(attacker.opponent)],
        )

    def is_far_inside(self, square: Square, margin: int) -> bool:
        """Whether it keeps so many squares from every edge."""
        x, y = square.x - self.left, square.y - self.bottom
        return margin <= x < self.width - margin and margin <= y < self.height - margin


def windows(position: Position) -> list[Window]:
    """The windows to try one after the other, each larger than the one before.

    Raises:
        TengenError: if the stones on the infinite board lie too far apart for any.
    """
    game = position.game
    if game.m is not None and game.n is not None:
        return [Window(0, 0, game.m, game.n)]
    stones = [*position.stones(BLACK), *position.stones(WHITE)] or [Square(9, 9)]
    xs, ys = [s.x for s in stones], [s.y for s in stones]
    tried = []
    for factor in _INFINITE_MARGINS:
        margin = factor * game.k
        window = Window(
            min(xs) - margin, min(ys) - margin, max(xs) - min(xs) + 1 + 2 * margin, max(ys) - min(ys) + 1 + 2 * margin
        )
        if max(window.width, window.height) <= _MAX_SIDE:
            tried.append(window)
    if not tried:
        raise TengenError("the stones lie too far apart for the solver")
    return tried
