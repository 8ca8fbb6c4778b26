import pytest

from tengen import (
    BLACK,
    CONNECT6,
    GOMOKU,
    TIC_TAC_TOE,
    WHITE,
    Game,
    IllegalMoveError,
    Move,
    NotationError,
    Position,
    SetupError,
    Square,
    TengenError,
)


def test_connect6_begins_with_one_stone_then_two_each() -> None:
    position = Position()
    assert (position.turn, position.stones_left) == (BLACK, 1)
    position.play("J10")
    assert (position.turn, position.stones_left) == (WHITE, 2)
    position.play("J9K11")
    assert (position.turn, position.stones_left) == (BLACK, 2)
    assert position.moves == [Move.parse("J10"), Move.parse("K11J9")]
    assert position.winner is None


def test_a_move_may_be_entered_stone_by_stone() -> None:
    position = Position(moves=["J10"])
    position.play("J9")
    assert (position.turn, position.stones_left, position.is_mid_turn) == (WHITE, 1, True)
    position.play(Square.parse("K11"))
    assert (position.turn, position.stones_left, position.is_mid_turn) == (BLACK, 2, False)
    assert position == Position(moves="J10 J9K11")
    assert position.undo() == Move.parse("K11")
    assert position.undo() == Move.parse("J9")
    assert position == Position(moves="J10")


def test_six_in_a_row_wins_and_so_do_seven() -> None:
    position = Position.parse("B: A1 B1 C1 E1 F1 G1 W: A5 A7 to move: B 1")
    position.play("D1")
    assert position.winner is BLACK
    assert position.is_over
    assert position.winning_row == tuple(Square(x, 0) for x in range(7))


@pytest.mark.parametrize(
    ("stones", "ends"),
    [
        ("C3 D3 E3 F3 G3 H3", ("C3", "H3")),
        ("C3 C4 C5 C6 C7 C8", ("C3", "C8")),
        ("C3 D4 E5 F6 G7 H8", ("C3", "H8")),
        ("C8 D7 E6 F5 G4 H3", ("C8", "H3")),
        ("S19 R18 Q17 P16 O15 N14", ("N14", "S19")),
        ("A6 B5 C4 D3 E2 F1", ("A6", "F1")),
    ],
)
def test_rows_in_all_directions(stones: str, ends: tuple[str, str]) -> None:
    position = Position.setup(CONNECT6, stones.split(), ["A19"], BLACK, 1)
    assert position.winner is BLACK
    row = position.winning_row
    assert row is not None
    assert (str(row[0]), str(row[-1])) == ends


def test_a_row_does_not_run_round_the_edge() -> None:
    position = Position.setup(CONNECT6, ["Q1", "R1", "S1", "A2", "B2", "C2", "A1", "B1", "C1"], [], WHITE)
    assert position.winner is None


def test_the_winning_turn_may_be_completed_but_nothing_else() -> None:
    position = Position.setup(CONNECT6, ["A1", "B1", "C1", "D1", "E1"], ["A5", "A7", "A9", "A11"], BLACK, 2)
    one_by_one = position.copy()
    position.play("J10F1")
    one_by_one.play("F1")
    assert one_by_one.winner is BLACK
    one_by_one.play("J10")
    assert position == one_by_one
    with pytest.raises(IllegalMoveError, match="black has won"):
        position.play("K10")
    assert list(position.legal_moves()) == []


def test_a_full_board_is_a_draw_and_the_last_move_fills_it() -> None:
    # 3x3 with k = 5: nobody can ever make a row.
    position = Position(Game(3, 3, 5, 2, 1), "A1 A2A3 B1B2 B3C1")
    assert position.stones_left == 2
    position.play("C2C3")
    assert position.is_draw
    assert position.stones_left == 0
    position = Position(Game(3, 3, 5, 3, 1), "A1 A2A3B1 B2B3C1")
    assert position.stones_left == 2
    with pytest.raises(IllegalMoveError, match="white has 2 stones"):
        position.play("C2C3A1")
    position.play("C2C3")
    with pytest.raises(IllegalMoveError, match="the board is full"):
        position.play("A1")


def test_only_the_maker_wins_a_maker_breaker_game() -> None:
    game = Game(5, 5, 3, 1, 1, maker_breaker=True)
    position = Position(game, "A1 A5 C1 B5 E1 C5")
    assert position.winner is None
    position = Position(game, "A1 A5 B1 B5 C1")
    assert position.winner is BLACK


def test_tic_tac_toe_has_the_known_number_of_games() -> None:
    # 255,168 games end by a row or a full board: a count found in every textbook.
    def count(position: Position) -> int:
        if position.is_over:
            return 1
        total = 0
        for move in position.legal_moves():
            position.play(move)
            total += count(position)
            position.undo()
        return total

    total = 0
    for first, weight in (("A1", 4), ("B1", 4), ("B2", 1)):  # up to symmetry
        total += weight * count(Position(TIC_TAC_TOE, first))
    assert total == 255_168


@pytest.mark.parametrize(
    ("played", "move", "reason"),
    [
        ("J10", "J10K11", "J10 is occupied by a black stone"),
        ("J10", "K11J10", "J10 is occupied by a black stone"),
        ("J10 J9K11", "J9A1", "J9 is occupied by a white stone"),
        ("J10", "A20 A1", r"A20 is off the board of Connect\(19,19,6,2,1\)"),
        ("J10", "T1", "T1 is off the board"),
        ("J10", "-A5", "-A5 is off the board"),
        ("", "J10K11", "black has one stone to place here, not 2"),
        ("J10", "A1A2A3", "white has 2 stones to place here, not 3"),
    ],
)
def test_illegal_moves_name_the_square_and_change_nothing(played: str, move: str, reason: str) -> None:
    position = Position(moves=played)
    before = (str(position), position.key)
    with pytest.raises(IllegalMoveError, match=reason):
        position.play(move)
    assert (str(position), position.key) == before
    assert not position.is_legal(move)


def test_undo_of_nothing_is_refused() -> None:
    with pytest.raises(IllegalMoveError, match="no move to take back"):
        Position().undo()


def test_null_and_semi_null_moves() -> None:
    position = Position(moves="J10 pass K10")
    assert position.turn is BLACK
    assert position.stones_left == 1
    position.play("pass")
    assert (position.turn, position.stones_left) == (WHITE, 2)
    assert str(position) == "J10 pass K10 pass"
    assert Position.parse(str(position)) == position
    position.undo()
    assert (position.turn, position.stones_left) == (BLACK, 1)


def test_legal_moves_are_all_pairs() -> None:
    position = Position(Game(4, 3, 3, 2, 1), "B2")
    assert len(set(position.legal_moves())) == 11 * 10 // 2
    assert all(position.is_legal(move) for move in position.legal_moves())
    assert len(list(Position(moves="J10").legal_moves(within=1))) == 8 * 7 // 2


def test_the_infinite_board_has_room_everywhere() -> None:
    position = Position(Game.infinite(6, 2, 1))
    position.play("J10")
    position.play("-Z-300 CC300")
    assert position.at("-Z-300") is WHITE
    assert position.at("A1") is None
    for _ in range(2):
        position.undo()
    assert position == Position(Game.infinite(6, 2, 1))
    with pytest.raises(IllegalMoveError, match="too far away"):
        Position(Game.infinite(6, 2, 1), "J10 J9999")
    with pytest.raises(TengenError, match="have no end"):
        list(position.legal_moves())


def test_a_row_on_the_infinite_board() -> None:
    position = Position(Game.infinite(4, 1, 1), "-B0 A9 -A0 A10 A0 A11 B0")
    assert position.winner is BLACK
    assert position.winning_row == tuple(Square(x, -1) for x in range(-2, 2))


@pytest.mark.parametrize(
    "text",
    [
        "",
        "J10",
        "J10 J9K11 K9I11",
        "J10 J9",
        "B: J10 K9 I11 W: J9 K11 to move: W 2",
        "B: J10 K9 W: J9 to move: W 1 then: K11 H8I9",
        "to move: W 2",
        "J10 pass K11 pass A1B1",
        "Connect(19,19,6,2,3) J10L10K11",
        "Connect(6,2,3) J10L10K11 -B-3Z50",
        "Connect(15,15,5,1,1) H8 G7",
        "Connect(5,6,4,1,1) maker-breaker A1 B1",
    ],
)
def test_position_texts_round_trip(text: str) -> None:
    position = Position.parse(text)
    assert str(position) == text
    assert Position.parse(str(position)) == position


@pytest.mark.parametrize(
    ("text", "same"),
    [
        ("j10 j9 k11 k9 i11", "J10 J9K11 K9I11"),
        ("1.j10 2.j9k11 3.k9i11", "J10 J9K11 K9I11"),
        ("jj jkki kkii", "J10 J9K11 K9I11"),
        ("Connect6: J10, J9 K11; K9 I11", "J10 J9K11 K9I11"),
        ("gomoku H8", "Connect(15,15,5,1,1) H8"),
        ("black: J10 white: J9 K11", "B: J10 W: J9 K11 to move: B 2"),
        ("W: J9 B: J10", "B: J10 W: J9 to move: W 1"),
    ],
)
def test_position_texts_as_people_write_them(text: str, same: str) -> None:
    assert str(Position.parse(text)) == same


@pytest.mark.parametrize(
    ("text", "kind", "reason"),
    [
        ("hello", NotationError, "'hello' at character 1"),
        ("J10 J10K11", IllegalMoveError, "J10 is occupied"),
        ("B: J10 W: J10", SetupError, "J10 holds two stones"),
        ("B: T20 W: J10", SetupError, "T20 is off the board"),
        ("B: J10 K10 L10", SetupError, "whose turn"),
        ("B: J10 to move: red", NotationError, "should name B or W"),
        ("B: J10 B: K10", NotationError, "twice"),
        ("J10 B: K10", NotationError, "before the set-up"),
        ("B: J10 to move: W 3", SetupError, "cannot have 3 stones left"),
        ("B: pass", NotationError, "cannot be set up"),
        ("B: A1 B1 C1 D1 E1 F1 W: A9 B9 C9 D9 E9 F9 to move: B", SetupError, "both players"),
        ("Connect(2,2,2,2,2) A1", TengenError, "m = 2"),
    ],
)
def test_bad_positions_say_why(text: str, kind: type[Exception], reason: str) -> None:
    with pytest.raises(kind, match=reason):
        Position.parse(text)


def test_stones_are_set_up_from_all_that_people_pass_for_squares() -> None:
    position = Position.setup(CONNECT6, ["J10", (8, 8)], [Square(9, 8)], BLACK)  # type: ignore[list-item]
    assert str(position) == "B: J10 I9 W: J9 to move: B 2"
    with pytest.raises(NotationError, match="7 is no square"):
        Position.setup(CONNECT6, [7])  # type: ignore[list-item]


def test_a_text_for_another_game_is_refused() -> None:
    with pytest.raises(NotationError, match="not for"):
        Position.parse("gomoku H8", CONNECT6)
    assert Position.parse("gomoku H8", GOMOKU).game == GOMOKU


def test_equality_does_not_depend_on_the_order_of_moves() -> None:
    a = Position.parse("J10 A1A2 K10K11 B1B2")
    b = Position.parse("K11 A2B1 J10K10 B2A1")
    assert a == b
    assert hash(a) == hash(b)
    assert a.key == b.key
    assert a != Position.parse("J10 A1A2 K10K11 B1")
    assert a != Position.parse("B: J10 K10 K11 W: A1 A2 B1 B2 to move: W")
    assert a.key != Position.parse("Connect(19,19,6,2,3) J10 K10 K11 A1A2").key


def test_keys_are_the_same_on_every_machine() -> None:
    # Stored keys must stay valid: a change of these numbers needs a migration of every store.
    assert f"{Position().key:016x}" == "20ba15de98d27d9c"
    assert f"{Position.parse('J10 J9K11').key:016x}" == "098d0caf99e11fe1"


def test_a_copy_is_independent() -> None:
    position = Position(moves="J10")
    twin = position.copy()
    twin.play("J9K11")
    assert position == Position(moves="J10")
    assert position.is_legal("J9K11")
    assert position.after("J9K11") == twin
    with pytest.raises(IllegalMoveError):
        position.after("J10")
    assert position == Position(moves="J10")


@pytest.mark.parametrize("start", ["", "J10 J9K11", "B: J10 W: J9 K11 to move: B", "Connect(6,2,3) J10"])
def test_a_game_is_replayed_from_its_beginning(start: str) -> None:
    position = Position.parse(start)
    for square in ("B1", "B2", "B3", "B4"):  # stone by stone, as people click them
        position.play(square)
    reached = position.copy()
    while reached.steps:
        reached.undo()
    for before, turn in position.replay():
        assert before.turn is turn.colour
        assert before == reached
        before.play(turn.move)  # whoever is given it may do with it what he likes
        reached.play(turn.move)
    assert [turn for _, turn in position.replay()] == position.turns
    assert reached == position
