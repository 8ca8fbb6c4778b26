"""`tengen web` in a terminal: how it begins and ends."""

from __future__ import annotations

import json
import os
import signal
import socket
import subprocess
import sys
import urllib.error
import urllib.request
from pathlib import Path
from typing import Any

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


@pytest.mark.parametrize(("host", "name"), [("0.0.0.0", "localhost"), ("::1", "[::1]"), ("::", "localhost")])
def test_the_address_that_it_prints_can_be_opened(tmp_path: Path, host: str, name: str) -> None:
    if ":" in host and not socket.has_dualstack_ipv6():
        pytest.skip("this machine has no IPv6")
    command = [sys.executable, "-m", "tengen", "web", "--no-open", "--json", "--port", "0", "--host", host]
    environment = {**os.environ, "TENGEN_DATA": str(tmp_path)}
    with subprocess.Popen(command, env=environment, stdout=subprocess.PIPE, text=True) as process:
        try:
            assert process.stdout is not None
            address = json.loads(process.stdout.readline())["address"]
            assert address.startswith(f"http://{name}:")
            opener = urllib.request.build_opener(urllib.request.HTTPCookieProcessor())
            assert "<title>Tengen</title>" in opener.open(address, timeout=60).read().decode()
        finally:
            process.kill()


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
        opener = urllib.request.build_opener(urllib.request.HTTPCookieProcessor())
        opener.open(server.address, timeout=60)

        def post(path: str, body: dict[str, object]) -> dict[str, Any]:
            content, headers = json.dumps(body).encode(), {"content-type": "application/json"}
            request = urllib.request.Request(f"{server.address.split('?')[0]}{path}", content, headers)
            return dict(json.load(opener.open(request, timeout=60)))

        id = post("api/documents", {"text": "J10"})["document"]["id"]
        endless = {"document": id, "node": 1, "agent": "monte-carlo:games=1000000000"}
        assert post("api/tasks", {"kind": "analyse", **endless})["state"] in ("waiting", "running")
        server.process.send_signal(signal.SIGINT)
        server.process.communicate(timeout=120)
        assert server.process.returncode == 0
