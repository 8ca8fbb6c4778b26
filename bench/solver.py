"""The solver on positions from real games: VCDT, VCST, nodes a second, memory, threads. Run by `make bench-solver`."""

from __future__ import annotations

import resource
import sys
import time
from functools import partial

from harness import Bench, best_seconds
from solver_positions import GAMES, positions

from tengen import BLACK, Position
from tengen.solve import Solution, solve


def solve_all(cases: list[Position], **options: object) -> list[Solution]:
    return [solve(position, **options) for position in cases]  # type: ignore[arg-type]


def report_vcst(bench: Bench, name: str, boards: list[Position], bar: str) -> None:
    start = time.perf_counter()
    results = [solve(position, "vcst", seconds=1).result for position in boards]
    bench.report(name, 100 * sum(result != "unknown" for result in results) / len(boards), "%", bar)
    bench.report("… of which wins", results.count("win"), "positions")
    bench.report("… time for all", time.perf_counter() - start, "s")


def main() -> None:
    if not GAMES.exists():
        sys.exit(f"the games are not there: {GAMES.name}")
    bench = Bench("The solver")
    cases = positions()
    boards = [Position.parse(text) for text, _ in cases]

    solutions = solve_all(boards)
    right = sum(solution.attacker_moves == length for solution, (_, length) in zip(solutions, cases, strict=True))
    seconds = best_seconds(lambda: solve_all(boards), 3)
    nodes = sum(solution.nodes for solution in solutions)
    bench.report(
        f"VCDT, 160 positions, {right} as expected",
        seconds,
        "s",
        "0.5",
        "reported: Cloudict 85 s, a naive solver 1.2 s (on another such set)",
    )
    bench.report("VCDT nodes", nodes / seconds, "a second")
    for method in ("conservative", "hybrid"):
        found = sum(s.result == "win" for s in solve_all(boards, method=method))
        seconds = best_seconds(partial(solve_all, boards, method=method), 1)
        bench.report(f"VCDT, {method}, {found} of 100 wins", seconds, "s")

    report_vcst(bench, "VCST, found or exhausted within 1 s", boards, "95")
    busy = [Position.parse(text) for text, length in positions(0, 60, busy=True) if length is None]
    report_vcst(bench, "… of 60 busy positions without a VCDT", busy, "")

    null_move = Position.parse("Connect(19,19,6,2,3) J10L10K11")
    zone = solve(null_move, side=BLACK, zones=True)
    bench.report("Connect(6,2,3), J10 L10 K11 after a null move", zone.seconds, "s", "", "")
    bench.report("… squares of its Z1", len(zone.zones[0]), "squares", "", "independent prototype 30")
    bench.report("… squares of its Z2", len(zone.zones[1]), "squares", "", "papers 62 to 63")

    hard = [p for p, s in zip(boards, solutions, strict=True) if s.nodes > 2000]
    one = best_seconds(lambda: solve_all(hard, threads=1), 2)
    two = best_seconds(lambda: solve_all(hard, threads=2), 2)
    bench.report(f"speed-up of 2 threads on the {len(hard)} hardest", one / two, "times")
    bench.report("memory, all of the above", resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024, "MB")
    bench.finish()


if __name__ == "__main__":
    main()
