"""How a grid is doing, as a table that lives or as JSON."""

from __future__ import annotations

import asyncio
import time
from contextlib import suppress
from typing import TYPE_CHECKING, Any

from rich.console import Group
from rich.live import Live
from rich.table import Table
from rich.text import Text

from tengen.cli.common import counted, out, print_json

if TYPE_CHECKING:
    from tengen.grid.keys import Invitation
    from tengen.grid.overview import Overview

_LOOK_SECONDS = 1.5
"""Long enough to hear everybody beat once."""


def show_status(invitation: Invitation, json: bool) -> None:
    """Shows the grid until Ctrl-C if this is a terminal, else once.

    Raises:
        BrokerError: if it cannot be reached.
    """
    from tengen.grid.overview import watch

    if json:
        asyncio.run(watch(invitation, lambda seen: print_json(_as_json(seen)), _LOOK_SECONDS))
    elif not out.is_terminal:
        asyncio.run(watch(invitation, lambda seen: out.print(_drawn(seen)), _LOOK_SECONDS))
    else:
        with Live(Text("looking …"), console=out) as live, suppress(KeyboardInterrupt):
            asyncio.run(watch(invitation, lambda seen: live.update(_drawn(seen), refresh=True)))


def _drawn(seen: Overview) -> Group:
    workers = Table("worker", "job", "kind", "client", "for", "progress", box=None, pad_edge=False)
    now = time.monotonic()
    for slot in seen.slots:
        since = "" if slot.since is None else f"{now - slot.since:.0f} s"
        progress = ", ".join(f"{name} {value}" for name, value in (slot.progress or {}).items())
        cells = (slot.job or "idle", slot.kind or "", slot.client or "", since, progress)
        workers.add_row(f"{slot.name}/{slot.slot}", *cells)
    for name, beat in seen.workers:
        if beat.pause:
            workers.add_row(name, f"pauses: {beat.pause}")
    clients = Table("client", "open jobs", "weight", "wants", box=None, pad_edge=False)
    for name, client in seen.clients:
        wants = "all it can get" if client.wanted is None else str(client.wanted)
        clients.add_row(name, str(client.open), f"{client.weight:g}", wants if client.is_hungry else "no more")
    busy = sum(slot.job is not None for slot in seen.slots)
    rate = "" if seen.per_minute is None else f", {seen.per_minute:.0f} a minute"
    done = sum(beat.done for _, beat in seen.workers)
    summary = (
        f"{counted(len(seen.workers), 'worker')}, {busy} of {counted(len(seen.slots), 'place')} taken, "
        f"{counted(seen.queued, 'job')} waiting, {counted(done, 'job')} done{rate}"
    )
    return Group(summary, "", workers, "", clients) if seen.clients else Group(summary, "", workers)


def _as_json(seen: Overview) -> dict[str, Any]:
    now = time.monotonic()
    return {
        "workers": [
            {
                "name": name,
                "cores": beat.cores,
                "done": beat.done,
                "pause": beat.pause or None,
                "version": beat.version,
                "busy": [slot.model_dump(exclude={"protocol"}) for slot in beat.busy],
            }
            for name, beat in seen.workers
        ],
        "running": [
            {"worker": slot.name, "job": slot.job, "seconds": round(now - slot.since, 1)}
            for slot in seen.slots
            if slot.since is not None
        ],
        "clients": [
            {
                "name": name,
                "open": beat.open,
                "weight": beat.weight,
                "wanted": beat.wanted,
                "hungry": beat.is_hungry,
            }
            for name, beat in seen.clients
        ],
        "queued": seen.queued,
        "done": sum(beat.done for _, beat in seen.workers),
    }
