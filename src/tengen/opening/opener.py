"""Plays what the atlas has proved: the winning third move, then what the proof says, move by move until the row.

Agents know it by the name `atlas`. Openings without a verdict are left to them: the values of the atlas come from
smaller searches than those that a player makes on the spot.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterator

from tengen.game import BLACK, CONNECT6, Colour, Game, Move, Position, symmetries
from tengen.opening.atlas import FIRST, Second, Third, turned
from tengen.opening.shelf import Shelf
from tengen.play import Choice
from tengen.prove import Guide, NoProofError


class AtlasOpener:
    """Opens by the verdicts of the atlas, as far as their proofs are here.

    A proof is followed if its file is, byte for byte, the one that was checked when the atlas took it in. Where that is
    missing or damaged, nothing is known.

    Args:
        shelf: the atlas and its proofs; the user's, over what comes with the program, unless told.

    Raises:
        OSError: if the atlas cannot be read.
        AtlasError: if it is damaged.
    """

    game: Game = CONNECT6

    def __init__(self, shelf: Shelf | None = None) -> None:
        self._shelf = shelf or Shelf()
        self._atlas = self._shelf.atlas()
        self._guides: dict[str, Guide | None] = {}

    def choose(self, position: Position) -> Choice | None:
        """The next move of a side that is proved to win; None where there is no proof, or the game has left it."""
        moves = position.moves
        is_opening = position.initial is None and len(moves) >= 2 and moves[0] == FIRST and len(moves[1]) == 2
        found = self._atlas.find(Position(CONNECT6, moves[:2])) if is_opening and not position.is_over else None
        if found is None:
            return None
        second, _ = found
        for third, guide, file in self._proved(second, position.turn):
            move = _third_move(position, second, third) or _guided(position, guide)
            if move is not None:
                status = f"{position.turn.letter}w"
                return Choice(move, 1.0, status, line=(move,), notes={"book": f"proved in {file}"})
        return None

    def close(self) -> None:
        """There is nothing to let go of."""

    def _proved(self, second: Second, winner: Colour) -> Iterator[tuple[Third, Guide, str]]:
        """The third moves after which a side is proved to win, with their proofs, if these are here."""
        for third in second.ranked():
            if third.winner is winner and third.proof is not None:
                file = third.proof.file
                if file not in self._guides:
                    self._guides[file] = self._guide(second, third)
                guide = self._guides[file]
                if guide is not None:
                    yield third, guide, file

    def _guide(self, second: Second, third: Third) -> Guide | None:
        """The proof of a verdict; None if it is missing, or not what the atlas says it is."""
        assert third.proof is not None
        path = self._shelf.proof_file(third.proof)
        try:
            if path is None or hashlib.sha256(path.read_bytes()).hexdigest() != third.proof.sha256:
                return None
            guide = Guide(path)
        except (OSError, NoProofError):
            return None
        opening = second.after(third)
        is_about_it = any(guide.begins(opening.transformed(way)) for way in symmetries(CONNECT6))
        return guide if is_about_it and guide.winner is third.winner else None


def _third_move(position: Position, second: Second, third: Third) -> Move | None:
    """The third move, or what is left of it, where it is Black's turn to make it."""
    _, white, *later = position.moves
    if position.turn is not BLACK or len(later) > 1:
        return None
    placed = {square for move in later for square in move}
    for way in symmetries(CONNECT6):
        if turned(white, way) == second.move:
            move = turned(third.move, way.inverse)
            if placed < set(move):
                return Move(square for square in move if square not in placed)
    return None


def _guided(position: Position, guide: Guide) -> Move | None:
    """What a proof says, which may have been made for another image of the position."""
    for way in symmetries(CONNECT6):
        move = guide.answer(position.transformed(way))
        if move is not None:
            return turned(move, way.inverse)
    return None
