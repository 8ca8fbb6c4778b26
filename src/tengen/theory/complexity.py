"""How large is a game? Estimates of its game tree and of its state space, as powers of ten."""

from __future__ import annotations

import math
from dataclasses import dataclass

from tengen.game import Game

LENGTH = 30
"""Moves of a game, as Allis counted them for gomoku and Wu, Huang and Chang took over for Connect6."""


@dataclass(frozen=True)
class Complexity:
    """Powers of ten; None on the infinite board, where nothing is finite."""

    tree: float | None
    """The games of so many moves: the product of the numbers of moves."""
    length: int
    states: float | None
    """Each square empty, black or white: 3 to the number of squares."""
    legal_states: float | None
    """Only those with as many stones of each colour as the order of moves allows."""


def complexity(game: Game, length: int = LENGTH) -> Complexity:
    """The estimates for a game that takes so many moves, or until the board is full."""
    squares = game.squares
    if squares is None:
        return Complexity(None, length, None, None)
    tree, moves = 0.0, 0
    for placed, stones in _moves(game, squares):
        if moves == length:
            break
        tree += _log_binomial(squares - placed, stones)
        moves += 1
    return Complexity(tree, moves, squares * math.log10(3), _legal_states(game, squares))


def _moves(game: Game, squares: int) -> list[tuple[int, int]]:
    """For each move until the board is full: the stones that were placed before, and its own."""
    moves, placed, stones = [], 0, game.q
    while placed < squares:
        stones = min(stones, squares - placed)
        moves.append((placed, stones))
        placed, stones = placed + stones, game.p
    return moves


def _legal_states(game: Game, squares: int) -> float:
    """The logarithm of the number of ways to colour so many squares after each whole move, summed over the moves."""
    black = white = 0
    terms = [0.0]
    for number, (_, stones) in enumerate(_moves(game, squares)):
        black, white = (black + stones, white) if number % 2 == 0 else (black, white + stones)
        terms.append(_log_binomial(squares, black) + _log_binomial(squares - black, white))
    top = max(terms)
    return top + math.log10(sum(10 ** (term - top) for term in terms))


def _log_binomial(n: int, k: int) -> float:
    return (math.lgamma(n + 1) - math.lgamma(k + 1) - math.lgamma(n - k + 1)) / math.log(10)
