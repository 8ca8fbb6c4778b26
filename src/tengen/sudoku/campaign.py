"""A campaign: every grid of a file is checked by many machines, none of which is trusted.

A job has a hundred grids. There is no short proof that a grid has no puzzle, so a random share of the grids of every
job is recomputed on this machine, whichever worker sent the result. With `compare` two workers of different owners run
every job as well, and their results must agree; with `sample` one worker does. Where results differ, the grids in
question are recomputed, which shows which worker was wrong: all its results are discarded, and jobs that were decided
by it alone run again. Puzzles that are found are always checked by the solver.

Workers may collude, so the report states what recomputing alone shows: see `Assurance`.
"""

from __future__ import annotations

import hashlib
import json
import math
import random
import re
import sqlite3
from collections.abc import Iterator
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import Any, Literal

from tengen.record.store import Store
from tengen.sudoku.check import check
from tengen.sudoku.grid import Grid, Puzzle, SudokuError
from tengen.sudoku.jobs import answer

GRIDS_A_JOB = 100
Trust = Literal["compare", "sample"]
RECOMPUTED_SHARE: dict[Trust, float] = {"compare": 0.01, "sample": 0.05}
"""Share of the grids of each job that is recomputed on this machine by default; at least one grid."""
CONFIDENCE = 0.95


@dataclass(frozen=True)
class Assurance:
    """What the recomputed grids show about the others, if all workers collude."""

    recomputed: int
    """Number of grids in finished jobs that were recomputed on this machine, each chosen at random."""

    @property
    def largest_wrong_share(self) -> float:
        """Largest share of wrong grids that recomputing would have missed with a probability of at least 5 %."""
        return 1.0 if not self.recomputed else 1 - (1 - CONFIDENCE) ** (1 / self.recomputed)

    def residual_probability(self, wrong_share: float) -> float:
        """Return the probability that recomputing has missed every wrong grid, if this share is wrong."""
        return float((1 - wrong_share) ** self.recomputed)

    def as_json(self) -> dict[str, Any]:
        """Return the figures of a report."""
        return {
            "recomputed": self.recomputed,
            "largest_wrong_share": self.largest_wrong_share,
            "residual_probability": {str(share): self.residual_probability(share) for share in (0.1, 0.01, 0.001)},
        }


@dataclass(frozen=True)
class CampaignState:
    """How far a campaign is, as a plain object for screens and pages."""

    name: str
    clues: int
    file: str
    grids: int
    grids_done: int
    jobs: int
    jobs_done: int
    puzzles: list[dict[str, str]]
    """The last ones found: `grid` and `puzzle`."""
    puzzle_count: int
    liars: dict[str, str]
    trust: str
    seconds: float
    """Work of the workers on what is done, counting each grid once."""
    recomputed: int = 0
    """Number of grids in finished jobs that were recomputed on this machine."""

    @property
    def assurance(self) -> Assurance:
        """What recomputing shows about the other grids."""
        return Assurance(self.recomputed)

    @property
    def is_done(self) -> bool:
        """Whether every grid is checked."""
        return self.jobs_done == self.jobs

    def as_json(self) -> dict[str, Any]:
        """For people who read JSON."""
        return {**asdict(self), "done": self.is_done, "assurance": self.assurance.as_json()}


@dataclass
class _Job:
    answers: dict[str, list[dict[str, Any]]] = field(default_factory=dict)
    """By worker, until the job is settled."""
    seconds: float = 0.0


class Campaign:
    """A campaign in the user's store. Every change is one transaction, so a killed client loses nothing that was told.

    Raises:
        SudokuError: if there is no campaign of that name, or its file is not what it was.
        OSError: if the file cannot be read.
        StoreError: if the store cannot be used.
    """

    def __init__(self, store: Store, name: str) -> None:
        self._store, self.name = store, name
        with store.reading() as connection:
            row = connection.execute("SELECT settings FROM campaign WHERE name = ?", (name,)).fetchone()
        if row is None:
            raise SudokuError(f"there is no campaign {name!r}")
        settings = json.loads(row[0])
        self.clues: int = settings["clues"]
        self.trust: Trust = settings["trust"]
        self.file = Path(settings["file"])
        self.grids_a_job: int = settings["grids_a_job"]
        self.recomputed_share: float = settings.get("recomputed_share", RECOMPUTED_SHARE[self.trust])
        self._is_recomputed = "recomputed_share" in settings
        """Whether all jobs were partly recomputed; nothing is claimed of campaigns that older versions began."""
        self._starts, digest = _index(self.file, self.grids_a_job)
        if digest != settings["digest"]:
            raise SudokuError(f"{self.file} has changed since the campaign {name!r} began")
        self.grids: int = settings["grids"]
        self._rng = random.SystemRandom()
        self.reload()

    @classmethod
    def create(
        cls,
        store: Store,
        name: str,
        file: str | Path,
        clues: int,
        *,
        trust: Trust = "compare",
        grids_a_job: int = GRIDS_A_JOB,
        recomputed_share: float | None = None,
    ) -> Campaign:
        """Begins a campaign over the grids of a file, one a line.

        Raises:
            SudokuError: if the name is taken, a line is no grid, or the number of clues makes no sense.
            OSError: if the file cannot be read.
            StoreError: if the store cannot be used.
        """
        if not 1 <= clues <= 81:
            raise SudokuError(f"a puzzle has 1 to 81 clues, not {clues}")
        share = RECOMPUTED_SHARE[trust] if recomputed_share is None else recomputed_share
        if not 0 < share <= 1:
            raise SudokuError(f"invalid share of grids to recompute {share} (expected more than 0, at most 1)")
        path = Path(file).resolve()
        grids = 0
        for number, line in enumerate(_lines(path), 1):
            try:
                Grid(line)
            except SudokuError as error:
                raise SudokuError(f"{file}, grid {number}: {error}") from error
            grids += 1
        if not grids:
            raise SudokuError(f"{file} has no grids")
        _, digest = _index(path, grids_a_job)
        settings = {
            "clues": clues,
            "trust": trust,
            "file": str(path),
            "grids_a_job": grids_a_job,
            "grids": grids,
            "digest": digest,
            "recomputed_share": share,
        }
        with store.transaction() as connection:
            if connection.execute("SELECT 1 FROM campaign WHERE name = ?", (name,)).fetchone():
                raise SudokuError(f"there is a campaign {name!r} already: resume it, or take another name")
            connection.execute("INSERT INTO campaign (name, settings) VALUES (?, ?)", (name, json.dumps(settings)))
        return cls(store, name)

    def reload(self) -> None:
        """Takes over what the store knows now: another process may have gone on.

        Raises:
            StoreError: if the store cannot be used.
        """
        self._jobs: dict[int, _Job] = {}
        self.liars: dict[str, str] = {}
        with self._store.reading() as connection:
            query = "SELECT job, worker, content, seconds FROM campaign_answer WHERE campaign = ?"
            for job, worker, content, seconds in connection.execute(query, (self.name,)):
                self._jobs.setdefault(job, _Job(seconds=seconds)).answers[worker] = json.loads(content)
            query = "SELECT job, grids FROM campaign_job WHERE campaign = ?"
            settled = dict(connection.execute(query, (self.name,)))
            self._settled, self.grids_done = set(settled), sum(settled.values())
            query = "SELECT worker, reason FROM campaign_liar WHERE campaign = ?"
            self.liars.update(connection.execute(query, (self.name,)))

    @property
    def jobs(self) -> int:
        """How many jobs there are, numbered from 0."""
        return len(self._starts)

    @property
    def is_done(self) -> bool:
        """Whether every grid is checked."""
        return len(self._settled) == self.jobs

    def open_jobs(self) -> Iterator[int]:
        """The jobs that are not settled."""
        return (job for job in range(self.jobs) if job not in self._settled)

    def is_settled(self, job: int) -> bool:
        """Whether all is known about the grids of a job."""
        return job in self._settled

    def answered_by(self, job: int) -> set[str]:
        """The workers whose answers about an open job are waiting for another."""
        return set(self._jobs[job].answers) if job in self._jobs else set()

    def waiting(self) -> list[int]:
        """The open jobs that one worker has answered and another is to answer too."""
        return [job for job, record in self._jobs.items() if record.answers]

    def grids_of(self, job: int) -> list[str]:
        """The grids of a job."""
        with self.file.open("rb") as file:
            file.seek(self._starts[job])
            lines = (line.strip() for line in file)
            return [line.decode() for line, _ in zip(filter(None, lines), range(self.grids_a_job), strict=False)]

    def arguments(self, job: int) -> dict[str, Any]:
        """What the handler `sudoku` is to be given."""
        return {"grids": self.grids_of(job), "clues": self.clues}

    def take(self, job: int, worker: str, result: Any, seconds: float) -> str | None:
        """Takes the answer of a worker; returns why it is not believed, if it is not.

        Raises:
            StoreError: if the store cannot be used.
        """
        if job in self._settled or worker in self.liars:
            return self.liars.get(worker)
        grids = self.grids_of(job)
        reason = self._why_not(grids, result)
        if reason is not None:
            self._distrust(worker, reason)
            return reason
        record = self._jobs.setdefault(job, _Job())
        record.answers[worker] = result["checked"]
        record.seconds = seconds
        if self.trust == "compare":
            return self._compare(job, grids, worker)
        return self._recompute_and_settle(job, grids, worker)

    def recomputed_grids(self, grids: int) -> int:
        """Number of grids to recompute in a job of this many."""
        return min(grids, max(1, math.ceil(self.recomputed_share * grids)))

    def _recompute_and_settle(self, job: int, grids: list[str], worker: str) -> str | None:
        """Recompute a random choice of grids, and finish the job if all of them agree with the result."""
        answers = self._jobs[job].answers
        reason = None
        for number in self._rng.sample(range(len(grids)), self.recomputed_grids(len(grids))):
            truth = self._truth(grids[number])
            for name in [name for name, checked in answers.items() if checked[number] != truth]:
                reason = self._caught(job, name, grids[number])
            if worker in self.liars:
                return reason
        if answers:
            self._settle(job, grids, answers[worker], set(answers))
        return reason

    def _compare(self, job: int, grids: list[str], worker: str) -> str | None:
        record = self._jobs[job]
        others = [name for name in record.answers if name != worker]
        if not others:
            self._keep(job, worker)
            return None
        mine, theirs = record.answers[worker], record.answers[others[0]]
        for number, grid in enumerate(grids):
            if mine[number] != theirs[number]:
                truth = self._truth(grid)
                for name in (others[0], worker):
                    if record.answers[name][number] != truth:
                        self._caught(job, name, grid)
                return self.liars.get(worker)
        return self._recompute_and_settle(job, grids, worker)

    def _caught(self, job: int, worker: str, grid: str) -> str:
        reason = f"its answer about {grid} in job {job} is wrong"
        self._distrust(worker, reason)
        return reason

    def _truth(self, grid: str) -> dict[str, Any]:
        found = check(Grid(grid), self.clues)
        return answer(found.puzzles, found.certificate)

    def _why_not(self, grids: list[str], result: Any) -> str | None:
        """Why an answer cannot be believed whoever gives it."""
        checked = result.get("checked") if isinstance(result, dict) else None
        if not isinstance(checked, list) or len(checked) != len(grids):
            return "its answer has not the shape it should have"
        for grid, said in zip(grids, checked, strict=True):
            if not _has_shape(said):
                return "its answer has not the shape it should have"
            for text in said["puzzles"]:
                try:
                    puzzle = Puzzle(text)
                except SudokuError:
                    return f"{text!r} is no puzzle"
                if len(puzzle.clues) != self.clues or [str(found) for found in puzzle.solutions()] != [grid]:
                    return f"{puzzle} is no puzzle of {grid}"
        return None

    def _keep(self, job: int, worker: str) -> None:
        record = self._jobs[job]
        with self._store.transaction() as connection:
            connection.execute(
                "INSERT OR REPLACE INTO campaign_answer VALUES (?, ?, ?, ?, ?)",
                (self.name, job, worker, json.dumps(record.answers[worker]), record.seconds),
            )

    def _settle(self, job: int, grids: list[str], checked: list[dict[str, Any]], workers: set[str]) -> None:
        digest = hashlib.sha256("".join(said["certificate"] for said in checked).encode()).hexdigest()
        seconds = self._jobs[job].seconds
        with self._store.transaction() as connection:
            connection.execute(
                "INSERT INTO campaign_job VALUES (?, ?, ?, ?, ?, ?)",
                (self.name, job, len(grids), digest, " ".join(sorted(workers)), seconds),
            )
            connection.executemany(
                "INSERT INTO campaign_puzzle VALUES (?, ?, ?, ?)",
                [
                    (self.name, job, grid, puzzle)
                    for grid, said in zip(grids, checked, strict=True)
                    for puzzle in said["puzzles"]
                ],
            )
            connection.execute("DELETE FROM campaign_answer WHERE campaign = ? AND job = ?", (self.name, job))
        self._settled.add(job)
        self.grids_done += len(grids)
        del self._jobs[job]

    def _distrust(self, worker: str, reason: str) -> None:
        self.liars[worker] = reason
        with self._store.transaction() as connection:
            connection.execute("INSERT OR REPLACE INTO campaign_liar VALUES (?, ?, ?)", (self.name, worker, reason))
            connection.execute("DELETE FROM campaign_answer WHERE campaign = ? AND worker = ?", (self.name, worker))
            reopened = self._reopen(connection)
        for record in self._jobs.values():
            record.answers.pop(worker, None)
        self._settled.difference_update(reopened)
        self.grids_done -= sum(reopened.values())

    def _reopen(self, connection: sqlite3.Connection) -> dict[int, int]:
        """Takes back the jobs of which only liars said how they end; returns how many grids each has."""
        query = "SELECT job, grids, workers FROM campaign_job WHERE campaign = ?"
        rows = connection.execute(query, (self.name,)).fetchall()
        reopened = {job: grids for job, grids, workers in rows if self.liars.keys() >= set(workers.split())}
        for table in ("campaign_job", "campaign_puzzle"):
            connection.executemany(
                f"DELETE FROM {table} WHERE campaign = ? AND job = ?", [(self.name, job) for job in reopened]
            )
        return reopened

    def keep_checkpoint(self, checkpoint: Any) -> None:
        """Keeps what the job system needs to go on later."""
        with self._store.transaction() as connection:
            connection.execute("UPDATE campaign SET checkpoint = ? WHERE name = ?", (json.dumps(checkpoint), self.name))

    def checkpoint(self) -> Any:
        """What was kept last, or None."""
        with self._store.reading() as connection:
            row = connection.execute("SELECT checkpoint FROM campaign WHERE name = ?", (self.name,)).fetchone()
        return None if row[0] is None else json.loads(row[0])

    def puzzles(self) -> list[tuple[str, str]]:
        """All puzzles found: grid and puzzle."""
        with self._store.reading() as connection:
            query = "SELECT grid, puzzle FROM campaign_puzzle WHERE campaign = ? ORDER BY job, rowid"
            return connection.execute(query, (self.name,)).fetchall()

    def state(self, shown: int = 20) -> CampaignState:
        """How far it is, with the last so many puzzles.

        Raises:
            StoreError: if the store cannot be used.
        """
        with self._store.reading() as connection:
            (seconds,) = connection.execute(
                "SELECT COALESCE(SUM(seconds), 0) FROM campaign_job WHERE campaign = ?", (self.name,)
            ).fetchone()
            sizes = connection.execute("SELECT grids FROM campaign_job WHERE campaign = ?", (self.name,)).fetchall()
            (count,) = connection.execute(
                "SELECT COUNT(*) FROM campaign_puzzle WHERE campaign = ?", (self.name,)
            ).fetchone()
            last = connection.execute(
                "SELECT grid, puzzle FROM campaign_puzzle WHERE campaign = ? ORDER BY rowid DESC LIMIT ?",
                (self.name, shown),
            ).fetchall()
        return CampaignState(
            self.name,
            self.clues,
            str(self.file),
            self.grids,
            self.grids_done,
            self.jobs,
            len(self._settled),
            [{"grid": grid, "puzzle": puzzle} for grid, puzzle in last],
            count,
            dict(self.liars),
            self.trust,
            seconds,
            sum(self.recomputed_grids(grids) for (grids,) in sizes) if self._is_recomputed else 0,
        )


def campaigns(store: Store) -> list[str]:
    """The names of all campaigns in a store."""
    with store.reading() as connection:
        return [name for (name,) in connection.execute("SELECT name FROM campaign ORDER BY rowid")]


def _has_shape(said: Any) -> bool:
    """Whether this could be what the handler says of a grid; only of such an answer anything else is asked."""
    return (
        isinstance(said, dict)
        and set(said) == {"puzzles", "certificate"}
        and isinstance(said["certificate"], str)
        and re.fullmatch("[0-9a-f]{16}", said["certificate"]) is not None
        and isinstance(said["puzzles"], list)
        and all(isinstance(puzzle, str) for puzzle in said["puzzles"])
        and len(set(said["puzzles"])) == len(said["puzzles"])
    )


def _lines(path: Path) -> Iterator[str]:
    with path.open(encoding="ascii", errors="replace") as file:
        for line in file:
            if text := line.strip():
                yield text


def _index(path: Path, grids_a_job: int) -> tuple[list[int], str]:
    """Where each job begins, and a digest of the file."""
    starts: list[int] = []
    digest, where, number = hashlib.sha256(), 0, 0
    with path.open("rb") as file:
        for line in file:
            digest.update(line)
            if line.strip():
                if number % grids_a_job == 0:
                    starts.append(where)
                number += 1
            where += len(line)
    return starts, digest.hexdigest()
