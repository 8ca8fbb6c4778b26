"""Jobs for tests and measurements: they behave as badly as real ones may. Installed for a test by `install`."""

from __future__ import annotations

import ctypes
import os
import signal
import threading
import time
from pathlib import Path

import tengen
from tengen.grid import Json, Task

HARD = "J10 J9K11"
"""A position whose proof nobody finds in the time of a test."""


def install(folder: Path) -> str:
    """Makes a distribution that has these handlers; returns what PYTHONPATH must be for programs to find it."""
    about = folder / "tengen_test_jobs-1.dist-info"
    about.mkdir(parents=True)
    about.joinpath("METADATA").write_text("Metadata-Version: 2.1\nName: tengen-test-jobs\nVersion: 1\n")
    names = ("die", "die_once", "segfault", "no_memory", "fail", "deaf", "search", "big", "note", "chatter", "nan")
    entries = "".join(f"{name} = grid_handlers:{name}\n" for name in names)
    about.joinpath("entry_points.txt").write_text(f"[tengen.jobs]\n{entries}broken = grid_handlers:missing\n")
    return os.pathsep.join([str(folder), str(Path(__file__).parent)])


def die(_arguments: Json, _task: Task) -> Json:
    os.kill(os.getpid(), signal.SIGKILL)
    return {}


def die_once(arguments: Json, task: Task) -> Json:
    mark = Path(arguments["mark"])
    if mark.exists():
        return {"survived": True}
    mark.touch()
    return die(arguments, task)


def segfault(_arguments: Json, _task: Task) -> Json:
    ctypes.string_at(0)
    return {}


def no_memory(_arguments: Json, _task: Task) -> Json:
    raise MemoryError


def fail(_arguments: Json, _task: Task) -> Json:
    raise RuntimeError("it cannot be done")


def deaf(arguments: Json, _task: Task) -> Json:
    """Heeds no flag."""
    Path(arguments["mark"]).touch()
    time.sleep(600)
    return {}


def search(arguments: Json, task: Task) -> Json:
    """A native search that ends when its flag is raised; notes when it begins, sees the flag, and ends."""
    flag_at = 0.0

    def watch() -> None:
        nonlocal flag_at
        while not task.is_aborted:
            time.sleep(0.0005)
        flag_at = time.monotonic()

    watcher = threading.Thread(target=watch, daemon=True)
    watcher.start()
    mark = Path(arguments["mark"])
    mark.with_suffix(".begun").touch()
    defence = tengen.defend(tengen.Position.parse(HARD), order=3, reply_nodes=10**12, control=task.control)
    end = time.monotonic()
    watcher.join()
    mark.write_text(f"{flag_at} {end}")
    return {"nodes": defence.nodes}


def big(arguments: Json, _task: Task) -> Json:
    return {"text": "x" * arguments["bytes"]}


def note(arguments: Json, task: Task) -> Json:
    """Adds a line to a file, and takes its time: another one `at_first`, when the file was not there."""
    path = Path(arguments["file"])
    seconds = arguments["seconds"] if path.exists() else arguments.get("at_first", arguments["seconds"])
    with path.open("a") as file:
        file.write(f"{arguments['number']}\n")
    until = time.monotonic() + seconds
    while time.monotonic() < until and not task.is_aborted:
        time.sleep(0.005)
    return {"number": arguments["number"]}


def chatter(arguments: Json, task: Task) -> Json:
    """Prints where answers go, and tells progress."""
    print("nobody should read this")
    os.write(1, b"nor this\n")
    task.progress({"half": True})
    until = time.monotonic() + arguments["seconds"]
    while time.monotonic() < until and not task.is_aborted:
        time.sleep(0.005)
    return {"done": True}


def nan(_arguments: Json, _task: Task) -> Json:
    return {"value": float("nan")}
