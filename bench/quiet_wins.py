"""Makes puzzles of quiet wins from where they are dense: proofs of openings, and attacks that are just held.

    python bench/quiet_wins.py OUT.jsonl [--first N]
    python bench/quiet_wins.py OUT.jsonl --lines SEED [--seconds S]

Where a shipped proof lets the defender pass with all stones, the move before threatens nothing and wins all the same.
`--lines` plays lines of promising moves by chance instead, and looks at the replies that hold against a threat to win.
One JSON line a position on the way; `--first` goes on at the N-th position. `bench/ship_puzzles.py OUT.jsonl` checks
and ships what was made.
"""

from __future__ import annotations

import argparse
import gzip
import json
import random
import re
import time
from collections.abc import Iterator
from itertools import count
from pathlib import Path

import tengen.opening
from tengen.game import BLACK, CONNECT6, WHITE, Colour, Move, Position
from tengen.play import promising_moves
from tengen.puzzle import Limits
from tengen.puzzle.hidden import find_hidden_win
from tengen.puzzle.puzzle import shape
from tengen.solve import solve
from tengen.threat import wins_at_once

PROOFS = Path(tengen.opening.__file__).parent / "data" / "proofs"
SQUARE = re.compile(r"[A-Z]+\d+")
HEADER_LINES = 8
QUICK_NODES = 1_500
LINE_MOVES = 14
MEAN_PLACE = 5
"""Of a move of a line among the promising ones."""

Found = tuple[str, Position, list[Move] | None]
"""Where a position comes from, the position, and the moves that may win in it if these are known."""


def quiet_answers() -> Iterator[Found]:
    """The positions of the shipped proofs in which the attacker plays a move that threatens nothing, and that move."""
    for path in sorted(PROOFS.glob("*.tpf")):
        lines = gzip.decompress(path.read_bytes()).decode().splitlines()
        to_move = {"black": "B", "white": "W"}[lines[3].split()[1]]
        first = Position.parse(f"{lines[2].removeprefix('position ')} to move: {to_move}")
        attacker = BLACK if lines[6].endswith("black") else WHITE
        walk: list[tuple[int, list[str], list[str]]] = []  # depth, reply, answer
        for line in lines[HEADER_LINES:-1]:
            number, reply, answer = line.split(" ")
            while walk and walk[-1][0] >= int(number):
                walk.pop()
            if walk and reply == f"/{first.game.p}":
                own = [*map(str, first.stones(attacker)), *(square for _, _, one in walk[:-1] for square in one)]
                other = [*map(str, first.stones(attacker.opponent)), *(square for _, one, _ in walk for square in one)]
                black, white = (own, other) if attacker is BLACK else (other, own)
                position = Position.setup(first.game, black, white, attacker, first.game.p)
                yield f"the proof of {path.stem}", position, [Move("".join(walk[-1][2]))]
            walk.append((int(number), SQUARE.findall(reply), [] if answer[0] in "=?" else SQUARE.findall(answer)))


def held_attacks(seed: int) -> Iterator[Found]:
    """The positions after each promising reply that holds against a threat to win, of lines without end."""
    rng = random.Random(seed)
    for number in count(1):
        position = Position(CONNECT6)
        position.play(Move("J10"))
        for place in range(LINE_MOVES):
            moves = promising_moves(position)
            move = moves[min(int(rng.expovariate(1 / MEAN_PLACE)), len(moves) - 1)]
            attacker = position.turn.opponent
            if (
                place >= 2
                and _quick_look(position, attacker) == "win"
                and _quick_look(position, position.turn) == "none"
            ):
                for after in map(position.after, moves):
                    if not after.is_over and _quick_look(after, attacker) == "none":
                        yield f"line {number} of promising moves, seed {seed}", after, None
            position = position.after(move)
            if position.is_over or wins_at_once(position, position.turn):
                break


def _quick_look(position: Position, side: Colour) -> str:
    return solve(position, "vcst", side, nodes=QUICK_NODES).result


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("out", type=Path)
    parser.add_argument("--lines", type=int, metavar="SEED")
    parser.add_argument("--seconds", type=float, default=float("inf"))
    parser.add_argument("--first", type=int, default=1)
    told = parser.parse_args()
    end = time.monotonic() + told.seconds
    seen: set[int] = set()
    for number, (source, position, moves) in enumerate(
        quiet_answers() if told.lines is None else held_attacks(told.lines), 1
    ):
        if time.monotonic() >= end:
            break
        if shape(position) in seen or number < told.first:
            continue
        seen.add(shape(position))
        start = time.process_time()
        puzzle = find_hidden_win(position, Limits(), source, moves)
        seconds = round(time.process_time() - start, 2)
        if puzzle is not None:
            with told.out.open("a", encoding="utf-8") as file:
                file.write(json.dumps(puzzle.as_json(), ensure_ascii=False) + "\n")
        made = None if puzzle is None else f"{puzzle.kind}, level {puzzle.level}, {puzzle.source}"
        print(json.dumps({"number": number, "seconds": seconds, "made": made}), flush=True)


if __name__ == "__main__":
    main()
