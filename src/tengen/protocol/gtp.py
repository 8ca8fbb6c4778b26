"""GTP, version 2, one stone for every `play` and `genmove`."""

from __future__ import annotations

import math
import re
import time
from collections.abc import Callable
from dataclasses import replace

from tengen import __version__
from tengen.game import CONNECT6, Colour, Game, GameError, Position, Square, TengenError
from tengen.play.agent import Agent, Budget
from tengen.play.external.notation import MAX_GTP_SIDE, board_sides, from_vertex, to_vertex
from tengen.protocol.board import board_text
from tengen.protocol.speaker import one_line, whole_turn

_CONTROL = re.compile(r"[\x00-\x08\x0b-\x1f\x7f]")
_COMMAND = re.compile(r"(?P<id>\d{1,9}(?=\s|$))?\s*(?P<name>\S*)\s*(?P<rest>.*)")


class GtpSpeaker:
    """Speaks GTP. A turn is planned as a whole at its first `genmove`; those that follow tell the rest of the plan."""

    def __init__(self, agent: Agent, budget: Budget, game: Game = CONNECT6) -> None:
        """Begins with an empty board.

        Raises:
            TengenError: if the board is too large for GTP.
        """
        board_sides(game, MAX_GTP_SIDE)
        self.agent, self.budget = agent, budget
        self.position = Position(game)
        self.finished = False
        self._plan: list[Square] = []
        self._per_stone: float | None = None
        self._main_time: float | None = None
        self._left: dict[Colour, float] = {}
        self._commands: dict[str, Callable[[list[str]], str]] = {
            "protocol_version": lambda words: "2",
            "name": lambda words: f"Tengen {self.agent.name}",
            "version": lambda words: __version__,
            "known_command": lambda words: str(_one(words) in self._commands).lower(),
            "list_commands": lambda words: "\n".join(self._commands),
            "boardsize": self._boardsize,
            "clear_board": lambda words: self._begin(self.position.game),
            "komi": self._komi,
            "play": self._play,
            "genmove": self._genmove,
            "undo": self._undo,
            "showboard": lambda words: self._showboard(),
            "time_settings": self._time_settings,
            "time_left": self._time_left,
            "final_score": lambda words: self._final_score(),
            "quit": self._quit,
        }

    def answer(self, line: str) -> str:
        """The answer, with the empty line that ends it; nothing for an empty line or a comment."""
        text = _CONTROL.sub("", line).replace("\t", " ").partition("#")[0].strip()
        match = _COMMAND.fullmatch(text)
        if not text or match is None:
            return ""
        number, words = match["id"] or "", match["rest"].split()
        command = self._commands.get(match["name"])
        try:
            if command is None:
                raise TengenError("unknown command")
            said = command(words)
            gap = " " if said and not said.startswith("\n") else ""
            return f"={number}{gap}{said}\n"
        except TengenError as error:
            return f"?{number} {one_line(error)}\n"

    def _begin(self, game: Game) -> str:
        self.position = Position(game)
        self._plan = []
        self._left = {}
        return ""

    def _boardsize(self, words: list[str]) -> str:
        size, game = _whole(_one(words)), self.position.game
        if size > MAX_GTP_SIDE:
            raise TengenError("unacceptable size")
        try:
            return self._begin(replace(game, m=size, n=size))
        except GameError:
            raise TengenError("unacceptable size") from None

    def _komi(self, words: list[str]) -> str:
        _number(_one(words))
        return ""

    def _play(self, words: list[str]) -> str:
        colour, square = self._colour(words, 2), from_vertex(words[1], self.position.game)
        self._check_turn(colour)
        try:
            self.position.play(square)
        except TengenError:
            raise TengenError("illegal move") from None
        self._plan = []
        return ""

    def _genmove(self, words: list[str]) -> str:
        self._check_turn(self._colour(words, 1))
        if not self._plan:
            start, colour = time.monotonic(), self.position.turn
            self._plan = list(whole_turn(self.agent, self.position, self._allowance()))
            self._spend(colour, time.monotonic() - start)
        square = self._plan.pop(0)
        self.position.play(square)
        return to_vertex(square)

    def _undo(self, words: list[str]) -> str:
        if not self.position.steps:
            raise TengenError("cannot undo")
        self.position.undo()
        self._plan = []
        return ""

    def _showboard(self) -> str:
        width, height = board_sides(self.position.game, MAX_GTP_SIDE)
        columns = [to_vertex(Square(x, 0))[0] for x in range(width)]
        return "\n" + board_text(self.position, columns, [str(y + 1) for y in range(height)])

    def _final_score(self) -> str:
        if not self.position.is_over:
            raise TengenError("cannot score: the game is not over")
        winner = self.position.winner
        return "0" if winner is None else f"{winner.letter}+1"

    def _quit(self, _words: list[str]) -> str:
        self.finished = True
        return ""

    # Time

    def _time_settings(self, words: list[str]) -> str:
        if len(words) != 3:
            raise TengenError("syntax error: main time, byo-yomi time and byo-yomi stones are needed")
        main, extra, stones = (_number(word) for word in words)
        self._left = {}
        # By the standard, byo-yomi time without byo-yomi stones means no limit at all.
        self._main_time = main if main > 0 and not (extra > 0 and stones == 0) else None
        self._per_stone = extra / stones if extra > 0 and stones > 0 else None
        return ""

    def _time_left(self, words: list[str]) -> str:
        colour = self._colour(words, 3)
        seconds, stones = _number(words[1]), _number(words[2])
        if stones:
            self._left.pop(colour, None)
            self._per_stone, self._main_time = seconds / stones, None
        else:
            self._left[colour] = seconds
        return ""

    def _allowance(self) -> Budget:
        """What the turn to come may cost: what is left on the clock, or else so much for each stone of it."""
        left = self._left.get(self.position.turn, self._main_time)
        if left is not None and left > 0:
            return replace(self.budget, seconds=None, remaining=left)
        if self._per_stone is not None:
            return replace(self.budget, seconds=self._per_stone * self.position.stones_left)
        return self.budget

    def _spend(self, colour: Colour, seconds: float) -> None:
        """Keeps the clock of a player whom nobody tells what he has left."""
        left = self._left.get(colour, self._main_time)
        if left is not None:
            self._left[colour] = max(left - seconds, 0.0)

    # Reading arguments

    def _colour(self, words: list[str], count: int) -> Colour:
        if len(words) != count:
            raise TengenError("syntax error: wrong number of arguments")
        return Colour.parse(words[0])

    def _check_turn(self, colour: Colour) -> None:
        if colour is not self.position.turn:
            raise TengenError(f"illegal move: it is the turn of {self.position.turn}")


def _one(words: list[str]) -> str:
    if len(words) != 1:
        raise TengenError("syntax error: one argument is needed")
    return words[0]


def _whole(text: str) -> int:
    if not (text.isascii() and text.isdecimal() and len(text) < 10):
        raise TengenError("syntax error: a whole number is needed")
    return int(text)


def _number(text: str) -> float:
    try:
        number = float(text)
    except ValueError:
        number = math.nan
    if not math.isfinite(number):
        raise TengenError("syntax error: a number is needed")
    return number
