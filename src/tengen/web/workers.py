"""Who works for the user: this machine, and the grid that he was invited to."""

from __future__ import annotations

import asyncio
import os
import threading
import time
from typing import TYPE_CHECKING

from tengen.game import TengenError
from tengen.grid import extra_packages
from tengen.web import models
from tengen.web.proving import Proving
from tengen.web.rates import Rate
from tengen.web.tasks import Task, Tasks

if TYPE_CHECKING:
    from tengen.grid.keys import Invitation
    from tengen.grid.overview import Overview

PATIENCE_SECONDS = 20.0
"""If nobody asks for so long, nobody looks at the grid any more."""
RETRY_SECONDS = 2.0


def this_machine(tasks: Tasks, proofs: dict[int, Proving], rate: Rate) -> models.SystemView:
    """What this machine's analyses and the processes of its proofs are doing."""
    known = tasks.list()
    places = [_analysis_place(slot, task) for slot, task in enumerate(tasks.slots(), 1)]
    running = {task.id for task in known if task.state == "running"}
    local = [proving for id, proving in [*proofs.items()] if id in running and proving.where == "local"]
    for proving in local:
        for place in proving.places:
            places.append(
                models.PlaceView(
                    worker=place.worker,
                    kind=place.kind,
                    what=place.line or "",
                    client=None,
                    seconds=place.seconds,
                    is_mine=place.job is not None,
                )
            )
    waiting = sum(task.state == "waiting" for task in known) + sum(proving.waiting for proving in local)
    return models.SystemView(
        name=f"{os.cpu_count() or 1}",
        places=places,
        clients=[],
        queued=waiting,
        done=rate.total,
        per_minute=rate.per_minute(),
    )


def _analysis_place(slot: int, task: Task | None) -> models.PlaceView:
    name = f"thread-{slot}"
    if task is None:
        return models.PlaceView(worker=name, kind=None, what="", client=None, seconds=None, is_mine=False)
    what = " ".join(task.position.split()[-2:])
    return models.PlaceView(
        worker=name, kind=task.kind, what=what, client=None, seconds=round(task.running_seconds(), 1), is_mine=True
    )


class GridWatch:
    """Looks at the grid of an invitation while somebody wants to know.

    Args:
        path: the file of the invitation.
    """

    def __init__(self, path: str) -> None:
        self._path = path
        self._lock = threading.Lock()
        self._thread: threading.Thread | None = None
        self._asked = 0.0
        self._name = ""
        self._seen: Overview | None = None
        self._problem: str | None = None

    def view(self) -> models.SystemView:
        """What was seen last; from now on somebody looks."""
        with self._lock:
            self._asked = time.monotonic()
            if self._thread is None:
                self._thread = threading.Thread(target=self._look_on, name="grid watch", daemon=True)
                self._thread.start()
            return _grid_view(self._name or self._path, self._name, self._seen, self._problem)

    def _look_on(self) -> None:
        while not self._is_forgotten():
            try:
                with extra_packages():
                    from tengen.grid.keys import Invitation
                invitation = Invitation.read(self._path)
                self._name = invitation.name
                asyncio.run(self._watch(invitation))
            except Exception as error:  # whatever it is, somebody waits to be told
                is_known = isinstance(error, TengenError | OSError)
                with self._lock:
                    self._seen, self._problem = None, str(error) if is_known else f"{type(error).__name__}: {error}"
                time.sleep(RETRY_SECONDS)

    async def _watch(self, invitation: Invitation) -> None:
        from tengen.grid.link import end_all
        from tengen.grid.overview import watch

        watching = asyncio.ensure_future(watch(invitation, self._note))
        while not watching.done() and not self._is_over():
            await asyncio.wait([watching], timeout=1.0)
        if watching.done():
            await watching  # and raise what has ended it
        await end_all([watching])

    def _note(self, seen: Overview) -> None:
        with self._lock:
            self._seen, self._problem = seen, None

    def _is_over(self) -> bool:
        return time.monotonic() - self._asked > PATIENCE_SECONDS

    def _is_forgotten(self) -> bool:
        """Whether the thread may end; who asks after that starts another."""
        with self._lock:
            if self._is_over():
                self._thread, self._seen = None, None
                return True
            return False


def _grid_view(title: str, own: str, seen: Overview | None, problem: str | None) -> models.SystemView:
    if seen is None:
        return models.SystemView(
            name=title, places=[], clients=[], queued=0, done=0, per_minute=None, problem=problem, is_seen=False
        )
    now = time.monotonic()
    return models.SystemView(
        name=title,
        places=[
            models.PlaceView(
                worker=slot.name if slot.slot == 1 else f"{slot.name}/{slot.slot}",
                kind=slot.kind,
                what=", ".join(f"{name} {value}" for name, value in (slot.progress or {}).items())[:200],
                client=slot.client,
                seconds=None if slot.since is None else round(max(0.0, now - slot.since), 1),
                is_mine=slot.client == own,
            )
            for slot in seen.slots
        ],
        pauses=[models.PauseView(worker=name, reason=beat.pause) for name, beat in seen.workers if beat.pause],
        clients=[
            models.ClientView(
                name=name,
                open=beat.open,
                wanted=beat.wanted,
                weight=beat.weight,
                is_hungry=beat.is_hungry,
                is_me=name == own,
            )
            for name, beat in seen.clients
        ],
        queued=seen.queued,
        done=sum(beat.done for _, beat in seen.workers),
        per_minute=seen.per_minute,
    )
