"""What the games of a tournament say: standings, cross table, ratings, and how the games ended."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, field
from functools import cached_property
from statistics import mean, median
from typing import Any

from tengen.arena.game import Reason
from tengen.arena.ledger import Ledger
from tengen.arena.ratings import Ratings, Result, fit
from tengen.arena.records import PlayedGame
from tengen.arena.settings import Settings
from tengen.arena.statistics import Outcomes, Sprt
from tengen.arena.tournament import pair_outcomes
from tengen.game import BLACK, Colour, Position, TengenError
from tengen.play.intervals import wilson


@dataclass
class Tally:
    """Games won, drawn and lost."""

    wins: int = 0
    draws: int = 0
    losses: int = 0

    @property
    def games(self) -> int:
        """How many games it counts."""
        return self.wins + self.draws + self.losses

    @property
    def points(self) -> float:
        """One for a win, one half for a draw."""
        return self.wins + self.draws / 2

    @property
    def score(self) -> float | None:
        """The points a game; None without games."""
        return self.points / self.games if self.games else None

    def add(self, points: float) -> None:
        """Counts a game that gave 1, 0.5 or 0 points."""
        self.wins += points == 1
        self.draws += points == 0.5
        self.losses += points == 0

    def as_json(self) -> dict[str, Any]:
        """The numbers as JSON can hold them."""
        low, high = wilson(self.points, self.games)
        return {
            "games": self.games,
            "wins": self.wins,
            "draws": self.draws,
            "losses": self.losses,
            "points": self.points,
            "score": None if self.score is None else round(self.score, 4),
            "score_interval": [round(low, 4), round(high, 4)],
        }


@dataclass
class Standing:
    """One player's tournament."""

    player: int
    name: str
    tally: Tally = field(default_factory=Tally)
    colours: dict[Colour, Tally] = field(default_factory=lambda: {colour: Tally() for colour in Colour})
    faults: Counter[Reason] = field(default_factory=Counter)
    """Games lost by what no player may do."""
    moves: int = 0
    seconds: float = 0.0
    longest: float = 0.0
    """The seconds of his longest thought."""
    nodes: int = 0

    @property
    def seconds_a_move(self) -> float:
        """How long he thought on average."""
        return self.seconds / self.moves if self.moves else 0.0


@dataclass(frozen=True)
class MatchFigures:
    """What two players' games say about their difference."""

    first: int
    second: int
    games: Outcomes
    pairs: Outcomes

    @property
    def best(self) -> Outcomes:
        """The pairs, if there are any: they tell more than the games one by one."""
        return self.pairs if self.pairs.total else self.games


class Report:
    """Everything that tables and pages show of a tournament."""

    def __init__(self, ledger: Ledger) -> None:
        self.settings: Settings = ledger.settings
        self.games: list[PlayedGame] = list(ledger.games.values())
        """The games played, in the order in which they ended."""
        self._by_number = dict(ledger.games)
        self.total = len(self.settings.pairs()) * self.settings.games
        """How many games the schedule has."""
        players = range(len(self.settings.players))
        self.cross: list[list[Tally]] = [[Tally() for _ in players] for _ in players]
        """The games of each player against each other."""
        self.black = Tally()
        self.reasons: Counter[Reason] = Counter()
        self.wins_by_reason: dict[Reason, Tally] = {reason: Tally() for reason in Reason}
        """For each reason how Black fared."""
        self._standings = [Standing(i, player.name) for i, player in enumerate(self.settings.players)]
        self._opening_lengths = {text: len(Position.parse(text).moves) for text in self.settings.openings}
        for played in self.games:
            self._count(played)

    def _count(self, played: PlayedGame) -> None:
        fixture, outcome = played.fixture, played.outcome
        points = outcome.black_points
        self.black.add(points)
        self.reasons[outcome.reason] += 1
        self.wins_by_reason[outcome.reason].add(points)
        sides = (
            (BLACK, fixture.black, fixture.white, points),
            (BLACK.opponent, fixture.white, fixture.black, 1 - points),
        )
        for colour, player, other, own in sides:
            standing = self._standings[player]
            standing.tally.add(own)
            standing.colours[colour].add(own)
            self.cross[player][other].add(own)
            if outcome.reason.is_fault and own == 0:
                standing.faults[outcome.reason] += 1
            thoughts = [move for move in outcome.moves if move.colour is colour]
            standing.moves += len(thoughts)
            standing.seconds += sum(move.seconds for move in thoughts)
            standing.longest = max([standing.longest, *(move.seconds for move in thoughts)])
            standing.nodes += sum(move.nodes or 0 for move in thoughts)

    @cached_property
    def ratings(self) -> Ratings | None:
        """Everybody's strength; None while some have not met anybody yet."""
        players = range(len(self.settings.players))
        counts = {(black, white): Tally() for black in players for white in players if black != white}
        for played in self.games:
            counts[played.fixture.black, played.fixture.white].add(played.outcome.black_points)
        try:
            return fit(len(players), [Result(*pair, t.wins, t.draws, t.losses) for pair, t in counts.items()])
        except TengenError:
            return None

    @property
    def table_ratings(self) -> Ratings | None:
        """The ratings for the table of several players; a match has the one figure of `match` instead."""
        return self.ratings if len(self.settings.players) > 2 else None

    @property
    def rating_note(self) -> str | None:
        """What must be said of ratings in a table that the games alone do not bound."""
        if self.table_ratings is None or self.table_ratings.is_bounded:
            return None
        return (
            "The games alone do not bound the ratings: somebody, or one colour, won or lost everything, or all was "
            "drawn. So each pair that met counts as having played one more game with each colour, half won and half "
            "lost."
        )

    @cached_property
    def standings(self) -> list[Standing]:
        """The players, the best first: by points, or by ratings where not all have played the same number of games."""
        equal = len({standing.tally.games for standing in self._standings}) == 1

        ratings = self.ratings

        def merit(standing: Standing) -> tuple[float, float]:
            elo = 0.0 if ratings is None else round(ratings.elo[standing.player], 6)
            # Where opponents differ in number or strength, as in a gauntlet, points cannot be compared.
            return (-standing.tally.points if equal else 0.0, -elo)

        return sorted(self._standings, key=merit)

    @property
    def match(self) -> MatchFigures | None:
        """The figures of a match; None if there are more than two players."""
        if len(self.settings.players) != 2:
            return None
        tally = self.cross[0][1]
        return MatchFigures(
            0, 1, Outcomes((tally.losses, tally.draws, tally.wins)), pair_outcomes(self._by_number, 0, 1)
        )

    def length(self, played: PlayedGame) -> int:
        """The moves of a game, opening included."""
        return self._opening_lengths[self.settings.opening(played.fixture)] + len(played.outcome.moves)

    @cached_property
    def lengths(self) -> list[int]:
        """The lengths of all games."""
        return [self.length(played) for played in self.games]

    @property
    def length_spread(self) -> dict[str, float] | None:
        """The `least`, `median`, `mean` and `most` of them; None without games."""
        lengths = self.lengths
        if not lengths:
            return None
        return {"least": min(lengths), "median": median(lengths), "mean": round(mean(lengths), 2), "most": max(lengths)}

    @cached_property
    def different_games(self) -> int:
        """How many games differ from each other; players without chance repeat themselves."""
        opening = self.settings.opening
        return len({(opening(p.fixture), *(str(m.move) for m in p.outcome.moves)) for p in self.games})

    def llr_trace(self) -> list[tuple[int, float]]:
        """The log-likelihood ratio of a sequential test as pairs of games ended: after each, or after every few."""
        sprt = self.settings.sprt
        if sprt is None:
            return []
        trace = [(0, 0.0)]
        counts = [0] * 5
        halves: dict[int, float] = {}
        every = 1 + len(self.games) // 1_000
        for played in self.games:
            black_points = played.outcome.black_points
            own = black_points if played.fixture.black == 0 else 1 - black_points
            if played.fixture.round not in halves:
                halves[played.fixture.round] = own
                continue
            counts[int(2 * (own + halves[played.fixture.round]))] += 1
            if sum(counts) % every == 0:
                trace.append((sum(counts), sprt.llr(Outcomes(tuple(counts)))))
        if trace[-1][0] < sum(counts):
            trace.append((sum(counts), sprt.llr(Outcomes(tuple(counts)))))
        return trace

    def as_json(self) -> dict[str, Any]:
        """The report as JSON can hold it."""
        names = [player.name for player in self.settings.players]
        answer: dict[str, Any] = {
            "format": str(self.settings.format),
            "game": self.settings.game,
            "time": str(self.settings.rules.time),
            "games_played": len(self.games),
            "games_scheduled": self.total,
            "standings": [self._standing_json(rank, s) for rank, s in enumerate(self.standings, 1)],
            "cross_table": {
                name: {other: self.cross[i][j].points for j, other in enumerate(names) if self.cross[i][j].games}
                for i, name in enumerate(names)
            },
            "black": self.black.as_json(),
            "reasons": {str(reason): count for reason, count in self.reasons.most_common()},
            "lengths": self.length_spread,
            "different_games": self.different_games,
        }
        if self.ratings is not None:
            answer["black_advantage_elo"] = round(self.ratings.black_advantage, 2)
            answer["ratings_bounded_by_games"] = self.ratings.is_bounded
        if self.match is not None:
            answer["match"] = _match_json(self.match, self.settings.sprt)
        return answer

    def _standing_json(self, rank: int, standing: Standing) -> dict[str, Any]:
        ratings = self.ratings
        return {
            "rank": rank,
            "name": standing.name,
            "spec": self.settings.players[standing.player].spec,
            **standing.tally.as_json(),
            "elo": None if ratings is None else round(ratings.elo[standing.player], 2),
            "elo_error_95": None if ratings is None else round(ratings.error(standing.player), 2),
            "stronger_than_next": self._stronger_than_next(rank),
            "as_black": standing.colours[BLACK].as_json(),
            "as_white": standing.colours[BLACK.opponent].as_json(),
            "faults": {str(reason): count for reason, count in standing.faults.items()},
            "moves": standing.moves,
            "seconds": round(standing.seconds, 3),
            "seconds_a_move": round(standing.seconds_a_move, 4),
            "longest_thought": round(standing.longest, 3),
        }

    def _stronger_than_next(self, rank: int) -> float | None:
        """How likely it is that a player is stronger than the one below him in the table."""
        if self.ratings is None or rank == len(self.standings):
            return None
        player, other = self.standings[rank - 1].player, self.standings[rank].player
        return round(self.ratings.superiority(player, other), 4)


def _match_json(match: MatchFigures, sprt: Sprt | None) -> dict[str, Any]:
    elo, low, high = match.best.elo()
    answer: dict[str, Any] = {
        "pairs": list(match.pairs.counts),
        "elo": _finite(elo),
        "elo_interval": [_finite(low), _finite(high)],
        "superiority": round(match.best.superiority(), 4),
    }
    if sprt is not None:
        answer["sprt"] = {
            "elo0": sprt.elo0,
            "elo1": sprt.elo1,
            "llr": round(sprt.llr(match.pairs), 4),
            "bounds": [round(bound, 4) for bound in sprt.bounds],
            "accepted": sprt.verdict(match.pairs),
        }
    return answer


def _finite(value: float) -> float | None:
    return round(value, 2) if abs(value) < 1e6 else None
