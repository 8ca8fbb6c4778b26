"""What a report says of a tournament, and its page."""

import html.parser
import json
from pathlib import Path

import pytest
from arena_players import make
from small_tournaments import OPENINGS, played, settings
from test_arena_statistics import OLYMPIAD, OLYMPIAD_POINTS

from tengen import BLACK, WHITE
from tengen.arena.game import Outcome, Reason, Rules
from tengen.arena.ledger import Ledger
from tengen.arena.page import html_page
from tengen.arena.report import Report
from tengen.arena.settings import Player, Settings
from tengen.arena.statistics import Sprt
from tengen.arena.tournament import Tournament, pair_outcomes
from tengen.play.clock import TimeControl


def olympiad(folder: Path) -> Ledger:
    """The Olympiad of 2008 as games: who won which of two games with which colour is made up, the points are not."""
    rows = [line.split() for line in OLYMPIAD.strip().splitlines()]
    players = tuple(Player(row[0], row[0]) for row in rows)
    with Ledger.open(folder, Settings(players, ("",), 2, rules=Rules(TimeControl.parse("olympiad")))) as ledger:
        for fixture in ledger.pending():
            first, second = fixture.pair
            points = float(rows[first][1 + second])
            own = min(points, 1.0) if fixture.black == first else max(points - 1, 0.0)
            black_points = own if fixture.black == first else 1 - own
            winner = {1.0: BLACK, 0.0: WHITE, 0.5: None}[black_points]
            ledger.add(fixture, Outcome(winner, Reason.ROW if winner is not None else Reason.FULL_BOARD))
    return ledger


def test_the_cross_table_of_the_olympiad(tmp_path: Path) -> None:
    report = Report(olympiad(tmp_path))
    assert report.total == len(report.games) == 90
    assert [standing.tally.points for standing in report.standings] == OLYMPIAD_POINTS
    assert [standing.name for standing in report.standings][:4] == ["NCTU6-LITE", "BITSTRONGER", "NEUCONN6", "BCCC"]
    answer = report.as_json()
    assert answer["cross_table"]["ML"]["BITSTRONGER"] == 1
    assert answer["cross_table"]["NTNU-C6"]["BCCC"] == 0.5
    assert answer["standings"][0]["score"] == pytest.approx(17 / 18, abs=1e-4)
    assert [row["stronger_than_next"] for row in answer["standings"]][4] == 0.5  # equal points
    assert answer["standings"][1]["stronger_than_next"] > 0.9
    assert answer["standings"][-1]["stronger_than_next"] is None
    elos = [standing["elo"] for standing in answer["standings"]]
    assert elos == sorted(elos, reverse=True)
    json.dumps(answer, allow_nan=False)


def test_pairs_and_the_sequential_test(tmp_path: Path) -> None:
    wanted = settings("a", "b", games=60, sprt=Sprt(0, 100))
    with Ledger.open(tmp_path, wanted) as ledger:
        # The first wins with both colours in two rounds of three, and shares the third.
        for fixture in ledger.pending()[:40]:
            shared = fixture.round % 3 == 2
            ledger.add(fixture, Outcome(BLACK if shared or fixture.black == 0 else WHITE, Reason.ROW))
        assert pair_outcomes(ledger.games, 0, 1).counts == (0, 0, 6, 0, 14)
        assert pair_outcomes(ledger.games, 1, 0).counts == (14, 0, 6, 0, 0)
        tournament = Tournament(ledger)
        assert (tournament.verdict, tournament.is_finished) == ("elo1", True)
        tournament.play(1, make)  # there are games left, but nothing to find out
        assert len(ledger.games) == 40
        report = Report(ledger)
    trace = report.llr_trace()
    assert trace[0] == (0, 0.0)
    assert trace[-1] == pytest.approx((20, Sprt(0, 100).llr(pair_outcomes(ledger.games, 0, 1))))
    assert report.as_json()["match"]["sprt"]["accepted"] == "elo1"
    assert "Sequential test" in html_page(report)


class Page(html.parser.HTMLParser):
    """Checks that what is opened is closed, and collects what a page would fetch."""

    VOID = frozenset({"meta", "br", "link", "img", "line", "rect", "circle", "polyline", "polygon"})

    def __init__(self) -> None:
        super().__init__()
        self.open: list[str] = []
        self.fetched: list[str] = []
        self.text = ""

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.fetched += [value for name, value in attrs if name in ("src", "href") and value]
        if tag not in self.VOID or tag == "rect":
            self.open.append(tag)

    def handle_startendtag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        assert tag in self.VOID

    def handle_endtag(self, tag: str) -> None:
        assert self.open.pop() == tag

    def handle_data(self, data: str) -> None:
        self.text += data


def test_the_page_stands_alone(tmp_path: Path) -> None:
    wanted = Settings((Player("<b>&", "simple"), Player('"quoted"', "random")), OPENINGS, 4)
    for ledger in (played(tmp_path / "match", wanted), olympiad(tmp_path / "olympiad")):
        text = html_page(Report(ledger))
        page = Page()
        page.feed(text)
        assert page.open == []
        assert page.fetched == []
        assert "url(" not in text
        assert "@import" not in text
        assert "prefers-color-scheme: dark" in text
        assert text.count("<svg") >= 3
        assert ("Openings" in page.text) == any(ledger.settings.openings)  # the empty board need not be shown
        for player in ledger.settings.players:
            assert player.name in page.text
    Ledger.open(tmp_path / "new", wanted).close()
    assert html_page(Report(Ledger.read(tmp_path / "new"))).startswith("<!DOCTYPE html>")  # before the first game
