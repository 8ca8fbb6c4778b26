"""Access of members, checked against a real broker over TLS."""

from __future__ import annotations

import asyncio
import dataclasses
import json
import os
import secrets
import ssl
import stat
import subprocess
import sys
from collections.abc import Awaitable, Callable
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import nats
import pytest
from grid_backends import NatsBackend, answers, free_port, until
from hypothesis import given
from hypothesis import strategies as st
from nats.aio.client import Client

from tengen.grid import EventKind, GridError, RefusedError, VersionError
from tengen.grid import broker as broker_module
from tengen.grid.broker import Broker
from tengen.grid.certificates import make_certificates
from tengen.grid.client import GridClient
from tengen.grid.keys import Invitation, Key
from tengen.grid.link import connect
from tengen.grid.messages import (
    MAX_REPORT,
    AbortMessage,
    ClientBeat,
    JobMessage,
    ResultMessage,
    WorkerBeat,
    decode,
    encode,
)
from tengen.grid.secret_file import write_secret
from tengen.grid.subjects import inbox_prefix

ID = "0123456789abcdef"


def as_member(invitation: Invitation, act: Callable[[Client], Awaitable[None]]) -> list[str]:
    """Use a member's key without the code of the grid; return the errors that the broker reports."""
    errors: list[str] = []
    is_over = asyncio.Event()

    async def note(error: Exception) -> None:
        errors.append(str(error).lower())
        if "the end" in errors[-1].replace("-", " "):
            is_over.set()

    async def do() -> None:
        client = await nats.connect(
            invitation.url,
            tls=ssl.create_default_context(cadata=invitation.certificate),
            tls_handshake_first=True,
            nkeys_seed_str=invitation.seed,
            inbox_prefix=inbox_prefix(invitation.name),
            allow_reconnect=False,
            connect_timeout=60,
            error_cb=note,
        )
        await act(client)
        await client.publish("the-end")  # forbidden for all, so that its error is the last one
        await asyncio.wait_for(is_over.wait(), 60)
        await client.close()

    asyncio.run(do())
    return errors


def forbidden_publishing(invitation: Invitation, subjects: list[str]) -> list[str]:
    """The subjects to which a member may not publish."""

    async def publish(client: Client) -> None:
        for subject in subjects:
            await client.publish(subject, b"{}")

    errors = as_member(invitation, publish)
    return [s for s in subjects if any(f'publish to "{s.lower()}"' in error for error in errors)]


def forbidden_reading(invitation: Invitation, subjects: list[str]) -> list[str]:
    async def subscribe(client: Client) -> None:
        for subject in subjects:
            await client.subscribe(subject)

    errors = as_member(invitation, subscribe)
    return [s for s in subjects if any(f'subscription to "{s.lower()}"' in error for error in errors)]


def invitation_of(backend: NatsBackend, name: str) -> Invitation:
    return Invitation.read(backend.folder / f"{name}.grid")


def test_a_key_that_was_not_invited_is_refused(nats_backend: NatsBackend) -> None:
    stranger = dataclasses.replace(invitation_of(nats_backend, "tester"), seed=Key.new().seed)
    with pytest.raises(RefusedError, match="does not know the key of 'tester'"):
        GridClient(stranger)


def test_nobody_talks_to_a_broker_that_another_authority_vouches_for(nats_backend: NatsBackend, tmp_path: Path) -> None:
    make_certificates(tmp_path, ["127.0.0.1"])
    misled = dataclasses.replace(invitation_of(nats_backend, "tester"), certificate=(tmp_path / "ca.pem").read_text())
    with pytest.raises(RefusedError, match="is not the grid of this invitation"):
        GridClient(misled)


def test_a_worker_can_neither_submit_nor_abort_nor_speak_for_another(nats_backend: NatsBackend) -> None:
    forbidden = [
        "jobs.any.tester",
        "jobs.w.w2.tester",
        "abort.w2.tester",
        "abort.all.tester",
        f"res.tester.{ID}.w2",
        "beat.w2",
        "client.tester",
        "$JS.API.STREAM.MSG.DELETE.JOBS",
        "api.STREAM.MSG.DELETE.JOBS",
        "$JS.API.STREAM.PURGE.JOBS",
        "api.STREAM.PURGE.JOBS",
        "$JS.API.CONSUMER.MSG.NEXT.JOBS.w-w2",
        "api.CONSUMER.MSG.NEXT.JOBS.w-w2",
        "$JS.API.CONSUMER.CREATE.RES-tester.spy.res.tester.>",
        "api.CONSUMER.CREATE.RES-tester.spy.res.tester.>",
        "$JS.API.STREAM.MSG.GET.RES-tester",
        "api.STREAM.MSG.GET.RES-tester",
        "$SYS.REQ.SERVER.PING",
    ]
    worker = invitation_of(nats_backend, "w1")
    assert forbidden_publishing(worker, forbidden) == forbidden
    allowed = ["beat.w1", f"res.tester.{ID}.w1"]
    assert forbidden_publishing(worker, allowed) == []
    secret = ["res.>", "jobs.>", "live.beat.*", "live.client.*", "log.tester.>", "_IN.tester.>", "_R_.>", ">"]
    assert forbidden_reading(worker, secret) == secret


def test_a_client_can_neither_answer_nor_use_the_name_of_another(nats_backend: NatsBackend) -> None:
    forbidden = [
        "jobs.any.other",
        "jobs.w.w1.other",
        "abort.w1.other",
        "client.other",
        f"res.tester.{ID}.w1",
        "beat.w1",
        "$JS.API.CONSUMER.CREATE.RES-tester.spy.res.tester.>",
        "api.CONSUMER.CREATE.RES-tester.spy.res.tester.>",
        "$JS.API.CONSUMER.CREATE.JOBS",
        "api.CONSUMER.CREATE.JOBS",
        "$JS.API.CONSUMER.MSG.NEXT.JOBS.any",
        "api.CONSUMER.MSG.NEXT.JOBS.any",
        "$JS.API.STREAM.DELETE.JOBS",
        "api.STREAM.DELETE.JOBS",
        "$JS.API.STREAM.MSG.GET.RES-other",
        "api.STREAM.MSG.GET.RES-other",
        "$JS.API.STREAM.MSG.GET.JOBS",
        "api.STREAM.MSG.GET.JOBS",
    ]
    assert forbidden_publishing(invitation_of(nats_backend, "tester"), forbidden) == forbidden
    secret = ["res.>", "jobs.>", "log.other.>", "_IN.w1.>", "_IN.other.>", "_R_.>"]
    assert forbidden_reading(invitation_of(nats_backend, "tester"), secret) == secret


def test_answers_to_jobs_that_were_not_asked_and_nonsense_do_no_harm(nats_backend: NatsBackend) -> None:
    with nats_backend.open() as client:
        job = client.submit("sleep", {"seconds": 60})
        worker = wait_for_worker(client, job)
        other = invitation_of(nats_backend, "w1" if worker == "w2" else "w2")

        async def lie(connection: Client) -> None:
            made_up = encode(ResultMessage(job=secrets.token_hex(8), outcome="done", attempt=1, result={}))
            for data in (made_up, b"", b"\xff", b"[]", b'{"protocol": 2}', b"{" * 10_000, b"x" * 2_000_000):
                await connection.publish(f"res.tester.{secrets.token_hex(8)}.{other.name}", data)
                await connection.publish(f"beat.{other.name}", data)

        as_member(other, lie)
        assert not [event for event in until(client, 0.5) if event.job is not None]
        client.abort(job)
        assert answers(client, 1)[0].kind is EventKind.ABORTED


def test_invalid_results_of_one_worker_do_not_use_up_the_attempts_of_a_job(nats_backend: NatsBackend) -> None:
    with nats_backend.open() as client:
        job = client.submit("sleep", {"seconds": 3})
        worker = invitation_of(nats_backend, wait_for_worker(client, job))

        async def babble(connection: Client) -> None:
            for _ in range(10):
                await connection.publish(f"res.tester.{job}.{worker.name}", b'{"protocol": 2, "outcome": "won"}')

        as_member(worker, babble)
        event = answers(client, 1)[0]
        assert (event.kind, event.job) == (EventKind.DONE, job)


def wait_for_worker(client: GridClient, job: str) -> str:
    while True:
        for worker in client.workers():
            if worker.job == job:
                return worker.name
        client.next_event(0.05)


def test_a_revoked_worker_is_gone_at_once_and_says_why(nats_backend: NatsBackend) -> None:
    path = nats_backend.invite("guest", "worker")
    command = [sys.executable, "-m", "tengen", "worker", "--join", str(path), "--cores", "1"]
    worker = subprocess.Popen(command, stderr=subprocess.PIPE, text=True)
    with nats_backend.open() as client:
        while "guest" not in {worker.name for worker in client.workers()}:
            client.next_event(0.1)
    nats_backend.broker.revoke("guest")
    _, said = worker.communicate(timeout=60)
    assert worker.returncode == 3
    assert "does not know the key of 'guest', or no longer: ask for a new invitation" in " ".join(said.split())
    with pytest.raises(RefusedError):
        asyncio.run(connect_with(Invitation.read(path)))


async def connect_with(invitation: Invitation) -> None:
    await connect(invitation.url, invitation.certificate, invitation.seed, invitation.name)


def test_a_revoked_client_hears_of_it_and_its_queue_is_gone(nats_backend: NatsBackend) -> None:
    path = nats_backend.invite("guest2", "client")
    with GridClient(Invitation.read(path)) as client:
        jobs = [client.submit("sleep", {"seconds": 60}) for _ in range(6)]  # the running ones are called back
        nats_backend.broker.revoke("guest2")
        events = answers(client, len(jobs))
        assert sorted(event.job or "" for event in events) == sorted(jobs)
        assert "does not know the key" in events[-1].message
        with pytest.raises(RefusedError):
            client.submit("echo", {})


def test_names_that_would_reach_further_are_refused(nats_backend: NatsBackend) -> None:
    for name in ("*", ">", "a.b", "", "any", "all", "x" * 41, "a b", "ä"):
        with pytest.raises(GridError, match="invalid name"):
            nats_backend.broker.invite(name, "worker")
    with pytest.raises(GridError, match="is already invited"):
        nats_backend.broker.invite("w1", "client")
    with pytest.raises(GridError, match="no member 'nobody'"):
        nats_backend.broker.revoke("nobody")


def test_nobody_is_lost_who_was_invited_by_another_program(tmp_path: Path) -> None:
    first, second = (Broker(tmp_path / "broker", port=free_port()) for _ in range(2))
    first.invite("alice", "client")
    invitation = second.invite("bob", "worker")
    with pytest.raises(GridError, match="'bob' is already invited"):
        first.invite("bob", "client")
    assert first.members == Broker(tmp_path / "broker").members == {"alice": "client", "bob": "worker"}
    assert first.url == invitation.url  # it listens where it was told last
    first.revoke("bob")
    with pytest.raises(GridError, match=r"no member 'bob' \(there is alice\)"):
        second.revoke("bob")
    config = json.loads((tmp_path / "broker" / "nats.conf").read_text())
    assert set(config["accounts"]) == {"GRID", "SYS", "member-alice"}


def test_many_who_invite_at_once_all_do(tmp_path: Path) -> None:
    names = [f"member-{number}" for number in range(6)]

    def invite(name: str) -> None:
        Broker(tmp_path / "broker").invite(name, "worker")

    with ThreadPoolExecutor(len(names)) as threads:
        list(threads.map(invite, names))
    assert list(Broker(tmp_path / "broker").members) == names


def test_a_secret_is_safe_on_disk_before_it_takes_its_place(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = tmp_path / "secret"
    path.write_text("old")
    seen: list[tuple[int, str]] = []

    def sync(descriptor: int) -> None:
        seen.append((os.fstat(descriptor).st_size, path.read_text()))

    monkeypatch.setattr(os, "fsync", sync)
    write_secret(path, "new secret")
    assert seen == [(len("new secret"), "old")]
    assert path.read_text() == "new secret"


def test_secrets_are_for_their_owner_alone(nats_backend: NatsBackend) -> None:
    for path in [*nats_backend.broker.folder.glob("*"), nats_backend.client]:
        if path.name not in ("ca.pem", "server.pem", "streams"):
            assert stat.S_IMODE(path.stat().st_mode) == 0o600, path
    assert stat.S_IMODE(nats_backend.broker.folder.stat().st_mode) == 0o700


def test_an_invitation_is_for_one_role_and_is_checked(nats_backend: NatsBackend, tmp_path: Path) -> None:
    with pytest.raises(GridError, match="is for a worker, not a client; 'tengen grid invite NAME --client'"):
        GridClient(invitation_of(nats_backend, "w1"))
    path = tmp_path / "bad.grid"
    good = json.loads(nats_backend.client.read_text())
    for change in ({"role": "king"}, {"name": "a.b"}, {"more": "x"}, {"seed": 3}):
        path.write_text(json.dumps(good | change))
        with pytest.raises(GridError):
            Invitation.read(path)
    damaged = {
        "its key is damaged": [("seed", good["seed"][:-1]), ("seed", "ä"), ("seed", "")],
        "its certificate is damaged": [("certificate", good["certificate"][:200]), ("certificate", "")],
        "is no address of a broker": [("url", "localhost"), ("url", ""), ("url", good["url"].replace("tls", "http"))],
        "Port": [("url", "tls://localhost:99999")],
    }
    for reason, changes in damaged.items():
        for name, value in changes:
            path.write_text(json.dumps(good | {name: value}))
            with pytest.raises(GridError, match=f"is no invitation to a grid .*{reason}"):
                Invitation.read(path)
    for text in ("", "[]", "{}", "\x00"):
        path.write_text(text)
        with pytest.raises(GridError, match="is no invitation to a grid"):
            Invitation.read(path)
    path.write_text(json.dumps(good | {"tengen-grid": 2}))
    with pytest.raises(VersionError, match=r"format 2 .* update Tengen here"):
        Invitation.read(path)


def test_a_connection_that_cannot_even_be_begun_says_why(nats_backend: NatsBackend) -> None:
    damaged = dataclasses.replace(invitation_of(nats_backend, "tester"), seed="SUA")
    with pytest.raises(GridError, match="ErrInvalidSeed"):
        GridClient(damaged)


@pytest.mark.parametrize(("theirs", "where"), [(3, "here"), (1, "there")])
def test_a_grid_of_another_version_is_refused_with_what_to_do(
    theirs: int, where: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(broker_module, "PROTOCOL", theirs)
    broker = Broker(tmp_path / "broker", port=free_port())
    invitation = broker.invite("me", "client")
    server = broker.start(tmp_path / "log")
    try:
        with pytest.raises(VersionError, match=f"update Tengen {where} "):
            GridClient(invitation)
    finally:
        server.terminate()
        server.wait()


def test_a_message_of_another_version_is_refused_with_what_to_do() -> None:
    data = json.loads(encode(AbortMessage(job=ID))) | {"protocol": 7}
    with pytest.raises(VersionError, match=r"uses version 7 .* this program version 2: update Tengen here"):
        decode(AbortMessage, json.dumps(data).encode())


def test_messages_have_limits() -> None:
    message = JobMessage(job=ID, kind="echo", attempt=1, arguments={"text": "x" * MAX_REPORT})
    with pytest.raises(GridError, match="too long"):
        encode(message, MAX_REPORT)
    with pytest.raises(GridError, match="too long"):
        decode(JobMessage, encode(message), MAX_REPORT)
    extra = json.loads(encode(AbortMessage(job=ID))) | {"sudo": True}
    with pytest.raises(GridError, match="sudo"):
        decode(AbortMessage, json.dumps(extra).encode())


@given(
    st.binary() | st.recursive(st.none() | st.integers() | st.text(), st.lists).map(lambda x: json.dumps(x).encode())
)
def test_no_bytes_do_more_than_be_refused(data: bytes) -> None:
    for kind in (JobMessage, ResultMessage, AbortMessage, WorkerBeat, ClientBeat):
        with pytest.raises(GridError):
            decode(kind, data)
