"""Threat segments: the k squares in a row that a player could fill in his next move."""

from __future__ import annotations

from dataclasses import dataclass

from tengen import _native
from tengen.game import BLACK, Colour, Game, Position, Square

DIRECTIONS: tuple[tuple[int, int], ...] = ((1, 0), (0, 1), (1, 1), (1, -1))
"""The four directions, in the order of every list here: right, up, right and up, right and down."""


@dataclass(frozen=True, slots=True)
class ThreatSegment:
    """k squares in a row without an opposing stone, with so many own ones that a move can fill the rest."""

    squares: tuple[Square, ...]
    """From the left to the right; of a column, from below."""
    empty: tuple[Square, ...]
    """The squares that are still empty, in the same order: at least one, at most p."""
    direction: int
    """An index of `DIRECTIONS`."""


def stones_for_a_threat(game: Game) -> int:
    """How many stones make an active segment a threat: k-p. At least one, even where a move could fill any segment."""
    return max(1, game.k - game.p)


def can_make_a_row(game: Game, colour: Colour) -> bool:
    """Whether a row of this player counts: always, but for the breaker of a maker-breaker game."""
    return colour is BLACK or not game.maker_breaker


def threat_segments(position: Position, colour: Colour) -> list[ThreatSegment]:
    """The threat segments of a player: active for him, with at least k-p of his stones, not full yet.

    They come in the order in which a window slides over the board: along every row from the left, along every column
    from below, along the diagonals that rise to the right, along those that fall to the right, both from the left.
    """
    game = position.game
    if not can_make_a_row(game, colour):
        return []
    found = []
    for direction, x, y, _ in _native.active_segments(position.native_board, colour, stones_for_a_threat(game)):
        dx, dy = DIRECTIONS[direction]
        squares = tuple(Square(x + i * dx, y + i * dy) for i in range(game.k))
        empty = tuple(square for square in squares if position.at(square) is None)
        found.append(ThreatSegment(squares, empty, direction))
    return found


def stones_to_place(position: Position, colour: Colour) -> int:
    """How many stones a player has in his present turn or, if it is not his, in his next one."""
    if position.turn is colour:
        return position.stones_left
    squares = position.game.squares
    # What the player to move has left goes on the board before.
    left = None if squares is None else max(0, squares - position.stone_count - position.stones_left)
    return position.game.p if left is None else min(position.game.p, left)


def wins_at_once(position: Position, colour: Colour) -> bool:
    """Whether a player could make k in a row with the stones of his present turn or, if it is not his, his next one."""
    game = position.game
    if position.winner is not None or not can_make_a_row(game, colour):
        return False
    least = game.k - stones_to_place(position, colour)
    if least <= 0 and game.is_infinite:
        return True
    return bool(_native.active_segments(position.native_board, colour, least))
