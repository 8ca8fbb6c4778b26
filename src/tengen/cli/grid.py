"""`tengen grid`: a broker for many machines, and who may use it."""

from __future__ import annotations

import signal
import socket
from contextlib import suppress
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from tengen.cli.common import JsonOption, counted, err, out, print_json
from tengen.cli.grid_status import show_status
from tengen.grid import BrokerError, GridError, extra_packages
from tengen.record.store import data_folder

if TYPE_CHECKING:
    from tengen.grid.broker import Broker

grid = typer.Typer(
    no_args_is_help=True, help="Let many machines work together: run a broker, invite workers and clients."
)

FolderOption = Annotated[
    Path | None,
    typer.Option("--folder", metavar="DIR", help="The broker's folder; one in your user data unless told."),
]
NameArgument = Annotated[str, typer.Argument(metavar="NAME", help="Of a worker or client.")]

_STOP_SECONDS = 10


@grid.command()
def up(
    host: Annotated[
        str | None,
        typer.Option("--host", metavar="ADDRESS", help="Where to listen: 127.0.0.1 at first, 0.0.0.0 for the network."),
    ] = None,
    port: Annotated[int | None, typer.Option("--port", min=1, max=65535, help="4662 at first.")] = None,
    name: Annotated[
        str | None,
        typer.Option("--name", metavar="HOST", help="The name or address under which other machines reach this one."),
    ] = None,
    folder: FolderOption = None,
    json: JsonOption = False,
) -> None:
    """Run the broker until Ctrl-C. The first start creates keys and certificates; options are remembered."""
    if name is None and host is not None:
        name = socket.gethostname() if host in ("0.0.0.0", "::") else host
    broker = _broker(folder, is_new=True)
    if broker.is_running:  # at its old address, before that changes
        raise GridError(f"the grid in {broker.folder} is up already, at {broker.url}; Ctrl-C there ends it")
    broker = _broker(folder, is_new=True, host=host, port=port, name=name)
    with extra_packages():
        from tengen.grid.broker import Supervisor
    supervisor = Supervisor(broker, broker.folder / "broker.log", lambda sentence: err.print(sentence))
    try:
        if json:
            print_json({"url": broker.url, "folder": str(broker.folder), "members": broker.members})
        else:
            out.print(f"The grid is up at {broker.url}; Ctrl-C ends it.", soft_wrap=True)
            if not broker.members:
                out.print("Next: 'tengen grid invite NAME' for each worker, and once with --client for yourself.")
        with suppress(KeyboardInterrupt):
            if supervisor.run() != 0:
                raise BrokerError(f"the broker has ended; see {broker.folder / 'broker.log'}")
    finally:
        server = supervisor.server
        server.send_signal(signal.SIGTERM)
        try:
            server.wait(_STOP_SECONDS)
        except BaseException:  # too slow, or a second Ctrl-C
            server.kill()
            server.wait()
            raise


@grid.command()
def invite(
    name: NameArgument,
    client: Annotated[bool, typer.Option("--client", help="For somebody who has jobs, not for a worker.")] = False,
    output: Annotated[
        Path | None, typer.Option("--out", "-o", metavar="FILE", help="Where to write it; NAME.grid unless told.")
    ] = None,
    folder: FolderOption = None,
    json: JsonOption = False,
) -> None:
    """Write an invitation: one file with all that a worker or client needs. It is a key: hand it over safely."""
    path = output or Path(f"{name}.grid")
    if path.exists():
        raise GridError(f"{path} is there already")
    broker = _broker(folder)
    invitation = broker.invite(name, "client" if client else "worker")
    try:
        invitation.write(path)
    except OSError:  # nobody has the key
        broker.revoke(name)
        raise
    if json:
        print_json({"name": name, "role": invitation.role, "url": invitation.url, "file": str(path)})
        return
    out.print(f"Wrote {path}.")
    use = f"tengen prove POSITION --grid {path}" if client else f"tengen worker --join {path}"
    out.print(f"With it: {use}", soft_wrap=True)
    if broker.settings.name == "127.0.0.1":
        err.print("It is good on this machine only; 'tengen grid up --host 0.0.0.0' listens on the network.")


@grid.command()
def revoke(name: NameArgument, folder: FolderOption = None, json: JsonOption = False) -> None:
    """Lock a worker or client out, at once; its running jobs go to others."""
    broker = _broker(folder)
    broker.revoke(name)
    if json:
        print_json({"revoked": name, "members": broker.members})
    else:
        out.print(f"{name} is locked out.")


@grid.command()
def purge(
    name: Annotated[str, typer.Argument(metavar="NAME", help="Of a client.")],
    folder: FolderOption = None,
    json: JsonOption = False,
) -> None:
    """Remove the queued and running jobs of a client that will not come back; one that is there submits again."""
    purged = _broker(folder).purge(name)
    if json:
        print_json({"purged": name, "jobs": purged.jobs, "running": purged.running})
    else:
        out.print(f"{counted(purged.jobs, 'job')} of {name} thrown away, {purged.running:,} of them running.")


@grid.command()
def status(
    join: Annotated[
        Path | None,
        typer.Option("--join", metavar="FILE", help="A client's invitation, for a grid on another machine."),
    ] = None,
    folder: FolderOption = None,
    json: JsonOption = False,
) -> None:
    """Show workers, jobs, clients and the rate; Ctrl-C ends it."""
    if join is None:
        invitation = _broker(folder, read_only=True).admin()
    else:
        with extra_packages():
            from tengen.grid.keys import Invitation
        invitation = Invitation.read(join).expect("client")
    show_status(invitation, json)


def _broker(folder: Path | None, *, is_new: bool = False, **changes: Any) -> Broker:
    with extra_packages():
        from tengen.grid.broker import Broker
    place = folder or data_folder() / "grid"
    if not is_new and not (place / "settings.json").exists():
        raise GridError(f"there is no grid in {place}; 'tengen grid up' makes one")
    return Broker(place, **{name: value for name, value in changes.items() if value is not None})
