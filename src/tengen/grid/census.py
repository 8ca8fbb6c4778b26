"""Workers and clients that are present, from their beats. A member that is silent for too long is gone."""

from __future__ import annotations

import time
from collections.abc import Callable, Collection
from typing import NamedTuple

from tengen.grid.jobs import Event, EventKind, Worker
from tengen.grid.messages import ClientBeat, WorkerBeat
from tengen.grid.share import Claim, fair_shares

BEAT_SECONDS = 1.0
SILENT_SECONDS = 5.0
"""Seconds without a beat after which a member counts as gone."""
ABSENCE_SECONDS = 30.0
"""Seconds for which a worker that is gone may still come back, for instance after a restart."""
MAX_SESSIONS = 64
"""Most sessions of one name; the beats of further ones are ignored."""


class _Heard(NamedTuple):
    beat: WorkerBeat
    at: float


class Capacity(NamedTuple):
    """Believed cores of a worker, and the jobs that it reports to run."""

    cores: int
    busy: int

    @property
    def idle(self) -> int:
        """Number of further jobs that it could run."""
        return max(0, self.cores - self.busy)


class Census:
    """Present members. One invitation may be used in several places at once; each of them is a session.

    Args:
        believed_cores: how many of the cores that a worker claims, in all its sessions, to count on.
    """

    def __init__(self, believed_cores: Callable[[str, int], int] = lambda name, claimed: claimed) -> None:
        self._believed_cores = believed_cores
        self._workers: dict[tuple[str, str], _Heard] = {}
        self._clients: dict[tuple[str, str], tuple[ClientBeat, float]] = {}
        self._gone_at: dict[str, float] = {}
        self._listening_since = time.monotonic()

    def hear_worker(self, name: str, beat: WorkerBeat) -> list[Event]:
        """Record a beat; return the changes."""
        key, before = (name, beat.session), self.names()
        if beat.is_leaving:
            self._workers.pop(key, None)
        elif key in self._workers or sum(worker == name for worker, _ in self._workers) < MAX_SESSIONS:
            self._workers[key] = _Heard(beat, time.monotonic())
        return self._changes(before)

    def hear_client(self, name: str, beat: ClientBeat) -> None:
        """Record a beat."""
        if beat.is_leaving:
            self._clients.pop((name, beat.session), None)
        else:
            self._clients[name, beat.session] = beat, time.monotonic()

    def forget_silent(self) -> list[Event]:
        """Remove silent members; return the changes."""
        before, oldest = self.names(), time.monotonic() - SILENT_SECONDS
        self._workers = {key: heard for key, heard in self._workers.items() if heard.at >= oldest}
        self._clients = {key: heard for key, heard in self._clients.items() if heard[1] >= oldest}
        return self._changes(before)

    def forgive_silence(self) -> None:
        """Restart the time-outs, after a time in which no beats could be received."""
        now = self._listening_since = time.monotonic()
        self._workers = {key: _Heard(heard.beat, now) for key, heard in self._workers.items()}
        self._clients = {key: (beat, now) for key, (beat, _) in self._clients.items()}

    def names(self) -> set[str]:
        """Names of the present workers."""
        return {name for name, _ in self._workers}

    def may_return(self, known: Collection[str]) -> bool:
        """Whether workers beside the known ones may appear soon: one has left lately, or beats were not heard yet."""
        now = time.monotonic()
        if now - self._listening_since < SILENT_SECONDS:
            return True
        return any(now - at < ABSENCE_SECONDS for name, at in self._gone_at.items() if name not in known)

    def _changes(self, before: set[str]) -> list[Event]:
        after, now = self.names(), time.monotonic()
        self._gone_at = {name: at for name, at in self._gone_at.items() if now - at < ABSENCE_SECONDS}
        self._gone_at.update(dict.fromkeys(before - after, now))
        lost = [Event(EventKind.LOST, worker=name) for name in sorted(before - after)]
        return lost + [Event(EventKind.JOINED, worker=name) for name in sorted(after - before)]

    @property
    def cores(self) -> int:
        """Number of jobs that can run at once."""
        return sum(capacity.cores for capacity in self.capacities().values())

    def capacities(self) -> dict[str, Capacity]:
        """Capacity of each worker, over all its sessions. One pass: it is computed for every beat."""
        claims: dict[str, tuple[int, int]] = {}
        for (name, _), heard in self._workers.items():
            cores, busy = claims.get(name, (0, 0))
            claims[name] = cores + heard.beat.cores, busy + len(heard.beat.busy)
        return {name: Capacity(self._believed_cores(name, cores), busy) for name, (cores, busy) in claims.items()}

    def idle(self, name: str | None = None) -> int:
        """Number of further jobs that could run now, on all workers or on one."""
        capacities = self.capacities()
        return sum(capacity.idle for worker, capacity in capacities.items() if name in (None, worker))

    def beats(self) -> list[tuple[str, WorkerBeat]]:
        """Last beat of each worker, sorted by name."""
        return sorted(((name, heard.beat) for (name, _), heard in self._workers.items()), key=lambda pair: pair[0])

    def clients(self) -> list[tuple[str, ClientBeat]]:
        """Last beat of each client, sorted by name."""
        return sorted(((name, beat) for (name, _), (beat, _) in self._clients.items()), key=lambda pair: pair[0])

    def where(self, job: str) -> str | None:
        """Worker that reports to run a job, or None."""
        for (name, _), heard in self._workers.items():
            if any(slot.job == job for slot in heard.beat.busy):
                return name
        return None

    def jobs_of(self, client: str) -> list[tuple[str, str]]:
        """Jobs that run for a client, each with its worker."""
        return [
            (slot.job, name)
            for (name, _), heard in self._workers.items()
            for slot in heard.beat.busy
            if slot.client == client
        ]

    def has_another(self, client: str, session: str) -> bool:
        """Whether a client has another session than this one."""
        return any(name == client and other != session for name, other in self._clients)

    def running(self) -> set[str]:
        """Ids of all running jobs."""
        return {slot.job for heard in self._workers.values() for slot in heard.beat.busy}

    def workers(self) -> list[Worker]:
        """State of each slot of each worker; the slots of several sessions of one name are numbered consecutively."""
        slots: list[Worker] = []
        used: dict[str, int] = {}
        idle = {name: capacity.idle for name, capacity in self.capacities().items()}
        for (name, _), heard in sorted(self._workers.items()):
            first = used.get(name, 0)
            busy = {slot.slot: slot for slot in heard.beat.busy}
            numbers = sorted({*range(1, heard.beat.cores + 1), *busy})
            used[name] = first + max(numbers, default=0)
            for number in numbers:
                if (slot := busy.get(number)) is not None:
                    since = heard.at - slot.seconds
                    slots.append(Worker(name, first + number, slot.job, slot.kind, slot.client, since, slot.progress))
                elif idle[name] > 0:  # no more than are believed
                    idle[name] -= 1
                    slots.append(Worker(name, first + number))
        return slots

    def share(self, name: str, own: ClientBeat) -> int:
        """Number of workers that a client may use if it can use all."""
        claims = [_claim(name, own.model_copy(update={"is_hungry": True}))]
        claims += [
            _claim(other, beat) for (other, session), (beat, _) in self._clients.items() if session != own.session
        ]
        return fair_shares(self.cores, claims)[claims[0].key]


def _claim(name: str, beat: ClientBeat) -> Claim:
    most = float("inf") if beat.wanted is None else float(beat.wanted)
    return Claim(f"{name} {beat.session}", beat.weight, most if beat.is_hungry else min(most, beat.open))
