"""Makes a puzzle of a position, if there is one in it."""

from __future__ import annotations

from collections.abc import Iterable

from tengen.game import Move, Position
from tengen.play import promising_moves
from tengen.prove import defend
from tengen.puzzle.grade import graded
from tengen.puzzle.hidden import find_hidden_win
from tengen.puzzle.judge import QUIET, Judge, leaves_little_choice
from tengen.puzzle.puzzle import Limits, Puzzle
from tengen.puzzle.trim import simplified, squares_of
from tengen.solve import Control, Solution, Strategy, solve
from tengen.threat import critical_defences, wins_at_once

_LEAST_LENGTH = 2
_DOUBT = 10
"""An only defence must hold against a search that is so many times as large as those that refute the others."""


def find_puzzle(position: Position, limits: Limits, source: str = "") -> Puzzle | None:
    """The puzzle in a position, its far stones removed; None if there is none.

    Args:
        position: a position of a game.
        limits: what judging it may cost.
        source: where the position comes from.

    Raises:
        TengenError: if the game is over, or beyond what the solver knows.
    """
    if position.is_mid_turn or wins_at_once(position, position.turn):
        return None
    solution = only_win(position, limits)
    if solution is not None and solution.strategy is not None:
        return _win(position, solution, solution.strategy, limits, source)
    return find_defence(position, limits, source) or find_hidden_win(position, limits, source)


def only_win(position: Position, limits: Limits) -> Solution | None:
    """The shortest win by threats, if all wins by threats that are found begin with the same move."""
    solution = solve(position, "vcdt", nodes=limits.nodes, all_moves=True)
    if solution.result == "win" and (len(solution.first_moves) != 1 or not solution.all_known):
        return None
    others = solve(position, "vcst", nodes=limits.nodes, all_moves=True)
    if others.result != "win" or len({move for move, _ in others.first_moves}) != 1:
        return None
    if solution.result != "win":
        solution = _shortest_vcst(position, others.depth, limits)
    return solution if solution.strategy is not None and solution.depth >= _LEAST_LENGTH else None


def _shortest_vcst(position: Position, length: int, limits: Limits) -> Solution:
    """The shortest win by threats: proved to be, if the limits allow that, else the first that deepening finds."""
    solution = solve(position, "vcst", nodes=limits.nodes, shortest=True)
    for depth in range(1, length + 1):
        if solution.strategy is not None:
            break
        solution = solve(position, "vcst", nodes=limits.nodes, depth=depth)
    return solution


def _win(position: Position, solution: Solution, strategy: Strategy, limits: Limits, source: str) -> Puzzle | None:
    def same(trial: Position) -> Solution | None:
        found = only_win(trial, limits)
        if found is None or (found.first_move, found.depth, found.found) != (
            solution.first_move,
            solution.depth,
            solution.found,
        ):
            return None
        return found

    for trial in simplified(position, squares_of(strategy), lambda trial: same(trial) is not None):
        refuted, other = Judge(trial, limits).try_others(strategy.move)
        found = same(trial)
        if other is None and found is not None:
            known = found.is_exhaustive  # deepening without gaps, or by moves that are all double threats
            by = found.found or found.kind
            return graded(trial, "win", found.depth, known, by, found.line, refuted, limits, source)
    return None


def find_defence(position: Position, limits: Limits, source: str) -> Puzzle | None:
    """The puzzle to find the only defence; None if there is no win to prevent, or more than one way, or none.

    Raises:
        TengenError: if the game is over, or beyond what the solver knows.
    """
    attacker = position.turn.opponent
    if solve(position, "vcst", attacker, nodes=limits.nodes).result != "win":
        return None
    if solve(position, "vcst", nodes=limits.nodes).result != "none":
        return None
    if leaves_little_choice(position):
        return None
    found = only_defence(position, limits)
    if found is None:
        return None
    move, length, _ = found

    def same(trial: Position) -> bool:
        if solve(trial, "vcst", nodes=limits.nodes).result != "none":
            return False
        other = only_defence(trial, limits)
        return other is not None and other[:2] == (move, length)

    for trial in simplified(position, set(move), same):
        defence = only_defence(trial, limits)
        if defence is not None:
            return graded(trial, "only defence", length, False, "vcst", [move], defence[2], limits, source)
    return None


def only_defence(position: Position, limits: Limits) -> tuple[Move, int, int] | None:
    """The one move that is not proved to lose, the length of the longest refutation of the others, and how many those
    are; None if there are more such moves, or none, or a limit came first."""
    direct = critical_defences(position, position.turn.opponent)
    tried = [Move(one.stones, is_pass=len(one.stones) < position.stones_left) for one in direct]
    if _holding(position, tried or promising_moves(position), limits) != 1:
        return None  # none: most likely it is lost, and to prove that would take long
    control = Control()
    holding: list[Move] = []

    def tell(reply: Move, passes: int, status: str, _done: int, _waiting: int) -> None:
        if status == "open" and not passes:
            holding.append(reply)
            if len(holding) > 1:
                control.stop()

    found = defend(
        position,
        order=2,
        reply_nodes=limits.reply_nodes,
        nodes=limits.move_nodes,
        tell=tell,
        control=control,
    )
    if found.result != "open" or len(found.moves) != 1 or found.moves[0].is_cut_short:
        return None
    if not is_held(position, found.moves[0].move, limits):
        return None
    return found.moves[0].move, found.longest, found.proved_losing


def is_held(position: Position, move: Move, limits: Limits) -> bool:
    """Whether no win is found after a defence: by threats, though the search is larger than those that refute others
    and comes to its end, or with quiet moves within the limits."""
    after = position.after(move)
    if after.is_over or solve(after, "vcst", nodes=_DOUBT * limits.reply_nodes).result != "none":
        return False
    return not limits.quiet_nodes or solve(after, QUIET, nodes=limits.quiet_nodes).result != "win"


def _holding(position: Position, moves: Iterable[Move], limits: Limits) -> int:
    """How many of these moves are not refuted by threats; 2 if there are more."""
    holding = 0
    for move in moves:
        after = position.after(move)
        holding += after.is_over or solve(after, "vcst", nodes=limits.reply_nodes).result == "none"
        if holding == 2:
            break
    return holding
