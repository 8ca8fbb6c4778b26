"""The (m,n,k)-games, one stone a move, that are settled on whole families of boards; why a proof speaks for many.

`bench/small_games.py --table` settles them, has every proof checked, and writes the list.
"""

from __future__ import annotations

import json
from collections.abc import Collection
from dataclasses import asdict, dataclass
from functools import cache
from importlib.resources import files
from pathlib import Path

from tengen.game import Colour, Game, Move, Square, TengenError
from tengen.prove import NoProofError
from tengen.prove.checker.file import Header, Survey, body
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
    reaches at most p squares beyond his other stones. The board is never full before he has won: the squares of his
    next answer are empty until then. On a finite board references may turn answers by a symmetry of the board: so all
    that the symmetries make of a square is counted.

    Raises:
        TengenError: if it is no proof of a win, or a threat may lie anywhere, since p stones are a row.
        OSError: if the file cannot be read.
    """
    header, stones = _attackers_stones(proof)
    game = Game.parse(header.game)
    xs, ys = [x for x, _ in stones], [y for _, y in stones]
    if game.m is None or game.n is None:
        return _width(xs) + 2 * game.p, _width(ys) + 2 * game.p
    xs += [game.m - 1 - x for x in xs]
    ys += [game.n - 1 - y for y in ys]
    if game.m == game.n:
        xs = ys = xs + ys
    return min(game.m, _width(xs) + 2 * game.p), min(game.n, _width(ys) + 2 * game.p)


def room_wherever_black_begins(proof: str | Path, first_zone: Collection[Square]) -> int:
    """The side of a square board on which White wins, whichever square Black's first stone is on; on larger ones too.

    The proof is one on the infinite board that was accepted, of White's win after Black's stone and his own answer. He
    wins as well if Black has one stone more that is not in the zone Z1 of that position (docs/proof-format.md), and so
    if Black has that stone alone: nobody is worse off with more stones. So White needs a place for the columns and rows
    of `room_needed` where Black's stone is the one of the proof, or is outside of Z1 and leaves White's own squares
    empty. A larger board has a part of that size, with Black's stone in it, and within it such a place.

    Args:
        proof: the file.
        first_zone: Z1, as the check of the file found it.

    Raises:
        TengenError: if it is no such proof.
        OSError: if the file cannot be read.
    """
    header, stones = _attackers_stones(proof)
    game = Game.parse(header.game)
    black, white = header.stones
    if not game.is_infinite or header.attacker != "white" or len(black) != 1 or len(white) != game.p:
        raise TengenError(f"{proof}: this is no proof of White's win after one stone and his answer")
    columns, rows = room_needed(proof)
    # As seen from the lower left square of the room, where Black's stone may not be.
    left, bottom = (min(numbers) - game.p for numbers in zip(*stones, strict=True))
    in_the_way = {(x - left, y - bottom) for x, y in {*first_zone, *white} - {*black}}
    side = max(columns, rows)
    while not all(
        any(
            (x - right, y - up) not in in_the_way
            for right in range(side - columns + 1)
            for up in range(side - rows + 1)
        )
        for x in range(side)
        for y in range(side)
    ):
        side += 1
    return side


def _attackers_stones(proof: str | Path) -> tuple[Header, list[tuple[int, int]]]:
    """The attacker's stones by a proof of a win: those of the position and of all answers."""
    try:
        header = Survey(proof).header
    except (NoProofError, Refused) as error:
        raise TengenError(f"{proof}: this is no proof of a win") from error
    if header.claim != "win":
        raise TengenError(f"{proof}: this is no proof of a win")
    game = Game.parse(header.game)
    if game.k <= game.p:
        raise TengenError(f"{game}: {game.p} stones are a row wherever they stand")
    answers = (line.split(" ")[2] for _, line in body(proof))
    moved = [square for answer in answers if answer[0] != "=" for square in Move.parse(answer)]
    return header, [*header.stones[Colour.parse(header.attacker)], *moved]


def _width(numbers: list[int]) -> int:
    return max(numbers) - min(numbers) + 1
