"""The report of a tournament as one HTML file: nothing is fetched, and it reads well on a phone and in the dark."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from html import escape
from pathlib import Path

from tengen.arena import plots
from tengen.arena.records import PlayedGame
from tengen.arena.report import MatchFigures, Report, Standing, Tally
from tengen.arena.statistics import Sprt
from tengen.diagram import Area
from tengen.game import BLACK, WHITE, Game, Position
from tengen.play.intervals import wilson

_COLOURS = 8
_SHOWN_GAMES = 2_000
_SHOWN_OPENINGS = 14
_STYLE = Path(__file__).with_name("page.css").read_text(encoding="utf-8")


def html_page(report: Report) -> str:
    """The whole page."""
    settings = report.settings
    names = [player.name for player in settings.players]
    title = " – ".join(names) if len(names) == 2 else f"{str(settings.format).capitalize()} of {len(names)} players"
    groups: list[tuple[Callable[[Report], str], ...]] = [(_match, _standings, _cross_table)]
    if report.games:
        groups += [(_ratings, _course, _colours, _reasons, _lengths, _time), (_openings, _games)]
    cards = "".join(f'<div class="cards">{"".join(card(report) for card in group)}</div>' for group in groups)
    return (
        '<!DOCTYPE html>\n<html lang="en"><head><meta charset="utf-8">'
        '<meta name="viewport" content="width=device-width,initial-scale=1">'
        '<meta name="color-scheme" content="light dark">'
        f"<title>{escape(title)}</title><style>{_STYLE}</style></head><body><main>"
        f"<h1>{escape(title)}</h1>{_chips(report)}"
        f"{cards}"
        "<footer>Ratings are fitted by maximum likelihood, with draws and the advantage of moving first; "
        "intervals are those of 95 %. Written by Tengen.</footer></main></body></html>\n"
    )


def _card(title: str, body: str, wide: bool = False) -> str:
    kind = "card wide" if wide else "card"
    return f'<section class="{kind}"><h2>{escape(title)}</h2>{body}</section>' if body else ""


def _chips(report: Report) -> str:
    settings = report.settings
    rules = settings.rules
    chips = [Game.parse(settings.game).name, f"{len(report.games):,} of {report.total:,} games"]
    if str(rules.time) != "none":
        chips.append(str(rules.time))
    if rules.nodes is not None:
        chips.append(f"{rules.nodes:,} nodes a move")
    if rules.depth is not None:
        chips.append(f"depth {rules.depth}")
    used = len({settings.opening(played.fixture) for played in report.games})
    chips.append("1 opening" if used == 1 else f"{used:,} openings")
    if rules.adjudicate is not None:
        chips.append("adjudicated by the solver")
    if report.different_games < len(report.games):
        chips.append(f"{report.different_games:,} different from each other")
    return f'<ul class="chips">{"".join(f"<li>{escape(chip)}</li>" for chip in chips)}</ul>'


def _points(value: float) -> str:
    return f"{value:g}"


def _share(value: float | None) -> str:
    return "" if value is None else f"{100 * value:.1f} %"


def _elo(value: float) -> str:
    return f"{round(value):+d}".replace("-", "−") if abs(value) < 1e6 else ("∞" if value > 0 else "−∞")


def _row(cells: Iterable[str]) -> str:
    return f"<tr>{''.join(cells)}</tr>"


def _cells(values: Iterable[str], tag: str = "td") -> list[str]:
    return [f"<{tag}>{value}</{tag}>" for value in values]


def _match(report: Report) -> str:
    match = report.match
    if match is None or not report.games:
        return ""
    first, second = (player.name for player in report.settings.players)
    tally = report.cross[0][1]
    elo, low, high = match.best.elo()
    figures = [
        (f"{_points(tally.points)} : {_points(tally.games - tally.points)}", f"points, {_share(tally.score)}"),
        (_elo(elo), f"Elo, from {_elo(low)} to {_elo(high)}"),
        (_share(match.best.superiority()), f"likely that {escape(first)} is stronger"),
    ]
    if report.settings.sprt is not None:
        figures.append(_sprt_figure(report.settings.sprt, match))
    shown = "".join(f"<div><b>{value}</b><span>{what}</span></div>" for value, what in figures)
    return _card(
        "The match",
        f'<div class="figures">{shown}</div>{_tally_bar(tally)}<p class="soft">{escape(first)} won {tally.wins}, '
        f"{tally.draws} were drawn, {escape(second)} won {tally.losses}. {_pairs(match, first)}</p>",
        wide=True,
    )


def _sprt_figure(sprt: Sprt, match: MatchFigures) -> tuple[str, str]:
    lower, upper = sprt.bounds
    verdict = sprt.verdict(match.pairs)
    if verdict is None:
        said = f"of {lower:.2f} or {upper:.2f}: not decided"
    else:
        said = (
            f"accepted: {getattr(sprt, verdict):g} Elo rather than {sprt.elo0 + sprt.elo1 - getattr(sprt, verdict):g}"
        )
    return f"{sprt.llr(match.pairs):+.2f}".replace("-", "−"), f"LLR, {said}"


def _pairs(match: MatchFigures, first: str) -> str:
    if not match.pairs.total:
        return ""
    shown = ", ".join(map(str, match.pairs.counts))
    return f"Pairs of games by the points of {escape(first)} (0, ½, 1, 1½, 2): {shown}."


def _tally_bar(tally: Tally) -> str:
    parts = ((tally.wins, "won"), (tally.draws, "even"), (tally.losses, "lost"))
    return (
        '<div class="tally">'
        + "".join(f'<i class="{kind}" style="flex:{count}">{count}</i>' for count, kind in parts if count)
        + "</div>"
    )


def _standings(report: Report) -> str:
    ratings = report.table_ratings
    elo_heads = [] if ratings is None else ["Elo", "±"]
    heads = ["", "player", "points", "games", "+", "=", "−", "score", "interval", *elo_heads, "faults"]
    head = _row(f'<th class="l">{text}</th>' if number < 2 else f"<th>{text}</th>" for number, text in enumerate(heads))
    rows = []
    for rank, standing in enumerate(report.standings, 1):
        tally = standing.tally
        low, high = wilson(tally.points, tally.games)
        faults = sum(standing.faults.values())
        rows.append(
            _row(
                [
                    f'<td class="l soft">{rank}</td>',
                    f'<th class="name" title="{escape(standing.name, quote=True)}">{escape(standing.name)}</th>',
                    f"<td><b>{_points(tally.points)}</b></td>",
                    *_cells([str(tally.games), str(tally.wins), str(tally.draws), str(tally.losses)]),
                    *_cells([_share(tally.score), f"{100 * low:.0f}–{100 * high:.0f}"]),
                    *(
                        []
                        if ratings is None
                        else _cells([_elo(ratings.elo[standing.player]), f"{ratings.error(standing.player):.0f}"])
                    ),
                    f'<td class="bad">{_faults(standing)}</td>' if faults else "<td>0</td>",
                ]
            )
        )
    note = "" if report.rating_note is None else f'<p class="soft">{report.rating_note}</p>'
    table = f"<table><thead>{head}</thead><tbody>{''.join(rows)}</tbody></table>"
    return _card("Standings", f'<div class="scroll">{table}</div>{note}', wide=True)


def _faults(standing: Standing) -> str:
    return ", ".join(f"{count} {escape(str(reason))}" for reason, count in standing.faults.items())


def _cross_table(report: Report) -> str:
    if len(report.settings.players) < 3:
        return ""
    order = [standing.player for standing in report.standings]
    head = _row(["<th></th>", *(f'<th title="{escape(report.settings.players[p].name, quote=True)}">{n}</th>'
                               for n, p in enumerate(order, 1))])  # fmt: skip
    rows = []
    for rank, player in enumerate(order, 1):
        name = escape(report.settings.players[player].name)
        cells = [f'<th class="name"><span class="soft">{rank}</span> {name}</th>']
        for other in order:
            tally = report.cross[player][other]
            if player == other:
                cells.append('<td class="self"></td>')
            elif tally.score is None:
                cells.append("<td></td>")
            else:
                strength = round(abs(tally.score - 0.5) * 90)
                colour = "--c2" if tally.score >= 0.5 else "--c4"
                style = f"background:color-mix(in srgb,var({colour}) {strength}%,transparent)"
                cells.append(
                    f'<td style="{style}">{_points(tally.points)}'
                    f"<small>+{tally.wins} ={tally.draws} −{tally.losses}</small></td>"
                )
        rows.append(_row(cells))
    table = f'<table class="cross"><thead>{head}</thead><tbody>{"".join(rows)}</tbody></table>'
    return _card("Cross table", f'<div class="scroll">{table}</div>', wide=True)


def _ratings(report: Report) -> str:
    ratings = report.ratings
    if ratings is None or len(report.settings.players) < 3:
        return ""
    rows = [(s.name, ratings.elo[s.player], ratings.error(s.player)) for s in report.standings]
    return _card("Elo", plots.error_bars("Elo of the players with error bars", rows))


def _course(report: Report) -> str:
    """How it came about: the sequential test, a match's score, or everybody's lead over half the points."""
    if report.settings.sprt is not None:
        lower, upper = report.settings.sprt.bounds
        marks = ((upper, f"elo1 = {report.settings.sprt.elo1:g}"), (lower, f"elo0 = {report.settings.sprt.elo0:g}"))
        series = [plots.Series("", report.llr_trace(), 0)]
        drawn = plots.lines("Log-likelihood ratio after each pair", series, marks, foot="pairs of games")
        return _card("Sequential test", drawn)
    if len(report.settings.players) == 2:
        return _card("Course of the match", _score_so_far(report.games))
    points: dict[int, list[tuple[float, float]]] = {s.player: [(0, 0.0)] for s in report.standings}
    for number, played in enumerate(report.games, 1):
        surplus = played.outcome.black_points - 0.5
        for player, gain in ((played.fixture.black, surplus), (played.fixture.white, -surplus)):
            points[player].append((number, points[player][-1][1] + gain))
    for line in points.values():
        line.append((len(report.games), line[-1][1]))  # all reach the end, whoever played last
    shown = report.standings[:_COLOURS]
    lines = [plots.Series(s.name, points[s.player], n) for n, s in enumerate(shown)]
    drawn = plots.lines("Points above one half of the games, game by game", lines, foot="games")
    return _card("Points above one half", drawn)


def _score_so_far(games: list[PlayedGame]) -> str:
    total = 0.0
    line, band = [], []
    for number, played in enumerate(games, 1):
        black_points = played.outcome.black_points
        total += black_points if played.fixture.black == 0 else 1 - black_points
        low, high = wilson(total, number)
        line.append((float(number), 100 * total / number))
        band.append((float(number), 100 * low, 100 * high))
    title = "Score of the first player in per cent, game by game"
    return plots.lines(title, [plots.Series("", line, 0)], ((50.0, "50 %"),), band, foot="games")


_BLACK_STONE = '<i class="stone black"></i>'
_WHITE_STONE = '<i class="stone white"></i>'
_LEGEND = (
    f'<div class="legend"><span>{_BLACK_STONE}Black wins</span><span><i class="stone drawn"></i>drawn</span>'
    f"<span>{_WHITE_STONE}White wins</span></div>"
)


def _black_shares(tally: Tally) -> list[tuple[str, int, str]]:
    return [("Black wins", tally.wins, "black"), ("drawn", tally.draws, "drawn"), ("White wins", tally.losses, "white")]


def _colours(report: Report) -> str:
    low, high = wilson(report.black.points, report.black.games)
    said = f"Black scores {_share(report.black.score)} (from {100 * low:.1f} to {100 * high:.1f})"
    if (ratings := report.ratings) is not None and ratings.is_bounded:
        error = 1.96 * ratings.black_advantage_error
        said += f"; the first move is worth {_elo(ratings.black_advantage)} ± {error:.0f} Elo"
    head = _row(['<th class="l">player</th>', f"<th>{_BLACK_STONE}Black</th>", f"<th>{_WHITE_STONE}White</th>"])
    rows = "".join(
        _row([f'<th class="name">{escape(s.name)}</th>', *_cells(_share(s.colours[c].score) for c in (BLACK, WHITE))])
        for s in report.standings
    )
    table = f'<div class="scroll"><table><thead>{head}</thead><tbody>{rows}</tbody></table></div>'
    return _card("Colours", f'<p class="soft">{said}.</p>{table}')


def _reasons(report: Report) -> str:
    rows = [(str(reason), _black_shares(report.wins_by_reason[reason])) for reason, _ in report.reasons.most_common()]
    return _card("How games ended", _LEGEND + plots.stacked("Reasons for the end of games, by result", rows))


def _lengths(report: Report) -> str:
    spread = report.length_spread or {}
    said = "From {least} to {most} moves, {mean:g} on average, the median {median:g}.".format_map(spread)
    drawn = plots.histogram("Lengths of the games in moves", report.lengths)
    return _card("Length of the games", f'<p class="soft">{said}</p>{drawn}')


def _time(report: Report) -> str:
    head = _row(['<th class="l">player</th>', *_cells(["a move", "longest", "in all", "moves"], "th")])
    rows = "".join(
        _row(
            [
                f'<th class="name">{escape(s.name)}</th>',
                *_cells([_duration(s.seconds_a_move), _duration(s.longest), _duration(s.seconds), f"{s.moves:,}"]),
            ]
        )
        for s in report.standings
    )
    return _card("Time used", f'<div class="scroll"><table><thead>{head}</thead><tbody>{rows}</tbody></table></div>')


def _duration(seconds: float) -> str:
    if seconds < 1:
        return f"{1000 * seconds:.0f} ms" if seconds >= 0.001 else f"{1000 * seconds:.2f} ms"
    if seconds < 100:
        return f"{seconds:.1f} s"
    minutes, rest = divmod(round(seconds), 60)
    return f"{minutes} min {rest:02} s" if minutes < 60 else f"{minutes // 60} h {minutes % 60:02} min"


def _openings(report: Report) -> str:
    """Where games began, with the points that Black made from there."""
    tallies: dict[str, Tally] = {}
    for played in sorted(report.games, key=lambda played: played.fixture.number):
        tallies.setdefault(report.settings.opening(played.fixture), Tally()).add(played.outcome.black_points)
    shown = []
    for text, tally in list(tallies.items())[:_SHOWN_OPENINGS]:
        position = Position.parse(text)
        stones = [(square, str(colour)) for colour in (BLACK, WHITE) for square in position.stones(colour)]
        if stones:
            drawn = plots.board(text, _surroundings(position), stones)
            moves = " ".join(map(str, position.moves))
            said = f"Black {_points(tally.points)} of {tally.games}"
            shown.append(f"<figure>{drawn}<figcaption>{escape(moves)}<b>{said}</b></figcaption></figure>")
    more = len(tallies) - _SHOWN_OPENINGS
    note = f'<p class="soft">{more:,} more are in the table of games.</p>' if more > 0 else ""
    return _card("Openings", f'<div class="boards">{"".join(shown)}</div>{note}' if shown else "", wide=True)


def _surroundings(position: Position) -> Area:
    """A square part of the board with all stones in it, as far as the board reaches."""
    stones = [*position.stones(BLACK), *position.stones(WHITE)]
    (left, right), (bottom, top) = ((min(line), max(line)) for line in zip(*stones, strict=True))
    side = max(right - left, top - bottom, 6) + 4
    left, bottom = left - (side - right + left) // 2, bottom - (side - top + bottom) // 2
    return Area(left, bottom, left + side, bottom + side).clipped_to(position)


def _games(report: Report) -> str:
    settings = report.settings
    heads = ["game", f"{_BLACK_STONE}Black", f"{_WHITE_STONE}White", "result", "by", "moves", "opening"]
    head = _row(f"<th>{h}</th>" if h in ("result", "moves") else f'<th class="l">{h}</th>' for h in heads)
    rows = []
    for played in sorted(report.games, key=lambda played: played.fixture.number)[:_SHOWN_GAMES]:
        fixture, outcome = played.fixture, played.outcome
        result = {"B": "1 – 0", "W": "0 – 1", "D": "½ – ½"}[outcome.letter]
        names = {
            colour: escape(settings.players[player].name)
            for colour, player in ((BLACK, fixture.black), (WHITE, fixture.white))
        }
        if outcome.winner is not None:
            names[outcome.winner] = f"<b>{names[outcome.winner]}</b>"
        said = f"<small>{escape(outcome.detail)}</small>" if outcome.detail else ""
        kind = ' class="l reason bad"' if outcome.reason.is_fault else ' class="l reason"'
        rows.append(
            _row(
                [
                    f'<td class="l soft">{fixture.number}</td>',
                    *(f'<td class="l name">{names[colour]}</td>' for colour in (BLACK, WHITE)),
                    f"<td>{result}</td>",
                    f"<td{kind}>{escape(str(outcome.reason))}{said}</td>",
                    f"<td>{report.length(played)}</td>",
                    f'<td class="l soft name">{escape(settings.opening(fixture)) or "empty board"}</td>',
                ]
            )
        )
    more = len(report.games) - len(rows)
    note = f'<p class="soft">{more:,} more are in the log.</p>' if more else ""
    table = f'<div class="scroll"><table><thead>{head}</thead><tbody>{"".join(rows)}</tbody></table></div>'
    summary = f"<summary>All {len(report.games):,} games</summary>"
    return f'<section class="card wide"><details>{summary}{table}{note}</details></section>'
