"""The verifier on positions from real games, and one large proof: found, written, checked. Run by `make bench-prove`.

Without the games of Little Golem beside the checkout, the simple opponent plays some against itself. `--quick` takes
few positions and a small proof, to see that everything works.
"""

from __future__ import annotations

import argparse
import json
import random
import resource
import subprocess
import sys
import time
from pathlib import Path
from tempfile import TemporaryDirectory

from harness import Bench
from solver_positions import GAMES, records

from tengen import Move, Position
from tengen.play import Budget, make_agent
from tengen.prove import check, defend
from tengen.solve import solve
from tengen.threat import threat_number

LARGE = "Connect(19,19,6,2,3) J10L10K11"
SMALL = "Connect(9,9,5,2,1) E5"
CALL = {"order": 2, "reply_nodes": 2_000, "nodes": 20_000}
"""The limits of one call of the verifier."""


def games(seed: int) -> list[list[Move]]:
    """Real ones, or 20 of the simple opponent against itself."""
    if GAMES.exists():
        return [[Move(text) for text in moves] for moves in random.Random(seed).sample(records(), 1000)]
    player, played = make_agent("simple", seed), []
    for _ in range(20):
        position = Position(moves="J10")
        while not position.is_over and len(position.moves) < 40:
            position.play(player.choose(position, Budget()).move)
        played.append(list(position.moves))
    return played


def threatened(count: int, seed: int = 2026) -> list[Position]:
    """Positions of different games, as far as there are enough, in which the side to move must meet threats."""
    found: list[Position] = []
    rng, played = random.Random(seed), games(seed)
    while len(found) < count:
        moves = rng.choice(played)
        position = Position(moves=moves[: rng.randint(1, len(moves))])
        if not position.is_over and threat_number(position, position.turn.opponent) > 0:
            found.append(position)
    return found


def measure_calls(bench: Bench, count: int) -> None:
    positions = threatened(count)
    source = "real games" if GAMES.exists() else "games of the simple opponent"
    start = time.perf_counter()
    found = [defend(position, **CALL) for position in positions]  # type: ignore[arg-type]
    seconds = time.perf_counter() - start
    start = time.perf_counter()
    for position in positions:
        solve(position, side=position.turn.opponent, nodes=CALL["nodes"])
    yardstick = f"a VCDT after a null move: {count / (time.perf_counter() - start):,.0f}"
    bench.report(f"verifier, {count} positions of {source}", count / seconds, "calls a second", "", yardstick)
    results = [defence.result for defence in found]
    for result, words in (("loss", "proved lost"), ("open", "moves left open"), ("unknown", "cut short")):
        bench.report(f"verifier, {words}", results.count(result), "positions")
    bench.report("verifier, nodes", sum(defence.nodes for defence in found) / seconds, "a second")


# The large proof: each step in a process of its own, whose memory is its own.


def step(name: str, position: str, file: str) -> dict[str, float]:
    """What a child process does."""
    start = time.perf_counter()
    answer: dict[str, float] = {}
    if name in ("search 1", "search 2", "write"):
        found = defend(Position.parse(position), threads=2 if name == "search 2" else 1)
        if found.result != "loss":
            sys.exit(f"{position}: not proved, but {found.result}")
        answer = {"searched": found.searched, "nodes": found.nodes}
        if name == "write":
            start = time.perf_counter()
            answer["nodes"] = found.write_proof(file)
    elif name in ("check 1", "check 2"):
        verdict = check(file, jobs=int(name[-1]))
        if not verdict.accepted:
            sys.exit(f"refused: {verdict.reason}")
        answer = {"nodes": verdict.nodes}
    answer["seconds"] = time.perf_counter() - start
    own, workers = (resource.getrusage(who).ru_maxrss for who in (resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN))
    unit = 2**20 if sys.platform == "darwin" else 2**10
    return answer | {"megabytes": own / unit, "of_a_worker": workers / unit}


def in_a_child(name: str, position: str, file: str) -> dict[str, float]:
    command = [sys.executable, __file__, "--step", name, position, file]
    answer: dict[str, float] = json.loads(subprocess.run(command, check=True, stdout=subprocess.PIPE).stdout)
    return answer


def measure_proof(bench: Bench, position: str, file: str) -> None:
    nothing = f"Python with Tengen in it: {in_a_child('nothing', position, file)['megabytes']:,.0f}"
    papers = "thesis 1,713 pairs, prototype 2,459, RZOP 2,656" if position == LARGE else ""
    one, two = (in_a_child(f"search {threads}", position, file) for threads in (1, 2))
    bench.report(f"{position}, search", one["seconds"], "s")
    bench.report("search, replies answered", one["searched"], "replies", "", papers)
    bench.report("search, nodes", one["nodes"] / one["seconds"], "a second")
    bench.report("search, memory", one["megabytes"], "MB", "", nothing)
    bench.report("search, speed-up of 2 threads", one["seconds"] / two["seconds"], "times", "", "1 thread")
    rate = two["nodes"] / two["seconds"] / (one["nodes"] / one["seconds"])
    bench.report("search, nodes a second of 2 threads", rate, "times", "", "1 thread")
    written = in_a_child("write", position, file)
    bench.report("writing the proof", written["seconds"], "s")
    bench.report("writing, nodes of the proof", written["nodes"], "nodes")
    bench.report("writing, size of the file", Path(file).stat().st_size / 1000, "kB")
    bench.report("writing and search, memory", written["megabytes"], "MB", "", nothing)
    one, two = (in_a_child(f"check {jobs}", position, file) for jobs in (1, 2))
    bench.report("check, one process", one["seconds"], "s")
    bench.report("check, memory", one["megabytes"], "MB", "", nothing)
    bench.report("check, two processes", two["seconds"], "s", "", f"one process: {one['seconds']:.3g}")
    bench.report("check, memory of the larger worker", two["of_a_worker"], "MB", "", nothing)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--quick", action="store_true", help="a small version")
    parser.add_argument("--step", nargs=3, help=argparse.SUPPRESS)
    arguments = parser.parse_args()
    if arguments.step:
        print(json.dumps(step(*arguments.step)))
        return
    bench = Bench("Proving")
    with TemporaryDirectory() as folder:  # first: the peak of a child is never below what its parent held when it began
        measure_proof(bench, SMALL if arguments.quick else LARGE, f"{folder}/proof.tpf")
    measure_calls(bench, 10 if arguments.quick else 100)
    bench.finish()


if __name__ == "__main__":
    main()
