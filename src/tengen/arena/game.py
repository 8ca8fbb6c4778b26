"""One game between two players: who moves, under which clock, and how it ends.

Whatever a player does wrong (an illegal move, an exception, too much time) is a loss of his, with its reason, and never
an error.
"""

from __future__ import annotations

import json
import time
from dataclasses import dataclass, field, fields
from enum import StrEnum
from typing import Any, Protocol

from tengen.game import BLACK, WHITE, Colour, IllegalMoveError, Move, Position, TengenError
from tengen.play.agent import Agent, Choice
from tengen.play.clock import TOLERANCE, Clock, TimeControl
from tengen.play.external import EngineResigned, EngineTimeout, IllegalAnswer, NonsenseAnswer
from tengen.solve import solve

ADJUDICATION_NODES = 20_000
"""What the solver may spend on each position of a game that it adjudicates."""
MAX_MOVES_WITHOUT_EDGE = 200
"""The length at which a game on the infinite board is drawn unless told otherwise."""


class Reason(StrEnum):
    """Why a game ended."""

    ROW = "row"
    FULL_BOARD = "full board"
    LENGTH = "length"
    SOLVER = "solver"
    RESIGNATION = "resignation"
    ILLEGAL = "illegal move"
    TIME = "time"
    CRASH = "crash"

    @property
    def is_fault(self) -> bool:
        """Whether the loser did something that no player may do."""
        return self in (Reason.ILLEGAL, Reason.TIME, Reason.CRASH)


@dataclass(frozen=True)
class Rules:
    """What both players of a game are held to, beside the rules of the game itself."""

    time: TimeControl = field(default_factory=TimeControl)
    tolerance: float = TOLERANCE
    nodes: int | None = None
    depth: int | None = None
    max_moves: int | None = None
    """At this length, opening included, the game is drawn."""
    adjudicate: int | None = None
    """If given, the solver looks for a forced win of the player to move, with so many nodes; one ends the game."""


_REASONS: tuple[tuple[type[Exception], Reason], ...] = (
    (EngineResigned, Reason.RESIGNATION),
    (EngineTimeout, Reason.TIME),
    (TimeoutError, Reason.TIME),
    (IllegalAnswer, Reason.ILLEGAL),
    (NonsenseAnswer, Reason.ILLEGAL),
    (IllegalMoveError, Reason.ILLEGAL),
)
"""What a player's exception means; any other is a crash."""

_VALUE_TYPES: dict[str, tuple[type, ...]] = {
    "move": (str,),
    "seconds": (int, float),
    "left": (int, float),
    "win": (int, float),
    "status": (str,),
    "depth": (int,),
    "nodes": (int,),
    "line": (list,),
    "notes": (dict,),
}
"""Types of the values of a move in JSON."""


@dataclass(frozen=True, kw_only=True)
class PlayedMove(Choice):
    """A move as its maker chose it, and the time it took him."""

    colour: Colour
    seconds: float
    left: float | None = None
    """What his clock shows after it, if it is one for the whole game."""

    @classmethod
    def of(cls, choice: Choice, colour: Colour, seconds: float, left: float | None) -> PlayedMove:
        """The choice, played."""
        return cls(
            **{f.name: getattr(choice, f.name) for f in fields(Choice)}, colour=colour, seconds=seconds, left=left
        )

    def as_json(self) -> dict[str, Any]:
        """The move as JSON can hold it, what is not known left out."""
        entry: dict[str, Any] = {"move": str(self.move), "seconds": round(self.seconds, 3)}
        for name in ("left", "win", "status", "depth", "nodes"):
            value = getattr(self, name)
            if value is not None:
                entry[name] = round(value, 4) if isinstance(value, float) else value
        if self.line:
            entry["line"] = [str(move) for move in self.line]
        if self.notes:
            entry["notes"] = self.notes
        return entry

    @classmethod
    def from_json(cls, entry: dict[str, Any], colour: Colour) -> PlayedMove:
        """Return the move of a JSON object.

        Raises:
            TengenError: if a value has a wrong type.
        """
        for name, kinds in _VALUE_TYPES.items():
            if name in entry and type(entry[name]) not in kinds:
                raise TengenError(f"invalid {name} of a move: {entry[name]!r:.40}")
        line = tuple(Move(text) for text in entry.get("line", ()))
        optional = ("left", "win", "status", "depth", "nodes", "notes")
        values = {name: entry[name] for name in optional if name in entry}
        return cls(Move(entry["move"]), colour=colour, seconds=float(entry["seconds"]), line=line, **values)


@dataclass(frozen=True)
class Outcome:
    """How a game went."""

    winner: Colour | None
    reason: Reason
    detail: str = ""
    """What else there is to say about the reason."""
    moves: tuple[PlayedMove, ...] = ()
    """The moves after the opening."""

    @property
    def black_points(self) -> float:
        """1 if Black won, 0 if he lost, one half for a draw."""
        return 0.5 if self.winner is None else float(self.winner is BLACK)

    @property
    def letter(self) -> str:
        """`B`, `W`, or `D` for a draw."""
        return "D" if self.winner is None else self.winner.letter


class Observer(Protocol):
    """Somebody who watches a game while it is played."""

    def thinking(self, colour: Colour, deadline: float | None) -> None:
        """A player was asked; after so many seconds he has lost on time."""

    def moved(self, move: PlayedMove) -> None:
        """A player has moved."""


def check_rules(position: Position, rules: Rules) -> None:
    """Finds what is wrong before a game begins.

    Raises:
        TengenError: if the game is over already, or the solver cannot adjudicate it.
    """
    if position.is_over:
        raise TengenError(f"{position}: the game is over before it begins")
    if rules.adjudicate is not None:
        solve(position, nodes=1)


def play_game(
    black: Agent, white: Agent, opening: Position, rules: Rules | None = None, observer: Observer | None = None
) -> Outcome:
    """Plays a game from an opening to its end.

    Raises:
        TengenError: if the game is over before it begins, or the solver cannot adjudicate it.
    """
    rules = rules or Rules()
    check_rules(opening, rules)
    position = opening.copy()
    agents = {BLACK: black, WHITE: white}
    clocks = {colour: Clock(rules.time, rules.tolerance) for colour in agents}
    moves: list[PlayedMove] = []
    limit = rules.max_moves or (MAX_MOVES_WITHOUT_EDGE if position.game.is_infinite else None)
    while True:
        if end := _ended(position, rules, limit):
            return Outcome(*end, tuple(moves))
        colour = position.turn
        clock = clocks[colour]
        if observer is not None:
            observer.thinking(colour, clock.deadline())
        played, fault = _turn(agents[colour], position, clock, rules)
        if fault is not None:
            return Outcome(colour.opponent, *fault, tuple(moves))
        assert played is not None
        moves.append(played)
        if observer is not None:
            observer.moved(played)


def _ended(position: Position, rules: Rules, limit: int | None) -> tuple[Colour | None, Reason, str] | None:
    if position.winner is not None:
        return position.winner, Reason.ROW, ""
    if position.is_draw:
        return None, Reason.FULL_BOARD, ""
    if limit is not None and len(position.moves) >= limit and not position.is_mid_turn:
        return None, Reason.LENGTH, f"{limit} moves"
    if rules.adjudicate is not None:
        try:
            solution = solve(position, nodes=rules.adjudicate)
        except TengenError:  # on the infinite board the stones may come to lie too far apart for it
            return None
        if solution.result == "win":
            line = " ".join(str(move) for move in solution.line)
            return position.turn, Reason.SOLVER, f"wins in {solution.attacker_moves}: {line}"
    return None


def _turn(
    agent: Agent, position: Position, clock: Clock, rules: Rules
) -> tuple[PlayedMove | None, tuple[Reason, str] | None]:
    """Asks a player and plays his move: the move, or what he did wrong."""
    colour = position.turn
    budget = clock.budget(rules.nodes, rules.depth)
    start = time.perf_counter()
    choice: Choice | None = None
    failure: Exception | None = None
    try:
        choice = agent.choose(position.copy(), budget)
    except Exception as error:  # a player may be anything, and its faults are not ours
        failure = error
    seconds = time.perf_counter() - start
    overstepped = clock.spend(seconds)
    if overstepped is not None:
        return None, (Reason.TIME, overstepped if failure is None else f"{overstepped}; {_fault(failure)[1]}")
    if choice is None:
        return None, _fault(failure)
    try:
        _play(position, choice.move)
    except Exception as error:
        return None, (Reason.ILLEGAL, str(error))
    try:
        played = PlayedMove.of(choice, colour, seconds, None if clock.left is None else max(clock.left, 0.0))
        json.dumps(played.as_json(), allow_nan=False)
    except Exception as error:
        return None, (Reason.CRASH, f"an evaluation that cannot be kept: {error}")
    return played, None


def _fault(failure: Exception | None) -> tuple[Reason, str]:
    if failure is None:
        return Reason.CRASH, "no answer at all"
    reason = next((reason for kind, reason in _REASONS if isinstance(failure, kind)), Reason.CRASH)
    return reason, f"{type(failure).__name__}: {failure}"


def _play(position: Position, move: Move) -> None:
    """Plays a whole turn.

    Raises:
        IllegalMoveError: if the move is illegal, or less than a turn.
    """
    due = position.stones_left
    if move.is_pass:
        raise IllegalMoveError(f"{move}: nobody may pass in a game")
    position.play(move)
    if len(move) < due and not position.is_over:
        raise IllegalMoveError(f"{move}: {len(move)} of {due} stones are no whole turn")
