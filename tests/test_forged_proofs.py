"""Attempts to have the checker accept what is false, or to wear it out."""

import gzip
import hashlib
import random
from itertools import combinations
from pathlib import Path

import pytest
from reference.prover import Prover
from test_checking_together import BODY, HEAD
from test_prove import cases, sealed

from tengen.prove import check, check_rest
from tengen.prove.check import MAX_LEAF_LETTERS
from tengen.prove.checker import file
from tengen.prove.checker.board import Board, Zones, bits
from tengen.prove.checker.file import Header
from tengen.prove.checker.text import Refused
from tengen.prove.checker.win import Node, WinWalk


class Forger:
    """Looks for any answers that the checker's rules accept, with passes, without them, and with macro replies."""

    def __init__(self, rng: random.Random, walk: WinWalk) -> None:
        self.rng, self.walk, self.board = rng, walk, walk.board
        self.tries = 300

    def attack(self, own: int, other: int, left: int) -> Zones | None:
        """The zones of a position with the attacker to move, if he seems to win it."""
        moves = list(combinations(bits(self.board.plain & ~(own | other)), left)) if left else []
        self.rng.shuffle(moves)
        for move in moves[:40]:
            self.tries -= 1
            squares = sum(1 << square for square in move)
            if self.tries > 0 and (zones := self.defence(own | squares, other)) is not None:
                one, two, three = (zone | squares for zone in zones)
                return one, two, three
        return None

    def defence(self, own: int, other: int, left: int | None = None) -> Zones | None:
        board = self.board
        stones = board.move_size(own | other) if left is None else left
        node = Node(0, "", "", board.in_lines(own), board.in_lines(other), stones)
        try:
            for reply, passes in self.walk.ask(node):
                if passes and self.rng.random() < 0.15:
                    continue
                if (zones := self.after(own, other | reply)) is not None:
                    node.answers[reply] = zones
                elif passes == 0 and not any(not reply & ~stones for stones, _ in node.macros):
                    empty = bits(board.plain & ~(own | other | reply))
                    macro = reply | sum(1 << s for s in self.rng.sample(empty, min(len(empty), self.rng.randint(1, 2))))
                    if (zones := self.after(own, other | macro)) is None:
                        return None
                    node.macros.append((macro, zones))
            return self.walk.judge(node)
        except Refused:
            return None

    def after(self, own: int, other: int) -> Zones | None:
        return self.attack(own, other, self.board.move_size(own | other))


def is_irrelevant(stones: list[int], zones: Zones, board: Board) -> bool:
    return all(sum(board.in_plain(zone) >> s & 1 for s in stones) < i for i, zone in enumerate(zones, 1))


def is_won(prover: Prover, own: int, other: int, left: int, moves: bool) -> bool:
    if prover.defender_rows and prover.has_row(other):
        return False
    return prover.winning_move(own, other, left) is not None if moves else prover.is_lost(own, other, left)


@pytest.mark.parametrize("seed", range(3))
def test_no_answers_prove_what_is_false(seed: int) -> None:
    rng = random.Random(seed)
    won = seemed_won = 0
    for case in cases(seed, 400):
        game, own, other, left = case.game, case.own, case.other, case.left
        assert game.m is not None
        assert game.n is not None
        board = Board(game.m, game.n, game.k, game.p)
        empty = bits(board.plain & ~(own | other))
        for square in rng.sample(empty, max(0, len(empty) - 7)):
            own, other = (own | 1 << square, other) if rng.random() < 0.4 else (own, other | 1 << square)
        prover = Prover(game.m, game.n, game.k, game.p, not game.maker_breaker)
        if prover.has_row(own) or prover.has_row(other):
            continue
        moves = rng.random() < 0.5

        turn = "black" if moves else "white"
        header = Header(
            str(game), game.m, game.n, game.k, game.p, game.maker_breaker, ((), ()), turn, left, "win", "black"
        )
        forger = Forger(rng, WinWalk(board, header, set()))
        zones = forger.attack(own, other, left) if moves else forger.defence(own, other, left)
        won, seemed_won = won + is_won(prover, own, other, left, moves), seemed_won + (zones is not None)
        if zones is None:
            continue
        for count in range(4):
            for extra in combinations(bits(board.plain & ~(own | other)), count):
                if is_irrelevant(list(extra), zones, board):
                    more = other | sum(1 << square for square in extra)
                    assert is_won(prover, own, more, left, moves), (game, own, other, turn, left, extra)
    assert seemed_won > 0.9 * won > 20


@pytest.mark.parametrize(
    ("head", "body"),
    [
        (HEAD, BODY.replace("1 /1 B1", "1 -/1 B1")),
        (HEAD.replace("claim win", "claim hold"), "0 -  ."),
        (HEAD.replace("claim win", "claim hold"), "0  - ."),
    ],
)
def test_no_proof_is_written_in_two_ways(tmp_path: Path, head: str, body: str) -> None:
    path = tmp_path / "p.tpf"
    path.write_bytes(sealed(f"{head}{body}\n"))
    assert "is no" in str(check(path).reason) or "the first line" in str(check(path).reason)


def test_a_rest_that_leaves_the_whole_position_open(tmp_path: Path) -> None:
    path = tmp_path / "p.tpf"
    path.write_bytes(sealed(f"{HEAD}0 - ?\n"))
    assert check_rest(path) == "the reply - is left open"


# What would wear it out

FAR_APART = """tengen-proof 1
game Connect({},1)
position B: A1 IV256 W: C3
to-move {}
left 1
claim win
attacker black

"""


def test_more_threats_than_there_is_memory_for(tmp_path: Path) -> None:
    path = tmp_path / "p.tpf"
    path.write_bytes(sealed(FAR_APART.format("32,32", "white").replace(",1)", ",1) maker-breaker")))
    assert check(path).reason == "there are too many threats"


@pytest.mark.parametrize("line", ["1 {}E5 F6G6", "1 E5F5 ={}.0"])
def test_more_replies_or_references_than_there_is_memory_for(tmp_path: Path, line: str) -> None:
    squares = (f"{column}{row}" for row in range(1, 256) for column in "HJKLMNOPQRSTUVWXYZABCDEFG"[:12] * 6)
    names = [str(number) if "=" in line else square for number, square in enumerate(squares, 1)]
    lines = "\n".join(line.format(name) for name in names)
    path = tmp_path / "p.tpf"
    path.write_bytes(sealed(f"{FAR_APART.format('64,2', 'white')}{lines}\n"))
    for jobs in (1, 2):
        assert "than this checker holds" in str(check(path, jobs=jobs).reason)


def test_packed_files_that_never_end(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = tmp_path / "p.tpf"
    path.write_bytes(gzip.compress(HEAD.encode() + b"1 A1 A2\n" * 100_000))
    monkeypatch.setattr(file, "MAX_NODES", 1_000)
    assert check(path).reason == "it has more than 1,000 nodes"
    monkeypatch.setattr(file, "MAX_BYTES", 1_000)
    assert "larger than any" in str(check(path).reason)


def test_long_positions_are_not_shown_a_thousand_times(tmp_path: Path) -> None:
    stones = " ".join(f"{column}{row}" for row in range(3, 250) for column in "ACEGIKMOQSUWY")
    head = FAR_APART.format("64,2", "white").replace("W: C3", f"W: {stones}")
    lines = "\n".join(f"1 B{row}/1 ?" for row in range(1, 256)).replace("left 1", "left 2")
    path = tmp_path / "p.tpf"
    path.write_bytes(sealed(f"{head}{lines}\n"))
    assert 0 < sum(map(len, check(path).open_leaves)) < 2 * MAX_LEAF_LETTERS


def breaker(*lines: str) -> bytes:
    body = "\n".join(("tengen-breaker 1", *lines)) + "\n"
    return f"{body}end {len(lines) + 1} {hashlib.sha256(body.encode()).hexdigest()}\n".encode()


@pytest.mark.parametrize(
    ("claim", "lines", "reason"),
    [
        ("9999,1", ["period 9999 0 26", *(f"tile 0,{y} 1,{y}" for y in range(26))], "beyond this checker"),
        ("11,1", ["symmetry 1 2"] * 1_001, "at most 999 lines"),
    ],
)
def test_breakers_that_take_too_long(tmp_path: Path, claim: str, lines: list[str], reason: str) -> None:
    path = tmp_path / "b.tbs"
    path.write_bytes(breaker(f"claim Connect({claim})", "squares 2", "line 1 2", *lines, ""))
    assert reason in str(check(path).reason)
