"""Drawn games: boards of lines, tilings, strategies and their files, bounds, and the players."""

from __future__ import annotations

import gzip
import hashlib
import itertools
import random
import re
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from reference.maker_breaker import breaker_holds

from tengen import Game, Position, TengenError
from tengen.arena import Rules, play_game
from tengen.grid import Json, Pool, Task
from tengen.play.agent import Budget
from tengen.play.registry import make_agent
from tengen.prove import check
from tengen.search import Journal, Recording, Simulator
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


def swapped(lines: list[str], at: int) -> list[str]:
    return [*lines[:at], lines[at + 1], lines[at], *lines[at + 2 :]]


def first(lines: list[str], beginning: str) -> int:
    return next(i for i, line in enumerate(lines) if line.startswith(beginning))


def replaced(lines: list[str], at: int, *fresh: str) -> list[str]:
    return [*lines[:at], *fresh, *lines[at + 1 :]]


def answer_in(lines: list[str], part: int = 0) -> int:
    """Where the first answer of a part stands."""
    return [i for i, line in enumerate(lines) if line.startswith("part ")][part] + 1


WHOLE = 2
"""Which part is the whole board."""
# What somebody might change in a strategy that is right, by mistake or in order to cheat, and what he is told.
MUTATIONS: dict[str, tuple[Callable[[list[str]], list[str]], str]] = {
    "no claim": (lambda z: replaced(z, 1, "squares 12"), "line 2 should be: claim"),
    "a row that is shorter than what was shown": (lambda z: replaced(z, 1, "claim Connect(7,1)"), "hold no line"),
    "more stones a move than were answered": (
        lambda z: replaced(z, 1, "claim Connect(8,2)"),
        "not answered|completes a line",
    ),
    "no row at all": (lambda z: replaced(z, 1, "claim Connect(0,1)"), "line 2 should be: claim"),
    "a number with a zero before it": (lambda z: replaced(z, 1, "claim Connect(08,1)"), "line 2 should be: claim"),
    "fewer squares than lines use": (lambda z: replaced(z, 2, "squares 11"), "must rise, up to 11"),
    "more squares than the tiles have": (lambda z: replaced(z, 2, "squares 13"), "names each square|has 13 squares"),
    "a board without end": (lambda z: replaced(z, 2, "squares 999"), "at most 64 squares"),
    "a line that falls": (lambda z: replaced(z, 3, "line 4 3 2 1"), "line 4: its numbers must rise"),
    "a line twice": (lambda z: replaced(z, 4, z[3]), "two lines are the same"),
    "a line that is gone": (
        lambda z: [line for line in z if line != "line 3 7 11" and not line.startswith("symmetry")],
        "hold no line|up to 8",
    ),
    "a line that has grown": (
        lambda z: [line + " 12" if line == "line 3 7 11" else line for line in z if "symmetry" not in line],
        "hold no line",
    ),
    "a symmetry that is none": (
        lambda z: replaced(z, first(z, "symmetry"), "symmetry 2 1 3 4 5 6 7 8 9 10 11 12"),
        "symmetry does not turn",
    ),
    "a symmetry that names a square twice": (
        lambda z: replaced(z, first(z, "symmetry"), "symmetry 1 1 3 4 5 6 7 8 9 10 11 12"),
        "symmetry does not turn",
    ),
    "a symmetry without a square": (
        lambda z: replaced(z, first(z, "symmetry"), "symmetry 1 2 3 4 5 6 7 8 9 10 11"),
        "names each square once",
    ),
    "no period": (lambda z: replaced(z, first(z, "period"), "period 0 0 6"), "period makes no sense"),
    "a period that leans beyond itself": (
        lambda z: replaced(z, first(z, "period"), "period 4 4 6"),
        "period makes no sense",
    ),
    "a larger period, which leaves holes": (lambda z: replaced(z, first(z, "period"), "period 8 0 6"), "hold no line"),
    "tiles that overlap": (lambda z: [line.replace("tile 0,0", "tile 1,0") for line in z], "lie on each other"),
    "a tile that is gone": (
        lambda z: z[: first(z, "tile")] + z[first(z, "tile") + 1 :],
        "hold no line",
    ),
    "a tile without a square": (
        lambda z: replaced(z, first(z, "tile"), z[first(z, "tile")].rpartition(" ")[0]),
        "a tile has 12 squares",
    ),
    "a tile whose squares were exchanged": (
        lambda z: [line.replace("tile 0,0 1,0", "tile 1,0 0,0") for line in z],
        "hold no line",
    ),
    "no empty line": (lambda z: [line for line in z if line], "should be empty"),
    "an answer that is gone": (lambda z: replaced(z, answer_in(z)), "not answered"),
    "an answer on the square that was just taken": (
        lambda z: replaced(z, answer_in(z), "{0} : {0}".format(z[answer_in(z)].split(" ")[0])),
        "cannot be placed",
    ),
    "an answer of more stones than the move": (
        lambda z: replaced(z, answer_in(z), "{} : 11 12".format(z[answer_in(z)].split(" ")[0])),
        "cannot be placed",
    ),
    "an answer off the board": (
        lambda z: replaced(z, answer_in(z), "{} : 13".format(z[answer_in(z)].split(" ")[0])),
        "must rise, up to 12",
    ),
    "an answer to no stones": (lambda z: replaced(z, answer_in(z), "0 : 1"), "not written as it must be"),
    "an answer to more stones than the maker has": (
        lambda z: [*z[: answer_in(z, WHOLE + 1) - 1], "11 12 : 1 2", *z[answer_in(z, WHOLE + 1) - 1 :]],
        "more stones than the maker has",
    ),
    "answers out of order": (lambda z: swapped(z, answer_in(z, WHOLE)), "moves are not in order"),
    "an answer twice": (
        lambda z: replaced(z, answer_in(z), z[answer_in(z)], z[answer_in(z)]),
        "moves are not in order",
    ),
    "a part that is gone, with its answers": (
        lambda z: z[: answer_in(z, 1) - 1] + z[answer_in(z, 2) - 1 :],
        "not listed",
    ),
    "a part twice": (
        lambda z: z[: answer_in(z, 1) - 1] + z[answer_in(z) - 1 : answer_in(z, 1) - 1] + z[answer_in(z, 1) - 1 :],
        "parts are not in order",
    ),
    "a part that nobody meets": (lambda z: [*z, "part 9 : 12"], "completes a line|not answered|never met"),
    "a part of lines that the board has not": (lambda z: [*z, "part 10"], "must rise, up to 9"),
    "words at the end": (lambda z: [*z, "and so on"], "not written as it must be"),
    "letters that are not plain": (lambda z: [*z, "é"], "other than plain letters"),
}


@pytest.mark.parametrize("name", MUTATIONS)
def test_what_is_wrong_is_refused_with_the_reason(name: str, tmp_path: Path) -> None:
    change, reason = MUTATIONS[name]
    lines = zetters_lines()
    changed = change(list(lines))
    assert changed != lines
    assert re.search(reason, found := refusal(tmp_path / "z.tbs", signed(changed))), found


def test_what_is_not_whole_is_refused(tmp_path: Path) -> None:
    path, content = tmp_path / "z.tbs", signed(zetters_lines())
    path.write_bytes(content)
    assert check(path).accepted
    for broken in (
        content[:-2] + b"0\n",
        content[:-1],
        content + b"\n",
        content[: len(content) // 2],
        content[:-1] + b"\r\n",
    ):
        assert "changed, or cut short" in refusal(path, broken)
    for other in (b"", content.replace(b"breaker 1", b"breaker 2"), content.replace(b"\n", b"\r\n")):
        path.write_bytes(other)
        with pytest.raises(ValueError, match="no proof file of this version"):
            check(path)


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
    wrong.write_text("something else")
    with pytest.raises(TengenError, match="no proof file"):
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


@pytest.mark.parametrize(
    "change", [{"tried": "many"}, {"held": 5}, {"held": "57"}, {"unknown": [None]}, {"covering": None}, {"first": 500}]
)
def test_a_senseless_result_of_a_tile_search_is_not_kept(tmp_path: Path, change: dict[str, object]) -> None:
    def senseless(_arguments: Json, _task: Task) -> Json:
        return {"first": 0, "tried": 500, "covering": 0, "unknown": [], "held": [], **change}

    family = Family(8, 1, 4, (3, 3))
    system = Simulator(Recording(handlers=lambda _: senseless))
    with Journal(tmp_path / "journal", TileSearch.about(family)) as journal:
        with pytest.raises(TengenError, match="makes no sense"):
            TileSearch(family, system, journal).run(lambda: True)
        assert list(journal.entries()) == []


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
