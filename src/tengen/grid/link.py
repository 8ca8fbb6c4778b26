"""A connection to the broker that is made again whenever it is lost.

The client library can reconnect by itself, but then cannot tell a broker that is away for a minute from one that has
locked us out, and its pulls do not survive. So a connection is used until it breaks, and its user sets everything up
anew on the next one.
"""

from __future__ import annotations

import asyncio
import contextlib
import json
import logging
import ssl
from collections.abc import Awaitable, Callable, Iterable
from typing import Any

from nats.aio.client import Client
from nats.errors import Error as NatsError
from nats.js.errors import APIError

from tengen.grid.errors import BrokerError, RefusedError
from tengen.grid.messages import check_protocol
from tengen.grid.subjects import ANY, JOBS, inbox_prefix

TROUBLE = (NatsError, OSError, asyncio.TimeoutError)
"""What any use of a connection may raise when it breaks."""
_CONNECT_SECONDS = 5
# Said of every TLS connection that the library closes, and of those that broke while it had something to send: it means
# nothing to anybody.
_IDLE_TALK = ("eof_received() has no effect", "Subscription._wait_for_msgs()")
logging.getLogger("asyncio").addFilter(lambda record: not any(words in str(record.msg) for words in _IDLE_TALK))

_LOOK_SECONDS = 0.5
_RETRY_SECONDS = (0.1, 0.2, 0.5, 1.0, 2.0)


async def connect(
    url: str, certificate: str, seed: str, name: str, on_closed: Callable[[], object] | None = None
) -> Client:
    """Open one connection.

    Raises:
        RefusedError: if the broker does not know the key.
        NatsError, OSError, TimeoutError: if there is no way to it.
    """
    context = ssl.create_default_context(cadata=certificate)
    context.minimum_version = ssl.TLSVersion.TLSv1_3

    async def closed() -> None:
        if on_closed is not None:
            on_closed()

    async def ignore(_error: Exception) -> None:
        pass  # whoever waits for something is told in other ways

    client = Client()
    try:
        await client.connect(
            url,
            tls=context,
            nkeys_seed_str=seed,
            name=name,
            inbox_prefix=inbox_prefix(name),
            allow_reconnect=False,
            max_reconnect_attempts=1,  # else it waits for minutes for a broker that is away
            reconnect_time_wait=0,
            connect_timeout=_CONNECT_SECONDS,
            ping_interval=5,
            max_outstanding_pings=2,
            closed_cb=closed,
            error_cb=ignore,
        )
    except BaseException as error:
        await disconnect(client)  # the library leaves its sockets open
        if isinstance(error, NatsError) and "authorization violation" in str(error).lower():
            raise RefusedError(
                f"the grid at {url} does not know the key of {name!r}, or no longer: ask for a new invitation"
            ) from error
        raise
    return client


async def disconnect(client: Client) -> None:
    """Close a connection, without waiting for a side that no longer answers: the library would do so for ever."""
    # The library asserts that a connection was begun, and so would hide why it was not.
    with contextlib.suppress(AssertionError, *TROUBLE):
        await asyncio.wait_for(client.close(), 1)


async def ask(client: Client, subject: str, body: dict[str, Any] | None = None, timeout: float = 5.0) -> dict[str, Any]:
    """Asks the broker's stream keeper something.

    Raises:
        APIError: if it answers with an error.
        NatsError, OSError, TimeoutError: if it does not answer.
    """
    reply = await client.request(f"$JS.API.{subject}", json.dumps(body).encode() if body else b"", timeout)
    found: dict[str, Any] = json.loads(reply.data)
    if "error" in found:
        raise APIError.from_error(found["error"])
    return found


async def end_all(tasks: Iterable[asyncio.Future[Any]]) -> None:
    """Cancels tasks until they have ended: the library swallows a cancellation now and then."""
    left = set(tasks)
    while left:
        for task in left:
            task.cancel()
        done, left = await asyncio.wait(left, timeout=0.5)
        for task in done:
            if not task.cancelled():
                task.exception()  # was seen before, or came of the cancellation


class Link:
    """Keeps somebody connected.

    Args:
        url, certificate, seed, name: as an invitation says.
        on_open: sets up what is needed on each new connection, before others may use it.
        on_lost: is called when a connection is lost.
    """

    def __init__(
        self,
        url: str,
        certificate: str,
        seed: str,
        name: str,
        on_open: Callable[[Client], Awaitable[None]],
        on_lost: Callable[[], object] = lambda: None,
    ) -> None:
        self._url, self._certificate, self._seed, self.name = url, certificate, seed, name
        self._on_open, self._on_lost = on_open, on_lost
        self._client: Client | None = None
        self._is_open = asyncio.Event()
        self._is_lost = asyncio.Event()
        self.ack_seconds = 3.0
        """After so long without a sign, the broker gives a job to another worker."""

    @property
    def client(self) -> Client | None:
        """The connection, if there is one now."""
        return self._client

    async def opened(self) -> Client:
        """The connection, as soon as there is one."""
        while self._client is None:
            await self._is_open.wait()
        return self._client

    async def run(self, patience: float | None = None) -> None:
        """Stay connected until cancelled.

        Raises:
            RefusedError: if the broker does not let us in, or no longer.
            VersionError: if it speaks another version.
            BrokerError: if it cannot be reached within so many seconds at first; with 0 there is one try.
        """
        loop = asyncio.get_running_loop()
        give_up = None if patience is None else loop.time() + patience
        tries = 0
        while True:
            self._is_lost.clear()
            try:
                client = await connect(self._url, self._certificate, self._seed, self.name, self._is_lost.set)
            except ssl.SSLCertVerificationError as error:
                raise RefusedError(f"who answers at {self._url} is not the grid of this invitation: {error}") from error
            except TROUBLE as error:
                await self._wait_to_retry(error, tries, give_up)
                tries += 1
                continue
            try:
                await self._check_version(client)
                await self._on_open(client)
                tries, give_up = 0, None
                self._client = client
                self._is_open.set()
                await self._until_lost(client)
                self._on_lost()
            except TROUBLE as error:
                await self._wait_to_retry(error, tries, give_up)
                tries += 1
            finally:
                self._client = None
                self._is_open.clear()
                await disconnect(client)

    async def _wait_to_retry(self, error: Exception, tries: int, give_up: float | None) -> None:
        """Waits a little, the longer the more tries there were.

        Raises:
            BrokerError: if it is time to give up.
        """
        if give_up is not None and asyncio.get_running_loop().time() > give_up:
            raise BrokerError(f"no grid answers at {self._url} ({str(error) or type(error).__name__})") from error
        await asyncio.sleep(_RETRY_SECONDS[min(tries, len(_RETRY_SECONDS) - 1)])

    async def _until_lost(self, client: Client) -> None:
        # The library tells that a connection is closed, but not always: not if something was left to be sent, or if
        # it was closed from one of its own callbacks.
        while not self._is_lost.is_set() and not client.is_closed:
            with contextlib.suppress(asyncio.TimeoutError):
                await asyncio.wait_for(self._is_lost.wait(), _LOOK_SECONDS)

    def drop(self) -> None:
        """Give this connection up; the next one is made at once."""
        self._is_lost.set()

    async def _check_version(self, client: Client) -> None:
        try:
            found = await ask(client, f"CONSUMER.INFO.{JOBS}.{ANY}")
        except APIError as error:  # just started, and not yet furnished
            raise OSError(str(error)) from error
        config = found["config"]
        check_protocol(int(config.get("metadata", {}).get("tengen-protocol", 0)), f"the grid at {self._url}")
        self.ack_seconds = config["ack_wait"] / 1e9

    async def deliver(self, subject: str, data: bytes, message_id: str) -> int:
        """Put a message into a stream, however often the connection breaks meanwhile; returns its number there."""
        while True:
            client = await self.opened()
            try:
                reply = await client.request(subject, data, 5.0, headers={"Nats-Msg-Id": message_id})
                found = json.loads(reply.data)
                if "seq" in found:
                    return int(found["seq"])
            except TROUBLE:
                pass
            await asyncio.sleep(0.1)

    async def send(self, subject: str, data: bytes = b"", reply: str = "") -> None:
        """Send a message that may be lost."""
        if self._client is not None:
            with contextlib.suppress(*TROUBLE):
                await self._client.publish(subject, data, reply)
