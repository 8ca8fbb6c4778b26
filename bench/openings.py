"""Openings that are proved wins: searched, written as proof files and checked, with the papers' numbers beside ours.

Part of `make reproduce`; the last one takes about a quarter of an hour. `--quick` proves a small one instead.
"""

from __future__ import annotations

import argparse
import json
import os
import sys
import time
from pathlib import Path
from typing import NamedTuple

from rich.console import Console
from rich.table import Table

from tengen import BLACK, Position, defend
from tengen.prove import check
from tengen.solve import solve


class Opening(NamedTuple):
    """A position with White to move, how to prove that he loses, and what others have reported about that."""

    position: str
    order: int
    reply_nodes: int
    reported: dict[str, str]


OPENINGS = [
    Opening(
        "Connect(19,19,6,2,3) J10L10K11",
        order=2,
        reply_nodes=20_000,
        reported={
            "squares of Z1, Z2 after a null move": "papers: Z2 of 62 to 63; a prototype: 30, 63",
            "full moves answered": "thesis 1,713; a prototype 2,459; RZOP paper: 2,656 recursive verifications",
        },
    ),
    Opening("Connect(19,19,6,2,3) J10K11J12", order=2, reply_nodes=20_000, reported={}),
    Opening(
        "J10 H9I8 K11J12",
        order=3,
        reply_nodes=60_000_000,
        reported={"full moves answered": "a prototype left 35 of 2,042 open after 164 s"},
    ),
]
QUICK = [Opening("Connect(9,9,5,2,3) E5E6F5", order=2, reply_nodes=20_000, reported={})]


def prove(opening: Opening, file: Path, threads: int) -> dict[str, str | int | float]:
    """Proves an opening, writes the proof and checks it; ends the program if one of these fails."""
    position = Position.parse(opening.position)
    null_move = solve(position, side=BLACK, zones=True)
    found = defend(position, order=opening.order, reply_nodes=opening.reply_nodes, threads=threads)
    if found.result != "loss":
        sys.exit(f"{opening.position}: not proved, but {found.result}, {len(found.moves)} moves open")
    start = time.perf_counter()
    written = found.write_proof(file)
    writing = time.perf_counter() - start
    verdict = check(file, jobs=os.cpu_count() or 1)
    if not verdict.accepted:
        sys.exit(f"{opening.position}: the proof is refused: {verdict.reason}")
    return {
        "order of the wins": opening.order,
        "nodes for a reply, at most": opening.reply_nodes,
        "squares of Z1, Z2 after a null move": ", ".join(str(len(zone)) for zone in null_move.zones[:2]),
        "semi-null moves answered": found.answered["semi_null"],
        "full moves answered": found.answered["full"],
        "attacking moves of the longest answer": found.longest,
        "nodes of the search": found.nodes,
        "seconds of the search": round(found.seconds, 1),
        "nodes of the proof": written,
        "bytes of the proof": file.stat().st_size,
        "seconds to write it": round(writing, 1),
        "seconds to check it": round(verdict.seconds, 1),
    }


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--quick", action="store_true", help="a small version")
    parser.add_argument("--folder", type=Path, default=Path("build"), help="where the proof files are kept")
    parser.add_argument("--threads", type=int, default=1, help="with more than one the nodes differ from run to run")
    arguments = parser.parse_args()
    arguments.folder.mkdir(parents=True, exist_ok=True)
    for number, opening in enumerate(QUICK if arguments.quick else OPENINGS, 1):
        answer = prove(opening, arguments.folder / f"opening-{number}.tpf", arguments.threads)
        print(json.dumps({"position": opening.position, **answer, "reported": opening.reported}), flush=True)
        table = Table("", "here", "reported", title=f"{opening.position}: Black wins", title_justify="left")
        for name, figure in answer.items():
            said = figure if isinstance(figure, str) else f"{figure:,}"
            table.add_row(name, said, opening.reported.get(name, ""))
        Console(file=sys.stderr).print(table)


if __name__ == "__main__":
    main()
