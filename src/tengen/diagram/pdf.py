"""Scenes on the pages of a PDF, as vectors."""

from __future__ import annotations

from typing import Any

from reportlab.lib.colors import HexColor

from tengen.diagram.scene import Circle, Line, Palette, Polygon, Scene, Shape, Text

PRINT = Palette(
    board="#ffffff",
    line="#555555",
    text="#444444",
    highlight="#d0402f",
    stones=("#000000", "#ffffff"),
    shine=("#000000", "#ffffff"),
    rims=("#000000", "#000000"),
)
"""Black on white: what a laser printer does well; the last move stands out, in grey too."""
_MIDDLE = 0.36
"""Of a text's size, from its base line to the middle of its capitals."""


def draw_on_page(canvas: Any, scene: Scene, left: float, bottom: float, width: float) -> float:
    """Draws a scene on a page of reportlab's and returns its height there; lit balls become flat discs.

    Args:
        canvas: the `reportlab.pdfgen.canvas.Canvas`.
        scene: what to draw.
        left: where its left edge comes, in points.
        bottom: where its lower edge comes.
        width: how wide it comes out.
    """
    factor = width / scene.width
    canvas.saveState()
    canvas.translate(left, bottom)
    canvas.scale(factor, factor)
    canvas.setFillColor(HexColor(scene.ground))
    canvas.rect(0, 0, scene.width, scene.height, stroke=0, fill=1)
    for shape in scene.shapes:
        _draw(canvas, shape, scene.height)
    canvas.restoreState()
    return scene.height * factor


def _draw(canvas: Any, shape: Shape, height: float) -> None:
    """A scene counts its y from above, a page from below."""
    if isinstance(shape, Line):
        canvas.setStrokeColor(HexColor(shape.colour))
        canvas.setLineWidth(shape.width)
        canvas.setLineCap(2)
        canvas.line(shape.x1, height - shape.y1, shape.x2, height - shape.y2)
    elif isinstance(shape, Text):
        canvas.setFillColor(HexColor(shape.colour))
        canvas.setFont("Helvetica-Bold" if shape.bold else "Helvetica", shape.size)
        canvas.drawCentredString(shape.x, height - shape.y - _MIDDLE * shape.size, shape.content)
    elif isinstance(shape, Circle):
        _prepare(canvas, shape)
        canvas.circle(shape.x, height - shape.y, shape.radius, stroke=int(bool(shape.rim)), fill=int(bool(shape.fill)))
    else:
        _prepare(canvas, shape)
        path = canvas.beginPath()
        path.moveTo(shape.points[0][0], height - shape.points[0][1])
        for x, y in shape.points[1:]:
            path.lineTo(x, height - y)
        path.close()
        canvas.drawPath(path, stroke=int(bool(shape.rim)), fill=int(bool(shape.fill)))


def _prepare(canvas: Any, shape: Circle | Polygon) -> None:
    if shape.fill:
        canvas.setFillColor(HexColor(shape.fill))
    if shape.rim:
        canvas.setStrokeColor(HexColor(shape.rim))
        canvas.setLineWidth(shape.rim_width)
