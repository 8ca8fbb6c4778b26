"""Programs that speak GTP, one stone at a time."""

from __future__ import annotations

import math
import re

from tengen.game import CONNECT6, Game, Move, NotationError, Position, Square, TengenError, Turn
from tengen.play.agent import Budget
from tengen.play.external.engine import ExternalEngine
from tengen.play.external.errors import EngineResigned, NonsenseAnswer
from tengen.play.external.notation import from_vertex, to_vertex

_ANSWER = re.compile(r"([=?])\d*\s*(.*)")
MAX_REPLY_LENGTH = 1 << 20
"""Characters of the reply to one command."""


class GtpEngine(ExternalEngine):
    """A program that speaks GTP. Unless told otherwise it is taken to play Connect6 on square boards of any size."""

    default_game = None
    _size: int | None = None
    _clock: str | None = None

    def _plays(self, game: Game) -> bool:
        if self.options.game is not None:
            return game == self.options.game
        return game == Game(game.m, game.m, CONNECT6.k, CONNECT6.p, CONNECT6.q)

    def _greet(self) -> None:
        self._command("protocol_version")
        self._size = self._clock = None

    def _ask(self, position: Position, turns: list[Turn], budget: Budget) -> Move:
        news = self._news(turns)
        if news is None or self._size != position.game.m:
            self._command(f"boardsize {position.game.m}")
            self._command("clear_board")
            self._size, news = position.game.m, turns
        for colour, move in news:
            for square in move:
                self._command(f"play {colour} {to_vertex(square)}")
        self._set_clock(position, budget)
        trial, stones = position.copy(), list[Square]()
        while len(stones) < position.stones_left and not trial.is_over:
            stones.append(self._genmove(position))
            try:
                trial.play(stones[-1])
            except TengenError:
                break  # the judge will say what is wrong with it
        return _move(stones, self.name)

    def _genmove(self, position: Position) -> Square:
        vertex = self._command(f"genmove {position.turn}").partition("\n")[0]
        if vertex.lower() == "resign":
            raise EngineResigned(f"{self.name} resigned")
        try:
            return from_vertex(vertex, position.game)
        except NotationError as error:
            raise NonsenseAnswer(f"{self.name} answered nonsense: {error}") from error

    def _set_clock(self, position: Position, budget: Budget) -> None:
        """Tells the time for the turn, or what is left for the game; a program without a clock may refuse to hear it.

        The protocol knows whole seconds only: half a second for two stones is a second for four.
        """
        if budget.seconds is not None:
            seconds, stones = int(budget.seconds), position.stones_left
            period = (seconds, stones) if seconds else (1, math.ceil(stones / max(budget.seconds, 0.001)))
            clock = "time_settings 0 {} {}".format(*period)
            if clock != self._clock:
                self._command(clock, may_refuse=True)
                self._clock = clock
        elif budget.remaining is not None:
            self._command(f"time_left {position.turn} {max(1, int(budget.remaining))} 0", may_refuse=True)

    def _command(self, command: str, may_refuse: bool = False) -> str:
        """Send a command and return the reply."""
        self._engine.forget_output()
        self._send(command)
        while not (match := _ANSWER.fullmatch(self._read())):
            pass  # talk
        answer = [match[2].strip()]
        length = len(answer[0])
        while line := self._read().strip():
            length += len(line)
            if length > MAX_REPLY_LENGTH:
                raise NonsenseAnswer(f"{self.name} answered '{command}' with more than {MAX_REPLY_LENGTH:,} characters")
            answer.append(line)
        if match[1] == "?" and not may_refuse:
            raise NonsenseAnswer(f"{self.name} refused '{command}': {' '.join(answer)[:200]}")
        return "\n".join(answer)


def _move(stones: list[Square], name: str) -> Move:
    try:
        return Move(stones)
    except NotationError as error:
        raise NonsenseAnswer(f"{name} answered nonsense: {error}") from error
