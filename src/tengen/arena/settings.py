"""What a tournament is: who plays whom, how often, from which openings, under which rules."""

from __future__ import annotations

import random
from collections.abc import Iterator
from dataclasses import asdict, dataclass, field, replace
from enum import StrEnum
from functools import lru_cache
from itertools import combinations
from typing import Any

from tengen.arena.game import Rules, check_rules
from tengen.arena.openings import Suite
from tengen.arena.statistics import Sprt
from tengen.game import Colour, Position, TengenError
from tengen.play.clock import TimeControl

MAX_GAMES = 1_000_000
"""Number of games of a pair; the schedule of more would not fit into memory."""


class Format(StrEnum):
    """Who meets whom."""

    ROUND_ROBIN = "round robin"
    """Everybody meets everybody."""
    GAUNTLET = "gauntlet"
    """The first player meets all others."""


@dataclass(frozen=True)
class Player:
    """Somebody who takes part: the name for tables, and the text from which he is made."""

    name: str
    spec: str


@dataclass(frozen=True)
class Fixture:
    """A game that is to be played."""

    number: int
    """From 1, in the order of the schedule."""
    round: int
    """From 0; in each round every pair plays one opening twice."""
    black: int
    white: int

    @property
    def pair(self) -> tuple[int, int]:
        """The players, whatever their colours."""
        return min(self.black, self.white), max(self.black, self.white)


@dataclass(frozen=True)
class Settings:
    """A tournament, complete: from this the schedule follows, and with players that use no clock every game.

    Raises:
        TengenError: if it cannot be played.
    """

    players: tuple[Player, ...]
    openings: tuple[str, ...]
    """Positions as text; a round takes the next one, and begins again after the last, unless there is a suite."""
    games: int
    """How many games each pair plays: an even number."""
    format: Format = Format.ROUND_ROBIN
    rules: Rules = field(default_factory=Rules)
    seed: int = 0
    sprt: Sprt | None = None
    """Stops a match of two players when the test is decided."""
    suite: Suite | None = None
    """Where more openings come from when a round needs one; None if there are no more."""

    def __post_init__(self) -> None:
        if len(self.players) < 2:
            raise TengenError("two players at least are needed")
        names = [player.name for player in self.players]
        if len(set(names)) < len(names):
            raise TengenError(f"two players have the same name: {', '.join(names)}")
        if type(self.games) is not int or self.games > MAX_GAMES:
            raise TengenError(f"invalid number of games a pair: {self.games!r} (expected at most {MAX_GAMES:,})")
        if self.games < 2 or self.games % 2:
            raise TengenError(
                f"{self.games} games a pair: it must be an even number, since every opening is played with both colours"
            )
        if self.sprt is not None and len(self.players) != 2:
            raise TengenError("a sequential test is about two players")
        if not self.openings:
            raise TengenError("there are no openings: the empty board is one, too")
        for text in dict.fromkeys(self.openings):
            _check_opening(text, self.rules)

    @property
    def game(self) -> str:
        """The game that is played."""
        return str(Position.parse(self.openings[0]).game)

    def pairs(self) -> list[tuple[int, int]]:
        """Who meets whom."""
        if self.format is Format.GAUNTLET:
            return [(0, other) for other in range(1, len(self.players))]
        return list(combinations(range(len(self.players)), 2))

    def schedule(self) -> Iterator[Fixture]:
        """All games in order. More games a pair are added at its end, so that a tournament can be prolonged."""
        number = 0
        for round in range(self.games // 2):
            for first, second in self.pairs():
                for black, white in ((first, second), (second, first)):
                    number += 1
                    yield Fixture(number, round, black, white)

    def opening(self, fixture: Fixture) -> str:
        """Where a game begins; if `lacks_opening`, that is not known yet."""
        return self.openings[fixture.round % len(self.openings)]

    def lacks_opening(self, fixture: Fixture) -> bool:
        """Whether another opening is to be made before this game can begin."""
        return self.suite is not None and len(self.openings) < min(fixture.round + 1, self.suite.most)

    def player_seed(self, fixture: Fixture, colour: Colour) -> int:
        """The seed of a player in a game: another for each game, always the same for the same one."""
        return random.Random(f"{self.seed}/{fixture.number}/{colour.letter}").getrandbits(32)

    def as_json(self) -> dict[str, Any]:
        """The settings as JSON can hold them."""
        rules = self.rules
        return {
            "format": str(self.format),
            "players": [{"name": player.name, "spec": player.spec} for player in self.players],
            "games": self.games,
            "game": self.game,
            "time": str(rules.time),
            **{name: getattr(rules, name) for name in _LIMITS},
            "seed": self.seed,
            "sprt": None if self.sprt is None else asdict(self.sprt),
            "suite": None if self.suite is None else asdict(self.suite),
            "openings": list(self.openings),
        }

    @classmethod
    def from_json(cls, entry: dict[str, Any]) -> Settings:
        """The settings of a JSON object.

        Raises:
            TengenError: if it holds none.
        """
        try:
            return cls(
                players=tuple(Player(player["name"], player["spec"]) for player in entry["players"]),
                openings=tuple(entry["openings"]),
                games=entry["games"],
                format=Format(entry["format"]),
                rules=Rules(TimeControl.parse(entry["time"]), **{name: entry[name] for name in _LIMITS}),
                seed=entry["seed"],
                sprt=None if entry["sprt"] is None else Sprt(**entry["sprt"]),
                suite=None if entry.get("suite") is None else Suite(**entry["suite"]),
            )
        except (KeyError, TypeError, AttributeError, ValueError, OverflowError) as error:
            if isinstance(error, TengenError):
                raise
            raise TengenError(f"these are no settings of a tournament ({type(error).__name__}: {error})") from error

    def difference(self, other: Settings) -> str | None:
        """What is not as it was under other settings, in words; None if the games played there count here as well.

        There may be more games than before, and more openings for them.
        """
        mine, theirs = self.as_json(), other.as_json()
        if self.games < other.games:
            return f"{other.games} games a pair were asked for, and are now {self.games}"
        for name in mine:
            if name in ("games", "suite", "openings") or mine[name] == theirs[name]:
                continue
            return f"{name} was {_shown(theirs[name])}, and is now {_shown(mine[name])}"
        if _manner(self.suite) != _manner(other.suite):
            return f"openings were {_manner(other.suite)}, and are now {_manner(self.suite)}"
        known = min(len(self.openings), len(other.openings))
        for number in range(other.games // 2 if self.suite is None else known):
            own, its = (s.openings[number % len(s.openings)] for s in (self, other))
            if own != its:
                return f"opening {number + 1} was {its!r}, and is now {own!r}"
        return None

    def going_on(self, other: Settings) -> Settings:
        """These settings with the openings that were made under others that do not differ."""
        if self.suite is None or other.suite is None:
            return self
        began_again = other.games // 2 > other.suite.most  # so that more of them would change where games began
        return replace(self, openings=other.openings, suite=other.suite if began_again else self.suite)


_LIMITS = ("tolerance", "nodes", "depth", "max_moves", "adjudicate")


@lru_cache(maxsize=4096)  # settings are made anew with every opening that is added
def _check_opening(text: str, rules: Rules) -> None:
    check_rules(Position.parse(text), rules)


def _manner(suite: Suite | None) -> str:
    if suite is None:
        return "given"
    moves = "" if suite.moves is None else f" with {suite.moves} moves"
    return f"made{moves}, {100 * suite.balance:g} % from even at most"


def _shown(value: object) -> str:
    if isinstance(value, list):
        return ", ".join(str(item["spec"]) if isinstance(item, dict) else str(item) for item in value)
    return "not set" if value is None else str(value)
