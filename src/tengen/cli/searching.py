"""What the commands that search for wins share: their options, and what is seen of them while they work."""

from __future__ import annotations

import os
import signal
import time
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from typing import Annotated

import typer
from rich.console import RenderableType
from rich.constrain import Constrain
from rich.live import Live
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeElapsedColumn, TimeRemainingColumn
from rich.table import Table
from rich.text import Text

from tengen.cli.common import counted, err, out
from tengen.solve.solver import MAX_ORDER

CORES = os.cpu_count() or 1
REFRESH_SECONDS = 0.25
"""How often what is seen of long work changes."""

OrderOption = Annotated[
    int,
    typer.Option(
        "--order",
        min=1,
        max=MAX_ORDER,
        help="The highest order of the wins: 1 by double threats, 2 by single ones too, 3 and more with quiet moves.",
    ),
]
SideOption = Annotated[
    str | None,
    typer.Option("--side", metavar="<black|white>", help="Who is to win; the side to move unless told."),
]
ThreadsOption = Annotated[int, typer.Option("--threads", min=1, max=256, help="Threads that share the search.")]
ProofOption = Annotated[
    str | None,
    typer.Option("--proof", metavar="FILE", help="Write the win as a proof file, which 'tengen check' checks."),
]
StrategyOption = Annotated[
    str | None,
    typer.Option("--sgf", metavar="FILE", help="Write the whole winning strategy as SGF with variations."),
]
WholeOption = Annotated[bool, typer.Option("--whole", help="Print everything that was found, however long it is.")]
ZonesOption = Annotated[
    bool,
    typer.Option("--zones", help="Show the relevance zones on the board: where stones of the defender could matter."),
]


@contextmanager
def status() -> Iterator[Callable[..., None]]:
    """Shows that a search is at work; what it gives is to be called with the nodes, and the depth if it is known."""

    def tell(nodes: int, depth: int | None = None) -> None:
        deep = "" if depth is None else f", {counted(depth, 'move')} deep"
        shown.update(f"searching: {counted(nodes, 'node')}{deep}")

    with err.status("searching") as shown:
        yield tell


@contextmanager
def stopping_at_ctrl_c(stop: Callable[[], object]) -> Iterator[Callable[[], bool]]:
    """Ctrl-C asks the work to stop, which keeps what it has found; what this gives tells whether that has happened."""
    is_asked = False

    def ask(*_: object) -> None:
        nonlocal is_asked
        is_asked = True
        stop()

    before = signal.signal(signal.SIGINT, ask)
    try:
        yield lambda: is_asked
    finally:
        signal.signal(signal.SIGINT, before)


def watched(
    work: Callable[[Callable[[], None]], object], stop: Callable[[], object], look: Callable[[], RenderableType]
) -> bool:
    """Does long work, with what is to be seen of it on standard error if that is a terminal.

    Args:
        work: what to do; it calls what it is given as often as it likes.
        stop: called at Ctrl-C, upon which the work is to end.
        look: called a few times a second; returns what is to be seen now.

    Returns:
        Whether Ctrl-C has ended it.
    """
    looked = 0.0

    def tell() -> None:
        nonlocal looked
        if time.monotonic() - looked >= REFRESH_SECONDS:
            looked = time.monotonic()
            seen = look()
            if err.is_terminal:
                live.update(seen, refresh=True)

    with (
        stopping_at_ctrl_c(stop) as is_stopped,
        Live(Text("starting"), console=err, transient=True, auto_refresh=False) as live,
    ):
        work(tell)
    return is_stopped()


def live_figures(rows: Iterable[tuple[str, str]]) -> Constrain:
    """Names and figures for a display that changes while something runs."""
    shown = Table.grid(padding=(0, 2))
    shown.add_column(no_wrap=True)
    # One line each: a display that changes its height leaves traces on the screen.
    shown.add_column(no_wrap=True, overflow="ellipsis")
    for row in rows:
        shown.add_row(*row)
    return Constrain(shown, err.width - len("^C") - 1)  # else the terminal's ^C would begin a new line


def progress_bar(*, total_is_known: bool = True, is_wanted: bool = True) -> Progress:
    """A bar on standard error, if that is a terminal, that goes when the work is done."""
    return Progress(
        *(TextColumn("{task.description}"), BarColumn(), MofNCompleteColumn(), TimeElapsedColumn()),
        *([TimeRemainingColumn()] if total_is_known else []),
        console=err,
        transient=True,
        disable=not (is_wanted and err.is_terminal),
        redirect_stdout=out.is_terminal,  # else what is printed meanwhile would follow the bar to standard error
    )


@contextmanager
def reported_progress(what: str) -> Iterator[Callable[[int, int], None]]:
    """A bar to be told how many are done and how many there are, 0 if that is not known."""
    with progress_bar() as bar:
        task = bar.add_task(what, total=None)
        yield lambda done, total: bar.update(task, completed=done, total=total or None)
