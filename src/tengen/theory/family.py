"""The map of the family: for each k, p and q on the infinite board, how fair the game is."""

from __future__ import annotations

from dataclasses import dataclass
from html import escape
from typing import Any

from tengen.game import Game
from tengen.theory.fairness import Assessment, Fairness, assess

COLOURS = {
    "black wins": "#3b3b3b",
    "white wins": "#e9e3d2",
    "a draw": "#7fb3d5",
    str(Fairness.MONOTONICALLY_UNFAIR): "#c98b5e",
    str(Fairness.EMPIRICALLY_UNFAIR): "#e3c567",
    str(Fairness.POTENTIALLY_FAIR): "#9dc88d",
}
"""By the value of a game if that is known, else by its class."""
_CELL, _LEFT, _TOP, _GAP, _LEGEND = 34, 70, 40, 26, 24


@dataclass(frozen=True)
class Cell:
    """One game of the map."""

    k: int
    p: int
    q: int
    assessment: Assessment

    @property
    def label(self) -> str:
        """What the cell says: the value if it is known, else the class."""
        return self.assessment.value or str(self.assessment.fairness)

    def as_json(self) -> dict[str, Any]:
        """All of it as a plain object."""
        return {"k": self.k, "p": self.p, "q": self.q, "label": self.label, **self.assessment.as_json()}


def family_map(most_k: int = 14, most_p: int = 4) -> list[Cell]:
    """All Connect(k,p,q) with k from 3 on and q from 1 to p + 1, on the infinite board."""
    return [
        Cell(k, p, q, assess(Game.infinite(k, p, q)))
        for p in range(1, most_p + 1)
        for q in range(1, p + 2)
        for k in range(3, most_k + 1)
    ]


def draw_map(cells: list[Cell]) -> str:
    """The map as an SVG picture: a block of rows for each p, a row for each q, a column for each k."""
    columns = sorted({cell.k for cell in cells})
    rows = sorted({(cell.p, cell.q) for cell in cells})
    blocks = sorted({cell.p for cell in cells})
    heights = {row: _TOP + i * _CELL + blocks.index(row[0]) * _GAP for i, row in enumerate(rows)}
    width = max(_LEFT + len(columns) * _CELL + 20, 480)
    bottom = max(heights.values()) + _CELL + 20
    height = bottom + (len(COLOURS) + 1) // 2 * _LEGEND + 10
    parts = [
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} {height}" width="{width}" height="{height}" '
        'font-family="sans-serif" font-size="12" role="img" aria-label="Fairness of Connect(k,p,q)">',
        f'<rect width="{width}" height="{height}" fill="#ffffff"/>',
    ]
    parts += [_text(_LEFT + (i + 0.5) * _CELL, _TOP - 12, f"k={k}", "middle") for i, k in enumerate(columns)]
    parts += [_text(_LEFT - 8, y + _CELL * 0.65, f"p={p}, q={q}", "end") for (p, q), y in heights.items()]
    for cell in cells:
        x, y = _LEFT + columns.index(cell.k) * _CELL, heights[cell.p, cell.q]
        parts.append(
            f'<rect x="{x}" y="{y}" width="{_CELL}" height="{_CELL}" fill="{COLOURS[cell.label]}" stroke="#ffffff">'
            f"<title>{escape(str(cell.assessment.game))}: {escape(cell.label)}</title></rect>"
        )
    for i, (label, colour) in enumerate(COLOURS.items()):
        x, y = 20 + i % 2 * 230, bottom + i // 2 * _LEGEND
        parts.append(f'<rect x="{x}" y="{y}" width="16" height="16" fill="{colour}" stroke="#888888"/>')
        parts.append(_text(x + 24, y + 13, label, "start"))
    return "\n".join([*parts, "</svg>", ""])


def _text(x: float, y: float, text: str, anchor: str) -> str:
    return f'<text x="{x:g}" y="{y:g}" text-anchor="{anchor}" fill="#222222">{escape(text)}</text>'
