"""Transcripts of conversations with engines, and an engine that plays one: `python transcripts.py FILE`."""

from __future__ import annotations

import sys
from pathlib import Path

FOLDER = Path(__file__).parent / "transcripts"


def read_transcript(name: str) -> list[tuple[str, list[str]]]:
    """What is said to the engine, line by line, each with the lines that it answers."""
    steps: list[tuple[str, list[str]]] = []
    for line in (FOLDER / name).read_text().splitlines():
        if line.startswith(">"):
            steps.append((line[2:], []))
        elif line.startswith("<"):
            steps[-1][1].append(line[2:])
    return steps


def main() -> None:
    for expected, answers in read_transcript(sys.argv[1]):
        said = sys.stdin.readline().rstrip("\n")
        if said != expected:
            sys.exit(f"expected {expected!r}, not {said!r}")
        for answer in answers:
            print(answer, flush=True)


if __name__ == "__main__":
    main()
