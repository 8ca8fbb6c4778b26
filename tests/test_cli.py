import io
import json
import os
import re
import signal
import subprocess
import sys
from collections.abc import Callable
from contextlib import suppress
from importlib import import_module
from pathlib import Path
from pkgutil import iter_modules
from typing import Any

import pytest
import typer
from processes import all_end, children_of, posix_only
from rich.console import Console
from test_formats import CCGC, MOVE_LIST, MOVES
from test_sgf import LITTLE_GOLEM
from typer.main import get_command

import tengen.cli
from tengen import BLACK, Position, Solution, Store, read_file
from tengen.cli import app, main
from tengen.cli.board import print_board
from tengen.cli.lazy import LazyGroup
from tengen.cli.output import Output
from tengen.cli.solve import finish

Run = Callable[..., tuple[int, str, str]]


@pytest.fixture
def run(monkeypatch: pytest.MonkeyPatch, capfdbinary: pytest.CaptureFixture[bytes]) -> Run:
    """Runs the command line in this process: exit code, standard output, standard error."""

    def call(*arguments: str, stdin: str = "") -> tuple[int, str, str]:
        monkeypatch.setattr(sys, "argv", ["tengen", *arguments])
        monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(stdin.encode()), encoding="utf-8"))
        capfdbinary.readouterr()
        code: Any = 0
        try:
            main()
        except SystemExit as end:
            code = end.code or 0
        sys.stdout.flush()
        captured = capfdbinary.readouterr()
        return code, captured.out.decode(errors="replace"), captured.err.decode(errors="replace")

    return call


def test_every_command_is_listed_and_loads() -> None:
    group = get_command(app)
    assert isinstance(group, LazyGroup)
    group.load_all()
    for name, command in group.commands.items():
        assert command.name == name
        assert command.help, name
    modules = {name: import_module(f"tengen.cli.{name}") for _, name, _ in iter_modules(tengen.cli.__path__)}
    files = {name for name, module in modules.items() if (module.__doc__ or "").startswith(f"`tengen {name}`")}
    assert files == {*group.commands}


def test_help_loads_no_command() -> None:
    """The list of commands is what people look at first, and most often: it must not take a second."""
    code = "import sys; from tengen.cli import app; app(['--help'], standalone_mode=False); print(*sys.modules)"
    loaded = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True).stdout.split()
    assert "tengen.cli" in loaded
    assert not {"tengen.cli.solve", "tengen.play", "tengen.prove", "tengen.web", "tengen.grid"} & {*loaded}


@pytest.mark.parametrize(
    "arguments", [("show", "J10"), ("threats", "J10"), ("solve", "J10"), ("puzzle", "sheet"), ("fair",)]
)
def test_standard_output_holds_one_thing(run: Run, arguments: tuple[str, ...]) -> None:
    to_output = ["--out" if "sheet" in arguments else "--svg", "-"]
    code, out, err = run(*arguments, "--json", *to_output)
    assert (code, out) == (3, "")
    assert "one thing" in err


def test_show_draws_the_board_of_moves(run: Run) -> None:
    code, out, _ = run("show", "J10 J9K11 K9I11")
    assert code == 0
    lines = out.splitlines()
    assert len(lines) == 19 + 3
    row_10 = next(line for line in lines if line.startswith("10 "))
    assert row_10.split().index("X1") == 1 + 9
    assert "(X3)" in out
    assert lines[-1] == "White to place 2 stones."


def test_show_takes_words_set_ups_files_and_standard_input(run: Run, tmp_path: Path) -> None:
    expected = Position(moves=MOVES)
    game = tmp_path / "a game.sgf"
    game.write_text(LITTLE_GOLEM)
    positions = tmp_path / "positions.txt"
    positions.write_text(f"# a comment\n{MOVES}\nJ10\n")
    for arguments, stdin in (
        ([MOVES], ""),
        (MOVES.split(), ""),
        ([str(game)], ""),
        ([str(positions)], ""),
        (["-"], LITTLE_GOLEM),
        (["-"], MOVES),
        (["-"], CCGC),
    ):
        code, out, _ = run("show", "--json", *arguments, stdin=stdin)
        assert code == 0
        assert json.loads(out)["position"] == str(expected)
    code, out, _ = run("show", "--json", str(positions), "--record", "2")
    assert json.loads(out)["position"] == "J10"


def test_show_answers_in_json(run: Run) -> None:
    code, out, _ = run("show", "--game", "tic-tac-toe", "A1 B1 A2 B2 A3", "--json")
    answer = json.loads(out)
    assert code == 0
    assert answer["winner"] == "black"
    assert answer["winning_row"] == ["A1", "A2", "A3"]
    assert answer["stones"] == {"black": ["A1", "A2", "A3"], "white": ["B1", "B2"]}
    code, out, _ = run("show", "--game", "Connect(19,19,6,2,3)", "J10L10K11", "--json")
    answer = json.loads(out)
    assert (answer["turn"], answer["stones_left"], answer["game"]) == ("white", 2, "Connect(19,19,6,2,3)")


def test_show_steps_through_a_record(run: Run, tmp_path: Path) -> None:
    game = tmp_path / "game.sgf"
    game.write_text(LITTLE_GOLEM)
    for at, moves in (("0", 0), ("2", 2), ("-1", 4)):
        code, out, _ = run("show", str(game), "--at", at, "--json")
        assert code == 0
        assert len(json.loads(out)["moves"]) == moves
    code, _, err = run("show", str(game), "--at", "9")
    assert code == 3
    assert "the main line has 5" in err


def test_show_writes_diagrams(run: Run, tmp_path: Path) -> None:
    svg, png = tmp_path / "d.svg", tmp_path / "d.png"
    code, _, err = run("show", MOVES, "--svg", str(svg), "--png", str(png), "--area", "F6:N14", "--scale", "0.5")
    assert code == 0
    assert "wrote" in err
    assert svg.read_text().startswith("<svg ")
    assert png.read_bytes().startswith(b"\x89PNG")
    code, out, _ = run("show", MOVES, "--svg", "-")
    assert out.startswith("<svg ")


@pytest.mark.parametrize(
    ("arguments", "code", "reason"),
    [
        (["show", "J10 A20"], 3, "A20 is off the board"),
        (["show", "nothing.sgf"], 4, "nothing.sgf: No such file"),
        (["show", "what is this"], 3, "'what' at character 1"),
        (["show", "--game", "chess", "J10"], 3, "'chess' is no game"),
        (["show", "--nonsense", "J10"], 3, "No such option"),
        (["show", "J10", "--area", "here"], 3, "no area"),
        (["show", "J10", "--area", "Z50:Z60"], 3, "off the board"),
        (["show", "library:99"], 3, "no record 99"),
        (["show", "library:x"], 3, "library:"),
        (["show"], 3, "Missing argument"),
        (["show", "J10", "--png", "/nowhere/at/all.png"], 4, "No such file or directory"),
        (["play", "--against", "nobody"], 3, "'nobody' is no agent"),
        (["convert", "a.sgf"], 3, "one input and one output"),
        (["convert", "nothing.sgf", "b.sgf"], 4, "nothing.sgf"),
        (["convert", "nothing.sgf", "b.pgn"], 3, "which format"),
        (["convert", "nothing.sgf", "-"], 3, "--to"),
        (["frobnicate"], 3, "No such command"),
    ],
)
def test_trouble_is_one_clear_sentence(run: Run, arguments: list[str], code: int, reason: str) -> None:
    actual, out, err = run(*arguments)
    assert actual == code
    assert reason in re.sub(r"\s+", " ", err.replace("│", ""))
    assert out == ""
    assert "Traceback" not in err


def test_games_lists_and_explains(run: Run) -> None:
    code, out, _ = run("games")
    assert code == 0
    assert "Connect(19,19,6,2,1)" in out
    code, out, _ = run("games", "--json")
    assert {"name": "Gomoku", "m": 15, "n": 15, "k": 5, "p": 1, "q": 1}.items() <= json.loads(
        out.splitlines()[4]
    ).items()
    code, out, _ = run("games", "15x15", "k5", "p1", "q1")
    assert "Black begins with one stone on a board of 15 x 15" in out


def test_convert_between_formats(run: Run, tmp_path: Path) -> None:
    source, sgf, lines = tmp_path / "a.txt", tmp_path / "b.sgf", tmp_path / "c.jsonl.gz"
    source.write_text(MOVE_LIST + "\n" + MOVE_LIST)
    code, _, err = run("convert", str(source), str(sgf))
    assert code == 0
    assert "wrote 2 records" in err
    code, out, _ = run("convert", str(sgf), str(source), str(lines), "--json")
    assert json.loads(out)["records"] == 4
    assert [r.position() for r in read_file(lines)] == [Position(moves=MOVES)] * 4
    code, out, _ = run("convert", "-", "-", "--to", "nctu", stdin=MOVE_LIST)
    assert ";B[JJ];W[KK];W[IK]" in out
    folder = tmp_path / "each"
    code, _, _ = run("convert", str(sgf), f"{folder}/", "--to", "connectk")
    assert sorted(path.name for path in folder.iterdir()) == ["000001.connectk", "000002.connectk"]


def test_convert_says_what_a_format_cannot_hold(run: Run, tmp_path: Path) -> None:
    source = tmp_path / "a.sgf"
    source.write_text("(;FF[4];B[j10]C[hello](;W[k10k11])(;W[a1a2]))")
    code, out, _ = run("convert", str(source), str(tmp_path / "b.jsonl"), "--json")
    assert json.loads(out)["lost"] == {"variations": 1, "comments": 1}
    code, _, err = run("convert", str(source), str(tmp_path / "b.jsonl"))
    assert code == 0
    assert "no place for variations (1)" in err


def test_convert_stops_at_an_illegal_move_and_writes_nothing(run: Run, tmp_path: Path) -> None:
    source, target = tmp_path / "a.sgf", tmp_path / "b.sgf"
    source.write_text("(;FF[4];B[j10])\n(;FF[4];B[j10];W[j10k10])")
    code, _, err = run("convert", str(source), str(target))
    assert code == 3
    assert "a.sgf: line 2, column 16: J10 is occupied" in err
    assert not target.exists()
    code, out, _ = run("convert", "--lenient", str(source), str(target), "--json")
    assert code == 0
    assert len(json.loads(out)["problems"]) == 1


def test_library(run: Run, tmp_path: Path) -> None:
    code, _, err = run("library", "list")
    assert code == 0
    assert "empty" in err
    code, out, _ = run("library", "add", MOVES, "--title", "mine")
    assert out.strip() == "kept as library:1"
    assert json.loads(run("library", "list", "--json")[1])["title"] == "mine"
    assert json.loads(run("show", "library:1", "--json")[1])["position"] == MOVES
    code, _, _ = run("library", "export", "1", str(tmp_path / "x.sgf"))
    assert next(read_file(tmp_path / "x.sgf")).position() == Position(moves=MOVES)
    code, out, _ = run("library", "export", "1", "-", "--to", "moves")
    assert (code, out.strip()) == (0, MOVE_LIST.strip())
    assert "with --to" in run("library", "export", "1", "-")[2]
    assert run("library", "remove", "1")[0] == 0
    assert run("library", "remove", "1")[0] == 3


def test_what_a_file_holds_does_not_steer_the_terminal(run: Run, tmp_path: Path) -> None:
    game = tmp_path / "game.sgf"
    game.write_text("(;GM[511]GN[a\x1b\\]0;b\x07]PB[\x9bAnn];B[j10]C[\x1bc gone\r\n\there])")
    for command in (("show", str(game)), ("audit", str(game)), ("solve", "--file", str(game))):
        code, out, err = run(*command)
        assert code in (0, 1), err
        assert not set(out + err) & set("\x1b\x07\x9b")
    assert "\N{REPLACEMENT CHARACTER}c gone" in run("show", str(game))[1]


@posix_only
@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (["sudoku", "check", "grid.txt"], "searching"),
        (["puzzle", "mine", "game.sgf"], "mining"),
        (["puzzle", "mine", "game.sgf", "--missed"], "looking through"),
        (["puzzle", "sheet", "--count", "1"], "drawing"),
        (["play", "--as", "white"], "engine:level=5 is thinking"),
    ],
)
def test_long_work_is_seen_in_a_terminal(tmp_path: Path, arguments: list[str], said: str) -> None:
    import pty  # where there is one

    (tmp_path / "game.sgf").write_text(LITTLE_GOLEM)
    (tmp_path / "grid.txt").write_text(
        "639241785284765193517983624123857946796432851458619237342178569861594372975326418"
    )
    screen, terminal = pty.openpty()
    command = [sys.executable, "-m", "tengen", *arguments]
    environment = {**os.environ, "TERM": "xterm", "COLUMNS": "100"}  # no bars are drawn on a dumb terminal
    with subprocess.Popen(
        command, cwd=tmp_path, stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=terminal, env=environment
    ) as process:
        os.close(terminal)
        seen = b""
        with suppress(OSError):  # nobody writes any more
            while said.encode() not in seen and (more := os.read(screen, 1000)):
                seen += more
        os.close(screen)
        process.kill()
    assert said.encode() in seen


def test_play_a_game_against_the_opponent(run: Run) -> None:
    code, out, err = run("play", "--seed", "1", stdin="J10\nbad move\nJ10\nA1\nA2\nundo\nA2\nmoves\nnumbers\nhelp\n")
    assert code == 0
    assert "White (engine:level=5) plays" in out
    assert "'bad move' is no command and no square" in err
    assert "J10 is occupied by a black stone" in err
    assert "Kept as library:1" in out
    with Store() as store:
        record = store.get(1)
    assert record.root.get("PB") == "you"
    assert len(record.moves()) >= 4


def test_play_two_people_to_the_end_and_save(run: Run, tmp_path: Path) -> None:
    target = tmp_path / "won.sgf"
    code, out, _ = run(
        "play",
        "--as",
        "both",
        "--game",
        "tic-tac-toe",
        "--no-keep",
        stdin=f"A1\nB1\nsave {target}\nA2\nB2\nA3\n",
    )
    assert code == 0
    assert "Black has won: A1 to A3." in out
    assert next(read_file(target)).position().stone_count == 2
    with Store() as store:
        assert store.entries() == []


def test_play_resign_and_go_on_from_the_library(run: Run) -> None:
    run("play", "--as", "white", "--seed", "3", stdin="resign\n")
    with Store() as store:
        record = store.get(1)
    assert record.result == "B+Resign"
    code, out, _ = run("play", "--from", "library:1", "--as", "both", stdin="A1B1\nquit\n")
    assert code == 0
    assert "Kept as library:2" in out


def test_play_keeps_a_game_that_took_moves_back(run: Run) -> None:
    start = ("play", "--as", "both", "--from", "J10 K11K12", "--game", "connect6")
    assert "Kept" not in run(*start, stdin="undo\nquit\n")[1]  # nothing that was not there before
    assert "Kept as library:1" in run(*start, stdin="undo\nA1B1\nquit\n")[1]
    with Store() as store:
        assert str(store.get(1).position()) == "J10 A1B1"


def test_play_keeps_no_game_in_which_nobody_moved(run: Run) -> None:
    assert "Kept" not in run("play", "--as", "white", "--seed", "3")[1]
    assert "Kept" not in run("play", "--as", "white", "--seed", "3", stdin="A1B1\nundo\nquit\n")[1]
    assert "Kept as library:1" in run("play", "--as", "white", "--seed", "3", stdin="A1B1\nquit\n")[1]


def test_play_says_why_a_game_cannot_be_saved(run: Run, tmp_path: Path) -> None:
    nowhere = tmp_path / "nowhere" / "game.sgf"
    _, _, err = run("play", "--as", "both", stdin=f"J10\nsave {nowhere}\nsave game\n")
    assert err.splitlines()[0] == f"{nowhere}: No such file or directory"
    assert "end it in .connectk, .jsonl, .sgf" in err


def test_play_on_the_infinite_board(run: Run) -> None:
    code, out, _ = run("play", "--game", "Connect(6,2,1)", "--seed", "2", stdin="J10\n")
    assert code == 0
    assert "White (engine:level=5) plays" in out


def test_the_board_in_colour() -> None:
    console = Console(file=io.StringIO(), force_terminal=True, color_system="truecolor", width=200)
    print_board(console, Position(moves=MOVES), numbers=True)
    output = console.file.getvalue()  # type: ignore[attr-defined]
    assert "\x1b[" in output
    assert len(output.splitlines()) == 21


def test_version_help_and_completion_as_installed() -> None:
    tengen = str(Path(sys.executable).with_name("tengen"))
    assert subprocess.run([tengen, "--version"], capture_output=True, text=True, check=True).stdout == "tengen 0.1.0\n"
    help_text = subprocess.run([tengen, "--help"], capture_output=True, text=True, check=True).stdout
    assert all(command in help_text for command in ("show", "convert", "play", "games", "library", "completion"))


WIN_IN_4 = "J10 I9K9 J8L9 I11K11"


def test_solve_tells_the_win_and_its_exit_code(run: Run, tmp_path: Path) -> None:
    code, out, _ = run("solve", WIN_IN_4)
    assert code == 0
    assert "Black wins in 4 attacking moves" in out
    assert "1. " in out
    code, out, _ = run("solve", WIN_IN_4, "--json", "--shortest", "--sgf", str(tmp_path / "win.sgf"))
    answer = json.loads(out)
    assert (code, answer["result"], answer["kind"], answer["attacker_moves"]) == (0, "win", "vcdt", 4)
    assert answer["line"][0] == answer["first_move"]
    assert len(answer["line"]) == 7
    assert answer["nodes"] > 0
    assert answer["seconds"] >= 0
    assert [str(m) for m in next(read_file(tmp_path / "win.sgf")).moves()][4:] == answer["line"]


def test_a_long_strategy_is_shown_in_part_unless_told(run: Run) -> None:
    _, out, _ = run("solve", WIN_IN_4)
    shown = re.findall(r"(\w+) → \w+( …)?$", out, re.MULTILINE)
    assert len(out.splitlines()) <= 25
    assert (len(shown), sum(bool(more) for _, more in shown)) == (12, 9)
    assert "… 27 more replies (--whole prints them all)" in out
    _, out, _ = run("solve", WIN_IN_4, "--whole")
    assert out.count("→") == 39
    assert "…" not in out


def test_a_win_without_its_strategy_says_so(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    solution = Solution("win", "order 3", BLACK, Position(), 7, 1.0, 5, "order 3")
    with pytest.raises(typer.Exit) as end:
        finish(solution, Output(json=False, sgf=str(tmp_path / "x.sgf"), proof=str(tmp_path / "x.tpf")))
    assert end.value.exit_code == 0
    assert list(tmp_path.iterdir()) == []
    out = capsys.readouterr().out
    assert out.startswith("Black wins (order 3, 7 nodes")
    assert "rests on the search alone" in out


def test_solve_knows_none_and_unknown(run: Run) -> None:
    code, out, _ = run("solve", "J10 I9K9", "--json")
    assert (code, json.loads(out)["result"]) == (1, "none")
    code, out, _ = run("solve", WIN_IN_4, "--depth", "2", "--json")
    assert (code, json.loads(out)["result"]) == (2, "unknown")
    code, out, _ = run("solve", WIN_IN_4, "--nodes", "3")
    assert code == 2
    assert "a limit came first" in out
    code, out, _ = run("solve", "J10 I9K9")
    assert (code, "Black has no forced win of this kind" in out) == (1, True)
    code, out, _ = run("solve", "J10 I9K9", "--kind", "vcst")
    assert (code, "not every move was tried" in out) == (1, True)
    code, out, _ = run("solve", "Connect(6,2,1) J10 I9K9")
    assert (code, "beyond the part that was searched" in out) == (2, True)


def test_solve_for_another_side_kind_and_all_moves(run: Run) -> None:
    _, out, _ = run("solve", "--game", "Connect(19,19,6,2,3)", "J10L10K11", "--side", "black", "--all", "--json")
    answer = json.loads(out)
    assert answer["side"] == "black"
    assert len(answer["first_moves"]) > 1
    assert answer["all_known"]
    _, out, _ = run("solve", "--kind", "vcst", WIN_IN_4, "--json")
    assert (json.loads(out)["kind"], json.loads(out)["found"]) == ("vcst", "vcdt")
    _, out, _ = run("solve", "--all", "Connect(19,19,6,2,3) J10L10K11", "--side", "black")
    assert "wins in" in out


def test_solve_a_file_of_positions_in_order(run: Run, tmp_path: Path) -> None:
    lines = [WIN_IN_4, "J10 I9K9", "J10 nonsense", "Connect(15,15,5,1,1) H8"]
    source = tmp_path / "positions.txt"
    source.write_text("# four positions\n" + "\n".join(lines) + "\n")
    for jobs in ("1", "2"):
        code, out, _ = run("solve", "--file", str(source), "--json", "--jobs", jobs)
        answers = [json.loads(line) for line in out.splitlines()]
        assert [answer["result"] for answer in answers] == ["win", "none", "unknown", "none"]
        assert "'nonsense'" in answers[2]["error"]
        assert code == 3
    source.write_text(WIN_IN_4)
    code, out, _ = run("solve", "--file", str(source))
    assert code == 0
    assert out.startswith("1: win in 4")


def test_solve_finds_where_a_game_missed_a_win(run: Run, tmp_path: Path) -> None:
    games = tmp_path / "games.txt"
    games.write_text("1.j10 2.i9k9 3.j8l9 4.i11k11 5.a1a2 6.b1b2\n1.j10 2.i9k9 3.j8l9\n")
    code, out, _ = run("solve", "--file", str(games), "--json")
    first, second = (json.loads(line) for line in out.splitlines())
    assert code == 0
    assert (first["missed"]["move"], first["missed"]["side"], first["missed"]["played"]) == (5, "black", "A1A2")
    assert first["missed"]["attacker_moves"] == 4
    assert second["missed"] is None
    assert (first["number"], second["number"]) == (1, 2)
    assert "move 5, black played A1A2" in run("solve", "--file", str(games))[1]


@pytest.mark.parametrize(
    ("arguments", "reason"),
    [
        (["solve"], "give a position"),
        (["solve", "J10", "--file", "x"], "not both"),
        (["solve", "J10", "--kind", "vcf"], "no kind of win"),
        (["solve", "J10", "--method", "magic"], "no method"),
        (["solve", "J10", "--side", "red"], "no colour"),
        (["solve", "B: A1 B1 C1 D1 E1 F1 W: A9 to move: W"], "over"),
        (["solve", "J10", "--seconds", "0"], "0.001"),
    ],
)
def test_bad_questions_to_the_solver(run: Run, arguments: list[str], reason: str) -> None:
    code, _, err = run(*arguments)
    assert code == 3
    assert reason in re.sub(r"\s+", " ", err.replace("│", ""))


def test_an_undecided_game_is_not_called_clean(run: Run, tmp_path: Path) -> None:
    games = tmp_path / "games.txt"
    games.write_text("1.j10 2.k10k11 3.j11j12 4.m10m11 5.a1a2\n")
    out = run("solve", "--file", str(games), "--nodes", "2")[1]
    assert "undecided" in out
    assert run("solve", "--file", str(games), "--sgf", "x.sgf")[0] == 3


@posix_only
@pytest.mark.parametrize("trouble", ["Ctrl-C", "interrupt of the parent", "end of a worker"])
def test_a_file_of_positions_ends_at_once_with_its_workers(tmp_path: Path, trouble: str) -> None:
    source = tmp_path / "positions.txt"
    source.write_text("J10 J9K11 I9L11 L10K8 I10M9\n" * 8)
    process = subprocess.Popen(
        [
            *(sys.executable, "-c", "from tengen.cli import main; main()", "solve", "--file", str(source)),
            *("--kind", "vcst", "--wide", "--jobs", "2"),
        ],
        stderr=subprocess.PIPE,
        stdout=subprocess.PIPE,
        text=True,
        start_new_session=True,
    )
    workers = children_of(process.pid, 2)
    if trouble == "Ctrl-C":
        os.killpg(process.pid, signal.SIGINT)
    elif trouble == "interrupt of the parent":
        process.send_signal(signal.SIGINT)
    else:
        workers[0].kill()
    _, err = process.communicate(timeout=60)
    assert process.returncode == (4 if trouble == "end of a worker" else 130), err
    assert ("a worker process was killed" in err) == (trouble == "end of a worker")
    assert "Traceback" not in err
    assert all_end(workers)


@posix_only
def test_workers_end_with_a_program_that_is_killed(tmp_path: Path) -> None:
    source = tmp_path / "positions.txt"
    source.write_text("J10 J9K11 I9L11 L10K8 I10M9\n" * 8)
    command = [*(sys.executable, "-m", "tengen", "solve", "--file", str(source)), *("--kind", "vcst", "--wide")]
    with subprocess.Popen([*command, "--jobs", "2"], stderr=subprocess.DEVNULL, stdout=subprocess.DEVNULL) as process:
        workers = children_of(process.pid, 2)
        process.kill()
    assert all_end(workers)


@pytest.mark.parametrize(
    ("arguments", "code", "said"),
    [
        (["show", "games.d"], 4, "games.d: Is a directory"),
        (["show", f"library:{10**30}"], 3, "no record"),
        (["library", "remove", f"{10**30}"], 3, "no record"),
        (["show", "garbage.x"], 3, "garbage.x: line 1, column 1: this looks like no record; the formats are sgf"),
        (["show", "lines.txt"], 3, "looks like no record; the formats are sgf"),
        (["show", "lines.txt"], 3, "nor is it a position: 'Dear' at character 1 is no square"),
        (["library", "add", "garbage.x"], 3, "garbage.x: line 1, column 1: this looks like no record"),
        (["solve", "--file", "garbage.x"], 3, "garbage.x: line 1, column 1: this looks like no record"),
        (["match", "random", "random", "--openings", "garbage.x"], 3, "garbage.x: line 1, column 1: this looks like"),
        (["book", "show", "mine"], 4, "you have no book yet: 'tengen book build RECORDS... mine'"),
        (["opening", "show", "--book", "mine"], 4, "you have no book yet"),
        (["match", "random", "opening-book:mine"], 4, "you have no book yet"),
        (["solve", "--file", "empty"], 3, "neither a position nor a game"),
        (["solve", "--file", "illegal.sgf"], 3, "illegal.sgf: line 1, column 10: J10 is occupied"),
        (["solve", "J10", "--proof", "-"], 3, "file with a name"),
        (["solve", "J10", "--sgf", "-"], 3, "file with a name"),
        (["check", "-"], 3, "standard input: it is no proof"),
        (["engine", "-p", "gtp", "--nodes", f"{10**30}"], 3, "nodes must be above 0, and not absurd"),
        (["prove", "J10", "--grid", "local:1", "--job-nodes", f"{10**30}"], 3, "less than or equal to"),
        (["simulate", "garbage.x"], 3, "no journal"),
        (["prove", "J10", "--grid", "garbage.x"], 3, "no invitation"),
        (["prove", "J10", "--grid", "local:1", "--journal", "garbage.x", "--resume"], 3, "no journal"),
        (["draw", "search", "--journal", "garbage.x"], 3, "no journal"),
        (["worker", "--join", "other.json"], 3, "it lacks 'tengen-grid'"),
        (["puzzle", "list", "--file", "garbage.x"], 3, "line of JSON"),
        (["puzzle", "mine", "garbage.x"], 3, "garbage.x: line 1"),
        (["puzzle", "mine", "game.sgf", "--out", "garbage.x"], 3, "something else than puzzles"),
        (["puzzle", "mine", "game.sgf", "--out", "other.json"], 3, "something else than puzzles"),
        (["sudoku", "check", "grids.txt"], 4, "grids.txt: No such file"),
        (["sudoku", "check", "garbage.x"], 3, "garbage.x: 'g' is no digit"),
        (["sudoku", "check", "games.d"], 4, "games.d: Is a directory"),
        (["opening", "take", "garbage.x"], 3, "garbage.x: it is no proof file"),
        (["opening", "show", "J10", "--folder", "garbage.x"], 3, "garbage.x is a file"),
        (["audit", "library:x"], 4, "tengen: library:x: No such file"),
        (["puzzle", "mine", "-"], 3, "name one instead of -"),
    ],
)
def test_wrong_files_are_named_and_left_as_they_are(
    run: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, arguments: list[str], code: int, said: str
) -> None:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "games.d").mkdir()
    files = {
        "garbage.x": b"garbage \x00\xff",
        "other.json": b'{"a": 1}',
        "lines.txt": b"Dear friend,\nhow are you?\n",
        "empty": b"",
        "game.sgf": LITTLE_GOLEM.encode(),
        "illegal.sgf": b"(;B[j10];W[j10k9])",
    }
    for name, content in files.items():
        (tmp_path / name).write_bytes(content)
    for _ in range(2):  # what one call leaves behind must not mislead the next
        found, out, err = run(*arguments)
        assert (found, out) == (code, "")
        assert said in " ".join(err.split())
    assert {name: (tmp_path / name).read_bytes() for name in files} == files


@pytest.mark.parametrize(
    ("arguments", "codes"),
    [
        (["sudoku", "check", "-"], (3,)),
        (["puzzle", "solve"], (0, 1)),
        (["play"], (0,)),
        (["audit", "-"], (3,)),
        (["show", "-"], (3,)),
    ],
    ids=lambda value: " ".join(map(str, value)),
)
def test_standard_input_that_is_no_text(arguments: list[str], codes: tuple[int, ...]) -> None:
    done = subprocess.run(
        [sys.executable, "-m", "tengen", *arguments], input=b"\xff\x00\x80\n", capture_output=True, timeout=60
    )
    assert b"Traceback" not in done.stderr
    assert done.returncode in codes


def test_games_from_standard_input(run: Run, tmp_path: Path) -> None:
    code, out, _ = run("audit", "-", "--json", stdin=LITTLE_GOLEM)
    assert code in (0, 1, 2)
    assert json.loads(out)
    won = "(;FF[4]RE[B];B[j10];W[i9k11];B[h8h9])"
    book = tmp_path / "own.book"
    assert run("book", "build", "-", str(book), stdin=won)[0] == 0
    _, out, _ = run("book", "add", str(book), "-", "--json", stdin=won.replace("h8", "g8"))
    assert json.loads(out)["added"] == 1


@posix_only
@pytest.mark.parametrize(
    "arguments",
    [
        ["solve", "J10 I9K9 J8L9 I11K11", "--proof", "out"],
        ["show", "J10", "--svg", "out"],
        ["puzzle", "sheet", "--out", "out"],
        ["prove", "Connect(7,7,4,1,1) D4 B2", "--side", "black", "--grid", "local:1", "--journal", "out"],
        ["match", "random", "random", "--games", "2", "--time", "none", "--out", "cup"],
    ],
    ids=lambda arguments: arguments[0],
)
def test_a_file_that_cannot_grow_is_named_and_not_left_behind(tmp_path: Path, arguments: list[str]) -> None:
    """As on a full disk: whoever sets no signal for it gets an error from the write."""
    code = (
        "import resource, signal, sys; signal.signal(signal.SIGXFSZ, signal.SIG_IGN); "
        "resource.setrlimit(resource.RLIMIT_FSIZE, (16, 16)); from tengen.cli import main; main()"
    )
    done = subprocess.run(
        [sys.executable, "-c", code, *arguments],
        cwd=tmp_path,
        env={**os.environ, "TENGEN_DATA": str(tmp_path / "data"), "PYTHONDONTWRITEBYTECODE": "1"},
        capture_output=True,
        text=True,
        timeout=120,
    )
    assert done.returncode == 4, done.stderr
    assert "Traceback" not in done.stderr
    assert re.search(r"tengen: \S*(out|cup\S*): File too large", done.stderr), done.stderr
    assert not [path for path in tmp_path.rglob("*") if path.is_file() and path.stat().st_size > 16]
