"""Plays a win as its proof says: the winner's move in a game that has come to the proof's first position.

A proof does not list every reply. It answers some with stones left out, because the rest of the reply does not matter,
and some with more stones than were played, because even those would not help. Which answer is right for the stones that
were played follows from step 4 of docs/proof-format.md, without the zones:

- One to a listed reply that contains them all: the attacker plays as if the others had been placed too.
- If there is none, one to the largest listed reply among them. Had one of the stones left out been in the zone that
  step 4 asks for, it would have asked for a reply with that stone as well, and in the end for one with them all.

Stones that the attacker has only imagined count for nothing when the defender really places them. A threat that the
defender has not met is carried out.
"""

from __future__ import annotations

from array import array
from collections.abc import Iterable, Iterator
from functools import cache
from itertools import groupby, islice
from os import PathLike
from pathlib import Path
from typing import NamedTuple

from tengen.game import BLACK, WHITE, Colour, Game, Move, Position, Square, Symmetry
from tengen.prove.checker.file import Survey, body
from tengen.prove.checker.text import NUMBER, SQUARE, Refused, column_and_row
from tengen.prove.checking import NoProofFileError, telling_no_proof
from tengen.threat import threat_segments

_Stones = frozenset[Square]


class _Place(NamedTuple):
    """Where a game has come to in a proof, with the defender to move."""

    node: int
    """The line of the attacker's last move; 0 stands for the first position."""
    symmetry: Symmetry
    """What takes the squares of that line to those of the game."""
    defenders: _Stones
    """The defender's stones in the proof. Those in the game may be more or fewer."""


class _Answer(NamedTuple):
    move: _Stones
    after: _Place


class Guide:
    """The winner's moves by the proof of a win.

    The file must be whole, but whether the proof is right is for `check` to say: of one that it would refuse, the moves
    are worth nothing.

    Raises:
        NoProofError: if the file is damaged, proves something else than a win, or leaves a part of it to other files.
        OSError: if it cannot be read.
    """

    def __init__(self, path: str | PathLike[str]) -> None:
        try:
            with telling_no_proof():
                survey = Survey(Path(path))
            self._lines = ["", *(text for _, text in body(Path(path)))]
        except Refused as refusal:
            raise NoProofFileError(f"{path}: {refusal}") from refusal
        header, depths = survey.header, [text.partition(" ")[0] for text in self._lines[1:]]
        if header.claim != "win" or survey.open or not all(map(NUMBER.fullmatch, depths)):
            raise NoProofFileError(f"{path}: this is no proof of a win, or not the whole of one")
        self.game = Game.parse(header.game)
        self.winner: Colour = BLACK if header.attacker == str(BLACK) else WHITE
        self._depths = array("L", [0, *map(int, depths)])
        self._stones = tuple(frozenset(Square(x, y) for x, y in side) for side in header.stones)
        self._turn, self._left = header.turn, header.left
        self._below = cache(self._listed_below)

    def begins(self, position: Position) -> bool:
        """Whether this is the proof's first position."""
        return (
            position.game == self.game
            and (str(position.turn), position.stones_left) == (self._turn, self._left)
            and all(frozenset(position.stones(colour)) == self._stones[colour] for colour in (BLACK, WHITE))
        )

    def answer(self, position: Position) -> Move | None:
        """The winner's move, with all stones that he has left in this turn.

        None if it is not his turn, if the game has not been in the proof's first position, or if he has played
        something else since than the proof says.
        """
        if position.is_over or position.turn is not self.winner:
            return None
        trial, turns = self._since_first(position)
        placed: _Stones = frozenset()
        if not self.begins(trial):
            return None
        if turns and turns[-1][0] is self.winner:
            _, placed = turns.pop()
        place = _Place(0, Symmetry.IDENTITY, self._stones[self.winner.opponent])
        answer = self._answer(1, place) if self._turn == str(self.winner) else None
        for colour, stones in turns:
            if colour is self.winner:
                if answer is None or answer.move != stones or _row(trial) is not None:
                    return None
                place = answer.after
            else:
                answer = self._reply(place, stones)
            trial.play(Move(stones, is_pass=len(stones) < trial.stones_left))
        row = _row(position)
        if row is not None or answer is None or not placed <= answer.move:
            return row
        rest = Move(answer.move - placed)
        return rest if position.is_legal(rest) else None

    def _since_first(self, position: Position) -> tuple[Position, list[tuple[Colour, _Stones]]]:
        """The game taken back to the proof's first position, or to its start, and the turns since."""
        trial, steps = position.copy(), list[tuple[Colour, _Stones]]()
        while trial.steps and not self.begins(trial):
            squares = frozenset(trial.undo())
            steps.append((trial.turn, squares))
        turns = groupby(reversed(steps), key=lambda step: step[0])
        return trial, [(colour, _Stones().union(*(stones for _, stones in turn))) for colour, turn in turns]

    def _reply(self, place: _Place, stones: _Stones) -> _Answer | None:
        """The answer to a reply; None if there is none, since it leaves a threat."""
        wanted = _Stones(self._turned(stones - place.defenders, place.symmetry.inverse))
        listed = self._below(place.node)
        best = min((reply for reply in listed if wanted <= reply), key=len, default=None)
        if best is None:
            best = max((reply for reply in listed if reply < wanted), key=len, default=None)
        return None if best is None else self._answer(listed[best], place, best)

    def _answer(self, line: int, place: _Place, reply: _Stones = frozenset()) -> _Answer:
        """What a line says, on the board of the game."""
        defenders = place.defenders.union(self._turned(reply, place.symmetry))
        symmetry, text = place.symmetry, self._lines[line].split(" ")[2]
        if text.startswith("="):
            number, _, turn = text[1:].partition(".")
            line, symmetry = int(number), Symmetry(int(turn)).then(symmetry)
            text = self._lines[line].split(" ")[2]
        return _Answer(_Stones(self._turned(_squares(text), symmetry)), _Place(line, symmetry, defenders))

    def _listed_below(self, node: int) -> dict[_Stones, int]:
        """The replies that are answered after a move, with the lines that answer them."""
        depth, found = self._depths[node] + 1, dict[_Stones, int]()
        for line in range(node + 1, len(self._lines)):
            if self._depths[line] < depth:
                break
            if self._depths[line] == depth:
                found[_Stones(_squares(self._lines[line].split(" ")[1]))] = line
        return found

    def _turned(self, squares: Iterable[Square], symmetry: Symmetry) -> Iterator[Square]:
        width, height = self.game.m or 1, self.game.n or 1  # without edges, nothing is turned
        return (symmetry.square(square, width, height) for square in squares)


def _row(position: Position) -> Move | None:
    """A move that completes a row at once, filled up with any stones."""
    left = position.stones_left
    for segment in threat_segments(position, position.turn):
        if len(segment.empty) <= left:
            others = (square for square in position.empty_squares(within=2) if square not in segment.empty)
            return Move([*segment.empty, *islice(others, left - len(segment.empty))])
    return None


def _squares(text: str) -> Iterator[Square]:
    return (Square(*column_and_row(match[0])) for match in SQUARE.finditer(text))
