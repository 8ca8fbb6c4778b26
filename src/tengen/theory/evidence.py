"""What is known about who can win a game: theorems, proofs of our own, and games that were played."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from enum import StrEnum

from tengen.game import Game
from tengen.theory.boards import settled_boards
from tengen.theory.kdraw import formula
from tengen.theory.known import KNOWN, name_for
from tengen.theory.settled import settled_games


class Kind(StrEnum):
    """What sort of evidence it is, the strongest first."""

    PROOF = "proof"
    """A file that `tengen check` accepts, or a line of reasoning that needs none."""
    THEOREM = "theorem"
    """Published elsewhere."""
    GAMES = "games"
    """Games that the engine played against itself."""
    OPINION = "opinion"
    """A published conjecture, or what people say."""


class Says(StrEnum):
    """What it says about the game."""

    BLACK_WINS = "black wins"
    WHITE_WINS = "white wins"
    DRAW = "a draw"
    WHITE_CANNOT_WIN = "white cannot win"
    FAVOURS_BLACK = "favours black"
    FAVOURS_WHITE = "favours white"
    UNFAIR = "unfair"
    EVEN = "favours nobody"


@dataclass(frozen=True)
class Evidence:
    """One thing that is known about a game."""

    kind: Kind
    says: Says
    why: str
    source: str
    """Who published it, or the command that makes the proof or plays the games."""

    def as_json(self) -> dict[str, str]:
        """The same as plain text."""
        return {"kind": str(self.kind), "says": str(self.says), "why": self.why, "source": self.source}


WU_HUANG_CHANG = "Wu, Huang and Chang: Connect6 (2006)"
_PLAYED_ON = 19
"""The side of the board that people play on."""
CHIANG_WU_LIN = "Chiang, Wu and Lin: Drawn k-in-a-row games (2011)"


def corollary_2(k: int, p: int, q: int) -> bool:
    """Whether Black wins Connect(k,p,q) since his first stones make more threats than White can stop."""
    delta = k - p
    if delta < 1:
        return False
    groups, rest = divmod(q, delta**2)
    return p < groups * (4 * delta + 4) + min(rest, 8 * groups)


def pluhar(k: int, p: int) -> bool:
    """Pluhar's condition for a draw."""
    return p >= 1000 and k - p >= 80 * math.log2(p) + 160


def evidence_for(game: Game) -> list[Evidence]:
    """Everything that is known about a game, the strongest first."""
    order = list(Kind)
    every = dict.fromkeys(found for rule in _RULES for found in rule(game))  # two tables may hold the same proof
    return sorted(every, key=lambda evidence: order.index(evidence.kind))


def _at_once(game: Game) -> Iterator[Evidence]:
    """Games that are over before they have begun, or in which rows never cross."""
    width, room = (math.inf, math.inf) if game.m is None or game.n is None else sorted((game.m, game.n))
    if room < game.k:
        yield Evidence(Kind.PROOF, Says.DRAW, f"no {game.k} squares in a row are on the board", "counting")
    elif width < game.k and game.k >= 3 and game.p == game.q == 1:
        # Squares 0 and 1, k-1 and k, 2(k-1) and 2(k-1)+1, … of each line: any k in a row hold two that are together.
        why = "rows run in one direction only: pairs of neighbours, one on every k-1 squares of each line, hold them"
        yield Evidence(Kind.PROOF, Says.DRAW, why, "pairing")
    elif game.q >= game.k:
        yield Evidence(Kind.PROOF, Says.BLACK_WINS, f"his first {_holding_a_row(game.q, game.k)}", "counting")
    elif game.p >= game.k and _rows_side_by_side(game) > game.q and not game.maker_breaker:
        stones = "stone leaves" if game.q == 1 else "stones leave"
        why = f"Black's {game.q} {stones} room, and White's first {_holding_a_row(game.p, game.k)}"
        yield Evidence(Kind.PROOF, Says.WHITE_WINS, why, "counting")


def _rows_side_by_side(game: Game) -> float:
    """How many rows of k squares have their places on the board, no two with a square in common."""
    if game.m is None or game.n is None:
        return math.inf
    return max(game.m * (game.n // game.k), game.n * (game.m // game.k))


def _holding_a_row(stones: int, k: int) -> str:
    return f"{stones} {'stone holds' if stones == 1 else 'stones hold'} {k} in a row"


def _strategies(game: Game) -> Iterator[Evidence]:
    if game.q > game.p:
        return
    name = name_for(game.k, game.p)
    if name is not None:
        known = KNOWN[name]
        stones = "1 stone" if known.p == 1 else f"{known.p} stones"
        why = f"{known.whose}: neither side gets {known.k} in a row, {stones} a move, on any board"
        yield Evidence(Kind.PROOF, Says.DRAW, why, f"tengen draw {known.k} {known.p} --proof FILE")
    elif game.k >= formula(game.p):
        why = f"kdraw({game.p}) = {formula(game.p)} (Theorem 2; its chain: tengen draw bound {game.p})"
        yield Evidence(Kind.THEOREM, Says.DRAW, why, CHIANG_WU_LIN)
    if pluhar(game.k, game.p):
        yield Evidence(
            Kind.THEOREM,
            Says.DRAW,
            "k - p >= 80 log2 p + 160 and p >= 1000 (Corollary 1)",
            "Pluhar (2002); " + WU_HUANG_CHANG,
        )


def _theorems(game: Game) -> Iterator[Evidence]:
    if game.is_infinite and corollary_2(game.k, game.p, game.q):
        yield Evidence(
            Kind.THEOREM,
            Says.BLACK_WINS,
            "his first stones in squares make more than p threats (Corollary 2)",
            WU_HUANG_CHANG,
        )
    if game.q >= game.p and not game.maker_breaker:
        yield Evidence(
            Kind.THEOREM, Says.WHITE_CANNOT_WIN, "strategy stealing: q >= p", "Nash (1949); " + WU_HUANG_CHANG
        )
    if game.maker_breaker:
        yield Evidence(Kind.PROOF, Says.WHITE_CANNOT_WIN, "his rows count for nothing", "the rules")
    if (game.k, game.p) == (5, 1) and game.q >= 1 and (game.is_infinite or (game.m, game.n) == (15, 15)):
        yield Evidence(Kind.THEOREM, Says.BLACK_WINS, "five in a row is solved", "Allis (1994)")
    if game.is_infinite and (game.k, game.p) == (6, 2) and game.q >= 3:
        yield Evidence(Kind.THEOREM, Says.BLACK_WINS, "three stones first are too many", "Wu and Huang (2005)")


def _proofs(game: Game) -> Iterator[Evidence]:
    """Games that we have settled; a win for Black stays one with more stones at first, one for White with fewer."""
    for settled in settled_games():
        other = settled.parsed
        is_win = settled.says == Says.BLACK_WINS
        if (other.k, other.p) != (game.k, game.p) or not settled.holds_on_the_board_of(game):
            continue
        if other.maker_breaker != game.maker_breaker and not (is_win and game.maker_breaker):
            continue
        gap = game.q - other.q
        if gap == 0 or (is_win and gap > 0) or (settled.says == Says.WHITE_WINS and gap < 0):
            notes = [_checked(settled.nodes)]
            if settled.room is not None and not game.is_infinite:
                columns, rows = settled.room
                notes.append(f"of the infinite board; {columns} x {rows} have room for it")
            if gap:
                notes.append(f"from {settled.game}: a stone more in the first move harms nobody who has it")
            notes += _without_whites_rows(game, other.maker_breaker)
            yield Evidence(Kind.PROOF, Says(settled.says), ", ".join(notes), settled.command)


def _boards(game: Game) -> Iterator[Evidence]:
    """(m,n,k)-games, some of them settled by a proof on a larger board."""
    if game.m is None or game.n is None or game.p != 1:
        return
    m, n = sorted((game.m, game.n))
    for settled in settled_boards():
        is_win = settled.says == Says.BLACK_WINS
        if settled.k == game.k and settled.include(m, n) and (is_win or (game.q == 1 and not game.maker_breaker)):
            notes = [_checked(settled.nodes)]
            if settled.to != n:
                notes.append("of a larger board; Black needs no more room than this one has")
            notes += _without_whites_rows(game, False)
            yield Evidence(Kind.PROOF, Says(settled.says), ", ".join(notes), settled.command)


def _without_whites_rows(game: Game, proved_without_them: bool) -> list[str]:
    """Why Black's win in a game where White's rows count is one where they do not."""
    if not game.maker_breaker or proved_without_them:
        return []
    return ["of the game in which White's rows count: without them he has one way less to stop Black"]


def _checked(nodes: int) -> str:
    return f"a proof of {nodes:,} {'node' if nodes == 1 else 'nodes'} was checked"


def _opinions(game: Game) -> Iterator[Evidence]:
    # Said of the infinite board, by people who play on 19 x 19; nobody has said it of narrow boards.
    if game.maker_breaker or not (game.m is None or game.n is None or min(game.m, game.n) >= _PLAYED_ON):
        return
    if 0 < game.k - game.p <= 3 and game.k > game.q:
        yield Evidence(Kind.OPINION, Says.UNFAIR, "k - p <= 3 is conjectured to be unfair", "Wu and Huang (2005)")
    if (game.k, game.p, game.q) == (6, 2, 1):
        why = "players of high rank have not been able to tell whom it favours"
        yield Evidence(Kind.OPINION, Says.EVEN, why, WU_HUANG_CHANG)


_RULES: tuple[Callable[[Game], Iterator[Evidence]], ...] = (
    _at_once,
    _proofs,
    _boards,
    _strategies,
    _theorems,
    _opinions,
)
