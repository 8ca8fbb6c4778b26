"""How long does the trainer take to answer a first move that is not the solution?

    python bench/puzzle_answers.py [--puzzles 60] [--moves 5] [--kind "quiet win"]

Moves that somebody might try, drawn at random; one JSON line of processor seconds. Moves of the main line are answered
without a search.
"""

from __future__ import annotations

import argparse
import json
import random
import time
from collections import Counter

from tengen.puzzle import KINDS, Trainer, Wish, shipped_puzzles
from tengen.puzzle.judge import sensible_moves

BAR = 0.3


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--puzzles", type=int, default=60)
    parser.add_argument("--moves", type=int, default=5)
    parser.add_argument("--kind", choices=KINDS)
    told = parser.parse_args()
    rng = random.Random(1)
    shipped = Wish(kind=told.kind).among(shipped_puzzles())
    times: list[float] = []
    verdicts: Counter[str] = Counter()
    for puzzle in rng.sample(shipped, min(told.puzzles, len(shipped))):
        others = list(sensible_moves(puzzle.position, puzzle.move, puzzle.limits.near))
        for move in rng.sample(others, min(told.moves, len(others))):
            start = time.process_time()
            verdicts[Trainer(puzzle).play(move).verdict] += 1
            times.append(time.process_time() - start)
    times.sort()
    print(
        json.dumps(
            {
                "answers": len(times),
                "median": round(times[len(times) // 2], 4),
                "p95": round(times[len(times) * 95 // 100], 4),
                "longest": round(times[-1], 4),
                "below_bar": round(sum(one < BAR for one in times) / len(times), 4),
                "verdicts": dict(verdicts),
            }
        )
    )


if __name__ == "__main__":
    main()
