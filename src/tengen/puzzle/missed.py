"""The wins that players missed, as puzzles for them."""

from __future__ import annotations

from collections.abc import Collection, Iterator

from tengen.game import BLACK, WHITE, Colour, Move, Position
from tengen.puzzle.find import find_puzzle
from tengen.puzzle.judge import Judge
from tengen.puzzle.puzzle import Limits, Puzzle
from tengen.solve import Control, Solution, solve
from tengen.threat import wins_at_once


def missed_wins(
    game: Position,
    limits: Limits,
    source: str = "",
    *,
    colours: Collection[Colour] = (BLACK, WHITE),
    control: Control | None = None,
) -> Iterator[tuple[int, Puzzle | None]]:
    """For each move of a game, its number, and the puzzle that it makes if it missed a win by threats.

    A win that could begin with several moves is followed, with the best defence, to the first position in which only
    one move wins. A missed win without such a position makes no puzzle.

    Args:
        game: the last position of a game.
        limits: what judging a position may cost.
        source: where the game comes from.
        colours: whose misses are wanted.
        control: lets another thread stop it.

    Raises:
        TengenError: if the game is beyond what the solver knows.
    """
    stop = control or Control()
    for number, (before, (colour, move)) in enumerate(game.replay(), 1):
        if stop.stopped:
            return
        found: Puzzle | None = None
        if colour in colours and not before.is_mid_turn and not wins_at_once(before, colour):
            win = _missed(before, move, limits, stop)
            if win is not None:
                found = _first_puzzle(before, win, limits, f"{source}, move {number}".removeprefix(", "), stop)
        yield number, found


def _missed(before: Position, move: Move, limits: Limits, stop: Control) -> Solution | None:
    """The win that the side to move had and lost by a move."""
    for kind in ("vcdt", "vcst"):
        win = solve(before, kind, nodes=limits.nodes, control=stop)
        if win.strategy is not None:
            break
    else:
        return None
    if not before.is_legal(move) or move.is_pass or len(move) < before.stones_left:
        return win  # unfinished
    if any(solve(before, kind, first=move, nodes=limits.nodes).result == "win" for kind in ("vcdt", "vcst")):
        return None
    return win if Judge(before, limits, stop).judge(move).verdict == "refuted" else None


def _first_puzzle(before: Position, win: Solution, limits: Limits, source: str, stop: Control) -> Puzzle | None:
    walk = before.copy()
    for place in range(0, len(win.line), 2):
        if stop.stopped:
            return None
        said = source if place == 0 else f"{source} after {' '.join(map(str, win.line[:place]))}"
        puzzle = find_puzzle(walk, limits, said)
        if puzzle is not None and puzzle.kind == "win":
            return puzzle
        for move in win.line[place : place + 2]:
            walk.play(move)
        if walk.is_over or walk.is_mid_turn:
            break
    return None
