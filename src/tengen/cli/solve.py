"""`tengen solve`: is there a forced win by threats?"""

from __future__ import annotations

import multiprocessing
import os
import signal
import sys
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from functools import partial
from typing import Annotated, Any, NoReturn

import typer
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeElapsedColumn, TimeRemainingColumn
from rich.tree import Tree

from tengen.cli.common import (
    EXIT_BAD_INPUT,
    GameOption,
    JsonOption,
    NodesOption,
    PngOption,
    ProofOption,
    StrategyOption,
    SvgOption,
    ZonesOption,
    err,
    out,
    parse_game,
    print_json,
    read_source,
)
from tengen.cli.zones import check_outputs, print_zones, write_zones
from tengen.game import Colour, Game, Position, TengenError
from tengen.prove import write_solution
from tengen.record import read_text, recognise, write_file
from tengen.record.files import decode, read_bytes, unpack
from tengen.solve import KINDS, METHODS, Solution, Strategy
from tengen.solve import solve as solve_position

EXIT_CODES = {"win": 0, "none": 1, "unknown": 2}
_SHOWN_REPLIES = 200


@dataclass(frozen=True)
class _Options:
    """What the searches of one command share; it travels to the worker processes."""

    kind: str
    side: Colour | None
    seconds: float | None
    nodes: int | None
    depth: int | None
    shortest: bool
    all_moves: bool
    method: str
    wide: bool
    width: int | None
    threads: int
    zones: bool

    def solve(self, position: Position, progress: Callable[[int, int], object] | None = None) -> Solution:
        return solve_position(
            position,
            self.kind,
            self.side,
            seconds=self.seconds,
            nodes=self.nodes,
            depth=self.depth,
            shortest=self.shortest,
            all_moves=self.all_moves,
            method=self.method,
            wide=self.wide,
            width=self.width,
            threads=self.threads,
            zones=self.zones,
            progress=progress,
        )


def solve(
    position: Annotated[
        list[str] | None,
        typer.Argument(
            metavar="[POSITION]", help="Moves, a set-up, a record file, library:NUMBER, or - for standard input."
        ),
    ] = None,
    game: GameOption = None,
    kind: Annotated[str, typer.Option("--kind", help="vcdt: only double threats; vcst: single threats too.")] = "vcdt",
    side: Annotated[
        str | None, typer.Option("--side", help="Who is to win: black or white; by default who is to move.")
    ] = None,
    all_moves: Annotated[bool, typer.Option("--all", help="Find all winning first moves.")] = False,
    shortest: Annotated[
        bool, typer.Option("--shortest", help="Find the shortest win of the kind (a vcdt always is).")
    ] = False,
    seconds: Annotated[
        float | None, typer.Option("--seconds", min=0.001, help="Stop after this time, for each position.")
    ] = None,
    nodes: NodesOption = None,
    depth: Annotated[
        int | None, typer.Option("--depth", min=1, max=60, help="Look only so many attacking moves deep.")
    ] = None,
    method: Annotated[
        str, typer.Option("--method", help=f"How defences are tried: {', '.join(METHODS)}.")
    ] = "traditional",
    wide: Annotated[bool, typer.Option("--wide", help="For vcst: leave nothing out (complete, far slower).")] = False,
    width: Annotated[
        int | None, typer.Option("--width", min=1, help="For vcst: moves to try in each position (12 unless told).")
    ] = None,
    threads: Annotated[int, typer.Option("--threads", min=1, max=256, help="Threads that share one search.")] = 1,
    file: Annotated[
        str | None,
        typer.Option(
            "--file",
            metavar="FILE",
            help="Solve every position line of a file, or find where each game of it misses a win first.",
        ),
    ] = None,
    jobs: Annotated[int, typer.Option("--jobs", min=1, help="Processes for --file.")] = os.cpu_count() or 1,
    sgf: StrategyOption = None,
    proof: ProofOption = None,
    zones: ZonesOption = False,
    svg: SvgOption = None,
    png: PngOption = None,
    json: JsonOption = False,
) -> None:
    """Find a forced win by threats. Exit code: 0 win, 1 none, 2 unknown (a limit came first); with --file 0."""
    if kind not in KINDS:
        raise TengenError(f"{kind!r} is no kind of win; there are {', '.join(KINDS)}")
    options = _Options(
        kind,
        None if side is None else Colour.parse(side),
        seconds,
        nodes,
        depth,
        shortest,
        all_moves,
        method,
        wide,
        width,
        threads,
        zones or svg is not None or png is not None,
    )
    check_outputs(json, svg, png)
    if file is not None:
        if position:
            raise typer.BadParameter("give a position or --file, not both")
        if sgf is not None:
            raise typer.BadParameter("--sgf writes the strategy of one position, not of a file")
        if proof is not None:
            raise typer.BadParameter("--proof writes the proof of one position, not of a file")
        if options.zones:
            raise typer.BadParameter("zones are shown for one position, not for a file")
        _solve_file(file, parse_game(game), options, jobs, json)
        return
    if not position:
        raise typer.BadParameter("give a position, or a file of them with --file")
    start = read_source(position, parse_game(game)).position()
    with err.status("searching") as status:
        solution = options.solve(start, lambda n, d: status.update(f"searching: {n:,} nodes, {d} moves deep"))
    finish(solution, sgf, proof, svg, png, json)


def finish(
    solution: Solution, sgf: str | None, proof: str | None, svg: str | None, png: str | None, json: bool
) -> NoReturn:
    """Writes what was asked for, answers, and exits with the code of the answer."""
    if sgf is not None and solution.strategy is not None:
        write_file([solution.record()], sgf)
        err.print(f"wrote {sgf}")
    if proof is not None and solution.strategy is not None:
        write_solution(proof, solution)
        err.print(f"wrote {proof}")
    write_zones(solution.position, solution.zones, svg, png)
    if json:
        print_json(solution.as_json())
    elif "-" not in (svg, png):
        _print(solution)
        print_zones(solution.position, solution.zones)
    raise typer.Exit(EXIT_CODES[solution.result])


def _print(solution: Solution) -> None:
    figures = f"{solution.nodes:,} nodes, {solution.seconds:.3f} s"
    if solution.strategy is None:
        said = "has no forced win" if solution.result == "none" else "may have a forced win: a limit came first"
        out.print(
            f"{str(solution.side).capitalize()} {said} ({solution.kind}, {solution.depth} moves deep, {figures})."
        )
        return
    moves = solution.attacker_moves
    out.print(
        f"{str(solution.side).capitalize()} wins in {moves} attacking {'move' if moves == 1 else 'moves'} "
        f"({solution.found}, {figures}).",
        style="bold",
    )
    line = solution.line
    out.print("  " + "  ".join(f"{number}. {move}" for number, move in enumerate(line, 1)), soft_wrap=True)
    if solution.strategy.replies:
        out.print(_tree(solution.strategy))
    for move, length in solution.first_moves:
        out.print(f"  {move} wins in {length}")
    if solution.first_moves and not solution.all_known:
        out.print("There may be more: a limit came first.")


def _tree(strategy: Strategy) -> Tree:
    """The strategy for reading, up to a size that can still be read."""
    root = Tree(str(strategy.move))
    queue = [(root, strategy)]
    shown = 0
    for branch, current in queue:  # grows while it runs: the upper levels are shown first
        for reply in sorted(current.replies, key=lambda reply: -reply.answer.length):
            if shown == _SHOWN_REPLIES:
                branch.add("… (--sgf FILE writes all of it)")
                break
            shown += 1
            child = branch.add(f"{reply.move} → {reply.answer.move}")
            queue.append((child, reply.answer))
        if shown == _SHOWN_REPLIES:
            break
    return root


# Whole files.


def _solve_file(name: str, game: Game | None, options: _Options, jobs: int, json: bool) -> None:
    text = decode(unpack(sys.stdin.buffer) if name == "-" else read_bytes(name))
    format = recognise(text)
    if format is not None:
        games = [
            (record.root.get("GN") or record.root.get("EV"), str(record.position()))
            for record in read_text(text, format.name, game)
        ]
        answers = _in_parallel(partial(_missed_win, options), games, jobs, "games")
        show = _print_missed
    else:
        lines = [line for line in text.splitlines() if line.strip() and not line.lstrip().startswith("#")]
        answers = _in_parallel(partial(_solve_line, options, game), lines, jobs, "positions")
        show = _print_line
    failed = False
    for number, answer in enumerate(answers, 1):
        failed |= "error" in answer
        if json:
            print_json(answer)
        else:
            show(number, answer)
    if failed:
        raise typer.Exit(EXIT_BAD_INPUT)


def _in_parallel(
    work: Callable[[Any], dict[str, Any]], items: list[Any], jobs: int, what: str
) -> Iterator[dict[str, Any]]:
    """The answers in order, as soon as they are there; few items or one job need no processes."""
    columns = (
        TextColumn("{task.description}"),
        BarColumn(),
        MofNCompleteColumn(),
        TimeElapsedColumn(),
        TimeRemainingColumn(),
    )
    with Progress(*columns, console=err, transient=True, disable=not err.is_terminal) as progress:
        task = progress.add_task(what, total=len(items))
        for answer in _answers(work, items, jobs):
            progress.advance(task)
            yield answer


def _answers(work: Callable[[Any], dict[str, Any]], items: list[Any], jobs: int) -> Iterable[dict[str, Any]]:
    if jobs == 1 or len(items) < 2:
        yield from map(work, items)
        return
    with multiprocessing.Pool(
        min(jobs, len(items)), _become_worker
    ) as pool:  # leaving it ends the workers, at work or not
        yield from pool.imap(work, items, chunksize=max(1, min(8, len(items) // (4 * jobs))))


def _become_worker() -> None:
    # Ctrl-C is for the parent, which ends its workers with SIGTERM.
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    signal.signal(signal.SIGTERM, signal.SIG_DFL)


def _solve_line(options: _Options, game: Game | None, line: str) -> dict[str, Any]:
    try:
        return options.solve(Position.parse(line, game)).as_json()
    except TengenError as error:
        return {"result": "unknown", "error": str(error), "position": line.strip()}


def _missed_win(options: _Options, game: tuple[str | None, str]) -> dict[str, Any]:
    """The first move of a game, given as its name and final position, that lets go of a forced win."""
    name, text = game
    played = Position.parse(text)
    turns = played.turns
    answer: dict[str, Any] = {"game": name, "moves": len(turns), "missed": None, "undecided": 0}
    position = played.copy()
    while position.steps:
        position.undo()
    for number, (colour, move) in enumerate(turns, 1):
        solution = options.solve(position) if options.side in (None, colour) else None
        answer["undecided"] += solution is not None and solution.result == "unknown"
        if solution is not None and solution.result == "win":
            kept = solve_position(
                position,
                options.kind,
                seconds=options.seconds,
                nodes=options.nodes,
                wide=options.wide,
                width=options.width,
                first=move,
            )
            # Without "wide" the single threats that were left out may still win.
            if kept.result == "unknown" or (kept.result == "none" and options.kind != "vcdt" and not options.wide):
                answer["undecided"] += 1
            elif kept.result == "none":
                found = solution.as_json()
                kept_keys = ("attacker_moves", "first_move", "line", "position")
                answer["missed"] = {
                    "move": number,
                    "side": str(colour),
                    "played": str(move),
                    **{key: found[key] for key in kept_keys},
                }
                break
        position.play(move)
    return answer


def _print_line(number: int, answer: dict[str, Any]) -> None:
    if "error" in answer:
        out.print(f"{number}: {answer['error']}", style="red", soft_wrap=True)
        return
    detail = f" in {answer['attacker_moves']}: {answer['first_move']}" if answer["result"] == "win" else ""
    out.print(
        f"{number}: {answer['result']}{detail} ({answer['nodes']:,} nodes, {answer['seconds']:.3f} s)", soft_wrap=True
    )


def _print_missed(number: int, answer: dict[str, Any]) -> None:
    name = f" {answer['game']}" if answer["game"] else ""
    if answer["missed"] is None:
        undecided = f", {answer['undecided']} positions undecided" if answer["undecided"] else ""
        out.print(f"{number}{name}: no win missed{undecided}", soft_wrap=True)
    else:
        missed = answer["missed"]
        out.print(
            f"{number}{name}: move {missed['move']}, {missed['side']} played {missed['played']} but "
            f"{missed['first_move']} wins in {missed['attacker_moves']}",
            soft_wrap=True,
        )
