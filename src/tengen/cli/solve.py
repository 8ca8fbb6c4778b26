"""`tengen solve`: is there a forced win by threats?"""

from __future__ import annotations

from functools import partial
from typing import Annotated, NoReturn

import typer
from rich.tree import Tree

from tengen.cli import common, searching
from tengen.cli.common import counted, out, parse_game, read_position
from tengen.cli.output import Output, print_zones
from tengen.cli.solve_file import solve_file
from tengen.game import Colour, TengenError
from tengen.prove import write_solution
from tengen.solve import KINDS, METHODS, Solution, Strategy
from tengen.solve import solve as solve_position

EXIT_CODES = {"win": 0, "none": 1, "unknown": 2}
_SHOWN_REPLIES = 20


def solve(
    context: typer.Context,
    position: Annotated[
        list[str] | None,
        typer.Argument(
            metavar="POSITION", help="Moves, a set-up, a record file, library:NUMBER, or - for standard input."
        ),
    ] = None,
    game: common.GameOption = None,
    at: common.AtOption = None,
    record: common.RecordOption = 1,
    kind: Annotated[
        str,
        typer.Option(
            "--kind", metavar=f"<{'|'.join(KINDS)}>", help="vcdt: only double threats; vcst: single ones too."
        ),
    ] = "vcdt",
    side: searching.SideOption = None,
    all_moves: Annotated[bool, typer.Option("--all", help="Find all winning first moves.")] = False,
    shortest: Annotated[
        bool, typer.Option("--shortest", help="Find the shortest win of the kind (a vcdt always is).")
    ] = False,
    seconds: Annotated[
        float | None, typer.Option("--seconds", min=0.001, help="Stop after this time, for each position.")
    ] = None,
    nodes: common.NodesOption = None,
    depth: Annotated[
        int | None, typer.Option("--depth", min=1, max=60, help="Look only so many attacking moves deep.")
    ] = None,
    method: Annotated[
        str, typer.Option("--method", metavar="METHOD", help=f"How defences are tried: {', '.join(METHODS)}.")
    ] = "traditional",
    wide: Annotated[bool, typer.Option("--wide", help="For vcst: leave nothing out (complete, far slower).")] = False,
    width: Annotated[
        int | None, typer.Option("--width", min=1, help="For vcst: moves to try in each position (12 unless told).")
    ] = None,
    threads: searching.ThreadsOption = 1,
    file: Annotated[
        str | None,
        typer.Option(
            "--file",
            metavar="FILE",
            help="Solve every position line of a file, or find where each game of it misses a win first.",
        ),
    ] = None,
    jobs: Annotated[int, typer.Option("--jobs", min=1, max=256, help="Processes for --file.")] = searching.CORES,
    whole: searching.WholeOption = False,
    sgf: searching.StrategyOption = None,
    proof: searching.ProofOption = None,
    zones: searching.ZonesOption = False,
    svg: common.SvgOption = None,
    png: common.PngOption = None,
    json: common.JsonOption = False,
) -> None:
    """Find a forced win by threats. Exit code: 0 win, 1 none, 2 unknown (a limit came first); with --file 0."""
    output = Output(json=json, whole=whole, sgf=sgf, proof=proof, zones=zones, svg=svg, png=png)
    if kind not in KINDS:
        raise TengenError(f"{kind!r} is no kind of win; there are {', '.join(KINDS)}")
    if KINDS[kind] == 1:
        common.refuse_given(context, "that is for --kind vcst", "wide", "width")
    elif wide or shortest:
        common.refuse_given(context, "a wide search, as --shortest needs, leaves no move out", "width")
    side_to_win = None if side is None else Colour.parse(side)
    search = partial(
        solve_position,
        kind=kind,
        side=side_to_win,
        seconds=seconds,
        nodes=nodes,
        depth=depth,
        shortest=shortest,
        all_moves=all_moves,
        method=method,
        wide=wide,
        width=width,
        threads=threads,
        zones=output.wants_zones,
    )
    if file is not None:
        if position:
            raise typer.BadParameter("give a position or --file, not both")
        common.refuse_given(context, "that chooses one position, and --file asks about all of them", "at", "record")
        of_one = "a strategy, a proof and zones are those of one position, not of a file"
        common.refuse_given(context, of_one, "whole", "sgf", "proof", "zones", "svg", "png")
        solve_file(file, parse_game(game), search, side_to_win, jobs, json)
        return
    if not position:
        raise typer.BadParameter("give a position, or a file of them with --file")
    common.refuse_given(context, "that is for --file; --threads share the search of one position", "jobs")
    start = read_position(position, game, record, at)
    with searching.status() as tell:
        solution = search(start, progress=tell)
    finish(solution, output)


def finish(solution: Solution, output: Output) -> NoReturn:
    """Writes what was asked for, answers, and exits with the code of the answer."""
    if solution.strategy is not None:
        output.write_strategy(solution.record)
        output.write_proof(partial(write_solution, solution=solution))
    else:
        output.tell_missing("no strategy" if solution.result == "win" else "no win", output.sgf, output.proof)
    output.write_zones(solution.position, solution.zones)
    if output.json:
        output.print_json(solution.as_json())
    elif output.in_words:
        _print(solution, output.whole)
        print_zones(solution.position, solution.zones)
    output.exit(EXIT_CODES[solution.result])


def _print(solution: Solution, whole: bool) -> None:
    side = str(solution.side).capitalize()
    figures = f"{counted(solution.nodes, 'node')}, {solution.seconds:.3f} s"
    if solution.result != "win":
        if solution.result == "none" and solution.is_exhaustive:
            said = f"{side} has no forced win of this kind"
        elif solution.result == "none":
            said = f"No forced win of {side} was found, but not every move was tried"
        elif solution.position.game.is_infinite:
            said = f"{side} may have a forced win: a limit came first, or it lies beyond the part that was searched"
        else:
            said = f"{side} may have a forced win: a limit came first"
        searched = f"{solution.kind}, {counted(solution.depth, 'move')} deep"
        out.print(f"{said} ({searched}, {figures}).")
        return
    if solution.strategy is None:
        out.print(f"{side} wins ({solution.found}, {figures}).", style="bold")
        said = "The time was up before its strategy was made, so there is none to write: it rests on the search alone."
        out.print(said)
        return
    moves = counted(solution.depth, "attacking move")
    out.print(f"{side} wins in {moves} ({solution.found}, {figures}).", style="bold")
    line = solution.line
    out.print("  " + "  ".join(f"{number}. {move}" for number, move in enumerate(line, 1)))
    if solution.strategy.replies:
        _print_replies(solution.strategy, whole)
    for move, length in solution.first_moves:
        out.print(f"  {move} wins in {length}")
    if solution.first_moves and not solution.all_known:
        out.print("There may be more winning first moves: not every move was tried to the end.")


def _print_replies(strategy: Strategy, whole: bool) -> None:
    """The strategy as a tree, from the top as many whole levels as can be read at a glance."""
    total = strategy.count() - 1
    root = Tree(str(strategy.move))
    level, shown = [(root, strategy)], 0
    while level:
        replies = [(branch, reply) for branch, parent in level for reply in parent.longest_first]
        room = len(replies) if whole else _SHOWN_REPLIES - shown
        if len(replies) > room and shown > 0:
            for branch, parent in level:
                branch.label = f"{branch.label} …" if parent.replies else branch.label
            break
        level = [(branch.add(f"{reply.move} → {reply.answer.move}"), reply.answer) for branch, reply in replies[:room]]
        shown += len(level)
    out.print(root)
    if shown < total:
        out.print(f"… {counted(total - shown, 'more reply', 'more replies')} (--whole prints them all)")
