"""Every strategy that the solver returns for positions of real games, replayed by the plain-Python referee.

VCDT strategies are played against every critical defence, VCST strategies also against a sample of free second stones.
Run by `make reproduce`; the tests hold a small version of it.
"""

from __future__ import annotations

import argparse
import gzip
import json
import random
import sys
import time
from pathlib import Path

from rich.progress import track
from solver_positions import GAMES

from tengen import Position
from tengen.solve import solve

sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "tests"))
from test_solve import referee


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--vcdt", type=int, default=2000)
    parser.add_argument("--vcst", type=int, default=50)
    arguments = parser.parse_args()
    if not GAMES.exists():
        sys.exit(f"the games are not there: {GAMES.name}")
    with gzip.open(GAMES, "rt") as file:
        games = [json.loads(line)["moves"] for line in file]
    rng = random.Random(7)

    def random_position() -> Position:
        while True:
            moves = rng.choice(games)
            if len(moves) >= 8:
                return Position(moves=moves[: rng.randint(4, len(moves) - 1)])

    for kind, wanted in (("vcdt", arguments.vcdt), ("vcst", arguments.vcst)):
        start = time.perf_counter()
        tried = visited = longest = 0
        for _ in track(range(wanted), kind, transient=True):
            while True:
                tried += 1
                position = random_position()
                solution = solve(position, nodes=20_000)
                if kind == "vcst" and solution.result == "none":
                    solution = solve(position, "vcst", nodes=60_000)
                if solution.result == "win" and solution.found == kind:
                    break
            visited += referee(solution, "all" if kind == "vcdt" else 20)
            longest = max(longest, solution.depth)
        report = {
            "kind": kind,
            "strategies without a hole": wanted,
            "positions tried": tried,
            "positions visited by the referee": visited,
            "longest win": longest,
            "seconds": round(time.perf_counter() - start, 1),
        }
        print(json.dumps(report), flush=True)


if __name__ == "__main__":
    main()
