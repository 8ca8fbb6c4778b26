"""What people type at a board in the terminal: words are commands or nothing, never stones."""

from pathlib import Path

import pytest
from test_cli import Run, run

from tengen import Store
from tengen.cli import puzzle_train
from tengen.puzzle import read_puzzles, shipped_puzzles

__all__ = ["run"]  # a fixture
PUZZLES = str(Path(__file__).with_name("few_puzzles.jsonl"))


@pytest.mark.parametrize("word", ["load", "gane", "jjki", "nonsense"])
def test_a_word_that_is_no_command_places_no_stones(run: Run, word: str) -> None:
    _, out, err = run("play", "--as", "both", stdin=f"{word}\nquit\n")
    assert f"{word!r} is no command and no square: type help" in err
    assert "Kept" not in out
    _, _, err = run("puzzle", "solve", "1", "--file", PUZZLES, stdin=f"{word}\nquit\n")
    assert f"{word!r} is no command and no square: type help" in err


def test_moves_are_taken_back_and_played_again(run: Run) -> None:
    run("play", "--as", "both", stdin="J10\nA1B1\nback\nredo\nundo\nredo\nredo\nquit\n")
    with Store() as store:
        assert str(store.get(1).position()) == "J10 A1B1"
    _, _, err = run("play", "--as", "both", stdin="J10\nback\nK10\nredo\nquit\n")
    assert "there is no move to play again" in err


def test_moves_are_played_again_with_the_answers_of_the_opponent(run: Run) -> None:
    _, out, _ = run("play", "-o", "sequences", stdin="J10\nmoves\nundo\nmoves\nredo\nmoves\nquit\n")
    lines = [line for line in out.splitlines() if "J10 " in line and line.count(" > ") == 1]
    assert len({line.partition("> ")[2] for line in lines}) == 1


def test_a_hint_is_what_the_engine_would_play(run: Run) -> None:
    _, out, _ = run("play", "--as", "both", "--game", "tic-tac-toe", stdin="A1\nB1\nA2\nB2\nhint\nquit\n")
    assert "The engine would play A3 (Black's chance: wins)." in out


def test_the_example_of_a_move_is_on_the_board(run: Run) -> None:
    assert "Type a move like J10, or help." in run("play", "--as", "both")[1]
    assert "Type a move like B2, or help." in run("play", "--as", "both", "--game", "tic-tac-toe")[1]


def test_nobody_is_told_to_pass(run: Run) -> None:
    _, _, err = run("play", "--as", "both", stdin="J10 K\npass\nquit\n")
    assert "write them like J10;" in err
    assert "nobody may pass" in err
    assert "or 'pass'" not in err


def test_who_resigns_is_told_who_has_won(run: Run) -> None:
    assert "Black resigns: White has won." in run("play", "--as", "both", stdin="resign\n")[1]


def test_an_opponent_who_cannot_play_is_refused_before_the_board_is_shown(run: Run) -> None:
    code, out, err = run("play", "--against", "breaker", "--as", "white")
    assert code == 3
    assert out == ""
    assert "no strategy is known" in err


def test_right_moves_of_a_puzzle_are_taken_back_and_played_again(run: Run) -> None:
    number, puzzle = next((n, p) for n, p in enumerate(read_puzzles(Path(PUZZLES)), 1) if len(p.line) > 2)
    first = str(puzzle.line[0])
    typed = f"undo\n{first}\nback\nredo\nredo\nquit\n"
    _, out, err = run("puzzle", "solve", str(number), "--file", PUZZLES, stdin=typed)
    assert "there is no move to take back" in err
    assert out.count("Right. The defence is") == 2
    assert "there is no move to play again" in err


@pytest.mark.parametrize("arguments", [["show"], ["solve"], ["play", "--from"], ["opening", "show"]])
def test_a_mistyped_name_of_a_file_is_no_position(run: Run, arguments: list[str]) -> None:
    code, out, err = run(*arguments, "gane")
    assert code == 3
    assert out == ""
    assert "'gane' is neither a file nor a square" in err


def test_a_file_may_be_called_like_letter_pairs(run: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    Path("game").write_text("J10 K11L12")
    assert '"J10 K11L12"' in run("show", "game", "--json")[1]
    assert '"J10 K11"' in run("show", "jj", "ki", "--json")[1]  # pairs that stand apart are read as before
    assert '"position": "Connect(15,15,5,1,1)"' in run("show", "gomoku", "--json")[1]


def test_the_next_puzzle_follows_on_a_terminal(run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(puzzle_train, "is_typed_by_somebody", lambda: True)
    code, out, _ = run("puzzle", "solve", "--file", PUZZLES, stdin="show\n\nshow\nq\n")
    assert code == 1
    assert out.count("The solution: ") == 2
    assert out.count("Enter for the next") == 2
    assert "Enter for the next" not in run("puzzle", "solve", "--file", PUZZLES, stdin="quit\n")[1]
    assert "Enter for the next" not in run("puzzle", "solve", "1", "--file", PUZZLES, stdin="show\n")[1]


def test_a_puzzle_that_needed_help_counts_as_failed(run: Run) -> None:
    first, *_ = read_puzzles(Path(PUZZLES))
    moves = "\n".join(map(str, first.line[::2]))
    assert "counts as failed" not in run("puzzle", "solve", "1", "--file", PUZZLES, stdin=moves)[1]
    assert (
        "1 hint, which counts as failed." in run("puzzle", "solve", "1", "--file", PUZZLES, stdin=f"hint\n{moves}")[1]
    )


def test_puzzles_are_listed_a_line_each(run: Run) -> None:
    _, out, _ = run("puzzle", "list")
    lines = out.splitlines()
    assert lines[0].split() == ["number", "name", "kind", "level", "moves", "themes"]
    names = [one.name for one in shipped_puzzles()]
    assert [line.split()[1] for line in lines[1:41]] == names[:40]
    assert f"and {len(names) - 40:,} more" in lines[41]
    assert not any("…" in line for line in lines[:41])  # only a terminal cuts what is too long for it
    assert 0 < out.index("in 2 (") < out.index("in 10 (")


def test_what_goes_with_missed_wins_is_said(run: Run) -> None:
    code, _, err = run("puzzle", "mine", "game.sgf", "--missed", "--seconds", "3")
    assert code == 3
    assert "--player, --reply-nodes and --move-nodes" in " ".join(err.replace("│", "").split())
