"""Connections to servers that offer no TLS, and changes of the member list that the broker does not load."""

from __future__ import annotations

import asyncio
import dataclasses
import json
import subprocess
import sys
import threading
from collections.abc import Iterator
from pathlib import Path
from socket import create_server, socket

import pytest
from grid_backends import free_port

from tengen.grid import BrokerError, GridError, RefusedError
from tengen.grid.broker import Broker, find_server
from tengen.grid.client import GridClient
from tengen.grid.keys import Invitation, Key
from tengen.grid.link import PlainTextError, connect

TLS_HANDSHAKE = 0x16
"""First byte of a TLS record that opens a connection."""


class PlainTextServer:
    """Greets as a NATS server that offers no TLS would, and records what the other side sends."""

    def __init__(self) -> None:
        self.received: list[bytes] = []
        self._listener = create_server(("127.0.0.1", 0))
        self.port: int = self._listener.getsockname()[1]
        threading.Thread(target=self._serve, daemon=True).start()

    def _serve(self) -> None:
        greeting = {
            "server_id": "X",
            "version": "2.15.0",
            "max_payload": 1 << 20,
            "nonce": "abc",
            "auth_required": True,
        }
        while True:
            try:
                connection, _ = self._listener.accept()
            except OSError:
                return
            threading.Thread(target=self._greet, args=(connection, greeting), daemon=True).start()

    def _greet(self, connection: socket, greeting: dict[str, object]) -> None:
        with connection:
            connection.settimeout(60)
            connection.sendall(b"INFO " + json.dumps(greeting).encode() + b"\r\n")
            try:
                while data := connection.recv(65536):
                    self.received.append(data)
                    connection.sendall(b"+OK\r\nPONG\r\n")
            except OSError:
                pass

    def close(self) -> None:
        self._listener.close()


@pytest.fixture
def plain_text_server() -> Iterator[PlainTextServer]:
    server = PlainTextServer()
    yield server
    server.close()


@pytest.fixture
def invitation(tmp_path: Path) -> Invitation:
    return Broker(tmp_path / "broker", port=free_port()).invite("alice", "client")


def test_nothing_is_sent_in_plain_text(plain_text_server: PlainTextServer, invitation: Invitation) -> None:
    misled = dataclasses.replace(invitation, url=f"tls://127.0.0.1:{plain_text_server.port}")

    async def try_to_connect() -> None:
        with pytest.raises(PlainTextError, match="does not begin with TLS"):
            await connect(misled.url, misled.certificate, misled.seed, misled.name)

    asyncio.run(try_to_connect())
    assert plain_text_server.received
    assert all(data[0] == TLS_HANDSHAKE for data in plain_text_server.received)


def test_a_client_reports_a_server_without_tls(
    plain_text_server: PlainTextServer, invitation: Invitation, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("tengen.grid.client.CONNECT_TIMEOUT_S", 0.1)
    misled = dataclasses.replace(invitation, url=f"tls://127.0.0.1:{plain_text_server.port}")
    with pytest.raises(BrokerError, match="does not begin with TLS"):
        GridClient(misled)
    assert all(data[0] == TLS_HANDSHAKE for data in plain_text_server.received)


def test_a_real_broker_without_tls_gets_no_key_and_no_job(tmp_path: Path, invitation: Invitation) -> None:
    """A NATS server that accepts the key, but without TLS, as a proxy that strips TLS would present it."""
    port, key = free_port(), Key.new()
    config = tmp_path / "plain.conf"
    users = [{"nkey": key.public}]
    config.write_text(json.dumps({"host": "127.0.0.1", "port": port, "authorization": {"users": users}}))
    log = tmp_path / "plain.log"
    server = subprocess.Popen([find_server(), "--config", str(config), "--log", str(log)])
    misled = dataclasses.replace(invitation, url=f"tls://127.0.0.1:{port}", seed=key.seed)

    async def try_to_connect() -> None:
        while not log.exists() or "Server is ready" not in log.read_text():
            await asyncio.sleep(0.05)
        with pytest.raises(PlainTextError):
            await connect(misled.url, misled.certificate, misled.seed, misled.name)

    try:
        asyncio.run(try_to_connect())
    finally:
        server.terminate()
        server.wait()


def test_the_broker_sends_nothing_before_the_tls_handshake(tmp_path: Path) -> None:
    broker = Broker(tmp_path / "broker", port=free_port())
    config = json.loads((tmp_path / "broker" / "nats.conf").read_text())
    assert config["tls"]["handshake_first"] is True
    server = broker.start(tmp_path / "log")
    try:
        with socket() as connection:
            connection.settimeout(60)
            connection.connect(("127.0.0.1", broker.settings.port))
            connection.sendall(b'CONNECT {"verbose":false}\r\nPING\r\n')
            assert b"INFO" not in connection.recv(4096)
    finally:
        server.terminate()
        server.wait()


def run_tengen(folder: Path, *arguments: str) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, "-m", "tengen", "grid", *arguments]
    return subprocess.run(command, cwd=folder, capture_output=True, text=True, timeout=300)


def test_relative_folders_name_the_same_broker_from_everywhere(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "here").mkdir()
    monkeypatch.chdir(tmp_path / "here")
    broker = Broker(Path("../grid"), port=free_port())
    server = broker.start(tmp_path / "log")
    try:
        invited = run_tengen(tmp_path, "invite", "guest", "--folder", "grid")
        assert invited.returncode == 0, invited.stderr
        guest = Invitation.read(tmp_path / "guest.grid")
        asyncio.run(_connect(guest))
        revoked = run_tengen(tmp_path, "revoke", "guest", "--folder", "grid")
        assert revoked.returncode == 0, revoked.stderr
        with pytest.raises(RefusedError):
            asyncio.run(_connect(guest))
    finally:
        server.terminate()
        server.wait()


async def _connect(invitation: Invitation) -> None:
    client = await connect(invitation.url, invitation.certificate, invitation.seed, invitation.name)
    await client.close()


def test_the_member_list_changes_only_if_the_broker_loads_it(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    broker = Broker(tmp_path / "grid", port=free_port())
    server = broker.start(tmp_path / "log")
    try:
        guest = broker.invite("guest", "worker")
        good_config = broker._config

        def bad_config(members: dict[str, dict[str, str]]) -> dict[str, object]:
            config = good_config(members)
            return config if "guest" in members and len(members) == 1 else {**config, "port": "not a port"}

        monkeypatch.setattr(broker, "_config", bad_config)
        for change in (lambda: broker.revoke("guest"), lambda: broker.invite("other", "client")):
            with pytest.raises(BrokerError, match="refuses the new configuration"):
                change()
            assert broker.members == Broker(tmp_path / "grid", read_only=True).members == {"guest": "worker"}
        monkeypatch.undo()
        asyncio.run(_connect(guest))
        broker.revoke("guest")  # a second attempt is possible, and works
        with pytest.raises(RefusedError):
            asyncio.run(_connect(guest))
        assert broker.invite("other", "client").name == "other"
    finally:
        server.terminate()
        server.wait()


def test_a_revocation_that_nobody_confirms_is_an_error(tmp_path: Path, plain_text_server: PlainTextServer) -> None:
    broker = Broker(tmp_path / "grid", port=plain_text_server.port)  # something listens there, but not our broker
    (tmp_path / "grid" / "members.json").write_text(
        json.dumps({"guest": {"role": "worker", "public": Key.new().public}})
    )
    with pytest.raises(BrokerError):
        broker.revoke("guest")
    assert broker.members == {"guest": "worker"}


def test_a_broker_that_is_down_can_still_revoke(tmp_path: Path) -> None:
    broker = Broker(tmp_path / "grid", port=free_port())
    guest = broker.invite("guest", "worker")
    broker.revoke("guest")
    with pytest.raises(GridError, match="no member 'guest'"):
        broker.revoke("guest")
    server = broker.start(tmp_path / "log")
    try:
        with pytest.raises(RefusedError):
            asyncio.run(_connect(guest))
    finally:
        server.terminate()
        server.wait()
