"""Adds puzzles of mined files to those that come with Tengen, each checked anew; few levels and kinds shall be rare.

    python bench/ship_puzzles.py MINED.jsonl…

Those that are there already stay, and what is there already is not checked again: `tengen puzzle check` does that.
"""

from __future__ import annotations

import argparse
import json
import sys
from collections import Counter

from tengen.puzzle import KINDS, Puzzle, check_puzzle, read_puzzles
from tengen.puzzle.puzzle import shape
from tengen.puzzle.wish import SHIPPED
from tengen.record.files import replacing


def write(puzzles: list[Puzzle]) -> None:
    """Writes the file in an order in which few lines move when some are added."""
    puzzles.sort(key=lambda one: (KINDS.index(one.kind), one.level, one.length, one.name))
    with replacing(SHIPPED) as file:
        file.writelines(json.dumps(one.as_json(), ensure_ascii=False).encode() + b"\n" for one in puzzles)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("mined", nargs="+", metavar="MINED")
    parser.add_argument("--most", type=int, default=120, help="puzzles of one kind and level (120)")
    told = parser.parse_args()
    shipped = list(read_puzzles(SHIPPED)) if SHIPPED.exists() else []
    known = {shape(one.position) for one in shipped}
    counts = Counter((one.kind, one.level) for one in shipped)
    before = len(shipped)
    mined = [one for path in told.mined for one in read_puzzles(path)]
    mined.sort(key=lambda one: counts[one.kind, one.level])  # what is rare comes first
    for one in mined:
        form = shape(one.position)
        if form in known or counts[one.kind, one.level] >= told.most:
            continue
        verdict = check_puzzle(one)
        if not verdict.accepted:
            print(f"{one.name} is refused: {verdict.reason}", file=sys.stderr)
            continue
        known.add(form)
        counts[one.kind, one.level] += 1
        shipped.append(one)
        write(shipped)  # a check takes a while; whoever ends this keeps what was checked
    print(json.dumps({"before": before, "after": len(shipped)}))
    for kind in KINDS:
        print(kind, {level: counts[kind, level] for level in range(1, 11)})


if __name__ == "__main__":
    main()
