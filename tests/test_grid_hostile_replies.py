"""Reply subjects that point at something the sender may not use. The broker publishes to a reply subject itself, so
permissions do not stop it; accounts must."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from grid_backends import answers, free_port, start_worker
from nats.aio.msg import Msg
from test_grid_security import as_member

from tengen.grid import EventKind
from tengen.grid.broker import Broker
from tengen.grid.client import GridClient
from tengen.grid.keys import Invitation
from tengen.grid.link import ask, connect
from tengen.grid.subjects import Role, access

ID = "0123456789abcdef"
BODIES = (
    b"",
    b"{}",
    b'{"batch":1,"no_wait":true}',
    b'{"batch":1,"expires":1}',
    b'{"seq":1}',
    b"+NXT",
    b"+ACK",
)
TARGETS = (
    "api.STREAM.DELETE.JOBS",
    "api.STREAM.PURGE.RES-victim",
    "$JS.API.STREAM.DELETE.JOBS",
    "$JS.API.STREAM.DELETE.RES-victim",
    "$JS.API.STREAM.PURGE.JOBS",
    "$JS.API.STREAM.PURGE.RES-victim",
    "$JS.API.STREAM.MSG.GET.RES-victim",
    "$JS.API.CONSUMER.DELETE.JOBS.any",
    "$JS.API.CONSUMER.DELETE.JOBS.w-victim-worker",
    "$JS.API.CONSUMER.MSG.NEXT.JOBS.w-victim-worker",
    "$JS.ACK.JOBS.w-victim-worker.1.1.1.1.1",
    "jobs.any.victim",
    "jobs.w.victim-worker.victim",
    f"res.victim.{ID}.victim-worker",
    f"log.victim.{ID}.victim-worker",
    "abort.all.victim",
    "live.abort.all.victim",
    "beat.victim-worker",
    "live.beat.victim-worker",
    "client.victim",
    "_IN.victim.x",
    "_IN.admin.x",
    "$SYS.REQ.SERVER.PING",
)


@pytest.fixture
def broker(tmp_path: Path) -> Iterator[Broker]:
    broker = Broker(tmp_path / "broker", port=free_port())
    server = broker.start(tmp_path / "log")
    try:
        yield broker
    finally:
        server.terminate()
        server.wait()


def literal(subject: str) -> str:
    """A subject that a permission with wildcards allows."""
    subject = subject.replace(".>", ".1.1.1.1.1").replace("res.*.*", f"res.victim.{ID}")
    return subject.replace("*", "victim-worker")


@pytest.mark.parametrize("role", ["worker", "client"])
def test_hostile_reply_subjects_reach_nothing(broker: Broker, role: Role, tmp_path: Path) -> None:
    victim, attacker = broker.invite("victim", "client"), broker.invite("attacker", role)
    broker.invite("victim-worker", "worker").write(tmp_path / "worker.grid")
    own = [literal(subject) for subject in access(role, "attacker").publish]
    seen: list[str] = []

    async def attack_and_watch() -> None:
        async def note(message: Msg) -> None:
            seen.append(message.subject)

        house, victim_connection = broker.admin(), await connect(*_address(victim))
        admin = await connect(*_address(house))
        for target in TARGETS:
            await admin.subscribe(target, cb=note)
            if target.startswith(("_IN.victim", "log.", "live.beat")):
                await victim_connection.subscribe(target, cb=note)
        await admin.flush()
        await victim_connection.flush()
        before = await _state(admin)

        def attack() -> None:
            async def publish(client: Any) -> None:
                for subject in own:
                    for target in (*TARGETS, *own):
                        for body in BODIES:
                            await client.publish(subject, body, target)
                await client.flush()

            # The server itself refuses replies that look like acknowledgements; everything else was let through.
            errors = [error for error in as_member(attacker, publish) if "with reply of" not in error]
            assert not [error for error in errors if "the-end" not in error]

        await asyncio.to_thread(attack)
        await admin.flush()
        await victim_connection.flush()
        assert await _state(admin) == before
        await admin.close()
        await victim_connection.close()

    asyncio.run(attack_and_watch())
    own_calls = {subject.replace("api.", "$JS.API.") for subject in own}  # which need no trick
    assert set(seen) <= own_calls
    worker = start_worker(tmp_path / "worker.grid")  # the grid still works
    try:
        with GridClient(victim) as client:
            client.submit("echo", {"number": 1}, worker="victim-worker")
            assert [event.kind for event in answers(client, 1)] == [EventKind.DONE]
    finally:
        worker.terminate()
        worker.wait()


async def _state(admin: Any) -> Any:
    """Streams and queues, and what the streams contain under the names of others than the attacker."""
    names = (await ask(admin, "STREAM.NAMES"))["streams"]
    contents = {}
    for name in names:
        info = await ask(admin, f"STREAM.INFO.{name}", {"subjects_filter": ">"})
        subjects = info["state"].get("subjects") or {}
        contents[name] = {key: count for key, count in subjects.items() if not key.endswith((".attacker", "ask"))}
    return names, contents, (await ask(admin, "CONSUMER.NAMES.JOBS"))["consumers"]


def _address(invitation: Invitation) -> tuple[str, str, str, str]:
    return invitation.url, invitation.certificate, invitation.seed, invitation.name


def test_a_worker_cannot_choose_the_sequence_number_or_author_of_its_result(broker: Broker, tmp_path: Path) -> None:
    victim, attacker = broker.invite("victim", "client"), broker.invite("attacker", "worker")
    broker.invite("honest", "worker").write(tmp_path / "worker.grid")
    worker = start_worker(tmp_path / "worker.grid")
    try:
        with GridClient(victim) as client:
            headers = {"Nats-Sequence": "1000000", "Nats-Subject": f"res.victim.{ID}.honest", "Nats-Stream": "JOBS"}

            async def publish(connection: Any) -> None:
                for number in range(3):
                    await connection.publish(f"res.victim.{number}.attacker", b"{}", headers=headers)

            as_member(attacker, publish)
            client.submit("echo", {"number": 1}, worker="honest")
            (event,) = answers(client, 1)
            assert event.kind is EventKind.DONE
            assert event.sequence == 4
    finally:
        worker.terminate()
        worker.wait()


def test_each_member_has_an_account_without_streams(broker: Broker) -> None:
    broker.invite("alice", "client")
    broker.invite("w1", "worker")
    accounts = json.loads((broker.folder / "nats.conf").read_text())["accounts"]
    for name in ("member-alice", "member-w1"):
        assert "jetstream" not in accounts[name]
        assert len(accounts[name]["users"]) == 1
        services = [line["service"]["subject"] for line in accounts[name]["imports"] if "service" in line]
        assert all(subject.startswith("$JS.ACK.JOBS.") for subject in services if subject.endswith(">"))
