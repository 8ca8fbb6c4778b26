"""Thousands of answers of the engine held against the truth: is what it calls certain so?

Small games of the whole family are settled completely; for Connect6 a claim counts as checked if there is a proof that
the checker accepts. The tests hold a small version of it.
"""

from __future__ import annotations

import argparse
import json
import random
import sys
import time
from collections.abc import Callable
from functools import partial
from pathlib import Path

from rich.progress import track

sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "tests"))
from reference.truth import Question, Verdict, check, connect6_question, random_question


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--small", type=int, default=2000, help="questions about small games")
    parser.add_argument("--connect6", type=int, default=200, help="questions about Connect6")
    parser.add_argument("--seed", type=int, default=0)
    arguments = parser.parse_args()
    kinds: list[tuple[str, int, Callable[[random.Random], Question]]] = [
        ("small games", arguments.small, partial(random_question, repeatable=False)),
        ("connect6", arguments.connect6, connect6_question),
    ]
    failed = False
    for kind, count, ask in kinds:
        start, verdict = time.perf_counter(), Verdict()
        for number in track(range(count), kind, transient=True):
            check(ask(random.Random(arguments.seed + number)), verdict)
        report = {
            "kind": kind,
            "questions": count,
            "claims of a win": verdict.wins,
            "of a loss": verdict.losses,
            "of a sure loss": verdict.sure_losses,
            "not checked": verdict.unchecked,
            "false": len(verdict.false),
            "seconds": round(time.perf_counter() - start, 1),
        }
        print(json.dumps(report), flush=True)
        print(*verdict.false, sep="\n", file=sys.stderr)
        failed |= bool(verdict.false)
    sys.exit(failed)


if __name__ == "__main__":
    main()
