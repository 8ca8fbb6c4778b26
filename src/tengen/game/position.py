"""A position: stones on a board, whose turn it is, and how it came about."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from itertools import combinations
from typing import NamedTuple, NoReturn

from tengen import _native
from tengen.game.errors import IllegalMoveError, SetupError, TengenError
from tengen.game.rules import BLACK, CONNECT6, WHITE, Colour, Game
from tengen.game.square import Move, Square, as_square, parse_move
from tengen.game.symmetry import Symmetry, symmetries
from tengen.game.text import PositionText, Setup, format_setup

_COLOURS = (BLACK, WHITE)
_HOME = 9
"""The middle of an infinite board's first window: tengen, J10."""
_WINDOW_MARGIN = 16
_FAR = 1 << 20
"""Farther away than any square that a board can hold."""


class Turn(NamedTuple):
    """One player's move in a game, possibly not complete yet."""

    colour: Colour
    move: Move


_Played = tuple[Move, Colour, int, Colour | None]
"""One call of `play`, with the turn, stones left and winner before it. A bare tuple, because `play` is hot."""


class Position:
    """A position of a game, to be played on stone by stone or move by move.

    Examples:
        >>> position = Position(CONNECT6)
        >>> position.play("J10")
        Move('J10')
        >>> position.turn, position.stones_left
        (<Colour.WHITE: 1>, 2)

    Raises:
        SetupError: if rows of the game are longer than positions know.
        NotationError: if the moves to begin with are none.
        IllegalMoveError: if one of them is illegal.
    """

    __slots__ = (
        "_board",
        "_empty",
        "_height",
        "_history",
        "_setup",
        "_turn",
        "_winner",
        "game",
        "stones_left",
    )

    game: Game
    stones_left: int
    """How many stones the player to move has still to place in this turn."""

    def __init__(self, game: Game = CONNECT6, moves: str | Iterable[str | Move] = ()) -> None:
        if game.k > _native.MAX_K:
            raise SetupError(f"{game}: positions know rows of up to {_native.MAX_K} in a row")
        self.game = game
        if game.m is None or game.n is None:
            side = 2 * (_WINDOW_MARGIN + game.k) + 1
            self._board = _native.Board(side, side, game.k, _HOME - side // 2, _HOME - side // 2)
        else:
            self._board = _native.Board(game.m, game.n, game.k)
        self._empty = game.squares
        self._height = game.n
        self._history: list[_Played] = []
        self._setup: Setup | None = None
        self._turn = BLACK
        self._winner: Colour | None = None
        self.stones_left = self._room_for(game.q)
        if isinstance(moves, str):
            self._play_text(PositionText.parse(moves, game))
        else:
            for move in moves:
                self.play(move)

    @classmethod
    def setup(
        cls,
        game: Game,
        black: Iterable[Square | str] = (),
        white: Iterable[Square | str] = (),
        turn: Colour | None = None,
        stones_left: int | None = None,
    ) -> Position:
        """A position with stones set up freely.

        Without `turn` and `stones_left` they are inferred from the numbers of stones, as if they had been played.

        Raises:
            NotationError: if something is no square.
            SetupError: if a stone is off the board or two share a square, if both sides have a winning row, or if
                nobody could say whose turn it is.
        """
        position = cls(game)
        position._put(Setup(tuple(map(as_square, black)), tuple(map(as_square, white)), turn, stones_left))
        return position

    @classmethod
    def parse(cls, text: str, game: Game | None = None) -> Position:
        """Reads a position from one line of text (`tengen.game.text` describes it); Connect6 unless it says otherwise.

        Raises:
            NotationError: if the text is no position.
            GameError: if the game in front of it makes no sense.
            IllegalMoveError: if a move in it is illegal.
            SetupError: if stones in it cannot be set up.
        """
        parsed = PositionText.parse(text, game)
        position = cls(parsed.game or CONNECT6)
        position._play_text(parsed)
        return position

    # What the position is

    @property
    def turn(self) -> Colour:
        """The player who is to place the next stone."""
        return self._turn

    @property
    def winner(self) -> Colour | None:
        """The player with k or more in a row; None while nobody has won."""
        return self._winner

    @property
    def is_draw(self) -> bool:
        """Whether the board is full and nobody has won."""
        return self._empty == 0 and self._winner is None

    @property
    def is_over(self) -> bool:
        """Whether the game has ended, by a row or a full board."""
        return self._winner is not None or self._empty == 0

    @property
    def winning_row(self) -> tuple[Square, ...] | None:
        """The squares of the winner's row, from one end to the other; None while nobody has won."""
        if self._winner is None:
            return None
        return tuple(Square(x, y) for x, y in self._board.row(self._winner))

    @property
    def is_mid_turn(self) -> bool:
        """Whether a part of the present turn's stones has been placed already."""
        if self._history:
            return self._history[-1][1] is self._turn
        return self._setup is not None and 0 < self.stones_left < self._room_for(self.game.p)

    @property
    def steps(self) -> int:
        """How many calls of `play` led here, that is, how often `undo` can be called."""
        return len(self._history)

    @property
    def initial(self) -> Setup | None:
        """The stones that were set up before the first move, if any were."""
        return self._setup

    @property
    def turns(self) -> list[Turn]:
        """The moves since the start or the set-up, with their colours; the last may be incomplete."""
        turns: list[Turn] = []
        open_turn = False
        for played, colour, stones_left, _ in self._history:
            move = played
            if open_turn:
                earlier = turns.pop().move
                move = Move(earlier.squares + move.squares, move.is_pass)
            turns.append(Turn(colour, move))
            open_turn = len(played) < stones_left and not played.is_pass
        return turns

    @property
    def moves(self) -> list[Move]:
        """The moves since the start or the set-up, one a turn; the last may be incomplete."""
        return [turn.move for turn in self.turns]

    def replay(self) -> Iterator[tuple[Position, Turn]]:
        """All turns since the start or the set-up, each with the position before it."""
        turns, walk = self.turns, self.copy()
        while walk.steps:
            walk.undo()
        for turn in turns:
            before, walk = walk, walk.after(turn.move)
            yield before, turn

    @property
    def stone_count(self) -> int:
        """How many stones are on the board."""
        return self._board.count(BLACK) + self._board.count(WHITE)

    def stones(self, colour: Colour) -> tuple[Square, ...]:
        """The stones of one player, row by row from below."""
        return tuple(Square(x, y) for x, y in self._board.stones(colour))

    def at(self, square: Square | str) -> Colour | None:
        """The stone on a square, or None if it is empty or off the board."""
        x, y = as_square(square)
        if max(abs(x), abs(y)) > _FAR:
            return None
        colour = self._board.at(x, y)
        return None if colour < 0 else _COLOURS[colour]

    def __contains__(self, square: Square | str) -> bool:
        x, y = as_square(square)
        m, n = self.game.m, self.game.n
        return m is None or n is None or (0 <= x < m and 0 <= y < n)

    @property
    def native_board(self) -> _native.Board:
        """The native board, for rooms with a native part of their own; to be read only. On the infinite board it is a
        window that leaves room for every segment through a stone, and is another object once that has grown."""
        return self._board

    def segments_through(self, square: Square) -> list[tuple[int, int, int, int, int]]:
        """The segments of k squares through a square: first square (x, y), direction, black stones, white stones.

        Directions are 0 to the right, 1 upwards, 2 right and up, 3 right and down.
        """
        self._widen((square,))
        return self._board.segments_through(square.x, square.y)

    def empty_squares(self, within: int | None = None) -> Iterator[Square]:
        """The empty squares, row by row from below; with `within`, only those that near to a stone (or to the middle).

        Raises:
            TengenError: on the infinite board without `within`.
        """
        stones = [*self._board.stones(BLACK), *self._board.stones(WHITE)]
        if within is not None:
            middle = (self.game.m or 2 * _HOME + 1) // 2, (self.game.n or 2 * _HOME + 1) // 2
            near = {
                (x + i, y + j)
                for x, y in stones or [middle]
                for i in range(-within, within + 1)
                for j in range(-within, within + 1)
            }
            candidates = sorted(near.difference(stones), key=lambda square: (square[1], square[0]))
        elif self.game.m is None or self.game.n is None:
            raise TengenError(
                "the empty squares of the infinite board have no end: say how near to a stone they must be"
            )
        else:
            taken = set(stones)
            candidates = [(x, y) for y in range(self.game.n) for x in range(self.game.m) if (x, y) not in taken]
        return (Square(x, y) for x, y in candidates if Square(x, y) in self)

    def legal_moves(self, within: int | None = None) -> Iterator[Move]:
        """Every way to place the stones left in this turn (on squares that near to a stone, with `within`), null moves
        left out; nothing once the game is over.

        Raises:
            TengenError: on the infinite board without `within`.
        """
        if self.is_over:
            return iter(())
        return (Move(stones) for stones in combinations(self.empty_squares(within), self.stones_left))

    def is_legal(self, move: Move | str) -> bool:
        """Whether `play` would accept a move. A text that is no move is not legal."""
        try:
            self.after(move)
        except TengenError:
            return False
        return True

    # Playing

    def play(self, move: Move | Square | str) -> Move:
        """Places the stones of a move, or some of them; `pass` forgoes what is left of the turn (for analysis).

        The player who has won may still place the rest of that turn's stones, since a move has no order.

        Raises:
            NotationError: if a text is no move.
            IllegalMoveError: if the move is illegal; nothing is changed then.
        """
        if isinstance(move, str):
            move = parse_move(move, self._height)
        elif not isinstance(move, Move):
            move = Move((as_square(move),))
        count = len(move.squares)
        turn, left, empty, winner = self._turn, self.stones_left, self._empty, self._winner
        if winner is not None or empty == 0 or count > left or move.is_pass:
            self._check_room(move)
        if empty is None:
            self._widen(move.squares)
        try:
            has_row = self._board.play(move.squares, turn)
        except TypeError:  # numbers beyond any board
            has_row = -1
        if has_row:
            if has_row < 0:
                self._refuse(move)
            if turn is BLACK or not self.game.maker_breaker:
                self._winner = turn
        self._history.append((move, turn, left, winner))
        if empty is not None:
            self._empty = empty = empty - count
        if count == left or move.is_pass:
            self._turn = WHITE if turn is BLACK else BLACK
            p = self.game.p
            self.stones_left = p if empty is None or p < empty else empty
        else:
            self.stones_left = left - count
        return move

    def after(self, move: Move | Square | str) -> Position:
        """The position that a move leads to; this one stays as it is.

        Raises:
            NotationError: if a text is no move.
            IllegalMoveError: if the move is illegal.
        """
        reached = self.copy()
        reached.play(move)
        return reached

    def undo(self) -> Move:
        """Takes back what the last call of `play` did, and returns it.

        Raises:
            IllegalMoveError: if nothing has been played.
        """
        if not self._history:
            raise IllegalMoveError("there is no move to take back")
        move, self._turn, self.stones_left, self._winner = self._history.pop()
        for x, y in move.squares:
            self._board.remove(x, y)
        if self._empty is not None:
            self._empty += len(move)
        return move

    def __copy__(self) -> Position:
        return self.copy()

    def __deepcopy__(self, memo: object) -> Position:
        return self.copy()

    def __reduce__(self) -> tuple[Callable[..., Position], tuple[object, ...]]:
        return _rebuilt, (self.game, self._setup, [played[0] for played in self._history])

    def copy(self) -> Position:
        """An independent copy, history included."""
        twin = object.__new__(Position)
        for name in Position.__slots__:
            setattr(twin, name, getattr(self, name))
        twin._board = self._board.copy()
        twin._history = self._history.copy()
        return twin

    # Sameness

    @property
    def key(self) -> int:
        """A 64-bit hash of the game, the stones, the turn and its stones left; the same on every machine."""
        return self._board.key ^ self._state_key()

    @property
    def canonical_key(self) -> int:
        """The key of the canonical form: the same for all symmetric positions."""
        return min(self._symmetric_keys())[0] ^ self._state_key()

    def canonical_symmetry(self) -> Symmetry:
        """The symmetry that maps this position to its canonical form."""
        return min(self._symmetric_keys())[1]

    def canonical(self) -> Position:
        """One representative of all positions that equal this one by symmetry (and translation, without an edge)."""
        image = self.transformed(self.canonical_symmetry())
        twin = Position(self.game)
        if self.stone_count == 0:
            stones_left = self.stones_left
            twin._turn, twin.stones_left = self._turn, stones_left
            if self._turn is not BLACK or stones_left != twin._room_for(self.game.q):
                twin._setup = Setup((), (), self._turn, stones_left)
            return twin
        twin._put(Setup(image.stones(BLACK), image.stones(WHITE), self._turn, self.stones_left))
        return twin

    def transformed(self, symmetry: Symmetry) -> Position:
        """This position, with its history, mirrored or rotated.

        On the infinite board the stones are moved as well, so that their outline has its middle at J10.

        Raises:
            TengenError: if the symmetry does not map the board onto itself.
        """
        if symmetry not in symmetries(self.game):
            raise TengenError(f"{symmetry.name} turns the board of {self.game} into another one")
        if self.game.m is not None and self.game.n is not None:
            width, height, dx, dy, shift_x, shift_y = self.game.m, self.game.n, 0, 0, 0, 0
        else:
            stones = [*self._board.stones(BLACK), *self._board.stones(WHITE)] or [(_HOME, _HOME)]
            dx, dy = min(x for x, _ in stones), min(y for _, y in stones)
            width, height = max(x for x, _ in stones) - dx + 1, max(y for _, y in stones) - dy + 1
            across, up = (height, width) if symmetry & 4 else (width, height)
            shift_x, shift_y = _HOME - (across - 1) // 2, _HOME - (up - 1) // 2

        def image(square: Square) -> Square:
            x, y = symmetry.square(Square(square.x - dx, square.y - dy), width, height)
            return Square(x + shift_x, y + shift_y)

        twin = Position(self.game)
        if self._setup is not None:
            black, white = (tuple(map(image, side)) for side in (self._setup.black, self._setup.white))
            twin._put(Setup(black, white, self._setup.turn, self._setup.stones_left))
        for move, *_ in self._history:
            twin.play(Move(map(image, move), move.is_pass))
        return twin

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Position):
            return NotImplemented
        return (
            self.key == other.key
            and (self.game, self._turn, self.stones_left) == (other.game, other._turn, other.stones_left)
            and all(self._board.stones(c) == other._board.stones(c) for c in _COLOURS)
        )

    def __hash__(self) -> int:
        return hash(self.key)

    def __str__(self) -> str:
        parts = [] if self.game == CONNECT6 else [str(self.game)]
        moves = " ".join(map(str, self.moves))
        if self._setup is not None:
            parts.append(format_setup(self._setup))
            moves = f"then: {moves}" if moves else ""
        return " ".join([*parts, moves] if moves else parts)

    def __repr__(self) -> str:
        return f"Position.parse({str(self)!r})"

    # Inside

    def _play_text(self, parsed: PositionText) -> None:
        if parsed.setup is not None:
            self._put(parsed.setup)
        stones: list[Square] = []
        for step in parsed.steps:
            if step.square is not None:
                stones.append(step.square)
            if step.square is None or len(stones) == self.stones_left:
                # An unplayable list of stones fails here, with the name of the square.
                self.play(Move(stones, is_pass=step.square is None))
                stones = []
        if stones:
            self.play(Move(stones))

    def _room_for(self, stones: int) -> int:
        return stones if self._empty is None else min(stones, self._empty)

    def _put(self, setup: Setup) -> None:
        """Sets stones up on the still empty board."""
        try:
            self._widen((*setup.black, *setup.white))
        except IllegalMoveError as error:
            raise SetupError(str(error)) from None
        for colour, squares in zip(_COLOURS, (setup.black, setup.white), strict=True):
            for x, y in squares:
                if Square(x, y) not in self or not self._board.place(x, y, colour):
                    reason = "holds two stones" if Square(x, y) in self else f"is off the board of {self.game}"
                    raise SetupError(f"{Square(x, y)} {reason}")
        if self._empty is not None:
            self._empty -= len(setup.black) + len(setup.white)
        rows = [c for c in _COLOURS if self._board.has_row(c) and not (c and self.game.maker_breaker)]
        if len(rows) == 2:
            raise SetupError("both players have a winning row")
        self._winner = rows[0] if rows else None
        turn, stones_left = setup.turn, setup.stones_left
        if turn is None:
            turn, inferred = self._infer_turn(len(setup.black), len(setup.white))
            stones_left = inferred if stones_left is None else stones_left
        elif stones_left is None:
            is_first = turn is BLACK and not setup.black and not setup.white
            stones_left = self._room_for(self.game.q if is_first else self.game.p)
        most = max(self.game.p, self.game.q if turn is BLACK and not setup.white else 0)
        if not (0 if self.is_over else 1) <= stones_left <= self._room_for(most):
            raise SetupError(f"{turn} cannot have {stones_left} stones left to place here")
        self._turn, self.stones_left = turn, stones_left
        self._setup = Setup(setup.black, setup.white, turn, stones_left)

    def _infer_turn(self, black: int, white: int) -> tuple[Colour, int]:
        p, q = self.game.p, self.game.q
        if white == 0 and black < q:
            return BLACK, self._room_for(q - black)
        rounds, rest = divmod(white, p)
        if black == q + rounds * p:
            return WHITE, self._room_for(p - rest)
        if rest == 0 and rounds and q + (rounds - 1) * p <= black < q + rounds * p:
            return BLACK, self._room_for(q + rounds * p - black)
        raise SetupError(
            f"{black} black and {white} white stones do not tell whose turn it is in {self.game}: "
            "add 'to move: B' or 'to move: W'"
        )

    def _widen(self, squares: Iterable[Square]) -> None:
        """Makes an infinite board's window hold some squares, with room for every segment through them."""
        if self._empty is not None:
            return
        board, k = self._board, self.game.k
        squares = tuple(squares)
        for x, y in squares:
            if max(abs(x), abs(y)) > _FAR:
                raise IllegalMoveError(f"{Square(x, y)} is too far away for any board")
        outside = [(x, y) for x, y in squares if not (board.contains(x - k, y - k) and board.contains(x + k, y + k))]
        if not outside:
            return
        stones = [(x, y, colour) for colour in _COLOURS for x, y in board.stones(colour)]
        margin = k + _WINDOW_MARGIN
        xs = [x for x, _ in squares] + [x for x, _, _ in stones]
        ys = [y for _, y in squares] + [y for _, y, _ in stones]
        width, height = (max(v) - min(v) + 1 + 2 * margin for v in (xs, ys))
        if max(width, height) > _native.MAX_SIDE:
            reach = _native.MAX_SIDE - 2 * margin
            raise IllegalMoveError(
                f"{Square(*outside[0])} is too far away: all stones must lie within {reach} columns and rows"
            )
        self._board = _native.Board(width, height, k, min(xs) - margin, min(ys) - margin)
        for x, y, colour in stones:
            self._board.place(x, y, colour)

    def _check_room(self, move: Move) -> None:
        if self._winner is not None:
            if not (self.stones_left and self._turn is self._winner and self.is_mid_turn):
                raise IllegalMoveError(f"{move}: the game is over, {self._winner} has won")
        elif self._empty == 0:
            raise IllegalMoveError(f"{move}: the game is over, the board is full")
        if len(move) > self.stones_left:
            stones = "one stone" if self.stones_left == 1 else f"{self.stones_left} stones"
            raise IllegalMoveError(f"{move}: {self._turn} has {stones} to place here, not {len(move)}")
        if move.is_pass and len(move) == self.stones_left:
            raise IllegalMoveError(f"{move}: all stones of the turn are placed, none is left to pass")

    def _refuse(self, move: Move) -> NoReturn:
        for square in move:
            if square not in self:
                raise IllegalMoveError(f"{square} is off the board of {self.game}")
            if (colour := self.at(square)) is not None:
                raise IllegalMoveError(f"{square} is occupied by a {colour} stone")
        raise AssertionError("the board refused a stone that fits")

    def _symmetric_keys(self) -> list[tuple[int, Symmetry]]:
        keys = self._board.symmetry_keys(self.game.is_infinite)
        return [(keys[s], s) for s in symmetries(self.game)]

    def _state_key(self) -> int:
        game = self.game
        key = 0
        for number in (
            game.m or 0,
            game.n or 0,
            game.k,
            game.p,
            game.q,
            game.maker_breaker,
            self._turn,
            self.stones_left,
        ):
            key = _native.mix(key ^ number)
        return key


def _rebuilt(game: Game, setup: Setup | None, moves: list[Move]) -> Position:
    """A position from what `pickle` keeps of it."""
    position = Position(game)
    if setup is not None:
        position._put(setup)
    for move in moves:
        position.play(move)
    return position
