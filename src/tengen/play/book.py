"""A statistics tree of openings: which moves were played in a position, and how those games ended.

After the Connect-k paper. A node is a position after so many whole turns, whatever the order of moves that led there,
up to symmetry, with its squares counted from the first stone (with q > 1, from the lower left corner of the first
move). It holds how many games through it were won, drawn and lost by Black, and the moves that were played there.
"""

from __future__ import annotations

import json
import os
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, NamedTuple

from tengen.game import BLACK, WHITE, Colour, Game, Move, Position, Square, Symmetry, TengenError, symmetries
from tengen.game.position import Turn
from tengen.record import Record
from tengen.record.files import decode, read_bytes, replacing
from tengen.record.replay import winner_letter

FORMAT = "tengen-opening-book"
VERSION = 1
SIGNIFICANT = 4
"""How often a move must have been seen for its ratio to mean something."""

Stones = tuple[Square, ...]
Key = tuple[Stones, Stones]
"""Black's and White's stones in the frame of the position, sorted."""


class Results(NamedTuple):
    """How games ended, for one player."""

    wins: int
    draws: int
    losses: int

    @property
    def games(self) -> int:
        """All of them."""
        return self.wins + self.draws + self.losses

    @property
    def ratio(self) -> float:
        """Wins among the games that were decided; 0 if none was."""
        decided = self.wins + self.losses
        return self.wins / decided if decided else 0.0

    def reversed(self) -> Results:
        """The same for the other player."""
        return Results(self.losses, self.draws, self.wins)


class BookMove(NamedTuple):
    """A move of the book with how its games ended for the player who makes it."""

    move: Move
    results: Results


def best_of(moves: Sequence[BookMove], significant: int = SIGNIFICANT) -> BookMove | None:
    """The move that the paper recommends; None if there is none.

    Of the moves seen often enough the one with the best ratio, if that is above one half; otherwise of the rarer ones
    that with the most wins, and of these the one seen least.
    """
    often = [move for move in moves if move.results.games >= significant]
    if often:
        best = max(often, key=lambda move: (move.results.ratio, move.results.games))
        if best.results.ratio > 0.5:
            return best
    rare = [move for move in moves if move.results.games < significant]
    return max(rare, key=lambda move: (move.results.wins, -move.results.games), default=None)


class _Frame(NamedTuple):
    """How squares of a board become squares of a node."""

    symmetry: Symmetry
    anchor: Square

    def inside(self, squares: Iterable[Square]) -> Stones:
        images = (self.symmetry.square(square, 1, 1) for square in squares)
        return tuple(sorted(Square(x - self.anchor.x, y - self.anchor.y) for x, y in images))

    def outside(self, squares: Iterable[Square]) -> Stones:
        back = self.symmetry.inverse
        return tuple(back.square(Square(x + self.anchor.x, y + self.anchor.y), 1, 1) for x, y in squares)


@dataclass
class _Node:
    results: list[int] = field(default_factory=lambda: [0, 0, 0])
    """Games won, drawn and lost by Black."""
    moves: dict[Key, Stones] = field(default_factory=dict)
    """The position after each move seen, with the move; moves that are equal by symmetry lead to one position."""


class OpeningBook:
    """The openings of some games of one kind."""

    def __init__(self, game: Game, turns: int = 8) -> None:
        if turns < 1:
            raise TengenError("a book holds at least one turn")
        self.game, self.turns, self.games = game, turns, 0
        self._nodes: dict[Key, _Node] = {((), ()): _Node()}

    def __len__(self) -> int:
        return len(self._nodes)

    def add(self, record: Record) -> bool:
        """Adds the main line of a game. False, and nothing done, if it is of another game, not decided, or began from a
        set-up.

        Raises:
            RecordError: if a move of it is illegal.
        """
        position = record.position()
        letter = position.winner.letter if position.winner is not None else winner_letter(record)
        turns = _whole_turns(position)
        if record.game != self.game or letter not in ("B", "D", "W") or not turns:
            return False
        result = "BDW".index(letter)
        node = self._nodes[((), ())]
        node.results[result] += 1
        frame: _Frame | None = None
        for count, turn in enumerate(turns[: self.turns], 1):
            after, key = self._place(turns[:count])
            node.moves.setdefault(key, frame.inside(turn.move) if frame else key[0])
            node, frame = self._nodes.setdefault(key, _Node()), after
            node.results[result] += 1
        self.games += 1
        return True

    def check_game(self, position: Position) -> None:
        """Refuses what the book is not about.

        Raises:
            TengenError: if the position is of another game.
        """
        if position.game != self.game:
            raise TengenError(f"the book is for {self.game}, not for {position.game}")

    def moves(self, position: Position) -> list[BookMove]:
        """The moves that were seen in a position, those seen most first; none where the book ends, and none on the
        empty board, where a first stone is as good anywhere.

        In the middle of a turn, they are what is left of the moves that begin with the stones placed.

        Raises:
            TengenError: if the position is of another game.
        """
        self.check_game(position)
        turns = _whole_turns(position)
        if position.is_over or not turns:
            return []
        placed: Stones = ()
        if position.is_mid_turn:
            *turns, last = turns
            placed = last.move.squares
        if not turns:
            return []
        frame, key = self._place(turns)
        node = self._nodes.get(key)
        if node is None:
            return []
        found = []
        for after, move in node.moves.items():
            results = Results(*self._nodes[after].results)
            # Each move stands for its mirror images where the position is symmetric: any that begins as placed will do.
            for image in self._images(frame, key, move):
                rest = [square for square in image if square not in placed]
                if len(rest) == position.stones_left and all(s in position and position.at(s) is None for s in rest):
                    seen = results if position.turn is BLACK else results.reversed()
                    found.append(BookMove(Move(rest), seen))
                    break
        return sorted(found, key=lambda move: (-move.results.games, str(move.move)))

    def recommend(self, position: Position, significant: int = SIGNIFICANT) -> BookMove | None:
        """The best move of the book by the paper's rule; None where it knows none.

        Raises:
            TengenError: if the position is of another game.
        """
        return best_of(self.moves(position), significant)

    def _place(self, turns: Sequence[Turn]) -> tuple[_Frame, Key]:
        """The frame and the key of the position after some turns."""
        stones = {colour: [s for turn in turns if turn.colour is colour for s in turn.move] for colour in Colour}
        first = turns[0].move.squares
        best: tuple[Key, _Frame] | None = None
        for symmetry in symmetries(self.game):
            images = [symmetry.square(square, 1, 1) for square in first]
            frame = _Frame(symmetry, Square(min(x for x, _ in images), min(y for _, y in images)))
            key = frame.inside(stones[BLACK]), frame.inside(stones[WHITE])
            if best is None or key < best[0]:
                best = key, frame
        assert best is not None
        return best[1], best[0]

    def _images(self, frame: _Frame, key: Key, move: Stones) -> Iterator[Stones]:
        yield frame.outside(move)
        for symmetry in symmetries(self.game):
            # A turn of the node onto itself keeps the anchor if it maps the outline of the first move onto itself;
            # with one first stone every one does.
            turn = _Frame(symmetry, Square(0, 0))
            if symmetry is not Symmetry.IDENTITY and (turn.inside(key[0]), turn.inside(key[1])) == key:
                yield frame.outside(turn.inside(move))

    # Files

    def write(self, path: str | os.PathLike[str]) -> None:
        """Writes the book: JSON lines, a head and a node a line. The file appears whole or not at all.

        Raises:
            OSError: if it cannot be written.
        """
        number = {key: index for index, key in enumerate(self._nodes)}
        head = {
            "format": FORMAT,
            "version": VERSION,
            "game": str(self.game),
            "turns": self.turns,
            "games": self.games,
            "nodes": len(number),
        }
        with replacing(Path(path)) as file:
            file.write(_line(head))
            for (black, white), node in self._nodes.items():
                moves = [[number[after], move] for after, move in node.moves.items()]
                file.write(_line([black, white, node.results, moves]))

    @classmethod
    def read(cls, path: str | os.PathLike[str]) -> OpeningBook:
        """Reads a book that `write` wrote, compressed by gzip or not.

        Raises:
            OSError: if the file cannot be read.
            TengenError: if it is no book.
        """
        head, *lines = decode(read_bytes(path)).splitlines() or [""]
        try:
            parsed = json.loads(head)
            if parsed["format"] != FORMAT or parsed["version"] != VERSION:
                raise ValueError
            book = cls(Game.parse(parsed["game"]), _number(parsed["turns"]))
            book.games = _number(parsed["games"])
            nodes = [_parsed_node(line) for line in lines]
            if len(nodes) != parsed["nodes"]:
                raise ValueError
            keys = [key for key, _, _ in nodes]
            book._nodes = {
                key: _Node(results, {keys[_number(after)]: move for after, move in moves})
                for key, results, moves in nodes
            }
            if ((), ()) not in book._nodes:
                raise ValueError
        except (ValueError, KeyError, TypeError, IndexError, RecursionError):
            raise TengenError(f"{os.fspath(path)}: this is no opening book, or a broken one") from None
        return book


def _whole_turns(position: Position) -> list[Turn]:
    """The turns of a game from the empty board; none after a set-up or a pass."""
    turns = position.turns
    return [] if position.initial is not None or any(turn.move.is_pass for turn in turns) else turns


def _line(value: object) -> bytes:
    return json.dumps(value, separators=(",", ":")).encode() + b"\n"


def _number(value: Any) -> int:
    if type(value) is not int or value < 0:
        raise ValueError
    return value


def _squares(value: Any) -> Stones:
    stones = tuple(Square(x, y) for x, y in value)
    if not all(type(number) is int for stone in stones for number in stone):
        raise ValueError
    return stones


def _parsed_node(line: str) -> tuple[Key, list[int], list[tuple[int, Stones]]]:
    black, white, results, moves = json.loads(line)
    wins, draws, losses = map(_number, results)
    return (
        (_squares(black), _squares(white)),
        [wins, draws, losses],
        [(_number(after), _squares(move)) for after, move in moves],
    )
