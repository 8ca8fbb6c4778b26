"""Small games, settled completely: who wins, with a strategy that proves it, or why it is a draw."""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from tengen import _native
from tengen.game import BLACK, WHITE, Colour, Move, Position, Square, TengenError
from tengen.prove.proof import write_draw, write_win
from tengen.prove.writer import Report, is_without_rows
from tengen.solve.limits import MAX_TABLE_BITS, check_limits, check_range

MAX_SQUARES = _native.MAX_SMALL_SQUARES
MAX_BRANCHES = 3_000_000
"""Strategies with more branches are not kept; one of that size takes half a gigabyte."""

WinTree = tuple[tuple[int, ...], list[tuple[tuple[int, ...], int, Any]]]
"""A winner's move, and for each reply that must be answered: its stones, how many more were passed, the answer to it.

Squares are numbers, column + row * width. Stones that were passed may stand wherever no other entry says so, by the
rules of relevance zones. The winner's first move is empty if the loser is to move.
"""
HoldTree = None | tuple[str, Any] | list[tuple[tuple[int, ...], tuple[int, ...], Any]]
"""How a player keeps the other, the attacker, from a row: what to reply to each of his moves, and how it goes on.

None needs no more replies: the defender has a row, or a stone in every segment. `("pairs", […])` answers every stone in
the same pair. The attacker's stones on dead squares, where nobody can have a row any more, are left out of his moves:
they stand on the lowest ones. His first move is empty if the defender is to move. At the root, `("without rows", …)`
says that the defender holds though no row of his own counts, neither to end the game nor to keep squares from being
dead.
"""


@dataclass(frozen=True)
class Settlement:
    """The value of a position with perfect play, and its proof."""

    value: str
    """For the side to move: `win`, `loss`, `draw`, or `unknown` if a limit was reached."""
    position: Position
    nodes: int
    seconds: float
    win: WinTree | None = None
    """The winner's strategy. Equal parts are one object."""
    holds: dict[Colour, HoldTree] = field(default_factory=dict)
    """Of a draw: by attacker, how the other player holds."""
    missing: str | None = None
    """Why there is no strategy although the value is known: `stopped` or `too large`."""

    @property
    def winner(self) -> Colour | None:
        """Who wins; None for a draw, or if it is unknown."""
        turn = self.position.turn
        return {"win": turn, "loss": turn.opponent}.get(self.value)

    @property
    def first_move(self) -> Move | None:
        """A move that keeps the value of a win or a draw; None if there is no strategy to take it from."""
        squares: tuple[int, ...] = ()
        if self.value == "win" and self.win is not None:
            squares = self.win[0]
        elif self.value == "draw":
            hold: Any = self.holds.get(self.position.turn.opponent)
            if is_without_rows(hold):
                hold = hold[1]
            squares = next((reply for attack, reply, _ in hold if not attack), ()) if isinstance(hold, list) else ()
        width = self.position.game.m
        if not squares or width is None:
            return None
        return Move(Square(square % width, square // width) for square in squares)

    def write_proof(self, path: str | Path, *, progress: Report | None = None) -> int:
        """Writes a proof of the win, or of the draw; returns the number of its nodes.

        Args:
            path: the file.
            progress: called now and then with the parts of the proof that are dealt with, and all of them.

        Raises:
            TengenError: if the value is unknown, or there is no strategy.
            OSError: if the file cannot be written.
        """
        if self.winner is not None and self.win is not None:
            strategy = self.win if self.winner is self.position.turn else self.win[1]
            return write_win(path, self.position, self.winner, strategy, progress=progress)
        if self.value == "draw" and self.missing is None:
            return write_draw(path, self.position, self.holds[BLACK], self.holds[WHITE], progress=progress)
        raise TengenError(f"there is nothing to prove it with: {self.missing or 'the value is unknown'}")

    def as_json(self) -> dict[str, Any]:
        """The answer as JSON can hold it, without the strategies."""
        return {
            "value": self.value,
            "side": str(self.position.turn),
            "winner": None if self.winner is None else str(self.winner),
            "first_move": None if self.first_move is None else str(self.first_move),
            "nodes": self.nodes,
            "seconds": round(self.seconds, 6),
            "position": str(self.position),
        }

    @property
    def size(self) -> tuple[int, int]:
        """How many different nodes the strategies have, and how many branches below these."""
        seen: set[int] = set()
        branches = 0
        stack: list[Any] = [tree for tree in (self.win, *self.holds.values()) if tree is not None]
        while stack:
            node = stack.pop()
            if id(node) in seen:
                continue
            seen.add(id(node))
            if isinstance(node, tuple) and node[0] == "pairs":
                continue
            if is_without_rows(node):
                stack += [node[1]] if node[1] is not None else []
                continue
            entries = node[1] if isinstance(node, tuple) else node
            branches += len(entries)
            stack += [entry[2] for entry in entries if entry[2] is not None]
        return len(seen), branches


def settle(
    position: Position,
    *,
    seconds: float | None = None,
    nodes: int | None = None,
    progress: Callable[[int], object] | None = None,
    stop: Callable[[], object] | None = None,
    table_bits: int = 22,
    max_branches: int = MAX_BRANCHES,
) -> Settlement:
    """Finds out who wins, by trying everything that can matter.

    Args:
        position: what to settle, on a board of at most 64 squares.
        seconds: stop after that time, that for making strategies included.
        nodes: stop after that many nodes; the answer is then the same on every machine.
        progress: called now and then with the nodes so far.
        stop: asked now and then whether to stop, for example an event's `is_set`; what it raises ends the search too.
        table_bits: each of the tables, two or with one stone a move four, grows up to 2 to that power entries of 24
            bytes.
        max_branches: leave strategies out that have more branches.

    Raises:
        TengenError: if the board is too large, the game is over, or a limit makes no sense.
    """
    position = position.copy()  # the answer keeps it, and whoever asked may play on
    game = position.game
    if game.m is None or game.n is None:
        raise TengenError(f"{game}: the infinite board is too large to be settled; {MAX_SQUARES} squares are the most")
    if game.m * game.n > MAX_SQUARES:
        raise TengenError(f"{game}: {game.m * game.n} squares are too many to be settled; {MAX_SQUARES} are the most")
    if position.is_over:
        raise TengenError("the game is over: there is nothing to settle")
    check_limits(seconds=seconds, nodes=nodes)
    check_range("table_bits", table_bits, 0, MAX_TABLE_BITS)
    check_range("max_branches", max_branches, 0, (1 << 31) - 1)

    def poll(count: int) -> bool:
        if progress is not None:
            progress(count)
        return stop is not None and bool(stop())

    start = time.perf_counter()
    value, spent, missing, win, holds = _native.settle(
        _native.Control(),
        game.m,
        game.n,
        min(game.k, MAX_SQUARES),  # a longer row fits on no such board either
        min(game.p, MAX_SQUARES),
        game.maker_breaker,
        [s.x + s.y * game.m for s in position.stones(BLACK)],
        [s.x + s.y * game.m for s in position.stones(WHITE)],
        position.turn,
        position.stones_left,
        nodes or 0,
        seconds or 0.0,
        table_bits,
        max_branches,
        None if progress is None and stop is None else poll,
    )
    return Settlement(
        value,
        position,
        spent,
        time.perf_counter() - start,
        win,
        {Colour(attacker): hold for attacker, hold in holds} if not missing else {},
        missing or None if value != "unknown" else None,
    )
