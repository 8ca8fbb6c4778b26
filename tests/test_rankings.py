"""How agents value squares: what the Connect-k paper says of it, and their slow twins."""

import random

import pytest
from agent_helpers import positions, ranking, state_of, utilities
from hypothesis import given, settings
from hypothesis import strategies as st
from reference import agents as reference
from test_threats import MARK_ALL_ERRS, WU_HUANG_ERRS

from tengen import BLACK, WHITE, Colour, Position, Square, _native
from tengen.play import Budget, Ranked, make_agent
from tengen.play.agents import MonteCarlo, Sequences, Threats
from tengen.play.ranking import shuffled_ties
from tengen.threat import generalised_threats, threat_number

# What the paper says


def test_the_value_of_a_threat_is_two_to_the_six_per_stone() -> None:
    """n_t = 2^(c(t-1)) with c = 6; a square beside a lone stone is on a sequence of one stone in one direction."""
    values = utilities(Threats(), Position.parse("J10 A1A19"))
    assert values[9, 9 + 7] == 0
    assert values[10, 9] == 2.0  # two sequences, looking ahead and looking back, of 2^0 each
    five = Position.parse("B: C3 D3 E3 F3 W: A19 A17 A15 to move: B 2")
    assert utilities(Threats(), five)[6, 2] >= 2.0 ** (6 * 3)


def test_windows_score_the_square_of_their_stones() -> None:
    """A lone stone in the middle is in 24 windows. With a neighbour, 5 windows of the row hold both (4 each), 2 hold
    one, and the three other directions give 6 windows to each."""
    values = utilities(Sequences(defence=0), Position.parse("B: J10 to move: B 1"))
    assert values[10, 9] == 5 * 4 + 2 * 1 + 2 * 3 * 6
    assert values[9, 18] == 24 + 6 + 1 + 1 + 1  # of the edge's square, one window in each direction but the row
    assert values[0, 0] == 24 + 3


def test_the_defensive_constant_weighs_the_other_players_windows() -> None:
    position = Position.parse("B: J10 W: C3 to move: B 1")
    plain, careful = utilities(Sequences(defence=0), position), utilities(Sequences(defence=2), position)
    far = (9, 16)
    assert plain[far] - careful[far] == 2 * 3 * 3  # C3 is in 3 windows of the row, the column, the rising diagonal …
    assert careful[3, 2] > careful[far] - (plain[far] - plain[3, 2])  # … and a stone beside it takes some away


def test_a_local_rescan_looks_at_32_windows() -> None:
    state = state_of(Position.parse("J10"))
    assert len(reference.rescanned(state, (9, 9))) == 32


def test_a_rescan_finds_the_threat_one_window_beyond_the_new_stone() -> None:
    """Black's four has C10 blocked. Its window D10-I10 marks D10 and I10, so E10-J10 does not count. White plays D10:
    only a window that does not hold D10, one step beyond, still sees the threat."""
    position = Position.parse("B: E10 F10 G10 H10 W: C10 A1 A3 A5 to move: W 2")
    board, stone = position.native_board, (3, 9)
    assert _native.sequence_threats(board, 2, False, [], WHITE) == (1, 0)
    assert _native.sequence_threats(board, 2, False, [stone], WHITE) == (1, 0)
    both = [stone, (8, 9)]
    assert _native.sequence_threats(board, 2, False, both, WHITE) == (0, 0)


@pytest.mark.parametrize("text", [WU_HUANG_ERRS, MARK_ALL_ERRS])
def test_sequences_counts_threats_by_marking_all(text: str) -> None:
    """One threat where Wu and Huang count two (section 2.2), and one where there are two (section 2.3)."""
    position = Position.parse(text)
    assert _native.sequence_threats(position.native_board, 2, False, [], BLACK)[0] == 1


def test_the_utility_of_a_board_knows_wins_threats_and_strong_attacks() -> None:
    win = Position.parse("B: C3 D3 E3 F3 W: J9 J10 J11 J12 to move: B 2")
    values = utilities(Sequences(), win)
    assert values[6, 2] == values[1, 2] == _native.SEQUENCES_WIN  # the other stone completes it
    assert values[9, 7] < 0
    # Two threats of White's are worse than one, and that worse than none.
    lost = utilities(Sequences(), Position.parse("B: A1 W: J9 J10 J11 J12 to move: B 1"))
    one, two = lost[9, 7], lost[0, 18]
    assert two < -2 * _native.SEQUENCES_THREAT + 10_000 < one < -_native.SEQUENCES_THREAT + 10_000 < 0
    # Black has two threats in the row; a third in the column makes three, more than White can stop.
    strong = Position.parse("B: G10 H10 I10 J10 P3 P4 P5 W: A1 A19 S1 P2 to move: B 1")
    values = utilities(Sequences(), strong)
    assert _native.SEQUENCES_STRONG <= values[15, 5] < _native.SEQUENCES_WIN


def test_mesh_plays_into_the_clump() -> None:
    position = Position.parse("B: I9 J9 K9 I10 K10 I11 J11 K11 W: A1 A19 to move: B 2")
    values = utilities(ranking("mesh"), position)
    assert max(values, key=lambda square: values[square]) == (9, 9)


@settings(max_examples=40)
@given(positions(stones=14))
def test_the_mesh_hangs_as_its_equations_say(position: Position) -> None:
    expected = reference.mesh_depths(state_of(position), 1.0, 150)
    for square, depth in utilities(ranking("mesh"), position).items():
        assert depth == pytest.approx(expected[square], abs=2e-6)


def test_adjacent_plays_beside_a_stone() -> None:
    for seed in range(20):
        first, second = make_agent("adjacent", seed).choose(Position.parse("J10"), Budget()).move
        stones = [Square(9, 9)]
        for stone in (first, second):
            assert any(max(abs(stone.x - x), abs(stone.y - y)) == 1 for x, y in stones)
            stones.append(stone)


# Twins


@given(positions())
def test_adjacent_and_windows_agree_with_their_twins(position: Position) -> None:
    state = state_of(position)
    assert utilities(ranking("adjacent"), position) == reference.adjacent(state)
    assert utilities(ranking("windows"), position) == reference.windows(state)


@given(positions(), st.booleans())
def test_threats_agrees_with_its_twin(position: Position, prioritise: bool) -> None:
    state, agent = state_of(position), Threats(prioritise=prioritise)
    values = utilities(agent, position)
    assert values == reference.threats(state, prioritise)
    assert agent.evaluate(position, BLACK) == reference.threat_balance(state, 0) == -agent.evaluate(position, WHITE)
    if not prioritise and not position.game.maker_breaker:
        totals = generalised_threats(position)
        assert {s: u for s, u in values.items() if u} == {(s.x, s.y): float(v.total) for s, v in totals.items()}


@settings(max_examples=25)
@given(positions(stones=24), st.sampled_from([0.0, 1.0, 2.5]))
def test_sequences_agrees_with_its_twin(position: Position, defence: float) -> None:
    expected = reference.sequences(
        state_of(position), defence, _native.SEQUENCES_WIN, _native.SEQUENCES_STRONG, _native.SEQUENCES_THREAT
    )
    assert utilities(Sequences(defence=defence), position) == expected


@given(positions(), st.integers(0, 1 << 30))
def test_marks_agree_with_their_twin_and_with_the_counter(position: Position, seed: int) -> None:
    """A full scan counts as `mark_all` does; rescans after some stones agree with the twin's."""
    game, state = position.game, state_of(position)
    marks = reference.Marks.of(state)
    board = position.native_board
    expected = tuple(threat_number(position, colour, "mark_all") for colour in Colour)
    assert _native.sequence_threats(board, game.p, game.maker_breaker, [], 0) == expected
    empty = state.empty()
    chosen = random.Random(seed).sample(empty, min(3, len(empty)))
    for square in chosen:
        marks.state = reference.State(**{**vars(marks.state), "stones": {**marks.state.stones, square: 1}})
        marks.rescan(square)
    counted = _native.sequence_threats(board, game.p, game.maker_breaker, chosen, 1)
    assert counted == (marks.threats(0), marks.threats(1))


@settings(max_examples=40)
@given(positions(), st.integers(1, 3), st.booleans(), st.integers(0, (1 << 64) - 1))
def test_monte_carlo_agrees_with_its_twin(position: Position, within: int, local: bool, seed: int) -> None:
    agent = MonteCarlo(games=60, within=within, local=local, seed=seed)
    drawn = _native.mix(seed ^ position.key)
    assert utilities(agent, position) == reference.monte_carlo(state_of(position), within, local, 60, drawn)


def test_ties_are_drawn_by_the_salt() -> None:
    squares: list[Ranked] = [(Square(x, 0), 1.0) for x in range(9)]
    orders = {tuple(square for square, _ in shuffled_ties(squares, salt)) for salt in range(50)}
    assert len(orders) == 50
    assert shuffled_ties([*squares, (Square(0, 1), 2.0)], 1)[0][0] == Square(0, 1)
