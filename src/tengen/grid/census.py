"""Who is there: kept from the beats of workers and clients, each of whom is gone when he is silent for too long."""

from __future__ import annotations

import time
from typing import NamedTuple

from tengen.grid.jobs import Event, EventKind, Worker
from tengen.grid.messages import ClientBeat, WorkerBeat
from tengen.grid.share import Claim, fair_shares

BEAT_SECONDS = 1.0
SILENT_SECONDS = 5.0
"""Who is not heard for so long is taken to be gone."""
MAX_PLACES = 64
"""In so many places one name may be at once; more are not believed."""


class _Heard(NamedTuple):
    beat: WorkerBeat
    at: float


class Census:
    """One name may work or ask in several places at once, with the same invitation; each is known by its session."""

    def __init__(self) -> None:
        self._workers: dict[tuple[str, str], _Heard] = {}
        self._clients: dict[tuple[str, str], tuple[ClientBeat, float]] = {}

    def hear_worker(self, name: str, beat: WorkerBeat) -> list[Event]:
        """Note a beat; returns what is new."""
        key, before = (name, beat.session), self.names()
        if beat.is_leaving:
            self._workers.pop(key, None)
        elif key in self._workers or sum(worker == name for worker, _ in self._workers) < MAX_PLACES:
            self._workers[key] = _Heard(beat, time.monotonic())
        return self._changes(before)

    def hear_client(self, name: str, beat: ClientBeat) -> None:
        """Note a beat."""
        if beat.is_leaving:
            self._clients.pop((name, beat.session), None)
        else:
            self._clients[name, beat.session] = beat, time.monotonic()

    def forget_silent(self) -> list[Event]:
        """Take those off who were not heard for too long; returns what is new."""
        before, oldest = self.names(), time.monotonic() - SILENT_SECONDS
        self._workers = {key: heard for key, heard in self._workers.items() if heard.at >= oldest}
        self._clients = {key: heard for key, heard in self._clients.items() if heard[1] >= oldest}
        return self._changes(before)

    def forgive_silence(self) -> None:
        """Count from now on: it was us who could not hear."""
        now = time.monotonic()
        self._workers = {key: _Heard(heard.beat, now) for key, heard in self._workers.items()}
        self._clients = {key: (beat, now) for key, (beat, _) in self._clients.items()}

    def names(self) -> set[str]:
        """The workers that are there."""
        return {name for name, _ in self._workers}

    def _changes(self, before: set[str]) -> list[Event]:
        after = self.names()
        lost = [Event(EventKind.LOST, worker=name) for name in sorted(before - after)]
        return lost + [Event(EventKind.JOINED, worker=name) for name in sorted(after - before)]

    @property
    def cores(self) -> int:
        """How many jobs can run at once."""
        return sum(heard.beat.cores for heard in self._workers.values())

    def idle(self, name: str | None = None) -> int:
        """How many more jobs could run now, on all workers or on one."""
        return sum(
            max(0, heard.beat.cores - len(heard.beat.busy))
            for (worker, _), heard in self._workers.items()
            if name in (None, worker)
        )

    def beats(self) -> list[tuple[str, WorkerBeat]]:
        """The last beat of each worker, by name."""
        return sorted(((name, heard.beat) for (name, _), heard in self._workers.items()), key=lambda pair: pair[0])

    def clients(self) -> list[tuple[str, ClientBeat]]:
        """The last beat of each client, by name."""
        return sorted(((name, beat) for (name, _), (beat, _) in self._clients.items()), key=lambda pair: pair[0])

    def where(self, job: str) -> str | None:
        """Which worker runs a job, if one does."""
        for (name, _), heard in self._workers.items():
            if any(slot.job == job for slot in heard.beat.busy):
                return name
        return None

    def jobs_of(self, client: str) -> list[tuple[str, str]]:
        """The jobs that run for a client, each with its worker."""
        return [
            (slot.job, name)
            for (name, _), heard in self._workers.items()
            for slot in heard.beat.busy
            if slot.client == client
        ]

    def has_another(self, client: str, session: str) -> bool:
        """Whether a client is there under its name in another place than this one."""
        return any(name == client and other != session for name, other in self._clients)

    def running(self) -> set[str]:
        """All jobs that run."""
        return {slot.job for heard in self._workers.values() for slot in heard.beat.busy}

    def workers(self) -> list[Worker]:
        """What each slot of each worker is doing; slots of one name in several places are numbered on."""
        found: list[Worker] = []
        taken: dict[str, int] = {}
        for (name, _), heard in sorted(self._workers.items()):
            first = taken.get(name, 0)
            busy = {slot.slot: slot for slot in heard.beat.busy}
            numbers = sorted({*range(1, heard.beat.cores + 1), *busy})
            taken[name] = first + max(numbers, default=0)
            for number in numbers:
                if (slot := busy.get(number)) is None:
                    found.append(Worker(name, first + number))
                else:
                    since = heard.at - slot.seconds
                    found.append(Worker(name, first + number, slot.job, slot.kind, slot.client, since, slot.progress))
        return found

    def share(self, name: str, own: ClientBeat) -> int:
        """How many workers a client may use, if it would use all it can get."""
        claims = [_claim(name, own.model_copy(update={"is_hungry": True}))]
        claims += [
            _claim(other, beat) for (other, session), (beat, _) in self._clients.items() if session != own.session
        ]
        return fair_shares(self.cores, claims)[claims[0].key]


def _claim(name: str, beat: ClientBeat) -> Claim:
    most = float("inf") if beat.wanted is None else float(beat.wanted)
    return Claim(f"{name} {beat.session}", beat.weight, most if beat.is_hungry else min(most, beat.open))
