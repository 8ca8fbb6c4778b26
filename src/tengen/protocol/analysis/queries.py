"""Reading queries. They come from strangers: every field is checked, and every size has a limit."""

from __future__ import annotations

import json
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

from tengen.game import CONNECT6, Colour, Game, Move, Position, TengenError
from tengen.solve import METHODS
from tengen.solve.solver import MAX_DEPTH, MAX_ORDER, MAX_WIDTH, order_of

MAX_ID = 200
MAX_TEXT = 20_000
MAX_TURNS = 2000
MAX_LINES = 64
MAX_STONES = 8
MAX_SECONDS = 7 * 24 * 3600.0
MAX_NODES = 10**15

ACTIONS = ("query_version", "terminate", "terminate_all")


class QueryError(TengenError):
    """A query that cannot be answered, and the field that is to blame."""

    def __init__(self, reason: str, field: str | None = None, id: str | None = None) -> None:
        super().__init__(reason)
        self.field, self.id = field, id

    def as_json(self) -> dict[str, Any]:
        """The answer to the query."""
        given = {"id": self.id, "error": str(self), "field": self.field}
        return {name: value for name, value in given.items() if value is not None}


@dataclass(frozen=True)
class Action:
    """Something to be done about the server or other queries."""

    id: str
    action: str
    terminate_id: str | None = None


@dataclass(frozen=True)
class Query:
    """A question about one position or several of one game."""

    id: str
    kind: str
    positions: tuple[tuple[int, Position], ...]
    """Each with the number of turns before it."""
    report_every: float | None = None
    options: dict[str, Any] = field(default_factory=dict)
    """What the kind of question knows, checked."""


def read_query(line: str) -> Query | Action:
    """Reads one line.

    Raises:
        QueryError: if it is no query.
    """
    try:
        fields = json.loads(line, parse_constant=_no_number)
    except (ValueError, RecursionError) as error:
        raise QueryError(f"this is no JSON: {str(error)[:200]}") from None
    if not isinstance(fields, dict):
        raise QueryError("a query is a JSON object")
    id = fields.get("id")
    if not isinstance(id, str) or not 0 < len(id) <= MAX_ID:
        raise QueryError(f"a query needs an id, a text of 1 to {MAX_ID} characters", "id")
    try:
        return _read_action(id, fields) if "action" in fields else _read_question(id, fields)
    except QueryError as error:
        error.id = id
        raise


def _no_number(text: str) -> float:
    raise ValueError(f"{text} is no number")


def _read_action(id: str, fields: dict[str, Any]) -> Action:
    action = fields["action"]
    if action not in ACTIONS:
        raise QueryError(f"there are the actions {', '.join(ACTIONS)}", "action")
    known = {"id", "action"} | ({"terminate_id"} if action == "terminate" else set())
    _refuse_others(fields, known)
    terminate_id = fields.get("terminate_id")
    if action == "terminate" and not isinstance(terminate_id, str):
        raise QueryError("say which query to terminate, by its id", "terminate_id")
    return Action(id, action, terminate_id)


def _read_question(id: str, fields: dict[str, Any]) -> Query:
    kind = fields.get("kind", "analyse")
    if not isinstance(kind, str) or kind not in KINDS:
        raise QueryError(f"there are the kinds {', '.join(KINDS)}", "kind")
    readers = KINDS[kind]
    _refuse_others(fields, {"id", "kind", *_COMMON, *readers})
    values = {name: _read(name, reader, fields[name]) for name, reader in (_COMMON | readers).items() if name in fields}
    positions = _positions(values.pop("game", None), values.pop("position", ""), values.pop("turns", None))
    return Query(id, kind, positions, values.pop("report_every", None), values)


def _refuse_others(fields: dict[str, Any], known: set[str]) -> None:
    for name in fields:
        if name not in known:
            raise QueryError(f"there is no such field here; known are {', '.join(sorted(known))}", name[:MAX_ID])


def _read(name: str, reader: Callable[[Any], Any], value: object) -> Any:
    try:
        return reader(value)
    except TengenError as error:
        raise QueryError(str(error), name) from None


def _positions(game: Game | None, text: str, turns: list[int] | None) -> tuple[tuple[int, Position], ...]:
    try:
        last = Position.parse(text, game) if text.strip() else Position(game or CONNECT6)
    except TengenError as error:
        raise QueryError(str(error), "position") from None
    if max(last.game.p, last.game.q) > MAX_STONES:
        raise QueryError(f"{last.game}: only games with up to {MAX_STONES} stones in a move are answered for", "game")
    moves = last.moves
    if turns is None:
        return ((len(moves), last),)
    positions = []
    for turn in turns:
        if turn > len(moves):
            raise QueryError(f"there is no turn {turn}: {len(moves)} moves were played", "turns")
        position = last.copy()
        while position.steps > turn:  # from a text, every turn is one step
            position.undo()
        positions.append((turn, position))
    return tuple(positions)


# What a field may hold


def _text(most: int) -> Callable[[Any], str]:
    def read(value: Any) -> str:
        if not isinstance(value, str) or len(value) > most:
            raise TengenError(f"a text of at most {most} characters is needed")
        return value

    return read


def _whole(low: int, high: int) -> Callable[[Any], int]:
    def read(value: Any) -> int:
        if type(value) is not int or not low <= value <= high:
            raise TengenError(f"a whole number from {low} to {high} is needed")
        return value

    return read


def _seconds(value: Any) -> float:
    if isinstance(value, bool) or not isinstance(value, int | float) or not 0.001 <= value <= MAX_SECONDS:
        raise TengenError(f"a number of seconds from 0.001 to {MAX_SECONDS:.0f} is needed")
    return float(value)


def _increment(value: Any) -> float:
    return 0.0 if value == 0 and not isinstance(value, bool) else _seconds(value)


def _flag(value: Any) -> bool:
    if not isinstance(value, bool):
        raise TengenError("true or false is needed")
    return value


def _one_of(*words: str) -> Callable[[Any], str]:
    def read(value: Any) -> str:
        if value not in words:
            raise TengenError(f"one of {', '.join(words)} is needed")
        return str(value)

    return read


def _list(reader: Callable[[Any], Any], most: int) -> Callable[[Any], list[Any]]:
    def read(value: Any) -> list[Any]:
        if not isinstance(value, list) or len(value) > most:
            raise TengenError(f"a list of at most {most} is needed")
        return [reader(entry) for entry in value]

    return read


def _turns(value: Any) -> list[int]:
    numbers = _list(_whole(0, MAX_TURNS), MAX_TURNS)(value)
    if not numbers or len(set(numbers)) < len(numbers):
        raise TengenError("a list of different numbers is needed")
    return numbers


def _win(value: Any) -> str:
    order_of(kind := _text(20)(value))
    return kind


_COMMON: dict[str, Callable[[Any], Any]] = {
    "game": lambda value: Game.parse(_text(200)(value)),
    "position": _text(MAX_TEXT),
    "turns": _turns,
    "report_every": _seconds,
}
_LIMITS: dict[str, Callable[[Any], Any]] = {"seconds": _seconds, "nodes": _whole(1, MAX_NODES)}
_SIDE: dict[str, Callable[[Any], Any]] = {"side": lambda value: Colour.parse(_text(20)(value))}

KINDS: dict[str, dict[str, Callable[[Any], Any]]] = {
    "analyse": _LIMITS
    | {
        "depth": _whole(1, 1000),
        "remaining": _seconds,
        "increment": _increment,
        "lines": _whole(1, MAX_LINES),
    },
    "solve": _LIMITS
    | _SIDE
    | {
        "win": _win,
        "depth": _whole(1, MAX_DEPTH),
        "shortest": _flag,
        "all_moves": _flag,
        "zones": _flag,
        "method": _one_of(*METHODS),
        "wide": _flag,
        "width": _whole(1, MAX_WIDTH),
    },
    "defend": _LIMITS
    | {
        "order": _whole(1, MAX_ORDER),
        "reply_nodes": _whole(1, MAX_NODES),
        "prohibited": _list(lambda value: Move.parse(_text(200)(value)), MAX_TURNS),
    },
    "threats": _SIDE | {"method": _one_of("exact", "wu-huang", "mark-all")},
}
"""The kinds of question, with the fields that each knows beside those that all do."""
