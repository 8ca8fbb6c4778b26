"""A scene as PNG, drawn with Pillow at a multiple of its size and shrunk, which smooths all edges."""

from __future__ import annotations

import io
from functools import lru_cache
from typing import Any

from PIL import Image, ImageColor, ImageDraw, ImageFont

from tengen.diagram.scene import Circle, Line, Polygon, Scene, Shape, Text
from tengen.game import TengenError

_OVERSAMPLING = (3, 2, 1)
MAX_PIXELS = 60_000_000
"""Of the canvas that is drawn on, 3 bytes each; large images are oversampled less to stay below it."""


def to_png(scene: Scene, scale: float = 1.0) -> bytes:
    """The PNG file of a scene.

    Raises:
        TengenError: if the image would be absurdly large.
    """
    pixels = scene.width * scene.height * scale**2
    oversampling = next((times for times in _OVERSAMPLING if pixels * times**2 <= MAX_PIXELS), None)
    if oversampling is None:
        raise TengenError(f"an image of {scene.width * scale:.0f} x {scene.height * scale:.0f} pixels is too large")
    factor = scale * oversampling
    size = (round(scene.width * factor), round(scene.height * factor))
    image = Image.new("RGB", size, scene.ground)
    canvas = ImageDraw.Draw(image)
    for shape in scene.shapes:
        _draw(canvas, shape, factor)
    small = image.resize((round(scene.width * scale), round(scene.height * scale)), Image.Resampling.LANCZOS)
    out = io.BytesIO()
    small.save(out, "PNG", optimize=True)
    return out.getvalue()


@lru_cache(maxsize=32)
def _font(size: int) -> Any:
    return ImageFont.load_default(size)


def _draw(canvas: ImageDraw.ImageDraw, shape: Shape, factor: float) -> None:
    if isinstance(shape, Line):
        ends = [(shape.x1 * factor, shape.y1 * factor), (shape.x2 * factor, shape.y2 * factor)]
        canvas.line(ends, shape.colour, max(1, round(shape.width * factor)))
    elif isinstance(shape, Text):
        weight = round(0.02 * shape.size * factor) if shape.bold else 0
        canvas.text(
            (shape.x * factor, shape.y * factor),
            shape.content,
            shape.colour,
            _font(max(1, round(shape.size * factor * 1.08))),
            "mm",
            stroke_width=weight,
        )
    elif isinstance(shape, Polygon):
        points = [(x * factor, y * factor) for x, y in shape.points]
        if shape.fill:
            canvas.polygon(points, shape.fill)
        if shape.rim:
            canvas.line([*points, points[0], points[1]], shape.rim, round(shape.rim_width * factor), "curve")
    else:
        _draw_circle(canvas, shape, factor)


def _draw_circle(canvas: ImageDraw.ImageDraw, circle: Circle, factor: float) -> None:
    x, y, radius = circle.x * factor, circle.y * factor, circle.radius * factor

    def ball(dx: float, dy: float, r: float, colour: Any) -> None:
        canvas.ellipse((x + dx - r, y + dy - r, x + dx + r, y + dy + r), colour)

    if circle.fill:
        ball(0, 0, radius, circle.fill)
        if circle.shine:
            # Rings from the rim inwards, each a little nearer to the light: the gradient of the SVG.
            dark, light = (ImageColor.getrgb(c)[:3] for c in (circle.fill, circle.shine))
            rings = 24
            for ring in range(rings):
                part = (ring + 1) / rings
                mixed = tuple(round(a + (b - a) * part) for a, b in zip(dark, light, strict=True))
                ball(-0.24 * radius * part, -0.32 * radius * part, 0.92 * radius * (1 - part), mixed)
    if circle.rim:
        r = radius + circle.rim_width * factor / 2
        canvas.ellipse((x - r, y - r, x + r, y + r), None, circle.rim, max(1, round(circle.rim_width * factor)))
