"""Has players play themselves in games of the family, and writes what `tengen fair` says of them.

    python bench/self_play.py --write src/tengen/theory/self_play.json

Goes on where it was: what is in the file by the same command is not played again. Games whose value is proved are
there to judge the judges.
"""

from __future__ import annotations

import argparse
import json
from dataclasses import asdict
from pathlib import Path
from typing import NamedTuple

from tengen import Game
from tengen.cli.fair import play_games, self_play_command


class Judge(NamedTuple):
    """A player whose games with himself are counted."""

    player: str
    nodes: int


ENGINE = Judge("engine:level=8,threads=1", 300)
"""Errs at random a little, so that no two games are alike."""
THREE_AHEAD = Judge("minimax:sequences,depth=3", 1_000_000)
FOUR_AHEAD = Judge("minimax:sequences,depth=4,top=6", 1_000_000)
"""For moves of three stones and more, of which one can take the engine half a minute. Who looks ahead to the end of his
own move is too bold, who looks to the end of the other's too timid: what counts is what both say. The nodes are none
that they need."""
OPEN = ["5,2,1", "6,3,1", "6,3,2", "7,4,1", "7,4,2", "7,4,3", "7,3,1", "7,3,2", "5,3,2", "6,4,2"]
OPEN += ["8,4,1", "8,4,2", "8,4,3", "7,2,1", "8,3,2"]
KNOWN = ["4,2,1", "5,2,2", "5,3,1", "5,3,3", "6,4,1", "6,4,3"]


def judges(game: Game) -> tuple[Judge, Judge]:
    return (ENGINE if game.p <= 2 else THREE_AHEAD), FOUR_AHEAD


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--write", type=Path, required=True, help="the file")
    parser.add_argument("--games", type=int, default=40, help="of each game")
    arguments = parser.parse_args()
    kept = json.loads(arguments.write.read_text()) if arguments.write.exists() else []
    for game in (Game.parse(f"Connect(19,19,{numbers})") for numbers in OPEN + KNOWN):
        for player, nodes in judges(game):
            if self_play_command(game, arguments.games, player, nodes) in {entry["command"] for entry in kept}:
                continue
            games = play_games(game, arguments.games, player, nodes)
            if games.games < arguments.games:  # Ctrl-C
                return
            played = asdict(games)
            kept = [entry for entry in kept if (entry["game"], entry["players"]) != (str(game), player)] + [played]
            arguments.write.write_text("[\n" + ",\n".join(map(json.dumps, kept)) + "\n]\n")
            print(json.dumps(played), flush=True)


if __name__ == "__main__":
    main()
