"""The contest format of the Chinese Computer Games Championship: `{[C6][..];B(J,10);W(I,11);W(I,12)..}`."""

from __future__ import annotations

import re
from collections.abc import Iterator
from itertools import islice

from tengen.game import CONNECT6, Colour, Game
from tengen.record.errors import RecordError
from tengen.record.limits import ReadLimits
from tengen.record.replay import Replay, main_line_position, set_winner, winner_letter
from tengen.record.tree import Record

_GAME = re.compile(r"\{\s*+(?P<head>(?:\[[^\[\]]*+\]\s*+)++)")
_FIELD = re.compile(r"\[([^\]]*+)\]")
_FIELDS = 6
_STONE = re.compile(
    r"\s*+;\s*+(?P<colour>[BW])\s*+\(\s*+(?P<x>[A-Za-z]{1,2})\s*+,\s*+(?P<y>\d{1,3})\s*+\)"
    r"(?P<notes>(?:\s*+[A-Z]++\s*+\[[^\]]*+\])*+)"
)
_NOTE = re.compile(r"([A-Z]++)\s*+\[([^\]]*+)\]")
_END = re.compile(r"\s*;?\s*\}")
_ROUND = str.maketrans("[]", "()")
"""Brackets within brackets have no place in the format."""
_RESULTS = {"先手胜": "B", "后手胜": "W", "和棋": "D"}


def read_ccgc(
    text: str, game: Game | None = None, strict: bool = True, limits: ReadLimits | None = None
) -> Iterator[Record]:
    """Read games: `{[C6][Black's team B][White's team W][先手胜][2017.07.29 14:00 place][event];B(J,10);W(I,11)…}`.

    Raises:
        RecordError: if the text is invalid, a stone is illegal, or a record is too large.
    """
    offset = 0
    found = False
    while match := _GAME.search(text, offset):
        found = True
        fields = [field[1].strip() for field in islice(_FIELD.finditer(match["head"]), _FIELDS)]
        if fields[0].upper() != "C6":
            raise RecordError.at(f"the game is {fields[0]!r}, not C6", text, match.start())
        record, offset = _read_stones(text, match.end(), game or CONNECT6, strict, limits)
        _, black, white, result, when_and_where, event = (fields + [""] * _FIELDS)[:_FIELDS]
        when = re.match(r"[\d.:/\- ]*", when_and_where)
        date = when[0].strip() if when else ""
        for name, value in (
            ("PB", re.sub(r"(?:^|\s+)B$", "", black)),
            ("PW", re.sub(r"(?:^|\s+)W$", "", white)),
            ("DT", date),
            ("PC", when_and_where.removeprefix(date).strip()),
            ("EV", event),
        ):
            record.root.set(name, value)
        set_winner(record, _RESULTS.get(result, ""))
        yield record
    if not found:
        raise RecordError.at("there is no contest record here: it begins with '{[C6]'", text, 0)


def _read_stones(text: str, offset: int, game: Game, strict: bool, limits: ReadLimits | None) -> tuple[Record, int]:
    replay = Replay(game, text, strict, limits)
    notes: dict[int, list[tuple[str, str]]] = {}
    moves = 0
    while match := _STONE.match(text, offset):
        offset = match.end()
        moves += not replay.position.is_mid_turn
        replay.play(f"{match['x']}{match['y']}", match.start("colour"), Colour.parse(match["colour"]))
        replay.items.add(match["notes"].count("["), offset)
        notes.setdefault(moves, []).extend(_NOTE.findall(match["notes"]))
    end = _END.match(text, offset)
    if end is None:
        raise RecordError.at("a stone like ';B(J,10)' or the closing '}' should stand here", text, offset)
    record = replay.record()
    for number, node in enumerate(record.main_line()):
        for name, value in notes.get(number, ()):
            if name not in ("B", "W"):
                node.properties.setdefault(name, []).append(value)
    return record, end.end()


def write_ccgc(record: Record) -> str:
    """The text of a record's main line.

    Raises:
        RecordError: if the game is not Connect6, or the record holds what the format cannot say.
    """
    if record.game != CONNECT6:
        raise RecordError(f"the contest format is for Connect6 on 19x19, not for {record.game}")
    get = record.root.get
    winner = winner_letter(record)
    fields = [
        "C6",
        f"{get('PB') or ''} B".strip(),
        f"{get('PW') or ''} W".strip(),
        next((word for word, letter in _RESULTS.items() if letter == winner), ""),
        " ".join(filter(None, (get("DT"), get("PC")))),
        get("EV") or "",
    ]
    parts = ["{", *map(_in_brackets, fields)]
    marked = {
        move.squares[-1]: value for node in record.main_line() if (move := node.move) and (value := node.get("MARK"))
    }
    for colour, move in main_line_position(record).turns:
        for square in move:
            parts.append(f";{colour.letter}({square.column},{square.y + 1})")
            if square in marked:
                parts.append(f"MARK{_in_brackets(marked[square])}")
    return "".join(parts) + "}\n"


def _in_brackets(text: str) -> str:
    return f"[{text.translate(_ROUND)}]"
