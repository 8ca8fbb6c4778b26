"""What the pages of the workbench are told of a grid that cannot be seen."""

from __future__ import annotations

import json
import time
from pathlib import Path

import pytest
from grid_backends import free_port

from tengen.grid import overview
from tengen.grid.broker import Broker
from tengen.web import workers
from tengen.web.workers import GridWatch


@pytest.fixture
def invitation(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setattr(workers, "RETRY_SECONDS", 0.01)
    monkeypatch.setattr(workers, "PATIENCE_SECONDS", 1.0)  # so the watching ends soon after the test
    path = tmp_path / "me.grid"
    Broker(tmp_path / "grid", port=free_port()).invite("me", "client").write(path)
    return path


def said_of(watch: GridWatch, words: str) -> bool:
    """Whether the page says so in the end."""
    deadline = time.monotonic() + 60
    while words not in (watch.view().problem or "") and time.monotonic() < deadline:
        time.sleep(0.01)
    return words in (watch.view().problem or "")


def test_a_damaged_invitation_is_told_until_it_is_mended(invitation: Path) -> None:
    good = json.loads(invitation.read_text())
    invitation.write_text(json.dumps(good | {"seed": "SUA"}))
    watch = GridWatch(str(invitation))
    assert said_of(watch, "its key is damaged")
    invitation.write_text("{}")
    assert said_of(watch, "it lacks 'tengen-grid'")


def test_whatever_ends_the_watching_is_told(invitation: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    errors: list[Exception] = [OSError("the cable is cut"), AssertionError("never happens")]

    async def fail(*_: object) -> None:
        raise errors[-1]

    monkeypatch.setattr(overview, "watch", fail)
    watch = GridWatch(str(invitation))
    assert said_of(watch, "AssertionError: never happens")
    errors.pop()
    assert said_of(watch, "the cable is cut")
