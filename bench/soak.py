"""Works at the workbench for a while as a busy person would, and watches the server's memory.

python bench/soak.py --minutes 15

Each round makes a record, plays and comments it, looks at threats, pictures and files, asks the solver and the engine,
has the next puzzle, tries a move of it, and removes the record; a window listens all the while. Prints fifteen lines of
JSON, and fails if memory grows by more than a tenth (and 8 MB) between the end of the first third and the end, or if a
question fails.
"""

from __future__ import annotations

import argparse
import json
import random
import sys
import tempfile
import threading
import time
import urllib.error
import urllib.request
from contextlib import suppress
from http.cookiejar import CookieJar
from pathlib import Path
from typing import Any
from urllib.parse import urlencode, urlsplit

import psutil
from websockets.exceptions import ConnectionClosed
from websockets.sync.client import connect

from tengen import CONNECT6, Move, Position

sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "tests"))
from browser_tools import Server, served

MEGABYTE = 1 << 20
ALLOWED = 8 * MEGABYTE


class Person:
    """Somebody at the workbench."""

    def __init__(self, server: Server) -> None:
        self.rng = random.Random(1)
        self.host = urlsplit(server.address).netloc
        self.cookies = CookieJar()
        self.opener = urllib.request.build_opener(urllib.request.HTTPCookieProcessor(self.cookies))
        self.opener.open(server.address).read()
        self.asked = 0

    def ask(self, method: str, path: str, **body: Any) -> Any:
        self.asked += 1
        data = json.dumps(body).encode() if method == "POST" else None
        query = f"?{urlencode(body)}" if body and data is None else ""
        request = urllib.request.Request(f"http://{self.host}{path}{query}", data, method=method)
        request.add_header("Content-Type", "application/json")
        try:
            with self.opener.open(request, timeout=120) as answer:
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
        cookies = "; ".join(f"{one.name}={one.value}" for one in self.cookies)
        headers = {"Cookie": cookies, "Origin": f"http://{self.host}"}
        address = f"ws://{self.host}/api/events"
        with suppress(ConnectionClosed), connect(address, additional_headers=headers) as socket:
            for _ in socket:  # until the server ends
                pass


def memory(process: psutil.Process) -> int:
    """Of the server and its workers, in bytes."""
    return sum(one.memory_info().rss for one in [process, *process.children(recursive=True)])


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--minutes", type=float, default=15)
    arguments = parser.parse_args()
    with tempfile.TemporaryDirectory(prefix="tengen-") as folder, served(Path(folder)) as server:
        person, process = Person(server), psutil.Process(server.process.pid)
        threading.Thread(target=person.listen, daemon=True).start()
        begun, rounds, seen = time.monotonic(), 0, list[int]()
        while (passed := time.monotonic() - begun) < 60 * arguments.minutes:
            person.round()
            rounds += 1
            if passed >= 60 * arguments.minutes / 15 * len(seen):
                seen.append(memory(process))
                figures = {"minutes": round(passed / 60, 1), "rounds": rounds, "questions": person.asked}
                print(json.dumps({**figures, "MB": round(seen[-1] / MEGABYTE, 1)}), flush=True)
        third, last = seen[len(seen) // 3], memory(process)
        print(json.dumps({"rounds": rounds, "questions": person.asked, "MB": round(last / MEGABYTE, 1)}))
        if last > third + max(ALLOWED, third // 10):
            sys.exit(f"memory has grown from {third / MEGABYTE:.0f} to {last / MEGABYTE:.0f} MB")


if __name__ == "__main__":
    main()
