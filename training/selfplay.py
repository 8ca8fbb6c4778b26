"""Generate self-play games as training data.

    python -m training.selfplay build/training/games --hours 2 --processes 1
    python -m training.selfplay build/training/games --games 5000 --agent engine:evaluation=network

Every game has a number, and the number seeds everything random in it. The games of one generation go to one file,
`<agent>-<nodes>.jsonl`; a second start reads the numbers in that file and continues after them, so the command can be
interrupted at any time. A game has three phases:

1. Black's first stone in the middle and two random white stones near it.
2. Up to `MAX_SAMPLED_MOVES` moves sampled from the engine's best ten lines. They make the openings diverse and are not
   used as training targets.
3. Best play with about `--nodes` nodes a move until the engine proves a win for one side or the board is full.

Boards are 19x19 in nine games of ten and 9x9 to 25x25 in the others, so that the network sees board edges.
"""

from __future__ import annotations

import argparse
import json
import math
import multiprocessing
import os
import random
import re
import time
from collections.abc import Iterator
from pathlib import Path
from typing import TypedDict

from tengen import Game, Move, Position
from tengen.play import Budget, Engine, make_agent

MAX_SAMPLED_MOVES = 6
MAX_MOVES = 50
"""Length at which a game is stopped without a result."""
SAMPLING_NODES = 120
"""Nodes of the searches whose lines are sampled."""
SAMPLING_TEMPERATURE = 0.35
"""In units of log-odds: a line this much worse than the best is sampled 1/e times as often."""
BATCH = 100
"""Number of games between two writes to the disk."""
OTHER_BOARD_SHARE = 0.1
OTHER_SIDES = tuple(side for side in range(9, 26) if side != 19)


class SelfPlayGame(TypedDict):
    """One game as it is stored, a JSON object per line."""

    number: int
    side: int
    """Number of rows and columns of the board."""
    moves: list[str]
    sampled: int
    """Number of leading moves that were random or sampled."""
    values: list[float]
    """Win probability of the side to move, by the search, for each move after the sampled ones and the final position
    if its search ended the game."""
    result: str | None
    """B, W, D, or None if the game was stopped at the move limit."""


def play_game(number: int, agent: str, nodes: int) -> SelfPlayGame:
    """Play one game; the same arguments give the same game."""
    rng = random.Random(number)
    engine = make_agent(agent, seed=number)
    if not isinstance(engine, Engine):
        raise TypeError(f"self-play needs the engine, not {agent!r}")
    side = rng.choice(OTHER_SIDES) if rng.random() < OTHER_BOARD_SHARE else 19
    position = Position(Game.parse(f"Connect({side},{side},6,2,1)"))
    position.play(engine.choose(position, Budget(nodes=1)).move)
    near = position.empty_squares(within=rng.choices((2, 3, 4), (6, 3, 1))[0])
    position.play(Move(rng.sample(list(near), 2)))
    for _ in range(rng.randint(0, MAX_SAMPLED_MOVES)):
        lines = engine.analyse(position, Budget(nodes=SAMPLING_NODES), lines=10)
        best = lines[0].win or 0.0
        if best in (0.0, 1.0):
            break
        weights = [math.exp((log_odds(line.win or 0.0) - log_odds(best)) / SAMPLING_TEMPERATURE) for line in lines]
        position.play(rng.choices([line.move for line in lines], weights)[0])
    sampled = len(position.moves)
    values: list[float] = []
    result = None
    while not position.is_over and len(position.moves) < MAX_MOVES:
        choice = engine.analyse(position, Budget(nodes=round(nodes * rng.uniform(0.7, 1.3))))[0]
        values.append(round(choice.win or 0.0, 4))
        if choice.win in (0.0, 1.0):
            result = (position.turn if choice.win else position.turn.opponent).letter
            break
        position.play(choice.move)
    if position.is_over:
        result = "D" if position.winner is None else position.winner.letter
    engine.close()
    moves = [str(move) for move in position.moves]
    return {"number": number, "side": side, "moves": moves, "sampled": sampled, "values": values, "result": result}


def log_odds(probability: float) -> float:
    """Return the log-odds of a probability, clipped to 0.1 to 99.9 %."""
    clipped = min(max(probability, 0.001), 0.999)
    return math.log(clipped / (1 - clipped))


def read_games(file: Path) -> Iterator[SelfPlayGame]:
    """Yield the games of a file. A line that a killed process left incomplete is skipped."""
    if not file.exists():
        return
    with file.open() as lines:
        for line in lines:
            if line.endswith("}\n"):
                yield json.loads(line)


def end_incomplete_line(file: Path) -> None:
    """End a line that a killed process left incomplete, so that the next one starts a line of its own."""
    if file.exists() and not file.read_bytes().endswith(b"\n"):
        with file.open("a") as out:
            out.write("\n")


def games_file(folder: Path, agent: str, nodes: int) -> Path:
    """Return the file of one generation."""
    return folder / f"{re.sub('[^a-z0-9]+', '-', agent.lower())}-{nodes}.jsonl"


def generate(folder: Path, agent: str, nodes: int, *, games: int, hours: float, processes: int, first: int = 0) -> int:
    """Append games to the file of a generation until there are `games` of them or the time is up.

    Returns:
        The number of games in the file.
    """
    folder.mkdir(parents=True, exist_ok=True)
    file = games_file(folder, agent, nodes)
    count = sum(1 for _ in read_games(file))
    number = max((game["number"] for game in read_games(file)), default=first - 1) + 1
    end_incomplete_line(file)
    end = time.monotonic() + 3600 * hours
    with multiprocessing.Pool(processes) as pool, file.open("a") as out:
        while count < games and time.monotonic() < end:
            batch = [(number + i, agent, nodes) for i in range(min(BATCH, games - count))]
            number += len(batch)
            for game in pool.imap(_play, batch):
                out.write(json.dumps(game, separators=(",", ":")) + "\n")
                count += 1
            out.flush()
            os.fsync(out.fileno())
            print(f"{count:,} games", flush=True)
    return count


def _play(arguments: tuple[int, str, int]) -> SelfPlayGame:
    return play_game(*arguments)


def main() -> None:
    """Run the command line."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("folder", type=Path, help="folder of the games")
    parser.add_argument("--agent", default="engine:threads=1", help="engine that plays [default: %(default)s]")
    parser.add_argument("--nodes", type=int, default=500, help="nodes for a move [default: %(default)s]")
    parser.add_argument("--games", type=int, default=10**9, help="stop at this number of games in the file")
    parser.add_argument("--hours", type=float, default=1e6, help="stop after this time")
    parser.add_argument("--processes", type=int, default=1, help="[default: %(default)s]")
    parser.add_argument("--first", type=int, default=0, help="number of the first game of a new file")
    arguments = parser.parse_args()
    generate(
        arguments.folder,
        arguments.agent,
        arguments.nodes,
        games=arguments.games,
        hours=arguments.hours,
        processes=arguments.processes,
        first=arguments.first,
    )


if __name__ == "__main__":
    main()
