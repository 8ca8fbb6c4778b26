"""`tengen defend`: which moves meet an attack, as far as can be proved?"""

from __future__ import annotations

import os
from collections.abc import Callable
from typing import Annotated, Any

import typer
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeElapsedColumn

from tengen.cli.common import (
    EXIT_INTERRUPTED,
    GameOption,
    JsonOption,
    NodesOption,
    PngOption,
    PositionArgument,
    ProofOption,
    SecondsOption,
    SvgOption,
    ZonesOption,
    err,
    out,
    parse_game,
    print_json,
    read_source,
)
from tengen.cli.zones import Zones, check_outputs, print_zones, write_zones
from tengen.game import Move, Position
from tengen.prove import Defence
from tengen.prove import defend as find_defence
from tengen.prove.verifier import REPLY_NODES
from tengen.solve import solve
from tengen.solve.solver import MAX_ORDER

EXIT_CODES = {"loss": 0, "open": 1, "unknown": 2}
OrderOption = Annotated[
    int,
    typer.Option(
        "--order",
        min=1,
        max=MAX_ORDER,
        help="The highest order of the wins: 1 by double threats, 2 by single ones too, 3 and more with quiet moves.",
    ),
]
ThreadsOption = Annotated[int, typer.Option("--threads", min=1, max=256, help="Threads; all cores unless told.")]
CORES = os.cpu_count() or 1


def defend(
    position: PositionArgument,
    game: GameOption = None,
    order: OrderOption = 2,
    reply_nodes: Annotated[
        int, typer.Option("--reply-nodes", min=1, help="How many nodes to spend on each reply.")
    ] = REPLY_NODES,
    prohibit: Annotated[
        list[str] | None,
        typer.Option("--prohibit", metavar="MOVE", help="A move not to ask about; may be given several times."),
    ] = None,
    seconds: SecondsOption = None,
    nodes: NodesOption = None,
    threads: ThreadsOption = CORES,
    merge: Annotated[
        bool, typer.Option(help="Let one answer meet all defences to a move where it can: faster, smaller proofs.")
    ] = True,
    proof: ProofOption = None,
    zones: ZonesOption = False,
    svg: SvgOption = None,
    png: PngOption = None,
    json: JsonOption = False,
) -> None:
    """List the moves that are not proved to lose. Exit code: 0 all lose, 1 some are open, 2 unknown (a limit)."""
    check_outputs(json, svg, png)
    if proof is not None and prohibit:
        raise typer.BadParameter("a proof answers every move, also the prohibited ones: --proof or --prohibit")
    start = read_source(position, parse_game(game)).position()
    watch = Watch(start, stream=not json and "-" not in (svg, png))
    found = watch.run(
        lambda tell: find_defence(
            start,
            order=order,
            reply_nodes=reply_nodes,
            prohibited=[Move(text) for text in prohibit or ()],
            seconds=seconds,
            nodes=nodes,
            threads=threads,
            merge=merge,
            tell=tell,
        ),
        json,
    )
    zone = null_move_zones(found, order, reply_nodes) if zones or svg is not None or png is not None else None
    if proof is not None and found.result == "loss":
        found.write_proof(proof)
        err.print(f"wrote {proof}")
    write_zones(start, zone or (), svg, png)
    if json:
        print_json(found.as_json() | ({} if zone is None else {"zones": [[str(s) for s in sorted(z)] for z in zone]}))
    elif watch.stream:
        _print(found)
        print_zones(start, zone or ())
    raise typer.Exit(EXIT_CODES[found.result])


class Watch:
    """Follows a search for defences, tells what it finds, and knows what was found if it is interrupted."""

    def __init__(self, position: Position, stream: bool) -> None:
        self.position, self.stream = position, stream
        self.open: list[tuple[Move, bool]] = []
        self.losing = 0

    def run(self, search: Callable[[Callable[..., None]], Defence], json: bool) -> Defence:
        """Searches, with progress on a terminal; Ctrl-C tells what is known and exits."""
        columns = TextColumn("{task.description}"), BarColumn(), MofNCompleteColumn(), TimeElapsedColumn()
        try:
            with Progress(
                *columns,
                console=err,
                transient=True,
                disable=not err.is_terminal,
                redirect_stdout=out.is_terminal,  # else the moves would follow the bar to standard error
            ) as progress:
                task = progress.add_task("replies", total=None)

                def tell(move: Move, passes: int, status: str, decided: int, waiting: int) -> None:
                    progress.update(task, completed=decided, total=decided + waiting)
                    self._note(move, passes, status)

                return search(tell)
        except KeyboardInterrupt:
            if json:
                print_json(self._so_far())
            elif self.stream:
                out.print(f"Interrupted: {self.losing:,} replies lose, {len(self.open):,} moves are open so far.")
            raise typer.Exit(EXIT_INTERRUPTED) from None

    def _note(self, move: Move, passes: int, status: str) -> None:
        if status == "losing":
            self.losing += passes == 0
        elif passes == 0:
            self.open.append((move, status == "open"))
            if self.stream:
                out.print(f"  {move}{'' if status == 'open' else '  (its limit came first)'}")

    def _so_far(self) -> dict[str, Any]:
        return {
            "result": "unknown",
            "interrupted": True,
            "side": str(self.position.turn),
            "moves": [{"move": str(move), "exhausted": exhausted} for move, exhausted in self.open],
            "proved_losing": self.losing,
            "position": str(self.position),
        }


def null_move_zones(found: Defence, order: int, nodes: int) -> Zones:
    """The zones of the win after a null move; none if there is no such win."""
    solution = solve(found.position, f"order {order}", found.attacker, nodes=nodes, zones=True)
    if solution.result != "win":
        err.print("no zones: the null move is not known to lose")
        return ()
    return solution.zones


def answered(found: Defence) -> str:
    """What the proof answers one by one, and how long it takes, in words; nothing if threats alone decide."""
    counts, words = found.answered, []
    if counts["null"]:
        words.append("the null move")
    if counts["semi_null"]:
        words.append(f"{counts['semi_null']:,} semi-null {'move' if counts['semi_null'] == 1 else 'moves'}")
    if counts["full"]:
        name = "pair" if found.position.stones_left == 2 else "move"
        words.append(f"{counts['full']:,} {name}{'' if counts['full'] == 1 else 's'}")
    moves = "1 attacking move" if found.longest == 1 else f"{found.longest} attacking moves"
    return f"{', '.join(words)}; the longest answer takes {moves}" if words else ""


def _print(found: Defence) -> None:
    side = str(found.position.turn).capitalize()
    figures = f"{found.nodes:,} nodes, {found.seconds:.1f} s"
    count = len(found.moves)
    if found.wins_at_once:
        out.print(f"{side} can complete a row at once: there is no attack to meet.", style="bold")
        return
    losing = f"{found.proved_losing:,} {'move is' if found.proved_losing == 1 else 'moves are'} proved to lose"
    if found.result == "loss":
        how = "" if found.position.game.is_infinite else f": {losing}"  # there they cannot be counted
        out.print(f"{side} loses, whatever he plays{how} ({figures}).", style="bold", soft_wrap=True)
    elif found.result == "open":
        said = "1 move is" if count == 1 else f"{count:,} moves are"
        out.print(f"{said} open to {side}, the others lose: {losing} ({figures}).", style="bold", soft_wrap=True)
    else:
        out.print(f"Unknown: a limit came first. {count:,} moves are open so far, {losing} ({figures}).", style="bold")
    if words := answered(found):
        out.print(f"Answered one by one: {words}.", soft_wrap=True)
