"""Ratings of many players from their games: maximum likelihood, with draws and the advantage of moving first.

The model is Davidson's: with x the difference in strength plus the advantage of Black, he wins, draws and loses in the
proportions exp(x/2) : nu : exp(-x/2). Its likelihood has one summit, which Newton's method finds, and the curvature
there gives the error bars.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

from tengen.arena.statistics import ELO_PER_LOGIT
from tengen.game import TengenError
from tengen.play.intervals import NORMAL, quantile

_FAR = 12.0
"""Logits (some 2000 Elo) beyond which a summit is taken to lie at infinity."""
_STEPS = 100
_ENOUGH = 1e-10

Matrix = list[list[float]]


@dataclass(frozen=True)
class Result:
    """The games of one pair of players with these colours."""

    black: int
    white: int
    wins: float
    """Games that Black won."""
    draws: float
    losses: float

    @property
    def games(self) -> float:
        """How many games it is about."""
        return self.wins + self.draws + self.losses


@dataclass(frozen=True)
class Ratings:
    """Strengths in Elo, the mean of all players being 0."""

    elo: tuple[float, ...]
    covariance: tuple[tuple[float, ...], ...]
    """Of the ratings, in Elo squared."""
    black_advantage: float
    """What moving first is worth, in Elo."""
    black_advantage_error: float
    """The standard error of that."""
    draw_share: float
    """How many of the games of equal players without an advantage are drawn, from 0 to 1."""
    is_bounded: bool
    """Whether the games alone bound everything. If somebody won or lost all games, or all were drawn, they do not; then
    each pair that met counts as having played one more game with each colour, half won and half lost."""

    def error(self, player: int, confidence: float = 0.95) -> float:
        """How far to either side of a rating its interval reaches."""
        return quantile(confidence) * math.sqrt(max(self.covariance[player][player], 0.0))

    def superiority(self, player: int, other: int) -> float:
        """How likely it is that a player is stronger than another, from 0 to 1."""
        c = self.covariance
        variance = c[player][player] + c[other][other] - 2 * c[player][other]
        difference = self.elo[player] - self.elo[other]
        return 0.5 if player == other or variance <= 0 else NORMAL.cdf(difference / math.sqrt(variance))


def fit(players: int, results: Sequence[Result]) -> Ratings:
    """The ratings under which the results are likeliest.

    With many draws a step of x moves the score less than it does without; the ratings are scaled so that a small
    difference in Elo means the score that it always means.

    Raises:
        TengenError: if there are no games, or the players fall into groups that never met.
    """
    played = [result for result in results if result.games]
    if not played:
        raise TengenError("there are no games to rate")
    _check_connected(players, played)
    has_draws = any(result.draws for result in played)
    model = _Model(players, played, has_draws)
    found = model.summit()
    is_bounded = found is not None
    if found is None:
        pairs = {tuple(sorted((result.black, result.white))) for result in played}
        virtual = [Result(*colours, 0.5, 0.0, 0.5) for a, b in sorted(pairs) for colours in ((a, b), (b, a))]
        model = _Model(players, [*played, *virtual], has_draws)
        found = model.summit()
        if found is None:
            raise TengenError("the games bound no ratings")
    nu = math.exp(found[players + 1]) if has_draws else 0.0
    scale = ELO_PER_LOGIT * 2 / (2 + nu)
    covariance = _inverse(model.curvature(found))
    # The curvature was made regular by the sum of all ratings, which must not count as uncertainty.
    ratings = tuple(
        tuple((covariance[i][j] - 1 / players**2) * scale**2 for j in range(players)) for i in range(players)
    )
    return Ratings(
        tuple(found[player] * scale for player in range(players)),
        ratings,
        found[players] * scale,
        math.sqrt(covariance[players][players]) * scale,
        nu / (2 + nu),
        is_bounded,
    )


class _Model:
    """The likelihood of the results. Its parameters: the players' strengths, Black's advantage, the logarithm of nu."""

    def __init__(self, players: int, results: Sequence[Result], has_draws: bool) -> None:
        self.players = players
        self.results = results
        self.size = players + 2 if has_draws else players + 1

    def summit(self) -> list[float] | None:
        """The likeliest parameters; None if they lie at infinity."""
        at = [0.0] * self.size
        for _ in range(_STEPS):
            step = _solved(self.curvature(at), self.gradient(at))
            longest = max(map(abs, step))
            # Newton's step may lead too far at first.
            factor = min(1.0, 2.0 / longest) if longest else 1.0
            at = [value + factor * change for value, change in zip(at, step, strict=True)]
            if max(map(abs, at)) > _FAR:
                return None
            if longest < _ENOUGH:
                return at
        return None

    def _shares(self, at: Sequence[float], result: Result) -> tuple[float, float, float]:
        half = (at[result.black] - at[result.white] + at[self.players]) / 2
        win, loss = math.exp(half), math.exp(-half)
        draw = math.exp(at[self.players + 1]) if self.size > self.players + 1 else 0.0
        total = win + draw + loss
        return win / total, draw / total, loss / total

    def gradient(self, at: Sequence[float]) -> list[float]:
        """Where the likelihood rises."""
        slope = [0.0] * self.size
        for result in self.results:
            win, draw, loss = self._shares(at, result)
            surplus = (result.wins - result.losses - result.games * (win - loss)) / 2
            slope[result.black] += surplus
            slope[result.white] -= surplus
            slope[self.players] += surplus
            if self.size > self.players + 1:
                slope[self.players + 1] += result.draws - result.games * draw
        return slope

    def curvature(self, at: Sequence[float]) -> Matrix:
        """How fast the likelihood falls off, with a term that holds the sum of the strengths at zero."""
        matrix = [[0.0] * self.size for _ in range(self.size)]
        for row in matrix[: self.players]:
            row[: self.players] = [1.0] * self.players
        for result in self.results:
            win, draw, loss = self._shares(at, result)
            # The covariance of (wins - losses) / 2 and draws in one game.
            spread = (win + loss - (win - loss) ** 2) / 4 * result.games
            cross = -(win - loss) * draw / 2 * result.games
            signs = ((result.black, 1), (result.white, -1), (self.players, 1))
            for a, sign in signs:
                for b, other in signs:
                    matrix[a][b] += sign * other * spread
                if self.size > self.players + 1:
                    matrix[a][-1] += sign * cross
                    matrix[-1][a] += sign * cross
            if self.size > self.players + 1:
                matrix[-1][-1] += draw * (1 - draw) * result.games
        return matrix


def _check_connected(players: int, results: Sequence[Result]) -> None:
    reached, waiting = {results[0].black}, [results[0].black]
    while waiting:
        player = waiting.pop()
        for result in results:
            for a, b in ((result.black, result.white), (result.white, result.black)):
                if a == player and b not in reached:
                    reached.add(b)
                    waiting.append(b)
    if len(reached) < players:
        raise TengenError("not all players are linked by games, so that their ratings cannot be compared")


def _solved(matrix: Matrix, right: Sequence[float]) -> list[float]:
    return [row[0] for row in _eliminated(matrix, [[value] for value in right])]


def _inverse(matrix: Matrix) -> Matrix:
    size = len(matrix)
    return _eliminated(matrix, [[float(i == j) for j in range(size)] for i in range(size)])


def _eliminated(matrix: Matrix, right: Matrix) -> Matrix:
    """Solves a system with a symmetric positive matrix, which needs no search for pivots. What is free becomes zero."""
    size = len(matrix)
    rows = [[*left, *more] for left, more in zip(matrix, right, strict=True)]
    for i in range(size):
        pivot = rows[i][i]
        if pivot < 1e-10 * matrix[i][i]:  # where one colour each was played, Black's advantage cannot be told apart
            rows[i] = [0.0] * len(rows[i])
            continue
        rows[i] = [value / pivot for value in rows[i]]
        for j in range(size):
            if j != i and (factor := rows[j][i]):
                rows[j] = [value - factor * own for value, own in zip(rows[j], rows[i], strict=True)]
    return [row[size:] for row in rows]
