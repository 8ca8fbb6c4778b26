"""The places where messages go, and who may use which.

A subject names who sends: the broker lets a client write `jobs.any.<its name>` alone, and a worker `res.….<its name>`
alone, so that nobody can speak for another.
"""

from __future__ import annotations

import re
from typing import Any, Literal, NamedTuple

from tengen.grid.errors import GridError

JOBS = "JOBS"
"""The stream in which jobs wait until a worker has answered them."""
RESULTS = "RES"
"""The stream of all answers, kept for days."""
ANY = "any"
"""The queue from which every worker takes."""
ASK = "ask"
"""Whoever works, beat at once."""

Role = Literal["client", "worker"]


def check_name(name: str) -> str:
    """A name that can be part of a subject.

    Raises:
        GridError: if it cannot.
    """
    if not re.fullmatch(r"[A-Za-z0-9_-]{1,40}", name) or name in (ANY, "all"):
        raise GridError(f"{name!r} is no name: up to 40 letters of a-z, A-Z, 0-9, - and _, not 'any' or 'all'")
    return name


def job_subject(client: str, worker: str | None = None) -> str:
    """Where a client puts a job, for any worker or a certain one."""
    return f"jobs.any.{client}" if worker is None else f"jobs.w.{worker}.{client}"


def all_job_subjects(client: str) -> tuple[str, str]:
    """Where all jobs of a client wait, as filters."""
    return job_subject(client), job_subject(client, "*")


def result_subject(client: str, job: str, worker: str) -> str:
    """Where a worker answers a job."""
    return f"res.{client}.{job}.{worker}"


def abort_subject(client: str, worker: str | None = None) -> str:
    """Where a client calls a job back, from one worker or wherever it is."""
    return f"abort.{worker or 'all'}.{client}"


def own_queue(worker: str) -> str:
    """The name of the queue of jobs for one worker."""
    return f"w-{worker}"


def last_word(subject: str) -> str:
    """Who speaks: the last part of every subject."""
    return subject.rpartition(".")[2]


class AckPlace(NamedTuple):
    """What the reply subject of a message from a stream tells."""

    delivered: int
    stream_sequence: int
    consumer_sequence: int


def ack_place(reply: str) -> AckPlace | None:
    """Reads the reply subject of a message; None if it comes from no stream."""
    parts = reply.split(".")
    if parts[:2] != ["$JS", "ACK"] or len(parts) < 9:
        return None
    if len(parts) > 9:  # with the names of a domain and an account before the stream's
        parts = parts[:2] + parts[4:]
    return AckPlace(int(parts[4]), int(parts[5]), int(parts[6]))


def inbox_prefix(name: str) -> str:
    """Under which answers to somebody's questions arrive; nobody else may read there."""
    return f"_IN.{name}"


def permissions(role: Role, name: str) -> dict[str, Any]:
    """What the broker allows somebody, as its configuration says it."""
    inbox, api = f"{inbox_prefix(name)}.>", "$JS.API"
    version = f"{api}.CONSUMER.INFO.{JOBS}.{ANY}"
    if role == "client":
        publish = [
            *all_job_subjects(name),
            f"abort.*.{name}",
            ASK,
            f"client.{name}",
            f"{api}.STREAM.MSG.DELETE.{JOBS}",
            f"{api}.STREAM.PURGE.{JOBS}",
            f"{api}.STREAM.INFO.{JOBS}",
            f"{api}.STREAM.INFO.{RESULTS}",
            f"$JS.FC.{RESULTS}.>",
            f"{api}.CONSUMER.CREATE.{RESULTS}.*.res.{name}.>",
            version,
        ]
        return {"publish": publish, "subscribe": [inbox, "beat.*", "client.*"]}
    queues = (ANY, own_queue(name))
    publish = [
        f"res.*.*.{name}",
        f"beat.{name}",
        *(f"{api}.CONSUMER.MSG.NEXT.{JOBS}.{queue}" for queue in queues),
        *(f"$JS.ACK.{JOBS}.{queue}.>" for queue in queues),
        version,
    ]
    return {"publish": publish, "subscribe": [inbox, f"abort.{name}.*", "abort.all.*", ASK]}
