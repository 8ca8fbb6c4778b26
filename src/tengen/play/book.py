"""A statistics book of openings: which moves were played in a position, and how those games ended.

After the Connect-k paper. A node is a position after so many whole turns, whatever the order of moves that led there,
up to symmetry, with its squares counted from the first stone (with q > 1, from the lower left corner of the first
move). It holds how many games through it were won, drawn and lost by Black, and the moves that were played there.

A book is one SQLite file. Whatever is added is there whole or not at all.
"""

from __future__ import annotations

import os
import sqlite3
import threading
from array import array
from collections import defaultdict
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field
from errno import ENOENT
from functools import lru_cache
from hashlib import blake2b
from pathlib import Path
from struct import pack
from typing import NamedTuple

from tengen.game import BLACK, WHITE, Game, Move, Position, Square, Symmetry, TengenError, symmetries
from tengen.game.position import Turn
from tengen.play.intervals import wilson
from tengen.record import Record
from tengen.record.damage import DAMAGE, reporting_damage
from tengen.record.files import replacing
from tengen.record.replay import winner_letter
from tengen.record.store import data_folder
from tengen.record.transaction import transaction

SIGNIFICANT = 4
"""How often a move must have been seen for its ratio to mean something."""
MINE = "mine"
"""The name of the book of the user's own choice of games."""
_BOTH_SIDES = 0.9
"""The share between two bounds, each of which holds in 95 of 100 cases."""
_APPLICATION = 0x54424F4B
_VERSION = 1
_SCHEMA = """
CREATE TABLE about (game TEXT NOT NULL, turns INTEGER NOT NULL);
CREATE TABLE game (digest BLOB PRIMARY KEY) WITHOUT ROWID;
CREATE TABLE position (
    key INTEGER PRIMARY KEY, wins INTEGER NOT NULL, draws INTEGER NOT NULL, losses INTEGER NOT NULL
);
CREATE TABLE move (
    before INTEGER NOT NULL, after INTEGER NOT NULL, stones TEXT NOT NULL, PRIMARY KEY (before, after)
) WITHOUT ROWID;
"""

Stones = tuple[Square, ...]


def users_book() -> Path:
    """Where the book of the user's own choice of games is, if he has made one."""
    return data_folder() / "openings" / "games.book"


def book_file(name: str, users: Path | None = None) -> Path:
    """The file of a book that is to be read, named by its path or as the user's own.

    Args:
        name: the path, or 'mine'.
        users: where the user's own book is, if not in his data.

    Raises:
        TengenError: if it is the user's own, and he has made none.
    """
    if name != MINE:
        return Path(name)
    file = users or users_book()
    if not file.exists():
        missing = FileNotFoundError(ENOENT, os.strerror(ENOENT), str(file))
        raise TengenError(
            f"you have no book yet: 'tengen book build RECORDS... {MINE}' makes one ({file} is not there)"
        ) from missing
    return file


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

    @property
    def share(self) -> float:
        """The share of the points, a draw being half; 0 without games."""
        return (self.wins + self.draws / 2) / self.games if self.games else 0.0

    @property
    def bound(self) -> float:
        """What share of the points a move is worth at least, in 95 cases of 100: Wilson's bound, a draw being half."""
        return wilson(self.wins + self.draws / 2, self.games, _BOTH_SIDES)[0]

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


def surest_of(moves: Sequence[BookMove], significant: int = SIGNIFICANT) -> BookMove | None:
    """The move with the best lower bound, of those seen often enough; None if there is none.

    A move that won 900 of 1,000 games is better than one that won all of four. The paper's rule has it the other way.
    """
    often = [move for move in moves if move.results.games >= significant]
    return max(often, key=lambda move: (move.results.bound, move.results.games), default=None)


RULES: dict[str, Callable[[Sequence[BookMove], int], BookMove | None]] = {"paper": best_of, "bound": surest_of}
"""The rules of recommendation by name."""


@dataclass
class _Batch:
    """What some games add to a book."""

    games: dict[bytes, tuple[int, array[int]]] = field(default_factory=dict)
    """By digest, whether Black won, drew or lost, and the positions on the way."""
    moves: dict[tuple[int, int], str] = field(default_factory=dict)
    """The stones of a move in the frame of the position before it, by the positions before and after it."""


class OpeningBook:
    """The openings of some games of one kind, in memory unless it is given a file.

    Args:
        game: which kind.
        turns: how many turns of each game are kept.

    Raises:
        TengenError: if there would be no turns in it.
    """

    def __init__(self, game: Game, turns: int = 8) -> None:
        if turns < 1:
            raise TengenError("a book holds at least one turn")
        self._open(sqlite3.connect(":memory:", isolation_level=None, check_same_thread=False))
        with self._connection as connection:
            connection.executescript(_SCHEMA)
            connection.execute("INSERT INTO about VALUES (?, ?)", (str(game), turns))
            connection.execute(f"PRAGMA application_id = {_APPLICATION}")
            connection.execute(f"PRAGMA user_version = {_VERSION}")
        self.game, self.turns = game, turns

    def _open(self, connection: sqlite3.Connection) -> None:
        self._connection = connection
        self._lock = threading.Lock()

    @classmethod
    def read(cls, path: str | os.PathLike[str], *, to_add: bool = False) -> OpeningBook:
        """Opens the file of a book.

        Args:
            path: the file.
            to_add: whether games will be added to it.

        Raises:
            OSError: if the file cannot be read.
            TengenError: if it is no book.
        """
        with Path(path).open("rb+" if to_add else "rb"):
            pass  # SQLite's own words for a missing file help nobody
        book = cls.__new__(cls)
        address = f"{Path(path).resolve().as_uri()}?mode={'rw' if to_add else 'ro'}"
        try:
            book._open(sqlite3.connect(address, uri=True, isolation_level=None, check_same_thread=False))
            connection = book._connection
            (application,) = connection.execute("PRAGMA application_id").fetchone()
            (version,) = connection.execute("PRAGMA user_version").fetchone()
            if (application, version) != (_APPLICATION, _VERSION):
                raise ValueError
            game, turns = connection.execute("SELECT game, turns FROM about").fetchone()
            book.game, book.turns = Game.parse(game), int(turns)
        except DAMAGE:
            raise TengenError(f"{os.fspath(path)}: not an opening book, or a damaged one") from None
        return book

    def close(self) -> None:
        """Closes the file."""
        self._connection.close()

    def __del__(self) -> None:
        if hasattr(self, "_connection"):  # later Pythons complain about what nobody has closed
            self._connection.close()

    def write(self, path: str | os.PathLike[str]) -> None:
        """Writes the book to a file, which appears whole or not at all.

        Raises:
            OSError: if it cannot be written.
        """
        with replacing(Path(path)) as file, self._lock:
            file.write(self._connection.serialize())

    @property
    def games(self) -> int:
        """How many games it is made of."""
        return self._count("game")

    def __len__(self) -> int:
        return self._count("position")

    def _count(self, table: str) -> int:
        with self._lock, reporting_damage(_damaged):
            return int(self._connection.execute(f"SELECT COUNT(*) FROM {table}").fetchone()[0])

    # Games come in

    def add(self, record: Record) -> bool:
        """Adds the main line of a game. False, and nothing done, if it is of another game, not decided, began from a
        set-up, or is in the book already.

        Raises:
            RecordError: if a move of it is illegal.
        """
        return self.add_all([record]) == 1

    def add_all(self, records: Iterable[Record]) -> int:
        """Adds the main lines of games, all of them or none; returns how many were of use (see `add`).

        Raises:
            RecordError: if a move is illegal.
            TengenError: if the file cannot be written.
        """
        batch = _Batch()
        try:
            with self._lock:
                known = {digest for (digest,) in self._connection.execute("SELECT digest FROM game")}
            for record in records:
                self._gather(record, batch, known)
            with self._lock, transaction(self._connection, to_write=True):
                return self._merge(batch)
        except sqlite3.Error as error:
            raise TengenError(f"the book cannot be written: {error}") from error

    def _gather(self, record: Record, batch: _Batch, known: set[bytes]) -> None:
        position = record.position()
        letter = position.winner.letter if position.winner is not None else winner_letter(record)
        turns = _whole_turns(position)
        if record.game != self.game or letter not in ("B", "D", "W") or not turns:
            return
        # Who played it and where belongs to a game: short ones are often the same move by move.
        told = repr((sorted(record.root.properties.items()), [str(turn.move) for turn in turns]))
        digest = blake2b(told.encode("utf-8", "replace"), digest_size=12).digest()
        if digest in known:
            return
        known.add(digest)
        frames = _frames(self.game, turns[0].move)
        keys: list[_Key] = [([], []) for _ in frames]
        before, seen_from = _START, 0
        passed = array("q", [before])
        for count, turn in enumerate(turns[: self.turns]):
            images = [sorted(frame.inside(turn.move)) for frame in frames]
            for key, image in zip(keys, images, strict=True):
                key[turn.colour].extend(image)
                key[turn.colour].sort()
            lowest = min(range(len(keys)), key=keys.__getitem__)
            after = _hashed(keys[lowest])
            # The move as the position before it has its squares.
            batch.moves.setdefault((before, after), _text(images[seen_from if count else lowest]))
            passed.append(after)
            before, seen_from = after, lowest
        batch.games[digest] = "BDW".index(letter), passed

    def _merge(self, batch: _Batch) -> int:
        connection = self._connection
        count = 0
        results: dict[int, list[int]] = defaultdict(lambda: [0, 0, 0])
        for digest, (result, passed) in batch.games.items():
            # Another process may have added it while these games were read.
            if connection.execute("INSERT OR IGNORE INTO game VALUES (?)", (digest,)).rowcount == 1:
                count += 1
                for key in passed:
                    results[key][result] += 1
        connection.executemany(
            "INSERT INTO position VALUES (?, ?, ?, ?) ON CONFLICT (key) DO UPDATE SET "
            "wins = wins + excluded.wins, draws = draws + excluded.draws, losses = losses + excluded.losses",
            sorted((key, *counts) for key, counts in results.items()),
        )
        connection.executemany(
            "INSERT OR IGNORE INTO move VALUES (?, ?, ?)",
            sorted((before, after, stones) for (before, after), stones in batch.moves.items()),
        )
        return count

    # Moves come out

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
            TengenError: if the position is of another game, or the file is broken.
        """
        self.check_game(position)
        turns = _whole_turns(position)
        placed: Stones = ()
        if turns and position.is_mid_turn:
            *turns, last = turns
            placed = last.move.squares
        if position.is_over or not turns or len(turns) >= self.turns:
            return []
        frames = _frames(self.game, turns[0].move)
        sides = [
            [square for turn in turns if turn.colour is colour for square in turn.move] for colour in (BLACK, WHITE)
        ]
        keys: list[_Key] = [(sorted(frame.inside(sides[0])), sorted(frame.inside(sides[1]))) for frame in frames]
        lowest = min(keys)
        # Several frames where the position is symmetric: then each move stands for its mirror images.
        same = [frame for frame, key in zip(frames, keys, strict=True) if key == lowest]
        taken = {*position.stones(BLACK), *position.stones(WHITE)}.difference(placed)
        left, is_black = position.stones_left, position.turn is BLACK
        found = []
        for stones, results in self._rows(_hashed(lowest)):
            for frame in same:
                with reporting_damage(_damaged):
                    move = _on_board(frame, stones)
                if move is None or not taken.isdisjoint(move.squares):
                    continue
                if placed:
                    rest = [square for square in move if square not in placed]
                    if len(rest) != left:
                        continue
                    move = Move(rest)
                if len(move) == left:
                    found.append(BookMove(move, results if is_black else results.reversed()))
                    break
        return found

    def recommend(self, position: Position, significant: int = SIGNIFICANT, rule: str = "paper") -> BookMove | None:
        """The best move of the book by one of the `RULES`; None where it knows none.

        Raises:
            TengenError: if the position is of another game, there is no such rule, or the file is broken.
        """
        return RULES[checked_rule(rule)](self.moves(position), significant)

    def _rows(self, key: int) -> list[tuple[str, Results]]:
        with self._lock, reporting_damage(_damaged):
            rows = self._connection.execute(
                "SELECT stones, wins, draws, losses FROM move JOIN position ON key = after WHERE before = ? "
                "ORDER BY wins + draws + losses DESC, stones",
                (key,),
            ).fetchall()
        for stones, *counts in rows:
            if type(stones) is not str or not all(type(count) is int and count >= 0 for count in counts):
                raise _damaged(f"invalid row {(stones, *counts)!r:.100}")
        return [(stones, Results(*counts)) for stones, *counts in rows]


def _damaged(reason: str) -> TengenError:
    return TengenError(f"the opening book is damaged: {reason}")


def checked_rule(rule: str) -> str:
    """The name of a rule.

    Raises:
        TengenError: if there is none of that name.
    """
    if rule not in RULES:
        raise TengenError(f"{rule!r} is no rule; there are {', '.join(RULES)}")
    return rule


_Key = tuple[list[tuple[int, int]], list[tuple[int, int]]]


class _Frame:
    """How squares of a board become squares of a node: turned, and counted from an anchor."""

    __slots__ = ("_across", "_swaps", "_up", "_x", "_y", "game")

    def __init__(self, game: Game, symmetry: Symmetry, first: Move) -> None:
        self.game = game
        # As numbers, since a look-up turns hundreds of squares: the axes swapped or not, then a sign for each.
        self._swaps, self._across, self._up = bool(symmetry & 4), -1 if symmetry & 1 else 1, -1 if symmetry & 2 else 1
        self._x = self._y = 0
        images = self.inside(first)
        self._x, self._y = min(x for x, _ in images), min(y for _, y in images)

    def inside(self, squares: Iterable[tuple[int, int]]) -> list[tuple[int, int]]:
        """Squares of the board in the node."""
        across, up, left, bottom = self._across, self._up, self._x, self._y
        if self._swaps:
            return [(across * y - left, up * x - bottom) for x, y in squares]
        return [(across * x - left, up * y - bottom) for x, y in squares]

    def outside(self, x: int, y: int) -> Square:
        """A square of the node on the board."""
        x, y = self._across * (x + self._x), self._up * (y + self._y)
        return Square(y, x) if self._swaps else Square(x, y)


@lru_cache(maxsize=64)
def _frames(game: Game, first: Move) -> list[_Frame]:
    return [_Frame(game, symmetry, first) for symmetry in symmetries(game)]


@lru_cache(maxsize=1 << 14)
def _on_board(frame: _Frame, stones: str) -> Move | None:
    """A move as the file has it, on the board; None if it does not fit there.

    Games begin on one square and go on in a few ways, so that most moves were asked for before.
    """
    squares = [frame.outside(*_coordinates(word)) for word in stones.split()]
    m, n = frame.game.m, frame.game.n
    is_on_board = m is None or n is None or all(0 <= square.x < m and 0 <= square.y < n for square in squares)
    return Move(squares) if is_on_board and squares else None


def _hashed(key: _Key) -> int:
    numbers = [number for side in key for square in side for number in square]
    content = pack(f"<{len(numbers) + 1}i", len(key[0]), *numbers)
    return int.from_bytes(blake2b(content, digest_size=8).digest(), "little", signed=True)


_START = _hashed(([], []))


def _whole_turns(position: Position) -> list[Turn]:
    """The turns of a game from the empty board; none after a set-up or a pass."""
    turns = position.turns
    return [] if position.initial is not None or any(turn.move.is_pass for turn in turns) else turns


def _text(stones: Iterable[tuple[int, int]]) -> str:
    return " ".join(f"{x},{y}" for x, y in stones)


@lru_cache(maxsize=1 << 12)
def _coordinates(word: str) -> tuple[int, int]:
    try:
        x, y = map(int, word.split(","))
    except ValueError:
        raise _damaged(f"invalid square {word!r:.40}") from None
    return x, y
