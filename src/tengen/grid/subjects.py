"""Subjects of all messages, and the access that each member has to them.

Every member has a broker account of its own, which imports exactly the subjects listed by `access` from the account
that owns the streams. A reply subject is resolved in the account of the sender: it can never reach a stream, the
stream API or another member, whatever a hostile member writes there.

A subject names its author in the last token. The import contains that name, so that nobody can write for another.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Any, Literal, NamedTuple

from tengen.grid.errors import GridError

JOBS = "JOBS"
"""Stream of jobs: a message stays until a worker has acknowledged it."""
LIVE = "LIVE"
"""Stream that relays beats, aborts and `ASK` to other accounts; keeps the last message of each subject in memory."""
ANY = "any"
"""Queue shared by all workers."""
ASK = "ask"
"""Subject that asks every worker for a beat."""

API = "api"
"""Prefix of calls of the stream API. Not the server's own: under that one every account has an API of its own, which
only answers that the account has no streams."""
_SERVER_API = "$JS.API"

STREAM_ACCOUNT = "GRID"
"""Broker account that owns the streams; no member belongs to it."""
SYSTEM_ACCOUNT = "SYS"

Role = Literal["client", "worker"]


def check_name(name: str) -> str:
    """Return a name that can be a token of a subject.

    Raises:
        GridError: if it contains other characters, is too long or is reserved.
    """
    if not re.fullmatch(r"[A-Za-z0-9_-]{1,40}", name) or name in (ANY, "all"):
        raise GridError(f"invalid name {name!r} (expected up to 40 of a-z, A-Z, 0-9, - and _, not 'any' or 'all')")
    return name


def owner_of(worker: str) -> str:
    """Owner of a worker: its name up to the first hyphen. The broker's operator chooses names when inviting."""
    return worker.partition("-")[0]


def job_subject(client: str, worker: str | None = None) -> str:
    """Subject of a client's jobs, for any worker or for one."""
    return f"jobs.any.{client}" if worker is None else f"jobs.w.{worker}.{client}"


def all_job_subjects(client: str) -> tuple[str, str]:
    """Filters that match every queued job of a client."""
    return job_subject(client), job_subject(client, "*")


def result_subject(client: str, job: str, worker: str) -> str:
    """Subject of a worker's result for a job."""
    return f"res.{client}.{job}.{worker}"


def results_stream(client: str) -> str:
    """Stream that logs the results for one client. One stream each, so that reading it needs no filter."""
    return f"RES-{client}"


def log_subject(client: str) -> str:
    """Filter for a client's results as they are relayed once they are stored."""
    return f"log.{client}.>"


def abort_subject(client: str, worker: str | None = None) -> str:
    """Subject of a client's aborts, for all workers or for one."""
    return f"abort.{worker or 'all'}.{client}"


def beat_subject(worker: str) -> str:
    """Subject of a worker's beats."""
    return f"beat.{worker}"


def client_subject(client: str) -> str:
    """Subject of a client's beats."""
    return f"client.{client}"


def live(subject: str) -> str:
    """Subject under which the stream `LIVE` relays a message."""
    return f"live.{subject}"


def own_queue(worker: str) -> str:
    """Name of the queue of jobs for one worker."""
    return f"w-{worker}"


def last_word(subject: str) -> str:
    """Author of a message: the last token of its subject."""
    return subject.rpartition(".")[2]


class AckPlace(NamedTuple):
    """Position of a message in its stream and queue, from its reply subject."""

    delivered: int
    stream_sequence: int
    consumer_sequence: int


def ack_place(reply: str) -> AckPlace | None:
    """Parse the reply subject of a message; None if the message is not from a queue."""
    parts = reply.split(".")
    if parts[:2] != ["$JS", "ACK"] or len(parts) < 9:
        return None
    if len(parts) > 9:  # with the names of a domain and an account before the stream's
        parts = parts[:2] + parts[4:]
    return AckPlace(int(parts[4]), int(parts[5]), int(parts[6]))


def inbox_prefix(name: str) -> str:
    """Prefix of the reply subjects of a member."""
    return f"_IN.{name}"


def account_of(name: str) -> str:
    """Broker account of a member."""
    return f"member-{name}"


@dataclass(frozen=True)
class Access:
    """Subjects that a member may use."""

    publish: tuple[str, ...]
    subscribe: tuple[str, ...]


def access(role: Role, name: str) -> Access:
    """Return the subjects that a member of a role needs; its account imports them and nothing else."""
    protocol_version = f"{API}.CONSUMER.INFO.{JOBS}.{ANY}"
    if role == "client":
        return Access(
            (
                *all_job_subjects(name),
                abort_subject(name, "*"),
                ASK,
                client_subject(name),
                f"{API}.STREAM.MSG.DELETE.{JOBS}",
                f"{API}.STREAM.PURGE.{JOBS}",
                f"{API}.STREAM.INFO.{JOBS}",
                f"{API}.STREAM.INFO.{results_stream(name)}",
                f"{API}.STREAM.MSG.GET.{results_stream(name)}",
                protocol_version,
            ),
            (live(beat_subject("*")), live(client_subject("*")), log_subject(name)),
        )
    queues = (ANY, own_queue(name))
    return Access(
        (
            result_subject("*", "*", name),
            beat_subject(name),
            *(f"{API}.CONSUMER.MSG.NEXT.{JOBS}.{queue}" for queue in queues),
            *(f"$JS.ACK.{JOBS}.{queue}.>" for queue in queues),
            protocol_version,
        ),
        (live(abort_subject("*", name)), live(abort_subject("*")), live(ASK)),
    )


def member_account(role: Role, name: str, public_key: str) -> dict[str, Any]:
    """Return the broker account of a member: one key, and imports of what its role needs."""
    allowed = access(role, name)
    return {
        "users": [
            {
                "nkey": public_key,
                "permissions": {
                    "publish": list(allowed.publish),
                    "subscribe": [f"{inbox_prefix(name)}.>", *allowed.subscribe],
                },
            }
        ],
        "imports": [
            *(_service_import(subject) for subject in allowed.publish),
            *({"stream": {"account": STREAM_ACCOUNT, "subject": subject}} for subject in allowed.subscribe),
        ],
    }


def _service_import(subject: str) -> dict[str, Any]:
    prefix, _, rest = subject.partition(".")
    if prefix != API:
        return {"service": {"account": STREAM_ACCOUNT, "subject": subject}}
    return {"service": {"account": STREAM_ACCOUNT, "subject": f"{_SERVER_API}.{rest}"}, "to": subject}


def stream_account(admin_key: str) -> dict[str, Any]:
    """Return the account with the streams, which only the broker's own connection uses."""
    return {
        "jetstream": "enabled",
        "users": [{"nkey": admin_key}],
        "exports": _exports(),
        "mappings": {f"{API}.>": f"{_SERVER_API}.>"},
    }


def _exports() -> list[dict[str, Any]]:
    """Return what the account with the streams offers for import; only the broker's configuration can import it.

    Wildcards, so that inviting somebody does not change this account: a reload would interrupt its streams.
    """
    api = _SERVER_API
    services = (
        "jobs.>",
        "res.>",
        "abort.>",
        ASK,
        "beat.*",
        "client.*",
        f"$JS.ACK.{JOBS}.>",
        f"{api}.CONSUMER.MSG.NEXT.{JOBS}.*",
        f"{api}.CONSUMER.INFO.{JOBS}.*",
        f"{api}.STREAM.MSG.DELETE.{JOBS}",
        f"{api}.STREAM.PURGE.{JOBS}",
        f"{api}.STREAM.INFO.*",
        f"{api}.STREAM.MSG.GET.*",
    )
    streams = ("live.>", "log.>")
    return [*({"service": subject} for subject in services), *({"stream": subject} for subject in streams)]
