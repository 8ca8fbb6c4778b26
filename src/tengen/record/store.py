"""The user's store: one SQLite file in the user's data folder, safe under crashes and several processes."""

from __future__ import annotations

import os
import re
import sqlite3
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from shutil import disk_usage

from tengen.record.damage import reporting_damage
from tengen.record.errors import StoreError
from tengen.record.limits import UNLIMITED
from tengen.record.private_files import make_private_file, make_private_folder, restrict_file
from tengen.record.sgf import Dialect, read_sgf, write_sgf
from tengen.record.transaction import transaction
from tengen.record.tree import Record

_LITTLE_SPACE = 1 << 16
"""Bytes without which SQLite cannot even read a file that others may write."""
MIGRATIONS: list[str] = [
    # 1: the library of records
    """
    CREATE TABLE record (
        id INTEGER PRIMARY KEY AUTOINCREMENT,
        title TEXT NOT NULL,
        game TEXT NOT NULL,
        moves INTEGER NOT NULL,
        sgf TEXT NOT NULL,
        created TEXT NOT NULL,
        changed TEXT NOT NULL
    );
    """,
    # 2: documents that are worked on, each a tree at some revision and the operations since
    """
    CREATE TABLE document (
        id TEXT PRIMARY KEY,
        title TEXT NOT NULL,
        game TEXT NOT NULL,
        revision INTEGER NOT NULL,
        content TEXT NOT NULL,
        changed TEXT NOT NULL
    );
    CREATE TABLE operation (
        document TEXT NOT NULL REFERENCES document(id) ON DELETE CASCADE,
        revision INTEGER NOT NULL,
        content TEXT NOT NULL,
        PRIMARY KEY (document, revision)
    ) WITHOUT ROWID;
    """,
    # 3: files with many records, each of which is a document
    """
    CREATE TABLE collection (
        id TEXT PRIMARY KEY,
        title TEXT NOT NULL,
        changed TEXT NOT NULL
    );
    ALTER TABLE document ADD COLUMN collection TEXT REFERENCES collection(id) ON DELETE CASCADE;
    ALTER TABLE document ADD COLUMN place INTEGER NOT NULL DEFAULT 0;
    CREATE INDEX document_of_collection ON document (collection, place);
    """,
    # 4: campaigns over Sudoku grids; answers are those that wait for a second opinion
    """
    CREATE TABLE campaign (
        name TEXT PRIMARY KEY,
        settings TEXT NOT NULL,
        checkpoint TEXT
    );
    CREATE TABLE campaign_answer (
        campaign TEXT NOT NULL REFERENCES campaign(name) ON DELETE CASCADE,
        job INTEGER NOT NULL,
        worker TEXT NOT NULL,
        content TEXT NOT NULL,
        seconds REAL NOT NULL,
        PRIMARY KEY (campaign, job, worker)
    ) WITHOUT ROWID;
    CREATE TABLE campaign_job (
        campaign TEXT NOT NULL REFERENCES campaign(name) ON DELETE CASCADE,
        job INTEGER NOT NULL,
        grids INTEGER NOT NULL,
        digest TEXT NOT NULL,
        workers TEXT NOT NULL,
        seconds REAL NOT NULL,
        PRIMARY KEY (campaign, job)
    ) WITHOUT ROWID;
    CREATE TABLE campaign_puzzle (
        campaign TEXT NOT NULL REFERENCES campaign(name) ON DELETE CASCADE,
        job INTEGER NOT NULL,
        grid TEXT NOT NULL,
        puzzle TEXT NOT NULL
    );
    CREATE INDEX puzzle_of_campaign ON campaign_puzzle (campaign, job);
    CREATE TABLE campaign_liar (
        campaign TEXT NOT NULL REFERENCES campaign(name) ON DELETE CASCADE,
        worker TEXT NOT NULL,
        reason TEXT NOT NULL,
        PRIMARY KEY (campaign, worker)
    ) WITHOUT ROWID;
    """,
    # 5: puzzles: what a player has tried, and those of his own games
    """
    CREATE TABLE puzzle_attempt (
        id INTEGER PRIMARY KEY AUTOINCREMENT,
        puzzle TEXT NOT NULL,
        level INTEGER NOT NULL,
        at TEXT NOT NULL,
        clean INTEGER NOT NULL,
        seconds REAL NOT NULL
    );
    CREATE TABLE own_puzzle (
        shape TEXT PRIMARY KEY,
        name TEXT NOT NULL,
        content TEXT NOT NULL,
        added TEXT NOT NULL
    ) WITHOUT ROWID;
    """,
]
"""Each entry takes the schema one version further; entries are only ever appended."""

BUSY_SECONDS = 30
_MAX_NUMBER = 2**63 - 1
_ROOT_LENGTH = 4_000
"""Where the root of a record ends at the latest, as far as the list looks for its result."""
_RESULT = re.compile(r"\bRE\[([^]\\]*)\]")


def data_folder() -> Path:
    """Return the folder of the user's data: TENGEN_DATA if set, else the platform's folder for it."""
    if folder := os.environ.get("TENGEN_DATA"):
        return Path(folder)
    from platformdirs import user_data_path  # not needed by most commands, so not loaded by them

    return user_data_path("tengen", appauthor=False)


def private_data_folder() -> Path:
    """Return the folder of the user's data, created if necessary, and closed to other users.

    Raises:
        OSError: if it cannot be created.
    """
    folder = data_folder()
    make_private_folder(folder)
    return folder


def make_folder(folder: Path) -> None:
    """Create a folder with its parents, if necessary; the data folder, if it is one of them, is closed to other users.

    Raises:
        OSError: if it cannot be created.
    """
    if folder.is_relative_to(data_folder()):
        private_data_folder()
    folder.mkdir(parents=True, exist_ok=True)


@dataclass(frozen=True)
class Entry:
    """What the library's list says of a record."""

    id: int
    title: str
    game: str
    moves: int
    created: datetime
    changed: datetime
    result: str | None = None
    """As SGF writes it, such as `B+`."""


class Store:
    """The user's records. Every change is one transaction: it is there whole after a crash, or not at all.

    Raises:
        StoreError: if the file cannot be opened, is no store, or was made by a later version of Tengen.
    """

    def __init__(self, path: str | os.PathLike[str] | None = None) -> None:
        self.path = Path(path) if path is not None else data_folder() / "tengen.sqlite3"
        self._lock = threading.RLock()
        try:
            if path is None:
                make_private_folder(self.path.parent)
            else:  # the folder of a path that was given may be shared on purpose
                self.path.parent.mkdir(parents=True, exist_ok=True)
            self._restrict_files()
            # Threads take turns by `transaction` and `reading`.
            self._connection = sqlite3.connect(
                self.path, timeout=BUSY_SECONDS, isolation_level=None, check_same_thread=False
            )
        except (OSError, sqlite3.Error) as error:
            raise StoreError(f"cannot open the store {self.path}: {error}") from error
        try:
            with self._translated_errors():
                self._enter_wal()
                self._connection.execute("PRAGMA synchronous = FULL")
                self._connection.execute("PRAGMA foreign_keys = ON")
                self._migrate()
        except BaseException:
            self._connection.close()
            raise

    def close(self) -> None:
        """Closes the file."""
        self._connection.close()

    def __enter__(self) -> Store:
        return self

    def __exit__(self, *exception: object) -> None:
        self.close()

    @property
    def version(self) -> int:
        """The version of the file's schema."""
        with self._translated_errors():
            return int(self._connection.execute("PRAGMA user_version").fetchone()[0])

    @contextmanager
    def transaction(self) -> Iterator[sqlite3.Connection]:
        """A transaction that holds the store's only writing lock; other threads wait.

        Raises:
            StoreError: if the store is locked for too long, full or damaged.
        """
        with self._lock, self._translated_errors(), transaction(self._connection, to_write=True) as connection:
            yield connection

    @contextmanager
    def reading(self) -> Iterator[sqlite3.Connection]:
        """A transaction that only reads: it waits for no process that writes, but for the threads of this one.

        Raises:
            StoreError: if the store is damaged.
        """
        with self._lock, self._translated_errors(), transaction(self._connection, to_write=False) as connection:
            yield connection

    def add(self, record: Record, title: str = "") -> int:
        """Keeps a record and returns its number."""
        now = datetime.now(UTC).isoformat()
        with self.transaction() as connection:
            cursor = connection.execute(
                "INSERT INTO record (title, game, moves, sgf, created, changed) VALUES (?, ?, ?, ?, ?, ?)",
                (*_columns(record, title), now, now),
            )
            return int(cursor.lastrowid or 0)

    def replace(self, number: int, record: Record, title: str = "") -> None:
        """Puts a record in the place of one that was kept before.

        Raises:
            StoreError: if there is no record with that number.
        """
        with self.transaction() as connection:
            cursor = connection.execute(
                "UPDATE record SET title = ?, game = ?, moves = ?, sgf = ?, changed = ? WHERE id = ?",
                (*_columns(record, title), datetime.now(UTC).isoformat(), number),
            )
            _expect_one(cursor, number)

    def remove(self, number: int) -> None:
        """Forgets a record.

        Raises:
            StoreError: if there is no record with that number.
        """
        with self.transaction() as connection:
            _expect_one(connection.execute("DELETE FROM record WHERE id = ?", (min(number, _MAX_NUMBER),)), number)

    def get(self, number: int) -> Record:
        """A record by its number.

        Raises:
            StoreError: if there is no record with that number.
        """
        with self.reading() as connection:
            wanted = min(number, _MAX_NUMBER)
            row = connection.execute("SELECT sgf FROM record WHERE id = ?", (wanted,)).fetchone()
        if row is None:
            raise _no_record(number)
        with reporting_damage(lambda reason: StoreError(f"record {number} of {self.path} is damaged: {reason}")):
            return next(read_sgf(row[0], strict=False, limits=UNLIMITED))

    def entries(self) -> list[Entry]:
        """The library's list, the last changed first."""
        query = (
            f"SELECT id, title, game, moves, created, changed, substr(sgf, 1, {_ROOT_LENGTH}) "
            "FROM record ORDER BY changed DESC, id DESC"
        )
        with self.reading() as connection:
            rows = connection.execute(query).fetchall()
        with reporting_damage(lambda reason: StoreError(f"the store {self.path} is damaged: {reason}")):
            return [
                Entry(
                    number,
                    title,
                    game,
                    moves,
                    datetime.fromisoformat(created),
                    datetime.fromisoformat(changed),
                    found[1] if (found := _RESULT.search(sgf)) else None,
                )
                for number, title, game, moves, created, changed, sgf in rows
            ]

    def _restrict_files(self) -> None:
        """Close the files of the store to other users. SQLite gives new files beside it the mode of the first."""
        make_private_file(self.path)
        for suffix in ("-wal", "-shm", "-journal"):
            restrict_file(self.path.with_name(self.path.name + suffix))

    def _enter_wal(self) -> None:
        # Two processes that make a new store at once can be told "locked" here without SQLite waiting first.
        deadline = time.monotonic() + BUSY_SECONDS
        while True:
            try:
                self._connection.execute("PRAGMA journal_mode = WAL")
                return
            except sqlite3.OperationalError as error:
                if "locked" not in str(error) or time.monotonic() > deadline:
                    raise
                time.sleep(0.01)

    def _migrate(self) -> None:
        if self.version == len(MIGRATIONS):
            return
        with self.transaction() as connection:
            version = self.version  # again, now that nobody else can migrate
            if version > len(MIGRATIONS):
                raise StoreError(
                    f"{self.path} was written by a later Tengen "
                    f"(schema {version}, this one knows {len(MIGRATIONS)}): please upgrade"
                )
            for number, statements in enumerate(MIGRATIONS[version:], version + 1):
                for statement in filter(str.strip, statements.split(";")):
                    connection.execute(statement)
                connection.execute(f"PRAGMA user_version = {number}")

    @contextmanager
    def _translated_errors(self) -> Iterator[None]:
        try:
            yield
        except (sqlite3.Error, OverflowError, UnicodeError) as error:
            # SQLite calls a full disk by several names.
            is_full = isinstance(error, sqlite3.OperationalError) and disk_usage(self.path.parent).free < _LITTLE_SPACE
            hint = "; the disk is full" if is_full else ""
            raise StoreError(f"the store {self.path}: {error}{hint}") from error


def _columns(record: Record, title: str) -> tuple[str, str, int, str]:
    return (
        title or record.title or "untitled",
        str(record.game),
        len(record.moves()),
        write_sgf(record, Dialect.LITTLE_GOLEM),
    )


def _expect_one(cursor: sqlite3.Cursor, number: int) -> None:
    if cursor.rowcount != 1:
        raise _no_record(number)


def _no_record(number: int) -> StoreError:
    return StoreError(f"the library has no record {number}")
