"""The search over any agent: what it finds, and that the native one is the generic one."""

from itertools import combinations

import pytest
from agent_helpers import play_out, positions, ranking
from hypothesis import given, settings
from hypothesis import strategies as st

from tengen import BLACK, TIC_TAC_TOE, WHITE, Colour, Game, Position, Square, _native
from tengen.play import Budget, Ranked, Ranking, RankingAgent, make_agent
from tengen.play.agents import Minimax, Threats
from tengen.play.agents.minimax import GenericSearch


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
