"""`tengen puzzle sheet`: puzzles on paper."""

from __future__ import annotations

import random
from typing import Annotated

import typer

from tengen.cli.common import JsonOption, err, print_json, share_standard_output, write_output
from tengen.cli.puzzle_choice import (
    FileOption,
    KindOption,
    LevelOption,
    OwnOption,
    ThemeOption,
    all_puzzles,
    wanted_puzzles,
)
from tengen.puzzle.sheet import MOST, choose_for_sheet
from tengen.puzzle.sheet import sheet as make_sheet


def sheet(
    level: LevelOption = None,
    kind: KindOption = None,
    theme: ThemeOption = None,
    count: Annotated[int, typer.Option("--count", min=1, max=MOST, help="How many puzzles.")] = 12,
    to: Annotated[str, typer.Option("--out", metavar="FILE", help="The PDF; - for standard output.")] = "sheet.pdf",
    seed: Annotated[int | None, typer.Option("--seed", help="Makes the choice repeatable.")] = None,
    file: FileOption = None,
    own: OwnOption = False,
    json: JsonOption = False,
) -> None:
    """Print puzzles: boards on A4 pages, the solutions at the end."""
    share_standard_output(json, to)
    puzzles = wanted_puzzles(all_puzzles(file, own), level, kind, theme)
    chosen = choose_for_sheet(puzzles, count, random.Random(seed))
    if len(chosen) < count:
        said = "there is only 1 such puzzle" if len(chosen) == 1 else f"there are only {len(chosen):,} such puzzles"
        err.print(said, style="yellow")
    with err.status("drawing the boards"):
        content = make_sheet(chosen)
    write_output(to, content)
    if json:
        print_json({"file": to, "puzzles": [one.name for one in chosen]})
