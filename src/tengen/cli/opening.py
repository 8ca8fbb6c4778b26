"""`tengen opening`: the atlas of three-move openings, and the campaign that fills it."""

from __future__ import annotations

import tempfile
import time
from pathlib import Path
from typing import Annotated

import typer
from rich.constrain import Constrain
from rich.live import Live
from rich.table import Column, Table
from rich.text import Text

from tengen.cli.common import (
    EXIT_BAD_INPUT,
    EXIT_FILE_TROUBLE,
    EXIT_INTERRUPTED,
    JsonOption,
    SecondsOption,
    counted,
    err,
    figures_under,
    out,
    parse_position,
    print_json,
    share_standard_output,
    trouble,
    write_output,
)
from tengen.cli.searching import REFRESH_SECONDS, live_figures, stopping_at_ctrl_c
from tengen.game import BLACK, CONNECT6, WHITE, Position
from tengen.grid import open_jobs
from tengen.opening import Atlas, AtlasError, Campaign, Second, Shelf
from tengen.opening.atlas import FIRST
from tengen.opening.explore import Explored, Known, explore, of_third
from tengen.opening.export import as_record
from tengen.opening.plan import LOOKS
from tengen.play import OpeningBook, Results
from tengen.play.book import MINE, book_file
from tengen.record import write_file
from tengen.record.files import replacing
from tengen.record.sgf import write_sgf

opening = typer.Typer(no_args_is_help=True, help="Openings: who wins them, how that is proved, and how people fared.")

FolderOption = Annotated[
    Path | None,
    typer.Option("--folder", metavar="FOLDER", help="The atlas and its proofs; in the user's data unless told."),
]
BookOption = Annotated[
    str | None, typer.Option("--book", metavar="BOOK", help=f"Statistics by 'tengen book build'; '{MINE}' unless told.")
]
EXIT_UNKNOWN = 2
_SHOWN = 20


@opening.command()
def campaign(
    seconds: SecondsOption = None,
    where: Annotated[
        str, typer.Option("--grid", metavar="WHERE", help="'local', 'local:N', or a FILE that invites to a grid.")
    ] = "local",
    jobs: Annotated[int | None, typer.Option("--jobs", min=1, help="So many workers are enough.")] = None,
    only: Annotated[
        list[str] | None,
        typer.Option("--only", metavar="MOVE", help="Work on this second move of White's; may be given several times."),
    ] = None,
    folder: FolderOption = None,
    json: JsonOption = False,
) -> None:
    """Work on the atlas: cheap looks first, then proofs where Black looks won. Ctrl-C, or kill -9, loses nothing."""
    shelf = Shelf(folder)
    atlas = shelf.atlas()
    chosen = [_entry(atlas, Position(CONNECT6, [FIRST, text])).move for text in only or ()]
    system = open_jobs(where, wanted=jobs)
    try:
        run = Campaign(shelf, system, chosen)
        is_interrupted = _watched(run, seconds)
    finally:
        system.close()
    figures = _figures(run.atlas)
    if json:
        work = {"jobs": run.tally.jobs, "seconds": round(run.tally.seconds, 3), "proved": run.tally.proved}
        print_json({**figures, "run": work, "news": list(run.tally.news), "interrupted": is_interrupted})
    else:
        for line in run.tally.news:
            out.print(line)
        out.print(_in_words(figures), style="bold")
    if is_interrupted:
        raise typer.Exit(EXIT_INTERRUPTED)


@opening.command()
def prove(
    position: Annotated[list[str], typer.Argument(metavar="MOVES", help="Three moves: 'J10 H9I8 K11J12'.")],
    proof: Annotated[Path, typer.Option("--proof", metavar="FILE", help="Where to write the proof.")],
    seconds: SecondsOption = None,
    where: Annotated[
        str, typer.Option("--grid", metavar="WHERE", help="'local', 'local:N', or a FILE that invites to a grid.")
    ] = "local:1",
    json: JsonOption = False,
) -> None:
    """Prove one opening as a campaign does, from nothing. Exit code 0: Black wins, 2: unknown.

    With one worker the same moves give the same proof, as long as no job-level search is needed.
    """
    start = parse_position(" ".join(position))
    with tempfile.TemporaryDirectory(prefix="tengen-") as folder:
        shelf, atlas = Shelf(Path(folder), alone=True), Atlas()
        second, third = atlas.opening(start)
        second.looks, third.value = LOOKS, 1.0
        shelf.keep(atlas)
        system = open_jobs(where)
        try:
            run = Campaign(shelf, system, [second.move])
            is_interrupted = _watched(run, seconds)
        finally:
            system.close()
        done = run.atlas.seconds[second.move].thirds[0]
        if done.proof is not None:
            found = shelf.proof_file(done.proof)
            assert found is not None
            with replacing(proof) as file:
                file.write(found.read_bytes())
    answer = {"position": str(start), **of_third(done, third.move).as_json(), "interrupted": is_interrupted}
    if json:
        print_json(answer)
    elif done.proof is not None:
        err.print(f"wrote {proof}")
        figures = (
            f"{counted(done.nodes, 'node')}, {done.seconds:.1f} s; the proof has {counted(done.proof.nodes, 'node')}"
        )
        out.print(f"Black wins ({figures}).", style="bold")
        out.print(f"SHA-256 {done.proof.sha256}")
    else:
        out.print("Interrupted." if is_interrupted else "Unknown: not proved.", style="bold")
    raise typer.Exit(EXIT_INTERRUPTED if is_interrupted else 0 if done.winner is BLACK else EXIT_UNKNOWN)


@opening.command()
def take(
    proofs: Annotated[list[Path], typer.Argument(metavar="PROOFS...", help="Proof files of openings.")],
    folder: FolderOption = None,
    json: JsonOption = False,
) -> None:
    """Take proofs made elsewhere into the atlas, each checked first. Exit code 0: all are in, else the worst that was.

    With --json an object a file; one that is not taken has an "error".
    """
    shelf = Shelf(folder)
    atlas = shelf.atlas()
    worst = 0
    for path in proofs:
        try:
            second, third = shelf.take(atlas, path)
        except (AtlasError, OSError) as error:  # the others have a right to be taken
            worst = max(worst, EXIT_FILE_TROUBLE if isinstance(error, OSError) else EXIT_BAD_INPUT)
            reason = trouble(error) if isinstance(error, OSError) else str(error)
            if json:
                print_json({"file": str(path), "error": reason})
            err.print(f"tengen: {reason}", style="red")
            continue
        line = f"{FIRST} {second.move} {third.move}"
        if json:
            print_json({"file": str(path), "opening": line, "winner": str(third.winner)})
        else:
            out.print(f"{line}: {third.winner} wins")
    raise typer.Exit(worst)


@opening.command()
def show(
    position: Annotated[
        list[str] | None, typer.Argument(metavar="MOVES", help="Up to three moves: 'J10 K11I11'; J10 unless told.")
    ] = None,
    book: BookOption = None,
    folder: FolderOption = None,
    most: Annotated[int, typer.Option("--most", min=1, help="Show so many moves at most.")] = _SHOWN,
    json: JsonOption = False,
) -> None:
    """Show what is known after some moves. Exit code 0: something is, 1: nothing."""
    shelf = Shelf(folder)
    atlas = shelf.atlas()
    if book is None and shelf.book_file.exists():
        book = MINE
    kept = None if book is None else OpeningBook.read(book_file(book, shelf.book_file))
    start = parse_position(" ".join(position or [str(FIRST)]))
    found = explore(atlas, start, kept)
    if kept is not None:
        kept.close()
    proof = None if found.here is None or found.here.proof is None else shelf.proof_file(found.here.proof)
    if json:
        figures = {"atlas": _figures(atlas)} if start.moves == [FIRST] else {}
        print_json(found.as_json() | figures | {"proof_file": None if proof is None else str(proof)})
    else:
        _print(found, proof, most)
        if start.moves == [FIRST]:
            out.print(_in_words(_figures(atlas)), style="bold")
    if found.here is None and not found.moves:
        raise typer.Exit(1)


@opening.command()
def proved(folder: FolderOption = None, json: JsonOption = False) -> None:
    """List the openings with a verdict, with what the proofs have cost. With --json an object a line."""
    shelf = Shelf(folder)
    headings = ("nodes", "seconds", "nodes of the proof", "bytes")
    table = Table(Column("opening", no_wrap=True), "winner", *map(figures_under, headings), "here")
    for second, third in shelf.atlas().proved():
        assert third.proof is not None
        file = shelf.proof_file(third.proof)
        line = f"{FIRST} {second.move} {third.move}"
        if json:
            kept = {"opening": line, **third.as_json(), "file": None if file is None else str(file)}
            print_json(kept)
            continue
        costs = [f"{number:,}" if number else "?" for number in (third.nodes, round(third.seconds))]
        proof = third.proof
        figures = [f"{proof.nodes:,}", f"{proof.bytes:,}", "no" if file is None else "yes"]
        table.add_row(line, str(third.winner), *costs, *figures)
    if not json:
        out.print(table)


@opening.command()
def export(
    sgf: Annotated[str, typer.Option("--sgf", metavar="FILE", help="The file to write; - for standard output.")],
    proved: Annotated[bool, typer.Option("--proved", help="Leave out what has no verdict.")] = False,
    folder: FolderOption = None,
    json: JsonOption = False,
) -> None:
    """Write the atlas as one SGF record, a variation for every opening, with comments."""
    share_standard_output(json, sgf)
    record = as_record(Shelf(folder).atlas(), proved_only=proved)
    if sgf == "-":
        write_output(sgf, write_sgf(record).encode())
        return
    write_file([record], sgf, format="sgf")
    openings = sum(1 for node in record.root.walk() if not node.children)
    if json:
        print_json({"file": sgf, "openings": openings})
    else:
        err.print(f"wrote {sgf}: {counted(openings, 'opening')}")


def _watched(run: Campaign, seconds: float | None) -> bool:
    """Works on a campaign, with what is to be seen of it on standard error; returns whether it was interrupted."""
    begun, shown, told = time.monotonic(), 0.0, 0

    def tell() -> None:
        nonlocal shown, told
        if not err.is_terminal:  # a log wants verdicts, not a picture that changes
            if run.tally.proved > told:
                told = run.tally.proved
                err.print(run.tally.news[-1])
        elif time.monotonic() - shown > REFRESH_SECONDS:
            shown = time.monotonic()
            live.update(_drawn(run, shown - begun, seconds), refresh=True)

    with (
        stopping_at_ctrl_c(run.stop) as is_interrupted,
        Live(Text("starting"), console=err, transient=True, auto_refresh=False) as live,
    ):
        run.run(seconds=seconds, poll=REFRESH_SECONDS, tell=tell)
    return is_interrupted()


def _print(found: Explored, proof: Path | None, most: int) -> None:
    here, side = found.here, str(found.position.turn).capitalize()
    if here is not None:
        out.print(f"{found.position}: {_verdict(here)}", style="bold")
        if here.proof is not None:
            where = f"in {proof}" if proof is not None else "not kept here: tengen opening prove makes it again"
            out.print(f"Proof: {counted(here.proof.nodes, 'node')}, {where}")
            out.print(f"SHA-256 {here.proof.sha256}")
    if not found.moves:
        out.print("No move is known here." if here is None else f"{side} to move.")
        return
    has_games = any(known.results is not None for known in found.moves)
    figures = ("Black's chance", *(("games", "score %", "at least %") if has_games else ()))
    table = Table("move", "verdict", *map(figures_under, figures))
    for known in found.moves[:most]:
        chance = "" if known.value is None else f"{known.value:.1%}"
        results = known.results
        games = ["", "", ""] if results is None else [f"{results.games:,}", *_percents(results)]
        table.add_row(str(known.move), _verdict(known), chance, *(games if has_games else ()))
    out.print(table)
    if len(found.moves) > most:
        out.print(f"{side} to move; {most} of {len(found.moves):,} moves: --most shows more.")


def _percents(results: Results) -> list[str]:
    return [f"{100 * share:.1f}" for share in (results.share, results.bound)]


def _verdict(known: Known) -> str:
    if known.winner is not None:
        return f"{known.winner} wins"
    left = (known.work or {}).get("open")
    return "open" if left is None else f"open, {counted(left, 'reply', 'replies')} left"


def _entry(atlas: Atlas, position: Position) -> Second:
    found = atlas.find(position)
    if found is None:
        raise AtlasError(
            f"the atlas begins with {FIRST}, and a second move within {atlas.radius} of it: not {position}"
        )
    return found[0]


def _drawn(run: Campaign, passed: float, limit: float | None) -> Constrain:
    figures = _figures(run.atlas)
    verdicts = f"{figures['black']:,} for Black, {figures['white']:,} for White, {run.tally.proved:,} now"
    return live_figures(
        [
            ("second moves", f"{figures['looked']:,} of {figures['seconds']:,} looked at"),
            ("proved", verdicts),
            ("jobs", f"{run.tally.jobs:,} done"),
            ("at work on", ", ".join(map(str, run.running)) or "nothing yet"),
            ("latest", run.tally.news[-1] if run.tally.news else ""),
            ("time", f"{passed:,.0f}{'' if limit is None else f' of {limit:,.0f}'} s"),
        ]
    )


def _figures(atlas: Atlas) -> dict[str, int]:
    verdicts = [third.winner for _, third in atlas.proved()]
    return {
        "seconds": len(atlas.seconds),
        "looked": sum(second.looks > 0 for second in atlas.seconds.values()),
        "solved": sum(second.winner is BLACK for second in atlas.seconds.values()),
        "thirds": sum(len(second.thirds) for second in atlas.seconds.values()),
        "black": verdicts.count(BLACK),
        "white": verdicts.count(WHITE),
    }


def _in_words(figures: dict[str, int]) -> str:
    return (
        f"{figures['solved']:,} of {figures['seconds']:,} second moves of White's are proved to lose; "
        f"{counted(figures['black'], 'third move')} of Black's win, {figures['white']:,} lose, "
        f"{figures['thirds'] - figures['black'] - figures['white']:,} are open."
    )
