"""Train the network on self-play games.

    python -m training.train build/training/games/*.jsonl --output build/training/network.pt --epochs 8

Prints the losses on held-out games after every epoch and writes a checkpoint after each; `--resume` continues from it.
`--start` begins with the weights of another checkpoint.
"""

from __future__ import annotations

import argparse
import json
import math
import time
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import numpy as np
import torch
from torch import Tensor, nn

from training.dataset import NO_SQUARE, Samples, Split, load
from training.model import Network, active_squares
from training.patterns import EMPTY, OFF
from training.selfplay import OTHER_SIDES

BATCH = 256
LEARNING_RATE = 2e-3
FINAL_LEARNING_RATE = 5e-5
WEIGHT_DECAY = 1e-4
MAX_WARM_UP_STEPS = 100
POLICY_WEIGHT = 0.5
"""Weight of the policy loss beside the value loss."""
SMALL_FRAME, LARGE_FRAME = 19, max(OTHER_SIDES)


@dataclass(frozen=True)
class Batch:
    """The tensors of one step."""

    numbers: Tensor
    is_on_board: Tensor
    is_active: Tensor
    is_legal: Tensor
    left: Tensor
    value: Tensor
    outcome: Tensor
    policy: Tensor
    """Target probabilities of squares, (n, squares); zero for samples without a policy target."""


@dataclass
class Metrics:
    """Sums over samples; `report` gives the means."""

    samples: int = 0
    policy_samples: int = 0
    value_loss: float = 0.0
    outcome_loss: float = 0.0
    policy_loss: float = 0.0
    top1: float = 0.0
    top8: float = 0.0

    def report(self) -> dict[str, float]:
        """Return the mean of each figure."""
        count, policies = max(1, self.samples), max(1, self.policy_samples)
        return {
            "value_loss": round(self.value_loss / count, 4),
            "outcome_loss": round(self.outcome_loss / count, 4),
            "policy_loss": round(self.policy_loss / policies, 4),
            "top1": round(self.top1 / policies, 4),
            "top8": round(self.top8 / policies, 4),
        }


def make_batch(samples: Samples, network: Network) -> Batch:
    """Turn samples into tensors."""
    cells = samples.cells
    count = len(samples)
    squares = cells.shape[1] * cells.shape[2]
    active = active_squares(cells, network.space.reach)
    policy = np.zeros((count, squares), np.float32)
    for column in range(2):
        has = samples.target[:, column] != NO_SQUARE
        policy[np.flatnonzero(has), samples.target[has, column]] = 1
    policy /= np.maximum(policy.sum(1, keepdims=True), 1)
    return Batch(
        torch.from_numpy(network.space.of_boards(cells)),
        torch.from_numpy(cells != OFF),
        torch.from_numpy(active),
        torch.from_numpy((active & (cells == EMPTY)).reshape(count, squares)),
        torch.from_numpy(samples.left),
        torch.from_numpy(samples.value),
        torch.from_numpy(samples.outcome),
        torch.from_numpy(policy),
    )


def losses(network: Network, batch: Batch, metrics: Metrics) -> Tensor:
    """Return the training loss of a batch and add its figures to the metrics."""
    value, policy = network(batch.numbers, batch.is_on_board, batch.is_active, batch.left)
    log_value = value.log_softmax(1)
    value_loss = -(batch.value * log_value).sum(1)
    logits = policy.flatten(1).masked_fill(~batch.is_legal, -1e9)
    # A stone out of line with all others is rare in games and cannot be predicted: such targets are dropped.
    target = batch.policy * batch.is_legal
    has_policy = target.sum(1) > 0.99
    policy_loss = -(target * logits.log_softmax(1)).sum(1) * has_policy
    with torch.no_grad():
        best = logits.topk(min(8, logits.shape[1]), 1).indices
        hits = target.gather(1, best) > 0
        metrics.samples += len(value)
        metrics.policy_samples += int(has_policy.sum())
        metrics.value_loss += float(value_loss.sum())
        metrics.outcome_loss += float(-(batch.outcome * log_value).sum())
        metrics.policy_loss += float(policy_loss.sum())
        metrics.top1 += float((hits[:, 0] & has_policy).sum())
        metrics.top8 += float((hits.any(1) & has_policy).sum())
    loss: Tensor = value_loss.mean() + POLICY_WEIGHT * policy_loss.sum() / has_policy.sum().clamp(min=1)
    return loss


def batches(groups: list[Samples], rng: np.random.Generator | None) -> Iterator[Samples]:
    """Yield batches, each of one group: in order without a generator, else shuffled."""
    parts = []
    for group in groups:
        order = np.arange(len(group)) if rng is None else rng.permutation(len(group))
        parts += [(group, order[i : i + BATCH]) for i in range(0, len(group), BATCH)]
    for i in range(len(parts)) if rng is None else rng.permutation(len(parts)):
        group, rows = parts[i]
        yield group.rows(rows)


@torch.no_grad()
def evaluate(network: Network, groups: list[Samples]) -> dict[str, float]:
    """Return the mean losses over samples."""
    metrics = Metrics()
    network.eval()
    for samples in batches(groups, None):
        losses(network, make_batch(samples, network), metrics)
    network.train()
    return metrics.report()


def read_splits(files: list[Path], search_share: float) -> list[Split]:
    """Read games in two groups by board size, so that most batches need no padding."""
    return [
        load(files, SMALL_FRAME, sides=[19], search_share=search_share),
        load(files, LARGE_FRAME, sides=OTHER_SIDES, search_share=search_share),
    ]


def train(
    network: Network, splits: list[Split], output: Path, *, epochs: int, resume: bool, learning_rate: float
) -> dict[str, float]:
    """Train and write a checkpoint after every epoch; return the held-out figures of the last one."""
    groups, held_out = [split.train for split in splits], [split.held_out for split in splits]
    optimiser = torch.optim.AdamW(network.parameters(), lr=learning_rate, weight_decay=WEIGHT_DECAY)
    epoch = 0
    report: dict[str, float] = {}
    if resume and output.exists():
        state = torch.load(output, weights_only=True)
        network.load_state_dict(state["network"])
        optimiser.load_state_dict(state["optimiser"])
        epoch = state["epoch"]
    total_steps = epochs * sum(-(-len(group) // BATCH) for group in groups)
    step = total_steps * epoch // epochs
    warm_up = min(MAX_WARM_UP_STEPS, total_steps // 10 + 1)
    for number in range(epoch, epochs):
        start, metrics = time.monotonic(), Metrics()
        for samples in batches(groups, np.random.default_rng(number)):
            progress = step / total_steps
            rate = FINAL_LEARNING_RATE + (learning_rate - FINAL_LEARNING_RATE) * (1 + math.cos(math.pi * progress)) / 2
            for group in optimiser.param_groups:
                group["lr"] = rate * min(1, (step + 1) / warm_up)
            loss = losses(network, make_batch(samples, network), metrics)
            optimiser.zero_grad()
            torch.autograd.backward(loss)
            nn.utils.clip_grad_norm_(network.parameters(), 2.0)
            optimiser.step()
            network.constrain()
            step += 1
        report = evaluate(network, held_out)
        seconds = time.monotonic() - start
        figures = {"epoch": number + 1, "train": metrics.report(), "held_out": report, "seconds": round(seconds)}
        print(json.dumps(figures), flush=True)
        state = {"network": network.state_dict(), "optimiser": optimiser.state_dict(), "epoch": number + 1}
        temporary = output.with_suffix(".part")
        torch.save(state, temporary)
        temporary.replace(output)
    return report


def main() -> None:
    """Run the command line."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("games", type=Path, nargs="+", help="files of self-play games")
    parser.add_argument("--output", type=Path, required=True, help="checkpoint to write")
    parser.add_argument("--start", type=Path, help="checkpoint to begin with")
    parser.add_argument("--resume", action="store_true", help="continue the run that wrote the output")
    parser.add_argument("--epochs", type=int, default=8, help="[default: %(default)s]")
    parser.add_argument("--rate", type=float, default=LEARNING_RATE, help="learning rate [default: %(default)s]")
    parser.add_argument("--search-share", type=float, default=0.0, help="share of search values in the value target")
    parser.add_argument("--threads", type=int, default=1, help="[default: %(default)s]")
    arguments = parser.parse_args()
    torch.set_num_threads(arguments.threads)
    torch.manual_seed(1)
    network = Network()
    if arguments.start:
        network.load_state_dict(torch.load(arguments.start, weights_only=True)["network"])
    splits = read_splits(arguments.games, arguments.search_share)
    counts = [sum(map(len, parts)) for parts in zip(*((s.train, s.held_out) for s in splits), strict=True)]
    print(f"{counts[0]:,} training and {counts[1]:,} held-out positions", flush=True)
    options = {"epochs": arguments.epochs, "resume": arguments.resume}
    train(network, splits, arguments.output, learning_rate=arguments.rate, **options)


if __name__ == "__main__":
    main()
