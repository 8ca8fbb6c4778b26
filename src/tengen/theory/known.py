"""The strategies for the breaker that we know by name."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import cache

from tengen.game import TengenError
from tengen.theory.strategy import Breaker, find_breaker
from tengen.theory.tiling import Tiling, b2_tiling, hales_jewett, zetters


@dataclass(frozen=True)
class Known:
    """A tiling, and what the breaker holds on it."""

    k: int
    p: int
    tiling: Callable[[], Tiling]
    whose: str


KNOWN = {
    "hales-jewett": Known(9, 1, hales_jewett, "Hales and Jewett's pairs"),
    "zetters": Known(8, 1, zetters, "Zetters' tiles, 3 rows of 4"),
    "b2": Known(11, 2, b2_tiling, "Chiang, Wu and Lin's tiles B2, 4 rows of 6"),
}


def name_for(k: int, p: int) -> str | None:
    """The strategy that holds Connect(k,p), the one with the fewest answers first; None if we know none."""
    return next((name for name, known in KNOWN.items() if k >= known.k and p <= known.p), None)


@cache
def known_breaker(name: str) -> Breaker:
    """One of the strategies by its name, found by search when it is first asked for.

    Raises:
        TengenError: if there is no such strategy.
    """
    if name not in KNOWN:
        raise TengenError(f"{name!r} is no strategy; there are {', '.join(KNOWN)}")
    known = KNOWN[name]
    return find_breaker(known.k, known.p, known.tiling())
