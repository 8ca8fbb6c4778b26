"""`tengen analyse`, and the options that choose a position of a record."""

import json
import signal
import time
from pathlib import Path
from typing import Any

import pytest
from grid_backends import BACKENDS, Backend
from test_cli import WIN_IN_4, Run, run

import tengen
import tengen.cli.analyse
from tengen import Position
from tengen.cli.analyse_by_jobs import AnalysisRun, Settings
from tengen.protocol.analysis.questions import answer
from tengen.search import Journal

__all__ = ["run"]  # a fixture
OVER = "tic-tac-toe B2 A1 B3 A2 B1"


def test_the_best_moves_come_with_whose_chances_they_are(run: Run) -> None:
    code, out, _ = run("analyse", WIN_IN_4, "--nodes", "2000", "--lines", "2")
    assert code == 0
    assert out.startswith("Black to move (engine, ")
    assert "Black's chance" in out
    assert "wins" in out


def test_the_answer_in_json_is_that_of_the_analysis_protocol(run: Run) -> None:
    answers = [run("analyse", "J10", "--nodes", "500", "--lines", "2", "--json") for _ in range(2)]
    found, again = (json.loads(out) for _, out, _ in answers)
    assert found["side"] == "white"
    assert found["position"] == "J10"
    assert [move["order"] for move in found["moves"]] == [0, 1]
    assert found["moves"] == again["moves"]


def test_another_agent_can_be_asked(run: Run) -> None:
    code, out, _ = run("analyse", "J10", "--agent", "sequences")
    assert code == 0
    assert "sequences" in out
    code, _, err = run("analyse", "J10", "--agent", "sequences", "--threads", "2")
    assert code == 3
    assert "engine:threads=2" in err


def test_ctrl_c_tells_what_is_known(run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    def interrupted(kind: str, position: Any, options: Any, agent: Any, control: Any, tell: Any) -> dict[str, Any]:
        def tell_and_interrupt(known: Any) -> None:
            tell(known)
            signal.raise_signal(signal.SIGINT)

        return answer(kind, position, options, agent, control, tell_and_interrupt)

    monkeypatch.setattr(tengen.cli.analyse, "answer", interrupted)
    start = time.monotonic()
    code, out, _ = run("analyse", "J10 I9K9", "--seconds", "60")
    assert time.monotonic() - start < 30
    assert code == 130
    assert out.startswith("Interrupted: so far")
    assert "Black's chance" in out
    code, out, _ = run("analyse", "J10 I9K9", "--seconds", "60", "--json")
    assert code == 130
    found = json.loads(out)
    assert found["interrupted"]
    assert found["moves"]


@pytest.mark.parametrize("command", ["analyse", "solve", "prove", "defend"])
def test_a_finished_game_says_how_to_ask_about_an_earlier_position(run: Run, command: str) -> None:
    code, _, err = run(command, OVER)
    assert code == 3
    assert "--at -1" in err


@pytest.mark.parametrize("command", ["analyse", "solve", "prove"])
def test_a_position_of_a_collection_can_be_chosen(run: Run, tmp_path: Path, command: str) -> None:
    file = tmp_path / "games.sgf"
    file.write_text("(;GM[511]SZ[19];B[j10];W[i9k9])\n(;GM[511]SZ[19];B[j10];W[a1a2];B[b1b2])\n")
    code, out, _ = run(command, str(file), "--record", "2", "--at", "2", "--nodes", "50", "--json")
    assert code < 3
    assert json.loads(out)["position"] == "J10 A1A2"


def test_a_file_of_positions_has_no_place_to_choose(run: Run) -> None:
    code, _, err = run("solve", "--file", "games.sgf", "--at", "3")
    assert code == 3
    assert "--file" in err


QUIET = "Connect(9,9,5,1,1) E5 D4 E6"
WON = "Connect(7,7,4,1,1) D4 B2"
BY_JOBS = ("--grid", "local:1", "--job-nodes", "20")


@pytest.fixture
def three_jobs(monkeypatch: pytest.MonkeyPatch) -> None:
    """Searches that would go on end by themselves, however slow the machine is."""

    def look(search: AnalysisRun) -> list[tuple[str, str]]:
        if search.client.counts.done >= 3:
            search.client.stop()
        return []

    monkeypatch.setattr(AnalysisRun, "question", look)


@pytest.mark.usefixtures("three_jobs")
def test_the_best_moves_can_be_found_by_jobs(run: Run) -> None:
    code, out, _ = run("analyse", QUIET, *BY_JOBS, "--search", "alpha-beta", "--depth", "2", "--width", "2")
    assert code == 0
    assert out.startswith("White to move (alpha-beta, ")
    code, out, _ = run("analyse", QUIET, *BY_JOBS, "--seconds", "600", "--lines", "2", "--json")
    found = json.loads(out)
    assert (code, found["agent"], found["side"], found["position"]) == (0, "uct", "white", QUIET)
    assert 1 <= len(found["moves"]) <= 2
    assert all(move["line"][0] == move["move"] and 0 < move["win"] < 1 for move in found["moves"])
    assert found["jobs"]["done"] == found["visits"] - 1


@pytest.mark.parametrize("search", ["uct", "alpha-beta"])
def test_moves_that_jobs_prove_to_win_are_told_from_the_proof(run: Run, search: str) -> None:
    code, out, _ = run("analyse", WON, *BY_JOBS, "--search", search, "--json")
    found = json.loads(out)
    assert (code, found["winner"]) == (0, "black")
    assert (found["moves"][0]["win"], found["moves"][0]["is_proved"]) == (1, True)
    assert tengen.defend(Position.parse(f"{WON} {found['moves'][0]['move']}")).result == "loss"
    code, out, _ = run("analyse", f"{WON} D5", *BY_JOBS, "--search", search)
    assert (code, "): black wins." in out) == (0, True)


def test_ctrl_c_tells_what_jobs_have_found(run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    def interrupt(search: AnalysisRun) -> list[tuple[str, str]]:
        if search.client.counts.done >= 2:
            signal.raise_signal(signal.SIGINT)
        return []

    monkeypatch.setattr(AnalysisRun, "question", interrupt)
    code, out, _ = run("analyse", QUIET, *BY_JOBS, "--seconds", "600")
    assert code == 130
    assert out.startswith("Interrupted: so far (uct, ")
    assert "White's chance" in out


@pytest.mark.usefixtures("three_jobs")
@pytest.mark.parametrize("backend", BACKENDS, indirect=True)
@pytest.mark.parametrize("search", ["uct", "alpha-beta"])
def test_jobs_may_run_anywhere(backend: Backend, search: str, tmp_path: Path) -> None:
    settings = Settings("", search, 20, 1 if search == "alpha-beta" else None, None, None)
    with Journal(tmp_path / "journal", {}) as journal:
        analysis = AnalysisRun(settings.make_search(Position.parse(QUIET)), backend.open(), journal, 20, None)
        analysis.search()
        assert analysis.as_json(3)["moves"]


@pytest.mark.parametrize(
    ("options", "reason"),
    [
        (["--search", "uct"], "--grid local"),
        (["--grid", "local", "--threads", "2"], "--grid takes"),
        (["--grid", "local", "--search", "proof-number"], "no search 'proof-number'"),
        (["--grid", "local", "--depth", "3"], "for --search alpha-beta"),
    ],
)
def test_senseless_questions_to_jobs(run: Run, options: list[str], reason: str) -> None:
    code, _, err = run("analyse", QUIET, *options)
    assert code == 3
    assert reason in " ".join(err.split())
