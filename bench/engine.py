"""How fast the engine searches: positions a second, the time to each depth, and what a second thread is worth.

    python bench/engine.py [--nodes 5000] [--depth 5]

The positions are of games of the engine against itself, four to nine moves old and open still.
"""

from __future__ import annotations

import argparse
import time
from statistics import geometric_mean

from harness import Bench

from tengen import Position
from tengen.play import Budget, Engine

POSITIONS = [
    "J10 L11J8 K11L12 I9H10 K7K9 K8L8 I8N14",
    "J10 H10L8 J11J12 J8J14 H8I9 F6L12 L11M11 M8K11",
    "J10 J9I10 H8I9 G7K8 M6K11 H7L12 I7G9 K5F13 E11H11",
    "J10 H11H12 H8I9 K11H14 J12H13 F6J11",
    "J10 K8H12 H10I10 K9K10 G10K11 I9F10 J11L11",
    "J10 I9H8 J8J9 J6J11",
    "J10 J12I8 I9K11 G8H8 J8N14",
    "J10 L8J9 I9K11 H8K8 H10I10",
]


def spent(engine: Engine, position: Position, budget: Budget) -> tuple[int, float]:
    """Nodes and seconds of one search."""
    start = time.perf_counter()
    choice = engine.choose(position, budget)
    return choice.nodes or 0, time.perf_counter() - start


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--nodes", type=int, default=5000)
    parser.add_argument("--depth", type=int, default=5)
    arguments = parser.parse_args()
    bench = Bench("engine, one thread")
    positions = [Position(moves=moves) for moves in POSITIONS]
    for name in ("counts", "huang"):
        engine = Engine(threads=1, evaluation=name)
        runs = [spent(engine, position, Budget(nodes=arguments.nodes)) for position in positions]
        bench.report(f"{name}: positions a second", sum(n for n, _ in runs) / sum(s for _, s in runs), "/s")
    for depth in range(1, arguments.depth + 1):
        single, double = (
            [spent(Engine(threads=threads), position, Budget(depth=depth)) for position in positions]
            for threads in (1, 2)
        )
        nodes, seconds = geometric_mean(max(1, n) for n, _ in single), geometric_mean(s for _, s in single)
        ratio = seconds / geometric_mean(s for _, s in double)
        bench.report(
            f"time to depth {depth}", seconds, "s", yardstick=f"{nodes:,.0f} nodes; 2 threads {ratio:.2f} times as fast"
        )
    bench.finish()


if __name__ == "__main__":
    main()
