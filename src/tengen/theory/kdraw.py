"""For how long rows a game is drawn: the bounds of Chiang, Wu and Lin (*Drawn k-in-a-row games*) with their lemmas.

MBBoardN(L,p) is the maker-breaker game on an endless strip of lines of L squares (`strips.py`), MBBoardNX(L,b) the one
with a square for the breaker alone on each line, where the maker wants more than b stones on a line.
"""

from __future__ import annotations

from dataclasses import dataclass

from tengen.game import TengenError
from tengen.game.rules import MAX_STONES


@dataclass(frozen=True)
class Step:
    """A drawn game, and what shows that it is."""

    game: str
    because: str
    rests_on: str = ""
    """The game that it follows from, if any."""

    def __str__(self) -> str:
        return f"{self.game} is drawn: {self.because}" + (f", from {self.rests_on}" if self.rests_on else "")


_NX_2 = Step("MBBoardNX(2,1)", "Lemma 9")
_NX_3 = Step("MBBoardNX(3,2)", "Lemma 10")
_BASES: dict[tuple[int, int], tuple[str, Step | None]] = {
    (4, 1): ("Lemma 8", None),
    (5, 2): ("Lemma 11", _NX_2),
    (6, 3): ("Lemma 12", _NX_2),
    (7, 3): ("Lemma 11", _NX_3),
    (8, 4): ("Lemma 12", _NX_3),
}


def bound_d(p: int) -> int:
    """The d of the formula: P(d - 1) < p <= P(d) with P(d) = 2^d - d - 2.

    Raises:
        TengenError: if p is not 1 to 10,000.
    """
    if not 1 <= p <= MAX_STONES:
        raise TengenError(f"p = {p} is out of range: 1 to {MAX_STONES}")
    d = 1
    while 2**d - d - 2 < p:
        d += 1
    return d


def formula(p: int) -> int:
    """Theorem 2: Connect(3p + 3d - 1, p) is drawn.

    Raises:
        TengenError: as `bound_d` does.
    """
    return 3 * p + 3 * bound_d(p) - 1


def hsieh_tsai(p: int) -> int:
    """The bound of Hsieh and Tsai that it improved upon."""
    return 4 * p + 7


def strip_chain(length: int, p: int) -> list[Step]:
    """How MBBoardN(length, p) follows from the first games by Lemmas 11 to 14, the first of them first.

    Raises:
        TengenError: if it does not.
    """
    name = f"MBBoardN({length},{p})"
    if base := _BASES.get((length, p)):
        lemma, below = base
        return [Step(name, lemma)] if below is None else [below, Step(name, lemma, below.game)]
    half, odd = divmod(length - 1, 2)
    lemma, shorter, fewer = ("Lemma 14", half, p - half - 1) if odd else ("Lemma 13", half, p - half)
    if p < 5 or fewer < 1:
        raise TengenError(f"the lemmas say nothing of {name}")
    return [*strip_chain(shorter, fewer), Step(name, lemma, f"MBBoardN({shorter},{fewer})")]


@dataclass(frozen=True)
class Bound:
    """From what k on Connect(k,p) is drawn, as far as is known here, and why."""

    k: int
    p: int
    chain: tuple[Step, ...]


def kdraw(p: int) -> Bound:
    """The smallest k for which the theorems and our own strategies show a draw.

    Raises:
        TengenError: if p is not 1 to 10,000.
    """
    if p in _TILED:
        k, board, whose = _TILED[p]
        steps = (
            Step(board, f"by search, {whose}; the strategy is a file that can be checked (tengen draw {k} {p})"),
            Step(f"MBConnect({k},{p})", f"any {k} squares in a row hold a line of a tile", board),
            Step(f"Connect({k},{p})", "Corollary 1: any board, any q up to p", f"MBConnect({k},{p})"),
        )
        return Bound(k, p, steps)
    return theorem_2(p)


def theorem_2(p: int) -> Bound:
    """The bound of the formula with its whole chain of lemmas; k comes out of the chain, not out of the formula.

    Raises:
        TengenError: if p is not 1 to 10,000.
    """
    length = p + bound_d(p)
    chain = strip_chain(length, p)
    k = 3 * length - 1
    strip = chain[-1].game
    steps = (
        *chain,
        Step(f"MBConnect({k},{p})", f"Property 2: any {k} = 3 x {length} - 1 squares in a row hold a line", strip),
        Step(f"Connect({k},{p})", "Corollary 1: any board, any q up to p", f"MBConnect({k},{p})"),
    )
    return Bound(k, p, steps)


_TILED = {
    1: (8, "MBBoard(3 rows of 4, 1)", "the board of Zetters"),
    2: (11, "MBBoard(B2,2)", "Lemma 1"),
}
