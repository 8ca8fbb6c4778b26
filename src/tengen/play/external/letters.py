"""Programs that speak of moves in letter pairs: Cloudict and its relatives, and those for the SAU contest platform."""

from __future__ import annotations

import re

from tengen.game import Game, Move, NotationError, Position, TengenError, Turn
from tengen.play.agent import Budget
from tengen.play.external.engine import ExternalEngine
from tengen.play.external.errors import NonsenseAnswer
from tengen.play.external.notation import NO_STONE, from_letters, to_letters

_MOVE = re.compile(r"\s*move\s+(\S+)\s*", re.IGNORECASE)
_NAME = re.compile(r"\s*name\s+\S.*", re.IGNORECASE)
_REFUSAL = re.compile(r"error\b.*")
"""In small letters: Cloudict begins a harmless remark about its log file with a capital one."""


_FROM_THE_BEGINNING = "can only follow a game from its beginning: its protocol sets nothing up"


class _LetterEngine(ExternalEngine):
    """What both have in common: every line that is no move is talk."""

    question_of_name: str
    from_top: bool

    def _greet(self) -> None:
        self._send(self.question_of_name)
        while not _NAME.fullmatch(self._read()):
            pass

    def _tell(self, word: str, move: Move, game: Game) -> None:
        self._send(f"{word} {to_letters(move, game, self.from_top)}")

    def _await_move(self, game: Game) -> Move:
        while not (match := _MOVE.fullmatch(line := self._read())):
            if _REFUSAL.fullmatch(line):
                raise NonsenseAnswer(f"{self.name} refused a correct move: {line[:200]}")
        try:
            return from_letters(match[1], game, self.from_top)
        except NotationError as error:
            raise NonsenseAnswer(f"{self.name} answered nonsense: {error}") from error


class CloudictEngine(_LetterEngine):
    """A program that speaks Cloudict's protocol."""

    question_of_name = "name"
    from_top = False

    def _ask(self, position: Position, turns: list[Turn], budget: Budget) -> Move:
        game = position.game
        self._engine.forget_output()
        if not self.options.vcf:
            self._send("unvcf")
        if depth := budget.depth or self.options.depth:
            self._send(f"depth {depth}")
        news = self._news(turns)
        if not turns:
            self._send("new black")
        elif news is not None and len(news) == 1:
            self._tell("move", news[0].move, game)
        else:
            self._send("new white")  # the one that only clears the board
            for colour, move in turns:
                self._tell(str(colour), move, game)
            self._send("next")
        return self._await_move(game)


class SauEngine(_LetterEngine):
    """A program made for the SAU contest platform. It can only follow a game from its beginning."""

    question_of_name = "name?"
    from_top = True

    def _check_start(self, turns: list[Turn]) -> None:
        if turns:
            raise TengenError(f"{self.name} {_FROM_THE_BEGINNING}")

    def _ask(self, position: Position, turns: list[Turn], budget: Budget) -> Move:
        self._engine.forget_output()
        news = self._news(turns)
        if not turns:
            self._send("new black")
        elif len(turns) == 1:
            self._send("new white")
            self._tell("move", turns[0].move, position.game)
        elif news is not None and len(news) == 1:
            self._tell("move", news[0].move, position.game)
        else:
            raise TengenError(f"{self.name} {_FROM_THE_BEGINNING}")
        return self._await_move(position.game)

    def _tell(self, word: str, move: Move, game: Game) -> None:
        self._send(f"{word} {padded(to_letters(move, game, self.from_top), game)}")


def padded(letters: str, game: Game) -> str:
    """A move's letters, filled up to as many stones as a turn has."""
    return letters + NO_STONE * (game.p - len(letters) // 2)
