"""When a worker makes way: others use the machine, or it runs on its battery."""

from __future__ import annotations

import contextlib
from typing import NamedTuple

import psutil

LOOK_SECONDS = 5.0
_PLAIN = 0.35
"""A core of which others use no more than this is free for us."""


class Pause(NamedTuple):
    """How far a worker may go."""

    cores: int
    """How many jobs it may have in hand."""
    reason: str = ""
    """Why it may have none, if so."""
    gives_back: bool = False
    """Whether what is in hand must go back too."""


class Considerate:
    """Looks at the machine."""

    def __init__(self, cores: int) -> None:
        self._cores = cores
        self._all = psutil.cpu_count() or 1
        self._own = psutil.Process()
        self._known: dict[int, psutil.Process] = {}

    def look(self) -> Pause:
        """Watch for a while, and say how many jobs are fitting. Takes `LOOK_SECONDS`."""
        self._own_cores()  # the first look at a process only starts its clock
        everybody = psutil.cpu_percent(LOOK_SECONDS) / 100 * self._all
        others = max(0.0, everybody - self._own_cores())
        with contextlib.suppress(AttributeError, OSError):  # not every system has one, or tells
            battery = psutil.sensors_battery()
            if battery is not None and not battery.power_plugged:
                return Pause(0, "this machine runs on its battery", gives_back=True)
        cores = min(self._cores, int(self._all - others + _PLAIN))
        return Pause(cores) if cores > 0 else Pause(0, f"others use {others:.1f} of {self._all} cores")

    def _own_cores(self) -> float:
        """What our processes have used since the last look."""
        processes = {process.pid: process for process in [self._own, *self._own.children(recursive=True)]}
        self._known = {pid: self._known.get(pid, process) for pid, process in processes.items()}
        used = 0.0
        for process in self._known.values():
            with contextlib.suppress(psutil.Error):
                used += process.cpu_percent() / 100
        return used
