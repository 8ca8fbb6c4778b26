"""The board in a terminal, and in files."""

from __future__ import annotations

from rich.console import Console
from rich.style import Style
from rich.text import Text

from tengen.cli.common import write_output
from tengen.diagram import Area, Overlay, Scene, move_numbers, star_points, to_png, to_svg
from tengen.game import BLACK, WHITE, Colour, Position, Square, column_name

_WOOD = "#dcb67a"
_POINT = Style(color="#8a6a3b", bgcolor=_WOOD)
_FRAME = Style(color="grey62")
_STONES = (Style(color="#000000", bgcolor=_WOOD), Style(color="#ffffff", bgcolor=_WOOD))
_NUMBERS = (Style(color="#ffffff", bgcolor="#1b1b1e"), Style(color="#000000", bgcolor="#ffffff"))
_LAST = "#e0352b"
_ROW_BACKGROUND = "#c8402f"
_POINTED_OUT = "#f0a04b"
_STRONG, _WEAK = "#0b6b35", "#3f6f4c"
_ZONES = tuple(
    Style(color="#3d2f18", bgcolor=tint, bold=tint == "#7fb0cc") for tint in ("#7fb0cc", "#b4c9b0", "#dcc998")
)


def write_diagram(scene: Scene, svg: str | None, png: str | None, scale: float = 1.0) -> None:
    """Writes a diagram to the files that were asked for.

    Raises:
        OSError: if one cannot be written.
    """
    if svg is not None:
        write_output(svg, to_svg(scene, scale).encode())
    if png is not None:
        write_output(png, to_png(scene, scale))


def print_board(
    console: Console,
    position: Position,
    numbers: bool = False,
    area: Area | None = None,
    overlay: Overlay | None = None,
) -> None:
    """Prints a position: in colour where the terminal has it, else with X for Black and O for White.

    The last move is red, or in round brackets; a winning row has a red ground, or square brackets. Rows of an overlay
    have an orange ground, or braces around their stones and colons for their empty squares; its strong and weak squares
    bear the signs that `overlay_signs` tells, squares of its zones their numbers.
    """
    pointed_out = overlay or Overlay()
    on_rows, zones = pointed_out.squares_on_rows, pointed_out.zone_numbers
    area = (area or Area.of(position)).clipped_to(position)
    order = move_numbers(position) if numbers else {}
    last = set(position.moves[-1].squares) if position.moves else set()
    row = set(position.winning_row or ())
    stars = set(star_points(position))
    coloured = _is_coloured(console)
    signs = overlay_signs(console)
    width = max(3, max((len(str(n)) for n in order.values()), default=0) + (1 if coloured else 3))
    labels = max(len(str(area.bottom + 1)), len(str(area.top + 1)))
    whole, area = area, _fitting(console, position, area, (console.width - 2 * labels - 2) // width)
    header = Text(" " * (labels + 1), _FRAME)
    for x in range(area.left, area.right + 1):
        header.append(column_name(x).center(width), _FRAME)
    _print_line(console, header)
    for y in range(area.top, area.bottom - 1, -1):
        line = Text(f"{y + 1:>{labels}} ", _FRAME)
        for x in range(area.left, area.right + 1):
            square = Square(x, y)
            stone = position.at(square)
            content, style = _cell(stone, order.get(square), square in last, square in row, square in stars, coloured)
            if stone is None and square in zones:
                content, style = str(zones[square]), _ZONES[zones[square] - 1] if coloured else style
            if square not in row:
                content, style = _pointed_out(content, style, square, stone, pointed_out, on_rows, signs, coloured)
            line.append(content.center(width), style)
        line.append(f" {y + 1}", _FRAME)
        _print_line(console, line)
    _print_line(console, header)
    if area != whole:
        shown = f"{column_name(area.left)} to {column_name(area.right)}"
        console.print(f"Columns {shown}: no room for more; 'tengen show --area' shows any part.")


def _fitting(console: Console, position: Position, area: Area, columns: int) -> Area:
    """What of an area fits into a terminal that has room for so many columns: where the stones are, and were last."""
    if not console.is_terminal or columns < 1 or area.right - area.left < columns:
        return area
    stones = [*position.stones(BLACK), *position.stones(WHITE)] or [Square((area.left + area.right) // 2, area.bottom)]
    if max(s.x for s in stones) - min(s.x for s in stones) >= columns and position.moves:
        stones = list(position.moves[-1].squares) or stones
    middle = (min(s.x for s in stones) + max(s.x for s in stones)) // 2
    left = min(max(area.left, middle - columns // 2), area.right - columns + 1)
    return Area(left, area.bottom, left + columns - 1, area.top)


def overlay_signs(console: Console) -> tuple[str, str]:
    """The signs of strong and of weak squares: ◆ and ◇ in colour, else * and ~."""
    return ("◆", "◇") if _is_coloured(console) else ("*", "~")


def _is_coloured(console: Console) -> bool:
    return console.color_system is not None and not console.no_color


def _print_line(console: Console, line: Text) -> None:
    console.print(line, no_wrap=True, overflow="ignore", crop=False)


def _pointed_out(
    content: str,
    style: Style,
    square: Square,
    stone: Colour | None,
    overlay: Overlay,
    on_rows: frozenset[Square],
    signs: tuple[str, str],
    coloured: bool,
) -> tuple[str, Style]:
    if coloured and square in on_rows:
        style += Style(bgcolor=_POINTED_OUT)
    if stone is not None:
        return (f"{{{content.strip('()')}}}" if square in on_rows and not coloured else content), style
    if square in overlay.strong:
        return signs[0], style + (Style(color=_STRONG, bold=True) if coloured else Style.null())
    if square in overlay.weak:
        return signs[1], style + (Style(color=_WEAK, bold=True) if coloured else Style.null())
    return (":" if square in on_rows and not coloured else content), style


def _cell(
    stone: Colour | None, number: int | None, is_last: bool, in_row: bool, is_star: bool, coloured: bool
) -> tuple[str, Style]:
    if stone is None:
        return ("+" if is_star else "·") if coloured else (
            "+" if is_star else "."
        ), _POINT if coloured else Style.null()
    if not coloured:
        mark = ("X" if stone is BLACK else "O") + ("" if number is None else str(number))
        if in_row:
            mark = f"[{mark}]"
        elif is_last:
            mark = f"({mark})"
        return mark, Style.null()
    if number is not None:
        style = _NUMBERS[stone]
        content = str(number)
    else:
        style = _STONES[stone]
        content = "●"
    if in_row:
        style += Style(bgcolor=_ROW_BACKGROUND, color="#ffffff" if number is not None else None)
    elif is_last:
        style += Style(color=_LAST, bold=True) if number is not None else Style(bgcolor="#f0d9a8")
    return content, style
