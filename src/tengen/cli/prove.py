"""`tengen prove`: a win with quiet moves, a small game settled, or a position proved by many jobs on a grid."""

from __future__ import annotations

from typing import Annotated, Any, NoReturn

import typer

from tengen.cli import by_jobs, common, on_grid, searching
from tengen.cli.common import counted, out, read_position
from tengen.cli.defend import Watch, answered, null_move_zones
from tengen.cli.output import Output, Zones, as_lists, print_zones
from tengen.cli.solve import EXIT_CODES, finish
from tengen.game import Colour, Position
from tengen.prove import Defence, defend, settle
from tengen.prove.small import MAX_BRANCHES
from tengen.prove.verifier import REPLY_NODES
from tengen.solve import solve
from tengen.solve.solver import MAX_ORDER

_ENOUGH_FOR_A_MOVE = 2_000
"""Branches of the strategy that a small game is settled with, where only its first move is told."""
_SHOWN_OF_A_WIN = ("whole", "zones", "svg", "png")
"""The options about what is shown of the strategy of one side."""


def prove(
    context: typer.Context,
    position: common.PositionArgument,
    game: common.GameOption = None,
    at: common.AtOption = None,
    record: common.RecordOption = 1,
    order: Annotated[
        int | None,
        typer.Option(
            "--order",
            min=1,
            max=MAX_ORDER,
            help="The highest order of the wins: 1 by double threats, 2 by single ones too, 3 and more with quiet "
            "moves. 3 unless told, 2 in jobs of a grid.",
        ),
    ] = None,
    side: Annotated[
        str | None,
        typer.Option(
            "--side",
            metavar="<black|white>",
            help="Who is to win; the side to move unless told. The other side must win against every move.",
        ),
    ] = None,
    full: Annotated[bool, typer.Option("--full", help="Settle a small game completely: win, loss or draw.")] = False,
    width: Annotated[
        int | None, typer.Option("--width", min=1, help="Moves to try in each position (12 unless told).")
    ] = None,
    seconds: common.SecondsOption = None,
    nodes: common.NodesOption = None,
    threads: searching.ThreadsOption = searching.CORES,
    whole: searching.WholeOption = False,
    sgf: searching.StrategyOption = None,
    proof: searching.ProofOption = None,
    zones: searching.ZonesOption = False,
    svg: common.SvgOption = None,
    png: common.PngOption = None,
    grid: by_jobs.GridOption = None,
    policy: on_grid.PolicyOption = None,
    job_nodes: by_jobs.JobNodesOption = None,
    table: on_grid.TableOption = None,
    trust: on_grid.TrustOption = None,
    journal: on_grid.JournalOption = None,
    resume: on_grid.ResumeOption = False,
    hints: on_grid.HintsOption = None,
    json: common.JsonOption = False,
) -> None:
    """Prove a win that may need quiet moves. Exit code: 0 win (with --full: decided), 1 none, 2 unknown (a limit)."""
    output = Output(json=json, whole=whole, sgf=sgf, proof=proof, zones=zones, svg=svg, png=png)
    start = read_position(position, game, record, at)
    if grid is not None:
        takes = "--grid takes --side, --order, --seconds, --proof, --json and the options below it"
        common.refuse_given(context, takes, "full", "nodes", "threads", "width", "sgf", *_SHOWN_OF_A_WIN)
        attacker = start.turn if side is None else Colour.parse(side)
        settings = on_grid.Settings(
            grid=grid,
            policy=policy,
            job_nodes=job_nodes,
            order=order or 2,
            table=table,
            trust=trust,
            journal=journal,
            resume=resume,
            hints=hints,
            seconds=seconds,
            proof=proof,
            json=json,
        )
        on_grid.prove_on_grid(start, attacker, settings)
    for_a_grid = ("policy", "job_nodes", "table", "trust", "journal", "resume", "hints")
    common.refuse_given(
        context, "that is for a search on a grid: say which with --grid local, or --grid FILE", *for_a_grid
    )
    if full:
        takes = "--full answers for both sides; it takes --seconds, --nodes, --proof and --json"
        common.refuse_given(context, takes, "side", "order", "threads", "width", "sgf", *_SHOWN_OF_A_WIN)
        _settle(start, seconds, nodes, output)
    attacker = start.turn if side is None else Colour.parse(side)
    order = order or 3
    if attacker is not start.turn:
        common.refuse_given(context, "that is for a win of the side to move", "sgf", "width", "whole")
        found = Watch(start, output, list_moves=False).run(
            lambda tell: defend(start, order=order, seconds=seconds, nodes=nodes, threads=threads, tell=tell)
        )
        _finish_defence(found, order, output)
    with searching.status() as tell:
        solution = solve(
            start,
            f"order {order}",
            seconds=seconds,
            nodes=nodes,
            width=width,
            threads=threads,
            zones=output.wants_zones,
            progress=tell,
        )
    finish(solution, output)


def _finish_defence(found: Defence, order: int, output: Output) -> NoReturn:
    """That every move loses is a win of the other side; one move that nothing was found against is none."""
    zones = null_move_zones(found, order, REPLY_NODES, output) if output.wants_zones else ()
    is_met = found.wins_at_once or any(not move.is_cut_short for move in found.moves)
    result = "win" if found.result == "loss" else "none" if is_met else "unknown"
    if result == "win":
        output.write_proof(found.write_proof)
    else:
        output.tell_missing("no win", output.proof)
    output.write_zones(found.position, zones)
    if output.json:
        output.print_json(_as_json(found, result, order, zones))
    elif output.in_words:
        side, figures = (
            str(found.attacker).capitalize(),
            f"order {order}, {counted(found.nodes, 'node')}, {found.seconds:.1f} s",
        )
        said = {
            "win": f"{side} wins against every move",
            "none": f"No such win of {side} was found: 'tengen defend' lists the moves that are open",
            "unknown": f"{side} may have a win: a limit came first",
        }
        out.print(f"{said[result]} ({figures}).", style="bold")
        if result == "win" and (words := answered(found)):
            out.print(f"Answered one by one: {words}.")
        print_zones(found.position, zones)
    output.exit(EXIT_CODES[result])


def _as_json(found: Defence, result: str, order: int, zones: Zones) -> dict[str, Any]:
    """With the keys of a solution, where they make sense."""
    answer: dict[str, Any] = {
        "result": result,
        "kind": f"order {order}",
        "side": str(found.attacker),
        "attacker_moves": found.longest if result == "win" else None,
        "first_move": None,
        "line": [],
        "answered": found.answered,
        "open": len(found.moves),
        "nodes": found.nodes,
        "seconds": round(found.seconds, 6),
        "position": str(found.position),
    }
    return answer | ({"zones": as_lists(zones)} if zones else {})


def _settle(position: Position, seconds: float | None, nodes: int | None, output: Output) -> NoReturn:
    with searching.status() as tell:
        found = settle(
            position,
            seconds=seconds,
            nodes=nodes,
            max_branches=MAX_BRANCHES if output.proof is not None else _ENOUGH_FOR_A_MOVE,
            progress=tell,
        )
    written = None
    if found.value != "unknown" and found.missing is None:
        written = output.write_proof(found.write_proof)
    elif output.proof is not None and found.missing is not None:
        output.tell_missing(f"the strategy is {found.missing}", output.proof)
    else:
        output.tell_missing("unknown", output.proof)
    side = str(position.turn).capitalize()
    if output.json:
        output.print_json(found.as_json() | {"proof_nodes": written})
    else:
        said = {
            "win": f"{side}, to move, wins" + (f" with {found.first_move}" if found.first_move is not None else ""),
            "loss": f"{side}, to move, loses",
            "draw": "A draw: neither side can force a row",
            "unknown": "Unknown: a limit came first",
        }[found.value]
        out.print(f"{said} ({counted(found.nodes, 'node')}, {found.seconds:.1f} s).", style="bold")
    output.exit(2 if found.value == "unknown" else 0)
