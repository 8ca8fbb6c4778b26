"""Plays a tournament: hands out the games that are still to be played, and keeps each in the ledger as it ends."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import closing
from itertools import count

from tengen.arena.ledger import Ledger
from tengen.arena.records import PlayedGame
from tengen.arena.settings import Fixture, Player, Settings
from tengen.arena.statistics import Outcomes
from tengen.arena.workers import MakeAgent, Task, Workers
from tengen.game import BLACK, WHITE, Position, TengenError
from tengen.play import make_agent
from tengen.play.agent import Agent, Preparing

_PATIENCE = 0.5
"""Seconds between two looks at the world when no game ends."""


def name_players(specs: tuple[str, ...], make: MakeAgent = make_agent) -> tuple[Player, ...]:
    """Players by the names that they give themselves; where two say the same, by their specs or a number.

    Raises:
        TengenError: if one of them cannot be made.
    """
    own = []
    for spec in specs:
        with closing(_made(spec, make)) as agent:
            own.append(agent.name)
    wanted = [spec if own.count(name) > 1 else name for name, spec in zip(own, specs, strict=True)]
    names: list[str] = []
    for name in wanted:
        names.append(next(text for n in count(1) if (text := name if n == 1 else f"{name} #{n}") not in names))
    return tuple(Player(name, spec) for name, spec in zip(names, specs, strict=True))


def check_players(
    settings: Settings, make: MakeAgent = make_agent, tell: Callable[[str], object] = lambda _name: None
) -> None:
    """Makes every player once, and lets him get ready for every opening that is known.

    Args:
        settings: of the tournament.
        make: makes a player.
        tell: called with the name of each player, before he is waited for.

    Raises:
        TengenError: if one cannot be made, or cannot play from them.
    """
    openings = [Position.parse(text) for text in settings.openings]
    for player in settings.players:
        tell(player.name)
        with closing(_made(player.spec, make)) as agent:
            if isinstance(agent, Preparing):
                try:
                    for opening in openings:
                        agent.prepare(opening)
                except TengenError as error:
                    raise TengenError(f"player {player.spec!r}: {error}") from error


def _made(spec: str, make: MakeAgent) -> Agent:
    try:
        return make(spec, 0)
    except OSError as error:
        raise TengenError(f"player {spec!r}: {error}") from error


def pair_outcomes(games: dict[int, PlayedGame], first: int, second: int) -> Outcomes:
    """How often the first of two players made each number of points in a pair of games; half pairs are left out."""
    points: dict[int, list[float]] = {}
    for played in games.values():
        if played.fixture.pair == (min(first, second), max(first, second)):
            black_points = played.outcome.black_points
            own = black_points if played.fixture.black == first else 1 - black_points
            points.setdefault(played.fixture.round, []).append(own)
    counts = [0] * 5
    for both in points.values():
        if len(both) == 2:
            counts[int(2 * sum(both))] += 1
    return Outcomes(tuple(counts))


class Tournament:
    """A tournament in its ledger."""

    def __init__(self, ledger: Ledger) -> None:
        self.ledger = ledger
        self._more_openings: Iterator[Position] | None = None

    @property
    def settings(self) -> Settings:
        """What is played; openings may be added while it is."""
        return self.ledger.settings

    @property
    def verdict(self) -> str | None:
        """What a sequential test has decided: `elo0` or `elo1`; None if there is none, or it goes on."""
        if self.settings.sprt is None:
            return None
        return self.settings.sprt.verdict(pair_outcomes(self.ledger.games, 0, 1))

    @property
    def is_finished(self) -> bool:
        """Whether no more games are to be played."""
        return self.verdict is not None or not self.ledger.pending()

    def play(
        self,
        concurrency: int = 1,
        make: MakeAgent = make_agent,
        progress: Callable[[PlayedGame | None], object] = lambda _: None,
    ) -> None:
        """Plays what is still to be played. `progress` is called after each game, and now and then without one.

        Whatever ends this early, no game in the ledger is lost; those under way are played again next time.

        Raises:
            TengenError: if no games can be played in other processes, or no more openings made.
            OSError: if a game cannot be written, or no process started.
        """
        if self.is_finished:
            return
        waiting = iter(self.ledger.pending())
        under_way: dict[int, Fixture] = {}
        exhausted = False
        with Workers(min(concurrency, len(self.ledger.pending())), make) as workers:
            while not exhausted or under_way:
                while workers.idle and not exhausted:
                    fixture = next(waiting, None)
                    if fixture is None:
                        exhausted = True
                    else:
                        under_way[fixture.number] = fixture
                        self._make_opening(fixture)
                        workers.give(self.task(fixture))
                ended = workers.wait(_PATIENCE) if under_way else []
                for task, outcome in ended:
                    progress(self.ledger.add(under_way.pop(task.number), outcome))
                if ended and self.verdict is not None:
                    return
                if not ended:
                    progress(None)

    def task(self, fixture: Fixture) -> Task:
        """A game of the schedule as a worker needs it."""
        settings = self.settings
        return Task(
            fixture.number,
            (settings.players[fixture.black].spec, settings.players[fixture.white].spec),
            (settings.player_seed(fixture, BLACK), settings.player_seed(fixture, WHITE)),
            settings.opening(fixture),
            settings.rules,
        )

    def _make_opening(self, fixture: Fixture) -> None:
        """Makes the opening of a game if there is none yet. A worker waits for it, so that a core is free to do so."""
        while (suite := self.settings.suite) is not None and self.settings.lacks_opening(fixture):
            if self._more_openings is None:
                known = self.settings.openings
                self._more_openings = suite.after(known, Position.parse(known[0]).game, self.settings.seed)
            opening = next(self._more_openings, None)
            self.ledger.add_opening(None if opening is None else str(opening))
