"""What follows from a player's attempts: ratings, streaks, repetition and choice; and the puzzles that are shipped."""

import json
import random
from collections import Counter
from datetime import UTC, date, datetime, timedelta
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st
from test_cli import Run, run
from test_puzzle import FEW, WINS

from tengen import Move, Position, Record, write_file
from tengen.puzzle import (
    KINDS,
    LEVELS,
    Attempt,
    Progress,
    PuzzleError,
    Rating,
    Shelf,
    Trainer,
    Wish,
    check_puzzle,
    find_by_name,
    next_puzzle,
    progress_of,
    rated,
    rating_of_level,
    shipped_puzzles,
)
from tengen.puzzle.judge import sensible_moves
from tengen.puzzle.missed import missed_wins
from tengen.puzzle.progress import BOXES
from tengen.puzzle.puzzle import shape
from tengen.puzzle.rating import FIRST_DEVIATION, LEAST_DEVIATION
from tengen.puzzle.sheet import sheet
from tengen.record import Store
from tengen.solve import Control

__all__ = ["run"]  # the fixture

NOON = datetime(2026, 5, 1, 12, tzinfo=UTC)
ratings = st.builds(Rating, st.floats(0, 3000), st.floats(LEAST_DEVIATION, FIRST_DEVIATION))


def attempt(name: str, is_clean: bool, at: datetime = NOON, level: int = 3) -> Attempt:
    return Attempt(name, level, at, is_clean, 10.0)


def test_the_example_of_glickmans_paper() -> None:
    # "The Glicko system": 1500 with deviation 200 beats 1400 (30), loses to 1550 (100) and to 1700 (300), all in one
    # period: 1464 with deviation 151.4. One by one the steps add up to nearly that.
    player = Rating(1500, 200)
    for other, score in ((Rating(1400, 30), 1.0), (Rating(1550, 100), 0.0), (Rating(1700, 300), 0.0)):
        player = rated(player, other, score)
    assert player.value == pytest.approx(1464, abs=4)
    assert player.deviation == pytest.approx(151.4, abs=1)


@given(ratings, ratings)
def test_ratings_move_towards_the_result_and_become_surer(one: Rating, other: Rating) -> None:
    won, lost = rated(one, other, 1), rated(one, other, 0)
    assert lost.value <= one.value <= won.value
    assert LEAST_DEVIATION <= won.deviation <= one.deviation + 1e-9


@given(ratings, st.floats(0, 10_000))
def test_ratings_are_forgotten_within_a_year(one: Rating, days: float) -> None:
    later = one.after_days(days)
    assert later.value == one.value
    assert one.deviation <= later.deviation <= FIRST_DEVIATION
    assert one.after_days(366).deviation == pytest.approx(FIRST_DEVIATION)


def test_a_player_finds_his_strength() -> None:
    """One who solves what is below 1700 ends near that, whatever the choice among the levels brings."""
    rng = random.Random(1)
    progress = Progress()
    for number in range(400):
        level = rng.randint(1, LEVELS)
        is_clean = rng.random() < 1 / (1 + 10 ** ((rating_of_level(level).value - 1700) / 400))
        progress.take(attempt(str(number), is_clean, level=level))
    assert abs(progress.player.value - 1700) < 3 * progress.player.deviation
    assert progress.player.deviation < 100


def test_only_the_first_attempt_is_rated() -> None:
    progress = progress_of([attempt("a", False), attempt("a", True), attempt("a", True)])
    assert len(progress.history) == 1
    assert progress.player == progress_of([attempt("a", False)]).player
    assert progress.puzzles["a"].value > rating_of_level(3).value
    assert (progress.attempts, progress.solved) == (3, 2)


def test_failed_puzzles_come_again_later_and_later_until_they_are_learnt() -> None:
    progress = progress_of([attempt("a", False), attempt("b", True)])
    assert "b" not in progress.cards
    now = NOON
    for box, wait in enumerate(BOXES):
        assert progress.cards["a"].box == box
        assert progress.due(now + wait - timedelta(minutes=1)) == []
        now += wait
        assert progress.due(now) == ["a"]
        progress.take(attempt("a", True, now))
    assert "a" not in progress.cards


def test_a_repetition_before_its_time_does_not_count_and_a_failed_one_begins_anew() -> None:
    progress = progress_of([attempt("a", False), attempt("a", True, NOON + BOXES[0] / 2)])
    assert progress.cards["a"].box == 0
    at = NOON + BOXES[0]
    progress.take(attempt("a", True, at))
    assert progress.cards["a"].box == 1
    progress.take(attempt("a", False, at + BOXES[1]))
    assert (progress.cards["a"].box, progress.cards["a"].due) == (0, at + BOXES[1] + BOXES[0])


def test_streaks() -> None:
    progress = progress_of(attempt(str(n), n != 2, NOON + timedelta(days=day)) for n, day in enumerate((0, 1, 2, 4, 5)))
    assert (progress.in_a_row, progress.best_in_a_row) == (2, 2)
    first = progress.days[0]
    assert progress.best_day_streak == 3
    assert progress.day_streak(first + timedelta(days=5)) == 2
    assert progress.day_streak(first + timedelta(days=6)) == 2  # it can still be saved
    assert progress.day_streak(first + timedelta(days=7)) == 0
    assert Progress().day_streak(date(2026, 1, 1)) == Progress().best_day_streak == 0


def test_what_is_due_comes_first_then_what_fits_then_what_was_not_seen_for_longest() -> None:
    shipped = shipped_puzzles()
    rng = random.Random(7)
    strong = Progress(player=Rating(1900, 60))
    near = [next_puzzle(shipped, strong, NOON, rng) for _ in range(20)]
    weak = [next_puzzle(shipped, Progress(player=Rating(900, 60)), NOON, rng) for _ in range(20)]
    levels = [[one.level for one in found if one is not None] for found in (near, weak)]
    assert min(levels[0]) > max(levels[1])
    failed = shipped[0]
    strong.take(attempt(failed.name, False))
    assert next_puzzle(shipped, strong, NOON, rng) is not failed
    assert next_puzzle(shipped, strong, NOON + BOXES[0], rng) is failed
    two = shipped[:2]
    strong.take(attempt(two[1].name, True, NOON + timedelta(minutes=1)))
    assert next_puzzle(two, strong, NOON, rng) is two[0]
    assert next_puzzle([], strong, NOON, rng) is None


def test_wishes() -> None:
    shipped = shipped_puzzles()
    wish = Wish.parse("3-5", "win", "double threats")
    found = wish.among(shipped)
    assert found
    assert {one.kind for one in found} == {"win"}
    assert {one.level for one in found} == {3, 4, 5}
    assert all("double threats" in one.themes for one in found)
    assert Wish.parse("4") == Wish(4, 4)
    for bad in ("0", "11", "5-3", "x", "3-", "99999"):
        with pytest.raises(PuzzleError):
            Wish.parse(bad)
    with pytest.raises(PuzzleError, match="double threats"):
        Wish.parse(theme="zugzwang").among(shipped)


def test_puzzles_by_name() -> None:
    assert find_by_name(FEW, FEW[3].name[:9].upper()) is FEW[3]
    for bad in ("xyz", ""):
        with pytest.raises(PuzzleError):
            find_by_name(FEW, bad)


def test_the_shipped_puzzles_are_many_different_and_of_all_levels() -> None:
    shipped = shipped_puzzles()
    assert len({shape(one.position) for one in shipped}) == len(shipped) >= 200
    assert {one.level for one in shipped} == set(range(1, LEVELS + 1))
    kinds = Counter(one.kind for one in shipped)
    assert min(kinds["win"], kinds["only defence"]) >= 30
    assert kinds["quiet win"] >= 10
    assert len({one.level for one in shipped if one.kind == "quiet win"}) >= 2
    assert list(shipped) == sorted(shipped, key=lambda one: (KINDS.index(one.kind), one.level, one.length, one.name))


@pytest.mark.parametrize("place", range(0, 200, 25))
def test_a_sample_of_the_shipped_puzzles_is_what_it_claims_to_be(place: int) -> None:
    shipped = shipped_puzzles()
    assert check_puzzle(shipped[place * len(shipped) // 200]).reason is None


def test_the_main_line_is_answered_without_a_search() -> None:
    for puzzle in shipped_puzzles():
        trainer = Trainer(puzzle)
        for move in puzzle.line[::2]:
            answer = trainer.play(move)
            assert answer.is_accepted
        assert trainer.is_solved
        assert trainer.played == list(puzzle.line[: len(trainer.played)])


def test_an_attempt_goes_on_where_it_was() -> None:
    puzzle = next(one for one in WINS if one.length > 2)
    begun = Trainer(puzzle, puzzle.line[:2])
    assert begun.solution() == puzzle.line[2]
    assert begun.play(puzzle.line[2]).is_accepted
    with pytest.raises(ValueError, match="position of this puzzle"):
        Trainer(puzzle, puzzle.line[:1])


def test_attempts_and_own_puzzles_are_kept(tmp_path: Path) -> None:
    path = tmp_path / "store.sqlite3"
    with Store(path) as store:
        shelf = Shelf(store)
        assert shelf.attempts() == []
        shelf.add_attempt(attempt("a", False))
        shelf.add_attempt(attempt("b", True))
        assert shelf.keep(FEW[0])
        assert not shelf.keep(FEW[0])
    with Store(path) as store:
        shelf = Shelf(store)
        kept = shelf.attempts()
        assert [one for _, one in kept] == [attempt("a", False), attempt("b", True)]
        assert shelf.attempts(after=kept[0][0]) == kept[1:]
        assert [one.as_json() for one in shelf.own_puzzles()] == [FEW[0].as_json()]
        assert shelf.remove(FEW[0].name)
        assert not shelf.remove(FEW[0].name)


def test_progress_on_the_command_line(run: Run) -> None:
    assert "not tried a puzzle yet" in run("puzzle", "progress")[1]
    easy = shipped_puzzles()[0]
    moves = "\n".join(map(str, easy.line[::2]))
    code, out, _ = run("puzzle", "solve", easy.name, stdin=moves)
    assert (code, "Your rating" in out) == (0, True)
    assert run("puzzle", "solve", "2", stdin="quit\n")[0] == 1  # a look is no attempt
    assert run("puzzle", "solve", "2", stdin="show\n")[0] == 1
    told = json.loads(run("puzzle", "progress", "--json")[1])
    assert (told["attempts"], told["solved"], told["days"], told["to_repeat"], told["due"]) == (2, 1, 1, 1, 0)
    assert "1 failed puzzle to learn" in run("puzzle", "progress")[1]


def test_lists_on_the_command_line(run: Run) -> None:
    code, out, _ = run("puzzle", "list", "--level", "10", "--json")
    told = json.loads(out)
    assert code == 0
    assert told["count"] == len(told["puzzles"]) == sum(one.level == 10 for one in shipped_puzzles())
    number = told["puzzles"][0]["number"]
    assert json.loads(run("puzzle", "show", str(number), "--json")[1])["name"] == told["puzzles"][0]["name"]
    assert told["puzzles"][0]["name"] in run("puzzle", "list", "--level", "10")[1]
    assert run("puzzle", "list", "--own")[0] == 3


def missed_game() -> Position:
    """Somebody plays into the corners where he could have won."""
    game = WINS[0].position.copy()
    game.play(next(move for move in map(Move, ("A1S19", "A19S1")) if game.is_legal(move)))
    return game


def test_a_missed_win_becomes_a_puzzle() -> None:
    ((number, found),) = missed_wins(missed_game(), WINS[0].limits, "a game")
    assert (number, found is not None) == (1, True)
    assert found is not None
    assert shape(found.position) == shape(WINS[0].position)
    assert found.source.startswith("a game, move 1")
    assert check_puzzle(found).reason is None


def test_a_win_that_was_not_missed_makes_no_puzzle_and_neither_does_another_players() -> None:
    won = WINS[0].position.copy()
    won.play(WINS[0].move)
    assert [found for _, found in missed_wins(won, WINS[0].limits)] == [None]
    other = WINS[0].position.turn.opponent
    assert [found for _, found in missed_wins(missed_game(), WINS[0].limits, colours=[other])] == [None]
    stopped = Control()
    stopped.stop()
    assert list(missed_wins(missed_game(), WINS[0].limits, control=stopped)) == []


def test_missed_wins_on_the_command_line(run: Run, tmp_path: Path) -> None:
    path = tmp_path / "mine.sgf"
    record = Record.from_position(missed_game())
    record.root.properties["PB"], record.root.properties["PW"] = ["Ann"], ["Bob"]
    write_file([record], path)
    player = {"black": "Ann", "white": "Bob"}[str(WINS[0].position.turn)]
    told = json.loads(run("puzzle", "mine", str(path), "--missed", "--player", player.lower(), "--json")[1])
    assert (told["games"], len(told["found"]), told["new"]) == (1, 1, 1)
    assert json.loads(run("puzzle", "mine", str(path), "--missed", "--json")[1])["new"] == 0
    listed = json.loads(run("puzzle", "list", "--own", "--json")[1])
    assert [one["name"] for one in listed["puzzles"]] == told["found"]
    assert run("puzzle", "mine", str(path), "--missed", "--player", "Carl")[0] == 3
    assert run("puzzle", "mine", "--self-play", "--missed")[0] == 3
    for unused in (("--out", "x.jsonl"), ("--seconds", "9")):
        assert run("puzzle", "mine", str(path), "--missed", *unused)[0] == 3


def test_a_sheet_has_a_page_for_six_puzzles_and_its_solutions_last(run: Run, tmp_path: Path) -> None:
    path = tmp_path / "sheet.pdf"
    arguments = ("puzzle", "sheet", "--level", "3-5", "--count", "12", "--seed", "4", "--out", str(path), "--json")
    code, out, _ = run(*arguments)
    names = json.loads(out)["puzzles"]
    assert (code, len(names), len(set(names))) == (0, 12, 12)
    content = path.read_bytes()
    assert content.startswith(b"%PDF-")
    assert content.count(b"/Type /Page\n") == 3
    run(*arguments)
    assert path.read_bytes() == content  # the same seed prints the same sheet
    assert run("puzzle", "sheet", "--level", "0", "--out", str(path))[0] == 3
    one = tmp_path / "one.jsonl"
    one.write_text(json.dumps(shipped_puzzles()[0].as_json()) + "\n")
    assert "there is only 1 such puzzle" in run("puzzle", "sheet", "--file", str(one), "--out", str(path))[2]
    with pytest.raises(PuzzleError):
        sheet([])


def test_every_shipped_puzzle_can_be_printed() -> None:
    assert len(sheet(shipped_puzzles()[::7])) > 10_000


def test_a_search_for_an_answer_can_be_given_up() -> None:
    puzzle = WINS[0]
    control = Control()
    control.stop()
    wrong = next(iter(sensible_moves(puzzle.position, puzzle.move, 2)))
    assert Trainer(puzzle, control=control).play(wrong).verdict == "doubtful"
