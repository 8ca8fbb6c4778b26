"""`tengen match` and `tengen tournament`: what they print, keep, and refuse."""

import json
from pathlib import Path

import pytest
from test_cli import Run, run

from tengen.arena.ledger import LOG_FILE, SETTINGS_FILE, SGF_FILE
from tengen.cli.arena import DEFAULT_CONCURRENCY

__all__ = ["run"]  # the fixture


def test_names_stay_whole_in_a_table_that_is_no_terminals(run: Run, tmp_path: Path) -> None:
    long = "minimax:sequences,depth=1,top=3,seed=12345678901234567890"
    options = ("--game", "Connect(3,3,3,1,1)", "--games", "2", "--nodes", "10", "--openings", "empty")
    code, out, _ = run("match", "minimax:sequences,depth=1,top=3", long, *options, "--out", str(tmp_path / "m"))
    assert code == 0
    assert sum(long in line and line.split()[0] in ("1", "2") for line in out.splitlines()) == 1


def test_a_match_from_the_command_line(run: Run, tmp_path: Path) -> None:
    folder = tmp_path / "m"
    arguments = (
        "simple",
        "random",
        "--game",
        "Connect(7,7,4,1,1)",
        "--games",
        "4",
        "--nodes",
        "10",
        "--out",
        str(folder),
    )
    code, out, err = run("match", *arguments)
    assert code == 0
    assert "4/4" in err
    assert "Elo of simple:" in out
    assert out.count("Elo of") == 1
    assert "±" not in out  # one figure, not that of a table too
    assert "Pairs of games by the points of simple: 0: " in out
    assert "do not bound" not in out
    assert {path.name for path in folder.iterdir()} == {LOG_FILE, SGF_FILE, SETTINGS_FILE, "report.html"}
    code, out, err = run("match", *arguments, "--json")  # nothing is left to play
    answer = json.loads(out)
    assert (code, answer["games_played"], answer["finished"]) == (0, 4, True)
    assert "going on after 4 games" in err
    code, out, _ = run("tournament", "report", str(folder), "--json")
    assert json.loads(out)["standings"] == answer["standings"]
    code, out, _ = run("tournament", "report", str(folder), "--html", "-")
    assert out.startswith("<!DOCTYPE html>")
    code, _, err = run("match", *arguments, "--seed", "7")
    assert (code, "another tournament" in err) == (3, True)
    code, out, _ = run("tournament", "resume", str(folder), "--json")
    assert json.loads(out)["games_played"] == 4


def test_a_sequential_match_ends_when_it_is_decided(run: Run, tmp_path: Path) -> None:
    arguments = ("--game", "Connect(7,7,4,1,1)", "--nodes", "1", "--sprt", "0", "400", "--json")
    code, out, _ = run("match", "simple", "random", *arguments, "--out", str(tmp_path / "yes"))
    answer = json.loads(out)
    assert (code, answer["match"]["sprt"]["accepted"], answer["finished"]) == (0, "elo1", True)
    assert answer["games_played"] < answer["games_scheduled"] == 2000
    made = json.loads((tmp_path / "yes" / SETTINGS_FILE).read_text())["openings"]
    assert len(made) <= answer["games_played"] // 2 + DEFAULT_CONCURRENCY  # those of games under way at the end
    code, out, _ = run("match", "random", "simple", *arguments, "--out", str(tmp_path / "no"))
    assert (code, json.loads(out)["match"]["sprt"]["accepted"]) == (1, "elo0")


def test_a_gauntlet_from_the_command_line_without_a_folder(run: Run, own_data_folder: Path) -> None:
    arguments = (
        "simple",
        "random",
        "random",
        "--gauntlet",
        "-n",
        "2",
        "-g",
        "tic-tac-toe",
        "-t",
        "10s",
        "--openings",
        "empty",
    )
    code, out, err = run("tournament", *arguments)
    assert code == 0
    assert "random #2" in out
    folders = list((own_data_folder / "arena").iterdir())
    assert len(folders) == 1
    assert str(folders[0]) in err.replace("\n", "")


def test_adjudicated_matches(run: Run, tmp_path: Path) -> None:
    code, out, _ = run(
        "match", "simple", "random", "-n", "2", "--nodes", "1", "--adjudicate", "--json", "-o", str(tmp_path / "out")
    )
    assert (code, json.loads(out)["reasons"]) == (0, {"solver": 2})


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (("match", "simple", "nobody"), "nobody"),
        (("match", "simple", "cloudict:/nowhere/engine"), "there is no such program"),
        (("match", "simple", "random", "--games", "3"), "even number"),
        (("match", "simple", "random", "--time", "soon"), "no time control"),
        (("match", "simple", "random", "--sprt", "5", "0"), "below elo1"),
        (("match", "simple", "random", "--sprt", "0", "inf"), "between -1,000 and 1,000"),
        (("match", "simple", "random", "--games", f"{10**12}"), "100000"),
        (("match", "simple", "random", "--nodes", f"{10**30}"), "nodes must be"),
        (("match", "simple", "random", "--opening-moves", f"{10**30}"), "1 to 50 moves"),
        (("tournament", "simple", "random", "--games", f"{10**12}"), "100000"),
        (("match", "simple", "random", "--game", "chess"), "chess"),
        (("match", "simple"), "B"),
        (("tournament", "simple"), "two players"),
        (("tournament", "report", "nowhere"), "no tournament"),
        (("tournament", "resume", "nowhere"), "no tournament"),
        (("match", "simple", "random", "--game", "Connect(9,9,4,2,1)"), "--openings empty"),
    ],
)
def test_what_is_wrong_is_said_before_anything_starts(
    run: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, arguments: tuple[str, ...], said: str
) -> None:
    monkeypatch.chdir(tmp_path)
    more = ("--out", "out") if arguments[-1] != "nowhere" else ()
    code, out, err = run(*arguments, *more)
    assert (code, out) == (3, "")
    assert said in err
    assert list(tmp_path.glob("out*")) == []


def test_a_missing_file_of_openings(run: Run, tmp_path: Path) -> None:
    code, _, err = run("match", "simple", "random", "--openings", str(tmp_path / "none.sgf"))
    assert (code, "No such file" in err) == (4, True)
