"""Small games by brute force, and referees for strategies: squares are numbers, column + row * width."""

from dataclasses import dataclass
from functools import cache
from itertools import combinations
from typing import Any

Squares = frozenset[int]
NONE: Squares = frozenset()
ZONES = 3


@dataclass(frozen=True)
class SmallGame:
    m: int
    n: int
    k: int
    p: int
    maker_breaker: bool = False

    @property
    def board(self) -> Squares:
        return frozenset(range(self.m * self.n))

    def may_win(self, colour: int) -> bool:
        return colour == 0 or not self.maker_breaker


@cache
def segments(m: int, n: int, k: int) -> tuple[Squares, ...]:
    found = set()
    for x in range(m):
        for y in range(n):
            for dx, dy in ((1, 0), (0, 1), (1, 1), (1, -1)):
                squares = [(x + i * dx, y + i * dy) for i in range(k)]
                if all(0 <= a < m and 0 <= b < n for a, b in squares):
                    found.add(frozenset(a + b * m for a, b in squares))
    return tuple(sorted(found, key=sorted))


def value(game: SmallGame, stones: tuple[Squares, Squares], turn: int, left: int) -> int:
    """1, 0 or -1 for the side to move, by trying every stone on every square."""
    rows = segments(game.m, game.n, game.k)

    @cache
    def best(black: Squares, white: Squares, turn: int, left: int) -> int:
        found = -1
        empty = game.board - black - white
        for square in empty:
            sides = [black, white]
            sides[turn] |= {square}
            if game.may_win(turn) and any(square in row and row <= sides[turn] for row in rows):
                return 1
            if len(empty) == 1:
                result = 0
            elif left > 1:
                result = best(sides[0], sides[1], turn, left - 1)
            else:
                result = -best(sides[0], sides[1], 1 - turn, min(game.p, len(empty) - 1))
            found = max(found, result)
            if found == 1:
                break
        return found

    return best(stones[0], stones[1], turn, left)


class Referee:
    """Plays one attacker's game against one defender."""

    def __init__(self, game: SmallGame, attacker: int) -> None:
        self.game = game
        self.rows = segments(game.m, game.n, game.k)
        self.attacker_may_win = game.may_win(attacker)
        self.defender_may_win = game.may_win(1 - attacker)
        self.known: dict[Any, bool] = {}
        self.zones_known: dict[Any, tuple[Squares, ...]] = {}

    def empty(self, a: Squares, d: Squares) -> Squares:
        return self.game.board - a - d

    def attacker_has_row(self, a: Squares) -> bool:
        return self.attacker_may_win and any(row <= a for row in self.rows)

    def defender_has_row(self, d: Squares) -> bool:
        return self.defender_may_win and any(row <= d for row in self.rows)

    def gaps(self, a: Squares, d: Squares, most: int) -> list[Squares]:
        """What the attacker's open segments lack, if it is at most so much."""
        return [row - a for row in self.rows if not row & d and len(row - a) <= most]

    def moves(self, a: Squares, d: Squares, stones: int) -> list[Squares]:
        empty = self.empty(a, d)
        return [frozenset(move) for move in combinations(sorted(empty), min(stones, len(empty)))]

    # A win, replayed against every move. Which answer is meant for stones that may stand anywhere is left open: any
    # that wins will do. So nothing here knows about zones.

    def wins(self, node: Any, a: Squares, d: Squares, attackers_left: int, defenders_left: int) -> bool:
        key = id(node), a, d, attackers_left
        if key not in self.known:
            move = frozenset(node[0])
            legal = len(move) == len(node[0]) <= attackers_left and move <= self.empty(a, d)
            self.known[key] = legal and self.wins_after(node, a | move, d, defenders_left)
        return self.known[key]

    def wins_after(self, node: Any, a: Squares, d: Squares, defenders_left: int) -> bool:
        if self.attacker_has_row(a):
            return True
        moves = self.moves(a, d, defenders_left)
        return moves != [NONE] and all(self.beats(node[1], a, d | move) for move in moves)

    def beats(self, entries: Any, a: Squares, d: Squares) -> bool:
        if self.defender_has_row(d):
            return False
        p = self.game.p
        if self.gaps(a, d, p):
            return True
        fitting = sorted((entry for entry in entries if d.issuperset(entry[0])), key=lambda entry: -len(entry[0]))
        return any(self.wins(answer, a, d, p, p) for _, _, answer in fitting)

    # A win, checked by the rules of relevance zones: the zone of the strategy if every reply that must be answered is.

    def zones(self, node: Any, a: Squares, d: Squares, attackers_left: int, defenders_left: int) -> tuple[Squares, ...]:
        key = id(node), a, d, attackers_left
        if key not in self.zones_known:
            move = frozenset(node[0])
            assert len(move) == len(node[0]) <= attackers_left
            assert move <= self.empty(a, d)
            after = a | move
            if self.attacker_has_row(after):
                zones = [self.defender_squares(after, d, order) for order in range(1, ZONES + 1)]
            else:
                zones = self.zones_after(node, after, d, defenders_left)
            self.zones_known[key] = tuple(zone | move for zone in zones)
        return self.zones_known[key]

    def zones_after(self, node: Any, a: Squares, d: Squares, stones: int) -> list[Squares]:
        p = self.game.p
        stones = min(stones, len(self.empty(a, d)))
        assert stones > 0
        assert not (self.defender_may_win and any(not row & a and len(row - d) <= stones for row in self.rows))
        gaps = self.gaps(a, d, p)
        entries = {(frozenset(reply), passes): answer for reply, passes, answer in node[1]}
        assert len(entries) == len(node[1])
        zones = [NONE] * ZONES
        if gaps:
            zones = [self.defender_squares(a, d, order + p).union(*gaps) for order in range(1, ZONES + 1)]
        for size in range(stones + 1):
            for defence in map(frozenset, combinations(sorted(NONE.union(*gaps)), size)):
                hits = [all(gap & squares for gap in gaps) for squares in (defence, *(defence - {s} for s in defence))]
                if hits[0] and not any(hits[1:]):
                    self.cover(entries, a, d, defence, stones - size, zones)
        return zones

    def cover(self, entries: Any, a: Squares, d: Squares, placed: Squares, left: int, zones: list[Squares]) -> None:
        answer = entries.get((placed, left))
        empty = self.empty(a, d | placed)
        relevant = empty
        if answer is not None:
            found = self.zones(answer, a, d | placed, self.game.p, self.game.p)
            zones[:] = [z | (found[i + left] if i + left < ZONES else empty) for i, z in enumerate(zones)]
            if 0 < left <= ZONES:
                relevant = found[left - 1] & empty
        else:
            assert left > 0, f"no answer to {sorted(placed)}"
        if left > 0:
            for square in relevant:
                self.cover(entries, a, d, placed | {square}, left - 1, zones)

    def defender_squares(self, a: Squares, d: Squares, most: int) -> Squares:
        if not self.defender_may_win:
            return NONE
        return NONE.union(*(row - d for row in self.rows if not row & a and len(row - d) <= most))

    # A hold, replayed against every move.

    def holds(self, node: Any, a: Squares, d: Squares, attackers_left: int) -> bool:
        """Whether the defender holds with the attacker to move."""
        key = id(node), a, d, attackers_left
        if key not in self.known:
            self.known[key] = self.holds_here(node, a, d, attackers_left)
        return self.known[key]

    def holds_here(self, node: Any, a: Squares, d: Squares, attackers_left: int) -> bool:
        if node is None:
            return not self.attacker_may_win or self.defender_has_row(d) or not any(not row & d for row in self.rows)
        if isinstance(node, tuple):
            pairs = [frozenset(pair) for pair in node[1]]
            return (
                self.game.p == 1 == attackers_left
                and NONE.union(*pairs) <= self.empty(a, d)
                and len(NONE.union(*pairs)) == 2 * len(pairs)
                and all(any(pair <= row for pair in pairs) for row in self.rows if not row & d)
            )
        entries = {frozenset(move): (reply, child) for move, reply, child in node}
        assert len(entries) == len(node)
        dead = sorted(self.dead(a, d))
        moves = self.moves(a, d, attackers_left)
        # Dead squares are as good as each other: the lowest stand for all.
        lowest = [move for move in moves if sorted(move & set(dead)) == dead[: len(move & set(dead))]]
        assert {move - set(dead) for move in moves} == entries.keys()
        return all(self.reply_holds(*entries[move - set(dead)], a | move, d) for move in lowest)

    def reply_holds(self, reply: Any, child: Any, a: Squares, d: Squares, defenders_left: int | None = None) -> bool:
        stones = frozenset(reply)
        empty = self.empty(a, d)
        left = min(self.game.p if defenders_left is None else defenders_left, len(empty))
        if self.attacker_has_row(a) or not len(stones) == len(reply) == left or not stones <= empty:
            return False
        after = d | stones
        return self.holds(child, a, after, self.game.p)

    def dead(self, a: Squares, d: Squares) -> Squares:
        """The empty squares where neither can have a row any more."""
        live = [row for row in self.rows if not row & d or (self.defender_may_win and not row & a)]
        return self.empty(a, d) - NONE.union(*live)
