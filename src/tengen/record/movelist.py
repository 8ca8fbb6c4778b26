"""Little Golem's plain text: `1.j10 2.i9l10 3.…`, one game after the other."""

from __future__ import annotations

import re
from collections.abc import Iterator

from tengen.game import CONNECT6, Colour, Game
from tengen.record.errors import RecordError
from tengen.record.limits import ReadLimits
from tengen.record.replay import Replay, main_line_position
from tengen.record.tree import RESIGN, Node, Record

_SPACE = re.compile(r"\s*")
_AFTER_GAME = re.compile(r"[\s:,]*")
_NUMBERED = re.compile(r"(?P<number>\d{1,4})\s*\.+\s*(?P<move>[A-Za-z0-9-]+)")


def read_move_list(
    text: str, game: Game | None = None, strict: bool = True, limits: ReadLimits | None = None
) -> Iterator[Record]:
    """Read numbered moves; number 1 begins the next game. A game that is not Connect6 stands in front.

    Raises:
        RecordError: if the text is invalid, a move is illegal, or a record is too large.
    """
    named: Game | None = None
    replay: Replay | None = None
    resigned: Colour | None = None
    expected = 1
    offset = _skip_space(text, 0)
    while offset < len(text):
        match = _NUMBERED.match(text, offset)
        if match is None:
            named, offset = _read_game(text, offset)
            continue
        number, move, place = int(match["number"]), match["move"], match.start("move")
        if number == 1:
            if replay is not None:
                yield _finished(replay, resigned)
            replay, resigned, expected = Replay(game or named or CONNECT6, text, strict, limits), None, 1
            named = None
        if number != expected or replay is None:
            raise RecordError.at(f"move {expected} should stand here, not move {number}", text, offset)
        if resigned is not None:
            replay.fail(f"{move}: the game is over, {resigned} has resigned", place)
        elif move.lower() == RESIGN:
            resigned = replay.position.turn
        elif replay.position.is_mid_turn and not replay.position.is_over:
            replay.fail(f"the move before {move} has too few stones", place)
        else:
            replay.play(move, place)
        expected += 1
        offset = _skip_space(text, match.end())
    if replay is None:
        raise RecordError.at("there is no move list here: it begins like '1.j10 2.i9l10'", text, 0)
    yield _finished(replay, resigned)


def _skip_space(text: str, offset: int) -> int:
    match = _SPACE.match(text, offset)
    return match.end() if match else offset


def _read_game(text: str, offset: int) -> tuple[Game, int]:
    game, end = Game.parse_at(text, offset)
    if game is None:
        raise RecordError.at("a move with its number, like '1.j10', should stand here", text, offset)
    after = _AFTER_GAME.match(text, end)
    return game, end if after is None else after.end()


def _finished(replay: Replay, resigned: Colour | None) -> Record:
    record = replay.record()
    if resigned is not None:
        record.root.set("RE", f"{resigned.opponent.letter}+Resign")
        Node({resigned.letter: [RESIGN]}, record.end())
    return record


def write_move_list(record: Record) -> str:
    """The moves of the main line on one line, numbered.

    Raises:
        RecordError: if the record holds what the format cannot say.
    """
    moves = [str(move).lower() for move in main_line_position(record).moves]
    if record.end().resigns:
        moves.append(RESIGN)
    if not moves:
        raise RecordError("a game without moves cannot be written as a list of moves")
    numbered = " ".join(f"{number}.{move}" for number, move in enumerate(moves, 1))
    return f"{numbered}\n" if record.game == CONNECT6 else f"{record.game} {numbered}\n"
