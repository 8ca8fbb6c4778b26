"""Job-level search where jobs really run: on processes and on a grid, killed at any moment; and its commands."""

import json
import random
import signal
import subprocess
import sys
import time
from collections.abc import Callable
from dataclasses import fields
from pathlib import Path
from typing import Any

import pytest
from grid_backends import BACKENDS, Backend
from job_level_tools import PLAIN, proof_number_search, recording
from test_cli import Run, run

from tengen import BLACK, Position
from tengen.cli.on_grid import SearchRun, Settings
from tengen.prove import check
from tengen.search import Client, Journal, Judge, Recipe, Simulator, write_whole
from tengen.search.values import NUMBERS

__all__ = ["run"]  # the fixture

WON = "Connect(7,7,4,1,1) D4 B2"
LONG = "Connect(9,9,5,1,1) E5 D4 E6"
"""Nobody will decide this with such small jobs."""
SMALL_JOBS = Recipe("engine", {"nodes": 2, "verifier_nodes": 200, "solver_nodes": 100, "order": 1})
OPTIONS = ("--side", "black", "--job-nodes", "2", "--order", "1", "--grid", "local:2")


@pytest.mark.parametrize("backend", BACKENDS, indirect=True)
def test_the_verdict_is_the_same_though_workers_die(backend: Backend, tmp_path: Path) -> None:
    system, rng, root = backend.open(), random.Random(6), Position.parse(WON)
    deaths = 0

    def murder() -> None:
        nonlocal deaths
        busy = [worker.name for worker in system.workers() if worker.job is not None]
        if deaths < 2 and busy and rng.random() < 0.2:
            backend.kill_worker(system, rng.choice(busy).partition("/")[0])
            deaths += 1
            getattr(backend, "renew", lambda: None)()

    with Journal(tmp_path / "journal", {"root": WON}) as journal:
        client = Client(proof_number_search(root), system, SMALL_JOBS, journal=journal, judge=Judge())
        client.run(poll=0.05, tell=murder)
        assert client.search.tree.winner(0) is BLACK
        assert client.counts.lies == {}
        write_whole(tmp_path / "whole.tpf", client.search.tree, journal)
    assert check(tmp_path / "whole.tpf").accepted


@pytest.mark.parametrize("backend", BACKENDS, indirect=True)
def test_a_client_that_died_goes_on_with_its_jobs(backend: Backend, tmp_path: Path) -> None:
    root, make = Position.parse(WON), proof_number_search(Position.parse(WON))
    system = backend.open()
    with Journal(tmp_path / "journal", {"root": WON}) as journal:
        client = Client(make, system, SMALL_JOBS, journal=journal, judge=Judge())

        def stop() -> None:
            if client.counts.done >= 3:
                client.stop()

        client.run(poll=0.05, tell=stop)
        journal.append({"checkpoint": system.checkpoint()})
    backend.abandon(system)
    with Journal(tmp_path / "journal", {"root": WON}, resume=True) as journal:
        checkpoint = journal.last("checkpoint")
        system = backend.open(resume=checkpoint)
        resumed = Client(make, system, SMALL_JOBS, journal=journal, judge=Judge(), resumed=checkpoint)
        assert resumed.counts.replayed == client.counts.done
        assert len(resumed.search.tree) == len(client.search.tree)
        resumed.run()
        assert resumed.search.tree.winner(0) is BLACK
        write_whole(tmp_path / "whole.tpf", resumed.search.tree, journal)
    assert check(tmp_path / "whole.tpf").accepted
    assert root == resumed.search.tree.first


def started(*arguments: str) -> subprocess.Popen[str]:
    command = [sys.executable, "-m", "tengen", "prove", *arguments]
    return subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)


def wait_for(condition: Callable[[], bool], process: subprocess.Popen[str]) -> None:
    while process.poll() is None and not condition():
        time.sleep(0.02)


def results(journal: Path) -> int:
    return journal.read_bytes().count(b'"result"') if journal.exists() else 0


def test_kill_and_resume(run: Run, tmp_path: Path) -> None:
    journal = tmp_path / "search.journal"
    process = started(LONG, *OPTIONS, "--journal", str(journal))
    wait_for(lambda: results(journal) >= 30, process)
    process.kill()
    process.communicate()
    kept = results(journal)
    assert kept >= 30
    code, out, _ = run("prove", LONG, *OPTIONS, "--journal", str(journal), "--resume", "--seconds", "0.5", "--json")
    answer = json.loads(out)
    assert (code, answer["result"]) == (2, "unknown")
    assert kept - 1 <= answer["jobs"]["replayed"] <= kept  # the last line may have been cut short
    assert answer["nodes"] > 20


def test_time_does_not_begin_anew_after_a_lie_is_withdrawn() -> None:
    system = Simulator(recording(), 2)
    client = Client(proof_number_search(Position.parse(LONG)), system, PLAIN)
    unset: dict[str, Any] = dict.fromkeys(field.name for field in fields(Settings))
    search_run = SearchRun(client, system, Settings(**{**unset, "grid": "local", "order": 1, "seconds": 20.0}))
    search_run.search()
    done = client.counts.done
    assert done > 0
    assert system.now() == pytest.approx(20)  # on the virtual clock
    client.withdraw("virtual-1", "its proof is wrong")
    search_run.search()
    assert system.now() == pytest.approx(20)
    assert client.counts.done == done


def test_ctrl_c_keeps_what_was_found(run: Run, tmp_path: Path) -> None:
    process = started(LONG, *OPTIONS)  # the journal is in the user's data
    folder = tmp_path / "tengen-data" / "searches"
    wait_for(lambda: any(results(path) > 5 for path in folder.glob("*.journal")), process)
    process.send_signal(signal.SIGINT)
    out, _ = process.communicate()
    assert process.returncode == 130
    assert "--resume" in out
    code, _, err = run("prove", LONG, *OPTIONS)
    assert code == 3
    assert "--resume" in err
    assert "--journal FILE" in err
    assert run("prove", LONG, *OPTIONS, "--resume", "--seconds", "0.2")[0] == 2


def test_an_answer_that_was_found_before_is_given_again(run: Run, tmp_path: Path) -> None:
    assert run("prove", WON, *OPTIONS)[0] == 0
    proof = tmp_path / "again.tpf"
    code, out, err = run("prove", WON, *OPTIONS, "--proof", str(proof), "--json")
    answer = json.loads(out)
    assert (code, answer["winner"], answer["jobs"]["done"]) == (0, "black", 0)
    assert "has found the answer" in err
    assert check(proof).accepted
    # What is wrong otherwise is told all the same.
    code, _, err = run("prove", WON, "--grid", str(tmp_path / "none.grid"))
    assert (code, "none.grid: No such file" in err) == (4, True)
    code, _, err = run("prove", WON, *OPTIONS, "--hints", str(tmp_path))
    assert (code, f"{tmp_path}: Is a directory" in err) == (4, True)


@pytest.mark.parametrize("option", ["--journal", "--table"])
def test_a_file_of_something_else_is_said_to_be_none(run: Run, tmp_path: Path, option: str) -> None:
    file = tmp_path / "bin.dat"
    for content in (b"\x80\x81\n\xff\n", b"\x80\x81", b"[" * 100_000 + b"\n", b"\x7fELF\n"):
        file.write_bytes(content)
        code, _, err = run("prove", WON, *OPTIONS, option, str(file))
        assert (code, f"{file} is no {option.removeprefix('--')}" in err) == (3, True)
        assert file.read_bytes() == content
    code, _, err = run("simulate", str(file))
    assert (code, f"{file} is no journal" in err) == (3, True)


def test_a_proof_is_written_and_a_simulation_run(run: Run, tmp_path: Path) -> None:
    proof, journal = tmp_path / "whole.tpf", tmp_path / "search.journal"
    hints, table = tmp_path / "hints", tmp_path / "table.json"
    hints.write_text("prefer " + WON + "\nprune A1\nbelieve me\n")
    table.write_text(json.dumps(dict.fromkeys(NUMBERS, (2, 2))))
    files = ("--proof", str(proof), "--journal", str(journal), "--hints", str(hints), "--table", str(table))
    code, out, err = run("prove", WON, *OPTIONS, "--policy", "fg", "--check", "0.5", "--json", *files)
    answer = json.loads(out)
    assert (code, answer["result"], answer["winner"], answer["policy"]) == (0, "win", "black", "fg")
    assert check(proof).nodes == answer["proof_nodes"]
    assert check(proof).accepted
    assert "hint: prefer" in err
    assert "hint not followed: prune A1" in err
    assert "hint not followed: believe me" in err
    code, out, _ = run(
        "simulate", str(journal), "--workers", "1,8", "--policy", "mf-ve", "--policy", "native", "--json"
    )
    trials = [json.loads(line) for line in out.splitlines()]
    assert code == 0
    assert [(trial["policy"], trial["workers"]) for trial in trials] == [
        ("mf-ve", 1),
        ("mf-ve", 8),
        ("native", 1),
        ("native", 8),
    ]
    assert trials[0]["seconds"] == trials[2]["seconds"]  # with one worker policies do not differ
    assert all(trial["winner"] == "black" for trial in trials)
    code, out, _ = run("simulate", str(journal), "--workers", "1,8", "--policy", "mf-ve")
    assert "speed-up" in out
    assert "with any number of them" in out


@pytest.mark.parametrize(
    "options",
    [
        ("--policy", "best"),
        ("--grid", "local", "--full"),
        ("--grid", "local", "--policy", "best"),
        ("--grid", "local:0"),
        ("--grid", "local:x"),
        ("--grid", "local:"),
        ("--resume",),
        ("--grid", "local", "--table", "{tmp}/none.json"),
    ],
)
def test_wrong_options_are_refused(run: Run, tmp_path: Path, options: tuple[str, ...]) -> None:
    code, _, err = run("prove", WON, *(option.replace("{tmp}", str(tmp_path)) for option in options))
    assert code in (3, 4)
    assert err
