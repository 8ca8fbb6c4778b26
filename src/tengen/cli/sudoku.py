"""`tengen sudoku`: every puzzle with n clues in a grid; grids and their canonical forms; campaigns over many grids."""

from __future__ import annotations

import random
import sys
from collections.abc import Callable, Mapping
from contextlib import closing
from pathlib import Path
from typing import Annotated, Any, TypeVar

import typer
from rich.constrain import Constrain

from tengen.cli.common import (
    EXIT_INTERRUPTED,
    JsonOption,
    SecondsOption,
    counted,
    duration,
    err,
    out,
    print_json,
    refuse_given,
)
from tengen.cli.searching import CORES, REFRESH_SECONDS, live_figures, stopping_at_ctrl_c, watched
from tengen.grid import DurableJobSystem, open_jobs
from tengen.record import Store
from tengen.sudoku import (
    VERSIONS,
    Campaign,
    CampaignClient,
    Control,
    Grid,
    Puzzle,
    SudokuError,
    campaigns,
    catalogue,
    dmus,
    random_grid,
)
from tengen.sudoku import check as check_grid
from tengen.sudoku.campaign import GRIDS_A_JOB, Trust
from tengen.sudoku.grid import CELLS

sudoku = typer.Typer(no_args_is_help=True, help="Minimum Sudoku: every puzzle with n clues in a grid.")

GridArgument = Annotated[
    str, typer.Argument(metavar="GRID", help="81 digits row by row, a file with grids (the first counts), or -.")
]
CluesOption = Annotated[int, typer.Option("--clues", "-n", min=0, max=81, help="How many clues a puzzle has.")]
EXIT_NO, EXIT_UNKNOWN = 1, 2
_CLUES = 16
_MOST_SOLUTIONS = 10_000
Given = TypeVar("Given", Grid, Puzzle)


def _given(kind: Callable[[str], Given], source: str) -> Given:
    """The first grid or puzzle of an argument, a file or standard input.

    Raises:
        SudokuError: if it is none.
        OSError: if what looks like a file cannot be read.
    """
    is_written_out = len(source) >= CELLS or not any(sign.isalpha() for sign in source)
    if source != "-" and is_written_out and not Path(source).is_file():
        return kind(source)
    text = sys.stdin.read() if source == "-" else Path(source).read_text(encoding="ascii", errors="replace")
    try:
        return kind(next((line for line in text.splitlines() if line.strip()), ""))
    except SudokuError as error:
        raise SudokuError(f"{source}: {error}") from error


@sudoku.command()
def check(
    context: typer.Context,
    grid: GridArgument,
    clues: CluesOption = 16,
    count: Annotated[bool, typer.Option("--count", help="Only tell how many puzzles there are.")] = False,
    version: Annotated[
        str | None,
        typer.Option(
            "--version", metavar="VERSION", help=f"Search as a version of the thesis does: {', '.join(VERSIONS)}."
        ),
    ] = None,
    sets: Annotated[int, typer.Option("--sets", min=1, help="Unavoidable sets for --version.")] = 384,
    shrinks: Annotated[int, typer.Option("--shrinks", min=1, max=6, help="Order of shrinking for --version.")] = 3,
    seconds: SecondsOption = None,
    json: JsonOption = False,
) -> None:
    """Find every puzzle with so many clues in a complete grid. Exit code 0: there are some, 1: none, 2: cut short."""
    if version is None:
        refuse_given(context, "that is for --version", "sets", "shrinks")
    complete = _given(Grid, grid)
    control = Control()
    answer: dict[str, Any]
    with stopping_at_ctrl_c(control.stop), err.status("searching"):
        if version is None:
            found = check_grid(complete, clues, seconds=seconds, control=control)
            puzzles, is_complete, answer = found.puzzles, found.is_complete, found.as_json()
        else:
            result = dmus(complete, clues, version, sets=sets, shrinks=shrinks, seconds=seconds, control=control)
            puzzles, is_complete = result.puzzles, result.is_complete
            answer = {
                "grid": str(complete),
                "clues": clues,
                "complete": is_complete,
                "count": len(puzzles),
                "puzzles": [str(puzzle) for puzzle in puzzles],
                "version": version,
                "sets": result.sets,
                "levels": result.levels,
                "seconds": round(result.seconds, 4),
                "seconds_sets": round(result.seconds_sets, 4),
            }
    if count:
        del answer["puzzles"]
    if json:
        print_json(answer)
    else:
        for puzzle in () if count else puzzles:
            out.print(str(puzzle), soft_wrap=True)
        said = counted(len(puzzles), f"puzzle with {clues} clues", f"puzzles with {clues} clues")
        cut = "" if is_complete else ", but not all was searched"
        out.print(f"{said}{cut} ({answer['seconds']:.3f} s).", style="bold")
    if control.stopped:
        raise typer.Exit(EXIT_INTERRUPTED)
    raise typer.Exit(EXIT_UNKNOWN if not is_complete else 0 if puzzles else EXIT_NO)


@sudoku.command()
def solve(
    puzzle: Annotated[str, typer.Argument(metavar="PUZZLE", help="81 digits and dots, a file, or -.")],
    most: Annotated[int, typer.Option("--most", min=1, max=_MOST_SOLUTIONS, help="Stop after so many solutions.")] = 2,
    json: JsonOption = False,
) -> None:
    """Solve a puzzle. Exit code 0: one solution, 1: none, 2: several."""
    given = _given(Puzzle, puzzle)
    solutions = given.solutions(max(most, 2))  # one alone would not tell whether it is the only one
    shown = [str(found) for found in solutions[:most]]
    if json:
        print_json({"puzzle": str(given), "solutions": shown, "clues": len(given.clues)})
    else:
        for solution in shown:
            out.print(_square_grid(solution) if out.is_terminal else solution, soft_wrap=True)
        several = f"{len(solutions)} solutions at least" if len(solutions) >= max(most, 2) else None
        out.print(several or counted(len(solutions), "solution"), style="bold")
    raise typer.Exit(1 if not solutions else 0 if len(solutions) == 1 else EXIT_UNKNOWN)


def _square_grid(digits: str) -> str:
    """A grid of 81 digits as nine rows, for people."""
    rows = [" ".join(digits[start : start + 9]) for start in range(0, CELLS, 9)]
    lines = [f"{row[:5]} | {row[6:11]} | {row[12:]}" for row in rows]
    rule = "------+-------+------"
    return "\n".join([*lines[:3], rule, *lines[3:6], rule, *lines[6:], ""])


@sudoku.command()
def canonical(grid: GridArgument, json: JsonOption = False) -> None:
    """Show the canonical form of a grid: the same for all grids that differ only in names and order."""
    found = _given(Grid, grid).canonical()
    if json:
        print_json({"grid": str(found.source), "canonical": str(found.target), "automorphisms": found.automorphisms})
        return
    out.print(str(found.target), soft_wrap=True)
    out.print(counted(found.automorphisms, "automorphism"))


@sudoku.command()
def grids(
    context: typer.Context,
    count: Annotated[int, typer.Option("--count", "-c", min=1, help="How many.")] = 1,
    random_ones: Annotated[
        bool, typer.Option("--random", help="Random grids; else in the order of the catalogue.")
    ] = False,
    seed: Annotated[int | None, typer.Option("--seed", help="Makes --random repeatable.")] = None,
    after: Annotated[str | None, typer.Option("--after", metavar="GRID", help="Begin behind this grid.")] = None,
    json: JsonOption = False,
) -> None:
    """Make grids, one a line: essentially different ones in their order, or random ones."""
    useless = "after" if random_ones else "seed"
    refuse_given(context, "--seed is for --random, --after for the order of the catalogue", useless)
    rng = random.Random(seed)
    source = (random_grid(rng) for _ in range(count)) if random_ones else catalogue(Grid(after) if after else None)
    for _, grid in zip(range(count), source, strict=False):
        if json:
            print_json({"grid": str(grid)})
        else:
            print(grid, flush=True)


@sudoku.command()
def campaign(
    file: Annotated[
        str | None, typer.Argument(metavar="FILE", help="Complete grids, one a line; only for a new campaign.")
    ] = None,
    name: Annotated[
        str | None, typer.Option("--name", metavar="NAME", help="Its name; that of the file unless told.")
    ] = None,
    clues: Annotated[
        int | None,
        typer.Option("--clues", "-n", min=0, max=81, help=f"How many clues a puzzle has; {_CLUES} unless told."),
    ] = None,
    where: Annotated[
        str, typer.Option("--grid", metavar="WHERE", help="'local', 'local:N', or a FILE that invites to a grid.")
    ] = "local",
    resume: Annotated[bool, typer.Option("--resume", help="Go on with a campaign.")] = False,
    sample: Annotated[
        bool,
        typer.Option("--sample", help="One worker for each job instead of two that are compared."),
    ] = False,
    recompute: Annotated[
        float | None,
        typer.Option(
            "--recompute",
            min=0.0,
            max=1.0,
            metavar="SHARE",
            help="Share of the grids of each job to recompute on this machine; 0.01 by default, 0.05 with --sample.",
        ),
    ] = None,
    grids_a_job: Annotated[
        int | None,
        typer.Option("--grids-a-job", min=1, max=1000, help=f"Grids of a job; {GRIDS_A_JOB} unless told."),
    ] = None,
    seconds: SecondsOption = None,
    status: Annotated[bool, typer.Option("--status", help="Only tell how far it is.")] = False,
    json: JsonOption = False,
) -> None:
    """Check all grids of a file, on this machine's cores or on many machines. Exit code 0: done, 2: not yet."""
    with Store() as store:
        chosen = name or (Path(file).stem if file else None)
        if chosen is None:
            names = campaigns(store)
            if len(names) != 1:
                raise SudokuError(f"say which campaign by --name: there are {', '.join(names) or 'none'}")
            chosen = names[0]
        interrupted = False
        if resume or status:
            run = Campaign(store, chosen)
            _check_unchanged(run, clues, sample, grids_a_job)
            if not status:
                kept = run.checkpoint()
                with closing(_workers(where, run.trust, None if kept is None else kept["system"])) as system:
                    interrupted = _run(run, system, seconds)
        elif file is None:
            raise SudokuError("a new campaign needs a file of grids; --resume goes on with one")
        else:
            trust: Trust = "sample" if sample else "compare"
            with closing(_workers(where, trust)) as system:  # without workers no campaign is begun
                wanted = _CLUES if clues is None else clues
                run = Campaign.create(
                    store,
                    chosen,
                    file,
                    wanted,
                    trust=trust,
                    grids_a_job=grids_a_job or GRIDS_A_JOB,
                    recomputed_share=recompute,
                )
                interrupted = _run(run, system, seconds)
        state = run.state()
    if json:
        print_json({**state.as_json(), "interrupted": interrupted})
    else:
        _print_state(state.as_json())
    raise typer.Exit(EXIT_INTERRUPTED if interrupted else 0 if state.is_done else EXIT_UNKNOWN)


def _check_unchanged(run: Campaign, clues: int | None, sample: bool, grids_a_job: int | None) -> None:
    """Refuses to do something else than what a campaign has begun with."""
    if (
        clues not in (None, run.clues)
        or grids_a_job not in (None, run.grids_a_job)
        or (sample and run.trust != "sample")
    ):
        begun = f"--clues {run.clues} --grids-a-job {run.grids_a_job}" + (" --sample" if run.trust == "sample" else "")
        raise SudokuError(f"the campaign {run.name!r} has begun with {begun}: that stays, or begin another by --name")


def _workers(where: str, trust: Trust, checkpoint: Mapping[str, Any] | None = None) -> DurableJobSystem:
    if trust == "compare":
        if where == "local:1":
            raise SudokuError("to compare two workers takes two: local:2, or --sample")
        if where == "local":
            where = f"local:{max(2, CORES)}"  # a machine with one core would wait for a second opinion for ever
    return open_jobs(where, resume=checkpoint)


def _run(run: Campaign, system: DurableJobSystem, seconds: float | None) -> bool:
    """Works on a campaign; returns whether it was interrupted."""
    client = CampaignClient(run, system)
    interrupted = watched(
        lambda tell: client.run(seconds=seconds, poll=REFRESH_SECONDS, tell=tell),
        client.stop,
        lambda: _drawn(client),
    )
    client.abort_all()
    for worker, reason in client.tally.lies.items():
        err.print(f"{worker} is not believed: {reason}", style="red")
    for message in client.tally.failures:
        err.print(f"a job failed: {message}", style="yellow")
    return interrupted


def _drawn(client: CampaignClient) -> Constrain:
    run, left = client.campaign, client.seconds_left()
    workers = client.system.workers()
    return live_figures(
        [
            ("campaign", f"{run.name}, {run.clues} clues"),
            ("grids", f"{run.grids_done:,} of {run.grids:,}"),
            ("jobs", f"{client.tally.answers:,} answers, {client.running} on their way"),
            ("workers", f"{sum(worker.job is not None for worker in workers)} of {len(workers)} busy"),
            ("time left", "unknown" if left is None else duration(left)),
            *([("problem", client.tally.problem)] if client.tally.problem else []),
        ]
    )


def _print_state(state: dict[str, Any]) -> None:
    done = "Done" if state["done"] else "Not done yet: --resume goes on"
    said = f"{state['grids_done']:,} of {state['grids']:,} grids checked for {state['clues']} clues"
    out.print(f"{done}. {said}, {counted(state['puzzle_count'], 'puzzle')} found.", style="bold")
    for found in state["puzzles"]:
        out.print(f"{found['puzzle']}  in  {found['grid']}", soft_wrap=True)
    if assurance := state["assurance"]["recomputed"] and state["assurance"]:
        out.print(
            f"{counted(assurance['recomputed'], 'grid')} recomputed here. Even if all workers collude, more than "
            f"{100 * assurance['largest_wrong_share']:.2g} % wrong grids would be noticed with probability 0.95; "
            f"1 % wrong grids are missed with probability {assurance['residual_probability']['0.01']:.2g}.",
            soft_wrap=True,
        )
    for worker, reason in state["liars"].items():
        out.print(f"{worker} is not believed: {reason}")
