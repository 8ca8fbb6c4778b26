"""Hints of people who know more than the engine, in words, given while a search runs.

add K9I11 at J10 J9K11      let this position have this move
prefer J10 J9K11 K9I11      go there before its siblings
prune J10 J9K11 K9I11       run no more jobs below it
unprefer …, unprune …       take it back
"""

from __future__ import annotations

from collections.abc import Callable
from functools import partial

from tengen.game import Game, Move, Position, TengenError
from tengen.search.generic import JobLevelSearch

_WORDS = ("add", "prefer", "prune", "unprefer", "unprune")


def read_hint(text: str, game: Game) -> Callable[[JobLevelSearch], None]:
    """What a hint does to a search.

    Raises:
        TengenError: if the text is no hint; what comes out raises one if the search does not know the position.
    """
    word, _, rest = text.strip().partition(" ")
    if word not in _WORDS:
        raise TengenError(f"{word!r} is no hint; there are {', '.join(_WORDS)}")
    if word == "add":
        move, at, place = rest.partition(" at ")
        if not at:
            raise TengenError("write 'add MOVE at POSITION'")
        return partial(_add, position=Position.parse(place, game), move=Move.parse(move))
    position, wanted = Position.parse(rest, game), not word.startswith("un")
    if word.endswith("prefer"):
        return lambda search: search.prefer(position, wanted)
    return lambda search: search.prune(position, wanted)


def _add(search: JobLevelSearch, position: Position, move: Move) -> None:
    search.add_move(position, move)
