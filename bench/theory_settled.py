"""Settles games of the family, has every proof checked, and writes the list that `tengen fair` knows.

Small boards are settled whole. On the infinite board the proof begins after the first moves: if Black is to win, it is
enough that one first move does; if White is, he answers one stone, and all first stones are the same there. With
`--folder` the proof files are kept.
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

from tengen import Game, Position, defend
from tengen.prove import check
from tengen.prove.small import settle
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


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("games", nargs="*", help="only these")
    parser.add_argument("--folder", type=Path, help="where to keep the proof files")
    parser.add_argument("--write", type=Path, help="where to write the list")
    arguments = parser.parse_args()
    tasks: list[tuple[str, Callable[[Path], tuple[str, str, str] | None]]] = []
    tasks += [(name, partial(whole, name)) for name in WHOLE]
    tasks += [(name, partial(after, name, moves, order)) for name, moves, order in AFTER]
    settled: list[SettledGame] = []
    with TemporaryDirectory() as temporary:
        folder = arguments.folder or Path(temporary)
        folder.mkdir(parents=True, exist_ok=True)
        for name, make in tasks:
            if arguments.games and name not in arguments.games:
                continue
            file = folder / f"{name.translate(str.maketrans('(),', '---')).strip('-')}.tpf"
            begun = time.process_time()
            found = make(file)
            seconds = time.process_time() - begun
            if found is None:
                print(json.dumps({"game": name, "says": None, "seconds": round(seconds, 2)}), flush=True)
                continue
            verdict = check(file)
            if not verdict.accepted:
                sys.exit(f"{name}: the proof is refused: {verdict.reason}")
            says, position, command = found
            settled.append(SettledGame(name, says, position, command, verdict.nodes, round(seconds, 2)))
            print(json.dumps(vars(settled[-1])), flush=True)
    if arguments.write is not None:
        write_settled(settled, arguments.write)


if __name__ == "__main__":
    main()
