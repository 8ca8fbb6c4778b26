"""Writing proofs: macro replies at any depth, progress, and what an interruption leaves behind."""

import random
import re
from collections.abc import Callable, Iterable
from dataclasses import replace
from functools import partial
from io import BytesIO
from pathlib import Path
from typing import Any

import pytest
from reference.prover import Prover
from test_prove import as_tuples, null_move, sealed, solved, text_of

from tengen import BLACK, WHITE, Game, Move, Position, Square, TengenError
from tengen.prove import MACRO, check, defend, join, settle, verifier, write_hold, write_rest, write_solution, write_win
from tengen.prove.checker.board import Board
from tengen.prove.checker.file import Survey
from tengen.prove.join import _Filler, read_tree
from tengen.prove.tree import Images, Seen, Tree, run
from tengen.solve import Reply, Strategy, solve

LOST = Position.parse("Connect(9,9,5,2,3) E5E6F5")
WON = null_move("Connect(19,19,6,2,3) J10L10K11")

# Macro replies


def merged(position: Position, strategy: Strategy) -> Strategy:
    """The strategy with one answer to all full replies at once, wherever Black wins even so.

    Below a pass nothing is merged: larger zones would ask for more replies than there are.
    """
    own, other = [*position.stones(BLACK), *strategy.move], position.stones(WHITE)

    def after(stones: Iterable[Square]) -> Position:
        return Position.setup(position.game, own, [*other, *stones], BLACK, position.game.p)

    passes = [reply for reply in strategy.replies if reply.move.is_pass]
    full = [reply for reply in strategy.replies if not reply.move.is_pass]
    stones = sorted({square for reply in full for square in reply.move})
    all_at_once = after(stones)
    if len(full) > 1 and not all_at_once.is_over and (answer := solve(all_at_once, nodes=20_000).strategy):
        full = [Reply(Move(stones), merged(all_at_once, answer))]
    else:
        full = [Reply(reply.move, merged(after(reply.move), reply.answer)) for reply in full]
    return Strategy(strategy.move, (*passes, *full))


def with_macros(strategy: Strategy, p: int) -> Any:
    """As `write_win` takes it."""
    return strategy.move.squares, [
        (reply.move.squares, MACRO if len(reply.move) > p else int(reply.move.is_pass), with_macros(reply.answer, p))
        for reply in strategy.replies
    ]


def spoiled(strategy: Strategy, p: int, rng: random.Random) -> Strategy:
    """The strategy with one square less in one of its macro replies."""
    macros = []
    stack = [strategy]
    while stack:
        node = stack.pop()
        macros += [reply for reply in node.replies if len(reply.move) > p]
        stack += [reply.answer for reply in node.replies]
    chosen = rng.choice(macros)
    rest = rng.sample(chosen.move.squares, len(chosen.move) - 1)

    def copied(node: Strategy) -> Strategy:
        replies = [Reply(Move(rest) if reply is chosen else reply.move, copied(reply.answer)) for reply in node.replies]
        return Strategy(node.move, tuple(replies))

    return copied(strategy)


def test_macro_replies_at_any_depth(tmp_path: Path) -> None:
    rng = random.Random(8)
    path, other = tmp_path / "a.tpf", tmp_path / "b.tpf"
    deep = smaller = 0
    for solution in solved(21, 60):
        if solution.found != "vcdt" or solution.strategy is None:
            continue
        position, p = solution.position, solution.position.game.p
        strategy = merged(position, solution.strategy)
        nodes = write_win(path, position, BLACK, with_macros(strategy, p))
        verdict = check(path)
        assert verdict.accepted, verdict.reason
        write_solution(other, replace(solution, explain=partial(merged, position, solution.strategy)))
        assert other.read_bytes() == path.read_bytes()
        depths = [int(depth) for depth in re.findall(r"^(\d+) \+", text_of(path), re.MULTILINE)]
        deep += len(set(depths)) > 1
        smaller += nodes < write_win(other, position, BLACK, as_tuples(solution.strategy))
        if depths:
            with pytest.raises(TengenError, match="not answered"):
                write_win(other, position, BLACK, with_macros(spoiled(strategy, p, rng), p))
    assert deep > 3
    assert smaller > 3


# Progress


def writers() -> dict[str, Callable[..., int]]:
    """Each writes one proof, given a path and `progress`."""
    win = solve(WON)
    hold = Prover(3, 3, 3, 1).hold(0, 0, 1)
    start = Position.parse("Connect(3,3,3,1,1) B: W: to move: B 1")
    defence = defend(LOST)
    return {
        "win": lambda path, **options: write_win(path, LOST, BLACK, defence.replies, **options),
        "solution": lambda path, **options: write_solution(path, win, **options),
        "hold": lambda path, **options: write_hold(path, start, BLACK, hold, **options),
        "defence": defence.write_proof,
        "settled win": settle(Position(Game(3, 4, 3, 1, 1))).write_proof,
        "settled draw": settle(Position(Game(4, 4, 4, 1, 1))).write_proof,
    }


@pytest.mark.parametrize("name", list(writers()))
def test_writers_tell_how_far_they_are(name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("tengen.prove.writer._BETWEEN_REPORTS", 1)
    write = writers()[name]
    quiet, told = tmp_path / "quiet.tpf", tmp_path / "told.tpf"
    reports: list[tuple[int, int]] = []
    assert write(told, progress=lambda done, total: reports.append((done, total))) == write(quiet)
    assert told.read_bytes() == quiet.read_bytes()
    assert check(told).accepted
    assert len(reports) > 1
    assert reports == sorted(reports)
    (total,) = {total for _, total in reports}
    assert reports[0][0] < total
    assert reports[-1] == (total, total)


def test_joining_tells_how_far_it_is(tmp_path: Path) -> None:
    names = [tmp_path / name for name in ("out.tpf", "open.tpf", "part.tpf")]
    write_win(names[1], WON, BLACK, None)
    write_solution(names[2], solve(WON))
    reports: list[tuple[int, int]] = []
    nodes, still_open = join(names[0], names[1], names[2:], progress=lambda *report: reports.append(report))
    assert (nodes > 1, still_open) == (True, 0)
    assert reports[-1][0] == reports[-1][1] > 0


@pytest.mark.parametrize("name", ["win", "hold"])
def test_an_interruption_leaves_the_file_as_it_was(name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("tengen.prove.writer._BETWEEN_REPORTS", 1)
    path = tmp_path / "a.tpf"

    def interrupt(done: int, total: int) -> None:
        if done > total // 2:
            raise KeyboardInterrupt

    for before in (None, b"something else"):
        if before is not None:
            path.write_bytes(before)
        with pytest.raises(KeyboardInterrupt):
            writers()[name](path, progress=interrupt)
        assert [file.read_bytes() for file in tmp_path.iterdir()] == ([] if before is None else [before])


# The infinite board


def test_a_loss_on_the_infinite_board_is_judged_once(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    calls: list[Any] = []

    def counted(*arguments: Any, **options: Any) -> int:
        calls.append(arguments)
        return write_rest(*arguments, **options)

    monkeypatch.setattr(verifier, "write_rest", counted)
    found = defend(Position.parse("Connect(5,2,3) J10J11K10"))
    assert found.result == "loss"
    path = tmp_path / "a.tpf"
    nodes = found.write_proof(path)
    assert len(calls) == 1
    verdict = check(path)
    assert (verdict.accepted, verdict.nodes, verdict.holds_on_infinite_board) == (True, nodes, True)
    again = BytesIO()
    write_win(again, found.position, BLACK, found.replies)
    assert again.getvalue() == path.read_bytes()


def test_strategies_that_reach_too_far(tmp_path: Path) -> None:
    position = Position.parse("Connect(5,2,3) J10J11K10")
    far = (Square(9 + 300, 9), Square(10 + 300, 9))
    with pytest.raises(TengenError, match="apart"):
        write_win(tmp_path / "a.tpf", position, BLACK, [(far, 0, (("L10", "M10"), []))])
    assert not list(tmp_path.iterdir())


def test_answers_stay_what_they_were_when_the_position_is_played_on(tmp_path: Path) -> None:
    won, lost, small = WON.copy(), LOST.copy(), Position(Game(3, 3, 3, 1, 1))
    solution, defence, settlement = solve(won), defend(lost), settle(small)
    expected = solution.as_json(), defence.as_json(), str(settlement.position)
    assert solution.first_move is not None
    won.play(solution.first_move)
    lost.play(next(lost.legal_moves()))
    small.play("A1")
    assert (solution.as_json(), defence.as_json(), str(settlement.position)) == expected
    assert solution.record().moves()[-1] == solution.line[-1]
    assert write_solution(tmp_path / "win.proof", solution) > 0
    assert defence.write_proof(tmp_path / "loss.proof") > 0
    assert settlement.write_proof(tmp_path / "draw.proof") > 0


# Parts that many share


def different_parts(tree: Tree | None) -> int:
    seen: set[int] = set()
    stack = [tree]
    while stack:
        node = stack.pop()
        if node is not None and id(node) not in seen:
            seen.add(id(node))
            stack += node.answers.values()
    return len(seen)


def test_images_of_what_is_shared_are_shared() -> None:
    board = Board(9, 9, 5, 2)
    tree, images = Tree(1, {}), Images(board)
    for level in range(1, 14):  # each level refers to two images of the one before
        tree = Tree(1 << level, {(2, False): images.of(tree, 1), (4, False): images.of(tree, 6)})
        assert different_parts(images.of(tree, 3)) <= 8 * level + 1
    assert images.of(images.of(tree, 5), 6) is tree


@pytest.mark.parametrize("first", range(8))
@pytest.mark.parametrize("second", range(8))
def test_images_in_several_steps_are_right(first: int, second: int) -> None:
    board = Board(9, 9, 5, 2)
    tree = Tree(1, {(6, False): Tree(1 << 40, {(1 << 20, True): None}), (1 << 17, False): Tree(3, {})})
    images = Images(board)
    expected = images_one_by_one(images_one_by_one(tree, board, first), board, second)
    assert images.of(images.of(tree, first), second) == expected


def images_one_by_one(tree: Tree, board: Board, symmetry: int) -> Tree:
    answers = {
        (board.image(stones, symmetry), macro): images_one_by_one(answer, board, symmetry) if answer else None
        for (stones, macro), answer in tree.answers.items()
    }
    return Tree(board.image(tree.move, symmetry), answers)


def proof_text(*body: str) -> bytes:
    head = (
        "tengen-proof 1\ngame Connect(9,9,5,2,1)\nposition B: W:\nto-move black\nleft 1\nclaim win\nattacker black\n\n"
    )
    return sealed(head + "\n".join(body) + "\n")


def test_a_proof_that_refers_back_and_back_again_is_read_once(tmp_path: Path) -> None:
    path = tmp_path / "a.tpf"
    lines = ["0 - E5", "1 A1 A2"]
    for level in range(16):
        before = len(lines) - 2 if level else 2
        lines += [f"1 {'ABCDEFGH'[level % 8]}{3 + level // 8} E6", f"2 B1 ={before}.0", f"2 C1 ={before}.0"]
    path.write_bytes(proof_text(*lines))
    survey = Survey(path)
    tree = read_tree(path, survey, survey.board())
    assert different_parts(tree) == 18
    assert different_parts(run(_Filler(Seen(survey.board())).filled(tree, 0, 0))) < 1000


@pytest.mark.parametrize(
    "lines",
    [
        [f"{'9' * 5000} - E5"],
        ["0 - E5", "1 A1 A2", f"1 A2 ={'9' * 5000}.0"],
        ["0 - E5", "1 A1 A2", f"1 A2 =2.{'9' * 5000}"],
        ["0 - E5", "1 A1 =1.0"],
    ],
    ids=["depth", "number", "symmetry", "itself"],
)
def test_joining_what_is_damaged_is_refused(tmp_path: Path, lines: list[str]) -> None:
    path = tmp_path / "a.tpf"
    path.write_bytes(proof_text(*lines))
    with pytest.raises(TengenError, match=r"line \d of the body"):
        join(tmp_path / "out.tpf", path, [])
