"""`tengen tournament`: who is the strongest of several players?"""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from tengen.arena import Format, Ledger, Report, Tournament
from tengen.cli import arena
from tengen.cli.common import GameOption, JsonOption, group_with_default
from tengen.play.clock import TOLERANCE

Folder = Annotated[Path, typer.Argument(metavar="DIR", help="The folder of a match or tournament.")]


tournament = typer.Typer(
    cls=group_with_default("play"),
    no_args_is_help=True,
    help="Play a tournament of several players (tengen tournament A B C …), go on with one, or report on one.",
)


@tournament.command()
def play(
    context: typer.Context,
    players: Annotated[list[str], typer.Argument(metavar="PLAYER…", help="The players, two or more.")],
    gauntlet: Annotated[bool, typer.Option("--gauntlet", help="Only the first player meets all others.")] = False,
    games: Annotated[
        int,
        typer.Option(
            "--games", "-n", min=2, max=arena.MOST_GAMES, help="How many games each pair plays, an even number."
        ),
    ] = 10,
    time: arena.TimeOption = None,
    nodes: arena.NodesOption = None,
    depth: arena.DepthOption = None,
    game: GameOption = None,
    openings: arena.OpeningsOption = "balanced",
    opening_moves: arena.OpeningMovesOption = None,
    balance: arena.BalanceOption = arena.DEFAULT_BALANCE,
    concurrency: arena.ConcurrencyOption = arena.DEFAULT_CONCURRENCY,
    adjudicate: arena.AdjudicateOption = False,
    max_moves: arena.MaxMovesOption = None,
    tolerance: arena.ToleranceOption = TOLERANCE,
    seed: arena.SeedOption = 0,
    output: arena.OutOption = None,
    json: JsonOption = False,
) -> None:
    """Everybody meets everybody, each opening with both colours. The word 'play' may be left out."""
    settings = arena.arrange(
        context,
        players,
        games=games,
        format=Format.GAUNTLET if gauntlet else Format.ROUND_ROBIN,
        game=game,
        openings=openings,
        opening_moves=opening_moves,
        balance=balance,
        time_control=time,
        nodes=nodes,
        depth=depth,
        adjudicate=adjudicate,
        max_moves=max_moves,
        tolerance=tolerance,
        seed=seed,
    )
    arena.run(output or arena.new_folder("tournament"), settings, concurrency, json)


@tournament.command()
def resume(
    folder: Folder, concurrency: arena.ConcurrencyOption = arena.DEFAULT_CONCURRENCY, json: JsonOption = False
) -> None:
    """Go on with a match or tournament that was interrupted."""
    arena.run(folder, None, concurrency, json)


@tournament.command()
def report(
    folder: Folder,
    html: Annotated[
        str | None,
        typer.Option(
            "--html",
            metavar="FILE",
            help="Where to write the page, report.html in DIR unless told; - for standard output.",
        ),
    ] = None,
    json: JsonOption = False,
) -> None:
    """Report on a match or tournament, finished or not: tables, and a page with plots."""
    ledger = Ledger.read(folder)
    arena.tell(Report(ledger), folder, json, Tournament(ledger).is_finished, html)
