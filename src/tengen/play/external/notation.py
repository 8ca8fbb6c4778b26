"""Squares and moves as other programs write them.

Three ways are in use: two letters for column and row (`JJ`, rows from the bottom or from the top), GTP's vertices
(`K10`, the letter I left out), and pairs of numbers from the upper left corner.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from typing import Any

from tengen.game import Game, Move, NotationError, Position, Square, TengenError, Turn
from tengen.game.rules import BLACK, WHITE

_LETTERS = "ABCDEFGHIJKLMNOPQRSTUVWXYZ"
_GTP_LETTERS = _LETTERS.replace("I", "")
_VERTEX = re.compile(r"([A-Za-z])([0-9]{1,2})")
MAX_LETTERS_SIDE = len(_LETTERS)
MAX_GTP_SIDE = len(_GTP_LETTERS)
NO_STONE = "@@"
"""Where the SAU platform expects a second stone and there is none."""


def board_sides(game: Game, most: int) -> tuple[int, int]:
    """The columns and rows of a board.

    Raises:
        TengenError: if the board is infinite, or has more than `most` columns or rows.
    """
    if game.m is None or game.n is None:
        raise TengenError(f"{game}: this protocol has no squares for the infinite board")
    if max(game.m, game.n) > most:
        raise TengenError(f"{game}: this protocol has squares for at most {most} columns and rows")
    return game.m, game.n


def to_letters(squares: Iterable[Square], game: Game, from_top: bool = False) -> str:
    """The squares as letter pairs, column before row: tengen is `JJ`.

    Raises:
        TengenError: if the board has more columns or rows than there are letters.
    """
    _, height = board_sides(game, MAX_LETTERS_SIDE)
    return "".join(_LETTERS[x] + _LETTERS[height - 1 - y if from_top else y] for x, y in squares)


def from_letters(text: str, game: Game, from_top: bool = False) -> Move:
    """The move that letter pairs name, in either case; `@@` stands for a stone that is not there.

    Raises:
        NotationError: if the text is something else, or a square is off the board.
        TengenError: if the board has more columns or rows than there are letters.
    """
    width, height = board_sides(game, MAX_LETTERS_SIDE)
    pairs = [text[i : i + 2].upper() for i in range(0, len(text), 2)]
    squares = []
    for pair in pairs:
        if pair == NO_STONE:
            continue
        x, y = (_LETTERS.find(letter) for letter in pair) if len(pair) == 2 else (-1, -1)
        if not (0 <= x < width and 0 <= y < height):
            raise NotationError(f"{text[:20]!r} is no move: write two letters for each stone, like JJ or JKKL")
        squares.append(Square(x, height - 1 - y if from_top else y))
    if not squares:
        raise NotationError("the move is empty: write two letters for each stone, like JJ or JKKL")
    return Move(squares)


def to_vertex(square: Square) -> str:
    """The square as GTP writes it: tengen is `K10`."""
    return f"{_GTP_LETTERS[square.x]}{square.y + 1}"


def from_vertex(text: str, game: Game) -> Square:
    """The square of a GTP vertex, in either case.

    Raises:
        NotationError: if the text is no vertex of this board.
        TengenError: if the board is too large for GTP.
    """
    width, height = board_sides(game, MAX_GTP_SIDE)
    match = _VERTEX.fullmatch(text)
    x, y = (-1, -1) if match is None else (_GTP_LETTERS.find(match[1].upper()), int(match[2]) - 1)
    if not (0 <= x < width and 0 <= y < height):
        middle = to_vertex(Square(width // 2, height // 2))
        raise NotationError(f"{text[:20]!r} is no vertex of a board of {width} x {height}: write it like {middle}")
    return Square(x, y)


def to_numbers(move: Move | None, game: Game) -> dict[str, int]:
    """A move of up to two stones as Botzone writes it; None is the request of a player who begins.

    Raises:
        TengenError: if the board is infinite, or the move has more than two stones.
    """
    _, height = board_sides(game, 1 << 20)
    squares = () if move is None else move.squares
    if len(squares) > 2:
        raise TengenError(f"{move}: this protocol has room for two stones in a move")
    numbers = dict.fromkeys(("x0", "y0", "x1", "y1"), -1)
    for i, (x, y) in enumerate(squares):
        numbers |= {f"x{i}": x, f"y{i}": height - 1 - y}
    return numbers


def from_numbers(numbers: object, game: Game) -> Move | None:
    """The move that Botzone's four numbers tell, or None if they name no stone.

    Raises:
        NotationError: if it is something else, or a square is off the board.
        TengenError: if the board is infinite.
    """
    width, height = board_sides(game, 1 << 20)
    squares = []
    for i in (0, 1):
        x, y = _number(numbers, f"x{i}"), _number(numbers, f"y{i}")
        if x == y == -1:
            continue
        if not (0 <= x < width and 0 <= y < height):
            raise NotationError(f"column {x}, row {y} is off the board of {game}")
        squares.append(Square(x, height - 1 - y))
    return Move(squares) if squares else None


def _number(numbers: object, name: str) -> int:
    value: Any = numbers.get(name) if isinstance(numbers, Mapping) else None
    if type(value) is not int:
        raise NotationError(f"{name} must be a whole number in {str(numbers)[:80]!r}")
    return value


def as_turns(position: Position) -> list[Turn]:
    """The position as a game from the empty board, for programs that know no other: stones that were set up are dealt
    out in turns.

    Raises:
        TengenError: if it is no position of a regular game, or lies within a turn, or somebody has passed in it.
    """
    game, setup = position.game, position.initial
    if position.is_mid_turn:
        raise TengenError("other programs can only be asked at the beginning of a turn")
    turns = []
    if setup is not None:
        left = {BLACK: list(setup.black), WHITE: list(setup.white)}
        colour, stones = BLACK, game.q
        while left[BLACK] or left[WHITE]:
            if len(left[colour]) < stones:
                raise TengenError("other programs can only be asked about positions of a regular game")
            turns.append(Turn(colour, Move(left[colour][:stones])))
            del left[colour][:stones]
            colour, stones = colour.opponent, game.p
        if colour is not setup.turn:
            raise TengenError("other programs can only be asked about positions of a regular game")
    turns += position.turns
    if any(turn.move.is_pass for turn in turns):
        raise TengenError("other programs cannot be told of a pass")
    return turns
