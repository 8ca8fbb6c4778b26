"""The proof of the whole: when the root is decided, the proofs of all that decided it become one file."""

from __future__ import annotations

import atexit
import tempfile
from collections.abc import Iterator
from functools import partial
from pathlib import Path

from tengen.game import Colour, Move, Position, TengenError
from tengen.game.symmetry import Symmetry
from tengen.prove.checker.board import Board
from tengen.prove.checker.file import Survey, board_of, box_of
from tengen.prove.join import read_tree
from tengen.prove.tree import Images, has_open_leaves, set_of
from tengen.prove.tree import Tree as Strategy
from tengen.prove.writer import Report, Target, header_of, write_tree
from tengen.record.damage import reporting_damage
from tengen.search.finding import Finding
from tengen.search.frame import automorphisms, symmetry_to_frame, turned
from tengen.search.journal import Journal, damaged_entry
from tengen.search.proof_check import Budget, ProofChecker
from tengen.search.tree import Tree
from tengen.search.trust import why_not

_CHECKER = ProofChecker(Budget(cpu_s=600))
"""More patient than during the search: one proof that cannot be checked here makes the whole one impossible."""
atexit.register(_CHECKER.close)


class LieError(TengenError):
    """A result that was believed without a check is wrong."""

    def __init__(self, worker: str, reason: str) -> None:
        super().__init__(f"{worker} sent a result that is wrong: {reason}")
        self.worker, self.reason = worker, reason


def write_whole(path: Target, tree: Tree, journal: Journal, *, progress: Report | None = None) -> int:
    """Writes the proof that the winner of the root wins; returns the number of its nodes.

    Every line is judged by the checker when it is written, as always.

    Args:
        path: the file, by its name or open for writing.
        tree: a tree whose root is won by somebody.
        journal: where its proofs are.
        progress: called now and then with the parts of the proof that are dealt with, and all of them.

    Raises:
        LieError: if a proof that had not been checked is wrong.
        TengenError: if nobody is proved to win.
        OSError: if a file cannot be read or written.
    """
    winner = tree.winner(0)
    if winner is None:
        raise TengenError("there is nothing to write: nobody is proved to win")
    with tempfile.TemporaryDirectory(prefix="tengen-") as folder:
        parts = _Parts(tree, journal, winner, Path(folder))
        needed = list(parts.needed())
        images = Images(parts.board())
        built: dict[int, Strategy] = {}
        for node in reversed(needed):  # children stand behind their parents
            built[node] = parts.strategy(node, built, images)
        whole = images.of(built[0], symmetry_to_frame(tree.first).inverse)
        if has_open_leaves(whole):
            raise TengenError("the proof of the whole has a hole: a move without an answer")
        header = header_of(tree.first, "win", winner)
        return write_tree(path, header, images.board, whole, progress).nodes


class _Parts:
    """What the whole is made of."""

    def __init__(self, tree: Tree, journal: Journal, winner: Colour, folder: Path) -> None:
        self.tree, self.journal, self.winner, self.folder = tree, journal, winner, folder
        self.surveys: dict[int, Survey] = {}
        first = tree.first
        self.squares = [(square.x, square.y) for c in Colour for square in first.stones(c)]

    def needed(self) -> Iterator[int]:
        """The nodes whose strategies are needed, every one before those that it needs itself."""
        found, waiting = {0}, [0]
        while waiting:
            node = waiting.pop()
            self._unpack(node)
            children = list(self._needed_by(node))
            for move, child in children:
                self.squares += [(square.x, square.y) for square in move]
                if child not in found:
                    found.add(child)
                    waiting.append(child)
        return iter(sorted(found, key=self.tree.depth))

    def board(self) -> Board:
        """The board of all parts; on the infinite board a window that holds them."""
        header = header_of(self.tree.first, "win", self.winner)
        for survey in self.surveys.values():
            left, bottom, right, top = survey.box
            self.squares += [(left, bottom), (right, top)]
        return board_of(header, box_of(self.squares))

    def strategy(self, node: int, built: dict[int, Strategy], images: Images) -> Strategy:
        """How the winner wins in a node, squares as the node has them; without a move if the other side is to move."""
        board = images.board
        survey = self.surveys.get(node)
        own = None if survey is None else read_tree(self._file(node), survey, board)
        if self._winner_moves(node) and own is not None:
            return own
        position = self.tree.position(node)
        needed = self._needed_by(node)
        children = [(move, self._seen_from(position, move, built[child], images)) for move, child in needed]
        if self._winner_moves(node):
            move, after = children[0]
            return Strategy(set_of(move.squares, board), after.answers)
        answers: dict[tuple[int, bool], Strategy | None] = {}
        for symmetry in automorphisms(position):
            for move, after in children:
                stones = set_of(turned(move, symmetry, position).squares, board)
                answers[stones, False] = images.of(after, symmetry)
        if own is not None:
            answers |= {reply: answer for reply, answer in own.answers.items() if answer is not None}
        return Strategy(0, answers)

    def _winner_moves(self, node: int) -> bool:
        return self.tree.attacker_moves(node) == (self.winner is self.tree.attacker)

    def _needed_by(self, node: int) -> list[tuple[Move, int]]:
        tree = self.tree
        if tree.is_decided_alone(node):
            return []
        if not self._winner_moves(node):
            return list(tree.moves(node))
        won = [(move, child) for move, child in tree.moves(node) if tree.winner(child) is self.winner]
        return won[:1]

    def _unpack(self, node: int) -> None:
        """Lays the proof of a node beside, if it has one."""
        where = self.tree.proof(node)
        # One that closes a node of the winner says that his other moves lose: that is not what is to be proved.
        if where is None or (self._winner_moves(node) and not self.tree.is_decided_alone(node)):
            return
        entry = self.journal.at(where)
        with reporting_damage(partial(damaged_entry, self.journal.path)):
            finding, is_checked = Finding.from_json(entry["result"]), bool(entry["checked"])
            worker = str(entry["worker"])
            prohibited = [Move.parse(text) for text in entry["arguments"]["prohibited"]]
        if not is_checked:
            position = self.tree.position(node)
            reason = why_not(position, prohibited, finding, checker=_CHECKER)
            if reason is not None:
                raise LieError(worker, reason)
        self._file(node).write_bytes(finding.proof)
        self.surveys[node] = Survey(self._file(node))

    def _file(self, node: int) -> Path:
        return self.folder / f"{node}.tpf"

    @staticmethod
    def _seen_from(position: Position, move: Move, strategy: Strategy, images: Images) -> Strategy:
        """The strategy of a child, squares as its parent has them."""
        after = position.after(move)
        back: Symmetry = symmetry_to_frame(after).inverse
        return images.of(strategy, back)
