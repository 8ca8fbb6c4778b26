"""The atlas of openings: White's second moves near the first stone, Black's third moves, and what is known of each.

Positions that are equal by symmetry are one. The file has a head and a line of JSON for each second move; it is always
written whole, so that whoever reads it, or is killed while writing it, finds one state or the next.
"""

from __future__ import annotations

import gzip
import json
import os
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field, replace
from functools import cache, cached_property
from importlib.resources import files
from itertools import combinations
from pathlib import Path
from typing import Any

from tengen.game import BLACK, CONNECT6, WHITE, Colour, Move, Position, Square, Symmetry, TengenError, symmetries
from tengen.record.files import decode, read_bytes, replacing

FORMAT = "tengen-atlas"
VERSION = 1
FIRST = Move("J10")
RADIUS = 4
"""How far from the first stone White's second move may be, in king's steps."""
_MAX_RADIUS = 9
_WIDTH = 19
_COLOURS = {"black": BLACK, "white": WHITE}


class AtlasError(TengenError):
    """A file is no atlas, or a position is not in it."""


@dataclass(frozen=True)
class Proof:
    """Where the proof of a verdict is, and how it was found."""

    file: str
    """Its name in the folder of proofs."""
    sha256: str
    nodes: int
    bytes: int

    def as_json(self) -> dict[str, Any]:
        """As the file keeps it."""
        return {"file": self.file, "sha256": self.sha256, "nodes": self.nodes, "bytes": self.bytes}


@dataclass
class Third:
    """A third move of Black's, and what is known of the position after it, with White to move."""

    move: Move
    value: float | None = None
    """Black's chance in the engine's opinion."""
    winner: Colour | None = None
    """Who is proved to win."""
    proof: Proof | None = None
    levels: int = 0
    """How many levels of the verifier have been tried."""
    left: dict[Move, int] | None = None
    """White's replies that are not answered yet, once there are few; with how often each was tried."""
    open: int | None = None
    """How many replies the verifier has left open at its last level."""
    nodes: int = 0
    seconds: float = 0.0
    """What all this has cost, on one core."""
    how: str = ""
    """The last step of the work on it, in a word."""

    def as_json(self) -> dict[str, Any]:
        """As the file keeps it."""
        kept: dict[str, Any] = {"black": str(self.move), "value": self.value}
        if self.winner is not None:
            kept["winner"] = str(self.winner)
        if self.proof is not None:
            kept["proof"] = self.proof.as_json()
        if self.levels:
            kept["levels"] = self.levels
        if self.open is not None:
            kept["open"] = self.open
        if self.left is not None:
            kept["left"] = {str(move): tries for move, tries in self.left.items()}
        if self.nodes:
            kept |= {"nodes": self.nodes, "seconds": round(self.seconds, 3), "how": self.how}
        return kept

    @classmethod
    def from_json(cls, kept: Mapping[str, Any]) -> Third:
        """Reads what `as_json` wrote; whatever is wrong raises some kind of error."""
        left, proof = kept.get("left"), kept.get("proof")
        if "winner" in kept and proof is None:
            raise ValueError(f"{kept['black']} has a winner, but no proof")
        return cls(
            Move.parse(kept["black"]),
            None if kept["value"] is None else float(kept["value"]),
            None if "winner" not in kept else _COLOURS[kept["winner"]],
            None if proof is None else Proof(str(proof["file"]), str(proof["sha256"]), proof["nodes"], proof["bytes"]),
            int(kept.get("levels", 0)),
            None if left is None else {Move.parse(move): int(tries) for move, tries in left.items()},
            kept.get("open"),
            int(kept.get("nodes", 0)),
            float(kept.get("seconds", 0.0)),
            str(kept.get("how", "")),
        )


@dataclass
class Second:
    """A second move of White's, which stands for those that are equal to it by symmetry."""

    move: Move
    looks: int = 0
    """How many looks the engine has had at it."""
    thirds: list[Third] = field(default_factory=list)
    """Black's sensible answers, the most promising first."""

    @cached_property
    def position(self) -> Position:
        """With Black to move."""
        return Position(CONNECT6, [FIRST, self.move])

    @cached_property
    def images(self) -> tuple[Symmetry, ...]:
        """The symmetries that leave the position as it is."""
        return tuple(s for s in symmetries(CONNECT6) if turned(self.move, s) == self.move)

    @property
    def winner(self) -> Colour | None:
        """Black if one of his third moves is proved to win. That White wins would take a proof against all of them."""
        return BLACK if any(third.winner is BLACK for third in self.thirds) else None

    @property
    def value(self) -> float | None:
        """Black's chance with his best move, as far as the engine or a proof knows."""
        if self.winner is BLACK:
            return 1.0
        values = [third.value for third in self.thirds if third.winner is None and third.value is not None]
        return max(values, default=None)

    def after(self, third: Third) -> Position:
        """The position after a third move, with White to move."""
        return Position(CONNECT6, [FIRST, self.move, third.move])

    def representative(self, move: Move) -> Move:
        """The one that stands for all third moves which are equal by a symmetry of the position."""
        images = (turned(move, symmetry) for symmetry in self.images)
        return _from_the_top(max(images, key=_height))

    def third(self, move: Move) -> Third | None:
        """What is known of a third move, or of one that is equal to it."""
        wanted = self.representative(move)
        return next((third for third in self.thirds if third.move == wanted), None)

    def add(self, move: Move, value: float | None = None) -> Third:
        """The entry of a third move, new if there is none; a value replaces an earlier one."""
        found = self.third(move)
        if found is None:
            found = Third(self.representative(move))
            self.thirds.append(found)
        if value is not None:
            found.value = value
        return found

    def ranked(self) -> list[Third]:
        """The third moves: those that win, then those whose proof has come far, then by value, then those that lose."""

        def rank(third: Third) -> tuple[int, int, float]:
            left = 1_000 if third.left is None else len(third.left)
            return {BLACK: 0, None: 1, WHITE: 2}[third.winner], left, -(third.value or 0.0)

        return sorted(self.thirds, key=rank)

    def as_json(self) -> dict[str, Any]:
        """As the file keeps it."""
        thirds = [third.as_json() for third in self.ranked()]
        return {"white": str(self.move), "looks": self.looks, "thirds": thirds}


class Atlas:
    """All second moves within a distance of the first stone.

    Args:
        radius: that distance, in king's steps.
    """

    def __init__(self, radius: int = RADIUS) -> None:
        self.radius = radius
        self.seconds: dict[Move, Second] = {move: Second(move) for move in second_moves(radius)}

    def find(self, position: Position) -> tuple[Second, Symmetry] | None:
        """The entry of a position after two or three moves, with the symmetry that takes the position to it; None if
        there is none.

        Raises:
            AtlasError: if the position is of another game, or longer than three moves.
        """
        moves = position.moves
        if (
            position.game != CONNECT6
            or position.initial is not None
            or not 2 <= len(moves) <= 3
            or position.is_mid_turn
        ):
            raise AtlasError("the atlas knows Connect6 after White's second or Black's third move")
        if moves[0] != FIRST or moves[1].is_pass or moves[-1].is_pass:
            return None
        symmetry = to_highest(moves[1])
        found = self.seconds.get(turned(moves[1], symmetry))
        return None if found is None else (found, symmetry)

    def opening(self, position: Position) -> tuple[Second, Third]:
        """The entry of an opening of three moves, new if there is none.

        Raises:
            AtlasError: if the position is no such opening, or its second move is too far away.
        """
        found = self.find(position) if len(position.moves) == 3 else None
        if found is None:
            raise AtlasError(f"an opening is {FIRST}, a move within {self.radius} of it, and a third: not {position}")
        second, symmetry = found
        return second, second.add(turned(position.moves[2], symmetry))

    def copy(self) -> Atlas:
        """An independent copy."""
        twin = Atlas(self.radius)
        for move, second in self.seconds.items():
            thirds = [replace(third, left=None if third.left is None else dict(third.left)) for third in second.thirds]
            twin.seconds[move] = Second(move, second.looks, thirds)
        return twin

    def learn(self, other: Atlas) -> None:
        """Takes over the verdicts of another atlas, where this one has none."""
        for second, third in other.proved():
            if second.move in self.seconds:
                mine = self.seconds[second.move].add(third.move, third.value)
                if mine.winner is None:
                    mine.winner, mine.proof, mine.left = third.winner, third.proof, None
                    mine.nodes, mine.seconds, mine.how = third.nodes, third.seconds, third.how

    def catch_up(self, newer: Atlas) -> None:
        """Takes over all that a later state of the same atlas has; entries that others hold on to stay the same."""
        for second in newer.seconds.values():
            if second.move in self.seconds:
                mine = self.seconds[second.move]
                mine.looks = second.looks
                for third in second.thirds:
                    vars(mine.add(third.move)).update(vars(third))

    def proved(self) -> Iterator[tuple[Second, Third]]:
        """All third moves with a verdict."""
        for second in self.seconds.values():
            for third in second.ranked():
                if third.winner is not None:
                    yield second, third

    def write(self, path: str | os.PathLike[str]) -> None:
        """Writes the file, whole or not at all; `.gz` compresses it.

        Raises:
            OSError: if it cannot be written.
        """
        head = {"format": FORMAT, "version": VERSION, "first": str(FIRST), "radius": self.radius}
        lines = [head, *(second.as_json() for second in self.seconds.values())]
        content = "".join(json.dumps(line, separators=(",", ":")) + "\n" for line in lines).encode()
        path = Path(path)
        with replacing(path) as file:
            file.write(gzip.compress(content, mtime=0) if path.suffix == ".gz" else content)

    @classmethod
    def read(cls, path: str | os.PathLike[str]) -> Atlas:
        """Reads what `write` wrote.

        Raises:
            OSError: if the file cannot be read.
            AtlasError: if it is no atlas, or damaged.
        """
        return cls._parsed(decode(read_bytes(path)), os.fspath(path))

    @classmethod
    def shipped(cls) -> Atlas:
        """The atlas that comes with the program, to be changed at will."""
        return _shipped().copy()

    @classmethod
    def _parsed(cls, text: str, name: str) -> Atlas:
        head, *lines = text.splitlines() or [""]
        try:
            parsed = json.loads(head)
            if (parsed["format"], parsed["version"], parsed["first"]) != (FORMAT, VERSION, str(FIRST)):
                raise ValueError
            radius = parsed["radius"]
            if type(radius) is not int or not 1 <= radius <= _MAX_RADIUS:
                raise ValueError(f"its radius is not 1 to {_MAX_RADIUS}")
            atlas = cls(radius)
            for line in lines:
                kept = json.loads(line)
                second = atlas.seconds[Move.parse(kept["white"])]
                second.looks = int(kept["looks"])
                second.thirds = [Third.from_json(third) for third in kept["thirds"]]
                for third in second.thirds:
                    second.after(third)  # refuses a move that is not possible
        except (ValueError, KeyError, TypeError, AttributeError, OverflowError, RecursionError) as error:
            raise AtlasError(f"{name}: this is no atlas of openings, or a damaged one: {error}") from None
        return atlas


@cache
def _shipped() -> Atlas:
    """Read once: in a tournament many players open by it."""
    packed = files("tengen.opening").joinpath("data", "atlas.jsonl.gz").read_bytes()
    return Atlas._parsed(decode(gzip.decompress(packed)), "the atlas that comes with the program")


@cache
def second_moves(radius: int = RADIUS) -> tuple[Move, ...]:
    """White's second moves within a distance of the first stone, one for all that are equal by symmetry: those nearest
    to it first."""
    (first,) = FIRST
    reach = range(-radius, radius + 1)
    near = [Square(first.x + dx, first.y + dy) for dy in reach for dx in reach if (dx, dy) != (0, 0)]
    moves = {Move([one, other]) for one, other in combinations(near, 2)}
    chosen = {_from_the_top(turned(move, to_highest(move))) for move in moves}

    def distance(move: Move) -> tuple[int, int, list[tuple[int, int]]]:
        steps = [max(abs(square.x - first.x), abs(square.y - first.y)) for square in move]
        return max(steps), sum(steps), _height(move)

    return tuple(sorted(chosen, key=distance))


def turned(move: Move, symmetry: Symmetry) -> Move:
    """Where a symmetry takes the stones of a move."""
    return symmetry.move(move, _WIDTH, _WIDTH)


def to_highest(move: Move) -> Symmetry:
    """The symmetry that takes a move to the one which stands for all of its images."""
    return max(symmetries(CONNECT6), key=lambda way: _height(way.square(square, _WIDTH, _WIDTH) for square in move))


def _from_the_top(move: Move) -> Move:
    """The same move, written as in `K11J9`."""
    return Move(Square(x, y) for y, x in _height(move))


def _height(squares: Iterable[Square]) -> list[tuple[int, int]]:
    return sorted(((y, x) for x, y in squares), reverse=True)
