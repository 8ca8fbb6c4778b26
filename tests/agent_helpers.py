"""Agents to test and positions to ask them about."""

import random

from hypothesis import strategies as st
from reference import agents as reference
from reference.positions import random_position, to_move

from tengen import Colour, Game, Position, Square
from tengen.play import Agent, Budget, Ranking, make_agent
from tengen.play.ranking import NativeRankingAgent

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
