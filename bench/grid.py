"""Cost of jobs on this machine alone, and over a broker with TLS on loopback.

python bench/grid.py                    all figures, some minutes
python bench/grid.py --workers 50       with fewer simulated workers
python bench/grid.py --against FOLDER   round trip and jobs a second compared with another version of the package

For a comparison FOLDER contains a package `tengen` with its compiled module. Both versions take turns, so that other
programs on the machine slow both down alike.
"""

from __future__ import annotations

import argparse
import asyncio
import json
import os
import statistics
import subprocess
import sys
import tempfile
import threading
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import psutil
from harness import Bench

sys.path.insert(0, str(Path(__file__).parent.parent / "tests"))
from grid_backends import Backend, NatsBackend, PoolBackend, answers, free_port
from grid_handlers import install

from tengen.grid import DurableJobSystem
from tengen.grid.broker import Broker
from tengen.grid.client import GridClient
from tengen.grid.keys import Invitation
from tengen.grid.runner import Runner, Said
from tengen.grid.worker import GridWorker

TRIAL = "the trial of NATS: "
"""What was measured on another day, when the way was chosen."""


def main() -> None:
    parser = argparse.ArgumentParser(description="Measure the grid.")
    parser.add_argument("--jobs", type=int, default=300, help="jobs for each figure")
    parser.add_argument("--aborts", type=int, default=40, help="aborts for each figure")
    parser.add_argument("--workers", type=int, default=300, help="simulated workers")
    parser.add_argument("--against", type=Path, help="folder with another version of the package, to compare with")
    parser.add_argument("--rounds", type=int, default=7, help="turns of each version in a comparison")
    parser.add_argument("--broker-only", action="store_true", help="print round trip and rate as JSON, nothing else")
    options = parser.parse_args()
    if options.broker_only:
        print(json.dumps(measure_broker(options.jobs)))
        return
    bench = Bench("The grid")
    if options.against is not None:
        compare(bench, options.against, options.rounds, options.jobs)
        bench.finish()
        return
    with tempfile.TemporaryDirectory(prefix="tengen-bench-") as place:
        folder = Path(place)
        os.environ["PYTHONPATH"] = install(folder / "handlers")
        pool = PoolBackend()
        measure(bench, "pool", pool, options.jobs, options.aborts, folder)
        nats = NatsBackend(folder)
        try:
            measure(bench, "broker", nats, options.jobs, options.aborts, folder)
            restart_broker(bench, nats)
        finally:
            nats.close()
        many_workers(bench, options.workers, folder / "many")
    bench.finish()


def measure_broker(jobs: int) -> dict[str, float]:
    """Median round trip in ms and trivial jobs a second over a broker with two workers."""
    with tempfile.TemporaryDirectory(prefix="tengen-bench-") as place:
        backend = NatsBackend(Path(place))
        try:
            system = backend.open()
            while len(system.workers()) < backend.workers or not system.free():
                system.next_event(0.1)
            answers_of(system, 50)
            trips = [timed(lambda: answers_of(system, 1)) for _ in range(jobs)]
            rate = jobs / timed(lambda: keep_busy(system, jobs))
            return {"round trip": 1e3 * statistics.median(trips), "jobs a second": rate}
        finally:
            backend.close()


def compare(bench: Bench, other: Path, rounds: int, jobs: int) -> None:
    """Let two versions of the package take turns, and report the medians of both and the median of the ratios."""
    with tempfile.TemporaryDirectory(prefix="tengen-bench-") as place:
        # An editable installation would be imported instead of the other version.
        code = "import sys\nsys.meta_path[:] = [f for f in sys.meta_path if 'ScikitBuild' not in type(f).__name__]\n"
        Path(place, "sitecustomize.py").write_text(code)
        paths = {"this version": "", "other version": os.pathsep.join([place, str(other.resolve())])}
        figures: dict[str, list[dict[str, float]]] = {name: [] for name in paths}
        command = [sys.executable, __file__, "--broker-only", "--jobs", str(jobs)]
        for turn in range(rounds):
            for name, path in sorted(paths.items(), reverse=bool(turn % 2)):
                environment = {**os.environ, "PYTHONPATH": path}
                output = subprocess.run(command, env=environment, check=True, capture_output=True, text=True).stdout
                figures[name].append(json.loads(output))
    for figure, unit in (("round trip", "ms"), ("jobs a second", "jobs")):
        for name, rows in figures.items():
            bench.report(f"broker: {figure}, {name}", statistics.median(row[figure] for row in rows), unit)
        pairs = zip(figures["this version"], figures["other version"], strict=True)
        ratio = statistics.median(this[figure] / that[figure] for this, that in pairs)
        bar = "at most 1.1" if figure == "round trip" else "at least 0.9"
        bench.report(f"broker: {figure}, this version / other version", ratio, "times", bar)


def measure(bench: Bench, name: str, backend: Backend, jobs: int, aborts: int, folder: Path) -> None:
    def trial(figure: str) -> str:
        return TRIAL + figure if name == "broker" else ""

    system = backend.open()
    while len(system.workers()) < backend.workers or not system.free():
        system.next_event(0.1)
    answers_of(system, 20)
    trips = sorted(timed(lambda: answers_of(system, 1)) for _ in range(jobs))
    bench.report(f"{name}: round trip, p50", 1e3 * statistics.median(trips), "ms", "", trial("2-3 ms"))
    bench.report(f"{name}: round trip, p99", 1e3 * trips[int(0.99 * jobs)], "ms")

    before, begun = cpu_seconds(), time.perf_counter()
    keep_busy(system, jobs)
    used = 1e3 * (cpu_seconds() - before) / jobs
    bench.report(f"{name}: CPU per job, all processes", used, "ms", "", trial("2-4 ms"))
    bench.report(f"{name}: trivial jobs a second", jobs / (time.perf_counter() - begun), "jobs")

    aborted = [abort_latency(system, folder / f"{name}-{number}") for number in range(aborts)]
    for what, bar, yardstick, seconds in (
        ("raises the native flag", "10", trial("1-2 ms"), sorted(flag for flag, _ in aborted)),
        ("ends the native search", "", "", sorted(end for _, end in aborted)),
    ):
        bench.report(f"{name}: abort {what}, p50", 1e3 * statistics.median(seconds), "ms", bar, yardstick)
        bench.report(f"{name}: abort {what}, p95", 1e3 * seconds[int(0.95 * aborts)], "ms")
    rerun = [rerun_after_kill(backend, system, folder / f"{name}-rerun-{number}") for number in range(3)]
    bench.report(f"{name}: worker killed, job begun again after", statistics.median(rerun), "s", "", trial("2.7 s"))
    system.close()
    backend.close_clients()


def answers_of(system: DurableJobSystem, count: int) -> None:
    for _ in range(count):
        system.submit("echo", {"number": 1})
        answers(system, 1)


def keep_busy(system: DurableJobSystem, jobs: int) -> None:
    """As a search does: hand in while there is room."""
    submitted = done = 0
    while done < jobs:
        while submitted < jobs and system.free():
            system.submit("echo", {"number": submitted})
            submitted += 1
        answers(system, 1)
        done += 1


def timed(call: Callable[[], object]) -> float:
    begun = time.perf_counter()
    call()
    return time.perf_counter() - begun


def cpu_seconds() -> float:
    """Of this process and all that it has started."""
    own = psutil.Process()
    total = 0.0
    for process in [own, *own.children(recursive=True)]:
        times = process.cpu_times()
        total += times.user + times.system
    return total


def abort_latency(system: DurableJobSystem, mark: Path) -> tuple[float, float]:
    """Until the flag of the search was up, and until the search had ended."""
    job = system.submit("search", {"mark": str(mark)})
    while not mark.with_suffix(".begun").exists() or not any(worker.job == job for worker in system.workers()):
        time.sleep(0.005)
    time.sleep(0.05)
    called = time.monotonic()
    system.abort(job)
    answers(system, 1)
    flag, end = map(float, mark.read_text().split())
    return flag - called, end - called


def rerun_after_kill(backend: Backend, system: DurableJobSystem, runs: Path) -> float:
    job = system.submit("note", {"file": str(runs), "number": 1, "seconds": 0.5})
    while not (runs.exists() and runs.read_text()) or not any(worker.job == job for worker in system.workers()):
        time.sleep(0.005)
    backend.kill_worker(system, next(worker.name for worker in system.workers() if worker.job == job))
    killed = time.monotonic()
    while runs.read_text().count("\n") < 2:
        time.sleep(0.005)
    seconds = time.monotonic() - killed
    answers(system, 1)
    if isinstance(backend, NatsBackend):
        backend.renew()
    return seconds


def restart_broker(bench: Bench, backend: NatsBackend) -> None:
    """kill -9 while jobs run and wait; what counts is that all are answered."""
    system = backend.open()
    while not system.free():
        system.next_event(0.1)
    jobs = {system.submit("sleep", {"seconds": 1.0}) for _ in range(6)}
    time.sleep(0.5)
    backend.kill_broker()
    begun = time.monotonic()
    time.sleep(1)
    backend.start_broker()
    answered = {event.job for event in answers(system, len(jobs))}
    bench.report("broker: killed for 1 s, 6 jobs of 1 s on 2 workers answered after", time.monotonic() - begun, "s")
    bench.report("broker: jobs lost by its death", len(jobs - answered), "jobs", "0", TRIAL + "0")
    backend.close_clients()


class Simulated(Runner):
    """Instead of a process: echoes at once, or sleeps without anybody noticing."""

    def __init__(self, tell: Callable[[Runner, Said], object], *, nice: bool = False) -> None:
        self._tell = tell
        self._loop = asyncio.get_running_loop()
        self._sleeps: dict[str, asyncio.TimerHandle] = {}
        self._loop.call_soon(tell, self, Said("ready"))

    def begin(self, job: str, kind: str, arguments: str) -> None:
        end = Said("result", job, {"job": job}, seconds=1.0)
        self._sleeps[job] = self._loop.call_later(1.0, self._tell, self, end)

    def abort(self, job: str) -> None:
        self._sleeps.pop(job).cancel()
        self._loop.call_soon(self._tell, self, Said("aborted", job))

    def kill(self) -> None:
        for sleep in self._sleeps.values():
            sleep.cancel()


def many_workers(bench: Bench, count: int, folder: Path) -> None:
    """So many connections with TLS and a key each, all of them working on jobs of a second, for ten seconds."""
    folder.mkdir()
    broker = Broker(folder / "broker", port=free_port())
    invitations = [broker.invite(f"sim{number}", "worker") for number in range(count)]
    client = broker.invite("bench", "client")
    server = broker.start(folder / "log")
    thread = threading.Thread(target=lambda: asyncio.run(simulate(invitations)), daemon=True)
    thread.start()
    try:
        system = GridClient(client, predispatch=count // 10)
        while sum(worker.job is None for worker in system.workers()) < count:
            system.next_event(0.5)
        process = psutil.Process(server.pid)
        before, begun = process.cpu_times(), time.monotonic()
        done = 0
        while time.monotonic() - begun < 10:
            while system.free():
                system.submit("echo", {"number": done})
            event = system.next_event(0.5)
            done += event is not None and event.result is not None
        seconds, after = time.monotonic() - begun, process.cpu_times()
        share = (after.user + after.system - before.user - before.system) / seconds
        memory = process.memory_info().rss / 2**20
        bench.report(f"broker: CPU with {count} workers at jobs of 1 s", 100 * share, "% of a core", "", TRIAL + "11 %")
        bench.report(f"broker: memory with {count} workers", memory, "MB", "", TRIAL + "38 MB")
        bench.report(f"broker: jobs of 1 s done a second by {count} workers", done / seconds, "jobs")
        system.close()
    finally:
        server.terminate()
        server.wait()


async def simulate(invitations: list[Invitation]) -> None:
    workers: list[Any] = [
        GridWorker(invitation, 1, tell=lambda sentence: None, runners=Simulated).run() for invitation in invitations
    ]
    await asyncio.gather(*workers)


if __name__ == "__main__":
    main()
