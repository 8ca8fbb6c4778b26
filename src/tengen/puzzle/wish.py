"""Which puzzles does somebody want? By level, kind and theme; those that come with Tengen, unless told otherwise."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass
from functools import cache
from pathlib import Path

from tengen.puzzle.puzzle import KINDS, LEVELS, Puzzle, PuzzleError, read_puzzles

SHIPPED = Path(__file__).with_name("puzzles.jsonl")
"""The file of the puzzles that come with Tengen; `bench/ship_puzzles.py` adds to it."""
_LEVELS_TEXT = re.compile(r"(\d{1,2})(?:\s*[-–]\s*(\d{1,2}))?")


@cache
def shipped_puzzles() -> tuple[Puzzle, ...]:
    """The puzzles that come with Tengen, easy ones of each kind first.

    Raises:
        PuzzleError: if somebody has spoilt the file.
        OSError: if it is not there.
    """
    return tuple(read_puzzles(SHIPPED))


@dataclass(frozen=True)
class Wish:
    """What somebody wants to train with; what is not told may be anything.

    Raises:
        PuzzleError: if there can be no such puzzle.
    """

    least: int = 1
    most: int = LEVELS
    """The levels, both included."""
    kind: str | None = None
    theme: str | None = None

    def __post_init__(self) -> None:
        if not 1 <= self.least <= self.most <= LEVELS:
            raise PuzzleError(f"levels are 1 to {LEVELS}, the lower one first, not {self.least} to {self.most}")
        if self.kind is not None and self.kind not in KINDS:
            raise PuzzleError(f"{self.kind!r} is no kind of puzzle; there are {', '.join(KINDS)}")

    @classmethod
    def parse(cls, levels: str | None = None, kind: str | None = None, theme: str | None = None) -> Wish:
        """Reads levels as people write them, `3` or `3-5`.

        Raises:
            PuzzleError: if they are something else, or there can be no such puzzle.
        """
        if levels is None:
            return cls(kind=kind, theme=theme)
        if (read := _LEVELS_TEXT.fullmatch(levels.strip())) is None:
            raise PuzzleError(f"{levels!r} are no levels: write 3, or 3-5")
        least = int(read[1])
        return cls(least, least if read[2] is None else int(read[2]), kind, theme)

    def fits(self, puzzle: Puzzle) -> bool:
        """Whether a puzzle is wanted."""
        return (
            self.least <= puzzle.level <= self.most
            and self.kind in (None, puzzle.kind)
            and (self.theme is None or self.theme in puzzle.themes)
        )

    def among(self, puzzles: Iterable[Puzzle]) -> list[Puzzle]:
        """Those that are wanted.

        Raises:
            PuzzleError: if there are none, but would be some of another theme.
        """
        any_theme = Wish(self.least, self.most, self.kind)
        of_all_themes = [one for one in puzzles if any_theme.fits(one)]
        found = [one for one in of_all_themes if self.fits(one)]
        if not found and of_all_themes:
            themes = sorted({theme for one in of_all_themes for theme in one.themes})
            raise PuzzleError(f"there is no such puzzle of the theme {self.theme!r}; there are {', '.join(themes)}")
        return found


def counts_by_level(puzzles: Iterable[Puzzle]) -> dict[str, list[int]]:
    """How many there are of each kind, from level 1 on."""
    counts = {kind: [0] * LEVELS for kind in KINDS}
    for one in puzzles:
        counts[one.kind][one.level - 1] += 1
    return counts


def themes_of_set(puzzles: Iterable[Puzzle]) -> Counter[str]:
    """How often each theme comes; kinds are not counted as themes."""
    return Counter(theme for one in puzzles for theme in one.themes if theme not in KINDS)


def find_by_name(puzzles: Iterable[Puzzle], name: str) -> Puzzle:
    """The puzzle whose name begins like this.

    Raises:
        PuzzleError: if there is none, or more than one.
    """
    found = [one for one in puzzles if one.name.startswith(name.lower())]
    if len(found) != 1:
        raise PuzzleError(f"{'no puzzle' if not found else 'more than one puzzle'} has a name that begins with {name}")
    return found[0]
