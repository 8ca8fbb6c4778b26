"""Learns the weights of the engine's evaluation from its own games.

The engine plays itself: Black begins in the middle, White answers near by, the next moves are drawn among those that
look good, and then both play with a fixed number of nodes a move until one of them proves a win. From each game come
the quiet positions, those to which an evaluation is applied: nobody threatens, and the side to move has no win by
double threats. A logistic regression of who won on how many segments have how many stones of one side alone gives the
weights.

    python bench/learn_evaluation.py play build/self-play.jsonl --minutes 60     (killed and started again, it goes on)
    python bench/learn_evaluation.py fit build/self-play.jsonl --weights build/weights.json
    python bench/learn_evaluation.py order build/self-play.jsonl --weights build/weights.json
    tengen match engine:nodes=1500,weights=build/weights.json engine:nodes=1500 --sprt 0 30

`order` looks for the weights by which moves are tried: so that those that winners played stand early in the list. In
the middle of a search the list is short, at the root, where these moves were chosen, it is long. Instead of games of
the engine, `fit` and `order` also take records of others in any format that is read. The last line asks whether the
weights play better than those in use: only then do they replace them.
"""

from __future__ import annotations

import argparse
import json
import math
import os
import random
import time
from dataclasses import asdict, replace
from pathlib import Path
from typing import NamedTuple, TypedDict

from tengen import BLACK, CONNECT6, WHITE, Move, Position, solve
from tengen._native import Setup, candidates
from tengen.play import Budget, Engine
from tengen.play.evaluation import CONNECT6_WEIGHTS, SegmentWeights, Weights
from tengen.record import read_file
from tengen.threat import threat_number

DOUBT = 0.3
"""How many units of log-odds a move of the opening may look worse than the best to be drawn about a third as often."""
LONGEST = 60
"""Moves after which a game is given up as undecided."""
THREATS = 400
"""Nodes in which the side to move must not find a win by double threats."""
UNIT = 290
"""What one unit of log-odds is in the engine's scores, before any search."""
LEARNED = 3
"""Segments with more stones than this are threats, which quiet positions do not have."""


class Played(TypedDict):
    """A game as it is kept."""

    number: int
    moves: list[str]
    drawn: int
    """Of so many moves some were drawn: they say nothing of who should win."""
    winner: str | None


Row = tuple[list[float], float]
"""How many segments of each kind a position has, and whether the side to move won."""


def play(number: int, nodes: int) -> Played:
    """One game, the same for the same number."""
    rng = random.Random(number)
    engine = Engine(threads=1, seed=number)
    position = Position(moves="J10")
    position.play(Move(rng.sample(list(position.empty_squares(within=2)), 2)))
    drawn = rng.randint(2, 5)
    winner = None
    while not position.is_over and len(position.moves) < LONGEST:
        if len(position.moves) < 2 + drawn:
            found = engine.analyse(position, Budget(nodes=min(nodes, 200)), lines=10)
        else:
            found = engine.analyse(position, Budget(nodes=round(nodes * rng.uniform(0.7, 1.3))))
        if found[0].win == 1.0:
            winner = position.turn
            break
        weights = [math.exp((log_odds(choice.win or 0.0) - log_odds(found[0].win or 0.0)) / DOUBT) for choice in found]
        position.play(rng.choices([choice.move for choice in found], weights)[0])
    winner = position.winner if winner is None else winner
    return {
        "number": number,
        "moves": [str(move) for move in position.moves],
        "drawn": 2 + drawn,
        "winner": None if winner is None else winner.letter,
    }


def log_odds(chance: float) -> float:
    clipped = min(max(chance, 0.001), 0.999)
    return math.log(clipped / (1 - clipped))


def rows_of(game: Played) -> list[Row]:
    """The quiet positions of a game, from where its moves were no longer drawn."""
    position = Position(CONNECT6)
    rows = []
    for count, move in enumerate(game["moves"], 1):
        position.play(Move(move))
        if count >= game["drawn"] and not position.is_over and is_quiet(position):
            rows.append((kinds(position), float(position.turn.letter == game["winner"])))
    return rows


def is_quiet(position: Position) -> bool:
    if any(threat_number(position, colour) for colour in (position.turn, position.turn.opponent)):
        return False
    return solve(position, nodes=THREATS).result != "win"


LINES = [
    [(x + i * dx, y + i * dy) for i in range(6)]
    for dx, dy in ((1, 0), (0, 1), (1, 1), (1, -1))
    for x in range(19)
    for y in range(19)
    if x + 5 * dx < 19 and 0 <= y + 5 * dy < 19
]


def kinds(position: Position) -> list[float]:
    """How many segments have one, two, three stones of the side to move alone, or of the other; 1 for the tempo."""
    counts = [0.0] * (2 * LEARNED) + [1.0]
    cells = {(s.x, s.y): 1 for s in position.stones(position.turn)}
    cells |= {(s.x, s.y): 8 for s in position.stones(position.turn.opponent)}
    for segment in LINES:
        own, other = (total := sum(cells.get(square, 0) for square in segment)) % 8, total // 8
        if own and not other:
            counts[min(own, LEARNED) - 1] += 1
        elif other and not own:
            counts[LEARNED + min(other, LEARNED) - 1] += 1
    return counts


def regression(rows: list[Row], steps: int = 12, ridge: float = 1.0) -> list[float]:
    """The weights that make the results likeliest, by Newton's method."""
    size = len(rows[0][0])
    weights = [0.0] * size
    for _ in range(steps):
        slope = [-ridge * weight for weight in weights]
        curve = [[ridge * (i == j) for j in range(size)] for i in range(size)]
        for counts, won in rows:
            chance = 1 / (1 + math.exp(-dot(weights, counts)))
            spread = chance * (1 - chance)
            for i, value in enumerate(counts):
                slope[i] += (won - chance) * value
                for j in range(i + 1):
                    curve[i][j] += spread * value * counts[j]
        for i in range(size):
            for j in range(i):
                curve[j][i] = curve[i][j]
        weights = [weight + change for weight, change in zip(weights, solved(curve, slope), strict=True)]
    return weights


def solved(matrix: list[list[float]], right: list[float]) -> list[float]:
    """x with matrix x = right, the matrix being positive definite."""
    rows = [[*row, value] for row, value in zip(matrix, right, strict=True)]
    for i, pivot in enumerate(rows):
        for j in range(i + 1, len(rows)):
            factor = rows[j][i] / pivot[i]
            rows[j] = [a - factor * b for a, b in zip(rows[j], pivot, strict=True)]
    found = [0.0] * len(rows)
    for i in reversed(range(len(rows))):
        found[i] = (rows[i][-1] - sum(rows[i][j] * found[j] for j in range(i + 1, len(rows)))) / rows[i][i]
    return found


def dot(a: list[float], b: list[float]) -> float:
    return sum(x * y for x, y in zip(a, b, strict=True))


def loss(rows: list[Row], weights: list[float]) -> float:
    """The mean surprise at the results, in units of log-odds; knowing nothing, 0.693."""
    total = 0.0
    for counts, won in rows:
        value = dot(weights, counts)
        total += math.log1p(math.exp(-abs(value))) + max(0.0, -value if won else value)
    return total / len(rows)


def in_use() -> list[float]:
    value = CONNECT6_WEIGHTS.value
    counted = [*value.own[1 : LEARNED + 1], *(-weight for weight in value.other[1 : LEARNED + 1])]
    numbers = [*counted, CONNECT6_WEIGHTS.tempo]
    return [number / UNIT for number in numbers]


def games_in(file: Path) -> list[Played]:
    """Games as `play` keeps them, or records of any kind."""
    if file.suffix == ".jsonl" and (not file.exists() or '"drawn"' in file.open().readline()):
        return [json.loads(line) for line in file.read_text().splitlines()] if file.exists() else []
    games: list[Played] = []
    for number, record in enumerate(read_file(file, strict=False)):
        result = (record.result or "")[:1].upper()
        moves = [str(node.move) for node in record.root.main_line() if node.move is not None]
        if record.game == CONNECT6 and moves[:1] == ["J10"] and 8 <= len(moves) <= LONGEST and result in ("B", "W"):
            games.append({"number": number, "moves": moves, "drawn": 3, "winner": result})
    return games


class Case(NamedTuple):
    """A quiet position, and what the winner played in it."""

    setup: Setup
    turn: int
    move: list[int]


def case_of(game: Played) -> Case | None:
    """A position of the game, drawn among those in which the winner is to move."""
    turns = range(game["drawn"] + (game["drawn"] % 2 != (game["winner"] == "W")), len(game["moves"]), 2)
    if not turns:
        return None
    at = random.Random(game["number"]).choice(turns)
    position = Position(CONNECT6)
    for move in game["moves"][:at]:
        position.play(Move(move))
    played = sorted(square.x + 19 * square.y for square in Move(game["moves"][at]))
    if len(played) != 2 or not is_quiet(position):
        return None
    sides = [[s.x + 19 * s.y for s in position.stones(colour)] for colour in (BLACK, WHITE)]
    return Case(Setup(19, 19, 6, 2, False, *sides), int(position.turn), played)


def earliness(cases: list[Case], weights: Weights) -> tuple[float, float]:
    """How early the moves stand in the engine's lists, from 0, not at all, to 1, all first; and how many do at all."""
    native = weights.native(6)
    early = listed = 0.0
    for case in cases:
        moves = [sorted(move) for move in candidates(case.setup, native, case.turn, 2)]
        if case.move in moves:
            early += 1 / (1 + moves.index(case.move) / 8)
            listed += 1
    return early / len(cases), listed / len(cases)


def changed(weights: SegmentWeights, rng: random.Random) -> SegmentWeights:
    """Some of them up to about a third larger or smaller."""

    def side(numbers: tuple[int, ...]) -> tuple[int, ...]:
        return tuple(round(n * math.exp(rng.gauss(0, 0.35))) if rng.random() < 0.35 else n for n in numbers)

    return SegmentWeights(side(weights.own), side(weights.other))


def order(file: Path, weights_file: Path | None, minutes: float, most: int) -> None:
    """Changes the weights at random again and again, and keeps what is better."""
    cases = [case for game in games_in(file) if game["winner"] and (case := case_of(game))][:most]
    learning, held_out = cases[: len(cases) * 2 // 3], cases[len(cases) * 2 // 3 :]
    best, rng = CONNECT6_WEIGHTS, random.Random(1)
    score = earliness(learning, best)[0]
    print(f"{len(cases):,} positions; in use: {score:.4f}, held out {earliness(held_out, best)}")
    end = time.monotonic() + 60 * minutes
    while time.monotonic() < end:
        new = replace(best, order=changed(best.order, rng))
        if (new_score := earliness(learning, new)[0]) > score:
            best, score = new, new_score
            print(f"{score:.4f} {best.order}", flush=True)
    print(f"held out {earliness(held_out, best)}")
    if weights_file is not None:
        weights_file.write_text(json.dumps(asdict(best)) + "\n")


def play_on(file: Path, minutes: float, nodes: int) -> None:
    file.parent.mkdir(parents=True, exist_ok=True)
    number = len(games_in(file))
    end = time.monotonic() + 60 * minutes
    while time.monotonic() < end:
        game = play(number, nodes)
        with file.open("a") as out:
            out.write(json.dumps(game) + "\n")
            out.flush()
            os.fsync(out.fileno())
        number += 1
        print(f"\r{number:,} games", end="", flush=True)
    print()


def fit(file: Path, weights_file: Path | None) -> None:
    decided = [game for game in games_in(file) if game["winner"]]
    rows = [rows_of(game) for game in decided]
    learning = [row for number, of_game in enumerate(rows) if number % 5 for row in of_game]
    held_out = [row for of_game in rows[::5] for row in of_game]
    print(f"{len(decided):,} decided games, {len(learning) + len(held_out):,} quiet positions")
    print(f"loss on games held out: {loss(held_out, regression(learning)):.4f}; in use {loss(held_out, in_use()):.4f}")
    learned = [round(UNIT * weight) for weight in regression(learning + held_out)]
    value = CONNECT6_WEIGHTS.value
    own = (0, *learned[:LEARNED], *value.own[LEARNED + 1 :])
    other = (0, *(-weight for weight in learned[LEARNED : 2 * LEARNED]), *value.other[LEARNED + 1 :])
    weights = asdict(replace(CONNECT6_WEIGHTS, value=SegmentWeights(own, other), tempo=learned[-1]))
    print(json.dumps(weights))
    if weights_file is not None:
        weights_file.write_text(json.dumps(weights) + "\n")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    commands = parser.add_subparsers(dest="command", required=True)
    playing = commands.add_parser("play", help="add games to a file")
    playing.add_argument("file", type=Path)
    playing.add_argument("--minutes", type=float, default=60.0)
    playing.add_argument("--nodes", type=int, default=500, help="positions for a move")
    fitting = commands.add_parser("fit", help="learn from the games of a file")
    fitting.add_argument("file", type=Path)
    fitting.add_argument("--weights", type=Path, help="where to write them")
    ordering = commands.add_parser("order", help="learn which moves to try first")
    ordering.add_argument("file", type=Path)
    ordering.add_argument("--minutes", type=float, default=10.0)
    ordering.add_argument("--positions", type=int, default=3000)
    ordering.add_argument("--weights", type=Path, help="where to write them")
    arguments = parser.parse_args()
    if arguments.command == "play":
        play_on(arguments.file, arguments.minutes, arguments.nodes)
    elif arguments.command == "order":
        order(arguments.file, arguments.weights, arguments.minutes, arguments.positions)
    else:
        fit(arguments.file, arguments.weights)


if __name__ == "__main__":
    main()
