"""`tengen puzzle`: the group of its commands."""

from __future__ import annotations

import typer

from tengen.cli.puzzle_mine import check, mine
from tengen.cli.puzzle_sheet import sheet
from tengen.cli.puzzle_train import list_puzzles, progress, show, solve

puzzle = typer.Typer(no_args_is_help=True, help="Puzzles: solve them, print them, mine games for more.")
for command in (solve, progress, show, sheet, mine, check):
    puzzle.command()(command)
puzzle.command("list")(list_puzzles)
