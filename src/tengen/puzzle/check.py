"""Checks puzzles anew, from their positions alone: nothing that the miner found out is believed."""

from __future__ import annotations

import tempfile
from dataclasses import dataclass, replace
from pathlib import Path

from tengen.game import TengenError
from tengen.prove import check as check_proof
from tengen.prove import check_rest, defend, write_solution
from tengen.puzzle.find import is_held, only_win
from tengen.puzzle.grade import features_of, level_of
from tengen.puzzle.hidden import main_line
from tengen.puzzle.judge import Judge
from tengen.puzzle.puzzle import BY_VERIFIER, Puzzle
from tengen.solve import Solution, solve
from tengen.threat import threat_number, wins_at_once


@dataclass(frozen=True)
class Verdict:
    """What the check of a puzzle found."""

    puzzle: Puzzle
    reason: str | None
    """Why it is not what it claims to be; None if it is."""
    proof_nodes: int = 0
    """How large the proof is that the plain checker has accepted."""

    @property
    def accepted(self) -> bool:
        """Whether it is what it claims to be."""
        return self.reason is None


class _RefusedError(Exception):
    """A claim of a puzzle is not so."""


def check_puzzle(puzzle: Puzzle) -> Verdict:
    """Checks that the solution does what it claims, as a proof that the plain checker accepts; that its length is
    right; and that every other first move fails, within the limits that the puzzle states.

    Raises:
        OSError: if there is no room for the proof on the way.
    """
    if puzzle.kind == "only defence":
        check = _check_only_defence
    else:
        check = _check_hidden_win if puzzle.by == BY_VERIFIER else _check_win
    try:
        if wins_at_once(puzzle.position, puzzle.position.turn):
            raise _RefusedError("a row can be completed at once")
        nodes = check(puzzle)
        _check_line(puzzle)
        features = features_of(puzzle.position, puzzle.kind, puzzle.length, puzzle.line)
        if features != puzzle.features or puzzle.level != level_of(puzzle.kind, features):
            raise _RefusedError(f"its level is {level_of(puzzle.kind, features)}, made from {features}")
        return Verdict(puzzle, None, nodes)
    except (_RefusedError, TengenError) as refusal:  # what the searches refuse to look at is no puzzle either
        return Verdict(puzzle, str(refusal))


def _check_win(puzzle: Puzzle) -> int:
    position, limits = puzzle.position, puzzle.limits
    if puzzle.kind != "win":
        raise _RefusedError(f"a {puzzle.kind} is not by {puzzle.by}")
    found = only_win(position, limits)
    if found is None:
        raise _RefusedError("there is no win by threats with one first move")
    if found.first_move != puzzle.move:
        raise _RefusedError(f"the winning move is {found.first_move}, not {puzzle.move}")
    if found.depth != puzzle.length:
        raise _RefusedError(f"the win takes {found.depth} moves, not {puzzle.length}")
    nodes = _proved(found)
    if puzzle.is_shortest:
        _check_shortest(puzzle)
    _check_others(puzzle)
    return nodes


def _check_shortest(puzzle: Puzzle) -> None:
    """That a search without gaps which is one move shallower finds nothing."""
    if puzzle.length == 1:
        return
    most = 100 * puzzle.limits.nodes
    shallower = solve(puzzle.position, puzzle.by, depth=puzzle.length - 1, wide=puzzle.by != "vcdt", nodes=most)
    if shallower.result == "win":
        raise _RefusedError(f"there is a win in {shallower.depth}")
    if shallower.nodes >= most:  # it came to its end because of that, and not for want of depth
        raise _RefusedError("that the win is the shortest could not be seen")


def _check_line(puzzle: Puzzle) -> None:
    """That the main line begins with the solution, can be played, and wins."""
    walk = puzzle.position.copy()
    if puzzle.line[:1] != (puzzle.move,):
        raise _RefusedError("its line begins with another move")
    for move in puzzle.line:
        if not walk.is_legal(move):
            raise _RefusedError(f"{move} in its line cannot be played")
        walk.play(move)
    if puzzle.kind == "only defence" or walk.winner is not None:
        return
    if threat_number(walk, puzzle.position.turn) <= walk.game.p or wins_at_once(walk, walk.turn):
        raise _RefusedError("its line ends before the win is sure")


def _check_hidden_win(puzzle: Puzzle) -> int:
    position, limits = puzzle.position, puzzle.limits
    if solve(position, "vcst", nodes=limits.nodes).result != "none":
        raise _RefusedError("there is a win by threats alone, or it is not known")
    after = position.after(puzzle.move)
    if (threat_number(after, position.turn) == 0) != (puzzle.kind == "quiet win"):
        raise _RefusedError(f"{puzzle.move} is as quiet as a {puzzle.kind} must not be")
    found = defend(after, order=2, reply_nodes=limits.reply_nodes, nodes=limits.move_nodes)
    if found.result != "loss":
        raise _RefusedError(f"{puzzle.move} is not proved to win")
    try:
        length = (len(main_line(replace(puzzle, line=()), found)) + 1) // 2
    except TengenError as error:
        raise _RefusedError(str(error)) from None
    if length != puzzle.length:
        raise _RefusedError(f"the win takes {length} moves, not {puzzle.length}")
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "quiet.proof"
        nodes = found.write_proof(path)
        _accepted(path)
    _check_others(puzzle)
    return nodes


def _check_only_defence(puzzle: Puzzle) -> int:
    position, limits = puzzle.position, puzzle.limits
    found = defend(
        position, order=2, reply_nodes=limits.reply_nodes, nodes=10 * limits.move_nodes, prohibited=[puzzle.move]
    )
    if found.result != "loss":
        raise _RefusedError(f"not every move but {puzzle.move} is proved to lose")
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "rest.proof"
        nodes = found.write_proof(path)
        reason = check_rest(path, [puzzle.move])
    if reason is not None:
        raise _RefusedError(f"the proof that all other moves lose is refused: {reason}")
    if not is_held(position, puzzle.move, limits):
        raise _RefusedError(f"{puzzle.move} is not known to hold")
    return nodes


def _check_others(puzzle: Puzzle) -> None:
    refuted, other = Judge(puzzle.position, puzzle.limits).try_others(puzzle.move)
    if other is not None:
        raise _RefusedError(f"another first move, {other}, is not refuted")
    if refuted != puzzle.refuted:
        raise _RefusedError(f"{refuted} other first moves are refuted, not {puzzle.refuted}")


def _proved(solution: Solution) -> int:
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "win.proof"
        nodes = write_solution(path, solution)
        _accepted(path)
    return nodes


def _accepted(path: Path) -> None:
    verdict = check_proof(path)
    if not verdict.accepted:
        raise _RefusedError(f"the proof is refused: {verdict.reason}")
