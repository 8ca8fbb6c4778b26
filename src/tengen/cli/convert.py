"""`tengen convert`: between the formats of records."""

from __future__ import annotations

import sys
from collections import Counter
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Annotated

import typer
from rich.markup import escape
from rich.progress import BarColumn, Progress, SpinnerColumn, TextColumn, TimeElapsedColumn

from tengen.cli.common import GameOption, JsonOption, LenientOption, err, output_format, parse_game, print_json
from tengen.game import Game, TengenError
from tengen.record import FORMATS, Format, Record, RecordError, recognise
from tengen.record.files import Encoder, decode, read_bytes, read_text, unpack, write_file
from tengen.record.limits import MAX_PROBLEMS
from tengen.record.tree import MARKS

_FORMATS_HELP = escape("; ".join(f"{name}: {format.about}" for name, format in FORMATS.items()))


_HEADERS = {
    "AN",
    "BR",
    "BT",
    "CP",
    "DT",
    "EV",
    "GN",
    "GC",
    "ON",
    "PB",
    "PC",
    "PW",
    "RE",
    "RO",
    "SO",
    "TM",
    "US",
    "WR",
    "WT",
}


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
        for name in self.names:
            text = decode(unpack(sys.stdin.buffer) if name == "-" else read_bytes(name), self.encoding)
            format = FORMATS.get(self.format) if self.format else recognise(text)
            games = 0 if format is None else sum(1 for _ in format.begins_game.finditer(text))
            task = progress.add_task(Path(name).name if name != "-" else "standard input", total=games or None)
            try:
                for record in read_text(text, self.format, self.game, strict=not self.lenient):
                    self.count += 1
                    self._keep(f"{name}: {problem}" for problem in record.problems)
                    self.losses.update(_losses(record, target))
                    progress.advance(task)
                    yield record
            except TengenError as error:
                raise RecordError(f"{name}: {error}") from error

    def _keep(self, problems: Iterable[str]) -> None:
        for problem in problems:
            if len(self.problems) < MAX_PROBLEMS:
                self.problems.append(problem)
            elif len(self.problems) == MAX_PROBLEMS:
                self.problems.append("there are more problems, which are not listed")


def _losses(record: Record, target: Format) -> Counter[str]:
    """What of a record the target format has no place for."""
    if target.has_variations:
        return Counter()
    main_line = record.main_line()
    marks = {*MARKS.values(), "LB", "AR", "LN"}
    return +Counter(
        variations=sum(len(node.children) - 1 for node in main_line if node.children),
        comments=sum(1 for node in main_line if node.comment),
        marks=sum(1 for node in main_line if not marks.isdisjoint(node.properties)),
        headers=len(_HEADERS.intersection(record.root.properties) - target.keeps),
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
            help=f"The format to write; by default what OUTPUT's name says. {_FORMATS_HELP}.",
        ),
    ] = None,
    from_: Annotated[
        str | None,
        typer.Option(
            "--from", "-f", metavar="FORMAT", help="The format to read; by default found out from the content."
        ),
    ] = None,
    game: GameOption = None,
    encoding: Annotated[
        str, typer.Option("--encoding", metavar="NAME", help="The encoding to write; contests ask for gb18030.")
    ] = "utf-8",
    from_encoding: Annotated[
        str | None, typer.Option("--from-encoding", metavar="NAME", help="The encoding to read; by default found out.")
    ] = None,
    lenient: LenientOption = False,
    json: JsonOption = False,
) -> None:
    """Convert records between formats: whole collections, with variations and comments where the format has them."""
    if len(files) < 2:
        raise typer.BadParameter("name at least one input and one output")
    *names, output = files
    folder = output != "-" and (output.endswith("/") or Path(output).is_dir())
    target = output_format("-" if folder else output, to)
    source = _Input(names, from_, parse_game(game), lenient, from_encoding)
    columns = (
        SpinnerColumn(),
        TextColumn("{task.description}"),
        BarColumn(),
        TextColumn("{task.completed:,} games"),
        TimeElapsedColumn(),
    )
    with Progress(*columns, console=err, transient=True, disable=not err.is_terminal) as progress:
        records = source.records(target, progress)
        if output == "-":
            encoder = Encoder(encoding)
            for record in records:
                sys.stdout.buffer.write(encoder.encode(target.write(record, encoding)))
        elif folder:
            Path(output).mkdir(parents=True, exist_ok=True)
            for number, record in enumerate(records, 1):
                path = Path(output) / f"{number:06}{target.suffix}"
                if path.exists():
                    raise RecordError(f"{path} is there already: choose an empty folder")
                write_file([record], path, target.name, encoding)
        else:
            write_file(records, output, target.name, encoding)
    if json:
        answer = {
            "records": source.count,
            "output": output,
            "format": target.name,
            "problems": source.problems,
            "lost": dict(source.losses),
        }
        print_json(answer, to_error=output == "-")
        return
    for problem in source.problems:
        err.print(f"warning: {problem}", style="yellow")
    for what, count in source.losses.items():
        err.print(f"warning: {target.name} has no place for {what} ({count})", style="yellow")
    where = output if output != "-" else "standard output"
    err.print(f"wrote {source.count:,} {'record' if source.count == 1 else 'records'} to {where}")
