"""Cloudict's text protocol and the SAU contest platform's, which both write moves in letter pairs."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable
from dataclasses import replace

from tengen.game import BLACK, CONNECT6, WHITE, Colour, Game, Move, Position, TengenError
from tengen.play.agent import Agent, Budget
from tengen.play.external.letters import padded
from tengen.play.external.notation import MAX_LETTERS_SIDE, board_sides, from_letters, to_letters
from tengen.protocol.board import board_text
from tengen.protocol.speaker import one_line, whole_turn

MAX_DEPTH = 99

HELP = """\
name          tell the name of the program
new black     begin a new game and make the first move
new white     begin a new game and wait for Black
move XXXX     the opponent's move, to be answered
black XXXX    place black stones
white XXXX    place white stones
next          move for the side whose turn it is
depth d       search that deep
vcf, unvcf    accepted, and left to the agent
print         show the board
help          print this
quit          end
A square is two letters, column and row, A being left and below; XX is one stone, XXXX two."""


class _LetterSpeaker(ABC):
    """What both have in common: a game that is begun, followed move by move, and answered."""

    from_top: bool

    def __init__(self, agent: Agent, budget: Budget, game: Game = CONNECT6) -> None:
        """Begins with an empty board.

        Raises:
            TengenError: if the board has more columns or rows than there are letters.
        """
        board_sides(game, MAX_LETTERS_SIDE)
        self.agent, self.budget, self.game = agent, budget, game
        self.position = Position(game)
        self.finished = False

    def answer(self, line: str) -> str:
        """What to print in answer to a command; a line that is none is met with a line that begins with `error`."""
        word, _, rest = line.strip().partition(" ")
        command = self._commands().get(word.lower())
        if command is None:
            return f"error unknown command: {word[:20]}" if word else ""
        try:
            return command(rest.strip())
        except TengenError as error:
            return f"error {one_line(error)}"

    @abstractmethod
    def _commands(self) -> dict[str, Callable[[str], str]]:
        """What it understands: for each word what answers the rest of the line."""

    def _name(self, _rest: str) -> str:
        return f"name Tengen {self.agent.name}"

    def _new(self, rest: str) -> str:
        colour = Colour.parse(rest)
        self.position = Position(self.game)
        return self._own_move() if colour is BLACK else ""

    def _move(self, rest: str) -> str:
        self._play(from_letters(rest, self.game, self.from_top))
        return "" if self.position.is_over else self._own_move()

    def _quit(self, _rest: str) -> str:
        self.finished = True
        return ""

    def _play(self, move: Move) -> None:
        """Plays a whole turn: a part of one is not taken, unless it wins."""
        after = self.position.after(move)
        if after.turn is self.position.turn and not after.is_over:
            raise TengenError(f"{self.position.turn} has {self.position.stones_left} stones to place, not {len(move)}")
        self.position = after

    def _own_move(self) -> str:
        move = whole_turn(self.agent, self.position, self.budget)
        self._play(move)
        return f"move {self._written(move)}"

    def _written(self, move: Move) -> str:
        return to_letters(move, self.game, self.from_top)


class CloudictSpeaker(_LetterSpeaker):
    """Speaks Cloudict's protocol."""

    from_top = False

    def _commands(self) -> dict[str, Callable[[str], str]]:
        return {
            "name": self._name,
            "new": self._new,
            "move": self._move,
            "black": lambda rest: self._place(BLACK, rest),
            "white": lambda rest: self._place(WHITE, rest),
            "next": lambda rest: self._own_move(),
            "depth": self._depth,
            "vcf": lambda rest: "",
            "unvcf": lambda rest: "",
            "novcf": lambda rest: "",
            "print": lambda rest: self._board(),
            "help": lambda rest: HELP,
            "quit": self._quit,
            "exit": self._quit,
        }

    def _place(self, colour: Colour, rest: str) -> str:
        """Places stones whoever's turn it is; after them it is the other player's."""
        move = from_letters(rest, self.game)
        if colour is self.position.turn and len(move) == self.position.stones_left and not self.position.is_over:
            self._play(move)
            return ""
        stones = {side: [*self.position.stones(side), *(move if side is colour else ())] for side in (BLACK, WHITE)}
        self.position = Position.setup(self.game, stones[BLACK], stones[WHITE], colour.opponent)
        return ""

    def _depth(self, rest: str) -> str:
        if not (rest.isascii() and rest.isdecimal() and len(rest) < 4 and 0 < int(rest) <= MAX_DEPTH):
            raise TengenError(f"depth: a number from 1 to {MAX_DEPTH} is needed, not {rest[:20]!r}")
        self.budget = replace(self.budget, depth=int(rest))
        return f"depth {int(rest)}"

    def _board(self) -> str:
        width, height = board_sides(self.game, MAX_LETTERS_SIDE)
        letters = "ABCDEFGHIJKLMNOPQRSTUVWXYZ"
        return board_text(self.position, letters[:width], letters[:height])


class SauSpeaker(_LetterSpeaker):
    """Speaks the protocol of the SAU contest platform."""

    from_top = True

    def _commands(self) -> dict[str, Callable[[str], str]]:
        return {
            "name?": self._name,
            "new": self._new,
            "move": self._move,
            # Our last move was refused: our board is not the platform's, and there is nothing sensible to play.
            "error": lambda rest: "",
            "end": lambda rest: "",
            "quit": self._quit,
        }

    def answer(self, line: str) -> str:
        """What to print in answer to a command. Words that the platform uses for other games are passed over."""
        known = line.strip().partition(" ")[0].lower() in self._commands()
        return super().answer(line) if known else ""

    def _written(self, move: Move) -> str:
        return padded(super()._written(move), self.game)
