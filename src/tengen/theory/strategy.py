"""A breaker's strategy for the whole plane: found by search, written to a file, read from one, and played."""

from __future__ import annotations

import gzip
import hashlib
import io
from collections.abc import Iterable
from dataclasses import dataclass, field
from pathlib import Path

from tengen.game import TengenError
from tengen.prove import check
from tengen.prove.checker.breaker import MAGIC
from tengen.record.files import replacing
from tengen.theory.lines import LineBoard, LineGame, Part, members, set_of
from tengen.theory.parts import classes, first, normal, split, squares_on
from tengen.theory.tiling import Tiling


@dataclass
class Breaker:
    """How to keep the maker from k in a row, p stones a move, on a tiling whose boards the breaker holds.

    Answers are kept by part of a board in normal form, and by move. A position that the strategy does not know, since
    the breaker has more stones than it asked for, is searched when it comes up.
    """

    k: int
    p: int
    tiling: Tiling
    answers: dict[Part, dict[int, int]]
    game: LineGame = field(repr=False)
    found: dict[Part, dict[int, int]] = field(default_factory=dict, repr=False)
    """Answers that were searched during play."""

    @property
    def board(self) -> LineBoard:
        """The board of each tile."""
        return self.tiling.board

    @property
    def size(self) -> tuple[int, int]:
        """How many parts it knows, and how many answers in them."""
        return len(self.answers), sum(map(len, self.answers.values()))

    def reply(self, lines: int, stones: int, move: int) -> int | None:
        """The breaker's stones against a move of the maker on one board; None if no reply is known to hold.

        Args:
            lines: those without a stone of the breaker, before the move.
            stones: the maker's, before the move.
            move: his new ones.
        """
        reply = 0
        while touched := [part for part in split(self.board, lines, stones) if move & squares_on(self.board, part[0])]:
            found = self._answer(touched[0], move & squares_on(self.board, touched[0][0]))
            if found is None:
                return None
            answered, placed = found
            reply |= placed
            lines = self.board.without(lines, placed)
            stones |= answered
            move &= ~answered
        return reply

    def _answer(self, part: Part, move: int) -> tuple[int, int] | None:
        """Stones of a move in a part that have an answer of their own which leaves the others alone; and the answer."""
        turned = normal(self.board, part)
        answers = self.answers.get(turned.part) or self.found.get(turned.part)
        if answers is None:
            if not self.game.holds(*turned.part):
                return None
            self.found |= self.game.answers(*turned.part)
            answers = self.found[turned.part]
        image = turned.forth(move)
        kinds = classes(self.board, *turned.part)
        for answered, reply in answers.items():
            room = [(same & image, same & ~image, same & answered, same & reply) for same in kinds]
            if all(
                asked.bit_count() <= own.bit_count() and placed.bit_count() <= free.bit_count()
                for own, free, asked, placed in room
            ):
                # Squares on the same lines are the same: take those of the move, and for the reply those beside it.
                taken = sum(first(own, asked.bit_count()) for own, _, asked, _ in room)
                beside = sum(first(free, placed.bit_count()) for _, free, _, placed in room)
                return turned.back(taken), turned.back(beside)
        return None

    def write(self, path: str | Path) -> int:
        """Writes the strategy as a file that `tengen check` accepts, packed if its name ends in .gz; returns the parts.

        Raises:
            OSError: if it cannot be written.
        """
        content = self.text().encode("ascii")
        with replacing(Path(path)) as file:
            if str(path).endswith(".gz"):
                packed = io.BytesIO()
                with gzip.GzipFile(fileobj=packed, mode="wb", mtime=0) as packer:
                    packer.write(content)
                content = packed.getvalue()
            file.write(content)
        return len(self.answers)

    def text(self) -> str:
        """The file: docs/breaker-format.md says what it means."""
        board, tiling = self.board, self.tiling
        lines = [MAGIC, f"claim Connect({self.k},{self.p})", f"squares {board.squares}"]
        lines += [f"line {_numbers(line)}" for line in board.lines]
        lines += [f"symmetry {_numbers(images)}" for images in board.symmetries]
        lines.append("period " + " ".join(map(str, tiling.period)))
        lines += ["tile " + " ".join(f"{x},{y}" for x, y in tile) for tile in tiling.tiles]
        lines.append("")
        for part in sorted(self.answers, key=lambda part: (list(members(part[0])), list(members(part[1])))):
            stones = f" : {_numbers(members(part[1]))}" if part[1] else ""
            lines.append(f"part {_numbers(members(part[0]))}{stones}")
            moves = sorted(self.answers[part].items(), key=lambda item: (item[0].bit_count(), list(members(item[0]))))
            lines += [f"{_numbers(members(move))} : {_numbers(members(reply)) or '-'}" for move, reply in moves]
        body = "\n".join(lines) + "\n"
        return f"{body}end {len(lines)} {hashlib.sha256(body.encode()).hexdigest()}\n"


def find_breaker(k: int, p: int, tiling: Tiling) -> Breaker:
    """Searches for a breaker's strategy on a tiling.

    Raises:
        TengenError: if k squares in a row need not hold a line, or the breaker does not hold its boards.
    """
    if tiling.k is None or tiling.k > k:
        raise TengenError(f"{k} squares in a row need not hold a line of this tiling; {tiling.k or 'no number'} would")
    game = LineGame(tiling.board, p)
    if not game.holds():
        raise TengenError(f"the breaker does not hold the boards of this tiling against {p} stones a move")
    return Breaker(k, p, tiling, game.answers(), game)


def read_breaker(path: str | Path) -> Breaker:
    """Reads a strategy from a file, after it has been checked.

    Raises:
        TengenError: if it is no such file, or is refused.
        OSError: if it cannot be read.
    """
    verdict = check(path)
    if not verdict.accepted:
        raise TengenError(f"{path}: the strategy is refused: {verdict.reason}")
    content = Path(path).read_bytes()
    text = (gzip.decompress(content) if content.startswith(b"\x1f\x8b") else content).decode("ascii")
    if not text.startswith(MAGIC):
        raise TengenError(f"{path}: this is a proof of one position, not a breaker's strategy")
    head, _, body = text.partition("\n\n")
    words: dict[str, list[str]] = {}
    for line in head.split("\n")[1:]:
        name, _, rest = line.partition(" ")
        words.setdefault(name, []).append(rest)
    k, p = map(int, words["claim"][0].removeprefix("Connect(").removesuffix(")").split(","))
    board = LineBoard(
        int(words["squares"][0]),
        tuple(_members(line) for line in words["line"]),
        tuple(_members(images) for images in words.get("symmetry", [])),
    )
    a, b, c = map(int, words["period"][0].split())
    tiles = tuple(tuple(_place(word) for word in tile.split()) for tile in words["tile"])
    answers: dict[Part, dict[int, int]] = {}
    for line in body.split("\n")[:-2]:
        left, _, right = line.removeprefix("part ").partition(" : ")
        pair = set_of(_members(left)), set_of(_members(right.removeprefix("-")))
        if line.startswith("part "):
            current = answers[pair] = {}
        else:
            current[pair[0]] = pair[1]
    return Breaker(k, p, Tiling(board, (a, b, c), tiles), answers, LineGame(board, p))


def _numbers(numbers: Iterable[int]) -> str:
    """Squares or lines as the file counts them, from 1."""
    return " ".join(str(number + 1) for number in numbers)


def _members(text: str) -> tuple[int, ...]:
    return tuple(int(word) - 1 for word in text.split())


def _place(word: str) -> tuple[int, int]:
    x, y = word.split(",")
    return int(x), int(y)
