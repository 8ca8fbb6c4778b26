"""The agents: what the Connect-k paper says of them, that they play any game to its end, and their slow twins."""

import json
import random
import sys
from itertools import combinations
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from reference import agents as reference
from reference.positions import random_position, to_move
from test_cli import Run, run  # noqa: F401
from test_threats import MARK_ALL_ERRS, WU_HUANG_ERRS

from tengen import (
    BLACK,
    CONNECT6,
    GOMOKU,
    KNOWN_GAMES,
    TIC_TAC_TOE,
    WHITE,
    Colour,
    Game,
    Move,
    Position,
    Square,
    TengenError,
    _native,
)
from tengen.play import Agent, Budget, Ranked, Ranking, RankingAgent, agent_kinds, make_agent
from tengen.play.agents import Minimax, MonteCarlo, Sequences, Threats
from tengen.play.agents.minimax import GenericSearch
from tengen.play.ranking import NativeRankingAgent, shuffled_ties
from tengen.threat import generalised_threats, threat_number

GAMES = [
    Game(9, 9, 6, 2, 1),
    Game(7, 7, 4, 1, 1),
    Game(9, 9, 5, 2, 1),
    Game(7, 7, 4, 3, 1),
    Game(8, 6, 5, 2, 3),
    Game(3, 3, 3, 1, 1),
    Game(7, 7, 4, 2, 1, maker_breaker=True),
    Game(5, 4, 2, 1, 1),
    Game(4, 5, 9, 2, 1),
]
AGENTS = [
    "random",
    "simple",
    "adjacent",
    "windows",
    "threats",
    "threats:prioritise=yes",
    "sequences",
    "sequences:defence=2",
    "mesh",
    "mesh:theirs=-1",
    "monte-carlo:games=200",
    "monte-carlo:games=100,within=2,local=no",
    "minimax:threats,depth=3,top=3",
    "minimax:(sequences:defence=2),depth=2,top=4,board=no",
    "minimax:simple,depth=1,top=2",
]


@st.composite
def positions(draw: st.DrawFn, games: list[Game] | None = None, stones: int = 30) -> Position:
    """Clustered stones, nobody with a row, the game not over."""
    game = draw(st.sampled_from(games or GAMES))
    assert game.m is not None
    assert game.n is not None
    assert game.squares is not None
    count = draw(st.integers(1, min(stones, game.squares - 1)))
    rng = random.Random(draw(st.integers(0, 1 << 30)))
    black, white = random_position(rng, game.m, game.n, game.k, game.p, game.q, count)
    turn, left = to_move(len(black) + len(white), game.p, game.q)
    left = min(left, game.squares - len(black) - len(white))
    return Position.setup(game, [Square(*s) for s in black], [Square(*s) for s in white], Colour(turn), left)


def state_of(position: Position) -> reference.State:
    game = position.game
    assert game.m is not None
    assert game.n is not None
    stones = {(x, y): int(colour) for colour in Colour for x, y in position.stones(colour)}
    return reference.State(
        game.m, game.n, game.k, game.p, stones, int(position.turn), position.stones_left, game.maker_breaker
    )


def utilities(ranking: Ranking, position: Position) -> dict[tuple[int, int], float]:
    ranked = ranking.rank(position)
    assert [u for _, u in ranked] == sorted((u for _, u in ranked), reverse=True)
    return {(s.x, s.y): u for s, u in ranked}


def ranking(text: str) -> NativeRankingAgent:
    agent = make_agent(text, 1)
    assert isinstance(agent, NativeRankingAgent)
    return agent


def play_out(players: list[Agent], game: Game) -> Position:
    position = Position(game)
    while not position.is_over:
        choice = players[position.turn].choose(position, Budget())
        is_whole = len(choice.move) == position.stones_left
        position.play(choice.move)
        assert is_whole or position.winner is not None
    return position


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
    values = utilities(make_ranking("mesh"), position)
    assert max(values, key=lambda square: values[square]) == (9, 9)


def make_ranking(text: str) -> Ranking:
    agent = make_agent(text, 1)
    assert isinstance(agent, Ranking)
    return agent


@settings(max_examples=40)
@given(positions(stones=14))
def test_the_mesh_hangs_as_its_equations_say(position: Position) -> None:
    expected = reference.mesh_depths(state_of(position), 1.0, 150)
    for square, depth in utilities(make_ranking("mesh"), position).items():
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


# Minimax


class Disguised:
    """A native ranking that looks like a stranger's."""

    name = "disguised"

    def __init__(self, agent: Ranking) -> None:
        self.rank = agent.rank


class DisguisedThreats(Disguised):
    def __init__(self, agent: Threats) -> None:
        super().__init__(agent)
        self.evaluate = agent.evaluate


@settings(max_examples=60)
@given(
    positions(),
    st.sampled_from(["adjacent", "windows", "threats", "sequences"]),
    st.integers(1, 4),
    st.integers(1, 5),
    st.none() | st.integers(1, 60),
)
def test_the_native_search_is_the_generic_one(
    position: Position, name: str, depth: int, top: int, nodes: int | None
) -> None:
    agent = ranking(name)
    disguised = DisguisedThreats(agent) if isinstance(agent, Threats) else Disguised(agent)
    native = Minimax(agent, top=top, seed=3).search(position, depth, nodes)
    assert Minimax(disguised, top=top, seed=3).search(position, depth, nodes) == native
    assert native.complete or (nodes is not None and native.nodes > nodes)


@settings(max_examples=40)
@given(positions(games=[Game(4, 4, 3, 2, 1), Game(4, 4, 3, 1, 1), Game(5, 4, 4, 3, 2)]), st.integers(1, 3))
def test_alpha_beta_finds_the_value_of_plain_minimax(position: Position, depth: int) -> None:
    """Over all sets of stones, without cuts and marks: nothing is lost by searching each set once."""
    agent = ranking("threats")

    def plain(state: Position, depth: int, ply: int) -> float:
        values = []
        for square in list(state.empty_squares()):
            turn = state.turn
            state.play(square)
            if state.winner is not None:
                value = _native.SEARCH_WIN / (1 + ply)
            elif state.is_over:
                value = 0.0
            elif depth == 1:
                assert isinstance(agent, Threats)
                value = agent.evaluate(state, turn)
            else:
                value = plain(state, depth - 1, ply + 1) * (1 if state.turn is turn else -1)
            state.undo()
            values.append(value)
        return max(values)

    assert Minimax(agent, top=100, seed=1).search(position, depth).value == plain(position.copy(), depth, 0)


class Everywhere(RankingAgent):
    """Every square, all alike; remembers which positions it was asked about."""

    name = "everywhere"

    def __init__(self) -> None:
        super().__init__(seed=1)
        self.leaves: list[tuple[frozenset[Square], frozenset[Square]]] = []

    def rank(self, position: Position) -> list[Ranked]:
        return [(square, 0.0) for square in position.empty_squares()]

    def evaluate(self, position: Position, colour: Colour) -> float:
        self.leaves.append((frozenset(position.stones(BLACK)), frozenset(position.stones(WHITE))))
        return 0.0


@pytest.mark.parametrize(("p", "depth"), [(2, 2), (3, 3), (3, 2), (2, 1)])
def test_minimax_visits_each_set_of_stones_once(p: int, depth: int) -> None:
    everywhere = Everywhere()
    position = Position.setup(Game(4, 4, 9, p, 1), [Square(0, 0)], [], WHITE, p)
    Minimax(everywhere, top=100).search(position, depth)
    assert len(everywhere.leaves) == len(set(everywhere.leaves))
    assert len(everywhere.leaves) == len(list(combinations(range(15), depth)))


def test_marks_are_cleared_when_the_turn_ends() -> None:
    """Two stones of White's, then one of Black's on any of the 13 squares left: also on those tried before."""
    everywhere = Everywhere()
    position = Position.setup(Game(4, 4, 9, 2, 1), [Square(0, 0)], [], WHITE, 2)
    search = GenericSearch(everywhere, position, 100, True, 0, None, None)
    search.run(3)
    first_reply = [black for black, white in everywhere.leaves if white == everywhere.leaves[0][1]]
    assert len(first_reply) == 13


def test_minimax_settles_tic_tac_toe() -> None:
    """A draw with best play, and a win once the second player errs (an edge after the middle)."""
    agent = Minimax(ranking("adjacent"), depth=9, top=9, seed=1)
    draw = agent.search(Position(TIC_TAC_TOE, "B2"), 8)
    assert (draw.value, draw.complete) == (0.0, True)
    error = agent.search(Position(TIC_TAC_TOE, "B2 B3"), 7)
    assert error.value > 0
    assert play_out([agent, agent], TIC_TAC_TOE).is_draw
    for seed in range(10):
        assert play_out([make_agent("random", seed), agent], TIC_TAC_TOE).winner is not BLACK


def test_minimax_finds_the_win_of_three_in_a_row_on_four_by_four() -> None:
    agent = Minimax(ranking("adjacent"), depth=6, top=16, seed=1)
    found = agent.search(Position(Game(4, 4, 3, 1, 1), "B2 A1"), 5)
    assert found.value == _native.SEARCH_WIN / 3  # two more stones of Black's with one of White's between


def test_one_level_of_minimax_is_the_agent_itself() -> None:
    position = Position.parse("J10 I9K9 J8L9 I11")
    for name in ("windows", "sequences", "mesh"):
        agent = ranking(name)
        (stone,) = agent.choose(position, Budget()).move
        assert Minimax(agent, seed=1, board=False).search(position, 1).line == (stone,)


def test_minimax_respects_its_budget() -> None:
    position = Position.parse("J10 I9K9 J8L9 I11K11")
    agent = make_agent("minimax:threats", 1)
    assert agent.choose(position, Budget(nodes=50)).nodes in range(40, 120)  # of two searches at most
    assert agent.choose(position, Budget(depth=1)).depth == 2
    assert agent.choose(position, Budget(depth=3)).depth == 6
    cut = agent.choose(position, Budget(seconds=0.001, depth=40))
    assert position.is_legal(cut.move)


# Playing


@pytest.mark.parametrize("text", AGENTS)
@pytest.mark.parametrize("game", [CONNECT6, GOMOKU, TIC_TAC_TOE, Game(9, 9, 5, 2, 1), Game(7, 7, 4, 3, 1)], ids=str)
def test_every_agent_finishes_a_game(text: str, game: Game) -> None:
    end = play_out([make_agent(text, 1), make_agent(text, 2)], game)
    assert end.is_over


@pytest.mark.parametrize("text", AGENTS)
@pytest.mark.parametrize("game", [*KNOWN_GAMES.values(), Game(3, 3, 5, 4, 3), Game(4, 4, 4, 2, 5)], ids=str)
def test_any_game_can_be_begun(text: str, game: Game) -> None:
    """The infinite board and the largest one too."""
    position = Position(game)
    agent = make_agent(text, 7)
    for _ in range(3):
        if not position.is_over:
            position.play(agent.choose(position, Budget(nodes=200)).move)
    assert position.steps > 1 or position.winner is BLACK


@pytest.mark.parametrize("text", AGENTS)
def test_the_same_seed_plays_the_same_game(text: str) -> None:
    def game(seed: int) -> str:
        return str(play_out([make_agent(text, seed), make_agent(text, seed + 1)], Game(9, 9, 5, 2, 1)))

    assert game(5) == game(5)


@pytest.mark.parametrize("text", [t for t in AGENTS if t not in ("random", "simple")])
def test_a_finished_game_has_no_move(text: str) -> None:
    with pytest.raises(TengenError, match="over"):
        make_agent(text, 1).choose(Position.parse("B: A1 B1 C1 D1 E1 F1 W: A9 to move: W"), Budget())


# Agents that look for rows; Threats by itself takes the longest sequence, whosever it is.
WATCHFUL = ["simple", "windows", "sequences", "threats:prioritise=yes", "minimax:sequences,depth=2"]


@pytest.mark.parametrize("text", [*WATCHFUL, "minimax:threats,depth=2", "threats"])
@pytest.mark.parametrize(
    "setup",
    [
        "B: C3 D3 E3 F3 W: A19 A17 A15 to move: B 2",
        "B: C3 D3 E3 F3 G3 W: A19 A17 A15 A13 to move: B 2",
        "Connect(15,15,5,1,1) B: C3 D3 E3 F3 W: A15 A13 A11 A9 to move: B 1",
        "Connect(7,7,4,3,1) B: C3 W: A7 to move: B 3",
    ],
)
def test_a_row_that_can_be_completed_is(text: str, setup: str) -> None:
    for seed in range(3):
        position = Position.parse(setup)
        position.play(make_agent(text, seed).choose(position, Budget()).move)
        assert position.winner is BLACK


@pytest.mark.parametrize("text", WATCHFUL)
@pytest.mark.parametrize("setup", ["B: C3 D3 E3 F3 G3 W: J10 J11 J12 J13 to move: W 2"])
def test_a_row_is_completed_before_another_is_stopped(text: str, setup: str) -> None:
    position = Position.parse(setup)
    position.play(make_agent(text, 1).choose(position, Budget()).move)
    assert position.winner is WHITE


def test_threats_by_itself_stops_the_longer_row_instead() -> None:
    """As its text says: the utility does not ask whose sequence it is, nor how many stones are left."""
    position = Position.parse("B: C3 D3 E3 F3 G3 W: J10 J11 J12 J13 to move: W 2")
    assert set(Threats(seed=1).choose(position, Budget()).move) == {Square(1, 2), Square(7, 2)}


@pytest.mark.parametrize("text", [*WATCHFUL, "threats", "minimax:threats,depth=4"])
@pytest.mark.parametrize(
    "setup",
    [
        "B: C3 D3 E3 F3 H9 W: A19 A17 A15 C9 to move: W 2",
        "B: C3 D3 E3 F3 G3 W: A19 A17 A15 C9 to move: W 2",
        "B: C3 C4 C6 C7 W: K10 to move: W 2",
        "Connect(15,15,5,1,1) B: A3 B3 C3 D3 W: A15 A13 A11 to move: W 1",
    ],
)
def test_a_threat_is_stopped(text: str, setup: str) -> None:
    for seed in range(3):
        position = Position.parse(setup)
        position.play(make_agent(text, seed).choose(position, Budget()).move)
        assert threat_number(position, BLACK) == 0


def test_monte_carlo_takes_a_win_with_one_stone_and_tells_its_share() -> None:
    position = Position.parse("Connect(15,15,5,1,1) B: C3 D3 E3 F3 W: A15 A13 A11 A9 to move: B 1")
    choice = make_agent("monte-carlo:games=2000", 1).choose(position, Budget())
    assert choice.win == 1.0
    assert set(choice.move) <= {Square(1, 2), Square(6, 2)}
    timed = make_agent("monte-carlo:seconds=0.02", 1).choose(Position.parse("J10"), Budget())
    assert len(timed.move) == 2


def test_sequences_and_simple_beat_random_play() -> None:
    for text in ("simple", "sequences", "threats"):
        for game in (CONNECT6, GOMOKU):
            for seed in range(4):
                players = [make_agent(text, seed), make_agent("random", seed)]
                if seed % 2:
                    players.reverse()
                assert play_out(players, game).winner == Colour(seed % 2)


def test_a_clock_is_shared_out() -> None:
    assert Budget().time_limit() is None
    assert Budget(seconds=2).time_limit() == 2
    assert Budget(remaining=60).time_limit() == 2
    assert Budget(seconds=1, remaining=60).time_limit() == 1
    assert Budget(remaining=0.5, increment=10).time_limit() == 0.4
    assert Budget(remaining=0).time_limit() == 0.001


def test_ties_are_drawn_by_the_salt() -> None:
    squares: list[Ranked] = [(Square(x, 0), 1.0) for x in range(9)]
    orders = {tuple(square for square, _ in shuffled_ties(squares, salt)) for salt in range(50)}
    assert len(orders) == 50
    assert shuffled_ties([*squares, (Square(0, 1), 2.0)], 1)[0][0] == Square(0, 1)


# By name


@pytest.mark.parametrize("text", [*AGENTS, "minimax:threats", "monte-carlo", "monte-carlo:seconds=1"])
def test_a_name_makes_the_same_agent_again(text: str) -> None:
    name = make_agent(text).name
    assert make_agent(name).name == name


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("nobody", "'nobody' is no agent; there are engine, random, simple"),
        ("", "'' is no agent"),
        ("sequences:offence=1", "no parameter 'offence'; there are defence"),
        ("sequences:defence=high", "defence is a number, not 'high'"),
        ("sequences:defence=nan", "defence is a number from 0"),
        ("sequences:2", "should be name=value"),
        ("adjacent:x=1", "it has none"),
        ("minimax", "minimax needs over"),
        ("minimax:random", "random offers no moves with utilities"),
        ("minimax:threats,depth=0", "depth is 1 to"),
        ("minimax:threats,depth=2,depth=3", "given twice"),
        ("minimax:(threats,depth=2", "parentheses"),
        ("minimax:threats),depth=2", "parentheses"),
        ("monte-carlo:games=0", "above 0"),
        ("monte-carlo:local=perhaps", "local is yes or no"),
        ("mesh:theirs=inf", "from -100 to 100"),
    ],
)
def test_a_wrong_name_is_explained(text: str, reason: str) -> None:
    with pytest.raises(TengenError) as caught:
        make_agent(text)
    assert reason in str(caught.value)


def test_a_missing_book_is_a_file_error(tmp_path: Path) -> None:
    with pytest.raises(FileNotFoundError):
        make_agent(f"opening-book:{tmp_path / 'none.jsonl'}")


def test_every_agent_explains_itself() -> None:
    for kind in agent_kinds().values():
        assert kind.help.endswith(".")
        assert all(parameter.help for parameter in kind.parameters)


def documented_example() -> str:
    text = (Path(__file__).resolve().parents[1] / "docs" / "agents.md").read_text()
    return text.split("```python\n")[1].split("```")[0]


def test_another_package_adds_an_agent(
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    run: Run,  # noqa: F811
) -> None:
    """The example of docs/agents.md, installed as pip would."""
    (tmp_path / "corner.py").write_text(documented_example())
    info = tmp_path / "corner_agent-1.0.dist-info"
    info.mkdir()
    (info / "METADATA").write_text("Metadata-Version: 2.1\nName: corner-agent\nVersion: 1.0\n")
    (info / "entry_points.txt").write_text(
        "[tengen.agents]\ncorner = corner:Corner\nbroken = nowhere:Nothing\nsequences = corner:Corner\n"
    )
    monkeypatch.syspath_prepend(str(tmp_path))
    try:
        agent = make_agent("corner:pull=2", 1)
        position = Position.parse("J10")
        (first, second) = agent.choose(position, Budget()).move
        assert {first, second} < {Square(0, 0), Square(0, 18), Square(18, 0), Square(18, 18)}
        assert make_agent("minimax:corner,depth=2,top=3").choose(position, Budget()).move
        assert isinstance(make_agent("sequences"), Sequences)  # no package takes a name of ours
        with pytest.raises(TengenError, match="'broken' of corner-agent cannot be loaded"):
            make_agent("broken")
        code, out, _ = run("agents", "--json")
        assert code == 0
        listed = {entry["name"]: entry for entry in json.loads(out)}
        assert listed["corner"]["package"] == "corner-agent"
        assert listed["corner"]["parameters"][0]["default"] == 1.0
        assert "cannot be loaded" in listed["broken"]["problem"]
        assert run("agents")[0] == 0
    finally:
        sys.modules.pop("corner", None)


def test_agents_are_listed_and_explained(run: Run) -> None:  # noqa: F811
    code, out, _ = run("agents")
    assert code == 0
    assert "sequences" in out
    code, out, _ = run("agents", "minimax")
    assert code == 0
    assert "over = agent (needed)" in out
    assert "board = yes or no (yes)" in out
    assert run("agents", "nobody")[0] == 3


def test_play_against_an_agent_with_parameters(run: Run) -> None:  # noqa: F811
    code, out, _ = run("play", "--against", "minimax:threats,depth=2", "--no-keep", stdin="J10\nquit\n")
    assert code == 0
    assert "White (minimax:threats,depth=2) plays" in out


def test_moves_have_no_order_for_an_agent() -> None:
    """The same position by another way is answered the same."""
    one, other = Position.parse("J10 I9K9 J8L9"), Position.parse("J10 K9I9 L9J8")
    agent = make_agent("sequences", 3)
    assert (
        agent.choose(one, Budget()).move
        == agent.choose(other, Budget()).move
        == Move(agent.choose(one, Budget()).move.squares)
    )
