"""The experiment of Huang's thesis (section 3.4.3) repeated: three threat-space searches on played-out openings.

The thesis took the best 10 moves of three plies, removed what was symmetric (683 openings), let its engine play them
out (12,743 positions) and compared the searches. Here the values of the agent Simple choose the best 16 moves, since
many of them are symmetric (638 openings), and it plays the games. Each answered position is one line of a checkpoint
file, so that a run can be stopped and taken up again.
"""

from __future__ import annotations

import argparse
import json
from collections import defaultdict
from pathlib import Path

from rich.console import Console
from rich.table import Table

from tengen import Move, Position
from tengen.play import Budget
from tengen.play.agents import Simple
from tengen.solve import METHODS, solve

BEST = 16
PLIES = 3
SQUARES = 16
"""How many squares of highest value are paired to find the best moves."""
THESIS = {
    "all find a win": (3054, "1213 / 267 / 1868"),
    "conservative misses it": (77, "16,873 / 1,867 (fail) / 40,242"),
    "none finds one": (9612, "341 / 165 / 674"),
}


def best_moves(position: Position, player: Simple) -> list[Move]:
    """The pairs with the highest sum of values, the second stone valued after the first is placed."""
    ranked = sorted(player.rank(position), key=lambda item: (-item[1], item[0]))[:SQUARES]
    scores: dict[Move, float] = {}
    for square, value in ranked:
        position.play(square)
        after = dict(player.rank(position))
        position.undo()
        for other, _ in ranked:
            if other in after:
                scores[Move([square, other])] = max(scores.get(Move([square, other]), 0), value + after[other])
    return sorted(scores, key=lambda move: (-scores[move], str(move)))[:BEST]


def openings(player: Simple) -> list[Position]:
    level = [Position(moves="J10")]
    for _ in range(PLIES):
        found: dict[int, Position] = {}
        for position in level:
            for move in best_moves(position, player):
                child = position.after(move)
                found.setdefault(child.canonical_key, child)
        level = list(found.values())
    return level


def played_out(opening: Position, player: Simple) -> list[Position]:
    """Every position of the game from the opening on, the opening included, while nobody has won."""
    position = opening.copy()
    positions: list[Position] = []
    while not position.is_over and len(positions) < 60:
        positions.append(position.copy())
        position.play(player.choose(position, Budget()).move)
    return positions


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--checkpoint", type=Path, default=Path("build/thesis.jsonl"))
    parser.add_argument("--openings", type=int, help="only so many")
    parser.add_argument("--nodes", type=int, default=100_000, help="limit for each search")
    arguments = parser.parse_args()
    arguments.checkpoint.parent.mkdir(parents=True, exist_ok=True)
    done: dict[str, dict[str, tuple[str, int]]] = {}
    if arguments.checkpoint.exists():
        for line in arguments.checkpoint.read_text().splitlines():
            entry = json.loads(line)
            done[entry["position"]] = entry["answers"]
    player = Simple(seed=1)
    starts = openings(player)[: arguments.openings]
    print(json.dumps({"openings": len(starts)}), flush=True)
    cases: dict[str, list[dict[str, tuple[str, int]]]] = defaultdict(list)
    count = limited = 0
    with arguments.checkpoint.open("a") as file:
        for start in starts:
            for position in played_out(start, Simple(seed=1)):
                count += 1
                text = str(position)
                if text not in done:
                    answers = {}
                    for method in METHODS:
                        solution = solve(position, method=method, nodes=arguments.nodes)
                        answers[method] = (solution.result, solution.nodes)
                    done[text] = answers
                    file.write(json.dumps({"position": text, "answers": answers}) + "\n")
                    file.flush()
                answers = done[text]
                if "unknown" in [result for result, _ in answers.values()]:
                    limited += 1
                elif answers["traditional"][0] == "none":
                    cases["none finds one"].append(answers)
                elif answers["conservative"][0] == "win":
                    cases["all find a win"].append(answers)
                else:
                    cases["conservative misses it"].append(answers)
    report(cases, count, limited)


def report(cases: dict[str, list[dict[str, tuple[str, int]]]], count: int, limited: int) -> None:
    table = Table("case", "thesis", "here", "mean nodes in the thesis (trad / cons / hybrid)", "here")
    for name, (positions, nodes) in THESIS.items():
        means = [sum(a[m][1] for a in cases[name]) / max(1, len(cases[name])) for m in METHODS]
        share = 100 * len(cases[name]) / max(1, count - limited)
        figures = " / ".join(f"{mean:,.0f}" for mean in means)
        table.add_row(
            name, f"{positions:,} ({positions / 127.43:.1f} %)", f"{len(cases[name]):,} ({share:.1f} %)", nodes, figures
        )
        print(
            json.dumps(
                {"case": name, "positions": len(cases[name]), "mean_nodes": dict(zip(METHODS, means, strict=True))}
            )
        )
    won = len(cases["all find a win"]) + len(cases["conservative misses it"])
    success = 100 * len(cases["all find a win"]) / max(1, won)
    print(
        json.dumps({"positions": count, "over the limit": limited, "conservative finds, %": success, "thesis, %": 98})
    )
    Console(stderr=True).print(table)


if __name__ == "__main__":
    main()
