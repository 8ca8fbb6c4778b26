"""Has the engine play itself in games whose value nobody knows, and writes what `tengen fair` says of them.

    python bench/self_play.py --write src/tengen/theory/self_play.json

Goes on where it was: games that are in the file with as many games are not played again.
"""

from __future__ import annotations

import argparse
import json
from dataclasses import asdict
from pathlib import Path

from tengen import Game
from tengen.cli.fair import play_games

GAMES = [
    *("Connect(19,19,6,2,1)", "Connect(19,19,6,2,2)", "Connect(19,19,6,1,1)", "Connect(19,19,6,3,1)"),
    *("Connect(19,19,6,3,2)", "Connect(19,19,7,2,1)", "Connect(19,19,7,3,1)", "Connect(19,19,7,3,2)"),
    *("Connect(19,19,5,3,2)", "Connect(19,19,7,2,2)", "Connect(19,19,7,1,1)", "Connect(19,19,8,3,2)"),
]


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--write", type=Path, required=True, help="the file")
    parser.add_argument("--games", type=int, default=100)
    parser.add_argument("--nodes", type=int, default=300)
    parser.add_argument("--player", default="engine:level=8,threads=1")
    arguments = parser.parse_args()
    kept = json.loads(arguments.write.read_text()) if arguments.write.exists() else []
    for name in GAMES:
        if any(entry["game"] == name and _count(entry) >= arguments.games for entry in kept):
            continue
        played = asdict(play_games(Game.parse(name), arguments.games, arguments.player, arguments.nodes))
        kept = [entry for entry in kept if entry["game"] != name] + [played]
        arguments.write.write_text("[\n" + ",\n".join(map(json.dumps, kept)) + "\n]\n")
        print(json.dumps(played), flush=True)


def _count(entry: dict[str, int]) -> int:
    return entry["black"] + entry["draws"] + entry["white"]


if __name__ == "__main__":
    main()
