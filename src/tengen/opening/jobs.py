"""The engine's look at a second move, as a job: which third moves are sensible, and how good are they?"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import combinations

from tengen.game import BLACK, Move, Position, Square, TengenError
from tengen.grid import Json, Task
from tengen.play import Budget
from tengen.play.engine import Engine

KIND = "opening"
_NODES = 2_000
_LINES = 8
_SHAPES = 6
_SHAPE_NODES = 500
_REACH = 2


def look(arguments: Json, task: Task) -> Json:
    """Third moves in a `position` with Black's chance after each: the engine's best, or, with `shapes`, the roomiest.

    Raises:
        TengenError: if the arguments make no sense.
    """
    text = arguments.get("position")
    if not isinstance(text, str):
        raise TengenError("a look needs a position")
    position, engine = Position.parse(text), Engine(threads=1, seed=0)
    if position.turn is not BLACK or [len(move) for move in position.moves] != [1, 2]:
        raise TengenError(f"a look is for a third move of Connect6, which is not to be made in {position}")
    if not arguments.get("shapes"):
        found = engine.analyse(position, Budget(nodes=_NODES), lines=_LINES, control=task.control)
        return {"moves": [[str(choice.move), choice.win] for choice in found]}
    moves = []
    for move in roomiest(position, _SHAPES):
        after = position.after(move)
        answer = engine.analyse(after, Budget(nodes=_SHAPE_NODES), control=task.control)
        moves.append([str(move), 1 - (answer[0].win or 0.0)])
    return {"moves": moves}


def roomiest(position: Position, most: int) -> list[Move]:
    """Moves close to the first stone after which two of Black's stones or more share the most segments without White's.

    Where White is far away, the best of these shapes win as they do in Connect(6,2,3).
    """
    rated = {move: _room(position, move) for move in _close_moves(position)}
    return sorted(rated, key=lambda move: -rated[move])[:most]


def _close_moves(position: Position) -> Iterator[Move]:
    (first,) = position.moves[0]
    reach = range(-_REACH, _REACH + 1)
    close = [Square(first.x + dx, first.y + dy) for dy in reach for dx in reach]
    free = [square for square in close if square in position and position.at(square) is None]
    return (Move(pair) for pair in combinations(free, 2))


def _room(position: Position, move: Move) -> int:
    after = position.after(move)
    segments = {segment for stone in after.stones(BLACK) for segment in after.segments_through(stone)}
    return sum(black >= 2 and white == 0 for _, _, _, black, white in segments)
