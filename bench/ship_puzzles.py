"""Adds puzzles of mined files to those that come with Tengen, each checked anew; few levels and kinds shall be rare.

    python bench/ship_puzzles.py MINED.jsonl…
    python bench/ship_puzzles.py --renew [--file PUZZLES.jsonl]

Those that are there already stay, and what is there already is not checked again: `tengen puzzle check` does that. What
a puzzle says of itself depends on solver and engine: where they have changed, or the limits, `--renew` grades anew
whatever that check refuses within the present limits, and leaves out those whose solution is not found alone any more.
"""

from __future__ import annotations

import argparse
import json
import sys
from collections import Counter
from dataclasses import replace
from pathlib import Path

from tengen.puzzle import KINDS, Limits, Puzzle, check_puzzle, read_puzzles
from tengen.puzzle.find import only_win
from tengen.puzzle.grade import graded
from tengen.puzzle.hidden import hidden_limits, main_line
from tengen.puzzle.judge import Judge
from tengen.puzzle.puzzle import BY_VERIFIER, shape
from tengen.puzzle.wish import SHIPPED
from tengen.record.files import replacing


def write(puzzles: list[Puzzle], path: Path) -> None:
    """Writes the file in an order in which few lines move when some are added."""
    puzzles.sort(key=lambda one: (KINDS.index(one.kind), one.level, one.length, one.name))
    with replacing(path) as file:
        file.writelines(json.dumps(one.as_json(), ensure_ascii=False).encode() + b"\n" for one in puzzles)


def present_limits(puzzle: Puzzle) -> Limits:
    """The limits within which such a puzzle would be made now."""
    return hidden_limits(Limits()) if puzzle.by == BY_VERIFIER else Limits()


def renewed(puzzle: Puzzle) -> Puzzle | None:
    """The same position and solution as they are seen now; None if that is no puzzle any more."""
    position, limits = puzzle.position, present_limits(puzzle)
    length, line, refuted = puzzle.length, puzzle.line, puzzle.refuted
    if puzzle.kind != "only defence":
        refuted, other = Judge(position, limits).try_others(puzzle.move)
        if other is not None:
            return None
    if puzzle.by == BY_VERIFIER and puzzle.kind != "only defence":
        proof = Judge(position, limits).proof(puzzle.move)
        if proof is None:
            return None
        line = main_line(replace(puzzle, line=()), proof)
        length = (len(line) + 1) // 2
    elif puzzle.kind == "win":
        found = only_win(position, limits)
        if found is None or found.first_move != puzzle.move:
            return None
        length, line = found.depth, tuple(found.line)
    return graded(position, puzzle.kind, length, puzzle.is_shortest, puzzle.by, line, refuted, limits, puzzle.source)


def renew(path: Path) -> None:
    """Grades anew what the check refuses, and leaves out what cannot be graded."""
    kept: list[Puzzle] = []
    changed = left_out = 0
    for number, puzzle in enumerate(puzzles := list(read_puzzles(path)), 1):
        verdict = check_puzzle(replace(puzzle, limits=present_limits(puzzle)))
        again = verdict.puzzle if verdict.accepted else renewed(puzzle)
        if again is not None and (verdict.accepted or check_puzzle(again).accepted):
            kept.append(again)
            changed += again != puzzle
        else:
            left_out += 1
            print(f"{puzzle.name} is left out: {verdict.reason}", file=sys.stderr)
        if number % 50 == 0:
            print(f"{number} of {len(puzzles)}: {changed} graded anew, {left_out} left out", file=sys.stderr)
    write(kept, path)
    print(json.dumps({"kept": len(kept), "graded anew": changed, "left out": left_out}))


def ship(paths: list[str], most: int) -> None:
    """Adds those that pass the check, up to so many of one kind and level."""
    shipped = list(read_puzzles(SHIPPED)) if SHIPPED.exists() else []
    known = {shape(one.position) for one in shipped}
    counts = Counter((one.kind, one.level) for one in shipped)
    before = len(shipped)
    mined = [one for path in paths for one in read_puzzles(path)]
    mined.sort(key=lambda one: counts[one.kind, one.level])  # what is rare comes first
    for one in mined:
        form = shape(one.position)
        if form in known or counts[one.kind, one.level] >= most:
            continue
        verdict = check_puzzle(one)
        if not verdict.accepted:
            print(f"{one.name} is refused: {verdict.reason}", file=sys.stderr)
            continue
        known.add(form)
        counts[one.kind, one.level] += 1
        shipped.append(one)
        write(shipped, SHIPPED)  # a check takes a while; whoever ends this keeps what was checked
    print(json.dumps({"before": before, "after": len(shipped)}))
    for kind in KINDS:
        print(kind, {level: counts[kind, level] for level in range(1, 11)})


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("mined", nargs="*", metavar="MINED")
    parser.add_argument("--renew", action="store_true", help="grade anew what solver and engine see differently now")
    parser.add_argument("--file", type=Path, default=SHIPPED, help="with --renew: the puzzles, if not those shipped")
    parser.add_argument("--most", type=int, default=120, help="puzzles of one kind and level (120)")
    told = parser.parse_args()
    if told.renew:
        renew(told.file)
    elif told.mined:
        ship(told.mined, told.most)
    else:
        parser.error("which mined puzzles?")


if __name__ == "__main__":
    main()
