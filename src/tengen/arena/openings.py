"""Opening suites: positions from which games begin, each played twice with colours swapped.

A suite is made here, for any game of the family, or read from a file of records or of position lines.
"""

from __future__ import annotations

import os
import random
from collections import deque
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import islice

from tengen.game import Game, Move, Position, TengenError
from tengen.play import Budget, Engine
from tengen.record import RecordError, read_text, recognise
from tengen.record.files import decode, position_lines, read_bytes
from tengen.solve import solve

_MOVES = 3
_MOST_MOVES = 50
"""So long, hardly a game is still balanced."""
_NEAR = 2
"""How near to another stone each stone of such an opening lies."""
_SOLVER_NODES = 5_000
_ENGINE_NODES = 1_000
_PATIENCE = 500
"""So many candidates in a row that are won or known already mean that there are no more."""
_ENGINE_PATIENCE = 50
"""And so many that the engine takes for one-sided: it is slower."""

BALANCE = 0.15
"""How far from one half the engine may see the chance of the player to move, unless told."""
ANY_BALANCE = 0.5
"""All that are quiet will do, and the engine is not asked."""


@dataclass(frozen=True)
class Suite:
    """Balanced openings, no two alike by symmetry, that are made one after the other as they are needed.

    Black's first stone stands in the middle, and every further stone near others. Neither player, had he the move,
    has a forced win by threats (VCDT), and the engine gives the player to move a chance that is no farther than
    `balance` from one half, as far as it sees with a thousand nodes. They have `moves` moves: unless told, three
    (Black's first, White's, and a quiet answer), or fewer if after so many somebody always wins.

    Raises:
        TengenError: if there can be no such openings.
    """

    most: int
    """So many are enough; a game may have fewer."""
    moves: int | None = None
    balance: float = BALANCE

    def __post_init__(self) -> None:
        if self.moves is not None and not 1 <= self.moves <= _MOST_MOVES:
            raise TengenError(f"openings that are made have 1 to {_MOST_MOVES} moves, not {self.moves}")
        if not 0 <= self.balance <= ANY_BALANCE:
            raise TengenError(f"a chance lies up to {ANY_BALANCE} from one half, not {self.balance:g}")

    def after(self, known: Sequence[str], game: Game, seed: int) -> Iterator[Position]:
        """The openings that follow those that were made earlier; the same for the same seed, wherever one stopped.

        Raises:
            TengenError: if the game has none, or those that are known were made in another way.
        """
        if known:
            lengths: Iterable[int] = [len(Position.parse(known[0]).moves)]
        else:
            lengths = range(_MOVES, 0, -1) if self.moves is None else [self.moves]
        found = len(known)
        for length in lengths:
            for opening in islice(_balanced(game, seed, length, self.balance, known), self.most - len(known)):
                found += 1
                yield opening
            if found:
                return
        raise TengenError(
            f"{game}: no balanced openings were found; begin from the empty board (--openings empty), from a file of "
            "yours (--openings FILE), or from less balanced ones (--balance PERCENT)"
        )


def generate_openings(
    game: Game, count: int, seed: int = 0, moves: int | None = None, balance: float = BALANCE
) -> list[Position]:
    """So many openings of a `Suite`, or all if the game has fewer.

    Raises:
        TengenError: if the game has none.
    """
    return list(Suite(count, moves, balance).after((), game, seed))


def _balanced(game: Game, seed: int, moves: int, balance: float, known: Sequence[str]) -> Iterator[Position]:
    chance = random.Random(seed)
    engine = Engine(threads=1, seed=seed)
    seen: set[int] = set()
    waiting = deque(known)
    failures = one_sided = 0
    while failures < _PATIENCE and one_sided < _ENGINE_PATIENCE:
        failures += 1
        position = _random_opening(game, chance, moves)
        if position is None or position.canonical_key in seen:
            continue
        seen.add(position.canonical_key)
        if waiting:  # whatever came before the last known opening was judged when that one was made
            if str(position) == waiting[0]:
                waiting.popleft()
                failures = 0
            continue
        if not _is_quiet(position):
            continue
        if balance < ANY_BALANCE and not looks_even(position, engine, balance):
            one_sided += 1
            continue
        failures = one_sided = 0
        yield position
    if waiting:
        raise TengenError(f"{waiting[0]}: this opening was made in another way, and none can follow it")


def _random_opening(game: Game, chance: random.Random, moves: int) -> Position | None:
    position = Position(game)
    for _ in range(moves):
        if position.is_over:
            return None
        if position.stone_count == 0:
            middle = next(iter(position.empty_squares(within=0)))
            position.play(middle)
            if not position.is_mid_turn:
                continue
        nearby = list(position.empty_squares(within=_NEAR))
        if len(nearby) < position.stones_left:
            return None
        position.play(Move(sorted(chance.sample(nearby, position.stones_left))))
    return None if position.is_over else position


def _is_quiet(position: Position) -> bool:
    return all(
        solve(position, side=side, nodes=_SOLVER_NODES).result != "win"
        for side in (position.turn, position.turn.opponent)
    )


def looks_even(position: Position, engine: Engine, balance: float = BALANCE) -> bool:
    """Whether the engine sees the player to move no farther than that from one half.

    It is limited by nodes alone, so that the answer is the same everywhere. In games beyond its search it knows no
    chances, and everything will do.
    """
    win = engine.analyse(position, Budget(nodes=_ENGINE_NODES))[0].win
    return win is None or abs(win - 0.5) <= balance


def read_openings(path: str | os.PathLike[str], game: Game | None = None, moves: int | None = None) -> list[Position]:
    """Reads a suite from a file: records of any format we know, or position lines (# begins a comment).

    Args:
        path: the file.
        game: the game that it must be about; by default what the file says, Connect6 if it does not.
        moves: take only so many moves of each, by default all.

    What equals an earlier one by symmetry is left out.

    Raises:
        TengenError: if the file holds no openings, or something that is none, as a game that is over.
        OSError: if it cannot be read.
    """
    suite: dict[int, Position] = {}
    try:
        for number, position in enumerate(_positions(decode(read_bytes(path)), game), 1):
            start = position if moves is None else _first_moves(position, moves)
            if start.is_over:
                raise TengenError(f"number {number} ends with the game over: say how many moves of it are the opening")
            suite.setdefault(start.canonical_key, start)
    except TengenError as error:
        raise RecordError(f"{os.fspath(path)}: {error}") from error
    if not suite:
        raise RecordError(f"{os.fspath(path)}: there are no openings in it")
    openings = list(suite.values())
    wanted = game or openings[0].game
    if strangers := [position for position in openings if position.game != wanted]:
        raise RecordError(f"{os.fspath(path)}: it has openings of {strangers[0].game} as well as of {wanted}")
    return openings


def _positions(text: str, game: Game | None) -> Iterable[Position]:
    format = recognise(text)
    if format is not None:
        return (record.position() for record in read_text(text, format.name, game))
    return (_position_line(line, number, game) for number, line in position_lines(text).items())


def _position_line(line: str, number: int, game: Game | None) -> Position:
    try:
        return Position.parse(line, game)
    except TengenError as error:
        raise RecordError(f"line {number}: {error}") from error


def _first_moves(position: Position, moves: int) -> Position:
    shortened = position.copy()
    while len(shortened.moves) > moves:
        shortened.undo()
    return shortened
