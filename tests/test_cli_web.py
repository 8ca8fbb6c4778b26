"""`tengen web` in a terminal: how it begins and ends."""

from __future__ import annotations

import json
import os
import re
import signal
import socket
import stat
import subprocess
import sys
import time
import urllib.error
import urllib.request
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit
from urllib.request import url2pathname

import pytest
from browser_tools import served
from processes import posix_only
from test_cli import Run, run

__all__ = ["run"]  # the fixture


def test_it_serves_data_to_the_holder_of_the_key(tmp_path: Path) -> None:
    with served(tmp_path) as server:
        page = urllib.request.urlopen(server.base, timeout=60).read().decode()
        assert "<title>Tengen</title>" in page
        with pytest.raises(urllib.error.HTTPError, match="403"):
            urllib.request.urlopen(f"{server.base}api/desk", timeout=60)
        request = urllib.request.Request(f"{server.base}api/desk", headers=server.headers())
        assert json.load(urllib.request.urlopen(request, timeout=60))["documents"] == []


@posix_only
def test_the_key_is_not_on_the_command_line_of_the_browser(tmp_path: Path) -> None:
    """Every user can read the command lines of all processes; the browser gets a file that only its owner can read."""
    seen, data = tmp_path / "seen", tmp_path / "data"
    browser = tmp_path / "browser"
    browser.write_text(f'#!/bin/sh\nprintf %s "$1" > {seen}.part\nmv {seen}.part {seen}\n')
    browser.chmod(0o755)
    command = [sys.executable, "-m", "tengen", "web", "--open", "--json", "--port", "0"]
    environment = {**os.environ, "TENGEN_DATA": str(data), "BROWSER": f"{browser} %s"}
    with subprocess.Popen(command, env=environment, stdout=subprocess.PIPE, text=True) as process:
        try:
            assert process.stdout is not None
            base, key = json.loads(process.stdout.readline())["address"].split("#key=")
            deadline = time.monotonic() + 60
            while not seen.exists() and time.monotonic() < deadline:
                time.sleep(0.05)
            address = seen.read_text()
            assert address.startswith("file://")
            page = Path(url2pathname(urlsplit(address).path))
            assert page.parent == data
            assert stat.S_IMODE(page.stat().st_mode) == 0o600
            token = re.findall(r"#key=([\w-]+)", page.read_text())[0]
            assert key not in address + page.read_text()
            assert token not in address

            def enter() -> int:
                entry = {"authorization": f"Bearer {token}"}
                request = urllib.request.Request(f"{base}api/session", method="POST", headers=entry)
                try:
                    return int(urllib.request.urlopen(request, timeout=60).status)
                except urllib.error.HTTPError as error:
                    return error.code

            assert enter() == 200
            assert not page.exists()
            assert enter() == 403
        finally:
            process.kill()


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
            assert "<title>Tengen</title>" in urllib.request.urlopen(address, timeout=60).read().decode()
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

        def post(path: str, body: dict[str, object]) -> dict[str, Any]:
            content, headers = json.dumps(body).encode(), {"content-type": "application/json", **server.headers()}
            request = urllib.request.Request(f"{server.base}{path}", content, headers)
            return dict(json.load(urllib.request.urlopen(request, timeout=60)))

        id = post("api/documents", {"text": "J10"})["document"]["id"]
        endless = {"document": id, "node": 1, "agent": "monte-carlo:games=1000000000"}
        assert post("api/tasks", {"kind": "analyse", **endless})["state"] in ("waiting", "running")
        server.process.send_signal(signal.SIGINT)
        server.process.communicate(timeout=120)
        assert server.process.returncode == 0
