"""The training loop, in small: games, scored positions, one epoch, export, and an engine that plays with the result."""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np
import pytest
from training.dataset import NO_SQUARE, load
from training.export import quantise
from training.label import label, make_sample
from training.loop import LoopSettings, run_round
from training.model import Network, active_squares
from training.patterns import EMPTY, OFF, OTHER, OWN, pattern_space
from training.records import convert
from training.selfplay import SelfPlayGame, generate, play_game, read_games
from training.train import evaluate, make_batch, read_splits, train

from tengen import Position
from tengen._native import Setup
from tengen.play import Budget, Engine
from tengen.play.network import NetworkWeights

GAME: SelfPlayGame = {
    "number": 1,
    "side": 19,
    "moves": ["J10", "K11I9", "J9H10", "K9G10"],
    "sampled": 2,
    "values": [0.6, 0.3, 1.0],
    "result": "B",
}


def write_games(file: Path, *games: SelfPlayGame) -> Path:
    file.write_text("".join(json.dumps(game) + "\n" for game in games))
    return file


def test_a_game_is_the_same_for_the_same_number() -> None:
    game = play_game(3, "engine:threads=1", 20)
    assert game == play_game(3, "engine:threads=1", 20)
    position = Position(moves=" ".join(game["moves"]))
    assert len(position.moves) == len(game["moves"])
    assert 0 <= len(game["moves"]) - game["sampled"] - len(game["values"]) + 1 <= 1


def test_generation_continues_after_an_interruption(tmp_path: Path) -> None:
    def run(games: int) -> int:
        return generate(tmp_path, "engine:threads=1", 10, games=games, hours=1, processes=1)

    assert run(2) == 2
    file = next(tmp_path.iterdir())
    with file.open("a") as out:
        out.write('{"number":7,"mo')
    assert run(3) == 3
    assert [game["number"] for game in read_games(file)] == [0, 1, 2]
    assert run(3) == 3


def test_targets_of_a_game(tmp_path: Path) -> None:
    samples = load([write_games(tmp_path / "games", GAME)], 19, sides=[19], search_share=0.5).train
    assert len(samples) == 3
    black, white, final = range(3)
    assert np.allclose(samples.value, np.array([[0.8, 0, 0.2], [0.15, 0, 0.85], [1, 0, 0]]))
    assert np.array_equal(samples.outcome, np.array([[1, 0, 0], [0, 0, 1], [1, 0, 0]]))
    for row, moved in ((black, {(9, 8), (7, 9)}), (white, {(10, 8), (6, 9)})):
        targets = {(square % 19, square // 19) for square in samples.target[row] if square != NO_SQUARE}
        placed = {stone for stone in moved if samples.cells[row][stone[1], stone[0]] == OWN}
        assert targets | placed == moved
        assert len(targets) == samples.left[row]
    assert set(samples.target[final]) == {NO_SQUARE}
    assert samples.cells[final][9, 9] == OWN
    assert samples.cells[white][9, 9] == OTHER
    assert (samples.cells[final] != EMPTY).sum() == 7


def test_games_without_search_values_teach_the_moves_of_the_winner(tmp_path: Path) -> None:
    samples = load([write_games(tmp_path / "games", {**GAME, "values": []})], 19, sides=[19], search_share=0.5).train
    assert [set(targets) == {NO_SQUARE} for targets in samples.target] == [False, True, True]


def test_smaller_boards_are_surrounded_by_off_board_cells(tmp_path: Path) -> None:
    game: SelfPlayGame = {**GAME, "side": 15, "moves": ["H8", "I9G7", "H7F8", "I7E8"]}
    samples = load([write_games(tmp_path / "games", game)], 17, sides=[15], search_share=0).train
    assert (samples.cells == OFF).sum() == len(samples) * (17 * 17 - 15 * 15)


def test_scored_positions_lie_near_the_game() -> None:
    samples = [sample for number in range(12) if (sample := make_sample(number, GAME, "engine:threads=1", 1))]
    assert samples
    for sample in samples:
        assert sample["moves"][:2] == GAME["moves"][:2]
        assert sample["sampled"] - 2 <= 4
        assert len(sample["moves"]) == sample["sampled"] + (sample["values"][0] not in (0.0, 1.0))


def test_patterns_are_numbered_as_documented() -> None:
    space = pattern_space(2)
    board = np.full((1, 3, 6), EMPTY, np.uint8)
    board[0, 1, 2], board[0, 1, 3] = OWN, OTHER
    numbers = space.of_boards(board)
    assert numbers[0, 1, 2, 0] == 0 * 1 + 0 * 3 + 1 * 9 + 2 * 27
    assert numbers[0, 1, 0, 0] == space.offsets[2, 0] + 0 * 1 + 0 * 3 + 1 * 9
    assert np.array_equal(space.mirror[space.mirror], np.arange(space.size))
    assert active_squares(board, 1).sum() == 12


def test_one_round_of_the_loop_gives_a_network_that_plays(tmp_path: Path) -> None:
    settings = LoopSettings(6, 10, 8, 1, 1, 0.5, 1)
    weights = run_round(tmp_path, 1, settings)
    assert run_round(tmp_path, 1, settings) == weights
    engine = Engine(evaluation="network", weights=str(weights), threads=1)
    choice = engine.choose(Position(moves="J10 K11I9"), Budget(nodes=30))
    assert choice.win is not None
    assert 0 < choice.win < 1


def test_training_lowers_the_loss_and_integers_agree_with_the_model(tmp_path: Path) -> None:
    games = [play_game(number, "engine:threads=1", 10) for number in range(18, 24)]
    splits = read_splits([write_games(tmp_path / "games", *games)], 0.0)[:1]
    network = Network()
    before = evaluate(network, [splits[0].train])
    train(network, splits, tmp_path / "checkpoint", epochs=40, resume=False, learning_rate=2e-3)
    after = evaluate(network, [splits[0].train])
    assert after["policy_loss"] < before["policy_loss"] - 0.1
    assert after["value_loss"] < before["value_loss"]
    native = NetworkWeights.from_bytes(quantise(network, "test").to_bytes()).native()
    samples = splits[0].train.rows(np.arange(3))
    batch = make_batch(samples, network)
    values, policies = network(batch.numbers, batch.is_on_board, batch.is_active, batch.left)
    for row in range(3):
        stones = [[int(s) for s in np.flatnonzero(samples.cells[row] == colour)] for colour in (OWN, OTHER)]
        logits, squares = native.evaluate(Setup(19, 19, 6, 2, False, *stones), 0, int(samples.left[row]))
        assert np.allclose(np.array(logits) / 1024, values[row].detach().numpy(), atol=0.2)
        legal = batch.is_legal[row].numpy()
        assert np.allclose(np.array(squares)[legal] / 65536, policies[row].flatten().detach().numpy()[legal], atol=0.5)


def test_records_become_training_games(tmp_path: Path) -> None:
    file = tmp_path / "games.jsonl"
    file.write_text('{"moves": ["j10", "k11i9", "j9h10"], "result": "B"}\n{"moves": ["j10", "k11i9"]}\n')
    assert [game["result"] for game in convert(file)] == ["B"]


def test_positions_cannot_be_scored_without_games(tmp_path: Path) -> None:
    with pytest.raises(ValueError, match="no games"):
        label([tmp_path / "missing"], tmp_path / "out", "engine", 10, samples=1, hours=1, processes=1)
