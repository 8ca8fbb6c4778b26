"""Makes a puzzle of a position, if there is one in it."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence

from tengen.game import BLACK, WHITE, Move, Position, Square, TengenError
from tengen.play import promising_moves
from tengen.prove import defend
from tengen.puzzle.grade import features_of, level_of, themes_of
from tengen.puzzle.judge import Judge
from tengen.puzzle.puzzle import BY_VERIFIER, Limits, Puzzle
from tengen.puzzle.trainer import Trainer
from tengen.solve import Control, Solution, Strategy, solve
from tengen.threat import critical_defences, threat_number, wins_at_once

_DISTANCES = (2, 4)
"""Stones farther from the action than this are removed if nothing changes; else farther than that; else none."""
_LEAST_LENGTH = 2
_LEAST_DEFENCES = 3
_DOUBT = 10
"""An only defence must hold against a search that is so many times as large as those that refute the others."""


def find_puzzle(position: Position, limits: Limits, source: str = "", *, quiet: bool = False) -> Puzzle | None:
    """The puzzle in a position, its far stones removed; None if there is none.

    Args:
        position: a position of a game.
        limits: what judging it may cost.
        source: where the position comes from.
        quiet: look for a win that begins quietly too, which takes seconds.

    Raises:
        TengenError: if the game is over, or beyond what the solver knows.
    """
    if position.is_mid_turn or wins_at_once(position, position.turn):
        return None
    solution = only_win(position, limits)
    if solution is not None and solution.strategy is not None:
        return _win(position, solution, solution.strategy, limits, source)
    found = find_defence(position, limits, source)
    if found is not None or not quiet or solve(position, "vcst", nodes=limits.nodes).result != "none":
        return found
    return _hidden_win(position, limits, source)


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

    for trial in _simplified(position, _squares(strategy), lambda trial: same(trial) is not None):
        refuted = Judge(trial, limits).refutes_all_but(strategy.move)
        found = same(trial)
        if refuted is not None and found is not None:
            known = found.is_exhaustive  # deepening without gaps, or by moves that are all double threats
            by = found.found or found.kind
            return _graded(trial, "win", found.depth, known, by, found.line, refuted, limits, source)
    return None


def _hidden_win(position: Position, limits: Limits, source: str) -> Puzzle | None:
    """A win that only the verifier sees: its first move threatens nothing, or little."""
    judge = Judge(position, limits)
    winners: list[tuple[Move, int]] = []
    for move in promising_moves(position):
        finding = judge.judge(move)
        if finding.verdict == "open" or (finding.verdict == "wins" and winners):
            return None
        if finding.verdict == "wins":
            winners.append((move, finding.length))
    if not winners:
        return None
    move, length = winners[0]

    def same(trial: Position) -> bool:
        if solve(trial, "vcst", nodes=limits.nodes).result != "none":
            return False
        finding = Judge(trial, limits).judge(move)
        return finding.verdict == "wins" and finding.length == length

    for trial in _simplified(position, set(move), same):
        refuted = Judge(trial, limits).refutes_all_but(move)
        if refuted is not None:
            after = trial.after(move)
            kind = "win" if threat_number(after, trial.turn) else "quiet win"
            try:
                line = Trainer(Puzzle(trial, kind, move, length, False, BY_VERIFIER, limits=limits)).main_line()
            except TengenError:
                return None  # a win that cannot be played to its end within the limits trains nobody
            return _graded(trial, kind, length, False, BY_VERIFIER, line, refuted, limits, source)
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
    forced = critical_defences(position, attacker)
    if forced and len(forced) < _LEAST_DEFENCES:
        return None  # there is little to choose from
    found = only_defence(position, limits)
    if found is None:
        return None
    move, length, _ = found

    def same(trial: Position) -> bool:
        if solve(trial, "vcst", nodes=limits.nodes).result != "none":
            return False
        other = only_defence(trial, limits)
        return other is not None and other[:2] == (move, length)

    for trial in _simplified(position, set(move), same):
        defence = only_defence(trial, limits)
        if defence is not None:
            return _graded(trial, "only defence", length, False, "vcst", [move], defence[2], limits, source)
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
    after = position.after(found.moves[0].move)
    if after.is_over or solve(after, "vcst", nodes=_DOUBT * limits.reply_nodes).result != "none":
        return None
    return found.moves[0].move, found.longest, found.proved_losing


def _holding(position: Position, moves: Iterable[Move], limits: Limits) -> int:
    """How many of these moves are not refuted by threats; 2 if there are more."""
    holding = 0
    for move in moves:
        after = position.after(move)
        holding += after.is_over or solve(after, "vcst", nodes=limits.reply_nodes).result == "none"
        if holding == 2:
            break
    return holding


def _graded(
    position: Position,
    kind: str,
    length: int,
    is_shortest: bool,
    by: str,
    line: Sequence[Move],
    refuted: int,
    limits: Limits,
    source: str,
) -> Puzzle:
    features = features_of(position, kind, length, line)
    return Puzzle(
        position,
        kind,
        line[0],
        length,
        is_shortest,
        by,
        tuple(line),
        level_of(kind, features),
        themes_of(kind, by, features),
        features,
        refuted,
        limits,
        source,
    )


def _squares(strategy: Strategy) -> set[Square]:
    found: set[Square] = set()
    stack = [strategy]
    while stack:
        one = stack.pop()
        found.update(one.move)
        for reply in one.replies:
            found.update(reply.move)
            stack.append(reply.answer)
    return found


def _simplified(position: Position, action: set[Square], same: Callable[[Position], bool]) -> Iterable[Position]:
    """The position without stones far from the action that change nothing, most removed first; at last as it is."""
    tried = set()
    for distance in _DISTANCES:
        far = [square for square in _stones(position) if _distance(square, action) > distance]
        far.sort(key=lambda square: -_distance(square, action))
        removed = _needless(position, far, same)
        if removed and frozenset(removed) not in tried:
            tried.add(frozenset(removed))
            yield _without(position, removed)
    yield _without(position, [])


def _needless(position: Position, far: list[Square], same: Callable[[Position], bool]) -> list[Square]:
    """As many of these stones as can go together: all if possible, else what can go of either half."""
    removed: list[Square] = []
    parts = [far] if far else []
    while parts:
        part = parts.pop()
        if same(_without(position, [*removed, *part])):
            removed += part
        elif len(part) > 1:
            parts += [part[len(part) // 2 :], part[: len(part) // 2]]
    return removed


def _without(position: Position, removed: Iterable[Square]) -> Position:
    gone = set(removed)
    black, white = ([square for square in position.stones(c) if square not in gone] for c in (BLACK, WHITE))
    return Position.setup(position.game, black, white, position.turn, position.stones_left)


def _stones(position: Position) -> list[Square]:
    return [*position.stones(position.turn), *position.stones(position.turn.opponent)]


def _distance(square: Square, action: set[Square]) -> int:
    return min(max(abs(square.x - one.x), abs(square.y - one.y)) for one in action)
