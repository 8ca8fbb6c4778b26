"""Another program as an agent: what all protocols have in common."""

from __future__ import annotations

import threading
import time
from abc import ABC, abstractmethod
from dataclasses import dataclass

from tengen import _native
from tengen.game import CONNECT6, Game, Move, Position, TengenError, Turn
from tengen.play.agent import Budget, Choice, check_goes_on
from tengen.play.external.errors import EngineFailure, IllegalAnswer
from tengen.play.external.notation import as_turns
from tengen.play.external.process import Command, EngineProcess

GRACE_SECONDS = 1.0
"""What a program may take beyond its budget before it is ended: pipes and a busy machine need time too."""
PATIENCE_SECONDS = 600.0
"""The longest that anybody waits for a move when no limit is given."""
STARTUP_SECONDS = 60.0


@dataclass(frozen=True)
class Options:
    """What can be said about a program beside how to start it."""

    name: str | None = None
    """What tables and records call it; by default the name of its file."""
    game: Game | None = None
    """The game that it plays, if not the one that its protocol is for."""
    seconds: float | None = None
    """It is ended if it takes longer for a move, whatever its budget."""
    startup: float = STARTUP_SECONDS
    """It is ended if it takes longer to come up."""
    depth: int | None = None
    """How deep it is to search, where the protocol can say so and the budget does not."""
    vcf: bool = True
    """Whether it may use its threat-space search, where the protocol can say so."""


class ExternalEngine(ABC):
    """Another program, started when it is first asked and kept running, that is told what has happened since.

    A failure ends it, with all processes that it has started; asked again, it is started again. Threads that ask it at
    the same time take turns.
    """

    default_game: Game | None = CONNECT6
    """The game that the protocol is for; None if it can carry any."""
    farewell: str | None = "quit"
    """What asks it to end."""

    def __init__(self, command: Command, options: Options | None = None) -> None:
        self.command = command
        self.options = options or Options()
        self._process: EngineProcess | None = None
        self._told: list[Turn] | None = None
        """The game as the program knows it."""
        self._deadline = 0.0
        self._control: _native.Control | None = None
        self._lock = threading.Lock()

    @property
    def name(self) -> str:
        """What tables and records call it."""
        return self.options.name or self.command.program.replace("\\", "/").rpartition("/")[2]

    def prepare(self, position: Position) -> None:
        """Starts the program, unless it runs, so that this costs no time of its first move.

        Raises:
            TengenError: if it cannot be asked about this game or position.
            EngineFailure: if it does not come up.
        """
        self._check(position)
        self._check_start(self._turns(position))
        with self._lock:
            if self._process is None:
                try:
                    self._start()
                except EngineFailure:
                    self._abandon()
                    raise

    def choose(self, position: Position, budget: Budget, *, control: _native.Control | None = None) -> Choice:
        """The program's move.

        Args:
            position: where to move.
            budget: what it may cost.
            control: lets another thread stop it, which ends the program.

        Raises:
            TengenError: if the game is over, or the program cannot be asked about this game or position.
            EngineFailure: if it gives no legal move in time, or is stopped.
        """
        self._check(position)
        turns = self._turns(position)
        limit = self._limit(budget)
        with self._lock:
            self._control = control
            try:
                if self._process is None:
                    self._start()
                self._deadline = time.monotonic() + limit
                move = self._ask(position, turns, budget)
                self._judge(position, move)
            except EngineFailure:
                self._abandon()
                raise
            finally:
                self._control = None
            self._told = [*turns, Turn(position.turn, move)]
            return self._choice(move)

    def close(self) -> None:
        """Ends the program: with a farewell, then by force. Who asks it at the moment is waited for."""
        with self._lock:
            if self._process is not None:
                self._process.end(self.farewell)
            self._process = self._told = None

    @abstractmethod
    def _ask(self, position: Position, turns: list[Turn], budget: Budget) -> Move:
        """Tells the program what it does not know yet, and waits for its move."""

    def _choice(self, move: Move) -> Choice:
        """The move that it has just answered, with what it thinks of it, if that is known."""
        return Choice(move)

    def _greet(self) -> None:  # noqa: B027 - not every protocol has a way to find out
        """Waits until the program has come up."""

    def _check_start(self, turns: list[Turn]) -> None:  # noqa: B027 - most can be told any position
        """Refuses a game that begins with these turns, if the program cannot be told of them."""

    def _turns(self, position: Position) -> list[Turn]:
        """The game up to here, as the program can be told."""
        return as_turns(position)

    def _plays(self, game: Game) -> bool:
        return game == (self.options.game or self.default_game or game)

    # What the protocols use

    @property
    def _engine(self) -> EngineProcess:
        assert self._process is not None
        return self._process

    def _send(self, line: str) -> None:
        self._engine.send(line)

    def _read(self) -> str:
        return self._engine.read(self._deadline, self._control)

    def _start(self) -> None:
        self._told = None
        self._process = EngineProcess(self.command, self.name)
        self._deadline = time.monotonic() + self.options.startup
        self._greet()

    def _abandon(self) -> None:
        if self._process is not None:
            self._process.kill()
        self._process = self._told = None

    def _news(self, turns: list[Turn]) -> list[Turn] | None:
        """The turns that the program has not been told of; None if it knows another game."""
        known = self._told
        return turns[len(known) :] if known is not None and turns[: len(known)] == known else None

    # Inside

    def _check(self, position: Position) -> None:
        check_goes_on(position)
        if not self._plays(position.game):
            raise TengenError(f"{self.name} plays {self.options.game or self.default_game}, not {position.game}")

    def _limit(self, budget: Budget) -> float:
        limits = [limit + GRACE_SECONDS for limit in (budget.seconds, budget.remaining) if limit is not None]
        return min([self.options.seconds or PATIENCE_SECONDS, *limits])

    def _judge(self, position: Position, move: Move) -> None:
        after = position.copy()
        try:
            after.play(move)
        except TengenError as error:
            raise IllegalAnswer(f"{self.name} answered with an illegal move: {error}") from error
        if not after.is_over and after.turn is position.turn:
            raise IllegalAnswer(f"{self.name} answered with {move}, which leaves stones to place")
