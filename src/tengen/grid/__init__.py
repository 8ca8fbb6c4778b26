"""Where does a job run? On this machine's cores or on many machines: the same questions, the same answers."""

from tengen.grid.anywhere import check_where, extra_packages, open_jobs
from tengen.grid.errors import BrokerError, GridError, RefusedError, VersionError
from tengen.grid.handlers import Handler, Task
from tengen.grid.jobs import DurableJobSystem, Event, EventKind, JobSystem, Json, Worker
from tengen.grid.pool import Pool

__all__ = [
    "BrokerError",
    "DurableJobSystem",
    "Event",
    "EventKind",
    "GridError",
    "Handler",
    "JobSystem",
    "Json",
    "Pool",
    "RefusedError",
    "Task",
    "VersionError",
    "Worker",
    "check_where",
    "extra_packages",
    "open_jobs",
]
