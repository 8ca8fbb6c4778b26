"""Tunes the weights of the engine's evaluation by matches against itself.

Again and again, some weights of the best set so far are changed at random, and the new set plays the best one: Black
begins in the middle, White answers near by in some way that looks even, then both play with a fixed number of nodes a
move, each opening with both colours. A sequential test decides after each pair of games whether to go on; only a set
that passes it becomes the best. Everything is kept in a file: started again with it, the search goes on.

    python bench/tune_evaluation.py --file build/weights.jsonl --minutes 60
"""

from __future__ import annotations

import argparse
import json
import math
import os
import random
import time
from collections.abc import Iterator
from itertools import islice
from pathlib import Path

from tengen import BLACK, Move, Position
from tengen._native import CountingWeights
from tengen.arena.statistics import Outcomes, Sprt
from tengen.play import Budget, Engine
from tengen.play.evaluation import CONNECT6_WEIGHTS

Weights = list[list[int]]
TEST = Sprt(0, 35, alpha=0.1, beta=0.1)
"""Is the new set stronger by this much? Not a strict test: there are many to try, and each next one builds on it."""
MOST_PAIRS = 200
BALANCED = 0.15
"""How far from a half the chance of Black may be in an opening."""


def changed(weights: Weights, rng: random.Random) -> Weights:
    """Each weight with a chance of a half gets up to about a third larger or smaller."""
    return [
        [round(weight * math.exp(rng.gauss(0, 0.3))) if rng.random() < 0.5 else weight for weight in side]
        for side in weights
    ]


def points(players: tuple[Engine, Engine], opening: Position, budget: Budget) -> float:
    """What the first player, who has Black, gets of a game; a win that is proved ends it."""
    position = opening.copy()
    while not position.is_over and len(position.moves) < 100:
        choice = players[position.turn is not BLACK].choose(position, budget)
        if choice.win == 1.0:
            return float(position.turn is BLACK)
        position.play(choice.move)
    return 0.5 if position.winner is None else float(position.winner is BLACK)


def openings(judge: Engine, rng: random.Random, budget: Budget) -> Iterator[Position]:
    """Black in the middle, White near, and neither side far ahead in the engine's eyes: else one colour always wins."""
    while True:
        opening = Position(moves="J10")
        opening.play(Move(rng.sample(list(opening.empty_squares(within=2)), 2)))
        if abs((judge.choose(opening, budget).win or 0.0) - 0.5) <= BALANCED:
            yield opening


def match(new: Weights, best: Weights, nodes: int, seed: int) -> tuple[bool, Outcomes]:
    """Whether the new weights pass, and how the pairs ended."""
    first, second = Engine(seed=1), Engine(seed=1)
    first.weights, second.weights = (CountingWeights(6, *weights) for weights in (new, best))
    counts = [0] * 5
    budget = Budget(nodes=nodes)
    for opening in islice(openings(second, random.Random(seed), budget), MOST_PAIRS):
        got = points((first, second), opening, budget) + 1 - points((second, first), opening, budget)
        counts[round(2 * got)] += 1
        if verdict := TEST.verdict(Outcomes(tuple(counts))):
            return verdict == "elo1", Outcomes(tuple(counts))
    return False, Outcomes(tuple(counts))


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--file", type=Path, default=Path("build/weights.jsonl"))
    parser.add_argument("--minutes", type=float, default=60.0)
    parser.add_argument("--nodes", type=int, default=250, help="positions for a move")
    parser.add_argument("--seed", type=int, default=1)
    arguments = parser.parse_args()
    arguments.file.parent.mkdir(parents=True, exist_ok=True)
    tried = [json.loads(line) for line in arguments.file.read_text().splitlines()] if arguments.file.exists() else []
    best: Weights = next(
        (case["weights"] for case in reversed(tried) if case["accepted"]), [*map(list, CONNECT6_WEIGHTS)]
    )
    end = time.monotonic() + 60 * arguments.minutes
    while time.monotonic() < end:
        number = len(tried)
        new = changed(best, random.Random(arguments.seed * 1_000_003 + number))
        accepted, outcomes = match(new, best, arguments.nodes, arguments.seed * 1_000_003 + number)
        tried.append(
            {"weights": new, "accepted": accepted, "pairs": outcomes.counts, "score": round(outcomes.score, 3)}
        )
        with arguments.file.open("a") as file:
            file.write(json.dumps(tried[-1]) + "\n")
            file.flush()
            os.fsync(file.fileno())
        print(json.dumps({"number": number, **tried[-1]}), flush=True)
        if accepted:
            best = new
    print(f"the best so far: {best}")


if __name__ == "__main__":
    main()
