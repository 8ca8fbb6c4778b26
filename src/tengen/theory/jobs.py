"""The search for tilings on a grid: what a job does, and who hands the jobs out and keeps what they find."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import asdict
from typing import cast

from tengen.game import TengenError
from tengen.grid import EventKind, JobSystem
from tengen.grid.handlers import Task
from tengen.grid.jobs import Json
from tengen.search import Journal
from tengen.theory.tile_search import NODES, Family, Findings, holds

TILINGS_A_JOB = 500


def tilings(arguments: Json, task: Task) -> Json:
    """Job `tilings`: tries the tilings of a family from number `first` up to `end`, with `nodes` for each.

    Raises:
        TengenError: if the arguments make no sense.
    """
    family, (first, end, nodes) = _family(arguments.get("family")), _numbers(arguments)
    found = Findings()
    settled: dict[tuple[tuple[int, ...], ...], bool | None] = {}  # tilings may differ and have the same lines
    for number in range(first, end):
        if task.is_aborted:
            break
        found.tried += 1
        tiling = family.tiling(number)
        if tiling is None:
            continue
        found.covering += 1
        lines = tiling.board.lines
        if lines not in settled:
            settled[lines] = holds(tiling, family.p, nodes)
        if settled[lines] is not False:
            (found.unknown if settled[lines] is None else found.held).append(number)
        task.progress({"tried": found.tried, "covering": found.covering, "held": len(found.held)})
    return {"first": first, **found.as_json()}


def _family(told: object) -> Family:
    if not isinstance(told, dict) or not isinstance(told.get("heights"), list):
        raise TengenError("a job needs a family of tilings")
    numbers = {name: value for name, value in told.items() if name != "heights"}
    if any(type(number) is not int for number in (*numbers.values(), *told["heights"])):
        raise TengenError("a family of tilings is told by whole numbers")
    try:
        return Family(**numbers, heights=tuple(told["heights"]))
    except TypeError as error:
        raise TengenError(f"a job needs a family of tilings: {error}") from None


def _numbers(arguments: Json) -> list[int]:
    told = [arguments.get("first"), arguments.get("end"), arguments.get("nodes", NODES)]
    numbers = [number for number in told if type(number) is int and 0 <= number < 1 << 62]
    if len(numbers) < len(told):
        raise TengenError("a job needs whole numbers: first, end and, if it likes, nodes")
    return numbers


class TileSearch:
    """Hands out the tilings of a family in slices. What has come back is in the journal, and is not asked for again.

    Raises:
        TengenError: if a result in the journal makes no sense.
    """

    def __init__(self, family: Family, system: JobSystem, journal: Journal, *, nodes: int = NODES) -> None:
        self.family, self.nodes = family, nodes
        self.findings = Findings()
        self._system, self._journal = system, journal
        self._done: set[int] = set()
        self._running: dict[str, int] = {}
        for _, entry in journal.entries():
            self._take(entry)

    @staticmethod
    def about(family: Family) -> dict[str, object]:
        """The first line of its journal."""
        return {"search": "tilings", **asdict(family), "heights": list(family.heights)}

    @property
    def is_finished(self) -> bool:
        """Whether all tilings have been tried."""
        return self.findings.tried >= self.family.size

    def run(self, wants_more: Callable[[], bool], tell: Callable[[], object] | None = None) -> None:
        """Searches until all is tried or nobody wants more. Slices on their way are then given up.

        Raises:
            TengenError: if a job fails, or its result makes no sense.
        """
        slices = self._slices()
        first = next(slices, None)
        while (first is not None or self._running) and wants_more():
            while first is not None and self._system.free() > 0:
                self._running[self._submit(first)] = first
                first = next(slices, None)
            event = self._system.next_event(0.25)
            if event is not None and event.job in self._running:
                asked = self._running.pop(event.job)
                if event.kind is EventKind.FAILED or event.result is None:
                    raise TengenError(f"a job failed: {event.message}")
                found = dict(event.result)
                if found.get("first") != asked:
                    raise _senseless(found)
                self._take(found)  # before it is kept: nonsense in the journal would end every later search
                self._journal.append(found)
            if tell is not None:
                tell()
        for job in self._running:
            self._system.abort(job)

    def _slices(self) -> Iterator[int]:
        return (first for first in range(0, self.family.size, TILINGS_A_JOB) if first not in self._done)

    def _submit(self, first: int) -> str:
        end = min(first + TILINGS_A_JOB, self.family.size)
        family = {**asdict(self.family), "heights": list(self.family.heights)}
        return self._system.submit("tilings", {"family": family, "first": first, "end": end, "nodes": self.nodes})

    def _take(self, found: dict[str, object]) -> None:
        counts = [found.get(name) for name in ("first", "tried", "covering")]
        lists = [found.get(name) for name in ("unknown", "held")]
        if any(type(count) is not int for count in counts):
            raise _senseless(found)
        if not all(isinstance(numbers, list) and all(type(one) is int for one in numbers) for numbers in lists):
            raise _senseless(found)
        self._done.add(cast(int, found["first"]))
        self.findings.add(found)


def _senseless(found: dict[str, object]) -> TengenError:
    return TengenError(f"a result of the search makes no sense: {found}")
