"""What is known of a position of the opening: verdicts, values and statistics, side by side, on the reader's board."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from tengen.game import BLACK, CONNECT6, Colour, Move, Position, Symmetry
from tengen.opening.atlas import FIRST, Atlas, Proof, Second, Third, to_highest, turned
from tengen.play import OpeningBook, Results


@dataclass(frozen=True)
class Known:
    """What is known of a move."""

    move: Move
    winner: Colour | None = None
    """Who is proved to win after it."""
    value: float | None = None
    """Black's chance in the engine's opinion; 1 or 0 if it is proved."""
    results: Results | None = None
    """How games with it ended, for the player who makes it."""
    proof: Proof | None = None
    work: dict[str, Any] | None = None
    """How far a proof has come, and what it has cost."""

    def as_json(self) -> dict[str, Any]:
        """As JSON can hold it."""
        results = self.results
        return {
            "move": str(self.move),
            "winner": None if self.winner is None else str(self.winner),
            "value": None if self.value is None else round(self.value, 4),
            "games": None if results is None else _results(results),
            "proof": None if self.proof is None else self.proof.as_json(),
            "work": self.work,
        }


@dataclass(frozen=True)
class Explored:
    """A position of the opening."""

    position: Position
    here: Known | None
    """What is known of the last move; None where neither the atlas nor the book has it."""
    moves: tuple[Known, ...]
    """The moves that are known: those that win for the side to move first, then by value and by games."""
    is_in_atlas: bool

    def as_json(self) -> dict[str, Any]:
        """As JSON can hold it."""
        return {
            "position": str(self.position),
            "side": str(self.position.turn),
            "in_atlas": self.is_in_atlas,
            "here": None if self.here is None else self.here.as_json(),
            "moves": [known.as_json() for known in self.moves],
        }


def explore(atlas: Atlas, position: Position, book: OpeningBook | None = None) -> Explored:
    """What is known of a position.

    Args:
        atlas: verdicts and values.
        position: after some whole moves.
        book: statistics; none unless told.

    Raises:
        TengenError: if the book is for another game.
    """
    moves = position.moves
    in_atlas = position.game == CONNECT6 and position.initial is None and moves[:1] == [FIRST]
    known: dict[Move, Known] = {}
    here: Known | None = None
    second: tuple[Second, Symmetry] | None = None
    if in_atlas and len(moves) == 1:
        known = {second.move: of_second(second, second.move) for second in atlas.seconds.values()}
    elif in_atlas and len(moves) in (2, 3) and not position.is_mid_turn and not moves[1].is_pass:
        second = atlas.find(position)
        if second is not None:
            entry, symmetry = second
            back = symmetry.inverse
            if len(moves) == 2:
                here = of_second(entry, moves[1])
                on_board = ((third, turned(third.move, back)) for third in entry.thirds)
                known = {move: of_third(third, move) for third, move in on_board}
            elif (third := entry.third(turned(moves[2], symmetry))) is not None:
                here = of_third(third, moves[2])
    known = _with_statistics(known, position, book, second)
    covered = len(moves) == 1 or (second is not None and len(moves) <= 3)
    return Explored(position, here, tuple(sorted(known.values(), key=_rank(position.turn))), in_atlas and covered)


def of_second(second: Second, move: Move) -> Known:
    """What is known of a second move, written as on the reader's board."""
    winner = second.winner
    proved = next((third for third in second.ranked() if third.winner is BLACK), None)
    work = {"looks": second.looks, "thirds": len(second.thirds), "best": _best(second)}
    return Known(move, winner, second.value, None, None if proved is None else proved.proof, work)


def of_third(third: Third, move: Move) -> Known:
    """What is known of a third move, written as on the reader's board."""
    value = third.value if third.winner is None else float(third.winner is BLACK)
    work = {
        "levels": third.levels,
        "open": third.open if third.left is None else len(third.left),
        "nodes": third.nodes,
        "seconds": round(third.seconds, 1),
        "how": third.how,
    }
    return Known(move, third.winner, value, None, third.proof, work)


def _best(second: Second) -> str | None:
    """The best third move, in the entry's own frame."""
    ranked = second.ranked()
    return str(ranked[0].move) if ranked else None


def _with_statistics(
    known: dict[Move, Known], position: Position, book: OpeningBook | None, second: tuple[Second, Symmetry] | None
) -> dict[Move, Known]:
    """Adds how games went; a move of the book that equals one of the atlas by symmetry is that one."""
    if book is None or position.is_over:
        return known
    found = dict(known)
    for move, results in book.moves(position):
        own = move
        if move not in found and position.moves == [FIRST]:
            own = turned(move, to_highest(move))
        elif move not in found and second is not None:
            entry, symmetry = second
            own = turned(entry.representative(turned(move, symmetry)), symmetry.inverse)
        if own not in found:
            own = move
        old = found.get(own, Known(own))
        found[own] = Known(old.move, old.winner, old.value, results, old.proof, old.work)
    return found


def _rank(turn: Colour) -> Any:
    sign = 1 if turn is BLACK else -1

    def rank(known: Known) -> tuple[float, int, str]:
        value = known.value if known.value is not None else 0.5 - sign * 0.5001  # behind all that has a value
        return -sign * value, -(known.results.games if known.results else 0), str(known.move)

    return rank


def _results(results: Results) -> dict[str, Any]:
    shares = {"ratio": round(results.ratio, 4), "bound": round(results.bound, 4)}
    return {"games": results.games, **results._asdict(), **shares}
