"""Which puzzles a command is about: Tengen's, a file's, or the user's own; of a level, a kind, a theme."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Annotated

import typer

from tengen.puzzle import KINDS, LEVELS, Puzzle, PuzzleError, Shelf, Wish, find_by_name, read_puzzles, shipped_puzzles
from tengen.record import Store

FileOption = Annotated[
    Path | None,
    typer.Option("--file", metavar="FILE", help="Puzzles, one line of JSON each, instead of Tengen's."),
]
OwnOption = Annotated[bool, typer.Option("--own", help="The puzzles of your own games instead.")]
LevelOption = Annotated[
    str | None, typer.Option("--level", metavar="L", help=f"Only of this level, 1 to {LEVELS}, or of several: 3-5.")
]
KindOption = Annotated[str | None, typer.Option("--kind", metavar="KIND", help=f"Only one kind: {', '.join(KINDS)}.")]
ThemeOption = Annotated[
    str | None, typer.Option("--theme", metavar="THEME", help="Only one theme; `tengen puzzle list` tells them.")
]


def all_puzzles(file: Path | None, own: bool) -> Sequence[Puzzle]:
    """The puzzles of a file, of the user, or those that come with Tengen.

    Raises:
        BadParameter: if two of these are wanted.
        PuzzleError: if there are none.
        OSError: if the file cannot be read.
    """
    if file is not None and own:
        raise typer.BadParameter("give --file or --own, not both")
    if own:
        with Store() as store:
            found: Sequence[Puzzle] = Shelf(store).own_puzzles()
        if not found:
            raise PuzzleError("you have no puzzles of your own yet: `tengen puzzle mine GAME --missed` makes some")
        return found
    found = shipped_puzzles() if file is None else list(read_puzzles(file))
    if not found:
        raise PuzzleError(f"{file} has no puzzles")
    return found


def wanted_puzzles(puzzles: Sequence[Puzzle], level: str | None, kind: str | None, theme: str | None) -> list[Puzzle]:
    """Those of them that are wanted.

    Raises:
        PuzzleError: if there are no such puzzles.
    """
    found = Wish.parse(level, kind, theme).among(puzzles)
    if not found:
        raise PuzzleError("there is no such puzzle")
    return found


def chosen_puzzle(puzzles: Sequence[Puzzle], which: str) -> Puzzle:
    """A puzzle by its number in the list, or by how its name begins.

    Raises:
        PuzzleError: if there is none, or more than one.
    """
    if which.isdecimal() and len(which) < 6:
        if not 1 <= int(which) <= len(puzzles):
            raise PuzzleError(f"there is no puzzle {which}: there are {len(puzzles)}")
        return puzzles[int(which) - 1]
    return find_by_name(puzzles, which)
