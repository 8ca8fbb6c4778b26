"""Generate training positions that look like the leaves of a search, scored by searches.

    python -m training.label build/training/games/*.jsonl --output build/training/leaves.jsonl --hours 1

Games between good players contain few of the positions that a search evaluates: most of those arise from moves that
nobody would play. Each sample takes a position from a game, plays up to two random moves from the engine's list of
candidates, and searches the result. The value is the mean of the win probabilities of the last two completed depths,
which cancels most of the advantage that an evaluation sees for the side that moved last.

Samples are stored as games without a result whose only searched move is the last one. Sample numbers seed everything
random; a second start continues after the last number in the file.
"""

from __future__ import annotations

import argparse
import json
import multiprocessing
import os
import random
import time
from collections.abc import Sequence
from pathlib import Path

from tengen import Game, Position
from tengen.play import Budget, Choice, Engine, make_agent, promising_moves
from training.selfplay import SelfPlayGame, end_incomplete_line, read_games

BATCH = 200
RANDOM_MOVES = (0, 1, 2)
RANDOM_MOVES_WEIGHTS = (0.25, 0.35, 0.4)
MAX_NODES_PER_DEPTH = 80
"""Bounds the rare searches that take long; most need fewer."""
DECIDED_SHARE = 0.3
"""Share of kept samples among those that the search decides: finding such wins is the solver's task."""


def make_sample(number: int, game: SelfPlayGame, agent: str, depth: int) -> SelfPlayGame | None:
    """Return one scored position near a position of the game, or None if it is over or was left out."""
    rng = random.Random(number)
    moves = game["moves"][: rng.randint(2, max(2, len(game["moves"]) - 1))]
    position = Position(Game.parse(f"Connect({game['side']},{game['side']},6,2,1)"), moves=" ".join(moves))
    for _ in range(rng.choices(RANDOM_MOVES, RANDOM_MOVES_WEIGHTS)[0]):
        candidates = [] if position.is_over else promising_moves(position)
        if not candidates:
            return None
        position.play(rng.choice(candidates))
    if position.is_over:
        return None
    engine = make_agent(agent, seed=number)
    if not isinstance(engine, Engine):
        raise TypeError(f"labels need the engine, not {agent!r}")
    steps: list[float] = []

    def note(found: Sequence[Choice]) -> None:
        steps.append(found[0].win or 0.0)

    best = engine.analyse(position, Budget(depth=depth, nodes=MAX_NODES_PER_DEPTH * depth), report=note)[0]
    value = best.win or 0.0
    is_decided = value in (0.0, 1.0)
    if is_decided and rng.random() > DECIDED_SHARE:
        return None
    if not is_decided and len(steps) > 1:
        value = (steps[-1] + steps[-2]) / 2
    played = [str(move) for move in position.moves]
    return {
        "number": number,
        "side": game["side"],
        "moves": played if is_decided else [*played, str(best.move)],
        "sampled": len(played),
        "values": [round(value, 4)],
        "result": None,
    }


def label(
    files: list[Path], output: Path, agent: str, depth: int, *, samples: int, hours: float, processes: int
) -> int:
    """Append samples to the output until there are enough or the time is up.

    Returns:
        The number of samples in the file.
    """
    games = [game for file in files for game in read_games(file) if len(game["moves"]) > 2]
    if not games:
        raise ValueError("no games to take positions from")
    numbers = [sample["number"] for sample in read_games(output)]
    number, count = max(numbers, default=-1) + 1, len(numbers)
    end_incomplete_line(output)
    end = time.monotonic() + 3600 * hours
    with multiprocessing.Pool(processes) as pool, output.open("a") as out:
        while count < samples and time.monotonic() < end:
            batch = [(number + i, random.Random(-number - i).choice(games), agent, depth) for i in range(BATCH)]
            number += BATCH
            scored = [sample for sample in pool.imap(_make, batch, chunksize=10) if sample is not None]
            out.writelines(json.dumps(sample, separators=(",", ":")) + "\n" for sample in scored[: samples - count])
            out.flush()
            os.fsync(out.fileno())
            count += len(scored[: samples - count])
            print(f"{count:,} positions", flush=True)
    return count


def _make(arguments: tuple[int, SelfPlayGame, str, int]) -> SelfPlayGame | None:
    return make_sample(*arguments)


def main() -> None:
    """Run the command line."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("games", type=Path, nargs="+", help="files of games")
    parser.add_argument("--output", type=Path, required=True)
    parser.add_argument("--agent", default="engine:threads=1", help="engine that searches [default: %(default)s]")
    parser.add_argument("--depth", type=int, default=2, help="depth of a search in moves [default: %(default)s]")
    parser.add_argument("--samples", type=int, default=10**9, help="stop at this number of positions in the file")
    parser.add_argument("--hours", type=float, default=1e6, help="stop after this time")
    parser.add_argument("--processes", type=int, default=1, help="[default: %(default)s]")
    arguments = parser.parse_args()
    label(
        arguments.games,
        arguments.output,
        arguments.agent,
        arguments.depth,
        samples=arguments.samples,
        hours=arguments.hours,
        processes=arguments.processes,
    )


if __name__ == "__main__":
    main()
