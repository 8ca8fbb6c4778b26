"""Players that misbehave, and tournaments that are killed: nothing is lost, nobody is left behind."""

import json
import signal
import subprocess
import sys
import time
from contextlib import suppress
from pathlib import Path
from typing import Any

import psutil
import pytest
from arena_players import FAULTS, make
from processes import all_end, children_of, posix_only
from small_tournaments import moves_of, played, settings

from tengen import BLACK, WHITE, TengenError, read_file
from tengen.arena import workers
from tengen.arena.game import Outcome, Reason, Rules
from tengen.arena.ledger import LOG_FILE, SGF_FILE, Ledger
from tengen.arena.page import html_page
from tengen.arena.report import Report
from tengen.arena.tournament import Tournament
from tengen.play.agent import Agent
from tengen.play.clock import TimeControl


@pytest.mark.parametrize("kind", ["raises", "occupied", "exits", "aborts", "hangs", "unmakeable"])
def test_no_player_can_harm_the_tournament(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, kind: str) -> None:
    reason, detail = FAULTS[kind]
    monkeypatch.setattr(workers, "GRACE_SECONDS", 0.1)
    rules = Rules(TimeControl.parse("1s/move"), tolerance=2.0) if kind == "hangs" else Rules()
    ledger = played(tmp_path, settings(kind, "simple", games=2, rules=rules))
    assert [game.outcome.winner for _, game in sorted(ledger.games.items())] == [WHITE, BLACK]
    for game in ledger.games.values():
        assert game.outcome.reason is reason
        assert detail in game.outcome.detail
        assert bool(game.outcome.moves) == (kind != "unmakeable")
    report = Report(ledger)
    assert report.standings[1].faults == {reason: 2}
    page = html_page(report)
    assert str(reason) in page
    assert detail in page


@pytest.mark.skipif(not Path("/proc/self/stat").exists(), reason="the programs of a session are found in /proc")
def test_a_player_that_is_ended_takes_its_programs_along(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(workers, "GRACE_SECONDS", 0.1)
    note = tmp_path / "pid"
    rules = Rules(TimeControl.parse("1s/move"), tolerance=2.0)
    wanted = settings(f"breeds {note}", "simple", games=2, rules=rules)
    with Ledger.open(tmp_path / "out", wanted) as ledger:
        fixture = ledger.pending()[0]
        with workers.Workers(1, make) as crew:
            crew.give(Tournament(ledger).task(fixture))
            ended: list[tuple[workers.Task, Outcome]] = []
            while not ended:
                ended = crew.wait(60)
    assert ended[0][1].reason is Reason.TIME
    with suppress(psutil.NoSuchProcess):
        assert all_end([psutil.Process(int(note.read_text()))])


class Unfit:
    """Makes players, but ends every process that hears of it."""

    def __call__(self, spec: str, seed: int | None) -> Agent:
        return make(spec, seed)

    def __reduce__(self) -> tuple[Any, ...]:
        return sys.exit, (5,)


def test_processes_that_cannot_begin_are_no_fault_of_players(tmp_path: Path) -> None:
    with (
        Ledger.open(tmp_path, settings("simple", "random")) as ledger,
        pytest.raises(TengenError, match=r"before its game began \(the process ended with code 5\)"),
    ):
        Tournament(ledger).play(1, Unfit())
    assert ledger.games == {}


def test_what_players_print_and_how_they_leave_is_their_own_business(
    tmp_path: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    ledger = played(tmp_path, settings("noisy", "slams the door", games=4))
    assert {game.outcome.reason.is_fault for game in ledger.games.values()} == {False}
    assert len(ledger.games) == 4
    assert capfd.readouterr().out == ""


def test_a_killed_worker_loses_nothing(tmp_path: Path) -> None:
    ledger = played(tmp_path / "out", settings(f"once {tmp_path / 'flag'}", "random", games=4))
    assert moves_of(ledger) == moves_of(played(tmp_path / "calm", settings("simple", "random", games=4)))


MAIN = [sys.executable, "-c", "from tengen.cli import main; main()"]


def waiting_for_lines(log: Path, count: int, process: subprocess.Popen[str]) -> None:
    while not log.exists() or log.read_bytes().count(b"\n") < count:
        assert process.poll() is None, "it ended too early"
        time.sleep(0.02)


@posix_only
def test_a_tournament_that_is_killed_goes_on_as_if_nothing_had_happened(tmp_path: Path) -> None:
    arguments = [
        "simple",
        "random",
        "simple",
        "--game",
        "Connect(9,9,6,2,1)",
        "--games",
        "20",
        "--time",
        "none",
        "-c",
        "2",
    ]
    folder = tmp_path / "killed"
    command = [*MAIN, "tournament", *arguments, "--out", str(folder), "--json"]
    for lines in (2, 6):
        process = subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, text=True)
        waiting_for_lines(folder / LOG_FILE, lines, process)
        children = children_of(process.pid, 2)
        process.send_signal(signal.SIGKILL)
        process.wait()
        assert all_end(children)  # they see that nobody wants their games any more
    with (folder / LOG_FILE).open("ab") as log:
        log.write(b'{"number":60,"bla')
    done = subprocess.run(command, capture_output=True, text=True, check=True)
    answer = json.loads(done.stdout)
    assert (answer["games_played"], answer["finished"]) == (60, True)
    numbers = [json.loads(line)["number"] for line in (folder / LOG_FILE).read_text().splitlines()]
    assert sorted(numbers) == list(range(1, 61))
    assert len(list(read_file(folder / SGF_FILE))) == 60
    calm = [*MAIN, "tournament", *arguments, "--out", str(tmp_path / "calm")]
    subprocess.run(calm, capture_output=True, check=True)
    assert moves_of(Ledger.read(folder)) == moves_of(Ledger.read(tmp_path / "calm"))


def test_ctrl_c_ends_it_at_once_and_tells_how_to_go_on(tmp_path: Path) -> None:
    folder = tmp_path / "a match"
    command = [
        *MAIN,
        "match",
        "simple",
        "simple",
        "-g",
        "Connect(9,9,6,2,1)",
        "-n",
        "400",
        "--nodes",
        "1",
        "-o",
        str(folder),
    ]
    process = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
    waiting_for_lines(folder / LOG_FILE, 1, process)
    process.send_signal(signal.SIGINT)
    out, err = process.communicate()
    assert process.returncode == 130
    assert f"Go on with: tengen tournament resume '{folder}'" in err
    assert "simple #2" in out
    games = Ledger.read(folder).games
    assert 1 <= len(games) < 400
    assert (folder / "report.html").exists()
