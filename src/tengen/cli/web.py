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
from tengen.record import Store, data_folder


def web(
    port: Annotated[int, typer.Option(help="The port to listen on; 0 takes a free one.", min=0, max=65535)] = 8626,
    host: Annotated[str, typer.Option(help="The address to listen on: this machine alone unless told.")] = "127.0.0.1",
    open_browser: Annotated[bool, typer.Option("--open/--no-open", help="Open a browser window.")] = True,
    grid: Annotated[
        str | None,
        typer.Option(metavar="FILE", help="A client's invitation to a grid: proofs may then use its workers."),
    ] = None,
    engine: Annotated[
        list[str] | None,
        typer.Option(metavar="SPEC", help="Another program that the page may ask and play, as in 'tengen match'."),
    ] = None,
    json: JsonOption = False,
) -> None:
    """Open the workbench in the browser: records, analysis, proofs. Ctrl-C ends it; nothing is lost.

    Exit code: 0 after Ctrl-C.
    """
    import uvicorn  # takes a while to load, and no other command needs it

    from tengen.web.app import STATIC, make_app
    from tengen.web.key import kept_key
    from tengen.web.security import is_any_address, own_hosts

    if not STATIC.is_dir():
        raise TengenError("the pages of the workbench are not built; `make setup` builds them")
    if grid is not None:  # a wrong one is told at once, not when somebody wants a proof
        with extra_packages():
            from tengen.grid.keys import Invitation
        Invitation.read(grid).expect("client")
    listening = _listen(host, port)
    port = listening.getsockname()[1]
    key = kept_key(data_folder())
    is_everywhere = is_any_address(host)
    app = make_app(
        Store(), key=key, hosts=own_hosts(host, port), any_address=is_everywhere, grid=grid, programs=engine or ()
    )
    name = f"[{host}]" if ":" in host else host
    address = f"http://{'localhost' if is_everywhere else name}:{port}/?key={key}"
    if json:
        print_json({"address": address})
    else:
        out.print(f"The workbench is at {address}", soft_wrap=True)
    if open_browser:
        threading.Timer(0.3, webbrowser.open, [address]).start()
    server = uvicorn.Server(
        uvicorn.Config(app, log_level="warning", lifespan="on", ws_max_size=1 << 20, timeout_graceful_shutdown=2)
    )
    with suppress(KeyboardInterrupt):  # the server has ended in order, and hands the signal on
        server.run(sockets=[listening])


def _listen(host: str, port: int) -> socket.socket:
    listening = socket.socket(socket.AF_INET6 if ":" in host else socket.AF_INET)
    listening.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
    try:
        listening.bind((host, port))
        listening.listen(100)  # who comes before the server is ready waits
    except OSError as error:
        listening.close()
        advice = "; another workbench may be open, try --port 0" if error.errno == EADDRINUSE else ""
        raise OSError(error.errno, f"cannot listen on {host}, port {port}: {error.strerror}{advice}") from None
    return listening
