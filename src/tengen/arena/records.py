"""A played game as a line of the log, and as a record with the players' evaluations."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime
from functools import lru_cache
from typing import Any

from tengen.arena.game import Outcome, PlayedMove, Reason
from tengen.arena.settings import Fixture, Settings
from tengen.game import Colour, Position, TengenError
from tengen.record import Record
from tengen.record.damage import DAMAGE
from tengen.record.tree import Node

_RESULTS = {
    Reason.RESIGNATION: "Resign",
    Reason.TIME: "Time",
    Reason.ILLEGAL: "Forfeit",
    Reason.CRASH: "Forfeit",
}


@dataclass(frozen=True)
class PlayedGame:
    """A game of the schedule that was played."""

    fixture: Fixture
    outcome: Outcome
    ended: datetime

    def as_json(self, settings: Settings) -> dict[str, Any]:
        """The game as one line of the log."""
        fixture, outcome = self.fixture, self.outcome
        return {
            "number": fixture.number,
            "round": fixture.round + 1,
            "black": settings.players[fixture.black].name,
            "white": settings.players[fixture.white].name,
            "opening": settings.opening(fixture),
            "result": outcome.letter,
            "reason": str(outcome.reason),
            "detail": outcome.detail,
            "moves": [move.as_json() for move in outcome.moves],
            "ended": self.ended.isoformat(timespec="seconds"),
        }

    @classmethod
    def from_json(cls, entry: dict[str, Any], settings: Settings, schedule: dict[int, Fixture]) -> PlayedGame:
        """The game of a line of the log.

        Raises:
            TengenError: if the line holds no game of this tournament.
        """
        try:
            fixture = schedule.get(entry["number"])
            if fixture is None:
                raise TengenError(f"game {entry['number']} is not in the schedule")
            names = settings.players[fixture.black].name, settings.players[fixture.white].name
            if (entry["black"], entry["white"]) != names:
                raise TengenError(f"game {fixture.number} is between {names[0]} and {names[1]}")
            opening = settings.opening(fixture)
            if entry["opening"] != opening:
                raise TengenError(f"game {fixture.number} begins with {opening!r}, not with {entry['opening']!r}")
            turn = _first_to_move(opening)
            colours = (turn, turn.opponent)
            moves = tuple(PlayedMove.from_json(move, colours[i % 2]) for i, move in enumerate(entry["moves"]))
            winner = None if entry["result"] == "D" else Colour.parse(entry["result"])
            outcome = Outcome(winner, Reason(entry["reason"]), str(entry["detail"]), moves)
            return cls(fixture, outcome, datetime.fromisoformat(entry["ended"]))
        except TengenError:
            raise
        except DAMAGE as error:
            raise TengenError(f"invalid game ({type(error).__name__}: {error})") from error

    def record(self, settings: Settings) -> Record:
        """The game as a record: times and evaluations as comments, the clock in SGF's own properties."""
        fixture, outcome = self.fixture, self.outcome
        opening = Position.parse(settings.opening(fixture))
        record = Record.from_position(opening)
        root, node = record.root, record.end()
        root.set("PB", settings.players[fixture.black].name)
        root.set("PW", settings.players[fixture.white].name)
        root.set("GN", str(fixture.number))
        root.set("RO", str(fixture.round + 1))
        root.set("DT", self.ended.date().isoformat())
        root.set("RE", _result(outcome))
        if settings.rules.time.base is not None:
            root.set("TM", f"{settings.rules.time.base:g}")
        root.set("OT", str(settings.rules.time))
        if opening.stone_count:
            root.set("ON", str(opening))
        for move in outcome.moves:
            node = Node({move.colour.letter: [str(move.move)]}, node)
            if move.left is not None:
                node.set(f"{move.colour.letter}L", f"{move.left:.3f}")
            node.comment = _comment(move)
        said = outcome.reason.value + (f": {outcome.detail}" if outcome.detail else "")
        node.comment = f"{node.comment}\nEnd of the game by {said}".lstrip()
        return record


@lru_cache(maxsize=1024)
def _first_to_move(opening: str) -> Colour:
    return Position.parse(opening).turn


def _result(outcome: Outcome) -> str:
    return "0" if outcome.winner is None else f"{outcome.winner.letter}+{_RESULTS.get(outcome.reason, '')}"


def _comment(move: PlayedMove) -> str:
    parts = [f"{move.seconds:.3f} s"]
    if move.win is not None:
        parts.append(f"win {move.win:.3f}")
    if move.status is not None:
        parts.append(move.status)
    if move.depth is not None:
        parts.append(f"depth {move.depth}")
    if move.nodes is not None:
        parts.append(f"{move.nodes} nodes")
    if move.line:
        parts.append("line " + " ".join(str(expected) for expected in move.line))
    parts += [f"{name} {value}" for name, value in move.notes.items()]
    return ", ".join(parts)
