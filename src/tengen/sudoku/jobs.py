"""The job that workers run for a campaign: some grids, each checked completely."""

from __future__ import annotations

from typing import Any

from tengen.grid import Json, Task
from tengen.sudoku.check import check
from tengen.sudoku.grid import Grid, SudokuError


def check_grids(arguments: Json, task: Task) -> Json:
    """Checks the grids of a job one after the other: for each, its puzzles and the certificate of the search.

    Raises:
        SudokuError: if the arguments make no sense, or the job was aborted.
    """
    grids, clues = arguments.get("grids"), arguments.get("clues")
    if not isinstance(grids, list) or type(clues) is not int:
        raise SudokuError("a job needs a list of grids and a number of clues")
    checked: list[dict[str, Any]] = []
    for text in grids:
        found = check(Grid(str(text)), clues, control=task.control)
        if not found.is_complete:
            raise SudokuError("the search was stopped")
        checked.append(answer(found.puzzles, found.certificate))
        task.progress({"grids": len(checked), "of": len(grids)})
    return {"checked": checked}


def answer(puzzles: tuple[Any, ...], certificate: str) -> dict[str, Any]:
    """What is told of one grid."""
    return {"puzzles": [str(puzzle) for puzzle in puzzles], "certificate": certificate}
