"""Turn a trained checkpoint into the integer weight file that the engine reads.

python -m training.export build/training/network.pt build/training/connect6.network --description "2 h of self-play"
"""

from __future__ import annotations

import argparse
from pathlib import Path

import numpy as np
import torch
from numpy.typing import NDArray

from tengen.play.network import NetworkWeights
from training.model import Network

ACTIVATION_UNIT = 64
HEAD_UNIT = 1024
INT16, INT32 = "<i2", "<i4"


def quantise(network: Network, description: str, p: int = 2) -> NetworkWeights:
    """Round the weights to integers, in the order of the file format."""
    parts = [pattern_table(network).tobytes()]

    def add(values: torch.Tensor, unit: int, kind: str) -> None:
        limits = np.iinfo(kind)
        rounded = np.rint(values.detach().double().numpy() * unit)
        parts.append(np.clip(rounded, limits.min + 1, limits.max).astype(kind).tobytes())

    layer_unit = ACTIVATION_UNIT * ACTIVATION_UNIT
    add(network.mix, ACTIVATION_UNIT, INT16)
    add(network.mix_bias, layer_unit, INT16)
    add(network.point.weight, ACTIVATION_UNIT, INT16)
    add(network.point.bias, layer_unit, INT32)
    add(network.policy, HEAD_UNIT, INT16)
    add(network.value1.weight, HEAD_UNIT, INT16)
    add(network.value1.bias + network.left_bias, HEAD_UNIT, INT32)
    add(network.value2.weight, HEAD_UNIT, INT16)
    add(network.value2.bias, HEAD_UNIT, INT32)
    add(network.value3.weight, HEAD_UNIT, INT16)
    add(network.value3.bias, HEAD_UNIT, INT32)
    return NetworkWeights(network.k, p, description, b"".join(parts))


@torch.no_grad()
def pattern_table(network: Network) -> NDArray[np.int8]:
    """Return the features (channel, pattern) of one pattern of each mirror pair, as 8-bit integers."""
    numbers = torch.from_numpy(network.space.canonical())
    features = torch.cat([network.mapping(part) for part in torch.split(numbers, 8192)]).numpy()
    table: NDArray[np.int8] = np.clip(np.rint(features.T * ACTIVATION_UNIT), -127, 127).astype(np.int8)
    return table


def main() -> None:
    """Run the command line."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("checkpoint", type=Path)
    parser.add_argument("output", type=Path)
    parser.add_argument("--description", default="", help="how the network was trained; stored in the file")
    arguments = parser.parse_args()
    network = Network()
    network.load_state_dict(torch.load(arguments.checkpoint, weights_only=True)["network"])
    data = quantise(network, arguments.description).to_bytes()
    arguments.output.write_bytes(data)
    print(f"{arguments.output}: {len(data):,} bytes")


if __name__ == "__main__":
    main()
