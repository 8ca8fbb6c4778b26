"""`tengen analyse`: what does the engine think of a position?"""

from __future__ import annotations

from typing import Annotated, Any

import typer
from rich.table import Table

from tengen.cli import analyse_by_jobs, by_jobs, common
from tengen.cli.common import EXIT_INTERRUPTED, chance, counted, err, figures_under, out, print_json, read_position
from tengen.cli.searching import stopping_at_ctrl_c
from tengen.game import TengenError
from tengen.play import make_agent
from tengen.play.agent import dismiss
from tengen.protocol.analysis.questions import answer
from tengen.solve import Control

_SECONDS = 5.0
_ENGINE = "engine"


def analyse(
    context: typer.Context,
    position: common.PositionArgument,
    game: common.GameOption = None,
    at: common.AtOption = None,
    record: common.RecordOption = 1,
    lines: Annotated[int, typer.Option("--lines", "-n", min=1, max=32, help="How many moves to tell.")] = 3,
    seconds: Annotated[
        float | None,
        typer.Option("--seconds", min=0.001, help=f"How long to think: {_SECONDS:g} unless told, or --nodes is."),
    ] = None,
    nodes: Annotated[
        int | None, typer.Option("--nodes", min=1, help="Think for so many nodes: the answer is always the same.")
    ] = None,
    depth: Annotated[int | None, typer.Option("--depth", min=1, help="Look at most so many moves ahead.")] = None,
    threads: Annotated[
        int | None, typer.Option("--threads", min=1, max=256, help="Threads of the engine; all cores unless told.")
    ] = None,
    agent: Annotated[
        str, typer.Option("--agent", "-a", metavar="AGENT", help="Whom to ask instead: one of 'tengen agents'.")
    ] = _ENGINE,
    grid: by_jobs.GridOption = None,
    search: analyse_by_jobs.SearchOption = None,
    width: analyse_by_jobs.WidthOption = None,
    job_nodes: by_jobs.JobNodesOption = None,
    json: common.JsonOption = False,
) -> None:
    """Ask the engine for the best moves: with the chance of the side to move, and how the game may go on.

    Ctrl-C ends the search and tells what is known.
    """
    start = read_position(position, game, record, at)
    if grid is not None:
        takes = "--grid takes --lines, --seconds, --depth, --json and the options below it"
        common.refuse_given(context, takes, "nodes", "threads", "agent")
        settings = analyse_by_jobs.Settings(grid, search, job_nodes, depth, width, seconds)
        _tell(*analyse_by_jobs.analyse_by_jobs(start, lines, settings), json)
        return
    by_jobs_alone = "that is for a search by jobs: say where with --grid local, or --grid FILE"
    common.refuse_given(context, by_jobs_alone, "search", "width", "job_nodes")
    if threads is not None:
        if agent != _ENGINE:
            raise typer.BadParameter(f"an agent has its threads in its name, such as {_ENGINE}:threads={threads}")
        agent = f"{_ENGINE}:threads={threads}"
    if seconds is None and nodes is None and depth is None:
        seconds = _SECONDS
    limits = {"seconds": seconds, "nodes": nodes, "depth": depth}
    player, control = make_agent(agent), Control()
    try:
        with stopping_at_ctrl_c(control.stop) as is_interrupted, err.status("thinking") as status:
            found = answer(
                "analyse",
                start,
                {"lines": lines, **limits},
                lambda: player,
                control,
                lambda known: status.update(_in_short(known())),
            )
    finally:
        dismiss(player)
    _tell(found, is_interrupted(), json)


def _tell(found: dict[str, Any], is_interrupted: bool, json: bool) -> None:
    if json:
        print_json(found | ({"interrupted": True} if is_interrupted else {}))
    else:
        print_analysis(found, is_interrupted)
    if is_interrupted:
        raise typer.Exit(EXIT_INTERRUPTED)


def print_analysis(found: dict[str, Any], is_interrupted: bool = False) -> None:
    """The moves of an analysis as a table, under a sentence that says whose chances they are.

    Raises:
        TengenError: if it has no moves, and does not know that they all lose.
    """
    moves, side, winner = found["moves"], str(found["side"]).capitalize(), found.get("winner")
    if not moves and winner is None:
        smaller = ", or smaller --job-nodes" if "jobs" in found else ""
        raise TengenError(f"nothing was found in this time: give it more{smaller}")
    nodes = max((move["nodes"] or 0 for move in moves), default=0)
    work = [counted(nodes, "node")] if nodes else [counted(found["jobs"]["done"], "job")] if "jobs" in found else []
    figures = [found["agent"], *work, f"{found['seconds']:.1f} s"]
    head = "Interrupted: so far" if is_interrupted else f"{side} to move"
    known = "" if winner is None else f": {winner} wins"
    out.print(f"{head} ({', '.join(figures)}){known}.", style="bold")
    if not moves:
        return
    table = Table("move", figures_under(f"{side}'s chance"), figures_under("depth"), "line")
    for move in moves:
        table.add_row(move["move"], chance(move["win"]), str(move["depth"] or ""), " ".join(move["line"]))
    out.print(table)


def _in_short(found: dict[str, Any]) -> str:
    if not found["moves"]:
        return "thinking"
    best = found["moves"][0]
    return f"{best['depth'] or 0} deep, {best['nodes'] or 0:,} nodes: {best['move']} {chance(best['win'])}"
