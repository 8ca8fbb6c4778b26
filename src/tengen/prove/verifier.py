"""Asks the native verifier: which moves of the side that is under attack are not proved to lose?"""

from __future__ import annotations

import time
from collections import Counter
from collections.abc import Callable, Collection
from dataclasses import dataclass, field
from functools import partial
from io import BytesIO
from math import comb
from pathlib import Path
from typing import Any

from tengen import _native
from tengen.game import WHITE, Colour, Move, Position, Square, TengenError
from tengen.prove.rest import write_rest
from tengen.prove.writer import Report, Target
from tengen.record.files import replacing
from tengen.solve.limits import check_limits, check_means, check_range, legal_move
from tengen.solve.solver import MAX_K, MAX_ORDER, MAX_P
from tengen.solve.window import Window, windows

REPLY_NODES = 20_000


@dataclass(frozen=True)
class OpenMove:
    """A move that is not proved to lose."""

    move: Move
    is_cut_short: bool
    """Whether its limit came first; else nothing that the search tries wins against it. Even that is no proof that it
    holds: from order 2 on only the most promising attacks are tried."""
    nodes: int


@dataclass(frozen=True)
class Defence:
    """What the side to move can do against an attack."""

    result: str
    """`loss`: every move is proved to lose. `open`: `moves` are all that are not (on the infinite board, all within the
    `window`). `unknown`: a limit came first."""
    position: Position
    moves: tuple[OpenMove, ...]
    """Those that are not proved to lose, the most promising first."""
    proved_losing: int
    """How many moves are proved to lose. If cut short, only those that were searched one by one are counted."""
    searched: int
    """How many replies the proof answers one by one, those with stones left out included."""
    longest: int
    """The attacking moves of the longest answer."""
    nodes: int
    seconds: float
    wins_at_once: bool = False
    """Whether the side to move can complete a row: then there is no attack to meet."""
    window: tuple[Square, Square] | None = None
    """On the infinite board, the corners of the part that was searched, as if it ended there: `moves` speak of that
    part alone. A `loss` holds everywhere."""
    replies: list[tuple[Any, int, Any]] = field(default_factory=list, repr=False, compare=False)
    """How every reply that was answered loses: stones, how many were left out, the strategy against it."""
    prohibited: tuple[Move, ...] = ()
    """The moves that were not asked about."""
    answers: tuple[tuple[Move, int], ...] = field(default=(), repr=False, compare=False)
    """Of a loss, the replies that its proof answers one by one, with the attacking moves that this takes, the longest
    first. A move with `is_pass` leaves stones out."""
    judged: tuple[bytes, int] | None = field(default=None, repr=False, compare=False)
    """On the infinite board, the proof file that stands behind a loss, and the number of its nodes."""

    @property
    def attacker(self) -> Colour:
        """The side that has just moved."""
        return self.position.turn.opponent

    @property
    def answered(self) -> dict[str, int]:
        """How many replies of each kind the proof answers one by one: with all, some or none of the stones left out."""
        kinds = Counter(
            "full" if passes == 0 else "semi_null" if stones else "null" for stones, passes, _ in self.replies
        )
        return {kind: kinds[kind] for kind in ("null", "semi_null", "full")}

    def write_proof(self, path: Target, *, progress: Report | None = None) -> int:
        """Writes a proof that the side to move loses; returns the number of its nodes.

        Prohibited moves are open leaves of it, which `join` fills.

        Args:
            path: the file, by its name or open for writing.
            progress: called now and then with the parts of the proof that are dealt with, and all of them.

        Raises:
            TengenError: if that is not proved.
            OSError: if the file cannot be written.
        """
        if self.result != "loss":
            raise TengenError("there is no loss to prove")
        if self.judged is None:
            return write_rest(path, self.position, self.attacker, self.replies, self.prohibited, progress=progress)
        content, nodes = self.judged
        if isinstance(path, str | Path):
            with replacing(Path(path)) as file:
                file.write(content)
        else:
            path.write(content)
        return nodes

    def as_json(self) -> dict[str, Any]:
        """The answer as JSON can hold it."""
        return {
            "result": self.result,
            "side": str(self.position.turn),
            "moves": [
                {"move": str(move.move), "cut_short": move.is_cut_short, "nodes": move.nodes} for move in self.moves
            ],
            "proved_losing": self.proved_losing,
            "searched": self.searched,
            "answered": self.answered,
            "longest": self.longest,
            "wins_at_once": self.wins_at_once,
            "window": None if self.window is None else [str(corner) for corner in self.window],
            "nodes": self.nodes,
            "seconds": round(self.seconds, 6),
            "position": str(self.position),
        }


def defend(
    position: Position,
    *,
    order: int = 2,
    reply_nodes: int = REPLY_NODES,
    prohibited: Collection[Move | Square | str] = (),
    seconds: float | None = None,
    nodes: int | None = None,
    threads: int = 1,
    merge: bool = True,
    table_bits: int = 20,
    tell: Callable[[Move, int, str, int, int], object] | None = None,
    progress: Callable[[int, int], object] | None = None,
    control: _native.Control | None = None,
) -> Defence:
    """Finds every move of the side to move that is not proved to lose.

    Args:
        position: the side to move is under attack.
        order: the highest order of the wins that answer a move: 1 for VCDT, 2 for VCST, 3 and more with quiet moves.
        reply_nodes: how many nodes to spend on each reply, at most. All get some before the hardest get all of it, so
            that a search which is cut short has dealt with the easy ones.
        prohibited: moves not to ask about; a loss then means that all others lose, and its proof leaves these open.
        seconds: stop after that time.
        nodes: stop after about that many nodes.
        threads: how many replies to search at once, 256 at most.
        merge: let one answer meet all defences to a move where it can (macro-moves): faster, and smaller proofs.
        table_bits: the transposition table has 2 to that power entries of 16 bytes; 30 at most.
        tell: called for every reply when its search ends: its stones, how many were left out, `losing`, `open`,
            `unknown` or, if it comes again with more nodes, `later`; how many replies are done, and how many are
            waiting.
        progress: called now and then with the nodes and the depth so far.
        control: lets another thread stop the search.

    Raises:
        TengenError: if the game is over, or beyond what the search knows, or an argument makes no sense.
    """
    position = position.copy()  # the answer keeps it, and whoever asked may play on
    game = position.game
    attacker = position.turn.opponent
    stones = position.stones_left
    if position.is_over:
        raise TengenError("the game is over: there is nothing to defend")
    if game.p > MAX_P or game.k > MAX_K or stones > MAX_P:
        raise TengenError(f"{game}: the verifier knows moves of up to {MAX_P} stones, and k up to {MAX_K}")
    check_range("order", order, 1, MAX_ORDER)
    check_limits(seconds=seconds, nodes=nodes, reply_nodes=reply_nodes)
    check_means(threads, table_bits)
    left_open = tuple(legal_move(position, move) for move in prohibited)
    start = time.perf_counter()
    if game.maker_breaker and attacker is WHITE:
        raise TengenError("in a maker-breaker game only the maker, Black, attacks")
    own = control or _native.Control()
    judged = None
    for window in windows(position):
        row, complete, spent, replies = _native.defend(
            own,
            window.setup(position, attacker),
            stones,
            order,
            [[window.number(s) for s in move] for move in left_open],
            reply_nodes,
            nodes or 0,
            0.0 if seconds is None else max(seconds - (time.perf_counter() - start), 0.001),
            table_bits,
            threads,
            merge,
            None if tell is None else partial(_tell, tell, window),
            progress,
        )
        answered: list[Any] = [(s, passes, tree) for s, passes, _, tree, *_ in replies if tree]
        if game.is_infinite:  # the numbers of its squares are those of the window
            answered = [(_squares(s, window), passes, _tree(tree, window)) for s, passes, tree in answered]
        still_open = [
            (s, status, effort, promise) for s, passes, status, tree, _, effort, promise in replies if not tree
        ]
        still_open.sort(key=lambda entry: (entry[1] == "unknown", entry[3]), reverse=True)
        moves = tuple(OpenMove(_move(s, window), status == "unknown", effort) for s, status, effort, _ in still_open)
        decided = complete and not row
        result = "open" if row or (decided and moves) else "loss" if decided else "unknown"
        if result == "loss" and game.is_infinite:
            judged = _judged(position, attacker, answered, left_open)
            if judged is None:
                result = "unknown"
                continue  # it came too near the edge of the window
        break
    lengths = [(_move(s, window, passes), length) for s, passes, _, tree, length, *_ in replies if tree]
    lengths.sort(key=lambda entry: -entry[1])
    losing = sum(1 for _, passes, _ in answered if passes == 0)
    if result in ("open", "loss") and not row and not game.is_infinite:
        empty = sum(1 for _ in position.empty_squares())
        losing = comb(empty, min(stones, empty)) - len(moves) - len(left_open)
    return Defence(
        result,
        position,
        moves,
        losing,
        len(answered),
        max((length for *_, length, _, _ in replies), default=0),
        spent,
        time.perf_counter() - start,
        row,
        window.corners if game.is_infinite else None,
        answered,
        left_open,
        tuple(lengths) if result == "loss" else (),
        judged,
    )


def _tell(tell: Callable[..., object], window: Window, squares: list[int], passes: int, *figures: object) -> None:
    tell(_move(squares, window, passes), passes, *figures)


def _move(squares: list[int], window: Window, passes: int = 0) -> Move:
    return Move(map(window.square, squares), is_pass=passes > 0)


def _squares(squares: list[int], window: Window) -> tuple[Any, ...]:
    return tuple(map(window.square, squares))


def _tree(tree: Any, window: Window) -> Any:
    move, replies = tree
    return _squares(move, window), [(_squares(s, window), passes, _tree(t, window)) for s, passes, t in replies]


def _judged(
    position: Position, attacker: Colour, replies: list[Any], prohibited: Collection[Move]
) -> tuple[bytes, int] | None:
    """The proof for the infinite board, whose edge no window may stand for; None if the checker refuses it."""
    file = BytesIO()
    try:
        nodes = write_rest(file, position, attacker, replies, prohibited)
    except TengenError:
        return None
    return file.getvalue(), nodes
