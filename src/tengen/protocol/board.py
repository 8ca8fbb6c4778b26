"""The board in plain letters, for people who type commands by hand."""

from __future__ import annotations

from collections.abc import Sequence

from tengen.game import BLACK, Position, Square


def board_text(position: Position, columns: Sequence[str], rows: Sequence[str]) -> str:
    """The board: X for Black, O for White, a dot for an empty square, with these names from the lower left corner."""
    width = max(map(len, rows))
    header = " " * (width + 1) + " ".join(columns)
    lines = [header]
    for y in reversed(range(len(rows))):
        stones = (position.at(Square(x, y)) for x in range(len(columns)))
        signs = " ".join("." if stone is None else "X" if stone is BLACK else "O" for stone in stones)
        lines.append(f"{rows[y]:>{width}} {signs} {rows[y]}")
    return "\n".join([*lines, header])
