"""`tengen web`: the workbench in the browser."""

from __future__ import annotations

import socket
import threading
import webbrowser
from contextlib import suppress
from errno import EADDRINUSE
from typing import Annotated

import typer

from tengen.cli.common import JsonOption, out, print_json
from tengen.game import TengenError
from tengen.grid import extra_packages
from tengen.record import Store, private_data_folder

BROWSER_DELAY_S = 0.3
"""Seconds between the start of the server and that of the browser."""


def web(
    port: Annotated[int, typer.Option(help="The port to listen on; 0 takes a free one.", min=0, max=65535)] = 8626,
    host: Annotated[
        str, typer.Option(help="The address to listen on. The default is reachable from this machine only.")
    ] = "127.0.0.1",
    open_browser: Annotated[bool, typer.Option("--open/--no-open", help="Open a browser window.")] = True,
    grid: Annotated[
        str | None,
        typer.Option(metavar="FILE", help="A client's invitation to a grid: proofs may then use its workers."),
    ] = None,
    engine: Annotated[
        list[str] | None,
        typer.Option(metavar="SPEC", help="An external engine that the page may use, as in 'tengen match'."),
    ] = None,
    json: JsonOption = False,
) -> None:
    """Open the workbench in the browser: records, analysis, proofs. Ctrl-C ends it; nothing is lost.

    The printed address contains the key to the workbench. Exit code: 0 after Ctrl-C.
    """
    # The server takes a while to load, and no other command needs it.
    from tengen.web.app import STATIC, make_app
    from tengen.web.connections import Connections, make_server
    from tengen.web.entry import OneTimeTokens, write_entry_page
    from tengen.web.key import kept_key
    from tengen.web.security import is_any_address, own_hosts

    if not STATIC.is_dir():
        raise TengenError("the pages of the workbench are not built; `make setup` builds them")
    if grid is not None:  # an invalid invitation is reported now, not at the first proof
        with extra_packages():
            from tengen.grid.keys import Invitation
        Invitation.read(grid).expect("client")
    listening = _listen(host, port)
    port = listening.getsockname()[1]
    folder = private_data_folder()
    key = kept_key(folder)
    is_everywhere = is_any_address(host)
    connections, tokens = Connections(), OneTimeTokens()
    app = make_app(
        Store(),
        key=key,
        hosts=own_hosts(host, port),
        any_address=is_everywhere,
        grid=grid,
        programs=engine or (),
        tokens=tokens,
        on_authenticated=connections.release,
    )
    name = f"[{host}]" if ":" in host else host
    base = f"http://{'localhost' if is_everywhere else name}:{port}/"
    address = f"{base}#key={key}"
    if json:
        print_json({"address": address})
    else:
        out.print(f"The workbench is at {address}", soft_wrap=True)
    if open_browser:
        # The address with the key must not be on the command line of the browser, which every user can read.
        page = write_entry_page(folder, base, tokens)
        threading.Timer(BROWSER_DELAY_S, webbrowser.open, [page.absolute().as_uri()]).start()
    try:
        with suppress(KeyboardInterrupt):  # uvicorn has shut down in order when it passes the signal on
            make_server(app, connections).run(sockets=[listening])
    finally:
        tokens.revoke_all()


def _listen(host: str, port: int) -> socket.socket:
    listening = socket.socket(socket.AF_INET6 if ":" in host else socket.AF_INET)
    listening.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
    try:
        listening.bind((host, port))
        listening.listen(100)  # connections wait here until the server is ready
    except OSError as error:
        listening.close()
        advice = "; another workbench may be open, try --port 0" if error.errno == EADDRINUSE else ""
        raise OSError(error.errno, f"cannot listen on {host}, port {port}: {error.strerror}{advice}") from None
    return listening
