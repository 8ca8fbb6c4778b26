"""The engine: alpha-beta over whole moves, with the threat solver at every position."""

from __future__ import annotations

import math
import os
import random
from collections.abc import Callable, Collection, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Annotated, Any

from tengen import _native
from tengen.game import BLACK, Colour, Game, Move, Position, TengenError
from tengen.play.agent import Budget, Choice, check_goes_on
from tengen.play.agents.simple import Simple
from tengen.play.evaluation import LOGIT, Weights, weights_for
from tengen.play.network import read_network
from tengen.play.opener import Opener, Statistics, opener_named
from tengen.play.ranking import described, drawn_seed, middle, salt
from tengen.solve.limits import check_limits
from tengen.solve.solver import MAX_K, MAX_P
from tengen.solve.window import Window, windows

if TYPE_CHECKING:
    pass

EVALUATIONS = ("counts", "network", "huang")
LEVELS = 10
DEFAULT_SECONDS = 1.0
_MAX_DEPTH = 60
_TABLE_BITS = 18
_WIN_MARGIN = 1000
_UNPROVED = 0.01
"""However good a position looks, so much is left for what was not looked at: 0 and 1 are certain."""
_STATUS_STEPS = (0.60, 0.72, 0.85, 0.95)
"""From which chance of winning on a side has the statuses 1 to 4."""
_UNSTABLE_STEPS = (0.10, 0.25)
"""From which change of that chance from one step of the search to the next a level position is unstable1, unstable2."""

_GOOD_IN_BOOK = 0.5
"""A move of the book is taken if it won more than this share of its games."""


@dataclass(frozen=True)
class _Remembered:
    """What the engine found out when it was last asked, and where that was."""

    memory: _native.EngineMemory
    position: Position
    window: Window
    threads: int

    def leads_to(self, position: Position, window: Window, threads: int) -> bool:
        """Whether that game has gone on to a position: only then does it help, and games can still be repeated."""
        before = self.position
        return (
            (before.game, self.window, self.threads) == (position.game, window, threads)
            and before.stone_count < position.stone_count
            and all(set(before.stones(colour)) <= set(position.stones(colour)) for colour in Colour)
        )


@dataclass(frozen=True)
class _Level:
    """How somebody of some skill plays: how far he sees threats, how deep he looks, how sure his judgement is."""

    depth: int
    threats: int
    width: int
    doubt: float
    """Scores that lie so close together (in log-odds) look alike to him."""


_LEVELS = (
    _Level(1, 2, 6, 0.8),
    _Level(1, 4, 8, 0.5),
    _Level(1, 10, 8, 0.35),
    _Level(2, 20, 8, 0.25),
    _Level(2, 40, 10, 0.18),
    _Level(2, 100, 12, 0.12),
    _Level(3, 150, 12, 0.08),
    _Level(3, 400, 14, 0.04),
    _Level(4, 400, 14, 0.0),
)
"""Levels 1 to 9; the tenth is the engine without any limit of skill."""


class Engine:
    """The strongest player of the house: searches whole moves, with the threat solver at every position.

    While a game goes on it remembers what it has found out; asked about anything else, it begins anew.

    Raises:
        TengenError: if a parameter makes no sense.
    """

    def __init__(
        self,
        *,
        level: Annotated[int, "from 1, a beginner, to 10, full strength"] = LEVELS,
        seconds: Annotated[float | None, "for a move, unless the game's clock says otherwise"] = None,
        nodes: Annotated[int | None, "positions for a move; with this and one thread, play is repeatable"] = None,
        depth: Annotated[int | None, "moves to look ahead"] = None,
        evaluation: Annotated[str, "counts, network, or huang (Huang's thesis)"] = EVALUATIONS[0],
        weights: Annotated[
            str | None, "file with weights for the evaluation, from bench/learn_evaluation.py or training"
        ] = None,
        threads: Annotated[int | None, "number of threads [default: all cores]"] = None,
        book: Annotated[
            str | None, "to open with: atlas, for proved openings, or a book by 'tengen book build'"
        ] = None,
        seed: int | None = None,
    ) -> None:
        if not 1 <= level <= LEVELS:
            raise TengenError(f"the levels are 1 to {LEVELS}, not {level}")
        if evaluation not in EVALUATIONS:
            raise TengenError(f"unknown evaluation {evaluation!r} (expected {', '.join(EVALUATIONS)})")
        if threads is not None and not 1 <= threads <= 256:
            raise TengenError(f"threads are 1 to 256, not {threads}")
        check_limits(seconds=seconds, nodes=nodes, depth=depth)
        self.level, self.evaluation = level, evaluation
        self.threads = threads or os.cpu_count() or 1
        self._budget = Budget(seconds=seconds, nodes=nodes, depth=depth)
        self.seed = drawn_seed(seed)
        if evaluation == "network" and weights is None:
            raise TengenError("evaluation 'network' needs a weight file (weights=FILE); none is shipped yet")
        self._network = read_network(weights) if evaluation == "network" and weights else None
        self._weights = Weights.read(weights) if evaluation == "counts" and weights else None
        self._opener = None if book is None else _opener(book)
        self._remembered: _Remembered | None = None
        self.name = described(
            "engine",
            level=level if level < LEVELS else None,
            seconds=seconds,
            nodes=nodes,
            depth=depth,
            evaluation=evaluation if evaluation != EVALUATIONS[0] else None,
            weights=weights,
            book=book,
        )

    def choose(
        self,
        position: Position,
        budget: Budget,
        *,
        control: _native.Control | None = None,
        report: Callable[[Sequence[Choice]], object] | None = None,
    ) -> Choice:
        """The move to play: from the book, if there is one that knows a good move, else by search.

        Args:
            position: where to move.
            budget: what it may cost; what is not given is the engine's own.
            control: lets another thread stop the search; the best so far is the answer then.
            report: called with the best so far after every step of a search.

        Raises:
            TengenError: if the game is over, or the budget makes no sense.
        """
        if self._opener is not None and position.game == self._opener.game:
            known = self._opener.choose(position)
            if known is not None:
                return known
        if self.level == LEVELS:
            return self.analyse(position, budget, control=control, report=report)[0]
        found = self.analyse(position, budget, lines=8, control=control, report=report)
        return self._with_doubt(position, found, _LEVELS[self.level - 1].doubt)

    def analyse(
        self,
        position: Position,
        budget: Budget,
        *,
        lines: int = 1,
        prohibited: Collection[Move] = (),
        control: _native.Control | None = None,
        report: Callable[[Sequence[Choice]], object] | None = None,
    ) -> Sequence[Choice]:
        """The best moves, best first; none if every move that could help is prohibited.

        Args:
            position: where to look.
            budget: what it may cost; what is not given is the engine's own.
            lines: how many moves to tell.
            prohibited: moves that are not to be considered.
            control: lets another thread stop the search; the best so far is the answer then.
            report: called with the best so far after every step.

        Raises:
            TengenError: if the game is over, or the budget makes no sense.
        """
        game = position.game
        check_goes_on(position)
        check_limits(seconds=budget.seconds, nodes=budget.nodes, depth=budget.depth)
        if game.p > MAX_P or game.k > MAX_K or position.stones_left > MAX_P:  # no search goes so far
            simple = Simple(seed=self.seed).choose(position, budget)
            return [] if simple.move in prohibited else [simple]
        if position.stone_count == 0 and not prohibited and (opening := _opening_move(position)) is not None:
            return [Choice(opening, status="stable", line=(opening,))]
        window = windows(position)[0]
        settings, depth = self._settings()
        wanted = self._wanted(budget)
        seconds = wanted.time_limit()
        threads = self.threads if wanted.nodes is None else 1
        # Taken away while it is in use: whoever asks the same engine meanwhile begins anew.
        remembered, self._remembered = self._remembered, None
        if remembered is not None and remembered.leads_to(position, window, threads):
            memory = remembered.memory
        else:
            memory = _native.EngineMemory(_TABLE_BITS, threads)
        swings = _Swings()

        def tell(found: list[Any], nodes: int) -> None:
            swings.add(found)
            if report is not None:
                report(self._choices(position, window, found, nodes, swings))

        found, nodes = _native.think(
            control or _native.Control(),
            window.setup(position, BLACK),
            int(position.turn),
            position.stones_left,
            self._evaluation_weights(game),
            settings,
            max(1, lines),
            [[window.number(square) for square in move] for move in prohibited],
            min(depth, wanted.depth or _MAX_DEPTH),
            wanted.nodes or 0,
            0.6 * seconds if seconds else 0.0,
            seconds or 0.0,
            threads,
            memory,
            tell,
        )
        self._remembered = _Remembered(memory, position.copy(), window, threads)
        return self._choices(position, window, found, nodes, swings)

    def close(self) -> None:
        """Closes the book, if there is one, and forgets."""
        self._remembered = None
        if self._opener is not None:
            self._opener.close()

    def _wanted(self, budget: Budget) -> Budget:
        """What the caller says, else what the engine was made with. A clock counts as a limit of time."""
        own = self._budget
        timed = budget.seconds is not None or budget.remaining is not None
        free = budget.nodes is None and budget.depth is None and not timed
        wanted = Budget(
            seconds=own.seconds if free else budget.seconds,
            remaining=budget.remaining,
            increment=budget.increment,
            nodes=own.nodes if free else budget.nodes,
            depth=own.depth if budget.depth is None else budget.depth,
        )
        limited = wanted.time_limit() is not None or wanted.nodes is not None or wanted.depth is not None
        return wanted if limited else replace(wanted, seconds=DEFAULT_SECONDS)

    def _evaluation_weights(self, game: Game) -> _native.EvaluationWeights:
        """Return the weights for a game.

        Raises:
            TengenError: if the weights that the engine was given are for another game.
        """
        if self.evaluation == "huang":
            return _native.HuangTables()
        if self._network is None:
            return (self._weights or weights_for(game)).native(game.k)
        if (self._network.k, self._network.p) != (game.k, game.p):
            expected = f"k={self._network.k}, p={self._network.p}"
            raise TengenError(f"the network is for games with {expected}, not for {game}")
        return self._network

    def _settings(self) -> tuple[_native.EngineSettings, int]:
        settings = _native.EngineSettings()
        if self.level == LEVELS:
            return settings, _MAX_DEPTH
        level = _LEVELS[self.level - 1]
        settings.width = level.width
        settings.root_attacks = settings.attacks = 0  # quiet attacks are what a weaker player overlooks,
        settings.free_threats = 0  # and what lies behind a forced pair of moves
        settings.root_threats = settings.threats = settings.null_threats = level.threats
        settings.single_threats = 0
        return settings, level.depth

    def _choices(
        self, position: Position, window: Window, found: list[Any], nodes: int, swings: _Swings
    ) -> list[Choice]:
        choices = []
        for stones, score, depth, by_threats, is_refuted, line in found:
            win = _chance(score)
            move = Move(map(window.square, stones))
            moves = _line(position, window, line) or (move,)
            notes = {"threats": "the win is by threats"} if by_threats else {}
            if is_refuted:
                notes["refuted"] = "the opponent wins by threats"
            choices.append(Choice(move, win, _status(position.turn, score, win, swings), moves, depth, nodes, notes))
        return choices

    def _with_doubt(self, position: Position, found: Sequence[Choice], doubt: float) -> Choice:
        """One of the moves that somebody who is not sure of his judgement takes for the best."""
        best = found[0]
        if doubt == 0 or best.win is None or best.win in (0.0, 1.0):
            return best
        weights = [math.exp((_logit(choice.win or 0.0) - _logit(best.win)) / doubt) for choice in found]
        return random.Random(salt(self.seed, position)).choices(list(found), weights)[0]


def promising_moves(position: Position) -> list[Move]:
    """The moves that the engine tries in the middle of a search, the most promising first: a few dozen at most.

    Raises:
        TengenError: if the game is over, or beyond what the engine searches.
    """
    game = position.game
    check_goes_on(position)
    if game.p > MAX_P or game.k > MAX_K or position.stones_left > MAX_P:
        raise TengenError(f"{game}: the engine searches moves of up to {MAX_P} stones, and k up to {MAX_K}")
    window = windows(position)[0]
    found = _native.candidates(
        window.setup(position, BLACK), weights_for(game).native(game.k), int(position.turn), position.stones_left
    )
    return [Move(map(window.square, stones)) for stones in found]


def _opener(book: str) -> Opener:
    return opener_named(book) or Statistics(book, rule="bound", above=_GOOD_IN_BOOK)


class _Swings:
    """How much the chance of winning changed from one step of a search to the next but one.

    Whoever is to move looks better off, so that only steps of equal parity compare.
    """

    def __init__(self) -> None:
        self._chances: list[float] = []

    def add(self, found: list[Any]) -> None:
        if found:
            self._chances.append(_chance(found[0][1]))

    @property
    def last(self) -> float:
        return abs(self._chances[-1] - self._chances[-3]) if len(self._chances) >= 3 else 0.0


def _opening_move(position: Position) -> Move | None:
    """The middle of an empty board, where one stone is to be placed."""
    if position.stones_left != 1:
        return None
    return Move([middle(position)])


def _line(position: Position, window: Window, moves: list[list[int]]) -> tuple[Move, ...]:
    """The moves expected. In a line of threats only the stones that meet them are told: the rest of such a turn is
    passed."""
    trial, line = position.copy(), []
    for stones in moves:
        move = Move(map(window.square, stones), is_pass=len(stones) < trial.stones_left)
        trial.play(move)
        line.append(move)
    return tuple(line)


def _chance(score: int) -> float:
    if abs(score) >= _native.ENGINE_WIN - _WIN_MARGIN:
        return float(score > 0)
    return min(max(1 / (1 + math.exp(-max(-30.0, min(30.0, score / LOGIT)))), _UNPROVED), 1 - _UNPROVED)


def _logit(chance: float) -> float:
    clipped = min(max(chance, 1e-6), 1 - 1e-6)
    return math.log(clipped / (1 - clipped))


def _status(turn: Colour, score: int, win: float, swings: _Swings) -> str:
    """On the scale Bw, B4 to B1, stable, unstable1, unstable2, W1 to W4, Ww."""
    ahead = turn if win >= 0.5 else turn.opponent
    if abs(score) >= _native.ENGINE_WIN - _WIN_MARGIN:
        return f"{ahead.letter}w"
    chance = max(win, 1 - win)
    step = sum(chance >= least for least in _STATUS_STEPS)
    if step:
        return f"{ahead.letter}{step}"
    unrest = sum(swings.last >= least for least in _UNSTABLE_STEPS)
    return f"unstable{unrest}" if unrest else "stable"
