"""Checks one large proof with several processes.

The body is cut at some depth. Each process judges whole subtrees with the one checker, and hands back
their zones; what lies above the cut is judged here. A process that meets a reference to a subtree that is not its own
judges that one too, in the position that the reference wants it to have; that this is the position in which it stands
is compared in the end. Whatever goes wrong, the plain check has the last word.
"""

from __future__ import annotations

import tempfile
import time
from array import array
from collections.abc import Callable, Iterator
from contextlib import closing
from functools import partial
from pathlib import Path
from typing import NamedTuple

from tengen.prove.check import Verdict, accepted
from tengen.prove.check import check as check_alone
from tengen.prove.checker.board import Zones
from tengen.prove.checker.file import Box, Header, Survey, board_of, body
from tengen.prove.checker.processes import answers_in_order
from tengen.prove.checker.text import NUMBER, NoProofError, Refused
from tengen.prove.checker.win import Node, WinWalk

_WORTH_IT = 2_000
"""Nodes for which starting processes pays."""
_TASKS_EACH = 16
_INVERSE = (0, 1, 2, 3, 4, 6, 5, 7)


def check(path: str | Path, *, jobs: int = 1, progress: Callable[[int, int], object] | None = None) -> Verdict:
    """Checks a proof file, or a breaker's strategy, compressed or not; the proof of a win with several processes, if
    asked for.

    Raises:
        NoProofError: if it is no proof file.
        OSError: if it cannot be read.
    """
    if jobs > 1:
        try:
            start = time.perf_counter()
            survey = Survey(path)
            if survey.header.claim == "win" and survey.nodes >= _WORTH_IT and not survey.open:
                with tempfile.TemporaryDirectory(prefix="tengen-") as folder:
                    return _split(path, Path(folder) / "body", survey, jobs, progress, start)
        except (Refused, NoProofError, RecursionError, ChildProcessError):
            pass  # the plain check tells where and why
    return check_alone(path, progress=progress)


class _Lines:
    """The lines of an unpacked body by their numbers, from 1."""

    def __init__(self, file: Path, offsets: array[int], depths: array[int]) -> None:
        self.file, self.offsets, self.depths = file.open("rb"), offsets, depths

    def at(self, number: int) -> str:
        self.file.seek(self.offsets[number])
        return self.file.readline()[:-1].decode("ascii", "replace")

    def end(self, number: int) -> int:
        """The first line after the subtree of a line."""
        depth, end = self.depths[number], number + 1
        while end < len(self.depths) and self.depths[end] > depth:
            end += 1
        return end

    def close(self) -> None:
        self.file.close()

    def run(self, first: int, end: int) -> Iterator[tuple[int, str]]:
        for number in range(first, end):
            yield number, self.at(number)


class _Task(NamedTuple):
    """Neighbouring subtrees: where they stand."""

    depth: int
    attackers: int
    defenders: int
    stones: int
    first: int
    end: int


class _Result(NamedTuple):
    zones: list[tuple[int, Zones]]
    kept: dict[int, tuple[int, int, Zones]]
    assumed: list[tuple[int, int, int]]
    stays_inside: bool


class _Part(WinWalk):
    """Judges subtrees anywhere in the body."""

    lines: _Lines
    assumed: list[tuple[int, int, int]]
    current = 0

    def feed(self, number: int, text: str) -> None:
        self.current = number
        super().feed(number, text)

    def subtrees(self, task: _Task) -> Node:
        """Judges all subtrees of a task; the node above holds their zones afterwards."""
        above = Node(0, "", "", task.attackers, task.defenders, task.stones)
        path, current = self.path, self.current
        self.path = [above] * task.depth
        for number, text in self.lines.run(task.first, task.end):
            self.feed(number, text)
        while len(self.path) > task.depth:
            self.close()
        self.path, self.current = path, current
        return above

    def referred(self, number: int, symmetry: int, own: int, other: int) -> Zones:
        lines = self.lines
        if number not in self.kept:
            if number >= self.current or lines.depths[number] == 0 or lines.end(number) > self.current:
                raise Refused(f"node {number} is not complete")
            board = self.board
            own_there, other_there = (board.image(side & board.plain, _INVERSE[symmetry]) for side in (own, other))
            stones, squares, passes, macro = self.parsed(lines.at(number).split(" ")[1])
            count = 0 if macro else len(squares) + passes
            self.assumed.append((number, own_there, other_there))
            before = board.in_lines(own_there), board.in_lines(other_there) & ~stones, count
            self.subtrees(_Task(lines.depths[number], *before, number, lines.end(number)))
        return super().referred(number, symmetry, own, other)


class _Tracer(WinWalk):
    """Follows the positions and judges nothing."""

    def close(self) -> None:
        self.path.pop()

    def referred(self, number: int, symmetry: int, own: int, other: int) -> Zones:
        return 0, 0, 0


def _split(
    path: str | Path,
    copy: Path,
    survey: Survey,
    jobs: int,
    progress: Callable[[int, int], object] | None,
    start: float,
) -> Verdict:
    with closing(_unpacked(path, copy)) as lines:
        walk = _judged(lines, copy, survey, jobs, progress)
    return accepted(survey, walk.board, walk, start)


def _judged(
    lines: _Lines, copy: Path, survey: Survey, jobs: int, progress: Callable[[int, int], object] | None
) -> WinWalk:
    header, board = survey.header, survey.board()
    cut = _cut(lines.depths, jobs)
    above = [number for number in range(1, len(lines.depths)) if lines.depths[number] <= cut]
    tasks = _tasks(_Tracer(board, header, set()), lines, above, cut, max(1, survey.nodes // (jobs * _TASKS_EACH)))
    walk = WinWalk(board, header, survey.referenced)
    zones: dict[int, Zones] = {}
    kept: dict[int, tuple[int, int, Zones]] = {}
    assumed: list[tuple[int, int, int]] = []
    prepare = partial(_prepare, copy, lines.offsets, lines.depths, header, survey.box, survey.referenced)
    done = 0
    with closing(answers_in_order(_work, tasks, jobs, prepare=prepare, at_once=1)) as results:
        for task, result in zip(tasks, results, strict=True):
            if result is None:
                raise Refused("a subtree is refused")
            zones.update(result.zones)
            kept.update(result.kept)
            assumed += result.assumed
            walk.stays_inside &= result.stays_inside
            done += task.end - task.first
            if progress is not None:
                progress(done, survey.nodes)
    for number in above:
        text = lines.at(number)
        if lines.depths[number] < cut:
            walk.feed(number, text)
            continue
        _descend(walk, cut)
        stones, macro = walk.reply(walk.path[-1], text.split(" ")[1])
        walk.deliver(Node(number, "", "", 0, 0, replied=stones & board.plain, macro=macro), zones[number])
        inside = range(number, lines.end(number))
        walk.kept.update({n: kept[n] for n in inside if n in kept} if kept else {})
    walk.finish()
    for number, own, other in assumed:
        if number not in walk.kept or walk.kept[number][:2] != (own, other):
            raise Refused(f"a position is not that of node {number}")
    return walk


def _unpacked(path: str | Path, copy: Path) -> _Lines:
    offsets, depths = array("Q", [0]), array("I", [0])
    with copy.open("wb") as file:
        for number, text in body(path):
            words = text.split(" ")
            # A line deeper than that would hang in the air, where no task may cover it.
            if len(words) != 3 or not NUMBER.fullmatch(words[0]) or int(words[0]) > depths[-1] + 1:
                raise Refused(f"line {number} of the body is not written as it must be")
            offsets.append(file.tell())
            depths.append(int(words[0]))
            file.write(f"{text}\n".encode())
    return _Lines(copy, offsets, depths)


def _cut(depths: array[int], jobs: int) -> int:
    """The least depth with enough subtrees to keep everybody at work."""
    counts = [0] * (max(depths) + 1)
    for depth in depths[1:]:
        counts[depth] += 1
    enough = 4 * jobs * _TASKS_EACH
    return next((depth for depth in range(1, len(counts)) if counts[depth] >= enough), 1)


def _descend(walk: WinWalk, depth: int) -> None:
    while len(walk.path) > depth:
        walk.close()
    if len(walk.path) != depth:
        raise Refused("a line is at a depth where nothing can stand")


def _tasks(tracer: _Tracer, lines: _Lines, above: list[int], cut: int, size: int) -> list[_Task]:
    tasks: list[_Task] = []
    for number in above:
        if lines.depths[number] < cut:
            tracer.feed(number, lines.at(number))
            continue
        _descend(tracer, cut)
        node, end = tracer.path[-1], lines.end(number)
        place = cut, node.attackers, node.defenders, node.stones
        if tasks and tasks[-1][:4] == place and tasks[-1].end == number and end - tasks[-1].first <= size:
            tasks[-1] = tasks[-1]._replace(end=end)
        else:
            tasks.append(_Task(*place, number, end))
    return tasks


# In the other processes

_part: _Part


def _prepare(
    copy: Path, offsets: array[int], depths: array[int], header: Header, box: Box, referenced: set[int]
) -> None:
    global _part
    _part = _Part(board_of(header, box), header, referenced)
    _part.lines = _Lines(copy, offsets, depths)


def _work(task: _Task) -> _Result | None:
    part = _part
    part.assumed = []
    try:
        above = part.subtrees(task)
    except (Refused, RecursionError):
        return None
    heads = [n for n in range(task.first, task.end) if part.lines.depths[n] == task.depth]
    found = [*above.answers.values(), *(zones for _, zones in above.macros)]
    own = {n: part.kept[n] for n in range(task.first, task.end) if n in part.kept}
    return _Result(list(zip(heads, found, strict=True)), own, part.assumed, part.stays_inside)
