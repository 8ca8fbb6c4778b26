"""Limits for connections that have not been authenticated, on top of uvicorn, which has none for them.

A connection that sends its request byte by byte, never sends one or never reads its response would stay open without
end, and enough of them would use up the file descriptors of the server.
"""

from __future__ import annotations

import asyncio
from typing import Any

import uvicorn
from starlette.types import ASGIApp
from uvicorn.protocols.http.h11_impl import H11Protocol

UNAUTHENTICATED_LIFE_S = 30.0
"""Seconds after which a connection is closed that has not brought a request with a valid session token."""
MAX_UNAUTHENTICATED = 100
"""Number of such connections at the same time; the oldest is closed for one more."""
MAX_WEBSOCKET_MESSAGE_BYTES = 1 << 20
SHUTDOWN_TIMEOUT_S = 2

Address = tuple[str, int]


class Connections:
    """The connections of a server that have not been authenticated yet. Used by the thread of its event loop alone."""

    def __init__(self, life_s: float = UNAUTHENTICATED_LIFE_S, maximum: int = MAX_UNAUTHENTICATED) -> None:
        self._life_s, self._maximum = life_s, maximum
        self._open: dict[Address, tuple[asyncio.Transport, asyncio.TimerHandle]] = {}
        """By the address of the client, the oldest first."""

    def __len__(self) -> int:
        return len(self._open)

    def add(self, client: Address, transport: asyncio.Transport) -> None:
        """Start the time limit of a new connection."""
        self.release(client)
        while len(self._open) >= self._maximum:
            self._close(next(iter(self._open)))
        timer = asyncio.get_running_loop().call_later(self._life_s, self._close, client)
        self._open[client] = transport, timer

    def release(self, client: Address | None) -> None:
        """End the time limit of a connection that is authenticated or closed."""
        if client is not None and (entry := self._open.pop(client, None)) is not None:
            entry[1].cancel()

    def _close(self, client: Address) -> None:
        transport, timer = self._open.pop(client)
        timer.cancel()
        transport.abort()  # a polite close would wait for a client that does not read


def make_server(app: ASGIApp, connections: Connections) -> uvicorn.Server:
    """Return the server of an application that reports authenticated clients to `connections`."""

    class LimitedProtocol(H11Protocol):
        def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]
            super().connection_made(transport)
            if self.client is not None:
                connections.add(self.client, transport)

        def connection_lost(self, exc: Exception | None) -> None:
            connections.release(self.client)
            super().connection_lost(exc)

    settings: dict[str, Any] = {"http": LimitedProtocol, "log_level": "warning", "lifespan": "on"}
    return uvicorn.Server(
        uvicorn.Config(
            app,
            ws_max_size=MAX_WEBSOCKET_MESSAGE_BYTES,
            timeout_graceful_shutdown=SHUTDOWN_TIMEOUT_S,
            **settings,
        )
    )
