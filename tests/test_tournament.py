"""Tournaments: who meets whom, and what is kept on disk."""

import json
import os
from pathlib import Path
from typing import Any

import pytest
from arena_players import make
from small_tournaments import OPENINGS, moves_of, played, settings

from tengen import BLACK, WHITE, Game, TengenError, read_file
from tengen.arena.game import Outcome, Reason, Rules
from tengen.arena.ledger import EARLIER_LOG_FILE, LOG_FILE, SETTINGS_FILE, SGF_FILE, Ledger, LedgerError
from tengen.arena.openings import Suite, generate_openings
from tengen.arena.records import PlayedGame
from tengen.arena.settings import Format, Player, Settings
from tengen.arena.statistics import Sprt
from tengen.arena.tournament import Tournament, name_players
from tengen.play.clock import TimeControl

# Schedules


def test_a_round_robin_gives_everybody_both_colours_of_every_opening() -> None:
    wanted = settings("a", "b", "c", games=8)
    schedule = list(wanted.schedule())
    assert [fixture.number for fixture in schedule] == list(range(1, 25))
    assert len({(f.black, f.white, f.round) for f in schedule}) == 24
    for pair in ((0, 1), (0, 2), (1, 2)):
        games = [f for f in schedule if f.pair == pair]
        assert [OPENINGS.index(wanted.opening(f)) for f in games] == [0, 0, 1, 1, 2, 2, 0, 0]
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
    wanted = settings("a", "b", rules=rules, seed=9, sprt=Sprt(0, 20, 0.1, 0.2), suite=Suite(9, 2, 0.1))
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


def test_a_folder_with_the_earlier_name_of_the_log_is_gone_on_with(tmp_path: Path) -> None:
    wanted = settings("simple", "random", games=4)
    whole = moves_of(played(tmp_path, wanted))
    log, earlier = tmp_path / LOG_FILE, tmp_path / EARLIER_LOG_FILE
    earlier.write_bytes(b"".join(log.read_bytes().splitlines(keepends=True)[:2]))
    log.unlink()
    assert len(Ledger.read(tmp_path).games) == 2
    assert moves_of(played(tmp_path, wanted)) == whole
    assert len(earlier.read_bytes().splitlines()) == 4
    assert not log.exists()


def test_another_tournament_in_the_folder_is_refused(tmp_path: Path) -> None:
    played(tmp_path, settings("simple", "random", games=2))
    before = (tmp_path / SETTINGS_FILE).read_bytes()
    for wanted, said in (
        (settings("simple", "simple", games=2), "players was simple, random, and is now simple, simple"),
        (settings("simple", "random", games=2, seed=1), "seed was 0, and is now 1"),
        (settings("simple", "random", games=2, rules=Rules(nodes=5)), "nodes was not set, and is now 5"),
        (Settings(settings("simple", "random").players, OPENINGS[1:], 2), "opening 1 was"),
        (settings("simple", "random", games=2, suite=Suite(1)), "openings were given, and are now made"),
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


def with_suite(game: str, games: int) -> Settings:
    first = generate_openings(Game.parse(game), 1, seed=3)[0]
    return Settings(settings("simple", "random").players, (str(first),), games, seed=3, suite=Suite(games // 2))


class EnoughError(Exception):
    """Somebody does not want to see another game."""


def test_openings_are_made_when_a_round_needs_them_wherever_a_tournament_was_left(tmp_path: Path) -> None:
    wanted = with_suite("Connect(7,7,5,1,1)", games=8)
    whole = played(tmp_path / "whole", wanted)
    suite = generate_openings(Game.parse(wanted.game), 4, seed=3)
    assert list(whole.settings.openings) == [str(position) for position in suite]

    def one_is_enough(game: PlayedGame | None) -> None:
        if game is not None:
            raise EnoughError

    for games in range(1, 9):
        with Ledger.open(tmp_path / "bits", wanted) as ledger, pytest.raises(EnoughError):
            Tournament(ledger).play(1, make, one_is_enough)
        kept = json.loads((tmp_path / "bits" / SETTINGS_FILE).read_text())
        assert len(kept["openings"]) == (games + 1) // 2
    assert moves_of(Ledger.read(tmp_path / "bits")) == moves_of(whole)
    longer = played(tmp_path / "bits", with_suite("Connect(7,7,5,1,1)", games=10))
    assert {n: g for n, g in moves_of(longer).items() if n <= 8} == moves_of(whole)
    assert len(longer.settings.openings) == 5


def test_a_suite_that_comes_to_its_end_begins_again(tmp_path: Path) -> None:
    # Of tic-tac-toe there is one balanced opening only, as tests of openings know.
    short = played(tmp_path, with_suite("tic-tac-toe", games=6))
    assert (len(short.games), len(short.settings.openings), short.settings.suite) == (6, 1, Suite(1))
    longer = played(tmp_path, with_suite("tic-tac-toe", games=8))
    assert (len(longer.games), longer.settings.openings) == (8, short.settings.openings)
    log = tmp_path / LOG_FILE
    opening = f'"opening":"{short.settings.openings[0]}"'.encode()
    log.write_bytes(log.read_bytes().replace(opening, b'"opening":"Connect(3,3,3,1,1)"', 1))
    with pytest.raises(LedgerError, match=r"line 1: game 1 begins with"):
        Ledger.read(tmp_path)


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


def test_the_log_is_as_documented(tmp_path: Path) -> None:
    played(tmp_path, settings("simple", "random", games=2))
    entry = json.loads((tmp_path / LOG_FILE).read_text().splitlines()[0])
    assert list(entry) == [
        "number", "round", "black", "white", "opening", "result", "reason", "detail", "moves", "ended",
    ]  # fmt: skip
    assert {"move", "seconds"} <= entry["moves"][0].keys()
    assert os.fspath(tmp_path) not in (tmp_path / SETTINGS_FILE).read_text()
