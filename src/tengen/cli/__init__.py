"""How do people reach it from a terminal? One file per subcommand.

Exit codes: 0 done (or "yes"), 1 "no", 2 "unknown", 3 bad input, 4 trouble with files or processes, 130 interrupted.
"""

from __future__ import annotations

import os
import signal
import sys
from io import TextIOWrapper
from typing import Annotated, NoReturn

import typer

from tengen import __version__
from tengen.cli.common import EXIT_BAD_INPUT, EXIT_FILE_TROUBLE, EXIT_INTERRUPTED, err, trouble
from tengen.cli.lazy import HELP_OPTIONS, lazy_group
from tengen.game import TengenError
from tengen.record.limits import DEFAULT_MEGABYTES, LIMIT_OPTION, LIMIT_VARIABLE, MAX_MEGABYTES

COMMANDS = {
    "Play and study": {
        "web": "Open the workbench in the browser: records, analysis, proofs, puzzles.",
        "show": "Show a position or a record as a board: in the terminal, as SVG or PNG.",
        "play": "Play in the terminal: against an opponent, or two people at one board.",
        "puzzle": "Solve puzzles, print them, mine games for more.",
        "opening": "Openings: who wins them, how that is proved, and how people fared.",
        "book": "Opening statistics: made from game records, shown, and played by.",
        "library": "Keep records: games you played, files you added.",
        "convert": "Convert records between formats.",
        "games": "List the known games and their parameters.",
    },
    "Search and prove": {
        "analyse": "Ask the engine for the best moves, with chances and lines.",
        "threats": "Show a player's threats, and the squares that meet them.",
        "solve": "Find a forced win by threats.",
        "prove": "Prove a win that may need quiet moves, here or by jobs on many machines.",
        "defend": "List the moves that are not proved to lose.",
        "check": "Check proofs and breakers' strategies.",
        "join": "Fill the open leaves of a proof with other proofs.",
        "simulate": "Run a search by jobs again on virtual workers.",
        "draw": "Prove that games are drawn, and search for better tilings.",
        "fair": "Say how fair a game is, and why.",
        "sudoku": "Minimum Sudoku: every puzzle with n clues in a grid.",
    },
    "Players and programs": {
        "agents": "List the agents that can play.",
        "match": "Play a match of two players.",
        "tournament": "Play a tournament of several players, go on with one, or report on one.",
        "audit": "Find moves that overlook a win by double threats, or leave one open.",
        "engine": "Answer another program on standard input and output.",
    },
    "Many machines": {
        "grid": "Let many machines work together: run a broker, invite workers and clients.",
        "worker": "Work for a grid until Ctrl-C.",
    },
}

app = typer.Typer(
    name="tengen",
    cls=lazy_group(COMMANDS),
    no_args_is_help=True,
    pretty_exceptions_enable=False,
    rich_markup_mode="rich",
    context_settings={"help_option_names": HELP_OPTIONS},
    help="A workbench for Connect6 and the k-in-a-row family Connect(m,n,k,p,q).",
)


def _print_version(wanted: bool) -> None:
    if wanted:
        print(f"tengen {__version__}")
        raise typer.Exit


@app.callback()
def _options(
    version: Annotated[
        bool, typer.Option("--version", callback=_print_version, is_eager=True, help="Print the version.")
    ] = False,
    max_file_mb: Annotated[
        int,
        typer.Option(
            LIMIT_OPTION,
            envvar=LIMIT_VARIABLE,
            metavar="N",
            min=1,
            max=MAX_MEGABYTES,
            help="Largest file to read, in megabytes after decompression. Raise it only for files that you trust.",
        ),
    ] = DEFAULT_MEGABYTES,
) -> None:
    if max_file_mb != DEFAULT_MEGABYTES:
        os.environ[LIMIT_VARIABLE] = str(max_file_mb)  # for processes that this one starts, too


def main() -> None:
    """Runs the command line and exits with its code; every expected trouble becomes one clear sentence."""
    signal.signal(signal.SIGTERM, _terminate)
    if isinstance(sys.stdin, TextIOWrapper):
        sys.stdin.reconfigure(errors="replace")  # what is no text is bad input, to be told by who knows what he wants
    try:
        app()
    except SystemExit as end:
        _exit(end)
    except TengenError as error:
        import sqlite3  # only now: most commands never open a store, or see a grid

        from tengen.grid import BrokerError

        is_of_files = isinstance(error.__cause__, OSError | sqlite3.Error)
        _fail(str(error), EXIT_FILE_TROUBLE if is_of_files or isinstance(error, BrokerError) else EXIT_BAD_INPUT)
    except OSError as error:
        _fail(trouble(error), EXIT_FILE_TROUBLE)


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
    err.print(f"tengen: {reason}", style="red")
    sys.exit(code)
