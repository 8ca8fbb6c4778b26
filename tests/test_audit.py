"""The audit of played games: each verdict on a position made for it, against trying every move, and the command."""

import json
import os
import random
import signal
import subprocess
import sys
import threading
import time
from pathlib import Path

import pytest
from reference.positions import random_position, to_move
from test_cli import Run, run

from tengen import BLACK, WHITE, Game, Move, Position, Record, Square, solve, write_file
from tengen.arena.audit import LENGTH, NODES, Finding, Question, Verdict, audit_game, findings_by_move, tallies
from tengen.solve import Control

__all__ = ["run"]  # the fixture

ATTACK = "J10 I9K9 J8L9 I11K11"
"""White's last move, instead of a defence, leaves Black a win of four moves, J9J11 …"""
FOUR_WINS_AND_MORE = "Connect(59,59,6,2,15) E5G5F6N14P14O15E14G14F15N5P5O6Z40X40Y41 A1S19"
"""Whether White could do better, and whether Black wins after a move elsewhere too, take many seconds to prove."""
STRONG = "Connect(9,9,6,2,3) D4E5F5 A1A2"
"""Black has a win of four moves; some others win too, with single threats only."""


def findings(text: str, length: int = LENGTH, nodes: int = NODES) -> list[Finding]:
    """What is said of the last move."""
    position = Position.parse(text)
    audit = audit_game(Question("game", ("B", "W"), position, len(position.turns)), length=length, nodes=nodes)
    assert sum(audit.moves) == 1
    return list(audit.findings)


def verdicts(text: str, length: int = LENGTH, nodes: int = NODES) -> list[Verdict]:
    return [finding.verdict for finding in findings(text, length, nodes)]


def test_the_move_that_wins_is_fine() -> None:
    assert verdicts(f"{ATTACK} J9J11") == []


def test_a_win_that_is_not_taken_is_missed() -> None:
    missed, left_open = findings(f"{ATTACK} A1A3")
    assert (missed.verdict, missed.attacker_moves, missed.player) == (Verdict.MISSED, 4, "B")
    assert missed.win[0] == Move("J9J11")
    assert missed.position == Position(moves=ATTACK)
    assert left_open.verdict is Verdict.LEFT_OPEN  # White has one as well


def test_another_win_is_no_miss() -> None:
    position = Position.parse(STRONG)
    move = Move("G4F6")
    assert solve(position).attacker_moves == 4
    assert solve(position, first=move).result == "none"  # it does not begin a win by double threats
    assert verdicts(f"{STRONG} {move}") == []
    assert verdicts(f"{STRONG} B3G4")[0] is Verdict.MISSED


def test_wins_longer_than_asked_for_are_nobodys_fault() -> None:
    assert verdicts(f"{ATTACK} A1A3", length=3) == []
    assert verdicts(ATTACK, length=3) == []
    assert verdicts(ATTACK, length=4) == [Verdict.LEFT_OPEN]


def test_a_win_that_could_be_met_is_left_open() -> None:
    (finding,) = findings(ATTACK)
    assert (finding.verdict, finding.colour, finding.number) == (Verdict.LEFT_OPEN, WHITE, 4)
    assert finding.win[0] == Move("J9J11")
    assert finding.better is not None
    better = Position(moves=ATTACK)
    better.undo()
    better.play(finding.better)
    assert solve(better, depth=5, nodes=100_000).result != "win"


def test_a_win_that_nothing_meets_is_no_fault() -> None:
    lost = "Connect(9,9,5,2,3) E5E6F5"
    (finding,) = findings(f"{lost} E4E7")
    assert (finding.verdict, finding.better) == (Verdict.NO_DEFENCE, None)
    assert not finding.verdict.is_fault


def test_who_can_win_at_once_could_have_met_everything() -> None:
    both = "Connect(9,9,4,2,1) A1 I1I2 A2"  # Black has one stone left
    assert verdicts(f"{both}E5") == [Verdict.LEFT_OPEN]
    both = "Connect(9,9,4,2,1) A1 I1I3 A2B1 I5I6"
    assert verdicts(f"{both} E5E7") == [Verdict.MISSED, Verdict.LEFT_OPEN]
    assert verdicts(f"{both} A3A4") == []


def test_what_the_limit_hides_is_unknown() -> None:
    assert set(verdicts(ATTACK, nodes=1)) == {Verdict.UNKNOWN}
    assert all(finding.detail for finding in findings(ATTACK, nodes=1))


@pytest.mark.parametrize("moves", [FOUR_WINS_AND_MORE, f"{FOUR_WINS_AND_MORE} S1A19"])
def test_another_thread_may_stop_it_within_a_move(moves: str) -> None:
    position = Position.parse(moves)
    question = Question("game", ("B", "W"), position, len(position.turns))
    control = Control()
    used: list[float] = []

    def stop() -> None:
        used.append(time.process_time())
        control.stop()

    threading.Timer(0.3, stop).start()
    assert list(findings_by_move(question, length=12, nodes=10**9, control=control)) == []
    assert time.process_time() - used[0] < 2


def test_only_the_moves_asked_for_are_looked_at() -> None:
    position = Position(moves=f"{ATTACK} A1A3 C1C3 E1")  # the last turn is unfinished
    everybody = audit_game(Question("game", ("B", "W"), position))
    assert everybody.moves == (3, 3)
    white = audit_game(Question("game", ("B", "W"), position), players=["W"])
    assert white.moves == (0, 3)
    assert {finding.player for finding in white.findings} == {"W"}
    assert set(white.findings) < set(everybody.findings)
    assert [*tallies([white])] == ["W"]


def test_the_opening_is_nobodys_choice() -> None:
    record = Record.from_position(Position(moves=f"{ATTACK} J9J11"))
    record.root.set("ON", "J10 I9K9 J8L9")
    assert Question.of(record, "game").first == 4
    record.root.set("ON", "Mickey Mouse")
    assert Question.of(record, "game").first == 1
    record.root.set("ON", "J10 A1A3")  # of another game
    assert Question.of(record, "game").first == 1


@pytest.mark.parametrize("game", ["Connect(6,6,5,2,1)", "Connect(6,6,4,1,1)", "Connect(6,6,5,2,1) maker-breaker"])
def test_agrees_with_trying_every_move(game: str) -> None:
    """Left open means that some move leaves no short win, no defence that every move leaves a win."""
    rules, rng = Game.parse(game), random.Random(8)
    found = {Verdict.LEFT_OPEN: 0, Verdict.NO_DEFENCE: 0}
    for _ in range(60):
        black, white = random_position(rng, 6, 6, rules.k, rules.p, 1, rng.randint(7, 16))
        turn, left = to_move(len(black) + len(white), rules.p, 1)
        blacks, whites = ([Square(*s) for s in side] for side in (black, white))
        position = Position.setup(rules, blacks, whites, (BLACK, WHITE)[turn], left)
        if position.is_over or solve(position).result == "win":
            continue
        played = position.copy()
        played.play(rng.choice(list(position.legal_moves())))
        for finding in audit_game(Question("game", ("", ""), played)).findings:
            wins = []
            for move in position.legal_moves():
                after = position.copy()
                after.play(move)
                wins.append(not after.is_over and solve(after).attacker_moves)
            if finding.verdict is Verdict.LEFT_OPEN:
                assert any(not length or length > 5 for length in wins)
            else:
                assert finding.verdict is Verdict.NO_DEFENCE
                assert all(wins)
            found[finding.verdict] += 1
    assert min(found.values()) > 3


# The command


@pytest.fixture
def games(tmp_path: Path) -> Path:
    """Two games as the arena writes them: in the first both err, in the second Black does not."""
    records = []
    for number, moves in enumerate((f"{ATTACK} A1A3", f"{ATTACK} J9J11"), 1):
        record = Record.from_position(Position(moves=moves))
        for name, value in (("GN", str(number)), ("PB", "careless" if number == 1 else "careful"), ("PW", "white")):
            record.root.set(name, value)
        record.root.set("ON", "J10 I9K9 J8L9")
        records.append(record)
    path = tmp_path / "games.sgf"
    write_file(records, path)
    return path


def test_the_command_tells_what_it_finds(run: Run, games: Path) -> None:
    code, out, _ = run("audit", str(games), "--jobs", "1")
    assert code == 1
    assert "games.sgf:1, move 5: careless played A1A3 and missed J9J11" in out
    assert "games.sgf:2, move 4: white played I11K11 and left J9J11" in out
    assert out.count("move 4") == 2
    assert ATTACK not in out
    assert f"  {ATTACK}\n" in run("audit", str(games), "--jobs", "1", "--whole")[1]


def test_the_command_in_json_and_of_one_player(run: Run, games: Path) -> None:
    code, out, _ = run("audit", str(games), "--json", "--jobs", "2")
    answer = json.loads(out)
    assert (code, answer["interrupted"], answer["length"]) == (1, False, 5)
    assert answer["players"]["careless"] == {
        "games": 1, "moves": 1, "missed": 1, "left_open": 1, "no_defence": 0, "unknown": 0
    }  # fmt: skip
    first = answer["games"][0]["findings"][0]
    assert (first["verdict"], first["move"], first["better"]) == ("left open", 4, "J7J9")
    code, out, _ = run("audit", str(games), "--player", "careful", "--json", "--jobs", "1")
    assert (code, json.loads(out)["players"]["careful"]["moves"]) == (0, 1)
    assert run("audit", str(games), "--player", "white", "--nodes", "1", "--jobs", "1")[0] == 2


def test_the_command_refuses_what_it_cannot_do(run: Run, games: Path) -> None:
    code, _, err = run("audit", str(games), "--player", "nobody")
    assert code == 3
    assert "careful, careless, white" in err
    assert run("audit", str(games.with_name("none.sgf")))[0] == 4
    games.write_text("(;FF[4];B[j10];W[j10k11])")
    code, _, err = run("audit", str(games))
    assert code == 3
    assert "games.sgf" in err


@pytest.mark.skipif(os.name == "nt", reason="there is no Ctrl-C to send")
def test_ctrl_c_keeps_what_was_found(games: Path) -> None:
    many = games.with_name("many.sgf")
    many.write_text(games.read_text() * 2000)
    command = [sys.executable, "-m", "tengen", "audit", str(many), "--jobs", "1"]
    with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True) as process:
        assert process.stdout is not None
        process.stdout.readline()  # it has begun
        time.sleep(0.2)
        process.send_signal(signal.SIGINT)
        out, err = process.communicate(timeout=60)
    assert process.returncode == 130
    assert "missed" in out
    assert "interrupted" in err
