"""Positions on a board of lines, taken apart and turned into the form in which strategies list them.

The same rules as in native/maker_breaker.hpp, which does it without saying where each square went.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

from tengen.theory.lines import LineBoard, Part, members, set_of


class Turned(NamedTuple):
    """A part in normal form, and where its squares went."""

    part: Part
    images: tuple[int, ...]

    def forth(self, squares: int) -> int:
        """Squares of the board as squares of the normal form."""
        return set_of(self.images[square] for square in members(squares))

    def back(self, squares: int) -> int:
        """Squares of the normal form as squares of the board."""
        return set_of(square for square, image in enumerate(self.images) if squares >> image & 1)


def split(board: LineBoard, lines: int, stones: int) -> Iterator[Part]:
    """The parts of a position that share no empty square; lines that hold the rest of another are left out."""
    rests = {i: set_of(board.lines[i]) & ~stones for i in members(lines)}
    for i in list(rests):
        if any(rests[j] & ~rests[i] == 0 and (rests[j] != rests[i] or j < i) for j in rests if j != i):
            del rests[i]
    while rests:
        part, squares = 0, 0
        border = [next(iter(rests))]
        while border:
            for i in border:
                part |= 1 << i
                squares |= rests.pop(i)
            border = [i for i, rest in rests.items() if rest & squares]
        yield part, stones & squares_on(board, part)


def normal(board: LineBoard, part: Part) -> Turned:
    """The least form of a part, as symmetries of the board and the order of like squares go."""
    return min(
        (_gathered(board, part, images) for images in (tuple(range(board.squares)), *board.symmetries)),
        key=lambda turned: turned.part,
    )


def classes(board: LineBoard, lines: int, stones: int) -> list[int]:
    """The squares on some lines without these stones, those together that lie on the same of the lines."""
    found: dict[int, int] = {}
    for square in members(squares_on(board, lines) & ~stones):
        here = board.through[square] & lines
        found[here] = found.get(here, 0) | 1 << square
    return list(found.values())


def squares_on(board: LineBoard, lines: int) -> int:
    """All squares on some lines."""
    return set_of(square for line in members(lines) for square in board.lines[line])


def first(squares: int, count: int) -> int:
    """The lowest squares of a set."""
    return set_of(square for square, _ in zip(members(squares), range(count), strict=False))


def _gathered(board: LineBoard, part: Part, images: tuple[int, ...]) -> Turned:
    """A part under a symmetry, stones moved to the lowest of the squares on the same lines."""
    numbers = {line: i for i, line in enumerate(board.lines)}
    lines = set_of(numbers[tuple(sorted(images[s] for s in board.lines[i]))] for i in members(part[0]))
    stones = set_of(images[s] for s in members(part[1]))
    moved = list(range(board.squares))
    gathered = 0
    for same in classes(board, lines, 0):
        order = [*members(same & stones), *members(same & ~stones)]
        for place, square in zip(members(same), order, strict=True):
            moved[square] = place
        gathered |= first(same, (same & stones).bit_count())
    return Turned((lines, gathered), tuple(moved[image] for image in images))
