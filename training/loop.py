"""Run the whole training loop: games, scored positions, training, export; round after round.

    python -m training.loop build/training/loop --rounds 3 --games 3000 --samples 100000 --processes 2

The first round plays and scores with the evaluation `counts`, every further one with the network of the round before.
Each round trains on the data of all rounds, starting from the network of the round before. Every step continues where
it was interrupted, and a finished round is skipped. A network is accepted by a match, not by its losses:

    tengen match engine:evaluation=network,weights=build/training/loop/round-2.network engine --sprt 0 30
"""

from __future__ import annotations

import argparse
import math
from dataclasses import dataclass
from pathlib import Path

import torch

from training.export import quantise
from training.label import label
from training.model import Network
from training.selfplay import games_file, generate
from training.train import LEARNING_RATE, read_splits, train


@dataclass(frozen=True)
class LoopSettings:
    """Size of one round."""

    games: int
    """Self-play games."""
    game_nodes: int
    """Nodes for a move of them."""
    samples: int
    """Positions that are scored by searches."""
    sample_depth: int
    """Depth of the search that scores a position."""
    epochs: int
    search_share: float
    """Share of search values in the value target."""
    processes: int


def run_round(folder: Path, number: int, settings: LoopSettings) -> Path:
    """Run one round and return its weight file."""
    weights = folder / f"round-{number}.network"
    if weights.exists():
        return weights
    previous = folder / f"round-{number - 1}.network"
    agent = f"engine:threads=1,evaluation=network,weights={previous}" if number > 1 else "engine:threads=1"
    games, leaves = folder / f"games-{number}", folder / f"leaves-{number}.jsonl"
    processes, nodes = settings.processes, settings.game_nodes
    generate(games, agent, nodes, games=settings.games, hours=math.inf, processes=processes, first=number * 10**7)
    file, depth = games_file(games, agent, nodes), settings.sample_depth
    label([file], leaves, agent, depth, samples=settings.samples, hours=math.inf, processes=processes)
    data = sorted([*folder.glob("games-*/*.jsonl"), *folder.glob("leaves-*.jsonl")])
    network, checkpoint = Network(), folder / f"round-{number}.pt"
    if number > 1:
        start = torch.load(folder / f"round-{number - 1}.pt", weights_only=True)
        network.load_state_dict(start["network"])
    splits = read_splits(data, settings.search_share)
    train(network, splits, checkpoint, epochs=settings.epochs, resume=True, learning_rate=LEARNING_RATE)
    content = quantise(network, f"round {number}: {settings}").to_bytes()
    partial = weights.with_suffix(".part")
    partial.write_bytes(content)
    partial.replace(weights)
    return weights


def main() -> None:
    """Run the command line."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("folder", type=Path, help="folder of data, checkpoints and networks")
    parser.add_argument("--rounds", type=int, default=3, help="[default: %(default)s]")
    parser.add_argument("--games", type=int, default=3000, help="self-play games of a round [default: %(default)s]")
    parser.add_argument("--game-nodes", type=int, default=300, help="nodes for a move [default: %(default)s]")
    parser.add_argument(
        "--samples", type=int, default=100_000, help="scored positions of a round [default: %(default)s]"
    )
    parser.add_argument("--sample-depth", type=int, default=2, help="depth of a score [default: %(default)s]")
    parser.add_argument("--epochs", type=int, default=6, help="[default: %(default)s]")
    parser.add_argument("--search-share", type=float, default=0.5, help="share of search values [default: %(default)s]")
    parser.add_argument("--processes", type=int, default=1, help="[default: %(default)s]")
    arguments = vars(parser.parse_args())
    folder, rounds = arguments.pop("folder"), arguments.pop("rounds")
    folder.mkdir(parents=True, exist_ok=True)
    torch.set_num_threads(1)
    torch.manual_seed(1)
    for number in range(1, rounds + 1):
        print(f"round {number}: {run_round(folder, number, LoopSettings(**arguments))}", flush=True)


if __name__ == "__main__":
    main()
