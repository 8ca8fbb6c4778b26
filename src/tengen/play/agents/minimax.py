"""Minimax with alpha-beta over any agent that offers moves with utilities.

As in the paper: a level of the search is one stone, and only the best few moves of each level are explored. Within a
turn the stones have no order, so a square that has been tried is marked and not tried again beside the others of that
turn: each set of stones is searched once. The marks go when the turn ends. A row is worth more than anything, the
sooner the more.

At the last level a move is worth the utility that the agent gives it, for the player who makes it. That suits an
agent whose utility tells how good the board is afterwards, as Sequences. The utility of Threats tells how urgent a
square is, for both sides alike; such an agent can offer a value of the board as well (`Evaluating`), which then takes
its place.
"""

from __future__ import annotations

import math
import time
from typing import Annotated, NamedTuple

from tengen import _native
from tengen.game import Move, Position, Square, TengenError
from tengen.play.agent import Budget, Choice, check_goes_on, taking
from tengen.play.ranking import (
    Evaluating,
    NativeRankingAgent,
    Ranking,
    as_asked,
    described,
    drawn_seed,
    middle,
    salt,
    shuffled_ties,
)

DEPTH = 4
TOP = 10
SECONDS = 1.0
"""The limit of a move where neither the agent nor the budget says anything of depth, nodes or time."""
MAX_DEPTH = 100
MAX_TOP = 1_000_000


class Found(NamedTuple):
    """The result of a search."""

    line: tuple[Square, ...]
    """The stones expected, one after the other, of whoever's turn it is."""
    value: float
    """What it comes to, for the player to move."""
    nodes: int
    """How many stones were tried."""
    complete: bool
    """Whether all was searched."""


class Minimax:
    """Looks ahead with the moves and utilities of another agent.

    Raises:
        TengenError: if the agent offers no utilities, or a parameter makes no sense.
    """

    def __init__(
        self,
        over: Annotated[Ranking, "the agent whose moves and utilities are searched"],
        *,
        depth: Annotated[int | None, f"how many stones ahead, {DEPTH} unless told"] = None,
        top: Annotated[int, "how many moves to try at each level"] = TOP,
        board: Annotated[bool, "value the last level by the board, where the agent can, not by the move"] = True,
        seed: int | None = None,
    ) -> None:
        if not isinstance(over, Ranking):
            raise TengenError("minimax needs an agent that offers moves with utilities")
        if not 1 <= top <= MAX_TOP or (depth is not None and not 1 <= depth <= MAX_DEPTH):
            raise TengenError(f"depth is 1 to {MAX_DEPTH}, and top 1 to {MAX_TOP:,}")
        self.over, self.depth, self.top, self.board = over, depth, top, board
        self.seed = drawn_seed(seed)
        self.name = described(
            "minimax", over.name, depth=depth, top=None if top == TOP else top, board=None if board else False
        )

    def choose(self, position: Position, budget: Budget, *, control: _native.Control | None = None) -> Choice:
        """The first stones of the best line. `Budget.depth` counts moves.

        Args:
            position: where to move.
            budget: what it may cost.
            control: lets another thread stop the search; the best so far is the answer then.

        Raises:
            TengenError: if the game is over.
        """
        check_goes_on(position)
        depth = self.depth or DEPTH
        if budget.depth is not None:
            depth = min(MAX_DEPTH, position.stones_left + (budget.depth - 1) * position.game.p)
        seconds = budget.time_limit()
        if seconds is None and budget.nodes is None and budget.depth is None and self.depth is None:
            seconds = SECONDS
        end = None if seconds is None else time.perf_counter() + seconds
        trial, stones, nodes, found = position.copy(), list[Square](), 0, None
        if trial.stone_count == 0:
            stones.append(middle(trial))
            trial.play(stones[0])
        while len(stones) < position.stones_left and not trial.is_over:
            left = None if end is None else max(0.001, end - time.perf_counter())
            most = None if budget.nodes is None else max(1, budget.nodes - nodes)
            found = self.search(trial, depth, nodes=most, seconds=left, control=control)
            nodes += found.nodes
            for stone in found.line[: trial.stones_left]:
                trial.play(stone)
                stones.append(stone)
        decided = found is not None and abs(found.value) > _native.SEARCH_WIN / (2 * MAX_DEPTH)
        win = float(found.value > 0) if found is not None and decided else None
        return Choice(Move(stones), win=win, depth=depth, nodes=nodes)

    def search(
        self,
        position: Position,
        depth: int,
        nodes: int | None = None,
        seconds: float | None = None,
        control: _native.Control | None = None,
    ) -> Found:
        """The best line from a position with a stone or more on it; at least one stone, also if it is stopped at once.

        Args:
            position: where to look.
            depth: how many stones ahead.
            nodes: at most so many stones are tried.
            seconds: at most so long.
            control: lets another thread stop it.

        Raises:
            TengenError: if the game is over, or beyond what the ranking knows.
        """
        check_goes_on(position)
        drawn = salt(self.seed, position)
        control = control or _native.Control()
        found = self._search(position, depth, nodes, seconds, control, drawn)
        if found.line:
            return found
        ranked = taking(self.over.rank, control=control)(position)
        return found._replace(line=(shuffled_ties(ranked, drawn)[0][0],))

    def _search(
        self,
        position: Position,
        depth: int,
        nodes: int | None,
        seconds: float | None,
        control: _native.Control,
        drawn: int,
    ) -> Found:
        if not isinstance(self.over, NativeRankingAgent):
            return GenericSearch(self.over, position, self.top, self.board, drawn, nodes, seconds, control).run(depth)
        line, value, spent, complete = self.over.native.search(
            control,
            *as_asked(position),
            depth,
            self.top,
            self.board,
            nodes or 0,
            seconds or 0.0,
            drawn,
        )
        return Found(tuple(Square(x, y) for x, y in line), value, spent, complete)

    def close(self) -> None:
        """Closes the agent searched over, where it can be."""
        if callable(close := getattr(self.over, "close", None)):
            close()


class _StoppedError(Exception):
    """Ends a search at one of its limits."""


class GenericSearch:
    """The search over any ranking: what `native/agent_search.hpp` does for those of our own, move for move."""

    def __init__(
        self,
        ranking: Ranking,
        position: Position,
        top: int,
        board: bool,
        salt: int,
        nodes: int | None,
        seconds: float | None,
        control: _native.Control | None = None,
    ) -> None:
        control = control or _native.Control()
        self._rank = taking(ranking.rank, control=control)
        self._position, self._top, self._salt, self._control = position.copy(), top, salt, control
        self._evaluate = ranking.evaluate if board and isinstance(ranking, Evaluating) else None
        self._most_nodes = nodes
        self._end = None if seconds is None else time.perf_counter() + seconds
        self._nodes = 0
        self._best = Found((), 0.0, 0, False)

    def run(self, depth: int) -> Found:
        """The best line found; if cut short, of the first moves searched by then, or just the one that ranks first."""
        try:
            self._search(depth, -math.inf, math.inf, 0, frozenset())
            complete = True
        except _StoppedError:
            complete = False
        return self._best._replace(nodes=self._nodes, complete=complete)

    def _search(
        self, depth: int, alpha: float, beta: float, ply: int, marked: frozenset[Square]
    ) -> tuple[float, tuple[Square, ...]] | None:
        """The value for the player to move, with the line to it; None if every move is marked."""
        if self._control.stopped or (self._end is not None and time.perf_counter() > self._end):
            raise _StoppedError
        position, turn = self._position, self._position.turn
        best: tuple[float, tuple[Square, ...]] | None = None
        for square, utility in self._candidates(marked, ply):
            self._nodes += 1
            if self._most_nodes is not None and self._nodes > self._most_nodes:
                raise _StoppedError
            position.play(square)
            found: tuple[float, tuple[Square, ...]] | None = None
            if position.winner is not None:
                found = _native.SEARCH_WIN / (1 + ply), ()
            elif position.is_over:
                found = 0.0, ()
            elif depth == 1:
                found = (utility if self._evaluate is None else self._evaluate(position, turn)), ()
            elif position.turn is turn:
                found = self._search(depth - 1, alpha, beta, ply + 1, marked)
            elif (reply := self._search(depth - 1, -beta, -alpha, ply + 1, frozenset())) is not None:
                found = -reply[0], reply[1]
            position.undo()
            marked |= {square}
            if found is None or (best is not None and found[0] <= best[0]):
                continue
            best = found[0], (square, *found[1])
            if ply == 0:
                self._best = Found(best[1], best[0], 0, False)
            alpha = max(alpha, best[0])
            if alpha >= beta:
                break
        return best

    def _candidates(self, marked: frozenset[Square], ply: int) -> list[tuple[Square, float]]:
        moves = [move for move in self._rank(self._position) if move[0] not in marked]
        moves = shuffled_ties(moves, self._salt)[: self._top]
        if ply == 0 and moves:
            self._best = Found((moves[0][0],), moves[0][1], 0, False)
        return moves
