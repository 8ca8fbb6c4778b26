"""Settles small games, checks the proofs and prints the tables of docs/small-games.md.

    python bench/small_games.py                              the list of games; --long: those as well that take minutes
    python bench/small_games.py --table FILE --budget 3600   the table of (m,n,k)-games, as far as the seconds go

The table is kept in the file, a line of JSON for each attempt; the same command goes on from there, and with a budget
of 0 prints what is there. bench/data/mnk_table.jsonl is that of docs/small-games.md.
"""

from __future__ import annotations

import argparse
import dataclasses
import json
import sys
import time
from collections.abc import Callable, Iterator
from dataclasses import asdict, dataclass
from pathlib import Path
from tempfile import TemporaryDirectory

from tengen import Game, Position, Square, defend
from tengen.prove import check
from tengen.prove.small import MAX_SQUARES, Settlement, settle
from tengen.prove.verifier import Defence
from tengen.theory.boards import SettledBoards, room_needed, write_boards

# The game, what others have published, and whether it takes minutes.
GAMES: list[tuple[str, str, bool]] = [
    ("Connect(3,3,3,1,1)", "draw", False),
    ("Connect(3,4,3,1,1)", "win", False),
    ("Connect(3,5,3,1,1)", "", False),
    ("Connect(3,6,3,1,1)", "", False),
    ("Connect(4,4,3,1,1)", "", False),
    ("Connect(4,5,3,1,1)", "", False),
    ("Connect(5,5,3,1,1)", "", False),
    ("Connect(4,4,4,1,1)", "draw", False),
    ("Connect(4,5,4,1,1)", "draw", False),
    ("Connect(4,6,4,1,1)", "draw", False),
    ("Connect(4,7,4,1,1)", "", False),
    ("Connect(5,5,4,1,1)", "draw", False),
    ("Connect(5,6,4,1,1)", "win", False),
    ("Connect(6,6,4,1,1)", "", False),
    ("Connect(6,6,5,1,1)", "draw", False),
    ("Connect(6,7,5,1,1)", "", False),
    ("Connect(7,7,5,1,1)", "draw", True),
    ("Connect(3,3,3,2,1)", "", False),
    ("Connect(4,4,4,2,1)", "", False),
    ("Connect(4,4,4,2,2)", "", False),
    ("Connect(4,5,4,2,1)", "", False),
    ("Connect(4,5,4,2,2)", "", False),
    ("Connect(4,6,4,2,1)", "", False),
    ("Connect(4,6,4,2,2)", "", False),
    ("Connect(5,5,4,2,1)", "", False),
    ("Connect(5,5,4,2,2)", "", False),
    ("Connect(5,6,4,2,1)", "", False),
    ("Connect(6,6,4,2,1)", "", False),
    ("Connect(8,8,4,2,1)", "", False),
    ("Connect(5,5,5,2,1)", "", False),
    ("Connect(5,6,5,2,1)", "", False),
    ("Connect(5,6,5,2,2)", "", True),
    ("Connect(6,6,6,2,2)", "", False),
    ("Connect(4,4,4,3,1)", "", False),
    ("Connect(4,4,4,3,3)", "", False),
    ("Connect(5,5,5,3,1)", "", False),
    ("Connect(3,3,3,1,1) maker-breaker", "win", False),
    ("Connect(4,4,4,1,1) maker-breaker", "draw", False),
    ("Connect(5,5,4,1,1) maker-breaker", "", False),
    ("Connect(4,4,4,2,1) maker-breaker", "", False),
    ("Connect(5,5,5,2,2) maker-breaker", "", False),
]
LONGEST = 59
"""The longest board that the search for threats knows."""
ROUNDS = (10, 60, 300, 1200, 5000)
"""Seconds for a game of the table: nobody gets more before all had as much as that."""
SETTLED_WHOLE = [(k, m, n) for k in range(3, 8) for m in range(k, 9) for n in range(m, MAX_SQUARES // m + 1)]
"""The games (m,n,k) of the table, m <= n, whose boards are small enough. With m < k, or k >= 8, all are drawn."""
WON_BY_THREATS = (3, 4)
"""The k for which wins by threats are within reach."""
Limited = Callable[[float], float]
"""So many seconds, or what is left of the budget."""


def checked(proved: Settlement | Defence, path: Path) -> int:
    """Writes a proof to a file and has it checked; its nodes."""
    proved.write_proof(path)
    verdict = check(path)
    if not verdict.accepted:
        sys.exit(f"{proved.position}: the proof is refused: {verdict.reason}")
    return verdict.nodes


def row(name: str, published: str, settlement: Settlement, alone: Settlement, proof: str) -> str:
    nodes, branches = settlement.size
    size = settlement.missing or f"{nodes:,} / {branches:,}"
    figures = f"{alone.nodes:,} | {alone.seconds:.2f} | {settlement.seconds:.2f} | {size}"
    return f"| {name} | {settlement.value} | {published or '–'} | {figures} | {proof} |"


def print_list(games: list[tuple[str, str, bool]], folder: Path) -> None:
    rows = []
    for name, published, _ in games:
        position = Position(Game.parse(name))
        alone = settle(position, max_branches=0)  # the search without its strategies
        settlement = settle(position, seconds=300)
        proof = "none: search alone"
        if settlement.missing is None:
            nodes = checked(settlement, folder / "proof.tpf")
            proof = f"{nodes:,} {'node' if nodes == 1 else 'nodes'}"
        case = {
            "game": name,
            "value": settlement.value,
            "published": published,
            "nodes": alone.nodes,
            "seconds": round(alone.seconds, 3),
            "seconds_with_strategy": round(settlement.seconds, 3),
            "size": settlement.size,
            "missing": settlement.missing,
            "checked": proof,
        }
        print(json.dumps(case), flush=True)
        rows.append(row(name, published, settlement, alone, proof))
    print(*rows, sep="\n", file=sys.stderr)


@dataclass(frozen=True)
class Attempt:
    """What was found of the games (m,n,k), one stone a move, on the boards of `m` columns and `n` to `to` rows."""

    k: int
    m: int
    n: int
    to: int | None
    """None: on all boards of at least so many columns and rows, the infinite one among them."""
    limit: float
    """The seconds that it had."""
    how: str
    """`search`: of the whole game. `threats`: a win by them."""
    command: str
    """The same for whoever wants the proof."""
    value: str
    nodes: int
    seconds: float
    """Those for the proof and its check included."""
    proof_nodes: int | None = None
    """Of the proof that was accepted; None if there is none."""
    missing: str | None = None
    """Why there is no proof of a value."""

    @property
    def is_final(self) -> bool:
        """Whether more time would change nothing."""
        return self.proof_nodes is not None or self.missing == "too large"

    @property
    def boards(self) -> SettledBoards:
        """As a proof settles them."""
        says = {"win": "black wins", "draw": "a draw"}.get(self.value, self.value)
        return SettledBoards(self.k, self.m, self.n, self.to, says, self.command, self.proof_nodes or 0)

    def concerns(self, k: int, m: int, n: int) -> bool:
        return self.k == k and self.boards.include(m, n)


def by_threats(k: int, m: int, n: int, limit: float, folder: Path) -> Attempt:
    """A win on m x n after a first stone in the middle, and on all shorter boards that have the room it needs."""
    begun = time.perf_counter()
    start = f"Connect({m},{n},{k},1,1) {Square((m - 1) // 2, (n - 1) // 2)}"
    order, reply_nodes = (2 if limit <= ROUNDS[0] else 3), int(2000 * limit)
    found = defend(Position.parse(start), order=order, reply_nodes=reply_nodes, seconds=limit)
    command = f'tengen defend "{start}" --order {order} --reply-nodes {reply_nodes} --proof FILE'
    nodes, least = None, n
    if found.result == "loss":
        nodes = checked(found, folder / "proof.tpf")
        least = max(m, room_needed(folder / "proof.tpf")[1])
    value, seconds = ("win" if nodes else "unknown"), time.perf_counter() - begun
    return Attempt(k, m, least, n, limit, "threats", command, value, found.nodes, seconds, nodes)


def everywhere(k: int, limit: float, folder: Path) -> Attempt:
    """A win by threats on the infinite board, and on all boards that have the room it needs."""
    begun = time.perf_counter()
    start = f"Connect({k},1,1) J10"
    found = defend(Position.parse(start), order=3, seconds=limit)
    command = f'tengen defend "{start}" --order 3 --proof FILE'
    nodes, m, n = None, k, k
    if found.result == "loss":
        nodes = checked(found, folder / "proof.tpf")
        m, n = sorted(room_needed(folder / "proof.tpf"))
    value, seconds = ("win" if nodes else "unknown"), time.perf_counter() - begun
    return Attempt(k, m, n, None, limit, "threats", command, value, found.nodes, seconds, nodes)


def by_search(k: int, m: int, n: int, limit: float, folder: Path) -> Attempt:
    """The value of the whole game."""
    begun = time.perf_counter()
    game = Game(m, n, k, 1, 1)
    found = settle(Position(game), seconds=limit, table_bits=24)
    nodes = None
    if found.value != "unknown" and found.missing is None:
        nodes = checked(found, folder / "proof.tpf")
    seconds = time.perf_counter() - begun
    command = f'tengen prove "{game}" --full --proof FILE'
    return Attempt(k, m, n, n, limit, "search", command, found.value, found.nodes, seconds, nodes, found.missing)


class MnkTable:
    """The table of (m,n,k)-games: what was tried, and what next."""

    def __init__(self, path: Path) -> None:
        self.path = path
        lines = path.read_text().splitlines() if path.exists() else []
        self.attempts = [Attempt(**json.loads(line)) for line in lines]

    def best(self, k: int, m: int, n: int) -> Attempt | None:
        """What is known of a game, a value with a checked proof before others; None if nothing is."""
        known = [attempt for attempt in self.attempts if attempt.concerns(k, m, n) and attempt.value != "unknown"]
        return max(known, key=lambda attempt: attempt.is_final, default=None)

    def was_tried(self, how: str, limit: float, k: int, m: int, n: int) -> bool:
        return any(a.how == how and a.limit >= limit and a.concerns(k, m, n) for a in self.attempts)

    def note(self, attempt: Attempt) -> None:
        rounded = dataclasses.replace(attempt, seconds=round(attempt.seconds, 2))
        self.attempts.append(rounded)
        line = json.dumps(asdict(rounded))
        with self.path.open("a") as file:
            file.write(line + "\n")
        print(line, flush=True)

    def go_on(self, budget: float, folder: Path) -> None:
        """Tries what is not settled, the smallest boards first, each round with more time; stops at the budget."""
        until = time.perf_counter() + budget

        def limited(seconds: float) -> float:
            return max(1.0, min(seconds, until - time.perf_counter()))

        for limit in ROUNDS if budget > 0 else ():
            for step in (self._by_threats, self._by_search):
                for attempt in step(limit, limited, folder):
                    self.note(attempt)
                    if time.perf_counter() >= until:
                        return

    def _by_threats(self, limit: float, limited: Limited, folder: Path) -> Iterator[Attempt]:
        for k in WON_BY_THREATS:
            wide = next((a for a in self.attempts if (a.k, a.to) == (k, None) and a.proof_nodes), None)
            if wide is None:
                wide = everywhere(k, limited(limit), folder)
                yield wide
            for m in range(
                k, wide.n
            ):  # a square board may be too small for the infinite board's proof, which is longer
                n = LONGEST
                while n >= m:  # from the longest board down: each win holds for shorter ones, too
                    known = self.best(k, m, n)
                    if known is None and not self.was_tried("threats", limit, k, m, n):
                        known = by_threats(k, m, n, limited(limit), folder)
                        yield known
                    if known is None or known.value != "win":
                        break
                    n = known.n - 1 if known.to is not None else wide.n - 1

    def _by_search(self, limit: float, limited: Limited, folder: Path) -> Iterator[Attempt]:
        too_hard: set[tuple[int, int]] = set()
        for k, m, n in sorted(SETTLED_WHOLE, key=lambda game: (game[1] * game[2], -game[0])):
            known = self.best(k, m, n)
            if (known and known.is_final) or (k, m) in too_hard:
                continue
            if not self.was_tried("search", limit, k, m, n):
                yield by_search(k, m, n, limited(limit), folder)
            if self.best(k, m, n) is None:  # longer boards would be harder still
                too_hard.add((k, m))

    def settled(self) -> list[SettledBoards]:
        """Everything that has a proof, no board twice."""
        proved = [attempt for attempt in self.attempts if attempt.proof_nodes is not None]
        return [attempt.boards for attempt in sorted(proved, key=lambda a: (a.k, a.to is not None, a.m, a.n))]

    def print(self) -> None:
        """For each k a table, columns n and rows m: `=` drawn, `B` Black wins, in brackets by search alone."""
        for k in range(3, 8):
            columns = range(k, 17)
            print(f"| k = {k} | " + " | ".join(f"n={n}" for n in columns) + " |", file=sys.stderr)
            print("| --- " * (len(columns) + 1) + "|", file=sys.stderr)
            for m in range(k, 11):
                cells = [self._cell(k, m, n) if n >= m else "" for n in columns]
                print(f"| m={m} | " + " | ".join(cells) + " |", file=sys.stderr)

    def _cell(self, k: int, m: int, n: int) -> str:
        known = self.best(k, m, n)
        letter = "" if known is None else {"win": "B", "draw": "="}[known.value]
        return letter if known is None or known.proof_nodes is not None else f"({letter})"


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--quick", action="store_true", help="only the first few of the list")
    parser.add_argument("--long", action="store_true", help="of the list, those as well that take minutes")
    parser.add_argument("--table", type=Path, metavar="FILE", help="the table of (m,n,k)-games, kept in this file")
    parser.add_argument("--write", type=Path, metavar="FILE", help="write what is proved of the table, for tengen fair")
    parser.add_argument("--budget", type=float, default=3600, metavar="SECONDS", help="for the table (3600)")
    arguments = parser.parse_args()
    with TemporaryDirectory() as folder:
        if arguments.table is not None:
            table = MnkTable(arguments.table)
            table.go_on(arguments.budget, Path(folder))
            table.print()
            if arguments.write is not None:
                write_boards(table.settled(), arguments.write)
        else:
            games = GAMES[:5] if arguments.quick else [game for game in GAMES if arguments.long or not game[2]]
            print_list(games, Path(folder))


if __name__ == "__main__":
    main()
