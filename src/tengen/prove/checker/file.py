"""Reads a proof file: once for its header, its digest and what must be known in advance, then node by node."""

from __future__ import annotations

import gzip
import hashlib
import io
import re
import zlib
from collections.abc import Iterator
from functools import lru_cache
from pathlib import Path
from typing import BinaryIO, NamedTuple

from tengen.prove.checker.board import Board
from tengen.prove.checker.breaker import MAGIC as BREAKER_MAGIC
from tengen.prove.checker.text import (
    GAME,
    MAGIC,
    MAX_BYTES,
    MAX_K,
    MAX_LINE,
    MAX_NODES,
    MAX_P,
    MAX_SIDE,
    MAX_SPAN,
    NUMBER,
    REFERENCE,
    SQUARE,
    NoProofError,
    Refused,
    column_and_row,
)

_MAX_BREAKER = 1 << 26
_MAX_HELD = 1 << 32
"""Bytes for the positions and zones that must be known at once."""
_HELD_EACH = 512
"""Bytes for one of them, on the smallest board."""
_DEPTH = re.compile(rb"(\d{1,5}) ")
_HEADER = ("game", "position", "to-move", "left", "claim", "attacker")
Box = tuple[int, int, int, int]
"""The least column and row, and the greatest."""


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

    @property
    def claim_in_words(self) -> str:
        """Who is said to win, or not to."""
        who = self.attacker
        what = {"win": f"{who} wins", "hold": f"{who} does not win", "draw": "a draw"}[self.claim]
        return f"{self.game}, {self.turn} to move: {what}"

    def sides(self, board: Board, attacker: str) -> tuple[int, int]:
        """The stones of the attacker and of the defender as plain sets."""
        black, white = (board.set_of(side) for side in self.stones)
        return (black, white) if attacker == "black" else (white, black)


class Survey:
    """The first pass over a file: the header, the digest, and what must be known before the second.

    Raises:
        NoProofError: if it is no proof file.
        Refused: if it is damaged.
        OSError: if it cannot be read.
    """

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
        """All nodes, and those that are left to other files."""
        self.referenced: set[int] = set()
        self.waiting = _Waiting()
        names: set[str] = set()
        trailer = b""
        for line in lines:
            if not line.endswith(b"\n"):
                raise Refused("a line is too long, or the file has been cut short")
            if line.startswith(b"end "):
                trailer = line
                break
            digest.update(line)
            self.nodes += 1
            if self.nodes > MAX_NODES:
                raise Refused(f"it has more than {MAX_NODES:,} nodes")
            if self.header.claim == "win" and (depth := _DEPTH.match(line)):
                self.waiting.enter(int(depth[1]))
            if b"=" in line:
                self.referenced.update(int(number) for number, _ in REFERENCE.findall(line.decode("ascii", "replace")))
                self._bound_memory(_HELD_EACH)
            elif line.endswith(b" ?\n"):
                self.open += 1
            if self.header.width is None:
                names.update(match[0] for match in SQUARE.finditer(line.decode("ascii", "replace")))
                if len(names) > MAX_SPAN**2:
                    raise Refused(_TOO_WIDE)
        if trailer != f"end {self.nodes} {digest.hexdigest()}\n".encode():
            raise Refused("the last line does not fit the file: it has been changed, or cut short")
        if next(lines, None) is not None:
            raise Refused("something follows the last line")
        self.box = box_of([*map(column_and_row, names), *self.header.stones[0], *self.header.stones[1]])

    def board(self) -> Board:
        """The board of the proof."""
        board = board_of(self.header, self.box)
        self._bound_memory(_HELD_EACH + board.beyond.bit_length() // 2)
        return board

    def _bound_memory(self, each: int) -> None:
        """Refuses what would need too much memory, before any of it is taken, however many share the work."""
        if (len(self.referenced) + self.waiting.most) * each > _MAX_HELD:
            raise Refused("it has more replies to one position, or nodes that are referred to, than this checker holds")


class _Waiting:
    """Counts the answers that wait, along the path, for the node above them to be complete."""

    def __init__(self) -> None:
        self.most = self._now = 0
        self._siblings = [0]
        """By depth."""

    def enter(self, depth: int) -> None:
        """A line of this depth follows; one that hangs in the air is refused by those who read it."""
        if depth > len(self._siblings):
            return
        while len(self._siblings) > depth + 1:
            self._now -= self._siblings.pop()
        if len(self._siblings) == depth:
            self._siblings.append(0)
        self._siblings[depth] += 1
        self._now += 1
        self.most = max(self.most, self._now)


_TOO_WIDE = f"its squares lie more than {MAX_SPAN} columns or rows apart"


def box_of(squares: list[tuple[int, int]]) -> Box:
    """The outline of squares; of none, that of tengen."""
    xs, ys = [x for x, _ in squares] or [9], [y for _, y in squares] or [9]
    return min(xs), min(ys), max(xs), max(ys)


_same_board = lru_cache(maxsize=1)(Board)
"""Many small proofs are about one board, whose tables take longer to make than such a proof to check."""


def board_of(header: Header, box: Box) -> Board:
    """The board, or the window on the infinite one in which every segment through the squares of a box lies."""
    if header.width is not None and header.height is not None:
        return _same_board(header.width, header.height, header.k, header.p)
    (left, bottom, right, top), k = box, header.k
    if max(right - left, top - bottom) >= MAX_SPAN:
        raise Refused(_TOO_WIDE)
    return Board(right - left + 1 + 2 * k, top - bottom + 1 + 2 * k, k, header.p, left - k, bottom - k, True)


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


def _lines(path: str | Path) -> Iterator[bytes]:
    """The lines of a file that may be compressed, without ever holding more than one."""
    with Path(path).open("rb") as plain:
        packed = plain.read(2) == b"\x1f\x8b"
        plain.seek(0)
        file: BinaryIO | gzip.GzipFile = gzip.GzipFile(fileobj=plain) if packed else plain
        reader = io.BufferedReader(file, 1 << 16) if packed else file  # type: ignore[type-var]
        size = 0
        try:
            while line := reader.readline(MAX_LINE):
                size += len(line)
                if size > MAX_BYTES:
                    raise Refused("it is larger than any proof that this checker reads")
                yield line
        except (gzip.BadGzipFile, EOFError, zlib.error) as error:
            raise Refused(f"the file is damaged: {error}") from error


def whole_if_breaker(path: str | Path) -> bytes | None:
    """The content of a breaker's strategy, unpacked; None if the file is something else.

    Raises:
        Refused: if it is damaged, or larger than any such file.
        OSError: if it cannot be read.
    """
    lines = _lines(path)
    content = [next(lines, b"")]
    if content[0] != BREAKER_MAGIC.encode() + b"\n":
        return None
    size = 0
    for line in lines:
        content.append(line)
        size += len(line)
        if size > _MAX_BREAKER:
            raise Refused("it is larger than any strategy that this checker reads")
    return b"".join(content)


def _header(lines: list[bytes]) -> Header:
    try:
        pairs = [line.decode("ascii").removesuffix("\n").split(" ", 1) for line in lines]
    except UnicodeDecodeError:
        raise Refused("the header holds something other than plain letters") from None
    if [pair[0] for pair in pairs] != list(_HEADER) or any(len(pair) != 2 for pair in pairs):
        raise Refused(f"the header must be the lines {', '.join(_HEADER)} and an empty one")
    values = {pair[0]: pair[1] for pair in pairs}
    game, position = GAME.fullmatch(values["game"]), re.fullmatch(r"B:((?: \S+)*) W:((?: \S+)*)", values["position"])
    if game is None or position is None or not NUMBER.fullmatch(values["left"]):
        raise Refused("the header's game, position or number of stones left is not written as it must be")
    width, height = (None if number is None else int(number) for number in game.groups()[:2])
    k, p, q = (int(number) for number in game.groups()[2:5])
    board = () if width is None or height is None else (width, height)
    if not (1 <= k <= MAX_K and 1 <= p <= MAX_P and 1 <= q <= MAX_P and all(3 <= n <= MAX_SIDE for n in board)):
        raise Refused(f"{values['game']} is a game beyond this checker")
    if values["game"] != f"Connect({','.join(map(str, (*board, k, p, q)))}){game[6] or ''}":
        raise Refused("the header's game is not written as it must be")
    black, white = (tuple(column_and_row(name) for name in side.split()) for side in position.groups())
    for side in (black, white):
        if sorted(set(side), key=lambda s: (s[1], s[0])) != list(side):
            raise Refused("the stones of the position are not in order")
        if board and any(not (0 <= x < board[0] and 0 <= y < board[1]) for x, y in side):
            raise Refused("a stone of the position is off the board")
    if set(black) & set(white):
        raise Refused("two stones of the position share a square")
    left = int(values["left"])
    room = board[0] * board[1] - len(black) - len(white) if board else max(p, q)
    if left > min(max(p, q), room) or left < min(1, room):
        raise Refused(f"nobody can have {left} stones left here")
    attackers = ("-",) if values["claim"] == "draw" else ("black", "white")
    if values["to-move"] not in ("black", "white") or values["attacker"] not in attackers:
        raise Refused("the header's sides are not written as they must be")
    if values["claim"] not in ("win", "hold", "draw"):
        raise Refused(f"{values['claim'][:20]!r} is no claim: win, hold or draw")
    words = values["to-move"], left, values["claim"], values["attacker"]
    return Header(values["game"], width, height, k, p, game[6] is not None, (black, white), *words)
