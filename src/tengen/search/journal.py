"""The journal of a search: every result as it came in, one line of JSON each. Read again, it makes the same tree.

A client that is killed has lost nothing but the jobs that were on their way. A line that was cut short is no line.
"""

from __future__ import annotations

import json
import os
from collections import deque
from collections.abc import Iterator
from pathlib import Path
from types import TracebackType
from typing import Any, BinaryIO

from tengen.game import Colour, Position, TengenError
from tengen.grid.file_lock import lock_file
from tengen.record import data_folder, make_folder
from tengen.record.files import named_when_full

_VERSION = 1
_MAGIC = "tengen-journal"
_STEP = 1 << 16


class JournalError(TengenError):
    """A file is no journal, or belongs to another search."""


class JournalInUseError(JournalError):
    """Another search is writing the journal."""


class Journal:
    """A journal that is open for reading and writing.

    Args:
        path: the file.
        about: what the search is about: the first line. A journal that is there already must be about the same; a
            `root` is the same if it is an equal position, however its stones came there.
        resume: whether to go on with what is there; else there must be no results.

    Raises:
        JournalInUseError: if another search is writing it.
        JournalError: if the file is no journal, is about something else, or is there although it should not be.
        OSError: if it cannot be read or written.
    """

    def __init__(self, path: str | Path, about: dict[str, Any], *, resume: bool = False) -> None:
        self.path = Path(path)
        self._file: BinaryIO = self.path.open("a+b")
        try:
            self._lock()
            self._start(about)
            if not resume and self.is_begun:
                raise JournalError(f"{path} is there already: resume it, or take another name")
        except BaseException:
            self.close()
            raise

    @classmethod
    def of_proof(
        cls, position: Position, attacker: Colour, path: str | Path | None = None, *, resume: bool = False
    ) -> Journal:
        """The journal of a search that is to prove who wins; it is among the user's searches unless a path is given.

        Raises:
            JournalError: as for any journal.
            OSError: if it cannot be read or written.
        """
        if path is None:
            path = searches_folder() / f"{position.key:016x}-{attacker}.journal"
        return cls(path, {"root": str(position), "attacker": str(attacker)}, resume=resume)

    def _lock(self) -> None:
        try:
            lock_file(self._file.fileno())
        except BlockingIOError:
            raise JournalInUseError(
                f"{self.path} is in use: another search is writing it; wait for its end, or take another name"
            ) from None

    def _start(self, about: dict[str, Any]) -> None:
        # Nothing is cut off before the first line has shown that the file is ours.
        head = {_MAGIC: _VERSION, **about}
        self._file.seek(0)
        begun = self._file.readline()
        if not begun.endswith(b"\n"):
            if not _as_line(head).startswith(begun):
                raise _no_journal(self.path)
            self._file.truncate(0)
            self.append(head)
            return
        _, found = next(_entries(self._file, self.path))
        names = sorted({*head, *found})
        if different := [name for name in names if not _is_same(name, head.get(name), found.get(name))]:
            raise JournalError(f"{self.path} is the journal of another search, with another {', '.join(different)}")
        self._cut_after_last_line()

    @property
    def is_begun(self) -> bool:
        """Whether it has more than its first line."""
        return next(self.entries(), None) is not None

    def append(self, entry: dict[str, Any]) -> int:
        """Adds an entry; returns where it stands. It is with the operating system when this returns."""
        with named_when_full(self.path):
            where = self._file.seek(0, os.SEEK_END)
            self._file.write(_as_line(entry))
            self._file.flush()
        return where

    def entries(self) -> Iterator[tuple[int, dict[str, Any]]]:
        """All entries but the first line, with where they stand.

        Raises:
            JournalError: if a line is damaged.
        """
        entries = _entries(self._file, self.path)
        next(entries, None)
        return entries

    def named(self, name: str) -> Iterator[dict[str, Any]]:
        """The entries that begin with a certain name, such as `checkpoint` or `liar`; the others are not even read.

        Raises:
            JournalError: if one of them is damaged.
        """
        return (_read_entry(line, self.path, where) for where, line in self._lines_named(name))

    def last(self, name: str) -> Any:
        """What the last entry that begins with a certain name has there, such as `checkpoint`; None if there is none.

        Raises:
            JournalError: if it is damaged.
        """
        for where, line in deque(self._lines_named(name), maxlen=1):
            return _read_entry(line, self.path, where)[name]
        return None

    def at(self, where: int) -> dict[str, Any]:
        """Return the entry at an offset.

        Raises:
            JournalError: if it is damaged.
        """
        self._file.seek(where)
        return _read_entry(self._file.readline(), self.path, where)

    def close(self) -> None:
        """Makes sure that all is on the disk, and closes the file."""
        if not self._file.closed:
            with named_when_full(self.path):  # what did not fit is tried once more
                os.fsync(self._file.fileno())
                self._file.close()

    def __enter__(self) -> Journal:
        return self

    def __exit__(self, *_: type[BaseException] | BaseException | TracebackType | None) -> None:
        self.close()

    def _lines_named(self, name: str) -> Iterator[tuple[int, bytes]]:
        begins = _as_line({name: 0}).partition(b"0")[0]
        return ((where, line) for where, line in _lines(self._file) if line.startswith(begins))

    def _cut_after_last_line(self) -> None:
        start, last = self._file.seek(0, os.SEEK_END), -1
        while last < 0:
            end, start = start, max(0, start - _STEP)
            self._file.seek(start)
            last = self._file.read(end - start).rfind(b"\n")
        self._file.truncate(start + last + 1)


def searches_folder() -> Path:
    """Where the user's data has what searches keep; it is made if it is not there.

    Raises:
        OSError: if it cannot be made.
    """
    folder = data_folder() / "searches"
    make_folder(folder)
    return folder


def about(path: str | Path) -> dict[str, Any]:
    """What the search of a journal is about.

    Raises:
        JournalError: if the file is no journal.
        OSError: if it cannot be read.
    """
    with Path(path).open("rb") as file:
        for _, head in _entries(file, Path(path)):
            return {name: value for name, value in head.items() if name != _MAGIC}
    raise _no_journal(Path(path))


def read_entries(path: str | Path) -> Iterator[dict[str, Any]]:
    """The entries of a journal that somebody else may be writing.

    Raises:
        JournalError: if the file is no journal.
        OSError: if it cannot be read.
    """
    with Path(path).open("rb") as file:
        entries = _entries(file, Path(path))
        next(entries, None)
        for _, entry in entries:
            yield entry


def _lines(file: BinaryIO) -> Iterator[tuple[int, bytes]]:
    where = 0
    while True:
        file.seek(where)  # others may read or write at other places meanwhile
        line = file.readline()
        if not line.endswith(b"\n"):
            return
        yield where, line
        where += len(line)


def _entries(file: BinaryIO, path: Path) -> Iterator[tuple[int, dict[str, Any]]]:
    for where, line in _lines(file):
        entry = _read_entry(line, path, where)
        if where == 0 and entry.get(_MAGIC) != _VERSION:
            raise _no_journal(path)
        yield where, entry


def _read_entry(line: bytes, path: Path, where: int) -> dict[str, Any]:
    try:
        entry = json.loads(line)
    except (ValueError, RecursionError) as error:
        if where == 0:
            raise _no_journal(path) from error
        raise JournalError(f"{path}, at byte {where}: a line is damaged: {error}") from error
    if not isinstance(entry, dict):
        raise _no_journal(path)
    return entry


def _is_same(name: str, one: object, other: object) -> bool:
    """Whether two journals agree in something that they are about."""
    if one == other:
        return True
    if name != "root" or not isinstance(one, str) or not isinstance(other, str):
        return False
    try:
        return Position.parse(one) == Position.parse(other)
    except TengenError:
        return False


def damaged_entry(path: Path, reason: str) -> JournalError:
    """Return the error for a journal with an entry that is JSON, but not what a search writes."""
    return JournalError(f"{path}: an entry is damaged: {reason}")


def _as_line(entry: dict[str, Any]) -> bytes:
    return json.dumps(entry, ensure_ascii=False, separators=(",", ":")).encode() + b"\n"


def _no_journal(path: Path) -> JournalError:
    return JournalError(f"{path} is no journal of this version of Tengen")
