"""Training positions from games.

A game contributes one sample for each move after the sampled opening: the position at the start of the turn (two stones
left), or the position after one of the two stones, chosen at random (one stone left). Targets:

- Value: win, draw or loss for the side to move; a mixture of the game's result and the search's win probability.
- Policy: the stones that are still placed in this turn; with two stones left each of them has probability 1/2. Moves
  of the loser are policy targets only in games of the engine, which have search values.

The final position of a game, whose winner the search has proved, has a value target but no policy target: moves that
win by threats are found by the solver, not by the network.
"""

from __future__ import annotations

import random
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from tengen import Move
from training.patterns import EMPTY, OFF, OTHER, OWN
from training.selfplay import SelfPlayGame, read_games

HELD_OUT_EVERY = 20
"""Every 20th game by number is held out."""
NO_SQUARE = -1
START_OF_TURN_SHARE = 0.65
"""Share of the samples with two stones left, the positions that the engine evaluates."""


@dataclass(frozen=True)
class Samples:
    """Positions as arrays, one row for each."""

    cells: NDArray[np.uint8]
    """(n, side, side): EMPTY, OWN (the side to move), OTHER, OFF."""
    left: NDArray[np.uint8]
    """Stones left in the turn: 1 or 2."""
    value: NDArray[np.float32]
    """(n, 3): target probabilities of win, draw and loss for the side to move."""
    outcome: NDArray[np.float32]
    """(n, 3): the game's result alone; the search value in games without a result."""
    target: NDArray[np.int32]
    """(n, 2): squares of the policy target as y * side + x, NO_SQUARE where there is none."""

    def __len__(self) -> int:
        return len(self.left)

    def rows(self, rows: NDArray[np.int64]) -> Samples:
        """Return the samples with the given row numbers."""
        return Samples(self.cells[rows], self.left[rows], self.value[rows], self.outcome[rows], self.target[rows])


@dataclass(frozen=True)
class Split:
    """The same kind of board, separated into training and held-out games."""

    train: Samples
    held_out: Samples


def load(files: Iterable[Path], frame: int, *, sides: Iterable[int], search_share: float) -> Split:
    """Read games into samples.

    Args:
        files: games as written by `training.selfplay`.
        frame: side of the arrays; smaller boards are surrounded by OFF.
        sides: board sides to take.
        search_share: share of the search's win probability in the value target; the rest is the game's result.
    """
    wanted = set(sides)
    train, held_out = _Builder(frame), _Builder(frame)
    for file in files:
        for game in read_games(file):
            if game["side"] in wanted:
                (held_out if game["number"] % HELD_OUT_EVERY == 0 else train).add(game, search_share)
    return Split(train.samples(), held_out.samples())


class _Builder:
    def __init__(self, frame: int) -> None:
        self._frame = frame
        self._cells: list[NDArray[np.uint8]] = []
        self._left: list[int] = []
        self._values: list[tuple[float, float, float]] = []
        self._outcomes: list[tuple[float, float, float]] = []
        self._targets: list[tuple[int, int]] = []

    def add(self, game: SelfPlayGame, search_share: float) -> None:
        rng = random.Random(game["number"])
        side, first = game["side"], game["sampled"]
        board = np.full((self._frame, self._frame), OFF, np.uint8)
        board[:side, :side] = EMPTY
        for number, turn, squares in _turns(game):
            if number >= first:
                self._add_turn(board, turn, squares, game, number - first, search_share, rng)
            for x, y in squares:
                board[y, x] = OWN if turn == "B" else OTHER

    def _add_turn(
        self,
        board: NDArray[np.uint8],
        turn: str,
        squares: list[tuple[int, int]],
        game: SelfPlayGame,
        number: int,
        search_share: float,
        rng: random.Random,
    ) -> None:
        is_searched = number < len(game["values"])
        search = game["values"][number] if is_searched else 0.0
        by_search = (search, 0.0, 1 - search)
        if game["result"] is None:
            if not is_searched:
                return
            outcome = by_search
        else:
            outcome = _outcome(game["result"], turn)
        share = search_share if is_searched else 0.0
        value = [(1 - share) * a + share * b for a, b in zip(outcome, by_search, strict=True)]
        cells = _relative(board) if turn == "W" else board.copy()
        targets = [y * self._frame + x for x, y in squares]
        rng.shuffle(targets)
        left = 2 if len(targets) != 1 and rng.random() < START_OF_TURN_SHARE else 1
        if len(targets) == 2 and left == 1:
            cells.flat[targets.pop()] = OWN
        if not is_searched and outcome[0] == 0:
            targets = []
        self._append(cells, left, value, outcome, targets)

    def _append(
        self, cells: NDArray[np.uint8], left: int, value: list[float], outcome: tuple[float, ...], targets: list[int]
    ) -> None:
        self._cells.append(cells)
        self._left.append(left)
        self._values.append((value[0], value[1], value[2]))
        self._outcomes.append((outcome[0], outcome[1], outcome[2]))
        padded = [*targets, NO_SQUARE, NO_SQUARE]
        self._targets.append((padded[0], padded[1]))

    def samples(self) -> Samples:
        count, frame = len(self._left), self._frame
        return Samples(
            np.stack(self._cells) if count else np.zeros((0, frame, frame), np.uint8),
            np.array(self._left, np.uint8),
            np.array(self._values, np.float32).reshape(count, 3),
            np.array(self._outcomes, np.float32).reshape(count, 3),
            np.array(self._targets, np.int32).reshape(count, 2),
        )


def _turns(game: SelfPlayGame) -> Iterator[tuple[int, str, list[tuple[int, int]]]]:
    """Yield number, colour and stones of each move, and of the final position with no stones."""
    for number, text in enumerate(game["moves"]):
        yield number, "BW"[number % 2], [(square.x, square.y) for square in Move(text)]
    yield len(game["moves"]), "BW"[len(game["moves"]) % 2], []


def _outcome(result: str, turn: str) -> tuple[float, float, float]:
    if result == "D":
        return 0.0, 1.0, 0.0
    return (1.0, 0.0, 0.0) if result == turn else (0.0, 0.0, 1.0)


def _relative(board: NDArray[np.uint8]) -> NDArray[np.uint8]:
    """Return the board with OWN and OTHER exchanged."""
    exchange = np.array([EMPTY, OTHER, OWN, OFF], np.uint8)
    exchanged: NDArray[np.uint8] = exchange[board]
    return exchanged
