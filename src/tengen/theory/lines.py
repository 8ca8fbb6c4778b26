"""Boards that are nothing but squares and lines, and the maker-breaker game on them.

The maker places up to p stones, the breaker answers with at most as many, and so on; the maker wants all squares of a
line. Positions are sets of lines and of squares, kept in whole numbers: bit i stands for line or square i.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property

from tengen import _native
from tengen.game import TengenError

MAX_SQUARES = 64
"""Squares, and lines, that a board may have."""


@dataclass(frozen=True)
class LineBoard:
    """Squares 0, 1, … and lines through them.

    Raises:
        TengenError: if a line or a symmetry makes no sense, or there are too many.
    """

    squares: int
    lines: tuple[tuple[int, ...], ...]
    symmetries: tuple[tuple[int, ...], ...] = ()
    """Where the squares go in each symmetry, that which leaves all in place left out."""

    def __post_init__(self) -> None:
        if not 1 <= self.squares <= MAX_SQUARES or len(self.lines) > MAX_SQUARES:
            raise TengenError(f"a board has 1 to {MAX_SQUARES} squares and at most {MAX_SQUARES} lines")
        for line in self.lines:
            if not line or list(line) != sorted(set(line)) or not 0 <= line[0] <= line[-1] < self.squares:
                raise TengenError(f"{line} is no line: its squares are given once each, rising, from 0")
        for images in self.symmetries:
            if sorted(images) != list(range(self.squares)):
                raise TengenError("a symmetry must name each square once")
            if {tuple(sorted(images[square] for square in line)) for line in self.lines} != set(self.lines):
                raise TengenError("a symmetry must turn lines into lines")

    @property
    def all_lines(self) -> int:
        """The set of all lines."""
        return (1 << len(self.lines)) - 1

    @cached_property
    def through(self) -> tuple[int, ...]:
        """For each square the set of lines through it."""
        return tuple(set_of(i for i, line in enumerate(self.lines) if s in line) for s in range(self.squares))

    def without(self, lines: int, squares: int) -> int:
        """What is left of a set of lines when the breaker has these squares."""
        for square in members(squares):
            lines &= ~self.through[square]
        return lines


class LineGame:
    """The game on a board, with everything that is found out about it kept. Not for several threads at once.

    Args:
        board: where it is played.
        p: how many stones the maker may place in a move.
        reach: by line, he has won when he is to move and so many of its squares are missing, or fewer; p unless told.
        reserved: squares for the breaker alone; they are no part of what the maker needs.

    Raises:
        TengenError: if p is not 1 to 64.
    """

    def __init__(
        self, board: LineBoard, p: int, *, reach: Sequence[int] | None = None, reserved: Iterable[int] = ()
    ) -> None:
        if not 1 <= p <= MAX_SQUARES:
            raise TengenError(f"the maker places 1 to {MAX_SQUARES} stones, not {p}")
        self.board, self.p = board, p
        self._native = _native.MakerBreaker(
            board.squares,
            [list(line) for line in board.lines],
            [list(images) for images in board.symmetries],
            p,
            [p] * len(board.lines) if reach is None else list(reach),
            list(reserved),
        )

    @property
    def positions(self) -> int:
        """How many positions have been settled."""
        return self._native.positions

    def holds(
        self,
        lines: int | None = None,
        stones: int = 0,
        *,
        seconds: float | None = None,
        nodes: int | None = None,
        progress: Callable[[int, int], object] | None = None,
        control: _native.Control | None = None,
    ) -> bool | None:
        """Whether the breaker keeps the maker, who is to move, from a line; None if a limit came first.

        Args:
            lines: those without a stone of the breaker; all unless told.
            stones: the maker's.
            seconds: stop after that time.
            nodes: stop after so many positions.
            progress: called now and then with the positions so far, and 0.
            control: its stop flag ends the search.
        """
        found = self._native.holds(
            control or _native.Control(),
            self.board.all_lines if lines is None else lines,
            stones,
            nodes or 0,
            seconds or 0.0,
            progress,
        )
        return None if found < 0 else bool(found)

    def answers(self, lines: int | None = None, stones: int = 0) -> dict[Part, dict[int, int]]:
        """The breaker's strategy from a position that holds: by part of the board, the reply to a move.

        Raises:
            TengenError: if the position is not known to hold.
        """
        lines = self.board.all_lines if lines is None else lines
        if not self.holds(lines, stones):
            raise TengenError("the breaker does not hold this position")
        listed = self._native.strategy(lines, stones)
        return {(part_lines, part_stones): dict(answers) for part_lines, part_stones, answers in listed}

    def parts(self, lines: int, stones: int) -> list[Part]:
        """The parts of a position that share no square, in their normal form."""
        return self._native.parts(lines, stones)


Part = tuple[int, int]
"""A position that is connected: its lines, and the maker's stones on them."""


def members(bits: int) -> Iterator[int]:
    """The numbers in a set, rising."""
    while bits:
        yield (bits & -bits).bit_length() - 1
        bits &= bits - 1


def set_of(numbers: Iterable[int]) -> int:
    """A set from its members."""
    bits = 0
    for number in numbers:
        bits |= 1 << number
    return bits
