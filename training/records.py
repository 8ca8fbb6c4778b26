"""Convert game records into training data.

    python -m training.records games.sgf more.jsonl.gz --output build/training/games/people.jsonl

Reads every format that Tengen reads and keeps the Connect6 games with a result. Policy targets are the moves of the
winner; the first two moves of a game are not used as targets.
"""

from __future__ import annotations

import argparse
import json
from collections.abc import Iterator
from pathlib import Path

from tengen.record import read_file
from training.selfplay import SelfPlayGame

UNTRAINED_MOVES = 2


def convert(file: Path) -> Iterator[SelfPlayGame]:
    """Yield the games of a file that have a result and a square board."""
    for number, record in enumerate(read_file(file, strict=False)):
        game = record.game
        result = (record.result or "")[:1].upper()
        if (game.k, game.p, game.q) != (6, 2, 1) or game.m is None or game.m != game.n or result not in ("B", "W", "D"):
            continue
        moves = [str(node.move) for node in record.root.main_line() if node.move is not None]
        yield {
            "number": number,
            "side": game.m,
            "moves": moves,
            "sampled": UNTRAINED_MOVES,
            "values": [],
            "result": result,
        }


def main() -> None:
    """Run the command line."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("records", type=Path, nargs="+")
    parser.add_argument("--output", type=Path, required=True)
    arguments = parser.parse_args()
    count = 0
    with arguments.output.open("w") as out:
        for file in arguments.records:
            for game in convert(file):
                out.write(json.dumps(game, separators=(",", ":")) + "\n")
                count += 1
    print(f"{count:,} games")


if __name__ == "__main__":
    main()
