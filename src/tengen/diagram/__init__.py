"""How does a position look on paper? Diagrams as SVG and PNG."""

from tengen.diagram.scene import Area, Overlay, Palette, Scene, draw, move_numbers, star_points
from tengen.diagram.svg import to_svg


def to_png(scene: Scene, scale: float = 1.0) -> bytes:
    """The PNG file of a scene.

    Raises:
        TengenError: if the image would be absurdly large.
    """
    from tengen.diagram import png  # Pillow takes long to load, and most diagrams are SVG

    return png.to_png(scene, scale)


__all__ = ["Area", "Overlay", "Palette", "Scene", "draw", "move_numbers", "star_points", "to_png", "to_svg"]
