"""Which games are fair: classes, evidence, the map, complexity, and the commands."""

from __future__ import annotations

import json
from pathlib import Path
from xml.etree import ElementTree

import pytest
from typer.testing import CliRunner

from tengen import Game, Move, Position, Square, TengenError, defend, solve
from tengen.arena import Outcome, Rules, play_game
from tengen.cli import app
from tengen.play.agent import Agent
from tengen.play.intervals import wilson
from tengen.prove import check, settle
from tengen.theory import Fairness, Kind, Says, SelfPlay, assess, complexity, draw_map, family_map, settled_games
from tengen.theory.boards import room_needed, room_wherever_black_begins, settled_boards
from tengen.theory.evidence import corollary_2, evidence_for, pluhar
from tengen.theory.fairness import kept_games

CERTAIN = (Kind.PROOF, Kind.THEOREM)


def run(*arguments: str) -> tuple[int, str]:
    result = CliRunner().invoke(app, list(arguments))
    return result.exit_code, result.stdout


@pytest.mark.parametrize(
    ("game", "fairness"),
    [
        ("gomoku", Fairness.DEFINITELY_UNFAIR),  # the examples of Wu, Huang and Chang, section 2
        ("Connect(6,1,1)", Fairness.MONOTONICALLY_UNFAIR),
        ("Connect(7,1,1)", Fairness.MONOTONICALLY_UNFAIR),
        ("Connect(6,2,2)", Fairness.MONOTONICALLY_UNFAIR),
        ("Connect(8,1,1)", Fairness.POTENTIALLY_FAIR),
        ("connect6", Fairness.POTENTIALLY_FAIR),
        ("Connect(6,2,1)", Fairness.POTENTIALLY_FAIR),
        ("Connect(6,2,3)", Fairness.DEFINITELY_UNFAIR),
        ("Connect(7,4,2)", Fairness.EMPIRICALLY_UNFAIR),  # k - p <= 3
    ],
)
def test_classes_of_the_paper(game: str, fairness: Fairness) -> None:
    assert assess(Game.parse(game)).fairness is fairness


@pytest.mark.parametrize(
    ("game", "value"),
    [
        ("Connect(3,3,3,1,1)", "a draw"),
        ("Connect(5,6,4,1,1)", "black wins"),  # the board lies on its side in the list
        ("Connect(9,9,10,1,1)", "a draw"),  # no row fits on the board
        ("Connect(30,4,5,1,1)", "a draw"),  # rows in one direction only
        ("Connect(30,4,5,1,2)", None),
        ("Connect(30,5,5,1,1)", None),
        ("Connect(13,8,4,1,1)", "black wins"),  # by a proof for 8 x 13
        ("Connect(30,41,4,1,1)", "black wins"),  # by one for the infinite board
        ("Connect(19,19,11,2,2)", "a draw"),
        ("Connect(19,19,11,2,3)", None),
        ("Connect(4,2,1)", "white wins"),
        ("Connect(6,2,4)", "black wins"),  # follows from q = 3
        ("Connect(6,4,4)", "black wins"),
        ("Connect(3,5,2)", "white wins"),
        ("Connect(5,5,9)", "black wins"),
        ("Connect(17,3,2)", "a draw"),
        ("Connect(16,3,2)", None),
        ("Connect(19,19,6,2,1) maker-breaker", None),
        ("Connect(19,19,6,2,3)", "black wins"),  # by a proof of its own
        ("Connect(59,59,6,2,3)", "black wins"),  # by one for the infinite board, and so are the next four
        ("Connect(22,22,6,2,5)", "black wins"),
        ("Connect(19,19,5,2,2)", "black wins"),
        ("Connect(19,19,5,2,2) maker-breaker", "black wins"),
        ("Connect(19,19,4,2,1)", "white wins"),
        ("Connect(19,19,4,2,1) maker-breaker", None),
        ("Connect(19,30,6,2,3)", None),  # 22 x 22 have no room there
        ("Connect(5,6,4,1,1) maker-breaker", "black wins"),
        ("Connect(5,5,4,1,1) maker-breaker", None),  # drawn if White's rows count
        ("Connect(19,19,3,5,2)", "white wins"),
        ("Connect(3,3,3,5,2)", "white wins"),  # two stones leave one of three rows
        ("Connect(4,3,3,5,2) maker-breaker", None),
        ("Connect(3,3,2,5,1)", "white wins"),
    ],
)
def test_values(game: str, value: str | None) -> None:
    assert assess(Game.parse(game)).value == value


def test_corollaries() -> None:
    assert corollary_2(8, 6, 4)  # a square of 2 x 2 takes twelve stones to stop
    assert corollary_2(13, 11, 4)
    assert not corollary_2(14, 12, 4)
    assert corollary_2(14, 12, 5)  # and one more at a corner thirteen
    assert not corollary_2(8, 6, 3)
    assert not corollary_2(6, 6, 6)
    assert pluhar(2200, 1000)
    assert not pluhar(1900, 1000)
    assert not pluhar(2000, 999)


def test_nobody_is_said_to_win_twice() -> None:
    for cell in family_map():
        says = {found.says for found in cell.assessment.evidence if found.kind in CERTAIN}
        assert len(says & {Says.BLACK_WINS, Says.WHITE_WINS, Says.DRAW}) <= 1, cell.assessment.game
        assert not {Says.WHITE_WINS, Says.WHITE_CANNOT_WIN} <= says, cell.assessment.game


def test_nobody_is_said_to_win_twice_on_finite_boards() -> None:
    games = {(game.parsed.k, game.parsed.p) for game in settled_games()}
    for k, p in games:
        for m, n in [(k, k), (6, 5), (7, 7), (8, 9), (9, 9), (13, 13), (14, 22), (19, 19), (22, 22), (30, 41)]:
            for q in range(1, k):
                says = {found.says for found in evidence_for(Game(m, n, k, p, q)) if found.kind in CERTAIN}
                assert len(says & {Says.BLACK_WINS, Says.WHITE_WINS, Says.DRAW}) <= 1, (m, n, k, p, q)
                assert not {Says.WHITE_WINS, Says.WHITE_CANNOT_WIN} <= says, (m, n, k, p, q)


def test_opinions_are_of_the_games_that_people_play() -> None:
    for game, has_opinions in [
        ("connect6", True),
        ("Connect(6,2,1)", True),
        ("Connect(59,59,6,2,1)", True),
        ("Connect(7,7,6,2,1)", False),
        ("Connect(6,2,1) maker-breaker", False),
        ("Connect(5,2,1)", True),
        ("Connect(6,6,5,2,1)", False),
        ("Connect(5,2,1) maker-breaker", False),
    ]:
        kinds = {found.kind for found in evidence_for(Game.parse(game))}
        assert (Kind.OPINION in kinds) == has_opinions, game


def test_every_value_of_the_map_has_a_proof_or_a_citation() -> None:
    cells = family_map()
    assert len({(cell.k, cell.p, cell.q) for cell in cells}) == len(cells) == 12 * 14
    for cell in cells:
        if cell.assessment.value is not None:
            sure = [found for found in cell.assessment.evidence if found.kind in CERTAIN]
            assert any(found.says == cell.assessment.value and found.source for found in sure)


def test_map_as_picture_and_object() -> None:
    cells = family_map(8, 2)
    root = ElementTree.fromstring(draw_map(cells))
    titles = [title.text for title in root.iter("{http://www.w3.org/2000/svg}title")]
    assert len(titles) == len(cells)
    assert "Connect(4,2,1): white wins" in titles
    assert json.loads(json.dumps([cell.as_json() for cell in cells]))[0]["class"] == "definitely unfair"


def test_more_stones_at_first_never_harm_black() -> None:
    order = {"white wins": 0, "a draw": 1, "black wins": 2}
    for game in settled_games():
        parsed = game.parsed
        values = [assess(Game(parsed.m, parsed.n, parsed.k, parsed.p, q)).value for q in range(1, 6)]
        known = [order[value] for value in values if value is not None]
        assert known == sorted(known), game


def test_nothing_is_told_twice() -> None:
    for settled in settled_games():
        evidence = assess(settled.parsed).evidence
        assert len(set(evidence)) == len(evidence), settled.game


def test_at_least_twenty_games_are_settled() -> None:
    games = settled_games()
    assert len({game.game for game in games}) == len(games) >= 20
    assert {game.parsed.p for game in games} >= {1, 2, 3, 4}
    assert any(game.parsed.is_infinite for game in games)
    for game in games:
        assert game.position.startswith(game.game)


@pytest.mark.parametrize("name", ["Connect(4,2,1)", "Connect(4,2,2)", "Connect(5,3,1)", "Connect(4,1,2)"])
def test_settled_games_on_the_infinite_board_are_proved_again(name: str, tmp_path: Path) -> None:
    settled = next(game for game in settled_games() if game.game == name)
    found = defend(Position.parse(settled.position), order=2)
    assert found.result == "loss"
    assert f"{found.position.turn.opponent} wins" == settled.says
    found.write_proof(tmp_path / "proof.tpf")
    verdict = check(tmp_path / "proof.tpf")
    assert verdict.accepted
    assert verdict.holds_on_infinite_board
    assert verdict.nodes == settled.nodes
    if settled.says == "black wins":
        assert settled.room == room_needed(tmp_path / "proof.tpf")
        with pytest.raises(TengenError, match="no proof of White's win"):
            room_wherever_black_begins(tmp_path / "proof.tpf", [])
    else:
        assert verdict.zones[0] is not None
        zone = [Square.parse(square) for square in verdict.zones[0]]
        side = room_wherever_black_begins(tmp_path / "proof.tpf", zone)
        assert settled.room == (side, side)


@pytest.mark.parametrize("name", ["Connect(4,1,2)", "Connect(3,2,1)", "Connect(4,3,1)", "Connect(5,3,3)"])
def test_black_wins_where_there_is_just_room_enough(name: str) -> None:
    """By a search of the whole game, which knows nothing of rooms."""
    (settled,) = (game for game in settled_games() if game.game == name)
    assert settled.room is not None
    game = settled.parsed
    assert settle(Position(Game(*settled.room, game.k, game.p, game.q)), max_branches=0).value == "win"


@pytest.mark.parametrize("name", ["Connect(4,2,1)", "Connect(5,3,1)"])
def test_white_wins_wherever_black_begins_where_there_is_just_room_enough(name: str) -> None:
    """By a search for threats from each first stone; the other squares are like these by symmetry."""
    (settled,) = (game for game in settled_games() if game.game == name)
    assert settled.room is not None
    side, half = settled.room[0], (settled.room[0] + 1) // 2
    game = Game(side, side, settled.parsed.k, settled.parsed.p, 1)
    for x in range(half):
        for y in range(x, half):
            assert solve(Position(game, [Move([Square(x, y)])])).result == "win"


@pytest.mark.parametrize("name", ["Connect(3,3,3,1,1)", "Connect(6,4,4,2,1)", "Connect(5,4,4,2,2)"])
def test_settled_games_on_small_boards_are_proved_again(name: str, tmp_path: Path) -> None:
    settled = next(game for game in settled_games() if game.game == name)
    settle(Position(Game.parse(name))).write_proof(tmp_path / "proof.tpf")
    verdict = check(tmp_path / "proof.tpf")
    assert verdict.accepted
    assert settled.says in verdict.claim


@pytest.mark.parametrize(
    ("start", "columns", "rows"),
    [("Connect(3,1,1) J10", 5, 4), ("Connect(3,59,3,1,1) B30", 3, 7), ("Connect(9,9,3,1,1) E5", 5, 5)],
)
def test_the_room_that_a_win_needs(start: str, columns: int, rows: int, tmp_path: Path) -> None:
    """Without what completes a threat, three in a row would seem to need 3 x 2, where it is a draw."""
    found = defend(Position.parse(start))
    found.write_proof(tmp_path / "proof.tpf")
    assert room_needed(tmp_path / "proof.tpf") == (columns, rows)
    for m in range(columns, 8):
        for n in range(max(m, rows), 8):
            assert settle(Position(Game(m, n, 3, 1, 1))).value == "win"


def test_room_is_needed_by_wins_alone(tmp_path: Path) -> None:
    settle(Position(Game.parse("Connect(3,3,3,1,1)"))).write_proof(tmp_path / "draw.tpf")
    with pytest.raises(TengenError, match="no proof of a win"):
        room_needed(tmp_path / "draw.tpf")
    (tmp_path / "other.tpf").write_text("something else")
    with pytest.raises(TengenError, match="no proof of a win"):
        room_needed(tmp_path / "other.tpf")


def test_settled_boards_agree_with_a_search_of_the_whole_game() -> None:
    """For what a moment's search settles; the proofs of the list were found by threats or with more time."""
    for m, n, k in [(3, 3, 3), (3, 4, 3), (3, 11, 3), (4, 5, 3), (4, 5, 4), (4, 6, 4), (5, 6, 5), (6, 8, 6)]:
        found = settle(Position(Game(m, n, k, 1, 1)), max_branches=0)
        value = {"win": "black wins", "draw": "a draw"}[found.value]
        known = {entry.says for entry in settled_boards() if entry.k == k and entry.include(m, n)}
        assert known == {value}, (m, n, k)
        assert assess(Game(n, m, k, 1, 1)).value == value


def test_settled_boards_are_sound_as_a_whole() -> None:
    boards = settled_boards()
    for entry in boards:
        assert entry.k <= entry.m <= entry.n <= (entry.to or 59)
        assert entry.nodes > 0
    said = {
        (m, n, k): {entry.says for entry in boards if entry.k == k and entry.include(m, n)}
        for k in range(3, 8)
        for m in range(k, 20)
        for n in range(m, 60)
    }
    assert all(len(says) <= 1 for says in said.values())
    wins = {(m, n) for (m, n, k), says in said.items() if k == 4 and says == {"black wins"}}
    assert wins == {(m, n) for m in range(5, 20) for n in range(max(6, m), 60)}  # on 5 x 5 it is a draw


def test_rows_in_one_direction_are_held_by_pairs() -> None:
    for m, n, k in [(3, 4, 4), (3, 9, 4), (4, 11, 5), (3, 16, 5)]:
        assert settle(Position(Game(m, n, k, 1, 1))).value == "draw"
        assert assess(Game(m, n, k, 1, 1)).value == "a draw"


def test_games_that_were_played_decide_where_nothing_is_proved() -> None:
    def played(black: int, white: int, low: float, high: float) -> SelfPlay:
        return SelfPlay("Connect(9,2,1)", "somebody", black, 0, white, low, high, "a command")

    game = Game.infinite(9, 2, 1)
    assert assess(game, [played(50, 50, 0.4, 0.6)]).fairness is Fairness.POTENTIALLY_FAIR
    assert assess(game, [played(90, 10, 0.83, 0.95)]).fairness is Fairness.EMPIRICALLY_UNFAIR
    assert assess(game, [played(10, 90, 0.05, 0.17)]).evidence[0].says is Says.FAVOURS_WHITE
    assert assess(Game.infinite(6, 2, 1), [played(90, 10, 0.83, 0.95)]).fairness is Fairness.POTENTIALLY_FAIR
    assert assess(Game.infinite(11, 2, 1), [played(90, 10, 0.83, 0.95)]).fairness is Fairness.POTENTIALLY_FAIR
    for other, fairness in [
        (played(10, 90, 0.05, 0.17), Fairness.POTENTIALLY_FAIR),
        (played(50, 50, 0.4, 0.6), Fairness.POTENTIALLY_FAIR),
        (played(80, 20, 0.71, 0.87), Fairness.EMPIRICALLY_UNFAIR),
    ]:
        assert assess(game, [played(90, 10, 0.83, 0.95), other]).fairness is fairness


def test_games_that_are_kept_add_up() -> None:
    kept = [games for cell in family_map() for games in kept_games(cell.assessment.game)]
    assert len({(games.game, games.players) for games in kept}) == len(kept) >= 15
    for games in kept:
        assert games.games >= 40
        assert (games.low, games.high) == pytest.approx(wilson(games.score * games.games, games.games), abs=1e-4)
        assert f'"{games.game}" --games {games.games} --player "{games.players}"' in games.command


def test_complexity_as_published() -> None:
    size = complexity(Game.parse("connect6"))
    assert size.tree == pytest.approx(140, abs=1)  # (300 x 300 / 2)^30
    assert size.states == pytest.approx(172, abs=0.5)
    assert size.legal_states is not None
    assert size.legal_states < 172
    assert complexity(Game.infinite(6, 2, 1)).tree is None
    tiny = complexity(Game(3, 3, 3, 1, 1))
    assert 10 ** (tiny.tree or 0) == pytest.approx(362_880)  # nine squares in any order
    assert 10 ** (tiny.legal_states or 0) == pytest.approx(6_046)  # with rows of three all the same


def test_fair_command() -> None:
    code, text = run("fair", "Connect(6,2,3)")
    assert code == 0
    assert "definitely unfair: black wins" in text
    text = run("fair", "connect6")[1]
    assert "is potentially fair" in text
    assert "do not decide it: strong players" in text
    assert run("fair", "Connect(5,5,4,1,1)")[1].count("proof: a draw") == 1
    code, text = run("fair", "Connect(4,4,4,2,1)", "--games", "2", "--nodes", "10", "--json")
    answer = json.loads(text)
    assert code == 0
    assert [found["kind"] for found in answer["evidence"]] == ["proof", "games"]
    assert run("fair", "--svg", "-")[1].startswith("<svg")
    lines = run("fair", "--json", "--most-k", "4", "--most-p", "1")[1].splitlines()
    assert [json.loads(line)["k"] for line in lines] == [3, 4, 3, 4]
    assert "his first 1 stone holds 1 in a row" in run("fair", "Connect(1,1,1)")[1]
    assert ", 1 stone a move, on any board" in run("fair", "Connect(8,1,1)")[1]
    assert "potentially fair" in run("fair")[1]


def test_ctrl_c_keeps_the_games_that_were_played(monkeypatch: pytest.MonkeyPatch) -> None:
    begun = 0

    def play_two(black: Agent, white: Agent, opening: Position, rules: Rules) -> Outcome:
        nonlocal begun
        begun += 1
        if begun == 3:
            raise KeyboardInterrupt
        return play_game(black, white, opening, rules)

    monkeypatch.setattr("tengen.cli.fair.play_game", play_two)
    code, text = run("fair", "Connect(4,4,4,2,1)", "--games", "5", "--player", "random", "--json")
    assert code == 130
    assert "--games 2 " in json.loads(text)["evidence"][1]["source"]


def test_games_of_a_player_who_cannot_play_are_no_evidence() -> None:
    def refuse(*arguments: str) -> str:
        result = CliRunner().invoke(app, ["fair", *arguments])
        assert isinstance(result.exception, TengenError)
        assert result.stdout == ""
        return str(result.exception)

    assert "absurd" in refuse("connect6", "--games", "1", "--nodes", "9" * 23)
    assert "no strategy is known that holds" in refuse("Connect(9,9,4,2,1)", "--games", "1", "--player", "breaker")


@pytest.mark.parametrize(
    "options",
    [
        ("--games", "2"),
        ("--player", "random"),
        ("--nodes", "2000"),
        ("connect6", "--most-k", "14"),
        ("connect6", "--most-p", "3"),
        ("connect6", "--svg", "-"),
        ("connect6", "--nodes", "10"),
    ],
)
def test_what_would_change_nothing_is_refused(options: tuple[str, ...]) -> None:
    assert run("fair", *options) == (2, "")


def test_draw_commands(tmp_path: Path) -> None:
    file = str(tmp_path / "zetters.tbs.gz")
    code, text = run("draw", "8", "1", "--proof", file, "--json")
    assert code == 0
    assert json.loads(text)["strategy"] == "zetters"
    code, text = run("check", file)
    assert code == 0
    assert "Connect(m,n,8,1,q)" in text
    assert "hales-jewett" in run("draw", "9", "1", "--json")[1]
    code, text = run("draw", "17", "3")
    assert code == 0
    assert "Lemma 12" in text
    assert run("draw", "7", "1")[0] == 2
    assert json.loads(run("draw", "10", "2", "--json")[1])["result"] == "unknown"
    assert "4p + 7: 111" in run("draw", "bound", "26")[1]
    assert run("draw", "table", "--most", "1000")[0] == 0
    assert all(json.loads(line)["holds"] for line in run("draw", "bases", "--json")[1].splitlines())


def test_draw_search_goes_on_where_it_was(tmp_path: Path) -> None:
    journal = str(tmp_path / "search.journal")
    options = ("--width", "4", "--heights", "3", "--shift", "1", "--journal", journal, "--json")
    code, text = run("draw", "search", "8", "1", *options)
    first = json.loads(text)
    assert (code, first["tried"]) == (1, first["size"])
    assert run("draw", "search", "8", "1", *options)[1] == text
    assert run("draw", "search", "9", "1", *options)[0] != 0  # the journal of another search
