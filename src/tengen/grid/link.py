"""A connection to the broker that is opened again whenever it is lost.

The client library can reconnect by itself, but then it cannot distinguish a broker that is away for a minute from one
that refuses our key, and its pull requests do not survive. Each connection is therefore used until it breaks, and its
user sets everything up again on the next one.
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
from nats.errors import NoRespondersError
from nats.js.errors import APIError

from tengen.grid.errors import BrokerError, RefusedError
from tengen.grid.messages import check_protocol
from tengen.grid.subjects import ANY, API, JOBS, inbox_prefix

TROUBLE = (NatsError, OSError, asyncio.TimeoutError)
"""Exceptions that any use of a connection may raise when it breaks."""
CONNECT_TIMEOUT_S = 5
# Logged for every TLS connection that the library closes, and for those that broke with unsent data: no information.
_NOISE = ("eof_received() has no effect", "Subscription._wait_for_msgs()")
logging.getLogger("asyncio").addFilter(lambda record: not any(words in str(record.msg) for words in _NOISE))

_POLL_S = 0.5
_RETRY_DELAYS_S = (0.1, 0.2, 0.5, 1.0, 2.0)
_STORE_TIMEOUT_S = 5.0
_STORE_RETRY_S = 0.1
_STORE_RETRY_REFUSED_S = 1.0
"""Delay before a message that the broker refused to store is sent again."""
_NOT_TLS = ("WRONG_VERSION_NUMBER", "RECORD_LAYER_FAILURE", "UNEXPECTED_MESSAGE", "HTTP_REQUEST")
"""Reasons of OpenSSL if the first bytes of the other side are not TLS."""


class PlainTextError(OSError):
    """The other side does not begin with TLS: an outdated broker, another service, or an attacker in between."""


async def connect(
    url: str, certificate: str, seed: str, name: str, on_closed: Callable[[], object] | None = None
) -> Client:
    """Open one connection. It begins with the TLS handshake: nothing is sent or believed in plain text.

    Raises:
        RefusedError: if the broker does not know the key.
        PlainTextError: if the other side does not answer with TLS.
        NatsError, OSError, TimeoutError: if the broker cannot be reached.
    """
    context = ssl.create_default_context(cadata=certificate)
    context.minimum_version = ssl.TLSVersion.TLSv1_3

    async def closed() -> None:
        if on_closed is not None:
            on_closed()

    async def ignore(_error: Exception) -> None:
        pass  # requests fail by themselves

    client = Client()
    try:
        await client.connect(
            url,
            tls=context,
            # The greeting of a server is not authenticated: one that offers no TLS must not be able to prevent it.
            tls_handshake_first=True,
            nkeys_seed_str=seed,
            name=name,
            inbox_prefix=inbox_prefix(name),
            allow_reconnect=False,
            max_reconnect_attempts=1,  # else it waits for minutes for a broker that is away
            reconnect_time_wait=0,
            connect_timeout=CONNECT_TIMEOUT_S,
            ping_interval=5,
            max_outstanding_pings=2,
            closed_cb=closed,
            error_cb=ignore,
        )
    except BaseException as error:
        await disconnect(client)  # the library leaves its sockets open
        if isinstance(error, ssl.SSLError) and error.reason in _NOT_TLS:
            raise PlainTextError(f"the server at {url} does not begin with TLS") from error
        if isinstance(error, NatsError) and "authorization violation" in str(error).lower():
            raise RefusedError(
                f"the grid at {url} does not know the key of {name!r}, or no longer: ask for a new invitation"
            ) from error
        raise
    return client


async def disconnect(client: Client) -> None:
    """Close a connection without waiting for a side that no longer answers, as the library would."""
    # The library asserts that a connection was opened, which would hide why it was not.
    with contextlib.suppress(AssertionError, *TROUBLE):
        await asyncio.wait_for(client.close(), 1)


async def ask(client: Client, subject: str, body: dict[str, Any] | None = None, timeout: float = 5.0) -> dict[str, Any]:
    """Call the broker's stream API.

    Raises:
        APIError: if it returns an error.
        NatsError, OSError, TimeoutError: if it does not answer.
    """
    reply = await client.request(f"{API}.{subject}", json.dumps(body).encode() if body else b"", timeout)
    found: dict[str, Any] = json.loads(reply.data)
    if "error" in found:
        raise APIError.from_error(found["error"])
    return found


async def end_all(tasks: Iterable[asyncio.Future[Any]]) -> None:
    """Cancel tasks until they have ended: the library sometimes swallows a cancellation."""
    pending = set(tasks)
    while pending:
        for task in pending:
            task.cancel()
        done, pending = await asyncio.wait(pending, timeout=0.5)
        for task in done:
            if not task.cancelled():
                task.exception()  # already handled, or caused by the cancellation


class Link:
    """Keeps a member connected.

    Args:
        url, certificate, seed, name: from the invitation.
        on_open: sets up each new connection before others may use it.
        on_lost: called when a connection is lost.
        on_problem: called with the reason when the broker refuses to store messages, and with "" when it stores
            them again.
    """

    def __init__(
        self,
        url: str,
        certificate: str,
        seed: str,
        name: str,
        on_open: Callable[[Client], Awaitable[None]],
        on_lost: Callable[[], object] = lambda: None,
        on_problem: Callable[[str], object] = lambda reason: None,
    ) -> None:
        self._url, self._certificate, self._seed, self.name = url, certificate, seed, name
        self._on_open, self._on_lost, self._on_problem = on_open, on_lost, on_problem
        self._problem = ""
        self._client: Client | None = None
        self._is_open = asyncio.Event()
        self._is_lost = asyncio.Event()
        self.ack_seconds = 3.0
        """Seconds without a sign of life after which the broker gives a job to another worker."""
        self.last_error = ""
        """Why the last attempt to connect failed."""

    @property
    def client(self) -> Client | None:
        """The open connection, or None."""
        return self._client

    async def opened(self) -> Client:
        """Wait for the connection and return it."""
        while self._client is None:
            await self._is_open.wait()
        return self._client

    async def run(self, patience: float | None = None) -> None:
        """Stay connected until cancelled.

        Raises:
            RefusedError: if the broker refuses our key, now or later.
            VersionError: if it has another protocol version.
            BrokerError: if the first connection fails for `patience` seconds; 0 for a single attempt.
        """
        loop = asyncio.get_running_loop()
        give_up = None if patience is None else loop.time() + patience
        tries = 0
        while True:
            self._is_lost.clear()
            try:
                client = await connect(self._url, self._certificate, self._seed, self.name, self._is_lost.set)
            except ssl.SSLCertVerificationError as error:
                raise RefusedError(f"the server at {self._url} is not the grid of this invitation: {error}") from error
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
        """Wait before the next attempt, longer after each.

        Raises:
            BrokerError: if the time for the first connection is over.
        """
        self.last_error = str(error) or type(error).__name__
        if give_up is not None and asyncio.get_running_loop().time() > give_up:
            raise BrokerError(f"no grid answers at {self._url} ({self.last_error})") from error
        await asyncio.sleep(_RETRY_DELAYS_S[min(tries, len(_RETRY_DELAYS_S) - 1)])

    async def _until_lost(self, client: Client) -> None:
        # The library does not always report that a connection was closed: not if there was unsent data, or if it was
        # closed from one of its own callbacks.
        while not self._is_lost.is_set() and not client.is_closed:
            with contextlib.suppress(asyncio.TimeoutError):
                await asyncio.wait_for(self._is_lost.wait(), _POLL_S)

    def drop(self) -> None:
        """Close this connection; the next one is opened at once."""
        self._is_lost.set()

    async def _check_version(self, client: Client) -> None:
        try:
            config = (await ask(client, f"CONSUMER.INFO.{JOBS}.{ANY}"))["config"]
        except APIError as error:  # just started, queues not yet created
            raise OSError(str(error)) from error
        check_protocol(int(config.get("metadata", {}).get("tengen-protocol", 0)), f"the grid at {self._url}")
        self.ack_seconds = config["ack_wait"] / 1e9

    async def store(self, subject: str, data: bytes, message_id: str) -> int:
        """Put a message into a stream and return its sequence number, however often connection or broker fail."""
        while True:
            client = await self.opened()
            delay = _STORE_RETRY_S
            try:
                reply = await client.request(subject, data, _STORE_TIMEOUT_S, headers={"Nats-Msg-Id": message_id})
                answer = json.loads(reply.data)
                if "seq" in answer:
                    self._report_problem("")
                    return int(answer["seq"])
                reason = answer.get("error", {}).get("description", "no reason given")
                self._report_problem(f"the broker does not store messages: {reason}")
                delay = _STORE_RETRY_REFUSED_S
            except NoRespondersError:  # its streams are offline
                self._report_problem("the broker does not store messages: its streams are offline")
                delay = _STORE_RETRY_REFUSED_S
            except TimeoutError:
                if not client.is_closed:  # a stream that cannot write to its disk does not answer
                    self._report_problem("the broker does not store messages: its disk may be full")
            except TROUBLE:
                pass
            await asyncio.sleep(delay)

    def _report_problem(self, reason: str) -> None:
        if reason != self._problem:
            self._problem = reason
            self._on_problem(reason)

    async def send(self, subject: str, data: bytes = b"", reply: str = "") -> None:
        """Send a message without confirmation; it may be lost."""
        if self._client is not None:
            with contextlib.suppress(*TROUBLE):
                await self._client.publish(subject, data, reply)
