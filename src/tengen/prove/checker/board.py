"""The squares and segments of a board, and the zones that rows need."""

from __future__ import annotations

from collections.abc import Callable
from functools import lru_cache
from itertools import pairwise

from tengen.prove.checker.text import SQUARE, Refused, square_name

Zones = tuple[int, int, int]
"""Z1, Z2 and Z3, each laid out in lines."""

_CACHE_BITS = 1 << 31
MAX_THREATS = 1 << 14
"""At one node; no finite board has as many segments."""
_LONGEST_CACHED = 200
"""Letters; longer lists of squares seldom come twice, and a cache full of them would fill the memory."""
_DIRECTIONS: tuple[Callable[[int, int], int], ...] = (
    lambda x, y: y,
    lambda x, y: x,
    lambda x, y: y - x,
    lambda x, y: y + x,
)
"""What the squares of one line have in common: a row, a column, a diagonal up, a diagonal down."""


class Board:
    """A board, or a window on the infinite one.

    A set of squares is a whole number. *Plain*, it has one bit a square, bit `column + row * width`. *Laid out in
    lines*, it has four bits a square, its *places*, one for each direction: first come all rows one after the other,
    then all columns, then the diagonals of both kinds. So a segment is k places one after the other, and one shift
    moves all segments of the board. The first quarter is the plain set. A set of stones has all four places of a
    square; a zone holds a square if it has any of them. One more bit, `beyond`, stands for all squares of the infinite
    board outside.
    """

    def __init__(
        self, width: int, height: int, k: int, p: int, left: int = 0, bottom: int = 0, infinite: bool = False
    ) -> None:
        self.width, self.height, self.k, self.p = width, height, k, p
        self.left, self.bottom, self.infinite = left, bottom, infinite
        self.area = width * height
        self.names = [square_name(i % width + left, i // width + bottom) for i in range(self.area)]
        self.index = {name: i for i, name in enumerate(self.names)}
        self.plain = (1 << self.area) - 1
        self.beyond = 1 << 4 * self.area
        self.every = self.beyond * 2 - 1
        self.square_at: list[int] = []
        """By place."""
        self.starts = 0
        """The first places of all segments."""
        for line_of in _DIRECTIONS:
            lines: dict[int, list[int]] = {}
            for square in range(self.area):
                lines.setdefault(line_of(square % width, square // width), []).append(square)
            for line in lines.values():
                self.starts |= ((1 << max(len(line) - k + 1, 0)) - 1) << len(self.square_at)
                self.square_at += line
        self.places: list[list[int]] = [[] for _ in range(self.area)]
        for place, square in enumerate(self.square_at):
            self.places[square].append(place)
        # Every segment through the inner squares lies on the board.
        row = ((1 << max(width - 2 * k + 2, 0)) - 1) << k - 1
        self.inner = sum(row << y * width for y in range(k - 1, height - k + 1))
        # By these jumps one place grows to k in a row.
        self.jumps, length = [], 1
        while length < k:
            self.jumps.append(min(length, k - length))
            length += self.jumps[-1]
        cached = lru_cache(maxsize=min(1 << 16, _CACHE_BITS // self.beyond.bit_length()))
        self.parse_short, self.text, self.segment = cached(self._parse), cached(self._text), cached(self._segment)
        self.maps: dict[int, list[int]] = {}

    # Sets

    def parse(self, text: str) -> tuple[int, tuple[int, ...]]:
        """The squares of a text in lines, and as numbers, which must rise; `-` is none."""
        return self.parse_short(text) if len(text) <= _LONGEST_CACHED else self._parse(text)

    def _parse(self, text: str) -> tuple[int, tuple[int, ...]]:
        names = [match[0] for match in SQUARE.finditer(text)]
        if ("".join(names) or "-") != text:
            raise Refused(f"{text[:40]!r} is no list of squares")
        if any(name not in self.index for name in names):
            raise Refused(f"{text[:40]!r} leaves the board")
        numbers = tuple(self.index[name] for name in names)
        if any(a >= b for a, b in pairwise(numbers)):
            raise Refused(f"the squares of {text[:40]!r} are not in order")
        return self.in_lines(sum(1 << number for number in numbers)), numbers

    def set_of(self, squares: tuple[tuple[int, int], ...]) -> int:
        """A plain set from columns and rows."""
        return sum(1 << x - self.left + (y - self.bottom) * self.width for x, y in squares)

    def in_lines(self, squares: int) -> int:
        """A plain set laid out in lines."""
        found = 0
        for square in bits(squares):
            for place in self.places[square]:
                found |= 1 << place
        return found

    def in_plain(self, zone: int) -> int:
        """The plain set of a zone, without what is beyond."""
        found = zone & self.plain
        for place in bits(zone & ~(self.plain | self.beyond)):
            found |= 1 << self.square_at[place]
        return found

    def names_of(self, squares: int) -> tuple[str, ...]:
        """The names of a plain set's squares."""
        return tuple(self.names[number] for number in bits(squares))

    def _text(self, squares: int) -> str:
        """A plain set as it is written in a file."""
        return "".join(self.names_of(squares)) or "-"

    def image(self, squares: int, symmetry: int) -> int:
        """Where a symmetry takes a plain set: bit 4 swaps the axes, and then 1 mirrors the columns and 2 the rows."""
        if symmetry == 0:
            return squares
        if self.infinite or (symmetry & 4 and self.width != self.height):
            raise Refused(f"symmetry {symmetry} does not fit the board")
        if symmetry not in self.maps:
            self.maps[symmetry] = [
                1
                << (self.width - 1 - x if symmetry & 1 else x)
                + (self.height - 1 - y if symmetry & 2 else y) * self.width
                for i in range(self.area)
                for x, y in [divmod(i, self.width) if symmetry & 4 else (i % self.width, i // self.width)]
            ]
        to = self.maps[symmetry]
        return sum(to[number] for number in bits(squares))

    def image_of_zone(self, zone: int, symmetry: int) -> int:
        """Where a symmetry takes a zone."""
        if symmetry == 0:
            return zone
        return self.in_lines(self.image(self.in_plain(zone), symmetry)) | zone & self.beyond

    def move_size(self, stones: int) -> int:
        """How many stones a move has: p, or what is left of the board."""
        return self.p if self.infinite else min(self.p, self.room(stones))

    def room(self, stones: int) -> int:
        """How many squares of the board these stones leave empty."""
        return self.area - (stones & self.plain).bit_count()

    # Segments; all sets are laid out in lines

    def open_starts(self, blockers: int) -> int:
        """The first places of the segments without a blocker."""
        for jump in self.jumps:
            blockers |= blockers >> jump
        return self.starts & ~blockers

    def spread(self, starts: int) -> int:
        """The squares of the segments that start there."""
        for jump in self.jumps:
            starts |= starts << jump
        return starts

    def has_row(self, own: int) -> bool:
        """Whether k in a row stand there."""
        for jump in self.jumps:
            own &= own >> jump
        return own & self.starts != 0

    def ladder(self, own: int, blockers: int, most: int) -> list[int]:
        """For j = 0 … most the first places of the segments without a blocker and with at most j squares that `own`
        does not hold."""
        rungs = [self.open_starts(blockers)] * (most + 1)
        for i in range(self.k):
            held = own >> i
            for j in range(i if i < most else most, 0, -1):  # before this place no segment lacks more than i
                rungs[j] = rungs[j - 1] | rungs[j] & held
            rungs[0] &= held
        return rungs

    def gaps(self, own: int, blockers: int, most: int) -> list[int]:
        """The empty squares, as plain sets, of each segment without a blocker that lacks at most so many stones."""
        starts = self.ladder(own, blockers, most)[most]
        if starts.bit_count() > MAX_THREATS:
            raise Refused("there are too many threats")
        return [self.segment(start) & ~own for start in bits(starts)]

    def _segment(self, start: int) -> int:
        """The plain set of the segment that starts at a place."""
        return sum(1 << square for square in self.square_at[start : start + self.k])

    def near_rows(self, own: int, blockers: int, stones: int) -> Zones | None:
        """Where `own` may grow a row with `stones` stones and one, two or three more; None if he needs no more."""
        rungs = self.ladder(own, blockers, min(stones + 3, self.k))
        if rungs[min(stones, self.k)]:
            return None
        empty = self.every & ~(own | blockers)
        zones = []
        for lacking in range(stones + 1, stones + 4):
            zone = self.spread(rungs[min(lacking, self.k)]) & empty
            # From k on even segments without any stone count, of which there are more beyond.
            zones.append(zone | self.beyond if lacking >= self.k else zone)
        return zones[0], zones[1], zones[2]


def bits(squares: int) -> list[int]:
    """The numbers of the bits that are set, rising."""
    found = []
    while squares:
        lowest = squares & -squares
        found.append(lowest.bit_length() - 1)
        squares ^= lowest
    return found
