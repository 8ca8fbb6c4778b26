"""Goes through played games: who overlooked a win by double threats, and who left one open to the opponent?

Every question is put to the solver and the verifier, and nothing is guessed. Let a *short win* be a VCDT of at most so
many attacking moves. For each move of a game:

- *missed*: the player had a short win, and after his move no forced win is left to him: the move neither wins at once
  nor begins a VCDT of any length, and the verifier finds a reply that is not proved to lose to threats, single ones
  included.
- *left open*: after the move the opponent has a short win, and there was a move after which he has none: the verifier
  names it, the solver confirms it.
- *no defence*: the opponent has a short win, and every move of the player's is proved to lose to a VCDT.
- *unknown*: a limit came before an answer.
"""

from __future__ import annotations

import time
from collections import Counter
from collections.abc import Callable, Collection, Iterable, Iterator
from dataclasses import dataclass, field
from enum import StrEnum
from functools import partial
from typing import Any, NamedTuple

from tengen.game import BLACK, WHITE, Colour, Move, Position, TengenError
from tengen.prove import Defence, defend
from tengen.record import Record
from tengen.solve import Control, solve

LENGTH = 5
NODES = 200_000
_VERIFIER_SHARE = 5
"""The verifier answers many replies, so it may spend so many times the nodes of a question to the solver."""
_TRIES = 50
"""Of the defences that the verifier names, so many are put to the solver until it confirms one."""


class Verdict(StrEnum):
    """What is wrong with a move, or might be."""

    MISSED = "missed"
    LEFT_OPEN = "left open"
    NO_DEFENCE = "no defence"
    UNKNOWN = "unknown"

    @property
    def is_fault(self) -> bool:
        """Whether the player could have done better."""
        return self in (Verdict.MISSED, Verdict.LEFT_OPEN)


class Question(NamedTuple):
    """A game to go through."""

    name: str
    """What reports call it."""
    players: tuple[str, str]
    """Of Black and White; empty if nobody wrote it down."""
    position: Position
    """As it ended, with its moves."""
    first: int = 1
    """The number of the first move that a player chose himself, after the opening."""

    @classmethod
    def of(cls, record: Record, name: str) -> Question:
        """The main line of a record, as the arena or somebody else wrote it.

        Raises:
            RecordError: if a move in it is illegal.
        """
        position = record.position()
        players = (record.root.get("PB") or "", record.root.get("PW") or "")
        return cls(name, players, position, 1 + _opening_moves(record, position))


@dataclass(frozen=True)
class Finding:
    """A move that is worth a look."""

    verdict: Verdict
    number: int
    """Of the move, from 1, that of the opening included."""
    colour: Colour
    player: str
    played: Move
    position: Position
    """Before the move."""
    win: tuple[Move, ...] = ()
    """The win that was missed, or that the opponent has after the move, if the defender holds out as long as he can."""
    attacker_moves: int | None = None
    """How many moves that win takes."""
    better: Move | None = None
    """Of what was left open: a move that would have met it."""
    detail: str = ""
    """Of what is unknown: which question has no answer."""

    def as_json(self) -> dict[str, Any]:
        """The finding as JSON can hold it; what does not apply is left out."""
        entry: dict[str, Any] = {
            "verdict": str(self.verdict),
            "move": self.number,
            "side": str(self.colour),
            "player": self.player,
            "played": str(self.played),
            "position": str(self.position),
        }
        if self.attacker_moves is not None:
            entry |= {"attacker_moves": self.attacker_moves, "win": [str(move) for move in self.win]}
        if self.better is not None:
            entry["better"] = str(self.better)
        return entry | ({"detail": self.detail} if self.detail else {})


@dataclass(frozen=True)
class Audit:
    """What was found in a game."""

    name: str
    players: tuple[str, str]
    moves: tuple[int, int]
    """How many moves of Black's and White's were looked at."""
    findings: tuple[Finding, ...]
    seconds: float

    def as_json(self) -> dict[str, Any]:
        """The audit as JSON can hold it."""
        return {
            "game": self.name,
            "black": self.players[BLACK],
            "white": self.players[WHITE],
            "moves": {"black": self.moves[BLACK], "white": self.moves[WHITE]},
            "findings": [finding.as_json() for finding in self.findings],
            "seconds": round(self.seconds, 3),
        }


@dataclass
class Tally:
    """The audits of many games added up for one player."""

    games: int = 0
    moves: int = 0
    verdicts: Counter[Verdict] = field(default_factory=Counter)

    def as_json(self) -> dict[str, int]:
        """The counts by name."""
        counts = {str(verdict).replace(" ", "_"): self.verdicts[verdict] for verdict in Verdict}
        return {"games": self.games, "moves": self.moves, **counts}


def tallies(audits: Iterable[Audit]) -> dict[str, Tally]:
    """The audits of many games by player, of whom a move was looked at."""
    found: dict[str, Tally] = {}
    for audit in audits:
        for colour in (BLACK, WHITE):
            if audit.moves[colour]:
                tally = found.setdefault(audit.players[colour], Tally())
                tally.games += 1
                tally.moves += audit.moves[colour]
        for finding in audit.findings:
            found[finding.player].verdicts[finding.verdict] += 1
    return found


def audit_game(
    question: Question,
    *,
    players: Collection[str] = (),
    length: int = LENGTH,
    nodes: int = NODES,
) -> Audit:
    """Goes through a game.

    Args:
        question: the game.
        players: whose moves to look at; everybody's unless told.
        length: how many attacking moves a win may take that must not be overlooked.
        nodes: for each question to the solver; the verifier has some times as many.

    Raises:
        TengenError: if the game is beyond what the solver knows.
    """
    start = time.perf_counter()
    colours = [colour for colour in (BLACK, WHITE) if not players or question.players[colour] in players]
    moves = [0, 0]
    findings: list[Finding] = []
    for number, found in findings_by_move(question, colours=colours, length=length, nodes=nodes):
        moves[question.position.turns[number - 1][0]] += 1
        findings += found
    return Audit(question.name, question.players, (moves[0], moves[1]), tuple(findings), time.perf_counter() - start)


def findings_by_move(
    question: Question,
    *,
    colours: Collection[Colour] = (BLACK, WHITE),
    length: int = LENGTH,
    nodes: int = NODES,
    control: Control | None = None,
) -> Iterator[tuple[int, list[Finding]]]:
    """What is to be said of each move of these colours, in their order, with its number.

    Args:
        question: the game.
        colours: whose moves to look at.
        length: how many attacking moves a win may take that must not be overlooked.
        nodes: for each question to the solver; the verifier has some times as many.
        control: lets another thread stop it; nothing is said of the move that is being looked at then.

    Raises:
        TengenError: if the game is beyond what the solver knows.
    """
    stop = control or Control()
    referee = _Referee(length, nodes, stop)
    for number, position, move in _moves(question):
        colour = position.turn
        if colour not in colours:
            continue
        player = question.players[colour]
        make = partial(Finding, number=number, colour=colour, player=player, played=move, position=position)
        found = list(referee.judge(position, move, make))
        if stop.stopped:
            return
        yield number, found


def _moves(question: Question) -> Iterator[tuple[int, Position, Move]]:
    """The moves that players chose, each with its number and the position before it."""
    for number, (before, (_, move)) in enumerate(question.position.replay(), 1):
        after = before.after(move)
        if number >= question.first and (after.is_over or not after.is_mid_turn):  # the last may be unfinished
            yield number, before, move


def _opening_moves(record: Record, position: Position) -> int:
    """How many moves were given, if the record says so as the arena does."""
    try:
        given = Position.parse(record.root.get("ON") or "").turns
    except TengenError:  # the name of an opening, as others write it there
        return 0
    return len(given) if position.turns[: len(given)] == given else 0


class _ShortWin(NamedTuple):
    """Whether the side to move has one; None if that is not known."""

    exists: bool | None
    line: tuple[Move, ...] = ()
    attacker_moves: int | None = None


class _Referee:
    """Puts the questions about the moves of a game, in their order."""

    def __init__(self, length: int, nodes: int, control: Control) -> None:
        self._length, self._nodes, self._control = length, nodes, control
        self._last: tuple[Position, _ShortWin] | None = None

    def judge(self, position: Position, move: Move, make: Callable[..., Finding]) -> Iterator[Finding]:
        """What is to be said of a move, made into findings by `make`."""
        after = position.after(move)
        own = self._short_win(position)
        if after.winner is position.turn:
            return
        if own.exists:
            kept = self._keeps_a_win(position, move, after)
            if kept:
                return
            if kept is None:
                yield make(Verdict.UNKNOWN, detail="whether the move keeps the win")
            else:
                yield make(Verdict.MISSED, win=own.line, attacker_moves=own.attacker_moves)
        elif own.exists is None:
            yield make(Verdict.UNKNOWN, detail="whether there was a win")
        if after.is_over:
            return
        theirs = self._short_win(after)
        if theirs.exists:
            yield from self._judge_defence(
                position, partial(make, win=theirs.line, attacker_moves=theirs.attacker_moves)
            )
        elif theirs.exists is None:
            yield make(Verdict.UNKNOWN, detail="whether the opponent has a win")

    def _short_win(self, position: Position) -> _ShortWin:
        if self._last is None or self._last[0] != position:  # after one move is before the next
            self._last = position, self._solve(position)
        return self._last[1]

    def _solve(self, position: Position) -> _ShortWin:
        solution = solve(position, depth=self._length, nodes=self._nodes, control=self._control)
        if solution.result == "win":
            return _ShortWin(True, tuple(solution.line), solution.depth)
        # Up to that depth nothing was left out, unless the board ends only where the search does.
        reached = solution.depth >= self._length and not position.game.is_infinite
        return _ShortWin(False if solution.result == "none" or reached else None)

    def _keeps_a_win(self, position: Position, move: Move, after: Position) -> bool | None:
        """Whether every reply to a move loses; None if that is not known."""
        if not move.is_pass and solve(position, first=move, nodes=self._nodes, control=self._control).result == "win":
            return True
        if after.is_over or self._short_win(after).exists:
            return False
        holds = False

        def is_enough(_move: Move, status: str) -> bool:
            nonlocal holds
            holds = holds or status == "open"
            return holds

        defence = self._defend(after, is_enough)
        if holds or defence.wins_at_once:
            return False
        return True if defence.result == "loss" else None

    def _judge_defence(self, position: Position, make: Callable[..., Finding]) -> Iterator[Finding]:
        """Whether the opponent's win could have been met."""
        better: list[Move] = []
        tries = 0

        def is_enough(move: Move, status: str) -> bool:
            nonlocal tries
            if status != "losing" and not better and tries < _TRIES:
                tries += 1
                if self._holds(position, move):
                    better.append(move)
            return bool(better)

        defence = self._defend(position, is_enough, order=1)
        if defence.wins_at_once:
            better.append(solve(position, depth=1).line[0])
        if better:
            yield make(Verdict.LEFT_OPEN, better=better[0])
        elif defence.result == "loss":
            yield make(Verdict.NO_DEFENCE)
        else:
            yield make(Verdict.UNKNOWN, detail="whether there was a defence")

    def _defend(self, position: Position, is_enough: Callable[[Move, str], bool], order: int = 2) -> Defence:
        """The verifier's answer, or what it had found when a whole move and its status were enough."""
        own = Control()  # that of the caller stops all questions, not only this one

        def hear(move: Move, passes: int, status: str, _decided: int, _waiting: int) -> None:
            if passes == 0 and is_enough(move, status):
                own.stop()

        def look(_nodes: int, _depth: int) -> None:
            if self._control.stopped:
                own.stop()

        nodes = self._nodes * _VERIFIER_SHARE
        return defend(position, order=order, nodes=nodes, tell=hear, progress=look, control=own)

    def _holds(self, position: Position, move: Move) -> bool:
        """Whether the opponent surely has no short win after a move."""
        after = position.after(move)
        return after.is_over or self._solve(after).exists is False
