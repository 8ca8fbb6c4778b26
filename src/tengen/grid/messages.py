"""Messages between clients and workers: JSON objects with a schema that sender and receiver both check."""

from __future__ import annotations

import json
from typing import Annotated, Any, Final, Literal, TypeVar

from pydantic import BaseModel, ConfigDict, Field, ValidationError

from tengen.grid.errors import GridError, VersionError
from tengen.grid.jobs import Json

PROTOCOL: Final = 2
"""Version of messages and subjects; incremented when older programs can no longer take part."""
MAX_MESSAGE = 8 * 2**20
"""Largest message in bytes."""
MAX_REPORT = 2**18
"""Largest beat or abort in bytes."""
MAX_CORES = 1024
"""Most jobs that one worker may claim to run at once."""

Id = Annotated[str, Field(pattern=r"^[0-9a-f]{16}$")]
Name = Annotated[str, Field(pattern=r"^[A-Za-z0-9_-]{1,40}$")]
Words = Annotated[str, Field(max_length=2000)]
Count = Annotated[int, Field(ge=0)]


class Message(BaseModel):
    """Base of all messages."""

    model_config = ConfigDict(extra="forbid", strict=True, frozen=True, allow_inf_nan=False)

    protocol: Literal[2] = PROTOCOL


class JobMessage(Message):
    """Client to worker: a job."""

    job: Id
    kind: Name
    attempt: Annotated[int, Field(ge=1)]
    arguments: dict[str, Any]


Outcome = Literal["done", "failed", "aborted", "crashed", "returned", "refused", "abandoned"]


class ResultMessage(Message):
    """Worker to client: outcome of a job.

    `failed`: its handler raised an error. `crashed`: its process died. `returned`: the worker stopped before the end.
    `refused`: the worker has no handler for this kind. `abandoned`: several workers took it and fell silent, so that
    this one has not tried. After each of these the client retries it on another worker.
    """

    job: Id
    outcome: Outcome
    attempt: Annotated[int, Field(ge=1)]
    result: dict[str, Any] | None = None
    message: Words = ""
    seconds: Annotated[float, Field(ge=0)] = 0.0


class AbortMessage(Message):
    """Client to worker: stop this job."""

    job: Id


class SlotReport(Message):
    """Job that runs in one slot of a worker."""

    slot: Annotated[int, Field(ge=1, le=MAX_CORES)]
    job: Id
    kind: Name
    client: Name
    seconds: Annotated[float, Field(ge=0)]
    progress: dict[str, Any] | None = None


class WorkerBeat(Message):
    """Worker to all clients, every second and after each change."""

    session: Id
    cores: Annotated[int, Field(ge=0, le=MAX_CORES)]
    """Number of jobs it runs at once; 0 while it pauses."""
    busy: Annotated[list[SlotReport], Field(max_length=MAX_CORES)]
    done: Count
    """Number of jobs finished since it started."""
    pause: Words = ""
    """Reason why it takes no jobs; empty if it does."""
    version: Words
    is_leaving: bool = False


class ClientBeat(Message):
    """Client to all other clients, every second."""

    session: Id
    weight: Annotated[float, Field(gt=0)]
    wanted: Annotated[int, Field(ge=1)] | None
    """Most workers that it can use; None for no limit."""
    open: Count
    is_hungry: bool
    """Whether it could use more workers."""
    is_leaving: bool = False


M = TypeVar("M", bound=Message)


def encode(message: Message, limit: int = MAX_MESSAGE) -> bytes:
    """Serialise a message.

    Raises:
        GridError: if it is longer than the limit.
    """
    data = message.model_dump_json().encode()
    if len(data) > limit:
        raise GridError(f"message of {len(data):,} bytes is too long (at most {limit:,} bytes)")
    return data


def decode(kind: type[M], data: bytes, limit: int = MAX_MESSAGE) -> M:
    """Parse a message.

    Raises:
        VersionError: if it has another protocol version.
        GridError: if it is too long or does not match the schema.
    """
    if len(data) > limit:
        raise GridError(f"message of {len(data):,} bytes is too long (at most {limit:,} bytes)")
    try:
        return kind.model_validate_json(data)
    except ValidationError as error:
        check_protocol(_protocol_of(data), "the sender of a message")
        first = error.errors(include_url=False, include_input=False)[0]
        where = ".".join(str(part) for part in first["loc"]) or "as a whole"
        raise GridError(f"invalid {kind.__name__}: {where}: {first['msg']}") from None


def check_protocol(theirs: object, who: str) -> None:
    """Check that another program has our protocol version.

    Raises:
        VersionError: if it has another one; names the side to update.
    """
    if not isinstance(theirs, int) or theirs == PROTOCOL:
        return
    older = "there" if theirs < PROTOCOL else "here"
    raise VersionError(
        f"{who} uses version {theirs} of the grid's protocol, this program version {PROTOCOL}: "
        f"update Tengen {older} (pip install --upgrade tengen)"
    )


def _protocol_of(data: bytes) -> object:
    try:
        found: Json = json.loads(data)
        return found.get("protocol") if isinstance(found, dict) else None
    except (ValueError, RecursionError):
        return None
