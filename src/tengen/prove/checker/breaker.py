"""Checks a breaker's strategy: a tiling of the plane with boards, and how to hold each of them.

The format, and why a file that passes proves what it claims, is in docs/breaker-format.md.
"""

from __future__ import annotations

import hashlib
import re
from collections.abc import Callable, Iterator
from itertools import product
from typing import NamedTuple

from tengen.prove.checker.text import Refused

MAGIC = "tengen-breaker 1"
_CLAIM = re.compile(r"claim Connect\(([1-9]\d{0,3}),([1-9]\d{0,1})\)")
_NUMBERS = re.compile(r"[1-9]\d{0,2}(?: [1-9]\d{0,2})*")
_PLACES = re.compile(r"-?\d{1,4},-?\d{1,4}(?: -?\d{1,4},-?\d{1,4})*")
_PERIOD = re.compile(r"period (\d{1,4}) (\d{1,4}) (\d{1,4})")
_MAX_SQUARES, _MAX_LINES, _MAX_SYMMETRIES = 64, 999, 1_000
_MAX_MOVES, _MAX_COMPARED = 2_000_000, 100_000_000
_MAX_CELLS, _MAX_STEPS = 1 << 18, 1 << 24
_DIRECTIONS = ((1, 0), (0, 1), (1, 1), (1, -1))

Squares = frozenset[int]
Part = tuple[Squares, Squares]
"""The numbers of its lines, and the maker's stones on them."""
Move = tuple[int, ...]


class Claim(NamedTuple):
    """What a file has shown, once it is checked."""

    words: str
    parts: int
    answers: int


def check_breaker(content: bytes, progress: Callable[[int, int], object] | None = None) -> Claim:
    """Checks a whole file.

    Args:
        content: the file, unpacked.
        progress: called now and then with the parts done and the parts in all.

    Raises:
        Refused: if anything is not as it must be.
    """
    lines = _Lines(content)
    match = lines.match(_CLAIM, "claim Connect(k,p)")
    k, p = int(match[1]), int(match[2])
    board = _read_board(lines, p)
    _check_tiling(lines, board, k)
    answers = _read_parts(lines, board)
    _Strategy(board, answers).check(progress)
    words = f"Connect(m,n,{k},{p},q) and Connect({k},{p},q), any m and n, q at most {p}: neither side can force a row"
    return Claim(words, len(answers), sum(map(len, answers.values())))


class _Lines:
    """The lines of the file after the first, one by one; the last was compared already."""

    def __init__(self, content: bytes) -> None:
        body, _, last = content.removesuffix(b"\n").rpartition(b"\n")
        body += b"\n"
        try:
            self.lines = body.decode("ascii").split("\n")[1:-1]
        except UnicodeDecodeError:
            raise Refused("it holds something other than plain letters") from None
        end = f"end {len(self.lines) + 1} {hashlib.sha256(body).hexdigest()}"
        if last != end.encode() or not content.endswith(b"\n"):
            raise Refused("the last line does not fit the file: it has been changed, or cut short")
        self.next = 0

    def peek(self) -> str:
        return self.lines[self.next] if self.next < len(self.lines) else ""

    def take(self) -> str:
        line = self.peek()
        self.next += 1
        return line

    def match(self, pattern: re.Pattern[str], wanted: str) -> re.Match[str]:
        match = pattern.fullmatch(self.take())
        if match is None:
            raise Refused(f"line {self.next + 1} should be: {wanted}")
        return match

    def numbers(self, words: str, most: int) -> list[int]:
        """Numbers from 1 to `most`, rising, made to count from 0."""
        if not _NUMBERS.fullmatch(words):
            raise Refused(f"line {self.next + 1} is not written as it must be")
        numbers = [int(word) - 1 for word in words.split(" ")]
        if numbers != sorted(set(numbers)) or numbers[-1] >= most:
            raise Refused(f"line {self.next + 1}: its numbers must rise, up to {most}")
        return numbers


class _Board:
    """Squares and lines."""

    def __init__(self, squares: int, p: int, lines: list[Squares], symmetries: list[list[int]]) -> None:
        self.squares, self.p, self.lines = squares, p, lines
        self.through = [frozenset(i for i, line in enumerate(lines) if s in line) for s in range(squares)]
        where = {line: number for number, line in enumerate(lines)}
        if len(where) < len(lines):
            raise Refused("two lines are the same")
        self.symmetries = []
        for images in symmetries:
            moved = [where.get(frozenset(images[s] for s in line)) for line in lines]
            if sorted(images) != list(range(squares)) or None in moved:
                raise Refused("a symmetry does not turn lines into lines")
            self.symmetries.append((images, [number for number in moved if number is not None]))

    def images(self, part: Part) -> Iterator[Part]:
        """The part itself, and what symmetries make of it, in normal form."""
        yield self.gathered(part)
        for squares, lines in self.symmetries:
            yield self.gathered((frozenset(lines[i] for i in part[0]), frozenset(squares[s] for s in part[1])))

    def classes(self, lines: Squares) -> list[list[int]]:
        """The squares on these lines, those together that lie on the same of them."""
        found: dict[Squares, list[int]] = {}
        for square in range(self.squares):
            if here := self.through[square] & lines:
                found.setdefault(here, []).append(square)
        return list(found.values())

    def gathered(self, part: Part) -> Part:
        """Stones of squares on the same lines are moved to the first of these squares; others are dropped."""
        lines, stones = part
        kept: set[int] = set()
        for same in self.classes(lines):
            kept.update(same[: len(stones.intersection(same))])
        return lines, frozenset(kept)

    def parts(self, lines: Squares, stones: Squares) -> list[Part]:
        """Lines that contain what is missing of another are dropped, and what shares no empty square is parted."""
        rests = {i: self.lines[i] - stones for i in lines}
        for i, j in product(sorted(lines), repeat=2):
            if i != j and i in rests and j in rests and rests[j] <= rests[i] and (rests[j] != rests[i] or j < i):
                del rests[i]
        parts: list[Part] = []
        left = set(rests)
        while left:
            part = {left.pop()}
            border = list(part)
            while border:
                rest = rests[border.pop()]
                near = {i for i in left if rests[i] & rest}
                left -= near
                part |= near
                border += near
            squares = frozenset().union(*(self.lines[i] for i in part))
            parts.append((frozenset(part), stones & squares))
        return parts


def _read_board(lines: _Lines, p: int) -> _Board:
    squares = int(lines.match(re.compile(r"squares ([1-9]\d{0,2})"), "squares N")[1])
    if squares > _MAX_SQUARES:
        raise Refused(f"this checker knows boards of at most {_MAX_SQUARES} squares")
    board_lines, symmetries = [], []
    while lines.peek().startswith("line "):
        board_lines.append(frozenset(lines.numbers(lines.take().removeprefix("line "), squares)))
    while lines.peek().startswith("symmetry "):
        words = lines.take().removeprefix("symmetry ").split(" ")
        if len(words) != squares or not all(_NUMBERS.fullmatch(word) for word in words):
            raise Refused(f"line {lines.next + 1}: a symmetry names each square once")
        symmetries.append([int(word) - 1 for word in words])
    if len(board_lines) > _MAX_LINES or len(symmetries) > _MAX_SYMMETRIES:
        raise Refused(f"this checker knows boards of at most {_MAX_LINES} lines and {_MAX_SYMMETRIES} symmetries")
    return _Board(squares, p, board_lines, symmetries)


def _check_tiling(lines: _Lines, board: _Board, k: int) -> None:
    """Tiles are disjoint, and any k squares in a row, in any of four directions, hold a line of a tile."""
    match = lines.match(_PERIOD, "period A B C")
    a, b, c = (int(number) for number in match.groups())
    if a < 1 or c < 1 or b >= a or a * c > _MAX_CELLS or a * c * k > _MAX_STEPS:
        raise Refused("the period makes no sense, or is beyond this checker")

    def cell(x: int, y: int) -> tuple[int, int]:
        return (x - y // c * b) % a, y % c

    tiles: list[list[tuple[int, int]]] = []
    while lines.peek().startswith("tile "):
        words = lines.take().removeprefix("tile ")
        if not _PLACES.fullmatch(words):
            raise Refused(f"line {lines.next + 1} is not written as it must be")
        tiles.append([(int(x), int(y)) for x, y in (word.split(",") for word in words.split(" "))])
        if len(tiles[-1]) != board.squares:
            raise Refused(f"line {lines.next + 1}: a tile has {board.squares} squares")
    taken = [cell(*place) for tile in tiles for place in tile]
    if len(set(taken)) < len(taken):
        raise Refused("two squares of tiles lie on each other")
    if lines.take() != "":
        raise Refused(f"line {lines.next + 1} should be empty")
    for dx, dy in _DIRECTIONS:
        # Where a line of this direction begins, and how many squares in a row it takes.
        lengths: dict[tuple[int, int], int] = {}
        for tile in tiles:
            for line in board.lines:
                places = sorted(tile[s] for s in line)
                (x, y), (end_x, end_y) = places[0], places[-1]
                if all((px - x) * dy == (py - y) * dx for px, py in places):
                    length = max(end_x - x, abs(end_y - y)) + 1
                    lengths[cell(x, y)] = min(lengths.get(cell(x, y), length), length)
        for y in range(c):
            for x in range(a):
                if not any(lengths.get(cell(x + i * dx, y + i * dy), k + 1) <= k - i for i in range(k)):
                    raise Refused(f"the {k} squares from {x},{y} on in the direction {dx},{dy} hold no line")


def _read_parts(lines: _Lines, board: _Board) -> dict[Part, dict[Move, Move]]:
    parts: dict[Part, dict[Move, Move]] = {}
    last_part: tuple[list[int], list[int]] | None = None
    while lines.peek().startswith("part "):
        words = lines.take().removeprefix("part ")
        names, colon, stones = words.partition(" : ")
        of_part = lines.numbers(names, len(board.lines)), lines.numbers(stones, board.squares) if colon else []
        if last_part is not None and of_part <= last_part:
            raise Refused(f"line {lines.next + 1}: the parts are not in order")
        last_part = of_part
        answers: dict[Move, Move] = {}
        last: tuple[int, Move] = (0, ())
        while lines.peek()[:1].isdigit():
            move_words, colon, reply_words = lines.take().partition(" : ")
            move = tuple(lines.numbers(move_words, board.squares))
            if not colon or (len(move), move) <= last:
                raise Refused(f"line {lines.next + 1}: the moves are not in order")
            last = len(move), move
            answers[move] = () if reply_words == "-" else tuple(lines.numbers(reply_words, board.squares))
        parts[frozenset(of_part[0]), frozenset(of_part[1])] = answers
    if lines.next < len(lines.lines):
        raise Refused(f"line {lines.next + 2} is not written as it must be")
    return parts


class _Strategy:
    """The parts with their answers, judged one by one. Each move leaves fewer squares, so none leans on itself."""

    def __init__(self, board: _Board, answers: dict[Part, dict[Move, Move]]) -> None:
        self.board, self.answers = board, answers
        self.known: set[Part] = set()
        self.used: set[Part] = set()

    def check(self, progress: Callable[[int, int], object] | None) -> None:
        self.meet(frozenset(range(len(self.board.lines))), frozenset(), "the empty board")
        for done, (part, answers) in enumerate(self.answers.items()):
            self.judge(part, answers)
            if progress is not None and done % 64 == 0:
                progress(done, len(self.answers))
        if len(self.used) < len(self.answers):
            raise Refused("some parts are never met")

    def meet(self, lines: Squares, stones: Squares, where: str) -> None:
        """Every part of a position with the maker to move must be listed, or an image of it."""
        for part in self.board.parts(lines, stones):
            if part in self.known:
                continue
            listed = next((image for image in self.board.images(part) if image in self.answers), None)
            if listed is None:
                raise Refused(f"after {where} the maker has a position that is not listed: {_words(part)}")
            self.known.add(part)
            self.used.add(listed)

    def judge(self, part: Part, answers: dict[Move, Move]) -> None:
        """The maker has no line within reach, and whatever he plays is answered."""
        board, (lines, stones) = self.board, part
        where = _words(part)
        if any(len(board.lines[i] - stones) <= board.p for i in lines):
            raise Refused(f"the maker completes a line of {where}")
        classes = [[s for s in same if s not in stones] for same in board.classes(lines)]
        empty = {s for same in classes for s in same}
        counts = []
        for move, reply in answers.items():
            squares = {*move, *reply}
            if len(squares) < len(move) + len(reply) or not squares <= empty or len(reply) > len(move) or not move:
                raise Refused(f"{where}: {_plain(move)} is answered by stones that cannot be placed")
            if len(move) > board.p:
                raise Refused(f"{where}: {_plain(move)} are more stones than the maker has")
            left = frozenset(i for i in lines if not board.lines[i].intersection(reply))
            self.meet(left, stones | frozenset(move), f"{where}, {_plain(move)}, {_plain(reply)}")
            counts.append(tuple((len(set(move) & set(same)), len(set(reply) & set(same))) for same in classes))
        for tried, move_counts in enumerate(_moves([len(same) for same in classes], board.p), 1):
            if tried > _MAX_MOVES or tried * len(counts) > _MAX_COMPARED:
                raise Refused(f"{where} has more moves than this checker tries")
            # A listed move within this one whose reply finds room beside it; the rest is answered in its turn.
            if not any(
                all(m <= n and n + r <= len(same) for (m, r), n, same in zip(count, move_counts, classes, strict=True))
                for count in counts
            ):
                raise Refused(f"{where}: a move of {sum(move_counts)} stones is not answered")


def _moves(room: list[int], most: int) -> Iterator[tuple[int, ...]]:
    """All ways to place 1 to `most` stones: how many on each kind of square."""

    def rest(place: int, left: int) -> Iterator[tuple[int, ...]]:
        if place == len(room):
            yield ()
            return
        for count in range(min(left, room[place]) + 1):
            for others in rest(place + 1, left - count):
                yield (count, *others)

    return (counts for counts in rest(0, most) if any(counts))


def _plain(move: Move) -> str:
    return " ".join(str(square + 1) for square in move) or "-"


def _words(part: Part) -> str:
    return f"part {_plain(tuple(sorted(part[0])))} : {_plain(tuple(sorted(part[1])))}"
