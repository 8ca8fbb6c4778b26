"""Settles small games, checks the proofs and prints the table of docs/small-games.md.

With `--long` those as well that take minutes; with `--quick` only the first few.
"""

from __future__ import annotations

import json
import sys
from pathlib import Path
from tempfile import TemporaryDirectory

from tengen import Game, Position
from tengen.prove import check
from tengen.prove.small import Settlement, settle

# The game, what others have published, and whether it takes minutes.
GAMES: list[tuple[str, str, bool]] = [
    ("Connect(3,3,3,1,1)", "draw", False),
    ("Connect(3,4,3,1,1)", "win", False),
    ("Connect(3,5,3,1,1)", "", False),
    ("Connect(3,6,3,1,1)", "", False),
    ("Connect(4,4,3,1,1)", "", False),
    ("Connect(4,5,3,1,1)", "", False),
    ("Connect(5,5,3,1,1)", "", False),
    ("Connect(4,4,4,1,1)", "draw", False),
    ("Connect(4,5,4,1,1)", "draw", False),
    ("Connect(4,6,4,1,1)", "draw", False),
    ("Connect(4,7,4,1,1)", "", False),
    ("Connect(5,5,4,1,1)", "draw", False),
    ("Connect(5,6,4,1,1)", "win", False),
    ("Connect(6,6,4,1,1)", "", False),
    ("Connect(6,6,5,1,1)", "draw", False),
    ("Connect(6,7,5,1,1)", "", False),
    ("Connect(7,7,5,1,1)", "draw", True),
    ("Connect(3,3,3,2,1)", "", False),
    ("Connect(4,4,4,2,1)", "", False),
    ("Connect(4,4,4,2,2)", "", False),
    ("Connect(4,5,4,2,1)", "", False),
    ("Connect(4,5,4,2,2)", "", False),
    ("Connect(4,6,4,2,1)", "", False),
    ("Connect(4,6,4,2,2)", "", False),
    ("Connect(5,5,4,2,1)", "", False),
    ("Connect(5,5,4,2,2)", "", False),
    ("Connect(5,6,4,2,1)", "", False),
    ("Connect(6,6,4,2,1)", "", False),
    ("Connect(8,8,4,2,1)", "", False),
    ("Connect(5,5,5,2,1)", "", False),
    ("Connect(5,6,5,2,1)", "", False),
    ("Connect(5,6,5,2,2)", "", True),
    ("Connect(6,6,6,2,2)", "", False),
    ("Connect(4,4,4,3,1)", "", False),
    ("Connect(4,4,4,3,3)", "", False),
    ("Connect(5,5,5,3,1)", "", False),
    ("Connect(3,3,3,1,1) maker-breaker", "win", False),
    ("Connect(4,4,4,1,1) maker-breaker", "draw", False),
    ("Connect(5,5,4,1,1) maker-breaker", "", False),
    ("Connect(4,4,4,2,1) maker-breaker", "", False),
    ("Connect(5,5,5,2,2) maker-breaker", "", False),
]


def checked(settlement: Settlement) -> str:
    """Whether a proof file of it was accepted, with its nodes."""
    if settlement.missing is not None:
        return "none: search alone"
    with TemporaryDirectory() as folder:
        path = Path(folder) / "proof.tpf"
        settlement.write_proof(path)
        verdict = check(path)
    if not verdict.accepted:
        sys.exit(f"{settlement.position}: the proof is refused: {verdict.reason}")
    return f"{verdict.nodes:,} {'node' if verdict.nodes == 1 else 'nodes'}"


def row(name: str, published: str, settlement: Settlement, alone: Settlement, proof: str) -> str:
    nodes, branches = settlement.size
    size = settlement.missing or f"{nodes:,} / {branches:,}"
    figures = f"{alone.nodes:,} | {alone.seconds:.2f} | {settlement.seconds:.2f} | {size}"
    return f"| {name} | {settlement.value} | {published or '–'} | {figures} | {proof} |"


def main() -> None:
    rows = []
    for name, published, long in GAMES[:5] if "--quick" in sys.argv else GAMES:
        if long and "--long" not in sys.argv:
            continue
        position = Position(Game.parse(name))
        alone = settle(position, max_branches=0)  # the search without its strategies
        settlement = settle(position, seconds=300)
        case = {
            "game": name,
            "value": settlement.value,
            "published": published,
            "nodes": alone.nodes,
            "seconds": round(alone.seconds, 3),
            "seconds_with_strategy": round(settlement.seconds, 3),
            "size": settlement.size,
            "missing": settlement.missing,
            "checked": checked(settlement),
        }
        print(json.dumps(case), flush=True)
        rows.append(row(name, published, settlement, alone, str(case["checked"])))
    print(*rows, sep="\n", file=sys.stderr)


if __name__ == "__main__":
    main()
