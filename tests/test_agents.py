"""The agents at play: any game to its end, rows completed and stopped."""

from concurrent.futures import ThreadPoolExecutor

import pytest
from agent_helpers import AGENTS, play_out

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
)
from tengen.play import Budget, Choice, make_agent
from tengen.play.agent import ask
from tengen.solve import Control
from tengen.threat import threat_number


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


def answered(text: str, setup: str, seed: int = 1) -> Position:
    """A position after the move of an agent."""
    position = Position.parse(setup)
    position.play(make_agent(text, seed).choose(position, Budget()).move)
    return position


@pytest.mark.parametrize("seed", range(3))
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
def test_a_row_that_can_be_completed_is(text: str, setup: str, seed: int) -> None:
    assert answered(text, setup, seed).winner is BLACK


BOTH_HAVE_ROWS = "B: C3 D3 E3 F3 G3 W: J10 J11 J12 J13 to move: W 2"


@pytest.mark.parametrize("text", WATCHFUL)
def test_a_row_is_completed_before_another_is_stopped(text: str) -> None:
    assert answered(text, BOTH_HAVE_ROWS).winner is WHITE


def test_threats_by_itself_stops_the_longer_row_instead() -> None:
    """As its text says: the utility does not ask whose sequence it is, nor how many stones are left."""
    assert answered("threats", BOTH_HAVE_ROWS).moves[-1] == Move("B3H3")


@pytest.mark.parametrize("seed", range(3))
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
def test_a_threat_is_stopped(text: str, setup: str, seed: int) -> None:
    assert threat_number(answered(text, setup, seed), BLACK) == 0


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


def test_moves_have_no_order_for_an_agent() -> None:
    """The same position by another way is answered the same."""
    one, other = Position.parse("J10 I9K9 J8L9"), Position.parse("J10 K9I9 L9J8")
    agent = make_agent("sequences", 3)
    assert (
        agent.choose(one, Budget()).move
        == agent.choose(other, Budget()).move
        == Move(agent.choose(one, Budget()).move.squares)
    )


ENDLESS = [
    "monte-carlo:games=1000000000",
    "minimax:threats,depth=100,top=1000",
    "minimax:(monte-carlo:games=1000000000),depth=100",
    "opening-book:atlas,then=(minimax:(monte-carlo:games=1000000000),depth=100)",
]


@pytest.mark.parametrize("text", ENDLESS)
def test_who_thinks_for_long_can_be_stopped(text: str) -> None:
    agent, position, control = make_agent(text, 1), Position.parse("J10 A1A2"), Control()
    with ThreadPoolExecutor(1) as threads:
        thinking = threads.submit(ask, agent, position, Budget(depth=50), control=control)
        with pytest.raises(TimeoutError):
            thinking.result(0.3)
        control.stop()
        assert len(position.after(thinking.result(120).move).turns) == 3


@pytest.mark.parametrize("text", ENDLESS)
def test_who_is_stopped_before_he_begins_still_moves(text: str) -> None:
    position, control = Position.parse("J10 A1A2"), Control()
    control.stop()
    assert len(ask(make_agent(text, 1), position, Budget(), control=control).move) == 2


def test_agents_that_cannot_be_stopped_are_asked_as_before() -> None:
    class Plain:
        name = "plain"

        def choose(self, position: Position, budget: Budget) -> Choice:
            return Choice(Move("K11I9"))

        def close(self) -> None:
            pass

    assert ask(Plain(), Position.parse("J10"), Budget(), control=Control(), report=print).move == Move("K11I9")
