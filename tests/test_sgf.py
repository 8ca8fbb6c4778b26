import random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tengen import CONNECT6, Game, Move, Position, Record, RecordError, Square, Visitor
from tengen.record import Dialect, Node, read_sgf, write_sgf

# The first moves of a game as Little Golem serves it: no SZ, an empty node at the end.
LITTLE_GOLEM = (
    "(;FF[4]EV[connect6.DEFAULT.mc.2020.may.1.11]PB[one]PW[two]SO[somewhere]"
    ";B[j10];W[k11i11];B[j12l11];W[i12i10];B[h11i9];)"
)
NCTU = "(;FF[4];B[JJ];W[KK];W[IK];B[JL];B[LK];W[IL];W[IJ];B[HK];B[II])"
FF4 = "(;FF[4]SZ[19];B[jj];W[ki];W[ii];B[jh];B[li];W[ih];W[ij];B[hi];B[ik])"
MOVES = "J10 K11I11 J12L11 I12I10 H11I9"


def read_one(text: str, **options: bool) -> Record:
    records = list(read_sgf(text, **options))  # type: ignore[arg-type]
    assert len(records) == 1
    return records[0]


@pytest.mark.parametrize("text", [LITTLE_GOLEM, NCTU, FF4])
def test_three_dialects_tell_the_same_game(text: str) -> None:
    record = read_one(text)
    assert record.position() == Position(moves=MOVES)
    assert [str(move) for move in record.moves()] == MOVES.split()
    assert len(record.main_line()) == 6


@pytest.mark.parametrize(
    ("dialect", "line"),
    [
        (Dialect.LITTLE_GOLEM, ";B[j10];W[k11i11];B[j12l11];W[i12i10];B[h11i9])"),
        (Dialect.FF4, ";B[jj];W[ki];W[ii];B[jh];B[li];W[ih];W[ij];B[hi];B[ik])"),
        (Dialect.NCTU, ";B[JJ];W[KK];W[IK];B[JL];B[LK];W[IL];W[IJ];B[HK];B[II])"),
    ],
)
def test_three_dialects_are_written(dialect: Dialect, line: str) -> None:
    text = write_sgf(read_one(LITTLE_GOLEM), dialect)
    assert line in text.replace("\n", "")
    assert read_one(text).position() == Position(moves=MOVES)


def test_properties_keep_their_order_and_unknown_ones_their_values() -> None:
    text = "(;FF[4]XY[a\\]b][c\\\\d]GC[one:two]PB[x]C[two\nlines \\: and a soft \\\nbreak];B[j10]ZZ[]N[name])"
    record = read_one(text)
    assert list(record.root.properties) == ["FF", "XY", "GC", "PB", "C"]
    assert record.root.properties["XY"] == ["a]b", "c\\d"]
    assert record.root.comment == "two\nlines : and a soft break"
    assert record.root.children[0].properties == {"B": ["J10"], "ZZ": [""], "N": ["name"]}
    again = read_one(write_sgf(record, Dialect.LITTLE_GOLEM))
    assert again.root.properties == record.root.properties


def test_variations_comments_and_marks_survive_every_dialect() -> None:
    text = (
        "(;FF[4];B[jj]C[the middle]TR[jj][aa:bb]LB[cc:A][dd:B:C]AR[aa:bb]"
        "(;W[ki];W[ii]C[both])(;W[ki](;W[aa])(;W[bb]C[other])))"
    )
    record = read_one(text)
    first = record.root.children[0]
    assert [str(s) for s in first.marked("triangle")] == ["J10", "A19", "B19", "A18", "B18"]
    assert first.labels == {Square.parse("C17"): "A", Square.parse("D16"): "B:C"}
    assert [len(node.children) for node in record.root.walk()] == [1, 2, 0, 2, 0, 0]
    for dialect in Dialect:
        again = read_one(write_sgf(record, dialect))
        assert [n.properties for n in again.root.walk()][1:] == [n.properties for n in record.root.walk()][1:]


def test_collections_and_text_between_the_games() -> None:
    text = f"mail header {LITTLE_GOLEM} and then\n{NCTU}\n"
    assert [record.position() for record in read_sgf(text)] == [Position(moves=MOVES)] * 2


def test_set_up_stones_and_the_player_to_move() -> None:
    record = read_one("(;FF[4]SZ[19]AB[jj][kk]AW[aa:ac]PL[W];W[bb];W[cc])")
    position = record.position()
    assert position == Position.parse("B: J10 K9 W: A19 A18 A17 to move: W 2 then: B18C17")
    assert read_one(write_sgf(record)).position() == position
    later = read_one("(;B[j10];W[k10k11];AE[k10]AB[l3];B[a1a2])")
    assert later.position().at("K10") is None
    assert later.position().at("L3") is not None


@pytest.mark.parametrize(
    ("text", "game"),
    [
        ("(;SZ[15]GM[4];B[hh])", Game(15, 15, 5, 1, 1)),
        ("(;SZ[59];B[d30])", Game(59, 59, 6, 2, 1)),
        ("(;SZ[5:7]RU[Connect(5,7,4,1,1)];B[aa])", Game(5, 7, 4, 1, 1)),
        ("(;RU[Connect(6,2,3)];B[j10l10k11])", Game.infinite(6, 2, 3)),
        ("(;RU[Japanese];B[j10])", CONNECT6),
    ],
)
def test_the_game_is_found_and_written_back(text: str, game: Game) -> None:
    record = read_one(text)
    assert record.game == game
    assert read_one(write_sgf(record, Dialect.LITTLE_GOLEM)).game == game


def test_letter_pairs_reach_52_columns() -> None:
    game = Game(52, 52, 6, 2, 1)
    record = Record.from_position(Position(game, "AZ1 A52AZ52"))
    assert "[Zz]" not in write_sgf(record)
    assert ";B[ZZ];W[aa];W[Za]" in write_sgf(record)
    assert read_one(write_sgf(record)).position() == record.position()
    with pytest.raises(RecordError, match="littlegolem"):
        write_sgf(Record(Game(30, 30, 6, 2, 1)), Dialect.NCTU)
    large = Record.from_position(Position(Game(59, 59, 6, 2, 1), "BG59 A1B1"))
    assert ";B[bg59]" in write_sgf(large)
    assert read_one(write_sgf(large)).position() == large.position()


def test_null_moves_are_kept() -> None:
    position = Position(moves="J10 pass K10 pass A1A2")
    for dialect in Dialect:
        assert read_one(write_sgf(Record.from_position(position), dialect)).position() == position


def test_resignation() -> None:
    record = read_one("(;FF[4]RE[B+Resign];B[j10];W[resign])")
    assert record.end().resigns
    assert record.position() == Position(moves="J10")
    assert "W[resign]" in write_sgf(record, Dialect.LITTLE_GOLEM)


@pytest.mark.parametrize(
    ("text", "line", "column", "reason"),
    [
        ("", 1, 1, "no SGF"),
        ("hello", 1, 1, "no SGF"),
        ("(;B[j10", 1, 3, "']' is missing"),
        ("(;B[j10];W[k11k12]", 1, 19, "'\\)' is missing"),
        ("(;B[j10]\n;W[j10k11])", 2, 2, "J10 is occupied"),
        ("(;B[j10]\n;B[k10])", 2, 2, "white's turn"),
        ("(;GM[1];B[pd];W[dp]\n;B[pp])", 2, 2, r"white's turn \(GM\[1\] says that this is Go\)"),
        ("(;B[j10]\n(;W[k11j10]))", 2, 3, "J10 is occupied"),
        ("(;B)", 1, 3, r"a value in \[ \]"),
        ("(;FF[4]\n  %;B[j10])", 2, 3, "unexpected '%'"),
        ("(;SZ[99];B[aa])", 1, 3, "m = 99"),
        ("(;SZ[big];B[aa])", 1, 3, "invalid board size 'big'"),
        ("(;B[zz])", 1, 3, "off the board"),
        ("(;B[j10];W[k11z9z])", 1, 10, "no square"),
        ("(;B[j10][k10])", 1, 3, "one move"),
        ("(;B[j10]LB[jj])", 1, 9, "':'"),
    ],
)
def test_errors_tell_line_and_column(text: str, line: int, column: int, reason: str) -> None:
    with pytest.raises(RecordError, match=reason) as caught:
        list(read_sgf(text))
    assert (caught.value.line, caught.value.column) == (line, column)


def test_lenient_reading_keeps_everything_and_reports() -> None:
    record = read_one("(;B[j10];W[j10k11]C[said];B[a1a2](;W[k10k11])(;W[k12k13]))", strict=False)
    assert len(record.problems) == 1
    assert "J10 is occupied" in str(record.problems[0])
    assert len(list(record.root.walk())) == 5
    assert record.root.children[0].comment == "said"
    record = read_one("(;B[j10];W[wha]LB[x]C[said];B[a1])", strict=False)
    assert [problem.column for problem in record.problems] == [10, 16]
    assert record.root.children[0].properties == {"!W": ["wha"], "!LB": ["x"], "C": ["said"]}
    assert ";W[wha]LB[x]C[said]" in write_sgf(record)


@pytest.mark.parametrize("text", ["C[a]BAD[x]", "C[a]BADGE[x]", "BADW[j10]"])
def test_properties_of_strange_names_stay_as_they_are(text: str) -> None:
    assert f"{text})" in write_sgf(read_one(f"(;{text})"))


@pytest.mark.parametrize(
    "text",
    [
        "C[then W [kk, says X];B[aa];B[bb]",
        "(;C[first]W[aa];W[bb])(;C[second])",
        "PL[W];C[first];W[aa];W[bb]",
        "(;C[no move])(;B[aa])",
    ],
)
def test_after_a_set_up_the_next_node_tells_whose_turn_it_is(text: str) -> None:
    record = read_one(f"(;SZ[19]AB[jj]AW[kk][ll]{text})")
    assert record.position().stone_count in (3, 5)


def test_set_ups_are_read_once() -> None:
    # Had each of them searched all that follows, this would take most of a minute.
    assert len(read_one("(;SZ[19]" + ";AB[jj]" * 4_000 + ";AB[jj]PL[B]" * 4_000 + ")").end().path()) == 8_001


def test_deep_and_wide_trees_need_no_recursion() -> None:
    deep = "(;FF[4]" + ";C[x]" * 10_000 + "(;B[j10])" * 3 + ")"
    record = read_one(deep)
    assert len(record.end().path()) == 10_002
    wide = "(;FF[4]" + "(;C[a];C[b])" * 50_000 + ")"
    record = read_one(wide)
    assert sum(1 for _ in record.root.walk()) == 100_001
    assert write_sgf(read_one(write_sgf(record))) == write_sgf(record)
    nested = "(;C[x]" * 10_000 + ")" * 10_000
    assert len(read_one(nested).end().path()) == 10_000
    rebuilt = read_one(write_sgf(read_one(deep)))
    assert len(rebuilt.end().path()) == 10_002


def test_visitors_may_skip() -> None:
    class CountShown(Visitor[int]):
        def __init__(self) -> None:
            self.shown = 0
            self.depth = 0

        def visit_node(self, node: Node) -> bool:
            self.shown += 1
            return node.get("C") != "stop"

        def begin_variation(self) -> None:
            self.depth += 1

        def end_variation(self) -> None:
            self.depth -= 1

        def result(self) -> int:
            assert self.depth == 0
            return self.shown

    record = read_one("(;FF[4](;C[stop];C[hidden])(;C[a](;C[b])(;C[c])))")
    assert record.accept(CountShown()) == 5


def test_editing_a_tree() -> None:
    record = Record.from_position(Position(moves="J10 J9K11"))
    first = record.root.children[0]
    other = first.add_move(first.children[0].colour, "A1A2", "a variation")  # type: ignore[arg-type]
    assert first.add_move(other.colour, "A2A1") is other  # type: ignore[arg-type]
    other.promote()
    assert record.moves()[1] == Move.parse("A1A2")
    other.add_mark("cross", "c3")
    other.add_mark("cross", "C3")
    other.add_label("C4", "x")
    other.add_label("C4", "y")
    assert other.properties["MA"] == ["C3"]
    assert other.labels == {Square.parse("C4"): "y"}
    other.comment = ""
    assert "C" not in other.properties
    other.detach()
    assert record.moves()[1] == Move.parse("J9K11")


@st.composite
def trees(draw: st.DrawFn) -> Record:
    """Random records of random games, with variations, comments and marks."""
    game = draw(st.sampled_from([CONNECT6, Game(9, 7, 4, 1, 1), Game(13, 13, 5, 3, 2), Game.infinite(6, 2, 1)]))
    rng = random.Random(draw(st.integers(0, 2**32)))
    record = Record(game)
    texts = st.text(st.characters(blacklist_categories=("Cs", "Cc"), blacklist_characters="\r"), max_size=12)
    record.root.comment = draw(texts)
    nodes = [record.root]
    for _ in range(draw(st.integers(0, 12))):
        parent = rng.choice(nodes)
        position = record.position(parent)
        if position.is_over:
            continue
        squares = [Square(9, 9)]
        if position.stone_count or not game.is_infinite:
            squares = list(position.empty_squares(within=2 if game.is_infinite else None))
        move = Move(rng.sample(squares, min(position.stones_left, len(squares))))
        node = parent.add_move(position.turn, move, draw(texts))
        if rng.random() < 0.3:
            node.add_mark("circle", rng.choice(squares))
            node.add_label(rng.choice(squares), "a]b\\")
        nodes.append(node)
    return record


@given(trees(), st.sampled_from(list(Dialect)))
def test_random_trees_round_trip(record: Record, dialect: Dialect) -> None:
    if record.game.is_infinite:
        dialect = Dialect.LITTLE_GOLEM  # the others have no letters for it
    text = write_sgf(record, dialect)
    again = read_one(text)
    assert [node.properties for node in again.root.walk()][1:] == [node.properties for node in record.root.walk()][1:]
    assert again.root.comment == record.root.comment
    assert write_sgf(again, dialect) == text
