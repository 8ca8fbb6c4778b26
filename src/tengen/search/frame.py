"""One representative of all positions that are equal by symmetry, so that they share nodes, jobs and proofs.

On the infinite board a position represents itself: proofs know no translation.
"""

from __future__ import annotations

from collections.abc import Iterable
from math import comb

from tengen.game import BLACK, WHITE, Move, Position, Symmetry
from tengen.game.symmetry import symmetries


def framed(position: Position) -> Position:
    """The representative, without a history."""
    if not position.game.is_infinite:
        return position.canonical()
    stones = position.stones(BLACK), position.stones(WHITE)
    return Position.setup(position.game, *stones, position.turn, position.stones_left)


def key_of(position: Position) -> int:
    """The key of the representative."""
    return position.key if position.game.is_infinite else position.canonical_key


def symmetry_to_frame(position: Position) -> Symmetry:
    """The symmetry that takes a position to its representative."""
    return Symmetry.IDENTITY if position.game.is_infinite else position.canonical_symmetry()


def turned(move: Move, symmetry: Symmetry, position: Position) -> Move:
    """Where a symmetry takes a move."""
    game = position.game
    if game.m is None or game.n is None or symmetry is Symmetry.IDENTITY:
        return move
    return symmetry.move(move, game.m, game.n)


def automorphisms(position: Position) -> list[Symmetry]:
    """The symmetries that leave a position as it is."""
    if position.game.is_infinite:
        return [Symmetry.IDENTITY]
    keys = position.native_board.symmetry_keys(False)
    return [symmetry for symmetry in symmetries(position.game) if keys[symmetry] == keys[Symmetry.IDENTITY]]


def with_images(moves: Iterable[Move], position: Position) -> list[Move]:
    """Moves and all that equal them by a symmetry of the position, in an order that depends on nothing else."""
    same = automorphisms(position)
    images = {turned(move, symmetry, position) for move in moves for symmetry in same}
    return sorted(images, key=lambda move: sorted((square.y, square.x) for square in move))


def ordered(move: Move) -> Move:
    """The same move, its stones row by row from below."""
    return Move(sorted(move, key=lambda square: (square.y, square.x)), move.is_pass)


def move_count(position: Position) -> int | None:
    """How many moves there are; None on the infinite board."""
    squares = position.game.squares
    return None if squares is None else comb(squares - position.stone_count, position.stones_left)
