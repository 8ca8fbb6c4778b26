"""The (m,n,k)-games, one stone a move, that are settled on whole families of boards, and why a proof speaks for many.

`bench/small_games.py --table` settles them, has every proof checked, and writes the list.
"""

from __future__ import annotations

import json
from dataclasses import asdict, dataclass
from functools import cache
from importlib.resources import files
from pathlib import Path

from tengen.game import Colour, Game, Move, TengenError
from tengen.prove import NoProofError
from tengen.prove.checker.file import Survey, body
from tengen.prove.checker.text import Refused

_FILE = "boards.json"


@dataclass(frozen=True)
class SettledBoards:
    """What a proof that was accepted says of k in a row on m x n, for one m and all n in between."""

    k: int
    m: int
    """At most n."""
    n: int
    to: int | None
    """None: on all boards of at least m x n, the infinite one among them."""
    says: str
    """`black wins` or `a draw`."""
    command: str
    """Writes the proof."""
    nodes: int
    """Of the proof."""

    def include(self, m: int, n: int) -> bool:
        """Whether a board, m <= n, is one of them."""
        return self.n <= n and (self.m <= m if self.to is None else self.m == m and n <= self.to)


@cache
def settled_boards() -> tuple[SettledBoards, ...]:
    """All that are settled."""
    return tuple(SettledBoards(**entry) for entry in json.loads(files(__package__).joinpath(_FILE).read_text()))


def write_boards(boards: list[SettledBoards], path: str | Path) -> None:
    """Writes a list of settled boards, one entry a line.

    Raises:
        OSError: if it cannot be written.
    """
    lines = ",\n".join(json.dumps(asdict(entry)) for entry in boards)
    Path(path).write_text(f"[\n{lines}\n]\n")


def room_needed(proof: str | Path) -> tuple[int, int]:
    """The columns and rows that the attacker needs, by a proof of a win that was accepted: how many, not which.

    He wins in the same way on each board that has them and lies within the proof's: the defender has no move there,
    and no row, that he would not have on the larger one. The attacker's stones are those of the position and of the
    answers, and those that complete a threat, which the proof does not list. A threat lacks at most p squares, so it
    reaches at most p squares beyond his other stones. On a finite board references may turn answers by a symmetry of
    the board: so all that the symmetries make of a square is counted.

    Raises:
        TengenError: if it is no proof of a win, or a threat may lie anywhere, since p stones are a row.
        OSError: if the file cannot be read.
    """
    try:
        header = Survey(proof).header
    except (NoProofError, Refused) as error:
        raise TengenError(f"{proof}: this is no proof of a win") from error
    if header.claim != "win":
        raise TengenError(f"{proof}: this is no proof of a win")
    game = Game.parse(header.game)
    if game.k <= game.p:
        raise TengenError(f"{game}: {game.p} stones are a row wherever they stand")
    stones = list(header.stones[Colour.parse(header.attacker)])
    answers = (line.split(" ")[2] for _, line in body(proof))
    stones += [square for answer in answers if answer[0] != "=" for square in Move.parse(answer)]
    xs, ys = [x for x, _ in stones], [y for _, y in stones]
    if game.m is None or game.n is None:
        return _width(xs) + 2 * game.p, _width(ys) + 2 * game.p
    xs += [game.m - 1 - x for x in xs]
    ys += [game.n - 1 - y for y in ys]
    if game.m == game.n:
        xs = ys = xs + ys
    return min(game.m, _width(xs) + 2 * game.p), min(game.n, _width(ys) + 2 * game.p)


def _width(numbers: list[int]) -> int:
    return max(numbers) - min(numbers) + 1
