"""`tengen games`: the known games and their parameters."""

from __future__ import annotations

from typing import Annotated

import typer
from rich.table import Table

from tengen.cli.common import JsonOption, out, print_json, rules_sentence
from tengen.game import KNOWN_GAMES, Game, aliases


def games(
    game: Annotated[
        list[str] | None,
        typer.Argument(metavar="[GAME]", help="Explain this game, by name or parameters; all known ones if left out."),
    ] = None,
    json: JsonOption = False,
) -> None:
    """List the known games and their parameters, or explain one."""
    chosen = KNOWN_GAMES
    if game:
        parsed = Game.parse(" ".join(game))
        chosen = {parsed.name: parsed}
    if json:
        for name, known in chosen.items():
            print_json(_entry(name, known))
        return
    table = Table(box=None, pad_edge=False, header_style="bold")
    for heading in ("game", "parameters", "short name"):
        table.add_column(heading, overflow="fold")
    for name, known in chosen.items():
        table.add_row(name, str(known), ", ".join(aliases(known)))
    out.print(table)
    if game:
        out.print(rules_sentence(parsed))
    else:
        out.print(
            "\nConnect(m,n,k,p,q): m columns, n rows, k in a row win, p stones a move, q in the first; "
            "Connect(k,p,q) is the infinite board.",
        )


def _entry(name: str, game: Game) -> dict[str, object]:
    return {
        "name": name,
        "parameters": str(game),
        "aliases": aliases(game),
        "m": game.m,
        "n": game.n,
        "k": game.k,
        "p": game.p,
        "q": game.q,
        "maker_breaker": game.maker_breaker,
    }
