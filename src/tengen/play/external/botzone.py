"""Programs written for Botzone: one JSON object in, one out, in a new process for every move or in one that stays."""

from __future__ import annotations

import json
import time
from typing import Any

from tengen.game import Game, Move, NotationError, Position, Turn
from tengen.play.agent import Budget
from tengen.play.external.engine import ExternalEngine
from tengen.play.external.errors import EngineTimeout, NonsenseAnswer
from tengen.play.external.notation import from_numbers, to_numbers
from tengen.play.external.process import FAREWELL_SECONDS

BOTZONE_GAME = Game(15, 15, 6, 2, 1)
KEEP_RUNNING = ">>>BOTZONE_REQUEST_KEEP_RUNNING<<<"


class BotzoneEngine(ExternalEngine):
    """A program written for Botzone's ConnectSix. It is told the whole game every time, unless it asks to stay."""

    default_game = BOTZONE_GAME
    farewell = None

    def _ask(self, position: Position, turns: list[Turn], budget: Budget) -> Move:
        game = position.game
        moves = [turn.move for turn in turns]
        news = self._news(turns)
        if news is not None and len(news) == 1:
            question: Any = to_numbers(moves[-1], game)
        else:
            if self._told is not None:  # it stayed for another game
                self._abandon()
                limit = self._deadline
                self._start()
                self._deadline = limit
            own = len(moves) % 2
            requests = ([] if own else [None]) + moves[1 - own :: 2]
            question = {
                "requests": [to_numbers(move, game) for move in requests],
                "responses": [to_numbers(move, game) for move in moves[own::2]],
            }
        self._send(json.dumps(question, separators=(",", ":")))
        move = self._await_move(game)
        if not self._stays():
            self._abandon()
        return move

    def _await_move(self, game: Game) -> Move:
        while (response := _response(self._read())) is None:
            pass  # talk
        try:
            move = from_numbers(response["response"], game)
        except NotationError as error:
            raise NonsenseAnswer(f"{self.name} answered nonsense: {error}") from error
        if move is None:
            raise NonsenseAnswer(f"{self.name} answered with no stone")
        return move

    def _stays(self) -> bool:
        """Whether the program asked to be kept; one that neither asks nor ends is not kept either."""
        deadline = time.monotonic() + FAREWELL_SECONDS
        try:
            while (line := self._engine.read_or_end(deadline)) is not None:
                if line.strip() == KEEP_RUNNING:
                    return True
        except EngineTimeout:
            pass
        return False


def _response(line: str) -> dict[str, Any] | None:
    try:
        response = json.loads(line)
    except (ValueError, RecursionError):
        return None
    return response if isinstance(response, dict) and "response" in response else None
