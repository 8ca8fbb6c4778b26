"""A puzzle: a position with one first move, what is known of it, and how it is kept, one line of JSON each."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator
from dataclasses import asdict, dataclass, field, fields
from functools import cached_property
from pathlib import Path
from typing import Any

from tengen.game import BLACK, Game, Move, Position, TengenError
from tengen.solve.solver import order_of

KINDS = ("win", "quiet win", "only defence")
"""A win whose moves are all threats; a win that begins with a move that is none; the one move that does not lose."""
BY_VERIFIER = "order 3"
"""The kind of a win whose first move is answered by every reply's refutation: it may threaten nothing."""
LEVELS = 10


class PuzzleError(TengenError):
    """A line is no puzzle, or a puzzle is not what it claims to be."""


@dataclass(frozen=True)
class Limits:
    """How hard it was tried to find another first move. That there is no other is known within these limits only."""

    nodes: int = 20_000
    """For the search for the win itself, and for all others of its kind."""
    move_nodes: int = 60_000
    """For the verifier, on each other first move."""
    reply_nodes: int = 3_000
    """For the win against each reply to such a move."""
    counter_nodes: int = 1_000
    """For a win by double threats of the opponent instead of a defence."""
    near: int = 2
    """Other moves with one stone of the solution have their second stone so near to a stone."""
    quiet_nodes: int = 5_000
    """For a win with quiet moves against each reply that refutes such a move; 0 if that was not looked for."""

    @classmethod
    def from_json(cls, told: Any) -> Limits:
        """Reads what `asdict` wrote, also before quiet wins were looked for.

        Raises:
            PuzzleError: if it is something else.
        """
        names = [one.name for one in fields(cls)]
        limits = {"quiet_nodes": 0} | told if isinstance(told, dict) else {}
        if sorted(limits) != sorted(names):
            raise PuzzleError(f"the limits of a puzzle are {', '.join(names)}")
        if not all(type(value) is int and 0 <= value < 1 << 40 for value in limits.values()):
            raise PuzzleError("the limits of a puzzle are whole numbers")
        if not all(value or name == "quiet_nodes" for name, value in limits.items()):
            raise PuzzleError("the limits of a puzzle are above 0, but for quiet_nodes")
        return cls(**limits)


@dataclass(frozen=True)
class Puzzle:
    """A position in which exactly one move wins, or does not lose."""

    position: Position
    kind: str
    move: Move
    """The solution's first move."""
    length: int
    """How many attacking moves the win takes against the best defence, as few as were found; of an only defence, how
    many the opponent needs at most against any other move."""
    is_shortest: bool
    """Whether it is proved that no win of its kind is shorter; else no shorter one was found within the limits."""
    by: str
    """The kind of the win: `vcdt`, `vcst` or an order; of an only defence, of the wins that it prevents."""
    line: tuple[Move, ...] = ()
    """The moves of both sides if the defender holds out as long as he can; of an only defence the move alone."""
    level: int = 1
    themes: tuple[str, ...] = ()
    features: dict[str, int] = field(default_factory=dict)
    """What the level was made from."""
    refuted: int = 0
    """How many other first moves were tried one by one, and refuted."""
    limits: Limits = Limits()
    source: str = ""

    @cached_property
    def name(self) -> str:
        """The same for all symmetric positions, and different for others."""
        return f"{self.position.canonical_key:016x}"

    def as_json(self) -> dict[str, Any]:
        """The puzzle as JSON can hold it."""
        return {
            "name": self.name,
            "kind": self.kind,
            "position": str(self.position),
            "move": str(self.move),
            "length": self.length,
            "shortest": self.is_shortest,
            "by": self.by,
            "line": [str(move) for move in self.line],
            "level": self.level,
            "themes": list(self.themes),
            "features": self.features,
            "refuted": self.refuted,
            "limits": asdict(self.limits),
            "source": self.source,
        }

    @classmethod
    def from_json(cls, told: Any) -> Puzzle:
        """Reads what `as_json` told.

        Raises:
            PuzzleError: if it is no puzzle.
            TengenError: if its position, its kind of win or a move in it makes no sense.
        """
        if not isinstance(told, dict):
            raise PuzzleError("a puzzle is a JSON object")
        try:
            puzzle = cls(
                Position.parse(told["position"]),
                told["kind"],
                Move(told["move"]),
                told["length"],
                bool(told["shortest"]),
                told["by"],
                tuple(Move(move) for move in told["line"]),
                told["level"],
                tuple(map(str, told["themes"])),
                {str(name): int(value) for name, value in told["features"].items()},
                int(told["refuted"]),
                Limits.from_json(told["limits"]),
                str(told["source"]),
            )
        except (KeyError, TypeError, AttributeError, ValueError, OverflowError) as error:
            if isinstance(error, TengenError):
                raise
            raise PuzzleError(f"a puzzle lacks something, or has it wrong: {error}") from None
        order_of(puzzle.by)
        if puzzle.kind not in KINDS:
            raise PuzzleError(f"{puzzle.kind!r} is no kind of puzzle; there are {', '.join(KINDS)}")
        if type(puzzle.length) is not int or puzzle.length < 1 or puzzle.level not in range(1, LEVELS + 1):
            raise PuzzleError(f"a puzzle has a length from 1 on and a level from 1 to {LEVELS}")
        if puzzle.position.is_over or not puzzle.position.is_legal(puzzle.move):
            raise PuzzleError(f"{puzzle.move} is no legal move in {puzzle.position}")
        return puzzle


def shape(position: Position) -> int:
    """The same for puzzles that differ only in place, direction and colours."""
    game, own = position.game, position.turn
    endless = Game(None, None, game.k, game.p, game.q, game.maker_breaker)
    moved = Position.setup(endless, position.stones(own), position.stones(own.opponent), BLACK, position.stones_left)
    return moved.canonical_key


def read_puzzles(path: str | Path) -> Iterator[Puzzle]:
    """The puzzles of a file, one a line; empty lines are skipped.

    Raises:
        PuzzleError: at the first line that is no puzzle, with its number.
        OSError: if the file cannot be read.
    """
    with Path(path).open(encoding="utf-8", errors="replace") as file:
        yield from parse_puzzles(file, path)


def parse_puzzles(lines: Iterable[str], path: str | Path) -> Iterator[Puzzle]:
    """The puzzles of the lines of a file.

    Raises:
        PuzzleError: at the first line that is no puzzle, with its number.
    """
    for number, line in enumerate(lines, 1):
        if not line.strip():
            continue
        try:
            yield Puzzle.from_json(json.loads(line))
        except json.JSONDecodeError as error:
            raise PuzzleError(
                f"{path}, line {number}: this is no puzzle, which is a line of JSON: {error.msg}"
            ) from None
        except (ValueError, RecursionError) as error:
            raise PuzzleError(f"{path}, line {number}: {error}") from None
