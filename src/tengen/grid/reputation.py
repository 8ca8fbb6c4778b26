"""How far a client relies on each worker: by what it has delivered, not by what it claims.

A worker that fails, returns or holds jobs that another one then finishes collects strikes, and results repay them. Too
many strikes and the worker gets no jobs for a while, a longer one each time. After that it is on probation: one job at
a time until it delivers.

All of this concerns availability only. Whether a result is true is decided by its proof or by recomputing it.
"""

from __future__ import annotations

from dataclasses import dataclass

INITIAL_CORES = 32
"""Cores that are believed of a worker that has not delivered anything; each result adds one."""
MAX_STRIKES = 3.0
REPAID_PER_RESULT = 0.25
"""Strikes repaid by one result: a worker may waste a fifth of its jobs."""
QUARANTINE_S = 60.0
"""Length of the first quarantine in seconds; each further one is twice as long."""
MAX_QUARANTINE_S = 3600.0


@dataclass
class _Record:
    delivered: int = 0
    strikes: float = 0.0
    unexplained: int = 0
    """Failures of which nobody knows yet whether the job or the worker is to blame."""
    quarantines: int = 0
    quarantined_until: float = 0.0
    is_on_probation: bool = False


class Reputation:
    """Records of all workers that a client has dealt with. Times are in seconds on any clock that only goes forward."""

    def __init__(self) -> None:
        self._records: dict[str, _Record] = {}

    def _record(self, worker: str) -> _Record:
        return self._records.setdefault(worker, _Record())

    def add_result(self, worker: str) -> None:
        """Count a job that the worker has finished."""
        record = self._record(worker)
        record.delivered += 1
        record.strikes = max(0.0, record.strikes - REPAID_PER_RESULT)
        record.is_on_probation = False

    def add_failure(self, worker: str) -> None:
        """Count a failure that `explain_failure` will attribute to the job or to the worker."""
        self._record(worker).unexplained += 1

    def explain_failure(self, worker: str, now: float, *, is_workers_fault: bool) -> bool:
        """Attribute a failure; return whether it begins a quarantine."""
        record = self._record(worker)
        record.unexplained = max(0, record.unexplained - 1)
        return is_workers_fault and self.add_strike(worker, now)

    def add_strike(self, worker: str, now: float, weight: float = 1.0) -> bool:
        """Count a job that the worker has wasted; return whether that begins a quarantine."""
        record = self._record(worker)
        record.strikes += weight
        if record.quarantined_until > now:
            return False
        if record.strikes < MAX_STRIKES and not record.is_on_probation:
            return False
        length = min(MAX_QUARANTINE_S, QUARANTINE_S * 2**record.quarantines)
        record.quarantines += 1
        record.quarantined_until, record.strikes, record.is_on_probation = now + length, 0.0, True
        return True

    def offenders(self) -> list[str]:
        """Names of the workers that were in quarantine and have not delivered since."""
        return sorted(name for name, record in self._records.items() if record.is_on_probation)

    def add_offender(self, worker: str, now: float) -> None:
        """Begin a quarantine of a worker that an earlier client has found to be unreliable."""
        record = self._record(worker)
        record.quarantines, record.is_on_probation, record.quarantined_until = 1, True, now + QUARANTINE_S

    def is_quarantined(self, worker: str, now: float) -> bool:
        """Whether the worker gets no jobs at present."""
        record = self._records.get(worker)
        return record is not None and record.quarantined_until > now

    def is_reliable(self, worker: str, now: float) -> bool:
        """Whether the worker is neither in quarantine nor suspected because of failures that are unexplained."""
        record = self._records.get(worker)
        if record is None:
            return True
        is_suspect = record.unexplained >= MAX_STRIKES and record.unexplained > record.delivered
        return record.quarantined_until <= now and not is_suspect

    def has_offenders(self, now: float) -> bool:
        """Whether some worker is or was in quarantine, or is suspected: jobs must not go to the common queue then."""
        return any(record.quarantines or not self.is_reliable(name, now) for name, record in self._records.items())

    def believed_cores(self, worker: str, claimed: int, now: float) -> int:
        """Number of cores to count on, of those that the worker claims."""
        record = self._records.get(worker)
        if record is None:
            return min(claimed, INITIAL_CORES)
        if record.quarantined_until > now:
            return 0
        if record.is_on_probation:
            return min(claimed, 1)
        return min(claimed, INITIAL_CORES + record.delivered)
