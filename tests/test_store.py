import os
import signal
import sqlite3
import stat
import subprocess
import sys
import threading
import time
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest
from processes import posix_only

from tengen import Position, Record, Store, StoreError
from tengen.puzzle.shelf import Shelf
from tengen.record import make_folder
from tengen.record import store as store_module


def game(moves: str = "J10 J9K11") -> Record:
    return Record.from_position(Position(moves=moves))


def test_records_are_kept_listed_replaced_and_removed(tmp_path: Path) -> None:
    with Store(tmp_path / "s.sqlite3") as store:
        first = store.add(game(), "first")
        second = store.add(game("J10"))
        assert [(e.id, e.title, e.moves) for e in store.entries()] == [
            (second, "untitled", 1),
            (first, "first", 2),
        ]
        store.replace(first, game("J10 A1A2 B1B2"), "changed")
        assert store.entries()[0].title == "changed"
        assert store.get(first).position() == Position(moves="J10 A1A2 B1B2")
        store.remove(second)
        for missing in (
            lambda: store.get(second),
            lambda: store.remove(second),
            lambda: store.replace(second, game()),
        ):
            with pytest.raises(StoreError, match=f"no record {second}"):
                missing()
    with Store(tmp_path / "s.sqlite3") as again:
        assert len(again.entries()) == 1


def test_the_default_place_is_the_users_data_folder(own_data_folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    with Store() as store:
        assert store.path == own_data_folder / "tengen.sqlite3"
    monkeypatch.delenv("TENGEN_DATA")
    assert store_module.data_folder().name == "tengen"


def test_migrations_take_an_old_store_further(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = tmp_path / "s.sqlite3"
    with Store(path) as store:
        kept = store.add(game(), "old")
        assert store.version == len(store_module.MIGRATIONS)
    longer = [*store_module.MIGRATIONS, "ALTER TABLE record ADD COLUMN stars INTEGER NOT NULL DEFAULT 0"]
    monkeypatch.setattr(store_module, "MIGRATIONS", longer)
    with Store(path) as store:
        assert store.version == len(longer)
        assert store.get(kept).moves() == game().moves()
        with store.transaction() as connection:
            assert connection.execute("SELECT stars FROM record").fetchall() == [(0,)]


def test_a_failed_migration_changes_nothing(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = tmp_path / "s.sqlite3"
    with Store(path) as store:
        store.add(game(), "old")
    broken = [
        *store_module.MIGRATIONS,
        "ALTER TABLE record ADD COLUMN a INTEGER; ALTER TABLE nothing ADD COLUMN b",
    ]
    monkeypatch.setattr(store_module, "MIGRATIONS", broken)
    with pytest.raises(StoreError, match="nothing"):
        Store(path)
    monkeypatch.undo()
    with Store(path) as store:
        assert store.version == len(store_module.MIGRATIONS)
        assert store.entries()[0].title == "old"


def test_a_store_of_a_later_version_is_left_alone(tmp_path: Path) -> None:
    path = tmp_path / "s.sqlite3"
    Store(path).close()
    with sqlite3.connect(path) as connection:
        connection.execute("PRAGMA user_version = 999")
    connection.close()
    with pytest.raises(StoreError, match="please upgrade"):
        Store(path)


def test_something_else_is_no_store(tmp_path: Path) -> None:
    path = tmp_path / "s.sqlite3"
    path.write_bytes(b"this is not a database" * 100)
    with pytest.raises(StoreError, match="not a database"):
        Store(path)
    assert path.read_bytes().startswith(b"this is not")
    with pytest.raises(StoreError, match="cannot open"):
        Store(path / "below" / "a" / "file.sqlite3")


WRITER = """
import sys
from tengen import Position, Record, Store
record = Record.from_position(Position(moves="J10 J9K11"))
with Store(sys.argv[1]) as store:
    for number in range(int(sys.argv[2])):
        store.add(record, f"{sys.argv[3]} {number}")
        print(number, flush=True)
"""


def start_writer(path: Path, count: int, name: str) -> subprocess.Popen[str]:
    return subprocess.Popen(
        [sys.executable, "-c", WRITER, str(path), str(count), name],
        stdout=subprocess.PIPE,
        text=True,
        env=os.environ,
    )


def test_two_processes_lose_nothing(tmp_path: Path) -> None:
    path = tmp_path / "s.sqlite3"
    writers = [start_writer(path, 40, name) for name in ("one", "two")]
    for writer in writers:
        writer.communicate(timeout=120)
        assert writer.returncode == 0
    with Store(path) as store:
        titles = {entry.title for entry in store.entries()}
    assert titles == {f"{name} {number}" for name in ("one", "two") for number in range(40)}


def test_many_may_make_the_store_at_once(tmp_path: Path) -> None:
    barrier = threading.Barrier(8)

    def make(number: int) -> int:
        barrier.wait()
        with Store(tmp_path / f"{number // 8}.sqlite3") as store:
            return store.add(game(), "x")

    with ThreadPoolExecutor(8) as pool:
        list(pool.map(make, range(80)))
    for number in range(10):
        with Store(tmp_path / f"{number}.sqlite3") as store:
            assert len(store.entries()) == 8


def test_a_killed_writer_leaves_what_it_had_finished(tmp_path: Path) -> None:
    path = tmp_path / "s.sqlite3"
    for attempt in range(3):
        writer = start_writer(path, 100_000, f"run{attempt}")
        assert writer.stdout is not None
        confirmed = -1
        for line in writer.stdout:
            confirmed = int(line)
            if confirmed >= 5 + attempt:
                break
        time.sleep(0.01 * attempt)
        writer.send_signal(signal.SIGKILL)
        writer.wait()
        writer.stdout.close()
        with Store(path) as store:
            titles = {entry.title for entry in store.entries()}
            assert {f"run{attempt} {n}" for n in range(confirmed + 1)} <= titles
            with store.transaction() as connection:
                assert connection.execute("PRAGMA integrity_check").fetchone() == ("ok",)


def test_reading_waits_for_no_writer(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(store_module, "BUSY_SECONDS", 0)
    path = tmp_path / "s.sqlite3"
    with Store(path) as writer, Store(path) as reader:
        writer.add(game(), "there")
        with writer.transaction() as connection:
            connection.execute("DELETE FROM record")
            with reader.reading() as other:
                assert other.execute("SELECT title FROM record").fetchall() == [("there",)]
            assert Shelf(reader).attempts() == []
            assert Shelf(reader).own_puzzles() == []


def test_a_full_disk_is_told_as_such_and_leaves_no_transaction(tmp_path: Path) -> None:
    with Store(tmp_path / "s.sqlite3") as store:
        with store.reading() as connection:
            (pages,) = connection.execute("PRAGMA page_count").fetchone()
            connection.execute(f"PRAGMA max_page_count = {pages}")
        with pytest.raises(StoreError, match="full"):
            store.add(game(), "long" * 100_000)
        store.add(game(), "short")


def test_a_commit_that_fails_leaves_no_transaction(tmp_path: Path) -> None:
    def add_operation_on_nothing() -> None:
        with store.transaction() as connection:
            connection.execute("PRAGMA defer_foreign_keys = ON")
            connection.execute("INSERT INTO operation (document, revision, content) VALUES ('none', 1, '')")

    with Store(tmp_path / "s.sqlite3") as store:
        with pytest.raises(StoreError, match="FOREIGN KEY"):
            add_operation_on_nothing()
        store.add(game(), "after it")


@posix_only
def test_other_users_cannot_read_the_store(own_data_folder: Path) -> None:
    with Store() as store:
        store.add(Record())
        modes = {path.name: stat.S_IMODE(path.stat().st_mode) for path in own_data_folder.iterdir()}
        assert stat.S_IMODE(own_data_folder.stat().st_mode) == 0o700
        assert len(modes) == 3  # SQLite keeps two files beside it
        assert set(modes.values()) == {0o600}, modes


@posix_only
def test_a_store_that_others_can_read_is_closed_to_them(own_data_folder: Path) -> None:
    own_data_folder.mkdir(mode=0o755)
    Store().close()
    path = own_data_folder / "tengen.sqlite3"
    with Store() as store:
        store.add(Record())
        files = list(own_data_folder.iterdir())
        for file in files:
            file.chmod(0o644)
        own_data_folder.chmod(0o755)
        with Store():
            assert {stat.S_IMODE(file.stat().st_mode) for file in files} == {0o600}
            assert stat.S_IMODE(own_data_folder.stat().st_mode) == 0o700
    assert path.exists()


@posix_only
def test_the_folder_of_a_store_elsewhere_keeps_its_permissions(tmp_path: Path) -> None:
    shared = tmp_path / "shared"
    shared.mkdir()
    shared.chmod(0o755)
    with Store(shared / "store"):
        assert stat.S_IMODE(shared.stat().st_mode) == 0o755
        assert stat.S_IMODE((shared / "store").stat().st_mode) == 0o600


@posix_only
def test_a_shared_folder_named_as_data_folder_stays_shared(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """As TENGEN_DATA=/tmp: others would be locked out of a folder that is theirs as well."""
    tmp_path.chmod(0o1777)
    monkeypatch.setenv("TENGEN_DATA", str(tmp_path))
    Store().close()
    assert stat.S_IMODE(tmp_path.stat().st_mode) == 0o1777


@posix_only
@pytest.mark.parametrize("name", ["searches", "arena/one", "openings"])
def test_a_folder_in_the_data_folder_closes_that_to_others(own_data_folder: Path, name: str) -> None:
    make_folder(own_data_folder / name)
    assert stat.S_IMODE(own_data_folder.stat().st_mode) == 0o700
