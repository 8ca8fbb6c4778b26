"""What the walks through the body of a win and of a hold have in common: the path to the node that is read."""

from __future__ import annotations

from abc import ABC, abstractmethod
from typing import Generic, TypeVar

from tengen.prove.checker.board import Board
from tengen.prove.checker.file import Header
from tengen.prove.checker.text import NUMBER, Refused

OnPath = TypeVar("OnPath")


class Walk(ABC, Generic[OnPath]):
    """Takes the lines of a body one by one. On the path are the nodes that are not complete, each below the one before.

    Raises:
        Refused: by every method, if the proof is wrong.
    """

    def __init__(self, board: Board, header: Header, attacker: str, referenced: set[int]) -> None:
        self.board, self.left, self.referenced = board, header.left, referenced
        self.path: list[OnPath] = []
        self.started = False
        self.attackers, self.defenders = (board.in_lines(side) for side in header.sides(board, attacker))
        self.attacker_moves = header.turn == attacker
        self.attacker_wins_by_rows = not (header.maker_breaker and attacker == "white")
        self.defender_wins_by_rows = not (header.maker_breaker and attacker == "black")
        if (self.attacker_wins_by_rows and board.has_row(self.attackers)) or (
            self.defender_wins_by_rows and board.has_row(self.defenders)
        ):
            raise Refused("the game is over")

    @abstractmethod
    def feed(self, number: int, text: str) -> None:
        """Takes the next line."""

    @abstractmethod
    def close(self) -> None:
        """The last node of the path is complete: judges it, and takes it off."""

    @abstractmethod
    def where(self, number: int) -> tuple[int | None, tuple[str, ...]]:
        """The node at which it stopped, with the line of this number, and the moves to it."""

    def enter(self, number: int, text: str, count: int) -> tuple[int, list[str]]:
        """The depth and the words of a line that must have so many; the path then ends with the node above it."""
        words = text.split(" ")
        if len(words) != count or not NUMBER.fullmatch(words[0]):
            raise Refused(f"line {number} of the body is not written as it must be")
        depth = int(words[0])
        while len(self.path) > max(depth, 1):
            self.close()
        if len(self.path) != depth or (depth == 0 and self.started):
            raise Refused(f"line {number} of the body is at a depth where nothing can stand")
        self.started = True
        return depth, words

    def finish(self) -> None:
        """After the last line."""
        while self.path:
            self.close()
        if not self.started:
            raise Refused("the body is empty")
