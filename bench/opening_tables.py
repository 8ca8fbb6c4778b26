"""The tables of docs/openings.md: what the atlas says of the second moves that are played most, and what is proved.

`python bench/opening_tables.py [--folder FOLDER] BOOK`, the book by `tengen book build`.
"""

from __future__ import annotations

import argparse
from pathlib import Path

from tengen import Position
from tengen.opening import Shelf
from tengen.opening.explore import explore
from tengen.play import OpeningBook

MOST = 10


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("book", type=Path)
    parser.add_argument("--folder", type=Path, help="the atlas; the user's unless told")
    arguments = parser.parse_args()
    shelf = Shelf(arguments.folder)
    atlas, book = shelf.atlas(), OpeningBook.read(arguments.book)
    known = [move for move in explore(atlas, Position.parse("J10"), book).moves if move.results is not None]
    known.sort(key=lambda move: -(move.results.games if move.results else 0))
    print("| second move | games | Black won | verdict | Black's best third moves, with his chance by the engine |")
    print("| --- | --- | --- | --- | --- |")
    for second in known[:MOST]:
        assert second.results is not None
        thirds = explore(atlas, Position.parse(f"J10 {second.move}")).moves[:3]
        best = ", ".join(f"{third.move} {third.value or 0:.0%}" for third in thirds)
        verdict = "open" if second.winner is None else f"{second.winner} wins"
        games = f"{second.results.games:,} | {second.results.reversed().ratio:.1%}"
        print(f"| {second.move} | {games} | {verdict} | {best} |")
    print()
    print("| opening | winner | open after the first level | nodes searched | proof: nodes | bytes | comes along |")
    print("| --- | --- | --- | --- | --- | --- | --- |")
    for second_move, third_move in atlas.proved():
        proof = third_move.proof
        assert proof is not None
        open_then = "?" if third_move.open is None else str(third_move.open)
        nodes = f"{third_move.nodes:,}" if third_move.nodes else "?"
        here = "yes" if shelf.proof_file(proof) is not None else "no"
        line = f"J10 {second_move.move} {third_move.move}"
        print(f"| {line} | {third_move.winner} | {open_then} | {nodes} | {proof.nodes:,} | {proof.bytes:,} | {here} |")


if __name__ == "__main__":
    main()
