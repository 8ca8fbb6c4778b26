"""A real server and a real browser, for tests of what people see."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
import urllib.request
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from tengen.web.app import STATIC

AXE = Path(__file__).resolve().parents[1] / "frontend" / "node_modules" / "axe-core" / "axe.min.js"
NAMES = ("chromium", "chromium-browser", "google-chrome")
ARGUMENTS = ["--no-sandbox", "--disable-gpu", "--disable-background-networking"]


def chromium() -> str:
    """The machine's Chromium. As root with apt it is installed where there is none; else the test is skipped."""
    if (found := _found()) is not None:
        return found
    if shutil.which("apt-get") and hasattr(os, "geteuid") and os.geteuid() == 0:
        for command in (["update"], ["install", "-y", "--no-install-recommends", "chromium"]):
            subprocess.run(["apt-get", "-qq", *command], check=False, capture_output=True, timeout=600)
    if (found := _found()) is None:
        pytest.skip("there is no Chromium on this machine")
    return found


def _found() -> str | None:
    return next((path for name in NAMES if (path := shutil.which(name))), None)


def axe() -> str:
    """The program that looks for what keeps people out of a page."""
    if not AXE.is_file():
        pytest.fail("axe-core is not installed; 'make setup' installs it")
    return AXE.read_text(encoding="utf-8")


class Server:
    """`tengen web` as users run it."""

    def __init__(self, folder: Path, *options: str) -> None:
        if not (STATIC / "index.html").is_file():
            pytest.fail("the pages are not built; 'make setup' builds them")
        self.folder, self.port, self.options = folder, 0, options
        self.start()

    def start(self) -> None:
        """Starts it, on the port that it had before."""
        self.process = subprocess.Popen(
            [sys.executable, "-m", "tengen", "web", "--no-open", "--json", "--port", str(self.port), *self.options],
            env={**os.environ, "TENGEN_DATA": str(self.folder)},
            stdout=subprocess.PIPE,
            text=True,
        )
        assert self.process.stdout is not None
        self.address: str = json.loads(self.process.stdout.readline())["address"]
        self.base, self.key = self.address.split("#key=")
        self.port = int(self.base.split(":")[2].split("/")[0])

    def at(self, fragment: str) -> str:
        """Return the address of a place, for a window that has a session: the key would make it reload."""
        return f"{self.base}#{fragment}"

    def headers(self) -> dict[str, str]:
        """Return the header with the session token, which a page gets for the key."""
        entry = {"authorization": f"Bearer {self.key}"}
        request = urllib.request.Request(f"{self.base}api/session", method="POST", headers=entry)
        with urllib.request.urlopen(request, timeout=60) as response:
            return {"authorization": f"Bearer {json.load(response)['session']}"}

    def kill(self) -> None:
        """Ends it without a word."""
        if self.process.poll() is None:
            self.process.kill()
            self.process.communicate()


@contextmanager
def served(folder: Path, *options: str) -> Iterator[Server]:
    """A server that is gone afterwards."""
    server = Server(folder, *options)
    try:
        yield server
    finally:
        server.kill()
