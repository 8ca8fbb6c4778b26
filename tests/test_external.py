"""Other programs as agents: driven over every protocol, and misbehaving in every way."""

from __future__ import annotations

import contextlib
import os
import select
import shlex
import subprocess
import sys
import time
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st
from processes import posix_only

from tengen.game import BLACK, CONNECT6, Game, Move, Position, TengenError
from tengen.play import make_agent
from tengen.play.agent import Agent, Budget, Choice
from tengen.play.external import (
    PROTOCOLS,
    EngineCrashed,
    EngineFailure,
    EngineResigned,
    EngineStopped,
    EngineTimeout,
    ExternalEngine,
    IllegalAnswer,
    NonsenseAnswer,
    external_agent,
    is_external,
)
from tengen.play.external import process as process_module
from tengen.solve import Control

TRANSCRIPTS = Path(__file__).parent / "transcripts.py"


@pytest.fixture(autouse=True)
def nothing_is_left_running(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """Ends what a test started, also when it failed."""
    started: list[process_module.EngineProcess] = []
    original = process_module.EngineProcess.__init__

    def init(self: process_module.EngineProcess, *arguments: object) -> None:
        original(self, *arguments)  # type: ignore[arg-type]
        started.append(self)

    monkeypatch.setattr(process_module.EngineProcess, "__init__", init)
    yield
    for process in started:
        process.kill()


def python(*words: str) -> str:
    return shlex.join([sys.executable, *words])


def tengen(protocol: str, *options: str) -> str:
    """A spec for our own program behind a protocol."""
    return f"{protocol}:{python('-m', 'tengen', 'engine', '-p', protocol, '-a', 'simple', '--seed', '1', *options)}"


def engine(folder: Path, code: str, options: str = "", protocol: str = "cloudict") -> ExternalEngine:
    """An engine of a few lines; those that speak Cloudict's protocol tell their name first."""
    script = folder / "engine.py"
    greeting = GREETING if protocol == "cloudict" else ""
    script.write_text(f"import os, signal, subprocess, sys, time\n{greeting}{code}\n")
    limit = "" if "seconds=" in options else ",seconds=100"  # a test that fails should not take its time
    return external_agent(f"{protocol}:{python('-I', str(script))}{options}{limit}")


GREETING = """
print("name", input() and "naughty", flush=True)
def answer(text):
    while input() != "next":
        pass
    print(text, flush=True)
"""
"""How an engine tells its name, and how it may answer when it is asked."""


START = Position.parse("J10")


# Conversations


@pytest.mark.parametrize(
    ("transcript", "options", "questions"),
    [
        ("cloudict.txt", "", [("", "J10"), ("J10 I9K11", "K9I11"), ("J10 I9K11 K9I11 A1S19", "J9J11")]),
        ("cloudict-position.txt", ",depth=4", [("J10 I9K11 K9I11", "L13G8")]),
        ("sau.txt", "", [("J10", "J9K11"), ("J10 J9K11 K9I11", "H12L8")]),
        ("sau-black.txt", "", [("", "J10"), ("J10 J9K11", "K9I11")]),
        ("botzone.txt", "", [("Connect(15,15,6,2,1) H8 I9H7", "J6G10")]),
        (
            "botzone-keep-running.txt",
            "",
            [("Connect(15,15,6,2,1) H8", "I9H7"), ("Connect(15,15,6,2,1) H8 I9H7 J6G10", "A1O15")],
        ),
        ("gtp.txt", "", [("J10", "I9K11"), ("J10 I9K11 K9I11", "H8L12")]),
        ("analysis.txt", "", [("J10", "J9K11")]),
    ],
)
def test_transcript(transcript: str, options: str, questions: list[tuple[str, str]]) -> None:
    protocol = transcript.partition(".")[0].partition("-")[0]
    agent = external_agent(f"{protocol}:{python(str(TRANSCRIPTS), transcript)}{options}")
    budget = Budget(nodes=1000)
    for text, move in questions:
        position = Position.parse(text) if text else Position()
        assert agent.choose(position, budget).move == Move(move)
    agent.close()


def test_what_the_analysis_protocol_tells() -> None:
    agent = external_agent(f"analysis:{python(str(TRANSCRIPTS), 'analysis.txt')}")
    choice = agent.choose(START, Budget(nodes=1000))
    assert choice == Choice(Move("J9K11"), 0.25, "B1", (Move("J9K11"), Move("K9I11")), 3, 900)
    agent.close()


def play_out(agent: Agent, colour: int) -> Position:
    """A whole game of an agent against the simple opponent."""
    position, opponent = Position(CONNECT6), make_agent("simple", 2)
    while not position.is_over:
        player = agent if position.turn == colour else opponent
        position.play(player.choose(position, Budget()).move)
    return position


@pytest.mark.parametrize("protocol", PROTOCOLS)
def test_a_game_with_ourselves(protocol: str) -> None:
    """Driver and speaker, a whole game of each colour on 19x19, in a real process."""
    options = ("--game", "connect6", "--keep-running") if protocol == "botzone" else ()
    agent = external_agent(f"{tengen(protocol, *options)},game=connect6,name=twin")
    assert agent.name == "twin"
    for colour in (0, 1):
        game = play_out(agent, colour)
        assert game.is_over
        assert game.stone_count > 10
    agent.close()


def test_botzone_with_a_process_for_every_move() -> None:
    agent = external_agent(tengen("botzone"))
    position = Position(Game(15, 15, 6, 2, 1))
    for _ in range(3):
        position.play(agent.choose(position, Budget()).move)
    assert [len(move) for move in position.moves] == [1, 2, 2]
    agent.close()


def test_a_new_game_needs_no_new_process() -> None:
    agent = external_agent(tengen("gtp"))
    for text in ("J10", "J10 J9K11 K9I11", "J10 A1A2", "Connect(13,13,6,2,1) G7"):
        position = Position.parse(text)
        assert position.is_legal(agent.choose(position, Budget(seconds=60)).move)
    agent.close()


def test_sau_cannot_be_set_up() -> None:
    agent = external_agent(tengen("sau"))
    with pytest.raises(TengenError, match="from its beginning"):
        agent.choose(Position.parse("J10 J9K11 K9I11"), Budget())
    agent.close()


def test_games_and_positions_that_cannot_be_asked_about() -> None:
    agent = external_agent(f"cloudict:{python('-c', '1')}")
    for text, reason in (
        ("gomoku H8", r"plays Connect\(19,19,6,2,1\)"),
        ("J10 J9", "beginning of a turn"),
        ("B: J10 K10 L10 M10 N10 O10 W: A1 to move: W", "over"),
    ):
        with pytest.raises(TengenError, match=reason) as caught:
            agent.choose(Position.parse(text), Budget())
        assert not isinstance(caught.value, EngineFailure)
    with pytest.raises(TengenError, match="plays"):
        external_agent(tengen("gtp")).choose(Position.parse("gomoku H8"), Budget())


# Misbehaviour


def fifo(folder: Path) -> tuple[Path, int]:
    """A pipe with a name, and its reading end: whoever holds the other end lives."""
    path = folder / "fifo"
    os.mkfifo(path)
    return path, os.open(path, os.O_RDONLY | os.O_NONBLOCK)


def wait_for_the_end(descriptor: int) -> None:
    """Returns when every process that held the writing end is gone."""
    while select.select([descriptor], [], [], 60)[0]:
        if not os.read(descriptor, 100):
            os.close(descriptor)
            return
    pytest.fail("somebody is still there")


WITH_A_CHILD = """
path = {path!r}
code = "import sys, time; f = open(sys.argv[1], 'w'); print('up', flush=True); time.sleep(3600)"
child = subprocess.Popen([sys.executable, "-c", code, path], stdout=subprocess.PIPE)
child.stdout.readline()
"""


@posix_only
def test_a_hung_engine_is_killed_with_its_children(tmp_path: Path) -> None:
    path, descriptor = fifo(tmp_path)
    # The child is there before the first answer, for which there is a minute; only then the two seconds begin.
    hangs = "for line in sys.stdin:\n  if 'genmove' in line: time.sleep(3600)\n  print('=', end='\\n\\n', flush=True)"
    agent = engine(tmp_path, WITH_A_CHILD.format(path=str(path)) + hangs, ",seconds=2", "gtp")
    with pytest.raises(EngineTimeout, match="did not answer in time"):
        agent.choose(START, Budget())
    wait_for_the_end(descriptor)


FORGETFUL = """
import sys, time
from tengen.play.external.process import Command, EngineProcess
code = "import sys, time; f = open(sys.argv[1], 'w'); print('up', flush=True); time.sleep(3600)"
EngineProcess(Command(sys.executable, ("-c", code, sys.argv[1])), "deaf").read(time.monotonic() + 60)
"""


def test_an_engine_that_is_stopped_is_ended_and_started_again(tmp_path: Path) -> None:
    once = tmp_path / "asked once"
    code = f"""
import pathlib
if not pathlib.Path({str(once)!r}).exists():
    pathlib.Path({str(once)!r}).touch()
    time.sleep(1000)
answer("move IIKK")
time.sleep(1000)
"""
    agent, control = engine(tmp_path, code), Control()
    with ThreadPoolExecutor(2) as threads:
        stopped = threads.submit(agent.choose, START, Budget(), control=control)
        while not once.exists():
            time.sleep(0.01)
        after = threads.submit(agent.choose, START, Budget(), control=Control())  # it waits for its turn
        control.stop()
        with pytest.raises(EngineStopped, match="was stopped"):
            stopped.result(60)
        assert after.result(60).move == Move("I9K11")
    agent.close()


@posix_only
def test_an_engine_does_not_outlive_a_script_that_forgets_to_close_it(tmp_path: Path) -> None:
    path, descriptor = fifo(tmp_path)
    subprocess.run([sys.executable, "-c", FORGETFUL, str(path)], check=True, timeout=100)
    wait_for_the_end(descriptor)


def test_the_budget_is_a_limit_too(tmp_path: Path) -> None:
    agent = engine(tmp_path, "time.sleep(3600)")
    for budget in (Budget(seconds=0.1), Budget(remaining=0.1)):
        with pytest.raises(EngineTimeout):
            agent.choose(START, budget)


def test_an_engine_that_does_not_come_up(tmp_path: Path) -> None:
    agent = engine(tmp_path, "time.sleep(3600)", ",startup=0.5", "gtp")
    with pytest.raises(EngineTimeout):
        agent.choose(START, Budget())


@posix_only
@pytest.mark.parametrize("deaf", ["", "signal.signal(signal.SIGTERM, signal.SIG_IGN)\n"])
def test_an_engine_that_ignores_quit(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, deaf: str) -> None:
    monkeypatch.setattr(process_module, "FAREWELL_SECONDS", 0.3)
    path, descriptor = fifo(tmp_path)
    agent = engine(tmp_path, f"{deaf}f = open({str(path)!r}, 'w')\nanswer('move IIKK')\nwhile True: time.sleep(1)")
    assert agent.choose(START, Budget()).move == Move("I9K11")
    agent.close()
    wait_for_the_end(descriptor)


@posix_only
def test_children_of_an_engine_that_ends_well_are_ended_too(tmp_path: Path) -> None:
    path, descriptor = fifo(tmp_path)
    agent = engine(tmp_path, WITH_A_CHILD.format(path=str(path)) + "answer('move IIKK'); input()")
    agent.choose(START, Budget())
    agent.close()
    wait_for_the_end(descriptor)


def test_an_engine_that_dies(tmp_path: Path) -> None:
    agent = engine(tmp_path, "sys.stderr.write('x' * 100_000 + 'no heart'); sys.exit(3)")
    with pytest.raises(EngineCrashed, match=r"ended with code 3; its last words: x+no heart") as caught:
        agent.choose(START, Budget())
    assert len(str(caught.value)) < 1000


@posix_only
def test_an_engine_that_is_killed(tmp_path: Path) -> None:
    agent = engine(tmp_path, "os.kill(os.getpid(), signal.SIGSEGV)")
    with pytest.raises(EngineCrashed, match="was ended by signal 11"):
        agent.choose(START, Budget())


def test_an_engine_that_died_is_started_again(tmp_path: Path) -> None:
    marker = str(tmp_path / "marker")
    die_once = f"if not os.path.exists({marker!r}): open({marker!r}, 'w'); sys.exit(1)"
    agent = engine(tmp_path, f"{die_once}\nanswer('move IIKK'); input()")
    with pytest.raises(EngineCrashed):
        agent.choose(START, Budget())
    assert agent.choose(START, Budget()).move == Move("I9K11")


@pytest.mark.parametrize("flood", ["'talk'", "'x' * 1_000_000, end=''"])
def test_an_engine_that_floods(tmp_path: Path, flood: str) -> None:
    agent = engine(tmp_path, f"while True: print({flood})", ",seconds=1")
    with pytest.raises(EngineTimeout):
        agent.choose(START, Budget())


def test_talk_is_passed_over(tmp_path: Path) -> None:
    talk = "for i in range(30_000): print('thinking about move', i, 'move', '\\xff')"
    agent = engine(tmp_path, f"answer('')\n{talk}\nprint('Move iikk ', flush=True)\nprint('good luck')\ninput()")
    assert agent.choose(START, Budget()).move == Move("I9K11")


@pytest.mark.parametrize(
    ("answer", "error", "reason"),
    [
        ("move JJKK", IllegalAnswer, "J10 is occupied"),
        ("move IIKKLL", IllegalAnswer, "2 stones to place"),
        ("move II", IllegalAnswer, "leaves stones to place"),
        ("move IIII", NonsenseAnswer, "stands twice"),
        ("move TTTT", NonsenseAnswer, "is no move"),
        ("move J10K11", NonsenseAnswer, "is no move"),
        ("move ??", NonsenseAnswer, "is no move"),
        ("error what?", NonsenseAnswer, "refused a correct move"),
    ],
)
def test_wrong_answers(tmp_path: Path, answer: str, error: type[EngineFailure], reason: str) -> None:
    agent = engine(tmp_path, f"answer({answer!r})\ntime.sleep(3600)")
    with pytest.raises(error, match=reason):
        agent.choose(START, Budget())


GTP = """
for line in sys.stdin:
    command = line.split()[0]
    print({answers!r}.get(command, '='), end='\\n\\n', flush=True)
"""


@pytest.mark.parametrize(
    ("answers", "error", "reason"),
    [
        ({"genmove": "= resign"}, EngineResigned, "resigned"),
        ({"genmove": "= pass"}, NonsenseAnswer, "is no vertex"),
        ({"genmove": "= "}, NonsenseAnswer, "is no vertex"),
        ({"genmove": "= K10"}, IllegalAnswer, "occupied"),
        ({"genmove": "= A1"}, NonsenseAnswer, "stands twice"),
        ({"genmove": "? out of ideas"}, NonsenseAnswer, "refused 'genmove white': out of ideas"),
        ({"boardsize": "? unacceptable size"}, NonsenseAnswer, "refused 'boardsize 19'"),
    ],
)
def test_wrong_gtp_answers(tmp_path: Path, answers: dict[str, str], error: type[EngineFailure], reason: str) -> None:
    agent = engine(tmp_path, GTP.format(answers={"time_settings": "? no clock", **answers}), protocol="gtp")
    with pytest.raises(error, match=reason):
        agent.choose(START, Budget(seconds=60))


@pytest.mark.parametrize(
    ("protocol", "code", "error"),
    [
        ("botzone", 'print(\'{"response": {"x0": 1}}\')', NonsenseAnswer),
        ("botzone", 'print(\'{"response": {"x0": -1, "y0": -1, "x1": -1, "y1": -1}}\')', NonsenseAnswer),
        ("botzone", "print('[[')", EngineCrashed),
        ("analysis", 'input(); print(\'{"id": "1", "error": "no"}\'); input()', NonsenseAnswer),
        (
            "analysis",
            'input(); print(\'{"id": "1"}\', flush=True); input(); print(\'{"id": "2", "answer": {"moves": 7}}\')',
            NonsenseAnswer,
        ),
    ],
)
def test_wrong_json(tmp_path: Path, protocol: str, code: str, error: type[EngineFailure]) -> None:
    agent = engine(tmp_path, code, ",game=connect6", protocol)
    with pytest.raises(error):
        agent.choose(START, Budget())


def test_a_bot_that_neither_ends_nor_stays(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("tengen.play.external.botzone.FAREWELL_SECONDS", 0.3)
    code = 'print(\'{"response": {"x0": 1, "y0": 1, "x1": 2, "y1": 2}}\', flush=True)\ntime.sleep(3600)'
    agent = engine(tmp_path, code, ",game=connect6", "botzone")
    assert agent.choose(START, Budget()).move == Move("B18C17")
    assert agent.choose(START, Budget()).move == Move("B18C17")


@posix_only
def test_too_much_memory(tmp_path: Path) -> None:
    hungry = "x = bytearray(1 << 29)\nanswer('move IIKK')\ntime.sleep(3600)"
    assert engine(tmp_path, hungry).choose(START, Budget()).move == Move("I9K11")
    with pytest.raises(EngineCrashed, match="MemoryError"):
        engine(tmp_path, hungry, ",memory=256M").choose(START, Budget())


@posix_only
def test_too_much_processor_time(tmp_path: Path) -> None:
    agent = engine(tmp_path, "while True: pass", ",cpu=1,seconds=300")
    with pytest.raises(EngineCrashed, match="was ended by signal"):
        agent.choose(START, Budget())


def test_programs_that_cannot_be_started(tmp_path: Path) -> None:
    plain = tmp_path / "plain.txt"
    plain.write_text("no program")
    for spec in (
        f"cloudict:{tmp_path}/nothing",
        f"cloudict:{plain}",
        f"cloudict:{python('-c', '1')},cwd={tmp_path}/nowhere",
    ):
        with pytest.raises(EngineCrashed):
            external_agent(spec).choose(START, Budget())


def test_the_working_folder(tmp_path: Path) -> None:
    (tmp_path / "answer.txt").write_text("move IIKK")
    agent = engine(tmp_path, "answer(open('answer.txt').read()); time.sleep(3600)", f",cwd={tmp_path}")
    assert agent.choose(START, Budget()).move == Move("I9K11")


@posix_only
def test_a_relative_path_is_looked_for_here_then_in_the_working_folder(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def program(folder: Path, answer: str) -> None:
        (folder / "bin").mkdir(parents=True)
        (folder / "bin" / "player").write_text(
            f"#!{sys.executable}\nimport time\n{GREETING}\nanswer({answer!r})\ntime.sleep(3600)\n"
        )
        (folder / "bin" / "player").chmod(0o755)

    here, there = tmp_path / "here", tmp_path / "there"
    here.mkdir()
    program(there, "move IIKK")
    monkeypatch.chdir(here)
    spec = f"cloudict:./bin/player,cwd={there}"
    assert external_agent(spec).choose(START, Budget()).move == Move("I9K11")
    program(here / "own", "move IIJI")
    monkeypatch.chdir(here / "own")
    assert external_agent(spec).choose(START, Budget()).move == Move("I9J9")
    with pytest.raises(EngineCrashed, match=f"no such program, or it may not be executed, here and in {there}"):
        external_agent(f"cloudict:./nothing,cwd={there}").choose(START, Budget())
    with pytest.raises(EngineCrashed, match=r"no such program, or it may not be executed$"):
        external_agent(f"cloudict:player,cwd={there}/bin").choose(START, Budget())


# Specs


def test_specs() -> None:
    agent = external_agent(
        "external:cloudict:/bin/my\\ engine --fast a,b,cwd=/x=y,depth=4,memory=1G,seconds=2.5,cpu=9,vcf=no,"
        "game=Connect(13,13,6,2,1),name=old one,startup=7"
    )
    command, options = agent.command, agent.options
    assert (command.program, command.arguments) == ("/bin/my engine", ("--fast", "a,b"))
    assert (command.folder, command.memory, command.cpu_seconds) == ("/x=y", 1 << 30, 9)
    assert (options.depth, options.seconds, options.startup, options.vcf) == (4, 2.5, 7.0, False)
    assert options.game == Game(13, 13, 6, 2, 1)
    assert agent.name == "old one"
    assert external_agent("gtp:./bin/katago gtp -model m.bin").name == "katago"
    assert is_external("gtp:x")
    assert is_external("external:sau:x")
    assert not is_external("simple")
    assert not is_external("gtp")
    assert not is_external("uci:x")


@pytest.mark.parametrize(
    "spec",
    [
        "",
        "simple",
        "uci:x",
        "cloudict:",
        "cloudict: ",
        "cloudict:'x",
        "cloudict:x,depth=0",
        "cloudict:x,depth=four",
        "cloudict:x,memory=1X",
        "cloudict:x,memory=1M",
        "cloudict:x,seconds=-1",
        "cloudict:x,seconds=nan",
        "cloudict:x,vcf=maybe",
        "cloudict:x,colour=red",
        "cloudict:x,cwd=",
        "cloudict:x,depth=1,depth=2",
        "cloudict:x,game=chess",
    ],
)
def test_wrong_specs(spec: str) -> None:
    with pytest.raises(TengenError):
        external_agent(spec)


@given(st.text(max_size=40), st.sampled_from(["", ",depth=", ",memory=", ",game=", ",cwd=", ","]), st.text(max_size=9))
def test_any_spec_is_a_program_or_an_error(command: str, option: str, value: str) -> None:
    with contextlib.suppress(TengenError):
        assert external_agent(f"gtp:{command}{option}{value}").command.program


def test_vcf_and_depth_are_told(tmp_path: Path) -> None:
    log = str(tmp_path / "log")
    code = f"f = open({log!r}, 'w')\nfor line in sys.stdin:\n  print(line, end='', file=f, flush=True)\n"
    code += "  if 'next' in line: print('move IIKK', flush=True)"
    agent = engine(tmp_path, code, ",vcf=no,depth=3")
    agent.choose(START, Budget(depth=5))
    agent.close()
    assert Path(log).read_text().split("\n")[:5] == ["unvcf", "depth 5", "new white", "black JJ", "next"]


def test_black_may_win_with_one_stone(tmp_path: Path) -> None:
    position = Position.parse("J10 A1A3 K10L10 A5A7 M10N10 A9A11")
    agent = engine(tmp_path, "answer('move OJ'); time.sleep(3600)")
    position.play(agent.choose(position, Budget()).move)
    assert position.winner is BLACK


def test_gtp_is_told_the_time_of_a_turn_in_whole_seconds(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("tengen.play.external.engine.GRACE_SECONDS", 100.0)  # the program may be slow here
    log = str(tmp_path / "log")
    code = f"f = open({log!r}, 'a')\nfor line in sys.stdin:\n  print(line, end='', file=f, flush=True)\n"
    code += "  print('= C3' if 'genmove' in line else '=', end='\\n\\n', flush=True)"
    agent = engine(tmp_path, code, protocol="gtp")
    for budget in (Budget(seconds=1), Budget(seconds=5.9), Budget(seconds=0.5), Budget(remaining=90.7)):
        with pytest.raises(NonsenseAnswer, match="twice"):  # the same square for both stones
            agent.choose(START, budget)
    told = [line for line in Path(log).read_text().splitlines() if line.startswith("time")]
    assert told == ["time_settings 0 1 2", "time_settings 0 5 2", "time_settings 0 1 4", "time_left white 90 0"]
