"""`tengen puzzle list`, `show`, `solve` and `progress`: what a player does with puzzles."""

from __future__ import annotations

import random
import re
import time
from collections.abc import Sequence
from datetime import UTC, datetime
from typing import Annotated

import typer
from rich.table import Column, Table

from tengen.cli.board import print_board
from tengen.cli.common import JsonOption, counted, figures_under, out, print_json
from tengen.cli.prompt import QUIT, is_typed_by_somebody, typed
from tengen.cli.puzzle_choice import (
    FileOption,
    KindOption,
    LevelOption,
    OwnOption,
    ThemeOption,
    all_puzzles,
    chosen_puzzle,
    wanted_puzzles,
)
from tengen.cli.puzzle_session import Session, task_of
from tengen.puzzle import (
    LEVELS,
    Attempt,
    Progress,
    Puzzle,
    Shelf,
    counts_by_level,
    next_puzzle,
    progress_of,
    themes_of_set,
)
from tengen.record import Store

WhichArgument = Annotated[
    str | None,
    typer.Argument(metavar="WHICH", help="A puzzle by its number, as `list` counts, or by how its name begins."),
]
_MOST_LISTED = 40


def list_puzzles(
    level: LevelOption = None,
    kind: KindOption = None,
    theme: ThemeOption = None,
    file: FileOption = None,
    own: OwnOption = False,
    everything: Annotated[bool, typer.Option("--all", help=f"List all of them, not only {_MOST_LISTED}.")] = False,
    json: JsonOption = False,
) -> None:
    """List puzzles; and how many there are of each kind, level and theme."""
    puzzles = all_puzzles(file, own)
    numbers = {one.name: number for number, one in enumerate(puzzles, 1)}
    wanted = wanted_puzzles(puzzles, level, kind, theme)
    themes = themes_of_set(wanted)
    if json:
        rows = [{"number": numbers[one.name], **one.as_json()} for one in wanted]
        print_json({"count": len(wanted), "levels": counts_by_level(wanted), "themes": dict(themes), "puzzles": rows})
        return
    shown = wanted if everything else wanted[:_MOST_LISTED]
    table = Table(
        figures_under("number"),
        Column("name", no_wrap=True),
        Column("kind", no_wrap=True),
        figures_under("level"),
        figures_under("moves"),
        Column("themes", no_wrap=True, overflow="ellipsis", ratio=1),
        box=None,
        pad_edge=False,
        header_style="bold",
        expand=out.is_terminal,
    )
    for one in shown:
        told = ", ".join(theme for theme in one.themes if theme != one.kind)
        table.add_row(str(numbers[one.name]), one.name, one.kind, str(one.level), str(one.length), told)
    out.print(table)
    if len(shown) < len(wanted):
        out.print(f"… and {len(wanted) - len(shown):,} more: --level, --kind and --theme choose, --all lists them.")
    out.print()
    _print_counts(wanted)
    if themes:
        told = ", ".join(f"{theme} ({themes[theme]})" for theme in sorted(themes, key=_naturally))
        out.print(f"Themes: {told}")


def _naturally(theme: str) -> list[tuple[int, str]]:
    """Sorts `in 2` before `in 10`."""
    return [(int(part or 0), "") if part.isdecimal() else (0, part) for part in re.split(r"(\d+)", theme)]


def show(
    which: WhichArgument = None,
    file: FileOption = None,
    own: OwnOption = False,
    solution: Annotated[bool, typer.Option("--solution", help="Show the solution too.")] = False,
    json: JsonOption = False,
) -> None:
    """Show a puzzle, or how many of each kind and level there are."""
    puzzles = all_puzzles(file, own)
    if which is None:
        if json:
            print_json({"puzzles": len(puzzles), "levels": counts_by_level(puzzles)})
        else:
            _print_counts(puzzles)
        return
    chosen = chosen_puzzle(puzzles, which)
    if json:
        print_json(chosen.as_json())
        return
    print_board(out, chosen.position)
    out.print(task_of(chosen), style="bold")
    if solution:
        out.print("  " + "  ".join(f"{place}. {move}" for place, move in enumerate(chosen.line, 1)))
        out.print(
            f"Level {chosen.level}; {', '.join(chosen.themes)}. {counted(chosen.refuted, 'other move')} refuted "
            f"({chosen.source}).",
        )


def solve(
    which: WhichArgument = None,
    level: LevelOption = None,
    kind: KindOption = None,
    theme: ThemeOption = None,
    file: FileOption = None,
    own: OwnOption = False,
    seed: Annotated[int | None, typer.Option("--seed", help="Makes the choice repeatable.")] = None,
) -> None:
    """Solve puzzles in the terminal: what is due again first, else one that fits your rating. Attempts are kept.

    A mistake or a hint counts as failing. On a terminal the next puzzle follows, unless WHICH names one.

    Exit code 0: the last one was solved, 1: not.
    """
    puzzles = all_puzzles(file, own)
    wanted = wanted_puzzles(puzzles, level, kind, theme)
    dice = random.Random(seed)
    with Store() as store:
        shelf = Shelf(store)
        progress = _progress(shelf)
        while True:
            now = datetime.now(UTC)
            chosen = chosen_puzzle(puzzles, which) if which else next_puzzle(wanted, progress, now, dice)
            assert chosen is not None  # there is at least one
            if chosen.name in progress.due(now):
                out.print("This one is due again.")
            session, start = Session(chosen), time.monotonic()
            is_solved = session.run()
            if session.was_tried:
                attempt = Attempt(chosen.name, chosen.level, now, session.is_clean, time.monotonic() - start)
                shelf.add_attempt(attempt)
                before = progress.player.value
                progress.take(attempt)
                _print_rating(progress, progress.player.value - before)
            is_last = which is not None or session.was_left or not is_typed_by_somebody()
            if is_last or typed("Enter for the next, q to quit > ")[0] == QUIT:
                break
    raise typer.Exit(0 if is_solved else 1)


def progress(json: JsonOption = False) -> None:
    """Tell your rating, your streaks, and how many puzzles are due again."""
    with Store() as store:
        told = _progress(Shelf(store))
    answer = told.figures(datetime.now(UTC))
    if json:
        print_json(answer)
        return
    if not told.attempts:
        out.print("You have not tried a puzzle yet: `tengen puzzle solve` begins.")
        return
    _print_rating(told)
    out.print(
        f"{counted(told.attempts, 'attempt')}, {told.solved} of them without a mistake; {told.in_a_row} in a row now, "
        f"{told.best_in_a_row} at best.",
    )
    days, best = counted(answer["days"], "day"), counted(answer["best_days"], "day")
    out.print(f"{days} in a row, {best} at best.")
    repeated = counted(len(told.cards), "failed puzzle")
    out.print(f"{repeated} to learn; {answer['due']} due now.", style="bold" if answer["due"] else None)


def _progress(shelf: Shelf) -> Progress:
    return progress_of(attempt for _, attempt in shelf.attempts())


def _print_rating(told: Progress, change: float | None = None) -> None:
    moved = "" if not change else f" ({change:+.0f})"
    out.print(f"Your rating: {told.player.value:.0f}{moved}, give or take {told.player.deviation:.0f}.", style="bold")


def _print_counts(puzzles: Sequence[Puzzle]) -> None:
    table = Table("level", *(figures_under(str(level)) for level in range(1, LEVELS + 1)), figures_under("in all"))
    for kind, levels in counts_by_level(puzzles).items():
        table.add_row(kind, *(str(count or "") for count in levels), str(sum(levels)))
    out.print(table)
