"""`tengen book`: opening statistics from records, to look at and for agents to play by."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Annotated

import typer
from rich.table import Table

from tengen.cli.common import (
    GameOption,
    JsonOption,
    counted,
    err,
    figures_under,
    out,
    parse_game,
    parse_position,
    print_json,
    standard_input,
)
from tengen.game import CONNECT6, Game, TengenError
from tengen.play import OpeningBook
from tengen.play.book import MINE, RULES, BookMove, book_file, users_book
from tengen.record import Record, RecordError, gather, make_folder
from tengen.record.gather import gather_text

book = typer.Typer(no_args_is_help=True, help="Opening statistics: made from game records, shown, and played by.")

BookArgument = Annotated[str, typer.Argument(metavar="BOOK", help="The file of the book, or 'mine'.")]
RecordsArgument = Annotated[
    list[str], typer.Argument(metavar="RECORDS...", help="Files of game records, or folders of them.")
]
_SHOWN_TROUBLES = 10
_SHOWN_MOVES = 15


class _Reading:
    """Games on their way into a book; bad ones are told, and left out."""

    def __init__(self, sources: list[str], game: Game | None) -> None:
        self.sources, self.game = sources, game
        self.read = self.bad = 0

    def __iter__(self) -> Iterator[Record]:
        for found in self._games():
            if not isinstance(found, RecordError):
                self.read += 1
                yield found
                continue
            self.bad += 1
            if self.bad <= _SHOWN_TROUBLES:
                err.print(f"left out: {found}", style="yellow")
        if self.bad > _SHOWN_TROUBLES:
            err.print(f"left out: {self.bad - _SHOWN_TROUBLES:,} more", style="yellow")

    def _games(self) -> Iterator[Record | RecordError]:
        for source in self.sources:
            if source == "-":
                yield from gather_text(standard_input(), "standard input", self.game)
            else:
                yield from gather([source], self.game)


@book.command()
def build(
    files: Annotated[
        list[str],
        typer.Argument(metavar="RECORDS... BOOK", help="Records, files or folders; then the book to write, or 'mine'."),
    ],
    game: GameOption = None,
    turns: Annotated[int, typer.Option("--turns", min=1, help="How many turns of each game to keep.")] = 8,
    replace: Annotated[bool, typer.Option("--replace", help="Make a book anew that is there.")] = False,
    json: JsonOption = False,
) -> None:
    """Make a book of records. Agents play by it: --against opening-book:BOOK, --against engine:book=BOOK.

    The book 'mine' lies in the user's data: the workbench and 'tengen opening show' tell its statistics.
    """
    if len(files) < 2:
        raise typer.BadParameter("name at least one file of records, and the book to write")
    *sources, target = files
    file = _target(target)
    if file.exists() and not replace:
        raise TengenError(f"{file} is there: 'tengen book add {target} RECORDS...' adds to it, --replace makes it anew")
    reading = _Reading(sources, parse_game(game))
    made = OpeningBook(parse_game(game) or CONNECT6, turns)
    used = made.add_all(reading)
    if not used:
        raise TengenError(f"there is no decided game of {made.game} in the records: no book to write")
    make_folder(file.parent)
    made.write(file)
    _tell(made, str(file), used, reading, json)


@book.command()
def add(target: BookArgument, records: RecordsArgument, json: JsonOption = False) -> None:
    """Add records to a book. Games that it has already are left out."""
    made = OpeningBook.read(book_file(target), to_add=True)
    reading = _Reading(records, None if made.game == CONNECT6 else made.game)
    used = made.add_all(reading)
    _tell(made, str(_target(target)), used, reading, json)


@book.command()
def show(
    source: BookArgument,
    position: Annotated[
        list[str] | None, typer.Argument(metavar="POSITION", help="Moves, such as 'J10 K11I11'; J10 unless told.")
    ] = None,
    most: Annotated[int, typer.Option("--most", min=1, help="Show so many moves at most.")] = _SHOWN_MOVES,
    json: JsonOption = False,
) -> None:
    """Show what was played in a position, how it ended, and what two rules recommend. Exit code 1: nothing is known."""
    kept = OpeningBook.read(book_file(source))
    here = parse_position(" ".join(position or ["J10"]), kept.game)
    moves = kept.moves(here)
    best = {rule: choose(moves, 4) for rule, choose in RULES.items()}
    if json:
        print_json(
            {
                "position": str(here),
                "side": str(here.turn),
                "games": kept.games,
                "moves": [_as_json(move) for move in moves[:most]],
                "known": len(moves),
                "recommended": {rule: None if move is None else str(move.move) for rule, move in best.items()},
            }
        )
    elif not moves:
        out.print("The book knows no move here.")
    else:
        figures = ("games", "won", "drawn", "lost", "score %", "at least %")
        table = Table("move", *map(figures_under, figures), "recommended by")
        for move in moves[:most]:
            results = move.results
            rules = ", ".join(rule for rule, chosen in best.items() if chosen == move)
            percent = [f"{100 * share:.1f}" for share in (results.share, results.bound)]
            table.add_row(str(move.move), f"{results.games:,}", *(f"{n:,}" for n in results), *percent, rules)
        out.print(table)
        rest = f", of which {most} are shown" if len(moves) > most else ""
        out.print(f"{str(here.turn).capitalize()} to move; {counted(len(moves), 'move')} known{rest}.")
        for rule, chosen in best.items():
            if chosen is not None and chosen not in moves[:most]:
                out.print(f"By the rule {rule!r}: {chosen.move}, won {chosen.results.wins} of {chosen.results.games}.")
    kept.close()
    if not moves:
        raise typer.Exit(1)


def _target(name: str) -> Path:
    """Where a book is that need not be there yet."""
    return users_book() if name == MINE else Path(name)


def _as_json(move: BookMove) -> dict[str, object]:
    results = move.results
    shares = {"ratio": round(results.ratio, 4), "share": round(results.share, 4), "bound": round(results.bound, 4)}
    return {"move": str(move.move), "games": results.games, **results._asdict(), **shares}


def _tell(made: OpeningBook, target: str, used: int, reading: _Reading, json: bool) -> None:
    figures = {"added": used, "left_out": reading.read - used, "bad": reading.bad}
    if json:
        print_json({"book": target, "games": made.games, "positions": len(made), **figures})
    else:
        troubles = [
            f"{number:,} {what}"
            for number, what in (
                (figures["left_out"], "left out, undecided, of another game or there already"),
                (reading.bad, "that could not be read"),
            )
            if number
        ]
        err.print(
            f"wrote {target}: {counted(len(made), 'position')} of {counted(made.games, 'game')}"
            + "".join(f"; {trouble}" for trouble in troubles),
        )
    made.close()
