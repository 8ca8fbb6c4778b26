"""Programs that speak our own analysis protocol, so that one Tengen can play another's moves."""

from __future__ import annotations

import json
from itertools import count
from typing import Any

from tengen.game import Move, NotationError, Position, TengenError, Turn
from tengen.play.agent import Budget, Choice
from tengen.play.external.engine import ExternalEngine
from tengen.play.external.errors import NonsenseAnswer


class AnalysisEngine(ExternalEngine):
    """A program that speaks the analysis protocol; any game, and any position that can be written."""

    default_game = None
    farewell = None  # the end of its input is enough

    def __init__(self, *arguments: Any, **named: Any) -> None:
        super().__init__(*arguments, **named)
        self._ids = map(str, count(1))
        self._best: dict[str, Any] = {}

    def _choice(self, move: Move) -> Choice:
        best = self._best
        return Choice(
            move,
            win=_number(best.get("win")),
            status=best["status"] if isinstance(best.get("status"), str) else None,
            line=_line(best.get("line"), move),
            depth=_whole(best.get("depth")),
            nodes=_whole(best.get("nodes")),
        )

    def _turns(self, position: Position) -> list[Turn]:
        return position.turns

    def _greet(self) -> None:
        self._query({"action": "query_version"})

    def _ask(self, position: Position, turns: list[Turn], budget: Budget) -> Move:
        limits = {"seconds": budget.seconds, "nodes": budget.nodes, "depth": budget.depth or self.options.depth}
        if budget.seconds is None and budget.remaining is not None:
            limits |= {"remaining": budget.remaining, "increment": budget.increment}
        given = {name: limit for name, limit in limits.items() if limit is not None}
        found = self._query({"kind": "analyse", "game": str(position.game), "position": str(position), **given})
        try:
            self._best = found["answer"]["moves"][0]
            return Move.parse(self._best["move"])
        except (LookupError, TypeError, NotationError) as error:
            raise NonsenseAnswer(f"{self.name} answered nonsense: {str(found)[:200]}") from error

    def _query(self, query: dict[str, Any]) -> dict[str, Any]:
        """Asks, and returns the last answer."""
        number = next(self._ids)
        self._send(json.dumps({"id": number, **query}))
        while True:
            answer = _object(self._read())
            if answer.get("id") != number or answer.get("during_search"):
                continue  # talk, or a report on the way
            if "error" in answer:
                raise NonsenseAnswer(f"{self.name} refused a query: {str(answer['error'])[:200]}")
            return answer


def _object(line: str) -> dict[str, Any]:
    try:
        found = json.loads(line)
    except (ValueError, RecursionError):
        return {}
    return found if isinstance(found, dict) else {}


def _number(value: object) -> float | None:
    return float(value) if isinstance(value, int | float) and 0 <= value <= 1 else None


def _whole(value: object) -> int | None:
    return value if type(value) is int and value >= 0 else None


def _line(value: object, first: Move) -> tuple[Move, ...]:
    if not isinstance(value, list):
        return (first,)
    try:
        return tuple(Move.parse(move) for move in value if isinstance(move, str))
    except TengenError:
        return (first,)
