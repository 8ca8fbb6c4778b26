"""Checks a proof file, trusting nothing in it. docs/proof-format.md gives the rules and says why they are sound.

It imports nothing from the rest of the house, so that whoever doubts a proof has this one module to read. Sets of
squares are whole numbers, one bit a square: bit `column + row * width` of the board, or of a window on the infinite
board. One more bit, `beyond`, stands for all squares of the infinite board outside.
"""

from __future__ import annotations

import gzip
import hashlib
import io
import re
import time
import zlib
from collections.abc import Callable, Generator, Iterator
from dataclasses import dataclass, field
from functools import lru_cache
from itertools import pairwise
from math import comb
from pathlib import Path
from typing import BinaryIO, NamedTuple

MAGIC = "tengen-proof 1"
# Bounds for hostile files; no game that people play comes near.
MAX_SIDE, MAX_SPAN, MAX_K, MAX_P = 59, 256, 64, 32
MAX_LINE = 1 << 20
MAX_BRANCHES = 100_000
MAX_REPLIES = 1_000_000
MAX_LEAVES = 1_000

Zones = tuple[int, int, int]
_GAME = re.compile(r"Connect\((?:(\d{1,2}),(\d{1,2}),)?(\d{1,2}),(\d{1,2}),(\d{1,2})\)( maker-breaker)?")
_SQUARE = re.compile(r"(-?)([A-Z]{1,4})(0|-?[1-9]\d{0,4})")
_REPLY = re.compile(r"(\+?)([A-Z0-9-]*)(?:/([1-9]\d?))?")
_REFERENCE = re.compile(r"=([1-9]\d{0,9})\.([0-7])")
_NUMBER = re.compile(r"0|[1-9]\d{0,4}")
_HEADER = ("game", "position", "to-move", "left", "claim", "attacker")


class NoProofError(ValueError):
    """The file is no proof file at all."""


class Refused(Exception):  # noqa: N818 - not an error but an answer
    """Why a proof is not accepted."""


@dataclass(frozen=True)
class Verdict:
    """What a check found."""

    accepted: bool
    reason: str | None
    """Why it was refused."""
    node: int | None
    """At which node it was refused: the number of its line in the body, from 1."""
    line: tuple[str, ...]
    """The moves of both sides that lead there."""
    claim: str
    """The claim in words."""
    nodes: int
    zones: tuple[tuple[str, ...] | None, ...] = ()
    """Of an accepted win: the zones Z1, Z2, Z3 of the first position, None for every square of the infinite board."""
    holds_on_infinite_board: bool = False
    open_leaves: tuple[str, ...] = ()
    """The positions whose proofs are left to other files, at most 1,000 of them."""
    seconds: float = 0.0


class Header(NamedTuple):
    """What the first lines say; squares are column and row from 0."""

    game: str
    width: int | None
    height: int | None
    k: int
    p: int
    maker_breaker: bool
    stones: tuple[tuple[tuple[int, int], ...], tuple[tuple[int, int], ...]]
    turn: str
    left: int
    claim: str
    attacker: str


def check(path: str | Path, *, progress: Callable[[int, int], object] | None = None) -> Verdict:
    """Checks a proof file, compressed or not.

    Args:
        path: the file.
        progress: called now and then with the nodes done and the nodes in all.

    Raises:
        NoProofError: if it is no proof file.
        OSError: if it cannot be read.
    """
    start = time.perf_counter()
    walk: WinWalk | HoldWalk | None = None
    claim, nodes, number = "", 0, 0
    try:
        survey = Survey(path)
        header, nodes = survey.header, survey.nodes
        claim = _claim(header)
        board = survey.board()
        if survey.open:
            leaves = tuple(_open_leaves(path, survey, board))
            reason = (
                f"{survey.open} positions are left to other files; the first is {leaves[0] if leaves else 'damaged'}"
            )
            return Verdict(
                False, reason, None, (), claim, nodes, open_leaves=leaves, seconds=time.perf_counter() - start
            )
        walk = first = _walk(board, header, survey.referenced)
        for number, text in body(path):
            if text.startswith("0 ") and number > 1 and header.claim == "draw" and walk is first:
                walk.finish()
                walk = HoldWalk(board, header, "white", survey.referenced)
            walk.feed(number, text)
            if progress is not None and number % 1024 == 0:
                progress(number, nodes)
        if header.claim == "draw" and walk is first:
            raise Refused("the second half of the draw is missing")
        walk.finish()
    except Refused as refusal:
        node, line = (None, ()) if walk is None else walk.where(number)
        return Verdict(False, str(refusal), node, line, claim, nodes, seconds=time.perf_counter() - start)
    return accepted(survey, board, walk, start)


def accepted(survey: Survey, board: Board, walk: WinWalk | HoldWalk, start: float) -> Verdict:
    """The verdict on a proof that was walked through to its end."""
    zones: tuple[tuple[str, ...] | None, ...] = ()
    holds = False
    if isinstance(walk, WinWalk):
        zones = tuple(None if z & board.beyond and board.infinite else board.squares_of(z) for z in walk.zones)
        holds = board.infinite or walk.stays_inside
    seconds = time.perf_counter() - start
    return Verdict(True, None, None, (), _claim(survey.header), survey.nodes, zones, holds, seconds=seconds)


def _walk(board: Board, header: Header, referenced: set[int]) -> WinWalk | HoldWalk:
    if header.claim == "win":
        return WinWalk(board, header, referenced)
    return HoldWalk(board, header, "black" if header.claim == "draw" else header.attacker, referenced)


def _claim(header: Header) -> str:
    what = {"win": f"{header.attacker} wins", "hold": f"{header.attacker} does not win", "draw": "a draw"}[header.claim]
    return f"{header.game}, {header.turn} to move: {what}"


# The file


@lru_cache(maxsize=1 << 14)
def column_and_row(name: str) -> tuple[int, int]:
    """A square from its name."""
    match = _SQUARE.fullmatch(name)
    if match is None:
        raise Refused(f"{name[:20]!r} is no square")
    x = 0
    for letter in match[2]:
        x = x * 26 + ord(letter) - ord("A") + 1
    return -x if match[1] else x - 1, int(match[3]) - 1


def square_name(x: int, y: int) -> str:
    """The name of a square."""
    sign, rest, letters = ("-", -x, "") if x < 0 else ("", x + 1, "")
    while rest:
        rest, letter = divmod(rest - 1, 26)
        letters = chr(ord("A") + letter) + letters
    return f"{sign}{letters}{y + 1}"


def _lines(path: str | Path) -> Iterator[bytes]:
    """The lines of a file that may be compressed, without ever holding more than one."""
    with Path(path).open("rb") as plain:
        packed = plain.read(2) == b"\x1f\x8b"
        plain.seek(0)
        file: BinaryIO | gzip.GzipFile = gzip.GzipFile(fileobj=plain) if packed else plain
        reader = io.BufferedReader(file, 1 << 16) if packed else file  # type: ignore[type-var]
        try:
            while line := reader.readline(MAX_LINE):
                yield line
        except (gzip.BadGzipFile, EOFError, zlib.error) as error:
            raise Refused(f"the file is damaged: {error}") from error


class Survey:
    """The first pass over a file: the header, the digest, and what must be known before the second."""

    def __init__(self, path: str | Path) -> None:
        lines = _lines(path)
        first = next(lines, b"")
        if first != MAGIC.encode() + b"\n":
            raise NoProofError(f"{path}: it is no proof file of this version: it does not begin with {MAGIC!r}")
        digest = hashlib.sha256(first)
        head: list[bytes] = []
        for line in lines:
            digest.update(line)
            if line == b"\n" or len(head) > len(_HEADER):
                break
            head.append(line)
        self.header = _header(head)
        self.nodes = self.open = 0
        self.referenced: set[int] = set()
        xs, ys = (
            [x for side in self.header.stones for x, _ in side],
            [y for side in self.header.stones for _, y in side],
        )
        if self.header.width is None and not xs:
            xs, ys = [9], [9]
        box = [min(xs, default=0), min(ys, default=0), max(xs, default=0), max(ys, default=0)]
        trailer = b""
        for line in lines:
            if not line.endswith(b"\n"):
                raise Refused("a line is too long, or the file has been cut short")
            if line.startswith(b"end "):
                trailer = line
                break
            digest.update(line)
            self.nodes += 1
            if b"=" in line:
                self.referenced.update(int(number) for number, _ in _REFERENCE.findall(line.decode("ascii", "replace")))
            elif line.endswith(b" ?\n"):
                self.open += 1
            if self.header.width is None:
                for match in _SQUARE.finditer(line.decode("ascii", "replace")):
                    x, y = column_and_row(match[0])
                    box = [min(box[0], x), min(box[1], y), max(box[2], x), max(box[3], y)]
        if trailer != f"end {self.nodes} {digest.hexdigest()}\n".encode():
            raise Refused("the last line does not fit the file: it has been changed, or cut short")
        if next(lines, None) is not None:
            raise Refused("something follows the last line")
        self.box = box

    def board(self) -> Board:
        """The board of the proof."""
        return board_of(self.header, self.box)


def board_of(header: Header, box: list[int]) -> Board:
    """The board, or the window on the infinite one in which every segment through the squares of a box lies."""
    if header.width is not None and header.height is not None:
        return Board(header.width, header.height, header.k, header.p)
    (left, bottom, right, top), k = box, header.k
    if max(right - left, top - bottom) >= MAX_SPAN:
        raise Refused(f"its squares lie more than {MAX_SPAN} apart")
    return Board(right - left + 1 + 2 * k, top - bottom + 1 + 2 * k, k, header.p, left - k, bottom - k, True)


def _header(lines: list[bytes]) -> Header:
    try:
        pairs = [line.decode("ascii").removesuffix("\n").split(" ", 1) for line in lines]
    except UnicodeDecodeError:
        raise Refused("the header holds something other than plain letters") from None
    if [pair[0] for pair in pairs] != list(_HEADER) or any(len(pair) != 2 for pair in pairs):
        raise Refused(f"the header must be the lines {', '.join(_HEADER)} and an empty one")
    values = {pair[0]: pair[1] for pair in pairs}
    game, position = _GAME.fullmatch(values["game"]), re.fullmatch(r"B:((?: \S+)*) W:((?: \S+)*)", values["position"])
    if game is None or position is None or not _NUMBER.fullmatch(values["left"]):
        raise Refused("the header's game, position or number of stones left is not written as it must be")
    width, height, k, p, q = (None if number is None else int(number) for number in game.groups()[:5])
    assert k is not None
    assert p is not None
    assert q is not None
    if not (1 <= k <= MAX_K and 1 <= p <= MAX_P and 1 <= q <= MAX_P) or (
        width is not None and height is not None and not (3 <= width <= MAX_SIDE and 3 <= height <= MAX_SIDE)
    ):
        raise Refused(f"{values['game']} is a game beyond this checker")
    if (
        values["game"]
        != f"Connect({','.join(str(n) for n in (width, height, k, p, q) if n is not None)}){game[6] or ''}"
    ):
        raise Refused("the header's game is not written as it must be")
    stones = [[column_and_row(name) for name in side.split()] for side in position.groups()]
    for side in stones:
        if sorted(set(side), key=lambda s: (s[1], s[0])) != side:
            raise Refused("the stones of the position are not in order")
        if width is not None and height is not None and any(not (0 <= x < width and 0 <= y < height) for x, y in side):
            raise Refused("a stone of the position is off the board")
    if set(stones[0]) & set(stones[1]):
        raise Refused("two stones of the position share a square")
    left = int(values["left"])
    room = left if width is None or height is None else width * height - len(stones[0]) - len(stones[1])
    if left > min(max(p, q), room) or left < min(1, room):
        raise Refused(f"nobody can have {left} stones left here")
    attackers = ("-",) if values["claim"] == "draw" else ("black", "white")
    if values["to-move"] not in ("black", "white") or values["attacker"] not in attackers:
        raise Refused("the header's sides are not written as they must be")
    if values["claim"] not in ("win", "hold", "draw"):
        raise Refused(f"{values['claim'][:20]!r} is no claim: win, hold or draw")
    two = (tuple(stones[0]), tuple(stones[1]))
    words = values["to-move"], left, values["claim"], values["attacker"]
    return Header(values["game"], width, height, k, p, game[6] is not None, two, *words)


def body(path: str | Path) -> Iterator[tuple[int, str]]:
    """The nodes with their numbers; only after a survey found the file whole."""
    lines = _lines(path)
    for line in lines:
        if line == b"\n":
            break
    for number, line in enumerate(lines, 1):
        if line.startswith(b"end "):
            return
        yield number, line[:-1].decode("ascii", "replace")


# The board


class Board:
    """The squares and segments of a board, or of a window on the infinite one."""

    def __init__(
        self, width: int, height: int, k: int, p: int, left: int = 0, bottom: int = 0, infinite: bool = False
    ) -> None:
        self.width, self.height, self.k, self.p = width, height, k, p
        self.left, self.bottom, self.infinite = left, bottom, infinite
        self.names = [square_name(i % width + left, i // width + bottom) for i in range(width * height)]
        self.index = {name: i for i, name in enumerate(self.names)}
        self.beyond = 1 << width * height
        self.every = self.beyond * 2 - 1
        # Every segment through the inner squares lies on the board.
        self.inner = self.rectangle(k - 1, k - 1, width - k + 1, height - k + 1)
        self.directions = [
            (1, self.rectangle(0, 0, width - k + 1, height)),
            (width, self.rectangle(0, 0, width, height - k + 1)),
            (width + 1, self.rectangle(0, 0, width - k + 1, height - k + 1)),
            (width - 1, self.rectangle(k - 1, 0, width, height - k + 1)),
        ]
        # By these jumps one square grows to k in a row.
        self.jumps, length = [], 1
        while length < k:
            self.jumps.append(min(length, k - length))
            length += self.jumps[-1]
        self.parse = lru_cache(maxsize=1 << 16)(self._parse)
        self.maps: dict[int, list[int]] = {}

    def rectangle(self, left: int, bottom: int, right: int, top: int) -> int:
        """The squares from the lower left corner up to, but not with, the upper right one."""
        row = ((1 << max(right - left, 0)) - 1) << left
        return sum(row << y * self.width for y in range(bottom, top))

    def _parse(self, text: str) -> tuple[int, tuple[int, ...]]:
        """The squares of a text as a set and as numbers, which must rise; `-` is none."""
        names = [] if text == "-" else [match[0] for match in _SQUARE.finditer(text)]
        if "".join(names) != text and text != "-":
            raise Refused(f"{text[:40]!r} is no list of squares")
        if any(name not in self.index for name in names):
            raise Refused(f"{text[:40]!r} leaves the board")
        numbers = tuple(self.index[name] for name in names)
        if any(a >= b for a, b in pairwise(numbers)):
            raise Refused(f"the squares of {text[:40]!r} are not in order")
        return sum(1 << number for number in numbers), numbers

    def set_of(self, squares: tuple[tuple[int, int], ...]) -> int:
        """A set from columns and rows."""
        return sum(1 << x - self.left + (y - self.bottom) * self.width for x, y in squares)

    def squares_of(self, squares: int) -> tuple[str, ...]:
        """The names of a set's squares."""
        return tuple(self.names[number] for number in bits(squares & ~self.beyond))

    def text(self, squares: int) -> str:
        """A set as it is written in a file."""
        return "".join(self.squares_of(squares)) or "-"

    def open_starts(self, blockers: int) -> Iterator[tuple[int, int]]:
        """For each direction its step, and the first squares of the segments without a blocker."""
        for step, starts in self.directions:
            hit = blockers
            for jump in self.jumps:
                hit |= hit >> jump * step
            yield step, starts & ~hit

    def ladder(self, own: int, blockers: int, most: int) -> Iterator[tuple[int, list[int]]]:
        """For each direction its step, and for j = 0 … most the first squares of the segments without a blocker and
        with at most j squares that `own` does not hold."""
        for step, starts in self.open_starts(blockers):
            rungs = [starts] * (most + 1)
            for i in range(self.k if starts else 0):
                held = own >> i * step
                for j in range(most, 0, -1):
                    rungs[j] = rungs[j - 1] | rungs[j] & held
                rungs[0] &= held
            yield step, rungs

    def spread(self, starts: int, step: int) -> int:
        """The squares of the segments that start there."""
        for jump in self.jumps:
            starts |= starts << jump * step
        return starts

    def has_row(self, own: int) -> bool:
        """Whether k in a row stand there."""
        for step, starts in self.directions:
            for i in range(self.k):
                starts &= own >> i * step
            if starts:
                return True
        return False

    def open_to(self, blockers: int) -> int:
        """The squares on segments without a blocker."""
        squares = 0
        for step, starts in self.open_starts(blockers):
            squares |= self.spread(starts, step)
        return squares

    def gaps(self, own: int, blockers: int, most: int) -> list[int]:
        """The empty squares of each segment that lacks at most so many stones and has no blocker."""
        found = []
        for step, rungs in self.ladder(own, blockers, most):
            for start in bits(rungs[most]):
                found.append(self.spread(1 << start, step) & ~own)
        return found

    def near_rows(self, own: int, blockers: int, stones: int) -> Zones | None:
        """Where `own` may grow a row with `stones` stones and one, two or three more; None if he needs no more."""
        near = [0, 0, 0]
        rungs_needed = min(stones + 3, self.k)
        for step, rungs in self.ladder(own, blockers, rungs_needed):
            if rungs[min(stones, self.k)]:
                return None
            for i in range(3):
                near[i] |= self.spread(rungs[min(stones + 1 + i, self.k)], step)
        empty = self.every & ~(own | blockers)
        for i in range(3):
            if stones + 1 + i >= self.k:  # even segments without any stone, of which there are more beyond
                near[i] |= self.beyond
        return near[0] & empty, near[1] & empty, near[2] & empty

    def image(self, squares: int, symmetry: int) -> int:
        """Where a symmetry takes a set: bit 4 swaps the axes, and then 1 mirrors the columns and 2 the rows."""
        if symmetry == 0:
            return squares
        if self.infinite or (symmetry & 4 and self.width != self.height):
            raise Refused(f"symmetry {symmetry} does not fit the board")
        if symmetry not in self.maps:
            self.maps[symmetry] = [
                1
                << (self.width - 1 - x if symmetry & 1 else x)
                + (self.height - 1 - y if symmetry & 2 else y) * self.width
                for i in range(self.width * self.height)
                for x, y in [divmod(i, self.width) if symmetry & 4 else (i % self.width, i // self.width)]
            ]
        to = self.maps[symmetry]
        return sum(to[number] for number in bits(squares & ~self.beyond)) | squares & self.beyond


def bits(squares: int) -> list[int]:
    """The numbers of a set's squares, rising."""
    found = []
    while squares:
        lowest = squares & -squares
        found.append(lowest.bit_length() - 1)
        squares ^= lowest
    return found


# The rules of a win


def defences(threats: list[int], stones: int) -> list[int]:
    """The critical defences: the sets of at most so many squares that hit every threat, none of them needlessly."""
    found, branches = set(), 0
    stack = [(0, stones)]
    while stack:
        chosen, left = stack.pop()
        branches += 1
        if branches > MAX_BRANCHES:
            raise Refused("there are too many ways to meet the threats")
        missed = next((threat for threat in threats if not threat & chosen), 0)
        if missed:
            stack += [(chosen | 1 << square, left - 1) for square in bits(missed) if left]
        elif all(any(threat & chosen == 1 << square for threat in threats) for square in bits(chosen)):
            found.add(chosen)
    return sorted(found, key=bits)


def cover(critical: list[int], stones: int) -> Generator[tuple[int, int], int, None]:
    """Asks for all replies that must be answered, those with most passes first: yields stones and passes, and is sent
    the squares for which one pass less must be asked for as well."""
    asked: list[set[int]] = [set() for _ in range(stones + 1)]
    for defence in critical:
        asked[stones - defence.bit_count()].add(defence)
    count = 0
    for passes in range(stones, -1, -1):
        for reply in sorted(asked[passes], key=bits):
            further = yield reply, passes
            if passes:
                asked[passes - 1].update([reply | 1 << square for square in bits(further & ~reply)])
                count += further.bit_count()
                if count > MAX_REPLIES:
                    raise Refused("there are too many replies")


def combined(zones: list[tuple[Zones, int]], empty: int) -> list[int]:
    """The union of zones, each shifted by so many passes."""
    union = [0, 0, 0]
    for zone, passes in zones:
        for i in range(3):
            union[i] |= zone[i + passes] if i + passes < 3 else empty
    return union


@dataclass
class Node:
    """A position with the defender to move, and the answered replies so far."""

    number: int
    reply: str
    answer: str
    attackers: int
    defenders: int
    stones: int
    """How many the defender places."""
    move: int = 0
    """The attacker's move that led here, and below: the reply before it, and its passes."""
    replied: int = 0
    passes: int = 0
    macro: bool = False
    last: tuple[bool, int, tuple[int, ...]] | None = None
    answers: dict[int, Zones] = field(default_factory=dict)
    macros: list[tuple[int, Zones]] = field(default_factory=list)
    threats: list[int] | None = None


class WinWalk:
    """Walks through the body of a win, one node at a time."""

    def __init__(self, board: Board, header: Header, referenced: set[int]) -> None:
        self.board, self.referenced, self.left = board, referenced, header.left
        self.kept: dict[int, tuple[int, int, Zones]] = {}
        self.stays_inside = True
        self.zones: Zones = (0, 0, 0)
        self.path: list[Node] = []
        self.done = False
        black, white = (board.set_of(side) for side in header.stones)
        own, other = (black, white) if header.attacker == "black" else (white, black)
        self.root = own, other
        self.look_at(own | other)
        self.defender_wins_by_rows = not (header.maker_breaker and header.attacker == "black")
        if header.maker_breaker and header.attacker == "white":
            raise Refused("White, the breaker, cannot win")
        if board.has_row(own) or (self.defender_wins_by_rows and board.has_row(other)):
            raise Refused("the game is over")
        if header.turn != header.attacker:
            self.path.append(Node(0, "", "", own, other, header.left))

    def where(self, number: int) -> tuple[int | None, tuple[str, ...]]:
        """The node at which it stopped, and the moves to it."""
        line = tuple(text for node in self.path for text in (node.reply, node.answer) if text not in ("", "-"))
        return (self.path[-1].number if self.path else number) or None, line

    def look_at(self, squares: int) -> None:
        """Notes whether segments through these squares would leave the board."""
        if squares & ~self.board.inner:
            self.stays_inside = False

    def feed(self, number: int, text: str) -> None:
        """Takes the next line."""
        words = text.split(" ")
        if len(words) != 3 or not _NUMBER.fullmatch(words[0]):
            raise Refused(f"line {number} of the body is not written as it must be")
        depth, board = int(words[0]), self.board
        while len(self.path) > max(depth, 1):
            self.close()
        if len(self.path) != depth or self.done:
            raise Refused(f"line {number} of the body is at a depth where nothing can stand")
        stones, passes, macro = 0, 0, False
        if depth == 0:
            (own, other), left = self.root, self.left
            if words[1] != "-":
                raise Refused("the first line has a reply to nothing")
        else:
            above = self.path[-1]
            stones, passes, macro = self.reply(above, words[1])
            own, other = above.attackers, above.defenders | stones
            left = min(board.p, (board.every & ~(own | other)).bit_count() - 1) if not board.infinite else board.p
        node = Node(number, words[1], words[2], own, other, 0, 0, stones, passes, macro)
        if match := _REFERENCE.fullmatch(words[2]):
            self.path.append(node)
            zones = self.referred(int(match[1]), int(match[2]), own, other)
            self.path.pop()
            self.deliver(node, zones)
            return
        node.move, numbers = board.parse(words[2])
        self.look_at(node.move)
        if node.move & (own | other) or not numbers:
            raise Refused(f"node {number}: {words[2][:40]} is no move on empty squares")
        node.attackers |= node.move
        if len(numbers) != left and not (len(numbers) < left and board.has_row(node.attackers)):
            raise Refused(f"node {number}: {words[2][:40]} has not {left} stones")
        empty = (board.every & ~(node.attackers | other)).bit_count() - 1
        node.stones = board.p if board.infinite else min(board.p, empty)
        self.path.append(node)

    def parsed(self, text: str) -> tuple[int, int, bool]:
        """The stones and passes of a reply, and whether it stands for several."""
        match = _REPLY.fullmatch(text)
        if match is None:
            raise Refused(f"{text[:40]!r} is no reply")
        return self.board.parse(match[2] or "-")[0], int(match[3] or 0), match[1] == "+"

    def reply(self, above: Node, text: str) -> tuple[int, int, bool]:
        """Reads a reply to a position, which must be possible there and in order."""
        stones, passes, macro = self.parsed(text)
        self.look_at(stones)
        if stones & (above.attackers | above.defenders):
            raise Refused(f"the reply {text[:40]} is not on empty squares")
        if (macro and (passes or not stones)) or (not macro and stones.bit_count() + passes != above.stones):
            raise Refused(f"the reply {text[:40]} has not {above.stones} stones")
        key = (macro, -passes, tuple(bits(stones)))
        if above.last is not None and above.last >= key:
            raise Refused(f"the reply {text[:40]} is not in order")
        above.last = key
        return stones, passes, macro

    def referred(self, number: int, symmetry: int, own: int, other: int) -> Zones:
        """The zones of an equal position that has been proved already."""
        if number not in self.kept:
            raise Refused(f"it refers to node {number}, which is not complete before it or only refers itself")
        earlier_own, earlier_other, zones = self.kept[number]
        image = self.board.image
        if image(earlier_own, symmetry) != own or image(earlier_other, symmetry) != other:
            raise Refused(f"the position is not that of node {number}")
        return image(zones[0], symmetry), image(zones[1], symmetry), image(zones[2], symmetry)

    def close(self) -> None:
        """The last node of the path is complete: judges it."""
        node = self.path[-1]
        zones = self.judge(node)
        one, two, three = (zone | node.move for zone in zones)
        self.path.pop()
        if node.number in self.referenced:
            self.kept[node.number] = node.attackers & ~node.move, node.defenders, (one, two, three)
        self.deliver(node, (one, two, three))

    def deliver(self, node: Node, zones: Zones) -> None:
        """Hands the zones of an answer to the node above."""
        if not self.path:
            self.zones, self.done = zones, True
        elif node.macro:
            self.path[-1].macros.append((node.replied, zones))
        else:
            self.path[-1].answers[node.replied] = zones

    def judge(self, node: Node) -> Zones:
        """The zones of a position with the defender to move, if the attacker wins it with the answers given."""
        board, own, other = self.board, node.attackers, node.defenders
        empty = board.every & ~(own | other)
        won = board.has_row(own)
        near: Zones | None = (0, 0, 0)
        if self.defender_wins_by_rows:
            near = board.near_rows(other, own, 0 if won else node.stones)
        if near is None:
            raise Refused("the defender completes a row")
        if won:
            if node.answers or node.macros:
                raise Refused("replies follow a won position")
            return near
        if empty == board.beyond:
            raise Refused("the board is full and nobody has won")
        threats = self.threats(node)
        used: dict[int, tuple[Zones, int]] = {}
        macros: set[int] = set()
        questions = cover(defences(threats, node.stones), node.stones)
        further = None
        try:
            while True:
                reply, passes = next(questions) if further is None else questions.send(further)
                zones, further = node.answers.get(reply), 0
                if zones is not None:
                    used[reply] = zones, passes
                if passes:
                    further = self.countable(empty if zones is None or passes > 3 else zones[passes - 1])
                elif zones is None:
                    macro = next((i for i, (stones, _) in enumerate(node.macros) if not reply & ~stones), None)
                    if macro is None:
                        raise Refused(f"the reply {board.text(reply)} is not answered")
                    macros.add(macro)
        except StopIteration:
            pass
        if len(used) != len(node.answers) or len(macros) != len(node.macros):
            raise Refused("it answers replies that need no answer")
        union = combined([*used.values(), *((node.macros[i][1], 0) for i in macros)], empty)
        if threats:
            for i in range(3):
                union[i] |= near[i]
                for threat in threats:
                    union[i] |= threat
        return union[0], union[1], union[2]

    def threats(self, node: Node) -> list[int]:
        """The empty squares of each threat of the attacker."""
        if node.threats is None:
            node.threats = self.board.gaps(node.attackers, node.defenders, self.board.p)
        return node.threats

    def countable(self, squares: int) -> int:
        """Squares that must be tried one by one; the infinite board may have too many."""
        if squares & self.board.beyond:
            if self.board.infinite:
                raise Refused("every square of the infinite board would have to be tried")
            self.stays_inside = False
        return squares & ~self.board.beyond

    def finish(self) -> None:
        """After the last line."""
        while len(self.path) > 1:
            self.close()
        if self.path and self.path[0].number == 0:
            self.zones = self.judge(self.path[0])
            self.done = True
        elif self.path:
            self.close()
        if not self.done:
            raise Refused("the body is empty")


# The rules of a hold


@dataclass
class Stand:
    """A position with the attacker to move whose moves are listed one by one."""

    number: int
    text: str
    attackers: int
    defenders: int
    left: int
    live: int
    last: tuple[int, tuple[int, ...]] = (-1, ())
    count: int = 0


class HoldWalk:
    """Walks through the body of a hold, one node at a time."""

    def __init__(self, board: Board, header: Header, attacker: str, referenced: set[int]) -> None:
        if board.infinite:
            raise Refused("on the infinite board there is no end to the attacker's moves")
        self.board, self.referenced, self.left = board, referenced, header.left
        self.kept: dict[int, tuple[int, int]] = {}
        self.path: list[Stand] = []
        self.started = False
        black, white = (board.set_of(side) for side in header.stones)
        own, other = (black, white) if attacker == "black" else (white, black)
        self.root = own, other
        self.attacker_moves = header.turn == attacker
        self.attacker_wins_by_rows = not (header.maker_breaker and attacker == "white")
        self.defender_wins_by_rows = not (header.maker_breaker and attacker == "black")
        if (self.attacker_wins_by_rows and board.has_row(own)) or (self.defender_wins_by_rows and board.has_row(other)):
            raise Refused("the game is over")

    def where(self, number: int) -> tuple[int | None, tuple[str, ...]]:
        """The node at which it stopped, and the moves to it."""
        return number or None, tuple(stand.text for stand in self.path)

    def feed(self, number: int, text: str) -> None:
        """Takes the next line."""
        words = text.split(" ")
        if len(words) != 4 or not _NUMBER.fullmatch(words[0]):
            raise Refused(f"line {number} of the body is not written as it must be")
        depth, board = int(words[0]), self.board
        while len(self.path) > max(depth, 1):
            self.close()
        if len(self.path) != depth or (depth == 0 and self.started):
            raise Refused(f"line {number} of the body is at a depth where nothing can stand")
        self.started = True
        reply, numbers = board.parse(words[2])
        if depth == 0:
            own, other = self.root
            due = 0 if self.attacker_moves else self.left
            if words[1] != "-":
                raise Refused("the first line has a move of the attacker")
        else:
            own, other = self.attack(self.path[-1], words[1])
            due = min(board.p, self.room(own, other))
        if reply & (own | other) or len(numbers) != due:
            raise Refused(f"node {number}: the reply must be {due} stones on empty squares")
        other |= reply
        room = self.room(own, other)
        left = min(self.left if depth == 0 and self.attacker_moves else board.p, room)
        closed = self.is_closed(own, other)
        if closed != (words[3] == "x"):
            raise Refused(f"node {number}: " + ("nothing is left to prove" if closed else "the attacker may still win"))
        if match := _REFERENCE.fullmatch(words[3]):
            earlier = self.kept.get(int(match[1]))
            if earlier is None:
                raise Refused(f"node {number} refers to node {match[1]}, which is not complete before it")
            if tuple(board.image(side, int(match[2])) for side in earlier) != (own, other):
                raise Refused(f"the position of node {number} is not that of node {match[1]}")
        elif words[3] == ".":
            self.path.append(Stand(number, text, own, other, left, self.live(own, other)))
            return
        elif not closed:
            self.pairing(number, words[3], own, other, left)
        if number in self.referenced and match is None and depth:
            self.kept[number] = own, other

    def is_closed(self, own: int, other: int) -> bool:
        """Whether the attacker cannot complete a row any more, or the defender has one."""
        if self.room(own, other) == 0 or not self.attacker_wins_by_rows:
            return True
        if self.defender_wins_by_rows and self.board.has_row(other):
            return True
        return not any(starts for _, starts in self.board.open_starts(other))

    def live(self, own: int, other: int) -> int:
        """The empty squares on segments that somebody may still fill."""
        squares = self.board.open_to(other) if self.attacker_wins_by_rows else 0
        if self.defender_wins_by_rows:
            squares |= self.board.open_to(own)
        return squares & ~(own | other)

    def room(self, own: int, other: int) -> int:
        """How many squares are empty."""
        return (self.board.every & ~(own | other)).bit_count() - 1

    def attack(self, above: Stand, text: str) -> tuple[int, int]:
        """The stones of both sides after a move of the attacker; stones on dead squares are not written."""
        board, (stones, numbers) = self.board, self.board.parse(text)
        if stones & ~above.live or len(numbers) > above.left:
            raise Refused(f"{text[:40]} is no move here, or it names dead squares")
        if above.last >= (len(numbers), numbers):
            raise Refused(f"the move {text[:40]} is not in order")
        above.last = len(numbers), numbers
        above.count += 1
        own, other = above.attackers | stones, above.defenders
        dead = board.every & ~(board.beyond | own | other | above.live)
        missing = above.left - len(numbers)
        if dead.bit_count() < missing:
            raise Refused(f"the move {text[:40]} has too few stones")
        for square in bits(dead)[:missing]:
            own |= 1 << square
        if self.attacker_wins_by_rows and board.has_row(own):
            raise Refused(f"the attacker completes a row by {text[:40]}")
        return own, other

    def close(self) -> None:
        """The last node of the path is complete: were all moves of the attacker there?"""
        stand = self.path[-1]
        live = stand.live.bit_count()
        dead = self.room(stand.attackers, stand.defenders) - live
        moves = sum(comb(live, stand.left - missing) for missing in range(min(stand.left, dead) + 1))
        if stand.count != moves:
            raise Refused(f"node {stand.number} answers {stand.count} of {moves} moves of the attacker")
        self.path.pop()
        if stand.number in self.referenced and self.path:
            self.kept[stand.number] = stand.attackers, stand.defenders

    def pairing(self, number: int, text: str, own: int, other: int, left: int) -> None:
        """Whether each segment that the attacker may still fill holds one of the pairs."""
        board = self.board
        if board.p != 1 or left != 1:
            raise Refused(f"node {number}: pairs help only against one stone at a time")
        last: tuple[int, ...] = ()
        taken, pairs = own | other, []
        for word in text.split(","):
            pair, numbers = board.parse(word)
            if len(numbers) != 2 or pair & taken or numbers <= last:
                raise Refused(f"node {number}: {word[:20]} is no pair of empty squares, or not in order")
            taken, last = taken | pair, numbers
            pairs.append(numbers)
        for step, starts in board.open_starts(other):
            without = starts
            for one, two in pairs:
                apart, rest = divmod(two - one, step)
                if rest == 0 and apart < board.k:
                    reach = sum(1 << one - i * step for i in range(board.k - apart) if one >= i * step)
                    without &= ~reach
            if without:
                segment = board.spread(without & -without, step)
                raise Refused(f"node {number}: no pair lies within {board.text(segment)}")

    def finish(self) -> None:
        """After the last line."""
        while self.path:
            self.close()
        if not self.started:
            raise Refused("the body is empty")


def _open_leaves(path: str | Path, survey: Survey, board: Board) -> Iterator[str]:
    """The positions that are left to other files, as text; not more than anybody would read."""
    header = survey.header
    black, white = (board.set_of(side) for side in header.stones)
    first = (black, white) if header.attacker == "black" else (white, black)
    after = [] if header.turn == header.attacker else [first]  # by depth, the stones after the node's move
    shown = 0
    for number, text in body(path):
        words = text.split(" ")
        if header.claim != "win" or len(words) != 3 or not _NUMBER.fullmatch(words[0]) or int(words[0]) > len(after):
            raise Refused(f"line {number} of the body is not written as it must be")
        depth = int(words[0])
        del after[depth:]
        own, other = after[-1] if after else first
        reply = _REPLY.fullmatch(words[1])
        if reply is None:
            raise Refused(f"line {number} of the body is not written as it must be")
        other |= board.parse("-" if reply[2] in ("", "-") else reply[2])[0]
        if words[2] == "?":
            sides = (own, other) if header.attacker == "black" else (other, own)
            stones = " ".join(
                f"{letter}: {' '.join(board.squares_of(side))}" for letter, side in zip("BW", sides, strict=True)
            )
            yield f"{header.game} {stones} to move: {header.attacker[0].upper()}"
            shown += 1
            if shown == MAX_LEAVES:
                return
        elif "=" not in words[2]:
            after.append((own | board.parse(words[2])[0], other))
