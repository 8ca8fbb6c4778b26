"""The ten things that people do most, in processor time; with --profile, where the time of each goes.

python bench/everyday.py                     the best of a few tries each, child processes included
python bench/everyday.py --profile solve     the twelve costliest functions of one of them
"""

from __future__ import annotations

import argparse
import cProfile
import os
import pstats
import resource
import subprocess
import sys
import tempfile
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

from harness import Bench
from starlette.testclient import TestClient

from tengen import CONNECT6, Position, solve
from tengen.play import OpeningBook
from tengen.play.agent import Budget
from tengen.play.registry import make_agent
from tengen.prove import check, write_solution
from tengen.record import Record, RecordError, Store, gather
from tengen.web.app import make_api

GAMES = Path(__file__).resolve().parents[2] / "shared" / "data" / "littlegolem.jsonl.gz"
WON = "J10 I9K9 J8L9 I11K11"
ENGINE_NODES = 20_000


class Everyday:
    """The operations, each a function without arguments; what they need is made before."""

    def __init__(self, folder: Path, api: TestClient) -> None:
        self.folder, self.api = folder, api
        self.won = Position.parse(WON)
        self.proof = folder / "won.tpf"
        write_solution(self.proof, solve(self.won))
        self.engine = make_agent("engine:threads=1")
        self.document = api.post("/api/documents", json={"text": None}).json()["document"]["id"]
        self.book = self.games_book() if GAMES.exists() else None

    def games_book(self) -> OpeningBook:
        book = OpeningBook(CONNECT6)
        book.add_all(record for record in self.games() if record is not None)
        return book

    @staticmethod
    def games() -> Iterator[Record | None]:
        return (None if isinstance(found, RecordError) else found for found in gather([GAMES]))

    def command(self, *words: str) -> Callable[[], object]:
        def run() -> None:
            subprocess.run([sys.executable, *words], check=True, stdout=subprocess.DEVNULL, cwd=self.folder)

        return run

    def open_workbench(self) -> None:
        for path in ("/api/desk", f"/api/documents/{self.document}", f"/api/documents/{self.document}/hints?node=0"):
            assert self.api.get(path).status_code == 200

    def play_in_workbench(self) -> None:
        answer = self.api.post(f"/api/documents/{self.document}/play", json={"node": 0, "moves": ["J10"]})
        assert answer.status_code == 200, answer.text
        assert self.api.post(f"/api/documents/{self.document}/undo", json={}).status_code == 200

    def next_puzzle(self) -> None:
        assert self.api.post("/api/puzzles/next", json={}).status_code == 200

    def think(self) -> None:
        self.engine.choose(Position.parse("J10 I9K9"), Budget(nodes=ENGINE_NODES))

    def look_up(self) -> None:
        assert self.book is not None
        assert self.book.moves(Position.parse("J10"))

    def operations(self) -> dict[str, tuple[Callable[[], object], int, str]]:
        """By name: what to do, how many tries, and what it is in words."""
        found: dict[str, tuple[Callable[[], object], int, str]] = {
            "import": (self.command("-c", "import tengen"), 7, "import tengen, a new process"),
            "show": (self.command("-m", "tengen", "show", WON), 7, "tengen show, a new process"),
            "open": (self.open_workbench, 7, "open the workbench: desk, record and hints from the server"),
            "move": (self.play_in_workbench, 20, "a move in the workbench and its undo, kept on disk"),
            "solve": (lambda: solve(self.won), 20, f"solve {WON}"),
            "engine": (self.think, 3, f"the engine, {ENGINE_NODES:,} nodes on one thread"),
            "puzzle": (self.next_puzzle, 7, "the next puzzle, from the server"),
            "check": (lambda: check(self.proof), 5, "check the proof of that win"),
        }
        if self.book is not None:
            found["book"] = (self.look_up, 20, "book look-up: J10, all second moves")
            found["read"] = (lambda: list(self.games()), 1, "read 18,808 games")
        return found


def processor_seconds() -> float:
    """Of this process and the children that have ended: others on the machine do not count."""
    used = [resource.getrusage(who) for who in (resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN)]
    return sum(one.ru_utime + one.ru_stime for one in used)


def best_of(operation: Callable[[], object], tries: int) -> float:
    """The processor seconds of the best of some tries."""
    seconds = []
    for _ in range(tries):
        begun = processor_seconds()
        operation()
        seconds.append(processor_seconds() - begun)
    return min(seconds)


@contextmanager
def everyday() -> Iterator[Everyday]:
    with tempfile.TemporaryDirectory(prefix="tengen-") as name:
        os.environ["TENGEN_DATA"] = name
        with TestClient(make_api(Store(Path(name) / "store"), slots=1)) as api:
            yield Everyday(Path(name), api)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--profile", metavar="NAME", help="import, show, open, move, solve, engine, puzzle, check, …")
    arguments = parser.parse_args()
    with everyday() as day:
        operations = day.operations()
        if arguments.profile is None:
            bench = Bench("The ten things that people do most")
            for operation, tries, what in operations.values():
                operation()  # the first time is another matter
                bench.report(what, 1000 * best_of(operation, tries), "ms of processor time")
            bench.finish()
            return
        operation, _, _ = operations[arguments.profile]
        operation()
        with cProfile.Profile() as profile:
            operation()
        pstats.Stats(profile, stream=sys.stderr).sort_stats("tottime").print_stats(12)


if __name__ == "__main__":
    main()
