"""Where does a job run? On this machine's cores or on many machines: the same questions, the same answers."""

from tengen.grid.jobs import Event, EventKind, JobSystem, Worker

__all__ = ["Event", "EventKind", "JobSystem", "Worker"]
