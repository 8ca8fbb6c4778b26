"""Job-level proof-number search: a benchmark of our own, its times, and its speed-up on virtual workers.

    python bench/job_level.py mine FOLDER       play games, and solve positions of them on the way back from their ends
    python bench/job_level.py check FOLDER      write and check the proof of each position
    python bench/job_level.py pool FOLDER       solve each with one and with two processes
    python bench/job_level.py simulate FOLDER   solve each on virtual workers with every policy
    python bench/job_level.py memory            bytes a node

Everything that was run is kept in FOLDER, one journal a position, so that each step can be ended and begun again. A
mined position counts if its search took `--least` jobs. One JSON line a case on standard output, tables on standard
error.
"""

from __future__ import annotations

import argparse
import json
import random
import resource
import sys
import time
from collections import Counter, defaultdict
from collections.abc import Iterator
from math import exp, log
from pathlib import Path
from statistics import mean

from rich.console import Console
from rich.table import Table

from tengen import BLACK, CONNECT6, Colour, Move, Position, Square
from tengen.grid import Pool
from tengen.play import Budget
from tengen.play.engine import Engine
from tengen.prove import check
from tengen.search import (
    DEFAULT_POLICY,
    POLICIES,
    Client,
    Journal,
    Judge,
    ProofNumberSearch,
    Recipe,
    Recording,
    Simulator,
    Tree,
    policy_of,
    write_whole,
)
from tengen.search.journal import about
from tengen.search.speedup import Question, Trial, distances, trial

RECIPE = Recipe("engine", {"nodes": 300, "verifier_nodes": 20_000, "solver_nodes": 5_000, "order": 2})
"""Small jobs, tens of milliseconds: what is measured is the search, and a benchmark must come to an end."""
TO_MOVE, NOT_TO_MOVE = 15, 20
"""How many positions are to be won by the side to move, and by the other."""
THESIS = {"vw": 0.30, "vl": 0.30, "gd": 0.30, "fg": 0.48, "mf-ve": 8.58 / 16}
"""Efficiencies on 16 cores that Lin's thesis gives or that follow from what it says of MF-VE."""
WORKERS = (1, 2, 4, 8, 16, 64, 256)


def say(case: str, **figures: object) -> None:
    print(json.dumps({"case": case, **figures}), flush=True)


# The positions


def played_game(seed: int) -> tuple[Position, list[Move]]:
    """A game of the engine against itself after an opening drawn at random near the middle."""
    rng = random.Random(seed)
    position = Position(CONNECT6, "J10")
    near = [Square(x, y) for x in range(6, 13) for y in range(6, 13)]
    while len(position.moves) < 3:
        move = Move(rng.sample([square for square in near if position.at(square) is None], 2))
        position.play(move)
    engine = Engine(threads=1, seed=seed)
    while not position.is_over and len(position.moves) < 60:
        position.play(engine.choose(position, Budget(nodes=400)).move)
    return position, position.moves


def mine(folder: Path, games: int, first: int, least: int, most: int) -> None:
    """From the end of each game back: the positions that so many jobs solve, up to the first that they do not."""
    for seed in range(first, first + games):
        end, moves = played_game(seed)
        if end.winner is None:
            continue
        say("game", seed=seed, moves=len(moves), winner=str(end.winner))
        for length in range(len(moves) - 2, 2, -1):
            root = Position(CONNECT6, moves[:length])
            path = folder / f"{seed:04d}-{length:02d}.journal"
            done = solved_with(path, root, end.winner, most)
            if done is None:
                path.unlink()
                break
            if done < least:
                path.unlink()
            else:
                is_to_move = root.turn is end.winner
                say("position", file=path.name, to_move_wins=is_to_move, jobs=done, position=str(root))
        kinds = Counter(Position.parse(root).turn is attacker for root, attacker in known(folder))
        if kinds[True] >= TO_MOVE and kinds[False] >= NOT_TO_MOVE:
            return


def solved_with(path: Path, root: Position, attacker: Colour, most: int) -> int | None:
    """How many jobs one virtual worker needs to decide a position for the attacker; None if that is too many."""
    with Journal(path, {"root": str(root), "attacker": str(attacker)}, resume=True) as journal:
        if journal.last("recipe") is None:
            journal.append({"recipe": RECIPE.as_json()})
        client = Client(lambda: ProofNumberSearch(Tree(root, attacker)), Simulator(Recording(journal)), RECIPE)

        def give_up() -> None:
            if client.counts.done >= most:
                client.stop()

        client.run(tell=give_up)
        return client.counts.done if client.search.tree.winner(0) is attacker else None


def known(folder: Path) -> list[tuple[str, Colour]]:
    return [(head["root"], Colour.parse(head["attacker"])) for head in map(about, journals(folder))]


def journals(folder: Path) -> list[Path]:
    return sorted(folder.glob("*.journal"))


def questions(folder: Path) -> Iterator[tuple[str, Question, Path]]:
    for path in journals(folder):
        head = about(path)
        yield path.stem, Question(Position.parse(head["root"]), Colour.parse(head["attacker"]), RECIPE), path


# Proofs and times


def check_all(folder: Path) -> None:
    for name, question, path in questions(folder):
        seconds, proof = solved_on_pool(question, path.with_suffix(".checked"), 1, path.with_suffix(".tpf"))
        verdict = check(proof) if proof is not None else None
        accepted = verdict is not None and verdict.accepted
        say("proof", position=name, accepted=accepted, nodes=verdict and verdict.nodes, seconds=round(seconds, 2))


def pool_times(folder: Path, workers: list[int]) -> None:
    for name, question, path in questions(folder):
        times = {}
        for count in workers:
            kept = path.with_suffix(f".pool{count}")
            if not kept.exists():
                times[count], _ = solved_on_pool(question, kept.with_suffix(".running"), count, None)
                kept.with_suffix(".running").rename(kept)
                kept.with_suffix(f".pool{count}.json").write_text(json.dumps(times[count]))
            times[count] = json.loads(kept.with_suffix(f".pool{count}.json").read_text())
        say("pool", position=name, **{f"seconds_{count}": round(value, 2) for count, value in times.items()})


def solved_on_pool(question: Question, kept: Path, workers: int, proof: Path | None) -> tuple[float, Path | None]:
    """The seconds of a search on processes of this machine, all proofs checked; and the proof of the whole."""
    kept.unlink(missing_ok=True)
    with (
        Journal(kept, {"root": str(question.root), "attacker": str(question.attacker)}) as journal,
        Pool(workers) as pool,
    ):
        client = Client(
            lambda: ProofNumberSearch(Tree(question.root, question.attacker)),
            pool,
            question.recipe,
            journal=journal,
            judge=Judge(),
        )
        while pool.free() == 0:  # until the processes have started
            pool.next_event(0.1)
        begun = time.monotonic()
        client.run()
        seconds = time.monotonic() - begun
        if proof is not None and client.search.tree.winner(0) is question.attacker:
            write_whole(proof, client.search.tree, journal)
            return seconds, proof
    return seconds, None


# Virtual workers


def simulate(folder: Path, policies: list[str], workers: list[int]) -> None:
    trials: dict[tuple[str, int], list[Trial]] = defaultdict(list)
    siblings: Counter[int] = Counter()
    eldest: Counter[int] = Counter()
    for name, question, path in questions(folder):
        with Journal(path, about(path), resume=True) as journal:
            recording = Recording(journal)
            for policy in policies:
                for count in workers:
                    found, tree = trial(question, recording, policy_of(policy), count)
                    trials[policy, count].append(found)
                    say("trial", position=name, **found.as_json(), missing=recording.added)
                    if (policy, count) == (DEFAULT_POLICY, 1):
                        near, first = distances(tree)
                        siblings, eldest = siblings + near, eldest + first
    _print_efficiencies(trials, policies, workers)
    _print_distances(siblings, eldest)


def _print_efficiencies(trials: dict[tuple[str, int], list[Trial]], policies: list[str], workers: list[int]) -> None:
    table = Table("policy", *(f"{count}" for count in workers), "aborted on 16", "thesis on 16")
    for policy in policies:
        alone = trials[policy, workers[0]]
        cells = []
        for count in workers:
            ratios = [one.seconds / many.seconds for one, many in zip(alone, trials[policy, count], strict=True)]
            total = sum(one.seconds for one in alone) / sum(many.seconds for many in trials[policy, count])
            typical = exp(mean(map(log, ratios)))
            say("speed-up", policy=policy, workers=count, of_sums=round(total, 3), geometric_mean=round(typical, 3))
            cells.append(f"{total:.2f} / {typical:.2f}")
        many = trials.get((policy, 16), [])
        jobs = sum(one.jobs for one in many)
        aborted = f"{sum(one.aborted for one in many) / jobs:.1%}" if jobs else ""
        thesis = f"{16 * THESIS[policy]:.1f}" if policy in THESIS else ""
        table.add_row(policy, *cells, aborted, thesis)
    console = Console(file=sys.stderr, width=160)
    console.print("Speed-up by virtual workers: of the sums of times / geometric mean over the positions")
    console.print(table)
    say("decided", share=_share(trials, workers[0]))


def _share(trials: dict[tuple[str, int], list[Trial]], workers: int) -> float:
    found = [one for (_, count), many in trials.items() if count == workers for one in many]
    return round(sum(one.decided for one in found) / max(1, sum(one.jobs for one in found)), 4)


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
    parser.add_argument("step", choices=["mine", "check", "pool", "simulate", "memory"])
    parser.add_argument("folder", type=Path, nargs="?")
    parser.add_argument("--games", type=int, default=400, help="how many to play")
    parser.add_argument("--first", type=int, default=1, help="the seed of the first game")
    parser.add_argument("--least", type=int, default=4, help="jobs that a position must need")
    parser.add_argument("--most", type=int, default=300, help="jobs after which a position is given up")
    parser.add_argument("--policies", default=",".join(POLICIES))
    parser.add_argument("--workers", default=",".join(map(str, WORKERS)))
    parser.add_argument("--nodes", type=int, default=200_000, help="of the tree whose memory is measured")
    given = parser.parse_args()
    workers = [int(word) for word in given.workers.split(",")]
    if given.step == "memory":
        memory(given.nodes)
        return
    if given.folder is None:
        parser.error("say in which folder")
    given.folder.mkdir(parents=True, exist_ok=True)
    if given.step == "mine":
        mine(given.folder, given.games, given.first, given.least, given.most)
    elif given.step == "check":
        check_all(given.folder)
    elif given.step == "pool":
        pool_times(given.folder, workers)
    else:
        simulate(given.folder, given.policies.split(","), workers)


if __name__ == "__main__":
    main()
