"""The folder of a tournament: what was asked for, and every game that was played.

    tournament.json   the settings, and the openings that were made so far
    log.jsonl         one line a game, appended and on disk before the next is begun: this is what counts
    games.sgf         the same games for people and their programs

Whatever happens to the machine, a line is there or it is not; a torn last line is dropped when the folder is opened
again.
"""

from __future__ import annotations

import json
import os
from dataclasses import replace
from datetime import UTC, datetime
from pathlib import Path
from types import TracebackType
from typing import BinaryIO

from tengen.arena.game import Outcome
from tengen.arena.records import PlayedGame
from tengen.arena.settings import Fixture, Settings
from tengen.game import TengenError
from tengen.grid.file_lock import lock_file
from tengen.record import make_folder
from tengen.record.damage import DAMAGE
from tengen.record.files import named_when_full, replacing
from tengen.record.sgf import write_sgf

SETTINGS_FILE = "tournament.json"
LOG_FILE = "log.jsonl"
EARLIER_LOG_FILE = "games.jsonl"
"""What it was called in folders that are still to be read; it looked like a file of records."""
SGF_FILE = "games.sgf"


class LedgerError(TengenError):
    """The folder holds no tournament, or another one."""


def _read_settings(folder: Path) -> Settings:
    path = folder / SETTINGS_FILE
    if not path.exists():
        raise LedgerError(f"{folder}: there is no tournament in it")
    try:
        return Settings.from_json(json.loads(path.read_text(encoding="utf-8")))
    except DAMAGE as error:
        raise LedgerError(f"{path}: {error}") from error


def _log_file(folder: Path) -> Path:
    earlier = folder / EARLIER_LOG_FILE
    return earlier if earlier.exists() else folder / LOG_FILE


class Ledger:
    """The games of a tournament, in memory and on disk."""

    def __init__(self, folder: Path, settings: Settings) -> None:
        self.folder = folder
        self.settings = settings
        self.games: dict[int, PlayedGame] = {}
        """The games played, by their numbers."""
        self._log: BinaryIO | None = None
        self._sgf: BinaryIO | None = None

    @classmethod
    def read(cls, folder: str | os.PathLike[str]) -> Ledger:
        """What a folder holds; nothing in it is changed.

        Raises:
            LedgerError: if it holds no tournament.
            OSError: if it cannot be read.
        """
        folder = Path(folder)
        ledger = cls(folder, _read_settings(folder))
        ledger._load()
        return ledger

    @classmethod
    def open(cls, folder: str | os.PathLike[str], settings: Settings | None = None) -> Ledger:
        """A folder to add games to, a new one or one to go on with; to be closed in the end.

        Raises:
            LedgerError: if it holds another tournament, or none and no settings are given, or somebody else is at it.
            OSError: if it cannot be read or written.
        """
        folder = Path(folder)
        if settings is not None and not (folder / SETTINGS_FILE).exists():
            make_folder(folder)
            if (log := _log_file(folder)).exists() and log.stat().st_size:
                raise LedgerError(f"{folder}: there are games in it, but no tournament they belong to")
        else:
            kept = _read_settings(folder)
            if settings is not None and (difference := settings.difference(kept)):
                raise LedgerError(f"{folder} holds another tournament: {difference}. Take another folder")
            settings = settings or kept
        ledger = cls(folder, settings)
        ledger._begin()
        return ledger

    def __enter__(self) -> Ledger:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    def close(self) -> None:
        """Lets go of the files."""
        for file in (self._log, self._sgf):
            if file is not None:
                with named_when_full(self.folder):  # what did not fit is tried once more
                    file.close()
        self._log = self._sgf = None

    def pending(self) -> list[Fixture]:
        """The games of the schedule that are still to be played."""
        return [fixture for fixture in self.settings.schedule() if fixture.number not in self.games]

    def add(self, fixture: Fixture, outcome: Outcome) -> PlayedGame:
        """Keeps a game; it is on disk when this returns.

        Raises:
            LedgerError: if the game was played already.
            OSError: if it cannot be written.
        """
        assert self._log is not None
        assert self._sgf is not None
        if fixture.number in self.games:
            raise LedgerError(f"game {fixture.number} was played already")
        played = PlayedGame(fixture, outcome, datetime.now(UTC))
        line = json.dumps(played.as_json(self.settings), ensure_ascii=False, separators=(",", ":"))
        with named_when_full(_log_file(self.folder)):
            self._log.write(line.encode("utf-8", "replace") + b"\n")
            self._log.flush()
            os.fsync(self._log.fileno())
        self.games[fixture.number] = played
        with named_when_full(self.folder / SGF_FILE):
            self._sgf.write(write_sgf(played.record(self.settings)).encode("utf-8", "replace"))
            self._sgf.flush()
        return played

    def add_opening(self, opening: str | None) -> None:
        """Keeps an opening that was made, or that there are no more to be made; on disk when this returns.

        Raises:
            OSError: if it cannot be written.
        """
        settings = self.settings
        assert settings.suite is not None
        if opening is None:
            self.settings = replace(settings, suite=replace(settings.suite, most=len(settings.openings)))
        else:
            self.settings = replace(settings, openings=(*settings.openings, opening))
        self._write_settings()

    def _begin(self) -> None:
        path = _log_file(self.folder)
        self._log = path.open("ab")
        try:
            self._lock(self._log)
            # Only now nobody else can add to it, or change the settings.
            if (self.folder / SETTINGS_FILE).exists():
                self.settings = self.settings.going_on(_read_settings(self.folder))
            self._log.truncate(self._load())
            self._write_settings()
            if not self._sgf_is_whole():
                self._rewrite_sgf()
            self._sgf = (self.folder / SGF_FILE).open("ab")
        except BaseException:
            self.close()
            raise

    def _lock(self, file: BinaryIO) -> None:
        try:
            lock_file(file.fileno())
        except BlockingIOError:
            raise LedgerError(f"{self.folder}: this tournament is being played already") from None

    def _load(self) -> int:
        """Reads the log; returns the length of what is whole."""
        path = _log_file(self.folder)
        self.games.clear()
        if not path.exists():
            return 0
        schedule = {fixture.number: fixture for fixture in self.settings.schedule()}
        data = path.read_bytes()
        whole = 0
        for number, line in enumerate(data.splitlines(keepends=True), 1):
            if not line.endswith(b"\n"):
                break  # torn: the machine stopped while it was written
            try:
                played = PlayedGame.from_json(json.loads(line), self.settings, schedule)
            except DAMAGE as error:
                # A last line that is not JSON was cut off; valid JSON with wrong content was not, and is kept.
                if whole + len(line) == len(data) and not isinstance(error, TengenError):
                    break
                raise LedgerError(f"{path}, line {number}: {error}") from error
            self.games[played.fixture.number] = played
            whole += len(line)
        return whole

    def _write_settings(self) -> None:
        with replacing(self.folder / SETTINGS_FILE) as file:
            file.write(json.dumps(self.settings.as_json(), ensure_ascii=False, indent=1).encode() + b"\n")

    def _sgf_is_whole(self) -> bool:
        path = self.folder / SGF_FILE
        data = b"\n" + path.read_bytes() if path.exists() else b""
        return data.count(b"\n(;FF[4]") == len(self.games) and data.endswith(b")\n")

    def _rewrite_sgf(self) -> None:
        with replacing(self.folder / SGF_FILE) as file:
            for played in self.games.values():
                file.write(write_sgf(played.record(self.settings)).encode("utf-8", "replace"))
