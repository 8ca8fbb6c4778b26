"""Settles games of the family, has every proof checked, and writes the list that `tengen fair` knows.

Small boards are settled whole. On the infinite board the proof begins after Black's first stones: if he is to win, it is
enough that one first move does; if White is, that with one stone all first moves are the same. With `--folder` the proof
files are kept.
"""

from __future__ import annotations

import argparse
import json
import sys
import time
from collections.abc import Callable
from pathlib import Path
from tempfile import TemporaryDirectory

from tengen import Game, Position, defend
from tengen.prove import check, write_solution
from tengen.prove.small import settle
from tengen.solve import solve
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
BLACK_FIRST = [
    ("Connect(3,1,1)", "J10"),
    ("Connect(4,1,1)", "J10"),
    ("Connect(4,1,2)", "J10K10"),
    ("Connect(5,1,2)", "J10K10"),
    ("Connect(3,2,1)", "J10"),
    ("Connect(4,2,2)", "J10K10"),
    ("Connect(5,2,2)", "J10K11"),
    ("Connect(5,2,3)", "J10K10J11"),
    ("Connect(6,2,3)", "J10L10K11"),
    ("Connect(4,3,1)", "J10"),
    ("Connect(5,3,2)", "J10K11"),
    ("Connect(5,3,3)", "J10K10J11"),
    ("Connect(6,3,3)", "J10K10J11"),
    ("Connect(6,3,4)", "J10K10J11K11"),
    ("Connect(7,3,4)", "J10K10J11K11"),
    ("Connect(5,4,1)", "J10"),
    ("Connect(6,4,3)", "J10K10J11"),
    ("Connect(6,4,4)", "J10K10J11K11"),
    ("Connect(7,4,4)", "J10K10J11K11"),
    ("Connect(7,4,5)", "J10K10J11K11L12"),
]
"""Black wins after these first stones."""
WHITE_NEXT = ["Connect(4,2,1)", "Connect(5,2,1)", "Connect(5,3,1)", "Connect(6,3,1)", "Connect(6,4,1)", "Connect(7,4,1)"]
"""White wins after a stone at J10."""


def whole(name: str, file: Path) -> tuple[str, str, str] | None:
    found = settle(Position(Game.parse(name)), seconds=60)
    says = {"win": "black wins", "loss": "white wins", "draw": "a draw"}.get(found.value)
    if says is None or found.missing is not None:
        return None
    found.write_proof(file)
    return says, name, f"python bench/theory_settled.py --folder DIR '{name}'"


def black_first(name: str, move: str, file: Path) -> tuple[str, str, str] | None:
    text = f"{name} {move}"
    found = defend(Position.parse(text), seconds=60, order=2)
    if found.result != "loss":
        return None
    found.write_proof(file)
    return "black wins", text, f'tengen defend "{text}" --order 2 --proof FILE'


def white_next(name: str, file: Path) -> tuple[str, str, str] | None:
    text = f"{name} J10"
    for kind in ("vcdt", "vcst"):
        found = solve(Position.parse(text), kind=kind, seconds=30)
        if found.result == "win" and found.strategy is not None:
            write_solution(file, found)
            return "white wins", text, f'tengen solve "{text}" --kind {kind} --proof FILE'
    return None


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("games", nargs="*", help="only these")
    parser.add_argument("--folder", type=Path, help="where to keep the proof files")
    parser.add_argument("--write", type=Path, help="where to write the list")
    arguments = parser.parse_args()
    tasks: list[tuple[str, Callable[[Path], tuple[str, str, str] | None]]] = []
    tasks += [(name, lambda file, name=name: whole(name, file)) for name in WHOLE]  # type: ignore[misc]
    tasks += [(name, lambda file, name=name, move=move: black_first(name, move, file)) for name, move in BLACK_FIRST]  # type: ignore[misc]
    tasks += [(name, lambda file, name=name: white_next(name, file)) for name in WHITE_NEXT]  # type: ignore[misc]
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
