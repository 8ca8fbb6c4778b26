"""Winning strategies as trees of plain sets of squares: in this form proofs are written and joined."""

from __future__ import annotations

import random
import struct
from collections.abc import Callable, Generator, Sequence
from typing import Any, NamedTuple

from tengen.game import Symmetry, TengenError
from tengen.game.square import as_square
from tengen.prove.checker.board import Board, bits

MACRO = -1
"""As number of passes: the reply stands for every reply of full size among its stones."""

Call = Generator["Call", Any, Any] | None
"""A generator that yields calls of its kind, is sent what they return, and returns something itself; or nothing."""
Parts = tuple[Sequence[object], Sequence[tuple[Sequence[object], int, Any]]]
"""A move, and for each reply its stones, its passes or `MACRO`, and the strategy that answers it."""


class Tree(NamedTuple):
    """A strategy: the move, and the answers by stones and whether they are a macro. None is an open leaf."""

    move: int
    answers: dict[tuple[int, bool], Tree | None]


def set_of(squares: Sequence[object], board: Board) -> int:
    """The plain set of squares, their names, or numbers `column + row * width`.

    Raises:
        TengenError: if one is off the board or stands there twice.
    """
    found = 0
    for square in squares:
        if isinstance(square, int):
            x, y = square % board.width, square // board.width
        else:
            x, y = as_square(square)
            x, y = x - board.left, y - board.bottom
        if not (0 <= x < board.width and 0 <= y < board.height):
            raise TengenError(f"{square} is off the board")
        found |= 1 << x + y * board.width
    if found.bit_count() != len(squares):
        raise TengenError("a square stands twice in one move")
    return found


def tree_of(strategy: Any, parts: Callable[[Any], Parts], board: Board) -> Tree | None:
    """A strategy as a tree; subtrees that are one object stay one.

    Raises:
        TengenError: if a square is off the board or stands twice in a move.
    """
    made: dict[int, Tree | None] = {id(None): None}
    stack = [(strategy, parts(strategy))] if strategy is not None else []
    while stack:
        node, (move, replies) = stack[-1]
        missing = [(answer, parts(answer)) for _, _, answer in replies if id(answer) not in made]
        if missing:
            stack += reversed(missing)
            continue
        stack.pop()
        if id(node) not in made:
            answers = {(set_of(stones, board), passes == MACRO): made[id(answer)] for stones, passes, answer in replies}
            made[id(node)] = Tree(set_of(move, board), answers)
    return made[id(strategy)]


def has_open_leaves(tree: Tree | None) -> bool:
    """Whether something is left to other proofs."""
    seen: set[int] = set()
    stack = [tree]
    while stack:
        node = stack.pop()
        if node is None:
            return True
        if id(node) not in seen:
            seen.add(id(node))
            stack += node.answers.values()
    return False


def run(call: Call) -> Any:
    """Runs a call and all that it calls, however deep, and returns what it returns."""
    stack, value = [], None
    while True:
        if call is not None:
            stack.append(call)
        if not stack:
            return value
        try:
            call, value = stack[-1].send(value), None
        except StopIteration as end:
            stack.pop()
            call, value = None, end.value


class Images:
    """The images of trees. What is one object stays one, and of each tree every symmetry is applied but once, in how
    many steps soever: in proofs that refer back and back again, copies would double from step to step."""

    def __init__(self, board: Board) -> None:
        self.board = board
        self._made: dict[tuple[int, Symmetry], Tree] = {}
        self._origins: dict[int, tuple[Tree, Symmetry]] = {}
        """Of each image, what it is the image of: this also keeps alive what is known by its identity."""

    def of(self, tree: Tree, symmetry: int) -> Tree:
        """Where a symmetry takes a tree.

        Raises:
            Refused: if the symmetry does not fit the board.
        """
        image: Tree = run(self.call(tree, Symmetry(symmetry)))
        return image

    def call(self, tree: Tree | None, symmetry: Symmetry) -> Call:
        """Returns the image of a tree."""
        if tree is None or symmetry == Symmetry.IDENTITY:
            return tree
        original, before = self._origins.get(id(tree), (tree, Symmetry.IDENTITY))
        whole = before.then(symmetry)
        if whole == Symmetry.IDENTITY:
            return original
        key = id(original), whole
        if key not in self._made:
            answers = {}
            for (stones, macro), answer in original.answers.items():
                answers[self.board.image(stones, whole), macro] = yield self.call(answer, whole)
            image = self._made[key] = Tree(self.board.image(original.move, whole), answers)
            self._origins[id(image)] = original, whole
        return self._made[key]


def _equal(one: Tree | None, two: Tree | None, board: Board, symmetry: int) -> bool:
    """Whether a symmetry takes one tree to the other."""
    stack = [(one, two)]
    seen: set[tuple[int, int]] = set()
    while stack:
        a, b = stack.pop()
        if (a is b and (symmetry == 0 or a is None)) or (id(a), id(b)) in seen:
            continue
        seen.add((id(a), id(b)))
        if a is None or b is None or len(a.answers) != len(b.answers) or board.image(a.move, symmetry) != b.move:
            return False
        for (stones, macro), answer in a.answers.items():
            key = board.image(stones, symmetry), macro
            if key not in b.answers:
                return False
            stack.append((answer, b.answers[key]))
    return True


class Seen:
    """Positions, in plain sets, by what they have in common under symmetry; to each belongs something."""

    def __init__(self, board: Board) -> None:
        self.board = board
        fits = not board.infinite
        self.symmetries = [t for t in range(8) if t == 0 or (fits and (t < 4 or board.width == board.height))]
        rng = random.Random(6)
        codes = [[rng.getrandbits(64) for _ in board.names] for _ in range(2)]
        images = [[bits(board.image(1 << i, t))[0] for i in range(board.area)] for t in self.symmetries]
        # For each side and square the code of its image under every symmetry, one after the other in one number.
        self.codes = [
            [sum(side[image[i]] << 64 * n for n, image in enumerate(images)) for i in range(board.area)]
            for side in codes
        ]
        self.words = struct.Struct(f"<{len(images)}Q")
        self.known: dict[int, list[tuple[int, int, Any, int]]] = {}

    def key(self, own: int, other: int) -> int:
        """The same number for all symmetric positions."""
        code = 0
        for codes, stones in zip(self.codes, (own, other), strict=True):
            for square in bits(stones):
                code ^= codes[square]
        least: int = min(self.words.unpack(code.to_bytes(self.words.size, "little")))
        return least

    def add(self, key: int, own: int, other: int, thing: Any, number: int) -> None:
        """Keeps a position with something and a number."""
        self.known.setdefault(key, []).append((own, other, thing, number))

    def find(self, key: int, own: int, other: int, tree: Tree | None = None) -> tuple[Any, int, int] | None:
        """An equal position (with an equal tree, if one is given): what belongs to it, its number, and the symmetry
        that takes it to this one."""
        image = self.board.image
        for earlier_own, earlier_other, thing, number in self.known.get(key, ()):
            for t in self.symmetries:
                same = image(earlier_own, t) == own and image(earlier_other, t) == other
                if same and (tree is None or _equal(thing, tree, self.board, t)):
                    return thing, number, t
        return None
