"""`tengen show`: a position or record as a board."""

from __future__ import annotations

from typing import Annotated

import typer

from tengen.cli.board import print_board, write_diagram
from tengen.cli.common import (
    AreaOption,
    AtOption,
    GameOption,
    JsonOption,
    LenientOption,
    PngOption,
    PositionArgument,
    RecordOption,
    SvgOption,
    describe,
    err,
    node_at,
    out,
    parse_game,
    print_json,
    read_source,
    share_standard_output,
    status_line,
)
from tengen.diagram import Area, draw
from tengen.game import Position
from tengen.record import Node, Record, RecordError
from tengen.record.tree import MARKS


def show(
    position: PositionArgument,
    game: GameOption = None,
    at: AtOption = None,
    record: RecordOption = 1,
    numbers: Annotated[
        bool | None,
        typer.Option(
            "--numbers/--no-numbers", help="Write move numbers on the stones; on by default where there are moves."
        ),
    ] = None,
    area: AreaOption = None,
    svg: SvgOption = None,
    png: PngOption = None,
    scale: Annotated[float, typer.Option("--scale", min=0.1, max=10, help="Size of the SVG or PNG diagram.")] = 1.0,
    lenient: LenientOption = False,
    json: JsonOption = False,
) -> None:
    """Show a position or a record as a board: in the terminal, as SVG or PNG."""
    share_standard_output(json, svg, png)
    source = read_source(position, parse_game(game), record, lenient)
    for problem in source.problems:
        err.print(f"warning: {problem}", style="yellow")
    shown, node = _shown(source, at)
    part = None if area is None else Area.parse(area)
    with_numbers = bool(shown.moves) if numbers is None else numbers
    if svg is not None or png is not None:
        marks = {mark: node.marked(mark) for mark in MARKS}
        write_diagram(draw(shown, numbers=with_numbers, area=part, labels=node.labels, marks=marks), svg, png, scale)
    if json:
        print_json(describe(shown))
    elif svg is None and png is None:
        print_board(out, shown, with_numbers, part)
        if node.comment:
            out.print(node.comment)
        out.print(status_line(shown))


def _shown(source: Record, at: int | None) -> tuple[Position, Node]:
    """The position asked for; the last legal one of a record that was read leniently."""
    if not source.problems or at is not None:
        node = node_at(source, at)
        return source.position(node), node
    for node in reversed(source.main_line()):
        try:
            return source.position(node), node
        except RecordError:
            continue
    raise RecordError("no position of this record is legal")
