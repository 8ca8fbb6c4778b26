"""What results say: against published figures, exact cases, and simulation."""

import math
import random
from itertools import combinations, permutations

import pytest

from tengen import TengenError
from tengen.arena.ratings import Result, fit
from tengen.arena.statistics import Outcomes, Sprt, elo_of_score, expected_score
from tengen.play.intervals import wilson

# Tests of Stockfish's that were reported with the pentanomial counts: pull requests 3209, 3098, 2971, 2951, 2493.
STOCKFISH = [
    ((-0.25, 1.25), (253, 4282, 17604, 4431, 286), 2.94),
    ((0.25, 1.25), (58, 3302, 33130, 3518, 84), 2.97),
    ((-0.25, 1.25), (491, 7345, 29693, 7670, 465), 2.96),
    ((0.25, 1.25), (53, 2220, 21459, 2445, 47), 2.97),
    ((-0.50, 1.50), (17, 253, 1042, 337, 39), 2.96),
    ((0.25, 1.75), (11, 407, 3238, 513, 11), 2.93),
    ((-0.50, 1.50), (59, 754, 2467, 865, 75), 2.95),
    ((0.25, 1.75), (33, 1185, 8378, 1302, 50), 2.95),
    ((-1.00, 3.00), (424, 2948, 5832, 3045, 460), 2.94),
    ((0.00, 2.00), (1284, 17437, 55536, 18085, 1292), 2.94),
]

# The cross table of the 13th Computer Olympiad, 2008: two games a pair, the points of each against each.
OLYMPIAD = """
    NCTU6-LITE  - 1 2 2 2 2 2 2 2 2
    BITSTRONGER 1 - 2 2 2 2 1 2 2 2
    NEUCONN6    0 0 - 2 1 2 2 2 2 2
    BCCC        0 0 0 - 1 1.5 1.5 1.5 2 1.5
    KAVALAN     0 0 1 1 - 0.5 2 1 1 1.5
    NEU6STAR    0 0 0 0.5 1.5 - 1 2 1 2
    ML          0 1 0 0.5 0 1 - 1 2 1
    CV6         0 0 0 0.5 1 0 1 - 2 1
    DREAM6      0 0 0 0 1 1 0 0 - 2
    NTNU-C6     0 0 0 0.5 0.5 0 1 1 0 -
"""
OLYMPIAD_POINTS = [17, 16, 13, 9, 8, 8, 6.5, 5.5, 4, 3]


@pytest.mark.parametrize(("bounds", "counts", "llr"), STOCKFISH)
def test_the_llr_of_published_tests(bounds: tuple[float, float], counts: tuple[int, ...], llr: float) -> None:
    assert Sprt(*bounds).llr(Outcomes(counts)) == pytest.approx(llr, abs=0.0051)


def test_the_bounds_of_the_test_are_walds() -> None:
    assert Sprt(0, 5).bounds == pytest.approx((-2.944, 2.944), abs=5e-4)
    assert Sprt(0, 5, 0.01, 0.10).bounds == pytest.approx((math.log(0.1 / 0.99), math.log(90)))


# As fastchess reported them: pairs, Elo, and half of the interval.
@pytest.mark.parametrize(
    ("pairs", "elo", "error"),
    [((1, 10, 78, 48, 13), 72.85, 22.33), ((352, 579, 1264, 743, 464), 19.83, 6.77), ((0, 0, 1, 8, 1), 190.85, 65.54)],
)
def test_elo_with_its_error_as_others_compute_it(pairs: tuple[int, ...], elo: float, error: float) -> None:
    found, low, high = Outcomes(pairs).elo()
    assert found == pytest.approx(elo, abs=0.005)
    assert (high - low) / 2 == pytest.approx(error, rel=0.01)


# Newcombe, Two-sided confidence intervals for the single proportion (1998), table I, method 3.
@pytest.mark.parametrize(
    ("points", "games", "low", "high"),
    [(81, 263, 0.2553, 0.3662), (15, 148, 0.0624, 0.1605), (0, 20, 0.0, 0.1611), (1, 29, 0.0061, 0.1718)],
)
def test_wilsons_interval_as_published(points: int, games: int, low: float, high: float) -> None:
    assert wilson(points, games) == pytest.approx((low, high), abs=5e-5)


def test_elo_and_score_belong_together() -> None:
    assert expected_score(400) == pytest.approx(10 / 11)
    assert elo_of_score(0.76) == pytest.approx(200, abs=0.5)
    assert (elo_of_score(1), elo_of_score(0)) == (math.inf, -math.inf)
    assert wilson(0, 0) == (0.0, 1.0)
    assert wilson(19, 19)[1] == 1.0  # not a little less, which would be 6,000 Elo
    assert wilson(0, 19)[0] == 0.0
    # 16 games won and 9 lost: 0.14 above one half, which is 0.14 / (0.48 / 5) = 1.458 standard deviations.
    assert Outcomes((9, 0, 16)).superiority() == pytest.approx(0.9276, abs=1e-4)


def test_no_games_and_games_all_alike() -> None:
    nothing = Outcomes((0, 0, 0))
    assert (nothing.score, nothing.superiority(), Sprt(0, 10).llr(nothing)) == (0.5, 0.5, 0.0)
    elo, low, high = Outcomes((0, 0, 0, 0, 10)).elo()
    assert elo == high == math.inf
    assert 100 < low < 400  # ten pairs won: more than some, less than any strength
    assert 0.5 < Outcomes((0, 0, 1)).superiority() < 0.95
    with pytest.raises(TengenError, match="three counts"):
        Outcomes((1, 2))
    with pytest.raises(TengenError, match="below elo1"):
        Sprt(5, 5)
    for elo0, elo1 in ((0, math.inf), (-math.inf, 0), (0, 1e6)):
        with pytest.raises(TengenError, match=r"between -1,000 and 1,000"):
            Sprt(elo0, elo1)
    assert Sprt(-1000, 1000).verdict(Outcomes((0, 0, 0, 0, 10))) == "elo1"
    with pytest.raises(TengenError, match="alpha"):
        Sprt(0, 5, alpha=0)


@pytest.mark.parametrize(("truth", "wanted"), [(0.0, "elo0"), (60.0, "elo1")])
def test_the_sequential_test_errs_no_oftener_than_it_says(truth: float, wanted: str) -> None:
    sprt = Sprt(0, 60)
    chance = random.Random(20081001)
    score = expected_score(truth)
    right = 0
    for _ in range(150):
        counts = [0, 0, 0, 0, 0]
        verdict = None
        while verdict is None:
            for _ in range(8):
                counts[sum(2 * (chance.random() < score) for _ in range(2))] += 1
            verdict = sprt.verdict(Outcomes(tuple(counts)))
        right += verdict == wanted
    assert right >= 150 * 0.9  # 95 % are promised; 90 % are 2.8 standard deviations below


# Ratings


def test_two_players_have_the_elo_of_their_score() -> None:
    ratings = fit(2, [Result(0, 1, 30, 0, 10), Result(1, 0, 10, 0, 30)])
    assert ratings.elo[0] - ratings.elo[1] == pytest.approx(400 * math.log10(3))
    assert ratings.black_advantage == pytest.approx(0, abs=1e-9)
    # One logit is known to 1 / sqrt(n p (1 - p)); each rating is half the difference away from the mean.
    assert ratings.error(0) == pytest.approx(1.95996 * 400 / math.log(10) / math.sqrt(80 * 0.75 * 0.25) / 2, rel=1e-4)
    assert ratings.superiority(0, 1) == pytest.approx(1 - ratings.superiority(1, 0))
    assert ratings.superiority(0, 0) == 0.5


def test_many_draws_do_not_stretch_the_scale() -> None:
    ratings = fit(2, [Result(0, 1, 10, 80, 5), Result(1, 0, 5, 80, 10)])
    assert ratings.elo[0] - ratings.elo[1] == pytest.approx(elo_of_score(50 / 95), rel=0.02)
    assert 0.8 < ratings.draw_share < 0.9


def test_the_first_move_gets_its_due() -> None:
    # Equal players, Black wins three games of four.
    ratings = fit(2, [Result(0, 1, 75, 0, 25), Result(1, 0, 75, 0, 25)])
    assert ratings.elo == pytest.approx((0, 0), abs=1e-9)
    assert ratings.black_advantage == pytest.approx(400 * math.log10(3))


def test_the_olympiad_of_2008() -> None:
    rows = [line.split() for line in OLYMPIAD.strip().splitlines()]
    table = [[0.0 if cell == "-" else float(cell) for cell in row[1:]] for row in rows]
    assert [sum(row) for row in table] == [17, 16, 13, 9, 8, 8, 6.5, 5.5, 4, 3] == OLYMPIAD_POINTS
    results = []
    for i, j in combinations(range(10), 2):
        assert table[i][j] + table[j][i] == 2
        # Which colour lost a point is not told; a whole point each is one win each.
        draws = 1 if table[i][j] % 1 else 0
        wins, losses = math.floor(table[i][j]), math.floor(table[j][i])
        results += [Result(i, j, wins / 2, draws / 2, losses / 2), Result(j, i, losses / 2, draws / 2, wins / 2)]
    ratings = fit(10, results)
    # Where all play all equally often, the likeliest strengths are ordered by points: the published ranking.
    for i, j in combinations(range(10), 2):
        if OLYMPIAD_POINTS[i] > OLYMPIAD_POINTS[j]:
            assert ratings.elo[i] > ratings.elo[j]
    assert ratings.is_bounded
    assert sum(ratings.elo) == pytest.approx(0, abs=1e-6)


def simulated(elos: list[float], games: int, chance: random.Random, nu: float = 0.3) -> list[Result]:
    """Games under the model, Black having 40 Elo more, `games` for each pair and colour."""
    scale = 400 / math.log(10) * 2 / (2 + nu)
    results = []
    for black, white in permutations(range(len(elos)), 2):
        half = (elos[black] - elos[white] + 40) / scale / 2
        weights = math.exp(half), nu, math.exp(-half)
        drawn = chance.choices(range(3), weights, k=games)
        results.append(Result(black, white, drawn.count(0), drawn.count(1), drawn.count(2)))
    return results


def test_the_fit_finds_what_games_were_made_from() -> None:
    truth = [220.0, 60.0, -20.0, -80.0, -180.0]
    ratings = fit(5, simulated(truth, 1000, random.Random(7)))
    for player, elo in enumerate(truth):
        assert abs(ratings.elo[player] - elo) < 2 * ratings.error(player)
    assert ratings.black_advantage == pytest.approx(40, abs=4 * ratings.black_advantage_error)
    assert ratings.draw_share == pytest.approx(0.3 / 2.3, abs=0.015)


def test_error_bars_hold_the_truth_as_often_as_they_say() -> None:
    truth = [90.0, 0.0, -90.0]
    chance = random.Random(11)
    hits = 0
    for _ in range(200):
        ratings = fit(3, simulated(truth, 30, chance))
        hits += sum(abs(ratings.elo[player] - elo) < ratings.error(player) for player, elo in enumerate(truth))
    assert 0.92 < hits / 600 < 0.98


def test_whoever_wins_everything_gets_a_finite_rating() -> None:
    ratings = fit(3, [Result(0, 1, 10, 0, 0), Result(1, 0, 0, 0, 10), Result(1, 2, 5, 0, 5), Result(2, 1, 5, 0, 5)])
    assert not ratings.is_bounded
    assert ratings.elo[0] > ratings.elo[1] + 100
    drawn = fit(2, [Result(0, 1, 0, 10, 0), Result(1, 0, 0, 10, 0)])
    assert drawn.elo == pytest.approx((0, 0), abs=1e-9)
    assert not drawn.is_bounded
    # One colour each cannot tell strength from the advantage of moving first, but must not break anything either.
    assert fit(2, [Result(0, 1, 3, 0, 2)]).elo[0] > 0


def test_ratings_need_games_that_link_the_players() -> None:
    with pytest.raises(TengenError, match="no games"):
        fit(2, [Result(0, 1, 0, 0, 0)])
    with pytest.raises(TengenError, match="linked"):
        fit(4, [Result(0, 1, 1, 0, 1), Result(2, 3, 1, 0, 1)])
