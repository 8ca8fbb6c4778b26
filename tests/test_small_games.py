"""Small games settled completely, against brute force and published values, and their strategies against referees."""

import random
import signal
import threading
from pathlib import Path
from typing import Any

import pytest
from reference.small_games import NONE, Referee, SmallGame, value

from tengen import BLACK, WHITE, Colour, Game, Position, Square, TengenError
from tengen.prove import check as check_file
from tengen.prove.small import Settlement, settle

VALUES = {1: "win", 0: "draw", -1: "loss"}


def numbers(position: Position, colour: Colour) -> frozenset[int]:
    assert position.game.m is not None
    return frozenset(s.x + s.y * position.game.m for s in position.stones(colour))


def referee(settlement: Settlement, attacker: Colour) -> tuple[Referee, frozenset[int], frozenset[int]]:
    position, game = settlement.position, settlement.position.game
    assert game.m is not None
    assert game.n is not None
    small = SmallGame(game.m, game.n, game.k, game.p, game.maker_breaker)
    return Referee(small, attacker), numbers(position, attacker), numbers(position, attacker.opponent)


def check_win(settlement: Settlement, replay: bool = True) -> None:
    """The win stands by the rules of zones and, where there are not too many moves, when it is played."""
    winner, tree = settlement.winner, settlement.win
    assert winner is not None
    assert tree is not None
    judge, a, d = referee(settlement, winner)
    left, p = settlement.position.stones_left, settlement.position.game.p
    if winner is settlement.position.turn:
        judge.zones(tree, a, d, left, p)
        assert not replay or judge.wins(tree, a, d, left, p)
    else:
        assert tree[0] == ()
        judge.zones_after(tree, a, d, left)
        assert not replay or judge.wins_after(tree, a, d, left)


def check_hold(settlement: Settlement, attacker: Colour) -> None:
    judge, a, d = referee(settlement, attacker)
    left, tree = settlement.position.stones_left, settlement.holds[attacker]
    if isinstance(tree, tuple) and tree[0] == "without rows":
        tree, judge.defender_may_win = tree[1], False
    if attacker is settlement.position.turn:
        assert judge.holds(tree, a, d, left)
    else:
        assert isinstance(tree, list)
        [(nothing, reply, child)] = tree
        assert nothing == ()
        assert judge.reply_holds(reply, child, a, d, left)


def check(settlement: Settlement) -> None:
    assert settlement.missing is None
    if settlement.value == "draw":
        for attacker in (BLACK, WHITE):
            check_hold(settlement, attacker)
    else:
        check_win(settlement)


def random_position(rng: random.Random) -> Position | None:
    m, n = rng.choice([(3, 3), (4, 3), (3, 5), (4, 4)])
    p = rng.choice([1, 1, 2, 2, 3])
    game = Game(m, n, rng.randint(2, 5), p, rng.randint(1, 3), rng.random() < 0.25)
    squares = [Square(x, y) for x in range(m) for y in range(n)]
    rng.shuffle(squares)
    empty = rng.randint(4, 9)
    share = rng.uniform(0.3, 0.7)
    sides: tuple[list[Square], list[Square]] = ([], [])
    for square in squares[empty:]:
        sides[rng.random() < share].append(square)
    try:
        position = Position.setup(game, *sides, rng.choice([BLACK, WHITE]), rng.randint(1, p))
    except TengenError:  # two rows
        return None
    return None if position.is_over else position


def test_random_positions_have_the_value_of_brute_force_and_proofs_that_stand() -> None:
    rng = random.Random(6)
    seen: dict[str, int] = {}
    while sum(seen.values()) < 800:
        position = random_position(rng)
        if position is None:
            continue
        game = position.game
        assert game.m is not None
        assert game.n is not None
        small = SmallGame(game.m, game.n, game.k, game.p, game.maker_breaker)
        stones = numbers(position, BLACK), numbers(position, WHITE)
        settlement = settle(position)
        assert settlement.value == VALUES[value(small, stones, position.turn, position.stones_left)], str(position)
        check(settlement)
        seen[settlement.value] = seen.get(settlement.value, 0) + 1
    assert min(seen[value] for value in VALUES.values()) > 50


WHOLE_GAMES = {
    "win": ["3,4,3,1,1", "4,4,3,1,1", "3,3,3,2,1", "5,4,4,2,2"],
    "draw": ["3,3,3,1,1", "4,4,4,1,1", "5,4,4,1,1", "4,5,4,1,1", "4,3,4,2,1", "4,4,4,2,1", "4,4,4,2,2"],
    "loss": ["4,6,4,2,1"],
}


@pytest.mark.parametrize(("expected", "game"), [(value, game) for value in WHOLE_GAMES for game in WHOLE_GAMES[value]])
def test_whole_games_stand_up_to_the_referee(expected: str, game: str) -> None:
    settlement = settle(Position(Game.parse(f"Connect({game})")))
    assert settlement.value == expected
    check(settlement)


@pytest.mark.parametrize("game", [(3, 3, 3, 1, 1), (3, 3, 3, 2, 1), (3, 4, 3, 1, 1), (4, 3, 3, 3, 1)])
@pytest.mark.parametrize("maker_breaker", [False, True])
def test_whole_games_have_the_value_of_brute_force(game: tuple[int, int, int, int, int], maker_breaker: bool) -> None:
    m, n, k, p, q = game
    settlement = settle(Position(Game(*game, maker_breaker)))
    assert settlement.value == VALUES[value(SmallGame(m, n, k, p, maker_breaker), (NONE, NONE), 0, q)]
    check(settlement)


@pytest.mark.parametrize(
    ("game", "expected"), [((4, 6, 4, 1, 1), "draw"), ((5, 5, 4, 1, 1), "draw"), ((5, 6, 4, 1, 1), "win")]
)
def test_published_values_of_four_in_a_row(game: tuple[int, int, int, int, int], expected: str) -> None:
    settlement = settle(Position(Game(*game)))
    assert settlement.value == expected
    if expected == "win":
        check_win(settlement, replay=False)  # against every move would take minutes


def test_a_defender_who_needs_no_rows_of_his_own_holds_without_them() -> None:
    settlement = settle(Position(Game(5, 6, 5, 1, 1)))
    for attacker in (BLACK, WHITE):
        assert settlement.holds[attacker][0] == "without rows"  # type: ignore[index]
        check_hold(settlement, attacker)
    with_threats = settle(Position(Game(3, 3, 3, 1, 1)))  # Black wins if White's rows do not count
    assert isinstance(with_threats.holds[BLACK], list)


def test_seven_by_seven_is_drawn_for_five_in_a_row(tmp_path: Path) -> None:
    """By Hsu, Ko, Chen, Wei, Hsueh and Wu (2020). With most of Black's first moves left out, to take less time."""
    settlement = settle(Position.parse("Connect(7,7,5,1,1) D4 C3 E4"))
    assert settlement.value == "draw"
    settlement.write_proof(tmp_path / "proof.tpf")
    assert check_file(tmp_path / "proof.tpf").accepted


def test_equal_parts_of_a_strategy_are_one_object() -> None:
    settlement = settle(Position(Game(5, 6, 4, 1, 1)))
    paths = 0
    stack: list[Any] = [settlement.win]
    while stack:
        node = stack.pop()
        paths += 1
        stack += [answer for _, _, answer in node[1]]
    nodes, branches = settlement.size
    assert nodes <= branches < paths


def test_limits_give_unknown_and_no_proof() -> None:
    position = Position(Game(5, 6, 4, 1, 1))
    for settlement in (settle(position, nodes=100), settle(position, stop=lambda: True)):
        assert settlement.value == "unknown"
        assert settlement.win is None
        assert not settlement.holds
        assert settlement.winner is None


@pytest.mark.parametrize("word", [1, "yes", [0], 0.5, object()])
def test_whatever_counts_as_true_stops_it(word: object) -> None:
    assert settle(Position(Game(7, 4, 4, 1, 1)), stop=lambda: word).value == "unknown"


@pytest.mark.parametrize("word", [0, "", None, []])
def test_whatever_counts_as_false_does_not(word: object) -> None:
    position = Position(Game(5, 5, 5, 2, 1))
    asked: list[object] = []

    def stop() -> object:
        asked.append(word)
        return word

    assert settle(position, stop=stop).value == "draw"
    assert asked


class Undecided:
    """Neither true nor false."""

    def __bool__(self) -> bool:
        raise RuntimeError("who knows")


def test_what_stop_and_progress_raise_is_raised() -> None:
    def fail(*_: object) -> object:
        raise LookupError("enough")

    position = Position(Game(7, 4, 4, 1, 1))
    with pytest.raises(LookupError, match="enough"):
        settle(position, stop=fail)
    with pytest.raises(LookupError, match="enough"):
        settle(position, progress=fail)
    with pytest.raises(RuntimeError, match="who knows"):
        settle(position, stop=Undecided)


def test_the_same_nodes_give_the_same_answer() -> None:
    first, second = (settle(Position(Game(4, 5, 4, 1, 1))) for _ in range(2))
    assert (first.nodes, first.holds) == (second.nodes, second.holds)


def test_a_strategy_that_is_too_large_is_left_out() -> None:
    settlement = settle(Position(Game(4, 4, 4, 2, 1)), max_branches=1000)
    assert settlement.value == "draw"
    assert not settlement.holds
    assert settlement.missing == "too large"


def test_a_small_table_changes_nothing_but_the_work() -> None:
    settlement = settle(Position(Game(4, 6, 4, 1, 1)), table_bits=0)
    assert settlement.value == "draw"


def test_progress_is_reported_and_may_raise() -> None:
    calls = []

    def progress(nodes: int) -> None:
        calls.append(nodes)
        if len(calls) == 2:
            raise RuntimeError("enough")

    with pytest.raises(RuntimeError, match="enough"):
        settle(Position(Game(8, 8, 5, 1, 1)), progress=progress)
    assert calls == sorted(calls)


def test_ctrl_c_ends_it() -> None:
    timer = threading.Timer(0.3, signal.raise_signal, (signal.SIGINT,))

    def interrupted() -> None:
        timer.start()  # within `raises`: the signal may come before the search begins, if this machine stands still
        settle(Position(Game(8, 8, 5, 1, 1)))

    with pytest.raises(KeyboardInterrupt):
        interrupted()


def test_a_settlement_as_json() -> None:
    told = settle(Position(Game(3, 4, 3, 1, 1), "A1")).as_json()
    assert (told["value"], told["side"], told["winner"]) == ("loss", "white", "black")
    assert told["position"] == "Connect(3,4,3,1,1) A1"
    assert told.keys() >= {"nodes", "seconds"}


def test_what_cannot_be_settled_is_said() -> None:
    with pytest.raises(TengenError, match="81 squares are too many"):
        settle(Position(Game(9, 9, 5, 1, 1)))
    with pytest.raises(TengenError, match="infinite"):
        settle(Position(Game.infinite(6, 2, 1)))
    with pytest.raises(TengenError, match="over"):
        settle(Position(Game(3, 3, 3, 1, 1), "A1 B1 A2 B2 A3"))
    with pytest.raises(TengenError, match="nodes must be above 0"):
        settle(Position(Game(3, 3, 3, 1, 1)), nodes=0)
    with pytest.raises(TengenError, match="table_bits"):
        settle(Position(Game(3, 3, 3, 1, 1)), table_bits=99)
    with pytest.raises(TengenError, match="max_branches"):
        settle(Position(Game(3, 3, 3, 1, 1)), max_branches=-1)
