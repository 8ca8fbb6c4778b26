"""Puzzles on paper: some boards on each page, and the solutions at the end."""

from __future__ import annotations

import random
from collections.abc import Sequence
from dataclasses import dataclass
from io import BytesIO
from typing import Any

from tengen.diagram import Area, draw
from tengen.game import BLACK, WHITE
from tengen.puzzle.puzzle import Puzzle, PuzzleError

MOST = 120
_INCH = 72.0
_PAGE = (8.27 * _INCH, 11.69 * _INCH)
"""A4, in points."""
_MARGIN, _GAP, _HEAD = 0.6 * _INCH, 18.0, 16.0
_AROUND, _LEAST = 2, 11
"""A board is shown so far around its stones, and at least so many squares of it."""


@dataclass(frozen=True)
class _Layout:
    columns: int
    rows: int
    size: float
    """Of the texts, in points."""

    @property
    def cell(self) -> tuple[float, float]:
        """Its width and height."""
        width, height = _PAGE[0] - 2 * _MARGIN, _PAGE[1] - 2 * _MARGIN - 2 * _HEAD
        return (width - _GAP * (self.columns - 1)) / self.columns, (height - _GAP * (self.rows - 1)) / self.rows


_TASKS, _SOLUTIONS = _Layout(2, 3, 11.0), _Layout(3, 4, 8.0)


def choose_for_sheet(puzzles: Sequence[Puzzle], count: int, rng: random.Random) -> list[Puzzle]:
    """So many of the puzzles, or all if there are fewer, the easy ones first.

    Raises:
        PuzzleError: if no puzzles are wanted, or too many.
    """
    if not 1 <= count <= MOST:
        raise PuzzleError(f"a sheet has 1 to {MOST} puzzles, not {count}")
    return sorted(rng.sample(puzzles, min(count, len(puzzles))), key=lambda one: (one.level, one.length, one.name))


def sheet(puzzles: Sequence[Puzzle], title: str = "Connect6 puzzles") -> bytes:
    """The PDF file of a sheet; the same puzzles give the same bytes.

    Raises:
        PuzzleError: if there are no puzzles.
    """
    from reportlab.pdfgen.canvas import Canvas  # takes long to load, and few commands print

    if not puzzles:
        raise PuzzleError("there are no puzzles for this sheet")
    file = BytesIO()
    canvas = Canvas(file, pagesize=_PAGE, invariant=1)
    canvas.setTitle(title)
    canvas.setCreator("Tengen")
    _draw_pages(canvas, puzzles, _TASKS, title, is_solved=False)
    _draw_pages(canvas, puzzles, _SOLUTIONS, f"{title}: solutions", is_solved=True)
    canvas.save()
    return file.getvalue()


def _draw_pages(canvas: Any, puzzles: Sequence[Puzzle], layout: _Layout, title: str, is_solved: bool) -> None:
    a_page = layout.columns * layout.rows
    width, height = layout.cell
    for start in range(0, len(puzzles), a_page):
        canvas.setFillGray(0.3)
        canvas.setFont("Helvetica", 9)
        canvas.drawString(_MARGIN, _PAGE[1] - _MARGIN - 4, title)
        canvas.drawRightString(_PAGE[0] - _MARGIN, _PAGE[1] - _MARGIN - 4, str(canvas.getPageNumber()))
        for place, puzzle in enumerate(puzzles[start : start + a_page]):
            row, column = divmod(place, layout.columns)
            left = _MARGIN + column * (width + _GAP)
            top = _PAGE[1] - _MARGIN - 2 * _HEAD - row * (height + _GAP)
            _draw_cell(canvas, puzzle, start + place + 1, layout, left, top, is_solved)
        canvas.showPage()


def _draw_cell(
    canvas: Any, puzzle: Puzzle, number: int, layout: _Layout, left: float, top: float, is_solved: bool
) -> None:
    from tengen.diagram.pdf import PRINT, draw_on_page

    width, height = layout.cell
    size = layout.size
    position = puzzle.position
    if is_solved:
        position = position.copy()
        for move in puzzle.line:
            position.play(move)
    canvas.setFillGray(0)
    canvas.setFont("Helvetica-Bold", size)
    canvas.drawString(left, top - size, f"{number}.")
    indent = 2.1 * size
    canvas.setFont("Helvetica", size)
    side = str(puzzle.position.turn).capitalize()
    asked = f"{side}: the only defence" if puzzle.kind == "only defence" else f"{side} wins in {puzzle.length}"
    canvas.drawString(left + indent, top - size, str(puzzle.move) if is_solved else asked)
    canvas.setFillGray(0.35)
    canvas.drawRightString(left + width, top - size, puzzle.name[:6] if is_solved else f"level {puzzle.level}")
    scene = draw(position, numbers=is_solved, area=_area(puzzle), palette=PRINT)
    room = height - 1.7 * size
    shown = min(width, room * scene.width / scene.height)
    drawn = shown * scene.height / scene.width
    draw_on_page(canvas, scene, left + (width - shown) / 2, top - 1.7 * size - drawn, shown)


def _area(puzzle: Puzzle) -> Area:
    """The part of the board that matters: around all stones, those of the solution as well, about as wide as high."""
    end = puzzle.position.copy()
    for move in puzzle.line:
        end.play(move)
    squares = [*end.stones(BLACK), *end.stones(WHITE)]
    left, right = _span([square.x for square in squares], puzzle.position.game.m)
    bottom, top = _span([square.y for square in squares], puzzle.position.game.n)
    side = max(right - left, top - bottom) + 1
    left, right = _widened(left, right, side, puzzle.position.game.m)
    bottom, top = _widened(bottom, top, side, puzzle.position.game.n)
    return Area(left, bottom, right, top)


def _span(values: Sequence[int], size: int | None) -> tuple[int, int]:
    return _widened(min(values) - _AROUND, max(values) + _AROUND, _LEAST, size)


def _widened(low: int, high: int, least: int, size: int | None) -> tuple[int, int]:
    """A part of a line with at least so many squares, as far as the board allows."""
    lack = max(0, least - (high - low + 1))
    low, high = low - lack // 2, high + lack - lack // 2
    if size is None:
        return low, high
    if low < 0:
        low, high = 0, high - low
    if high >= size:
        low, high = low - (high - size + 1), size - 1
    return max(0, low), high
