"""Proof files: what is true can be written and is accepted; what is false never is."""

import gzip
import hashlib
import json
import random
import re
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path
from typing import Any

import pytest
from conftest import shared_data
from hypothesis import given, settings
from hypothesis import strategies as st
from reference.positions import RECIPES, quiet_position
from reference.prover import Prover, numbers
from test_cli import Run, run

from tengen import BLACK, WHITE, Colour, Game, Position, Square, TengenError
from tengen.game.symmetry import Symmetry, symmetries
from tengen.prove import (
    MACRO,
    Guide,
    NoProofError,
    check,
    check_rest,
    join,
    write_draw,
    write_hold,
    write_solution,
    write_win,
)
from tengen.prove.small import settle
from tengen.solve import Solution, Strategy, solve

__all__ = ["run"]  # the fixture

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
    found: list[Case] = []
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


def claim_is_true(text: str) -> bool:
    """Whether the header of a small proof tells the truth, by exhaustive search."""
    header = dict(line.split(" ", 1) for line in text.split("\n\n")[0].split("\n")[1:])
    position = Position.parse(
        f"{header['game']} {header['position']} to move: {header['to-move'][0].upper()} {header['left']}"
    )
    game, stones = (
        position.game,
        [sum(1 << s.x + s.y * (position.game.m or 1) for s in position.stones(c)) for c in Colour],
    )
    assert game.m is not None
    assert game.n is not None
    sides = [Colour.parse(header["attacker"])] if header["attacker"] != "-" else list(Colour)
    left = position.stones_left
    for attacker in sides:
        own, other = stones[attacker], stones[attacker.opponent]
        if game.maker_breaker and attacker is WHITE:
            wins = False
        else:
            prover = Prover(game.m, game.n, game.k, game.p, not game.maker_breaker)
            wins = (
                prover.winning_move(own, other, left) is not None
                if position.turn is attacker
                else prover.is_lost(own, other, left)
            )
        if wins != (header["claim"] == "win"):
            return False
    return True


def damaged(rng: random.Random, text: str) -> str:
    """A proof with one thing changed, so that it can still be read."""
    head, _, rest = text.partition("\n\n")
    lines = rest.split("\n")[:-2]
    header = head.split("\n")
    action = rng.randrange(9)
    names = re.findall(r"[A-Z]\d", rest) or ["A1"]
    if action == 0 or not lines:
        which = rng.randrange(2, 7)
        header[which] = {
            2: lambda: re.sub(r" [A-Z]\d", "", header[2], count=1),
            3: lambda: rng.choice(["to-move black", "to-move white"]),
            4: lambda: f"left {rng.randint(0, 3)}",
            5: lambda: rng.choice(["claim win", "claim hold", "claim draw"]),
            6: lambda: rng.choice(["attacker black", "attacker white", "attacker -"]),
        }[which]()
    else:
        i = rng.randrange(len(lines))
        words = lines[i].split(" ")
        depth = int(words[0])
        end = next((j for j in range(i + 1, len(lines)) if int(lines[j].split(" ")[0]) <= depth), len(lines))
        if action == 1:  # a reply or a move cut, with all that follows
            del lines[i:end]
        elif action == 2:  # what follows a move
            del lines[i + 1 : end]
        elif action in (3, 4):  # another square
            which = rng.randrange(1, len(words))
            words[which] = re.sub(r"[A-Z]\d", rng.choice(names), words[which], count=1)
            lines[i] = " ".join(words)
        elif action == 5:
            words[-1] = f"={rng.randint(1, len(lines))}.{rng.randrange(8)}"
            lines[i:end] = [" ".join(words)]
        elif action == 6:
            words[0] = str(max(0, depth + rng.choice([-1, 1])))
            lines[i] = " ".join(words)
        elif action == 7:
            j = rng.randrange(len(lines))
            lines[i], lines[j] = lines[j], lines[i]
        else:
            words[-1] = rng.choice(["x", ".", "-", lines[rng.randrange(len(lines))].split(" ")[-1]])
            lines[i] = " ".join(words)
    return "\n".join(header) + "\n\n" + "\n".join(lines) + "\n"


def test_a_thousand_damages_prove_nothing_false(tmp_path: Path) -> None:
    rng = random.Random(1)
    path = tmp_path / "a.tpf"
    texts = []
    for case in cases(99, 40):
        prover, own, other = case.prover, case.own, case.other
        if prover.winning_move(own, other, case.left) is not None:
            write_win(path, case.position(case.attacker), case.attacker, prover.win(own, other, case.left))
        else:
            write_hold(path, case.position(case.attacker), case.attacker, prover.hold(own, other, case.left))
        texts.append(text_of(path))
    refused = tried = 0
    while tried < 1200:
        original = rng.choice(texts)
        text = damaged(rng, original)
        content = sealed(text)
        if content == original.encode():
            continue
        tried += 1
        path.write_bytes(content)
        if check(path).accepted:
            assert claim_is_true(text), text
        else:
            refused += 1
    assert refused > 700


# The solver's wins


def solved(seed: int, count: int) -> Iterator[Solution]:
    rng = random.Random(seed)
    found = 0
    while found < count:
        recipe = rng.choice(RECIPES)
        m, n, k, p = recipe[:4]
        black, white = ([Square(*s) for s in side] for side in quiet_position(rng, *recipe))
        position = Position.setup(Game(m, n, k, p, 1), black, white, BLACK, p)
        solution = solve(position, rng.choice(["vcdt", "vcst"]) if p > 1 else "vcdt", nodes=20_000)
        if solution.strategy is not None:
            found += 1
            yield solution


def test_the_wins_of_the_solver_are_accepted_and_need_every_reply(tmp_path: Path) -> None:
    rng = random.Random(2)
    path = tmp_path / "a.tpf"
    with_passes = 0
    for solution in solved(3, 60):
        write_solution(path, solution)
        assert check(path).accepted
        text = text_of(path)
        lines = text.split("\n\n")[1].split("\n")[:-2]
        with_passes += any("/" in line for line in lines)
        for i in rng.sample(range(1, len(lines)), min(5, len(lines) - 1)):  # no reply can be spared
            depth = int(lines[i].split(" ")[0])
            end = next((j for j in range(i + 1, len(lines)) if int(lines[j].split(" ")[0]) <= depth), len(lines))
            if not any("=" in line for line in lines):
                path.write_bytes(sealed(text.split("\n\n")[0] + "\n\n" + "\n".join(lines[:i] + lines[end:]) + "\n"))
                verdict = check(path)
                assert not verdict.accepted
                assert "is not answered" in str(verdict.reason)
    assert with_passes > 0


def test_the_course_problems_and_the_zones_of_the_papers(tmp_path: Path) -> None:
    path = tmp_path / "a.tpf"
    for problem in json.loads(shared_data("puzzles.json").read_text())["positions"]:
        solution = solve(Position(moves=["".join(move) for move in problem["moves"]]), zones=True)
        write_solution(path, solution)
        verdict = check(path)
        assert verdict.accepted
        assert [frozenset(zone or ()) for zone in verdict.zones] == [frozenset(map(str, z)) for z in solution.zones]
        first = path.read_bytes()
        write_solution(path, solution)
        assert path.read_bytes() == first


def null_move(text: str) -> Position:
    position = Position.parse(text)
    return Position.setup(position.game, position.stones(BLACK), position.stones(WHITE), BLACK, position.game.p)


def test_the_infinite_board(tmp_path: Path) -> None:
    path = tmp_path / "a.tpf"
    write_solution(path, solve(null_move("Connect(6,2,3) J10L10K11")))
    verdict = check(path)
    assert verdict.accepted
    assert verdict.holds_on_infinite_board
    assert [len(zone or ()) for zone in verdict.zones[:2]] == [30, 63]  # the papers: 62 to 63
    write_solution(path, solve(null_move("Connect(59,59,6,2,3) AD30AF30AE31")))
    assert check(path).holds_on_infinite_board
    write_solution(path, solve(null_move("Connect(19,19,6,2,3) J10L10K11")))
    assert not check(path).holds_on_infinite_board
    # Four in a row with two stones a move: the zones hold every square, so a pass settles nothing there.
    position = Position.parse("Connect(4,2,1) J10")
    strategy: Any = (("J11", "K11"), [])
    with pytest.raises(TengenError, match="infinite board"):
        write_win(path, position, BLACK, [((), 2, strategy)])


def test_references_joins_and_processes(tmp_path: Path) -> None:
    main, part, whole, other = (tmp_path / name for name in ("main.tpf", "part.tpf", "whole.tpf", "other.tpf"))
    solution = max(solved(5, 60), key=lambda s: s.strategy.count() if s.strategy else 0)
    position, side = solution.position, solution.side
    assert solution.strategy is not None
    plain = as_tuples(solution.strategy)
    nodes = write_win(whole, position, side, plain)
    move, replies = plain
    stones, passes, answer = max(replies, key=lambda reply: len(str(reply)))
    rest = [reply for reply in replies if reply[0] != stones]
    write_win(main, position, side, (move, [*rest, (stones, passes, None)]))
    verdict = check(main)
    assert not verdict.accepted
    assert len(verdict.open_leaves) == 1
    leaf = Position.parse(verdict.open_leaves[0])
    for symmetry in symmetries(position.game):  # a part may be turned
        turned = leaf.transformed(symmetry)
        write_win(part, turned, side, turned_strategy(answer, symmetry, position.game))
        assert join(other, main, [part]) == (nodes, 0)
        assert other.read_bytes() == whole.read_bytes()
    assert join(other, main, [whole])[1] == 1
    write_hold(part, Position.parse("Connect(3,3,3,1,1) B: W: to move: B 1"), BLACK, Prover(3, 3, 3, 1).hold(0, 0, 1))
    with pytest.raises(TengenError, match="something else"):
        join(other, main, [part])


def as_tuples(strategy: Strategy) -> Any:
    replies = [(r.move.squares, int(r.move.is_pass), as_tuples(r.answer)) for r in strategy.replies]
    return strategy.move.squares, replies


def turned_strategy(strategy: Any, symmetry: Symmetry, game: Game) -> Any:
    move, replies = strategy

    def turn(squares: Any) -> Any:
        return tuple(symmetry.square(s, game.m or 0, game.n or 0) for s in squares)

    return turn(move), [(turn(s), passes, turned_strategy(a, symmetry, game)) for s, passes, a in replies]


class MirrorProver(Prover):
    """Answers symmetric positions of a board of 4 x 4 in the same way."""

    def answer(self, own: int, other: int) -> Any:
        for symmetry in Symmetry:
            key = tuple(sum(1 << i for i in self.turned(numbers(side), symmetry)) for side in (own, other))
            if key in self.answers and (own, other) not in self.answers:
                self.answers[own, other] = self.turned_tree(self.answers[key], symmetry.inverse)
        return super().answer(own, other)

    def turned(self, squares: list[int], symmetry: Symmetry) -> list[int]:
        turned = (symmetry.square(Square(i % 4, i // 4), 4, 4) for i in squares)
        return [s.x + 4 * s.y for s in turned]

    def turned_tree(self, tree: Any, symmetry: Symmetry) -> Any:
        move, replies = tree
        return self.turned(move, symmetry), [
            (self.turned(stones, symmetry), passes, self.turned_tree(answer, symmetry))
            for stones, passes, answer in replies
        ]


def test_symmetric_subtrees_are_written_once_and_processes_agree(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = tmp_path / "a.tpf"
    position = Position.parse("Connect(4,4,3,1,1) maker-breaker B: W: to move: B 1")
    nodes = write_win(path, position, BLACK, MirrorProver(4, 4, 3, 1, defender_rows=False).win(0, 0, 1))
    text = text_of(path)
    assert re.search(r"=\d+\.[1-7]\n", text)
    alone = check(path)
    assert alone.accepted
    monkeypatch.setattr("tengen.prove.parallel._WORTH_IT", 10)
    monkeypatch.setattr("tengen.prove.parallel.check_alone", None)
    together = check(path, jobs=2)
    assert (together.accepted, together.zones, together.nodes) == (True, alone.zones, nodes)
    monkeypatch.undo()
    monkeypatch.setattr("tengen.prove.parallel._WORTH_IT", 10)
    rng = random.Random(4)
    for number in range(150):
        changed = damaged(rng, text)
        path.write_bytes(sealed(changed))
        one = check(path)
        assert not one.accepted or claim_is_true(changed)
        if number < 12:
            two = check(path, jobs=2)
            assert (one.accepted, one.reason, one.node) == (two.accepted, two.reason, two.node)


def test_macro_replies(tmp_path: Path) -> None:
    """One answer to several defences: the attacker may give the defender all their stones at once."""
    path = tmp_path / "a.tpf"
    position = Position.parse("B: C3 D3 E3 F3 C10 D10 E10 C16 D16 E16 W: A19 S19 S1 A1 to move: W 2")
    defences = [("B3", "G3"), ("B3", "H3"), ("A3", "G3")]
    answer: Any = (("F10", "F16"), [])
    single = [(defence, 0, answer) for defence in defences]
    write_win(path, position, BLACK, single)
    assert check(path).accepted
    write_win(path, position, BLACK, [(("A3", "B3", "G3", "H3"), MACRO, answer)])
    verdict = check(path)
    assert verdict.accepted
    assert verdict.nodes == 1
    with pytest.raises(TengenError, match="not answered"):
        write_win(path, position, BLACK, [(("B3", "G3", "H3"), MACRO, answer)])
    # The stones given must not make a row themselves.
    crowded = Position.parse("B: C3 D3 E3 F3 C10 D10 E10 C16 D16 E16 W: G4 G5 G6 to move: W 2")
    with pytest.raises(TengenError, match="completes a row"):
        write_win(path, crowded, BLACK, [(("G1", "G2", "A3", "B3", "G3", "H3"), MACRO, answer)])


# Holds and draws


def test_tic_tac_toe_is_a_draw_and_five_by_five_is_held_by_pairs(tmp_path: Path) -> None:
    path = tmp_path / "a.tpf"
    prover = Prover(3, 3, 3, 1)
    reply = prover.saving_reply(0, 0, 1)
    against_white = [((), numbers(reply), prover.hold(0, reply, 1))]
    write_draw(path, Position.parse("tic-tac-toe B: W: to move: B 1"), prover.hold(0, 0, 1), against_white)
    assert check(path).accepted
    cut = text_of(path).split("\n0 ")
    path.write_bytes(sealed("\n0 ".join(cut[:-1]) + "\n"))
    assert not check(path).accepted
    rows = ["11 1 8 1 12", "6 2 2 9 10", "3 7 * 9 3", "6 7 4 4 10", "12 5 8 5 11"]  # Hales and Jewett
    marks = [mark for row in rows for mark in row.split()]
    pairs = [tuple(i for i, mark in enumerate(marks) if mark == str(number)) for number in range(1, 13)]
    empty = Position.parse("Connect(5,5,5,1,1) B: W: to move: B 1")
    assert write_hold(path, empty, BLACK, ("pairs", pairs)) == 1
    assert check(path).accepted
    with pytest.raises(TengenError, match="no pair"):
        write_hold(path, empty, BLACK, ("pairs", pairs[1:]))
    two_first = Position.parse("Connect(5,5,5,1,2) B: W: to move: B 2")
    with pytest.raises(TengenError, match="one stone at a time"):
        write_hold(path, two_first, BLACK, ("pairs", pairs))


def test_a_hold_without_rows_of_the_defender_is_judged_as_one(tmp_path: Path) -> None:
    path = tmp_path / "a.tpf"
    settlement = settle(Position.parse("tic-tac-toe"))
    settlement.write_proof(path)
    text = text_of(path)
    assert re.findall(r"\n0 (.)", text) == ["-", "~"]  # White holds by threats, Black without
    assert check(path).accepted
    path.write_bytes(sealed(text.replace("\n0 - ", "\n0 ~ ")))
    assert not check(path).accepted
    with pytest.raises(TengenError):
        write_hold(path, settlement.position, BLACK, ("without rows", settlement.holds[BLACK]))
    # Where rows count, more squares are alive, and moves there have to be answered, too.
    settle(Position.parse("Connect(4,4,4,1,1) B: D1 W: C4 to move: B 1")).write_proof(path)
    assert check(path).accepted
    path.write_bytes(sealed(text_of(path).replace("\n0 ~ ", "\n0 - ")))
    assert not check(path).accepted
    # A breaker has no rows that could count.
    maker_breaker = settle(Position.parse("Connect(4,4,4,1,1) maker-breaker"))
    maker_breaker.write_proof(path)
    path.write_bytes(sealed(text_of(path).replace("\n0 - ", "\n0 ~ ", 1)))
    refusal = check(path)
    assert not refusal.accepted
    assert refusal.reason is not None
    assert "first line" in refusal.reason


# Strangers' files


def test_hostile_files_are_refused_in_time(tmp_path: Path) -> None:
    path = tmp_path / "a.tpf"
    write_solution(path, solve(null_move("Connect(19,19,6,2,3) J10L10K11")))
    packed, text = path.read_bytes(), text_of(path)
    head = text.split("\n\n")[0]
    for content in (b"", b"\x1f\x8b", b"rubbish", b"tengen-proof 2\n", bytes(1000), gzip.compress(bytes(1 << 20))):
        path.write_bytes(content)
        with suppress(NoProofError):
            assert not check(path).accepted
    bad = [packed[:-20], packed + b"rubbish", text.encode() + b"more\n", text[:-30].encode(), packed[:50] + packed[60:]]
    for change in (
        ("left 2", "left 99999"),
        ("left 2", "left -1"),
        ("Connect(19,19,6,2,3)", "Connect(19,19,6,99,99)"),
        ("Connect(19,19,6,2,3)", "Connect(9999999,19,6,2,3)"),
        ("Connect(19,19,6,2,3)", "Connect(64,32,32)"),
        ("Connect(19,19,6,2,3)", "Connect(6,2,3)\ngame Connect(6,2,3)"),
        ("J10", "J010"),
        ("J10", "ZZZZ99999"),
        ("attacker black", "attacker grey"),
        ("claim win", "claim " + "w" * (1 << 21)),
    ):
        bad.append(sealed(text.replace(*change)))
    for body in (
        "0 - " + "A1" * 300_000,
        "9" * 400 + " - A1",
        "\xff\x00",
        "0 - =1.0",
        "0 - =99999999999999.0",
        "x" * 9,
    ):
        bad.append(sealed(f"{head}\n\n{body}\n"))
    for p in (8, 32):  # a great many defences
        wide = f"tengen-proof 1\ngame Connect(19,19,{p},{p},{p})\nposition B: W:\nto-move white\nleft {p}\nclaim win"
        bad.append(sealed(f"{wide}\nattacker black\n\n1 /{p} A1\n"))
        bad.append(sealed(f"{wide}\nattacker black\n\n"))
    endless = head.replace("Connect(19,19,6,2,3)", "Connect(6,2,3)").replace("to-move black", "to-move white")
    bad.append(sealed(f"{endless.replace('left 2', 'left 0')}\n\n"))  # his move has not begun, or it is over
    for content in bad:
        path.write_bytes(content)
        verdict = check(path)
        assert not verdict.accepted
        assert verdict.reason


@settings(max_examples=150)
@given(st.data())
def test_noise_is_refused_or_no_proof(tmp_path_factory: pytest.TempPathFactory, data: st.DataObject) -> None:
    path = tmp_path_factory.getbasetemp() / "noise.tpf"
    head = "tengen-proof 1\ngame Connect(5,5,4,1,1)\nposition B: C3 W: A1\nto-move black\nleft 1\n"
    claim = data.draw(
        st.sampled_from(["claim win\nattacker black", "claim hold\nattacker white", "claim draw\nattacker -"])
    )
    body = data.draw(st.text(st.sampled_from("0123 -A1B2C3/+=.?x,\n"), max_size=60) | st.text(max_size=40))
    path.write_bytes(sealed(f"{head}{claim}\n\n{body}\n"))
    assert not check(path).accepted
    path.write_bytes(data.draw(st.binary(max_size=80)))
    with suppress(NoProofError):
        assert not check(path).accepted  # two bytes are enough to look like a packed file that ends too soon


# The command line


def test_what_is_no_proof_file_is_an_error_of_the_house_and_of_the_checker(tmp_path: Path) -> None:
    path = tmp_path / "a.tpf"
    path.write_text("hello")
    for read in (check, check_rest, lambda path: join(tmp_path / "b.tpf", path, []), Guide):
        with pytest.raises(TengenError, match="no proof file") as caught:
            read(path)
        assert isinstance(caught.value, NoProofError)


def test_check_join_and_solve_with_a_proof(run: Run, tmp_path: Path) -> None:
    proof = str(tmp_path / "a.tpf")
    code, _, _ = run("solve", "Connect(4,3,3,1,1) B2 A1", "--proof", proof)
    assert code == 0
    code, out, _ = run("check", proof)
    assert (code, "accepted (1 node, " in out) == (0, True)
    code, out, _ = run("check", proof, "--json")
    assert (code, json.loads(out)["accepted"]) == (0, True)
    Path(proof).write_bytes(sealed(text_of(Path(proof)).replace("C2\n", "D1\n")))
    code, out, _ = run("check", proof)
    assert (code, "refused" in out, "at node 1: D1" in out) == (1, True, True)
    assert run("check", str(ROOT / "README.md"))[0] == 3
    assert run("check", str(tmp_path / "none.tpf"))[0] == 4
    # Every file has its verdict, whatever the others are, and the worst of them is the exit code.
    names = [str(ROOT / "README.md"), str(tmp_path / "none.tpf"), proof]
    code, out, err = run("check", *names, "--json")
    found = [json.loads(line) for line in out.splitlines()]
    assert (code, [one["file"] for one in found]) == (4, names)
    assert ["error" in one for one in found] == [True, True, False]
    assert not any(one["accepted"] for one in found)
    assert "README.md: it is no proof" in err
    assert run("check", names[0], proof)[0] == 3
    position = Position.parse("Connect(4,3,3,1,1) B2 A1")
    write_win(tmp_path / "open.tpf", position, BLACK, None)
    code, out, _ = run("check", str(tmp_path / "open.tpf"))
    assert (code, "open: Connect(4,3,3,1,1) B: B2 W: A1 to move: B" in out) == (1, True)
    write_solution(tmp_path / "part.tpf", solve(position))
    code, out, _ = run("join", str(tmp_path / "out.tpf"), str(tmp_path / "open.tpf"), str(tmp_path / "part.tpf"))
    assert (code, "0 open" in out) == (0, True)
    assert run("check", str(tmp_path / "out.tpf"))[0] == 0
    to_defend = solve(Position.parse("Connect(6,2,3) J10L10K11"), side=BLACK)
    with pytest.raises(TengenError, match="after a pass"):
        write_solution(proof, to_defend)
