"""Threats: what the papers say of them, what must hold of any position, and worked examples."""

import io
import json
import random
from itertools import combinations, pairwise
from pathlib import Path

import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st
from reference import line_patterns as reference
from rich.console import Console
from test_cli import Run, run  # noqa: F401

from tengen import BLACK, CONNECT6, GOMOKU, WHITE, Colour, Game, Position, Square, TengenError
from tengen.cli.board import print_board
from tengen.diagram import Overlay
from tengen.threat import (
    DIRECTIONS,
    METHODS,
    Kind,
    Level,
    critical_defences,
    generalised_threats,
    hp_threats,
    is_hp3_threat,
    is_hp_threat,
    line_level,
    line_patterns,
    line_threats,
    minimal_hitting_sets,
    minimum_hitting_set,
    pattern_table,
    threat_number,
    threat_segments,
    wins_at_once,
)
from tengen.threat.levels import level_of_rank

GAMES = [
    CONNECT6,
    GOMOKU,
    Game(7, 7, 4, 2, 1),
    Game(9, 9, 5, 3, 1),
    Game(9, 9, 3, 1, 1),
    Game(9, 9, 7, 4, 1),  # beyond the table: a hash map
    Game(6, 6, 2, 3, 1),
    Game(5, 5, 1, 1, 1),
]

# Black's row D10-I10 and his column D10-D15 are shut in by white stones, so each holds one segment: that of the row has
# the empty squares D10 and I10, that of the column D10 and D15. One stone at D10 meets both: one threat. Wu and Huang
# mark the right-most empty square of the row, I10, do not see that the column is met at D10 too, and count it again: 2.
# (The error described in the Connect-k paper, section 2.2.)
WU_HUANG_ERRS = "B: E10 F10 G10 H10 D11 D12 D13 D14 W: C10 J10 D9 D16 to move: W"

# A second column stands on I10, with the empty squares I10 and I15. The columns have no square in common, so it takes
# two stones: two threats. Marking both empty squares of the row hides both columns: 1. (Section 2.3 there.)
MARK_ALL_ERRS = "B: E10 F10 G10 H10 D11 D12 D13 D14 I11 I12 I13 I14 W: C10 J10 D9 D16 I9 I16 to move: W"


def counts(position: Position, colour: Colour = BLACK) -> dict[str, int]:
    return {method: threat_number(position, colour, method) for method in METHODS}


def names(squares: tuple[Square, ...]) -> str:
    return "".join(map(str, squares))


def lines_of(position: Position, colour: Colour) -> list[tuple[int, list[Square], str]]:
    """Every line of a finite board, as the reference writes it."""
    m, n = position.game.m, position.game.n
    assert m is not None
    assert n is not None
    found = []
    for direction, (dx, dy) in enumerate(DIRECTIONS):
        for start in (Square(x, y) for x in range(m) for y in range(n)):
            if Square(start.x - dx, start.y - dy) in position:
                continue
            line = [Square(start.x + i * dx, start.y + i * dy) for i in range(max(m, n))]
            line = [square for square in line if square in position]
            cells = {None: ".", colour: "X", colour.opponent: "#"}
            found.append((direction, line, "".join(cells[position.at(square)] for square in line)))
    return found


def as_pair(level: Level) -> tuple[str, int]:
    return level.kind.value, level.number


@st.composite
def positions(draw: st.DrawFn, games: list[Game] | None = None, side: int = 9) -> Position:
    """Stones set up anywhere within a corner of the board, so that they meet."""
    game = draw(st.sampled_from(games or GAMES))
    assert game.m is not None
    assert game.n is not None
    width, height = min(game.m, side), min(game.n, side)
    cells = draw(st.lists(st.sampled_from("....XXXO"), min_size=width * height, max_size=width * height))
    held = {"X": [], "O": []}  # type: dict[str, list[Square]]
    for i, cell in enumerate(cells):
        if cell != ".":
            held[cell].append(Square(i % width, i // width))
    black, white = held["X"], held["O"]
    position = Position(game)
    try:
        position = Position.setup(game, black, white, WHITE, 1)
    except TengenError:  # two rows, or no square left
        assume(False)
    return position


# What the papers say


@pytest.mark.parametrize(
    ("line", "threats"),
    [
        ("#XXXX..", 1),  # Wu, Huang, Chang, figure 1: one, two and three threats
        ("..XXXX..", 2),
        ("..XXXX..XXXX..", 3),  # the outer pairs of empty squares need a stone each, and so does XX..XX between them
        (".XXXX.#", 1),
        ("..XXXX.#", 1),  # a stone right before the four stops ..XXXX and .XXXX.
        (".XXXX#", 0),  # five squares are open, six are needed
        ("XXXXX#", 0),
        (".XXXXX.", 2),
    ],
)
def test_threats_on_one_line_of_connect6(line: str, threats: int) -> None:
    assert reference.threats(line, 6, 2) == threats
    level = line_level(line, CONNECT6)
    assert (level.number if level.kind is Kind.THREATS else 0) == threats


@pytest.mark.parametrize(
    ("line", "level"),
    [
        ("..XXX...", "live-3"),  # figure 2: live-3, live-2, dead-3, dead-2
        ("..XX....", "live-2"),
        ("#XXX...", "dead-3"),
        ("#XX....", "dead-2"),
        ("....X....", "live-1"),
        ("........", "live-0"),
        (".......", "dead-0"),
        (".....", "nothing"),
        ("XXXXXX", "row"),
        # One stone in the middle makes X..XXX and XXX..X; the thesis calls such a live-3 hard to see (figure 3-4).
        ("X..X.X..X", "live-3"),
        ("X..X.X...", "dead-3"),
        # Groups with five empty squares between them meet in the middle, with six they do not.
        ("#XXX.....XXX#", "live-3"),
        ("#XXX......XXX#", "dead-3"),
    ],
)
def test_live_and_dead_lines_of_connect6(line: str, level: str) -> None:
    assert str(line_level(line, CONNECT6)) == level
    assert as_pair(line_level(line, CONNECT6)) == reference.level(line, 6, 2)


def test_live_and_dead_lines_of_gomoku() -> None:
    """Here a threat is a four: the thesis's live three makes an open four."""
    for line, level in (("..XXX..", "live-3"), ("#.XXX.#", "dead-3"), ("#XXX..", "dead-3"), (".XXXX.", "2 threats")):
        assert str(line_level(line, GOMOKU)) == level


def test_levels_compare() -> None:
    texts = ["#X.....", "...X....", "#XX....", "..XX....", "#XXX...", "..XXX...", "#XXXX..", "..XXXX..", "XXXXXX"]
    levels = [line_level(text, CONNECT6) for text in texts]
    assert levels == sorted(levels)
    expected = "dead-1, live-1, dead-2, live-2, dead-3, live-3, 1 threat, 2 threats, row"
    assert ", ".join(map(str, levels)) == expected
    with pytest.raises(TengenError, match="'O' is neither"):
        line_level("XXO", CONNECT6)


def test_highly_potential_threats() -> None:
    expected = {"live-3": (True, True), "dead-3": (True, True), "live-2": (True, False), "dead-2": (False, False)}
    for line in ("..XXX...", "#XXX...", "..XX....", "#XX....", "....X....", "#XXXX..", "........"):
        level = line_level(line, CONNECT6)
        both = is_hp_threat(level, CONNECT6), is_hp3_threat(level, CONNECT6)
        assert both == expected.get(str(level), (False, False))
    # One stone of Connect(7,7,4,2,1) is already one short of a threat.
    level = line_level("..X...", Game(7, 7, 4, 2, 1))
    assert (str(level), is_hp3_threat(level, Game(7, 7, 4, 2, 1))) == ("live-1", True)
    position = Position.parse("B: J10 K10 L10 A1 A2 W: I10 S19 to move: W")
    assert [(str(line.level), names(line.stones)) for line in hp_threats(position, BLACK)] == [("dead-3", "J10K10L10")]


@given(st.text("X.#", min_size=6, max_size=19), st.sampled_from([(6, 2), (5, 1), (4, 2), (5, 3)]), st.data())
def test_one_stone_adds_at_most_two_threats_to_a_line(line: str, numbers: tuple[int, int], data: st.DataObject) -> None:
    """Lemma 1 of Wu, Huang and Chang."""
    k, p = numbers
    game = Game.infinite(k, p, 1)
    assume("." in line)
    place = data.draw(st.sampled_from([i for i, cell in enumerate(line) if cell == "."]))
    before, after = line_level(line, game), line_level(reference.put(line, (place,), "X"), game)
    assume(after.kind is not Kind.ROW)
    numbers_of_threats = [level.number if level.kind is Kind.THREATS else 0 for level in (before, after)]
    assert numbers_of_threats[0] <= numbers_of_threats[1] <= numbers_of_threats[0] + 2


# The three counters


def test_wu_huang_counts_too_many_across_lines() -> None:
    assert counts(Position.parse(WU_HUANG_ERRS)) == {"exact": 1, "wu_huang": 2, "mark_all": 1}


def test_mark_all_counts_too_few_across_lines() -> None:
    assert counts(Position.parse(MARK_ALL_ERRS)) == {"exact": 2, "wu_huang": 2, "mark_all": 1}


def test_more_than_p_threats_are_counted_exactly() -> None:
    rows = [f"{column}{row}" for row in range(2, 18, 3) for column in "GHIJ"]
    position = Position.setup(CONNECT6, rows, [], WHITE, 2)
    assert counts(position) == {"exact": 12, "wu_huang": 12, "mark_all": 12}
    assert critical_defences(position, BLACK) == []


@given(positions())
def test_the_counters_bound_one_another(position: Position) -> None:
    """Wu and Huang's marks hit every segment, and the segments that mark-all counts are disjoint."""
    for colour in (BLACK, WHITE):
        numbers = counts(position, colour)
        assert numbers["mark_all"] <= numbers["exact"] <= numbers["wu_huang"]


@given(st.text("...XXX#", min_size=3, max_size=19), st.sampled_from([(6, 2), (5, 1), (4, 2), (5, 3)]))
def test_the_counters_agree_on_one_line(line: str, numbers: tuple[int, int]) -> None:
    k, p = numbers
    assume("#" * k not in line)  # two winners would be one too many
    squares = {cell: [Square(x, 0) for x, c in enumerate(line) if c == cell] for cell in "X#"}
    position = Position.setup(Game(19, 3, k, p, 1), squares["X"], squares["#"], WHITE, 1)
    # Of other directions than the row there is nothing, for three rows are too few.
    assert set(counts(position).values()) == {reference.threats(line + "." * (19 - len(line)), k, p)}


@given(positions([Game(7, 7, 4, 2, 1), Game(9, 9, 5, 3, 1), Game(6, 6, 3, 2, 1), CONNECT6], side=7))
def test_threat_segments_are_those_that_the_definition_names(position: Position) -> None:
    game = position.game
    for colour in (BLACK, WHITE):
        found = threat_segments(position, colour)
        expected = {
            tuple(line[i] for i in segment)
            for _, line, cells in lines_of(position, colour)
            for segment in reference.segments(cells, game.k)
            if game.k - game.p <= sum(cells[i] == "X" for i in segment) < game.k
        }
        assert {segment.squares for segment in found} == expected
        assert len(found) == len(expected)
        for segment in found:
            assert segment.empty == tuple(s for s in segment.squares if position.at(s) is None)


def test_windows_slide_in_the_stated_order() -> None:
    rng = random.Random(4)
    squares = [Square(x, y) for x in range(9) for y in range(9)]
    position = Position.setup(Game(9, 9, 5, 3, 1), rng.sample(squares, 30), [], WHITE, 1)
    found = [(s.direction, s.squares[0]) for s in threat_segments(position, BLACK)]
    assert found == sorted(found)


def test_an_unknown_method_is_refused() -> None:
    assert threat_number(Position.parse(WU_HUANG_ERRS), BLACK, "wu-huang") == 2
    with pytest.raises(TengenError, match="'guess' is no way to count threats: say exact, wu_huang, mark_all"):
        threat_number(Position(), BLACK, "guess")


sets_of_squares = st.lists(
    st.frozensets(st.builds(Square, st.integers(0, 2), st.integers(0, 2)), min_size=1, max_size=4), max_size=9
)


@given(sets_of_squares, st.integers(0, 4))
def test_hitting_sets_agree_with_trying_all(sets: list[frozenset[Square]], limit: int) -> None:
    squares = sorted(set().union(*sets))
    hitting = [
        frozenset(chosen)
        for size in range(len(squares) + 1)
        for chosen in combinations(squares, size)
        if all(each.intersection(chosen) for each in sets)
    ]
    smallest = minimum_hitting_set(sets)
    assert smallest in hitting
    assert len(smallest) == len(hitting[0])
    minimal = [h for h in hitting if len(h) <= limit and not any(other < h for other in hitting)]
    found = minimal_hitting_sets(sets, limit)
    assert len(found) == len(set(found))
    assert set(found) == set(minimal)


def test_nothing_hits_an_empty_set() -> None:
    with pytest.raises(ValueError, match="empty"):
        minimum_hitting_set([frozenset()])


# Defences


def test_normal_and_relaxed_defences() -> None:
    """One stone at D10 meets both threats; so do the two ends only together."""
    found = critical_defences(Position.parse(WU_HUANG_ERRS), BLACK)
    assert [(names(d.stones), d.is_normal) for d in found] == [("D10", True), ("D15I10", False)]


def test_an_open_four_has_its_four_defences() -> None:
    """G10 to L10 are open on both sides: a stone on either side must stop F10-K10 and so on."""
    position = Position.parse("B: H10 I10 J10 K10 W: A1 A3 C1 to move: W")
    assert threat_number(position, BLACK) == 2
    assert {names(d.stones) for d in critical_defences(position, BLACK)} == {"G10L10", "F10L10", "G10M10"}
    assert all(d.is_normal for d in critical_defences(position, BLACK))


def test_a_defender_in_the_middle_of_his_turn_has_fewer_stones() -> None:
    position = Position.parse(WU_HUANG_ERRS + " 1")
    assert [names(d.stones) for d in critical_defences(position, BLACK)] == ["D10"]


def test_no_threats_need_no_defence() -> None:
    assert critical_defences(Position(), BLACK) == []


@given(positions([Game(7, 7, 4, 2, 1), Game(6, 6, 4, 3, 1), CONNECT6], side=6))
def test_defences_are_those_that_work(position: Position) -> None:
    """Every set of at most so many stones near by: it is listed just if it leaves no threat and every stone counts."""
    segments = threat_segments(position, BLACK)
    assume(segments and position.winner is None)
    squares = sorted({square for segment in segments for square in segment.empty})[:14]
    limit = position.stones_left

    def leaves_none(stones: tuple[Square, ...]) -> bool:
        after = Position.setup(position.game, position.stones(BLACK), (*position.stones(WHITE), *stones), WHITE, None)
        return not threat_segments(after, BLACK)

    expected = {
        stones
        for size in range(1, limit + 1)
        for stones in combinations(squares, size)
        if leaves_none(stones) and not any(leaves_none(fewer) for fewer in combinations(stones, size - 1))
    }
    found = critical_defences(position, BLACK)
    assert {d.stones for d in found if set(d.stones) <= set(squares)} == expected
    number = threat_number(position, BLACK)
    assert all(d.is_normal == (len(d.stones) == number) for d in found)
    assert bool(found) == (number <= limit)


def test_a_defender_who_wins_at_once_is_told() -> None:
    threats = "B: H10 I10 J10 K10 W: A1 B1 C1 D1"
    assert wins_at_once(Position.parse(f"{threats} to move: W 2"), WHITE)
    assert not wins_at_once(Position.parse(f"{threats} E2 to move: W 1"), WHITE)
    assert wins_at_once(Position.parse(f"{threats} to move: B 1"), WHITE)
    assert not wins_at_once(Position.parse(f"{threats} to move: B 1"), BLACK)
    assert not wins_at_once(Position.parse("B: A1 B1 C1 D1 E1 F1 W: A3 B3 C3 D3 to move: W"), WHITE)
    assert wins_at_once(Position(Game.infinite(2, 3, 1)), WHITE)


def test_the_breaker_threatens_nothing() -> None:
    game = Game(9, 9, 4, 2, 1, maker_breaker=True)
    position = Position.setup(game, ["A1", "B1"], ["A9", "B9"], WHITE, 2)
    assert [threat_number(position, colour) for colour in (BLACK, WHITE)] == [1, 0]
    assert not wins_at_once(position, WHITE)
    assert line_threats(position, WHITE) == []


# Lines and patterns


@given(st.data())
def test_levels_agree_with_trying_all(data: st.DataObject) -> None:
    k, p = data.draw(st.sampled_from([(6, 2), (5, 1), (4, 2), (5, 3), (7, 4), (2, 3), (1, 1)]))
    line = data.draw(st.text("..X#", max_size=12 if k - p > 3 else 15))
    table = pattern_table(k, p)
    assert as_pair(line_level(line, Game.infinite(k, p, 1))) == reference.level(line, k, p)
    found = [
        (place, *(as_pair(level_of_rank(table.need, rank)) for rank in ranks)) for place, *ranks in table.points(line)
    ]
    assert found == reference.points(line, k, p)


@given(st.text("...X#", min_size=1, max_size=30), st.sampled_from([(6, 2), (5, 1), (4, 2), (5, 3), (7, 2)]))
def test_what_a_stone_raises_a_long_line_to_is_seen_in_its_reach(line: str, numbers: tuple[int, int]) -> None:
    """What raises the level of a whole line does so within 2(k-1) squares; threats aside, which add up."""
    k, p = numbers
    game, table = Game.infinite(k, p, 1), pattern_table(k, p)
    whole = line_level(line, game)
    for place, _, extended, cut in table.points(line):
        with_stone, blocked = (line_level(reference.put(line, (place,), cell), game) for cell in "X#")
        if with_stone.kind is not Kind.THREATS:
            assert with_stone == max(whole, level_of_rank(table.need, extended))
        assert blocked <= whole
        assert level_of_rank(table.need, cut) <= blocked


@given(positions(side=7))
def test_the_whole_board_agrees_with_its_lines(position: Position) -> None:
    """The native survey against the plain twin, square by square, direction by direction, for both sides."""
    game, found = position.game, line_patterns(position)
    for colour in (BLACK, WHITE):
        for direction, line, cells in lines_of(position, colour):
            if len(line) > 9:  # the twin is slow; long lines are tried below
                continue
            for place, now, extended, cut in reference.points(cells, game.k, game.p):
                mine = found.at(line[place], direction, colour)
                theirs = found.at(line[place], direction, colour.opponent)
                assert (as_pair(mine.own), as_pair(mine.own_after)) == (now, extended)
                assert (as_pair(theirs.other), as_pair(theirs.other_after)) == (now, cut)


@settings(max_examples=15)
@given(positions([CONNECT6, Game(59, 59, 6, 2, 1), Game(59, 5, 5, 1, 1), Game(19, 19, 7, 2, 1)]))
def test_the_whole_board_agrees_on_long_lines(position: Position) -> None:
    game, found = position.game, line_patterns(position)
    table = pattern_table(game.k, game.p)
    for colour in (BLACK, WHITE):
        for direction, line, cells in lines_of(position, colour):
            if "X" not in cells:
                continue
            for place, *ranks in table.points(cells):
                mine = found.at(line[place], direction, colour)
                theirs = found.at(line[place], direction, colour.opponent)
                assert [mine.own.rank, mine.own_after.rank, theirs.other_after.rank] == ranks


@given(positions())
def test_line_threats_are_the_levels_of_the_lines(position: Position) -> None:
    """Divided at opposing stones and wide gaps; together they have the level of the whole line."""
    game = position.game
    for colour in (BLACK, WHITE):
        found = line_threats(position, colour)
        assert all(a.level >= b.level for a, b in pairwise(found))
        for direction, line, cells in lines_of(position, colour):
            on_it = [each for each in found if each.direction == direction and each.stones[0] in line]
            whole = line_level(cells, game)
            if whole.kind is Kind.THREATS:
                assert sum(e.level.number for e in on_it if e.level.kind is Kind.THREATS) == whole.number
            elif "X" in cells and on_it:
                assert max(each.level for each in on_it) == whole
            elif "X" in cells:
                assert whole.kind is Kind.NOTHING or whole.number == 0
            for each in on_it:
                assert each.stones == tuple(s for s in each.squares if position.at(s) is colour)


def test_two_groups_far_apart_in_a_row_are_two_lines() -> None:
    stones = ["C10", "D10", "E10", "P10", "Q10", "R10"]
    position = Position.setup(CONNECT6, stones, [], WHITE, 2)
    rows = [line for line in line_threats(position, BLACK) if line.direction == 0]
    assert [(str(line.level), names(line.stones)) for line in rows] == [
        ("live-3", "C10D10E10"),
        ("dead-3", "P10Q10R10"),
    ]


def test_what_a_stone_does() -> None:
    position = Position.parse("B: J10 K10 L10 W: I10 J12 J13 to move: W")
    found = line_patterns(position)
    along = found.at(Square.parse("M10"), 0, BLACK)
    assert (str(along.own), str(along.attack)) == ("dead-3", "1 threat")
    against = found.at(Square.parse("M10"), 0, WHITE)
    # J10 to L10 then lie between two white stones: only the six empty squares from N10 to the edge are left.
    assert (str(against.other), str(against.other_after), str(against.stops)) == ("dead-3", "dead-0", "dead-3")
    assert against.defence == along.own.rank - line_level("......", CONNECT6).rank
    corner = found.at(Square.parse("A1"), 0, WHITE)  # the row is as open as before from B1 on
    assert (corner.defence, str(corner.stops)) == (0, "nothing")
    assert len(found.of(Square.parse("M10"), BLACK)) == 4
    with pytest.raises(TengenError, match="J10 is occupied"):
        found.at(Square.parse("J10"), 0, BLACK)
    with pytest.raises(TengenError, match="T20 is off the board"):
        found.at(Square.parse("T20"), 0, BLACK)


def test_a_pattern_map_keeps_its_position() -> None:
    position = Position(moves="J10")
    found = line_patterns(position)
    position.play("K10")
    assert str(found.at(Square.parse("K10"), 0, BLACK).attack) == "live-2"


@settings(max_examples=40)
@given(positions([Game(59, 59, 6, 2, 1), Game(59, 59, 5, 1, 1)], side=7), st.integers(-300, 300))
def test_the_infinite_board_is_a_board_without_edge(position: Position, shift: int) -> None:
    game = position.game
    far = 26  # from every edge

    def moved(colour: Colour, distance: int) -> list[Square]:
        return [Square(s.x + distance, s.y + distance) for s in position.stones(colour)]

    on_board = Position.setup(game, moved(BLACK, far), moved(WHITE, far), WHITE, 1)
    endless = Position.setup(Game.infinite(game.k, game.p, 1), moved(BLACK, shift), moved(WHITE, shift), WHITE, 1)
    patterns, endless_patterns = line_patterns(on_board), line_patterns(endless)
    by = shift - far
    for colour in (BLACK, WHITE):
        assert counts(on_board, colour) == counts(endless, colour)
        assert wins_at_once(on_board, colour) == wins_at_once(endless, colour)
        assert [(x.level, x.direction) for x in line_threats(on_board, colour)] == [
            (x.level, x.direction) for x in line_threats(endless, colour)
        ]
        for square in on_board.empty_squares(within=2):
            twin = Square(square.x + by, square.y + by)
            assert patterns.of(square, colour) == endless_patterns.of(twin, colour)
    values = generalised_threats(on_board)
    assert {Square(s.x + by, s.y + by): value for s, value in values.items()} == generalised_threats(endless)


def test_the_table_is_kept_and_small() -> None:
    table = pattern_table(6, 2)
    assert pattern_table(6, 2) is table
    line_patterns(Position(moves="J10"))
    assert table.entries > 0
    assert table.bytes < 80_000_000 / 8  # the thesis needed 80 MB for lines of 19 squares


# Generalised threats


def test_generalised_threats_of_one_stone() -> None:
    """Every square within five of the stone, in line with it, sees one stone; the areas of both checks have six squares
    on those next to it, where the stone stands directly behind, and on no others."""
    values = generalised_threats(Position(moves="J10"))
    assert values[Square.parse("K10")].black == 2
    assert values[Square.parse("K11")].black == 2
    assert values[Square.parse("L10")].total == 1
    assert values[Square.parse("O10")].total == 1
    assert Square.parse("P10") not in values
    assert Square.parse("L11") not in values
    assert len(values) == 4 * 10
    assert all(value.white == 0 for value in values.values())


def test_larger_generalised_threats_dominate_smaller_ones() -> None:
    """In the row of three black stones, J10-L10, squares that see two or one of them are in the shadow of those that
    see three, up to six squares away. I10 and M10 continue the row both ways: 64^2 twice."""
    values = generalised_threats(Position.setup(CONNECT6, ["J10", "K10", "L10"], [], WHITE, 2))
    row = {square.column: value.black for square, value in values.items() if square.y == 9}
    assert row == {"G": 64**2, "H": 64**2, "I": 2 * 64**2, "M": 2 * 64**2, "N": 64**2, "O": 64**2}


def test_a_blocked_end_leaves_one_generalised_threat() -> None:
    values = generalised_threats(Position.setup(CONNECT6, ["J10", "K10", "L10"], ["I10"], WHITE, 1))
    assert values[Square.parse("M10")].black == 64**2
    # White's stone is shut in by Black's: from H10 it has room to the left alone.
    assert values[Square.parse("H10")].white == 1
    assert values[Square.parse("H10")].black == 0


# The command


def test_the_command_shows_threats_and_defences(run: Run) -> None:  # noqa: F811
    code, out, _ = run("threats", WU_HUANG_ERRS)
    assert code == 0
    assert "Black has one threat by the exact count (exact 1, wu-huang 2, mark-all 1)." in out
    assert "Normal defences (*): D10\n" in out
    assert "Relaxed defences (~): D15I10\n" in out
    row = next(line for line in out.splitlines() if line.startswith("10 "))
    assert row.replace(" ", "").startswith("10..O*{X}{X}{X}{X}~O")
    code, out, _ = run("threats", WU_HUANG_ERRS, "--method", "wu-huang")
    assert "Black has 2 threats by the wu-huang count" in out


def test_the_board_points_out_threats_in_colour() -> None:
    console = Console(file=io.StringIO(), force_terminal=True, color_system="truecolor", width=200)
    row = tuple(Square(x, 9) for x in range(3, 9))
    overlay = Overlay((row,), frozenset({row[0]}), frozenset({row[-1]}))
    print_board(console, Position.parse(WU_HUANG_ERRS), overlay=overlay)
    assert isinstance(console.file, io.StringIO)
    line = next(text for text in console.file.getvalue().splitlines() if "10 " in text)
    assert (line.count("◆"), line.count("◇"), line.count("48;2;240;160;75m")) == (1, 1, 6)


def test_the_command_answers_in_json(run: Run) -> None:  # noqa: F811
    code, out, _ = run("threats", MARK_ALL_ERRS, "--json", "--method", "mark-all")
    answer = json.loads(out)
    assert code == 0
    assert (answer["side"], answer["method"], answer["threats"]) == ("black", "mark-all", 1)
    assert answer["counters"] == {"exact": 2, "wu_huang": 2, "mark_all": 1}
    assert answer["segments"][0] == ["D10", "E10", "F10", "G10", "H10", "I10"]
    assert len(answer["segments"]) == 3
    # The columns have two squares each, and the row is hit with D10 or I10.
    assert [(d["stones"], d["normal"]) for d in answer["defences"]] == [
        (["D10", "I10"], True),
        (["D10", "I15"], True),
        (["D15", "I10"], True),
    ]
    assert answer["lines"][0]["level"] == "1 threat"
    assert {line["level"] for line in answer["hp_threats"]} <= {"live-3", "dead-3", "live-2"}
    assert answer["defender_wins_at_once"] is False


def test_the_command_knows_sides_games_and_ends(run: Run) -> None:  # noqa: F811
    assert json.loads(run("threats", MARK_ALL_ERRS, "--side", "white", "--json")[1])["threats"] == 0
    code, out, _ = run("threats", "--game", "Connect(6,2,3)", "J10K10L10 A1B1 M10 pass")
    assert code == 0
    assert "Black has 2 threats" in out
    code, out, _ = run("threats", "B: H10 I10 J10 K10 W: A1 B1 C1 D1 to move: W")
    assert "But White can make 6 in a row at once" in out
    code, out, _ = run("threats", "--game", "gomoku", "B: H8 I8 J8 K8 W: A1 B3 C5 to move: W")
    assert "White cannot meet them with one stone." in out
    code, out, _ = run("threats", "B: A1 B1 C1 D1 E1 F1 W: A3 to move: W")
    assert (code, out.splitlines()[-1]) == (0, "Black has won: A1 to F1.")
    code, out, _ = run("threats", "J10")
    assert "Black has no threats" in out
    assert "Highly potential threats: none." in out
    assert run("threats", "J10", "--side", "red")[0] == 3


def test_the_command_draws_diagrams(run: Run, tmp_path: Path) -> None:  # noqa: F811
    svg, png = tmp_path / "t.svg", tmp_path / "t.png"
    code, _, _ = run("threats", WU_HUANG_ERRS, "--svg", str(svg), "--png", str(png), "--area", "A5:L18")
    assert code == 0
    assert svg.read_text().count("<polygon") == 2 + 3  # segments, squares
    assert png.read_bytes().startswith(b"\x89PNG")
    assert run("threats", "J10", "--json", "--svg", "-")[0] == 3
