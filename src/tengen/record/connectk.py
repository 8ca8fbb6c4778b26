"""The file of the program connectk: `size k p q`, then a stone a line."""

from __future__ import annotations

import re
from collections.abc import Iterator

from tengen.game import Game, TengenError
from tengen.record.errors import RecordError
from tengen.record.limits import ReadLimits
from tengen.record.replay import Replay, main_line_position
from tengen.record.tree import Record

_HEAD = re.compile(r"\s*(\d{1,4})[ \t]+(\d{1,4})[ \t]+(\d{1,4})[ \t]+(\d{1,4})(?:[ \t]+-?\d+)?[ \t]*(?:[\r\n]|$)")
_STONE = re.compile(r"\S[^\r\n]*")


def read_connectk(
    text: str, game: Game | None = None, strict: bool = True, limits: ReadLimits | None = None
) -> Iterator[Record]:
    """Read a file, which holds one game. A fifth number in the header, the winner, is skipped, as connectk does.

    Raises:
        RecordError: if the text is invalid, a stone is illegal, or the record is too large.
    """
    head = _HEAD.match(text)
    if head is None:
        raise RecordError.at("there is no connectk file here: it begins with 'size k p q'", text, 0)
    size, k, p, q = (int(number) for number in head.groups())
    try:
        replay = Replay(game or Game(size, size, k, p, q), text, strict, limits)
    except TengenError as error:
        raise RecordError.at(str(error), text, head.start(1)) from error
    for stone in _STONE.finditer(text, head.end()):
        replay.play(stone[0].strip(), stone.start())
    yield replay.record()


def write_connectk(record: Record) -> str:
    """The file of a record's main line.

    Raises:
        RecordError: if the board is no square, or the record holds what the format cannot say.
    """
    game = record.game
    if game.m is None or game.m != game.n or game.maker_breaker:
        raise RecordError(f"connectk's file is for square boards and plain rules, not for {game}")
    stones = [str(square).lower() for move in main_line_position(record).moves for square in move]
    return "\n".join([f"{game.m} {game.k} {game.p} {game.q}", *stones]) + "\n"
