"""Measures minimum Sudoku: the fast search, the thesis's tables and figures, the solver, a campaign in trouble.

    python bench/sudoku.py check [--grids 100] [--clues 16]   mean seconds a grid, beside a plain DMUS on a few of them
    python bench/sudoku.py famous [--clues 17]                the grid with 29 puzzles
    python bench/sudoku.py known [--grids 100]                known puzzles with 17 clues found again in their grids
    python bench/sudoku.py versions [--clues 12] [--grids 5]  tables 3, 5, 6: versions, sets, orders of shrinking
    python bench/sudoku.py sixteen [--checkpoint FILE]        table 3: the versions with 16 clues (hours; it can go on)
    python bench/sudoku.py levels [--clues 13]                figures 11 to 15: what is counted on each level
    python bench/sudoku.py sets                               table 4: unavoidable sets by size
    python bench/sudoku.py solver                             microseconds a puzzle
    python bench/sudoku.py campaign [--grids 1000]            a worker killed, a worker lying, the client killed

All times are of the processor. The grids are those of ../shared/data if they are there, else random ones of our own.
"""

from __future__ import annotations

import argparse
import json
import random
import statistics
import sys
import time
from collections import Counter
from pathlib import Path
from tempfile import TemporaryDirectory

sys.path.insert(0, str(Path(__file__).parent.parent / "tests"))

from figures import BEST_SETS
from sudoku_tools import FAMOUS, campaign_in_trouble

from tengen._native import sudoku_solutions
from tengen.sudoku import VERSIONS, DmusResult, Grid, Puzzle, check, dmus, random_grid, sets_of_regions, sets_up_to

SHARES = {"V6": 1.0, "V5": 0.2, "V4": 0.2, "V3": 0.1, "V2": 0.03, "V1": 0.02}
"""Of the grids, those that a version is given."""
SHARED = Path(__file__).parent.parent.parent / "shared" / "data"


def say(case: str, **figures: object) -> None:
    print(json.dumps({"case": case, **figures}), flush=True)


def grids(count: int, folder: Path) -> list[Grid]:
    path = folder / "sudoku-grids100.txt"
    if path.exists():
        return [Grid(line) for line in path.read_text().split()[:count]]
    rng = random.Random(1)
    return [random_grid(rng) for _ in range(count)]


def measure_check(options: argparse.Namespace) -> None:
    seconds, joined, found = [], [], 0
    for grid in grids(options.grids, options.data):
        result = check(grid, options.clues)
        seconds.append(result.seconds)
        joined.append(result.figures["joined"])
        found += len(result.puzzles)
    yardstick = [dmus(grid, 15, "V6") for grid in grids(3, options.data)]
    say(
        "check",
        clues=options.clues,
        grids=len(seconds),
        mean=round(statistics.mean(seconds), 4),
        median=round(statistics.median(seconds), 4),
        longest=round(max(seconds), 4),
        joined=round(statistics.mean(joined)),
        puzzles=found,
        yardstick_v6_15_clues=round(statistics.mean(one.seconds for one in yardstick), 4),
    )


def measure_famous(options: argparse.Namespace) -> None:
    result = check(Grid(FAMOUS), options.clues)
    say("famous", clues=options.clues, puzzles=len(result.puzzles), seconds=round(result.seconds, 2), **result.figures)


def measure_known(options: argparse.Namespace) -> None:
    known = (options.data / "sudoku17-sample.txt").read_text().split()
    again, seconds, more = 0, [], 0
    chosen = known[:: max(1, len(known) // options.grids)][: options.grids]
    for text in chosen:
        (grid,) = Puzzle(text).solutions()
        result = check(grid, 17)
        seconds.append(result.seconds)
        again += text in {str(puzzle) for puzzle in result.puzzles}
        more += len(result.puzzles) - 1
    say("known", grids=len(chosen), found_again=again, others=more, mean=round(statistics.mean(seconds), 3))


def measure_versions(options: argparse.Namespace) -> None:
    chosen = grids(options.grids, options.data)
    for version in VERSIONS:
        for sets in (128, 192, 256, 320, 384, 448, 512):
            _tell_dmus(f"{version}, {sets} sets", [dmus(g, options.clues, version, sets=sets) for g in chosen])
    for shrinks in range(1, 7):
        _tell_dmus(f"V6, order {shrinks}", [dmus(g, options.clues, "V6", shrinks=shrinks) for g in chosen])
    say("fast", mean=round(statistics.mean(check(grid, options.clues).seconds for grid in chosen), 4))


def measure_sixteen(options: argparse.Namespace) -> None:
    """The slower a version, the fewer grids: each is compared with V6 on the same ones."""
    done: dict[tuple[str, int], dict[str, float]] = {}
    if options.checkpoint.exists():
        for line in options.checkpoint.read_text().splitlines():
            entry = json.loads(line)
            done[entry["version"], entry["grid"]] = entry
    options.checkpoint.parent.mkdir(parents=True, exist_ok=True)
    chosen = grids(options.grids, options.data)
    with options.checkpoint.open("a") as file:
        for version, share in SHARES.items():
            count = max(1, round(share * len(chosen)))
            for number, grid in enumerate(chosen[:count]):
                if (version, number) not in done:
                    found = dmus(grid, options.clues, version, sets=BEST_SETS[version])
                    figures = {"seconds": found.seconds, "nodes": found.nodes, "puzzles": len(found.puzzles)}
                    done[version, number] = {"seconds_sets": found.seconds_sets, **figures}
                    file.write(json.dumps({"version": version, "grid": number, **done[version, number]}) + "\n")
                    file.flush()
            own, best = ([done[one, number] for number in range(count)] for one in (version, "V6"))
            say(
                version,
                clues=options.clues,
                grids=count,
                mean=round(statistics.mean(one["seconds"] for one in own), 3),
                median=round(statistics.median(one["seconds"] for one in own), 3),
                longest=round(max(one["seconds"] for one in own), 3),
                seconds_sets=round(statistics.mean(one["seconds_sets"] for one in own), 4),
                nodes=round(statistics.mean(one["nodes"] for one in own)),
                puzzles=sum(one["puzzles"] for one in own),
                mean_of_v6=round(statistics.mean(one["seconds"] for one in best), 3),
            )


def _tell_dmus(case: str, results: list[DmusResult]) -> None:
    say(
        case,
        mean=round(statistics.mean(one.seconds for one in results), 6),
        sets=round(statistics.mean(one.sets for one in results), 1),
        seconds_sets=round(statistics.mean(one.seconds_sets for one in results), 4),
        nodes=round(statistics.mean(one.nodes for one in results)),
    )


def measure_levels(options: argparse.Namespace) -> None:
    for version in ("V2", "V3", "V4"):
        results = [dmus(grid, options.clues, version) for grid in grids(options.grids, options.data)]
        for level, rows in enumerate(zip(*(one.levels for one in results), strict=True)):
            say(
                f"{version}, level {level}", **{name: round(statistics.mean(r[name] for r in rows)) for name in rows[0]}
            )


def measure_sets(options: argparse.Namespace) -> None:
    chosen = grids(options.grids, options.data)
    for case, find in (("all up to 12", lambda g: sets_up_to(g, 12)), ("regions up to 14", sets_of_regions)):
        sizes: Counter[int] = Counter()
        begun = time.process_time()
        for grid in chosen:
            sizes.update(len(one) for one in find(grid))
        mean = {size: round(number / len(chosen), 2) for size, number in sorted(sizes.items())}
        say(case, seconds=round((time.process_time() - begun) / len(chosen), 4), sizes=mean, total=sum(mean.values()))


def measure_solver(options: argparse.Namespace) -> None:
    known = [Puzzle(text) for text in (options.data / "sudoku17-sample.txt").read_text().split()]
    plain = [([max(0, int(f"0{sign}".rstrip(".")) - 1) for sign in one.text], one.clues) for one in known]
    begun = time.process_time()
    valid = sum(len(sudoku_solutions(digits, clues, 2)) == 1 for digits, clues in plain)
    say(
        "solver",
        puzzles=len(known),
        valid=valid,
        microseconds=round(1e6 * (time.process_time() - begun) / len(known), 2),
    )


def measure_campaign(options: argparse.Namespace) -> None:
    rng = random.Random(2)
    with TemporaryDirectory() as folder:
        file = Path(folder) / "grids.txt"
        file.write_text("".join(f"{random_grid(rng)}\n" for _ in range(options.grids)))
        begun = time.monotonic()
        state, jobs, liar = campaign_in_trouble(Path(folder), file, options.clues, 100)
        say(
            "campaign",
            grids=state.grids,
            grids_done=state.grids_done,
            counted_once=sum(jobs) == state.grids and len(jobs) == state.jobs,
            clues=options.clues,
            liars=list(state.liars),
            lie_found=list(state.liars) == [liar],
            wall_seconds=round(time.monotonic() - begun, 1),
        )


MEASURES = {
    "check": (measure_check, 100, 16),
    "famous": (measure_famous, 1, 17),
    "known": (measure_known, 100, 17),
    "versions": (measure_versions, 5, 12),
    "sixteen": (measure_sixteen, 100, 16),
    "levels": (measure_levels, 5, 13),
    "sets": (measure_sets, 20, 0),
    "solver": (measure_solver, 1000, 17),
    "campaign": (measure_campaign, 1000, 16),
}


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("measure", choices=MEASURES)
    parser.add_argument("--grids", type=int)
    parser.add_argument("--clues", type=int)
    parser.add_argument("--data", type=Path, default=SHARED, help="the folder with the grids")
    parser.add_argument("--checkpoint", type=Path, default=Path("build/sudoku_sixteen.jsonl"))
    options = parser.parse_args()
    measure, count, clues = MEASURES[options.measure]
    options.grids = options.grids or count
    options.clues = clues if options.clues is None else options.clues
    measure(options)


if __name__ == "__main__":
    main()
