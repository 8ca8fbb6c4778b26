"""One game: how it ends, and what is kept of it; openings."""

from pathlib import Path
from types import SimpleNamespace

import pytest
from arena_players import FAULTS, make

from tengen import BLACK, CONNECT6, WHITE, Game, Move, Position, TengenError, solve
from tengen.arena import openings
from tengen.arena.game import Outcome, Reason, Rules, play_game
from tengen.arena.openings import Suite, generate_openings, read_openings
from tengen.play import Budget, Choice, Engine
from tengen.play.clock import TimeControl

SMALL = Game(9, 9, 6, 2, 1)


def play(black: str, white: str, start: str = str(SMALL), rules: Rules | None = None) -> Outcome:
    return play_game(make(black, 1), make(white, 2), Position.parse(start), rules)


def test_a_game_by_the_rules() -> None:
    outcome = play("simple", "random")
    assert (outcome.winner, outcome.reason, outcome.letter, outcome.black_points) == (BLACK, Reason.ROW, "B", 1.0)
    position = Position(SMALL)
    for number, played in enumerate(outcome.moves):
        assert played.colour is (BLACK, WHITE)[number % 2]
        position.play(played.move)
    assert position.winner is BLACK


def test_a_full_board_and_a_long_game_are_drawn() -> None:
    outcome = play("simple", "simple", "Connect(5,5,5,2,1)")
    assert (outcome.winner, outcome.reason, outcome.black_points) == (None, Reason.FULL_BOARD, 0.5)
    assert sum(len(played.move) for played in outcome.moves) == 25
    outcome = play("simple", "simple", "Connect(9,9,6,2,1) E5 D4F6", Rules(max_moves=6))
    assert (outcome.winner, outcome.reason, len(outcome.moves)) == (None, Reason.LENGTH, 4)
    outcome = play("random", "random", "Connect(30,2,1)", Rules(max_moves=4))
    assert outcome.reason is Reason.LENGTH


@pytest.mark.parametrize("kind", ["raises", "occupied", "half", "passes", "nonsense", "nan"])
def test_whoever_breaks_the_rules_has_lost(kind: str) -> None:
    reason, detail = FAULTS[kind]
    as_black, as_white = play(kind, "simple"), play("simple", kind)
    assert (as_black.winner, as_white.winner) == (WHITE, BLACK)
    for outcome in (as_black, as_white):
        assert outcome.reason is reason
        assert detail in outcome.detail
        assert outcome.reason.is_fault
    # What was played before is kept.
    assert (len(as_black.moves), len(as_white.moves)) == (2, 3)


def test_too_much_time_is_a_loss(monkeypatch: pytest.MonkeyPatch) -> None:
    slept: list[float] = []  # no other time passes here: a busy machine makes nobody late
    monkeypatch.setattr("arena_players.time", SimpleNamespace(sleep=slept.append))
    monkeypatch.setattr("tengen.arena.game.time", SimpleNamespace(perf_counter=lambda: sum(slept)))
    outcome = play("late", "simple", rules=Rules(TimeControl.parse("50ms/move"), tolerance=0.1))
    assert (outcome.winner, outcome.reason) == (WHITE, Reason.TIME)
    assert "instead of 0.05 s" in outcome.detail


def test_the_solver_ends_a_game_that_is_won() -> None:
    start = "J10 I9K9 J8L9 I11K11"  # a win in four, the README's example
    outcome = play("random", "random", start, Rules(adjudicate=50_000))
    assert (outcome.winner, outcome.reason, outcome.moves) == (Position.parse(start).turn, Reason.SOLVER, ())
    assert outcome.detail.startswith("wins in 4: ")
    with pytest.raises(TengenError, match="solver knows"):
        play("random", "random", "Connect(19,19,12,9,1)", Rules(adjudicate=10))
    with pytest.raises(TengenError, match="over before it begins"):
        play("random", "random", "Connect(3,3,3,1,1) A1 B1 A2 B2 A3")


def test_players_see_their_budget() -> None:
    seen: list[Budget] = []

    class Asked:
        name = "asked"

        def choose(self, position: Position, budget: Budget) -> Choice:
            seen.append(budget)
            position.play("A1A2" if position.stones_left == 2 else "A1")  # his copy, not the game
            return Choice(Move(list(position.empty_squares())[: 2 if len(seen) > 1 else 1]))

        def close(self) -> None:
            pass

    play_game(Asked(), make("simple", 1), Position(SMALL), Rules(TimeControl.parse("1h+5s"), nodes=9, max_moves=3))
    assert (seen[0].remaining, seen[0].increment, seen[0].nodes) == (3600, 5, 9)
    assert seen[1].remaining == pytest.approx(3605, abs=60)


# Openings


def test_openings_are_made_for_every_game() -> None:
    counts = {"connect6": 2, "gomoku": 6, "Connect(9,9,6,2,1)": 6, "Connect(6,2,1)": 2, "tic-tac-toe": 1}
    for name, count in counts.items():
        game = Game.parse(name)
        suite = generate_openings(game, count if count > 1 else 6, seed=3)
        assert len({position.canonical_key for position in suite}) == len(suite) == count
        judge = Engine(threads=1, seed=3)
        for position in suite:
            assert abs((judge.analyse(position, Budget(nodes=1_000))[0].win or 0.0) - 0.5) <= 0.15
            assert position.game == game
            assert not position.is_over
            assert not position.is_mid_turn
            for side in (BLACK, WHITE):
                assert solve(position, side=side, nodes=5_000).result != "win"


def test_openings_depend_on_the_seed_alone() -> None:
    few, many, others = (
        [str(position) for position in generate_openings(SMALL, count, seed)]
        for count, seed in ((5, 1), (9, 1), (5, 2))
    )
    assert few == many[:5]
    assert few != others
    assert all(text.startswith("Connect(9,9,6,2,1) E5 ") for text in few)
    assert len(generate_openings(SMALL, 3, moves=2)[0].moves) == 2


def test_openings_up_to_symmetry_are_counted_once() -> None:
    # Within two squares of the centre there are 24 squares: 5 up to symmetry.
    assert len(generate_openings(Game.parse("gomoku"), 50, moves=2, balance=0.5)) == 5


def test_openings_may_be_asked_to_be_more_or_less_balanced() -> None:
    """With more balance asked for, what is left are those of the others that have it, in the same order."""
    game = Game(9, 9, 6, 2, 1)
    any_quiet, even, very_even = (generate_openings(game, 12, seed=1, balance=b) for b in (0.5, 0.15, 0.05))
    keys = [position.canonical_key for position in any_quiet]
    shared = [position.canonical_key for position in even if position.canonical_key in keys]
    assert 0 < len(shared) < len(keys)
    assert shared == [key for key in keys if key in shared] == [p.canonical_key for p in even[: len(shared)]]
    assert {p.canonical_key for p in very_even} != {p.canonical_key for p in even}
    with pytest.raises(TengenError, match="from one half"):
        generate_openings(game, 1, balance=0.6)


def test_a_suite_goes_on_where_it_was_left_without_judging_again(monkeypatch: pytest.MonkeyPatch) -> None:
    whole = [str(position) for position in generate_openings(SMALL, 6, seed=1)]
    judged = []
    even = openings.looks_even

    def noted(position: Position, engine: Engine, balance: float) -> bool:
        judged.append(str(position))
        return even(position, engine, balance)

    monkeypatch.setattr(openings, "looks_even", noted)
    for known in range(1, 6):
        judged.clear()
        assert [str(position) for position in Suite(6).after(whole[:known], SMALL, 1)] == whole[known:]
        assert not set(judged) & set(whole[:known])
        assert judged[-1] == whole[-1]
    judged.clear()
    assert list(Suite(6).after(whole, SMALL, 1)) == judged == []
    with pytest.raises(TengenError, match="none can follow it"):
        list(Suite(6).after([whole[1], whole[0]], SMALL, 1))


def test_a_game_without_balanced_openings_says_so() -> None:
    # Four in a row with two stones a move is won at once.
    with pytest.raises(TengenError, match="no balanced openings"):
        generate_openings(Game(9, 9, 4, 2, 1), 1)
    with pytest.raises(TengenError, match="1 to 50 moves"):
        generate_openings(CONNECT6, 1, moves=0)


def test_openings_from_files(tmp_path: Path) -> None:
    lines = tmp_path / "suite.txt"
    lines.write_text("# mine\nJ10 I9K11\n\nJ10 I11K9\nJ10 H8H9\n")
    assert [str(p) for p in read_openings(lines)] == ["J10 I9K11", "J10 H8H9"]  # the second equals the first
    sgf = tmp_path / "games.sgf"
    sgf.write_text("(;FF[4];B[j10];W[i9k11];B[h8h9];W[a1a2])\n(;FF[4];B[j10];W[i9k11];B[h8h9])")
    assert [str(p) for p in read_openings(sgf, moves=2)] == ["J10 I9K11"]
    assert len(read_openings(sgf)) == 2
    won = tmp_path / "won.txt"
    won.write_text("Connect(3,3,3,1,1) A1 B1 A2 B2 A3\n")
    with pytest.raises(TengenError, match=r"won\.txt: number 1 ends with the game over"):
        read_openings(won)
    assert len(read_openings(won, moves=2)) == 1
    with pytest.raises(TengenError, match="line 1"):
        read_openings(won, Game.parse("gomoku"))
    bad = tmp_path / "bad.txt"
    bad.write_text("J10 I9K11\nJ10 zz\n")
    with pytest.raises(TengenError, match=r"bad\.txt: line 2"):
        read_openings(bad)
    bad.write_text("# nothing\n")
    with pytest.raises(TengenError, match="no openings"):
        read_openings(bad)
