"""Games as JSON lines: `{"id":509153,"result":"W","six":true,"moves":["j10","i9j11"],"event":"…"}`."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator

from tengen.game import CONNECT6, Game, TengenError
from tengen.record.errors import RecordError
from tengen.record.replay import Replay, main_line_position, set_winner, winner_letter
from tengen.record.tree import Record

_HEADERS = {"id": "GN", "event": "EV", "black": "PB", "white": "PW"}


def read_json_lines(text: str, game: Game | None = None, strict: bool = True) -> Iterator[Record]:
    """Reads one game a line.

    Raises:
        RecordError: where a line is no such game, or a move is illegal.
    """
    found = False
    for number, line in enumerate(text.split("\n"), 1):
        if not line.strip():
            continue
        found = True
        try:
            yield _read_line(line, game, strict)
        except RecordError as error:
            raise RecordError(error.reason, number, error.column) from error
    if not found:
        raise RecordError.at("there is no game here: one JSON object a line is expected", text, 0)


def _read_line(line: str, game: Game | None, strict: bool) -> Record:
    try:
        entry = json.loads(line)
    except (ValueError, RecursionError) as error:
        raise RecordError.at("this is no JSON", line, getattr(error, "pos", 0)) from None
    moves = entry.get("moves") if isinstance(entry, dict) else None
    if not isinstance(moves, list) or not all(isinstance(move, str) for move in moves):
        raise RecordError.at('an object with "moves", a list of texts, should stand here', line, 0)
    try:
        replay = Replay(game or (Game.parse(str(entry["game"])) if "game" in entry else CONNECT6), line, strict)
    except TengenError as error:
        raise RecordError.at(str(error), line, 0) from error
    for move in moves:
        replay.play(move, max(line.find(f'"{move}"'), 0))
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
