"""Is a game fair? The classes of Wu, Huang and Chang, with the evidence for them."""

from __future__ import annotations

import json
from collections.abc import Iterable
from dataclasses import asdict, dataclass
from enum import StrEnum
from functools import cache
from importlib.resources import files
from typing import Any

from tengen.game import Game
from tengen.theory.complexity import Complexity, complexity
from tengen.theory.evidence import Evidence, Kind, Says, evidence_for

_FILE = "self_play.json"


class Fairness(StrEnum):
    """How fair a game is, as far as anybody knows."""

    DEFINITELY_UNFAIR = "definitely unfair"
    """It is proved that somebody wins."""
    MONOTONICALLY_UNFAIR = "monotonically unfair"
    """It is proved of one player that he does not win, and of the other it is not known."""
    EMPIRICALLY_UNFAIR = "empirically unfair"
    """Games that were played, or those who know the game, say that it favours somebody."""
    POTENTIALLY_FAIR = "potentially fair"
    """None of these has been shown."""


@dataclass(frozen=True)
class SelfPlay:
    """How games between equals ended."""

    game: str
    players: str
    black: int
    draws: int
    white: int
    low: float
    """With 95 % confidence Black's points a game are at least so many."""
    high: float
    command: str

    @property
    def games(self) -> int:
        """How many were played."""
        return self.black + self.draws + self.white

    @property
    def score(self) -> float:
        """Black's points a game."""
        return (self.black + self.draws / 2) / self.games if self.games else 0.5

    def evidence(self) -> Evidence:
        """What it says: that the game favours somebody if one half is not within the interval."""
        says = Says.FAVOURS_BLACK if self.low > 0.5 else Says.FAVOURS_WHITE if self.high < 0.5 else Says.EVEN
        why = (
            f"{self.players} against itself: Black won {self.black}, drew {self.draws}, lost {self.white}; "
            f"{self.score:.0%} of the points, between {self.low:.0%} and {self.high:.0%} with 95 % confidence"
        )
        return Evidence(Kind.GAMES, says, why, self.command)


@dataclass(frozen=True)
class Assessment:
    """The class of a game, its value if that is known, and everything that says so."""

    game: Game
    fairness: Fairness
    value: str | None
    """`black wins`, `white wins` or `a draw`, if that is proved."""
    evidence: tuple[Evidence, ...]
    complexity: Complexity

    def as_json(self) -> dict[str, Any]:
        """All of it as a plain object."""
        return {
            "game": str(self.game),
            "class": str(self.fairness),
            "value": self.value,
            "delta": self.game.k - self.game.p,
            "evidence": [evidence.as_json() for evidence in self.evidence],
            "complexity": asdict(self.complexity),
        }


def assess(game: Game, played: Iterable[SelfPlay] = ()) -> Assessment:
    """The class of a game by all that is known, and by games that were just played."""
    evidence = [*evidence_for(game), *(games.evidence() for games in [*kept_games(game), *played])]
    order = list(Kind)
    evidence.sort(key=lambda found: order.index(found.kind))
    certain = {found.says for found in evidence if found.kind in (Kind.PROOF, Kind.THEOREM)}
    value = next((str(says) for says in (Says.BLACK_WINS, Says.WHITE_WINS, Says.DRAW) if says in certain), None)
    return Assessment(game, _fairness(certain, evidence), value, tuple(evidence), complexity(game))


def _fairness(certain: set[Says], evidence: list[Evidence]) -> Fairness:
    if certain & {Says.BLACK_WINS, Says.WHITE_WINS}:
        return Fairness.DEFINITELY_UNFAIR
    if Says.DRAW in certain:
        return Fairness.POTENTIALLY_FAIR
    if Says.WHITE_CANNOT_WIN in certain:
        return Fairness.MONOTONICALLY_UNFAIR
    # People who know a game well are better judges of it than our players' games with themselves.
    if any(found.kind is Kind.OPINION and found.says is Says.EVEN for found in evidence):
        return Fairness.POTENTIALLY_FAIR
    # Where the games of one player favour a side and those of another do not, they say more of the players.
    games = {found.says for found in evidence if found.kind is Kind.GAMES}
    agree = games in ({Says.FAVOURS_BLACK}, {Says.FAVOURS_WHITE})
    if agree or any(found.says is Says.UNFAIR for found in evidence):
        return Fairness.EMPIRICALLY_UNFAIR
    return Fairness.POTENTIALLY_FAIR


@cache
def _all_kept() -> tuple[SelfPlay, ...]:
    return tuple(SelfPlay(**entry) for entry in json.loads(files(__package__).joinpath(_FILE).read_text()))


def kept_games(game: Game) -> list[SelfPlay]:
    """Games that were played for the docs. Those on 19 x 19 speak for the infinite board too: few reach the edge."""
    names = {str(game)}
    if game.is_infinite:
        names.add(str(Game(19, 19, game.k, game.p, game.q, game.maker_breaker)))
    return [games for games in _all_kept() if games.game in names]
