"""The games of the family that we have settled, with the commands that make their proofs.

`bench/theory_settled.py` settles them all again, has every proof checked, and writes the list.
"""

from __future__ import annotations

import json
from dataclasses import asdict, dataclass
from functools import cache
from importlib.resources import files
from pathlib import Path

from tengen.game import Game

_FILE = "settled.json"


@dataclass(frozen=True)
class SettledGame:
    """A game with its value, as a proof that was accepted says."""

    game: str
    says: str
    """`black wins`, `white wins` or `a draw`."""
    position: str
    """Where the proof begins: the game itself, or the position after first moves that are enough to look at."""
    command: str
    """Writes the proof."""
    nodes: int
    """Of the proof."""
    seconds: float
    """Of processor time for finding it."""
    room: tuple[int, int] | None = None
    """For a win on the infinite board: it is one as well on each board with so many columns and rows. Why that is so is
    told where they are found: `room_needed` and `room_wherever_black_begins` of `boards`."""

    @property
    def parsed(self) -> Game:
        """The game."""
        return Game.parse(self.game)

    def holds_on_the_board_of(self, game: Game) -> bool:
        """Whether it speaks for this board, turned or not."""
        own = self.parsed
        boards = ((game.m, game.n), (game.n, game.m))
        if (own.m, own.n) in boards:
            return True
        if self.room is None or game.m is None or game.n is None:
            return False
        return all(need <= have for need, have in zip(sorted(self.room), sorted((game.m, game.n)), strict=True))


@cache
def settled_games() -> tuple[SettledGame, ...]:
    """All that are settled."""
    entries = json.loads(files(__package__).joinpath(_FILE).read_text())
    return tuple(
        SettledGame(**entry | {"room": None if entry["room"] is None else tuple(entry["room"])}) for entry in entries
    )


def write_settled(games: list[SettledGame], path: str | Path) -> None:
    """Writes a list of settled games, one a line.

    Raises:
        OSError: if it cannot be written.
    """
    lines = ",\n".join(json.dumps(asdict(game)) for game in games)
    Path(path).write_text(f"[\n{lines}\n]\n")
