"""The log of results of one client, read in order, without gaps, from where the client stopped."""

from __future__ import annotations

import asyncio
import base64
from collections.abc import Callable

from nats.aio.client import Client
from nats.aio.msg import Msg
from nats.js.errors import APIError, NotFoundError

from tengen.grid.link import TROUBLE, ask
from tengen.grid.subjects import log_subject, results_stream


class ResultLog:
    """Reads a client's results over one connection after the other.

    The broker relays each result once it is stored, with its sequence number. A number that is not the next one means
    that messages were lost: the missing ones are then read from the stream.

    Args:
        name: of the client.
        on_result: called with the job, the worker and the message of each result.
        received: sequence number of the last result that the client has; None to begin after the last stored one.
    """

    def __init__(self, name: str, on_result: Callable[[str, str, bytes], object], received: int | None) -> None:
        self._name, self._on_result, self._received = name, on_result, received
        self._reading = asyncio.Lock()

    @property
    def received(self) -> int:
        """Sequence number of the last result that was read."""
        return self._received or 0

    async def open(self, client: Client) -> None:
        """Follow the log over a new connection, from the first result that was not read.

        Raises:
            OSError, NatsError, TimeoutError: if the broker does not answer.
        """
        try:
            state = (await ask(client, f"STREAM.INFO.{results_stream(self._name)}"))["state"]
        except APIError as error:  # the broker has just started
            raise OSError(str(error)) from error
        if self._received is None:
            self._received = int(state["last_seq"])
        elif self._received > state["last_seq"]:  # the log was deleted and created again
            self._received = 0

        async def on_message(message: Msg) -> None:
            sequence = _sequence(message)
            if sequence == self.received + 1 and not self._reading.locked():
                self._accept(sequence, message.subject, message.data)
            elif not 0 < sequence <= self.received:
                await self.catch_up(client)

        await client.subscribe(log_subject(self._name), cb=on_message, pending_bytes_limit=-1)
        await client.flush()
        await self.catch_up(client, must_succeed=True)

    async def catch_up(self, client: Client, *, must_succeed: bool = False) -> None:
        """Read every stored result that was not relayed to this client.

        Raises:
            OSError, NatsError, TimeoutError: if the broker does not answer and `must_succeed` is set. Otherwise the
                next call reads on.
        """
        async with self._reading:
            try:
                while await self._read_next(client):
                    pass
            except TROUBLE:
                if must_succeed:
                    raise

    async def _read_next(self, client: Client) -> bool:
        # Not a direct read: that one returns the subject in a header, next to headers that the worker has written.
        request = {"seq": self.received + 1, "next_by_subj": f"res.{self._name}.>"}
        try:
            stored = (await ask(client, f"STREAM.MSG.GET.{results_stream(self._name)}", request))["message"]
        except NotFoundError:
            return False
        except APIError as error:
            raise OSError(str(error)) from error
        self._accept(int(stored["seq"]), stored["subject"], base64.b64decode(stored.get("data", "")))
        return True

    def _accept(self, sequence: int, subject: str, data: bytes) -> None:
        self._received = sequence
        _, _, job, worker = subject.split(".")
        self._on_result(job, worker, data)


def _sequence(message: Msg) -> int:
    """Sequence number of a relayed result; 0 if there is none.

    The broker appends its header behind those of the worker, and of two headers with one name the last is read: a
    worker cannot choose the number.
    """
    text = (message.headers or {}).get("Nats-Sequence", "")
    return int(text) if text.isdecimal() else 0
