"""How do people reach it from a terminal? One file per subcommand.

Exit codes: 0 done (or "yes"), 1 "no", 2 "unknown", 3 bad input, 4 trouble with files or processes, 130 interrupted.
"""

from __future__ import annotations

import signal
import sys
from typing import Annotated, NoReturn

import typer

from tengen import __version__
from tengen.cli.agents import agents
from tengen.cli.audit import audit
from tengen.cli.book import book
from tengen.cli.check import check
from tengen.cli.common import EXIT_BAD_INPUT, EXIT_FILE_TROUBLE, EXIT_INTERRUPTED, err
from tengen.cli.convert import convert
from tengen.cli.defend import defend
from tengen.cli.draw import draw
from tengen.cli.engine import engine
from tengen.cli.fair import fair
from tengen.cli.games import games
from tengen.cli.grid import grid
from tengen.cli.join import join
from tengen.cli.library import library
from tengen.cli.match import match
from tengen.cli.opening import opening
from tengen.cli.play import play
from tengen.cli.prove import prove
from tengen.cli.puzzle import puzzle
from tengen.cli.show import show
from tengen.cli.simulate import simulate
from tengen.cli.solve import solve
from tengen.cli.sudoku import sudoku
from tengen.cli.threats import threats
from tengen.cli.tournament import tournament
from tengen.cli.web import web
from tengen.cli.worker import worker
from tengen.game import TengenError
from tengen.record import StoreError

app = typer.Typer(
    name="tengen",
    no_args_is_help=True,
    pretty_exceptions_enable=False,
    rich_markup_mode="rich",
    context_settings={"help_option_names": ["-h", "--help"]},
    help="A workbench for Connect6 and the k-in-a-row family Connect(m,n,k,p,q).",
)
for command in (
    web,
    show,
    play,
    agents,
    threats,
    solve,
    prove,
    simulate,
    defend,
    check,
    join,
    match,
    audit,
    engine,
    convert,
    games,
    fair,
    worker,
):
    app.command()(command)
app.add_typer(tournament, name="tournament")
app.add_typer(draw, name="draw")
app.add_typer(book, name="book")
app.add_typer(opening, name="opening")
app.add_typer(library, name="library")
app.add_typer(grid, name="grid")
app.add_typer(sudoku, name="sudoku")
app.add_typer(puzzle, name="puzzle")


def _print_version(wanted: bool) -> None:
    if wanted:
        print(f"tengen {__version__}")
        raise typer.Exit


@app.callback()
def _options(
    version: Annotated[
        bool, typer.Option("--version", callback=_print_version, is_eager=True, help="Print the version.")
    ] = False,
) -> None:
    pass


def main() -> None:
    """Runs the command line and exits with its code; every expected trouble becomes one clear sentence."""
    signal.signal(signal.SIGTERM, _terminate)
    try:
        app()
    except SystemExit as end:
        _exit(end)
    except StoreError as error:
        _fail(str(error), EXIT_BAD_INPUT if error.__cause__ is None else EXIT_FILE_TROUBLE)
    except TengenError as error:
        _fail(str(error), EXIT_BAD_INPUT)
    except OSError as error:
        name = f"{error.filename}: " if error.filename else ""
        _fail(f"{name}{error.strerror or error}", EXIT_FILE_TROUBLE)


def _exit(end: SystemExit) -> NoReturn:
    """Typer decides some codes that mean something else here."""
    if isinstance(end.__context__, BrokenPipeError):
        sys.exit(0)  # the reader has seen enough
    if end.code == 2 and not isinstance(end.__context__, typer.Exit):
        sys.exit(EXIT_BAD_INPUT)  # a wrong option; our commands say "unknown" with 2
    if end.code == EXIT_INTERRUPTED:
        err.print("tengen: interrupted", style="red")
    raise end


def _terminate(_signal: int, _frame: object) -> NoReturn:
    # As an exception, so that half-written files are removed on the way out.
    sys.exit(128 + signal.SIGTERM)


def _fail(reason: str, code: int) -> NoReturn:
    err.print(f"tengen: {reason}", style="red", soft_wrap=True)
    sys.exit(code)
