"""Measures drawn games: the proof of MBBoard(B2,2) beside the paper's, and the breaker against all comers.

python bench/theory.py proof             seconds of processor time, best of three
python bench/theory.py survive           1,000 games of each strategy against each player; must lose none
python bench/theory.py survive --games N
"""

from __future__ import annotations

import argparse
import random
import sys
import time
from collections import Counter
from pathlib import Path
from tempfile import TemporaryDirectory

from harness import Bench

from tengen import Game, Position
from tengen.arena import Rules, play_game
from tengen.play.registry import make_agent
from tengen.prove import check
from tengen.theory import KNOWN, find_breaker
from tengen.theory.strategy import Breaker

ENGINE_NODES = 30
GAMES = {
    "b2": ["Connect(14,14,11,2,1)", "Connect(13,13,11,2,2)", "Connect(16,11,11,2,1)", "Connect(12,12,12,2,2)"],
    "zetters": ["Connect(12,12,8,1,1)", "Connect(10,10,8,1,1)", "Connect(12,8,8,1,1)", "Connect(11,9,9,1,1)"],
    "hales-jewett": ["Connect(12,12,9,1,1)", "Connect(10,10,9,1,1)", "Connect(12,9,9,1,1)", "Connect(11,10,10,1,1)"],
}
OPPONENTS = ("engine:threads=1", "random", "tile-attacker:{}")


def proof() -> None:
    bench = Bench("MBBoard(B2,2)")
    paper = "Chiang, Wu, Lin: 844,618 positions, 37 s (1,291,140,480, 17,104 s unoptimised)"
    seconds = []
    breaker: Breaker | None = None
    for _ in range(3):
        begun = time.process_time()
        breaker = find_breaker(11, 2, KNOWN["b2"].tiling())
        seconds.append(time.process_time() - begun)
    assert breaker is not None
    bench.report("positions searched", breaker.game.positions, "", "", paper)
    bench.report("search and strategy", min(seconds), "s", "under 5", paper)
    parts, answers = breaker.size
    bench.report("parts of the strategy", parts, "")
    bench.report("answers of the strategy", answers, "")
    with TemporaryDirectory() as folder:
        file = Path(folder) / "b2.tbs.gz"
        breaker.write(file)
        bench.report("file", file.stat().st_size, "bytes")
        begun = time.process_time()
        verdict = check(file)
        bench.report("check in plain Python", time.process_time() - begun, "s")
        if not verdict.accepted:
            sys.exit(f"refused: {verdict.reason}")
    bench.finish()


def survive(games: int) -> None:
    bench = Bench(f"games that the breaker did not lose, of {games}")
    for name, boards in GAMES.items():
        for opponent in OPPONENTS:
            spec = opponent.format(name)
            begun = time.process_time()
            ends: Counter[str] = Counter()
            for number in range(games):
                ends[result(name, spec, boards[number // 2 % len(boards)], number)] += 1
            if ends["lost"]:
                sys.exit(f"{name} lost {ends['lost']} games against {spec}")
            seconds = (time.process_time() - begun) / games
            words = f"{ends['drawn']} drawn, {ends['won']} won, {seconds:.2f} s a game"
            bench.report(f"{name} against {spec}", games - ends["lost"], "", str(games), words)
    bench.finish()


def result(name: str, spec: str, board: str, number: int) -> str:
    """How a game ends for the breaker, who has each colour by turns."""
    seed = random.Random(f"{name} {spec} {number}").randrange(1 << 30)
    breaker, other = make_agent(f"breaker:{name}"), make_agent(spec, seed=seed)
    players = (breaker, other) if number % 2 == 0 else (other, breaker)
    outcome = play_game(*players, Position(Game.parse(board)), Rules(nodes=ENGINE_NODES))
    own = outcome.black_points if number % 2 == 0 else 1 - outcome.black_points
    return {0.0: "lost", 0.5: "drawn", 1.0: "won"}[own]


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("what", choices=("proof", "survive"))
    parser.add_argument("--games", type=int, default=1000)
    arguments = parser.parse_args()
    if arguments.what == "proof":
        proof()
    else:
        survive(arguments.games)


if __name__ == "__main__":
    main()
