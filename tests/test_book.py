"""The book of opening statistics: the paper's rule, what counts as the same position, files, and the agent."""

import gzip
import json
from contextlib import suppress
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st
from test_cli import Run, run  # noqa: F401

from tengen import CONNECT6, Game, Move, Position, Record, Square, Symmetry, TengenError, write_file
from tengen.game import symmetries
from tengen.play import BookMove, Budget, OpeningBook, Results, make_agent
from tengen.play.book import best_of


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
    made.write(tmp_path / "book.jsonl")
    again = OpeningBook.read(tmp_path / "book.jsonl")
    assert (again.game, again.turns, again.games, len(again)) == (CONNECT6, 8, 3, len(made))
    for moves in ("J10", "J10 K11I9", "J10 K11I9 A1A2", "J10 I11K9"):
        assert again.moves(Position.parse(moves)) == made.moves(Position.parse(moves))
    packed = tmp_path / "book.jsonl.gz"
    packed.write_bytes(gzip.compress((tmp_path / "book.jsonl").read_bytes()))
    assert len(OpeningBook.read(packed)) == len(made)


@given(st.data())
def test_a_broken_book_is_refused_or_read(tmp_path_factory: pytest.TempPathFactory, data: st.DataObject) -> None:
    path = tmp_path_factory.mktemp("books") / "book.jsonl"
    book(("J10 K11I9 A1A2 B1B2", "B+")).write(path)
    text = path.read_text()
    start = data.draw(st.integers(0, len(text) - 1))
    end = data.draw(st.integers(start, min(len(text), start + 20)))
    path.write_text(text[:start] + data.draw(st.text('[]{}",:0123456789-ae\n', max_size=5)) + text[end:])
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
    games, made = tmp_path / "games.jsonl", tmp_path / "book.jsonl"
    write_file(records, games)
    code, out, _ = run("book", str(games), str(made), "--turns", "4", "--json")
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


def test_the_command_explains_its_troubles(tmp_path: Path, run: Run) -> None:  # noqa: F811
    games = tmp_path / "games.jsonl"
    write_file([record("J10 K11I9", "?")], games)
    code, _, err = run("book", str(games), str(tmp_path / "book.jsonl"))
    assert code == 3
    assert "no decided game" in err
    assert not (tmp_path / "book.jsonl").exists()
    assert run("book", str(games))[0] == 3
    assert run("book", str(tmp_path / "none.sgf"), "x.jsonl")[0] == 4
    write_file([record("J10 K11I9", "B+")], games)
    code, _, err = run("book", str(games), str(tmp_path / "book.jsonl"))
    assert code == 0
    assert "3 positions of 1 games" in err


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
