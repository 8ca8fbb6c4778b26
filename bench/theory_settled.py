"""Settles games of the family, has every proof checked, and writes the list that `tengen fair` knows.

Small boards are settled whole. On the infinite board the proof begins after the first moves: if Black is to win, it is
enough that one first move does; if White is, he answers one stone, and all first stones are the same there. Each such
proof tells on which boards there is room for it. Black's wins with several stones a move are proved again on the square
boards that are smaller, down to the first where threats are not enough. With `--folder` the proof files are kept.
"""

from __future__ import annotations

import argparse
import json
import sys
import time
from collections.abc import Callable
from functools import partial
from pathlib import Path
from tempfile import TemporaryDirectory

from tengen import BLACK, Game, Move, Position, Square, defend
from tengen.prove import check
from tengen.prove.small import settle
from tengen.theory import Says
from tengen.theory.boards import room_needed, room_wherever_black_begins
from tengen.theory.settled import SettledGame, write_settled

WHOLE = [
    *("Connect(3,3,3,1,1)", "Connect(4,3,3,1,1)", "Connect(4,4,3,1,1)", "Connect(5,5,3,1,1)"),
    *("Connect(4,4,4,1,1)", "Connect(5,4,4,1,1)", "Connect(6,4,4,1,1)", "Connect(5,5,4,1,1)"),
    *("Connect(6,5,4,1,1)", "Connect(6,6,4,1,1)", "Connect(5,5,5,1,1)", "Connect(6,6,5,1,1)"),
    *("Connect(4,4,4,2,1)", "Connect(4,4,4,2,2)", "Connect(5,4,4,2,1)", "Connect(5,4,4,2,2)"),
    *("Connect(6,4,4,2,1)", "Connect(6,4,4,2,2)", "Connect(5,5,4,2,1)", "Connect(5,5,4,2,2)"),
    *("Connect(6,5,4,2,1)", "Connect(6,6,4,2,1)", "Connect(8,8,4,2,1)", "Connect(4,4,4,3,1)"),
]
"""Each with the value that its proof shows."""
AFTER = [
    ("Connect(3,1,1)", "J10", 2),
    ("Connect(4,1,1)", "J10", 3),
    ("Connect(4,1,2)", "J10K10", 2),
    ("Connect(3,2,1)", "J10", 2),
    ("Connect(4,2,1)", "J10 I10J9", 2),
    ("Connect(4,2,2)", "J10K10", 2),
    ("Connect(5,2,1)", "J10 T20U21", 2),
    ("Connect(5,2,2)", "J10K11", 2),
    ("Connect(5,2,3)", "J10K10J11", 2),
    ("Connect(6,2,3)", "J10L10K11", 2),
    ("Connect(4,3,1)", "J10", 2),
    ("Connect(5,3,1)", "J10 M14N14M15", 2),
    ("Connect(5,3,3)", "J10K10J11", 2),
    ("Connect(5,4,1)", "J10", 2),
    ("Connect(6,4,1)", "J10 M14N14M15N15", 2),
    ("Connect(6,4,3)", "J10K10J11", 2),
]
"""Who has just moved wins, by threats of this order."""


def whole(name: str, file: Path) -> tuple[str, str, str] | None:
    found = settle(Position(Game.parse(name)), seconds=60)
    says = {"win": "black wins", "loss": "white wins", "draw": "a draw"}.get(found.value)
    if says is None or found.missing is not None:
        return None
    found.write_proof(file)
    return says, name, f'tengen prove "{name}" --full --proof FILE'


def after(name: str, moves: str, order: int, file: Path) -> tuple[str, str, str] | None:
    text = f"{name} {moves}"
    position = Position.parse(text)
    found = defend(position, seconds=120, order=order)
    if found.result != "loss":
        return None
    found.write_proof(file)
    return f"{position.turn.opponent} wins", text, f'tengen defend "{text}" --order {order} --proof FILE'


def centred(name: str, moves: str, side: int) -> tuple[str, str]:
    """A game of the infinite board on a square one, with Black's first stones in the middle of it."""
    game = Game.parse(name)
    stones = Position.parse(f"{name} {moves}").stones(BLACK)
    shifts = [(side - 1 - min(numbers) - max(numbers)) // 2 for numbers in zip(*stones, strict=True)]
    moved = Move(Square(x + shifts[0], y + shifts[1]) for x, y in stones)
    return str(Game(side, side, game.k, game.p, game.q)), str(moved)


def room_of(says: str, file: Path, zones: tuple[tuple[str, ...] | None, ...]) -> tuple[int, int] | None:
    """The columns and rows of the boards that an accepted proof on the infinite board speaks for as well."""
    if says == Says.BLACK_WINS:
        return room_needed(file)
    if zones[0] is None:
        return None
    side = room_wherever_black_begins(file, [Square.parse(name) for name in zones[0]])
    return side, side


class Settling:
    """Makes the proofs one after the other, has each checked, and keeps the list."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.settled: list[SettledGame] = []

    def try_one(self, name: str, make: Callable[[Path], tuple[str, str, str] | None]) -> SettledGame | None:
        """What is found of a game; None if it is not settled."""
        file = self.folder / f"{name.translate(str.maketrans('(),', '---')).strip('-')}.tpf"
        begun = time.process_time()
        found = make(file)
        seconds = round(time.process_time() - begun, 2)
        if found is None:
            print(json.dumps({"game": name, "says": None, "seconds": seconds}), flush=True)
            return None
        verdict = check(file)
        if not verdict.accepted:
            sys.exit(f"{name}: the proof is refused: {verdict.reason}")
        says, position, command = found
        room = room_of(says, file, verdict.zones) if Game.parse(name).is_infinite else None
        game = SettledGame(name, says, position, command, verdict.nodes, seconds, room)
        self.settled.append(game)
        print(json.dumps(vars(game)), flush=True)
        return game

    def try_after(self, name: str, moves: str, order: int) -> None:
        """A game on the infinite board, and on the squares that are too small for that proof."""
        on_all = self.try_one(name, partial(after, name, moves, order))
        game = Game.parse(name)
        # With one stone a move, bench/small_games.py has a table of all small boards.
        if on_all is None or on_all.room is None or on_all.says != Says.BLACK_WINS or game.p == 1:
            return
        for side in range(max(on_all.room) - 1, game.k - 1, -1):
            smaller, there = centred(name, moves, side)
            if smaller not in WHOLE and self.try_one(smaller, partial(after, smaller, there, order)) is None:
                break


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("games", nargs="*", help="only these")
    parser.add_argument("--folder", type=Path, help="where to keep the proof files")
    parser.add_argument("--write", type=Path, help="where to write the list")
    arguments = parser.parse_args()
    with TemporaryDirectory() as temporary:
        settling = Settling(arguments.folder or Path(temporary))
        settling.folder.mkdir(parents=True, exist_ok=True)
        for name in WHOLE:
            if not arguments.games or name in arguments.games:
                settling.try_one(name, partial(whole, name))
        for name, moves, order in AFTER:
            if not arguments.games or name in arguments.games:
                settling.try_after(name, moves, order)
    if arguments.write is not None:
        write_settled(settling.settled, arguments.write)


if __name__ == "__main__":
    main()
