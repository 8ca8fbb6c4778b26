"""Proof files: what is true can be written and is accepted; what is false never is."""

import gzip
import hashlib
import json
import random
import re
from pathlib import Path
from typing import Any

import pytest
from conftest import shared_data
from hypothesis import given, settings
from hypothesis import strategies as st
from reference.positions import RECIPES, quiet_position
from reference.prover import Prover, numbers

from tengen import BLACK, WHITE, Colour, Game, Position, Square, TengenError
from tengen.prove import (
    MACRO,
    NoProofError,
    Verdict,
    check,
    join,
    write_draw,
    write_hold,
    write_solution,
    write_win,
)
from tengen.solve import solve

ROOT = Path(__file__).resolve().parents[1]

# m, n, k, p, maker-breaker, black and white stones to begin with
SMALL: list[tuple[int, int, int, int, bool, int, int]] = [
    (3, 3, 3, 1, False, 0, 0),
    (3, 3, 3, 1, True, 1, 1),
    (4, 3, 3, 1, False, 1, 2),
    (4, 3, 4, 2, False, 1, 2),
    (4, 4, 4, 2, False, 3, 4),
    (4, 4, 4, 2, True, 2, 4),
    (4, 4, 4, 1, False, 4, 4),
    (5, 3, 3, 2, False, 1, 6),
    (4, 4, 4, 3, False, 3, 5),
    (4, 3, 3, 3, True, 0, 5),
]


class Case:
    """A random position of a small game, with the prover that knows it."""

    def __init__(self, rng: random.Random, recipe: tuple[int, int, int, int, bool, int, int], attacker: Colour) -> None:
        m, n, k, p, maker_breaker, black, white = recipe
        self.attacker, self.game = attacker, Game(m, n, k, p, 1, maker_breaker)
        self.prover = Prover(m, n, k, p, defender_rows=not maker_breaker)
        counts = (black, white) if attacker is BLACK else (white, black)
        while True:
            squares = rng.sample(range(m * n), black + white)
            self.own = sum(1 << i for i in squares[: counts[0]])
            self.other = sum(1 << i for i in squares[counts[0] :])
            if not self.prover.has_row(self.own) and not self.prover.has_row(self.other):
                break
        self.left = rng.randint(1, p)

    def position(self, turn: Colour) -> Position:
        sides = [[Square(i % (self.game.m or 1), i // (self.game.m or 1)) for i in numbers(s)] for s in self.sides()]
        return Position.setup(self.game, sides[0], sides[1], turn, self.left)

    def sides(self) -> tuple[int, int]:
        return (self.own, self.other) if self.attacker is BLACK else (self.other, self.own)


def cases(seed: int, count: int) -> list[Case]:
    rng = random.Random(seed)
    found = []
    while len(found) < count:
        recipe = rng.choice(SMALL)
        found.append(Case(rng, recipe, BLACK if recipe[4] else rng.choice([BLACK, WHITE])))
    return found


def text_of(path: Path) -> str:
    return gzip.decompress(path.read_bytes()).decode()


def sealed(text: str) -> bytes:
    """A text with the last line that fits it."""
    lines = text.split("\n")
    body = "\n".join(lines[: next((i for i, line in enumerate(lines) if line.startswith("end ")), len(lines))])
    body = body.rstrip("\n") + "\n" if body.partition("\n\n")[2].strip() else body.partition("\n\n")[0] + "\n\n"
    nodes = body.partition("\n\n")[2].count("\n")
    return f"{body}end {nodes} {hashlib.sha256(body.encode()).hexdigest()}\n".encode()


# Small games, searched to the end


@pytest.mark.parametrize("seed", range(8))
def test_true_claims_of_small_games_are_written_and_accepted_false_ones_are_not(seed: int, tmp_path: Path) -> None:
    """The false ones come with a truthful answer to all that can be answered: zones too small would let them pass."""
    path = tmp_path / "a.tpf"
    for case in cases(seed, 12):
        prover, own, other = case.prover, case.own, case.other
        turn = case.attacker
        move = prover.winning_move(own, other, case.left)
        if move is not None:
            write_win(path, case.position(turn), turn, prover.win(own, other, case.left))
            assert check(path).accepted
            with pytest.raises(TengenError):
                write_hold(path, case.position(turn), turn, None)
        else:
            write_hold(path, case.position(turn), turn, prover.hold(own, other, case.left))
            assert check(path).accepted
            wrong = random.Random(seed).choice(list(prover.sets(own, other, case.left)))
            replies = prover.replies(own | wrong, other, prover.p)
            with pytest.raises(TengenError):
                write_win(path, case.position(turn), turn, (numbers(wrong), replies))
        turn = case.attacker.opponent
        if prover.has_row(other) and prover.defender_rows:
            continue
        replies = prover.replies(own, other, case.left, random.Random(seed))
        if prover.is_lost(own, other, case.left):
            write_win(path, case.position(turn), case.attacker, replies)
            assert check(path).accepted
        else:
            with pytest.raises(TengenError):
                write_win(path, case.position(turn), case.attacker, replies)
            reply = prover.saving_reply(own, other, case.left)
            after = prover.hold(own, other | reply, prover.p)
            write_hold(path, case.position(turn), case.attacker, [((), numbers(reply), after)])
            assert check(path).accepted
