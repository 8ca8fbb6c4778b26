"""Sudoku in plain Python, for the reader: solutions by trying, canonical forms by trying everything, 4x4 grids."""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache
from itertools import combinations, permutations, product
from operator import itemgetter


def solutions(puzzle: str, side: int = 3) -> Iterator[str]:
    """All solutions of a puzzle with dots for empty cells, on a board of boxes with so many rows and columns."""
    size = side * side
    cells = list(puzzle)

    def options(cell: int) -> list[str]:
        row, column = divmod(cell, size)
        seen = set()
        for other, digit in enumerate(cells):
            r, c = divmod(other, size)
            same_box = r // side == row // side and c // side == column // side
            if r == row or c == column or same_box:
                seen.add(digit)
        return [digit for digit in "123456789"[:size] if digit not in seen]

    def fill() -> Iterator[str]:
        empty = [(len(found := options(cell)), cell, found) for cell in range(size * size) if cells[cell] == "."]
        if not empty:
            yield "".join(cells)
            return
        _, cell, found = min(empty)
        for digit in found:
            cells[cell] = digit
            yield from fill()
        cells[cell] = "."

    return fill()


@cache
def small_grids() -> list[str]:
    """The 288 grids of 4x4 Sudoku."""
    return list(solutions("." * 16, side=2))


def small_sets(grid: str) -> list[list[int]]:
    """The minimal unavoidable sets of a 4x4 grid: where it differs from another, and nothing smaller is inside."""
    differences = {sum(1 << i for i in range(16) if grid[i] != other[i]) for other in small_grids() if other != grid}
    minimal: list[int] = []
    for one in sorted(differences, key=int.bit_count):
        if not any(other & one == other for other in minimal):
            minimal.append(one)
    return [[i for i in range(16) if one >> i & 1] for one in minimal]


@cache
def small_puzzles(clues: int) -> dict[str, list[list[int]]]:
    """For every 4x4 grid, all sets of so many cells whose digits no other grid has."""
    found: dict[str, list[list[int]]] = {grid: [] for grid in small_grids()}
    for cells in combinations(range(16), clues):
        seen: dict[tuple[str, ...], str | None] = {}
        look = itemgetter(*cells)
        for grid in small_grids():
            digits = look(grid)
            seen[digits] = None if digits in seen else grid
        for only in seen.values():
            if only is not None:
                found[only].append(list(cells))
    return found


def canonical(grid: str) -> str:
    """The smallest grid among all isomorphic ones, by trying all first rows and all orders of columns."""
    turned = "".join(grid[i % 9 * 9 + i // 9] for i in range(81))
    best = "9" * 81
    for one in (grid, turned):
        rows = [one[start : start + 9] for start in range(0, 81, 9)]
        for stacks in permutations(range(3)):
            for inside in product(permutations(range(3)), repeat=3):
                columns = [3 * stack + place for stack, order in zip(stacks, inside, strict=True) for place in order]
                for first in range(9):
                    names = {rows[first][column]: "123456789"[i] for i, column in enumerate(columns)}
                    bands = []
                    for band in range(3):
                        named = ["".join(names[row[c]] for c in columns) for row in rows[3 * band : 3 * band + 3]]
                        bands.append("".join(sorted(named)))
                    best = min(best, "".join(sorted(bands)))
    return best
