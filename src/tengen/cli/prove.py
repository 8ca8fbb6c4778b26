"""`tengen prove`: a win with quiet moves, or a small game settled; `tengen check` and `tengen join`: proof files."""

from __future__ import annotations

import os
import sys
from dataclasses import asdict
from shutil import copyfileobj
from tempfile import NamedTemporaryFile
from typing import Annotated, Any, NoReturn

import typer
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeElapsedColumn, TimeRemainingColumn

from tengen.cli.common import (
    GameOption,
    JsonOption,
    NodesOption,
    PngOption,
    PositionArgument,
    ProofOption,
    SecondsOption,
    StrategyOption,
    SvgOption,
    ZonesOption,
    err,
    out,
    parse_game,
    print_json,
    read_source,
)
from tengen.cli.defend import CORES, OrderOption, ThreadsOption, Watch, answered, null_move_zones
from tengen.cli.solve import EXIT_CODES, finish
from tengen.cli.zones import Zones, check_outputs, print_zones, write_zones
from tengen.game import Colour, Position, TengenError
from tengen.prove import Defence, NoProofError, Verdict, defend, settle
from tengen.prove import check as check_file
from tengen.prove import join as join_files
from tengen.prove.small import MAX_BRANCHES
from tengen.prove.verifier import REPLY_NODES
from tengen.solve import solve

_SHOWN_LEAVES = 20


def prove(
    position: PositionArgument,
    game: GameOption = None,
    order: OrderOption = 3,
    side: Annotated[
        str | None,
        typer.Option("--side", help="Who is to win; the side that is not to move must win against every move."),
    ] = None,
    full: Annotated[bool, typer.Option("--full", help="Settle a small game completely: win, loss or draw.")] = False,
    seconds: SecondsOption = None,
    nodes: NodesOption = None,
    width: Annotated[
        int | None, typer.Option("--width", min=1, help="Moves to try in each position (12 unless told).")
    ] = None,
    threads: ThreadsOption = CORES,
    sgf: StrategyOption = None,
    proof: ProofOption = None,
    zones: ZonesOption = False,
    svg: SvgOption = None,
    png: PngOption = None,
    json: JsonOption = False,
) -> None:
    """Prove a win that may need quiet moves. Exit code: 0 win (with --full: decided), 1 none, 2 unknown (a limit)."""
    check_outputs(json, svg, png)
    start = read_source(position, parse_game(game)).position()
    with_zones = zones or svg is not None or png is not None
    if full:
        if side is not None or sgf is not None or width is not None or with_zones:
            raise typer.BadParameter("--full answers for both sides; it takes --seconds, --nodes, --proof and --json")
        _settle(start, seconds, nodes, proof, json)
    attacker = start.turn if side is None else Colour.parse(side)
    if attacker is not start.turn:
        if sgf is not None or width is not None:
            raise typer.BadParameter("--sgf and --width are for the side to move")
        watch = Watch(start, stream=False)
        found = watch.run(
            lambda tell: defend(start, order=order, seconds=seconds, nodes=nodes, threads=threads, tell=tell), json
        )
        zone = null_move_zones(found, order, REPLY_NODES) if with_zones else ()
        _finish_defence(found, order, zone, proof, svg, png, json)
    with err.status("searching") as status:
        solution = solve(
            start,
            f"order {order}",
            seconds=seconds,
            nodes=nodes,
            width=width,
            threads=threads,
            zones=with_zones,
            progress=lambda n, d: status.update(f"searching: {n:,} nodes, {d} moves deep"),
        )
    finish(solution, sgf, proof, svg, png, json)


def _finish_defence(
    found: Defence, order: int, zones: Zones, proof: str | None, svg: str | None, png: str | None, json: bool
) -> NoReturn:
    """That every move loses is a win of the other side; one move that nothing was found against is none."""
    is_met = found.wins_at_once or any(move.is_exhausted for move in found.moves)
    result = "win" if found.result == "loss" else "none" if is_met else "unknown"
    if proof is not None and result == "win":
        found.write_proof(proof)
        err.print(f"wrote {proof}")
    write_zones(found.position, zones, svg, png)
    if json:
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
        print_json(answer | ({"zones": [[str(s) for s in sorted(zone)] for zone in zones]} if zones else {}))
    elif "-" not in (svg, png):
        side, figures = str(found.attacker).capitalize(), f"order {order}, {found.nodes:,} nodes, {found.seconds:.1f} s"
        said = {
            "win": "wins against every move",
            "none": "has no such win: 'tengen defend' lists the moves that meet the attack",
            "unknown": "may have a win: a limit came first",
        }
        out.print(f"{side} {said[result]} ({figures}).", style="bold", soft_wrap=True)
        if result == "win" and (words := answered(found)):
            out.print(f"Answered one by one: {words}.", soft_wrap=True)
        print_zones(found.position, zones)
    raise typer.Exit(EXIT_CODES[result])


def _settle(position: Position, seconds: float | None, nodes: int | None, proof: str | None, json: bool) -> NoReturn:
    with err.status("searching") as status:
        found = settle(
            position,
            seconds=seconds,
            nodes=nodes,
            max_branches=MAX_BRANCHES if proof is not None else 0,
            progress=lambda count: status.update(f"searching: {count:,} nodes"),
        )
    written = None
    if proof is not None and found.value != "unknown":
        if found.missing is None:
            written = found.write_proof(proof)
            err.print(f"wrote {proof}")
        else:
            err.print(f"no proof written: the strategy is {found.missing}", style="yellow")
    side = str(position.turn).capitalize()
    if json:
        print_json(
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
        out.print(f"{said} ({found.nodes:,} nodes, {found.seconds:.1f} s).", style="bold")
    raise typer.Exit(2 if found.value == "unknown" else 0)


def check(
    files: Annotated[list[str], typer.Argument(metavar="FILE...", help="Proof files (.tpf); - for standard input.")],
    jobs: Annotated[int, typer.Option("--jobs", min=1, help="Processes for one file.")] = os.cpu_count() or 1,
    json: JsonOption = False,
) -> None:
    """Check proof files. Exit code: 0 all accepted, 1 one refused. With --json one object a file."""
    refused = False
    for name in files:
        if name == "-":
            with NamedTemporaryFile() as copy:  # a proof is read twice
                copyfileobj(sys.stdin.buffer, copy)
                copy.flush()
                verdict = _checked(copy.name, jobs)
        else:
            verdict = _checked(name, jobs)
        refused |= not verdict.accepted
        if json:
            print_json(_as_json(name, verdict))
        else:
            _print(name, verdict)
    raise typer.Exit(1 if refused else 0)


def _checked(name: str, jobs: int) -> Verdict:
    columns = (
        TextColumn("{task.description}"),
        BarColumn(),
        MofNCompleteColumn(),
        TimeElapsedColumn(),
        TimeRemainingColumn(),
    )
    with Progress(*columns, console=err, transient=True, disable=not err.is_terminal) as bar:
        task = bar.add_task("nodes", total=None)
        try:
            return check_file(
                name, jobs=jobs, progress=lambda done, total: bar.update(task, completed=done, total=total)
            )
        except NoProofError as error:
            raise TengenError(str(error)) from error


def join(
    output: Annotated[str, typer.Argument(metavar="OUT", help="The proof to write.")],
    main: Annotated[str, typer.Argument(metavar="MAIN", help="A proof with open leaves.")],
    parts: Annotated[list[str], typer.Argument(metavar="PART...", help="Proofs of positions that it leaves open.")],
    json: JsonOption = False,
) -> None:
    """Fill the open leaves of a proof with other proofs. Exit code: 0 nothing is open any more, 1 something is."""
    try:
        nodes, still_open = join_files(output, main, parts)
    except NoProofError as error:
        raise TengenError(str(error)) from error
    if json:
        print_json({"file": output, "nodes": nodes, "open": still_open})
    else:
        out.print(f"wrote {output}: {nodes:,} nodes, {still_open} open leaves", soft_wrap=True)
    raise typer.Exit(1 if still_open else 0)


def _as_json(name: str, verdict: Verdict) -> dict[str, Any]:
    return {"file": name, **asdict(verdict), "seconds": round(verdict.seconds, 6)}


def _print(name: str, verdict: Verdict) -> None:
    figures = f"{verdict.nodes:,} nodes, {verdict.seconds:.1f} s"
    if verdict.accepted:
        out.print(f"{name}: accepted ({figures})", style="bold", soft_wrap=True)
        out.print(f"  {verdict.claim}", soft_wrap=True)
        if verdict.zones:
            sizes = ", ".join("every square" if zone is None else str(len(zone)) for zone in verdict.zones)
            out.print(f"  squares of the zones Z1, Z2, Z3: {sizes}")
        if verdict.holds_on_infinite_board:
            out.print("  it holds on the infinite board")
        return
    out.print(f"{name}: refused ({figures})", style="bold red", soft_wrap=True)
    out.print(f"  {verdict.reason}", soft_wrap=True)
    if verdict.node is not None:
        out.print(f"  at node {verdict.node}: {' '.join(verdict.line) or 'the first position'}", soft_wrap=True)
    for leaf in verdict.open_leaves[:_SHOWN_LEAVES]:
        out.print(f"  open: {leaf}", soft_wrap=True)
    if len(verdict.open_leaves) > _SHOWN_LEAVES:
        out.print("  … (--json lists more)")
