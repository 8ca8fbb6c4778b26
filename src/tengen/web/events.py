"""What windows are told without asking: changes of records, progress of analyses.

Events come from any thread; each window takes them at its own pace. Of events with the same key only the last waits,
so a slow window is told less often, never late.
"""

from __future__ import annotations

import asyncio
import threading
from collections.abc import Hashable
from typing import Any

from tengen import __version__

Event = dict[str, Any]
MAX_WAITING = 10_000
"""A window that lets so many events wait has gone to sleep: it is cut off, and asks for everything when it wakes."""


def hello() -> Event:
    """The first word to a window; whenever it is heard, the window asks anew for all that it shows."""
    return {"on": "hello", "version": __version__}


class Channel:
    """The events that wait for one window."""

    def __init__(self, loop: asyncio.AbstractEventLoop) -> None:
        self._loop = loop
        self._lock = threading.Lock()
        self._waiting: dict[Hashable, Event] = {}
        self._number = 0
        self._ready = asyncio.Event()
        self.is_cut_off = False

    def put(self, event: Event, key: Hashable = None) -> None:
        """Adds an event, from any thread."""
        with self._lock:
            if len(self._waiting) >= MAX_WAITING:
                self.is_cut_off = True
            elif key in self._waiting:
                self._waiting[key] = event
            else:
                self._number += 1
                self._waiting[self._number if key is None else key] = event
        self._loop.call_soon_threadsafe(self._ready.set)

    async def take(self) -> list[Event]:
        """All events that wait, at least one; none once the window is cut off."""
        while True:
            await self._ready.wait()
            self._ready.clear()
            with self._lock:
                if self.is_cut_off:
                    return []
                events, self._waiting = list(self._waiting.values()), {}
            if events:  # else they were taken before word of them had come
                return events


class Hub:
    """Tells all windows."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._channels: set[Channel] = set()

    def join(self, channel: Channel) -> None:
        """From now on this window is told too."""
        with self._lock:
            self._channels.add(channel)

    def leave(self, channel: Channel) -> None:
        """This window is told no more."""
        with self._lock:
            self._channels.discard(channel)

    def publish(self, event: Event, key: Hashable = None) -> None:
        """Tells all windows, from any thread."""
        with self._lock:
            channels = list(self._channels)
        for channel in channels:
            channel.put(event, key)
