import pytest
from hypothesis import given
from hypothesis import strategies as st

from tengen import NULL_MOVE, Move, NotationError, Square

squares = st.builds(Square, st.integers(-5000, 5000), st.integers(-5000, 5000))


def test_tengen_is_j10() -> None:
    assert Square.parse("J10") == Square.parse("j10") == (9, 9)
    assert str(Square(9, 9)) == "J10"


def test_columns_use_the_letter_i_and_go_on_after_z() -> None:
    assert [Square(x, 0).column for x in (7, 8, 9, 25, 26, 58)] == ["H", "I", "J", "Z", "AA", "BG"]
    assert str(Square(-1, -1)) == "-A0"
    assert Square.parse("-B-3") == (-2, -4)


@given(squares)
def test_squares_round_trip(square: Square) -> None:
    assert Square.parse(str(square)) == square
    assert Square.parse(str(square).lower()) == square


@given(st.lists(squares, min_size=1, max_size=4, unique=True), st.booleans())
def test_moves_round_trip(stones: list[Square], is_pass: bool) -> None:
    move = Move(stones, is_pass)
    assert Move.parse(str(move)) == move
    assert Move.parse(str(move)).squares == move.squares


@pytest.mark.parametrize("text", ["J10K11", "K11J10", "J10 K11", "j10k11", "j10,K11", " j10 ; k11 ", "jjki"])
def test_one_move_written_in_many_ways(text: str) -> None:
    move = Move.parse(text, height=19)
    assert move == Move.parse("J10K11")
    assert hash(move) == hash(Move.parse("J10K11"))


def test_letter_pairs_count_rows_from_the_top() -> None:
    assert Move.parse("aa", height=19) == Move.parse("A19")
    assert Move.parse("as", height=19) == Move.parse("A1")
    assert Move.parse("aa as", height=19) == Move.parse("aaas", height=19) == Move.parse("A19A1")


def test_words_are_no_letter_pairs() -> None:
    for text in ("foo bar", "abc def", "aa b c"):
        with pytest.raises(NotationError, match=r"'(foo|abc|aa)' at character 1 is no square"):
            Move.parse(text, height=19)


def test_null_and_semi_null_moves() -> None:
    assert Move.parse("pass") == NULL_MOVE
    semi_null = Move.parse("J10 pass")
    assert semi_null.is_pass
    assert semi_null.squares == (Square(9, 9),)
    assert semi_null != Move.parse("J10")


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("", "empty"),
        ("J", "'J' at character 1"),
        ("J10 X", "'X' at character 5"),
        ("10J", "'10J'"),
        ("J10J10", "J10 stands twice"),
        ("pass J10", "'pass' ends a move"),
        ("J10 ☃", "☃"),
        ("J123456789", "no square"),
    ],
)
def test_bad_moves_name_the_word(text: str, reason: str) -> None:
    with pytest.raises(NotationError, match=reason):
        Move.parse(text)
