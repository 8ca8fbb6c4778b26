"""`tengen puzzle mine` and `check`: where puzzles come from, and whether they are what they claim to be."""

from __future__ import annotations

import math
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Annotated

import typer
from rich.status import Status

from tengen.cli.common import EXIT_INTERRUPTED, JsonOption, SecondsOption, counted, err, out, print_json, read_records
from tengen.cli.puzzle_choice import FileOption, KindOption, OwnOption, all_puzzles
from tengen.cli.puzzle_missed import mine_missed
from tengen.cli.searching import progress_bar
from tengen.game import Position
from tengen.prove.checker.processes import answers_in_order
from tengen.puzzle import KINDS, Limits, Miner, PuzzleError, check_puzzle
from tengen.puzzle.games import SELF_PLAY, self_play

_DEFAULTS = Limits()
_FILE = "puzzles.jsonl"


def mine(
    games: Annotated[list[Path] | None, typer.Argument(metavar="GAMES", help="Files with game records.")] = None,
    played: Annotated[bool, typer.Option("--self-play", help="Let the engine play the games, without end.")] = False,
    file: Annotated[
        Path | None, typer.Option("--out", metavar="FILE", help=f"Where to add the puzzles; {_FILE} unless told.")
    ] = None,
    missed: Annotated[
        bool,
        typer.Option(
            "--missed",
            help="Keep only the wins that the players missed, among your own puzzles. Goes with --player, "
            "--reply-nodes and --move-nodes only.",
        ),
    ] = False,
    player: Annotated[
        str | None, typer.Option("--player", metavar="NAME", help="With --missed, only what this player missed.")
    ] = None,
    kind: KindOption = None,
    seconds: SecondsOption = None,
    reply_nodes: Annotated[
        int, typer.Option("--reply-nodes", min=1, help="Nodes to look for a win against each reply to another move.")
    ] = _DEFAULTS.reply_nodes,
    move_nodes: Annotated[
        int, typer.Option("--move-nodes", min=1, help="Nodes to judge each other first move.")
    ] = _DEFAULTS.move_nodes,
    json: JsonOption = False,
) -> None:
    """Mine games for puzzles; a file that is there is gone on with. Ctrl-C ends it, and loses nothing."""
    if played == bool(games):
        raise typer.BadParameter("give files with games, or --self-play")
    limits = Limits(move_nodes=move_nodes, reply_nodes=reply_nodes)
    if missed or player is not None:
        if not missed or not games or any(option is not None for option in (kind, seconds, file)):
            raise typer.BadParameter(
                "--missed takes files with games, --player, --reply-nodes and --move-nodes, and nothing else; --player "
                "goes with --missed only"
            )
        mine_missed(games, player, limits, json)
        return
    file = file or Path(_FILE)
    interrupted = False
    with Miner(file, limits, KINDS if kind is None else [kind]) as miner:
        try:
            with err.status("mining") as status:
                _mine(miner, games, math.inf if seconds is None else time.monotonic() + seconds, status)
        except KeyboardInterrupt:
            interrupted = True
    tally = miner.tally
    if json:
        print_json({"file": str(file), "interrupted": interrupted, **tally.as_json()})
    else:
        hours = max(tally.seconds, 0.001) / 3600
        out.print(
            f"{counted(tally.kept, 'puzzle')} of {counted(tally.positions, 'position')}: "
            f"{tally.positions / hours:,.0f} an hour of the processor looked at, {tally.kept / hours:,.0f} kept.",
        )
    if interrupted:
        raise typer.Exit(EXIT_INTERRUPTED)


def check(
    file: FileOption = None,
    own: OwnOption = False,
    jobs: Annotated[int, typer.Option("--jobs", min=1, max=256, help="Processes.")] = 1,
    sample: Annotated[
        int | None, typer.Option("--sample", min=1, help="Check only so many, evenly spread over the file.")
    ] = None,
    json: JsonOption = False,
) -> None:
    """Check every puzzle anew: the win with a proof, its length, and that no other first move is known to do.

    Exit code 0: all are what they claim to be, 1: some are not.
    """
    puzzles = all_puzzles(file, own)
    if sample is not None and sample < len(puzzles):
        puzzles = [puzzles[place * len(puzzles) // sample] for place in range(sample)]
    done, wrong, interrupted = 0, 0, False
    try:
        with progress_bar(is_wanted=not (json and out.is_terminal)) as bar:
            task = bar.add_task("puzzles", total=len(puzzles))
            for verdict in answers_in_order(check_puzzle, puzzles, jobs):
                bar.advance(task)
                done += 1
                wrong += not verdict.accepted
                if json:
                    name, reason = verdict.puzzle.name, verdict.reason
                    print_json({"name": name, "accepted": verdict.accepted, "reason": reason})
                elif not verdict.accepted:
                    out.print(f"{verdict.puzzle.name}: {verdict.reason}")
    except KeyboardInterrupt:
        interrupted = True
    if not json:
        said = f"{counted(done, 'puzzle')} checked, {wrong:,} refused."
        if left := len(puzzles) - done:
            said += f" {left:,} {'was' if left == 1 else 'were'} not looked at."
        out.print(said, style="bold")
    raise typer.Exit(EXIT_INTERRUPTED if interrupted else 1 if wrong else 0)


def _mine(miner: Miner, games: list[Path] | None, end: float, status: Status) -> None:
    """Tells what is found, game by game, until all are dealt with or the time is up."""
    for source, name, positions in _sources(miner, games):
        for tally, kept in miner.mine(source, positions, name):
            for one in kept:
                err.print(f"{one.name}  {one.kind}, level {one.level}, {one.move} in {one.length}")
            so_far = (
                f"{counted(sum(tally.games.values()), 'game')}, {counted(tally.positions, 'position')}, "
                f"{counted(tally.kept, 'puzzle')}"
            )
            status.update(f"mining: {so_far}")
            if kept and not err.is_terminal:
                err.print(so_far)
            if time.monotonic() >= end:
                return


def _sources(miner: Miner, games: list[Path] | None) -> Iterator[tuple[str, str, Iterator[Position]]]:
    """The games of each file that are not dealt with yet, or those that the engine plays; where from, and a name."""
    if not games:
        yield SELF_PLAY, SELF_PLAY, self_play(miner.done(SELF_PLAY))
        return
    for path in games:
        if str(path) == "-":
            raise PuzzleError("mining goes on where it was ended, by the names of files: name one instead of -")
        records = list(read_records(path))
        done = miner.done(str(path))  # every match has a games.sgf: its name alone does not tell
        if records and done >= len(records):
            err.print(f"{path}: all of its games have been mined before")
        yield str(path), path.name, (record.position() for record in records[done:])
