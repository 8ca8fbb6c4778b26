"""The commands that prove: `tengen defend`, `tengen prove`, and zones on the board."""

import contextlib
import io
import json
import os
import re
import signal
import subprocess
import sys
import time
import xml.etree.ElementTree as ElementTree
from pathlib import Path

import pytest
from processes import all_end, children_of, posix_only
from rich.console import Console
from test_cli import WIN_IN_4, Run, run

import tengen
from tengen import Game, Move, Position, Square, TengenError
from tengen.cli.board import print_board
from tengen.diagram import Overlay, Palette, draw, to_svg
from tengen.prove.small import settle

__all__ = ["run"]  # the fixture

LOST = "Connect(9,9,5,2,3) E5E6F5"
"""Black has begun with three stones where two are enough of a lead: every move of White's loses."""
MET = "Connect(9,9,4,2,1) A1 D5F5"
"""White threatens one row, which the square between his stones and one beyond meet."""
CONNECT623 = "Connect(19,19,6,2,3) J10L10K11"


def test_defend_proves_a_loss_that_the_checker_accepts(run: Run, tmp_path: Path) -> None:
    proof = tmp_path / "loss.tpf"
    code, out, err = run("defend", LOST, "--proof", str(proof))
    assert (code, "wrote" in err) == (0, True)
    assert "White loses, whatever he plays: 3,003 moves are proved to lose" in out
    assert "Answered one by one: " in out
    assert run("check", str(proof))[0] == 0
    code, out, _ = run("defend", LOST, "--json", "--threads", "1")
    answer = json.loads(out)
    assert (code, answer["result"], answer["moves"], answer["proved_losing"]) == (0, "loss", [], 3003)
    assert answer["searched"] == sum(answer["answered"].values())
    assert {"nodes", "seconds", "longest", "position"} <= answer.keys()


def listed(out: str) -> list[str]:
    """The open moves that `defend` has listed."""
    return [move for line in re.findall(r"^Open.*?: (.*)", out, re.MULTILINE) for move in line.split()]


def test_defend_lists_the_open_moves(run: Run, tmp_path: Path) -> None:
    proof = tmp_path / "none.tpf"
    code, out, err = run("defend", MET, "--proof", str(proof))
    shown = listed(out)
    assert code == 1
    assert not proof.exists()
    assert f"not every move is proved to lose: {proof} was not written" in err
    assert "open to Black" in out
    code, out, _ = run("defend", MET, "--json")
    answer = json.loads(out)
    assert (code, answer["result"]) == (1, "open")
    assert sorted(move["move"] for move in answer["moves"]) == sorted(shown)
    prohibited = [word for move in shown for word in ("--prohibit", move)]
    code, out, _ = run("defend", MET, "--json", *prohibited)
    assert (code, json.loads(out)["result"]) == (0, "loss")


def test_many_open_moves_are_counted_unless_all_are_asked_for(run: Run) -> None:
    question = ("defend", "Connect(9,9,6,2,1) E5", "--order", "1", "--threads", "1")
    _, out, _ = run(*question)
    assert len(listed(out)) == 25
    assert "--whole prints them all" in out
    assert "An open move is not proved to hold" in out
    _, out, _ = run(*question, "--whole")
    assert len(listed(out)) == 80 * 79 // 2
    answer = json.loads(run(*question, "--json")[1])
    assert len(answer["moves"]) == 80 * 79 // 2
    assert not any(move["cut_short"] for move in answer["moves"])


def test_on_the_infinite_board_only_a_part_is_searched_and_that_is_said(run: Run) -> None:
    _, out, _ = run("defend", "Connect(6,2,1) J10 J9K9", "--order", "1", "--nodes", "500")
    assert re.search(r"Only \S+ to \S+ of the infinite board was searched", out)


def test_defend_knows_its_limits_and_a_row_at_once(run: Run) -> None:
    code, out, _ = run("defend", CONNECT623, "--nodes", "50")
    assert code == 2
    assert "Unknown: a limit came first" in out
    code, out, _ = run("defend", "B: A1 B1 C1 D1 W: A5 B5 C5 D5 to move: W")
    assert code == 1
    assert "can complete a row at once" in out


def test_prove_finds_a_win_of_the_side_to_move(run: Run, tmp_path: Path) -> None:
    proof, sgf = tmp_path / "win.tpf", tmp_path / "win.sgf"
    code, out, _ = run("prove", WIN_IN_4, "--proof", str(proof), "--sgf", str(sgf))
    assert code == 0
    assert "Black wins in 4 attacking moves" in out
    assert sgf.exists()
    assert run("check", str(proof))[0] == 0
    code, out, _ = run("prove", WIN_IN_4, "--order", "2", "--threads", "1", "--width", "5", "--json")
    answer = json.loads(out)
    assert (code, answer["result"], answer["first_move"]) == (0, "win", answer["line"][0])
    assert run("prove", "J10", "--nodes", "20000", "--order", "1")[0] == 1
    assert run("prove", WIN_IN_4, "--order", "1", "--nodes", "3", "--threads", "1")[0] == 2


def test_prove_for_the_side_that_is_not_to_move(run: Run, tmp_path: Path) -> None:
    proof = tmp_path / "win.tpf"
    code, out, _ = run("prove", LOST, "--side", "black", "--order", "2", "--proof", str(proof))
    assert code == 0
    assert out.startswith("Black wins against every move")
    assert run("check", str(proof))[0] == 0
    code, out, _ = run("prove", LOST, "--side", "black", "--json")
    answer = json.loads(out)
    assert (code, answer["result"], answer["side"], answer["open"]) == (0, "win", "black", 0)
    code, out, _ = run("prove", MET, "--side", "white", "--json")
    assert (code, json.loads(out)["result"]) == (1, "none")
    code, out, _ = run("prove", CONNECT623, "--side", "black", "--nodes", "50")
    assert code == 2
    assert "may have a win" in out


@pytest.mark.parametrize(
    ("position", "value", "winner"),
    [
        ("Connect(3,3,3,1,1)", "draw", None),
        ("Connect(3,4,3,1,1)", "win", "black"),
        ("Connect(3,4,3,1,1) A1", "loss", "black"),
        ("Connect(4,6,4,2,1)", "loss", "white"),
    ],
)
def test_small_games_are_settled_with_proofs(
    run: Run, tmp_path: Path, position: str, value: str, winner: str | None
) -> None:
    proof = tmp_path / "settled.tpf"
    code, out, _ = run("prove", position, "--full", "--proof", str(proof), "--json")
    answer = json.loads(out)
    assert (code, answer["value"], answer["winner"]) == (0, value, winner)
    assert answer["proof_nodes"] > 0
    assert run("check", str(proof))[0] == 0
    assert run("prove", position, "--full")[0] == 0


@pytest.mark.parametrize(
    ("position", "value", "move"),
    [
        ("tic-tac-toe B2 B1", "win", "A1"),
        ("tic-tac-toe B2", "draw", None),
        ("Connect(3,4,3,1,1) A1", "loss", None),
        ("tic-tac-toe A1 B2 A2", "draw", "A3"),
    ],
)
def test_a_small_game_is_settled_with_a_move_that_keeps_its_value(
    run: Run, position: str, value: str, move: str | None
) -> None:
    answer = json.loads(run("prove", position, "--full", "--json")[1])
    assert answer["value"] == value
    if move is not None:
        assert answer["first_move"] == move
        if value == "win":
            assert f"wins with {move}" in run("prove", position, "--full")[1]
    if answer["first_move"] is not None:
        after = f"{position} {answer['first_move']}"
        opposite = {"win": "loss", "draw": "draw"}[value]
        assert json.loads(run("prove", after, "--full", "--json")[1])["value"] == opposite


def test_files_that_cannot_be_written_for_want_of_a_win_are_named(run: Run, tmp_path: Path) -> None:
    names = {option: str(tmp_path / f"none.{option}") for option in ("proof", "sgf", "svg")}
    options = [word for option, name in names.items() for word in (f"--{option}", name)]
    code, _, err = run("solve", "J10", *options)
    assert code == 1
    assert f"no win: {names['proof']} was not written" in err
    assert f"no win: {names['sgf']} was not written" in err
    assert f"no zones: {names['svg']} was not written" in err
    _, _, err = run("prove", MET, "--side", "white", "--proof", names["proof"])
    assert f"no win: {names['proof']} was not written" in err
    assert not list(tmp_path.iterdir())


def test_an_undecided_or_too_large_settlement_writes_no_proof(run: Run, tmp_path: Path) -> None:
    proof = tmp_path / "none.tpf"
    code, out, err = run("prove", "Connect(5,5,4,1,1)", "--full", "--nodes", "10", "--proof", str(proof))
    assert code == 2
    assert f"unknown: {proof} was not written" in err
    assert "Unknown" in out
    assert not proof.exists()
    found = settle(Position(Game(5, 5, 4, 2, 1)), max_branches=10)
    assert (found.value, found.missing) == ("draw", "too large")
    with pytest.raises(TengenError, match="too large"):
        found.write_proof(proof)


def test_zones_are_shown_and_told(run: Run, tmp_path: Path) -> None:
    svg, png = tmp_path / "zones.svg", tmp_path / "zones.png"
    arguments = ("solve", CONNECT623, "--side", "black")
    code, out, _ = run(*arguments, "--zones", "--svg", str(svg), "--png", str(png))
    assert code == 0
    assert "Z1 = 30, Z2 = 63" in out
    assert png.read_bytes().startswith(b"\x89PNG")
    palette = Palette()
    tiles = [shape.get("fill") for shape in ElementTree.parse(svg).iter("{http://www.w3.org/2000/svg}polygon")]
    assert (tiles.count(palette.zones[0]), tiles.count(palette.zones[1])) == (30, 33)
    zones = json.loads(run(*arguments, "--zones", "--json")[1])["zones"]
    assert [len(zone) for zone in zones[:2]] == [30, 63]
    assert set(zones[0]) < set(zones[1])
    assert "zones" in json.loads(run("prove", WIN_IN_4, "--zones", "--json")[1])
    assert "zones" in json.loads(run("defend", LOST, "--zones", "--json")[1])
    assert "zones" in json.loads(run("prove", LOST, "--side", "black", "--zones", "--json")[1])
    assert run("defend", LOST, "--svg", "-")[1].startswith("<svg ")
    _, out, err = run("defend", "Connect(5,5,5,2,1) C3", "--zones", "--json")
    assert json.loads(out)["zones"] == []
    assert "no zones" in err


def test_zones_do_not_cover_stones() -> None:
    inner, outer = frozenset({Square(9, 9), Square(3, 3)}), frozenset({Square(9, 9), Square(3, 3), Square(4, 4)})
    overlay = Overlay(zones=(inner, outer, outer))
    assert overlay.zone_numbers == {Square(9, 9): 1, Square(3, 3): 1, Square(4, 4): 2}
    svg = to_svg(draw(Position(moves="J10"), overlay=overlay))
    assert svg.count("<polygon") == 2
    for system in ("truecolor", None):
        console = Console(file=io.StringIO(), force_terminal=True, color_system=system, width=200)
        print_board(console, Position(moves="J10"), overlay=overlay)
        text = re.sub(r"\x1b\[[\d;]*m", "", console.file.getvalue())  # type: ignore[attr-defined]
        row = next(line for line in text.splitlines() if line.startswith(" 5 "))
        assert row.split()[5] == "2"


@pytest.mark.parametrize(
    ("arguments", "code", "reason"),
    [
        (["defend", "J10", "--order", "0"], 3, "greater than or equal to 1"),
        (["defend", "J10", "--proof", "x", "--prohibit", "A1A2"], 3, "--proof or --prohibit"),
        (["defend", "J10", "--prohibit", "J10A2"], 3, "no legal move"),
        (["defend", "J10", "--prohibit", "nonsense"], 3, "nonsense"),
        (["defend", "B: A1 B1 C1 D1 E1 F1 W: A9 to move: W"], 3, "over"),
        (["defend", "J10", "--json", "--svg", "-"], 3, "one thing only"),
        (["defend", "nothing.sgf"], 4, "No such file"),
        (["defend", "J10", "--proof", "/nowhere/at/all.tpf"], 4, "/nowhere/at/all.tpf: No such file or directory"),
        (["prove", "J10", "--svg", "/"], 4, "/: Is a directory"),
        (["prove", "J10", "--full"], 3, "too many to be settled"),
        (["prove", "J10", "--full", "--side", "black"], 3, "both sides"),
        (["prove", "J10", "--side", "black", "--sgf", "x"], 3, "side to move"),
        (["prove", "J10", "--side", "red"], 3, "no colour"),
        (["solve", "--file", "x", "--zones"], 3, "one position"),
        (["solve", "--file", "x", "--whole"], 3, "one position"),
        (["solve", "--file", "x", "--record", "1"], 3, "asks about all"),
        (["solve", "J10", "--wide"], 3, "--wide would change nothing here: that is for --kind vcst"),
        (["solve", "J10", "--wide", "--width", "3"], 3, "--wide and --width would change nothing"),
        (["solve", "J10", "--kind", "vcst", "--shortest", "--width", "3"], 3, "leaves no move out"),
        (["solve", "J10", "--jobs", "2"], 3, "for --file"),
        (["prove", "J10", "--full", "--order", "2"], 3, "--order would change nothing here: --full answers for both"),
        (["prove", "J10", "--full", "--threads", "2"], 3, "it takes --seconds, --nodes, --proof and --json"),
        (["prove", "J10", "--full", "--whole"], 3, "it takes --seconds"),
        (["prove", "J10", "--grid", "local:1", "--threads", "2"], 3, "--grid takes --side"),
        (["prove", "J10", "--resume"], 3, "for a search on a grid"),
        (["engine", "-p", "gtp", "--keep-running"], 3, "for the protocol botzone"),
        (["engine", "-p", "gtp", "--threads", "1"], 3, "for the protocol analysis"),
        (["match", "random", "random", "--alpha", "0.1"], 3, "for --sprt"),
        (["match", "random", "random", "--openings", "empty", "--balance", "3"], 3, "for --openings balanced"),
        (["sudoku", "check", "-", "--sets", "10"], 3, "for --version"),
    ],
)
def test_bad_questions_about_proofs(run: Run, arguments: list[str], code: int, reason: str) -> None:
    actual, _, err = run(*arguments)
    assert actual == code
    assert reason in re.sub(r"\s+", " ", err.replace("│", ""))
    assert "Traceback" not in err


SAYS_THAT_IT_HAS_BEGUN = """
import pathlib, sys
from tengen.cli import defend, main

mark, note = pathlib.Path(sys.argv.pop(1)), defend.Watch._note

def noted(watch, *told):
    mark.touch()
    note(watch, *told)

defend.Watch._note = noted
main()
"""
"""Makes a file when the search has told something."""


@pytest.mark.parametrize("options", [(), ("--json",)])
def test_ctrl_c_tells_what_is_known(tmp_path: Path, options: tuple[str, ...]) -> None:
    mark = tmp_path / "begun"
    question = ("defend", "J10", "--threads", "1", "--order", "3", *options)
    process = subprocess.Popen(
        [sys.executable, "-c", SAYS_THAT_IT_HAS_BEGUN, str(mark), *question],
        stderr=subprocess.PIPE,
        stdout=subprocess.PIPE,
        text=True,
    )
    while not mark.exists() and process.poll() is None:
        time.sleep(0.02)
    process.send_signal(signal.SIGINT)
    out, err = process.communicate(timeout=60)
    assert process.returncode == 130, err
    assert "interrupted" in err
    assert "Traceback" not in err
    if options:
        assert json.loads(out)["interrupted"]
    else:
        assert "Interrupted: " in out


@pytest.mark.skipif(sys.platform == "win32", reason="it has no pseudo-terminals")
def test_a_bar_shows_on_a_terminal_how_a_proof_is_written(tmp_path: Path) -> None:
    import pty

    proof = tmp_path / "loss.tpf"
    command = (sys.executable, "-c", "from tengen.cli import main; main()", "defend", LOST, "--proof", str(proof))
    ours, theirs = pty.openpty()
    environment = {**os.environ, "TERM": "xterm", "COLUMNS": "100"}
    with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=theirs, env=environment) as process:
        os.close(theirs)
        shown = b""
        with contextlib.suppress(OSError):  # Linux says so when the other end is closed
            while piece := os.read(ours, 4096):
                shown += piece
        os.close(ours)
        assert process.stdout is not None
        assert b"White loses" in process.stdout.read()
    assert process.returncode == 0
    assert b"writing the proof" in shown
    assert proof.exists()


NEVER_WRITTEN = """
import time
from tengen.cli import main
from tengen.prove import writer

writer.Output.put_node = lambda self, text: time.sleep(10_000)
main()
"""
"""Writes proofs that have no end."""


@posix_only
@pytest.mark.parametrize(
    ("command", "said"),
    [
        (("solve", WIN_IN_4), "Black wins in 4"),
        (("solve", WIN_IN_4, "--json"), '"result": "win"'),
        (("prove", WIN_IN_4, "--order", "1"), "Black wins in 4"),
        (("prove", LOST, "--side", "black"), "Black wins against every move"),
        (("prove", "Connect(3,3,3,1,1)", "--full"), "A draw"),
        (("prove", "Connect(3,3,3,1,1)", "--full", "--json"), '"value": "draw"'),
        (("prove", WIN_IN_4, "--grid", "local:1"), "Black wins"),
        (("defend", LOST), "White loses, whatever he plays"),
        (("defend", LOST, "--json"), '"result": "loss"'),
    ],
)
def test_ctrl_c_while_a_proof_is_written_tells_the_answer_and_leaves_no_file(
    tmp_path: Path, command: tuple[str, ...], said: str
) -> None:
    proofs = tmp_path / "proofs"
    proofs.mkdir()
    program = [sys.executable, "-c", NEVER_WRITTEN, *command, "--proof", str(proofs / "a.tpf")]
    with subprocess.Popen(program, stderr=subprocess.PIPE, stdout=subprocess.PIPE, text=True) as process:
        try:
            while process.poll() is None and not list(proofs.iterdir()):
                time.sleep(0.05)
            process.send_signal(signal.SIGINT)
            out, err = process.communicate(timeout=60)
        finally:
            process.kill()
    assert process.returncode == 130, err
    assert "interrupted" in err
    assert "Traceback" not in err
    assert said in out
    assert ("--json" in command) == ('"interrupted": true' in out)
    assert not list(proofs.iterdir())


NEVER_READY = """
import sys, time
from tengen.cli import main
from tengen.prove import parallel

def sleep(task):
    time.sleep(10_000)

parallel._work, parallel._WORTH_IT = sleep, 0
main()
"""
"""Checks with processes that are never done, however small the proof."""


@posix_only
@pytest.mark.parametrize("is_for_all", [True, False])
def test_ctrl_c_ends_a_check_with_its_processes_at_once(run: Run, tmp_path: Path, is_for_all: bool) -> None:
    proof = tmp_path / "loss.tpf"
    assert run("defend", LOST, "--proof", str(proof))[0] == 0
    command = [sys.executable, "-c", NEVER_READY, "check", str(proof), "--jobs", "2"]
    with subprocess.Popen(command, stderr=subprocess.PIPE, text=True, start_new_session=True) as process:
        workers = children_of(process.pid, 2)
        try:
            if is_for_all:
                os.killpg(process.pid, signal.SIGINT)
            else:
                process.send_signal(signal.SIGINT)
            _, err = process.communicate(timeout=60)
        finally:
            with contextlib.suppress(ProcessLookupError):
                os.killpg(process.pid, signal.SIGKILL)
    assert (process.returncode, "interrupted" in err, "Traceback" in err) == (130, True, False), err
    assert all_end(workers)


def test_the_package_offers_what_proves() -> None:
    found = tengen.defend(Position.parse(LOST), tell=lambda *_: None)
    assert isinstance(found, tengen.Defence)
    assert found.result == "loss"
    assert isinstance(tengen.settle(Position(tengen.TIC_TAC_TOE)), tengen.Settlement)
    assert set(tengen.__all__) <= set(dir(tengen))
    assert all(hasattr(tengen, name) for name in tengen.__all__)
    control = tengen.Control()
    assert tengen.solve(Position.parse(LOST), control=control).position == Position.parse(LOST)
    assert tengen.make_agent("engine:level=1") is not None
    told: list[Move] = []
    tengen.defend(Position.parse(LOST), tell=lambda move, *_: told.append(move))
    assert all(move.is_pass or len(move) == 2 for move in told)
    quick = "import sys, tengen; assert not {'tengen.play', 'tengen.prove', 'tengen.record'} & set(sys.modules)"
    subprocess.run([sys.executable, "-c", quick], check=True)
    alone = "import sys, tengen.prove; assert not {'concurrent.futures.process', 'multiprocessing'} & set(sys.modules)"
    subprocess.run([sys.executable, "-c", alone], check=True)
