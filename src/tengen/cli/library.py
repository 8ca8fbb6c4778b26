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
    write_output,
)
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
        print_json(
            [
                {
                    "number": e.id,
                    "title": e.title,
                    "game": e.game,
                    "moves": e.moves,
                    "created": e.created.isoformat(timespec="seconds"),
                    "changed": e.changed.isoformat(timespec="seconds"),
                }
                for e in entries
            ]
        )
        return
    if not entries:
        err.print("The library is empty. 'tengen play' keeps your games here; 'tengen library add FILE' adds a record.")
        return
    table = Table(box=None, pad_edge=False, header_style="bold", caption=str(path), caption_justify="left")
    for heading in ("number", "title", "game", "moves", "changed"):
        table.add_column(heading, justify="right" if heading in ("number", "moves") else "left")
    for e in entries:
        table.add_row(str(e.id), e.title, e.game, str(e.moves), e.changed.astimezone().strftime("%Y-%m-%d %H:%M"))
    out.print(table)


@library.command()
def add(
    position: PositionArgument,
    game: GameOption = None,
    title: Annotated[str, typer.Option("--title", help="What to call it; by default what the record says.")] = "",
    record: Annotated[int, typer.Option("--record", metavar="N", help="Which record of a collection.")] = 1,
    json: JsonOption = False,
) -> None:
    """Add a record or position."""
    source = read_source(position, parse_game(game), record)
    with Store() as store:
        number = store.add(source, title)
    if json:
        print_json({"number": number})
    else:
        out.print(f"kept as library:{number}")


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
    err.print(f"wrote {output}", soft_wrap=True)


@library.command()
def remove(number: Number) -> None:
    """Forget a record."""
    with Store() as store:
        store.remove(number)
    err.print(f"removed library:{number}")
