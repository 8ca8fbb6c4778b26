"""Fills the open leaves of a proof with other proofs."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path

from tengen.game import TengenError
from tengen.prove.checker.board import Board
from tengen.prove.checker.file import Survey, body
from tengen.prove.checker.text import Refused
from tengen.prove.tree import Call, Seen, Tree, run, turned
from tengen.prove.writer import Report, write_tree


def join(
    path: str | Path, main: str | Path, parts: Iterable[str | Path], *, progress: Report | None = None
) -> tuple[int, int]:
    """Fills the open leaves of a proof of a win with other proofs; returns the nodes, and the leaves that stay open.

    A part fits where its first position equals the leaf's, mirrored or rotated.

    Args:
        path: the file to write.
        main: the proof with open leaves.
        parts: the other proofs.
        progress: called now and then with the parts of the strategy that are dealt with, and all of them.

    Raises:
        NoProofError: if a file is no proof.
        TengenError: if a file is damaged or proves something else.
        OSError: if a file cannot be read or written.
    """
    names = [main, *parts]
    try:
        surveys = [Survey(name) for name in names]
        header = surveys[0].header
        for name, survey in zip(names, surveys, strict=True):
            other = survey.header
            if other.claim != "win" or (other.game, other.attacker) != (header.game, header.attacker):
                raise TengenError(
                    f"{name} proves something else than {main}: game, attacker and claim must be the same"
                )
            if survey is not surveys[0] and other.turn != other.attacker:
                raise TengenError(f"{name} begins with the defender to move; a leaf has the attacker to move")
        for survey in surveys[1:]:  # one window for all, on the infinite board
            ours, its = surveys[0].box, survey.box
            surveys[0].box = min(ours[0], its[0]), min(ours[1], its[1]), max(ours[2], its[2]), max(ours[3], its[3])
        board = surveys[0].board()
        pool = Seen(board)
        for name, survey in zip(names[1:], surveys[1:], strict=True):
            own, defending = survey.header.sides(board, header.attacker)
            if survey.header.left == board.move_size(own | defending):
                pool.add(pool.key(own, defending), own, defending, read_tree(name, survey, board), 0)
        own, defending = header.sides(board, header.attacker)
        tree = read_tree(main, surveys[0], board)
        tree = run(_filled(tree, own, defending, pool, header.turn == header.attacker))
    except Refused as refusal:
        raise TengenError(str(refusal)) from refusal
    output = write_tree(path, header, board, tree, progress)
    return output.nodes, output.open


def _filled(tree: Tree | None, own: int, other: int, pool: Seen, is_answer: bool) -> Call:
    """Returns the tree with its open leaves filled from the pool, as far as that has them."""
    if tree is None:
        found = pool.find(pool.key(own, other), own, other) if is_answer else None
        if found is None:
            return None
        part, _, symmetry = found
        tree = run(turned(part, pool.board, symmetry))
    answers = {}
    for (stones, macro), answer in tree.answers.items():
        answers[stones, macro] = yield _filled(answer, own | tree.move, other | stones, pool, True)
    return Tree(tree.move, answers)


def read_tree(path: str | Path, survey: Survey, board: Board) -> Tree | None:
    """The strategy of a proof of a win, open leaves included.

    Raises:
        Refused: if a line is not written as it must be. Nothing else is judged.
    """
    numbered: dict[int, Tree] = {}
    top = Tree(0, {})
    starts = survey.header.turn == survey.header.attacker
    above = [top] if starts else [Tree(0, {}), top]  # by depth, to what a line belongs
    for number, text in body(path):
        words = text.split(" ")
        if len(words) != 3 or not words[0].isdecimal() or int(words[0]) >= len(above):
            raise Refused(f"line {number} of the body of {path} is not written as it must be")
        del above[int(words[0]) + 1 :]
        stones = board.parse(words[1].strip("+").split("/")[0] or "-")[0] & board.plain
        answer: Tree | None = None
        if words[2].startswith("="):
            earlier, _, symmetry = words[2][1:].partition(".")
            if not earlier.isdecimal() or int(earlier) not in numbered or not symmetry.isdecimal():
                raise Refused(f"line {number} of the body of {path} refers to nothing")
            answer = run(turned(numbered[int(earlier)], board, int(symmetry)))
        elif words[2] != "?":
            answer = numbered[number] = Tree(board.parse(words[2])[0] & board.plain, {})
        above[-1].answers[stones, words[1].startswith("+")] = answer
        if answer is not None and not words[2].startswith("="):
            above.append(answer)
    return next(iter(top.answers.values()), None) if starts else top
