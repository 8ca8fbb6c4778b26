"""The verifier's work as windows watch it: of thousands of moves that are not proved to lose they draw the squares."""

from __future__ import annotations

from collections import Counter
from itertools import islice
from typing import Any

from tengen.game import Move, Position, Square
from tengen.prove import defend
from tengen.solve import Control
from tengen.web.tasks import Tell, Work

MOST_MOVES = 400
"""Moves that windows are told of one by one."""


class _Open:
    """The moves that are not proved to lose, and how many of them have each square."""

    def __init__(self) -> None:
        self._moves: dict[Move, bool] = {}
        self._squares: Counter[Square] = Counter()

    def add(self, move: Move, is_cut_short: bool) -> None:
        if move not in self._moves:
            self._squares.update(move)
        self._moves[move] = is_cut_short

    def remove(self, move: Move) -> None:
        if self._moves.pop(move, None) is not None:
            self._squares.subtract(move)

    def as_json(self) -> dict[str, Any]:
        return {
            "moves": [{"move": str(move), "cut_short": cut} for move, cut in islice(self._moves.items(), MOST_MOVES)],
            "open": len(self._moves),
            "squares": {str(square): count for square, count in self._squares.items() if count},
        }


def defence(position: Position, options: dict[str, Any]) -> Work:
    """The work of finding the moves that are not proved to lose.

    Args:
        position: with the defender to move.
        options: of `prove.defend`.
    """

    def work(control: Control, tell: Tell) -> dict[str, Any]:
        still_open = _Open()

        def note(move: Move, passes: int, status: str, decided: int, waiting: int) -> None:
            if status == "losing":
                still_open.remove(move)
            elif passes == 0:
                still_open.add(move, status != "open")
            tell(lambda: {**still_open.as_json(), "decided": decided, "waiting": waiting})

        found = defend(position, control=control, tell=note, **options)
        left = _Open()
        for one in found.moves:
            left.add(one.move, one.is_cut_short)
        return {**found.as_json(), **left.as_json()}

    return work
