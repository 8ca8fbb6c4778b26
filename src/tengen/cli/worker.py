"""`tengen worker`: this machine works for a grid."""

from __future__ import annotations

from datetime import datetime
from pathlib import Path
from typing import Annotated

import typer

from tengen import __version__
from tengen.cli.common import err
from tengen.cli.searching import CORES
from tengen.grid import extra_packages


def worker(
    join: Annotated[
        Path, typer.Option("--join", metavar="FILE", help="The invitation, as 'tengen grid invite' has written it.")
    ],
    cores: Annotated[int, typer.Option("--cores", min=1, max=1024, help="How many jobs to do at once.")] = CORES,
    nice: Annotated[
        bool,
        typer.Option(
            "--nice", help="Make way: low priority, no jobs while others use the machine or it is on battery."
        ),
    ] = False,
) -> None:
    """Work for a grid until Ctrl-C, which hands back what is in hand. Only this machine opens connections.

    Exit code: 0 after Ctrl-C, 3 if the grid does not let this worker in (any more).
    """
    with extra_packages():
        from tengen.grid.keys import Invitation
        from tengen.grid.worker import work

    def tell(sentence: str) -> None:
        err.print(f"{datetime.now():%H:%M:%S} {sentence}", highlight=False)

    work(Invitation.read(join).expect("worker"), cores, nice=nice, version=__version__, tell=tell)
    tell("left the grid; all jobs are handed back")
