"""Which first moves of Connect(19,19,6,2,3) within a square of 4 x 4 win? Prints the table of docs/proving.md.

Each shape is asked about twice at most: with single threats alone, then, if few replies are left open, with quiet moves
too. What is proved is written as a proof file and checked. Takes an hour or two; goes on where it was if it is started
again with the same `--folder`. Moves as arguments, such as I9J9K9, ask about these alone.
"""

from __future__ import annotations

import argparse
import json
import os
import sys
import time
from itertools import combinations
from pathlib import Path
from typing import Any

from tengen import BLACK, Game, Move, Position, Square, defend
from tengen.prove import check

GAME = Game(19, 19, 6, 2, 3)
STEPS: list[dict[str, Any]] = [
    {"order": 2, "reply_nodes": 20_000, "seconds": 60.0},
    {"order": 3, "reply_nodes": 40_000_000, "seconds": 900.0},
]
FEW = 60
"""As many replies may be open after the first step to be worth the second."""


def shapes() -> list[Move]:
    """Three stones in the middle, one for each shape: rotations, reflections and translations are left out."""
    middle = [Square(x, y) for y in range(8, 12) for x in range(8, 12)]
    found: dict[Position, Move] = {}
    for stones in combinations(middle, 3):
        move = Move(stones)
        found.setdefault(Position(Game.infinite(6, 2, 3), [move]).canonical(), move)
    return list(found.values())


def picture(position: Position) -> str:
    """The stones as rows from the top, such as `XX/.X`."""
    stones = set(position.stones(BLACK))
    xs, ys = [s.x for s in stones], [s.y for s in stones]
    rows = range(max(ys), min(ys) - 1, -1)
    return "/".join("".join(".X"[Square(x, y) in stones] for x in range(min(xs), max(xs) + 1)) for y in rows)


def ask(move: Move, folder: Path, threads: int) -> dict[str, Any]:
    """What is known of a shape after the last step that was worth it."""
    position = Position(GAME, [move])
    case: dict[str, Any] = {"stones": str(move), "shape": picture(position), "nodes": 0, "seconds": 0.0}
    for step in STEPS:
        found = defend(position, threads=threads, **step)
        case |= {
            "result": {"loss": "win"}.get(found.result, found.result),
            "order": step["order"],
            "open": len(found.moves),
            "answered": found.searched,
            "nodes": case["nodes"] + found.nodes,
            "seconds": round(case["seconds"] + found.seconds, 1),
        }
        if found.result == "loss":
            file = folder / f"{move}.tpf"
            case["proof_nodes"] = found.write_proof(file)
            start = time.perf_counter()
            verdict = check(file)
            case |= {"accepted": verdict.accepted, "check_seconds": round(time.perf_counter() - start, 1)}
        if found.result != "open" or len(found.moves) > FEW:
            break
    return case


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("moves", nargs="*")
    parser.add_argument("--folder", type=Path, default=Path("build/connect623"), help="of the results and proof files")
    parser.add_argument("--threads", type=int, default=1, help="with more than one the nodes differ from run to run")
    arguments = parser.parse_args()
    arguments.folder.mkdir(parents=True, exist_ok=True)
    log = arguments.folder / "shapes.jsonl"
    known = [json.loads(line) for line in log.read_text().splitlines()] if log.exists() else []
    wanted = [Move(text) for text in arguments.moves] or shapes()
    for move in wanted:
        if str(move) in (case["stones"] for case in known):
            continue
        case = ask(move, arguments.folder, arguments.threads)
        known.append(case)
        with log.open("a") as file:
            file.write(json.dumps(case) + "\n")
            file.flush()
            os.fsync(file.fileno())
        print(json.dumps(case), flush=True)
    names = {str(move) for move in wanted}
    cases = [case for case in known if case["stones"] in names]
    cases.sort(key=lambda case: (["win", "open", "unknown"].index(case["result"]), case["open"]))
    print("| stones | shape, rows from the top | result | order | open | answered | nodes | seconds |", file=sys.stderr)
    print("| --- | --- | --- | --- | --- | --- | --- | --- |", file=sys.stderr)
    for case in cases:
        print(
            f"| {case['stones']} | `{case['shape']}` | {case['result']} | {case['order']} | {case['open']:,} "
            f"| {case['answered']:,} | {case['nodes']:,} | {case['seconds']} |",
            file=sys.stderr,
        )


if __name__ == "__main__":
    main()
