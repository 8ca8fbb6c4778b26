"""The statistics book on real games: how long it takes to build and to ask, as SQLite and as a sorted array in a file.

The array is the yardstick: two sorted columns of keys with counts, found by bisection in a mapped file. It needs no
library, but adding one game means writing it anew.
"""

from __future__ import annotations

import argparse
import json
import mmap
import statistics
import sys
import tempfile
import time
from bisect import bisect_left
from collections.abc import Callable
from functools import partial
from pathlib import Path

from rich.console import Console
from rich.table import Table

from tengen import CONNECT6, Position
from tengen.play import OpeningBook
from tengen.record import Record, RecordError, gather

GAMES = Path(__file__).resolve().parents[2] / "shared" / "data" / "littlegolem.jsonl.gz"
ASKED = 300
"""So many games are asked about, move by move."""


class SortedArray:
    """The moves of a book as two columns of 64-bit numbers, those before a move sorted, with counts beside them."""

    def __init__(self, path: Path) -> None:
        with path.open("rb") as file:
            whole = memoryview(mmap.mmap(file.fileno(), 0, access=mmap.ACCESS_READ)).cast("q")
        count = whole[0]
        self.before = whole[1 : 1 + count]
        self.counts = whole[1 + count :]

    @staticmethod
    def write(book: OpeningBook, path: Path) -> None:
        query = "SELECT before, wins, draws, losses FROM move JOIN position ON key = after ORDER BY before"
        rows = book._connection.execute(query).fetchall()
        numbers = [len(rows), *(row[0] for row in rows), *(number for row in rows for number in row[1:])]
        path.write_bytes(b"".join(number.to_bytes(8, sys.byteorder, signed=True) for number in numbers))

    def rows(self, key: int) -> list[tuple[int, int, int]]:
        place, found = bisect_left(self.before, key), []
        while place < len(self.before) and self.before[place] == key:
            found.append((self.counts[3 * place], self.counts[3 * place + 1], self.counts[3 * place + 2]))
            place += 1
        return found


TRIES = 3
"""Every question is asked so often, and its best time counts: what others do on the machine is not the book's."""


def timed(ask: Callable[[], object]) -> float:
    times = []
    for _ in range(TRIES):
        start = time.perf_counter()
        ask()
        times.append(time.perf_counter() - start)
    return min(times)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("games", nargs="?", type=Path, default=GAMES)
    arguments = parser.parse_args()
    if not arguments.games.exists():
        sys.exit(f"{arguments.games}: no games to measure with")
    start, cpu = time.perf_counter(), time.process_time()
    records: list[Record] = [found for found in gather([arguments.games]) if not isinstance(found, RecordError)]
    reading, book = time.process_time() - cpu, OpeningBook(CONNECT6)
    book.add_all(records)
    figures: dict[str, float] = {
        "games": book.games,
        "positions": len(book),
        "seconds of CPU to read the games": round(reading, 1),
        "seconds of CPU to build": round(time.process_time() - cpu, 1),
        "seconds to build": round(time.perf_counter() - start, 1),
    }
    with tempfile.TemporaryDirectory(prefix="tengen-") as folder:
        file, array_file = Path(folder) / "a.book", Path(folder) / "array"
        book.write(file)
        SortedArray.write(book, array_file)
        opened = OpeningBook.read(file)
        array = SortedArray(array_file)
        positions = [Position(CONNECT6, record.moves()[:count]) for record in records[:ASKED] for count in range(1, 9)]
        keys = [row[0] for row in book._connection.execute("SELECT DISTINCT before FROM move LIMIT 2000")]
        for name, times in (
            ("a position, frames and moves included", [timed(partial(opened.moves, p)) for p in positions]),
            ("rows of a key, SQLite", [timed(partial(opened._rows, key)) for key in keys]),
            ("rows of a key, sorted array", [timed(partial(array.rows, key)) for key in keys]),
        ):
            figures[f"microseconds, median: {name}"] = round(1e6 * statistics.median(times), 1)
            figures[f"microseconds, 99 of 100: {name}"] = round(1e6 * statistics.quantiles(times, n=100)[-1], 1)
        most = Position.parse("J10")
        figures["microseconds: J10, all second moves"] = round(
            1e6 * min(timed(lambda: opened.moves(most)) for _ in range(20)), 1
        )
        figures["bytes, SQLite"] = file.stat().st_size
        figures["bytes, sorted array"] = array_file.stat().st_size
    print(json.dumps(figures))
    table = Table("", "", title="The statistics book", title_justify="left")
    for name, figure in figures.items():
        table.add_row(name, f"{figure:,}")
    Console(file=sys.stderr).print(table)


if __name__ == "__main__":
    main()
