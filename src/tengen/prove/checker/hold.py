"""The rules of a hold: the attacker completes no row before the defender has one, or none at all."""

from __future__ import annotations

from dataclasses import dataclass
from math import comb

from tengen.prove.checker.board import Board, bits
from tengen.prove.checker.file import Header
from tengen.prove.checker.text import REFERENCE, Refused
from tengen.prove.checker.walk import Walk

WITHOUT_ROWS = "~"
"""In the first line, instead of a move: rows of the defender do not count."""


@dataclass(slots=True)
class Stand:
    """A position with the attacker to move whose moves are listed one by one. Stones are laid out in lines."""

    number: int
    text: str
    attackers: int
    defenders: int
    left: int
    live: int
    """The empty squares on segments that somebody may still fill, as a plain set."""
    dead: list[int]
    """The other empty squares, rising."""
    last: tuple[int, tuple[int, ...]] = (-1, ())
    """The last move that was read, as it is sorted."""
    count: int = 0


class HoldWalk(Walk[Stand]):
    """Walks through the body of a hold, one node at a time."""

    def __init__(self, board: Board, header: Header, attacker: str, referenced: set[int]) -> None:
        if board.infinite:
            raise Refused("on the infinite board there is no end to the attacker's moves")
        super().__init__(board, header, attacker, referenced)
        self.rows_counted = self.defender_wins_by_rows
        """Of the defender, by the rules of the game."""
        self.kept: dict[int, tuple[int, int]] = {}
        """By number, of nodes that are referred to: the stones of both sides as plain sets."""

    def where(self, number: int) -> tuple[int | None, tuple[str, ...]]:
        """The node at which it stopped, and the moves to it."""
        return number or None, tuple(stand.text for stand in self.path)

    def feed(self, number: int, text: str) -> None:
        """Takes the next line."""
        depth, (_, attack, reply, kind) = self.enter(number, text, 4)
        board = self.board
        stones, numbers = board.parse(reply)
        if depth == 0:
            own, other = self.attackers, self.defenders
            due = 0 if self.attacker_moves else self.left
            if attack == WITHOUT_ROWS and self.rows_counted:
                self.defender_wins_by_rows = False  # fewer ways to hold: who holds so holds with his rows, too
            elif attack != "-":
                raise Refused("the first line has a move of the attacker, or says without need that rows do not count")
        else:
            own, other = self.attack(self.path[-1], attack)
            due = board.move_size(own | other)
        if stones & (own | other) or len(numbers) != due:
            raise Refused(f"node {number}: the reply must be {due} stones on empty squares")
        other |= stones
        left = self.left if depth == 0 and self.attacker_moves else board.move_size(own | other)
        closed = self.is_closed(own, other)
        if closed != (kind == "x"):
            raise Refused(f"node {number}: " + ("nothing is left to prove" if closed else "the attacker may still win"))
        if kind == ".":
            live = self.live(own, other)
            dead = bits(board.plain & ~(own | other | live))
            self.path.append(Stand(number, text, own, other, left, live, dead))
            return
        sides = own & board.plain, other & board.plain
        if match := REFERENCE.fullmatch(kind):
            earlier = self.kept.get(int(match[1]))
            if earlier is None:
                raise Refused(f"node {number} refers to node {match[1]}, which is not complete before it")
            if tuple(board.image(side, int(match[2])) for side in earlier) != sides:
                raise Refused(f"the position of node {number} is not that of node {match[1]}")
            return
        if not closed:
            self.pairing(number, kind, own, other, left)
        if number in self.referenced and depth:
            self.kept[number] = sides

    def is_closed(self, own: int, other: int) -> bool:
        """Whether the attacker cannot complete a row any more, or the defender has one."""
        if self.board.room(own | other) == 0 or not self.attacker_wins_by_rows:
            return True
        if self.defender_wins_by_rows and self.board.has_row(other):
            return True
        return not self.board.open_starts(other)

    def live(self, own: int, other: int) -> int:
        """The empty squares on segments that somebody may still fill, as a plain set."""
        board = self.board
        squares = board.spread(board.open_starts(other)) if self.attacker_wins_by_rows else 0
        if self.defender_wins_by_rows:
            squares |= board.spread(board.open_starts(own))
        return board.in_plain(squares & ~(own | other))

    def attack(self, above: Stand, text: str) -> tuple[int, int]:
        """The stones of both sides after a move of the attacker; stones on dead squares are not written."""
        board = self.board
        stones, numbers = board.parse(text)
        if stones & board.plain & ~above.live or len(numbers) > above.left:
            raise Refused(f"{text[:40]} is no move here, or it names dead squares")
        if above.last >= (len(numbers), numbers):
            raise Refused(f"the move {text[:40]} is not in order")
        above.last = len(numbers), numbers
        above.count += 1
        missing = above.left - len(numbers)
        if len(above.dead) < missing:
            raise Refused(f"the move {text[:40]} has too few stones")
        own = above.attackers | stones | board.in_lines(sum(1 << square for square in above.dead[:missing]))
        if self.attacker_wins_by_rows and board.has_row(own):
            raise Refused(f"the attacker completes a row by {text[:40]}")
        return own, above.defenders

    def close(self) -> None:
        """The last node of the path is complete: were all moves of the attacker there?"""
        stand, plain = self.path[-1], self.board.plain
        least = stand.left - min(stand.left, len(stand.dead))
        moves = sum(comb(stand.live.bit_count(), stones) for stones in range(least, stand.left + 1))
        if stand.count != moves:
            raise Refused(f"node {stand.number} answers {stand.count} of {moves} moves of the attacker")
        self.path.pop()
        if stand.number in self.referenced and self.path:
            self.kept[stand.number] = stand.attackers & plain, stand.defenders & plain

    def pairing(self, number: int, text: str, own: int, other: int, left: int) -> None:
        """Whether each segment that the attacker may still fill holds one of the pairs."""
        board = self.board
        if board.p != 1 or left != 1:
            raise Refused(f"node {number}: pairs help only against one stone at a time")
        last: tuple[int, ...] = ()
        taken = own | other
        without = board.open_starts(other)
        for word in text.split(","):
            pair, numbers = board.parse(word)
            if len(numbers) != 2 or pair & taken or numbers <= last:
                raise Refused(f"node {number}: {word[:20]} is no pair of empty squares, or not in order")
            taken, last = taken | pair, numbers
            for places in zip(*(board.places[square] for square in numbers), strict=True):
                # The segments that hold both places start between these.
                first, end = max(max(places) - board.k + 1, 0), min(places) + 1
                without &= ~(((1 << max(end - first, 0)) - 1) << first)
        if without:
            segment = board.segment(bits(without)[0])
            raise Refused(f"node {number}: no pair lies within {board.text(segment)}")
