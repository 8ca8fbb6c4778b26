"""Wins of any order and losses of the defender: what they claim is so by exhaustive search, and can be proved."""

import gzip
import random
import threading
import time
from collections import Counter
from itertools import combinations
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from reference.small_games import SmallGame, value

from tengen import BLACK, WHITE, Colour, Game, Move, Position, Square, TengenError
from tengen._native import Control
from tengen.prove import Defence, check, defend, settle, write_solution
from tengen.solve import Solution, solve

VALUES = {1: "win", 0: "draw", -1: "loss"}
QUIET = Position(moves="J10 I9K9 J8L9")
"""White to move; far from decided."""


def squares_of(game: Game) -> list[Square]:
    assert game.m is not None
    assert game.n is not None
    return [Square(x, y) for y in range(game.n) for x in range(game.m)]


def random_position(rng: random.Random, most_empty: int = 11) -> Position | None:
    """Rectangles, turns that have begun, full boards, long rows, first moves of more than p stones, maker-breaker."""
    m, n = rng.choice([(3, 3), (4, 3), (3, 5), (4, 4), (5, 4), (6, 3), (3, 7), (5, 5)])
    p = rng.choice([1, 1, 2, 2, 2, 3, 4])
    k = rng.choice([2, 3, 3, 4, 4, 4, 5, 6])
    game = Game(m, n, k, p, rng.randint(1, 4), rng.random() < 0.25)
    empty = rng.randint(1, min(most_empty if p < 3 else most_empty - 1, m * n))
    share = rng.uniform(0.3, 0.7)
    sides: tuple[list[Square], list[Square]] = ([], [])
    squares = squares_of(game)
    rng.shuffle(squares)
    for square in squares[empty:]:
        sides[rng.random() < share].append(square)
    try:
        if rng.random() < 0.05 and m * n <= 12:
            return Position(game)
        position = Position.setup(game, *sides, rng.choice([BLACK, WHITE]), rng.randint(1, p))
    except TengenError:  # two rows
        return None
    return None if position.is_over else position


def quiet_position(rng: random.Random) -> Position | None:
    """Larger, and nobody wins with his next move: wins take a search, some of them quiet moves."""
    m, n, k, p, each, more = rng.choice(
        [
            (5, 4, 4, 1, 3, 0),
            (5, 5, 4, 1, 2, 0),
            (5, 5, 4, 1, 3, 0),
            (5, 5, 5, 2, 4, 1),
            (6, 5, 5, 2, 4, 1),
            (6, 4, 5, 3, 4, 1),
        ]
    )
    game = Game(m, n, k, p, rng.randint(1, 3), rng.random() < 0.2)
    turn = BLACK if game.maker_breaker else rng.choice([BLACK, WHITE])
    squares = rng.sample(squares_of(game), 2 * each + more)
    own, other = squares[each:], squares[:each]
    black, white = (own, other) if turn is BLACK else (other, own)
    try:
        position = Position.setup(game, black, white, turn, p)
    except TengenError:
        return None
    if position.is_over or any(solve(position, "vcdt", side, depth=1).result == "win" for side in Colour):
        return None
    return position


def truth(position: Position) -> str:
    return settle(position, max_branches=0).value


def brute_truth(position: Position) -> str:
    game = position.game
    assert game.m is not None
    assert game.n is not None
    width = game.m
    black, white = (frozenset(s.x + s.y * width for s in position.stones(c)) for c in (BLACK, WHITE))
    small = SmallGame(game.m, game.n, game.k, game.p, game.maker_breaker)
    return VALUES[value(small, (black, white), position.turn, position.stones_left)]


def given_the_move(position: Position, side: Colour) -> Position:
    """The same stones with that side to move; a side out of turn has a whole move."""
    if position.turn is side:
        return position
    stones = min(position.game.p, sum(1 for _ in position.empty_squares()))
    return Position.setup(position.game, position.stones(BLACK), position.stones(WHITE), side, stones)


def judge_win(position: Position, solution: Solution, path: Path) -> None:
    """A win is one, and its proof stands."""
    about = f"{solution.kind} {solution.side}: {position}"
    assert truth(given_the_move(position, solution.side)) == "win", about
    if position.turn is solution.side:
        write_solution(path, solution)
        assert check(path).accepted, about


def judge_defence(position: Position, defence: Defence, path: Path) -> None:
    """A loss is one, and its proof stands; where moves are open, none that does not lose is missing."""
    about = f"{defence.result}: {position}"
    if defence.result == "loss":
        assert truth(position) == "loss", about
        defence.write_proof(path)
        assert check(path).accepted, about
    elif defence.wins_at_once:
        assert truth(position) == "win", about
    elif defence.result == "open":
        listed = {frozenset(entry.move) for entry in defence.moves}
        empty = list(position.empty_squares())
        moves = [frozenset(move) for move in combinations(empty, min(position.stones_left, len(empty)))]
        assert len(moves) - len(listed) == defence.proved_losing, about
        assert listed <= set(moves), about
        for move in moves:
            if move not in listed:
                after = position.copy()
                after.play(Move(sorted(move)))
                assert not after.is_over, about
                assert truth(after) == "win", f"{about}: {sorted(map(str, move))}"


def examine(position: Position, rng: random.Random, path: Path, threads: int = 1) -> str:
    """Asks everything about a position, and judges the answers."""
    seen = []
    attacks = not (position.game.maker_breaker and position.turn is BLACK)
    if attacks:
        defence = defend(position, order=rng.randint(1, 4), reply_nodes=2000, threads=threads, table_bits=14)
        judge_defence(position, defence, path)
        seen.append("row" if defence.wins_at_once else defence.result)
    kind = rng.choice(["order 1", "order 2", "order 3", "order 4", *(["vcst"] if position.game.p > 1 else [])])
    side = position.turn if rng.random() < 0.8 else position.turn.opponent
    solution = solve(
        position,
        kind,
        side,
        wide=rng.random() < 0.1,
        zones=rng.random() < 0.5,
        threads=threads,
        nodes=5000,
        table_bits=14,
    )
    if solution.result == "win":
        judge_win(position, solution, path)
    seen.append(solution.result + ("" if solution.found in (None, "vcdt") else " of higher order"))
    return " ".join(seen)


# Small boards, judged by exhaustive search


@pytest.mark.parametrize("seed", range(2))
def test_random_positions_have_the_truth_told_about_them(seed: int, tmp_path: Path) -> None:
    rng = random.Random(seed)
    seen: Counter[str] = Counter()
    while seen.total() < 400:
        position = random_position(rng)
        if position is not None:
            seen[examine(position, rng, tmp_path / "a.tpf", threads=1 + seed)] += 1
            if sum(1 for _ in position.empty_squares()) <= 7:
                assert brute_truth(position) == truth(position), str(position)
    assert sum(count for what, count in seen.items() if "loss" in what) > 10
    assert sum(count for what, count in seen.items() if "win" in what) > 50


def test_quiet_positions_have_the_truth_told_about_them(tmp_path: Path) -> None:
    rng = random.Random(100)
    seen: Counter[str] = Counter()
    while seen.total() < 25:
        position = quiet_position(rng)
        if position is not None:
            seen[examine(position, rng, tmp_path / "a.tpf", threads=rng.randint(1, 2))] += 1
    assert any("higher" in what for what in seen)


@settings(max_examples=150)
@given(st.randoms(use_true_random=False))
def test_any_position(tmp_path_factory: pytest.TempPathFactory, rng: random.Random) -> None:
    position = random_position(rng, 8)
    if position is not None:
        examine(position, rng, tmp_path_factory.getbasetemp() / "any.tpf")


# Relevance


def irrelevant_stones(rng: random.Random, position: Position, zones: tuple[frozenset[Square], ...]) -> list[Square]:
    """Squares of which the i-th is not in the i-th zone."""
    chosen: list[Square] = []
    for zone in zones[: rng.randint(1, 3)]:
        outside = [s for s in position.empty_squares() if s not in zone and s not in chosen]
        if not outside:
            break
        chosen.append(rng.choice(outside))
    return chosen


def still_wins_with_irrelevant_stones(rng: random.Random, position: Position) -> bool | None:
    """None if there is no win, or no square that does not matter."""
    solution = solve(position, rng.choice(["order 1", "order 2", "order 3", "order 4"]), zones=True, nodes=5000)
    if solution.result != "win" or position.stones_left > position.game.p:
        return None
    more = irrelevant_stones(rng, position, solution.zones)
    if not more:
        return None
    black, white = (list(position.stones(colour)) for colour in (BLACK, WHITE))
    (white if position.turn is BLACK else black).extend(more)
    left = min(position.stones_left, sum(1 for _ in position.empty_squares()) - len(more))
    return truth(Position.setup(position.game, black, white, position.turn, left)) == "win"


def test_irrelevant_stones_of_the_defender_never_break_a_win() -> None:
    rng = random.Random(11)
    judged = 0
    while judged < 200:
        position = (random_position if rng.random() < 0.95 else quiet_position)(rng)
        if position is not None:
            stands = still_wins_with_irrelevant_stones(rng, position)
            assert stands is not False, str(position)
            judged += stands is True


# Connect6 itself


@pytest.mark.parametrize(
    ("text", "order"),
    [
        ("Connect(6,2,3) J10L10K11", 0),
        ("J10 I9K9 J8L9 I11K11", 1),
        ("B: J10 K10 L10 K11 W: A1 S19 A19 to move: W 2", 2),
        ("B: J10 K10 L10 K11 W: A1 S19 A19 to move: W 1", 2),
        ("B: J10 L10 K11 K12 J8 W: A1 S19 A19 S1 to move: W 2", 2),
        ("Connect(19,19,6,3,1) B: J10 K10 J11 W: A1 S19 A19 to move: W 2", 2),
    ],
)
def test_claims_about_larger_boards_can_be_proved(text: str, order: int, tmp_path: Path) -> None:
    position = Position.parse(text)
    path = tmp_path / "a.tpf"
    if order:
        defence = defend(position, order=order, seconds=1, threads=2)
        if defence.result == "loss":
            defence.write_proof(path)
            assert check(path).accepted
    for side in Colour:
        turn = given_the_move(position, side) if not position.game.is_infinite else position
        solution = solve(turn, "order 3", nodes=20_000, seconds=0.5)
        if solution.result == "win":
            write_solution(path, solution)
            assert check(path).accepted


# Limits


def test_merged_defences_answer_the_same_replies_with_a_smaller_proof(tmp_path: Path) -> None:
    position = Position.parse("J10 I9K9 J8L9 I11K11")
    win = solve(position)
    assert win.first_move is not None
    position.play(win.first_move)
    sizes = []
    for merge in (True, False):
        found = defend(position, order=1, merge=merge)
        assert found.result == "loss"
        path = tmp_path / f"{merge}.tpf"
        sizes.append((found.answered, found.write_proof(path)))
        assert check(path).accepted
        assert any(line.split(" ")[1].startswith("+") for line in lines_of(path)) is merge
    (merged, few), (single, many) = sizes
    assert merged == single
    assert few < many


def lines_of(path: Path) -> list[str]:
    """The lines of a proof that have at least two words."""
    with gzip.open(path, "rt", encoding="ascii") as file:
        return [line for line in file if " " in line]


def test_small_limits_make_no_answer_wrong(tmp_path: Path) -> None:
    rng = random.Random(12)
    seen: Counter[str] = Counter()
    while seen.total() < 300:
        position = random_position(rng)
        if position is None or (position.game.maker_breaker and position.turn is BLACK):
            continue
        limits: dict[str, Any] = rng.choice([{"nodes": rng.randint(1, 300)}, {"seconds": rng.uniform(1e-5, 1e-3)}])
        defence = defend(position, order=rng.randint(1, 4), reply_nodes=rng.randint(1, 100), **limits)
        judge_defence(position, defence, tmp_path / "a.tpf")
        seen[defence.result] += 1
    assert seen["unknown"] > 10


def test_a_search_that_is_stopped_before_it_begins_knows_nothing() -> None:
    """It looked for a win of order 1, found none, and said that there was none of the order asked for."""
    control = Control()
    control.stop()
    for kind in ("vcst", "order 3"):
        assert solve(QUIET, kind, control=control).result == "unknown"
    defence = defend(QUIET, control=control)
    assert (defence.result, defence.moves) == ("unknown", ())


@pytest.mark.parametrize("threads", [1, 2])
def test_another_thread_may_stop_them(threads: int) -> None:
    for ask in (
        lambda control: solve(QUIET, "order 4", threads=threads, control=control).result,
        lambda control: defend(QUIET, order=4, threads=threads, control=control).result,
    ):
        control = Control()
        results: list[str] = []
        worker = threading.Thread(
            target=lambda ask, control, results: results.append(ask(control)), args=(ask, control, results)
        )
        worker.start()
        while not control.nodes:  # it takes far more than what it can do until it hears
            time.sleep(0.001)
        control.stop()
        worker.join(60)
        assert results == ["unknown"]


def test_a_win_stands_if_there_is_no_time_to_walk_it() -> None:
    """The walk that makes the strategy knew no limit of time, and took three times as long as the search."""
    position = Position(moves="J10 H9I8 K11J12 J7E12")
    told = solve(position, "order 3", table_bits=4)  # with a small table the walk takes several looks at the clock
    assert told.strategy is not None
    control = Control()

    def stop_in_the_walk(nodes: int, _: int) -> None:
        if nodes > told.nodes + 2000:  # of which the search knows nothing
            control.stop()

    cut = solve(position, "order 3", table_bits=4, progress=stop_in_the_walk, control=control)
    assert (cut.result, cut.found, cut.nodes) == ("win", "order 3", told.nodes)
    assert (cut.strategy, cut.first_move, cut.attacker_moves, cut.line) == (None, None, None, [])
    assert cut.as_json()["first_move"] is None
    with pytest.raises(TengenError):
        write_solution("nowhere.tpf", cut)


def test_open_moves_on_the_infinite_board_are_those_of_a_window() -> None:
    defence = defend(Position(Game.infinite(6, 2, 1), "J10 J9K9"), order=1, nodes=500)
    assert defence.window is not None
    first, last = defence.window
    assert all(first.x <= s.x <= last.x and first.y <= s.y <= last.y for entry in defence.moves for s in entry.move)
    assert defence.as_json()["window"] == [str(first), str(last)]
    assert defend(Position(moves="J10 J9K9"), order=1, nodes=500).window is None


class EnoughError(Exception):
    pass


@pytest.mark.parametrize("threads", [1, 2])
def test_what_a_caller_raises_ends_them(threads: int) -> None:
    def raise_it(*_: object) -> None:
        raise EnoughError

    for ask in (
        lambda: solve(QUIET, "order 4", threads=threads, progress=raise_it),
        lambda: defend(QUIET, order=4, threads=threads, progress=raise_it),
        lambda: defend(QUIET, order=2, threads=threads, tell=raise_it),
    ):
        with pytest.raises(EnoughError):
            ask()


def test_a_reply_that_ran_out_of_nodes_is_called_cut_short() -> None:
    """A win of order 1 was given 500 nodes whatever the limit, and what it did not find was said not to exist."""
    position = Position(moves="J10 I9K9 J8L9 I11K11 H12L8 G13M7 J12J13")
    for entry in defend(position, order=1, reply_nodes=30, nodes=20_000).moves:
        assert entry.is_cut_short or entry.nodes <= 31


def test_a_list_of_moves_that_was_cut_short_is_not_all_there_is() -> None:
    """With the limit reached by the win itself, no other first move was listed, and all were said to be known."""
    position = Position.setup(Game(9, 9, 6, 3, 1), ["B2", "C2", "B5", "C5", "B8", "D8"], ["H8", "I9", "A1"], BLACK, 3)
    solution = solve(position, all_moves=True, nodes=1)
    assert solution.result != "win" or not solution.all_known


def test_hard_replies_get_more_nodes_once_the_others_are_dealt_with() -> None:
    """One reply to the joseki needs more than a first round gives it: it comes last, and is counted once."""
    joseki = Position.parse("J10 H9I8 K11J12")
    told: list[tuple[Move, str]] = []
    whole = defend(joseki, reply_nodes=400_000, tell=lambda move, _passes, status, *_: told.append((move, status)))
    hard = [move for move, status in told if status == "later"]
    assert hard
    assert {(move, "losing") for move in hard} <= set(told[-len(hard) :])
    assert len([move for move, status in told if status != "later"]) == len({move for move, _ in told})
    assert not {entry.move for entry in whole.moves} & set(hard)

    control = Control()
    cut = defend(
        joseki,
        reply_nodes=400_000,
        control=control,
        tell=lambda _move, _passes, status, *_: control.stop() if status == "later" else None,
    )
    assert cut.result == "unknown"
    waiting = [entry for entry in cut.moves if entry.move == hard[0]]
    assert [entry.is_cut_short for entry in waiting] == [True]
    assert waiting[0].nodes >= 20_000


@pytest.mark.parametrize(
    ("arguments", "reason"),
    [
        ({"threads": 100_000}, "threads must be 1 to 256"),
        ({"table_bits": 70}, "table_bits must be 0 to 30"),
        ({"order": "2"}, "order must be 1 to 9"),
        ({"prohibited": ["J10"]}, "J10 is no legal move here: J10 is occupied"),
    ],
)
def test_senseless_arguments_are_refused(arguments: dict[str, Any], reason: str) -> None:
    with pytest.raises(TengenError, match=reason):
        defend(QUIET, **arguments)


def test_prohibited_moves_may_be_texts() -> None:
    position = Position(Game(4, 3, 3, 1, 1), "B2")
    assert defend(position, prohibited=["A1"]).prohibited == (Move("A1"),)


@pytest.mark.parametrize("text", ["Connect(19,19,10,8,8)", "Connect(59,59,10,8,8)"])
def test_time_and_stops_hold_where_a_move_has_many_stones(text: str) -> None:
    """Two stones are a threat here, and the ways to meet all of them are millions."""
    position = Position.parse(f"{text} I10K10K9I11K11H8L12L8")
    start = time.process_time()
    assert defend(position, seconds=0.3).result == "unknown"
    assert time.process_time() - start < 4  # of the processor: a busy machine changes nothing
    control = Control()
    start = time.process_time()
    threading.Timer(0.3, control.stop).start()
    assert defend(position, control=control).result == "unknown"
    assert time.process_time() - start < 4  # of the processor: a busy machine changes nothing


@pytest.mark.parametrize("kind", ["vcdt", "vcst", "order 4"])
def test_solving_keeps_to_its_time_where_a_move_has_many_stones(kind: str) -> None:
    position = Position.parse("Connect(19,19,16,8,8) I10K10K9I11K11H8L12L8 K8J11J10I9L11G12I8K12 J9H9J8H12L9I7K13G13")
    start = time.process_time()
    solve(position, kind, seconds=0.3)
    assert time.process_time() - start < 4  # of the processor: a busy machine changes nothing
