"""Puzzles: mined, judged, checked and trained with. `few_puzzles.jsonl` has some that the miner found in self-play."""

import json
import os
import re
import signal
import subprocess
import sys
import time
from dataclasses import replace
from itertools import count
from pathlib import Path
from typing import Any

import pytest
from processes import posix_only
from test_cli import Run, run

from tengen import BLACK, Move, Position, Record, TengenError, solve, write_file
from tengen.game.symmetry import Symmetry
from tengen.play import promising_moves
from tengen.puzzle import KINDS, Limits, Miner, Puzzle, PuzzleError, Trainer, check_puzzle, find_puzzle, read_puzzles
from tengen.puzzle.games import played_game
from tengen.puzzle.hidden import find_hidden_win, hidden_limits
from tengen.puzzle.judge import Judge, sensible_moves
from tengen.puzzle.puzzle import shape
from tengen.threat import threat_number

__all__ = ["run"]  # the fixture

FILE = Path(__file__).parent / "few_puzzles.jsonl"
FEW = list(read_puzzles(FILE))
WINS = [puzzle for puzzle in FEW if puzzle.kind == "win" and puzzle.by == "vcdt"]
DEFENCES = [puzzle for puzzle in FEW if puzzle.kind == "only defence"]
QUIET = [puzzle for puzzle in FEW if puzzle.kind == "quiet win"]


@pytest.mark.parametrize("puzzle", FEW, ids=lambda puzzle: puzzle.name)
def test_mined_puzzles_are_what_they_claim_to_be(puzzle: Puzzle) -> None:
    verdict = check_puzzle(puzzle)
    assert verdict.reason is None
    assert verdict.proof_nodes > 0


def test_the_few_are_of_several_kinds_and_levels() -> None:
    assert len({puzzle.kind for puzzle in FEW}) > 1
    assert len({puzzle.level for puzzle in FEW}) > 4
    assert len({shape(puzzle.position) for puzzle in FEW}) == len(FEW)


def test_false_claims_are_refused() -> None:
    win, defence, quiet = WINS[0], DEFENCES[0], QUIET[0]
    other = next(iter(sensible_moves(win.position, win.move, 2)))
    for false, reason in (
        (replace(win, move=other), f"the winning move is {win.move}"),
        (replace(win, length=win.length + 1), f"the win takes {win.length} moves"),
        (replace(win, refuted=win.refuted - 1), "other first moves are refuted"),
        (replace(win, level=win.level % 10 + 1), "its level is"),
        (replace(win, features=win.features | {"tempting": 99}), "its level is"),
        (replace(win, line=win.line[2:]), "its line begins with another move"),
        (replace(win, line=win.line[:1]), "its line ends before the win is sure"),
        (replace(win, kind="quiet win"), "a quiet win is not by vcdt"),
        (replace(win, by="order 3"), "there is a win by threats alone"),
        (replace(defence, move=other_defence(defence)), "not every move but"),
        (replace(quiet, move=other_defence(quiet)), "is not proved to win"),
        (replace(quiet, length=quiet.length + 1), f"the win takes {quiet.length} moves"),
        (replace(quiet, refuted=quiet.refuted + 1), "other first moves are refuted"),
        (replace(quiet, kind="win"), "as quiet as a win must not be"),
        (replace(quiet, by="vcst"), "a quiet win is not by vcst"),
    ):
        assert reason in str(check_puzzle(false).reason)


def test_what_a_search_refuses_is_the_verdict_on_that_puzzle_alone() -> None:
    assert WINS[0].is_shortest
    assert WINS[0].length > 1
    assert "'vcxx' is no kind of win" in str(check_puzzle(replace(WINS[0], by="vcxx")).reason)


def other_defence(puzzle: Puzzle) -> Move:
    return next(iter(sensible_moves(puzzle.position, puzzle.move, 2)))


def test_a_second_winning_move_is_noticed() -> None:
    # Two open threes apart from each other: each can be made a double threat in more than one way.
    position = Position.parse("B: D4 E4 F4 D10 E10 F10 L12 L13 L14 W: A1 S1 S19 A19 R3 to move: B")
    assert solve(position, all_moves=True, nodes=5_000).result == "win"
    assert find_puzzle(position, Limits()) is None


def test_a_second_winning_move_that_is_slower_is_noticed() -> None:
    # Proved to win by the verifier, with a proof that the plain checker accepts: the reply that meets every threat
    # after it is beaten by another quiet move.
    position = Position.parse("B: L8 K9 J10 I11 K11 W: M7 G8 G9 G11 G13 I8 to move: B 2")
    limits = hidden_limits(Limits())
    assert Judge(position, limits).judge(Move("K7G10")).verdict != "refuted"
    assert Judge(position, replace(limits, quiet_nodes=0)).judge(Move("K7G10")).verdict == "refuted"


def test_puzzles_made_before_quiet_wins_were_looked_for_can_be_read() -> None:
    told = WINS[0].as_json()
    del told["limits"]["quiet_nodes"]
    puzzle = Puzzle.from_json(told)
    assert puzzle.limits == replace(WINS[0].limits, quiet_nodes=0)
    assert check_puzzle(puzzle).accepted


def test_other_moves_of_a_puzzle_are_refuted_one_by_one() -> None:
    puzzle = WINS[0]
    judge = Judge(puzzle.position, puzzle.limits)
    assert judge.judge(puzzle.move).verdict == "wins"
    for move in list(sensible_moves(puzzle.position, puzzle.move, 2))[:12]:
        finding = judge.judge(move)
        assert finding.verdict == "refuted"
        after = Position.parse(str(puzzle.position))
        after.play(move)
        assert finding.reply is not None
        after.play(finding.reply)
        if not finding.reply_wins:
            assert solve(after, "vcst", nodes=puzzle.limits.reply_nodes).result == "none"


def test_no_stone_far_from_the_action_is_needless() -> None:
    puzzle = WINS[0]
    text = str(puzzle.position)
    crowded = Position.parse(text.replace("W:", "W: A1").replace("B:", "B: S19"))
    assert crowded.stone_count == puzzle.position.stone_count + 2
    found = find_puzzle(crowded, puzzle.limits)
    assert found is not None
    assert found.position.at("A1") is found.position.at("S19") is None
    assert (found.move, found.length) == (puzzle.move, puzzle.length)


def test_shapes_forget_place_direction_and_colours() -> None:
    position = Position.parse("B: J10 K11 L12 W: J9 K9 to move: B")
    moved = Position.parse("B: C4 D5 E6 W: C3 D3 to move: B")
    swapped = Position.parse("W: J10 K11 L12 B: J9 K9 to move: W")
    other = Position.parse("B: J10 K11 L12 W: J9 K9 to move: W")
    assert shape(position) == shape(moved) == shape(swapped) == shape(position.transformed(Symmetry.ROTATE_LEFT))
    assert shape(position) != shape(other)


def test_puzzles_survive_json() -> None:
    for puzzle in FEW:
        again = Puzzle.from_json(json.loads(json.dumps(puzzle.as_json())))
        assert again.as_json() == puzzle.as_json()


@pytest.mark.parametrize(
    "change",
    [
        {"kind": "mate"},
        {"position": "B: Z99"},
        {"move": "J10J10"},
        {"length": 0},
        {"length": "4"},
        {"level": 11},
        {"by": "vcxx"},
        {"by": 5},
        {"by": None},
        {"limits": {}},
        {"limits": None},
        {"features": [1]},
        {"line": 5},
        {"move": None},
    ],
)
def test_what_is_no_puzzle_is_refused(change: dict[str, Any]) -> None:
    with pytest.raises(TengenError):
        Puzzle.from_json(FEW[0].as_json() | change)


def test_a_bad_line_is_named(tmp_path: Path) -> None:
    file = tmp_path / "bad.jsonl"
    file.write_text(FILE.read_text().splitlines()[0] + "\n\n{}\n")
    with pytest.raises(PuzzleError, match="line 3"):
        list(read_puzzles(file))


def test_mining_goes_on_where_it_ended_and_keeps_no_puzzle_twice(tmp_path: Path) -> None:
    file = tmp_path / "mined.jsonl"
    short = one_move()
    with Miner(file) as first:
        (tally, kept), *_ = first.mine("games", [short])
    assert tally.kept == len(kept) == len(list(read_puzzles(file)))
    assert kept
    file.write_bytes(file.read_bytes().removesuffix(b"\n"))  # as some editors leave it
    with Miner(file) as unchanged:
        assert unchanged.tally.kept == len(kept)
    with file.open("a") as torn:
        torn.write('{"name": "half a li')
    turned = short.transformed(Symmetry.ROTATE_LEFT)
    with Miner(file) as second:
        assert (second.done("games"), second.tally.kept) == (1, len(kept))
        for _, again in second.mine("the same games", [short, turned]):
            assert not set(map(shape_of, again)) & set(map(shape_of, kept))
            kept += again
    assert second.tally.games == {"games": 1, "the same games": 2}
    assert [puzzle.name for puzzle in read_puzzles(file)] == [puzzle.name for puzzle in kept]


def test_the_time_for_a_game_counts_though_it_is_not_finished(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def interrupted(*_: object) -> None:
        raise KeyboardInterrupt

    ticks = count()
    monkeypatch.setattr("tengen.puzzle.mine.time.process_time", lambda: float(next(ticks)))
    monkeypatch.setattr("tengen.puzzle.mine.find_puzzle", interrupted)
    with Miner(tmp_path / "mined.jsonl") as miner, pytest.raises(KeyboardInterrupt):
        next(miner.mine("games", [one_move()]))
    assert (miner.tally.games, miner.tally.positions, miner.tally.seconds) == ({}, 1, 1.0)


def one_move() -> Position:
    """The end of a game of one move, from a position in which it is the only one that wins."""
    game = WINS[0].position.copy()
    game.play(WINS[0].move)
    return game


def shape_of(puzzle: Puzzle) -> int:
    return shape(puzzle.position)


def test_a_file_with_another_story_is_not_touched(tmp_path: Path) -> None:
    file = tmp_path / "notes.txt"
    file.write_text("not a puzzle\n")
    with pytest.raises(PuzzleError, match="line 1"):
        Miner(file)
    assert file.read_text() == "not a puzzle\n"


@posix_only
def test_two_miners_do_not_mine_into_one_file(tmp_path: Path) -> None:
    file = tmp_path / "mined.jsonl"
    with Miner(file), pytest.raises(PuzzleError, match="being mined into already"):
        Miner(file)
    Miner(file).close()


def test_self_play_is_repeatable() -> None:
    assert played_game(5).moves == played_game(5).moves
    assert played_game(5).moves != played_game(6).moves


@pytest.mark.parametrize("puzzle", FEW, ids=lambda puzzle: puzzle.name)
def test_the_trainer_plays_a_puzzle_to_its_end(puzzle: Puzzle) -> None:
    trainer = Trainer(puzzle)
    moves = 0
    while not trainer.is_solved:
        answer = trainer.play(trainer.solution())
        assert answer.is_accepted
        moves += 1
        assert moves <= puzzle.length
    assert (trainer.mistakes, trainer.hints) == (0, 0)
    if puzzle.is_shortest:
        assert moves == puzzle.length  # the best defence holds out as long as it can
    with pytest.raises(TengenError):
        trainer.play(puzzle.move)


def test_the_trainer_refutes_a_wrong_move_and_lets_one_try_again() -> None:
    puzzle = WINS[0]
    trainer = Trainer(puzzle)
    wrong = next(iter(sensible_moves(puzzle.position, puzzle.move, 2)))
    answer = trainer.play(wrong)
    assert (answer.verdict, trainer.mistakes) == ("wrong", 1)
    assert answer.reply is not None
    assert trainer.position.key == puzzle.position.key
    assert trainer.play(puzzle.move).is_accepted
    with pytest.raises(TengenError):
        trainer.play(Move("A1"))


def test_the_trainer_shows_how_a_wrong_defence_loses() -> None:
    for puzzle in DEFENCES:
        answer = Trainer(puzzle).play(other_defence(puzzle))
        assert answer.verdict == "wrong"
        after = puzzle.position.copy()
        after.play(other_defence(puzzle))
        after.play(answer.line[0])


@pytest.mark.parametrize("puzzle", QUIET, ids=lambda puzzle: puzzle.name)
def test_the_trainer_knows_quiet_wins_without_their_lines(puzzle: Puzzle) -> None:
    """It sees that the first move wins, answers with the defence that the line has, and refutes other moves, each
    within seconds."""
    start = time.process_time()
    answer = Trainer(replace(puzzle, line=())).play(puzzle.move)
    assert time.process_time() - start < 5
    assert (answer.verdict, answer.reply) == ("right", puzzle.line[1])
    for move in list(sensible_moves(puzzle.position, puzzle.move, 2))[::20]:
        start = time.process_time()
        answer = Trainer(puzzle).play(move)
        assert time.process_time() - start < 5
        assert (answer.verdict, answer.reply is None) == ("wrong", False)
        after = puzzle.position.after(move)
        assert answer.reply is not None
        after.play(answer.reply)
        assert answer.line or after.is_over or solve(after, "vcst", nodes=puzzle.limits.reply_nodes).result == "none"


def test_a_quiet_win_is_no_win_by_threats_but_every_reply_to_it_loses_by_threats() -> None:
    for puzzle in QUIET:
        assert solve(puzzle.position, "vcst", nodes=puzzle.limits.nodes).result == "none"
        after = puzzle.position.after(puzzle.move)
        assert threat_number(after, puzzle.position.turn) == 0
        for reply in promising_moves(after):
            won = after.after(reply)
            assert won.is_over or solve(won, "vcst", nodes=puzzle.limits.nodes).result == "win"


def test_stones_are_added_until_one_quiet_move_wins() -> None:
    composed = next(puzzle for puzzle in QUIET if puzzle.source.endswith("1 stone added"))
    assert composed.position.turn is BLACK  # so that the stone which was added last stands before "to move"
    bare = Position.parse(re.sub(r" \w+ to move", " to move", str(composed.position)))
    assert bare.stone_count == composed.position.stone_count - 1
    refuted, other = Judge(bare, composed.limits).try_others(composed.move)
    assert other is not None
    assert refuted < composed.refuted
    found = find_hidden_win(bare, Limits(), "a game", [composed.move])
    assert found is not None
    assert found.source == "a game, 1 stone added"
    assert (found.move, found.position.key) == (composed.move, composed.position.key)
    assert find_hidden_win(bare, Limits(), moves=[other_defence(composed)]) is None


def test_hints_say_more_and_more() -> None:
    trainer = Trainer(WINS[0])
    hints = [trainer.hint() for _ in range(3)]
    assert "threat" in hints[0]
    assert str(WINS[0].move.squares[0]) in hints[1]
    assert str(WINS[0].move) in hints[2]
    trainer.restart()
    assert trainer.hints == 0


def test_show_and_check_on_the_command_line(run: Run, tmp_path: Path) -> None:
    code, out, _ = run("puzzle", "show", "--file", str(FILE), "--json")
    counts = json.loads(out)
    assert (code, counts["puzzles"], set(counts["levels"])) == (0, len(FEW), set(KINDS))
    code, out, _ = run("puzzle", "show", "1", "--file", str(FILE), "--solution")
    assert code == 0
    assert f"1. {FEW[0].move}" in out
    assert run("puzzle", "show", "99", "--file", str(FILE))[0] == 3
    code, out, _ = run("puzzle", "check", "--file", str(FILE), "--sample", "2")
    assert (code, "2 puzzles checked, 0 refused" in out) == (0, True)
    false = tmp_path / "false.jsonl"
    false.write_text(json.dumps(replace(WINS[0], length=WINS[0].length + 1).as_json()) + "\n")
    code, out, _ = run("puzzle", "check", "--file", str(false), "--json")
    answer = json.loads(out)
    assert (code, answer["accepted"], answer["name"]) == (1, False, WINS[0].name)


def test_solving_on_the_command_line(run: Run) -> None:
    number = str(FEW.index(WINS[0]) + 1)
    wrong = next(iter(sensible_moves(WINS[0].position, WINS[0].move, 2)))
    trainer = Trainer(WINS[0])
    moves = []
    while not trainer.is_solved:
        moves.append(str(trainer.solution()))
        trainer.play(Move(moves[-1]))
    code, out, _ = run("puzzle", "solve", number, "--file", str(FILE), stdin="\n".join(["hint", str(wrong), *moves]))
    assert code == 0
    assert "Solved, with 1 mistake and 1 hint, which counts as failed." in out
    assert f"{wrong} " in out
    code, out, _ = run("puzzle", "solve", number, "--file", str(FILE), stdin="show\n")
    assert (code, re.search(r"The solution: 1\. (\S+)", out)[1]) == (1, str(WINS[0].move))  # type: ignore[index]
    assert run("puzzle", "solve", "--file", str(FILE), "--kind", "mate")[0] == 3


def test_mining_files_on_the_command_line(run: Run, tmp_path: Path) -> None:
    games, file = tmp_path / "games.sgf", tmp_path / "mined.jsonl"
    write_file([Record.from_position(one_move())], games)
    code, out, _ = run("puzzle", "mine", str(games), "--out", str(file), "--json")
    answer = json.loads(out)
    assert (code, answer["games"], answer["kept"]) == (0, {str(games): 1}, len(list(read_puzzles(file))))
    code, out, err = run("puzzle", "mine", str(games), "--out", str(file), "--json")
    again = json.loads(out)
    assert (again["kept"], again["positions"]) == (answer["kept"], answer["positions"])
    assert "all of its games have been mined before" in " ".join(err.split())
    namesake = tmp_path / "another match" / "games.sgf"
    namesake.parent.mkdir()
    write_file([Record.from_position(one_move())], namesake)
    other_match = json.loads(run("puzzle", "mine", str(namesake), "--out", str(file), "--json")[1])
    assert other_match["games"] == {str(games): 1, str(namesake): 1}
    assert {puzzle.source.split(",")[0] for puzzle in read_puzzles(file)} == {"games.sgf 1"}
    assert run("puzzle", "mine", "--out", str(file))[0] == 3
    assert run("puzzle", "mine", str(games), "--self-play", "--out", str(file))[0] == 3
    other = tmp_path / "defences.jsonl"
    code, out, _ = run("puzzle", "mine", str(games), "--kind", "only defence", "--out", str(other), "--json")
    assert (code, json.loads(out)["kept"]) == (0, 0)  # there is a win in it, which was not asked for
    assert run("puzzle", "mine", str(games), "--kind", "mate", "--out", str(other))[0] == 3


@posix_only
def test_an_interrupt_keeps_what_was_mined(tmp_path: Path) -> None:
    file = tmp_path / "mined.jsonl"
    command = [sys.executable, "-m", "tengen", "puzzle", "mine", "--self-play", "--out", str(file)]
    with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True) as process:
        while not (file.exists() and file.read_text().endswith("\n")) and process.poll() is None:
            time.sleep(0.05)
        os.kill(process.pid, signal.SIGINT)
        out, _ = process.communicate()
    assert process.returncode == 130
    assert "kept" in out
    assert list(read_puzzles(file))
