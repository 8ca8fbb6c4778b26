"""`tengen defend`: which moves meet an attack, as far as can be proved?"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Annotated, Any

import typer

from tengen.cli import common, searching
from tengen.cli.common import counted, err, out, print_json, read_position
from tengen.cli.output import Output, Zones, as_lists, print_zones
from tengen.game import Move, Position
from tengen.prove import Defence
from tengen.prove import defend as find_defence
from tengen.prove.verifier import REPLY_NODES
from tengen.solve import solve

EXIT_CODES = {"loss": 0, "open": 1, "unknown": 2}
_SHOWN_MOVES = 25


def defend(
    position: common.PositionArgument,
    game: common.GameOption = None,
    at: common.AtOption = None,
    record: common.RecordOption = 1,
    order: searching.OrderOption = 2,
    reply_nodes: Annotated[
        int, typer.Option("--reply-nodes", min=1, help="How many nodes to spend on each reply, at most.")
    ] = REPLY_NODES,
    prohibit: Annotated[
        list[str] | None,
        typer.Option("--prohibit", metavar="MOVE", help="A move not to ask about; may be given several times."),
    ] = None,
    seconds: common.SecondsOption = None,
    nodes: common.NodesOption = None,
    threads: searching.ThreadsOption = searching.CORES,
    merge: Annotated[
        bool, typer.Option(help="Let one answer meet all defences to a move where it can: faster, smaller proofs.")
    ] = True,
    proof: searching.ProofOption = None,
    whole: searching.WholeOption = False,
    zones: searching.ZonesOption = False,
    svg: common.SvgOption = None,
    png: common.PngOption = None,
    json: common.JsonOption = False,
) -> None:
    """List the moves that are not proved to lose. Exit code: 0 all lose, 1 some are open, 2 unknown (a limit)."""
    output = Output(json=json, whole=whole, proof=proof, zones=zones, svg=svg, png=png)
    if proof is not None and prohibit:
        raise typer.BadParameter("a proof answers every move, also the prohibited ones: --proof or --prohibit")
    start = read_position(position, game, record, at)
    found = Watch(start, output, list_moves=True).run(
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
        )
    )
    zone = null_move_zones(found, order, reply_nodes, output) if output.wants_zones else None
    if found.result == "loss":
        output.write_proof(found.write_proof)
    else:
        output.tell_missing("not every move is proved to lose", output.proof)
    output.write_zones(start, zone or ())
    if json:
        output.print_json(found.as_json() | ({} if zone is None else {"zones": as_lists(zone)}))
    elif output.in_words:
        _print_open({move.move: move.is_cut_short for move in found.moves}, whole)
        _print(found)
        print_zones(start, zone or ())
    output.exit(EXIT_CODES[found.result])


class Watch:
    """Follows a search for defences, tells what it finds, and knows what was found if it is interrupted."""

    def __init__(self, position: Position, output: Output, list_moves: bool) -> None:
        self.position, self.output, self.list_moves = position, output, list_moves
        self.open: dict[Move, bool] = {}
        """The moves that are not proved to lose so far, and whether their limit came first."""
        self.losing = 0

    def run(self, search: Callable[[Callable[..., None]], Defence]) -> Defence:
        """Searches, with progress on a terminal; Ctrl-C tells what is known and exits."""
        try:
            with searching.progress_bar(total_is_known=False) as progress:
                task = progress.add_task("replies", total=None)

                def tell(move: Move, passes: int, status: str, decided: int, waiting: int) -> None:
                    progress.update(task, completed=decided, total=decided + waiting)
                    self._note(move, passes, status)

                return search(tell)
        except KeyboardInterrupt:
            if self.output.json:
                print_json(self._so_far())
            elif self.output.in_words:
                if self.list_moves:
                    _print_open(self.open, self.output.whole)
                replies = "1 reply loses" if self.losing == 1 else f"{self.losing:,} replies lose"
                out.print(f"Interrupted: {replies}, {_open(len(self.open))} so far.")
            raise typer.Exit(common.EXIT_INTERRUPTED) from None

    def _note(self, move: Move, passes: int, status: str) -> None:
        if passes:
            return
        if status == "losing":
            self.losing += 1
            self.open.pop(move, None)
            return
        self.open[move] = status != "open"

    def _so_far(self) -> dict[str, Any]:
        return {
            "result": "unknown",
            "interrupted": True,
            "side": str(self.position.turn),
            "moves": [{"move": str(move), "cut_short": is_cut_short} for move, is_cut_short in self.open.items()],
            "proved_losing": self.losing,
            "position": str(self.position),
        }


def null_move_zones(found: Defence, order: int, nodes: int, output: Output) -> Zones:
    """The zones of the win after a null move; none if there is no such win, or nobody waits for them."""
    solution = output.beside(
        "zone", lambda: solve(found.position, f"order {order}", found.attacker, nodes=nodes, zones=True)
    )
    if solution is None:
        return ()
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
        words.append(counted(counts["semi_null"], "semi-null move"))
    if counts["full"]:
        words.append(counted(counts["full"], "pair" if found.position.stones_left == 2 else "move"))
    moves = counted(found.longest, "attacking move")
    return f"{', '.join(words)}; the longest answer takes {moves}" if words else ""


def _print_open(moves: Mapping[Move, bool], whole: bool) -> None:
    """Lists moves, apart from each other those whose limit came first, which are true."""
    shown = list(moves.items()) if whole else list(moves.items())[:_SHOWN_MOVES]
    for heading, wanted in (("Open", False), ("Open, their limit came first", True)):
        if listed := [str(move) for move, is_cut_short in shown if is_cut_short == wanted]:
            out.print(f"{heading}: {' '.join(listed)}")
    if len(shown) < len(moves):
        out.print(f"… and {len(moves) - len(shown):,} more (--whole prints them all)")


def _open(count: int) -> str:
    return "1 move is open" if count == 1 else f"{count:,} moves are open"


def _print(found: Defence) -> None:
    side = str(found.position.turn).capitalize()
    figures = f"{counted(found.nodes, 'node')}, {found.seconds:.1f} s"
    if found.wins_at_once:
        out.print(f"{side} can complete a row at once: there is no attack to meet.", style="bold")
        return
    losing = f"{found.proved_losing:,} {'move is' if found.proved_losing == 1 else 'moves are'} proved to lose"
    if found.result == "loss":
        how = "" if found.position.game.is_infinite else f": {losing}"  # there they cannot be counted
        said = f"{side} loses, whatever he plays{how}"
    elif found.result == "open":
        said = f"{_open(len(found.moves))} to {side}, {losing}"
    else:
        said = f"Unknown: a limit came first. {_open(len(found.moves))} so far, {losing}"
    out.print(f"{said} ({figures}).", style="bold")
    if found.result != "loss" and found.moves:
        out.print("An open move is not proved to hold: it was only not refuted.")
    if found.result != "loss" and found.window is not None:
        first, last = found.window
        out.print(f"Only {first} to {last} of the infinite board was searched, as if it ended there.")
    if words := answered(found):
        out.print(f"Answered one by one: {words}.")
