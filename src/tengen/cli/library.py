"""`tengen library`: the records that the user keeps."""

from __future__ import annotations

from typing import Annotated

import typer
from rich.table import Table

from tengen.cli.common import (
    GameOption,
    JsonOption,
    PositionArgument,
    err,
    out,
    output_format,
    parse_game,
    print_json,
    read_source,
    read_sources,
    write_output,
)
from tengen.game import Game
from tengen.record import FORMATS, Store, write_file

library = typer.Typer(no_args_is_help=True, help="Keep records in your own library: games you played, files you added.")

Number = Annotated[int, typer.Argument(metavar="NUMBER", help="The record's number in the list.")]


@library.command("list")
def list_(json: JsonOption = False) -> None:
    """List the records, the last changed first."""
    with Store() as store:
        entries = store.entries()
        path = store.path
    if json:
        for e in entries:
            print_json(
                {
                    "number": e.id,
                    "title": e.title,
                    "game": e.game,
                    "result": e.result,
                    "moves": e.moves,
                    "created": e.created.isoformat(timespec="seconds"),
                    "changed": e.changed.isoformat(timespec="seconds"),
                }
            )
        return
    if not entries:
        err.print("The library is empty. 'tengen play' keeps your games here; 'tengen library add FILE' adds a record.")
        return
    table = Table(box=None, pad_edge=False, header_style="bold", caption=str(path), caption_justify="left")
    for heading in ("number", "title", "game", "result", "moves", "changed"):
        table.add_column(heading, justify="right" if heading in ("number", "moves") else "left")
    for e in entries:
        changed = e.changed.astimezone().strftime("%Y-%m-%d %H:%M")
        table.add_row(str(e.id), e.title, Game.parse(e.game).name, e.result or "", str(e.moves), changed)
    out.print(table)


@library.command()
def add(
    position: PositionArgument,
    game: GameOption = None,
    title: Annotated[
        str, typer.Option("--title", metavar="TITLE", help="What to call it; by default what the record says.")
    ] = "",
    record: Annotated[
        int | None, typer.Option("--record", metavar="N", help="Only this record of a collection.")
    ] = None,
    json: JsonOption = False,
) -> None:
    """Add a position, or the records of a file: all of them, unless --record names one. With --json a line for each."""
    chosen = parse_game(game)
    records = read_sources(position, chosen) if record is None else [read_source(position, chosen, record)]
    with Store() as store:
        numbers = [store.add(one, title) for one in records]
    if json:
        for number in numbers:
            print_json({"number": number})
    elif len(numbers) == 1:
        out.print(f"kept as library:{numbers[0]}")
    else:
        out.print(f"{len(numbers):,} records kept as library:{numbers[0]} to library:{numbers[-1]}")


@library.command()
def export(
    number: Number,
    output: Annotated[str, typer.Argument(metavar="OUTPUT", help="The file to write; - for standard output.")],
    to: Annotated[
        str | None,
        typer.Option(
            "--to", "-t", metavar="FORMAT", help=f"One of {', '.join(FORMATS)}; by default what OUTPUT's name says."
        ),
    ] = None,
) -> None:
    """Write a record to a file."""
    format = output_format(output, to)
    with Store() as store:
        record = store.get(number)
    if output == "-":
        write_output(output, format.write(record, "utf-8").encode())
        return
    write_file([record], output, format.name)
    err.print(f"wrote {output}")


@library.command()
def remove(number: Number) -> None:
    """Forget a record."""
    with Store() as store:
        store.remove(number)
    err.print(f"removed library:{number}")
