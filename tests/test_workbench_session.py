"""The session of a window, in a real browser, beside another server on the same host."""

from __future__ import annotations

import threading
import urllib.error
import urllib.request
from collections.abc import Iterator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import TYPE_CHECKING

from browser_tools import Server

if TYPE_CHECKING:
    from playwright.sync_api import Browser, Page


@contextmanager
def eavesdropper() -> Iterator[tuple[str, list[dict[str, str]]]]:
    """Another server on 127.0.0.1: its address, and the headers that browsers send to it."""
    received: list[dict[str, str]] = []

    class Handler(BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            received.append({name.lower(): value for name, value in self.headers.items()})
            self.send_response(200)
            self.send_header("content-type", "text/html")
            self.end_headers()
            self.wfile.write(b"<p id=there>there</p>")

        def log_message(self, format: str, *arguments: object) -> None:
            pass

    server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    thread = threading.Thread(target=server.serve_forever)
    thread.start()
    try:
        yield f"http://127.0.0.1:{server.server_port}/", received
    finally:
        server.shutdown()
        thread.join()
        server.server_close()


def status(address: str, headers: dict[str, str]) -> int:
    try:
        with urllib.request.urlopen(urllib.request.Request(address, headers=headers), timeout=60) as response:
            return int(response.status)
    except urllib.error.HTTPError as error:
        return error.code


def test_another_server_on_this_host_gets_nothing_that_opens_the_workbench(page: Page, server: Server) -> None:
    with eavesdropper() as (address, received):
        page.goto(address)
        page.locator("#there").wait_for()
        stored = page.evaluate("JSON.stringify([{...localStorage}, document.cookie])")
    assert received
    assert server.headers()["authorization"].removeprefix("Bearer ") not in stored
    for headers in received:
        replayed = {name: value for name, value in headers.items() if name in ("cookie", "authorization")}
        assert status(f"{server.base}api/desk", replayed) == 403


def test_the_key_disappears_from_the_address_and_the_session_stays(page: Page, server: Server) -> None:
    page.reload()
    page.locator(".board .grid").wait_for()
    assert server.key not in page.url
    assert server.key not in page.evaluate("JSON.stringify({...localStorage})")
    assert page.context.cookies() == []


def test_a_window_without_the_key_is_refused_until_the_address_is_pasted(browser: Browser, server: Server) -> None:
    context = browser.new_context()
    context.set_default_timeout(60_000)
    window = context.new_page()
    window.goto(server.base)
    window.locator(".lost").wait_for()
    assert "the address that it printed" in window.locator(".lost").inner_text()
    window.goto(server.address)  # changes only the fragment
    window.locator(".board .grid").wait_for()
    assert window.locator(".lost").count() == 0
    context.close()
