"""What `tengen match` and `tengen tournament` share: their options, the standings on the screen, and the last word."""

from __future__ import annotations

import os
import shlex
import time
from datetime import datetime
from pathlib import Path
from typing import Annotated, Any

import typer
from rich.console import Group
from rich.live import Live
from rich.table import Table
from rich.text import Text

from tengen.arena import Format, Ledger, PlayedGame, Report, Rules, Settings, Sprt, Tournament
from tengen.arena.game import ADJUDICATION_NODES
from tengen.arena.openings import ANY_BALANCE, BALANCE, Suite, read_openings
from tengen.arena.page import html_page
from tengen.arena.tournament import check_players, name_players
from tengen.cli.common import (
    EXIT_INTERRUPTED,
    counted,
    duration,
    err,
    out,
    parse_game,
    print_json,
    refuse_given,
    write_output,
)
from tengen.game import BLACK, CONNECT6, WHITE, Position
from tengen.play.clock import TimeControl
from tengen.record import data_folder
from tengen.solve.limits import check_limits

TimeOption = Annotated[
    str | None,
    typer.Option(
        "--time",
        "-t",
        metavar="CONTROL",
        help="Time to think: 1s/move, 30m a game, 5m+2s, 80m/10x60s, olympiad, man-machine, none. "
        "1s/move unless told; none with --nodes.",
    ),
]
NodesOption = Annotated[int | None, typer.Option("--nodes", min=1, help="At most so many nodes a move.")]
DepthOption = Annotated[int | None, typer.Option("--depth", min=1, help="At most so many moves deep.")]
OpeningsOption = Annotated[
    str,
    typer.Option(
        "--openings",
        metavar="SUITE|FILE",
        help="Where games begin: 'balanced' makes openings, 'empty' is the empty board; or a file of records or "
        "position lines.",
    ),
]
OpeningMovesOption = Annotated[
    int | None,
    typer.Option(
        "--opening-moves", min=1, metavar="N", help="Moves of an opening: as many are made, or taken from each record."
    ),
]
BalanceOption = Annotated[
    float,
    typer.Option(
        "--balance",
        min=0,
        max=100 * ANY_BALANCE,
        metavar="PERCENT",
        help="For 'balanced': how far from 50 % the engine may see the player to move; with 50 it is not asked.",
    ),
]
ConcurrencyOption = Annotated[int, typer.Option("--concurrency", "-c", min=1, max=256, help="Games at the same time.")]
AdjudicateOption = Annotated[
    bool, typer.Option("--adjudicate", help="End a game when the solver finds a forced win of the player to move.")
]
MaxMovesOption = Annotated[
    int | None, typer.Option("--max-moves", min=2, help="Call a game drawn that has so many moves.")
]
ToleranceOption = Annotated[
    float, typer.Option("--tolerance", min=0, max=60, help="Seconds by which a player may overstep his time.")
]
SeedOption = Annotated[int, typer.Option("--seed", help="For openings and players: the same gives the same.")]
OutOption = Annotated[
    Path | None,
    typer.Option("--out", "-o", metavar="DIR", help="The folder for it; the same command goes on where it was left."),
]

MOST_GAMES = 100_000
"""Of a pair; the whole schedule is kept in memory."""
DEFAULT_BALANCE = 100 * BALANCE
DEFAULT_CONCURRENCY = max(1, (os.cpu_count() or 1) - 1)
_MAX_SUITE = 1_000
"""Openings made at most; longer matches begin the suite again."""
_REFRESH_SECONDS = 1.0


def arrange(
    context: typer.Context,
    specs: list[str],
    *,
    games: int,
    format: Format,
    game: str | None,
    openings: str,
    opening_moves: int | None,
    balance: float,
    time_control: str | None,
    nodes: int | None,
    depth: int | None,
    adjudicate: bool,
    max_moves: int | None,
    tolerance: float,
    seed: int,
    sprt: Sprt | None = None,
) -> Settings:
    """The settings that the options ask for, with everything checked that can be.

    Raises:
        TengenError: if something cannot be played as asked.
        OSError: if the file of openings cannot be read.
    """
    if time_control is None:
        time_control = "none" if nodes is not None else "1s/move"
    control = TimeControl.parse(time_control)
    check_limits(nodes=nodes, depth=depth)
    wanted = parse_game(game)
    players = name_players(tuple(specs))
    if openings != "balanced":
        refuse_given(context, "that is for --openings balanced", "balance")
    if openings == "empty":
        refuse_given(context, "an empty board has no moves", "opening_moves")
    suite: Suite | None = None
    known: list[Position]
    if openings == "empty":
        known = [Position(wanted or CONNECT6)]
    elif openings == "balanced":
        suite = Suite(min(games // 2, _MAX_SUITE), opening_moves, balance / 100)
        with err.status("making the first opening"):
            known = [next(suite.after((), wanted or CONNECT6, seed))]
    else:
        known = read_openings(openings, wanted, opening_moves)
    settings = Settings(
        players=players,
        openings=tuple(map(str, known)),
        games=games,
        format=format,
        rules=Rules(control, tolerance, nodes, depth, max_moves, ADJUDICATION_NODES if adjudicate else None),
        seed=seed,
        sprt=sprt,
        suite=suite,
    )
    _wait_for_players(settings)
    return settings


def _wait_for_players(settings: Settings) -> None:
    """Checks them, and says meanwhile who is slow: a program has a minute to come up."""
    with err.status("looking at the players") as status:
        check_players(settings, tell=lambda name: status.update(f"waiting for {name} to get ready"))


def new_folder(kind: str) -> Path:
    """A folder in the user's data for a tournament without a place of its own."""
    stamp = datetime.now().astimezone().strftime("%Y%m%d-%H%M%S")
    base = data_folder() / "arena"
    names = (f"{kind}-{stamp}{'' if number == 0 else f'-{number}'}" for number in range(1_000))
    return next(base / name for name in names if not (base / name).exists())


def run(folder: Path, settings: Settings | None, concurrency: int, json: bool) -> Report:
    """Plays what is still to be played, shows the standings meanwhile, and tells the result.

    Raises:
        TengenError: if the folder holds another tournament, or a player cannot play any more.
        typer.Exit: if it was interrupted.
    """
    interrupted = False
    with Ledger.open(folder, settings) as ledger:
        tournament = Tournament(ledger)
        if settings is None and not tournament.is_finished:
            _wait_for_players(ledger.settings)
        if ledger.games:
            err.print(f"going on after {counted(len(ledger.games), 'game')} in {folder}")
        screen = _Screen(ledger)
        try:
            with screen:
                tournament.play(concurrency, progress=screen.update)
        except KeyboardInterrupt:
            interrupted = True
        report = Report(ledger)
        tell(report, folder, json, finished=tournament.is_finished)
    if interrupted:
        err.print(f"Nothing is lost. Go on with: tengen tournament resume {shlex.quote(str(folder))}")
        raise typer.Exit(EXIT_INTERRUPTED)
    return report


def tell(report: Report, folder: Path, json: bool, finished: bool, page: str | None = None) -> None:
    """Prints a report, as tables or JSON, and writes its page."""
    page = page or str(folder / "report.html")
    write_output(page, html_page(report).encode())
    if json:
        answer: dict[str, Any] = {**report.as_json(), "finished": finished, "folder": str(folder), "page": page}
        print_json(answer, to_error=page == "-")
    elif page != "-":
        print_report(report)


class _Screen:
    """The standings while games are played: a table that is drawn anew in a terminal, else a line a game."""

    def __init__(self, ledger: Ledger) -> None:
        self._ledger = ledger
        self._total = len(ledger.settings.pairs()) * ledger.settings.games
        self._start = time.monotonic()
        self._before = len(ledger.games)
        self._shown = 0.0
        self._live = Live(console=err, transient=True, auto_refresh=False) if err.is_terminal else None

    def __enter__(self) -> None:
        if self._live is not None:
            self._live.start()

    def __exit__(self, *_: object) -> None:
        if self._live is not None:
            self._live.stop()

    def update(self, played: PlayedGame | None) -> None:
        if self._live is None:
            if played is not None:
                self._line(played)
        elif time.monotonic() - self._shown > _REFRESH_SECONDS:
            report = Report(self._ledger)
            below = Text(_progress(report, self._before, time.monotonic() - self._start))
            self._live.update(Group(_standings_table(report), below), refresh=True)
            self._shown = time.monotonic()

    def _line(self, played: PlayedGame) -> None:
        players = self._ledger.settings.players
        fixture, outcome = played.fixture, played.outcome
        result = {"B": "1-0", "W": "0-1", "D": "1/2"}[outcome.letter]
        fault = f": {outcome.detail}" if outcome.reason.is_fault else ""
        moves = len(Position.parse(self._ledger.settings.opening(fixture)).moves) + len(outcome.moves)
        err.print(
            f"{len(self._ledger.games)}/{self._total}  game {fixture.number}: {players[fixture.black].name} - "
            f"{players[fixture.white].name} {result} ({outcome.reason}{fault}, {moves} moves)",
        )


def _progress(report: Report, before: int, seconds: float) -> str:
    done = len(report.games)
    text = f"{done} of {report.total} games"
    if (new := done - before) and done < report.total:
        text += f", about {duration((report.total - done) * seconds / new)} to go"
    if report.match is not None and report.settings.sprt is not None:
        lower, upper = report.settings.sprt.bounds
        text += f", LLR {report.settings.sprt.llr(report.match.pairs):.2f} ({lower:.2f}, {upper:.2f})"
    return text


def print_report(report: Report) -> None:
    """The report as tables for the terminal."""
    out.print(_standings_table(report))
    if len(report.settings.players) > 2:
        out.print()
        out.print(_cross_table(report))
    if not report.games:
        return
    out.print()
    if report.match is not None:
        _print_match(report)
    black, ratings = report.black, report.ratings
    worth = ""
    if ratings is not None and ratings.is_bounded:
        worth = f", worth {round(ratings.black_advantage):+d} Elo"
    out.print(f"Black scored {100 * (black.score or 0):.1f} %: +{black.wins} ={black.draws} -{black.losses}{worth}.")
    spread = report.length_spread or {}
    if spread["least"] == spread["most"]:
        out.print(f"Every game had {spread['most']} moves.")
    else:
        out.print(f"Games had {spread['least']} to {spread['most']} moves, {spread['mean']:g} on average.")
    out.print(
        "They ended by " + ", ".join(f"{reason} ({count})" for reason, count in report.reasons.most_common()) + "."
    )
    if report.different_games < len(report.games):
        out.print(f"Only {report.different_games} of {len(report.games)} games differ from each other.")
    if report.rating_note is not None:
        out.print(report.rating_note)


def _print_match(report: Report) -> None:
    match, sprt = report.match, report.settings.sprt
    assert match is not None
    elo, low, high = match.best.elo()
    out.print(
        f"Elo of {report.settings.players[0].name}: {elo:+.1f} (from {low:+.1f} to {high:+.1f}), "
        f"stronger with a likelihood of {100 * match.best.superiority():.1f} %.",
    )
    if match.pairs.total:
        scores = ", ".join(
            f"{points}: {count}" for points, count in zip(("0", "½", "1", "1½", "2"), match.pairs.counts, strict=True)
        )
        out.print(f"Pairs of games by the points of {report.settings.players[0].name}: {scores}.")
    if sprt is not None:
        lower, upper = sprt.bounds
        verdict = sprt.verdict(match.pairs)
        said = "not decided" if verdict is None else f"accepted: {verdict} = {getattr(sprt, verdict):g}"
        out.print(
            f"SPRT of {sprt.elo0:g} against {sprt.elo1:g}: LLR {sprt.llr(match.pairs):.2f} "
            f"({lower:.2f}, {upper:.2f}), {said}."
        )


def _table(*heads: str) -> Table:
    table = Table(box=None, pad_edge=False, header_style="bold")
    for head in heads:
        is_name = head == "player"  # a long name is broken before a number is
        table.add_column(head, justify="left" if is_name else "right", no_wrap=not is_name, overflow="fold")
    return table


def _standings_table(report: Report) -> Table:
    ratings = report.table_ratings
    elo_heads = () if ratings is None else ("Elo", "±")
    heads = ("points", "+", "=", "-", "score", *elo_heads, "black", "white", "s/move", "faults")
    table = _table("", "player", *heads)
    for rank, standing in enumerate(report.standings, 1):
        tally = standing.tally
        table.add_row(
            str(rank),
            standing.name,
            f"{tally.points:g}",
            *map(str, (tally.wins, tally.draws, tally.losses)),
            _share(tally.score),
            *(
                ()
                if ratings is None
                else (f"{round(ratings.elo[standing.player]):+d}", f"{ratings.error(standing.player):.0f}")
            ),
            *(_share(standing.colours[colour].score) for colour in (BLACK, WHITE)),
            f"{standing.seconds_a_move:.3f}",
            str(sum(standing.faults.values())),
        )
    return table


def _cross_table(report: Report) -> Table:
    order = [standing.player for standing in report.standings]
    table = _table("", "player", *(str(rank) for rank in range(1, len(order) + 1)))
    for rank, player in enumerate(order, 1):
        cells = []
        for other in order:
            tally = report.cross[player][other]
            cells.append("x" if other == player else f"{tally.points:g}" if tally.games else "")
        table.add_row(str(rank), report.settings.players[player].name, *cells)
    return table


def _share(score: float | None) -> str:
    return "" if score is None else f"{100 * score:.1f}%"
