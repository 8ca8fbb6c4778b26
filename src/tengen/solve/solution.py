"""What a solver answers: whether there is a win, and if so how, against every reply."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from functools import cached_property
from typing import TYPE_CHECKING, Any

from tengen.game import Colour, Move, Position, Square

if TYPE_CHECKING:
    from tengen.record import Node, Record


@dataclass(frozen=True)
class Reply:
    """A reply that must be answered.

    A move with `is_pass` stands for every reply with these stones and any others that no other entry names: where those
    stand does not matter.
    """

    move: Move
    answer: Strategy


@dataclass(frozen=True)
class Strategy:
    """The attacker's move and his answer to every reply.

    Without replies it wins at once: by a row, or because there are more threats than the defender has stones. A reply
    that leaves a threat is answered by completing it, and is not listed.
    """

    move: Move
    replies: tuple[Reply, ...] = ()

    @cached_property  # a strategy that is sorted or walked asks for it at every level
    def length(self) -> int:
        """How many attacking moves the longest defence takes."""
        return 1 + max((reply.answer.length for reply in self.replies), default=0)

    @property
    def longest_first(self) -> list[Reply]:
        """Its replies, that which holds out longest first."""
        return sorted(self.replies, key=lambda reply: -reply.answer.length)

    def line(self) -> list[Move]:
        """The moves of both sides if the defender holds out as long as he can, up to the last attacking move."""
        moves = [self.move]
        strategy = self
        while strategy.replies:
            reply = max(strategy.replies, key=lambda reply: reply.answer.length)
            moves += [reply.move, reply.answer.move]
            strategy = reply.answer
        return moves

    def count(self) -> int:
        """How many attacking moves it holds."""
        total, stack = 0, [self]
        while stack:
            strategy = stack.pop()
            total += 1
            stack += [reply.answer for reply in strategy.replies]
        return total


@dataclass(frozen=True)
class Solution:
    """The answer to "has this side a forced win by threats?"."""

    result: str
    """`win`, `none`, or `unknown` if a limit came first (the part of the infinite board that is searched is one)."""
    kind: str
    """What was asked for: `vcdt`, `vcst`, or an order such as `order 3`."""
    side: Colour
    position: Position
    nodes: int
    seconds: float
    depth: int
    """How many attacking moves deep it looked; of a win with its strategy, how many it takes."""
    found: str | None = None
    """The kind of the win that was found: a search for `vcst` may find a `vcdt`."""
    explain: Callable[[], Strategy] | None = field(default=None, repr=False, compare=False)
    """Makes the strategy, when somebody asks for it: it may be large. None if there is no win, or if the time was up
    before it could be walked once more: such a win rests on the search alone."""
    zones: tuple[frozenset[Square], ...] = ()
    """The relevance zones Z1, Z2, Z3 of the strategy, if asked for: where extra stones of the defender could matter."""
    first_moves: tuple[tuple[Move, int], ...] = ()
    """All winning first moves with the attacking moves they take, if they were asked for."""
    all_known: bool = True
    """Whether every other first move is known not to win."""
    is_exhaustive: bool = True
    """Whether `none` means that there is no win of the kind at all; else only the most promising moves were tried."""

    @property
    def attacker_moves(self) -> int | None:
        """How many attacking moves the win takes, if its strategy is known."""
        return None if self.explain is None else self.depth

    @cached_property
    def strategy(self) -> Strategy | None:
        """How to win against every reply; None without a win, or if there was no time left to walk it."""
        return None if self.explain is None else self.explain()

    @property
    def first_move(self) -> Move | None:
        """The move to play."""
        return None if self.strategy is None else self.strategy.move

    @property
    def line(self) -> list[Move]:
        """The win if the defender holds out as long as he can."""
        return [] if self.strategy is None else self.strategy.line()

    def record(self) -> Record:
        """The position with the whole strategy below it as variations, longest defence first."""
        from tengen.record import Node, Record  # most who solve write no record

        record = Record.from_position(self.position)
        end = record.end()
        if self.strategy is not None:
            if self.position.turn is not self.side:
                end = Node({self.position.turn.letter: ["pass"]}, end)
            _grow(end, self.strategy, self.side)
        return record

    def as_json(self) -> dict[str, Any]:
        """The answer as JSON can hold it."""
        answer: dict[str, Any] = {
            "result": self.result,
            "kind": self.kind,
            "found": self.found,
            "side": str(self.side),
            "attacker_moves": self.attacker_moves,
            "first_move": None if self.first_move is None else str(self.first_move),
            "line": [str(move) for move in self.line],
            "nodes": self.nodes,
            "seconds": round(self.seconds, 6),
            "depth": self.depth,
            "exhaustive": self.is_exhaustive,
            "position": str(self.position),
        }
        if self.zones:
            answer["zones"] = [[str(square) for square in sorted(zone)] for zone in self.zones]
        if self.first_moves:
            answer["first_moves"] = [{"move": str(move), "attacker_moves": length} for move, length in self.first_moves]
            answer["all_known"] = self.all_known
        return answer


def _grow(parent: Node, strategy: Strategy, side: Colour) -> None:
    new = type(parent)
    stack = [(parent, strategy)]
    while stack:
        node, current = stack.pop()
        node = new({side.letter: [str(current.move)]}, node)
        branches = [
            (new({side.opponent.letter: [str(reply.move)]}, node), reply.answer) for reply in current.longest_first
        ]
        stack += reversed(branches)
