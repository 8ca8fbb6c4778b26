"""Records of collections on the command line, the library, and books that are there already."""

import json
from pathlib import Path

import pytest
from test_cli import Run, run

__all__ = ["run"]  # a fixture
GAMES = "(;GM[511]SZ[19]RE[B+];B[j10];W[i9k9])\n(;GM[511]SZ[19]GN[second]RE[W+Resign];B[j10];W[a1a2];B[b1b2])\n"


@pytest.fixture
def games(tmp_path: Path) -> str:
    file = tmp_path / "games.sgf"
    file.write_text(GAMES)
    return str(file)


def test_all_records_of_a_collection_are_kept(run: Run, games: str) -> None:
    assert run("library", "add", games)[1].strip() == "2 records kept as library:1 to library:2"
    assert run("library", "add", games, "--record", "2")[1].strip() == "kept as library:3"
    assert [json.loads(line)["number"] for line in run("library", "add", games, "--json")[1].splitlines()] == [4, 5]
    assert run("library", "add", "-", stdin="J10\n# a remark\nJ10 K11L12\n")[1].startswith("2 records")
    code, _, err = run("library", "add", "-", stdin="\n")
    assert code == 3
    assert "nothing in it" in err


def test_the_list_tells_the_game_by_its_name_and_how_it_ended(run: Run, games: str) -> None:
    run("library", "add", games)
    run("library", "add", "gomoku", "H8")
    listed = {entry["number"]: entry for entry in map(json.loads, run("library", "list", "--json")[1].splitlines())}
    assert [listed[number]["result"] for number in (1, 2, 3)] == ["B+", "W+Resign", None]
    _, out, _ = run("library", "list")
    assert "Connect6" in out
    assert "Gomoku" in out
    assert "W+Resign" in out
    assert "Connect(" not in out


def test_which_record_of_a_collection_is_shown_is_said(run: Run, games: str, tmp_path: Path) -> None:
    assert "record 1 of 2: --record N takes another" in run("show", games)[2]
    assert "record 2 of 2" in run("show", games, "--record", "2")[2]
    assert "record" not in run("show", "J10")[2]
    code, _, err = run("show", games, "--record", "3")
    assert code == 3
    assert "there is no record 3: it has 2" in err
    lines = tmp_path / "positions.txt"
    lines.write_text("J10\nJ10 K11L12\n")
    assert "record 1 of 2" in run("show", str(lines))[2]


def test_a_game_begins_from_a_record_of_a_collection(run: Run, games: str) -> None:
    _, out, _ = run("play", "--from", games, "--record", "2", "--at", "2", "--as", "both", stdin="moves\nquit\n")
    assert "J10 A1A2" in out
    assert "B1B2" not in out


def test_a_book_that_is_there_is_not_replaced_unless_told(run: Run, games: str, tmp_path: Path) -> None:
    book = str(tmp_path / "my.book")
    assert run("book", "build", games, book)[0] == 0
    code, _, err = run("book", "build", games, book)
    assert code == 3
    assert "tengen book add" in err
    assert "--replace" in err
    assert run("book", "build", games, book, "--replace")[0] == 0
