"""Small games searched to the end, with strategies for proof files. Squares are bits; no zone, no threat in sight."""

import random
from collections.abc import Iterator
from itertools import combinations
from typing import Any

from reference.board import DIRECTIONS


class Prover:
    """Knows every position of a small game with an attacker, whose rows count, and a defender."""

    def __init__(self, m: int, n: int, k: int, p: int, defender_rows: bool = True) -> None:
        self.size, self.p, self.defender_rows = m * n, p, defender_rows
        self.rows = []
        for dx, dy in DIRECTIONS:
            for y in range(n):
                for x in range(m):
                    squares = [(x + i * dx, y + i * dy) for i in range(k)]
                    if all(0 <= a < m and 0 <= b < n for a, b in squares):
                        self.rows.append(sum(1 << a + b * m for a, b in squares))
        self.moves: dict[tuple[int, int, int], int | None] = {}
        self.lost: dict[tuple[int, int, int], bool] = {}
        self.answers: dict[tuple[int, int], Any] = {}
        self.holds: dict[tuple[int, int, int], Any] = {}

    def has_row(self, stones: int) -> bool:
        return any(row & stones == row for row in self.rows)

    def empty(self, own: int, other: int) -> list[int]:
        return [i for i in range(self.size) if not (own | other) >> i & 1]

    def sets(self, own: int, other: int, count: int) -> Iterator[int]:
        for squares in combinations(self.empty(own, other), min(count, len(self.empty(own, other)))):
            yield sum(1 << i for i in squares)

    def winning_move(self, own: int, other: int, left: int) -> int | None:
        """The attacker is to move, and nobody has a row."""
        key = own, other, left
        if key not in self.moves:
            self.moves[key] = next((m for m in self.sets(own, other, left) if m and self.wins_by(own, other, m)), None)
        return self.moves[key]

    def wins_by(self, own: int, other: int, move: int) -> bool:
        return self.has_row(own | move) or self.is_lost(own | move, other, self.p)

    def is_lost(self, own: int, other: int, left: int) -> bool:
        """The defender is to move: does he lose whatever he does?"""
        key = own, other, left
        if key not in self.lost:
            self.lost[key] = bool(self.empty(own, other)) and all(
                self.answer_exists(own, other | reply) for reply in self.sets(own, other, left)
            )
        return self.lost[key]

    def answer_exists(self, own: int, other: int) -> bool:
        return not (self.defender_rows and self.has_row(other)) and self.winning_move(own, other, self.p) is not None

    # Strategies as `tengen.prove` takes them

    def win(self, own: int, other: int, left: int) -> Any:
        move = self.winning_move(own, other, left)
        assert move is not None
        if self.has_row(own | move):
            return numbers(move), []
        return numbers(move), self.replies(own | move, other, self.p)

    def replies(self, own: int, other: int, left: int, rng: random.Random | None = None) -> list[Any]:
        """An answer to everything that can be answered, passes included: the writer takes what it must have."""
        found = []
        left = min(left, len(self.empty(own, other)))
        for count in range(left + 1):
            for reply in self.sets(own, other, count):
                if (rng is None or count == left or rng.random() < 0.7) and self.answer_exists(own, other | reply):
                    found.append((numbers(reply), left - count, self.answer(own, other | reply)))
        return found

    def answer(self, own: int, other: int) -> Any:
        if (own, other) not in self.answers:
            self.answers[own, other] = self.win(own, other, self.p)
        return self.answers[own, other]

    def hold(self, own: int, other: int, left: int) -> Any:
        """The attacker is to move and does not win."""
        if all(row & other for row in self.rows) or not self.empty(own, other):
            return None
        if self.defender_rows and self.has_row(other):
            return None
        key = own, other, left
        if key not in self.holds:
            entries = []
            for move in self.sets(own, other, left):
                reply = self.saving_reply(own | move, other, self.p)
                entries.append((numbers(move), numbers(reply), self.hold(own | move, other | reply, self.p)))
            self.holds[key] = entries
        return self.holds[key]

    def saving_reply(self, own: int, other: int, left: int) -> int:
        return next(r for r in self.sets(own, other, left) if not self.answer_exists(own, other | r))


def numbers(squares: int) -> list[int]:
    return [i for i in range(squares.bit_length()) if squares >> i & 1]
