"""The ground floor: stones, moves, records, start-up. Run by `make bench`."""

from __future__ import annotations

import random
import subprocess
import sys
from functools import partial
from pathlib import Path

from harness import Bench, best_seconds

from tengen import CONNECT6, Move, Position, Record
from tengen.record import Dialect, Node, read_sgf, write_sgf

sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "tests"))
from reference.board import ReferenceGame


def random_moves(rng: random.Random, count: int) -> list[str]:
    """Random moves of a game that nobody has won yet."""
    position = Position()
    moves: list[str] = []
    squares = list(position.empty_squares())
    rng.shuffle(squares)
    while len(moves) < count and squares:
        stones = [squares.pop() for _ in range(min(position.stones_left, len(squares)))]
        move = Move(stones)
        position.play(move)
        if position.is_over:
            position.undo()
            continue
        moves.append(str(move))
    return moves


def play_all(games: list[list[str]]) -> None:
    for moves in games:
        position = Position(CONNECT6)
        for move in moves:
            position.play(move)


def reference_play_all(games: list[list[tuple[int, int]]]) -> None:
    for stones in games:
        game = ReferenceGame(19, 19, 6, 2, 1)
        for stone in stones:
            game.place(stone)


def tree_of(nodes: int, rng: random.Random) -> Record:
    """A tree with that many nodes: long lines that branch now and then, some with comments."""
    record = Record()
    count = 0
    while count < nodes:
        position, node = Position(), record.root
        for text in random_moves(rng, 120):
            if count == nodes:
                break
            child = Node({position.turn.letter: [text]}, node)
            position.play(text)
            if rng.random() < 0.1:
                child.comment = "a remark [with brackets]"
            node = child
            count += 1
    return record


def read_all(text: str) -> int:
    return sum(1 for _ in read_sgf(text))


def main() -> None:
    bench = Bench("The ground floor")
    rng = random.Random(1)

    board = Position()._board
    placed = board.exercise(2000)
    bench.report(
        "place and remove a stone, native, 19x19",
        placed / best_seconds(lambda: board.exercise(2000)),
        "a second",
        "5,000,000",
    )

    games = [random_moves(rng, 40) for _ in range(200)]
    seconds = best_seconds(lambda: play_all(games))
    stones = [[(s.x, s.y) for text in game for s in Move.parse(text)] for game in games]
    twin = best_seconds(lambda: reference_play_all(stones), 2)
    bench.report(
        "Position.play from Python, moves as text",
        sum(map(len, games)) / seconds,
        "moves a second",
        "200,000",
        f"plain-Python twin {sum(map(len, games)) / twin:,.0f}",
    )

    for dialect in Dialect:
        # Little Golem writes a move a node, the others a stone a node: 20,000 nodes of text each.
        tree = tree_of(20_000 if dialect is Dialect.LITTLE_GOLEM else 10_000, rng)
        text = write_sgf(tree, dialect)
        write = best_seconds(partial(write_sgf, tree, dialect), 3)
        read = best_seconds(partial(read_all, text), 3)
        nodes = text.count("\n;") + text.count("];") + text.count("(;")
        bench.report(f"SGF ({dialect.value}), {nodes:,} nodes, read + write", read + write, "s", "0.5")

    bare = best_seconds(lambda: subprocess.run([sys.executable, "-c", "pass"], check=True))
    whole = best_seconds(lambda: subprocess.run([sys.executable, "-c", "import tengen"], check=True))
    bench.report("import tengen", whole - bare, "s", "0.15", f"bare Python {bare:.3f} s")
    bench.finish()


if __name__ == "__main__":
    main()
