"""`tengen audit`: which players overlooked a win by double threats, or left one open?"""

from __future__ import annotations

import time
from functools import partial
from pathlib import Path
from typing import Annotated, Any

import typer
from rich.table import Table

from tengen.arena.audit import LENGTH, NODES, Audit, Finding, Question, Verdict, audit_game, tallies
from tengen.cli import common, searching
from tengen.cli.common import EXIT_INTERRUPTED, counted, err, out, parse_game, print_json, read_records
from tengen.game import Game, TengenError
from tengen.prove.checker.processes import answers_in_order
from tengen.solve.solver import MAX_DEPTH

_EXIT_FOUND, _EXIT_UNKNOWN = 1, 2


def audit(
    files: Annotated[list[Path], typer.Argument(metavar="GAMES…", help="Records of games, of any format.")],
    player: Annotated[
        list[str] | None,
        typer.Option("--player", metavar="NAME", help="Look only at the moves of this player; may be given again."),
    ] = None,
    length: Annotated[
        int, typer.Option("--length", min=1, max=MAX_DEPTH, help="Wins of at most so many attacking moves.")
    ] = LENGTH,
    nodes: Annotated[int, typer.Option("--nodes", min=1, help="How many nodes to spend on each question.")] = NODES,
    jobs: Annotated[int, typer.Option("--jobs", "-j", min=1, max=256, help="Processes.")] = searching.CORES,
    game: common.GameOption = None,
    whole: Annotated[bool, typer.Option("--whole", help="Print the position of every finding too.")] = False,
    json: common.JsonOption = False,
) -> None:
    """Find moves that overlook a win by double threats, or leave one open to the opponent though it could be met.

    Exit code: 0 there are none, 1 there are some, 2 unknown (a limit came first).
    """
    questions = [question for file in files for question in _questions(file, parse_game(game))]
    _check_players(player or [], questions)
    work = partial(audit_game, players=player or (), length=length, nodes=nodes)
    audits: list[Audit] = []
    interrupted = False
    start = time.perf_counter()
    try:
        with searching.progress_bar() as bar:
            task = bar.add_task("games", total=len(questions))
            for found in answers_in_order(work, questions, jobs):
                bar.advance(task)
                audits.append(found)
                if not json:
                    for finding in found.findings:
                        _print(found.name, finding, whole)
    except KeyboardInterrupt:
        interrupted = True
    seconds = time.perf_counter() - start
    totals = tallies(audits)
    if json:
        answer: dict[str, Any] = {
            "length": length,
            "nodes": nodes,
            "games": [audit.as_json() for audit in audits],
            "players": {name: tally.as_json() for name, tally in totals.items()},
            "seconds": round(seconds, 3),
            "interrupted": interrupted,
        }
        print_json(answer)
    else:
        _print_totals(audits, length)
    moves = sum(tally.moves for tally in totals.values())
    if not json:
        err.print(f"{counted(moves, 'move')} of {counted(len(audits), 'game')} in {seconds:.1f} s")
    if interrupted:
        raise typer.Exit(EXIT_INTERRUPTED)
    verdicts = {finding.verdict for audit in audits for finding in audit.findings}
    if any(verdict.is_fault for verdict in verdicts):
        raise typer.Exit(_EXIT_FOUND)
    if Verdict.UNKNOWN in verdicts:
        raise typer.Exit(_EXIT_UNKNOWN)


def _questions(file: Path, game: Game | None) -> list[Question]:
    return [
        Question.of(record, f"{file.name}:{record.root.get('GN') or number}")
        for number, record in enumerate(read_records(file, game), 1)
    ]


def _check_players(wanted: list[str], questions: list[Question]) -> None:
    there = {name for question in questions for name in question.players if name}
    for name in wanted:
        if name not in there:
            raise TengenError(f"nobody there is called {name!r}; there are {', '.join(sorted(there)) or 'no names'}")


def _print(name: str, finding: Finding, whole: bool) -> None:
    played = f"{name}, move {finding.number}: {finding.player or finding.colour} played {finding.played}"
    win = f"{' '.join(map(str, finding.win))}, {counted(finding.attacker_moves or 0, 'move')}"
    said = {
        Verdict.MISSED: f"and missed {win}",
        Verdict.LEFT_OPEN: f"and left {win}, open, which {finding.better} meets",
        Verdict.NO_DEFENCE: f"and had no defence against {win}",
        Verdict.UNKNOWN: f"and it is unknown {finding.detail}",
    }[finding.verdict]
    out.print(f"{played} {said}", style="red" if finding.verdict.is_fault else None)
    if whole and finding.verdict.is_fault:
        out.print(f"  {finding.position}", soft_wrap=True)


def _print_totals(audits: list[Audit], length: int) -> None:
    table = Table(box=None, pad_edge=False, header_style="bold", title=f"Wins by double threats, up to {length} moves")
    for head in ("player", "games", "moves", *map(str, Verdict)):
        table.add_column(head, justify="left" if head == "player" else "right", overflow="fold")
    for name, tally in sorted(tallies(audits).items()):
        cells = (tally.games, tally.moves, *(tally.verdicts[verdict] for verdict in Verdict))
        table.add_row(name or "(no name)", *map(str, cells))
    out.print(table)
