"""Job systems: jobs run on the cores of this machine or on many machines, with one interface."""

from tengen.grid.anywhere import check_where, extra_packages, open_jobs
from tengen.grid.errors import BrokerError, GridError, RefusedError, VersionError
from tengen.grid.handlers import Handler, Task
from tengen.grid.jobs import DurableJobSystem, Event, EventKind, JobSystem, Json, Worker
from tengen.grid.pool import Pool
from tengen.grid.subjects import owner_of

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
    "owner_of",
]
