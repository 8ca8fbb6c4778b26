"""`tengen threats`: what a player threatens, and how it can be met."""

from __future__ import annotations

import enum
from collections import Counter
from typing import Annotated

import typer

from tengen.cli.board import overlay_signs, print_board, write_diagram
from tengen.cli.common import (
    AreaOption,
    AtOption,
    GameOption,
    JsonOption,
    PngOption,
    PositionArgument,
    RecordOption,
    SvgOption,
    describe,
    node_at,
    out,
    parse_game,
    print_json,
    read_source,
    share_standard_output,
    status_line,
)
from tengen.diagram import Area, Overlay, draw
from tengen.game import Colour, Square
from tengen.threat import ThreatSummary

_MOST_SHOWN = 40
"""How many defences are listed in the terminal; JSON has them all."""


class Method(enum.StrEnum):
    """The ways to count threats, as people write them."""

    EXACT = "exact"
    WU_HUANG = "wu-huang"
    MARK_ALL = "mark-all"


class Side(enum.StrEnum):
    """The player who threatens."""

    BLACK = "black"
    WHITE = "white"


def _overlay(found: ThreatSummary) -> Overlay:
    """The threat segments, with the squares of normal and of relaxed defences."""
    normal, relaxed = (
        frozenset(stone for defence in found.defences if defence.is_normal == wanted for stone in defence.stones)
        for wanted in (True, False)
    )
    return Overlay(tuple(segment.squares for segment in found.segments), normal, relaxed - normal)


def threats(
    position: PositionArgument,
    game: GameOption = None,
    side: Annotated[
        Side | None,
        typer.Option("--side", help="The player who threatens; if left out, the one who is not to move."),
    ] = None,
    method: Annotated[Method, typer.Option("--method", help="The way to count the threats.")] = Method.EXACT,
    at: AtOption = None,
    record: RecordOption = 1,
    area: AreaOption = None,
    svg: SvgOption = None,
    png: PngOption = None,
    json: JsonOption = False,
) -> None:
    """Show a player's threats, the squares that meet them, and what may become a threat."""
    share_standard_output(json, svg, png)
    source = read_source(position, parse_game(game), record)
    shown = source.position(node_at(source, at))
    colour = shown.turn.opponent if side is None else Colour.parse(side)
    found = ThreatSummary(shown, colour, method.value)
    part = None if area is None else Area.parse(area)
    is_drawn = svg is not None or png is not None
    if is_drawn:
        write_diagram(draw(shown, area=part, overlay=_overlay(found)), svg, png)
    if json:
        print_json({**describe(shown), **found.as_json()})
    elif not is_drawn:
        print_board(out, shown, area=part, overlay=_overlay(found))
        for sentence in _sentences(found, method):
            out.print(sentence)


def _names(squares: tuple[Square, ...]) -> list[str]:
    return [str(square) for square in squares]


def _sentences(found: ThreatSummary, method: Method) -> list[str]:
    attacker, defender = (str(colour).capitalize() for colour in (found.side, found.side.opponent))
    position = found.position
    lines = [status_line(position)]
    if position.is_over:
        return lines
    number = "no threats" if found.number == 0 else "one threat" if found.number == 1 else f"{found.number} threats"
    counts = ", ".join(f"{name.replace('_', '-')} {count}" for name, count in found.counters.items())
    lines.append(f"{attacker} has {number} by the {method.value} count ({counts}).")
    if found.segments and found.defender_wins_at_once:
        lines.append(f"But {defender} can make {position.game.k} in a row at once, so they do not count as threats.")
    lines.extend(_defence_sentences(found, defender))
    levels = Counter(str(line.level) for line in found.lines)
    if levels:
        lines.append("Lines: " + ", ".join(f"{count} × {level}" for level, count in levels.items()) + ".")
    hp = "; ".join(f"{line.level} {' '.join(_names(line.stones))}" for line in found.hp_threats)
    lines.append(f"Highly potential threats: {hp or 'none'}.")
    return lines


def _defence_sentences(found: ThreatSummary, defender: str) -> list[str]:
    if not found.segments:
        return []
    stones = "one stone" if found.stones == 1 else f"{found.stones} stones"
    if not found.defences:
        return [f"{defender} cannot meet them with {stones}."]
    sentences = []
    normal, relaxed = overlay_signs(out)
    for name, sign, wanted in (("Normal", normal, True), ("Relaxed", relaxed, False)):
        moves = ["".join(_names(d.stones)) for d in found.defences if d.is_normal == wanted]
        if moves:
            more = f" and {len(moves) - _MOST_SHOWN} more" if len(moves) > _MOST_SHOWN else ""
            sentences.append(f"{name} defences ({sign}): {' '.join(moves[:_MOST_SHOWN])}{more}")
    return sentences
