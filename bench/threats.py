"""Threats: the table of line patterns, its memory and its speed. Run by `make bench`."""

from __future__ import annotations

import random
import sys
from pathlib import Path

from harness import Bench, best_seconds

from tengen import BLACK, CONNECT6, WHITE, Game, Position, Square, _native
from tengen.threat import critical_defences, line_patterns, pattern_table, threat_number

sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "tests"))
from reference import line_patterns as reference

THESIS_BYTES = 80_000_000


def random_position(rng: random.Random, game: Game, stones: int) -> Position:
    """Stones set up around the middle, as in the course of a game."""
    assert game.m is not None
    assert game.n is not None
    middle = [Square(x, y) for x in range(game.m // 4, 3 * game.m // 4) for y in range(game.n // 4, 3 * game.n // 4)]
    chosen = rng.sample(middle, stones)
    return Position.setup(game, chosen[::2], chosen[1::2], WHITE, 1)


def survey_in_plain_python(lines: list[str]) -> None:
    reference.threats.cache_clear()
    reference.level.cache_clear()
    for line in lines:
        reference.points(line, 6, 2)


def main() -> None:
    bench = Bench("Threats")
    rng = random.Random(1)
    boards = [random_position(rng, CONNECT6, 30) for _ in range(200)]
    natives = [position.native_board for position in boards]

    table = pattern_table(6, 2)
    bench.report(
        "line-pattern table of Connect6", table.bytes / 1e6, "MB", "80", f"thesis, 19 squares: {THESIS_BYTES / 1e6:.0f}"
    )
    for position in boards:
        line_patterns(position)
    bench.report("of its entries, filled by 200 positions", table.entries, "entries")

    def survey_all() -> None:
        for board in natives:
            table.survey(board, False)

    seconds = best_seconds(survey_all) / len(natives)
    bench.report("patterns of a whole board: 19x19, 4 directions, both sides", seconds * 1e6, "µs")
    lines = ["".join(rng.choices("..X#", k=13)) for _ in range(20)]
    twin = best_seconds(lambda: survey_in_plain_python(lines), 1) / len(lines)
    native = best_seconds(lambda: [table.points(line) for line in lines]) / len(lines)
    bench.report(
        "patterns of one line of 13 squares", native * 1e6, "µs", "", f"plain-Python twin {twin * 1e6:,.0f} µs"
    )

    large = [random_position(rng, Game(59, 59, 6, 2, 1), 200).native_board for _ in range(10)]
    seconds = best_seconds(lambda: [table.survey(board, False) for board in large]) / len(large)
    bench.report("patterns of a whole board, 59x59", seconds * 1e3, "ms")
    hashed = _native.LinePatterns(8, 2)
    eights = [random_position(rng, Game(19, 19, 8, 2, 1), 30).native_board for _ in range(50)]
    seconds = best_seconds(lambda: [hashed.survey(board, False) for board in eights]) / len(eights)
    bench.report("patterns of a whole board, k = 8 (hash map)", seconds * 1e3, "ms", "", f"{hashed.bytes / 1e6:.1f} MB")

    def count_all() -> None:
        for position in boards:
            threat_number(position, BLACK)
            critical_defences(position, BLACK)

    bench.report("threat number and critical defences", best_seconds(count_all) / len(boards) * 1e6, "µs a position")
    bench.finish()


if __name__ == "__main__":
    main()
