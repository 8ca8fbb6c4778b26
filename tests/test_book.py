"""The book of opening statistics: the paper's rule, what counts as the same position, files, and the agent."""

import csv
import json
from collections.abc import Iterator
from contextlib import suppress
from itertools import islice
from pathlib import Path

import pytest
from conftest import shared_data
from hypothesis import given
from hypothesis import strategies as st
from test_cli import Run, run  # noqa: F401

from tengen import CONNECT6, Game, Move, Position, Record, Square, Symmetry, TengenError, write_file
from tengen.game import symmetries
from tengen.play import BookMove, Budget, OpeningBook, Results, make_agent
from tengen.play.book import best_of, surest_of
from tengen.record import read_file


def record(moves: str, result: str) -> Record:
    made = Record.from_position(Position.parse(moves))
    made.root.set("RE", result)
    return made


def book(*games: tuple[str, str], turns: int = 8, game: Game = CONNECT6) -> OpeningBook:
    made = OpeningBook(game, turns)
    for moves, result in games:
        assert made.add(record(moves, result))
    return made


def seen(wins: int, losses: int, draws: int = 0) -> BookMove:
    return BookMove(Move("A1"), Results(wins, draws, losses))


# The paper's rule


@pytest.mark.parametrize(
    ("better", "worse"),
    [
        (seen(2, 0), seen(2, 1)),  # "2 wins out of 2 games is better that 2 wins out of 3 games"
        (seen(2, 1), seen(1, 0)),  # "but 2 wins out of 3 games is better than 1 win out of 1 game"
        (seen(7, 3), seen(2, 0)),  # 70 % of 10 games against both of 2: only the former is seen often enough
        (seen(3, 1), seen(7, 3)),  # 75 % and 70 %, both seen often enough
        (seen(1, 0), seen(2, 2)),  # one half is not above one half
        (seen(1, 2), seen(1, 3)),  # nor is less: the rarer one
    ],
)
def test_the_better_move_is_recommended(better: BookMove, worse: BookMove) -> None:
    assert best_of([better, worse]) is better
    assert best_of([worse, better]) is better


def test_nothing_is_recommended_where_all_that_is_known_is_bad() -> None:
    assert best_of([]) is None
    assert best_of([seen(2, 2), seen(0, 9)]) is None


# What is the same


def test_the_order_of_moves_does_not_matter() -> None:
    """A, B, C and C, B, A come to the same position (the paper's example)."""
    made = book(
        ("J10 K11L12 H8H9 G3G4 J11J12", "B+"),
        ("J10 G3G4 H8H9 K11L12 J11J12", "W+"),
    )
    moves = made.moves(Position.parse("J10 K11L12 H9H8 G4G3"))
    assert [(m.move, m.results) for m in moves] == [(Move("J11J12"), Results(1, 0, 1))]


@given(st.sampled_from(list(Symmetry)), st.integers(-3, 3), st.integers(-3, 3))
def test_symmetric_and_shifted_openings_are_one(symmetry: Symmetry, dx: int, dy: int) -> None:
    made = book(("J10 K11L10 H9I8", "B+"))
    position = Position.parse("J10 K11L10")
    image = Position(CONNECT6)
    for move in position.moves:
        image.play(Move(Square(x + dx, y + dy) for x, y in symmetry.move(move, 19, 19)))
    (found,) = made.moves(image)
    expected = Move(Square(x + dx, y + dy) for x, y in symmetry.move(Move("H9I8"), 19, 19))
    assert found == BookMove(expected, Results(1, 0, 0))
    made.add(record(f"{image} {expected}", "W+"))
    assert [m.results for m in made.moves(position)] == [Results(1, 0, 1)]


def test_equal_moves_of_a_symmetric_position_are_one() -> None:
    made = book(("J10 K11I9", "B+"), ("J10 I11K9", "B+"), ("J10 J11J9", "W+"))
    results = {m.results for m in made.moves(Position.parse("J10"))}
    assert results == {Results(0, 0, 2), Results(1, 0, 0)}  # for White, who is to move


def test_the_middle_of_a_turn_is_known_too() -> None:
    made = book(("J10 K11I9", "W+"))
    for placed in ("K11", "I9", "I11", "K9"):
        position = Position.parse(f"J10 {placed}")
        found = made.recommend(position)
        assert found is not None
        position.play(found.move)
        assert position.turn == 0
        assert made.moves(Position.parse("J10 A1")) == []


def test_games_with_three_first_stones() -> None:
    game = Game(19, 19, 6, 2, 3)
    made = book(("Connect(19,19,6,2,3) J10L10K11 K10K12", "B+"), game=game)
    shifted = Position.parse("Connect(19,19,6,2,3) D6E7F6")
    found = made.recommend(shifted)
    assert found is not None
    assert found.move == Move("E6E8")


def test_only_decided_games_of_the_kind_count_and_only_some_turns() -> None:
    made = OpeningBook(CONNECT6, turns=2)
    assert not made.add(record("J10 K11I9", "?"))
    assert not made.add(record("Connect(15,15,5,1,1) H8 H9", "B+"))
    assert not made.add(record("B: J10 W: K11 I9 to move: B then: A1A2", "B+"))
    assert made.add(record("J10 K11I9 A1A2 B1B2", "0"))
    assert made.games == 1
    assert len(made) == 3
    assert [m.results for m in made.moves(Position.parse("J10"))] == [Results(0, 1, 0)]
    assert made.moves(Position.parse("J10 K11I9")) == []
    assert made.moves(Position()) == []
    with pytest.raises(TengenError, match="the book is for"):
        made.moves(Position(Game(15, 15, 5, 1, 1), "H8"))


def test_a_move_off_the_board_is_not_recommended() -> None:
    made = book(("J10 J19J18", "W+"), ("J10 K11J9 A1S18", "B+"))
    (up,) = made.moves(Position.parse("A19"))
    assert up.move in (Move("A10A11"), Move("J19I19"))  # a mirror image of it fits
    assert made.moves(Position.parse("J10 K11J9")) != []
    assert made.moves(Position.parse("C3 D4C2")) == []


# Files and the agent


def test_a_book_is_read_as_it_was_written(tmp_path: Path) -> None:
    made = book(("J10 K11I9 A1A2 B1B2", "B+"), ("J10 K11J9", "W+"), ("J10 K11I9 C1A2", "0"))
    made.write(tmp_path / "a.book")
    again = OpeningBook.read(tmp_path / "a.book")
    assert (again.game, again.turns, again.games, len(again)) == (CONNECT6, 8, 3, len(made))
    for moves in ("J10", "J10 K11I9", "J10 K11I9 A1A2", "J10 I11K9"):
        assert again.moves(Position.parse(moves)) == made.moves(Position.parse(moves))


def test_games_are_added_to_a_file_once(tmp_path: Path) -> None:
    path = tmp_path / "a.book"
    book(("J10 K11I9 A1A2", "B+")).write(path)
    more = OpeningBook.read(path, to_add=True)
    assert more.add_all([record("J10 K11I9 A1A2", "B+"), record("J10 I11K9 B1B2", "W+")]) == 1
    more.close()
    again = OpeningBook.read(path)
    assert again.games == 2
    assert [m.results for m in again.moves(Position.parse("J10"))] == [Results(1, 0, 1)]
    with pytest.raises(TengenError, match="cannot be written"):
        again.add(record("J10 J11J12", "B+"))


def test_a_game_that_another_process_adds_meanwhile_counts_once(tmp_path: Path) -> None:
    path = tmp_path / "a.book"
    book(("J10 K11I9", "W+")).write(path)
    mine = OpeningBook.read(path, to_add=True)

    def games() -> Iterator[Record]:
        yield record("J10 K11I9 A1A2", "B+")
        other = OpeningBook.read(path, to_add=True)
        assert other.add(record("J10 K11I9 A1A2", "B+"))
        other.close()
        yield record("J10 K11I9 B1B2", "B+")

    assert mine.add_all(games()) == 1
    assert mine.games == 3
    assert [m.results for m in mine.moves(Position.parse("J10"))] == [Results(1, 0, 2)]
    mine.close()


def test_a_full_disk_is_told_as_such(tmp_path: Path) -> None:
    path = tmp_path / "a.book"
    book(("J10 K11I9", "W+")).write(path)
    mine = OpeningBook.read(path, to_add=True)
    (pages,) = mine._connection.execute("PRAGMA page_count").fetchone()
    mine._connection.execute(f"PRAGMA max_page_count = {pages}")
    many = [
        record(f"J10 {column}1{column}2 A{row}B{row}", "B+") for column in "CDEFGHIKLMNOPQRS" for row in range(1, 19)
    ]
    with pytest.raises(TengenError, match="full"):
        mine.add_all(many)
    mine._connection.execute("PRAGMA max_page_count = 10000")
    assert mine.add_all(many) == len(many)
    mine.close()


@given(st.data())
def test_a_broken_book_is_refused_or_read(tmp_path_factory: pytest.TempPathFactory, data: st.DataObject) -> None:
    path = tmp_path_factory.mktemp("books") / "a.book"
    book(("J10 K11I9 A1A2 B1B2", "B+")).write(path)
    content = bytearray(path.read_bytes())
    for _ in range(data.draw(st.integers(1, 20))):
        content[data.draw(st.integers(0, len(content) - 1))] = data.draw(st.integers(0, 255))
    path.write_bytes(content[: data.draw(st.integers(0, len(content)))] if data.draw(st.booleans()) else content)
    with suppress(TengenError):
        found = OpeningBook.read(path)
        if found.game == CONNECT6:
            for moves in ("J10", "J10 K11I9", "J10 K11I9 A1A2"):
                found.recommend(Position.parse(moves))


def test_the_agent_follows_the_book_then_another(tmp_path: Path, run: Run) -> None:  # noqa: F811
    """A book made by the command from our own agents' games."""
    records = []
    for seed in range(6):
        players = [make_agent("sequences", seed), make_agent("threats", seed + 100)]
        position = Position()
        while not position.is_over:
            position.play(players[position.turn].choose(position, Budget()).move)
        records.append(record(str(position), f"{position.winner.letter}+" if position.winner is not None else "0"))
    games, made = tmp_path / "games.jsonl", tmp_path / "a.book"
    write_file(records, games)
    code, out, _ = run("book", "build", str(games), str(made), "--turns", "4", "--json")
    assert code == 0
    assert json.loads(out)["games"] == 6
    agent = make_agent(f"opening-book:{made},then=(minimax:threats,depth=2)", 1)
    position = Position.parse("J10")
    choice = agent.choose(position, Budget())
    assert "won" in choice.notes["book"]
    assert position.is_legal(choice.move)
    strange = Position.parse("J10 A1S19")
    assert agent.choose(strange, Budget()).notes == {}
    first = agent.choose(Position(), Budget()).move
    assert first == Move("J10")
    assert make_agent(agent.name).name == agent.name
    agent.close()
    assert run("book", "build", str(games), "mine", "--turns", "4")[0] == 0
    own = make_agent("opening-book:mine", 1)
    assert "won" in own.choose(position, Budget()).notes["book"]
    own.close()
    make_agent("engine:book=mine").close()


def test_the_engine_opens_by_the_book(tmp_path: Path) -> None:
    """The surest move, if it won more than half of its games; else the engine thinks for itself."""
    games = [(f"J10 A1A2 {black}", result) for black, result in (("S1S2", "B+"), ("S3S4", "W+"))]
    made = OpeningBook(CONNECT6)
    for number in range(9):
        for moves, result in games:
            one = record(moves, result)
            one.root.set("GN", str(number))
            assert made.add(one)
    made.write(tmp_path / "a.book")
    agent = make_agent(f"engine:nodes=50,book={tmp_path / 'a.book'}", 1)
    choice = agent.choose(Position.parse("J10 A1A2"), Budget())
    assert choice.move == Move("S1S2")
    assert choice.notes["book"] == "9 won, 0 drawn, 0 lost"
    assert "book" not in agent.choose(Position.parse("J10"), Budget()).notes  # White won no more than half
    assert "book" not in agent.choose(Position(Game(9, 9, 5, 1, 1), "E5"), Budget()).notes
    assert make_agent(agent.name).name == agent.name
    agent.close()


def test_a_lower_bound_prefers_many_games() -> None:
    """The paper's rule takes three of four for better than 900 of 1,000."""
    few, many = seen(4, 0), seen(900, 100)
    assert best_of([few, many]) is few
    assert surest_of([few, many]) is many
    assert surest_of([seen(3, 0)]) is None
    # Wilson's bound for 9 of 10 at z = 1.645 by hand: (0.9 + 0.1353 - 1.645 * sqrt(0.009 + 0.00676)) / 1.2706
    assert seen(9, 1).results.bound == pytest.approx(0.6522, abs=2e-4)
    assert Results(0, 2, 0).bound < 0.5 == pytest.approx((Results(0, 10**9, 0)).bound, abs=1e-3)
    assert Results(0, 0, 0).bound == Results(0, 0, 0).share == 0.0
    assert Results(1, 2, 1).share == 0.5 > Results(1, 2, 1).bound  # never below what is certain
    assert Results(0, 3, 0).share == 0.5 > Results(0, 3, 0).bound


def test_the_command_explains_its_troubles(tmp_path: Path, run: Run) -> None:  # noqa: F811
    games, made = tmp_path / "games.jsonl", tmp_path / "a.book"
    write_file([record("J10 K11I9", "?")], games)
    code, _, err = run("book", "build", str(games), str(made))
    assert code == 3
    assert "no decided game" in err
    assert not made.exists()
    assert run("book", "build", str(games))[0] == 3
    assert run("book", "build", str(tmp_path / "none.sgf"), str(made))[0] == 4
    assert run("book", "show", str(made))[0] == 4
    write_file([record("J10 K11I9", "B+")], games)
    assert run("book", "show", str(games))[0] == 3
    code, _, err = run("book", "build", str(games), str(made))
    assert code == 0
    assert "3 positions of 1 game" in err


def test_bad_games_are_left_out_and_told(tmp_path: Path, run: Run) -> None:  # noqa: F811
    """Of a folder: two good games, one with a stone on another, a line that is no JSON, an SGF that is none."""
    folder, made = tmp_path / "games", tmp_path / "a.book"
    folder.mkdir()
    lines = [
        '{"result":"B","moves":["j10","k11i9","j11j12"]}',
        '{"result":"B","moves":["j10","j10i9"]}',
        "{oh",
        '{"result":"W","moves":["j10","i9k11"]}',
    ]
    (folder / "a.jsonl").write_text("\n".join(lines))
    (folder / "b.sgf").write_text("(;GM[1")
    code, out, err = run("book", "build", str(folder), str(made), "--json")
    assert code == 0
    answer = json.loads(out)
    assert (answer["games"], answer["added"], answer["bad"]) == (2, 2, 3)
    assert "a.jsonl, line 2" in err
    assert "a.jsonl, line 3" in err
    assert "b.sgf" in err
    code, out, _ = run("book", "add", str(made), str(folder), "--json")
    assert code == 0
    assert json.loads(out)["games"] == 2
    code, out, _ = run("book", "show", str(made), "J10", "--json")
    assert code == 0
    (move,) = json.loads(out)["moves"]
    assert (move["games"], move["wins"], move["losses"]) == (2, 1, 1)
    assert run("book", "show", str(made), "J10 A1A2")[0] == 1
    code, out, _ = run("book", "show", str(made), "J10 I11K9")
    assert code == 0
    assert "recommended by" in " ".join(out.split())


def test_the_most_played_second_move_of_real_games() -> None:
    """Every sixth game of Little Golem, over all years; the table beside them was counted by another program."""
    made = OpeningBook(CONNECT6, turns=2)
    made.add_all(islice(read_file(shared_data("littlegolem.jsonl.gz")), 0, None, 6))
    best = made.moves(Position.parse("J10"))[0]
    with shared_data("white_second_move_stats.csv").open() as file:
        first = next(csv.DictReader(file))
    assert (
        Position.parse(f"J10 {best.move}").canonical_key
        == Position.parse(f"J10 {first[next(iter(first))]}").canonical_key
    )


def test_frames_use_the_symmetries_of_the_board() -> None:
    wide = Game(9, 7, 4, 1, 1)
    assert len(symmetries(wide)) == 4
    made = book(("Connect(9,7,4,1,1) E4 F4", "W+"), game=wide)
    made.add(record("Connect(9,7,4,1,1) E4 D4", "W+"))
    (row,) = made.moves(Position(wide, "E4"))
    assert row.results.wins == 2
    assert row.move in (Move("D4"), Move("F4"))
    made.add(record("Connect(9,7,4,1,1) E4 E5", "W+"))  # a column is no row on such a board
    assert len(made.moves(Position(wide, "E4"))) == 2
