"""Fills the open leaves of a proof with other proofs."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path

from tengen.game import TengenError
from tengen.prove.checker.board import Board
from tengen.prove.checker.file import Header, Survey, body
from tengen.prove.checker.text import NUMBER, REFERENCE, Refused
from tengen.prove.checking import telling_no_proof
from tengen.prove.tree import Call, Images, Seen, Tree, run
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
    with telling_no_proof():
        header, board, tree = _joined(names)
    output = write_tree(path, header, board, tree, progress)
    return output.nodes, output.open


def _joined(names: list[str | Path]) -> tuple[Header, Board, Tree | None]:
    """The first proof, its open leaves filled from the others."""
    try:
        surveys = [Survey(name) for name in names]
        header = surveys[0].header
        for name, survey in zip(names, surveys, strict=True):
            other = survey.header
            if other.claim != "win" or (other.game, other.attacker) != (header.game, header.attacker):
                raise TengenError(
                    f"{name} proves something else than {names[0]}: game, attacker and claim must be the same"
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
        tree = read_tree(names[0], surveys[0], board)
        tree = run(_Filler(pool).filled(tree, own, defending))
    except Refused as refusal:
        raise TengenError(str(refusal)) from refusal
    return header, board, tree


class _Filler:
    """Fills open leaves from a pool."""

    def __init__(self, pool: Seen) -> None:
        self.pool, self.images = pool, Images(pool.board)
        self.done: dict[tuple[int, int, int], Tree | None] = {}
        """By tree and position: parts of a strategy that are one object are filled once."""

    def filled(self, tree: Tree | None, own: int, other: int) -> Call:
        """Returns the tree with its open leaves filled, as far as the pool has them."""
        if tree is None:
            found = self.pool.find(self.pool.key(own, other), own, other)
            if found is None:
                return None
            part, _, symmetry = found
            tree = self.images.of(part, symmetry)
            if tree is None:
                return None
        key = id(tree), own, other
        if key not in self.done:
            self.done[key] = None  # a damaged part without stones would come back to itself: that stays open
            answers = {}
            for (stones, macro), answer in tree.answers.items():
                answers[stones, macro] = yield self.filled(answer, own | tree.move, other | stones)
            self.done[key] = Tree(tree.move, answers)
        return self.done[key]


def read_tree(path: str | Path, survey: Survey, board: Board) -> Tree | None:
    """The strategy of a proof of a win, open leaves included.

    Raises:
        Refused: if a line is not written as it must be. Nothing else is judged.
    """
    complete: dict[int, Tree] = {}
    images = Images(board)
    top = Tree(0, {})
    starts = survey.header.turn == survey.header.attacker
    above = [(0, top)] if starts else [(0, Tree(0, {})), (0, top)]  # by depth, to what a line belongs, numbered
    for number, text in body(path):
        words = text.split(" ")
        if len(words) != 3 or not NUMBER.fullmatch(words[0]) or int(words[0]) >= len(above):
            raise Refused(f"line {number} of the body of {path} is not written as it must be")
        below = int(words[0]) + 1
        complete.update(above[below:])
        del above[below:]
        stones = board.parse(words[1].strip("+").split("/")[0] or "-")[0] & board.plain
        answer: Tree | None = None
        if words[2].startswith("="):
            reference = REFERENCE.fullmatch(words[2])
            if reference is None or int(reference[1]) not in complete:
                raise Refused(f"line {number} of the body of {path} refers to nothing that is complete")
            answer = images.of(complete[int(reference[1])], int(reference[2]))
        elif words[2] != "?":
            answer = Tree(board.parse(words[2])[0] & board.plain, {})
        above[-1][1].answers[stones, words[1].startswith("+")] = answer
        if answer is not None and not words[2].startswith("="):
            above.append((number, answer))
    return next(iter(top.answers.values()), None) if starts else top
