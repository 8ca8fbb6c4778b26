"""`tengen web` in a terminal: how it begins and ends."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import urllib.error
import urllib.request
from pathlib import Path

import pytest
from browser_tools import served
from test_cli import Run, run

__all__ = ["run"]  # the fixture


def test_it_serves_the_page_to_who_has_the_key(tmp_path: Path) -> None:
    with served(tmp_path) as server:
        opener = urllib.request.build_opener(urllib.request.HTTPCookieProcessor())
        page = opener.open(server.address, timeout=60).read().decode()
        assert "<title>Tengen</title>" in page
        with pytest.raises(urllib.error.HTTPError, match="403"):
            urllib.request.urlopen(server.address.split("?")[0], timeout=60)


def test_a_port_that_is_taken_is_an_error_that_says_so(tmp_path: Path) -> None:
    with served(tmp_path) as server:
        second = subprocess.run(
            [sys.executable, "-m", "tengen", "web", "--no-open", "--port", str(server.port)],
            env={**os.environ, "TENGEN_DATA": str(tmp_path)},
            capture_output=True,
            text=True,
            timeout=120,
        )
    assert second.returncode == 4
    assert "--port 0" in second.stderr
    assert "Traceback" not in second.stderr


@pytest.mark.parametrize(
    ("options", "code", "said"),
    [
        (("--host", "192.0.2.1"), 4, "cannot listen on 192.0.2.1, port 0: "),  # an address that is nobody's
        (("--grid", "nowhere.grid"), 4, "nowhere.grid: No such file"),
        (("--grid", __file__), 3, "is no invitation to a grid"),
    ],
)
def test_what_it_cannot_use_is_told_at_once(run: Run, options: tuple[str, ...], code: int, said: str) -> None:
    found, out, err = run("web", "--no-open", "--port", "0", *options)
    assert (found, out) == (code, "")
    assert said in " ".join(err.split())
    assert "another workbench" not in err


def test_ctrl_c_ends_it_with_its_analyses(tmp_path: Path) -> None:
    with served(tmp_path) as server:
        server.process.send_signal(signal.SIGINT)
        server.process.communicate(timeout=120)
        assert server.process.returncode in (0, 130)
