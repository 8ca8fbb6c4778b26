"""How much is done in a minute."""

from __future__ import annotations

import threading
import time
from collections import deque

WINDOW_SECONDS = 60.0


class Rate:
    """Counts what was done in the last minute. Safe to use from several threads."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._done: deque[tuple[float, int]] = deque()
        self.total = 0

    def note(self, count: int = 1) -> None:
        """So many more are done."""
        if count > 0:
            with self._lock:
                self._done.append((time.monotonic(), count))
                self.total += count

    def per_minute(self) -> int:
        """How many were done in the last minute."""
        with self._lock:
            while self._done and self._done[0][0] < time.monotonic() - WINDOW_SECONDS:
                self._done.popleft()
            return sum(count for _, count in self._done)
