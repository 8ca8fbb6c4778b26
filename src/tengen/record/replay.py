"""What the formats without variations share: replaying a line of moves, and reading one off a record."""

from __future__ import annotations

from tengen.game import Colour, Game, Move, Position, TengenError
from tengen.record.errors import RecordError
from tengen.record.limits import ItemCount, ReadLimits
from tengen.record.tree import UNREADABLE, Node, Record, advance

_RESULTS = {"B": "B+", "W": "W+", "D": "0"}


class Replay:
    """Plays the moves of a text in order. The first illegal one is an error or, if not strict, the end."""

    def __init__(self, game: Game, text: str, strict: bool, limits: ReadLimits | None = None) -> None:
        self.position = Position(game)
        self._text = text
        self._strict = strict
        self._problem: RecordError | None = None
        self.items = ItemCount(text, limits)

    def play(self, move: Move | str, offset: int, colour: Colour | None = None) -> None:
        """Play a move that stands at an offset of the text.

        Raises:
            RecordError: if it is illegal, or not that colour's turn, or the record is too large.
        """
        if self._problem is not None:
            return
        self.items.add(1, offset)
        if colour is not None and colour is not self.position.turn and not self.position.is_over:
            self.fail(f"{colour} plays {move}, but it is {self.position.turn}'s turn", offset)
            return
        try:
            self.position.play(move)
        except TengenError as error:
            self.fail(str(error), offset)

    def fail(self, reason: str, offset: int) -> None:
        """Record that the text is invalid at an offset.

        Raises:
            RecordError: if strict.
        """
        self._problem = RecordError.at(reason, self._text, offset)
        if self._strict:
            raise self._problem

    def record(self) -> Record:
        """The record of what was played."""
        record = Record.from_position(self.position)
        if self._problem is not None:
            record.problems.append(self._problem)
        return record


def winner_letter(record: Record) -> str:
    """`B`, `W`, `D`, or an empty text where the record does not say."""
    result = (record.result or "").strip().upper()
    if result[:1] in ("B", "W", "D"):
        return result[0]
    return "D" if result == "0" else ""


def set_winner(record: Record, letter: str) -> None:
    """Notes the result; letters other than B, W and D are not noted."""
    record.root.set("RE", _RESULTS.get(letter, ""))


def main_line_position(record: Record) -> Position:
    """The main line played out, for formats that hold nothing else; up to a first illegal move that is known already.

    Raises:
        RecordError: if there are set-up stones, null moves or another first player, which these formats cannot say, or
            an illegal move.
    """
    position = Position(record.game)
    for number, node in enumerate(record.root.main_line()):
        if any(name in node.properties for name in ("AB", "AW", "AE")):
            raise RecordError("this format cannot hold stones that were set up; write it as SGF")
        move = node.move
        if move is None:
            if any(name.startswith(UNREADABLE) for name in node.properties):
                break
            continue
        if move.is_pass:
            raise RecordError("this format cannot hold null moves; write it as SGF")
        if position.steps == 0 and node.colour is not position.turn:
            raise RecordError("this format cannot say that White begins; write it as SGF")
        try:
            advance(position, Node({name: v for name, v in node.properties.items() if name in ("B", "W")}))
        except TengenError as error:
            if record.problems:
                break
            raise RecordError(f"node {number}: {error}") from error
    return position
