"""`tengen match`: which of two players is stronger?"""

from __future__ import annotations

from typing import Annotated

import typer

from tengen.arena import Format, Sprt
from tengen.cli import arena
from tengen.cli.common import GameOption, JsonOption, refuse_given
from tengen.play.clock import TOLERANCE

_GAMES = 20
_GAMES_OF_A_TEST = 2_000
_EXIT_CODES = {"elo1": 0, "elo0": 1, None: 2}


def match(
    context: typer.Context,
    first: Annotated[str, typer.Argument(metavar="A", help="A player.")],
    second: Annotated[str, typer.Argument(metavar="B", help="The other one.")],
    games: Annotated[
        int | None,
        typer.Option(
            "--games",
            "-n",
            min=2,
            max=arena.MOST_GAMES,
            help=f"How many games, an even number: {_GAMES} unless told, with --sprt at most {_GAMES_OF_A_TEST}.",
        ),
    ] = None,
    time: arena.TimeOption = None,
    nodes: arena.NodesOption = None,
    depth: arena.DepthOption = None,
    game: GameOption = None,
    openings: arena.OpeningsOption = "balanced",
    opening_moves: arena.OpeningMovesOption = None,
    balance: arena.BalanceOption = arena.DEFAULT_BALANCE,
    concurrency: arena.ConcurrencyOption = arena.DEFAULT_CONCURRENCY,
    sprt: Annotated[
        tuple[float, float] | None,
        typer.Option("--sprt", metavar="ELO0 ELO1", help="Stop when it is decided which of the two A is stronger by."),
    ] = None,
    alpha: Annotated[
        float, typer.Option("--alpha", help="For --sprt: the chance to accept ELO1 when ELO0 is true.")
    ] = 0.05,
    beta: Annotated[
        float, typer.Option("--beta", help="For --sprt: the chance to accept ELO0 when ELO1 is true.")
    ] = 0.05,
    adjudicate: arena.AdjudicateOption = False,
    max_moves: arena.MaxMovesOption = None,
    tolerance: arena.ToleranceOption = TOLERANCE,
    seed: arena.SeedOption = 0,
    output: arena.OutOption = None,
    json: JsonOption = False,
) -> None:
    """Play a match: every opening twice, with colours swapped.

    Games, log and report.html are kept in a folder; a match that was interrupted goes on where it was left. With --sprt
    the exit code is 0 if ELO1 was accepted, 1 if ELO0 was, 2 if neither.
    """
    if sprt is None:
        refuse_given(context, "that is for --sprt", "alpha", "beta")
    test = None if sprt is None else Sprt(*sprt, alpha, beta)
    settings = arena.arrange(
        context,
        [first, second],
        games=games or (_GAMES if test is None else _GAMES_OF_A_TEST),
        format=Format.ROUND_ROBIN,
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
        sprt=test,
    )
    report = arena.run(output or arena.new_folder("match"), settings, concurrency, json)
    if test is not None and report.match is not None:
        raise typer.Exit(_EXIT_CODES[test.verdict(report.match.pairs)])
