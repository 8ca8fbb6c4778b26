"""Botzone's protocol: one JSON object tells the whole game, one answers."""

from __future__ import annotations

import json
from typing import Any

from tengen.game import Game, Move, Position, TengenError
from tengen.play.agent import Agent, Budget
from tengen.play.external.botzone import BOTZONE_GAME, KEEP_RUNNING
from tengen.play.external.notation import board_sides, from_numbers, to_numbers
from tengen.protocol.speaker import whole_turn

MAX_TURNS = 4000


class BotzoneSpeaker:
    """Answers one question, or with `keep_running` all that come; only the first then tells the whole game."""

    def __init__(self, agent: Agent, budget: Budget, game: Game = BOTZONE_GAME, keep_running: bool = False) -> None:
        """Begins with an empty board.

        Raises:
            TengenError: if the board is infinite, or a turn has more than two stones.
        """
        board_sides(game, 1 << 20)
        if max(game.p, game.q) > 2:
            raise TengenError(f"{game}: this protocol has room for two stones in a move")
        self.agent, self.budget, self.game, self.keep_running = agent, budget, game, keep_running
        self.position = Position(game)
        self.finished = False

    def answer(self, line: str) -> str:
        """The move; a question that makes no sense is answered with none, and the reason for the log."""
        if not line.strip():
            return ""
        try:
            position = self._position(_read(line))
            move = whole_turn(self.agent, position, self.budget)
            position.play(move)
            self.position = position
            response: dict[str, Any] = {"response": to_numbers(move, self.game)}
        except TengenError as error:
            response = {"response": to_numbers(None, self.game), "debug": str(error)[:1000]}
        self.finished = not self.keep_running
        text = json.dumps(response)
        return f"{text}\n{KEEP_RUNNING}" if self.keep_running else text

    def _position(self, question: dict[str, Any]) -> Position:
        if "requests" not in question:
            position = self.position.copy()
            position.play(self._request(question.get("request", question)))
            return position
        requests, responses = (question.get(name, []) for name in ("requests", "responses"))
        if not (isinstance(requests, list) and isinstance(responses, list) and len(requests) == len(responses) + 1):
            raise TengenError("there must be one request more than there are responses")
        if len(requests) > MAX_TURNS:
            raise TengenError(f"a game has at most {MAX_TURNS} requests")
        numbers = [requests[0]]
        for response, request in zip(responses, requests[1:], strict=True):
            numbers += [response, request]
        moves = [from_numbers(entry, self.game) for entry in numbers]
        return Position(self.game, [_stones(move) for move in (moves[1:] if moves[0] is None else moves)])

    def _request(self, numbers: object) -> Move:
        return _stones(from_numbers(numbers, self.game))


def _stones(move: Move | None) -> Move:
    if move is None:
        raise TengenError("only the first request may have no stone")
    return move


def _read(line: str) -> dict[str, Any]:
    try:
        question = json.loads(line)
    except (ValueError, RecursionError) as error:
        raise TengenError(f"this is no JSON: {error}") from None
    if not isinstance(question, dict):
        raise TengenError("a question is a JSON object")
    return question
