"""Real games: 18,808 of them, where the file stands beside the checkout."""

import gzip
import json

from conftest import shared_data

from tengen import Position, Record
from tengen.record import Dialect, read_sgf, write_sgf
from tengen.record.jsonlines import read_json_lines, write_json_line


def test_all_games_replay_and_round_trip() -> None:
    games = 0
    with gzip.open(shared_data("littlegolem.jsonl.gz"), "rt") as file:
        for line in file:
            entry = json.loads(line)
            position = Position()
            for move in entry["moves"]:
                assert position.winner is None, f"game {entry['id']} goes on after a win"
                position.play(move)
            if entry["six"]:
                assert position.winner is not None
                assert position.winner.letter == entry["result"]
                assert len(position.winning_row or ()) >= 6
            else:
                assert position.winner is None
            record = next(read_sgf(write_sgf(Record.from_position(position), Dialect.LITTLE_GOLEM)))
            assert [str(move).lower() for move in record.moves()] == entry["moves"]
            games += 1
    assert games == 18_808


def test_json_lines_round_trip() -> None:
    with gzip.open(shared_data("littlegolem.jsonl.gz"), "rt") as file:
        lines = [line for line, _ in zip(file, range(500), strict=False)]
    for line, record in zip(lines, read_json_lines("".join(lines)), strict=True):
        assert json.loads(write_json_line(record)) == {k: v for k, v in json.loads(line).items() if v} | {
            "six": json.loads(line)["six"]
        }
