"""The log of answers, as one client reads it: in order, without gaps, from where it stopped."""

from __future__ import annotations

import contextlib
import secrets
import time
from collections.abc import Callable

from nats.aio.client import Client
from nats.aio.msg import Msg
from nats.js.errors import APIError

from tengen.grid.link import TROUBLE, ask
from tengen.grid.subjects import RESULTS, ack_place

_HEARTBEAT = 3.0


class AnswerLog:
    """Reads what workers have answered to a client, over one connection after the other.

    Args:
        name: of the client.
        take: is called with the job, the worker and the message of each answer.
        reconnect: is called when something was lost on the way, to `read` on over a new connection.
        received: the number of the last answer that the client has; None if it begins now.
    """

    def __init__(
        self,
        name: str,
        take: Callable[[str, str, bytes], object],
        reconnect: Callable[[], object],
        received: int | None,
    ) -> None:
        self._name, self._take, self._reconnect = name, take, reconnect
        self._received = received
        self._client: Client | None = None
        self._expected = 0
        self._heard_at = 0.0

    @property
    def received(self) -> int:
        """The number of the last answer that has come."""
        return self._received or 0

    @property
    def is_silent(self) -> bool:
        """Whether not even the broker's heartbeat is heard; a new connection will mend it."""
        return time.monotonic() - self._heard_at > 3 * _HEARTBEAT

    async def read(self, client: Client) -> None:
        """Have the log sent to us over this connection, from behind the last answer that we have.

        Raises:
            OSError, NatsError, TimeoutError: if that cannot be had now.
        """
        try:
            last = (await ask(client, f"STREAM.INFO.{RESULTS}"))["state"]["last_seq"]
            if self._received is None:
                self._received = last
            elif self._received > last:  # the log was begun anew
                self._received = 0
            inbox, mine = client.new_inbox(), f"res.{self._name}.>"
            name = f"c-{self._name}-{secrets.token_hex(4)}"
            config = {
                "name": name,
                "deliver_subject": inbox,
                "deliver_policy": "by_start_sequence",
                "opt_start_seq": self._received + 1,
                "filter_subject": mine,
                "ack_policy": "none",
                "max_deliver": 1,
                "mem_storage": True,
                "num_replicas": 1,
                "inactive_threshold": 60 * 10**9,
                "flow_control": True,
                "idle_heartbeat": int(_HEARTBEAT * 1e9),
            }
            self._client, self._expected, self._heard_at = client, 1, time.monotonic()
            await client.subscribe(inbox, cb=self._on_message, pending_bytes_limit=-1)
            await ask(client, f"CONSUMER.CREATE.{RESULTS}.{name}.{mine}", {"stream_name": RESULTS, "config": config})
        except APIError as error:  # the broker has just started
            raise OSError(str(error)) from error

    async def _on_message(self, message: Msg) -> None:
        self._heard_at = time.monotonic()
        place = ack_place(message.reply)
        if place is None:
            stalled = (message.headers or {}).get("Nats-Consumer-Stalled")
            if self._client is not None and (reply := message.reply or stalled):  # it wants to know if we keep up
                with contextlib.suppress(*TROUBLE):
                    await self._client.publish(reply)
        elif place.consumer_sequence == self._expected:
            self._expected += 1
            self._received = place.stream_sequence
            _, _, job, worker = message.subject.split(".")
            self._take(job, worker, message.data)
        else:
            self._reconnect()
