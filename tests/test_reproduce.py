"""The page of results: experiments are run, kept, and shown beside what the documents report."""

from __future__ import annotations

import json
import shutil
import subprocess
import sys
from pathlib import Path
from xml.etree import ElementTree

import pytest
from experiments import EXPERIMENTS, Experiment
from figures import Verdict, agents
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
    page = (results / "index.md").read_text()
    assert page.count("| memory of the table of Connect6 | about 80 MB |") == 2  # in the summary and in its section
    assert "| better |" in page
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
        "lines": lines,
    }
    (tmp_path / "job-simulation.json").write_text(json.dumps(found))
    page = write_page(EXPERIMENTS, tmp_path, is_quick=False).read_text()
    assert "| speed-up, MF-VE on 16 workers | 8.58 | 8.50 of the sums, 9.19 in the mean | different |" in page
    assert "| jobs aborted, MF-VE on 16 workers | 11.19 % | 11.6 % | different |" in page
    assert "| speed-up, MF-VE on 4 workers | – | 2.50 of the sums, 3.03 in the mean | – |" in page
    assert page.count("Not run yet.") == len(EXPERIMENTS) - 1
    picture = ElementTree.parse(tmp_path / "job-simulation-0.svg").getroot()
    assert len(picture.findall(".//{http://www.w3.org/2000/svg}polyline")) == 2


@pytest.mark.parametrize("experiment", EXPERIMENTS, ids=lambda experiment: experiment.name)
def test_what_is_reported_has_a_verdict_and_nothing_else_has(experiment: Experiment) -> None:
    kept = HOME / "docs" / "results" / f"{experiment.name}.json"
    if not kept.exists():
        pytest.skip("not run yet")
    figures = experiment.figures(json.loads(kept.read_text())["lines"])
    assert figures
    for figure in figures:
        assert bool(figure.reported) == (figure.verdict is not None), figure
        assert figure.here, figure


def test_the_page_is_the_one_that_the_kept_results_give(tmp_path: Path) -> None:
    shutil.copytree(HOME / "docs" / "results", tmp_path, dirs_exist_ok=True)
    page = write_page(EXPERIMENTS, tmp_path, is_quick=False)
    assert page.read_text() == (HOME / "docs" / "results" / "index.md").read_text()


def test_a_share_is_met_if_it_is_within_the_interval() -> None:
    line = {"case": "a v b", "value": 74.0, "unit": "% [68, 80]", "bar": "77 % in the paper", "yardstick": ""}
    assert agents([line])[0].verdict is Verdict.MET
    assert agents([{**line, "unit": "% [60, 70]"}])[0].verdict is Verdict.DIFFERENT
    assert agents([{**line, "bar": ""}])[0].verdict is None
