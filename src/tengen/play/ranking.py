"""Agents that say of every square what a stone there is worth, and place their stones one after the other."""

from __future__ import annotations

import secrets
from abc import ABC, abstractmethod
from collections.abc import Sequence
from typing import Protocol, runtime_checkable

from tengen import _native
from tengen.game import Colour, Move, Position, Square
from tengen.play.agent import Budget, Choice, check_goes_on

Ranked = tuple[Square, float]
"""A square with its utility for the player to move."""


@runtime_checkable
class Ranking(Protocol):
    """Offers moves with utilities: all that a minimax search needs."""

    @property
    def name(self) -> str:
        """What tables and records call it."""

    def rank(self, position: Position) -> list[Ranked]:
        """Empty squares for one stone of the player to move, best first; at least one while the game goes on.

        Raises:
            TengenError: if the game is over, or beyond what the ranking knows.
        """


@runtime_checkable
class Evaluating(Protocol):
    """Tells what a board is worth. A minimax search prefers this to the utility of the last move."""

    def evaluate(self, position: Position, colour: Colour) -> float:
        """The value of the position for a player, whoever is to move."""


class RankingAgent(ABC):
    """Plays the squares of highest utility. Equal ones are drawn from the seed and the position: the same seed plays
    the same move in the same position, whatever was asked before."""

    name: str

    def __init__(self, *, seed: int | None = None) -> None:
        self.seed = drawn_seed(seed)

    @abstractmethod
    def rank(self, position: Position) -> list[Ranked]:
        """Empty squares for one stone of the player to move, best first; at least one while the game goes on.

        Raises:
            TengenError: if the game is over, or beyond what the ranking knows.
        """

    def choose(self, position: Position, budget: Budget) -> Choice:
        """The best square for each stone of the turn, one after the other; on an empty board the middle comes first.

        Raises:
            TengenError: if the game is over, or beyond what the agent knows.
        """
        return Choice(place_stones(position, lambda trial: self.pick(self.rank(trial), trial)))

    def pick(self, ranked: list[Ranked], position: Position) -> Square:
        """One of the squares with the highest utility."""
        best = ranked[0][1]
        return shuffled_ties([move for move in ranked if move[1] == best], salt(self.seed, position))[0][0]

    def close(self) -> None:  # noqa: B027
        """There is nothing to let go of, unless a subclass holds something."""


class NativeRankingAgent(RankingAgent):
    """An agent whose ranking is native: a search over it can be native as well."""

    def __init__(self, native: _native.Ranking, *, seed: int | None = None) -> None:
        super().__init__(seed=seed)
        self.native = native

    def rank(self, position: Position) -> list[Ranked]:
        """Empty squares for one stone of the player to move, best first, equal ones row by row from below.

        Raises:
            TengenError: if the game is over.
        """
        check_goes_on(position)
        return as_ranked(self.native.rank(*as_asked(position)))


def as_asked(position: Position) -> tuple[_native.Board, int, bool, Colour, int]:
    """A position and whose turn it is, as the native side wants to be asked."""
    game = position.game
    return position.native_board, game.p, game.maker_breaker, position.turn, position.stones_left


def as_ranked(listed: list[tuple[int, int, float]]) -> list[Ranked]:
    """What the native side lists."""
    return [(Square(x, y), utility) for x, y, utility in listed]


def place_stones(position: Position, next_stone: NextStone) -> Move:
    """The move that comes of asking for one stone after the other until the turn or the game ends.

    Raises:
        TengenError: if the game is over.
    """
    check_goes_on(position)
    trial = position.copy()
    stones: list[Square] = []
    while len(stones) < position.stones_left and not trial.is_over:
        stone = middle(trial) if trial.stone_count == 0 else next_stone(trial)
        trial.play(stone)
        stones.append(stone)
    return Move(stones)


class NextStone(Protocol):
    """Says where the next stone of a turn goes."""

    def __call__(self, position: Position, /) -> Square:
        """An empty square."""


def middle(position: Position) -> Square:
    """The middle of the board: where the first stone of a game goes."""
    return next(position.empty_squares(within=0))


def drawn_seed(seed: int | None) -> int:
    """A seed of 64 bits: the one given, or a random one."""
    return secrets.randbits(64) if seed is None else seed % (1 << 64)


def salt(seed: int, position: Position) -> int:
    """What draws among equals in a position."""
    return _native.mix(seed ^ position.key)


def shuffled_ties(ranked: Sequence[Ranked], salt: int) -> list[Ranked]:
    """The squares, best first, with equal ones in an order drawn from the salt."""
    return sorted(ranked, key=lambda move: (-move[1], _native.tie_key(move[0].x, move[0].y, salt)))


def described(name: str, *values: str, **parameters: str | float | None) -> str:
    """The name of an agent, with values that need no name and parameters that are worth a word (not None), as
    `make_agent` reads it.

    >>> described("opening-book", "my,book.jsonl", then="minimax:threats", significant=None)
    'opening-book:(my,book.jsonl),then=(minimax:threats)'
    """
    words = [_word(value) for value in values]
    words += [f"{key}={_word(value)}" for key, value in parameters.items() if value is not None]
    return f"{name}:{','.join(words)}" if words else name


def _word(value: str | float) -> str:
    if isinstance(value, bool):
        return "yes" if value else "no"
    text = str(value).removesuffix(".0") if isinstance(value, float) else str(value)
    return f"({text})" if any(letter in text for letter in ",:=()") else text
