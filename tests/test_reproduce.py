"""The page of results: experiments are run, kept, and shown beside what the documents report."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path
from xml.etree import ElementTree

from experiments import EXPERIMENTS, job_level, job_level_plots
from results_page import write_page

HOME = Path(__file__).resolve().parents[1]


def reproduce(*words: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, "bench/reproduce.py", *words], cwd=HOME, capture_output=True, text=True, check=False
    )


def test_a_quick_run_is_kept_and_shown() -> None:
    done = reproduce("--quick", "--again", "patterns")
    assert done.returncode == 0, done.stderr
    results = HOME / "build" / "reproduce-quick" / "results"
    kept = json.loads((results / "patterns.json").read_text())
    assert kept["command"] == "python bench/threats.py"
    assert "| line-pattern table of Connect6 | thesis, 19 squares: 80 |" in (results / "index.md").read_text()
    again = reproduce("--quick", "patterns")
    assert "run before" in again.stderr


def test_every_experiment_has_a_name_of_its_own_and_a_command_that_is_there() -> None:
    names = [experiment.name for experiment in EXPERIMENTS]
    assert len(set(names)) == len(names)
    for experiment in EXPERIMENTS:
        for words in (experiment.command, experiment.quick):
            assert words[0] == "-m" or (HOME / words[0]).exists()
    assert reproduce("--list").stdout.count("\n") == len(names)


def test_an_unknown_name_is_told() -> None:
    done = reproduce("no-such-thing")
    assert done.returncode == 1
    assert "no experiment has the name no-such-thing; there are searches," in done.stderr


def test_the_page_has_tables_and_pictures(tmp_path: Path) -> None:
    lines = [
        {
            "case": "speed-up",
            "policy": policy,
            "workers": workers,
            "of_sums": float(workers) / 2 + 0.5,
            "geometric_mean": workers**0.8,
            "jobs": 100,
            "aborted": 0.116,
            "ended": 0,
        }
        for policy in ("mf-ve", "vw")
        for workers in (1, 4, 16)
    ]
    found = {
        "command": "python bench/job_level.py simulate",
        "machine": "a machine",
        "date": "2026-01-01",
        "seconds": 1.0,
        "rows": job_level(lines),
        "plots": job_level_plots(lines),
    }
    (tmp_path / "job-simulation.json").write_text(json.dumps(found))
    page = write_page(EXPERIMENTS, tmp_path, is_quick=False).read_text()
    assert "| speed-up, mf-ve on 16 | 8.58 | 8.50 of the sums, 9.19 in the mean |" in page
    assert "| jobs aborted, mf-ve on 16 | 11.19 % | 11.6 % |" in page
    assert page.count("Not run yet.") == len(EXPERIMENTS) - 1
    picture = ElementTree.parse(tmp_path / "job-simulation-0.svg").getroot()
    assert len(picture.findall(".//{http://www.w3.org/2000/svg}polyline")) == 2
