"""`tengen book`: opening statistics from records, for the agent `opening-book`."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from tengen.cli.common import GameOption, JsonOption, LenientOption, err, parse_game, print_json
from tengen.game import CONNECT6, TengenError
from tengen.play import OpeningBook
from tengen.record import RecordError, read_file


def book(
    files: Annotated[
        list[str],
        typer.Argument(metavar="RECORDS... BOOK", help="Files of game records to read, then the book to write."),
    ],
    game: GameOption = None,
    turns: Annotated[int, typer.Option("--turns", min=1, help="How many turns of each game to keep.")] = 8,
    lenient: LenientOption = False,
    json: JsonOption = False,
) -> None:
    """Make an opening book of game statistics from records, to play with: --against opening-book:BOOK."""
    if len(files) < 2:
        raise typer.BadParameter("name at least one file of records, and the book to write")
    *sources, target = files
    made = OpeningBook(parse_game(game) or CONNECT6, turns)
    left_out = 0
    for name in sources:
        try:
            for record in read_file(name, game=parse_game(game), strict=not lenient):
                left_out += not made.add(record)
        except TengenError as error:
            raise RecordError(f"{name}: {error}") from error
    if not made.games:
        raise TengenError(f"there is no decided game of {made.game} in the records: no book to write")
    made.write(Path(target))
    if json:
        print_json({"book": target, "games": made.games, "left_out": left_out, "positions": len(made)})
    else:
        err.print(
            f"wrote {target}: {len(made):,} positions of {made.games:,} games"
            + (f"; left out {left_out:,} undecided or of another game" if left_out else ""),
            soft_wrap=True,
        )
