"""The positions of the solver's benchmark, from real games: 100 with a VCDT of 3 to 6 attacking moves, 60 with none.

The recipe: games of Little Golem are drawn with a fixed seed, a position of each (after its fourth move, before its
last), and each is solved for the side to move with at most 200,000 nodes. Wins of 3 to 6 moves, and positions that are
exhausted without a win, are kept until there are enough. Most of the latter have hardly a threat; `busy` keeps only
those in which the search went three moves deep or more.
"""

from __future__ import annotations

import argparse
import gzip
import json
import random
from pathlib import Path

from tengen import Position
from tengen.solve import solve

GAMES = Path(__file__).resolve().parents[2] / "shared" / "data" / "littlegolem.jsonl.gz"


def records() -> list[list[str]]:
    """The moves of every game."""
    with gzip.open(GAMES, "rt") as file:
        return [json.loads(line)["moves"] for line in file]


def positions(wins: int = 100, none: int = 60, seed: int = 2026, *, busy: bool = False) -> list[tuple[str, int | None]]:
    """Positions as text, each with the attacking moves of its shortest VCDT, or None where there is no VCDT."""
    games = records()
    rng = random.Random(seed)
    won: list[tuple[str, int | None]] = []
    lost: list[tuple[str, int | None]] = []
    while len(won) < wins or len(lost) < none:
        moves = rng.choice(games)
        if len(moves) < 8:
            continue
        position = Position(moves=moves[: rng.randint(4, len(moves) - 1)])
        solution = solve(position, nodes=200_000)
        if solution.result == "win" and 3 <= solution.depth <= 6 and len(won) < wins:
            won.append((str(position), solution.depth))
        elif solution.result == "none" and solution.depth >= (3 if busy else 1) and len(lost) < none:
            lost.append((str(position), None))
    return won + lost


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--seed", type=int, default=2026)
    parser.add_argument("--busy", action="store_true", help="without a win, but three moves deep or more")
    arguments = parser.parse_args()
    for text, length in positions(seed=arguments.seed, busy=arguments.busy):
        print(f"{length or 'none'}\t{text}")


if __name__ == "__main__":
    main()
