"""Makes a puzzle of a win that only the verifier sees: its first move threatens nothing, or little.

Where one such move wins, others often do: the opponent has no time to undo all that was built. Then stones of his are
added, as somebody who composes a puzzle would, where they spoil the other wins and leave the one that is wanted.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace

from tengen.game import BLACK, WHITE, Move, Position, Square, TengenError
from tengen.play import promising_moves
from tengen.prove import Defence
from tengen.puzzle.grade import graded
from tengen.puzzle.judge import Judge, leaves_little_choice
from tengen.puzzle.puzzle import BY_VERIFIER, Limits, Puzzle
from tengen.puzzle.trainer import Trainer
from tengen.puzzle.trim import simplified, squares_of
from tengen.solve import solve
from tengen.threat import threat_number

_MOST_ADDED = 6
_EFFORT = 3
"""So many times the limits of other puzzles: a quiet move leaves more replies to answer than a threat does."""
_QUIET_EFFORT = 6
"""And so many times for other wins with quiet moves: here they are of the same kind as the solution."""


def find_hidden_win(
    position: Position, limits: Limits, source: str = "", moves: Iterable[Move] | None = None
) -> Puzzle | None:
    """The puzzle to find the one move that wins where no win by threats is found; None if there is none.

    Args:
        position: where to look.
        limits: what judging a position may cost; here it may cost some times as much.
        source: where the position comes from.
        moves: which moves may win; unless told, those that the engine finds promising and that look like it.

    Raises:
        TengenError: if the game is over, or beyond what the solver knows.
    """
    limits = hidden_limits(limits)
    if not _may_hide_a_win(position, limits):
        return None
    judge = Judge(position, limits)
    for move in filter(judge.looks_winning, promising_moves(position)) if moves is None else moves:
        if judge.proof(move) is not None:
            puzzle = _puzzle(position, move, limits, source)
            if puzzle is not None:
                return puzzle
    return None


def hidden_limits(limits: Limits) -> Limits:
    """What judging a hidden win may cost where other puzzles have these limits."""
    return replace(
        limits,
        move_nodes=_EFFORT * limits.move_nodes,
        reply_nodes=_EFFORT * limits.reply_nodes,
        quiet_nodes=_QUIET_EFFORT * limits.quiet_nodes,
    )


def _puzzle(position: Position, move: Move, limits: Limits, source: str) -> Puzzle | None:
    def wins(trial: Position) -> bool:
        return _may_hide_a_win(trial, limits) and Judge(trial, limits).proof(move) is not None

    for trial in simplified(position, _threatened(position, move, limits), wins):
        alone = _alone(trial, move, limits)
        proof = None if alone is None else Judge(alone[0], limits).proof(move)
        if alone is None or proof is None:
            continue
        composed, refuted, added = alone
        kind = "win" if threat_number(proof.position, position.turn) else "quiet win"
        said = f"{source}, {added} stone{'s' * (added > 1)} added" if added else source
        try:
            line = main_line(Puzzle(composed, kind, move, 1, False, BY_VERIFIER, limits=limits), proof)
        except TengenError:
            continue  # a win that cannot be played to its end within the limits trains nobody
        return graded(composed, kind, (len(line) + 1) // 2, False, BY_VERIFIER, line, refuted, limits, said)
    return None


def _alone(position: Position, move: Move, limits: Limits) -> tuple[Position, int, int] | None:
    """The position in which a winning move is the only one, how many others are refuted there, and how many stones were
    added for that."""
    for added in range(_MOST_ADDED + 1):
        refuted, other = Judge(position, limits).try_others(move)
        if other is None:
            return position, refuted, added
        spoilt = _spoilt(position, move, other, limits)
        if spoilt is None:
            return None
        position = spoilt
    return None


def _spoilt(position: Position, move: Move, other: Move, limits: Limits) -> Position | None:
    """The position with a stone of the opponent more, so that one move still wins and another does not."""
    for square in sorted(_threatened(position, other, limits) - set(move)):
        if position.at(square) is not None:
            continue
        trial = _with_opposing_stone(position, square)
        if not _may_hide_a_win(trial, limits):
            continue
        is_refuted = square in other or Judge(trial, limits).judge(other).verdict == "refuted"
        if is_refuted and Judge(trial, limits).proof(move) is not None:
            return trial
    return None


def main_line(puzzle: Puzzle, proof: Defence) -> tuple[Move, ...]:
    """How a hidden win goes on against the reply that holds out longest.

    Args:
        puzzle: its line is not looked at.
        proof: that all replies to its first move lose.

    Raises:
        TengenError: if no win is found within the limits after that reply.
    """
    reply = Judge(puzzle.position, puzzle.limits).longest_defence(proof)
    return Trainer(puzzle, (puzzle.move, reply)).main_line()


def _threatened(position: Position, move: Move, limits: Limits) -> set[Square]:
    """The squares of a move and of the win by threats that would follow if the opponent passed."""
    win = solve(position.after(move), "vcst", position.turn, nodes=limits.nodes)
    return set(move) if win.strategy is None else set(move) | squares_of(win.strategy)


def _may_hide_a_win(position: Position, limits: Limits) -> bool:
    """Whether there is a choice, and the search for a win by threats comes to its end without one."""
    return not leaves_little_choice(position) and solve(position, "vcst", nodes=limits.nodes).result == "none"


def _with_opposing_stone(position: Position, square: Square) -> Position:
    black, white = (
        [*position.stones(one), *([square] if one is position.turn.opponent else [])] for one in (BLACK, WHITE)
    )
    return Position.setup(position.game, black, white, position.turn, position.stones_left)
