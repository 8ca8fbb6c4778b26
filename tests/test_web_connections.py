"""Connections of clients without a session: how long and how many the server keeps."""

from __future__ import annotations

import asyncio
import socket
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

import pytest

from tengen.record import Store
from tengen.web.app import make_app
from tengen.web.connections import MAX_UNAUTHENTICATED, UNAUTHENTICATED_LIFE_S, Connections, make_server
from tengen.web.entry import session_token
from tengen.web.security import own_hosts

KEY = "the-key"
SLOW = {
    "no request": b"",
    "part of a header": b"GET / HTTP/1.1\r\nHo",
    "part of a body": b"POST /api/session HTTP/1.1\r\nHost: %s\r\nContent-Length: 1000\r\n\r\nx",
    "a WebSocket without a session": b"GET /api/events HTTP/1.1\r\nHost: %s\r\nUpgrade: websocket\r\n"
    b"Connection: Upgrade\r\nSec-WebSocket-Key: MDAwMDAwMDAwMDAwMDAwMA==\r\nSec-WebSocket-Version: 13\r\n\r\n",
}


@contextmanager
def serving(folder: Path, connections: Connections) -> Iterator[int]:
    """A real server with these limits, in a thread; its port."""
    listening = socket.create_server(("127.0.0.1", 0))
    port = listening.getsockname()[1]
    app = make_app(
        Store(folder / "store"),
        key=KEY,
        hosts=own_hosts("127.0.0.1", port),
        on_authenticated=connections.release,
    )
    server = make_server(app, connections)
    thread = threading.Thread(target=lambda: asyncio.run(server.serve([listening])))
    thread.start()
    try:
        yield port
    finally:
        server.should_exit = True
        thread.join(60)


def is_closed_by_server(client: socket.socket, seconds: float = 60) -> bool:
    """Whether the server closes a connection on which the client goes on to send a byte now and then."""
    client.settimeout(0.05)
    deadline = time.monotonic() + seconds
    while time.monotonic() < deadline:
        try:
            client.sendall(b"a")
            while client.recv(4096):
                pass
            return True
        except TimeoutError:
            continue
        except OSError:
            return True
    return False


@pytest.mark.parametrize("kind", SLOW)
def test_a_slow_client_without_a_session_is_disconnected(tmp_path: Path, kind: str) -> None:
    connections = Connections(life_s=0.5)
    with serving(tmp_path, connections) as port, socket.create_connection(("127.0.0.1", port)) as client:
        content = SLOW[kind]
        client.sendall(content % b"127.0.0.1:%d" % port if b"%s" in content else content)
        assert is_closed_by_server(client)
        deadline = time.monotonic() + 60
        while len(connections):
            assert time.monotonic() < deadline
            time.sleep(0.05)


def test_a_client_with_a_session_is_not_disconnected(tmp_path: Path) -> None:
    connections = Connections(life_s=0.5)
    with serving(tmp_path, connections) as port, socket.create_connection(("127.0.0.1", port)) as client:
        token = session_token(KEY, str(port))
        client.sendall(
            SLOW["a WebSocket without a session"].replace(
                b"\r\n\r\n", b"\r\nSec-WebSocket-Protocol: tengen, tengen.session." + token.encode() + b"\r\n\r\n"
            )
            % b"127.0.0.1:%d"
            % port
        )
        client.settimeout(60)
        assert client.recv(4096).startswith(b"HTTP/1.1 101")
        time.sleep(1.5)
        client.setblocking(False)
        with suppress(BlockingIOError):  # raised as long as the connection is open
            while client.recv(4096):  # the first event
                pass
            raise AssertionError("the server closed the connection")


def test_many_idle_connections_do_not_keep_others_out(tmp_path: Path) -> None:
    connections = Connections(life_s=3600, maximum=5)
    with serving(tmp_path, connections) as port:
        idle = [socket.create_connection(("127.0.0.1", port)) for _ in range(20)]
        with socket.create_connection(("127.0.0.1", port)) as client:
            client.settimeout(60)
            client.sendall(b"GET / HTTP/1.1\r\nHost: 127.0.0.1:%d\r\n\r\n" % port)
            assert client.recv(4096).startswith(b"HTTP/1.1 ")
            assert len(connections) <= 5
        assert is_closed_by_server(idle[0])
        for one in idle:
            one.close()


def test_the_limits_of_the_workbench_are_finite() -> None:
    assert 0 < UNAUTHENTICATED_LIFE_S <= 60
    assert 0 < MAX_UNAUTHENTICATED <= 500
