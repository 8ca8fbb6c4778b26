"""Draws the tiling B2 of docs/theory.md: its bands of tiles, and the lines of one of them.

python bench/tiling_picture.py [FILE]     docs/images/tiling-b2.svg unless told
"""

from __future__ import annotations

import sys
from pathlib import Path

from tengen.diagram import Scene, to_svg
from tengen.diagram.scene import Line, Polygon
from tengen.theory import b2_tiling
from tengen.theory.tiling import Tile

FILE = Path(__file__).resolve().parents[1] / "docs" / "images" / "tiling-b2.svg"
COLUMNS, ROWS, SIDE = 27, 16, 24
COLOURS = (("#e9c88c", "#f4e2bd"), ("#8fb8cf", "#c3dae6"))
"""For upright tiles and for mirrored ones, by turns."""
INK, GRID, LINES = "#5a4423", "#ffffff", "#a8321f"
SHOWN = Tile(0, (6, 8))
"""Whose lines are drawn."""


def picture() -> Scene:
    tiling = b2_tiling()
    scene = Scene(COLUMNS * SIDE, ROWS * SIDE, "#ffffff", "Bands of the tile B2 and of its mirror image")
    owners = {}
    for x in range(COLUMNS):
        for y in range(ROWS):
            found = tiling.find((x, y))
            assert found is not None  # the tiles cover the plane
            tile = owners[x, y] = found[0]
            fill = COLOURS[tile.number][tile.offset[0] // tiling.period[0] % 2]
            scene.shapes.append(Polygon(_corners(x, y), fill, GRID, 1.0))
    for (x, y), tile in owners.items():
        left, bottom, right, top = x * SIDE, (ROWS - y) * SIDE, (x + 1) * SIDE, (ROWS - y - 1) * SIDE
        if owners.get((x + 1, y), tile) != tile:
            scene.shapes.append(Line(right, bottom, right, top, INK, 1.8))
        if owners.get((x, y + 1), tile) != tile:
            scene.shapes.append(Line(left, top, right, top, INK, 1.8))
    for line in tiling.board.lines:
        (x1, y1), (x2, y2) = (tiling.place(SHOWN, square) for square in (line[0], line[-1]))
        scene.shapes.append(Line(*_middle(x1, y1), *_middle(x2, y2), LINES, 2.2))
    return scene


def _middle(x: int, y: int) -> tuple[float, float]:
    return (x + 0.5) * SIDE, (ROWS - y - 0.5) * SIDE


def _corners(x: int, y: int) -> tuple[tuple[float, float], ...]:
    cx, cy = _middle(x, y)
    half = SIDE / 2
    return ((cx - half, cy - half), (cx + half, cy - half), (cx + half, cy + half), (cx - half, cy + half))


if __name__ == "__main__":
    Path(sys.argv[1] if len(sys.argv) > 1 else FILE).write_text(to_svg(picture()) + "\n")
