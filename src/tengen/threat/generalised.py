"""Generalised threats: a value for every empty square that counts the sequences which a stone there makes or blocks.

After the Connect-k paper (section 3.2), whose text leaves some things open. Our reading:

- Only empty squares have values: nobody can play elsewhere.
- The forward check of a square looks at the square and up to k-1 more in front of it, as long as these are empty or of
  one player; then at the stones of that player (of whichever comes first, if there was none) that stand directly behind
  the square, up to k-1 of them and with no empty square between. Its value is the most stones of the player on k
  squares in a row within this area; without k squares it has none. The backward check is its mirror image.
- The first value of the square on that line is the larger of the two, the second the smaller, each for its own player.
  There is a second value just if both areas have k squares: the line can grow both ways.
- Domination: a value is dropped if a larger one of the same player stands on the same line at most k squares away, both
  taken before anything is dropped. (The larger sequence of the other player casts no shadow.)
- A value t adds 2^(c(t-1)) with c = 6. The paper adds up both players' values, since a stone makes or blocks a sequence
  either way; they are kept apart here and added up in `total`.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from tengen.game import BLACK, WHITE, Colour, Position, Square
from tengen.threat.segments import DIRECTIONS

BITS_PER_LEVEL = 6
"""The constant c: sixty-four sequences of one length weigh as much as one that is a stone longer."""


@dataclass(frozen=True, slots=True)
class SquareValue:
    """The value of an empty square, by whose sequences it is on."""

    black: int
    white: int

    @property
    def total(self) -> int:
        """Both players' values: the board value of the paper."""
        return self.black + self.white


_Threat = tuple[int, Colour]


def generalised_threats(position: Position) -> dict[Square, SquareValue]:
    """The values of the empty squares that are on some sequence, row by row from below."""
    sums: dict[Square, list[int]] = {}
    for line in _lines(position):
        for square, threats in zip(line, _undominated([position.at(s) for s in line], position.game.k), strict=True):
            for stones, colour in threats:
                sums.setdefault(square, [0, 0])[colour] += 1 << BITS_PER_LEVEL * (stones - 1)
    return {
        square: SquareValue(*values) for square, values in sorted(sums.items(), key=lambda item: (item[0].y, item[0].x))
    }


def _lines(position: Position) -> Iterator[list[Square]]:
    """The lines with stones on them, as far as the board goes and any check of a square near a stone can look."""
    margin = 2 * (position.game.k - 1)
    for dx, dy in DIRECTIONS:
        ends: dict[int, tuple[int, int]] = {}
        for colour in (BLACK, WHITE):
            for x, y in position.stones(colour):
                line, place = (y - x * dy, x) if dx else (x, y)
                low, high = ends.get(line, (place, place))
                ends[line] = min(low, place), max(high, place)
        for line, (low, high) in ends.items():
            places = range(low - margin, high + margin + 1)
            squares = (Square(place, line + place * dy) if dx else Square(line, place) for place in places)
            yield [square for square in squares if square in position]


def _undominated(line: list[Colour | None], k: int) -> list[list[_Threat]]:
    found = [_threats_at(line, place, k) for place in range(len(line))]
    kept = []
    for place, threats in enumerate(found):
        near = [threat for others in found[max(0, place - k) : place + k + 1] for threat in others]
        kept.append([(t, owner) for t, owner in threats if not any(n > t and other is owner for n, other in near)])
    return kept


def _threats_at(line: list[Colour | None], place: int, k: int) -> list[_Threat]:
    """The sequences that a place is on, two at most, the larger first; none if it is occupied."""
    if line[place] is not None:
        return []
    after, before = line[place + 1 : place + k], line[max(0, place - k + 1) : place][::-1]
    checks = (_check(after, before, k), _check(before, after, k))
    return sorted((check for check in checks if check is not None), reverse=True)


def _check(ahead: list[Colour | None], behind: list[Colour | None], k: int) -> _Threat | None:
    """The most stones of a player on k squares around an empty one, given what stands before and behind it, the nearest
    first; None without k squares or stones."""
    owner: Colour | None = None
    area: list[Colour | None] = [None]
    for stone in ahead:
        if stone is not None and owner is not None and stone is not owner:
            break
        owner = owner if stone is None else stone
        area.append(stone)
    for stone in behind:
        if stone is None or (owner is not None and stone is not owner):
            break
        owner = stone
        area.insert(0, stone)
    if len(area) < k or owner is None:
        return None
    return max(sum(stone is owner for stone in area[i : i + k]) for i in range(len(area) - k + 1)), owner
