"""Faults that were found once, each with the shortest way to see it."""

import copy
import io
import json
import os
import pickle
import signal
import stat
import subprocess
import sys
import time
from pathlib import Path

import pytest
from test_cli import Run, run  # noqa: F401

from tengen import (
    BLACK,
    CONNECT6,
    WHITE,
    Game,
    IllegalMoveError,
    Move,
    NotationError,
    Position,
    Record,
    Square,
    TengenError,
    _native,
    solve,
)
from tengen.prove import write_hold
from tengen.record import Dialect, RecordError, read_sgf, write_file, write_sgf
from tengen.record.files import decode, read_text, replacing
from tengen.record.jsonlines import write_json_line


def one(text: str) -> Record:
    return next(read_sgf(text))


def test_squares_that_are_none_do_not_reach_the_native_board() -> None:
    assert Position().play(Move(["J10"])) == Move("J10")  # type: ignore[list-item]
    with pytest.raises(TypeError):
        _native.Board(3, 3, 3).play(((0,),), 0)  # type: ignore[arg-type]
    with pytest.raises(NotationError, match="no square"):
        Position().play(None)  # type: ignore[arg-type]
    assert Position().play((9, 9)) == Move("J10")  # type: ignore[arg-type]
    assert "J10" in Position()


def test_a_square_beyond_all_numbers_changes_nothing() -> None:
    for game in (CONNECT6, Game.infinite(6, 2, 1)):
        position = Position(game, "J10")
        before = (position.key, str(position))
        with pytest.raises(IllegalMoveError):
            position.play(Move([Square(0, 0), Square(1 << 40, 0)]))
        assert (position.key, str(position)) == before
        assert position.at(Square(1 << 40, 0)) is None


def test_moves_read_their_own_repr_and_cannot_be_changed() -> None:
    move = Move("J10K11")
    assert eval(repr(move)) == move
    with pytest.raises(AttributeError, match="cannot be changed"):
        move.squares = ()
    assert pickle.loads(pickle.dumps(move)) == move


def test_an_infinite_boards_window_holds_a_move_that_straddles_it() -> None:
    assert Position.parse("Connect(6,2,3) J10K10CZ1").stone_count == 3
    assert Position.parse("Connect(6,2,1) B: J10 W: A1 CZ1").stone_count == 3


def test_records_keep_the_stones_left_of_a_set_up() -> None:
    for text in ("B: J10 K9 W: J9 to move: W 1", "B: Q16 W: Q6 to move: W 1 then: C4 K2N7"):
        position = Position.parse(text)
        record = Record.from_position(position)
        assert record.position() == position
        for dialect in Dialect:
            assert one(write_sgf(record, dialect)).position() == position


def test_a_text_of_moves_may_be_a_set_up_for_the_constructor_too() -> None:
    assert str(Position(CONNECT6, "B: J10 W: J9 K9 to move: B")) == "B: J10 W: J9 K9 to move: B 2"
    assert Position(CONNECT6, "J10 J9K11").steps == 2


def test_nobody_passes_stones_that_he_does_not_have() -> None:
    with pytest.raises(IllegalMoveError, match="none is left to pass"):
        Position().play("J10 pass")
    won = Position.setup(CONNECT6, ["A1", "B1", "C1", "D1", "E1"], ["A5", "A7", "A9", "A11"], BLACK, 2)
    won.play("F1 pass")
    for dialect in Dialect:
        assert one(write_sgf(Record.from_position(won), dialect)).position() == won


def test_a_resignation_in_mid_turn_is_no_stone() -> None:
    record = one("(;B[j10];W[i9];W[resign])")
    assert record.end().resigns
    assert len(record.moves()) == 2


def test_a_move_of_several_stones_beside_a_set_up_is_written_after_it() -> None:
    for text in ("(;FF[4]RU[Connect(15,15,5,2,2)]B[h8i8];W[a1b1])", "(;FF[4];AB[j10]PL[W]W[i9k11];B[a1a2])"):
        record = one(text)
        for dialect in Dialect:
            assert one(write_sgf(record, dialect)).position() == record.position()


def test_an_empty_node_with_variations_is_no_empty_leaf() -> None:
    assert len(one("(;B[j10];()(;W[i9j9]))").moves()) == 2


def test_two_moves_in_one_node_are_a_problem() -> None:
    with pytest.raises(RecordError, match="one of each player"):
        one("(;B[j10]W[i9k9])")
    lenient = next(read_sgf("(;B[j10]W[i9k9])", strict=False))
    assert "W[i9k9]" in write_sgf(lenient)


def test_the_encoding_is_told_in_the_file(tmp_path: Path) -> None:
    record = one("(;FF[4]C[天元];B[j10])")
    write_file([record], tmp_path / "b.sgf", encoding="gb18030")
    data = (tmp_path / "b.sgf").read_bytes()
    assert b"CA[GB18030]" in data
    assert "天元" in decode(data)


def test_pipes_and_devices_are_not_replaced(tmp_path: Path) -> None:
    pipe = tmp_path / "pipe"
    os.mkfifo(pipe)
    reader = subprocess.Popen(["cat", str(pipe)], stdout=subprocess.PIPE)
    with replacing(pipe) as file:
        file.write(b"hello")
    assert reader.communicate(timeout=60)[0] == b"hello"
    assert stat.S_ISFIFO(pipe.stat().st_mode)


def test_brackets_in_titles_names_and_input_are_just_text(run: Run, tmp_path: Path) -> None:  # noqa: F811
    assert run("library", "add", "J10", "--title", "[/x]")[0] == 0
    assert "[/x]" in run("library", "list")[1]
    code, _, err = run("play", stdin="[/foo]\nquit\n")
    assert code == 0
    assert "[/foo]" in err
    assert "B[j10];W[i9k11]" in run("convert", "--help")[1].replace("\n", "").replace("│", "").replace(" ", "")


def test_absurd_numbers_and_games_are_answered(run: Run) -> None:  # noqa: F811
    assert run("show", "library:99999999999999999999")[0] in (3, 4)
    assert run("play", "-g", "Connect(6,2,10)", "--as", "white", "--seed", "1", stdin="quit\n")[0] == 0
    assert run("play", "-g", "Connect(6,700,1)", "-o", "random", "--seed", "1", stdin="J10\nquit\n")[0] == 0


def test_half_a_character_in_json() -> None:
    record = next(read_text('{"moves":["j10"],"event":"\\ud800"}'))
    assert write_json_line(record).encode()


def test_large_boards_are_saved_where_the_user_asks(run: Run, tmp_path: Path) -> None:  # noqa: F811
    code, _, err = run("play", "-g", "connect6-infinite", stdin=f"J10\nsave {tmp_path}/g.sgf\n")
    assert code == 0, err
    assert one((tmp_path / "g.sgf").read_text()).position().stone_count == 3
    run("library", "add", "J10")
    assert run("library", "export", "2", f"{tmp_path}/x.txt", "--to", "moves")[0] == 0
    assert (tmp_path / "x.txt").read_text() == "1.j10\n"


def test_move_lists_hold_partial_turns_and_games_of_several_kinds() -> None:
    assert next(read_text("1.j10 2.j9")).position() == Position(moves="J10 J9")
    kinds = [record.game for record in read_text("Connect(15,15,5,1,1) 1.h8\n1.j10\n")]
    assert kinds == [Game(15, 15, 5, 1, 1), CONNECT6]
    with pytest.raises(RecordError, match="White begins"):
        write_json_line(Record.from_position(Position.parse("to move: W then: A1B1")))
    text = '{"moves":["j10"],"event":"a\u2028b"}'
    assert next(read_text(text)).root.get("EV") == "a\u2028b"


def test_contest_headers_with_spaces_and_capitals() -> None:
    text = "{[C6][TEAMB B][New W][][2020.01.02 10:00 New York][];B(J,10)}"
    root = next(read_text(text)).root
    assert [root.get(n) for n in ("PB", "PW", "DT", "PC")] == ["TEAMB", "New", "2020.01.02 10:00", "New York"]


def test_a_game_given_by_the_caller_replaces_what_the_file_said() -> None:
    record = next(read_sgf("(;SZ[15];B[h8])", game=CONNECT6))
    assert one(write_sgf(record, Dialect.LITTLE_GOLEM)).game == CONNECT6


def test_without_colour_the_stones_still_differ(monkeypatch: pytest.MonkeyPatch) -> None:
    from rich.console import Console

    from tengen.cli.board import print_board

    console = Console(file=io.StringIO(), force_terminal=True, no_color=True, width=200)
    print_board(console, Position(moves="J10 J9K11"))
    assert "X" in console.file.getvalue()  # type: ignore[attr-defined]


def test_the_next_move_tells_whose_turn_it_is_after_a_set_up() -> None:
    record = one("(;FF[4]SZ[19]AB[jj][kk][ll];W[aa];W[bb])")
    assert record.position().stones(WHITE) == (Square.parse("B18"), Square.parse("A19"))


def test_lenient_conversion_ends_a_line_where_it_becomes_illegal(run: Run, tmp_path: Path) -> None:  # noqa: F811
    source = tmp_path / "ill.sgf"
    source.write_text("(;FF[4];B[j10];W[j10k10];B[a1a2])")
    for name in ("x.jsonl", "x.connectk"):
        assert run("convert", str(source), str(tmp_path / name), "--lenient")[0] == 0
    assert json.loads((tmp_path / "x.jsonl").read_text())["moves"] == ["j10"]
    code, out, err = run("show", str(source), "--lenient", "--json")
    assert code == 0
    assert "J10 is occupied" in err
    assert json.loads(out)["position"] == "J10"


def test_lost_headers_and_marks_are_reported(run: Run, tmp_path: Path) -> None:  # noqa: F811
    source = tmp_path / "a.sgf"
    source.write_text("(;FF[4]PB[x]DT[y];B[j10]TR[a1])")
    out = run("convert", str(source), str(tmp_path / "b.connectk"), "--json")[1]
    assert json.loads(out)["lost"] == {"marks": 1, "headers": 2}


def test_write_errors_name_the_file_that_was_asked_for(run: Run) -> None:  # noqa: F811
    code, _, err = run("library", "add", "J10")
    code, _, err = run("library", "export", "1", "/nowhere/x.sgf")
    assert code == 4
    assert "/nowhere/x.sgf: No such file" in err


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM])
def test_a_stopped_conversion_leaves_nothing_behind(tmp_path: Path, number: signal.Signals) -> None:
    source = tmp_path / "big.jsonl"
    source.write_text('{"moves":["j10","k10k11","a1a2"]}\n' * 200_000)
    process = subprocess.Popen(
        [
            sys.executable,
            "-c",
            "from tengen.cli import main; main()",
            "convert",
            str(source),
            str(tmp_path / "out.sgf"),
        ],
        stderr=subprocess.PIPE,
        text=True,
    )
    deadline = time.monotonic() + 60
    while len(list(tmp_path.iterdir())) < 2 and time.monotonic() < deadline:
        time.sleep(0.02)
    process.send_signal(number)
    _, err = process.communicate(timeout=60)
    assert process.returncode == 128 + number, err
    assert "Traceback" not in err
    assert [path.name for path in tmp_path.iterdir()] == ["big.jsonl"]


def test_copies_and_pickles_are_independent() -> None:
    position = Position.parse("B: J10 W: J9 to move: W 1 then: K11 H8I9")
    for twin in (copy.copy(position), copy.deepcopy(position), pickle.loads(pickle.dumps(position))):
        assert twin == position
        assert str(twin) == str(position)
        twin.play("A1A2")
        assert position.at("A1") is None


def test_near_squares_of_an_empty_board_are_those_near_the_middle() -> None:
    assert len(list(Position(Game.infinite(6, 2, 1)).empty_squares(within=1))) == 9
    assert [str(s) for s in Position().empty_squares(within=0)] == ["J10"]


def test_a_set_up_in_mid_turn_knows_it() -> None:
    assert Position.parse("B: J10 W: J9 to move: W 1").is_mid_turn
    assert not Position.parse("B: J10 to move: W 2").is_mid_turn


def test_marks_are_checked_when_they_are_made() -> None:
    node = Record().root
    with pytest.raises(TengenError):
        node.add_mark("circle", "nonsense")
    with pytest.raises(RecordError, match="no mark"):
        node.add_mark("star", "J10")


def test_reading_takes_time_in_proportion() -> None:
    """Each of these took many seconds when it was quadratic; now a fraction of one."""
    start = time.process_time()  # other programs do not make it slower
    list(read_sgf("(;FF[4]" + "(;)(;C[a])" * 30_000 + ")"))
    list(read_sgf("(;FF[4]" + ";B[what]\n" * 50_000 + ")", strict=False))
    list(read_sgf("(;FF[4]TR" + "[aa:ss]" * 60_000 + ")"))
    assert time.process_time() - start < 60


def test_a_turn_split_by_a_comment_is_still_one_move(run: Run, tmp_path: Path) -> None:  # noqa: F811
    source = tmp_path / "a.sgf"
    source.write_text("(;FF[4];B[jj];W[ii]C[x];W[kk];B[aa];B[bb])")
    out = run("show", str(source), "--at", "2", "--json")[1]
    assert len(json.loads(out)["stones"]["white"]) == 2


def test_a_folder_with_games_is_not_overwritten(run: Run, tmp_path: Path) -> None:  # noqa: F811
    folder = str(tmp_path / "each") + "/"
    assert run("convert", "-", folder, "--to", "sgf", stdin="1.j10")[0] == 0
    assert run("convert", "-", folder, "--to", "sgf", stdin="1.j10")[0] == 3


def test_a_closed_pipe_is_no_error() -> None:
    command = f"{sys.executable} -c 'from tengen.cli import main; main()' show J10 | true; echo ${{PIPESTATUS[0]}}"
    result = subprocess.run(["bash", "-c", command], capture_output=True, text=True)
    assert result.stdout.strip() == "0"
    assert "Traceback" not in result.stderr


def test_a_win_that_is_found_is_told_however_long_that_takes() -> None:
    """A search that had begun anew once was ended again while it walked its win, and said unknown."""
    for stones in ("B: N8 K9 O10 P7 W: P9 N4 P4 N9", "B: J9 M8 I7 H10 W: H8 J13 H13 J8"):
        solution = solve(Position.parse(f"{stones} to move: B 2"), "order 3", table_bits=13, nodes=10_000_000)
        assert solution.result == "win"
        assert solution.strategy is not None


def test_a_strategy_that_is_none_is_refused_with_progress_too(tmp_path: Path) -> None:
    for strategy in ((), ("without rows",)):
        with pytest.raises(TengenError):
            write_hold(tmp_path / "a.tpf", Position(CONNECT6), BLACK, strategy, progress=lambda done, total: None)
