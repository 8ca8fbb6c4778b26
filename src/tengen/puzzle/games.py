"""Games to mine: the engine against itself, quickly and with mistakes, for a game without them has few puzzles."""

from __future__ import annotations

import random
from collections.abc import Iterator
from itertools import count

from tengen.game import CONNECT6, Game, Position
from tengen.play import Budget, Engine

SELF_PLAY = "self-play"
_LEVELS = (1, 2, 3, 4, 5, 6, 7)
_NODES = 150
_FREE_MOVES, _FREE_CHOICE = 4, 6
"""After the first stone, so many moves are a free choice among so many of the engine's best."""
_MAX_MOVES = 60


def played_game(seed: int, game: Game = CONNECT6) -> Position:
    """The last position of a game between two levels of the engine; the same seed gives the same game anywhere."""
    rng = random.Random(seed)
    players = [Engine(threads=1, seed=seed, level=rng.choice(_LEVELS)) for _ in range(2)]
    position = Position(game)
    budget = Budget(nodes=_NODES)
    while not position.is_over and len(position.moves) < _MAX_MOVES:
        played = len(position.moves)
        player = players[played % 2]
        if 0 < played <= _FREE_MOVES:
            position.play(rng.choice(player.analyse(position, budget, lines=_FREE_CHOICE)).move)
        else:
            position.play(player.choose(position, budget).move)
    return position


def self_play(first: int = 0, game: Game = CONNECT6) -> Iterator[Position]:
    """Games without end, from a seed on."""
    return (played_game(seed, game) for seed in count(first))
