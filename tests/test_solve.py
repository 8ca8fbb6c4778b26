"""The solver against outside facts, the independent judges in tests/reference, and a referee for its strategies."""

import json
import random
import threading
import time
from typing import Any

import pytest
from conftest import shared_data
from reference.positions import RECIPES, Recipe, quiet_position, random_position, to_move
from reference.threat_search import Board, Referee, Tree, conservative, vcdt, vcst

import tengen
from tengen import BLACK, CONNECT6, WHITE, Colour, Game, Move, Position, Square, TengenError
from tengen._native import Control
from tengen.record import read_sgf, write_sgf
from tengen.solve import KINDS, METHODS, Solution, Strategy, solve
from tengen.threat import critical_defences, threat_number


def as_position(
    m: int, n: int, k: int, p: int, black: Any, white: Any, turn: Colour = BLACK, left: int | None = None
) -> Position:
    room = min(p, m * n - len(black) - len(white))
    stones = [[Square(*s) for s in side] for side in (black, white)]
    return Position.setup(Game(m, n, k, p, 1), stones[0], stones[1], turn, room if left is None else left)


def as_tree(strategy: Strategy, p: int) -> Tree:
    """A strategy as the referee reads it."""
    return {
        "move": [(s.x, s.y) for s in strategy.move],
        "replies": [
            {
                "stones": [(s.x, s.y) for s in reply.move],
                "passes": p - len(reply.move) if reply.move.is_pass else 0,
                "answer": as_tree(reply.answer, p),
            }
            for reply in strategy.replies
        ],
    }


def as_board(position: Position) -> Board:
    game = position.game
    assert game.m is not None
    assert game.n is not None
    black, white = ([(s.x, s.y) for s in position.stones(c)] for c in (BLACK, WHITE))
    return Board.of(game.m, game.n, game.k, game.p, black, white)


def referee(solution: Solution, free_stones: Any = "all", seed: int = 1) -> int:
    assert solution.strategy is not None
    p = solution.position.game.p
    least = p if solution.found == "vcdt" else 1
    judge = Referee(as_board(solution.position), solution.side, least)
    left = solution.position.stones_left if solution.side is solution.position.turn else p
    return judge.check(as_tree(solution.strategy, p), free_stones, random.Random(seed), stones_left=left)


# Outside facts


def test_the_course_problems_take_the_published_number_of_moves() -> None:
    for problem in json.loads(shared_data("puzzles.json").read_text())["positions"]:
        position = Position(moves=["".join(move) for move in problem["moves"]])
        solution = solve(position, shortest=True)
        assert solution.attacker_moves == problem["attacker_moves_to_win"]
        assert len(solution.line) == 2 * problem["attacker_moves_to_win"] - 1
        referee(solution)


def test_connect_6_2_3_has_the_zones_of_the_papers() -> None:
    """SPEC: an independent prototype found Z1 = 30 and Z2 = 63 for this shape; the papers 62 to 63 for Z2."""
    for text in ("Connect(19,19,6,2,3) J10L10K11", "Connect(6,2,3) J10L10K11"):
        solution = solve(Position.parse(text), side=BLACK, zones=True)
        assert solution.result == "win"
        assert [len(zone) for zone in solution.zones[:2]] == [30, 63]


def test_published_values_of_small_games_by_threats_alone() -> None:
    # An open three wins in Gomoku-like games: four threats each answered by one stone (p = 1).
    open_three = Position.parse("Connect(9,9,5,1,1) B: D5 E5 F5 W: A1 A9 I1 to move: B")
    solution = solve(open_three)
    assert solution.attacker_moves == 1
    # Three in a row from 3x4 on: Black's middle stone and any other win at once (p = 1, k = 3).
    assert solve(Position.parse("Connect(4,3,3,1,1) B2 A1")).result == "win"


# The traps of SPEC section 5


def test_threats_win_nothing_if_the_defender_completes_his_row_first() -> None:
    # Two lines of White have four stones each: Black needs both of his to stop them and has none left to threaten.
    position = Position.parse("B: C3 D3 E3 C5 D5 E5 W: M10 N10 O10 P10 M12 N13 O14 P15 to move: B 2")
    assert solve(position).result == "none"
    # Without White's fours the same stones win.
    assert solve(Position.parse("B: C3 D3 E3 C5 D5 E5 W: M10 N10 O10 M12 N13 O14 to move: B 2")).result == "win"


def test_a_stone_that_makes_a_double_threat_alone_leaves_the_second_one_free() -> None:
    """Winning moves in which one stone makes all the threats are found too, and stand up to the referee."""
    rng = random.Random(5)
    free = 0
    for _ in range(60):
        recipe = RECIPES[0]
        black, white = quiet_position(rng, *recipe)
        position = as_position(*recipe[:4], black, white)
        for move, length in solve(position, all_moves=True).first_moves:
            alone = [Board.of(*recipe[:4], [*black, (s.x, s.y)], white).threat_number(0) for s in move]
            if free < 30 and length > 1 and sorted(alone) == [0, 2]:
                kept = solve(position, first=move)
                assert (kept.result, kept.attacker_moves) == ("win", length)
                referee(kept)
                free += 1
    assert free > 0


# The judges


def recipes_of(p: int) -> list[Recipe]:
    return [recipe for recipe in RECIPES if recipe[3] == p]


@pytest.mark.parametrize("seed", range(40))
def test_vcdt_answers_as_the_exhaustive_judge(seed: int) -> None:
    rng = random.Random(seed)
    recipe = rng.choice(RECIPES)
    m, n, k, p = recipe[:4]
    black, white = quiet_position(rng, *recipe)
    board, position = Board.of(m, n, k, p, black, white), as_position(m, n, k, p, black, white)
    for depth in (1, 2, 3):
        truth = vcdt(board, 0, depth)
        for method in ("traditional", "hybrid"):
            solution = solve(position, depth=depth, method=method)
            assert (solution.result == "win") == truth, f"{method}, depth {depth}\n{board}"
            if truth:
                referee(solution)
        assert (solve(position, depth=depth, method="conservative").result == "win") == conservative(board, 0, depth)


@pytest.mark.parametrize("seed", range(30))
def test_vcst_answers_as_the_exhaustive_judge(seed: int) -> None:
    rng = random.Random(1000 + seed)
    recipe = rng.choice(recipes_of(2))
    m, n, k, p = recipe[:4]
    black, white = quiet_position(rng, *recipe)
    board, position = Board.of(m, n, k, p, black, white), as_position(m, n, k, p, black, white)
    for depth in (1, 2):
        truth = vcst(board, 0, depth)
        wide = solve(position, "vcst", depth=depth, wide=True)
        assert (wide.result == "win") == truth, f"depth {depth}\n{board}"
        narrow = solve(position, "vcst", depth=depth)
        assert truth or narrow.result != "win" or narrow.depth > depth
        for solution in (wide, narrow):
            if solution.result == "win":
                referee(solution)


def test_what_is_called_exhausted_stays_without_a_win_deeper_down() -> None:
    """The judges above compare answers at equal depth and cannot see that a move was left out of the last one."""
    rng = random.Random(77)
    crowded = (5, 5, 5, 2, 7, 8, 0)  # larger ones take a wide search for single threats too long to exhaust
    seen = {"vcdt": 0, "vcst": 0}
    for _ in range(120):
        recipe = rng.choice([(7, 7, 5, 2, 2, 3, 0), (6, 5, 5, 2, 3, 2, 0), (7, 7, 4, 1, 5, 5, 1), crowded])
        m, n, k, p = recipe[:4]
        black, white = quiet_position(rng, *recipe)
        board, position = Board.of(m, n, k, p, black, white), as_position(m, n, k, p, black, white)
        vcdt_answer = solve(position, nodes=5000)
        if vcdt_answer.result == "none":
            seen["vcdt"] += 1
            assert not vcdt(board, 0, vcdt_answer.depth + 2), f"{vcdt_answer.depth} moves deep\n{board}"
        if recipe == crowded:
            vcst_answer = solve(position, "vcst", wide=True, nodes=20_000)
            if vcst_answer.result == "none":
                seen["vcst"] += 1
                assert not vcst(board, 0, vcst_answer.depth + 1), f"{vcst_answer.depth} moves deep\n{board}"
    assert min(seen.values()) > 5


def test_the_solver_answers_exactly_the_critical_defences_of_the_threat_room() -> None:
    """Two ways to the same sets: the native search's, and the plain ones that `tengen threats` shows."""
    rng = random.Random(41)
    nodes = 0
    for _ in range(60):
        recipe = rng.choice(RECIPES)
        position = as_position(*recipe[:4], *quiet_position(rng, *recipe))
        solution = solve(position, all_moves=False)
        stack = [] if solution.strategy is None else [(position, solution.strategy)]
        while stack:
            here, strategy = stack.pop()
            after = here.copy()
            after.play(strategy.move)
            if after.is_over:
                continue
            nodes += 1
            defences = critical_defences(after, solution.side)
            assert {d.stones for d in defences} == {tuple(sorted(reply.move.squares)) for reply in strategy.replies}
            assert (threat_number(after, solution.side) > recipe[3]) == (not defences)
            for reply in strategy.replies:
                child = after.copy()
                child.play(reply.move)
                stack.append((child, reply.answer))
    assert nodes > 30


@pytest.mark.parametrize("seed", range(12))
def test_positions_in_the_middle_of_a_turn(seed: int) -> None:
    rng = random.Random(2000 + seed)
    for _ in range(4):
        m, n, k, p, q = rng.choice([(7, 7, 5, 2, 1), (7, 6, 4, 2, 1), (6, 6, 5, 3, 2), (7, 7, 4, 1, 1)])
        black, white = random_position(rng, m, n, k, p, q, rng.randint(5, 12))
        turn, left = to_move(len(black) + len(white), p, q)
        board = Board.of(m, n, k, p, black, white)
        position = as_position(m, n, k, p, black, white, Colour(turn), left)
        for depth in (1, 2):
            if p == 3 and depth == 2:
                continue  # too many moves for the judge
            truth = vcdt(board, turn, depth, left)
            solution = solve(position, depth=depth)
            assert (solution.result == "win") == truth, f"{left} stones left, depth {depth}\n{board}"
            if truth:
                referee(solution)


def test_irrelevant_stones_do_not_spoil_a_win() -> None:
    """What a zone promises: extra stones outside it leave the win as it is."""
    rng = random.Random(9)
    tried = 0
    while tried < 60:
        recipe = rng.choice(recipes_of(2)[:2] + recipes_of(2)[4:6])
        m, n, k, p = recipe[:4]
        black, white = quiet_position(rng, *recipe)
        solution = solve(as_position(m, n, k, p, black, white), zones=True)
        if solution.result != "win":
            continue
        outside = [
            [(x, y) for x in range(m) for y in range(n) if Square(x, y) not in zone and (x, y) not in [*black, *white]]
            for zone in solution.zones
        ]
        if not outside[0]:
            continue
        tried += 1
        extra = [rng.choice(outside[0])]
        further = [s for s in outside[1] if s not in extra]
        if further and rng.random() < 0.5:
            extra.append(rng.choice(further))
        board = Board.of(m, n, k, p, black, [*white, *extra])
        if board.has_row(1):
            pytest.fail(f"an irrelevant stone made a row\n{board}")
        assert (
            vcst(board, 0, solution.depth)
            if solution.depth < 3
            else solve(as_position(m, n, k, p, black, [*white, *extra]), "vcst").result == "win"
        ), f"{extra}\n{board}"


# Real games


def test_wins_in_real_games_stand_up_to_the_referee() -> None:
    import gzip

    with gzip.open(shared_data("littlegolem.jsonl.gz"), "rt") as file:
        games = [json.loads(line)["moves"] for line, _ in zip(file, range(4000), strict=False)]
    rng = random.Random(3)
    wins = 0
    while wins < 100:
        moves = rng.choice(games)
        if len(moves) < 8:
            continue
        solution = solve(Position(moves=moves[: rng.randint(4, len(moves) - 1)]), nodes=20_000)
        if solution.result == "win" and (solution.attacker_moves or 0) <= 4:
            referee(solution)
            wins += 1


def test_single_threats_in_real_games_stand_up_to_the_referee() -> None:
    import gzip

    with gzip.open(shared_data("littlegolem.jsonl.gz"), "rt") as file:
        games = [json.loads(line)["moves"] for line, _ in zip(file, range(4000), strict=False)]
    rng = random.Random(4)
    wins = tried = 0
    while wins < 4 and tried < 200:
        moves = rng.choice(games)
        if len(moves) < 10:
            continue
        tried += 1
        position = Position(moves=moves[: rng.randint(6, len(moves) - 2)])
        if solve(position, nodes=5_000).result != "none":
            continue
        solution = solve(position, "vcst", nodes=30_000, depth=3)
        if solution.result == "win":
            assert solution.found == "vcst"
            referee(solution, free_stones=8)
            wins += 1
    assert wins == 4


# What callers rely on


WIN_IN_6 = "J10 I9K8 I11H10 K9K10"


def test_equal_questions_get_equal_answers() -> None:
    position = Position(moves=WIN_IN_6)
    first, second = solve(position), solve(position)
    assert (first.nodes, first.line) == (second.nodes, second.line)
    assert first.strategy == second.strategy


def test_limits_mean_unknown_never_none() -> None:
    position = Position(moves=WIN_IN_6)
    assert solve(position, depth=5).result == "unknown"
    assert solve(position, nodes=50).result == "unknown"
    assert solve(position, nodes=50).nodes <= 51
    assert solve(position, depth=6).result == "win"


def test_limits_of_nodes_hold_where_listing_the_moves_is_the_work() -> None:
    # With four stones a move, one position has more moves than can be listed in a minute.
    solution = solve(Position.parse("Connect(15,15,7,4,2) H8H9 G8G9I8I9 H7H10G7G10"), nodes=500)
    assert solution.result == "unknown"
    assert solution.nodes <= 501


def test_none_tells_whether_everything_was_tried() -> None:
    position = Position(moves="J10 I9K9")
    assert solve(position).is_exhaustive
    assert solve(position, method="hybrid").is_exhaustive
    assert not solve(position, method="conservative").is_exhaustive
    few = solve(position, "vcst")
    assert (few.result, few.is_exhaustive, few.as_json()["exhaustive"]) == ("none", False, False)
    assert solve(position, "vcst", wide=True, nodes=100).is_exhaustive


HARD = Position(moves="J10 J9K11 I9L11 L10K8 I10M9")  # a wide search for single threats has no end here


def test_a_search_stops_at_once() -> None:
    control = Control()
    results: list[Solution] = []
    worker = threading.Thread(target=lambda: results.append(solve(HARD, "vcst", wide=True, control=control)))
    worker.start()
    while control.nodes == 0:
        time.sleep(0.001)
    control.stop()
    worker.join(60)
    assert not worker.is_alive()
    assert results[0].result == "unknown"
    start = time.perf_counter()
    assert solve(HARD, "vcst", wide=True, seconds=0.1).result == "unknown"
    assert time.perf_counter() - start < 30


def test_progress_is_reported_and_may_stop_the_search() -> None:
    class EnoughError(Exception):
        pass

    seen: list[tuple[int, int]] = []

    def progress(nodes: int, depth: int) -> None:
        seen.append((nodes, depth))
        if len(seen) == 3:
            raise EnoughError

    with pytest.raises(EnoughError):
        solve(HARD, "vcst", wide=True, progress=progress)
    assert seen == sorted(seen)


def test_threads_share_the_work_and_agree() -> None:
    for moves in (WIN_IN_6, "J10 I9K9 J8L9 I11K11"):
        alone, together = solve(Position(moves=moves)), solve(Position(moves=moves), threads=2)
        assert alone.attacker_moves == together.attacker_moves
        referee(together)
    assert solve(Position(moves="J10 I9K9"), threads=2).result == "none"


def test_all_first_moves() -> None:
    position = Position.parse("Connect(19,19,6,2,3) J10L10K11")
    solution = solve(position, side=BLACK, all_moves=True)
    assert solution.all_known
    assert solution.first_move in [move for move, _ in solution.first_moves]
    assert min(length for _, length in solution.first_moves) == solution.attacker_moves
    listed = {move for move, _ in solution.first_moves}
    position.play("pass")
    others = [Move("I9J9"), Move("J11K10"), Move("K12J11")]
    for move in others:
        assert (solve(position, first=move).result == "win") == (move in listed)


def test_the_strategy_as_a_record() -> None:
    solution = solve(Position(moves="J10 I9K9 J8L9 I11K11"))
    record = next(read_sgf(write_sgf(solution.record())))
    assert solution.strategy is not None
    attacking = [node for node in record.root.walk() if node.colour is BLACK]
    assert len(attacking) == 2 + solution.strategy.count()  # two moves were played before
    assert [str(m) for m in record.moves()[4:]] == [str(m) for m in solution.line]


def test_a_side_that_is_not_to_move_is_given_the_move() -> None:
    position = Position.parse("Connect(19,19,6,2,3) J10L10K11")
    solution = solve(position, side=BLACK)
    assert solution.record().moves()[1].is_pass
    assert tengen.solve(position, side=BLACK).attacker_moves == 4


def test_maker_breaker_games_know_no_rows_of_the_breaker() -> None:
    text = "B: C3 D3 E3 C5 D5 E5 W: M10 N10 O10 P10 M12 N13 O14 P15 to move: B 2"
    assert solve(Position.parse(f"Connect(19,19,6,2,1) maker-breaker {text}")).result == "win"
    assert solve(Position.parse(f"Connect(19,19,6,2,1) maker-breaker {text}"), side=WHITE).result == "none"


@pytest.mark.parametrize(
    ("call", "reason"),
    [
        (lambda: solve(Position.parse("B: A1 B1 C1 D1 E1 F1 W: A9 to move: W")), "over"),
        (lambda: solve(Position(), "vcf"), "no kind"),
        (lambda: solve(Position(), method="magic"), "no method"),
        (lambda: solve(Position(Game(19, 19, 6, 9, 1))), "p up to 8"),
        (lambda: solve(Position(moves="J10"), first=Move("J10K10")), "no legal move"),
    ],
)
def test_impossible_questions_are_refused(call: Any, reason: str) -> None:
    with pytest.raises(TengenError, match=reason):
        call()


def test_many_games_can_be_solved() -> None:
    for game in (
        CONNECT6,
        Game(59, 59, 6, 2, 1),
        Game(15, 15, 5, 1, 1),
        Game(9, 9, 7, 3, 2),
        Game(5, 9, 3, 2, 1),
        Game(3, 3, 3, 1, 1),
    ):
        for kind in KINDS if game.p > 1 else ["vcdt"]:
            for method in METHODS:
                assert solve(Position(game), kind, method=method, nodes=2000, seconds=5).result in (
                    "win",
                    "none",
                    "unknown",
                )


# Faults that were found once


def test_with_one_stone_a_move_there_are_no_single_threats() -> None:
    with pytest.raises(TengenError, match="ask for vcdt"):
        solve(Position(Game(9, 9, 5, 1, 1)), "vcst")


def test_listing_moves_of_many_stones_honours_the_limits() -> None:
    start = time.perf_counter()
    assert solve(Position(Game(19, 19, 6, 2, 5)), seconds=0.2).result == "unknown"
    assert time.perf_counter() - start < 30


def test_all_first_moves_where_a_row_can_be_completed() -> None:
    solution = solve(Position.parse("B: E5 F5 G5 H5 W: E10 F10 to move: B 2"), all_moves=True)
    assert {str(move) for move, _ in solution.first_moves} == {"C5D5", "D5I5", "I5J5"}
    assert not solution.all_known


def test_all_first_moves_of_a_vcst_hold_those_of_the_vcdt() -> None:
    position = Position(moves="J10 K10K11 J11J12 M10M11")
    double = {move for move, _ in solve(position, all_moves=True).first_moves}
    single = {move for move, _ in solve(position, "vcst", all_moves=True, nodes=30_000).first_moves}
    assert double
    assert double <= single


def test_the_shortest_win_where_even_empty_segments_count() -> None:
    assert solve(Position.parse("Connect(4,4,4,2,1) B: D4 W: D3 C2 B1 to move: B 2")).attacker_moves == 1


@pytest.mark.parametrize("limits", [{"nodes": -1}, {"nodes": 1 << 64}, {"depth": 0}, {"depth": -3}, {"seconds": 0.0}])
def test_senseless_limits_are_refused(limits: dict[str, Any]) -> None:
    with pytest.raises(TengenError, match="must be above 0"):
        solve(Position(), **limits)


@pytest.mark.parametrize(
    ("arguments", "reason"),
    [
        ({"threads": 0}, "threads must be 1 to 256"),
        ({"threads": 100_000}, "threads must be 1 to 256"),
        ({"table_bits": -1}, "table_bits must be 0 to 30"),
        ({"table_bits": 70}, "table_bits must be 0 to 30"),
        ({"nodes": 1.5}, "nodes must be a whole number"),
        ({"seconds": "5"}, "seconds must be a number"),
        ({"kind": 5}, "5 is no kind of win"),
        ({"kind": "order " + "9" * 5000}, "is no kind of win"),
        ({"side": "black"}, "side must be BLACK or WHITE"),
        ({"first": "J10"}, "J10 is no legal move here: J10 is occupied"),
        ({"first": "pass"}, "pass places no stone"),
        ({"first": 5}, "5 is no square"),
    ],
)
def test_senseless_arguments_are_refused(arguments: dict[str, Any], reason: str) -> None:
    with pytest.raises(TengenError, match=reason):
        solve(Position(moves="J10"), **arguments)


def test_the_first_move_may_be_a_text() -> None:
    position = Position(moves=WIN_IN_6)
    first = solve(position).first_move
    assert first is not None
    assert solve(position, first=str(first)).first_move == first


def test_moves_of_too_many_stones_are_refused() -> None:
    with pytest.raises(TengenError, match="not 9"):
        solve(Position(Game(19, 19, 6, 2, 9)))


def test_a_control_may_be_used_again() -> None:
    control = Control()
    counts = {solve(Position(moves=WIN_IN_6), control=control).nodes for _ in range(3)}
    assert len(counts) == 1
    assert solve(HARD, "vcst", nodes=1).nodes <= 4


@pytest.mark.parametrize("seed", range(10))
def test_other_games_answer_as_the_judge(seed: int) -> None:
    rng = random.Random(3000 + seed)
    for m, n, k, p, black, white in [(5, 4, 4, 2, 1, 3), (9, 4, 5, 2, 3, 3), (5, 5, 5, 3, 1, 2), (4, 9, 4, 1, 4, 4)]:
        blacks, whites = quiet_position(rng, m, n, k, p, black, white)
        board = Board.of(m, n, k, p, blacks, whites)
        for depth in (1, 2) if p < 3 else (1,):
            solution = solve(as_position(m, n, k, p, blacks, whites), depth=depth)
            assert (solution.result == "win") == vcdt(board, 0, depth), f"depth {depth}\n{board}"


def test_a_search_that_has_filled_its_memory_does_not_know() -> None:
    position = Position(moves="J10 H9I8 K11J12 G10F11")
    full = solve(position, "order 3", tree_nodes=50, nodes=200_000)
    assert full.result == "unknown"
    assert full.nodes < 200_000


def test_a_win_that_needs_more_than_sixteen_segments_through_a_square_is_seen() -> None:
    """Eighteen in a row: of the seventeen segments through both stones, sixteen do not tell all their threats."""
    rows = (
        "A7 B7 C7 D7 E7 F7 G7 G18 H7 H17 I7 I16 J7 J15 K1 K7 K14 L2 L7 M3 M7 N4 N7 N11 O5 O7 O10 P6 P9 Q3 Q4 "
        "Q5 Q6 Q9 Q10 Q11 Q12 Q13 Q14 Q15 Q16 Q17 Q18 R1 R2 R4 R5 R6 R9 R10 R12 R13 R14 R15 R16 R17 R18 S6 S7 "
        "S9 T5 T7 T10 U4 U7 U11 V3 V7 V12 W2 W7 W13 X1 X7 Y7 Z7 Z16 AA7 AA17 AB7 AB18 AC7 AD7 AE7 AF7 AG7"
    )
    position = Position.parse(f"Connect(34,18,18,2,1) B: {rows} to move: B 2")
    solution = solve(position)
    assert solution.is_exhaustive
    assert solution.attacker_moves == solve(position, first="Q7R7").attacker_moves == 2


@pytest.mark.parametrize("k", [8, 9, 10, 11, 12, 20, 30])
def test_a_pair_on_many_segments_makes_all_its_threats(k: int) -> None:
    """A stone that threatens in its column, and a partner with which it makes two threats in its row.

    Of the segments through both, numbered from the left, the last one alone makes the second threat in the row.
    """
    a, row = k - 2, 5
    gaps = {a - 2, a - 1, a, a + 1, 2 * k - 4, 2 * k - 3}
    black = [(x, row) for x in range(2 * k - 2) if x not in gaps] + [(a, y) for y in range(2, k) if y != row]
    assert vcdt(Board.of(2 * k - 2, k, k, 2, black, []), 0, 1)
    solution = solve(as_position(2 * k - 2, k, k, 2, black, []))
    assert (solution.result, solution.attacker_moves) == ("win", 1)


def test_more_than_a_hundred_threats_are_all_counted() -> None:
    """Two stones in the corners of a small square make 28 threats on each of its sides, which the other two corners
    meet, and last of all some on its diagonal, which nothing is left to meet."""
    k, low, high = 30, -28, 30
    along = range(low, high + 1)
    lines = [[(x, 0) for x in along], [(x, 1) for x in along], [(0, y) for y in along], [(1, y) for y in along]]
    lines.append([(x, x) for x in along][1:])
    gaps = {(x, y) for x in range(3) for y in range(3)} | {(3, 3)}
    white = {end for line in lines for end in (line[0], line[-1])}
    black = {square for line in lines for square in line} - gaps - white
    shifted = [[(x - low, y - low) for x, y in sorted(side)] for side in (black, white)]
    assert Board.of(59, 59, k, 2, shifted[0], shifted[1]).threat_segments(0) == []
    position = as_position(59, 59, k, 2, shifted[0], shifted[1])
    first = Move([Square(-low, -low), Square(1 - low, 1 - low)])
    assert solve(position, first=first).attacker_moves == 1


def crossing_lines(rng: random.Random, k: int) -> tuple[int, int, list[Any], list[Any]]:
    """A row and a column of Black, all of whose segments lack three or four stones; the rest is full and of no use."""
    m, n = rng.randint(k, 2 * k + 2), rng.randint(k, k + 2)
    x, y = rng.randrange(m), rng.randrange(n)

    def gaps(size: int, at: int, lacking: int) -> set[int]:
        found = {at}
        while full := [i for i in range(size - k + 1) if len(found.intersection(range(i, i + k))) < lacking]:
            used = {s: sum(i <= s < i + k for i in full) for s in range(size) if s not in found}
            often = max(used.values()) if rng.random() < 0.5 else 1
            found.add(rng.choice([s for s in used if used[s] >= often]))
        return found

    empty = {(s, y) for s in gaps(m, x, rng.choice([3, 4]))} | {(x, s) for s in gaps(n, y, rng.choice([3, 4]))}
    squares = {(a, b) for a in range(m) for b in range(n)}
    white = {(a, b) for a, b in squares if a != x and b != y and (a + 2 * b) % 4 < 2}
    return m, n, sorted(squares - white - empty), sorted(white)


def dense_position(rng: random.Random, m: int, n: int, k: int) -> tuple[list[Any], list[Any]]:
    """Some white stones, and black ones wherever they make no threat yet."""
    squares = [(x, y) for x in range(m) for y in range(n)]
    rng.shuffle(squares)
    white = set(squares[: rng.choice([0, 1, 2, m * n // 12])])
    black: set[Any] = set()
    for square in squares[len(white) :]:
        if rng.random() < 0.9 and not Board.of(m, n, k, 2, black | {square}, white).threat_segments(0):
            black.add(square)
    return sorted(black), sorted(white)


@pytest.mark.parametrize("seed", range(30))
def test_none_is_final_in_rows_of_eight_and_more(seed: int) -> None:
    rng = random.Random(4000 + seed)
    k = rng.randint(8, 12)
    sides = rng.choice([(14, 3), (20, 3), (13, 5), (12, 12)])
    for m, n, black, white in [crossing_lines(rng, k), (*sides, *dense_position(rng, *sides, k))]:
        board, position = Board.of(m, n, k, 2, black, white), as_position(m, n, k, 2, black, white)
        few = m * n - len(black) - len(white) <= 14
        for depth in (1, 2) if few else (1,):
            assert (solve(position, depth=depth).result == "win") == vcdt(board, 0, depth), board
            wide = solve(position, "vcst", depth=depth, wide=True)
            assert (wide.result == "win") == vcst(board, 0, depth), board
            assert wide.is_exhaustive
