"""Drawn games: boards of lines, tilings, strategies and their files, bounds, and the players."""

from __future__ import annotations

import gzip
import hashlib
import itertools
import random
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from reference.maker_breaker import breaker_holds

from tengen import Game, Position, TengenError
from tengen.arena import Rules, play_game
from tengen.grid import Pool
from tengen.play.agent import Budget
from tengen.play.registry import make_agent
from tengen.prove import check
from tengen.search import Journal
from tengen.theory import (
    KNOWN,
    BreakerAgent,
    Family,
    LineBoard,
    LineGame,
    TileSearch,
    Tiling,
    b2_tiling,
    base_cases,
    find_breaker,
    formula,
    hales_jewett,
    hsieh_tsai,
    kdraw,
    known_breaker,
    read_breaker,
    slanted_board,
    theorem_2,
    zetters,
)
from tengen.theory.kdraw import strip_chain
from tengen.theory.lines import members, set_of
from tengen.theory.parts import normal, split
from tengen.theory.strategy import Breaker
from tengen.theory.strips import own_squares, rectangle, reserved_game, strip
from tengen.theory.tile_search import holds


@st.composite
def small_boards(draw: st.DrawFn) -> LineBoard:
    squares = draw(st.integers(2, 7))
    line = st.frozensets(st.integers(0, squares - 1), min_size=1, max_size=4)
    lines = draw(st.sets(line, min_size=1, max_size=5))
    return LineBoard(squares, tuple(sorted(tuple(sorted(squares)) for squares in lines)))


@settings(max_examples=120, deadline=None)
@given(small_boards(), st.integers(1, 2))
def test_search_agrees_with_trying_everything(board: LineBoard, p: int) -> None:
    assert LineGame(board, p).holds() == breaker_holds(tuple(map(frozenset, board.lines)), p)


@settings(max_examples=60, deadline=None)
@given(st.integers(0, (1 << 13) - 1), st.integers(0, (1 << 24) - 1))
def test_normal_forms_agree(lines: int, stones: int) -> None:
    board = b2_tiling().board
    native = sorted(LineGame(board, 2).parts(lines, stones))
    assert native == sorted(normal(board, part).part for part in split(board, lines, stones))


def test_normal_form_says_where_squares_went() -> None:
    board = b2_tiling().board
    part = next(split(board, 0b1010110010110, 0b100100010))
    turned = normal(board, part)
    assert turned.back(turned.forth(part[1])) == part[1]
    assert turned.forth(part[1]) == turned.part[1]


def test_boards_of_the_papers() -> None:
    b2 = slanted_board(4, 6)
    assert (b2.squares, sorted(map(len, b2.lines))) == (24, [4] * 9 + [6] * 4)
    assert (slanted_board(3, 4).squares, len(slanted_board(3, 4).lines)) == (12, 9)


@pytest.mark.parametrize(("tiling", "k"), [(b2_tiling(), 11), (zetters(), 8), (hales_jewett(), 9)])
def test_tilings_hold_a_line_in_so_many_squares_and_in_no_fewer(tiling: Tiling, k: int) -> None:
    assert tiling.k == k
    assert tiling.covers(k)
    assert not tiling.covers(k - 1)
    a, _, c = tiling.period
    assert len(tiling.tiles) * tiling.board.squares == a * c  # no square is left out


def test_b2_does_not_hold_against_three_stones() -> None:
    assert LineGame(slanted_board(4, 6), 3).holds() is False
    with pytest.raises(TengenError, match="does not hold"):
        find_breaker(11, 3, b2_tiling())
    with pytest.raises(TengenError, match="need not hold a line"):
        find_breaker(10, 2, b2_tiling())


def test_a_limit_means_unknown() -> None:
    assert LineGame(slanted_board(4, 6), 2).holds(nodes=10) is None


def test_b2_is_drawn_in_fewer_positions_than_the_paper() -> None:
    game = known_breaker("b2").game
    assert game.holds() is True
    assert game.positions < 844_618 / 100  # Chiang, Wu and Lin, after optimisation


@pytest.fixture(scope="module")
def b2_file(tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("theory") / "b2.tbs"
    find_breaker(11, 2, b2_tiling()).write(path)
    return path


def test_strategies_are_accepted(b2_file: Path, tmp_path: Path) -> None:
    verdict = check(b2_file, jobs=2)
    assert verdict.accepted
    assert "Connect(m,n,11,2,q)" in verdict.claim
    for name in ("zetters", "hales-jewett"):
        packed = tmp_path / f"{name}.tbs.gz"
        known_breaker(name).write(packed)
        assert check(packed).accepted, name


def test_equal_strategies_are_equal_bytes(tmp_path: Path) -> None:
    for name in ("a.tbs.gz", "b.tbs.gz"):
        find_breaker(8, 1, zetters()).write(tmp_path / name)
    assert (tmp_path / "a.tbs.gz").read_bytes() == (tmp_path / "b.tbs.gz").read_bytes()


def signed(lines: list[str]) -> bytes:
    body = "\n".join(lines) + "\n"
    return f"{body}end {len(lines)} {hashlib.sha256(body.encode()).hexdigest()}\n".encode()


def zetters_lines() -> list[str]:
    return find_breaker(8, 1, zetters()).text().split("\n")[:-2]


def refusal(path: Path, content: bytes) -> str:
    path.write_bytes(content)
    verdict = check(path)
    assert not verdict.accepted
    assert verdict.reason is not None
    return verdict.reason


def test_what_is_wrong_is_refused(tmp_path: Path) -> None:
    path, lines = tmp_path / "z.tbs", zetters_lines()
    path.write_bytes(signed(lines))
    assert check(path).accepted
    assert "changed" in refusal(path, signed(lines)[:-2] + b"0\n")
    shorter = [line.replace("Connect(8,1)", "Connect(7,1)") for line in lines]
    assert "hold no line" in refusal(path, signed(shorter))
    faster = [line.replace("Connect(8,1)", "Connect(8,2)") for line in lines]
    assert "not answered" in refusal(path, signed(faster)) or "completes a line" in refusal(path, signed(faster))
    moved = [line.replace("tile 0,0", "tile 1,0") for line in lines]
    assert "on each other" in refusal(path, signed(moved))
    period = [line.replace("period 4 0 6", "period 4 1 6") for line in lines]
    assert refusal(path, signed(period))
    turned = [f"symmetry {' '.join(map(str, [2, 1, *range(3, 13)]))}" if "symmetry" in line else line for line in lines]
    assert "symmetry" in refusal(path, signed(turned))
    fewer_lines = [line for line in lines if line != "line 3 7 11" and not line.startswith("symmetry")]
    assert refusal(path, signed(fewer_lines))


def test_every_answer_is_needed(tmp_path: Path) -> None:
    """Without an answer the strategy has a hole; without its stones too, unless the maker has nothing there anyway."""
    path, lines = tmp_path / "z.tbs", zetters_lines()
    game = LineGame(zetters().board, 1)
    part, refused = (0, 0), 0
    for i, line in enumerate(lines):
        left, _, right = line.removeprefix("part ").partition(" : ")
        if line.startswith("part "):
            part = set_of(int(word) - 1 for word in left.split()), set_of(int(word) - 1 for word in right.split())
        if not line[:1].isdigit() or i % 7:
            continue
        assert "not answered" in refusal(path, signed(lines[:i] + lines[i + 1 :]))
        assert "cannot be placed" in refusal(path, signed([*lines[:i], f"{left} : {left}", *lines[i + 1 :]]))
        path.write_bytes(signed([*lines[:i], f"{left} : -", *lines[i + 1 :]]))
        refused += not check(path).accepted
        assert not check(path).accepted or game.holds(part[0], part[1] | 1 << int(left) - 1)
    assert refused > 20


def test_hostile_files_are_refused_and_nothing_else_happens(tmp_path: Path) -> None:
    path, lines = tmp_path / "z.tbs", zetters_lines()
    chance = random.Random(7)
    for _ in range(200):
        changed = list(lines)
        i = chance.randrange(1, len(changed))
        words = changed[i].split(" ")
        words[chance.randrange(len(words))] = chance.choice(["", "0", "99999", "-1", "part", "::", "é", "1.1"])
        changed[i] = " ".join(words)
        if changed != lines:
            path.write_bytes(signed(changed))
            assert not check(path).accepted, changed[i]
    path.write_bytes(gzip.compress(signed(lines))[:-9])
    assert not check(path).accepted


def play_one_board(breaker: Breaker, seed: int) -> int:
    """A random maker against a strategy; returns how many moves he made."""
    chance, board = random.Random(seed), breaker.board
    lines, stones, taken, moves = board.all_lines, 0, 0, 0
    while empty := [s for s in range(board.squares) if not (stones | taken) >> s & 1]:
        move = set_of(chance.sample(empty, min(len(empty), chance.randint(1, breaker.p))))
        reply = breaker.reply(lines, stones, move)
        assert reply is not None
        assert not reply & (stones | taken | move)
        assert reply.bit_count() <= move.bit_count()
        stones, taken, moves = stones | move, taken | reply, moves + 1
        lines = board.without(lines, reply)
        assert not any(set_of(board.lines[i]) & ~stones == 0 for i in members(lines))
    return moves


def test_a_file_can_be_played_from(b2_file: Path) -> None:
    breaker = read_breaker(b2_file)
    assert sum(play_one_board(breaker, seed) for seed in range(20)) > 100
    assert not breaker.found  # the file was enough


def test_a_file_that_is_refused_is_not_played(b2_file: Path, tmp_path: Path) -> None:
    wrong = tmp_path / "wrong.tbs"
    wrong.write_bytes(b2_file.read_bytes()[:-5] + b"aaaa\n")
    with pytest.raises(TengenError, match="refused"):
        read_breaker(wrong)


BOARDS = {
    "b2": ["Connect(12,12,11,2,1)", "Connect(13,11,11,2,2)"],
    "zetters": ["Connect(10,10,8,1,1)", "Connect(9,8,8,1,1)"],
    "hales-jewett": ["Connect(10,10,9,1,1)", "Connect(9,11,9,1,1)"],
}


@pytest.mark.parametrize("name", BOARDS)
def test_breakers_lose_to_nobody(name: str) -> None:
    """Fifty games in all; bench/theory.py plays thousands."""
    opponents = [("engine:threads=1", 4), ("random", 6), (f"tile-attacker:{name}", 7)]
    for spec, count in opponents:
        for number in range(count):
            breaker, other = make_agent(f"breaker:{name}"), make_agent(spec, seed=number)
            players = (breaker, other) if number % 2 else (other, breaker)
            position = Position(Game.parse(BOARDS[name][number // 2 % 2]))
            outcome = play_game(*players, position, Rules(nodes=20))
            own = outcome.black_points if number % 2 else 1 - outcome.black_points
            assert own >= 0.5, (spec, number, outcome)


def test_breaker_holds_on_the_infinite_board() -> None:
    position, agent, chance = Position(Game.infinite(11, 2, 2)), BreakerAgent(), random.Random(3)
    for _ in range(30):
        near = list(position.empty_squares(within=1))
        position.play("".join(map(str, chance.sample(near, 2))) if position.stone_count else "J10K10")
        choice = agent.choose(position, Budget())
        position.play(choice.move)
        assert "strategy" not in choice.notes
        assert not position.is_over
    assert position.stone_count == 120


def test_breaker_says_when_it_cannot_hold() -> None:
    for game in ("Connect(19,19,6,2,1)", "Connect(19,19,11,3,1)", "Connect(19,19,11,1,2)"):
        with pytest.raises(TengenError, match="hold"):
            BreakerAgent().choose(Position(Game.parse(game)), Budget())
    with pytest.raises(TengenError, match="cannot hold"):
        BreakerAgent("zetters").choose(Position(Game(19, 19, 11, 2, 1)), Budget())


def test_bounds_follow_from_the_lemmas() -> None:
    for p in range(1, 1001):
        assert theorem_2(p).k == formula(p)
        chain = theorem_2(p).chain
        assert all(step.rests_on in {"", *(earlier.game for earlier in chain)} for step in chain)
        assert formula(p) <= hsieh_tsai(p)
    assert [kdraw(p).k for p in (1, 2, 3, 4, 5)] == [8, 11, 17, 23, 26]


@pytest.mark.parametrize(
    ("length", "p"),
    [
        (5, 2),
        (6, 3),
        (7, 3),
        (8, 4),
        (9, 5),
        (10, 6),
        (11, 7),
        (12, 8),
        (13, 9),
        (14, 10),
        (15, 10),
        (17, 12),
        (18, 13),
    ],
)
def test_chains_of_the_papers_tables(length: int, p: int) -> None:
    assert strip_chain(length, p)[-1].game == f"MBBoardN({length},{p})"


def test_chains_that_there_are_not() -> None:
    with pytest.raises(TengenError, match="say nothing"):
        strip_chain(5, 3)
    with pytest.raises(TengenError, match="out of range"):
        formula(0)


def test_base_cases_hold() -> None:
    assert all(case.holds for case in base_cases())


def test_strip_lines_have_two_through_each_inner_square() -> None:
    counted = [square for line in strip(4, 3) for square in line if square[2] == 1]
    assert len(counted) == 32
    assert own_squares(4, 3) is None  # there are but two for each


def test_a_rectangle_does_not_hold_every_stone() -> None:
    """Lemma 5 allows the maker a stone on a line; to keep him from any, two lines through a square are too many."""
    assert reserved_game(rectangle(2, 2), 0).holds() is False


def test_tile_search_knows_b2() -> None:
    family = Family(11, 2, 6, (4, 4))
    rows = {
        tuple(begins): number for number in range(family.size) for begins, shift in [family.rows(number)] if shift == 0
    }
    number = rows[0, 1, 2, 3, 6, 5, 4, 3]
    tiling = family.tiling(number)
    assert tiling is not None
    assert tiling.k == 11
    assert sorted(map(len, tiling.board.lines)) == [4] * 18 + [6] * 8
    assert holds(tiling, 2) is True


def test_tile_search_is_kept_and_resumed(tmp_path: Path) -> None:
    family = Family(8, 1, 4, (3, 3))
    journal = tmp_path / "tilings.journal"
    pool = Pool(1)
    try:
        with Journal(journal, TileSearch.about(family)) as kept:
            first = TileSearch(family, pool, kept)
            first.run(lambda: True)
            assert first.is_finished
            assert first.findings.held
        with Journal(journal, TileSearch.about(family), resume=True) as kept:
            again = TileSearch(family, pool, kept)
            again.run(lambda: pytest.fail("there is nothing left to ask for"))
            assert again.findings == first.findings
    finally:
        pool.close()
    tiling = family.tiling(first.findings.held[0])
    assert tiling is not None
    find_breaker(8, 1, tiling).write(tmp_path / "found.tbs")
    assert check(tmp_path / "found.tbs").accepted


def test_families_that_make_no_sense() -> None:
    for arguments in ((10, 2, 5, ()), (10, 2, 5, (0,)), (10, 2, 5, (4, 4, 5, 5)), (10, 2, 2, (4,), 2)):
        with pytest.raises(TengenError):
            Family(*arguments)
    with pytest.raises(TengenError, match="no tiling"):
        Family(10, 2, 5, (4, 4)).rows(1 << 40)


@pytest.mark.parametrize(
    "arguments",
    [(0, ()), (3, ((0, 3),)), (3, ((1, 0),)), (3, ((),)), (3, ((0, 1),), ((0, 0, 1),)), (3, ((0, 1),), ((1, 2, 0),))],
)
def test_boards_that_make_no_sense(arguments: tuple[Any, ...]) -> None:
    with pytest.raises(TengenError):
        LineBoard(*arguments)


def test_tilings_that_make_no_sense() -> None:
    board = LineBoard(2, ((0, 1),))
    for period, tile in (((2, 0, 1), ((0, 0), (2, 0))), ((2, 2, 1), ((0, 0), (1, 0))), ((2, 0, 1), ((0, 0),))):
        with pytest.raises(TengenError):
            Tiling(board, period, (tile,))
    assert Tiling(board, (2, 0, 1), (((0, 0), (1, 0)),)).k is None  # columns hold no line


def test_names_of_strategies() -> None:
    with pytest.raises(TengenError, match="no strategy"):
        known_breaker("b3")
    with pytest.raises(TengenError, match="no strategy"):
        make_agent("tile-attacker:b3")
    assert all(known.tiling().k == known.k for known in KNOWN.values())
    assert list(itertools.islice(members(0b1010), 5)) == [1, 3]
