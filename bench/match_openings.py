"""Draw openings for matches from real games, by a fixed seed.

    python bench/match_openings.py ../shared/data/littlegolem.jsonl.gz --write bench/data/match_openings.txt

Each opening consists of the first three moves of a game. Openings that equal an earlier one by a symmetry of the board
are skipped, and so are those in which one side has a forced win by double threats. The file that is in the repository
was drawn before any game from it was played; matches use it as it is:

    tengen match A B --openings bench/data/match_openings.txt
"""

from __future__ import annotations

import argparse
import random
from pathlib import Path

from tengen import CONNECT6, Position, solve
from tengen.record import read_file

SEED = 23
COUNT = 40
MOVES = 3
SOLVER_NODES = 20_000


def is_quiet(position: Position) -> bool:
    sides = (position.turn, position.turn.opponent)
    return all(solve(position, side=side, nodes=SOLVER_NODES).result != "win" for side in sides)


def draw(games: list[str], count: int, seed: int) -> list[Position]:
    """Return openings that differ from each other, in random order."""
    openings: list[Position] = []
    seen: set[int] = set()
    for moves in random.Random(seed).sample(games, len(games)):
        position = Position(moves=moves)
        if position.canonical_key not in seen and is_quiet(position):
            openings.append(position)
        seen.add(position.canonical_key)
        if len(openings) == count:
            break
    return openings


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("games", type=Path, help="file of records")
    parser.add_argument("--write", type=Path, required=True, help="file of openings")
    parser.add_argument("--count", type=int, default=COUNT, help="number of openings [default: %(default)s]")
    parser.add_argument("--seed", type=int, default=SEED, help="[default: %(default)s]")
    arguments = parser.parse_args()
    games = []
    for record in read_file(arguments.games, strict=False):
        moves = [str(node.move) for node in record.root.main_line() if node.move is not None]
        if record.game == CONNECT6 and len(moves) > MOVES and moves[0] == "J10":
            games.append(" ".join(moves[:MOVES]))
    openings = draw(games, arguments.count, arguments.seed)
    lines = [
        f"# {arguments.count} openings of {len(games):,} games, seed {arguments.seed}; see bench/match_openings.py"
    ]
    arguments.write.write_text("\n".join([*lines, *map(str, openings)]) + "\n")
    print(f"{arguments.write}: {len(openings)} openings")


if __name__ == "__main__":
    main()
