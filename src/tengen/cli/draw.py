"""`tengen draw`: which games are drawn, and by which strategy?"""

from __future__ import annotations

import time
from typing import Annotated

import typer
from rich.table import Table

from tengen.cli.common import EXIT_INTERRUPTED, JsonOption, counted, figures_under, group_with_default, out, print_json
from tengen.cli.output import Output
from tengen.cli.searching import progress_bar, stopping_at_ctrl_c
from tengen.game import TengenError
from tengen.grid import open_jobs
from tengen.prove import check
from tengen.search import Journal
from tengen.search.journal import searches_folder
from tengen.theory import Family, TileSearch, base_cases, find_breaker, formula, hsieh_tsai, kdraw, theorem_2
from tengen.theory.known import KNOWN, name_for

_UNKNOWN = 2
_MOST_ROWS = 10_000


draw = typer.Typer(
    cls=group_with_default("game"),
    no_args_is_help=True,
    help="Prove that games are drawn (tengen draw K P), print bounds and their lemmas, or search for better tilings.",
)


@draw.command()
def game(
    k: Annotated[int, typer.Argument(metavar="K", min=1, help="How many in a row win.")],
    p: Annotated[int, typer.Argument(metavar="P", min=1, help="How many stones a move has.")],
    strategy: Annotated[
        str | None,
        typer.Option("--strategy", metavar="NAME", help=f"{', '.join(KNOWN)}; the first that fits unless told."),
    ] = None,
    proof: Annotated[
        str | None,
        typer.Option("--proof", metavar="FILE", help="Write the breaker's strategy, which 'tengen check' checks."),
    ] = None,
    json: JsonOption = False,
) -> None:
    """Prove that Connect(K,P) is drawn, on every board and for every q up to P. The word 'game' may be left out.

    Exit code: 0 drawn, 2 unknown. With our own strategy the proof is found anew each time; else theorems are cited.
    """
    output = Output(json=json, proof=proof)
    name = strategy or name_for(k, p)
    if name is None:
        _cite(k, p, output)
    if name not in KNOWN:
        raise TengenError(f"{name!r} is no strategy; there are {', '.join(KNOWN)}")
    known = KNOWN[name]
    if k < known.k or p > known.p:
        raise TengenError(f"{name} draws Connect({known.k},{known.p}), not Connect({k},{p})")
    begun = time.process_time()
    breaker = find_breaker(known.k, known.p, known.tiling())
    seconds = time.process_time() - begun
    output.write_proof(lambda file, progress: breaker.write(file))
    parts, answers = breaker.size
    if json:
        figures = {
            "positions": breaker.game.positions,
            "seconds": round(seconds, 3),
            "parts": parts,
            "answers": answers,
        }
        output.print_json({"k": k, "p": p, "result": "draw", "strategy": name, **figures, "file": proof})
    else:
        out.print(f"Connect({k},{p}) is drawn, on every board and for every q up to {p}.", style="bold")
        tiles, board = breaker.tiling, breaker.board
        size = f"{counted(board.squares, 'square')} and {counted(len(board.lines), 'line')}"
        out.print(f"  {known.whose}: {size}, any {tiles.k} squares in a row hold a line")
        out.print(
            f"  the breaker holds each tile against {counted(known.p, 'stone')} a move: "
            f"{counted(breaker.game.positions, 'position')} searched, {seconds:.2f} s",
        )
        out.print(f"  the strategy: {counted(parts, 'part')}, {counted(answers, 'answer')}")
        if proof is None:
            out.print("  (--proof FILE writes it; the agent 'breaker' plays it)")
    output.exit(0)


def _cite(k: int, p: int, output: Output) -> None:
    """Says what theorems say of a game for which there is no strategy of ours, and exits."""
    if output.proof is not None:
        raise TengenError(f"no strategy of ours draws Connect({k},{p}): there is nothing to write")
    bound = kdraw(p)
    drawn = k >= bound.k
    if output.json:
        chain = [str(step) for step in bound.chain]
        output.print_json({"k": k, "p": p, "result": "draw" if drawn else "unknown", "bound": bound.k, "chain": chain})
    elif drawn:
        out.print(f"Connect({k},{p}) is drawn: kdraw({p}) = {bound.k}.", style="bold")
        for step in bound.chain:
            out.print(f"  {step}")
    else:
        out.print(f"Unknown: draws are known from {bound.k} in a row on, with {counted(p, 'stone')} a move.")
    output.exit(0 if drawn else _UNKNOWN)


@draw.command()
def bound(
    p: Annotated[int, typer.Argument(metavar="P", min=1, help="How many stones a move has.")],
    json: JsonOption = False,
) -> None:
    """Print from what k on Connect(k,P) is drawn, with the chain of lemmas."""
    best, general = kdraw(p), theorem_2(p)
    if json:
        print_json(
            {
                "p": p,
                "kdraw": best.k,
                "chain": [str(step) for step in best.chain],
                "formula": formula(p),
                "formula_chain": [str(step) for step in general.chain],
                "hsieh_tsai": hsieh_tsai(p),
            }
        )
        return
    out.print(f"Connect({best.k},{p}) is drawn; earlier bound, 4p + 7: {hsieh_tsai(p)}.", style="bold")
    for step in best.chain:
        out.print(f"  {step}")
    if general.k != best.k:
        out.print(f"The general formula, 3p + 3d - 1, gives {general.k}:")
        for step in general.chain:
            out.print(f"  {step}")


@draw.command()
def table(
    most: Annotated[int, typer.Option("--most", min=1, max=_MOST_ROWS, help="The largest p.")] = 20,
    json: JsonOption = False,
) -> None:
    """Print the bounds for p = 1, 2, … beside the earlier ones. Exit code 1 if a chain of lemmas misses the formula."""
    rows = [(p, kdraw(p).k, theorem_2(p).k, formula(p), hsieh_tsai(p)) for p in range(1, most + 1)]
    names = ("p", "kdraw", "chain", "formula", "hsieh_tsai")
    agrees = all(chain == by_formula for _, _, chain, by_formula, _ in rows)
    if json:
        print_json({"agrees": agrees, "rows": [dict(zip(names, row, strict=True)) for row in rows]})
    else:
        shown = Table(*map(figures_under, ("p", "kdraw(p)", "by the lemmas", "3p + 3d - 1", "4p + 7")))
        for row in rows:
            shown.add_row(*map(str, row))
        out.print(shown)
    raise typer.Exit(0 if agrees else 1)


@draw.command()
def bases(json: JsonOption = False) -> None:
    """Settle the games at the bottom of the chain of lemmas by search. Exit code 1 if one does not hold."""
    cases = base_cases()
    if json:
        for case in cases:
            print_json(vars(case))
    else:
        shown = Table("", "game", "how", "drawn")
        for case in cases:
            shown.add_row(case.lemma, case.game, case.how, "yes" if case.holds else "no")
        out.print(shown)
    raise typer.Exit(0 if all(case.holds for case in cases) else 1)


@draw.command()
def search(
    k: Annotated[int, typer.Argument(metavar="K", min=1, help="How many in a row are to be drawn.")] = 10,
    p: Annotated[int, typer.Argument(metavar="P", min=1, help="How many stones a move has.")] = 2,
    width: Annotated[int, typer.Option("--width", min=2, help="Squares in a row of a tile.")] = 5,
    heights: Annotated[
        str, typer.Option("--heights", metavar="N,N,…", help="Rows of each band of a period, such as 4,4.")
    ] = "4,4",
    shift: Annotated[int, typer.Option("--shift", min=0, help="How far a row may be shifted against the next.")] = 1,
    grid: Annotated[
        str, typer.Option("--grid", metavar="WHERE", help="'local', 'local:N', or a FILE that invites to a grid.")
    ] = "local:1",
    seconds: Annotated[float | None, typer.Option("--seconds", min=0.001, help="Stop after this time.")] = None,
    journal: Annotated[
        str | None,
        typer.Option("--journal", metavar="FILE", help="Where to keep all results; in your data unless told."),
    ] = None,
    proof: Annotated[
        str | None, typer.Option("--proof", metavar="FILE", help="Write the strategy of the first tiling that draws.")
    ] = None,
    json: JsonOption = False,
) -> None:
    """Search a family of tilings for one that draws Connect(K,P), for seconds or for days, here or on a grid.

    What has been tried is kept in the journal; the same command goes on from there. Exit code: 0 one was found, 1 the
    family has none, 2 unknown.
    """
    if not all(word.isdecimal() for word in heights.split(",")):
        raise typer.BadParameter(f"{heights!r}: give the rows of each band, such as 4,4")
    family = Family(k, p, width, tuple(int(word) for word in heights.split(",")), shift)
    output = Output(json=json, proof=proof)
    if journal is None:
        journal = str(searches_folder() / f"tilings-{k}-{p}-{width}-{heights.replace(',', '-')}-{shift}.journal")
    with Journal(journal, TileSearch.about(family), resume=True) as kept:
        system = open_jobs(grid)
        try:
            run = TileSearch(family, system, kept)
            interrupted = _watch(run, seconds)
        finally:
            system.close()
    found = run.findings
    if found.held and proof is not None:
        tiling = family.tiling(found.held[0])
        assert tiling is not None
        breaker = find_breaker(k, p, tiling)
        output.write_proof(lambda file, progress: breaker.write(file))
        verdict = check(proof)
        if not verdict.accepted:
            raise TengenError(f"{proof}: the strategy is refused: {verdict.reason}")
    if json:
        output.print_json(
            {"family": TileSearch.about(family), "size": family.size, **found.as_json(), "journal": journal}
        )
    else:
        out.print(
            f"{found.tried:,} of {family.size:,} tilings tried: {found.covering:,} have a line in any {k} squares in a "
            f"row; {len(found.held):,} of these are drawn, {len(found.unknown):,} unknown.",
        )
        if found.held:
            out.print(f"Connect({k},{p}) is drawn by the tilings {', '.join(map(str, found.held[:10]))}.", style="bold")
        if not run.is_finished:
            out.print(f"Kept in {journal}: the same command goes on.")
    if interrupted:
        raise typer.Exit(EXIT_INTERRUPTED)
    output.exit(0 if found.held else 1 if run.is_finished and not found.unknown else _UNKNOWN)


def _watch(run: TileSearch, seconds: float | None) -> bool:
    """Runs a search with a bar; whether Ctrl-C ended it."""
    until = None if seconds is None else time.monotonic() + seconds
    with stopping_at_ctrl_c(lambda: None) as is_stopped, progress_bar() as bar:
        task = bar.add_task("tilings", total=run.family.size, completed=run.findings.tried)
        run.run(
            lambda: not is_stopped() and (until is None or time.monotonic() < until),
            lambda: bar.update(task, completed=run.findings.tried),
        )
    return is_stopped()
