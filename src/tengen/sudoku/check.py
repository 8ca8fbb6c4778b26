"""Which puzzles with a given number of clues does a grid have? All of them, by the fast search."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from typing import Any

from tengen._native import Control, sudoku_bands
from tengen.sudoku.grid import CELLS, Grid, Puzzle, SudokuError

Progress = Callable[[int, list[Puzzle]], object]


@dataclass(frozen=True)
class Check:
    """What a search has found."""

    grid: Grid
    clues: int
    puzzles: tuple[Puzzle, ...]
    is_complete: bool
    """Whether all was searched; else there may be more puzzles."""
    certificate: str
    """A checksum over all pairs of bands that the search has looked at: who has not searched does not know it."""
    figures: dict[str, Any]
    """How large the search was: sets, learned, pairs, joined, completed, solved, by_stacks."""
    seconds: float

    def as_json(self) -> dict[str, Any]:
        """For people who read JSON."""
        return {
            "grid": str(self.grid),
            "clues": self.clues,
            "complete": self.is_complete,
            "count": len(self.puzzles),
            "puzzles": [str(puzzle) for puzzle in self.puzzles],
            "certificate": self.certificate,
            "search": self.figures,
            "seconds": round(self.seconds, 4),
        }


def check(
    grid: Grid,
    clues: int,
    *,
    given: Iterable[int] = (),
    allowed: Iterable[int] | None = None,
    seconds: float | None = None,
    control: Control | None = None,
    progress: Progress | None = None,
) -> Check:
    """Finds every puzzle with so many clues whose one solution is the grid.

    Args:
        grid: a complete grid.
        clues: how many.
        given: cells (0 to 80) that must be clues.
        allowed: cells that may be clues; all unless told.
        seconds: stop after this time; what was found until then is told.
        control: its stop flag ends the search.
        progress: called now and then with a number that grows and the puzzles found since; what it raises ends the
            search.

    Raises:
        SudokuError: if the number of clues or a cell makes no sense.
    """
    if not 0 <= clues <= CELLS:
        raise SudokuError(f"a puzzle has 0 to 81 clues, not {clues}")
    must, may = sorted(set(given)), sorted(range(CELLS) if allowed is None else set(allowed))
    for cell in (*must, *may):
        if not 0 <= cell < CELLS:
            raise SudokuError(f"cells are numbered 0 to 80: there is no {cell}")

    def tell(looked: int, fresh: list[list[int]]) -> None:
        if progress:
            progress(looked, [grid.puzzle(cells) for cells in fresh])

    start = time.process_time()
    is_complete, found, certificate, figures = sudoku_bands(
        control or Control(), grid.digits, clues, must, may, seconds or 0.0, tell if progress else None
    )
    return Check(
        grid,
        clues,
        tuple(sorted((grid.puzzle(cells) for cells in found), key=str)),
        is_complete,
        f"{certificate:016x}",
        figures,
        time.process_time() - start,
    )
