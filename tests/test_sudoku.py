"""Minimum Sudoku: the solver, unavoidable sets, both searches, canonical forms, and the commands."""

from __future__ import annotations

import json
import random
from functools import partial
from itertools import combinations, islice
from pathlib import Path
from typing import Any

import pytest
from conftest import shared_data
from hypothesis import given, settings
from hypothesis import strategies as st
from reference import sudoku as plain
from sudoku_tools import FAMOUS
from test_cli import Run, run

from tengen.sudoku import (
    Control,
    Grid,
    Puzzle,
    SudokuError,
    catalogue,
    check,
    dmus,
    hitting_sets,
    random_grid,
    sets_of_regions,
    sets_up_to,
)
from tengen.web import sudoku_routes

__all__ = ["run"]  # the fixture

# The most symmetric of all grids: it is known to have 648 automorphisms.
MOST_SYMMETRIC = "123456789456789123789123456231564897564897231897231564312645978645978312978312645"
FAMOUS_CLUES = [4, 6, 10, 19, 25, 30, 35, 36, 45, 51, 54, 56, 58, 74, 77, 79, 80]
"""One of the 29 puzzles of the famous grid, as our own search gave it; that it is valid is checked."""
EASY = "471598236286734519359612748763145982195286374824973165938427651642351897517869423"

seeds = st.integers(0, 2**32).map(random.Random)


def shuffled(grid: Grid, rng: random.Random) -> Grid:
    """An isomorphic grid."""
    names = "".join(rng.sample("123456789", 9))
    rows = [3 * band + row for band in rng.sample(range(3), 3) for row in rng.sample(range(3), 3)]
    columns = [3 * stack + column for stack in rng.sample(range(3), 3) for column in rng.sample(range(3), 3)]
    cells = [9 * row + column for row in rows for column in columns]
    if rng.random() < 0.5:
        cells = [cells[cell % 9 * 9 + cell // 9] for cell in range(81)]
    return Grid("".join(names[grid.digits[cell]] for cell in cells))


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("12", "81 cells, not 2"),
        ("1" * 81, "row 1 has two 1s"),
        ("." * 81, "81 cells are empty"),
        ("x" * 81, "'x' is no digit"),
        (FAMOUS[:9] + FAMOUS[9:18][::-1] + FAMOUS[18:], "column 5 has two|box . has two|column . has two"),
    ],
)
def test_what_is_no_grid_is_refused_with_the_reason(text: str, reason: str) -> None:
    with pytest.raises(SudokuError, match=reason):
        Grid(text)


@settings(max_examples=15, deadline=None)
@given(seeds, st.integers(22, 32))
def test_the_solver_finds_what_the_plain_one_finds(rng: random.Random, clues: int) -> None:
    puzzle = random_grid(rng).puzzle(rng.sample(range(81), clues))
    expected = sorted(islice(plain.solutions(str(puzzle)), 30))
    found = puzzle.solutions(len(expected) if len(expected) == 30 else 31)
    assert len(found) == len(set(found))
    if len(expected) < 30:
        assert sorted(map(str, found)) == expected
    for solution in found:
        assert all(sign in (".", solution.text[cell]) for cell, sign in enumerate(puzzle.text))


@settings(max_examples=4, deadline=None)
@given(seeds)
def test_unavoidable_sets_are_unavoidable_minimal_and_all_there(rng: random.Random) -> None:
    grid = random_grid(rng)
    sets = sets_up_to(grid, 10)
    for one in rng.sample(sets, 25):
        rest = [cell for cell in range(81) if cell not in one]
        assert len(grid.puzzle(rest).solutions()) == 2
        assert all(grid.puzzle([*rest, cell]).is_valid for cell in one)
    assert {tuple(one) for one in sets_of_regions(grid, 10)} <= {tuple(one) for one in sets}
    # Two digits: exchange them on the cycles of rows, columns and boxes; the plain solver finds all ways.
    pair = set(rng.sample(range(9), 2))
    cells = [cell for cell in range(81) if grid.digits[cell] in pair]
    puzzle = "".join("." if cell in cells else sign for cell, sign in enumerate(grid.text))
    differences = {frozenset(c for c in cells if grid.text[c] != other[c]) for other in plain.solutions(puzzle)}
    minimal = {one for one in differences if one and not any(other and other < one for other in differences)}
    assert {one for one in minimal if len(one) <= 10} == {frozenset(one) for one in sets if set(one) <= set(cells)}


def test_every_4x4_puzzle_of_every_grid_is_found_by_hitting_its_sets() -> None:
    assert len(plain.small_grids()) == 288  # known
    assert not any(plain.small_puzzles(3).values())  # 4 is known to be the least
    for clues in (3, 4, 5):
        for grid, expected in plain.small_puzzles(clues).items():
            assert sorted(hitting_sets(plain.small_sets(grid), range(16), clues)) == expected


def test_all_versions_of_the_thesis_and_orders_of_shrinking_agree() -> None:
    grid = plain.small_grids()[100]
    sets, expected = plain.small_sets(grid), plain.small_puzzles(5)[grid]
    for version in ("V1", "V2", "V3", "V4", "V5"):
        for shrinks in range(1, 7) if version in ("V4", "V5") else (3,):
            assert sorted(hitting_sets(sets, range(16), 5, version, shrinks=shrinks)) == expected


def test_hitting_sets_stay_in_their_universe() -> None:
    assert hitting_sets([[0, 1, 2], [2, 3, 80]], [1, 3, 5], 2) == [[1, 3]]
    assert hitting_sets([[0, 1], [2]], [0, 1], 1) == []
    for sets, version in (([[81]], "V5"), ([[1]], "V9")):
        with pytest.raises(SudokuError, match="there is no"):
            hitting_sets(sets, [1], 1, version)


def test_the_thesis_counts_what_it_counts() -> None:
    found = dmus(Grid(EASY), 11, "V4")
    assert found.is_complete
    assert not found.puzzles
    assert found.levels[0]["nodes"] == 1
    for level in found.levels:
        assert level["equal"] == level["pruned"] + level["shrunk"] + level["unchanged"]
        assert level["more"] + level["equal"] <= level["nodes"]
    basic = dmus(Grid(EASY), 11, "V3")
    assert basic.nodes > found.nodes
    assert not dmus(Grid(EASY), 16, "V1", seconds=0.05).is_complete
    with pytest.raises(SudokuError, match="no version 'V9'"):
        dmus(Grid(EASY), 11, "V9")


@settings(max_examples=6, deadline=None)
@given(seeds, st.data())
def test_reduced_problems_are_searched_as_by_brute_force(rng: random.Random, data: st.DataObject) -> None:
    """Some clues are given and some cells allowed: few enough ways that each can be tried."""
    grid = random_grid(rng)
    order = rng.sample(range(81), 81)
    start = list(order)
    for cell in order:  # a puzzle without a needless clue
        if grid.puzzle([other for other in start if other != cell]).is_valid:
            start.remove(cell)
    missing = data.draw(st.integers(1, 3))
    fixed = start[missing:]
    allowed = set(start[:missing]) | set(rng.sample([cell for cell in range(81) if cell not in start], 18))
    expected = {
        str(puzzle)
        for more in combinations(sorted(allowed), missing)
        if (puzzle := grid.puzzle([*fixed, *more])).is_valid
    }
    found = check(grid, len(start), given=fixed, allowed=allowed)
    assert {str(puzzle) for puzzle in found.puzzles} == expected
    assert len(found.puzzles) == len(expected) > 0


@settings(max_examples=8, deadline=None)
@given(seeds, st.data())
def test_few_cells_are_searched_as_by_plain_hitting_sets(rng: random.Random, data: st.DataObject) -> None:
    """No lower bound, no bands: what hits all small sets is judged by the solver. With few or no clues given, all three
    bands are searched, each in its turn as the third."""
    grid = random_grid(rng)
    start = list(range(81))
    for cell in rng.sample(start, 81):
        if grid.puzzle([other for other in start if other != cell]).is_valid:
            start.remove(cell)
    given = set(rng.sample(start, data.draw(st.integers(0, 8))))
    others = [cell for cell in range(81) if cell not in start]
    allowed = set(start) | set(rng.sample(others, data.draw(st.integers(3, 6))))
    clues = len(start) + data.draw(st.integers(-1, 1))
    sets = [one for one in sets_up_to(grid, 12)[:512] if not given & set(one)]
    candidates = hitting_sets(sets, sorted(allowed - given), clues - len(given), "V2")
    expected = [puzzle for cells in candidates if (puzzle := grid.puzzle([*given, *cells])).is_valid]
    found = check(grid, clues, given=given, allowed=allowed)
    assert found.is_complete
    assert sorted(map(str, found.puzzles)) == sorted(map(str, expected))
    assert clues < len(start) or expected


def test_puzzles_are_told_as_they_are_found() -> None:
    grid = Grid(FAMOUS)
    told: list[Puzzle] = []
    found = check(grid, 18, given=FAMOUS_CLUES[:5], progress=lambda _looked, fresh: told.extend(fresh))
    assert found.is_complete
    assert told
    assert set(told) <= set(found.puzzles)
    assert len(told) == len(set(told))


def test_windows_hear_of_puzzles_while_the_search_goes_on(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sudoku_routes, "check", partial(check, given=FAMOUS_CLUES[:5]))  # the whole takes minutes
    told: list[dict[str, Any]] = []
    answer = sudoku_routes.puzzle_search(Grid(FAMOUS), 18)(Control(), lambda known: told.append(known()))
    assert answer["complete"]
    assert answer["count"] > sudoku_routes.MOST_SHOWN == len(answer["puzzles"])
    assert 0 < told[-1]["count"] <= answer["count"]
    assert all(Puzzle(text).is_valid for text in told[-1]["puzzles"][:20])


def test_known_puzzles_with_17_clues_are_found_in_their_grids() -> None:
    known = shared_data("sudoku17-sample.txt").read_text().split()
    for text in (known[1], known[500]):
        (grid,) = Puzzle(text).solutions()
        found = check(grid, 17)
        assert found.is_complete
        assert text in {str(puzzle) for puzzle in found.puzzles}
        assert all(len(puzzle.clues) == 17 and puzzle.solutions() == [grid] for puzzle in found.puzzles)


def test_the_famous_grid_has_its_puzzles_where_they_are_known() -> None:
    # All 29 puzzles with 17 clues are found by bench/sudoku.py; here those with five clues of one of them.
    grid = Grid(FAMOUS)
    found = check(grid, 17, given=FAMOUS_CLUES[:5])
    assert grid.puzzle(FAMOUS_CLUES) in found.puzzles
    assert all(puzzle.is_valid and len(puzzle.clues) == 17 for puzzle in found.puzzles)


def test_no_grid_has_a_puzzle_with_16_clues_and_the_search_is_the_same_every_time() -> None:
    one, two = check(Grid(EASY), 16), check(Grid(EASY), 16)
    assert one.is_complete
    assert one.puzzles == ()
    assert one.certificate == two.certificate
    assert one.figures == two.figures
    assert one.certificate != check(Grid(EASY), 15).certificate


def test_a_search_ends_when_it_is_told() -> None:
    control = Control()
    control.stop()
    assert not check(Grid(FAMOUS), 17, control=control).is_complete
    assert not check(Grid(FAMOUS), 17, seconds=0.01).is_complete
    assert not check(Grid(FAMOUS), 30, seconds=0.01).is_complete  # a pair of bands alone has millions of ways
    with pytest.raises(SudokuError, match="0 to 81 clues"):
        check(Grid(FAMOUS), 82)
    with pytest.raises(SudokuError, match="there is no 81"):
        check(Grid(FAMOUS), 17, given=[81])


@settings(max_examples=10, deadline=None)
@given(seeds)
def test_isomorphic_grids_have_one_canonical_form_and_puzzles_go_along(rng: random.Random) -> None:
    grid = random_grid(rng)
    other = shuffled(grid, rng)
    assert grid.is_isomorphic(other)
    assert not grid.is_isomorphic(Grid(FAMOUS))
    way = grid.canonical()
    assert way.target.canonical().target == way.target
    assert way.automorphisms == other.canonical().automorphisms
    puzzle = grid.puzzle(rng.sample(range(81), 40))
    assert way.carry(puzzle).is_valid == puzzle.is_valid


def test_the_canonical_form_is_that_of_the_plain_twin() -> None:
    assert str(Grid(EASY).canonical().target) == plain.canonical(EASY)
    assert Grid(MOST_SYMMETRIC).canonical().automorphisms == 648


def test_the_catalogue_has_canonical_grids_in_their_order() -> None:
    grids = list(islice(catalogue(), 12))
    assert grids == sorted(set(grids), key=str)
    assert all(grid.canonical().target == grid for grid in grids)
    assert list(islice(catalogue(grids[3]), 2)) == grids[4:6]


def test_the_commands_answer_in_words_and_in_json(run: Run, tmp_path: Path) -> None:
    code, out, _ = run("sudoku", "check", EASY, "--json")
    answer = json.loads(out)
    assert code == 1
    assert (answer["count"], answer["complete"], answer["clues"]) == (0, True, 16)
    code, out, _ = run("sudoku", "check", EASY, "--clues", "11", "--version", "V6", "--count", "--json")
    assert code == 1
    assert "puzzles" not in json.loads(out)
    assert run("sudoku", "check", FAMOUS, "-n", "17", "--seconds", "0.01")[0] == 2
    code, _, err = run("sudoku", "check", "123")
    assert code == 3
    assert "a grid has 81 cells, not 3" in err
    puzzle = str(Grid(EASY).puzzle(list(range(72))))
    code, out, _ = run("sudoku", "solve", puzzle, "--json")
    assert code == 0
    assert json.loads(out)["solutions"] == [EASY]
    assert run("sudoku", "solve", "." * 81)[0] == 2
    code, out, _ = run("sudoku", "solve", "." * 81, "--most", "1", "--json")  # it is not the only one
    assert (code, len(json.loads(out)["solutions"])) == (2, 1)
    assert run("sudoku", "solve", "." * 81, "--most", f"{10**30}")[0] == 3
    for useless in (("--seed", "3"), ("--random", "--after", FAMOUS)):
        assert run("sudoku", "grids", *useless)[0] == 3
    code, out, _ = run("sudoku", "canonical", MOST_SYMMETRIC, "--json")
    assert json.loads(out)["automorphisms"] == 648
    code, out, _ = run("sudoku", "grids", "--random", "--seed", "1", "--count", "3")
    assert len({Grid(line) for line in out.split()}) == 3
    tmp_path.joinpath("grids.txt").write_text(out)
    code, out, _ = run("sudoku", "grids", "--count", "2", "--json")
    assert [json.loads(line)["grid"] for line in out.splitlines()] == [str(grid) for grid in islice(catalogue(), 2)]
