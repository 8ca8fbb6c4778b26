"""Keeps the workbench or a grid busy for a while, and checks that nothing fails, is lost or grows.

python bench/soak.py workbench --minutes 60
python bench/soak.py grid --minutes 60
python bench/soak.py hostile --minutes 60

workbench: works there as a busy person would. Each round makes a record, plays and comments it, looks at threats,
pictures and files, asks the solver and the engine, has the next puzzle, tries a move of it, and removes the record; a
window listens all the while. Fails if a question does.

grid: a broker with two workers. In each round a client has a hundred jobs, some of which it aborts, while now and then
a worker, the broker or the client itself is killed and comes back. Fails if a job is lost or answered twice.

hostile: the same with a hostile worker in every second round, which fails, returns, holds and hides jobs at random and
claims thousands of cores. Also fails if that costs more than a fifth of the jobs a second.

All print fifteen lines of JSON, and fail if memory grows by more than a tenth (and 8 MB) between the end of the first
third and the end: that of the workbench with its processes, or of the broker since it was last started.
"""

from __future__ import annotations

import argparse
import json
import os
import random
import sys
import tempfile
import threading
import time
import urllib.error
import urllib.request
from contextlib import suppress
from pathlib import Path
from typing import Any
from urllib.parse import urlencode, urlsplit

import psutil
from websockets.exceptions import ConnectionClosed
from websockets.sync.client import connect

from tengen import CONNECT6, Move, Position

sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "tests"))
from browser_tools import Server, served
from grid_backends import NatsBackend
from grid_chaos import ChaosClient, grid_deeds
from grid_handlers import install
from grid_hostile import start_hostile

MEGABYTE = 1 << 20
ALLOWED = 8 * MEGABYTE
GRID_JOBS = 100
HOSTILE_JOBS = 400
"""Jobs of a round with or without a hostile worker: each round is a new client, which has to find out about it."""
MAX_THROUGHPUT_LOSS = 0.2
GRID_PATIENCE = 600.0


class Person:
    """Somebody at the workbench."""

    def __init__(self, server: Server) -> None:
        self.rng = random.Random(1)
        self.host = urlsplit(server.address).netloc
        self.session = server.headers()
        self.asked = 0

    def ask(self, method: str, path: str, **body: Any) -> Any:
        self.asked += 1
        data = json.dumps(body).encode() if method == "POST" else None
        query = f"?{urlencode(body)}" if body and data is None else ""
        request = urllib.request.Request(f"http://{self.host}{path}{query}", data, method=method)
        request.add_header("Content-Type", "application/json")
        request.add_header("Authorization", self.session["authorization"])
        try:
            with urllib.request.urlopen(request, timeout=120) as answer:
                content = answer.read()
                return json.loads(content) if answer.headers["content-type"] == "application/json" else content
        except urllib.error.HTTPError as error:
            sys.exit(f"{method} {path} {body}: {error.code} {error.read().decode()}")

    def round(self) -> None:
        document = self.ask("POST", "/api/documents", text=None)["document"]["id"]
        own = f"/api/documents/{document}"
        position, node = Position(CONNECT6), 0
        for _ in range(12):
            squares = list(position.empty_squares(within=2))
            move = position.play(Move(self.rng.sample(squares, position.stones_left)) if position.turns else "J10")
            node = self.ask("POST", f"{own}/play", node=node, moves=[str(move)])["node"]
            self.ask("GET", f"{own}/hints", node=node)
            if position.is_over:
                break
        self.ask("POST", f"{own}/comment", node=node, text="the end")
        self.ask("POST", f"{own}/undo")
        for path in ("position", "same", "image"):
            self.ask("GET", f"{own}/{path}", node=node)
        self.ask("GET", f"{own}/file")
        for kind in ("solve", "analyse"):
            task = self.ask("POST", "/api/tasks", document=document, node=node, kind=kind, nodes=200)
            while any(one["id"] == task["id"] and one["state"] in ("waiting", "running") for one in self.tasks()):
                time.sleep(0.05)
        puzzle = self.ask("POST", "/api/puzzles/next")
        self.ask("POST", f"/api/puzzles/{puzzle['name']}/move", move=puzzle["line"][0], window="soak")
        self.ask("DELETE", own)

    def tasks(self) -> list[dict[str, Any]]:
        found: list[dict[str, Any]] = self.ask("GET", "/api/tasks")["tasks"]
        return found

    def listen(self) -> None:
        """A window that is open and reads what it is told."""
        headers = {**self.session, "Origin": f"http://{self.host}"}
        address = f"ws://{self.host}/api/events"
        with suppress(ConnectionClosed), connect(address, additional_headers=headers) as socket:
            for _ in socket:  # until the server ends
                pass


def memory(process: psutil.Process) -> int:
    """Of a process and those that it has started, in bytes."""
    return sum(one.memory_info().rss for one in [process, *process.children(recursive=True)])


class Watch:
    """Tells, fifteen times in all, how things stand, and judges memory in the end."""

    def __init__(self, minutes: float) -> None:
        self.seconds, self.begun, self.seen = 60 * minutes, time.monotonic(), list[int]()

    def goes_on(self) -> bool:
        return time.monotonic() - self.begun < self.seconds

    def look(self, used: int, **figures: int) -> None:
        passed = time.monotonic() - self.begun
        if passed >= self.seconds / 15 * len(self.seen):
            self.seen.append(used)
            self.tell(minutes=round(passed / 60, 1), **figures)

    def tell(self, **figures: float) -> None:
        print(json.dumps({**figures, "MB": round(self.seen[-1] / MEGABYTE, 1)}), flush=True)

    def finish(self, used: int, **figures: int) -> None:
        third = self.seen[len(self.seen) // 3]
        self.seen.append(used)
        self.tell(**figures)
        if used > third + max(ALLOWED, third // 10):
            sys.exit(f"memory has grown from {third / MEGABYTE:.0f} to {used / MEGABYTE:.0f} MB")


def soak_workbench(minutes: float, folder: Path) -> None:
    with served(folder) as server:
        person, process = Person(server), psutil.Process(server.process.pid)
        threading.Thread(target=person.listen, daemon=True).start()
        watch, rounds = Watch(minutes), 0
        while watch.goes_on():
            person.round()
            rounds += 1
            watch.look(memory(process), rounds=rounds, questions=person.asked)
        watch.finish(memory(process), rounds=rounds, questions=person.asked)


def soak_hostile(minutes: float, folder: Path) -> None:
    soak_grid(minutes, folder, HOSTILE_JOBS, is_attacked=True)


def soak_grid(minutes: float, folder: Path, jobs: int = GRID_JOBS, *, is_attacked: bool = False) -> None:
    os.environ["PYTHONPATH"] = install(folder / "handlers")
    backend, dice = NatsBackend(folder), random.Random(1)
    watch, rounds, kills = Watch(minutes), 0, 0
    seconds: dict[bool, list[float]] = {False: [], True: []}
    hostile_key = backend.invite("hostile", "worker")
    try:
        while watch.goes_on() or len(seconds[True]) < len(seconds[False]) * is_attacked:
            has_hostile = is_attacked and rounds % 2 == 1
            hostile = start_hostile(hostile_key, "mix") if has_hostile else None
            client = ChaosClient(str(backend.client), folder / f"state{rounds}", jobs, seed=rounds)
            deeds = grid_deeds(backend, client, dice)
            try:
                begun = time.monotonic()
                while client.process.poll() is None:
                    if time.monotonic() - begun > GRID_PATIENCE:
                        sys.exit(f"round {rounds} has not come to its end in {GRID_PATIENCE} s")
                    time.sleep(dice.uniform(0.5, 5))
                    if client.process.poll() is None and dice.random() < 0.5:
                        dice.choice(deeds)()
                        kills += 1
            finally:
                client.end()
                if hostile is not None:
                    hostile.kill()
                    hostile.wait()
            seconds[has_hostile].append(time.monotonic() - begun)
            client.judge()
            rounds += 1
            watch.look(memory(psutil.Process(backend.server.pid)), rounds=rounds, jobs=rounds * jobs, kills=kills)
        if is_attacked:
            loss = 1 - (sum(seconds[False]) / len(seconds[False])) / (sum(seconds[True]) / len(seconds[True]))
            shown = {("attacked" if key else "clean"): [round(value) for value in row] for key, row in seconds.items()}
            print(json.dumps({"throughput loss": round(loss, 3), "seconds of the rounds": shown}), flush=True)
            if loss > MAX_THROUGHPUT_LOSS:
                sys.exit(f"the hostile worker costs {loss:.0%} of the jobs a second")
        watch.finish(memory(psutil.Process(backend.server.pid)), rounds=rounds, jobs=rounds * jobs, kills=kills)
    finally:
        backend.close()


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("what", choices=SOAKS)
    parser.add_argument("--minutes", type=float, default=15)
    arguments = parser.parse_args()
    with tempfile.TemporaryDirectory(prefix="tengen-") as folder:
        SOAKS[arguments.what](arguments.minutes, Path(folder))


SOAKS = {"workbench": soak_workbench, "grid": soak_grid, "hostile": soak_hostile}


if __name__ == "__main__":
    main()
