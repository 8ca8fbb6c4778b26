"""The native board against its plain twin, on random games of many kinds."""

from hypothesis import given
from hypothesis import strategies as st
from reference.board import ReferenceBoard, ReferenceGame

from tengen import _native
from tengen.game import Colour, Game, Move, Position, Square, Symmetry, symmetries

GAMES = [
    Game(19, 19, 6, 2, 1),
    Game(15, 15, 5, 1, 1),
    Game(3, 3, 3, 1, 1),
    Game(3, 4, 3, 1, 1),
    Game(7, 7, 4, 2, 1),
    Game(9, 9, 6, 2, 3),
    Game(5, 6, 4, 1, 1),
    Game(4, 9, 3, 3, 2),
    Game(59, 3, 5, 2, 1),
    Game(6, 5, 1, 1, 1),
    Game(5, 4, 9, 2, 2),
    Game(8, 8, 2, 2, 1),
    Game(12, 7, 7, 4, 1),
]


@st.composite
def played_games(draw: st.DrawFn) -> tuple[Game, list[Square]]:
    """A game and squares in the order in which they will be taken; crowded, so that rows come about."""
    game = draw(st.sampled_from(GAMES))
    assert game.m is not None
    assert game.n is not None
    left, bottom = draw(st.integers(0, game.m - 1)), draw(st.integers(0, game.n - 1))
    corner = [
        Square(x, y)
        for x in range(left, min(left + game.k + 2, game.m))
        for y in range(bottom, min(bottom + 5, game.n))
    ]
    return game, draw(st.permutations(corner))


@given(played_games())
def test_random_games_agree(case: tuple[Game, list[Square]]) -> None:
    game, order = case
    assert game.m is not None
    assert game.n is not None
    position = Position(game)
    twin = ReferenceGame(game.m, game.n, game.k, game.p, game.q)
    keys = []
    for square in order:
        if position.is_over:
            break
        keys.append(position.key)
        position.play(square)
        twin.place((square.x, square.y))
        assert position.winner == twin.winner
        if not position.is_over:
            assert (position.turn, position.stones_left) == (twin.turn, twin.due())
    assert position._board.segments() == twin.board.segments()
    for square in order[:3]:
        through = {s[:3]: s[3:] for s in twin.board.segments()}
        assert all(through[(x, y, d)] == (b, w) for x, y, d, b, w in position.segments_through(square))
    if position.winner is not None:
        row = position.winning_row
        assert row is not None
        assert len(row) >= game.k
        assert all(position.at(s) is position.winner for s in row)
    while keys:
        position.undo()
        assert position.key == keys.pop()
    assert position == Position(game)


@given(st.integers(1, 9), st.integers(1, 9), st.integers(1, 7), st.data())
def test_native_board_agrees_stone_by_stone(m: int, n: int, k: int, data: st.DataObject) -> None:
    """Placing and removing in any order, on boards of any shape, also with a shifted origin."""
    left, bottom = data.draw(st.integers(-50, 50)), data.draw(st.integers(-50, 50))
    board = _native.Board(m, n, k, left, bottom)
    twin = ReferenceBoard(m, n, k)
    steps = st.tuples(st.integers(-1, m), st.integers(-1, n), st.integers(0, 1))
    for x, y, colour in data.draw(st.lists(steps, max_size=40)):
        inside = 0 <= x < m and 0 <= y < n
        if (x, y) in twin.stones:
            assert not board.place(x + left, y + bottom, colour)
            assert board.remove(x + left, y + bottom)
            del twin.stones[(x, y)]
        else:
            assert board.place(x + left, y + bottom, colour) == inside
            if inside:
                twin.stones[(x, y)] = colour
        assert board.has_row(0) == twin.has_row(0)
        assert board.has_row(1) == twin.has_row(1)
    assert [(x - left, y - bottom, *rest) for x, y, *rest in board.segments()] == twin.segments()
    for colour in (0, 1):
        assert {(x - left, y - bottom) for x, y in board.stones(colour)} == {
            square for square, held in twin.stones.items() if held == colour
        }
        assert board.count(colour) == len(board.stones(colour))


def random_position(game: Game, order: list[Square]) -> Position:
    position = Position(game)
    for square in order:
        if position.is_over:
            break
        position.play(square)
    return position


@given(played_games(), st.sampled_from(list(Symmetry)))
def test_symmetric_positions_share_their_canonical_form(case: tuple[Game, list[Square]], symmetry: Symmetry) -> None:
    game, order = case
    position = random_position(game, order[:9])
    if symmetry not in symmetries(game):
        return
    image = position.transformed(symmetry)
    assert image.canonical() == position.canonical()
    assert image.canonical_key == position.canonical_key == position.canonical().key
    assert str(image.canonical()) == str(position.canonical())
    assert image.transformed(symmetry.inverse) == position
    assert image.winner == position.winner


@given(st.sampled_from(list(Symmetry)), st.sampled_from(list(Symmetry)), st.integers(0, 4), st.integers(0, 4))
def test_symmetries_form_a_group(first: Symmetry, second: Symmetry, x: int, y: int) -> None:
    square = Square(x, y)
    assert second.square(first.square(square, 5, 5), 5, 5) == first.then(second).square(square, 5, 5)
    assert first.then(first.inverse) is Symmetry.IDENTITY


@given(
    st.lists(st.builds(Square, st.integers(-9, 9), st.integers(-9, 9)), min_size=1, max_size=12, unique=True),
    st.integers(-200, 200),
    st.integers(-200, 200),
    st.sampled_from(list(Symmetry)),
)
def test_translation_does_not_matter_on_the_infinite_board(
    order: list[Square], dx: int, dy: int, symmetry: Symmetry
) -> None:
    game = Game.infinite(6, 2, 1)
    position = random_position(game, order)
    moved = random_position(game, [Square(x + dx, y + dy) for x, y in order]).transformed(symmetry)
    assert moved.canonical() == position.canonical()
    assert moved.canonical_key == position.canonical_key == position.canonical().key


@given(played_games())
def test_position_texts_round_trip(case: tuple[Game, list[Square]]) -> None:
    game, order = case
    position = random_position(game, order[:11])
    assert Position.parse(str(position)) == position
    assert Position.parse(str(position)).moves == position.moves
    if position.winner is None:
        set_up = position.canonical()
        assert Position.parse(str(set_up)) == set_up


@given(played_games())
def test_equality_ignores_the_order_of_moves(case: tuple[Game, list[Square]]) -> None:
    game, order = case
    position = random_position(game, order[:9])
    turns = position.turns
    stones = {c: [s for turn in turns if turn.colour is c for s in turn.move] for c in Colour}
    again = Position(game)
    for colour, move in turns:  # the same numbers of stones, taken from the other end
        again.play(Move([stones[colour].pop() for _ in move]))
        if again.is_over:
            return  # the other order wins earlier
    assert again == position
    assert hash(again) == hash(position)
