import io
import xml.etree.ElementTree as ElementTree

import pytest
from PIL import Image

from tengen import BLACK, Game, Position, Square, TengenError
from tengen.diagram import Area, Overlay, Palette, draw, star_points, to_png, to_svg
from tengen.diagram.scene import Circle

SVG = "{http://www.w3.org/2000/svg}"


def test_svg_has_every_stone_number_and_coordinate() -> None:
    position = Position(moves="J10 J9K11 K9I11")
    root = ElementTree.fromstring(to_svg(draw(position, numbers=True)))
    stones = [c for c in root.iter(f"{SVG}circle") if c.get("fill", "").startswith("url")]
    assert len(stones) == 5
    texts = [t.text for t in root.iter(f"{SVG}text")]
    assert sorted(t for t in texts[-5:] if t) == ["1", "2", "2", "3", "3"]
    assert texts.count("J") == 2
    title = root.find(f"{SVG}title")
    assert title is not None
    assert title.text == str(position)


def test_texts_in_svg_are_escaped() -> None:
    svg = to_svg(draw(Position(), labels={Square(0, 0): "<&>"}))
    assert "<&>" in [t.text for t in ElementTree.fromstring(svg).iter(f"{SVG}text")]


def test_png_shows_black_and_white_where_the_stones_are() -> None:
    position = Position(Game(5, 5, 4, 1, 1), "A1 E5")
    palette = Palette()
    scene = draw(position, palette=palette)
    image = Image.open(io.BytesIO(to_png(scene, 2))).convert("RGB")
    assert image.size == (round(scene.width * 2), round(scene.height * 2))
    black, white = (
        next(s for s in scene.shapes if isinstance(s, Circle) and s.fill == palette.stones[c]) for c in (0, 1)
    )
    below = 0.3  # of the radius below the middle: away from the shine and the red dot of the last move

    def brightness(circle: Circle) -> float:
        pixel = image.getpixel((round(circle.x * 2 + circle.radius), round(circle.y * 2 + circle.radius * (1 + below))))
        assert isinstance(pixel, tuple)
        return sum(pixel) / 3

    assert brightness(black) < 60
    assert brightness(white) > 200


def test_the_winning_row_and_marks_are_drawn() -> None:
    position = Position.setup(Game(9, 9, 4, 1, 1), ["A1", "B1", "C1", "D1"], ["A9", "B9", "C9"], BLACK, 1)
    red = Palette().highlight
    assert to_svg(draw(position)).count(f"stroke='{red}'") == 4
    marks = {
        "triangle": [Square(4, 4)],
        "square": [Square(4, 5)],
        "circle": [Square(4, 6)],
        "cross": [Square(4, 7)],
    }
    assert to_svg(draw(Position(), marks=marks)).count(f"stroke='{red}'") == 5  # a cross has two lines


def test_an_overlay_points_out_rows_and_squares() -> None:
    palette = Palette()
    row = tuple(Square(x, 0) for x in range(6))
    overlay = Overlay((row,), frozenset({Square(0, 0)}), frozenset({Square(5, 0), Square(18, 18)}))
    svg = to_svg(draw(Position(), overlay=overlay))
    assert (svg.count(palette.row), svg.count(palette.strong), svg.count(palette.weak)) == (1, 1, 2)
    corner = to_svg(draw(Position(), overlay=overlay, area=Area.parse("A1:C3")))
    assert (corner.count(palette.row), corner.count(palette.strong), corner.count(palette.weak)) == (1, 1, 0)
    elsewhere = to_svg(draw(Position(), overlay=overlay, area=Area.parse("H8:J10")))
    assert palette.row not in elsewhere


def test_areas() -> None:
    position = Position(moves="J10 A1B2")
    whole, part = draw(position), draw(position, area=Area.parse("N14:F6"))
    assert part.width < whole.width
    assert sum(isinstance(s, Circle) and s.shine is not None for s in part.shapes) == 1
    with pytest.raises(TengenError, match="off the board"):
        draw(position, area=Area.parse("Z30:Z40"))


def test_infinite_boards_show_their_stones() -> None:
    scene = draw(Position(Game.infinite(6, 2, 1), "J10 -C-5 M12"))
    assert sum(isinstance(s, Circle) and s.shine is not None for s in scene.shapes) == 3


def test_star_points() -> None:
    assert len(star_points(Position())) == 9
    assert star_points(Position(Game(5, 7, 4, 1, 1))) == [Square(2, 3)]
    assert star_points(Position(Game(6, 6, 4, 1, 1))) == []


def test_an_absurd_size_is_refused() -> None:
    with pytest.raises(TengenError, match="too large"):
        to_png(draw(Position(Game(59, 59, 6, 2, 1))), 10)
