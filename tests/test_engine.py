"""The engine: it plays every game of the family, sees what the solver sees, and keeps to its limits."""

import json
import random
import subprocess
import sys
import threading
import time
from collections.abc import Sequence
from pathlib import Path

import pytest
from reference.evaluation import counted, counted_interest, huang, huang_interest
from reference.positions import random_position

from tengen import BLACK, CONNECT6, WHITE, Game, Move, Position, TengenError, solve
from tengen._native import (
    CountingWeights,
    EngineMemory,
    EngineSettings,
    HuangTables,
    Setup,
    candidates,
    evaluate,
    think,
)
from tengen.game import Square
from tengen.play import Budget, Choice, Engine, make_agent
from tengen.play.evaluation import weights_for
from tengen.solve import Control
from tengen.threat import threat_number

QUICK = Budget(nodes=60)
ATTACK = Position(moves="J10 I9K9 J8L9 I11K11")
"""Black to move and win in four."""


@pytest.mark.parametrize(
    "game",
    [
        CONNECT6,
        Game(15, 15, 5, 1, 1),
        Game(3, 3, 3, 1, 1),
        Game(9, 9, 5, 2, 1),
        Game(7, 7, 4, 3, 1),
        Game(8, 6, 4, 2, 3),
        Game(4, 4, 4, 1, 1, True),
        Game(25, 25, 6, 2, 1),
        Game.infinite(6, 2, 1),
    ],
    ids=str,
)
def test_plays_every_game_to_its_end_or_as_far_as_we_look(game: Game) -> None:
    engine = Engine(seed=1)
    position = Position(game)
    for _ in range(14):
        if position.is_over:
            break
        position.play(engine.choose(position, QUICK).move)
    assert len(position.moves) > 2


def test_beats_somebody_who_plays_anywhere() -> None:
    for engine_is_black in (True, False):
        engine, other = Engine(seed=1), make_agent("random", 1)
        position = Position(CONNECT6)
        while not position.is_over:
            player = engine if (position.turn is BLACK) is engine_is_black else other
            position.play(player.choose(position, QUICK).move)
        assert position.winner is (BLACK if engine_is_black else WHITE)


def test_sees_a_win_by_threats() -> None:
    choice = Engine().choose(ATTACK, QUICK)
    assert (choice.win, choice.status) == (1.0, "Bw")
    assert solve(ATTACK, first=choice.move).result == "win"


def test_meets_every_threat_that_can_be_met() -> None:
    """In positions of random play with a threat to meet, and where the solver finds a defence that holds."""
    rng, met = random.Random(5), 0
    while met < 12:
        position = Position(CONNECT6)
        for _ in range(rng.randint(4, 9)):
            near = list(position.empty_squares(within=2)) or [*position.empty_squares(within=0)]
            if position.is_over:
                break
            position.play(Move(rng.sample(near, position.stones_left)))
        other = position.turn.opponent
        if position.is_over or not 0 < threat_number(position, other) <= 2 or solve(position).result == "win":
            continue
        after = position.copy()
        after.play(Engine(seed=1).choose(position, Budget(nodes=300)).move)
        assert after.is_over or threat_number(after, other) == 0
        met += 1


@pytest.mark.parametrize(
    ("position", "blunder"),
    [
        ("J10 J12K11 K10L10 H10I11", "L11K13"),
        ("J10 J12K11 K10L10 H10I11", "M10L11"),  # only a wide search sees it
        ("J10 J11J9 I10K10 I11K11 G11M11 L10M9 L9J12 N10O11", "L8N8"),
    ],
)
def test_sees_quiet_looking_losses_in_games_that_were_lost_by_them(position: str, blunder: str) -> None:
    before = Position.parse(position)
    after = before.after(Move.parse(blunder))
    assert solve(after, nodes=20_000).result != "win"
    assert any(solve(after, "vcst", nodes=100_000, width=width).result == "win" for width in (12, 32))
    assert Engine(nodes=8500).choose(before, Budget()).move != Move.parse(blunder)


@pytest.mark.parametrize("nodes", [100, 300, 1000])
def test_leaves_no_win_by_double_threats_open_where_single_threats_win_anyway(nodes: int) -> None:
    # M8K13 is the only move known to meet the double threats; single threats win against it.
    position = Position.parse("J10 I12K11 G11J12 K10J11")
    chosen = Engine(nodes=nodes).choose(position, Budget()).move
    assert solve(position.after(chosen), nodes=100_000).result == "none"


def test_equal_questions_have_equal_answers() -> None:
    position = Position(moves="J10 H9I8 K11J12")
    first, second = (Engine(threads=2).choose(position, Budget(nodes=400)) for _ in range(2))
    assert first == second
    assert first.nodes is not None


def test_remembers_what_it_found_while_a_game_goes_on_and_then_no_more() -> None:
    def memory() -> object:
        assert engine._remembered is not None
        return engine._remembered.memory

    start, engine = Position(moves="J10 K11I11"), Engine(threads=1)
    engine.choose(start, QUICK)
    first = memory()
    later = start.after(Move.parse("J11J12")).after(Move.parse("J9I10"))
    engine.choose(later, QUICK)
    assert memory() is first
    for other in (later, start, start.after(Move.parse("A1B1"))):  # the same again, an earlier one, another game
        before = memory()
        assert engine.choose(other, QUICK) == Engine(threads=1).choose(other, QUICK)
        assert memory() is not before
        engine.choose(later, QUICK)


def test_games_of_an_engine_that_remembers_can_be_repeated() -> None:
    def game() -> Position:
        position, engine = Position(moves="J10"), Engine(nodes=150)
        for _ in range(6):
            position.play(engine.choose(position, Budget()).move)
        return position

    assert game() == game()


def test_one_engine_asked_by_several_at_once_answers_all() -> None:
    engine, answers = Engine(threads=1), []
    position = Position(moves="J10 H9I8")

    def ask() -> None:
        for move in ("K11J12", "K12L13", "I11J11"):
            answers.append(engine.choose(position.after(Move.parse(move)), QUICK))

    threads = [threading.Thread(target=ask) for _ in range(3)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert len(answers) == 9
    assert len({answer.move for answer in answers}) <= 3


def test_several_lines_are_different_moves_the_best_first() -> None:
    position = Position(moves="J10 H9I8")
    found = Engine().analyse(position, Budget(nodes=800), lines=4)
    assert len({choice.move for choice in found}) == 4
    chances = [choice.win or 0.0 for choice in found]
    assert chances == sorted(chances, reverse=True)
    for choice in found:
        trial = position.copy()
        for move in choice.line:
            trial.play(move)


def test_prohibited_moves_are_left_alone() -> None:
    position = Position(moves="J10 H9I8")
    engine = Engine()
    first = engine.analyse(position, Budget(nodes=200))[0].move
    second = engine.analyse(position, Budget(nodes=200), prohibited=[first])[0].move
    assert first != second


def test_stops_when_told_and_still_has_a_move() -> None:
    control = Control()
    found: list[Sequence[Choice]] = []
    position = Position(moves="J10 H9I8")

    def think() -> None:
        found.append(Engine(threads=2).analyse(position, Budget(seconds=600), control=control))

    thread = threading.Thread(target=think)
    thread.start()
    control.stop()
    thread.join(60)
    assert not thread.is_alive()
    assert position.copy().is_legal(found[0][0].move)


MANY_STONES = [
    "Connect(19,19,10,8,8) I10K10K9I11K11H8L12L8",
    "Connect(19,19,16,8,8) I10K10K9I11K11H8L12L8 K8J11J10I9L11G12I8K12 J9H9J8H12L9I7K13G13",
    "Connect(19,19,12,8,1) I10 J11J10J8L12K9I9I12H12 I11K11K8K12L11H10H11L13 K10H9I8L7L8G13G11J12 "
    "J7G7M7J9M12H7M13G8 M10I13G10M8J13L9K14N6",
]


@pytest.mark.parametrize("text", MANY_STONES, ids=lambda text: text.split()[0])
def test_keeps_to_its_time_where_a_move_has_many_stones(text: str) -> None:
    position = Position.parse(text)
    start = time.process_time()
    choice = Engine(threads=1).choose(position, Budget(seconds=0.4))
    assert time.process_time() - start < 4  # of the processor: a busy machine changes nothing
    assert position.is_legal(choice.move)


@pytest.mark.parametrize("text", MANY_STONES, ids=lambda text: text.split()[0])
def test_stops_at_once_where_a_move_has_many_stones(text: str) -> None:
    control = Control()
    start = time.process_time()
    threading.Timer(0.3, control.stop).start()
    Engine(threads=1).choose(Position.parse(text), Budget(seconds=600), control=control)
    assert time.process_time() - start < 4  # of the processor: a busy machine changes nothing


def test_a_move_that_the_table_knows_of_another_position_is_not_played() -> None:
    """Squares are told by their numbers, so the table of a higher board stands for a clash of keys on a lower one: it
    knows moves above the edge. These were placed, and the process died."""
    weights, settings = weights_for(CONNECT6).native(6), EngineSettings()
    settings.root_threats = settings.threats = settings.null_threats = settings.single_threats = 1
    for seed in range(12):
        stones = random.Random(seed).sample(range(30, 60), 7)
        memory = EngineMemory(14, 1)
        for height, depth in [(12, 2), (6, 3)]:
            setup = Setup(10, height, 6, 2, False, stones[:3], stones[3:])
            found, _ = think(Control(), setup, 0, 2, weights, settings, 1, [], depth, 0, 0.0, 9.0, 1, memory)
            placed = [square for move in found[0][5] for square in move]
            assert max(placed) < 10 * height
            assert len({*placed, *stones}) == len(placed) + len(stones)


def test_reports_every_step_and_lets_errors_through() -> None:
    steps: list[int] = []
    position = Position(moves="J10 H9I8")
    Engine().analyse(position, Budget(depth=2), report=lambda found: steps.append(found[0].depth or 0))
    assert steps == [1, 2]

    def fail(found: Sequence[Choice]) -> None:
        raise RuntimeError("enough")

    with pytest.raises(RuntimeError, match="enough"):
        Engine().analyse(position, Budget(depth=4), report=fail)


@pytest.mark.parametrize("level", range(1, 11))
def test_every_level_plays_and_its_name_makes_it_again(level: int) -> None:
    agent = make_agent(f"engine:level={level},nodes=50", 3)
    position = Position(moves="J10 H9I8")
    move = agent.choose(position, Budget()).move
    assert make_agent(agent.name, 3).choose(position, Budget()).move == move
    if level > 1:  # a beginner may overlook it
        five = Position(moves="J10 A1A3 J11J12 C5C7 J13J8 E1E3")
        assert make_agent(f"engine:level={level}", 3).choose(five, Budget()).win == 1


@pytest.mark.parametrize("text", ["engine:level=11", "engine:evaluation=best", "engine:nodes=0", "engine:threads=0"])
def test_nonsense_is_refused(text: str) -> None:
    with pytest.raises(TengenError):
        make_agent(text)


@pytest.mark.parametrize(
    "text", ["J10", "Connect(9,9,5,1,1) E5", "Connect(6,2,1) J10", "Connect(6,2,3) J10K10L10", "J10 I9K9"]
)
def test_lines_are_best_first_and_different_up_to_symmetry(text: str) -> None:
    position = Position.parse(text)
    found = Engine().analyse(position, Budget(nodes=3000), lines=5)
    assert len(found) == 5
    chances = [one.win for one in found]
    assert chances == sorted(chances, key=lambda chance: -(chance or 0.0))
    assert len({position.after(one.move).canonical_key for one in found}) == 5
    assert len(found[0].line) == found[0].depth
    for one in found:
        assert one.line[0] == one.move
        after = position.copy()
        for move in one.line:
            after.play(move)


@pytest.mark.parametrize(
    "budget", [Budget(nodes=10**23), Budget(depth=10**23), Budget(seconds=float("inf")), Budget(nodes=0)]
)
def test_an_absurd_budget_is_refused(budget: Budget) -> None:
    with pytest.raises(TengenError, match="absurd"):
        Engine().analyse(Position.parse("J10"), budget)


def test_the_game_must_go_on() -> None:
    over = Position(Game(3, 3, 3, 1, 1), moves="A1 B1 A2 B2 A3")
    with pytest.raises(TengenError, match="over"):
        Engine().choose(over, QUICK)


@pytest.mark.parametrize("seed", range(20))
def test_counting_agrees_with_counting_slowly(seed: int) -> None:
    rng = random.Random(seed)
    m, n, k = rng.choice([(6, 6, 4), (7, 9, 6), (9, 7, 5), (5, 5, 3)])
    own, other, first, second = ([0, *(rng.randint(0, 300) for _ in range(1, k)), 0] for _ in range(4))
    tempo = rng.randint(-300, 300)
    stones = dict.fromkeys(rng.sample([(x, y) for x in range(m) for y in range(n)], rng.randint(1, m * n // 2)), 0)
    stones = {square: rng.randint(0, 1) for square in stones}
    empty = [(x, y) for x in range(m) for y in range(n) if (x, y) not in stones]
    sides = [[x + y * m for (x, y), colour in stones.items() if colour == side] for side in (0, 1)]
    setup = Setup(m, n, k, 2, False, *sides)
    detour = [x + y * m for x, y in rng.sample(empty, len(empty) // 2)]
    for turn in (0, 1):
        value, interests = evaluate(setup, CountingWeights(k, own, other, tempo, first, second), turn, detour)
        assert value == tempo + counted(m, n, k, own, other, stones, turn)
        for x, y in empty:
            assert interests[x + y * m] == counted_interest(m, n, k, first, second, stones, turn, (x, y))


def test_candidates_are_different_moves_that_meet_the_threats() -> None:
    position = Position(moves="J10 J11K11 J9H10 L11M11")
    sides = [[s.x + 19 * s.y for s in position.stones(colour)] for colour in (BLACK, WHITE)]
    listed = candidates(Setup(19, 19, 6, 2, False, *sides), weights_for(CONNECT6).native(6), int(position.turn), 2)
    moves = [Move(Square(number % 19, number // 19) for number in move) for move in listed]
    assert len(set(moves)) == len(moves) > 1
    assert threat_number(position, WHITE) == 2
    for move in moves:
        after = position.copy()
        after.play(move)
        assert threat_number(after, WHITE) == 0


@pytest.mark.parametrize("seed", range(6))
def test_the_thesis_is_read_right(seed: int) -> None:
    rng = random.Random(seed)
    blacks, whites = random_position(rng, 8, 8, 6, 2, 1, rng.randint(6, 20))
    stones = dict.fromkeys(blacks, 0) | dict.fromkeys(whites, 1)
    empty = [(x, y) for x in range(8) for y in range(8) if (x, y) not in stones]
    setup = Setup(8, 8, 6, 2, False, [x + y * 8 for x, y in blacks], [x + y * 8 for x, y in whites])
    detour = [x + y * 8 for x, y in rng.sample(empty, 10)]
    for turn in (0, 1):
        value, interests = evaluate(setup, HuangTables(), turn, detour)
        assert value == huang(8, 8, stones, turn)
        slow = huang_interest(8, 8, stones, turn)
        assert {square: interests[square[0] + square[1] * 8] for square in empty} == {s: slow[s] for s in empty}


def weights_file(folder: Path, own: object, other: object, tempo: object) -> Path:
    file = folder / "weights.json"
    sides = {"own": own, "other": other}
    file.write_text(json.dumps({"value": sides, "order": sides, "tempo": tempo}))
    return file


def test_weights_from_a_file_are_used(tmp_path: Path) -> None:
    file = weights_file(tmp_path, [0, 1, 1, 1, 1, 1, 0], [0, 1, 1, 1, 1, 1, 0], -5000)
    engine = make_agent(f"engine:nodes=50,weights={file}")
    position = Position(moves="J10 K11I11")
    assert engine.choose(position, Budget()).win != Engine(nodes=50).choose(position, Budget()).win
    assert make_agent(engine.name).name == engine.name


@pytest.mark.parametrize(
    ("own", "other", "tempo"),
    [
        (None, [0, 1], 0),
        ([0, 1], [0], 0),
        ([0, 1.5], [0, 1], 0),
        ([0, 99999], [0, 1], 0),
        ([0, True], [0, 1], 0),
        ([0, 1], [0, 1], "0"),
    ],
)
def test_what_are_no_weights_is_refused(tmp_path: Path, own: object, other: object, tempo: object) -> None:
    with pytest.raises(TengenError, match=r"weights\.json"):
        Engine(weights=str(weights_file(tmp_path, own, other, tempo)))


@pytest.mark.parametrize("told", ["", "[]", '{"tempo": 0}'])
def test_what_is_no_file_of_weights_is_refused(tmp_path: Path, told: str) -> None:
    file = tmp_path / "weights.json"
    file.write_text(told)
    with pytest.raises(TengenError, match="has no weights"):
        Engine(weights=str(file))


def test_weights_are_for_rows_of_one_length(tmp_path: Path) -> None:
    file = weights_file(tmp_path, [0, 1, 5, 0], [0, 1, 5, 0], 0)
    with pytest.raises(TengenError, match="rows of 3, not 6"):
        Engine(weights=str(file), nodes=10).choose(Position(moves="J10 K11I11"), Budget())


def test_who_only_wants_a_move_does_not_load_the_prover() -> None:
    code = "import sys, tengen.play; tengen.play.make_agent('engine'); print('tengen.prove' in sys.modules)"
    found = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert found.stdout == "False\n"
