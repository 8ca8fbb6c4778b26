"""What every benchmark does: one JSON line a case on standard output, a table on standard error at the end."""

from __future__ import annotations

import json
import platform
import sys
import time
from collections.abc import Callable

from rich.console import Console
from rich.table import Table


class Bench:
    def __init__(self, title: str) -> None:
        self._table = Table("case", "measured", "bar", "yardstick", title=title, title_justify="left")
        self.machine = f"{platform.machine()} Python {platform.python_version()}"

    def report(self, case: str, value: float, unit: str, bar: str = "", yardstick: str = "") -> None:
        """Notes a figure, the bar it should reach, and what a named yardstick did in the same run."""
        print(
            json.dumps(
                {"case": case, "value": value, "unit": unit, "bar": bar, "yardstick": yardstick, "on": self.machine}
            ),
            flush=True,
        )
        self._table.add_row(case, f"{value:,.3g} {unit}" if value < 1000 else f"{value:,.0f} {unit}", bar, yardstick)

    def finish(self) -> None:
        Console(file=sys.stderr).print(self._table)


def best_seconds(call: Callable[[], object], repeats: int = 5) -> float:
    """The best of several runs: the one least disturbed by others on the machine."""
    seconds = []
    for _ in range(repeats):
        start = time.perf_counter()
        call()
        seconds.append(time.perf_counter() - start)
    return min(seconds)
