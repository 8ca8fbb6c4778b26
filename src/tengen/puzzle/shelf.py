"""What a player keeps: his attempts, and the puzzles of his own games."""

from __future__ import annotations

import json
from contextlib import closing
from datetime import UTC, datetime

from tengen.puzzle.progress import Attempt
from tengen.puzzle.puzzle import Puzzle, shape
from tengen.record import Store


class Shelf:
    """A player's puzzles and attempts in his store. Safe to use from several threads and processes.

    Raises:
        StoreError: from every method, if the store cannot be read or written.
    """

    def __init__(self, store: Store) -> None:
        self._store = store

    def attempts(self, after: int = 0) -> list[tuple[int, Attempt]]:
        """All attempts with their numbers, the oldest first; those after a number, for who has seen the others."""
        query = "SELECT id, puzzle, level, at, clean, seconds FROM puzzle_attempt WHERE id > ? ORDER BY id"
        with self._store.reading() as connection, closing(connection.execute(query, (after,))) as rows:
            return [
                (number, Attempt(name, level, datetime.fromisoformat(at), bool(clean), seconds))
                for number, name, level, at, clean, seconds in rows
            ]

    def add_attempt(self, attempt: Attempt) -> None:
        """Keeps an attempt."""
        at = attempt.at.astimezone(UTC).isoformat()
        with self._store.transaction() as connection:
            connection.execute(
                "INSERT INTO puzzle_attempt (puzzle, level, at, clean, seconds) VALUES (?, ?, ?, ?, ?)",
                (attempt.puzzle, attempt.level, at, attempt.is_clean, attempt.seconds),
            )

    def own_puzzles(self) -> list[Puzzle]:
        """The puzzles of the player's own games, the newest first.

        Raises:
            PuzzleError: if one of them cannot be read.
        """
        query = "SELECT content FROM own_puzzle ORDER BY added DESC, name"
        with self._store.reading() as connection, closing(connection.execute(query)) as rows:
            return [Puzzle.from_json(json.loads(content)) for (content,) in rows]

    def own_puzzle(self, name: str) -> Puzzle | None:
        """One of the player's own by its name; None if it is not there.

        Raises:
            PuzzleError: if it cannot be read.
        """
        with self._store.reading() as connection:
            row = connection.execute("SELECT content FROM own_puzzle WHERE name = ?", (name,)).fetchone()
        return None if row is None else Puzzle.from_json(json.loads(row[0]))

    def keep(self, puzzle: Puzzle) -> bool:
        """Adds a puzzle to the player's own; False if he has one of its shape already."""
        with self._store.transaction() as connection:
            added = connection.execute(
                "INSERT OR IGNORE INTO own_puzzle (shape, name, content, added) VALUES (?, ?, ?, ?)",
                (
                    f"{shape(puzzle.position):016x}",
                    puzzle.name,
                    json.dumps(puzzle.as_json(), ensure_ascii=False),
                    datetime.now(UTC).isoformat(),
                ),
            )
            return added.rowcount == 1

    def remove(self, name: str) -> bool:
        """Takes a puzzle away from the player's own; False if it was not there."""
        with self._store.transaction() as connection:
            return connection.execute("DELETE FROM own_puzzle WHERE name = ?", (name,)).rowcount == 1
