"""The lines of a position: live and dead ones, threats, and the highly potential ones."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import takewhile

from tengen.game import Colour, Game, Position, Square
from tengen.threat.levels import Kind, Level, line_level
from tengen.threat.segments import DIRECTIONS, can_make_a_row, stones_for_a_threat


@dataclass(frozen=True, slots=True)
class LineThreat:
    """A line that is worth something to a player."""

    squares: tuple[Square, ...]
    """From the left to the right; of a column, from below."""
    stones: tuple[Square, ...]
    """The player's stones on it."""
    direction: int
    """An index of `DIRECTIONS`."""
    level: Level


def line_threats(position: Position, colour: Colour) -> list[LineThreat]:
    """The level of every line of a player that is worth something, the highest first.

    A line here is a stretch of squares in one direction without an opposing stone, as far as k-1 beyond the player's
    first and last stone on it. Stones with 2(k-1) squares or more between them are on two lines, since no segments
    through them meet: so two live groups far apart in one row are two.
    """
    if not can_make_a_row(position.game, colour):
        return []
    found = []
    for direction in range(len(DIRECTIONS)):
        for squares, stones in _lines(position, colour, direction):
            held = set(stones)
            level = line_level("".join("X" if square in held else "." for square in squares), position.game)
            if level.kind is not Kind.NOTHING:
                found.append(LineThreat(squares, stones, direction, level))
    return sorted(found, key=lambda line: -line.level.rank)


def _lines(
    position: Position, colour: Colour, direction: int
) -> Iterator[tuple[tuple[Square, ...], tuple[Square, ...]]]:
    (dx, dy), k = DIRECTIONS[direction], position.game.k

    def walk(start: Square, sign: int, steps: int) -> list[Square]:
        """The squares after `start`, up to an opposing stone, the edge, or so many steps."""
        ahead = (Square(start.x + sign * i * dx, start.y + sign * i * dy) for i in range(1, steps + 1))
        return list(takewhile(lambda s: s in position and position.at(s) is not colour.opponent, ahead))

    seen: set[Square] = set()
    for first in sorted(position.stones(colour)):
        if first in seen:
            continue
        # Sorted, so that no stone of the line stands before its first.
        squares, stones = [*reversed(walk(first, -1, k - 1)), first], [first]
        while after := next((s for s in walk(stones[-1], 1, 2 * k - 2) if position.at(s) is colour), None):
            stones.append(after)
        between = (stones[-1].x - first.x) // dx if dx else stones[-1].y - first.y
        squares += walk(first, 1, between + k - 1)
        seen.update(stones)
        yield tuple(squares), tuple(stones)


def is_hp_threat(level: Level, game: Game) -> bool:
    """Whether a level is a highly potential threat: in Connect6 live-3, dead-3 or live-2, in general for l = k-p-1 and
    live only for l = k-p-2, with a stone at least."""
    need = stones_for_a_threat(game)
    if level.kind not in (Kind.LIVE, Kind.DEAD) or level.number < 1:
        return False
    return level.number == need - 1 or (level.number == need - 2 and level.kind is Kind.LIVE)


def is_hp3_threat(level: Level, game: Game) -> bool:
    """Whether one more stone makes a threat: in Connect6 live-3 or dead-3, in general l = k-p-1."""
    return is_hp_threat(level, game) and level.number == stones_for_a_threat(game) - 1


def hp_threats(position: Position, colour: Colour) -> list[LineThreat]:
    """The highly potential threats of a player, the highest first."""
    return [line for line in line_threats(position, colour) if is_hp_threat(line.level, position.game)]
