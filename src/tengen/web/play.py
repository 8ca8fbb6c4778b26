"""A game on a document: people and programs, clocks, taking back."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable
from itertools import count
from typing import Any

from tengen.game import BLACK, WHITE, Colour, Move, Position, TengenError
from tengen.play import Agent, Budget, Choice, Engine, make_agent
from tengen.play.clock import Clock, TimeControl
from tengen.solve import Control
from tengen.web.document import Document, Told
from tengen.web.tasks import Tasks, Tell

PERSON = "person"
_serials = count(1)
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

    Raises:
        TengenError: if a player is no agent, or the game is over already.
    """

    def __init__(
        self,
        document: Document,
        node: int,
        players: tuple[str, str],
        control: TimeControl,
        tasks: Tasks,
        tell: Callable[[PlayedGame], object],
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
            colour: make_agent(players[colour]) for colour in (BLACK, WHITE) if players[colour] != PERSON
        }
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

    def move(self, move: Move) -> Told:
        """A person's move.

        Raises:
            TengenError: if it is not his turn, or the move is illegal.
        """
        with self._lock:
            turn = self._player_to_move()
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
                agent.close()

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

            def think(control: Control, tell: Tell) -> dict[str, Any]:
                try:
                    choice = _ask(agent, position, budget, control, tell)
                    self._program_moves(number, turn, choice)
                except TengenError as error:
                    self._program_fails(number, str(error))
                    raise
                return {"move": str(choice.move), "win": choice.win}

            options = {"player": self.players[turn]}
            self._task = self._tasks.add("move", self.document.id, self.node, str(position), think, options).id
        elif (deadline := clock.deadline()) is not None:
            self._timer = threading.Timer(max(0.0, deadline - thought), self._time_is_up, [self._turns])
            self._timer.daemon = True
            self._timer.start()

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
        self.document.inform({"RE": result})
        self._tell(self)

    def _stop_thinking(self) -> None:
        self._turns += 1
        if self._timer is not None:
            self._timer.cancel()
            self._timer = None
        if self._task is not None:
            self._tasks.stop(self._task)
            self._task = None


def _ask(agent: Agent, position: Position, budget: Budget, control: Control, tell: Tell) -> Choice:
    if not isinstance(agent, Engine):
        return agent.choose(position, budget)
    return agent.choose(
        position,
        budget,
        control=control,
        report=lambda found: tell(lambda: {"move": str(found[0].move), "win": found[0].win} if found else {}),
    )
