"""State of a grid, for status displays."""

from __future__ import annotations

import asyncio
import contextlib
import time
from collections import deque
from collections.abc import Callable
from dataclasses import dataclass

from nats.aio.client import Client
from nats.aio.msg import Msg
from nats.js.errors import APIError

from tengen.grid.census import BEAT_SECONDS, Census
from tengen.grid.errors import GridError
from tengen.grid.jobs import Worker
from tengen.grid.keys import Invitation
from tengen.grid.link import TROUBLE, Link, ask, end_all
from tengen.grid.messages import MAX_REPORT, ClientBeat, WorkerBeat, decode
from tengen.grid.subjects import ASK, JOBS, beat_subject, client_subject, last_word, live

_RATE_SECONDS = 60.0
_CONNECT_TIMEOUT_S = 0.0
"""One attempt: a status should report at once that the grid is not up."""


@dataclass(frozen=True)
class Overview:
    """State of a grid at one time."""

    slots: list[Worker]
    """State of each slot; `since` is on the clock of `time.monotonic`."""
    workers: list[tuple[str, WorkerBeat]]
    clients: list[tuple[str, ClientBeat]]
    queued: int
    """Number of jobs that wait for a worker."""
    per_minute: float | None
    """Jobs finished per minute, over the last minute at most; None at first."""


async def watch(invitation: Invitation, tell: Callable[[Overview], object], seconds: float | None = None) -> None:
    """Report the state every second, or once after the given seconds.

    Raises:
        RefusedError: if the broker refuses the key.
        BrokerError: if it cannot be reached.
    """
    census = Census()
    counts: deque[tuple[float, dict[str, int]]] = deque()

    async def on_worker(message: Msg) -> None:
        with contextlib.suppress(GridError):
            census.hear_worker(last_word(message.subject), decode(WorkerBeat, message.data, MAX_REPORT))

    async def on_client(message: Msg) -> None:
        with contextlib.suppress(GridError):
            census.hear_client(last_word(message.subject), decode(ClientBeat, message.data, MAX_REPORT))

    async def on_open(client: Client) -> None:
        await client.subscribe(live(beat_subject("*")), cb=on_worker)
        await client.subscribe(live(client_subject("*")), cb=on_client)
        await client.publish(ASK)

    async def look() -> Overview:
        client = await link.opened()
        in_stream = 0
        with contextlib.suppress(APIError, *TROUBLE):
            in_stream = int((await ask(client, f"STREAM.INFO.{JOBS}"))["state"]["messages"])
        census.forget_silent()
        counts.append((time.monotonic(), {beat.session: beat.done for _, beat in census.beats()}))
        while counts[-1][0] - counts[0][0] > _RATE_SECONDS:
            counts.popleft()
        queued = max(0, in_stream - len(census.running()))
        return Overview(census.workers(), census.beats(), census.clients(), queued, _rate(counts))

    async def tell_on() -> None:
        await link.opened()
        while True:
            await asyncio.sleep(BEAT_SECONDS if seconds is None else seconds)
            tell(await look())
            if seconds is not None:
                return

    link = Link(invitation.url, invitation.certificate, invitation.seed, invitation.name, on_open)
    tasks = [asyncio.ensure_future(link.run(_CONNECT_TIMEOUT_S)), asyncio.ensure_future(tell_on())]
    try:
        done, _ = await asyncio.wait(tasks, return_when=asyncio.FIRST_COMPLETED)
        for task in done:
            task.result()
    finally:
        await end_all(tasks)


def _rate(counts: deque[tuple[float, dict[str, int]]]) -> float | None:
    (begin, before), (end, after) = counts[0], counts[-1]
    if end - begin < BEAT_SECONDS / 2:
        return None
    return sum(done - before.get(session, done) for session, done in after.items()) / (end - begin) * 60
