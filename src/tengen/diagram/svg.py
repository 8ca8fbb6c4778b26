"""A scene as SVG."""

from __future__ import annotations

import html
import re

from tengen.diagram.scene import Circle, Line, Polygon, Scene, Shape, Text

_FONT = "font-family='Helvetica Neue, Arial, sans-serif' text-anchor='middle' dominant-baseline='central'"


def to_svg(scene: Scene, scale: float = 1.0) -> str:
    """The SVG text of a scene."""
    shines: dict[tuple[str, str], str] = {}
    body = [_shape(shape, shines) for shape in scene.shapes]
    gradients = [
        f"<radialGradient id='{name}' cx='38%' cy='32%' r='75%'><stop offset='0' stop-color='{shine}'/>"
        f"<stop offset='0.7' stop-color='{fill}'/></radialGradient>"
        for (shine, fill), name in shines.items()
    ]
    return "\n".join(
        [
            f"<svg xmlns='http://www.w3.org/2000/svg' "
            f"width='{_number(scene.width * scale)}' height='{_number(scene.height * scale)}' "
            f"viewBox='0 0 {_number(scene.width)} {_number(scene.height)}' "
            f"role='img' aria-label=\"{html.escape(scene.title)}\">",
            f"<title>{escape(scene.title)}</title>",
            f"<defs>{''.join(gradients)}</defs>",
            f"<rect width='100%' height='100%' fill='{scene.ground}'/>",
            *body,
            "</svg>\n",
        ]
    )


_FORBIDDEN = re.compile("[\x00-\x08\x0b\x0c\x0e-\x1f\ufffe\uffff\ud800-\udfff]")


def escape(text: str) -> str:
    """A text as XML; characters that XML cannot hold at all become question marks."""
    return html.escape(_FORBIDDEN.sub("?", text), quote=False)


def _number(value: float) -> str:
    return f"{value:.2f}".rstrip("0").rstrip(".")


def _shape(shape: Shape, shines: dict[tuple[str, str], str]) -> str:
    n = _number
    if isinstance(shape, Line):
        return (
            f"<line x1='{n(shape.x1)}' y1='{n(shape.y1)}' x2='{n(shape.x2)}' y2='{n(shape.y2)}' "
            f"stroke='{shape.colour}' stroke-width='{n(shape.width)}' stroke-linecap='square'/>"
        )
    if isinstance(shape, Text):
        weight = " font-weight='600'" if shape.bold else ""
        return (
            f"<text x='{n(shape.x)}' y='{n(shape.y)}' font-size='{n(shape.size)}' fill='{shape.colour}'{weight} "
            f"{_FONT}>{escape(shape.content)}</text>"
        )
    rim = f" stroke='{shape.rim}' stroke-width='{n(shape.rim_width)}'" if shape.rim else ""
    fill = shape.fill or "none"
    if isinstance(shape, Polygon):
        points = " ".join(f"{n(x)},{n(y)}" for x, y in shape.points)
        return f"<polygon points='{points}' fill='{fill}'{rim} stroke-linejoin='round'/>"
    assert isinstance(shape, Circle)
    if shape.shine and shape.fill:
        fill = f"url(#{shines.setdefault((shape.shine, shape.fill), f'shine{len(shines)}')})"
    return f"<circle cx='{n(shape.x)}' cy='{n(shape.y)}' r='{n(shape.radius)}' fill='{fill}'{rim}/>"
