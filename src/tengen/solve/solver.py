"""Asks the native solver."""

from __future__ import annotations

import time
from collections.abc import Callable
from functools import partial
from typing import Any

from tengen import _native
from tengen.game import WHITE, Colour, Move, Position, Square, TengenError
from tengen.solve.limits import check_limits, check_means, legal_move
from tengen.solve.solution import Reply, Solution, Strategy
from tengen.solve.window import Window, windows

KINDS = {"vcdt": 1, "vcst": 2}
"""The kinds of forced wins by their order: by moves with p threats each, or with p - 1 and more."""
METHODS = ("traditional", "conservative", "hybrid")
MAX_DEPTH = 60
MAX_ORDER = 9
_ORDERS = KINDS | {f"order {order}": order for order in range(1, MAX_ORDER + 1)}
MAX_WIDTH = 100_000
MAX_P = 8
MAX_K = 64


def order_of(kind: object) -> int:
    """The order of a kind of win: of those in `KINDS`, or of `order 3` and so on, which may need quiet moves.

    Raises:
        TengenError: if there is no such kind.
    """
    if not isinstance(kind, str) or kind not in _ORDERS:
        raise TengenError(
            f"{kind!r} is no kind of win; there are {', '.join(KINDS)}, and 'order 1' to 'order {MAX_ORDER}'"
        )
    return _ORDERS[kind]


def kind_of(order: int) -> str:
    """The name of an order."""
    return next((name for name, number in KINDS.items() if number == order), f"order {order}")


def solve(
    position: Position,
    kind: str = "vcdt",
    side: Colour | None = None,
    *,
    seconds: float | None = None,
    nodes: int | None = None,
    depth: int | None = None,
    shortest: bool = False,
    all_moves: bool = False,
    zones: bool = False,
    first: Move | Square | str | None = None,
    method: str = "traditional",
    wide: bool = False,
    width: int | None = None,
    tree_nodes: int | None = None,
    threads: int = 1,
    table_bits: int = 20,
    progress: Callable[[int, int], object] | None = None,
    control: _native.Control | None = None,
) -> Solution:
    """Looks for a forced win by threats.

    Args:
        position: where to look.
        kind: `vcdt`, every attacking move makes at least p threats; `vcst`, at least p - 1; or a win of higher order,
            as `order 3`, in which a move may make p - 2, and so on.
        side: who is to win; by default the player to move. The other player is taken to pass if it is his turn.
        seconds: stop after that time. A win that was found just before is told without its strategy.
        nodes: stop after about that many nodes; with one thread the answer is then the same on every machine.
        depth: look at most that many attacking moves deep; for `vcst` without `wide`, that many moves up to the last
            single threat.
        shortest: go on until no shorter win of the kind can exist; a `vcdt` always is the shortest, for `vcst` this
            means a wide search.
        all_moves: find all winning first moves.
        zones: find the relevance zones of the strategy as well.
        first: look only for wins that begin with this move.
        method: how defences are tried: `traditional`, `conservative` (all defending squares at once, may miss wins) or
            `hybrid`.
        wide: for `vcst`, let a stone that makes no threat stand anywhere, and a single threat threaten any win of the
            kind, not only a `vcdt`: complete, but far slower.
        width: for `vcst` without `wide`, how many moves to try in each position, 12 unless told.
        tree_nodes: for the same, how many positions to keep in memory at once, about 16 million (2 GB) unless told; the
            search ends there.
        threads: how many threads share the work, 256 at most; with more than one the answer to equal questions may
            differ.
        table_bits: the transposition table has 2 to that power entries of 16 bytes; 30 at most.
        progress: called now and then with the nodes and the depth so far.
        control: lets another thread stop the search.

    Raises:
        TengenError: if the game is over, or beyond what the solver knows, or an argument makes no sense.
    """
    position = position.copy()  # the answer keeps it, and whoever asked may play on
    game = position.game
    if side is not None and not isinstance(side, Colour):
        raise TengenError(f"side must be BLACK or WHITE, not {side!r}")
    attacker = position.turn if side is None else side
    order = order_of(kind)
    if method not in METHODS:
        raise TengenError(f"{method!r} is no method; there are {', '.join(METHODS)}")
    if position.is_over:
        raise TengenError("the game is over: there is nothing to solve")
    if game.p > MAX_P or game.k > MAX_K:
        raise TengenError(f"{game}: the solver knows p up to {MAX_P} and k up to {MAX_K}")
    stones = position.stones_left if attacker is position.turn else game.p
    if stones > MAX_P:
        raise TengenError(f"{game}: the solver knows moves of up to {MAX_P} stones, not {stones}")
    if kind == "vcst" and game.p == 1:
        raise TengenError(f"{game}: with one stone a move every threat is a full one; ask for vcdt")
    check_limits(seconds=seconds, nodes=nodes, depth=depth, width=width, tree_nodes=tree_nodes)
    check_means(threads, table_bits)
    begin = () if first is None else legal_move(position, first).squares
    if first is not None and not begin:
        raise TengenError(f"{first} places no stone: no win begins with it")
    start = time.perf_counter()
    if game.maker_breaker and attacker is WHITE:
        return Solution("none", kind, attacker, position, 0, 0.0, 0)
    own = control or _native.Control()
    for window in windows(position):
        result, found, reached, spent, tree, zone, first_moves, all_known = _native.solve(
            own,
            window.setup(position, attacker),
            stones,
            order,
            method,
            wide or shortest,
            min(width or 0, MAX_WIDTH),
            tree_nodes or 0,
            min(depth or MAX_DEPTH, MAX_DEPTH),
            nodes or 0,
            0.0 if seconds is None else max(seconds - (time.perf_counter() - start), 0.001),
            table_bits,
            threads,
            shortest,
            all_moves,
            zones,
            [window.number(square) for square in begin],
            progress,
        )
        if not game.is_infinite or tree is None:
            break
        if all(window.is_far_inside(window.square(number), game.k) for number in _squares(tree)):
            break
    else:
        tree = None  # it came too near the edge of even the largest window
    if game.is_infinite and tree is None:
        result = "unknown"  # a win may leave the window, and one without its strategy may have left it
        zone, first_moves = [], []
    return Solution(
        result,
        kind,
        attacker,
        position,
        spent,
        time.perf_counter() - start,
        reached,
        kind_of(found) if result == "win" else None,
        None if tree is None else partial(_strategy, tree, window),
        tuple(frozenset(map(window.square, squares)) for squares in zone),
        tuple((Move(map(window.square, stones_)), length) for stones_, length in first_moves),
        all_known and not game.is_infinite,
        method != "conservative" and (order == 1 or wide or shortest),
    )


def _squares(tree: Any) -> set[int]:
    """The numbers of all squares on which a strategy places a stone, of either side."""
    found: set[int] = set()
    stack = [tree]
    while stack:
        move, replies = stack.pop()
        found.update(move)
        for stones, _, answer in replies:
            found.update(stones)
            stack.append(answer)
    return found


def _strategy(tree: Any, window: Window) -> Strategy:
    moves: dict[tuple[Any, ...], Move] = {}  # the same ones come again and again

    def move_of(stones: list[int], passes: int = 0) -> Move:
        key = (passes > 0, *stones)
        if key not in moves:
            moves[key] = Move(map(window.square, stones), is_pass=passes > 0)
        return moves[key]

    def made_of(tree: Any) -> Strategy:
        move, replies = tree
        answers = (Reply(move_of(stones, passes), made_of(answer)) for stones, passes, answer in replies)
        return Strategy(move_of(move), tuple(answers))

    return made_of(tree)
