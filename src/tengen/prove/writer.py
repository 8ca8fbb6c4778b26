"""Writes the body of a proof line by line, and has the checker judge each: nothing is written that it would refuse."""

from __future__ import annotations

import gzip
import hashlib
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any, BinaryIO

from tengen.game import BLACK, WHITE, Colour, Position, TengenError
from tengen.prove.checker.board import Board, bits
from tengen.prove.checker.file import Header, board_of, box_of
from tengen.prove.checker.hold import WITHOUT_ROWS, HoldWalk
from tengen.prove.checker.text import MAGIC, MAX_K, MAX_P, Refused, square_name
from tengen.prove.checker.win import WinWalk
from tengen.prove.tree import Call, Seen, Tree, has_open_leaves, run, set_of
from tengen.record.files import replacing

Target = str | Path | BinaryIO
Report = Callable[[int, int], object]
_BETWEEN_REPORTS = 256
_LINES_AT_ONCE = 1024


def header_of(position: Position, claim: str, attacker: Colour | None) -> Header:
    """The header of a proof about a position.

    Raises:
        TengenError: if the game is beyond proof files.
    """
    game = position.game
    if game.k > MAX_K or max(game.p, game.q) > MAX_P:
        raise TengenError(f"{game}: proof files know k up to {MAX_K}, p and q up to {MAX_P}")
    black, white = (
        tuple(sorted(((s.x, s.y) for s in position.stones(c)), key=lambda s: (s[1], s[0]))) for c in (BLACK, WHITE)
    )
    left = 0 if position.is_draw else position.stones_left
    words = str(position.turn), left, claim, "-" if attacker is None else str(attacker)
    return Header(str(game), game.m, game.n, game.k, game.p, game.maker_breaker, (black, white), *words)


def board_for(header: Header, squares: Iterable[tuple[int, int]] = ()) -> Board:
    """The board of a proof; on the infinite board a window for the position and more squares.

    Raises:
        TengenError: if they lie too far apart.
    """
    try:
        return board_of(header, box_of([*header.stones[0], *header.stones[1], *squares]))
    except Refused as refusal:
        raise TengenError(f"this can be no proof: {refusal}") from refusal


class Output:
    """Lines on their way to a file."""

    def __init__(self, stream: gzip.GzipFile) -> None:
        self.stream, self.digest = stream, hashlib.sha256()
        self.nodes = self.open = 0
        """All nodes so far, and those that are left to other files."""
        self.waiting: list[str] = []

    def put(self, text: str) -> None:
        """Takes a line."""
        self.waiting.append(f"{text}\n")
        if len(self.waiting) == _LINES_AT_ONCE:
            self.flush()

    def put_node(self, text: str) -> int:
        """Takes the line of a node; returns its number."""
        self.put(text)
        self.nodes += 1
        return self.nodes

    def flush(self) -> None:
        """Hands over all lines so far."""
        content = "".join(self.waiting).encode()
        self.waiting.clear()
        self.digest.update(content)
        self.stream.write(content)


@contextmanager
def writing(target: Target, header: Header) -> Iterator[Output]:
    """The output for the body of a proof file. A file by name is there only once all of it is written.

    Raises:
        TengenError: if the checker refuses what is written.
        OSError: if the file cannot be written.
    """
    if isinstance(target, str | Path):
        with replacing(Path(target)) as file, writing(file, header) as output:
            yield output
        return
    stones = [
        " ".join([f"{letter}:", *(square_name(x, y) for x, y in side)])
        for letter, side in zip("BW", header.stones, strict=True)
    ]
    with gzip.GzipFile(filename="", mode="wb", fileobj=target, compresslevel=9, mtime=0) as stream:
        output = Output(stream)
        for line in (
            MAGIC,
            f"game {header.game}",
            f"position {' '.join(stones)}",
            f"to-move {header.turn}",
            f"left {header.left}",
            f"claim {header.claim}",
            f"attacker {header.attacker}",
            "",
        ):
            output.put(line)
        try:
            yield output
        except Refused as refusal:
            raise TengenError(f"this proves nothing: {refusal}") from refusal
        output.flush()
        output.put(f"end {output.nodes} {output.digest.hexdigest()}")
        output.flush()


class Progress:
    """Tells how many of the different parts of strategies are dealt with, if somebody wants to know."""

    def __init__(
        self, report: Report | None, strategies: Iterable[Any], children: Callable[[Any], Iterable[Any]]
    ) -> None:
        self.report, self.children, self.calls = report, children, 0
        self.waiting: set[int] = set()
        """The ids of all parts that are not dealt with."""
        stack = [] if report is None else list(strategies)
        while stack:
            part = stack.pop()
            if part is not None and id(part) not in self.waiting:
                self.waiting.add(id(part))
                stack += children(part)
        self.total = len(self.waiting)

    def completed(self, part: Any) -> None:
        """A part has been written with all that is needed below it, or need not be written."""
        if self.report is None:
            return
        stack = [part]
        while stack:
            part = stack.pop()
            if id(part) in self.waiting:
                self.waiting.remove(id(part))
                stack += self.children(part)
        self.calls += 1
        if self.calls % _BETWEEN_REPORTS == 0:
            self.report(self.total - len(self.waiting), self.total)

    def finished(self) -> None:
        """All is written."""
        if self.report is not None:
            self.report(self.total, self.total)


def write_tree(target: Target, header: Header, board: Board, tree: Tree | None, report: Report | None = None) -> Output:
    """Writes a proof of a win; with open leaves the strategy is written as it is.

    Raises:
        TengenError: if it proves nothing. A file by name is not written then.
        OSError: if the file cannot be written.
    """
    progress = Progress(report, [tree], lambda part: part.answers.values())
    kind = _UnjudgedWinWriter if has_open_leaves(tree) else WinWriter
    with writing(target, header) as output:
        kind(output, board, header, progress).write(tree)
    progress.finished()
    return output


class WinWriter:
    """Writes a win line by line, and has the checker judge each. Replies that need no answer are left out."""

    def __init__(
        self, output: Output, board: Board, header: Header, progress: Progress, walk: WinWalk | None = None
    ) -> None:
        self.output, self.board, self.header, self.progress = output, board, header, progress
        self.walk = walk or WinWalk(board, header, set())
        self.referenced = self.walk.referenced
        self.seen = Seen(board)

    def write(self, tree: Tree | None) -> None:
        """Writes the whole body.

        Raises:
            Refused: if it proves nothing.
        """
        own, other = self.header.sides(self.board, self.header.attacker)
        if self.walk.attacker_moves:
            run(self.answer(0, "-", own, other, tree))
        elif tree is not None:
            run(self.replies(1, own, other, tree))
        self.close(0)

    def answer(self, depth: int, reply: str, own: int, other: int, tree: Tree | None) -> Call:
        """Writes the answer to a reply; what follows is left to the call that it returns."""
        if tree is None:
            self.output.open += 1
            self.put(depth, reply, "?")
        elif tree.answers:
            return self.continued(depth, reply, own, other, tree)
        else:
            self.put(depth, reply, self.board.text(tree.move))
            self.close(depth)
            self.progress.completed(tree)
        return None

    def continued(self, depth: int, reply: str, own: int, other: int, tree: Tree) -> Call:
        """Writes an answer and all that follows, or refers to an equal node."""
        key = self.seen.key(own, other)
        found = self.seen.find(key, own, other, tree) if depth else None
        if found is not None:
            self.put(depth, reply, f"={found[1]}.{found[2]}")
        else:
            number = self.put(depth, reply, self.board.text(tree.move))
            self.referenced.add(number)
            yield self.replies(depth + 1, own | tree.move, other, tree)
            self.close(depth)
            self.seen.add(key, own, other, tree, number)
        self.progress.completed(tree)

    def put(self, depth: int, reply: str, answer: str) -> int:
        """Writes a line, and has it read; returns the number of the node."""
        line = f"{depth} {reply} {answer}"
        number = self.output.put_node(line)
        self.walk.feed(number, line)
        return number

    def replies(self, depth: int, own: int, other: int, tree: Tree) -> Call:
        """Writes the replies that the checker asks for, with their answers."""
        macros = sorted((stones for stones, macro in tree.answers if macro), key=bits)
        used: set[int] = set()
        for reply, passes in self.walk.ask(self.walk.path[-1]):
            if (reply, False) in tree.answers:
                yield self.single(depth, reply, passes, own, other, tree)
            elif passes == 0:
                macro = next((stones for stones in macros if not reply & ~stones), None)
                if macro is None:
                    raise Refused(f"the reply {self.board.text(reply)} is not answered")
                used.add(macro)
        for stones in sorted(used, key=bits):
            yield self.macro(depth, stones, own, other, tree)

    def single(self, depth: int, stones: int, passes: int, own: int, other: int, tree: Tree) -> Call:
        """Writes the answer to one reply."""
        text = ("" if stones == 0 else self.board.text(stones)) + (f"/{passes}" if passes else "")
        return self.answer(depth, text, own, other | stones, tree.answers[stones, False])

    def macro(self, depth: int, stones: int, own: int, other: int, tree: Tree) -> Call:
        """Writes the answer to a macro reply."""
        return self.answer(depth, "+" + self.board.text(stones), own, other | stones, tree.answers[stones, True])

    def close(self, depth: int) -> None:
        """A node at this depth is written with all that follows: has it judged."""
        while len(self.walk.path) > depth:
            self.walk.close()


class _UnjudgedWinWriter(WinWriter):
    """Writes a win with open leaves, which nobody can judge yet: all of it, as it is."""

    def put(self, depth: int, reply: str, answer: str) -> int:
        return self.output.put_node(f"{depth} {reply} {answer}")

    def replies(self, depth: int, own: int, other: int, tree: Tree) -> Call:
        is_first = depth == 1 and not self.walk.attacker_moves
        due = self.header.left if is_first else self.board.move_size(own | other)
        single = [stones for stones, macro in tree.answers if not macro]
        for stones in sorted(single, key=lambda stones: (stones.bit_count(), bits(stones))):
            yield self.single(depth, stones, due - stones.bit_count(), own, other, tree)
        for stones in sorted((stones for stones, macro in tree.answers if macro), key=bits):
            yield self.macro(depth, stones, own, other, tree)

    def close(self, depth: int) -> None:
        pass


def is_without_rows(strategy: Any) -> bool:
    """Whether a strategy to hold says that rows of the defender do not count."""
    return isinstance(strategy, tuple) and len(strategy) == 2 and strategy[0] == "without rows"


class HoldWriter:
    """Writes a hold line by line, and has the checker judge each."""

    def __init__(self, output: Output, board: Board, header: Header, attacker: Colour, progress: Progress) -> None:
        self.output, self.board, self.progress = output, board, progress
        self.sides = header.sides(board, str(attacker))
        self.referenced: set[int] = set()
        self.walk = HoldWalk(board, header, str(attacker), self.referenced)
        self.first = "-"
        self.seen = Seen(board)

    def write(self, strategy: Any) -> None:
        """Writes the whole body.

        Raises:
            TengenError: if the strategy is not complete, or wrong.
            Refused: likewise.
        """
        if is_without_rows(strategy):
            self.first, strategy = WITHOUT_ROWS, strategy[1]
            self.walk.defender_wins_by_rows = False
        reply: Sequence[object] = ()
        if not self.walk.attacker_moves:
            if not isinstance(strategy, list) or len(strategy) != 1 or len(strategy[0][0]):
                raise TengenError("the defender is to move: his move must be the only entry, with no attacking stones")
            _, reply, strategy = strategy[0]
        own, other = self.sides
        stones = set_of(reply, self.board)
        run(self.node(0, 0, stones, own, other | stones, strategy))
        self.walk.finish()

    def node(self, depth: int, attack: int, reply: int, own: int, other: int, strategy: Any) -> Call:
        """Writes a node with the position after an attack and a reply, and all that follows."""
        board, walk = self.board, self.walk
        key = self.seen.key(own, other)
        found = self.seen.find(key, own, other) if depth else None
        is_list = False
        if walk.is_closed(board.in_lines(own), board.in_lines(other)):
            kind = "x"
        elif found is not None:
            kind = f"={found[1]}.{found[2]}"
        elif isinstance(strategy, tuple) and len(strategy) == 2 and strategy[0] == "pairs":
            pairs = sorted(bits(set_of(pair, board)) for pair in strategy[1])
            kind = ",".join("".join(board.names[i] for i in pair) for pair in pairs)
        elif isinstance(strategy, list):
            kind, is_list = ".", True
        else:
            raise Refused(f"after {board.text(attack)} {board.text(reply)} the attacker may win")
        line = f"{depth} {board.text(attack) if depth else self.first} {board.text(reply)} {kind}"
        number = self.output.put_node(line)
        if depth and kind != "x" and found is None:
            self.referenced.add(number)
        walk.feed(number, line)
        if is_list:
            yield self.moves(depth + 1, own, other, strategy)
            while len(walk.path) > depth and depth:
                walk.close()
        if number in self.referenced:
            self.seen.add(key, own, other, None, number)
        self.progress.completed(strategy)

    def moves(self, depth: int, own: int, other: int, strategy: list[Any]) -> Call:
        """Writes the attacks that the checker wants to see, with their replies."""
        board, stand = self.board, self.walk.path[-1]
        chosen: dict[int, tuple[int, Any]] = {}

        def fill(live: int) -> int:
            """The stones of a move on dead squares."""
            return sum(1 << square for square in stand.dead[: stand.left - live.bit_count()])

        for attack, reply, after in strategy:
            stones = set_of(attack, board)
            live = stones & stand.live
            if stones in (live, live | fill(live)):  # entries with other dead squares say the same again
                chosen[live] = set_of(reply, board), after
        for live in sorted(chosen, key=lambda live: (live.bit_count(), bits(live))):
            reply, after = chosen[live]
            yield self.node(depth, live, reply, own | live | fill(live), other | reply, after)
