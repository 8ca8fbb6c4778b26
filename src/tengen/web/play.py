"""A game on a document: people and programs, clocks, taking back."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable, Collection, Iterator, Sequence
from contextlib import contextmanager
from datetime import date
from itertools import count
from typing import Any

from tengen.game import BLACK, WHITE, Colour, Move, Position, TengenError
from tengen.play import Agent, Choice, make_agent
from tengen.play.agent import ask, dismiss
from tengen.play.clock import Clock, TimeControl
from tengen.protocol.analysis.questions import sayable
from tengen.solve import Control
from tengen.web.document import Document, Told
from tengen.web.tasks import Tasks, Tell

PERSON = "person"
_serials = count(1)
_LOOK_SECONDS = 0.1
_TOLERANCE = 1.0
"""Seconds that a person is granted for the way between his hand and the clock."""


class PlayedGame:
    """A game that is played once it is begun. Safe to use from several threads.

    Args:
        document: where the moves go.
        node: after which it begins.
        players: `person`, or an agent, of Black and White.
        control: how long they may think.
        tasks: where programs think.
        tell: called when anything has changed.
        programs: those of others that may play.

    Raises:
        TengenError: if a player is no agent or a program that may not play, or the game is over already.
    """

    def __init__(
        self,
        document: Document,
        node: int,
        players: tuple[str, str],
        control: TimeControl,
        tasks: Tasks,
        tell: Callable[[PlayedGame], object],
        programs: Collection[str],
    ) -> None:
        self.document, self.node, self.players, self.control = document, node, players, control
        self.result: str | None = None
        """Who has won and why, once it is over."""
        self.is_paused = False
        self.problem: str | None = None
        """Why a program has not moved."""
        self._tasks, self._tell = tasks, tell
        self._lock = threading.RLock()
        self._clocks = {colour: Clock(control, _TOLERANCE) for colour in (BLACK, WHITE)}
        self._task: int | None = None
        self._turns = 0
        """How often somebody began to think; who answers a question of before is not heard."""
        self._thought = 0.0
        """How long the player to move had thought when the game was paused."""
        self._timer: threading.Timer | None = None
        position = document.position(node)
        if position.is_over:
            raise TengenError("the game is over here")
        self._agents: dict[Colour, Agent] = {
            colour: make_agent(players[colour], programs=programs)
            for colour in (BLACK, WHITE)
            if players[colour] != PERSON
        }
        self._asking = {colour: threading.Lock() for colour in self._agents}
        known = document.record.root.properties
        self._is_of_record = not any(name in known for name in ("PB", "PW", "RE"))
        """Whether the record is this game's; one that tells of another game has this one as a variation."""
        self._turn = position.turn
        self._since = time.monotonic()

    def begin(self) -> None:
        """Lets the clock run, and the player to move think."""
        with self._lock:
            self._begin_turn(self.document.position(self.node))

    def as_json(self) -> dict[str, Any]:
        """What windows are told."""
        with self._lock:
            return {
                "serial": next(_serials),
                "document": self.document.id,
                "node": self.node,
                "players": {str(colour): self.players[colour] for colour in (BLACK, WHITE)},
                "control": str(self.control),
                "left": {str(colour): clock.left for colour, clock in self._clocks.items()},
                "turn": str(self._turn),
                "thought": round(self._thinking_time(), 3) if self.result is None else 0.0,
                "result": self.result,
                "paused": self.is_paused,
                "problem": self.problem,
            }

    def move(self, move: Move, node: int | None = None) -> Told:
        """A person's move.

        Args:
            move: the move.
            node: where he makes it, if he says so.

        Raises:
            TengenError: if it is not his turn, the game is elsewhere by now, or the move is illegal.
        """
        with self._lock:
            turn = self._player_to_move()
            if node is not None and node != self.node:
                raise TengenError("the game is at another move by now")
            if self.players[turn] != PERSON:
                raise TengenError(f"it is the turn of {self.players[turn]}")
            self.resume()
            return self._play(turn, move)

    def pause(self) -> None:
        """Stops the clock and whoever thinks; nothing happens if the game is over."""
        with self._lock:
            if self.result is None and not self.is_paused:
                self._thought = self._thinking_time()
                self._stop_thinking()
                self.is_paused = True
                self._tell(self)

    def resume(self) -> None:
        """Goes on after a pause."""
        with self._lock:
            if self.result is None and self.is_paused:
                self._begin_turn(self.document.position(self.node), self._thought)
                self._tell(self)

    def runs(self, task: int) -> bool:
        """Whether this task thinks about a move of this game."""
        return self._task == task

    @property
    def awaits_program(self) -> bool:
        """Whether it is a program that thinks."""
        with self._lock:
            return self._task is not None

    def take_back(self) -> None:
        """Goes back to before the last move of a person; what was played stays in the record as a variation.

        Raises:
            TengenError: if no person has moved yet.
        """
        with self._lock, self.document.lock:
            at = self.document.tree.node(self.node)
            while at.parent is not None:
                colour, at = at.colour, at.parent
                if colour is not None and self.players[colour] == PERSON:
                    self._stop_thinking()
                    self.node, self.result = self.document.tree.number(at), None
                    self._begin_turn(self.document.position(self.node))
                    self._tell(self)
                    return
        raise TengenError("there is no move of a person to take back")

    def resign(self) -> None:
        """The person who is to move gives up; if it is a program's turn, the other side does."""
        with self._lock:
            turn = self._player_to_move()
            loser = turn if self.players[turn] == PERSON else turn.opponent
            self._end(f"{loser.opponent.letter}+Resign")

    def close(self) -> None:
        """Ends it without a result; if it has one, that is in the record."""
        with self._lock:
            self._stop_thinking()
            self.result = "Void"
            for agent in self._agents.values():
                dismiss(agent)

    def _player_to_move(self) -> Colour:
        if self.result is not None:
            raise TengenError("the game is over")
        return self._turn

    def _thinking_time(self) -> float:
        return self._thought if self.is_paused else time.monotonic() - self._since

    def _begin_turn(self, position: Position, thought: float = 0.0) -> None:
        self.is_paused, self.problem = False, None
        self._since = time.monotonic() - thought
        self._turns += 1
        turn = self._turn = position.turn
        agent = self._agents.get(turn)
        clock = self._clocks[turn]
        if agent is not None:
            number, budget = self._turns, clock.budget()

            def said(choice: Choice) -> dict[str, Any]:
                return sayable(agent, {"move": str(choice.move), "win": choice.win})

            def best(found: Sequence[Choice]) -> Callable[[], dict[str, Any]]:
                return lambda: said(found[0]) if found else {}

            def think(control: Control, tell: Tell) -> dict[str, Any]:
                try:
                    with self._alone_with(turn, control):
                        choice = ask(agent, position, budget, control=control, report=lambda found: tell(best(found)))
                    answer = said(choice)
                    self._program_moves(number, turn, choice)
                except TengenError as error:
                    self._program_fails(number, str(error))
                    raise
                return answer

            options = {"player": self.players[turn]}
            self._task = self._tasks.add("move", self.document.id, self.node, str(position), think, options).id
        elif (deadline := clock.deadline()) is not None:
            self._timer = threading.Timer(max(0.0, deadline - thought), self._time_is_up, [self._turns])
            self._timer.daemon = True
            self._timer.start()

    @contextmanager
    def _alone_with(self, turn: Colour, control: Control) -> Iterator[None]:
        """While nobody else asks the agent: one that cannot be stopped may still think about a question of before.

        Raises:
            TengenError: if it is stopped before its turn comes.
        """
        asking = self._asking[turn]
        while not asking.acquire(timeout=_LOOK_SECONDS):
            if control.stopped:
                raise TengenError("the move is not wanted any more")
        try:
            yield
        finally:
            asking.release()

    def _program_moves(self, number: int, turn: Colour, choice: Choice) -> None:
        with self._lock:
            if self.result is None and self._turns == number:
                self._task = None
                self._play(turn, choice.move)

    def _program_fails(self, number: int, reason: str) -> None:
        with self._lock:
            if self._turns == number:
                self.problem = reason
                self.pause()

    def _play(self, turn: Colour, move: Move) -> Told:
        seconds = time.monotonic() - self._since
        told = self.document.play(self.node, [move])
        self._stop_thinking()
        self.node = told.node
        position = self.document.position(self.node)
        if self._clocks[turn].spend(seconds) is not None:
            self._end(f"{turn.opponent.letter}+Time")
        elif position.is_over:
            self._end("0" if position.winner is None else f"{position.winner.letter}+")
        else:
            self._begin_turn(position)
            self._tell(self)
        return told

    def _time_is_up(self, number: int) -> None:
        with self._lock:
            if self.result is None and self._turns == number:
                self._end(f"{self._turn.opponent.letter}+Time")

    def _end(self, result: str) -> None:
        self._stop_thinking()
        self.result = result
        try:
            if self._is_of_record:
                names = {f"P{colour.letter}": agent.name for colour, agent in self._agents.items()}
                self.document.inform({**names, "DT": date.today().isoformat(), "RE": result})
                self.document.promote(self.node, to_main=True)  # before what was taken back
        finally:  # the game is over, also where that cannot be kept
            self._tell(self)

    def _stop_thinking(self) -> None:
        self._turns += 1
        if self._timer is not None:
            self._timer.cancel()
            self._timer = None
        if self._task is not None:
            self._tasks.stop(self._task)
            self._task = None
