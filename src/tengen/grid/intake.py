"""Job requests of a worker: it asks the common queue and its own, and takes the first job that arrives."""

from __future__ import annotations

import asyncio
import contextlib
import json
from collections.abc import Awaitable, Callable

from nats.aio.msg import Msg
from nats.aio.subscription import Subscription

from tengen.grid.link import TROUBLE, Link, end_all
from tengen.grid.subjects import ANY, API, JOBS, ack_place, own_queue

PULL_SECONDS = 20.0
"""Seconds for which one request stands; short, so that a request that was lost does not matter."""
_NO_JOB = "408"
"""Status of the broker when a request has expired."""


class Intake:
    """Requests jobs.

    Args:
        link: connection to the broker.
        name: name of the worker.
        give_back: called with a job that arrived at the same time as another.
    """

    def __init__(self, link: Link, name: str, give_back: Callable[[Msg], Awaitable[None]]) -> None:
        self._link, self._give_back = link, give_back
        self._queues = ANY, own_queue(name)
        self._waiting: set[asyncio.Queue[Msg | None]] = set()
        self._surplus: set[asyncio.Task[None]] = set()

    async def next(self) -> Msg | None:
        """Wait for the next job; None if there was none, or after `interrupt`."""
        client = await self._link.opened()
        arrived: asyncio.Queue[Msg | None] = asyncio.Queue()
        self._waiting.add(arrived)
        message = None
        try:
            inbox = client.new_inbox()
            subscription = await client.subscribe(inbox, cb=arrived.put)
            request = json.dumps({"batch": 1, "expires": int(PULL_SECONDS * 1e9)}).encode()
            for queue in self._queues:
                await client.publish(f"{API}.CONSUMER.MSG.NEXT.{JOBS}.{queue}", request, inbox)
            message = await asyncio.wait_for(arrived.get(), PULL_SECONDS + 5)
            task = asyncio.ensure_future(self._return_surplus(subscription, arrived))
            self._surplus.add(task)
            task.add_done_callback(self._surplus.discard)
        except TROUBLE:
            await asyncio.sleep(0.1)
        finally:
            self._waiting.discard(arrived)
        if message is None or ack_place(message.reply) is not None:
            return message
        if not (message.headers or {}).get("Status", "").startswith(_NO_JOB):
            await asyncio.sleep(0.5)  # do not repeat at once a request that is refused at once
        return None

    def interrupt(self) -> None:
        """End all waits for a job."""
        for arrived in self._waiting:
            arrived.put_nowait(None)

    async def close(self) -> None:
        """Stop; the broker gives jobs that were not taken to others."""
        await end_all(self._surplus)

    async def _return_surplus(self, subscription: Subscription, arrived: asyncio.Queue[Msg | None]) -> None:
        """Withdraw both requests; return the job of the other queue if it has arrived."""
        with contextlib.suppress(*TROUBLE):
            await subscription.drain()  # type: ignore[no-untyped-call]
        while not arrived.empty():
            message = arrived.get_nowait()
            if message is not None and ack_place(message.reply) is not None:
                await self._give_back(message)
