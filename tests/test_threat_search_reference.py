"""The slow judges of the threat solver, on positions whose truth can be told by hand, and against slower ones.

In the diagrams X is to move and attacks; squares are (x, y), counted from the lower left corner. Boards with fewer
than k rows have horizontal segments only, so that each row can be judged alone and the threats add up. On such a row
of Connect6 a *live three* becomes two threats by one stone, a *dead three* one threat.
"""

import random
from collections.abc import Iterator
from functools import cache
from itertools import combinations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from reference.positions import RECIPES, Recipe, colour_of, quiet_position, random_position, to_move
from reference.threat_search import (
    NONE,
    Board,
    Referee,
    Reply,
    Search,
    Square,
    Squares,
    Tree,
    can_be_hit,
    completions,
    conservative,
    critical_defences,
    hitting_sets,
    shortest,
    vcdt,
    vcst,
)

X, O = 0, 1  # noqa: E741

SEEDS = st.integers(0, 10**6).map(random.Random)


def gaps_of(board: Board, colour: int) -> list[Squares]:
    return [segment - board.of_colour(colour) for segment in board.threat_segments(colour)]


# ------------------------------------------------------------------------------------- threats, counted by hand


@pytest.mark.parametrize(
    ("row", "number", "critical"),
    [
        ("O X X X X . . . .", 1, [[5], [6]]),  # dead: only 1..6 can be filled, and either gap stops it
        (". . X X X X . . .", 2, [[0, 6], [1, 6], [1, 7]]),  # live: 0..5, 1..6 and 2..7
        ("O . X X X X . . .", 1, [[1, 7], [6]]),  # 1..6 and 2..7: 6 stops both; 1 and 7 only together (relaxed)
        ("X X X . X . X X X", 1, [[3], [5]]),  # four windows, and every one needs both 3 and 5
        (". . X X X . . . .", 0, [[]]),  # three are no threat
        ("X X X X . . O X X", 1, [[4], [5]]),
    ],
)
def test_threats_on_one_line_of_connect6(row: str, number: int, critical: list[list[int]]) -> None:
    board = Board.parse(6, 2, row)
    assert board.threat_number(X) == number
    found = critical_defences(gaps_of(board, X), board.p)
    assert sorted(sorted(x for x, _ in stones) for stones in found) == critical


def test_crossing_threats_may_share_a_defence() -> None:
    """Two dead threes with the same gap are one threat when p = 1, though two segments are threatened."""
    board = Board.parse(
        4,
        1,
        """
        . . . O
        . . . X
        . . . X
        . . . X
        X X X .
        """,
    )
    assert len(board.threat_segments(X)) == 2
    assert board.threat_number(X) == 1


def test_a_finished_row_cannot_be_stopped() -> None:
    with pytest.raises(ValueError, match="cannot be stopped"):
        Board.parse(4, 2, "X X X X .").threat_number(X)


# --------------------------------------------------------------------------------------- wins, counted by hand


@pytest.mark.parametrize(
    ("row", "depth"),
    [
        (". . X X . . .", 1),  # three with both ends open: two threats against one stone
        ("O X X . . . .", None),  # three with one end is met, and the row is dead
        (". X . X . . .", 1),  # the middle makes an open three
        ("O X . X . . .", None),  # 1..4 is all that X can fill
        ("X X X . . O .", 1),  # a row is completed at once
    ],
)
def test_one_line_of_four_with_one_stone_a_move(row: str, depth: int | None) -> None:
    board = Board.parse(4, 1, row)
    assert shortest(board, X, vcdt, 4) == depth
    assert shortest(board, X, vcst, 4) == depth


def test_two_dead_twos_that_cross() -> None:
    """With (3, 0) X has a three in the row, gap (4, 0), and one in the column, gap (3, 1): two threats, one stone."""
    board = Board.parse(
        4,
        1,
        """
        . . . O . . .
        . . . X . . .
        . . . X . . .
        . . . . . . .
        O X X . . . .
        """,
    )
    assert shortest(board, X, vcdt, 1) == 1
    # With the first row blocked nothing crosses, and each two alone makes one threat.
    board.stones[4, 0] = O
    assert not vcdt(board, X, 1)


def test_a_row_is_completed_at_any_depth_but_none() -> None:
    board = Board.parse(6, 2, "X X X X . . . . .")
    for search in (vcdt, vcst, conservative):
        assert not search(board, X, 0)
        assert search(board, X, 1)
        assert search(board, X, 3)
        assert not search(board, X, 3, 1)  # one stone makes five, and then O blocks


def test_threats_that_are_there_already_count_in_an_unfinished_move() -> None:
    """X has placed one of two stones and has a live four; the other stone makes the dead three a third threat."""
    board = Board.parse(6, 2, ". . X X X X . . .\nO X X X . . . . .")
    assert vcdt(board, X, 1, 1)
    board.stones[4, 0] = O
    assert not vcst(board, X, 3, 1)


def test_more_than_k_in_a_row_wins() -> None:
    assert vcdt(Board.parse(4, 1, "X X X . X X X"), X, 1)


TWO_LIVE_THREES = """
    . . X X X . . . .
    . . . . . . . . .
    . . X X X . . . .
    """


def test_two_live_threes_win_at_once() -> None:
    """One stone for each makes four threats."""
    board = Board.parse(6, 2, TWO_LIVE_THREES)
    assert [shortest(board, X, search, 3) for search in (vcdt, vcst, conservative)] == [1, 1, 1]


def test_more_than_p_threats_are_no_win_if_the_defender_is_first() -> None:
    """O has a live four: X needs both stones there, and has no threat afterwards, so nothing that forces."""
    board = Board.parse(6, 2, TWO_LIVE_THREES)
    board.stones |= {(x, 1): O for x in (2, 3, 4, 5)}
    for search in (vcdt, vcst, conservative):
        assert shortest(board, X, search, 4) is None


def test_a_move_may_attack_with_one_stone_and_block_with_the_other() -> None:
    """O has a dead four, which costs X one stone: with the other he makes at most two threats, so it takes two moves.

    First the block and a live four, which O must answer with both stones; then the other live three and the dead three
    make three threats. Beside the block, the dead three alone makes one threat.
    """
    board = Board.parse(
        6,
        2,
        """
        X O O O O . . . .
        . . X X X . . . .
        . . X X X . . . .
        O X X X . . . . .
        """,
    )
    assert [shortest(board, X, search, 3) for search in (vcdt, vcst, conservative)] == [2, 2, 2]
    # The dead three is needed: without it every move of X has one stone too few.
    board.stones[4, 0] = O
    assert shortest(board, X, vcdt, 3) is None


def test_inversion_a_defence_that_makes_threats() -> None:
    """As above, but in both rows of live threes O has a three too, and defends so that it becomes a four.

    After X (5, y) the gaps are 0 1, 1 6 and 6 7; O plays 1 and 7 and has four from 7 to 10. X must block that too, so
    he always has one stone for the attack, which makes no more than two threats, and he runs out of threes.
    """
    text = """
        X O O O O . . . . . . . . .
        . . X X X . . . 8 9 A . . .
        . . X X X . . . 8 9 A . . .
        O X X X . . . . . . . . . .
        """
    plain = Board.parse(6, 2, text)
    assert shortest(plain, X, vcdt, 3) == 2
    inverted = Board.parse(6, 2, text.replace("8 9 A", "O O O"))
    assert shortest(inverted, X, vcdt, 4) is None
    assert shortest(inverted, X, conservative, 4) is None


def test_the_conservative_defender_may_take_more_than_he_could() -> None:
    """All defending squares at once can make a row of the defender that no real reply makes; then there is no win.

    X has just made two dead fours, with the gaps (5, 0) (6, 0) and (10, 0) (10, 1): O must take one of each, but the
    conservative defender takes all four and has six from (5, 0) to (10, 0). X has one more four, in row 4, which is not
    named below as a threat: so nothing but the row of O stands against his win.
    """
    board = Board.parse(
        6,
        2,
        """
        . . . . . . . . . . X
        X X X X . . . . . . X
        . . . . . . . . . . X
        . . . . . . . . . . X
        . . . . . . . . . . .
        O X X X X . . O O O .
        """,
    )
    own, theirs = board.of_colour(X), board.of_colour(O)
    fours = [frozenset({(5, 0), (6, 0)}), frozenset({(10, 0), (10, 1)})]
    assert not Search(11, 6, 6, 2, least=2, fill=True).all_replies_lose(own, theirs, fours, 2)
    assert Search(11, 6, 6, 2, least=2, fill=True).all_replies_lose(own, theirs - {(8, 0)}, fours, 2)
    assert Search(11, 6, 6, 2, least=2).all_replies_lose(own, theirs, fours, 2)


def test_a_stone_that_makes_a_double_threat_leaves_the_other_free() -> None:
    """(5, 0) alone makes two threats: the other stone may go to any square."""
    board = Board.parse(6, 2, ". . . . . . . . .\n. . X X X . . . .")
    search = Search(9, 2, 6, 2, least=2)
    moves = {move for move, _ in search.forcing_moves(board.of_colour(X), NONE, 2, 2)}
    assert all(frozenset({(5, 0), square}) in moves for square in board.empty() - {(5, 0)})


SINGLE_THREATS_ONLY = """
    . . O X O O .
    . . . . X O O
    . . . . . X .
    . . . . . . .
    . . . . . X .
    . . . . . . .
    . . . . . . .
    """


def test_a_win_that_needs_a_single_threat() -> None:
    """Found by chance: five in a row, no win by double threats in five moves, one by single threats in two."""
    board = Board.parse(5, 2, SINGLE_THREATS_ONLY)
    assert shortest(board, X, vcdt, 5) is None
    assert shortest(board, X, vcst, 2) == 2


# ----------------------------------------------------------------------------------------- against slower judges


def brute_moves(board: Board, colour: int, stones: int) -> Iterator[Board]:
    empty = sorted(board.empty())
    for move in combinations(empty, min(stones, len(empty))):
        yield Board(board.m, board.n, board.k, board.p, board.stones | dict.fromkeys(move, colour))


def brute(board: Board, attacker: int, depth: int, least: int, stones: int) -> bool:
    """The definition and nothing else."""
    if depth == 0:
        return False
    defender = 1 - attacker
    for after in brute_moves(board, attacker, stones):
        if after.has_row(attacker):
            return True
        if after.threat_segments(defender) or after.threat_number(attacker) < least:
            continue
        if after.threat_number(attacker) > board.p:
            return True
        replies = [r for r in brute_moves(after, defender, board.p) if not r.threat_segments(attacker)]
        if depth > 1 and all(brute(reply, attacker, depth - 1, least, board.p) for reply in replies):
            return True
    return False


SMALL = [(4, 4, 3, 1), (5, 4, 4, 1), (5, 4, 4, 2), (6, 2, 5, 2), (4, 4, 4, 3), (6, 3, 4, 2)]


@settings(max_examples=40, deadline=None)
@given(SEEDS, st.sampled_from(SMALL), st.integers(6, 10))
def test_the_judges_follow_the_definition(rng: random.Random, game: tuple[int, int, int, int], size: int) -> None:
    m, n, k, p = game
    held = random_position(rng, m, n, k, p, 1, size)
    board = Board.of(m, n, k, p, *held)
    attacker, stones = to_move(len(board.stones), p, 1)
    for depth in (1, 2):
        assert vcdt(board, attacker, depth, stones) == brute(board, attacker, depth, p, stones)
        assert vcst(board, attacker, depth, stones) == brute(board, attacker, depth, 1, stones)


@settings(max_examples=20, deadline=None)
@given(SEEDS, st.sampled_from([(5, 5, 4, 2, 1, 5, 1), (5, 5, 4, 1, 3, 4, 1), (7, 3, 5, 2, 4, 2, 0)]))
def test_the_judges_follow_the_definition_where_no_row_is_at_hand(rng: random.Random, recipe: Recipe) -> None:
    board = quiet_board(rng, recipe)
    assert vcdt(board, X, 2) == brute(board, X, 2, board.p, board.p)
    assert vcst(board, X, 2) == brute(board, X, 2, 1, board.p)


@cache
def value(game: tuple[int, int, int, int], own: Squares, theirs: Squares, stones: int) -> int:
    """1, 0 or -1 for the side to move, stone by stone."""
    m, n, k, p = game
    empty = frozenset((x, y) for x in range(m) for y in range(n)) - own - theirs
    best = -1
    if not empty:
        return 0
    for square in empty:
        placed = own | {square}
        if any(segment <= placed for segment in Board(m, n, k, p).segments() if square in segment):
            return 1
        if stones > 1:
            best = max(best, value(game, placed, theirs, stones - 1))
        else:
            best = max(best, -value(game, theirs, placed, p))
        if best == 1:
            break
    return best


@settings(max_examples=30, deadline=None)
@given(SEEDS, st.sampled_from([(4, 4, 3, 1), (4, 4, 4, 2), (5, 3, 3, 1), (5, 3, 4, 2)]), st.integers(5, 8))
def test_a_win_by_threats_is_a_win(rng: random.Random, game: tuple[int, int, int, int], size: int) -> None:
    m, n, k, p = game
    board = Board.of(*game, *random_position(rng, m, n, k, p, 1, size))
    attacker, stones = to_move(len(board.stones), p, 1)
    own, theirs = board.of_colour(attacker), board.of_colour(1 - attacker)
    for search in (vcdt, vcst, conservative):
        if search(board, attacker, 3, stones):
            assert value(game, own, theirs, stones) == 1


def quiet_board(rng: random.Random, recipe: Recipe) -> Board:
    m, n, k, p, black, white, white_threats = recipe
    return Board.of(m, n, k, p, *quiet_position(rng, m, n, k, p, black, white, white_threats))


@settings(max_examples=25, deadline=None)
@given(SEEDS, st.sampled_from(RECIPES))
def test_the_searches_contain_each_other(rng: random.Random, recipe: Recipe) -> None:
    board = quiet_board(rng, recipe)
    found = {search: [search(board, X, depth) for depth in (1, 2)] for search in (conservative, vcdt, vcst)}
    for few, many in [(conservative, vcdt), (vcdt, vcst)]:
        assert all(b for a, b in zip(found[few], found[many], strict=True) if a)
    assert all(answers == sorted(answers) for answers in found.values())  # deeper finds no less
    assert len({answers[0] for answers in found.values()}) == 1  # one move is the same in all
    if board.p == 1:
        assert found[vcdt] == found[vcst]


@given(SEEDS, st.integers(1, 3), st.integers(1, 7))
def test_hitting_sets_against_all_sets(rng: random.Random, most: int, count: int) -> None:
    squares = [(x, 0) for x in range(6)]
    gaps = [frozenset(rng.sample(squares, rng.randint(1, 3))) for _ in range(count)]
    sets = [frozenset(s) for size in range(most + 1) for s in combinations(squares, size)]
    hitting = [s for s in sets if all(s & gap for gap in gaps)]
    assert can_be_hit(gaps, most) == bool(hitting)
    assert critical_defences(gaps, most) == {s for s in hitting if not any(other < s for other in hitting)}
    size = min(most, 6)
    whole = {s for s in hitting if len(s) == size}
    assert set(completions(hitting_sets(gaps, most), frozenset(squares), size)) == whole


@given(SEEDS, st.integers(0, 20))
def test_random_positions_are_what_they_say(rng: random.Random, stones: int) -> None:
    black, white = random_position(rng, 7, 6, 4, 2, 1, stones)
    board = Board.of(7, 6, 4, 2, black, white)
    assert len(board.stones) == len(black) + len(white) <= stones
    assert len(black) == sum(colour_of(number, 2, 1) == X for number in range(len(board.stones)))
    assert not board.has_row(X)
    assert not board.has_row(O)
    quiet = quiet_board(rng, (8, 8, 5, 2, 4, stones // 2, 1))
    assert not quiet.threat_segments(X)
    assert quiet.threat_number(O) <= 1


@pytest.mark.parametrize(
    ("stones", "turn"), [(0, (0, 1)), (1, (1, 2)), (2, (1, 1)), (3, (0, 2)), (4, (0, 1)), (5, (1, 2))]
)
def test_who_is_to_move(stones: int, turn: tuple[int, int]) -> None:
    assert to_move(stones, 2, 1) == turn


# --------------------------------------------------------------------------------------------------- the referee


def strategy(search: Search, own: Squares, theirs: Squares, depth: int) -> Tree:
    """A tree that answers every single reply, passes too; only for positions that are won."""
    p = search.p
    depth = next(d for d in range(1, depth + 1) if search.wins(own, theirs, d, p))
    at_once = search.gaps(own, theirs, p)
    if at_once:
        return {"move": sorted(at_once[0]), "replies": []}
    for move, threats in search.forcing_moves(own, theirs, p, search.least):
        if not can_be_hit(threats, p):
            return {"move": sorted(move), "replies": []}
        if depth > 1 and search.all_replies_lose(own | move, theirs, threats, depth):
            empty = search.squares - own - theirs - move
            critical = critical_defences(threats, p)
            replies: list[Reply] = [
                {
                    "stones": sorted(stones),
                    "passes": p - len(stones),
                    "answer": strategy(search, own | move, theirs | stones, depth - 1),
                }
                for stones in critical | set(completions(critical, empty, p))
            ]
            return {"move": sorted(move), "replies": replies}
    raise AssertionError("the position is not won")


@pytest.mark.parametrize("least", [1, 2])
def test_the_referee_accepts_what_the_judges_find(least: int) -> None:
    rng = random.Random(2)
    longer = 0
    for _ in range(60):
        board = quiet_board(rng, (7, 7, 5, 2, 3, 4, 1))
        search = Search(7, 7, 5, 2, least=least)
        own, theirs = board.of_colour(X), board.of_colour(O)
        if not search.wins(own, theirs, 2, 2):
            continue
        tree = strategy(search, own, theirs, 2)
        visited = Referee(board, X, least).check(tree)
        if tree["replies"]:
            longer += 1
            assert visited > len(tree["replies"])
            threats = search.gaps(own.union(tree["move"]), theirs, 2)
            gone = sorted(min(critical_defences(threats, 2), key=sorted))
            tree["replies"] = [reply for reply in tree["replies"] if reply["stones"] != gone]
            with pytest.raises(AssertionError, match="critical defence"):
                Referee(board, X, least).check(tree)
    assert longer > 3


def test_the_referee_accepts_a_win_by_single_threats() -> None:
    board = Board.parse(5, 2, SINGLE_THREATS_ONLY)
    tree = strategy(Search(7, 7, 5, 2, least=1), board.of_colour(X), board.of_colour(O), 2)
    assert Referee(board, X, 1).check(tree) > 40
    assert 1 < Referee(board, X, 1).check(tree, 3, random.Random(1)) <= len(tree["replies"]) + 1
    with pytest.raises(AssertionError, match="leaves 1 threats"):
        Referee(board, X, 2).check(tree)


# Rows of their own again. X (5, 0) makes one threat with the gaps 1 6 and 6 7: it is met by 6, which leaves O a stone,
# or by 1 and 7 together. Then two of the three live threes make four threats, three if O has a stone beside one.
ONE_THREAT = """
    X O O O . . . . .
    . . X X X . . . .
    . . X X X . . . .
    . . X X X . . . .
    O . X X X . . . .
    """


def fours(*rows: int) -> Tree:
    return {"move": [(5, row) for row in rows], "replies": []}


def one_threat_tree() -> Tree:
    """Answers to the two critical defences only: a hole if O puts the free stone where X wants to go."""
    return {
        "move": [(5, 0)],
        "replies": [
            {"stones": [(6, 0)], "passes": 1, "answer": fours(1, 2)},
            {"stones": [(1, 0), (7, 0)], "passes": 0, "answer": fours(1, 2)},
        ],
    }


def explicit(square: Square, answer: Tree) -> Reply:
    return {"stones": [(6, 0), square], "passes": 0, "answer": answer}


def whole_tree() -> Tree:
    """With an answer for every free stone that needs one of its own."""
    tree = one_threat_tree()
    tree["replies"] += [explicit((5, 1), fours(2, 3)), explicit((5, 2), fours(1, 3))]
    # With a stone in row 4 O has a four there. X blocks it and makes two threats in row 1; whichever of the replies
    # follows, the other two live threes then make four threats.
    for x in (4, 5, 6):
        block = (5 if x == 4 else 4, 4)
        after: list[Reply] = [
            {"stones": [(a, 1), (b, 1)], "passes": 0, "answer": fours(2, 3)} for a, b in [(0, 6), (1, 6), (1, 7)]
        ]
        tree["replies"].append(explicit((x, 4), {"move": [(5, 1), block], "replies": after}))
    return tree


def one_threat_board() -> Board:
    return Board.parse(6, 2, ONE_THREAT)


def refused(tree: Tree, least: int = 1) -> str:
    with pytest.raises(AssertionError) as error:
        Referee(one_threat_board(), X, least).check(tree)
    return str(error.value).splitlines()[0]


def test_the_referee_accepts_a_tree_without_holes() -> None:
    board = one_threat_board()
    free = len(board.empty()) - 2  # all but (5, 0) and (6, 0)
    # The move, two critical defences, each free stone beside (6, 0), and three replies after each of three blocks.
    visited = Referee(board, X, 1).check(whole_tree())
    assert visited >= 1 + 2 + free + 3 * 3
    assert Referee(board, X, 1).check(whole_tree(), 5, random.Random(3)) < visited


def test_the_referee_finds_each_missing_explicit_answer() -> None:
    """Of the replies beyond the critical two, every one is needed, and the referee names it."""
    for number in range(2, 7):
        tree = whole_tree()
        gone = tree["replies"].pop(number)
        x, y = gone["stones"][1]
        message = refused(tree)
        assert f"and reply ({x},{y}) (6,0)" in message or f"and reply (6,0) ({x},{y})" in message
        assert ("completes a row" if y == 4 else "occupied") in message


@pytest.mark.parametrize(
    ("number", "missing"),
    [(0, "critical defence (6,0) has no reply"), (1, "critical defence (1,0) (7,0) has no reply")],
)
def test_the_referee_wants_every_critical_defence_also_the_relaxed(number: int, missing: str) -> None:
    tree = whole_tree()
    del tree["replies"][number]
    assert missing in refused(tree)


def test_the_referee_refuses_moves_that_are_none() -> None:
    assert "has more than 2 stones" in refused({"move": [(5, 1), (5, 2), (5, 3)], "replies": []})
    assert "takes the occupied (4,1)" in refused({"move": [(4, 1), (5, 2)], "replies": []})
    assert "leaves the board" in refused({"move": [(9, 1)], "replies": []})
    assert "twice" in refused({"move": [(5, 1), (5, 1)], "replies": []})
    assert "leaves 2 threats and no row" in refused(fours(1))
    assert "leaves 0 threats" in refused({"move": [(8, 1)], "replies": whole_tree()["replies"]})
    assert "leaves 1 threats" in refused(whole_tree(), least=2)
    tree = whole_tree()
    tree["replies"][0]["passes"] = 0
    assert "has not 2 stones" in refused(tree)
    tree = whole_tree()
    tree["replies"][2]["stones"] = [(6, 0), (2, 1)]
    assert "is no move" in refused(tree)
    assert Referee(one_threat_board(), X, 1).check(fours(1, 2)) == 1
    with pytest.raises(AssertionError, match="more than 1 stones"):
        Referee(one_threat_board(), X, 1).check(fours(1, 2), stones_left=1)


def test_the_referee_sees_a_defender_who_is_first() -> None:
    board = one_threat_board()
    board.stones[4, 4] = O
    with pytest.raises(AssertionError, match="the defender completes a row"):
        Referee(board, X, 1).check(fours(1, 2))


def test_extra_stones_on_the_squares_of_a_threat() -> None:
    """What the tree does when O had a stone more all along, which it does not know.

    With O at (1, 0) the threat has the gap 6 7 only. O's 7 is then the tree's 1 and 7, and his other stone is free.
    With O at (6, 0) there is no threat left, and the tree says nothing about a defender who is not forced.
    """
    board = one_threat_board()
    own, theirs = board.of_colour(X), board.of_colour(O)

    def fault(tree: Tree, square: Square) -> str | None:
        return Referee(board, X, 1).fault(tree, own, theirs | {square}, frozenset({square}), 2)

    tree = whole_tree()
    assert "and reply (4,4) (7,0): the answer to (1,0) (7,0) does not hold" in str(fault(tree, (1, 0)))
    board.stones[4, 4] = X  # so that O has no threat of his own with one stone
    own = board.of_colour(X)
    beside: list[Reply] = [
        {"stones": [(1, 0), (7, 0), (5, row)], "passes": 0, "answer": fours(3 - row, 3)} for row in (1, 2)
    ]
    tree["replies"] += beside
    assert fault(tree, (1, 0)) is None
    assert "leaves 0 threats" in str(fault(tree, (6, 0)))
    assert "takes the occupied (5,0)" in str(fault(tree, (5, 0)))
