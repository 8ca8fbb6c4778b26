"""Games as JSON lines: `{"id":509153,"result":"W","six":true,"moves":["j10","i9j11"],"event":"…"}`."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator

from tengen.game import CONNECT6, Game, TengenError
from tengen.record.errors import RecordError
from tengen.record.limits import ReadLimits, default_limits
from tengen.record.replay import Replay, main_line_position, set_winner, winner_letter
from tengen.record.tree import Record

_HEADERS = {"id": "GN", "event": "EV", "black": "PB", "white": "PW"}


def read_json_lines(
    text: str, game: Game | None = None, strict: bool = True, limits: ReadLimits | None = None
) -> Iterator[Record]:
    """Read one game a line.

    Raises:
        RecordError: if a line is not such a game, a move is illegal, or a line is too long.
    """
    limits = limits or default_limits()
    is_empty = True
    for number, line in numbered_lines(text):
        is_empty = False
        try:
            yield _read_line(line, game, strict, limits)
        except RecordError as error:
            raise type(error)(error.reason, number, error.column or 1) from error
    if is_empty:
        raise RecordError.at("no game (expected one JSON object a line)", text, 0)


def numbered_lines(text: str) -> Iterator[tuple[int, str]]:
    """Yield the lines of a text that are not blank, with their numbers, without a list of all of them."""
    start, number = 0, 1
    while start < len(text):
        end = text.find("\n", start)
        end = len(text) if end < 0 else end
        line = text[start:end]
        if line.strip():
            yield number, line
        start, number = end + 1, number + 1


def _read_line(line: str, game: Game | None, strict: bool, limits: ReadLimits) -> Record:
    if len(line) > limits.max_line_length:
        raise limits.line_too_long()
    try:
        entry = json.loads(line)
    except (ValueError, RecursionError) as error:
        raise RecordError.at("this is no JSON", line, getattr(error, "pos", 0)) from None
    moves = entry.get("moves") if isinstance(entry, dict) else None
    if not isinstance(moves, list) or not all(isinstance(move, str) for move in moves):
        raise RecordError.at('an object with "moves", a list of texts, should stand here', line, 0)
    try:
        game = game or (Game.parse(str(entry["game"])) if "game" in entry else CONNECT6)
        replay = Replay(game, line, strict, limits)
    except TengenError as error:
        raise RecordError.at(str(error), line, 0) from error
    offset, is_literal = 0, True
    for move in moves:
        if is_literal:  # else a move is written with escapes: to look for each to the end would take quadratic time
            next_offset = line.find(f'"{move}"', offset)
            is_literal = next_offset >= 0
            offset = max(offset, next_offset)
        replay.play(move, offset)
    record = replay.record()
    for key, name in _HEADERS.items():
        if entry.get(key) is not None:
            # JSON can spell half a character, which no file can hold.
            record.root.set(name, str(entry[key]).encode("utf-8", "replace").decode())
    set_winner(record, str(entry.get("result", "")))
    return record


def write_json_line(record: Record) -> str:
    """One line of JSON.

    Raises:
        RecordError: if the record holds what the format cannot say.
    """
    entry: dict[str, object] = {key: value for key, name in _HEADERS.items() if (value := record.root.get(name))}
    if re.fullmatch(r"\d{1,15}", str(entry.get("id", ""))):
        entry["id"] = int(str(entry["id"]))
    if record.game != CONNECT6:
        entry["game"] = str(record.game)
    if winner := winner_letter(record):
        entry["result"] = winner
    position = main_line_position(record)
    entry["moves"] = [str(move).lower() for move in position.moves]
    entry["six"] = position.winner is not None
    return json.dumps(entry, separators=(",", ":"), ensure_ascii=False) + "\n"
