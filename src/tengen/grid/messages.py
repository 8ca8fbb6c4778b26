"""What travels over the wire: JSON objects of known shape, checked by whoever sends and by whoever receives them."""

from __future__ import annotations

import json
from typing import Annotated, Any, Final, Literal, TypeVar

from pydantic import BaseModel, ConfigDict, Field, ValidationError

from tengen.grid.errors import GridError, VersionError
from tengen.grid.jobs import Json

PROTOCOL: Final = 1
"""Goes up when programs of two versions could no longer understand each other."""
MAX_MESSAGE = 8 * 2**20
"""Bytes that the broker lets through."""
MAX_REPORT = 2**18
"""Bytes of a beat."""
MAX_CORES = 1024
"""Jobs that one worker may claim to do at once."""

Id = Annotated[str, Field(pattern=r"^[0-9a-f]{16}$")]
Name = Annotated[str, Field(pattern=r"^[A-Za-z0-9_-]{1,40}$")]
Words = Annotated[str, Field(max_length=2000)]
Count = Annotated[int, Field(ge=0)]


class Message(BaseModel):
    """What all have in common."""

    model_config = ConfigDict(extra="forbid", strict=True, frozen=True, allow_inf_nan=False)

    protocol: Literal[1] = PROTOCOL


class JobMessage(Message):
    """Client to worker: a job."""

    job: Id
    kind: Name
    attempt: Annotated[int, Field(ge=1)]
    arguments: dict[str, Any]


Outcome = Literal["done", "failed", "aborted", "crashed", "returned", "refused"]


class ResultMessage(Message):
    """Worker to client: how a job has ended there.

    `crashed`: its process died. `returned`: the worker cannot go on with it. `refused`: the worker cannot do such jobs.
    After these it is run elsewhere, if the client still wants it.
    """

    job: Id
    outcome: Outcome
    attempt: Annotated[int, Field(ge=1)]
    result: dict[str, Any] | None = None
    message: Words = ""
    seconds: Annotated[float, Field(ge=0)] = 0.0


class AbortMessage(Message):
    """Client to worker: nobody wants this job any more."""

    job: Id


class SlotReport(Message):
    """What one of a worker's slots is doing."""

    slot: Annotated[int, Field(ge=1, le=MAX_CORES)]
    job: Id
    kind: Name
    client: Name
    seconds: Annotated[float, Field(ge=0)]
    progress: dict[str, Any] | None = None


class WorkerBeat(Message):
    """Worker to whoever listens, every second and when something changes."""

    session: Id
    cores: Annotated[int, Field(ge=0, le=MAX_CORES)]
    """How many jobs it does at once; 0 while it pauses."""
    busy: Annotated[list[SlotReport], Field(max_length=MAX_CORES)]
    done: Count
    """Jobs since it began."""
    pause: Words = ""
    """Why it takes no jobs."""
    version: Words
    is_leaving: bool = False


class ClientBeat(Message):
    """Client to whoever listens, every second."""

    session: Id
    weight: Annotated[float, Field(gt=0)]
    wanted: Annotated[int, Field(ge=1)] | None
    """So many workers are enough."""
    open: Count
    is_hungry: bool
    """Whether it would use more workers if it had them."""
    is_leaving: bool = False


M = TypeVar("M", bound=Message)


def encode(message: Message, limit: int = MAX_MESSAGE) -> bytes:
    """A message as bytes.

    Raises:
        GridError: if it is too long.
    """
    data = message.model_dump_json().encode()
    if len(data) > limit:
        raise GridError(f"a message of {len(data):,} bytes is too long: {limit:,} are allowed")
    return data


def decode(kind: type[M], data: bytes, limit: int = MAX_MESSAGE) -> M:
    """The message in these bytes.

    Raises:
        VersionError: if it comes from a program that speaks another version.
        GridError: if it is too long, or not such a message.
    """
    if len(data) > limit:
        raise GridError(f"a message of {len(data):,} bytes is too long: {limit:,} are allowed")
    try:
        return kind.model_validate_json(data)
    except ValidationError as error:
        check_protocol(_protocol_of(data), "the sender of a message")
        first = error.errors(include_url=False, include_input=False)[0]
        where = ".".join(str(part) for part in first["loc"]) or "as a whole"
        raise GridError(f"this is no {kind.__name__}: {where}: {first['msg']}") from None


def check_protocol(theirs: object, who: str) -> None:
    """Makes sure that somebody speaks our version, or says what to do.

    Raises:
        VersionError: if not.
    """
    if not isinstance(theirs, int) or theirs == PROTOCOL:
        return
    older = "there" if theirs < PROTOCOL else "here"
    raise VersionError(
        f"{who} speaks version {theirs} of the grid's protocol, this program version {PROTOCOL}: "
        f"update Tengen {older} (pip install --upgrade tengen)"
    )


def _protocol_of(data: bytes) -> object:
    try:
        found: Json = json.loads(data)
        return found.get("protocol") if isinstance(found, dict) else None
    except (ValueError, RecursionError):
        return None
