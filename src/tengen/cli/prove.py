"""`tengen prove`: a win with quiet moves, a small game settled, or a position proved by many jobs on a grid."""

from __future__ import annotations

from typing import Annotated, Any, NoReturn

import typer

from tengen.cli import common, on_grid, searching
from tengen.cli.common import counted, err, out, parse_game, read_source
from tengen.cli.defend import Watch, answered, null_move_zones
from tengen.cli.output import Output, Zones, as_lists, print_zones
from tengen.cli.solve import EXIT_CODES, finish
from tengen.game import Colour, Position
from tengen.prove import Defence, defend, settle
from tengen.prove.small import MAX_BRANCHES
from tengen.prove.verifier import REPLY_NODES
from tengen.solve import solve
from tengen.solve.solver import MAX_ORDER


def prove(
    position: common.PositionArgument,
    game: common.GameOption = None,
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
        typer.Option("--side", help="Who is to win; the side that is not to move must win against every move."),
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
    grid: on_grid.GridOption = None,
    policy: on_grid.PolicyOption = None,
    job_nodes: on_grid.JobNodesOption = None,
    table: on_grid.TableOption = None,
    trust: on_grid.TrustOption = None,
    journal: on_grid.JournalOption = None,
    resume: on_grid.ResumeOption = False,
    hints: on_grid.HintsOption = None,
    json: common.JsonOption = False,
) -> None:
    """Prove a win that may need quiet moves. Exit code: 0 win (with --full: decided), 1 none, 2 unknown (a limit)."""
    output = Output(json=json, whole=whole, sgf=sgf, proof=proof, zones=zones, svg=svg, png=png)
    start = read_source(position, parse_game(game)).position()
    if grid is not None:
        if full or sgf is not None or width is not None or nodes is not None or output.wants_zones:
            raise typer.BadParameter(
                "--grid takes --side, --order, --seconds, --proof, --json and the options below it"
            )
        attacker = start.turn if side is None else Colour.parse(side)
        settings = on_grid.Settings(
            grid, policy, job_nodes, order or 2, table, trust, journal, resume, hints, seconds, proof, json
        )
        on_grid.prove_on_grid(start, attacker, settings)
    if resume or any(option is not None for option in (policy, job_nodes, table, trust, journal, hints)):
        raise typer.BadParameter("that is for a search on a grid: say which with --grid local, or --grid FILE")
    if full:
        if side is not None or sgf is not None or width is not None or output.wants_zones:
            raise typer.BadParameter("--full answers for both sides; it takes --seconds, --nodes, --proof and --json")
        _settle(start, seconds, nodes, output)
    attacker = start.turn if side is None else Colour.parse(side)
    order = order or 3
    if attacker is not start.turn:
        if sgf is not None or width is not None:
            raise typer.BadParameter("--sgf and --width are for the side to move")
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
    output.write_zones(found.position, zones)
    if output.json:
        output.print_json(_as_json(found, result, order, zones))
    elif output.in_words:
        side, figures = str(found.attacker).capitalize(), f"order {order}, {found.nodes:,} nodes, {found.seconds:.1f} s"
        said = {
            "win": f"{side} wins against every move",
            "none": f"No such win of {side} was found: 'tengen defend' lists the moves that are open",
            "unknown": f"{side} may have a win: a limit came first",
        }
        out.print(f"{said[result]} ({figures}).", style="bold", soft_wrap=True)
        if result == "win" and (words := answered(found)):
            out.print(f"Answered one by one: {words}.", soft_wrap=True)
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
            max_branches=MAX_BRANCHES if output.proof is not None else 0,
            progress=tell,
        )
    written = None
    if found.value != "unknown" and found.missing is None:
        written = output.write_proof(found.write_proof)
    elif output.proof is not None and found.missing is not None:
        err.print(f"no proof written: the strategy is {found.missing}", style="yellow")
    side = str(position.turn).capitalize()
    if output.json:
        output.print_json(
            {
                "value": found.value,
                "side": str(position.turn),
                "winner": None if found.winner is None else str(found.winner),
                "nodes": found.nodes,
                "seconds": round(found.seconds, 6),
                "proof_nodes": written,
                "position": str(position),
            }
        )
    else:
        said = {
            "win": f"{side}, to move, wins",
            "loss": f"{side}, to move, loses",
            "draw": "A draw: neither side can force a row",
            "unknown": "Unknown: a limit came first",
        }[found.value]
        out.print(f"{said} ({counted(found.nodes, 'node')}, {found.seconds:.1f} s).", style="bold")
    output.exit(2 if found.value == "unknown" else 0)
