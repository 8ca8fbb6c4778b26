"""Relevance zones on the board, for the commands that find them."""

from __future__ import annotations

import typer

from tengen.cli.board import print_board
from tengen.cli.common import out, write_output
from tengen.diagram import Area, Overlay, draw, to_png, to_svg
from tengen.game import Position, Square

Zones = tuple[frozenset[Square], ...]


def check_outputs(json: bool, svg: str | None, png: str | None) -> None:
    """Standard output holds one thing.

    Raises:
        BadParameter: if two are to go there.
    """
    if [svg, png].count("-") + json > 1:
        raise typer.BadParameter("standard output cannot hold both the answer and the diagram")


def write_zones(position: Position, zones: Zones, svg: str | None, png: str | None) -> None:
    """Writes the diagrams that were asked for, if there are zones.

    Raises:
        OSError: if a file cannot be written.
    """
    if zones and (svg is not None or png is not None):
        scene = draw(position, area=_area(position, zones), overlay=Overlay(zones=zones))
        if svg is not None:
            write_output(svg, to_svg(scene).encode())
        if png is not None:
            write_output(png, to_png(scene))


def print_zones(position: Position, zones: Zones) -> None:
    """Prints the board with the zones on it, and their sizes, if there are any."""
    if zones:
        print_board(out, position, area=_area(position, zones), overlay=Overlay(zones=zones))
        sizes = ", ".join(f"Z{number} = {len(zone)}" for number, zone in enumerate(zones, 1))
        out.print(f"Relevance zones, each square with the number of the smallest: {sizes} squares.")


def _area(position: Position, zones: Zones) -> Area | None:
    """On the infinite board, what the second zone reaches; the third may be all there is."""
    if not position.game.is_infinite:
        return None
    stones, reach = Area.of(position), sorted(zones[min(1, len(zones) - 1)])
    xs, ys = [s.x for s in reach], [s.y for s in reach]
    return Area(min(stones.left, *xs), min(stones.bottom, *ys), max(stones.right, *xs), max(stones.top, *ys))
