"""Sudoku grids and puzzles: reading, checking, solving, and when two grids are the same but for their names."""

from __future__ import annotations

import random
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property

from tengen._native import Control, sudoku_canonical, sudoku_catalogue, sudoku_solutions
from tengen.game import TengenError

CELLS = 81


class SudokuError(TengenError):
    """Text is no grid or puzzle, or a grid breaks the rules."""


def _units() -> list[tuple[str, list[int]]]:
    rows = [(f"row {r + 1}", [9 * r + c for c in range(9)]) for r in range(9)]
    columns = [(f"column {c + 1}", [9 * r + c for r in range(9)]) for c in range(9)]
    boxes = [(f"box {b + 1}", [27 * (b // 3) + 3 * (b % 3) + 9 * (i // 3) + i % 3 for i in range(9)]) for b in range(9)]
    return rows + columns + boxes


UNITS = _units()
"""Rows, columns and boxes: a name and nine cells each."""


def _read(text: str) -> list[int]:
    signs = [sign for sign in text if sign in "0123456789."]
    strange = next((sign for sign in text if not (sign in "0123456789." or sign.isspace() or sign in "|-+")), None)
    if strange is not None:
        raise SudokuError(f"{strange!r} is no digit, dot or space: a grid is 81 digits, row by row")
    if len(signs) != CELLS:
        raise SudokuError(f"a grid has 81 cells, not {len(signs)}")
    digits = [0 if sign == "." else int(sign) for sign in signs]
    for name, cells in UNITS:
        seen: dict[int, int] = {}
        for cell in cells:
            digit = digits[cell]
            if digit and digit in seen:
                raise SudokuError(f"{name} has two {digit}s")
            seen[digit] = cell
    return digits


@dataclass(frozen=True)
class Puzzle:
    """Some digits of a grid, as 81 characters with dots for empty cells.

    Raises:
        SudokuError: if the text is none, or a row, column or box has a digit twice.
    """

    text: str

    def __post_init__(self) -> None:
        digits = _read(self.text)
        object.__setattr__(self, "text", "".join(str(digit) if digit else "." for digit in digits))

    @property
    def clues(self) -> list[int]:
        """The cells that have a digit, 0 to 80."""
        return [cell for cell, sign in enumerate(self.text) if sign != "."]

    def solutions(self, most: int = 2) -> list[Grid]:
        """Solutions, at most so many."""
        digits = [0 if sign == "." else int(sign) - 1 for sign in self.text]
        return [Grid.of(solution) for solution in sudoku_solutions(digits, self.clues, most)]

    @property
    def is_valid(self) -> bool:
        """Whether there is exactly one solution."""
        return len(self.solutions(2)) == 1

    def __str__(self) -> str:
        return self.text


@dataclass(frozen=True)
class Grid:
    """A complete grid, as 81 digits.

    Raises:
        SudokuError: if the text is none, is not complete, or breaks the rules.
    """

    text: str

    def __post_init__(self) -> None:
        digits = _read(self.text)
        if 0 in digits:
            raise SudokuError(f"a complete grid is needed: {digits.count(0)} cells are empty")
        object.__setattr__(self, "text", "".join(map(str, digits)))

    @classmethod
    def of(cls, digits: list[int]) -> Grid:
        """A grid from digits 0 to 8."""
        return cls("".join(str(digit + 1) for digit in digits))

    @cached_property
    def digits(self) -> list[int]:
        """The digits as 0 to 8, row by row."""
        return [int(sign) - 1 for sign in self.text]

    def puzzle(self, clues: list[int]) -> Puzzle:
        """The puzzle with the digits of these cells."""
        chosen = set(clues)
        return Puzzle("".join(sign if cell in chosen else "." for cell, sign in enumerate(self.text)))

    def canonical(self) -> Isomorphism:
        """The smallest grid among all that are the same but for names and order, and the way there."""
        digits, cells, automorphisms = sudoku_canonical(self.digits)
        return Isomorphism(self, Grid.of(digits), tuple(cells), automorphisms)

    def is_isomorphic(self, other: Grid) -> bool:
        """Whether relabelling, exchanging rows, columns, bands, stacks, and transposing lead from one to the other."""
        return self.canonical().target == other.canonical().target

    def rows(self) -> list[str]:
        """The nine rows."""
        return [self.text[start : start + 9] for start in range(0, CELLS, 9)]

    def __str__(self) -> str:
        return self.text


@dataclass(frozen=True)
class Isomorphism:
    """How a grid becomes its canonical form."""

    source: Grid
    target: Grid
    cells: tuple[int, ...]
    """For each cell of the target, the cell of the source that it comes from."""
    automorphisms: int
    """In how many ways the grid is mapped onto itself."""

    def carry(self, puzzle: Puzzle) -> Puzzle:
        """A puzzle of the source as one of the target."""
        clues = set(puzzle.clues)
        return self.target.puzzle([cell for cell, origin in enumerate(self.cells) if origin in clues])


def random_grid(rng: random.Random | None = None) -> Grid:
    """A random complete grid: every grid is possible, though not all are equally likely."""
    rng = rng or random.Random()
    digits = [0] * CELLS
    clues: list[int] = []
    for box in (0, 30, 60):  # three boxes that do not see each other
        for place, digit in enumerate(rng.sample(range(9), 9)):
            clues.append(box + 9 * (place // 3) + place % 3)
            digits[clues[-1]] = digit
    while len(found := sudoku_solutions(digits, clues, 40)) > 1:
        chosen = rng.choice(found)
        cell = rng.choice([cell for cell in range(CELLS) if len({solution[cell] for solution in found}) > 1])
        clues.append(cell)
        digits[cell] = chosen[cell]
    return Grid.of(found[0])


_FIRST = "123456789" + "1" * 72
_BATCH = 16


def catalogue(after: Grid | None = None, *, control: Control | None = None) -> Iterator[Grid]:
    """The essentially different grids, each by its canonical form, in their order; all 5,472,730,538 if you wait.

    Args:
        after: begin behind this grid.
        control: its stop flag ends the search.
    """
    control = control or Control()
    last = [int(sign) - 1 for sign in _FIRST] if after is None else after.digits
    while not control.stopped:
        batch = sudoku_catalogue(control, last, _BATCH)
        yield from (Grid.of(digits) for digits in batch)
        if len(batch) < _BATCH:
            return
        last = batch[-1]
