"""Writes proof files. Nothing is written that the checker would refuse, open leaves apart."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

from tengen.game import BLACK, WHITE, Colour, Position, Square, TengenError
from tengen.game.square import as_square
from tengen.prove.tree import MACRO, Parts, tree_of
from tengen.prove.writer import (
    HoldWriter,
    Progress,
    Report,
    Target,
    board_for,
    header_of,
    is_without_rows,
    write_tree,
    writing,
)
from tengen.solve import Solution, Strategy

WinStrategy = Any
"""`(move, [(stones, passes, answer), …])`, or None for an open leaf. Squares are `Square`s, their names, or, on a
finite board, numbers `column + row * width`. Instead of a number of passes stands `MACRO` for a macro reply."""
HoldStrategy = Any
"""None where nothing is left to prove, `("pairs", [(a, b), …])`, or `[(attacking stones, reply, strategy), …]`; the
whole may be `("without rows", strategy)` if rows of the defender do not count in it."""


def write_win(
    path: Target, position: Position, attacker: Colour, strategy: WinStrategy, *, progress: Report | None = None
) -> int:
    """Writes a proof that the attacker wins; returns the number of its nodes.

    If the defender is to move, the strategy is the list of replies alone. Replies that need no answer are left out.
    Answers of None are open leaves, to be filled by `join`; with them the strategy is written as it is.

    Args:
        path: the name of the file, or an open binary file.
        position: the first position.
        attacker: who wins.
        strategy: how.
        progress: called now and then with the parts of the strategy that are dealt with, and all of them.

    Raises:
        TengenError: if the strategy is not complete, or wrong. Nothing is written then.
        OSError: if the file cannot be written.
    """
    root = strategy if position.turn is attacker else ((), strategy)
    return _write_win(path, position, attacker, root, lambda part: part, progress)


def write_solution(path: Target, solution: Solution, *, progress: Report | None = None) -> int:
    """Writes a proof of a solver's win; returns the number of its nodes. Arguments are those of `write_win`.

    A reply with more stones than a move can have is a macro reply.

    Raises:
        TengenError: if there is no win, or the defender is to move: that he loses after a pass proves nothing.
        OSError: if the file cannot be written.
    """
    if solution.strategy is None:
        raise TengenError("there is no win to prove")
    position = solution.position
    if position.turn is not solution.side:
        raise TengenError(f"it is {position.turn}'s turn: that he loses after a pass proves nothing")

    def parts(strategy: Strategy) -> Parts:
        most = position.game.p
        return strategy.move.squares, [
            (reply.move.squares, MACRO if len(reply.move) > most else int(reply.move.is_pass), reply.answer)
            for reply in strategy.replies
        ]

    return _write_win(path, position, solution.side, solution.strategy, parts, progress)


def _write_win(
    path: Target,
    position: Position,
    attacker: Colour,
    strategy: Any,
    parts: Callable[[Any], Parts],
    progress: Report | None,
) -> int:
    header = header_of(position, "win", attacker)
    board = board_for(header, _squares(strategy, parts) if position.game.is_infinite else ())
    return write_tree(path, header, board, tree_of(strategy, parts, board), progress).nodes


def _squares(strategy: Any, parts: Callable[[Any], Parts]) -> Iterator[Square]:
    """All squares of a strategy."""
    stack = [strategy]
    while stack:
        node = stack.pop()
        if node is not None:
            move, replies = parts(node)
            yield from map(as_square, move)
            for stones, _, answer in replies:
                yield from map(as_square, stones)
                stack.append(answer)


def write_hold(
    path: Target, position: Position, attacker: Colour, strategy: HoldStrategy, *, progress: Report | None = None
) -> int:
    """Writes a proof that the attacker completes no row before the defender does; returns the number of its nodes.

    If the defender is to move, the strategy is a list of one entry without attacking stones.

    Args:
        path: the name of the file, or an open binary file.
        position: the first position.
        attacker: who is held.
        strategy: how.
        progress: called now and then with the parts of the strategy that are dealt with, and all of them.

    Raises:
        TengenError: if the strategy is not complete, or wrong. Nothing is written then.
        OSError: if the file cannot be written.
    """
    return _write_holds(path, position, "hold", {attacker: strategy}, progress)


def write_draw(
    path: Target,
    position: Position,
    against_black: HoldStrategy,
    against_white: HoldStrategy,
    *,
    progress: Report | None = None,
) -> int:
    """Writes a proof that neither side wins: one strategy against each; returns the number of its nodes.

    Arguments are those of `write_hold`.

    Raises:
        TengenError: if a strategy is not complete, or wrong. Nothing is written then.
        OSError: if the file cannot be written.
    """
    return _write_holds(path, position, "draw", {BLACK: against_black, WHITE: against_white}, progress)


def _write_holds(
    path: Target, position: Position, claim: str, strategies: dict[Colour, HoldStrategy], report: Report | None
) -> int:
    header = header_of(position, claim, next(iter(strategies)) if claim == "hold" else None)
    board = board_for(header)
    progress = Progress(report, strategies.values(), _continuations)
    with writing(path, header) as output:
        for attacker, strategy in strategies.items():
            HoldWriter(output, board, header, attacker, progress).write(strategy)
    progress.finished()
    return output.nodes


def _continuations(strategy: HoldStrategy) -> list[HoldStrategy]:
    if is_without_rows(strategy):
        return [strategy[1]]
    return [after for _, _, after in strategy] if isinstance(strategy, list) else []
