"""The tournament of the Connect-k paper (section 5) repeated, both colours, with 95 % Wilson intervals.

Game number i is played with seed i, and the first agent of a pair has Black in every other game; so a run is
repeatable, whatever it is stopped by. Each game is a line of the checkpoint file, from which a run is taken up again.
"""

from __future__ import annotations

import argparse
import json
from collections import Counter
from dataclasses import dataclass
from pathlib import Path

from harness import Bench

from tengen import CONNECT6, Game, Position
from tengen.play import Budget, make_agent
from tengen.play.intervals import wilson


@dataclass(frozen=True)
class Pair:
    first: str
    second: str
    paper: str
    """What the paper says that the first one wins."""

    @property
    def name(self) -> str:
        return f"{self.first} v {self.second}"


PAIRS = [
    Pair("sequences", "threats", "77 %"),
    Pair("sequences", "monte-carlo", "70 %"),
    Pair("minimax:threats,depth=4", "sequences", "52 %"),
]


def play(pair: Pair, number: int, game: Game = CONNECT6) -> dict[str, object]:
    """One game: its moves, and 1, 0.5 or 0 points for the first agent."""
    players = [make_agent(pair.first, number), make_agent(pair.second, number)]
    if number % 2:
        players.reverse()
    position = Position(game)
    while not position.is_over:
        position.play(players[position.turn].choose(position, Budget()).move)
    points = 0.5 if position.winner is None else float((position.winner == 0) == (number % 2 == 0))
    return {"pair": pair.name, "number": number, "points": points, "moves": str(position)}


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--games", type=int, default=200, help="games of each pair")
    parser.add_argument("--checkpoint", type=Path, default=Path("build/agents_paper.jsonl"))
    parser.add_argument("--pair", nargs=2, action="append", metavar=("FIRST", "SECOND"), help="other agents instead")
    arguments = parser.parse_args()
    pairs = [Pair(first, second, "") for first, second in arguments.pair] if arguments.pair else PAIRS
    arguments.checkpoint.parent.mkdir(parents=True, exist_ok=True)
    done: dict[tuple[str, int], dict[str, object]] = {}
    if arguments.checkpoint.exists():
        for line in arguments.checkpoint.read_text().splitlines():
            entry = json.loads(line)
            done[entry["pair"], entry["number"]] = entry
    bench = Bench("Share of points of the first agent")
    with arguments.checkpoint.open("a") as file:
        for pair in pairs:
            for number in range(arguments.games):
                if (pair.name, number) not in done:
                    entry = done[pair.name, number] = play(pair, number)
                    file.write(json.dumps(entry) + "\n")
                    file.flush()
            report(bench, pair, [done[pair.name, number] for number in range(arguments.games)])
    bench.finish()


def report(bench: Bench, pair: Pair, games: list[dict[str, object]]) -> None:
    points = [float(str(entry["points"])) for entry in games]
    share = 100 * sum(points) / len(points)
    low, high = wilson(sum(points), len(points))
    black = points[::2]
    different = len({entry["moves"] for entry in games})
    ends = Counter(points)
    bench.report(
        f"{pair.name}, {len(points)} games ({different} different)",
        share,
        f"% [{100 * low:.0f}, {100 * high:.0f}]",
        pair.paper and f"{pair.paper} in the paper",
        f"{ends[1.0]} won, {ends[0.5]} drawn, {ends[0.0]} lost; {100 * sum(black) / len(black):.0f} % as Black",
    )


if __name__ == "__main__":
    main()
