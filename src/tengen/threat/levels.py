"""Levels: what a line is worth to a player, from nothing over dead-l and live-l and threats to a row."""

from __future__ import annotations

import enum
from dataclasses import dataclass, field
from functools import lru_cache

from tengen import _native
from tengen.game import Game, TengenError


class Kind(enum.Enum):
    """The kinds of levels, from the least to the greatest; dead and live also compare by their number."""

    NOTHING = "nothing"
    DEAD = "dead"
    LIVE = "live"
    THREATS = "threats"
    ROW = "row"


@dataclass(frozen=True, slots=True, order=True)
class Level:
    """The level of a line. Levels of one game compare: dead-1 < live-1 < dead-2 < … < one threat < two < a row."""

    rank: int
    kind: Kind = field(compare=False)
    number: int = field(compare=False)
    """The l of dead-l or live-l, the number of threats, else 0."""

    def __str__(self) -> str:
        if self.kind is Kind.THREATS:
            return "1 threat" if self.number == 1 else f"{self.number} threats"
        return f"{self.kind.value}-{self.number}" if self.kind in (Kind.DEAD, Kind.LIVE) else self.kind.value


@lru_cache(maxsize=4096)
def level_of_rank(need: int, rank: int) -> Level:
    """The level that the native table writes as a number; `need` stones make a segment a threat."""
    if rank == 0:
        return Level(rank, Kind.NOTHING, 0)
    if rank == _native.ROW_LEVEL:
        return Level(rank, Kind.ROW, 0)
    if rank > 2 * need:
        return Level(rank, Kind.THREATS, rank - 2 * need)
    return Level(rank, Kind.LIVE if rank % 2 == 0 else Kind.DEAD, (rank - 1) // 2)


@lru_cache(maxsize=16)
def pattern_table(k: int, p: int) -> _native.LinePatterns:
    """The table of line patterns for k and p: made on first use, filled as lines are met, and kept."""
    return _native.LinePatterns(k, p)


def line_level(line: str, game: Game) -> Level:
    """The level of one line, written with `X` for own stones, `.` for empty squares, `#` for what is closed to them.

    With need = k-p (at least 1), the stones that make a segment a threat:

    - k or more in a row: a row.
    - threat segments on it: as many threats as stones are needed to hit them all.
    - otherwise, with s the fewest stones that make at least one threat on it: *live-l* with l = need-s if some s stones
      make two threats or more, else *dead-l*. So the highest l counts, and live comes before dead.
    - nothing, if no k squares in a row are open to the player (or one stone wins, k being 1).

    Exact: two threats at once by the fewest stones come about just if two segments of l stones share exactly s empty
    squares; the tests compare this with trying all sets of stones.

    Raises:
        TengenError: if the line holds another character.
    """
    if unknown := set(line) - set("X.#"):
        raise TengenError(f"{line!r} is no line: {min(unknown)!r} is neither X (own), . (empty) nor # (closed)")
    table = pattern_table(game.k, game.p)
    return level_of_rank(table.need, table.level(line))
