"""Tournaments: schedules, what is kept on disk, players that misbehave, kills and resumption, reports, the commands."""

import html.parser
import json
import os
import signal
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

import pytest
from arena_players import FAULTS, make
from test_arena_statistics import OLYMPIAD, OLYMPIAD_POINTS
from test_cli import Run, run

from tengen import BLACK, WHITE, TengenError, read_file
from tengen.arena import workers
from tengen.arena.game import Outcome, Reason, Rules
from tengen.arena.ledger import LOG_FILE, SETTINGS_FILE, SGF_FILE, Ledger, LedgerError
from tengen.arena.page import html_page
from tengen.arena.report import Report
from tengen.arena.settings import Format, Player, Settings
from tengen.arena.statistics import Sprt
from tengen.arena.tournament import Tournament, name_players, pair_outcomes
from tengen.play.agent import Agent
from tengen.play.clock import TimeControl

__all__ = ["run"]  # the fixture

OPENINGS = ("Connect(7,7,4,1,1) D4 C3", "Connect(7,7,4,1,1) D4 D6", "Connect(7,7,4,1,1) D4 B2")


def settings(*specs: str, games: int = 4, **more: Any) -> Settings:
    players = tuple(Player(f"{spec}{number}", spec) for number, spec in enumerate(specs))
    return Settings(players, OPENINGS, games, **more)


def played(folder: Path, wanted: Settings, concurrency: int = 1) -> Ledger:
    with Ledger.open(folder, wanted) as ledger:
        Tournament(ledger).play(concurrency, make)
    return ledger


def moves_of(ledger: Ledger) -> dict[int, tuple[str, list[str]]]:
    return {n: (p.outcome.letter, [str(m.move) for m in p.outcome.moves]) for n, p in sorted(ledger.games.items())}


# Schedules


def test_a_round_robin_gives_everybody_both_colours_of_every_opening() -> None:
    schedule = list(settings("a", "b", "c", games=8).schedule())
    assert [fixture.number for fixture in schedule] == list(range(1, 25))
    assert len({(f.black, f.white, f.round) for f in schedule}) == 24
    for pair in ((0, 1), (0, 2), (1, 2)):
        games = [f for f in schedule if f.pair == pair]
        assert [f.opening for f in games] == [0, 0, 1, 1, 2, 2, 0, 0]
        assert [f.black for f in games] == [*pair] * 4


def test_a_gauntlet_is_about_the_first_player() -> None:
    schedule = list(settings("a", "b", "c", games=2, format=Format.GAUNTLET).schedule())
    assert [(f.black, f.white) for f in schedule] == [(0, 1), (1, 0), (0, 2), (2, 0)]


def test_settings_that_cannot_be_played_are_refused() -> None:
    for wrong, said in (
        ({"games": 3}, "even number"),
        ({"games": 0}, "even number"),
        ({"openings": ()}, "no openings"),
        ({"openings": ("Connect(3,3,3,1,1) A1 B1 A2 B2 A3",)}, "over before it begins"),
        ({"openings": ("Z99",)}, "off the board"),
        ({"players": (Player("a", "x"),)}, "two players"),
        ({"players": (Player("a", "x"), Player("a", "y"))}, "same name"),
        ({"players": tuple(Player(n, n) for n in "abc"), "sprt": Sprt(0, 5)}, "two players"),
    ):
        given: dict[str, Any] = {
            "players": (Player("a", "x"), Player("b", "y")),
            "openings": OPENINGS,
            "games": 2,
            **wrong,
        }
        with pytest.raises(TengenError, match=said):
            Settings(**given)


def test_players_get_different_names() -> None:
    names = [player.name for player in name_players(("simple", "random", "simple", "simple"), make)]
    assert names == ["simple", "random", "simple #2", "simple #3"]
    with pytest.raises(TengenError, match="unmakeable"):
        name_players(("simple", "unmakeable"), make)


def test_seeds_differ_between_games_and_colours() -> None:
    wanted = settings("a", "b", games=20)
    seeds = [wanted.player_seed(fixture, colour) for fixture in wanted.schedule() for colour in (BLACK, WHITE)]
    assert len(set(seeds)) == 40
    assert seeds[:2] == [
        settings("a", "b").player_seed(f, c) for f, c in ((next(wanted.schedule()), c) for c in (BLACK, WHITE))
    ]


# What is kept


def test_settings_survive_the_disk() -> None:
    rules = Rules(TimeControl.parse("5m+2s"), 0.1, 100, 3, 50, 1000)
    wanted = settings("a", "b", rules=rules, seed=9, sprt=Sprt(0, 20, 0.1, 0.2))
    assert Settings.from_json(json.loads(json.dumps(wanted.as_json()))) == wanted
    with pytest.raises(TengenError, match="no settings"):
        Settings.from_json({"players": 3})


def test_games_are_kept_with_evaluations_and_clocks(tmp_path: Path) -> None:
    wanted = settings("thinker", "simple", games=2, rules=Rules(TimeControl.parse("5m+1s")))
    ledger = played(tmp_path, wanted)
    again = Ledger.read(tmp_path)
    assert moves_of(again) == moves_of(ledger)
    thought = next(move for move in again.games[1].outcome.moves if move.colour is BLACK)
    assert (thought.win, thought.status, thought.depth, thought.nodes) == (0.625, "B1", 3, 1234)
    assert (thought.line, thought.notes) == ((thought.move,), {"mood": "calm ]"})
    records = list(read_file(tmp_path / SGF_FILE))
    assert len(records) == 2
    for record, game in zip(records, again.games.values(), strict=True):
        position = record.position()
        assert [str(move) for move in position.moves[2:]] == [str(move.move) for move in game.outcome.moves]
        assert record.root.get("PB") == wanted.players[game.fixture.black].name
        assert (record.root.get("RE") or "")[0] == game.outcome.letter
        assert (record.root.get("TM"), record.root.get("OT")) == ("300", "5m+1s")
    commented = [node.comment for node in records[0].main_line() if "win 0.625" in node.comment]
    assert commented
    assert "B1, depth 3, 1234 nodes" in commented[0]
    assert "mood calm ]" in commented[0]
    assert any(node.get("BL") for node in records[0].main_line())


def test_the_same_settings_give_the_same_games_however_many_play_at_once(tmp_path: Path) -> None:
    wanted = settings("simple", "random", games=6, seed=5)
    one = played(tmp_path / "one", wanted)
    two = played(tmp_path / "two", wanted, concurrency=2)
    assert moves_of(one) == moves_of(two)
    assert len(one.games) == 6
    other = played(tmp_path / "other", settings("simple", "random", games=6, seed=6))
    assert moves_of(other) != moves_of(one)


def test_a_torn_line_is_dropped_and_its_game_played_again(tmp_path: Path) -> None:
    wanted = settings("simple", "random", games=4)
    whole = moves_of(played(tmp_path, wanted))
    log = tmp_path / LOG_FILE
    lines = log.read_bytes().splitlines(keepends=True)
    for torn in (lines[3][:40], b'{"number":4,"black"\n', lines[3][:-1]):
        log.write_bytes(b"".join(lines[:3]) + torn)
        assert len(Ledger.read(tmp_path).games) == 3
        assert moves_of(played(tmp_path, wanted)) == whole
        assert len(log.read_bytes().splitlines()) == 4
        assert len(list(read_file(tmp_path / SGF_FILE))) == 4
    # A broken line in the middle is no accident of ours.
    log.write_bytes(lines[0] + b"{}\n" + lines[2])
    with pytest.raises(LedgerError, match="line 2"):
        Ledger.read(tmp_path)
    strange = lines[1].replace(b'"number":2', b'"number":99')
    for text in (lines[0] + strange + lines[2], lines[0] + strange):  # nor is one that is whole, even at the end
        log.write_bytes(text)
        with pytest.raises(LedgerError, match="not in the schedule"):
            Ledger.open(tmp_path, wanted)
        assert log.read_bytes() == text


def test_another_tournament_in_the_folder_is_refused(tmp_path: Path) -> None:
    played(tmp_path, settings("simple", "random", games=2))
    before = (tmp_path / SETTINGS_FILE).read_bytes()
    for wanted, said in (
        (settings("simple", "simple", games=2), "players was simple, random, and is now simple, simple"),
        (settings("simple", "random", games=2, seed=1), "seed was 0, and is now 1"),
        (settings("simple", "random", games=2, rules=Rules(nodes=5)), "nodes was not set, and is now 5"),
        (Settings(settings("simple", "random").players, OPENINGS[1:], 2), "opening 1 was"),
    ):
        with pytest.raises(LedgerError, match=said):
            Ledger.open(tmp_path, wanted)
    assert (tmp_path / SETTINGS_FILE).read_bytes() == before
    with pytest.raises(LedgerError, match="no tournament"):
        Ledger.open(tmp_path / "elsewhere")
    (tmp_path / SETTINGS_FILE).unlink()
    with pytest.raises(LedgerError, match="no tournament they belong to"):
        Ledger.open(tmp_path, settings("simple", "random", games=2))
    (tmp_path / LOG_FILE).write_bytes(b"")  # killed before it had begun
    Ledger.open(tmp_path, settings("simple", "random", games=2)).close()
    (tmp_path / SETTINGS_FILE).write_text("{")
    with pytest.raises(LedgerError, match=r"tournament\.json"):
        Ledger.read(tmp_path)


def test_more_games_prolong_a_tournament(tmp_path: Path) -> None:
    short = moves_of(played(tmp_path, settings("simple", "random", games=2)))
    longer = moves_of(played(tmp_path, settings("simple", "random", games=6)))
    assert len(longer) == 6
    assert {n: longer[n] for n in short} == short
    with pytest.raises(LedgerError, match="6 games a pair were asked for, and are now 4"):
        Ledger.open(tmp_path, settings("simple", "random", games=4))


def test_two_cannot_play_the_same_tournament(tmp_path: Path) -> None:
    wanted = settings("simple", "random", games=2)
    with Ledger.open(tmp_path, wanted) as ledger:
        with pytest.raises(LedgerError, match="being played already"):
            Ledger.open(tmp_path, wanted)
        fixture = ledger.pending()[0]
        ledger.add(fixture, Outcome(None, Reason.LENGTH))
        with pytest.raises(LedgerError, match="played already"):
            ledger.add(fixture, Outcome(None, Reason.LENGTH))
    assert len(Ledger.read(tmp_path).pending()) == 1


# Players that misbehave, in processes of their own


@pytest.mark.parametrize("kind", ["raises", "occupied", "exits", "aborts", "hangs", "unmakeable"])
def test_no_player_can_harm_the_tournament(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, kind: str) -> None:
    reason, detail = FAULTS[kind]
    monkeypatch.setattr(workers, "GRACE_SECONDS", 0.1)
    rules = Rules(TimeControl.parse("1s/move"), tolerance=2.0) if kind == "hangs" else Rules()
    ledger = played(tmp_path, settings(kind, "simple", games=2, rules=rules))
    assert [game.outcome.winner for _, game in sorted(ledger.games.items())] == [WHITE, BLACK]
    for game in ledger.games.values():
        assert game.outcome.reason is reason
        assert detail in game.outcome.detail
        assert bool(game.outcome.moves) == (kind != "unmakeable")
    report = Report(ledger)
    assert report.standings[1].faults == {reason: 2}
    page = Page()
    page.feed(html_page(report))
    assert f"{reason}" in page.text
    assert detail in page.text


@pytest.mark.skipif(not Path("/proc/self/stat").exists(), reason="looks for processes in /proc")
def test_a_player_that_is_ended_takes_its_programs_along(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(workers, "GRACE_SECONDS", 0.1)
    note = tmp_path / "pid"
    rules = Rules(TimeControl.parse("1s/move"), tolerance=2.0)
    wanted = settings(f"breeds {note}", "simple", games=2, rules=rules)
    with Ledger.open(tmp_path / "out", wanted) as ledger:
        fixture = ledger.pending()[0]
        with workers.Workers(1, make) as crew:
            crew.give(Tournament(ledger).task(fixture))
            ended: list[tuple[workers.Task, Outcome]] = []
            while not ended:
                ended = crew.wait(60)
    assert ended[0][1].reason is Reason.TIME
    while is_alive(int(note.read_text())):
        time.sleep(0.05)


class Unfit:
    """Makes players, but ends every process that hears of it."""

    def __call__(self, spec: str, seed: int | None) -> Agent:
        return make(spec, seed)

    def __reduce__(self) -> tuple[Any, ...]:
        return sys.exit, (5,)


def test_processes_that_cannot_begin_are_no_fault_of_players(tmp_path: Path) -> None:
    with (
        Ledger.open(tmp_path, settings("simple", "random")) as ledger,
        pytest.raises(TengenError, match=r"before its game began \(the process ended with code 5\)"),
    ):
        Tournament(ledger).play(1, Unfit())
    assert ledger.games == {}


def test_what_players_print_and_how_they_leave_is_their_own_business(
    tmp_path: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    ledger = played(tmp_path, settings("noisy", "slams the door", games=4))
    assert {game.outcome.reason.is_fault for game in ledger.games.values()} == {False}
    assert len(ledger.games) == 4
    assert capfd.readouterr().out == ""


def test_a_killed_worker_loses_nothing(tmp_path: Path) -> None:
    ledger = played(tmp_path / "out", settings(f"once {tmp_path / 'flag'}", "random", games=4))
    assert moves_of(ledger) == moves_of(played(tmp_path / "calm", settings("simple", "random", games=4)))


MAIN = [sys.executable, "-c", "from tengen.cli import main; main()"]


def waiting_for_lines(log: Path, count: int, process: subprocess.Popen[str]) -> None:
    while not log.exists() or log.read_bytes().count(b"\n") < count:
        assert process.poll() is None, "it ended too early"
        time.sleep(0.02)


def children_of(pid: int) -> set[int]:
    found = subprocess.run(["ps", "-o", "pid=", "--ppid", str(pid)], capture_output=True, text=True, check=False)
    return {int(word) for word in found.stdout.split()}


def is_alive(pid: int) -> bool:
    try:
        return Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0] != "Z"
    except FileNotFoundError:
        return False


@pytest.mark.skipif(not Path("/proc/self/stat").exists(), reason="looks for processes in /proc")
def test_a_tournament_that_is_killed_goes_on_as_if_nothing_had_happened(tmp_path: Path) -> None:
    arguments = [
        "simple",
        "random",
        "simple",
        "--game",
        "Connect(9,9,6,2,1)",
        "--games",
        "6",
        "--time",
        "none",
        "-c",
        "2",
    ]
    folder = tmp_path / "killed"
    command = [*MAIN, "tournament", *arguments, "--out", str(folder), "--json"]
    for lines in (2, 6):
        process = subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, text=True)
        waiting_for_lines(folder / LOG_FILE, lines, process)
        children = children_of(process.pid)
        process.send_signal(signal.SIGKILL)
        process.wait()
        assert children
        while any(map(is_alive, children)):  # they see that nobody wants their games any more
            time.sleep(0.05)
    with (folder / LOG_FILE).open("ab") as log:
        log.write(b'{"number":18,"bla')
    done = subprocess.run(command, capture_output=True, text=True, check=True)
    answer = json.loads(done.stdout)
    assert (answer["games_played"], answer["finished"]) == (18, True)
    numbers = [json.loads(line)["number"] for line in (folder / LOG_FILE).read_text().splitlines()]
    assert sorted(numbers) == list(range(1, 19))
    assert len(list(read_file(folder / SGF_FILE))) == 18
    calm = [*MAIN, "tournament", *arguments, "--out", str(tmp_path / "calm")]
    subprocess.run(calm, capture_output=True, check=True)
    assert moves_of(Ledger.read(folder)) == moves_of(Ledger.read(tmp_path / "calm"))


def test_ctrl_c_ends_it_at_once_and_tells_how_to_go_on(tmp_path: Path) -> None:
    folder = tmp_path / "a match"
    command = [
        *MAIN,
        "match",
        "simple",
        "simple",
        "-g",
        "Connect(9,9,6,2,1)",
        "-n",
        "400",
        "--nodes",
        "1",
        "-o",
        str(folder),
    ]
    process = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
    waiting_for_lines(folder / LOG_FILE, 1, process)
    process.send_signal(signal.SIGINT)
    out, err = process.communicate()
    assert process.returncode == 130
    assert f"Go on with: tengen tournament resume '{folder}'" in err
    assert "simple #2" in out
    games = Ledger.read(folder).games
    assert 1 <= len(games) < 400
    assert (folder / "report.html").exists()


# Reports


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


# The commands


def test_a_match_from_the_command_line(run: Run, tmp_path: Path) -> None:
    folder = tmp_path / "m"
    arguments = (
        "simple",
        "random",
        "--game",
        "Connect(7,7,4,1,1)",
        "--games",
        "4",
        "--nodes",
        "10",
        "--out",
        str(folder),
    )
    code, out, err = run("match", *arguments)
    assert code == 0
    assert "4/4" in err
    assert "Elo of simple:" in out
    assert {path.name for path in folder.iterdir()} == {LOG_FILE, SGF_FILE, SETTINGS_FILE, "report.html"}
    code, out, err = run("match", *arguments, "--json")  # nothing is left to play
    answer = json.loads(out)
    assert (code, answer["games_played"], answer["finished"]) == (0, 4, True)
    assert "going on after 4 games" in err
    code, out, _ = run("tournament", "report", str(folder), "--json")
    assert json.loads(out)["standings"] == answer["standings"]
    code, out, _ = run("tournament", "report", str(folder), "--html", "-")
    assert out.startswith("<!DOCTYPE html>")
    code, _, err = run("match", *arguments, "--seed", "7")
    assert (code, "another tournament" in err) == (3, True)
    code, out, _ = run("tournament", "resume", str(folder), "--json")
    assert json.loads(out)["games_played"] == 4


def test_a_sequential_match_ends_when_it_is_decided(run: Run, tmp_path: Path) -> None:
    arguments = ("--game", "Connect(7,7,4,1,1)", "--nodes", "1", "--sprt", "0", "400", "--json")
    code, out, _ = run("match", "simple", "random", *arguments, "--out", str(tmp_path / "yes"))
    answer = json.loads(out)
    assert (code, answer["match"]["sprt"]["accepted"], answer["finished"]) == (0, "elo1", True)
    assert answer["games_played"] < answer["games_scheduled"] == 2000
    code, out, _ = run("match", "random", "simple", *arguments, "--out", str(tmp_path / "no"))
    assert (code, json.loads(out)["match"]["sprt"]["accepted"]) == (1, "elo0")


def test_a_gauntlet_from_the_command_line_without_a_folder(run: Run, own_data_folder: Path) -> None:
    arguments = (
        "simple",
        "random",
        "random",
        "--gauntlet",
        "-n",
        "2",
        "-g",
        "tic-tac-toe",
        "-t",
        "10s",
        "--openings",
        "empty",
    )
    code, out, err = run("tournament", *arguments)
    assert code == 0
    assert "random #2" in out
    folders = list((own_data_folder / "arena").iterdir())
    assert len(folders) == 1
    assert str(folders[0]) in err.replace("\n", "")


def test_adjudicated_matches(run: Run, tmp_path: Path) -> None:
    code, out, _ = run(
        "match", "simple", "random", "-n", "2", "--nodes", "1", "--adjudicate", "--json", "-o", str(tmp_path / "out")
    )
    assert (code, json.loads(out)["reasons"]) == (0, {"solver": 2})


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (("match", "simple", "nobody"), "nobody"),
        (("match", "simple", "cloudict:/nowhere/engine"), "there is no such program"),
        (("match", "simple", "random", "--games", "3"), "even number"),
        (("match", "simple", "random", "--time", "soon"), "no time control"),
        (("match", "simple", "random", "--sprt", "5", "0"), "below elo1"),
        (("match", "simple", "random", "--game", "chess"), "chess"),
        (("match", "simple"), "B"),
        (("tournament", "simple"), "two players"),
        (("tournament", "report", "nowhere"), "no tournament"),
        (("tournament", "resume", "nowhere"), "no tournament"),
        (("match", "simple", "random", "--game", "Connect(9,9,4,2,1)"), "no balanced openings"),
    ],
)
def test_what_is_wrong_is_said_before_anything_starts(
    run: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, arguments: tuple[str, ...], said: str
) -> None:
    monkeypatch.chdir(tmp_path)
    more = ("--out", "out") if arguments[-1] != "nowhere" else ()
    code, out, err = run(*arguments, *more)
    assert (code, out) == (3, "")
    assert said in err
    assert list(tmp_path.glob("out*")) == []


def test_a_missing_file_of_openings(run: Run, tmp_path: Path) -> None:
    code, _, err = run("match", "simple", "random", "--openings", str(tmp_path / "none.sgf"))
    assert (code, "No such file" in err) == (4, True)


def test_the_log_is_as_documented(tmp_path: Path) -> None:
    played(tmp_path, settings("simple", "random", games=2))
    entry = json.loads((tmp_path / LOG_FILE).read_text().splitlines()[0])
    assert list(entry) == [
        "number", "round", "black", "white", "opening", "result", "reason", "detail", "moves", "ended",
    ]  # fmt: skip
    assert {"move", "seconds"} <= entry["moves"][0].keys()
    assert os.fspath(tmp_path) not in (tmp_path / SETTINGS_FILE).read_text()
