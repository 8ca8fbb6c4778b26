"""The searches of Lin's thesis: versions V1 to V6, with what he counted."""

from __future__ import annotations

import time
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from itertools import chain, combinations

from tengen._native import MAX_DMUS_SETS, Control, sudoku_dmus, sudoku_sets
from tengen.sudoku.grid import CELLS, Grid, Puzzle, SudokuError

Cells = list[int]


@dataclass(frozen=True)
class Version:
    """One of the thesis's programs."""

    disjoint: int
    """0: no lower bound; 1: basic DMUS; 2: improved DMUS."""
    fewest_live: bool = True
    """Branch on the set with the fewest cells that are not dead; else on the first."""
    busiest_first: bool = False
    """Try first the cells that are in the most open sets."""
    regions: bool = False
    """Sets from removed regions; else all sets with at most 12 cells."""


VERSIONS = {
    "V1": Version(0, fewest_live=False),
    "V2": Version(0),
    "V3": Version(1),
    "V4": Version(2),
    "V5": Version(2, busiest_first=True),
    "V6": Version(2, busiest_first=True, regions=True),
}
SHRINKS = range(1, 7)
"""The orders of shrinking: first only; up; down; up and down; up twice; up until nothing changes."""


@dataclass(frozen=True)
class DmusResult:
    """What a search has found and counted."""

    puzzles: tuple[Puzzle, ...]
    is_complete: bool
    judged: int
    """How many candidates hit all sets and were given to the solver."""
    levels: list[dict[str, int]]
    """For each number of clues so far: nodes, disjoint (sets), more, equal, pruned, shrunk, unchanged, children."""
    sets: int
    seconds_sets: float
    seconds: float

    @property
    def nodes(self) -> int:
        """All nodes."""
        return sum(level["nodes"] for level in self.levels)


def sets_up_to(grid: Grid, size: int) -> list[Cells]:
    """All minimal unavoidable sets of at most so many cells, smallest first (phase 1 by brute force)."""
    return sudoku_sets(grid.digits, [list(range(CELLS))], size)


def sets_of_regions(grid: Grid, size: int = 14) -> list[Cells]:
    """Those of at most so many cells in four digits, or in four boxes (phase 1 by removed regions)."""
    digits = [
        [cell for cell in range(CELLS) if grid.digits[cell] in chosen] for chosen in map(set, combinations(range(9), 4))
    ]
    boxes = [
        [cell for cell in range(CELLS) if cell // 27 * 3 + cell % 9 // 3 in chosen]
        for chosen in map(set, combinations(range(9), 4))
    ]
    return sudoku_sets(grid.digits, digits + boxes, size)


def dmus(
    grid: Grid,
    clues: int,
    version: str | Version = "V6",
    *,
    sets: int = 384,
    shrinks: int = 3,
    seconds: float | None = None,
    control: Control | None = None,
) -> DmusResult:
    """Searches as a version of the thesis does.

    Args:
        grid: a complete grid.
        clues: how many a puzzle is to have.
        version: V1 to V6, or options of your own.
        sets: use so many of the smallest unavoidable sets at most.
        shrinks: the order of shrinking, 1 to 6.
        seconds: stop after this time.
        control: its stop flag ends the search.

    Raises:
        SudokuError: if an option makes no sense.
    """
    if isinstance(version, str):
        version = _named(version)
    if not 1 <= sets <= MAX_DMUS_SETS:
        raise SudokuError(f"1 to {MAX_DMUS_SETS} sets can be used, not {sets}")
    begun = time.process_time()
    found = sets_of_regions(grid) if version.regions else sets_up_to(grid, 12)
    ready = time.process_time()
    is_complete, hits, judged, levels = _search(
        grid.digits, found[:sets], range(CELLS), clues, version, shrinks, seconds, control
    )
    return DmusResult(
        tuple(sorted((grid.puzzle(cells) for cells in hits), key=str)),
        is_complete,
        judged,
        levels,
        min(sets, len(found)),
        ready - begun,
        time.process_time() - ready,
    )


def hitting_sets(
    sets: Sequence[Cells], universe: Iterable[int], size: int, version: str = "V5", *, shrinks: int = 3
) -> list[Cells]:
    """All sets of `size` cells of a universe (numbers below 81) that meet each of up to 512 sets: no Sudoku is needed.

    Raises:
        SudokuError: if an option makes no sense.
    """
    if len(sets) > MAX_DMUS_SETS:
        raise SudokuError(f"at most {MAX_DMUS_SETS} sets can be used, not {len(sets)}")
    cells = set(universe)
    for cell in (*cells, *chain.from_iterable(sets)):
        if not 0 <= cell < CELLS:
            raise SudokuError(f"cells are numbered 0 to 80: there is no {cell}")
    within = [[cell for cell in one if cell in cells] for one in sets]
    return _search([], within, sorted(cells), size, _named(version), shrinks, None, None)[1]


def _named(version: str) -> Version:
    if version not in VERSIONS:
        raise SudokuError(f"there is no version {version!r}: there are {', '.join(VERSIONS)}")
    return VERSIONS[version]


def _search(
    digits: list[int],
    sets: list[Cells],
    universe: Iterable[int],
    clues: int,
    version: Version,
    shrinks: int,
    seconds: float | None,
    control: Control | None,
) -> tuple[bool, list[Cells], int, list[dict[str, int]]]:
    if shrinks not in SHRINKS:
        raise SudokuError(f"the order of shrinking is 1 to 6, not {shrinks}")
    if not 0 <= clues <= CELLS:
        raise SudokuError(f"a puzzle has 0 to 81 clues, not {clues}")
    return sudoku_dmus(
        control or Control(),
        digits,
        sets,
        list(universe),
        clues,
        version.disjoint,
        shrinks,
        version.fewest_live,
        version.busiest_first,
        seconds or 0.0,
    )
