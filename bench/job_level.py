"""Job-level proof-number search: a benchmark of our own, its times, and its speed-up on virtual workers.

    python bench/job_level.py check FOLDER      write and check the proof of each position
    python bench/job_level.py pool FOLDER       solve each with one and with two processes
    python bench/job_level.py simulate FOLDER   solve each on virtual workers with every policy
    python bench/job_level.py memory            bytes a node

The positions are those of `job_positions.py`; `--large` takes the set of those that need many jobs. Everything that
was run is kept in FOLDER, one journal a position, so that each step can be ended and begun again. One JSON line a case
on standard output, tables on standard error.
"""

from __future__ import annotations

import argparse
import json
import random
import resource
import sys
import time
from collections import Counter, defaultdict
from collections.abc import Sequence
from dataclasses import asdict, replace
from itertools import islice, pairwise
from math import exp, log
from pathlib import Path
from statistics import mean, median
from typing import Any

from job_positions import BENCHMARK, LARGE, MINERS, PositionSet, questions, searched
from rich.console import Console
from rich.table import Table

from tengen import BLACK, CONNECT6, Colour, Move, Position
from tengen.grid import Pool
from tengen.prove import check
from tengen.search import DEFAULT_POLICY, POLICIES, Journal, Judge, Recipe, Recording, policy_of, write_whole
from tengen.search.jobs import AS_IN_THESIS
from tengen.search.proof_numbers import ProofNumberSearch
from tengen.search.speedup import Question, Trial, distances, trial
from tengen.search.tree import Tree

WORKERS = (1, 2, 4, 8, 16, 64, 256)
MOST_TIMES, MOST_A_WORKER = 7.5, 40
"""A search is ended, and counts as none, when it has run so many times the most jobs that a position of its set took to
be found, and so many for each worker."""
PAIRS = (
    *(("mf-ve", "vw"), ("mf-ve", "vl"), ("mf-ve", "gd"), ("fg", "gd")),
    *(("mf", "fg"), ("fg-ve", "fg"), ("mf-ve", "fg"), ("mf-ve", "fg-ve")),
)
"""Policies that the thesis compares."""
Trials = dict[tuple[str, int], list[Trial]]
"""By policy and number of workers, in the order of the positions."""


def say(case: str, **figures: object) -> None:
    print(json.dumps({"case": case, **figures}), flush=True)


# Proofs and times


def most_jobs(of: PositionSet) -> int:
    return round(MOST_TIMES * of.most)


def check_all(folder: Path, of: PositionSet, most: int | None) -> None:
    """The proof of each position: by the search that found it, or else, since times differ, by more workers."""
    for name, question, _ in islice(questions(of), most):
        proof = folder / f"{name}.tpf"
        for is_weak, workers in ((False, MINERS), (True, 16)):
            if not proof.exists():
                write_proof(replace(question, is_weak=is_weak), workers, most_jobs(of), folder, name)
        verdict = check(proof) if proof.exists() else None
        say("proof", position=name, accepted=verdict is not None and verdict.accepted, nodes=verdict and verdict.nodes)


def write_proof(question: Question, workers: int, jobs: int, folder: Path, name: str) -> None:
    about = {"root": str(question.root)}
    kept = folder / f"{name}.checked"
    kept.unlink(missing_ok=True)
    with Journal(folder / f"{name}.journal", about, resume=True) as journal, Journal(kept, about) as checked:
        client = searched(question, Recording(journal), workers, jobs, checked)
        if client.search.tree.winner(0) is question.attacker:
            write_whole(folder / f"{name}.tpf", client.search.tree, checked)


def pool_times(folder: Path, workers: list[int], of: PositionSet, most: int | None) -> None:
    asked = list(islice(questions(of), most))
    for count in workers:
        files = {name: folder / f"{name}.pool{count}.json" for name, _, _ in asked}
        if all(kept.exists() for kept in files.values()):
            continue
        with Pool(count) as pool:
            # Once before the clock runs: a process loads what it needs with its first job.
            solved_on_pool(asked[0][1], pool, folder / "warm.running", most_jobs(of))
            for name, question, _ in asked:
                if not files[name].exists():
                    seconds = solved_on_pool(question, pool, folder / f"{name}.running", most_jobs(of))
                    files[name].write_text(json.dumps(seconds))
    for name, _, _ in asked:
        times = {f"seconds_{n}": json.loads((folder / f"{name}.pool{n}.json").read_text()) for n in workers}
        say("pool", position=name, **times)


def solved_on_pool(question: Question, pool: Pool, kept: Path, jobs: int) -> float | None:
    """The seconds of a search on processes of this machine, all proofs checked; None if it takes too many jobs."""
    kept.unlink(missing_ok=True)
    about = {"root": str(question.root), "attacker": str(question.attacker)}
    with Journal(kept, about) as journal:
        client = question.client(pool, journal=journal, judge=Judge())

        def give_up() -> None:
            if client.counts.done >= jobs:
                client.stop()

        begun = time.monotonic()
        client.run(tell=give_up)
        seconds = time.monotonic() - begun
        client.abort_all()
    return round(seconds, 3) if client.search.tree.winner(0) is question.attacker else None


# Virtual workers


def simulate(
    folder: Path, policies: list[str], workers: list[int], as_in_thesis: bool, of: PositionSet, most: int | None
) -> None:
    trials: Trials = defaultdict(list)
    siblings: Counter[int] = Counter()
    eldest: Counter[int] = Counter()
    sizes: list[int] = []
    for name, asked, size in islice(questions(of), most):
        question = replace(asked, recipe=single_moves(asked.recipe), is_weak=False) if as_in_thesis else asked
        name += "-thesis" if as_in_thesis else ""
        about = {"root": str(question.root)}
        with (
            Journal(folder / f"{name}.journal", about, resume=True) as journal,
            Journal(folder / f"{name}.trials", about, resume=True) as kept,
        ):
            run = Runs(question, Recording(journal), kept, most_jobs(of))
            # With one worker a policy has nothing to do: it knows of no job on its way when it chooses the next.
            alone, near, first = run.alone()
            say("alone", position=name, **alone.as_json())
            if alone.winner is not question.attacker:
                continue  # a speed-up over what does not come to an end means nothing
            siblings, eldest = siblings + near, eldest + first
            sizes.append(size)
            for policy in policies:
                trials[policy, 1].append(alone)
                for count in workers:
                    if count != 1:
                        trials[policy, count].append(run.shared(policy, count))
                        say("trial", position=name, **trials[policy, count][-1].as_json())
    _print_speedups(trials, policies, workers)
    _print_sizes(trials, sizes, of.classes, policies, max(workers, key=lambda count: (count == 16, count)))
    _print_comparisons(trials, policies, max(workers, key=lambda count: (count == 16, count)))
    _print_distances(siblings, eldest)


class Runs:
    """The searches of one position; what was run before is taken from what was kept."""

    def __init__(self, question: Question, recording: Recording, kept: Journal, most: int) -> None:
        self.question, self.recording, self.kept, self.most = question, recording, kept, most
        self.known = {(entry["policy"], entry["workers"]): entry for _, entry in kept.entries() if "policy" in entry}

    def alone(self) -> tuple[Trial, Counter[int], Counter[int]]:
        """With one worker; and how far the status of a node was from those of its elder sibling and its parent."""
        if (entry := self.known.get((DEFAULT_POLICY, 1))) is None:
            found, tree = trial(self.question, self.recording, policy_of(DEFAULT_POLICY), 1, jobs=self.most)
            near, first = distances(tree)
            entry = {**asdict(found), "siblings": list(near.elements()), "eldest": list(first.elements())}
            self.kept.append(entry)
        near, first = Counter(entry["siblings"]), Counter(entry["eldest"])
        return _read({key: entry[key] for key in entry.keys() - {"siblings", "eldest"}}), near, first

    def shared(self, policy: str, count: int) -> Trial:
        """With several workers."""
        most = max(self.most, MOST_A_WORKER * count)
        entry = self.known.get((policy, count))
        if entry is None or (entry["winner"] is None and entry["jobs"] < most):  # ended, perhaps by a smaller limit
            entry = asdict(trial(self.question, self.recording, policy_of(policy), count, jobs=most)[0])
            self.kept.append(entry)
        return _read(entry)


def _read(entry: dict[str, Any]) -> Trial:
    winner = entry["winner"]
    return Trial(**{**entry, "winner": None if winner is None else Colour(winner)})


def single_moves(recipe: Recipe) -> Recipe:
    """Jobs of the same size that tell one move at a time."""
    return Recipe(recipe.kind, {**recipe.options, **AS_IN_THESIS})


def speedup(trials: Trials, policy: str, count: int, chosen: Sequence[int] | None = None) -> tuple[float, float]:
    """Of the sums of times, and the geometric mean; over some positions, or all."""
    alone, many = _times(trials, policy, count)
    pairs = [(alone[i], many[i]) for i in (range(len(alone)) if chosen is None else chosen)]
    one, several = (sum(times) for times in zip(*pairs, strict=True))
    return one / several, exp(mean(log(before / after) for before, after in pairs))


def _print_speedups(trials: Trials, policies: list[str], workers: list[int]) -> None:
    table = Table("policy", *(f"{count}" for count in workers), "aborted", "ended")
    for policy in policies:
        cells, many = [], list[Trial]()
        for count in workers:
            found = trials[policy, count]
            total, typical = speedup(trials, policy, count)
            share = sum(one.aborted for one in found) / sum(one.jobs + one.aborted for one in found)
            ended = sum(one.winner is None for one in found)
            say(
                "speed-up",
                policy=policy,
                workers=count,
                of_sums=round(total, 3),
                geometric_mean=round(typical, 3),
                jobs=sum(one.jobs for one in found),
                aborted=round(share, 4),
                ended=ended,
            )
            cells.append(f"{total:.2f} / {typical:.2f}")
            many += found if count != 1 else []
        share = sum(one.aborted for one in many) / max(1, sum(one.jobs + one.aborted for one in many))
        table.add_row(policy, *cells, f"{share:.1%}", str(sum(one.winner is None for one in many)))
    console = Console(file=sys.stderr, width=160)
    console.print("Speed-up by virtual workers: of the sums of times / geometric mean over the positions")
    console.print(table)
    alone = trials[policies[0], 1]
    jobs = sum(one.jobs for one in alone)
    decided = sum(one.decided for one in alone) / jobs
    say("jobs", alone=jobs, decided=round(decided, 4), seconds_each=round(sum(one.seconds for one in alone) / jobs, 4))


def _print_sizes(trials: Trials, sizes: list[int], classes: tuple[int, ...], policies: list[str], count: int) -> None:
    """The speed-up by the size of positions, beside what it could be at most with the proofs that one worker found."""
    table = Table("jobs when found", "positions", "jobs alone", "at most", *policies)
    for above, most in [*pairwise((0, *classes)), (0, classes[-1])]:
        of_class = [i for i, size in enumerate(sizes) if above < size <= most]
        alone = [trials[policies[0], 1][i] for i in of_class]
        if not alone:
            continue
        jobs = mean(one.jobs for one in alone)
        bound = exp(mean(log(one.seconds / one.shortest) for one in alone if one.shortest))
        cells = {policy: speedup(trials, policy, count, of_class) for policy in policies}
        size = f"{above + 1} to {most}"
        rounded = {policy: [round(ratio, 3) for ratio in ratios] for policy, ratios in cells.items()}
        say("size", size=size, workers=count, positions=len(alone), jobs=jobs, at_most=round(bound, 3), **rounded)
        shown = (f"{total:.2f} / {typical:.2f}" for total, typical in cells.values())
        table.add_row(size, str(len(alone)), f"{jobs:.0f}", f"{bound:.1f}", *shown)
    console = Console(file=sys.stderr, width=160)
    console.print(f"On {count} workers, by size; at most: with any number of workers, geometric mean")
    console.print(table)


def _print_comparisons(trials: Trials, policies: list[str], count: int) -> None:
    """How the policies stand to each other on so many workers, position by position."""
    used = Table("policy", "jobs", "aborted", "workers busy", "median speed-up", "over as many as workers", "ended")
    for policy in policies:
        found = trials[policy, count]
        ratios = [one / several for one, several in zip(*_times(trials, policy, count), strict=True)]
        busy = sum(trial.busy_seconds for trial in found) / sum(trial.seconds * trial.workers for trial in found)
        aborted = sum(trial.aborted for trial in found) / sum(trial.jobs + trial.aborted for trial in found)
        above, ended = sum(ratio > count for ratio in ratios), sum(trial.winner is None for trial in found)
        jobs = sum(trial.jobs for trial in found)
        say("use", policy=policy, workers=count, jobs=jobs, busy=round(busy, 3), median=round(median(ratios), 2))
        cells = (f"{jobs:,}", f"{aborted:.1%}", f"{busy:.0%}", f"{median(ratios):.1f}", str(above), str(ended))
        used.add_row(policy, *cells)
    faster = Table("policies", "faster by", "95 % interval", "positions better, worse", "by sums")
    for first, second in PAIRS:
        if first not in policies or second not in policies:
            continue
        ours, theirs = _times(trials, first, count)[1], _times(trials, second, count)[1]
        logs = [log(other / one) for one, other in zip(ours, theirs, strict=True)]
        low, high = _interval(logs)
        better, worse = sum(ratio > 0 for ratio in logs), sum(ratio < 0 for ratio in logs)
        ratio, of_sums = exp(mean(logs)), sum(theirs) / sum(ours)
        rounded = {"ratio": round(ratio, 3), "low": round(low, 3), "high": round(high, 3), "of_sums": round(of_sums, 3)}
        say("comparison", policies=[first, second], workers=count, better=better, worse=worse, **rounded)
        interval = f"{low:.2f} to {high:.2f}"
        faster.add_row(f"{first} over {second}", f"{ratio:.2f}", interval, f"{better}, {worse}", f"{of_sums:.2f}")
    console = Console(file=sys.stderr, width=160)
    console.print(f"On {count} workers")
    console.print(used)
    console.print("By the geometric mean; the interval is from resampling positions")
    console.print(faster)


def _times(trials: Trials, policy: str, count: int) -> tuple[list[float], list[float]]:
    """The seconds of one worker and of several, by position. A search that was ended counts as no faster."""
    alone, many = trials[policy, 1], trials[policy, count]
    return [one.seconds for one in alone], [
        one.seconds if several.winner is None else several.seconds for one, several in zip(alone, many, strict=True)
    ]


def _interval(logs: list[float], draws: int = 10_000) -> tuple[float, float]:
    """In which the geometric mean lies for 95 of 100 choices of as many positions from these."""
    rng = random.Random(1)
    means = sorted(mean(rng.choices(logs, k=len(logs))) for _ in range(draws))
    return exp(means[draws // 40]), exp(means[-draws // 40])


def _print_distances(siblings: Counter[int], eldest: Counter[int]) -> None:
    table = Table("distance of status", "siblings", "parent and eldest child")
    for distance in range(11):
        shares = [counts[distance] / max(1, counts.total()) for counts in (siblings, eldest)]
        if any(shares):
            table.add_row(str(distance), *(f"{share:.1%}" for share in shares))
        say("distance", distance=distance, siblings=round(shares[0], 4), eldest=round(shares[1], 4))
    Console(file=sys.stderr).print(table)


def memory(nodes: int) -> None:
    """How much a tree takes, with the numbers of a proof-number search."""
    before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    tree = Tree(Position(CONNECT6, "J10 J9K11"), BLACK)
    search = ProofNumberSearch(tree)
    begun, level = time.perf_counter(), [0]
    while len(tree) < nodes:
        below = []
        for node in level:
            position = tree.position(node)
            squares = list(position.empty_squares(within=3))
            for i in range(0, len(squares) - 1, 2):
                child = tree.add(node, position, Move(squares[i : i + 2]), "stable")
                if child is not None:
                    below.append(child)
            search.grown(node)
            if len(tree) >= nodes:
                break
        level = below
    grown = (resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - before) * 1024
    seconds = time.perf_counter() - begun
    say("memory", nodes=len(tree), bytes_a_node=round(grown / len(tree)), nodes_a_second=round(len(tree) / seconds))


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("step", choices=["check", "pool", "simulate", "memory"])
    parser.add_argument("folder", type=Path, nargs="?")
    parser.add_argument("--policies", default=",".join(POLICIES))
    parser.add_argument("--workers", default=",".join(map(str, WORKERS)))
    parser.add_argument("--thesis", action="store_true", help="jobs that tell one move at a time, and plain sums")
    parser.add_argument("--large", action="store_true", help="the positions that take many jobs")
    parser.add_argument("--positions", type=int, help="only the first so many")
    parser.add_argument("--nodes", type=int, default=1_000_000, help="of the tree whose memory is measured")
    given = parser.parse_args()
    workers = [int(word) for word in given.workers.split(",")]
    if given.step == "memory":
        memory(given.nodes)
        return
    if given.folder is None:
        parser.error("say in which folder")
    given.folder.mkdir(parents=True, exist_ok=True)
    chosen = LARGE if given.large else BENCHMARK
    if given.step == "check":
        check_all(given.folder, chosen, given.positions)
    elif given.step == "pool":
        pool_times(given.folder, workers, chosen, given.positions)
    else:
        simulate(given.folder, given.policies.split(","), workers, given.thesis, chosen, given.positions)


if __name__ == "__main__":
    main()
