"""Repeats what the documents report, and writes the page with ours beside theirs: docs/results/index.md.

    python bench/reproduce.py                       everything that has not been run yet; hours
    python bench/reproduce.py --quick               a small version of everything; minutes
    python bench/reproduce.py openings agents       only these
    python bench/reproduce.py --again openings      these anew
    python bench/reproduce.py --list                what there is, and what has been run
    python bench/reproduce.py --page                only the page, from what has been run

Ended and begun again, it goes on with the experiment that was under way; the long ones go on within it, too. What
the commands said is kept as one file each in docs/results, with the machine, the date and the command. Quick versions
are kept and shown apart, in build/.
"""

from __future__ import annotations

import argparse
import json
import os
import platform
import subprocess
import sys
import time
from collections.abc import Sequence
from datetime import date
from pathlib import Path
from typing import Any

from experiments import EXPERIMENTS, Experiment
from results_page import write_page
from rich.console import Console

from tengen.record.files import replacing

HOME = Path(__file__).resolve().parents[1]
DATA = HOME.parent / "shared" / "data"
CONSOLE = Console(file=sys.stderr)


def machine() -> str:
    """What the figures were measured on."""
    model = platform.machine()
    cpuinfo = Path("/proc/cpuinfo")
    if cpuinfo.exists():
        names = [line.split(":", 1)[1].strip() for line in cpuinfo.read_text().splitlines() if "model name" in line]
        model = names[0] if names else model
    return f"{model}, {os.cpu_count()} cores, Python {platform.python_version()}"


def run(experiment: Experiment, quick: bool, folder: Path, results: Path) -> bool:
    """Runs an experiment and keeps what it says. False if it failed."""
    words = experiment.quick if quick else experiment.command
    command = [word.format(folder=folder) for word in words]
    log = folder / f"{experiment.name}.log"
    begun = time.monotonic()
    with log.open("w") as errors:
        process = subprocess.Popen(
            [sys.executable, *command], cwd=HOME, stdout=subprocess.PIPE, stderr=errors, text=True
        )
        lines: list[dict[str, Any]] = []
        assert process.stdout is not None
        with CONSOLE.status(f"{experiment.name}: {experiment.title}") as status:
            try:
                for line in process.stdout:
                    if line.startswith("{"):
                        lines.append(json.loads(line))
                        status.update(f"{experiment.name}: {experiment.title}, {len(lines)} cases")
            except KeyboardInterrupt:
                process.terminate()
                process.wait()
                raise
        failed = process.wait() != 0
    seconds = time.monotonic() - begun
    if failed or not lines:
        CONSOLE.print(f"[red]{experiment.name} failed:[/] {log}")
        return False
    found = {
        "name": experiment.name,
        "command": " ".join(["python", *(word.format(folder="build/reproduce") for word in words)]),
        "machine": machine(),
        "date": date.today().isoformat(),
        "seconds": round(seconds, 1),
        "lines": lines,
    }
    with replacing(results / f"{experiment.name}.json") as file:
        file.write((json.dumps(found, indent=1, ensure_ascii=False) + "\n").encode())
    CONSOLE.print(f"{experiment.name}: {len(experiment.figures(lines))} figures, {seconds:,.0f} s")
    return True


def chosen(names: Sequence[str]) -> list[Experiment]:
    known = {experiment.name: experiment for experiment in EXPERIMENTS}
    if unknown := [name for name in names if name not in known]:
        sys.exit(f"no experiment has the name {unknown[0]}; there are {', '.join(known)}")
    return [known[name] for name in names] or EXPERIMENTS


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("names", nargs="*", metavar="NAME", help="only these experiments")
    parser.add_argument("--quick", action="store_true", help="small versions, in minutes")
    parser.add_argument("--again", action="store_true", help="even if they have been run")
    parser.add_argument("--list", action="store_true", help="what there is")
    parser.add_argument("--page", action="store_true", help="write the page only")
    given = parser.parse_args()
    folder = HOME / "build" / ("reproduce-quick" if given.quick else "reproduce")
    results = folder / "results" if given.quick else HOME / "docs" / "results"
    for place in (folder, results):
        place.mkdir(parents=True, exist_ok=True)
    wanted = chosen(given.names)
    if given.list:
        for experiment in wanted:
            done = (results / f"{experiment.name}.json").exists()
            print(f"{experiment.name:16} {'run' if done else '-':4} {experiment.title}")
        return
    failures = []
    try:
        for experiment in [] if given.page else wanted:
            missing = [name for name in experiment.data if not (DATA / name).exists()]
            if (results / f"{experiment.name}.json").exists() and not given.again:
                CONSOLE.print(f"{experiment.name}: run before")
            elif missing:
                CONSOLE.print(f"{experiment.name}: left out, {missing[0]} is not beside the checkout")
            elif not run(experiment, given.quick, folder, results):
                failures.append(experiment.name)
    except KeyboardInterrupt:
        CONSOLE.print("ended; the same command goes on here")
        failures.append("the rest")
    page = write_page(EXPERIMENTS, results, is_quick=given.quick)
    CONSOLE.print(f"written: {page.relative_to(HOME)}")
    if failures:
        sys.exit(f"not done: {', '.join(failures)}")


if __name__ == "__main__":
    main()
