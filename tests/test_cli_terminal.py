"""What is seen of the command line on a terminal: lines that fit, and things in their places."""

import io
import re
from typing import Any

import pytest
import typer
from rich.console import Console
from typer.main import get_command

from tengen.cli import app, sudoku
from tengen.cli.board import print_board
from tengen.cli.common import _PlainConsole
from tengen.game import Game, Position

SENTENCE = "Black begins with one stone on a board of 19 x 19, then each places 2 stones in turn."


def all_commands() -> dict[str, Any]:
    """Every command by its name, with its usage."""
    group: Any = get_command(app)
    group.load_all()
    waiting, found = [("tengen", group)], {}
    while waiting:
        name, command = waiting.pop()
        below = getattr(command, "commands", None)
        if below is None:
            found[name] = command
        else:
            waiting += [(f"{name} {word}", one) for word, one in below.items()]
    return found


def test_help_names_things_as_people_do() -> None:
    usages = {}
    for name, command in all_commands().items():
        context = typer.Context(command, info_name=name, help_option_names=["-h", "--help"])
        text = command.get_help(context)
        usages[name] = command.get_usage(context)
        assert "<bool>" not in text, name
        assert not re.search(r"<(str|int|float|list)\b", text), name
        assert "{" not in usages[name], name
    assert usages["tengen show"].endswith("[OPTIONS] POSITION...")
    assert usages["tengen solve"].endswith("[OPTIONS] [POSITION]...")
    assert usages["tengen book build"].endswith("[OPTIONS] RECORDS... BOOK")
    assert usages["tengen agents"].endswith("[OPTIONS] [NAME]")


def terminal(width: int = 80) -> tuple[_PlainConsole, io.StringIO]:
    """A console on a terminal, and what is written to it."""
    file = io.StringIO()
    return _PlainConsole(file=file, force_terminal=True, color_system=None, width=width), file


@pytest.mark.parametrize("width", [20, 80])
def test_sentences_are_broken_between_words_on_a_terminal(width: int) -> None:
    console, file = terminal(width)
    console.print(SENTENCE)
    lines = file.getvalue().splitlines()
    assert len(lines) > 1
    assert all(len(line) <= width for line in lines)
    assert " ".join(line.strip() for line in lines) == SENTENCE


def test_sentences_are_not_broken_elsewhere() -> None:
    console = _PlainConsole(file=io.StringIO(), width=20)
    console.print(SENTENCE)
    assert isinstance(console.file, io.StringIO)
    assert console.file.getvalue() == SENTENCE + "\n"


def test_what_is_to_be_pasted_is_never_broken() -> None:
    console, file = terminal(20)
    console.print(SENTENCE, soft_wrap=True)
    assert isinstance(console, Console)
    assert file.getvalue() == SENTENCE + "\n"


@pytest.mark.parametrize("moves", ["AD30", "AD30 AE31AF32", "AD30 A1BG59 BG58BG57", "A1", ""])
def test_a_board_wider_than_the_terminal_is_cropped_to_what_matters(moves: str) -> None:
    console, file = terminal()
    position = Position(Game(59, 59, 6, 2, 1), moves.split())
    print_board(console, position)
    *board, note = file.getvalue().splitlines()
    assert len(board) == 61
    assert all(len(line) <= 80 for line in board)
    assert "--area" in note
    for square in position.moves[-1].squares if position.moves else ():
        assert square.column in board[0].split()


def test_a_board_that_fits_or_is_not_on_a_terminal_is_whole() -> None:
    console, file = terminal()
    print_board(console, Position(moves="J10"))
    assert len(file.getvalue().splitlines()) == 21
    console = _PlainConsole(file=io.StringIO(), width=20)
    print_board(console, Position(moves="J10"))
    assert isinstance(console.file, io.StringIO)
    assert len(console.file.getvalue().splitlines()) == 21


def test_a_solved_sudoku_is_a_square_on_a_terminal(monkeypatch: pytest.MonkeyPatch) -> None:
    console, file = terminal()
    monkeypatch.setattr(sudoku, "out", console)
    with pytest.raises(typer.Exit) as end:
        sudoku.solve("63924178528476519351798362412385794679643285145861923734217856986159437297532641.")
    assert end.value.exit_code == 0
    lines = file.getvalue().splitlines()
    assert lines[0] == "6 3 9 | 2 4 1 | 7 8 5"
    assert lines[10] == "9 7 5 | 3 2 6 | 4 1 8"
    assert lines[-1] == "1 solution"
