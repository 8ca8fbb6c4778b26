"""`tengen convert`: between the formats of records."""

from __future__ import annotations

import sys
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from typing import Annotated

import typer
from rich.progress import BarColumn, Progress, SpinnerColumn, TextColumn, TimeElapsedColumn

from tengen.cli.common import GameOption, JsonOption, err, parse_game, print_json
from tengen.game import Game, TengenError
from tengen.record import FORMATS, Format, Record, RecordError
from tengen.record.files import decode, format_for, read_bytes, read_text, unpack, write_file

_FORMATS_HELP = "; ".join(f"{name}: {format.about}" for name, format in FORMATS.items())


class _Input:
    """The records of all input files, one after the other, with what happened to them."""

    def __init__(
        self, names: list[str], format: str | None, game: Game | None, lenient: bool, encoding: str | None
    ) -> None:
        self.names, self.format, self.game, self.lenient, self.encoding = (
            names,
            format,
            game,
            lenient,
            encoding,
        )
        self.count = 0
        self.problems: list[str] = []
        self.losses: Counter[str] = Counter()

    def records(self, target: Format, progress: Progress) -> Iterator[Record]:
        task = progress.add_task("reading", total=len(self.names), games=0)
        for done, name in enumerate(self.names):
            progress.update(task, description=Path(name).name if name != "-" else "standard input", completed=done)
            data = unpack(sys.stdin.buffer) if name == "-" else read_bytes(name)
            try:
                for record in read_text(decode(data, self.encoding), self.format, self.game, strict=not self.lenient):
                    self.count += 1
                    self.problems += [f"{name}: {problem}" for problem in record.problems]
                    self.losses.update(_losses(record, target))
                    progress.update(task, games=self.count)
                    yield record
            except TengenError as error:
                raise RecordError(f"{name}: {error}") from error
        progress.update(task, completed=len(self.names))


def _losses(record: Record, target: Format) -> Counter[str]:
    """What of a record the target format has no place for."""
    if target.has_variations:
        return Counter()
    main_line = record.main_line()
    return +Counter(
        variations=sum(len(node.children) - 1 for node in main_line if node.children),
        comments=sum(1 for node in main_line if node.comment),
    )


def convert(
    files: Annotated[
        list[str],
        typer.Argument(
            metavar="INPUT... OUTPUT",
            help="Files to read (- for standard input), then the file to write (- for standard output), "
            "or a folder, to write each game to a file of its own.",
        ),
    ],
    to: Annotated[
        str | None,
        typer.Option(
            "--to",
            "-t",
            metavar="FORMAT",
            help=f"The format to write.  [default: by OUTPUT's name]  {_FORMATS_HELP}.",
        ),
    ] = None,
    from_: Annotated[
        str | None,
        typer.Option("--from", "-f", metavar="FORMAT", help="The format to read.  [default: by content]"),
    ] = None,
    game: GameOption = None,
    encoding: Annotated[
        str, typer.Option("--encoding", help="The encoding to write; contests ask for gb18030.")
    ] = "utf-8",
    from_encoding: Annotated[
        str | None, typer.Option("--from-encoding", help="The encoding to read.  [default: found out]")
    ] = None,
    lenient: Annotated[
        bool, typer.Option("--lenient", help="Keep reading after an illegal move, and report it.")
    ] = False,
    json: JsonOption = False,
) -> None:
    """Convert records between formats: whole collections, with variations and comments where the format has them."""
    if len(files) < 2:
        raise typer.BadParameter("name at least one input and one output")
    *names, output = files
    folder = output != "-" and (output.endswith("/") or Path(output).is_dir())
    if to is not None and to not in FORMATS:
        raise RecordError(f"{to!r} is no format; there are {', '.join(FORMATS)}")
    if to is None and (folder or output == "-"):
        raise RecordError(f"say which format to write with --to: {', '.join(FORMATS)}")
    target = FORMATS[to] if to is not None else format_for(Path(output))
    source = _Input(names, from_, parse_game(game), lenient, from_encoding)
    columns = (
        SpinnerColumn(),
        TextColumn("{task.description}"),
        BarColumn(),
        TextColumn("{task.fields[games]:,} games"),
        TimeElapsedColumn(),
    )
    with Progress(*columns, console=err, transient=True, disable=not err.is_terminal) as progress:
        records = source.records(target, progress)
        if output == "-":
            for record in records:
                sys.stdout.buffer.write(target.write(record).encode(encoding, errors="replace"))
        elif folder:
            Path(output).mkdir(parents=True, exist_ok=True)
            for number, record in enumerate(records, 1):
                write_file([record], Path(output) / f"{number:06}{target.suffix}", target.name, encoding)
        else:
            write_file(records, output, target.name, encoding)
    if json and output != "-":
        print_json(
            {
                "records": source.count,
                "output": output,
                "format": target.name,
                "problems": source.problems,
                "lost": dict(source.losses),
            }
        )
        return
    for problem in source.problems:
        err.print(f"[yellow]warning[/]: {problem}", soft_wrap=True)
    for what, count in source.losses.items():
        err.print(f"[yellow]warning[/]: {target.name} has no place for {count} {what}", soft_wrap=True)
    err.print(
        f"wrote {source.count:,} {'record' if source.count == 1 else 'records'} "
        f"to {output if output != '-' else 'standard output'}"
    )
