"""The slow twin of native/maker_breaker.hpp: every move tried, nothing merged."""

from __future__ import annotations

from functools import cache
from itertools import combinations

Squares = frozenset[int]


def breaker_holds(lines: tuple[Squares, ...], p: int) -> bool:
    """Whether the breaker, who answers with at most as many stones as the maker placed, keeps him from a line."""

    @cache
    def holds(maker: Squares, breaker: Squares) -> bool:
        active = [line for line in lines if not line & breaker]
        empty = sorted(frozenset().union(*active) - maker) if active else []
        return all(
            any(
                holds(maker | frozenset(move), breaker | frozenset(reply))
                for stones in range(count + 1)
                for reply in combinations([s for s in empty if s not in move], stones)
                if not any(line <= maker | frozenset(move) for line in active)
            )
            for count in range(1, p + 1)
            for move in combinations(empty, count)
        )

    return holds(frozenset(), frozenset())
