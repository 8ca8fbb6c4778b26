"""Other people's programs in games and tournaments: their faults, how they come up, and that none is left behind."""

import os
import select
import shlex
import signal
from pathlib import Path

import pytest
from arena_players import make as make_player
from processes import posix_only
from test_external import GTP, WITH_A_CHILD, engine, fifo, wait_for_the_end

from tengen import BLACK, CONNECT6, GOMOKU, Position, TengenError
from tengen.arena.game import Outcome, Reason, Rules, play_game
from tengen.arena.records import PlayedGame
from tengen.arena.settings import Player, Settings
from tengen.arena.tournament import check_players
from tengen.arena.workers import Task, Workers
from tengen.play import OpeningBook, make_agent
from tengen.play.external import ExternalEngine

RESIGNS = GTP.format(answers={"genmove": "= resign"})


@pytest.mark.parametrize(
    ("protocol", "code", "reason", "detail"),
    [
        ("cloudict", "answer('move JJKK')", Reason.ILLEGAL, "J10 is occupied"),
        ("cloudict", "answer('move TTTT')", Reason.ILLEGAL, "is no move"),
        ("cloudict", "answer('')\ntime.sleep(3600)", Reason.TIME, "did not answer in time"),
        ("cloudict", "answer('')\nsys.exit(3)", Reason.CRASH, "ended with code 3"),
        ("gtp", RESIGNS, Reason.RESIGNATION, "resigned"),
    ],
)
def test_a_program_that_fails_has_lost_for_what_it_did(
    tmp_path: Path, protocol: str, code: str, reason: Reason, detail: str
) -> None:
    program = engine(tmp_path, code, ",seconds=2" if reason is Reason.TIME else "", protocol)
    outcome = play_game(make_player("simple", 1), program, Position.parse("J10 I9K11"))
    program.close()
    assert (outcome.winner, outcome.reason) == (BLACK, reason)
    assert detail in outcome.detail
    assert outcome.reason.is_fault == (reason is not Reason.RESIGNATION)
    assert len(outcome.moves) == 1


def test_a_resignation_is_kept_as_one(tmp_path: Path) -> None:
    settings = Settings((Player("a", "simple"), Player("b", "simple")), ("",), 2)
    record = PlayedGame.from_json(
        {
            "number": 1,
            "black": "a",
            "white": "b",
            "opening": "",
            "result": "W",
            "reason": "resignation",
            "detail": "",
            "moves": [],
            "ended": "2026-01-31T12:00:00+00:00",
        },
        settings,
        {fixture.number: fixture for fixture in settings.schedule()},
    ).record(settings)
    assert record.root.get("RE") == "W+Resign"


def spec_of(program: ExternalEngine, protocol: str = "cloudict") -> str:
    return f"{protocol}:{shlex.join([program.command.program, *program.command.arguments])}"


def task(black: str, white: str, opening: str = "", rules: Rules | None = None) -> Task:
    return Task(1, (black, white), (1, 2), opening, rules or Rules())


def played(crew: Workers) -> Outcome:
    while not (ended := crew.wait(60)):
        pass
    return ended[0][1]


def test_a_program_comes_up_before_the_first_move(tmp_path: Path) -> None:
    """Black looks whether White is there already: its start must not cost time of its first move."""
    marker = tmp_path / "up"
    program = engine(tmp_path, f"open({str(marker)!r}, 'w').close()\n{RESIGNS}", protocol="gtp")
    with Workers(1, make_player) as crew:
        crew.give(task(f"sees {marker}", spec_of(program, "gtp")))
        outcome = played(crew)
    assert (outcome.winner, outcome.reason) == (BLACK, Reason.RESIGNATION)


HANGS = """
f = open({path!r}, 'w')
answer('')
print('thinking', file=f, flush=True)
signal.signal(signal.SIGTERM, signal.SIG_IGN)
while True:
    time.sleep(3600)
"""


@posix_only
@pytest.mark.skipif(not Path("/proc/self/stat").exists(), reason="the programs of a session are found in /proc")
@pytest.mark.parametrize("end", ["closed", "killed"])
def test_no_program_outlives_its_game(tmp_path: Path, end: str) -> None:
    """Not even one that hears neither the end of its input nor a signal, with a child of its own."""
    path, descriptor = fifo(tmp_path)
    program = engine(tmp_path, WITH_A_CHILD.format(path=str(path)) + HANGS.format(path=str(path)))
    with Workers(1, make_agent) as crew:
        crew.give(task("simple", spec_of(program)))
        assert select.select([descriptor], [], [], 60)[0], "it was never asked"
        assert os.read(descriptor, 100) == b"thinking\n"
        if end == "killed":
            (worker,) = crew._workers
            assert worker.process.pid is not None
            os.kill(worker.process.pid, signal.SIGKILL)
            crew._attempts[1] = 9  # it is not tried again
            assert played(crew).reason is Reason.CRASH
            wait_for_the_end(descriptor)
    if end == "closed":
        wait_for_the_end(descriptor)


@pytest.mark.parametrize(
    ("spec", "said"),
    [
        ("cloudict:/nowhere/engine", "there is no such program"),
        ("botzone:python3 bot.py", r"plays Connect\(15,15,6,2,1\)"),
        ("sau:python3 bot.py", "from its beginning"),
        ("opening-book:book.jsonl,then=(sau:python3 bot.py)", "from its beginning"),
        ("opening-book:gomoku.jsonl", r"the book is for Connect\(15,15,5,1,1\)"),
    ],
)
def test_a_player_who_cannot_play_is_found_out_before_the_first_game(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, spec: str, said: str
) -> None:
    monkeypatch.chdir(tmp_path)
    OpeningBook(CONNECT6).write("book.jsonl")
    OpeningBook(GOMOKU).write("gomoku.jsonl")
    settings = Settings((Player("a", "simple"), Player("b", spec)), ("J10", "J10 I9K11"), 2)
    with pytest.raises(TengenError, match=said):
        check_players(settings)


def test_a_program_that_comes_up_is_fine(tmp_path: Path) -> None:
    program = engine(tmp_path, "input()")
    check_players(Settings((Player("a", spec_of(program)), Player("b", "simple")), ("J10", "J10 I9K11"), 2))
