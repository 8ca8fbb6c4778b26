"""Line-pattern information: what a stone on each empty square does to the line through it, in every direction."""

from __future__ import annotations

from dataclasses import dataclass

from tengen.game import Colour, Position, Square, TengenError
from tengen.threat.levels import Level, level_of_rank, pattern_table
from tengen.threat.segments import DIRECTIONS

_NOTHING = level_of_rank(1, 0)


@dataclass(frozen=True, slots=True)
class PointPattern:
    """One empty square, one direction, one player who might play there.

    The line is what can matter: the squares up to 2(k-1) away on either side, for each player as far as the other's
    stones and the edge. A segment through the square ends at most k-1 away, a segment that it makes two threats with
    begins on it.
    """

    own: Level
    """The player's level now."""
    own_after: Level
    """His level with his stone there."""
    other: Level
    """The opponent's level now."""
    other_after: Level
    """The opponent's level with the player's stone there."""

    @property
    def attack(self) -> Level:
        """What a stone raises the line to; nothing if it does not raise it."""
        return self.own_after if self.own_after > self.own else _NOTHING

    @property
    def defence(self) -> int:
        """What a stone takes from the opponent: the rank of his level before less that after it; 0 if nothing."""
        return self.other.rank - self.other_after.rank

    @property
    def stops(self) -> Level:
        """The opponent's level that a stone lowers; nothing if it lowers none."""
        return self.other if self.other_after < self.other else _NOTHING


class PatternMap:
    """The patterns of a whole board, as they were when `line_patterns` was called."""

    __slots__ = ("_board", "_levels", "_need", "_position")

    def __init__(self, position: Position) -> None:
        self._position = position.copy()
        self._board = self._position.native_board
        table = pattern_table(position.game.k, position.game.p)
        self._need = table.need
        self._levels = memoryview(table.survey(self._board, position.game.is_infinite)).cast("H")

    def at(self, square: Square, direction: int, colour: Colour) -> PointPattern:
        """What a stone of a player on an empty square does in one direction (an index of `DIRECTIONS`).

        In a maker-breaker game the breaker's rows have levels too; whether they count is for the caller to say.

        Raises:
            TengenError: if the square is off the board, too far from all stones of the infinite board, or occupied.
        """
        board = self._board
        if not board.contains(square.x, square.y):
            raise TengenError(f"{square} is off the board, or far from every stone: there is no pattern to tell")
        if self._position.at(square) is not None:
            raise TengenError(f"{square} is occupied: patterns are told of empty squares")
        row, column = square.y - board.bottom, square.x - board.left
        first = ((row * board.width + column) * len(DIRECTIONS) + direction) * 6
        mine, theirs = first + 3 * colour, first + 3 * colour.opponent
        ranks = (self._levels[i] for i in (mine, mine + 1, theirs, theirs + 2))
        return PointPattern(*(level_of_rank(self._need, rank) for rank in ranks))

    def of(self, square: Square, colour: Colour) -> tuple[PointPattern, ...]:
        """The patterns of a square in the four directions.

        Raises:
            TengenError: as `at` does.
        """
        return tuple(self.at(square, direction, colour) for direction in range(len(DIRECTIONS)))


def line_patterns(position: Position) -> PatternMap:
    """The line patterns of every empty square in every direction for both players, from the native table."""
    return PatternMap(position)
