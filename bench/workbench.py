"""How quick is the workbench? Ten edits a second on records of several sizes, seen in a real browser.

An edit is timed from the moment it is asked of the server until the frame that shows it is painted; that holds the
server's work, its write to disk, the WebSocket, and the drawing. Keys are timed from the press to the painted frame
while the edits go on. The yardstick is a prototype on a quiet machine, from server to drawn.
"""

from __future__ import annotations

import gzip
import json
import random
import sys
import tempfile
import time
import urllib.error
import urllib.request
from pathlib import Path
from typing import Any

import psutil
from harness import Bench
from playwright.sync_api import Page, sync_playwright

from tengen.game import Game, column_name
from tengen.record import Node, Record
from tengen.record.sgf import Dialect, write_sgf
from tengen.web.app import STATIC

sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "tests"))
from browser_tools import ARGUMENTS, Server, chromium, served

UPDATES = 100
PER_SECOND = 10
CASES = [("19x19", 300, "25 ms"), ("19x19", 2_000, "31 ms"), ("19x19", 20_000, ""), ("59x59", 300, "24 ms")]

# A message that is posted in a frame arrives when the frame is painted. Times are on the clock of the machine.
PROBE = """
    window.drawn = {}; window.pressed = [];
    const afterPaint = (then) => requestAnimationFrame(() => {
        const channel = new MessageChannel();
        channel.port1.onmessage = () => then(performance.timeOrigin + performance.now());
        channel.port2.postMessage(null);
    });
    window.press = (key) => {
        const start = performance.timeOrigin + performance.now();
        document.dispatchEvent(new KeyboardEvent("keydown", {key, bubbles: true}));
        afterPaint((end) => window.pressed.push(end - start));
    };
    const Plain = WebSocket;
    window.WebSocket = class extends Plain {
        constructor(...all) {
            super(...all);
            this.addEventListener("message", ({data}) => {
                const changes = JSON.parse(data).filter(({on}) => on === "changed");
                for (const {revision} of changes) afterPaint((at) => (window.drawn[revision] = at));
            });
        }
    };
"""


def record(size: str, nodes: int) -> str:
    """A record with variations, thirty moves deep, in which every square is played at most once on a line."""
    chance = random.Random(nodes)
    side = int(size.split("x")[0])
    squares = squares_of(side)
    game = Record(Game.parse(f"Connect({side},{side},6,2,1)"))
    lines: list[list[tuple[Node, set[str], int]]] = [[(game.root, set(), 0)]]
    count = 1
    while count < nodes:
        start = chance.choice(lines) if len(lines) > 1 else lines[0]
        node, used, depth = chance.choice(start)
        line = []
        while depth < 30 and count < nodes:
            stones = chance.sample([s for s in chance.sample(squares, 80) if s not in used], 1 if depth == 0 else 2)
            used = used | set(stones)
            node = Node({"BW"[depth % 2]: ["".join(stones)]}, node)
            depth, count = depth + 1, count + 1
            line.append((node, used, depth))
        if line:
            lines.append(line)
    return write_sgf(game, Dialect.LITTLE_GOLEM)


def squares_of(side: int) -> list[str]:
    """Squares on which nobody ever has six in a row."""
    along = [number for number in range(side) if number % 6 != 5]
    return [f"{column_name(x)}{y + 1}" for x in along for y in along]


def measure(page: Page, server: Server, bench: Bench, size: str, nodes: int, yardstick: str) -> None:
    """One case: edits all over the record while somebody walks about in it."""
    desk = Desk(server)
    id = desk.post("/api/documents", {"text": record(size, nodes), "title": f"{size} {nodes}"})["document"]["id"]
    page.goto(f"{server.base}#record={id}")
    page.reload()
    page.locator(".knot").first.wait_for()
    page.wait_for_timeout(3000)
    known = [node["id"] for node in desk.get(f"/api/documents/{id}")["nodes"] if node["id"] != 0]
    chance, squares = random.Random(1), squares_of(int(size.split("x")[0]))
    asked: dict[int, float] = {}
    busy = [psutil.Process(server.process.pid), *_renderers()]
    before = sum(_seconds(one) for one in busy)
    begin = time.time()
    for number in range(UPDATES):
        time.sleep(max(0.0, begin + number / PER_SECOND - time.time()))
        start, done = time.time() * 1000, None
        while done is None:  # where a stone stands already nothing is added
            move = "".join(chance.sample(squares, 2))
            start = time.time() * 1000
            done = desk.post(f"/api/documents/{id}/play", {"node": chance.choice(known), "moves": [move]})
        asked[done["revision"]] = start
        if number % 3 == 0:
            page.evaluate(f"press('{'ArrowLeft' if number % 2 else 'ArrowRight'}')")
    share = (sum(_seconds(one) for one in busy) - before) / (time.time() - begin)
    page.wait_for_timeout(1000)
    drawn = {int(revision): at for revision, at in page.evaluate("window.drawn").items()}
    shown = sorted(drawn[revision] - start for revision, start in asked.items() if revision in drawn)
    keys = sorted(page.evaluate("window.pressed"))
    case = f"{size}, {nodes:,} nodes"
    bench.report(f"{case}: edit asked to painted, p95", _p95(shown), "ms", "", yardstick)
    bench.report(f"{case}: the same, median", shown[len(shown) // 2], "ms")
    bench.report(f"{case}: key to painted, p95", _p95(keys), "ms")
    bench.report(f"{case}: processor, server and browser", 100 * share, "% of a core")


class Desk:
    """The server, asked from beside the browser."""

    def __init__(self, server: Server) -> None:
        self._base = server.base.rstrip("/")
        self._headers = {**server.headers(), "content-type": "application/json"}

    def post(self, path: str, body: object) -> Any:
        """The answer, or None if what was asked is not possible."""
        try:
            return self._ask(path, json.dumps(body).encode())
        except urllib.error.HTTPError:
            return None

    def get(self, path: str) -> Any:
        return self._ask(path, None)

    def _ask(self, path: str, body: bytes | None) -> Any:
        with urllib.request.urlopen(urllib.request.Request(self._base + path, body, self._headers)) as answer:
            return json.load(answer)


def first_paint(page: Page, bench: Bench) -> None:
    """From nothing to something on the screen, with an empty cache."""
    page.reload()
    page.locator(".board .grid").wait_for()
    found = page.evaluate("performance.getEntriesByName('first-contentful-paint')[0].startTime")
    bench.report("first contentful paint from this machine", float(found), "ms", "1000 ms")


def page_weight(bench: Bench) -> None:
    files = [path for path in STATIC.rglob("*") if path.is_file()]
    bench.report(
        "page weight, compressed", sum(len(gzip.compress(path.read_bytes())) for path in files) / 1000, "kB", "150 kB"
    )


def _renderers() -> list[psutil.Process]:
    return [one for one in psutil.Process().children(recursive=True) if "chrom" in one.name()]


def _seconds(process: psutil.Process) -> float:
    times = process.cpu_times()
    return float(times.user + times.system)


def _p95(values: list[float]) -> float:
    return values[min(len(values) - 1, int(0.95 * len(values)))]


if __name__ == "__main__":
    bench = Bench("The workbench in the browser")
    page_weight(bench)
    with tempfile.TemporaryDirectory() as folder, served(Path(folder)) as server, sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=chromium(), args=ARGUMENTS)
        context = browser.new_context(viewport={"width": 1400, "height": 900})
        context.set_default_timeout(120_000)
        context.add_init_script("localStorage.setItem('tengen-toured', 'yes');" + PROBE)
        page = context.new_page()
        page.goto(server.address)
        first_paint(page, bench)
        for size, nodes, yardstick in CASES:
            measure(page, server, bench, size, nodes, yardstick)
        browser.close()
    bench.finish()
