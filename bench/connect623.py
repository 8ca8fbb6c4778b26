"""Which first moves of Connect(19,19,6,2,3) within a square of 4 x 4 win? Prints the table of docs/proving.md.

Moves as arguments, such as I9J9K9, ask about these alone.
"""

from __future__ import annotations

import json
import os
import sys
from itertools import combinations

from tengen import BLACK, Game, Move, Position, Square, defend

GAME = Game(19, 19, 6, 2, 3)
SECONDS = 20.0
"""For each shape, on all cores."""


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


def main() -> None:
    cases = []
    for move in [Move(text) for text in sys.argv[1:]] or shapes():
        position = Position(GAME, [move])
        found = defend(position, seconds=SECONDS, threads=os.cpu_count() or 1)
        case = {
            "stones": str(move),
            "shape": picture(position),
            "result": found.result,
            "open": len(found.moves),
            "cut_short": sum(move.is_cut_short for move in found.moves),
            "searched": found.searched,
            "nodes": found.nodes,
            "seconds": round(found.seconds, 2),
        }
        print(json.dumps(case), flush=True)
        cases.append(case)
    names = {"loss": "win", "open": "open", "unknown": "unknown"}
    for case in sorted(cases, key=lambda case: (list(names).index(str(case["result"])), case["open"], case["seconds"])):
        figures = f"{case['open']:,} | {case['searched']:,} | {case['nodes']:,} | {case['seconds']}"
        print(f"| {case['stones']} | `{case['shape']}` | {names[str(case['result'])]} | {figures} |", file=sys.stderr)


if __name__ == "__main__":
    main()
