"""The network in the engine: native code against a NumPy twin, symmetries, weight files."""

from __future__ import annotations

import random
from functools import cache
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from reference.network import CHANNELS, FIRST, OUTCOMES, SECOND, NetworkTwin, Stone

from tengen import Game, Position, TengenError
from tengen._native import Network, Setup
from tengen.play import Budget, Engine
from tengen.play.network import MAGIC, NetworkWeights, read_network

INACTIVE = -20 * 65536
SQUARE_AND_HEAD_BYTES = (
    2 * 4 * 32 + 2 * 32 * 32 + 4 * 32 + 2 * 64 + 2 * 32 * 32 + 4 * 64 + 2 * 16 * 32 + 4 * 16 + 2 * 48 + 4 * 3
)
"""Size of everything behind the pattern table, which begins with the neighbour weights."""


@cache
def random_weights(k: int, p: int = 2, seed: int = 0) -> NetworkWeights:
    """Weights of the size of trained ones, so that few activations are clipped."""
    rng = np.random.default_rng(seed)
    lengths = [2 * k - 1 - left - right for left in range(k) for right in range(k)]
    patterns = sum(3**length for length in lengths)
    symmetric = sum(3 ** ((2 * k - 1 - 2 * off + 1) // 2) for off in range(k))
    distinct = (patterns + symmetric) // 2

    def draw(kind: str, spread: int, *shape: int) -> bytes:
        return rng.integers(-spread, spread + 1, shape).astype(kind).tobytes()

    parts = [draw("<i1", 60, CHANNELS, distinct)]
    parts += [draw("<i2", 20, 3, CHANNELS), draw("<i2", 1500, CHANNELS)]
    parts += [draw("<i2", 24, CHANNELS, CHANNELS), draw("<i4", 3000, CHANNELS), draw("<i2", 900, 2, CHANNELS)]
    parts += [draw("<i2", 60, FIRST, CHANNELS), draw("<i4", 2000, 2, FIRST)]
    parts += [draw("<i2", 300, SECOND, FIRST), draw("<i4", 2000, SECOND)]
    parts += [draw("<i2", 300, OUTCOMES, SECOND), draw("<i4", 2000, OUTCOMES)]
    return NetworkWeights(k, p, "random", b"".join(parts))


@cache
def random_network(k: int) -> tuple[Network, NetworkTwin]:
    weights = random_weights(k)
    return weights.native(), NetworkTwin(k, weights.weights)


def setup(width: int, height: int, k: int, black: list[Stone], white: list[Stone]) -> Setup:
    return Setup(width, height, k, 2, False, *([x + y * width for x, y in stones] for stones in (black, white)))


def random_stones(rng: random.Random, width: int, height: int, count: int) -> tuple[list[Stone], list[Stone]]:
    squares = rng.sample([(x, y) for x in range(width) for y in range(height)], min(count, width * height))
    half = len(squares) // 2
    return squares[:half], squares[half:]


def assert_equal_to_twin(
    networks: tuple[Network, NetworkTwin],
    size: tuple[int, int],
    stones: tuple[list[Stone], list[Stone]],
    turn: int,
    left: int,
) -> None:
    network, twin = networks
    width, height = size
    k = twin.reach + 1
    own, other = stones if turn == 0 else stones[::-1]
    value, logits = twin.evaluate(width, height, own, other, left)
    empty = [x + y * width for x in range(width) for y in range(height) if (x, y) not in {*own, *other}]
    expected = [logits.get((square % width, square // width), INACTIVE) for square in range(width * height)]
    for portable in (False, True):
        found, scores = network.evaluate(setup(width, height, k, *stones), turn, left, empty[:5], portable)
        assert found == value
        assert scores == expected


@settings(max_examples=40, deadline=None)
@given(st.integers(2, 4), st.integers(1, 13), st.integers(1, 13), st.integers(0, 10**6))
def test_native_network_equals_its_twin(k: int, width: int, height: int, seed: int) -> None:
    rng = random.Random(seed)
    stones = random_stones(rng, width, height, rng.randint(0, width * height // 2))
    assert_equal_to_twin(random_network(k), (width, height), stones, rng.randint(0, 1), rng.randint(1, 2))


@pytest.mark.parametrize("size", [(6, 6), (7, 11), (19, 19), (59, 59)])
def test_connect6_network_equals_its_twin(size: tuple[int, int]) -> None:
    rng = random.Random(size[0])
    for count in (1, 30):
        assert_equal_to_twin(random_network(6), size, random_stones(rng, *size, count), count % 2, 2 - count % 2)


@pytest.mark.parametrize("side", [6, 9, 19, 31, 59])
def test_symmetric_positions_have_the_same_value_and_policy(side: int) -> None:
    network = random_weights(6).native()
    rng = random.Random(side)
    black, white = random_stones(rng, side, side, 24)
    value, scores = network.evaluate(setup(side, side, 6, black, white), 0, 2)
    for symmetry in range(8):

        def image(stone: Stone, symmetry: int = symmetry) -> Stone:
            x, y = stone[:: -1 if symmetry & 4 else 1]
            return side - 1 - x if symmetry & 1 else x, side - 1 - y if symmetry & 2 else y

        same, moved = network.evaluate(setup(side, side, 6, [*map(image, black)], [*map(image, white)]), 0, 2)
        assert same == value
        images = (image((square % side, square // side)) for square in range(side * side))
        assert [moved[x + y * side] for x, y in images] == scores


def test_exchanged_colours_have_the_same_value() -> None:
    network = random_weights(6).native()
    black, white = random_stones(random.Random(1), 19, 19, 20)
    assert network.evaluate(setup(19, 19, 6, black, white), 0, 2) == network.evaluate(
        setup(19, 19, 6, white, black), 1, 2
    )


def test_a_far_edge_does_not_change_the_value() -> None:
    network = random_weights(6).native()
    stones = [(x + 20, y + 20) for x, y in [(0, 0), (1, 2), (3, 1)]], [(22, 22), (21, 20)]
    small, large = (network.evaluate(setup(side, side, 6, *stones), 0, 2)[0] for side in (41, 59))
    assert small == large


def test_weight_files_survive_a_round_trip(tmp_path: Path) -> None:
    weights = random_weights(4)
    file = tmp_path / "random.network"
    file.write_bytes(weights.to_bytes())
    assert NetworkWeights.from_bytes(file.read_bytes()) == weights
    network = read_network(str(file))
    assert (network.k, network.p) == (4, 2)


def test_damaged_weight_files_are_refused() -> None:
    weights = random_weights(3)
    data = weights.to_bytes()
    too_large = bytearray(weights.weights)
    too_large[-SQUARE_AND_HEAD_BYTES : 32 - SQUARE_AND_HEAD_BYTES] = b"\x7f" * 32
    broken = [
        b"",
        b"Tengen network 2\n{}\n",
        MAGIC + b"{}",
        MAGIC + b"{}\n",
        MAGIC + b"[]\n" + data.split(b"\n", 2)[2],
        data[:-10],
        data + b"x",
        NetworkWeights(3, 2, "", weights.weights[:-1]).to_bytes(),
        NetworkWeights(3, 2, "", weights.weights + b"x").to_bytes(),
        NetworkWeights(4, 2, "", weights.weights).to_bytes(),
        NetworkWeights(7, 2, "", weights.weights).to_bytes(),
        NetworkWeights(-1, 2, "", weights.weights).to_bytes(),
        NetworkWeights(3, 2, "", bytes(too_large)).to_bytes(),
        NetworkWeights(3, 2, "", b"\0" * 40_000_000).to_bytes(),
    ]
    for content in broken:
        with pytest.raises(TengenError, match="network file"):
            NetworkWeights.from_bytes(content).native()


def test_a_network_is_for_its_game_only(tmp_path: Path) -> None:
    file = tmp_path / "four.network"
    file.write_bytes(random_weights(4).to_bytes())
    engine = Engine(evaluation="network", weights=str(file))
    with pytest.raises(TengenError, match=r"k=4, p=2, not for Connect\(19,19,6,2,1\)"):
        engine.choose(Position(moves="J10"), Budget(nodes=10))
    with pytest.raises(ValueError, match="another"):
        random_weights(4).native().evaluate(Setup(15, 15, 5, 2, False, [], []), 0, 2)


def test_the_network_needs_a_weight_file() -> None:
    with pytest.raises(TengenError, match="weights=FILE"):
        Engine(evaluation="network")


def test_a_missing_network_is_an_error() -> None:
    with pytest.raises(TengenError, match="cannot read the network"):
        Engine(evaluation="network", weights="missing.network")


def test_a_network_of_the_user_plays(tmp_path: Path) -> None:
    file = tmp_path / "random.network"
    file.write_bytes(random_weights(4).to_bytes())
    engine = Engine(evaluation="network", weights=str(file), threads=1)
    choice = engine.choose(Position(Game.parse("Connect(9,9,4,2,1)"), moves="E5"), Budget(nodes=50))
    assert len(choice.move) == 2
