"""A board as shapes, before anybody asks for SVG or PNG: both draw the same scene."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field

from tengen.game import BLACK, WHITE, Colour, Position, Square, TengenError, column_name

CELL = 32.0
"""The distance of two lines in a scene's own units; SVG and PNG scale it."""
MARGIN = CELL * 1.1
NARROW_MARGIN = CELL * 0.7


@dataclass(frozen=True, slots=True)
class Palette:
    """The colours of a diagram."""

    board: str = "#e9c88c"
    line: str = "#75592f"
    text: str = "#5a4423"
    highlight: str = "#c8402f"
    row: str = "#f3a95a"
    strong: str = "#2f7d4f"
    weak: str = "#a9d6b3"
    zones: tuple[str, str, str] = ("#8fb8cf", "#b9cdb9", "#dccfa4")
    stones: tuple[str, str] = ("#1b1b1e", "#fbfaf5")
    shine: tuple[str, str] = ("#5c5c63", "#ffffff")
    rims: tuple[str, str] = ("#000000", "#8d8674")


@dataclass(frozen=True, slots=True)
class Overlay:
    """What a diagram points out beyond the stones: rows of squares, empty squares of more and of less weight, zones."""

    rows: tuple[tuple[Square, ...], ...] = ()
    strong: frozenset[Square] = frozenset()
    weak: frozenset[Square] = frozenset()
    zones: tuple[frozenset[Square], ...] = ()
    """Relevance zones Z1, Z2, Z3, each within the next."""

    @property
    def squares_on_rows(self) -> frozenset[Square]:
        """The squares of all rows."""
        return frozenset(square for row in self.rows for square in row)

    @property
    def zone_numbers(self) -> dict[Square, int]:
        """For each square of a zone the number of the smallest one that holds it."""
        numbered = reversed(list(enumerate(self.zones, 1)))
        return {square: number for number, zone in numbered for square in zone}


@dataclass(frozen=True, slots=True)
class Line:
    """A straight line."""

    x1: float
    y1: float
    x2: float
    y2: float
    colour: str
    width: float


@dataclass(frozen=True, slots=True)
class Circle:
    """A circle; a `shine` makes it a lit ball."""

    x: float
    y: float
    radius: float
    fill: str | None
    rim: str | None = None
    rim_width: float = 0.0
    shine: str | None = None


@dataclass(frozen=True, slots=True)
class Polygon:
    """A closed shape."""

    points: tuple[tuple[float, float], ...]
    fill: str | None
    rim: str | None = None
    rim_width: float = 0.0


@dataclass(frozen=True, slots=True)
class Text:
    """A text, centred on a point."""

    x: float
    y: float
    content: str
    size: float
    colour: str
    bold: bool = False


Shape = Line | Circle | Polygon | Text


@dataclass(slots=True)
class Scene:
    """Shapes on a coloured ground, in drawing order."""

    width: float
    height: float
    ground: str
    title: str
    shapes: list[Shape] = field(default_factory=list)


@dataclass(frozen=True, slots=True)
class Area:
    """The part of the board that is shown, in squares, both ends included."""

    left: int
    bottom: int
    right: int
    top: int

    @classmethod
    def parse(cls, text: str) -> Area:
        """Reads two opposite corners, like `F6:N14`.

        Raises:
            TengenError: if the text is something else.
        """
        first, colon, second = text.partition(":")
        if not colon:
            raise TengenError(f"{text!r} is no area: name two corners, like F6:N14")
        a, b = Square.parse(first), Square.parse(second)
        return cls(min(a.x, b.x), min(a.y, b.y), max(a.x, b.x), max(a.y, b.y))

    @classmethod
    def of(cls, position: Position, margin: int = 4) -> Area:
        """The whole board; on the infinite one, the stones with a margin."""
        if position.game.m is not None and position.game.n is not None:
            return cls(0, 0, position.game.m - 1, position.game.n - 1)
        stones = [*position.stones(BLACK), *position.stones(WHITE)] or [Square(9, 9)]
        xs, ys = [s.x for s in stones], [s.y for s in stones]
        return cls(min(xs) - margin, min(ys) - margin, max(xs) + margin, max(ys) + margin)

    def clipped_to(self, position: Position) -> Area:
        """What of this area lies on the board.

        Raises:
            TengenError: if nothing does.
        """
        if position.game.is_infinite:
            return self
        board = Area.of(position)
        clipped = Area(max(self.left, 0), max(self.bottom, 0), min(self.right, board.right), min(self.top, board.top))
        if clipped.left > clipped.right or clipped.bottom > clipped.top:
            raise TengenError("that area lies off the board")
        return clipped

    def __contains__(self, square: object) -> bool:
        return (
            isinstance(square, Square) and self.left <= square.x <= self.right and self.bottom <= square.y <= self.top
        )


def move_numbers(position: Position) -> dict[Square, int]:
    """The number of the move that placed each stone; stones that were set up have none."""
    return {square: number for number, turn in enumerate(position.turns, 1) for square in turn.move}


def star_points(position: Position) -> list[Square]:
    """The points that boards of that size have marked."""
    m, n = position.game.m, position.game.n
    if m is None or n is None or m % 2 == 0 or n % 2 == 0:
        return []
    inset = 3
    if m == n and m >= 13:
        places = (inset, m // 2, m - 1 - inset)
        return [Square(x, y) for x in places for y in places]
    return [Square(m // 2, n // 2)]


def draw(
    position: Position,
    *,
    numbers: bool = False,
    coordinates: bool = True,
    area: Area | None = None,
    labels: Mapping[Square, str] | None = None,
    marks: Mapping[str, list[Square]] | None = None,
    overlay: Overlay | None = None,
    palette: Palette | None = None,
) -> Scene:
    """The scene of a position: its stones, the last move, the winning row, and what a record says about squares.

    Args:
        position: what to draw.
        numbers: whether stones carry the number of their move.
        coordinates: whether letters and numbers stand around the board.
        area: the part to show; by default all of it.
        labels: texts on squares.
        marks: squares by mark (`triangle`, `square`, `circle`, `cross`).
        overlay: rows, squares and zones to point out.
        palette: other colours.

    Raises:
        TengenError: if the area lies off the board.
    """
    colours = palette or Palette()
    area = (area or Area.of(position)).clipped_to(position)
    margin = MARGIN if coordinates else NARROW_MARGIN
    width = (area.right - area.left) * CELL + 2 * margin
    height = (area.top - area.bottom) * CELL + 2 * margin
    scene = Scene(width, height, colours.board, str(position))

    def place(square: Square) -> tuple[float, float]:
        return margin + (square.x - area.left) * CELL, margin + (area.top - square.y) * CELL

    pointed_out = overlay or Overlay()
    zones = {
        place(square): number
        for square, number in sorted(pointed_out.zone_numbers.items())
        if square in area and position.at(square) is None
    }
    for x, y in zones:
        _draw_tile(scene, x, y, colours.zones[zones[x, y] - 1])
    for band in pointed_out.rows:
        _draw_band(scene, [place(square) for square in band if square in area], colours)
    _draw_lines(scene, position, area, margin, colours)
    if coordinates:
        _draw_coordinates(scene, area, margin, colours)
    for (x, y), number in zones.items():  # the lines must not run through the number
        scene.shapes.append(Circle(x, y, CELL * 0.24, colours.zones[number - 1]))
        scene.shapes.append(Text(x, y, str(number), CELL * 0.38, colours.text, bold=number == 1))
    for diamonds, colour in ((pointed_out.weak, colours.weak), (pointed_out.strong, colours.strong)):
        for square in sorted(diamonds):
            if square in area:
                _draw_diamond(scene, *place(square), colour, colours)
    _draw_stones(scene, position, area, place, numbers, colours)
    for mark, squares in (marks or {}).items():
        for square in squares if mark in _DRAWN_MARKS else ():
            if square in area:
                _draw_mark(scene, mark, *place(square), _contrast(position.at(square), colours))
    for square, content in (labels or {}).items():
        if square in area:
            x, y = place(square)
            if position.at(square) is None:  # the lines must not run through the text
                scene.shapes.append(Circle(x, y, CELL * 0.4, colours.board))
            colour = _contrast(position.at(square), colours)
            scene.shapes.append(Text(x, y, content, CELL * 0.46, colour, bold=True))
    return scene


_DRAWN_MARKS = frozenset({"triangle", "square", "circle", "cross"})


def _draw_coordinates(scene: Scene, area: Area, margin: float, colours: Palette) -> None:
    size, inset = CELL * 0.36, margin * 0.42
    for x in range(area.left, area.right + 1):
        for side in (inset, scene.height - inset):
            scene.shapes.append(Text(margin + (x - area.left) * CELL, side, column_name(x), size, colours.text))
    for y in range(area.bottom, area.top + 1):
        for side in (inset, scene.width - inset):
            scene.shapes.append(Text(side, margin + (area.top - y) * CELL, str(y + 1), size, colours.text))


def _draw_band(scene: Scene, points: list[tuple[float, float]], colours: Palette) -> None:
    """A band as wide as the stones, so that it shows around them."""
    if not points:
        return
    (x1, y1), (x2, y2) = points[0], points[-1]
    length = math.hypot(x2 - x1, y2 - y1)
    dx, dy = ((x2 - x1) / length, (y2 - y1) / length) if length else (1.0, 0.0)
    dx, dy = dx * CELL * 0.49, dy * CELL * 0.49
    corners = (
        (x1 - dx - dy, y1 - dy + dx),
        (x2 + dx - dy, y2 + dy + dx),
        (x2 + dx + dy, y2 + dy - dx),
        (x1 - dx + dy, y1 - dy - dx),
    )
    scene.shapes.append(Polygon(corners, colours.row))


def _draw_tile(scene: Scene, x: float, y: float, colour: str) -> None:
    half = CELL * 0.48
    corners = ((x - half, y - half), (x + half, y - half), (x + half, y + half), (x - half, y + half))
    scene.shapes.append(Polygon(corners, colour))


def _draw_diamond(scene: Scene, x: float, y: float, colour: str, colours: Palette) -> None:
    half = CELL * 0.3
    corners = ((x - half, y), (x, y - half), (x + half, y), (x, y + half))
    scene.shapes.append(Polygon(corners, colour, colours.board, 1.0))


def _draw_stones(
    scene: Scene,
    position: Position,
    area: Area,
    place: Callable[[Square], tuple[float, float]],
    numbers: bool,
    colours: Palette,
) -> None:
    add, radius = scene.shapes.append, CELL * 0.46
    order = move_numbers(position) if numbers else {}
    last = position.moves[-1].squares if position.moves else ()
    row = position.winning_row or ()
    for colour in (BLACK, WHITE):
        for square in filter(area.__contains__, position.stones(colour)):
            x, y = place(square)
            add(Circle(x, y, radius, colours.stones[colour], colours.rims[colour], 1.0, colours.shine[colour]))
            if number := order.get(square):
                text_colour = colours.highlight if square in last else colours.stones[colour.opponent]
                add(Text(x, y, str(number), CELL * (0.42 if number < 100 else 0.34), text_colour, bold=True))
            elif square in last and square not in row:
                add(Circle(x, y, CELL * 0.13, colours.highlight))
            if square in row:
                add(Circle(x, y, radius, None, colours.highlight, 3.0))


def _draw_lines(scene: Scene, position: Position, area: Area, margin: float, colours: Palette) -> None:
    # A line runs on to the diagram's edge where the board goes on beyond it.
    board = None if position.game.is_infinite else Area.of(position)
    reach = CELL * 0.35
    left = margin - (0 if board and area.left == board.left else reach)
    right = scene.width - margin + (0 if board and area.right == board.right else reach)
    upper = margin - (0 if board and area.top == board.top else reach)
    lower = scene.height - margin + (0 if board and area.bottom == board.bottom else reach)
    for x in range(area.left, area.right + 1):
        edge = board is not None and x in (board.left, board.right)
        at = margin + (x - area.left) * CELL
        scene.shapes.append(Line(at, upper, at, lower, colours.line, 1.6 if edge else 0.9))
    for y in range(area.bottom, area.top + 1):
        edge = board is not None and y in (board.bottom, board.top)
        at = margin + (area.top - y) * CELL
        scene.shapes.append(Line(left, at, right, at, colours.line, 1.6 if edge else 0.9))
    for star in star_points(position):
        if star in area:
            x_star, y_star = margin + (star.x - area.left) * CELL, margin + (area.top - star.y) * CELL
            scene.shapes.append(Circle(x_star, y_star, CELL * 0.1, colours.line))


def _contrast(stone: Colour | None, colours: Palette) -> str:
    return colours.highlight if stone is None else colours.stones[stone.opponent]


def _draw_mark(scene: Scene, mark: str, x: float, y: float, colour: str) -> None:
    size, width = CELL * 0.24, 2.2
    if mark == "circle":
        scene.shapes.append(Circle(x, y, size, None, colour, width))
    elif mark == "cross":
        scene.shapes.append(Line(x - size, y - size, x + size, y + size, colour, width))
        scene.shapes.append(Line(x - size, y + size, x + size, y - size, colour, width))
    elif mark == "triangle":
        corners = ((x, y - size * 1.15), (x + size, y + size * 0.7), (x - size, y + size * 0.7))
        scene.shapes.append(Polygon(corners, None, colour, width))
    else:
        s = size * 0.85
        corners_of_square = ((x - s, y - s), (x + s, y - s), (x + s, y + s), (x - s, y + s))
        scene.shapes.append(Polygon(corners_of_square, None, colour, width))
