"""Damaged data of the user: every reader reports it as an error of ours, whatever is wrong with it."""

from __future__ import annotations

import json
import random
import sqlite3
from collections.abc import Callable, Iterator
from contextlib import closing
from pathlib import Path
from typing import Any

from job_level_tools import proof_number_search, searched
from small_tournaments import played, settings

from tengen import Position, Record, Store, TengenError
from tengen.arena.ledger import LOG_FILE, SETTINGS_FILE, Ledger
from tengen.game import TIC_TAC_TOE
from tengen.play import OpeningBook
from tengen.search import Journal, Recording
from tengen.search.replay import replay
from tengen.web.collections import Collections
from tengen.web.desk import Desk

JUNK: list[Any] = [None, True, -1, 10**400, 1e308, "", "x", "9" * 5000, [], {}, [[]], {"x": []}, "\u0000", "J10"]
SQL_JUNK: list[Any] = [None, -(2**62), 1e308, "", "x", "9" * 5000, b"", b"\xff\xfe", "(;", "a,b c"]
FLIPS = 150


def json_variants(value: Any) -> Iterator[Any]:
    """Copies of a JSON value with one part replaced or removed."""
    yield from JUNK
    if isinstance(value, dict):
        for name, part in value.items():
            yield {key: other for key, other in value.items() if key != name}
            for variant in json_variants(part):
                yield {**value, name: variant}
    elif isinstance(value, list):
        for index, part in enumerate(value[:2]):
            for variant in json_variants(part):
                yield [*value[:index], variant, *value[index + 1 :]]


def flipped(content: bytes) -> Iterator[bytes]:
    """Copies of a file with some bytes changed, or with its end missing."""
    rng = random.Random(1)
    for _ in range(FLIPS):
        damaged = bytearray(content)
        for _ in range(rng.randint(1, 8)):
            damaged[rng.randrange(len(damaged))] = rng.randrange(256)
        yield bytes(damaged)
        yield content[: rng.randrange(len(content))]


def only_own_errors(read: Callable[[], object], about: object) -> None:
    try:
        read()
    except (TengenError, OSError):
        pass
    except Exception as error:
        raise AssertionError(f"{type(error).__name__} for {about!r:.500}") from error


def damage_columns(path: Path, read: Callable[[], object]) -> None:
    """Read a database once for each value of its first rows replaced by each kind of junk, without its constraints."""
    original = path.read_bytes()
    with closing(sqlite3.connect(path)) as connection:
        tables = {
            name: [column[1] for column in connection.execute(f"PRAGMA table_info({name})")]
            for (name,) in connection.execute("SELECT name FROM sqlite_master WHERE type = 'table'").fetchall()
            if not name.startswith("sqlite_")
        }
    for table, columns in tables.items():
        for column in columns:
            for value in SQL_JUNK:
                connection = sqlite3.connect(path)
                connection.execute("PRAGMA writable_schema = ON")
                connection.execute("UPDATE sqlite_master SET sql = replace(sql, ' NOT NULL', '') WHERE sql IS NOT NULL")
                connection.commit()
                connection.close()
                connection = sqlite3.connect(path)
                try:
                    connection.execute(f"UPDATE OR REPLACE {table} SET {column} = ?", (value,))
                    connection.commit()
                except sqlite3.Error:
                    pass  # a key must have a value of its type
                finally:
                    connection.close()
                only_own_errors(read, (table, column, value))
                for beside in path.parent.glob(f"{path.name}-*"):
                    beside.unlink()
                path.write_bytes(original)


def test_a_damaged_store(tmp_path: Path) -> None:
    path = tmp_path / "store"
    with Store(path) as store:
        number = store.add(Record.from_position(Position(moves="J10 K11I9")), "title")
        desk = Desk(store)
        document = desk.add(Record.from_position(Position(moves="J10 K11I9")), "title")
        document.comment(1, "words")
        collection = Collections(store, desk).add("two", [(Record(), "a"), (Record(), "b")])

    def read() -> None:
        with Store(path) as store:
            desk = Desk(store)
            collections = Collections(store, desk)
            for part in (
                store.entries,
                lambda: store.get(number),
                desk.entries,
                lambda: desk.get(document.id).position(1),
                collections.entries,
                lambda: collections.page(collection),
            ):
                only_own_errors(part, part)

    damage_columns(path, read)
    for content in flipped(path.read_bytes()):
        path.write_bytes(content)
        only_own_errors(read, content[:100])
        for beside in path.parent.glob("store-*"):
            beside.unlink()


def test_a_damaged_book(tmp_path: Path) -> None:
    path = tmp_path / "games.book"
    position = Position(moves="J10")
    book = OpeningBook(position.game)
    for moves in ("J10 K11I9 A1B2", "J10 K10K9"):
        record = Record.from_position(Position(moves=moves))
        record.root.set("RE", "B+")
        book.add(record)
    book.write(path)

    def read() -> None:
        opened = OpeningBook.read(path)
        try:
            other = Record.from_position(Position(moves="J10 A1A2"))
            other.root.set("RE", "W+")
            for part in (
                lambda: opened.games,
                lambda: len(opened),
                lambda: opened.moves(position),
                lambda: opened.recommend(position),
                lambda: opened.add(other),
            ):
                only_own_errors(part, part)
        finally:
            opened.close()

    damage_columns(path, read)
    for content in flipped(path.read_bytes()):
        path.write_bytes(content)
        only_own_errors(read, content[:100])


def test_a_damaged_journal(tmp_path: Path) -> None:
    path, root = tmp_path / "journal", Position(TIC_TAC_TOE, moves="B2")
    about = {"root": str(root), "attacker": "black"}
    with Journal(path, about) as journal:
        searched(root, journal=journal)
        journal.append({"liar": "w", "why": "reason"})
        journal.append({"hint": "B2 A1"})
    lines = path.read_bytes().splitlines(keepends=True)[:6]
    lines += [b'{"liar":"w","why":"reason"}\n', b'{"hint":"B2 A1"}\n']

    def read() -> None:
        with Journal(path, about, resume=True) as journal:
            only_own_errors(lambda: replay(journal, proof_number_search(root)()), "replay")
            only_own_errors(lambda: journal.last("checkpoint"), "last")
            for where in range(0, 300, 50):
                only_own_errors(lambda where=where: journal.at(where), where)  # type: ignore[misc]
        only_own_errors(lambda: Recording().read_file(path), "recording")

    for number, line in enumerate(lines):
        for variant in json_variants(json.loads(line)):
            damaged = [*lines[:number], json.dumps(variant).encode() + b"\n", *lines[number + 1 :]]
            path.write_bytes(b"".join(damaged))
            only_own_errors(read, variant)
    for content in flipped(b"".join(lines)):
        path.write_bytes(content)
        only_own_errors(read, content[:200])


def test_a_damaged_ledger(tmp_path: Path) -> None:
    folder = tmp_path / "tournament"
    played(folder, settings("first", "first", games=2))

    def read() -> None:
        for game in Ledger.read(folder).games.values():
            game.record(Ledger.read(folder).settings)

    for name in (SETTINGS_FILE, LOG_FILE):
        path = folder / name
        original = path.read_bytes()
        first, *rest = original.splitlines(keepends=True) if name == LOG_FILE else [original]
        for variant in json_variants(json.loads(first)):
            path.write_bytes(b"".join([json.dumps(variant).encode() + b"\n", *rest]))
            only_own_errors(read, variant)
        path.write_bytes(b"[" * 100_000 + b"\n")
        only_own_errors(read, "deep")
        for content in flipped(original):
            path.write_bytes(content)
            only_own_errors(read, content[:200])
        path.write_bytes(original)
