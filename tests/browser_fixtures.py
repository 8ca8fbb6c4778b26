"""A browser window on a workbench of its own, and what hands do there."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING

import pytest
from browser_tools import ARGUMENTS, Server, chromium, served

if TYPE_CHECKING:
    from playwright.sync_api import Browser, Page

SPAN, MARGIN = 18, 1.15
"""Of a 19x19 board: lines from edge to edge, and the room around them."""


@pytest.fixture(scope="session")
def browser() -> Iterator[Browser]:
    """One browser for all tests."""
    from playwright.sync_api import expect, sync_playwright

    expect.set_options(timeout=60_000)  # a busy machine may take its time
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=chromium(), args=ARGUMENTS)
        yield browser
        browser.close()


@pytest.fixture
def server(tmp_path: Path) -> Iterator[Server]:
    """A workbench with an empty desk."""
    with served(tmp_path) as server:
        yield server


@pytest.fixture
def page(browser: Browser, server: Server) -> Iterator[Page]:
    """A window of it."""
    with opened(browser, server) as page:
        yield page


@contextmanager
def opened(browser: Browser, server: Server) -> Iterator[Page]:
    """A window in which nothing goes wrong unnoticed. Whoever sits there has seen the first steps."""
    context = browser.new_context(viewport={"width": 1400, "height": 900})
    context.set_default_timeout(60_000)
    context.add_init_script("localStorage.setItem('tengen-toured', 'yes')")
    page = context.new_page()
    problems: list[str] = []
    page.on("pageerror", lambda error: problems.append(str(error)))
    page.goto(server.address)
    page.locator(".board .grid").wait_for()
    yield page
    context.close()
    assert not problems


def eventually(happens: Callable[[], bool], seconds: float = 60) -> None:
    """Waits for something that the browser has no word for."""
    end = time.monotonic() + seconds
    while not happens():
        assert time.monotonic() < end, "it has not happened"
        time.sleep(0.05)


def place_of(page: Page, square: str) -> tuple[float, float]:
    """Where a square of a 19x19 board is on the screen."""
    box = page.locator("svg.board").bounding_box()
    assert box is not None
    unit = box["width"] / (SPAN + 2 * MARGIN)
    x, y = ord(square[0]) - ord("A"), int(square[1:]) - 1
    return box["x"] + (x + MARGIN) * unit, box["y"] + (SPAN - y + MARGIN) * unit


def click(page: Page, square: str) -> None:
    """Clicks on a square of a 19x19 board."""
    page.mouse.click(*place_of(page, square))


def enter(page: Page, *moves: str) -> None:
    """Writes moves into the line for them."""
    from playwright.sync_api import expect

    for move in moves:
        page.fill(".entry input", move)
        page.press(".entry input", "Enter")
        expect(page.locator(".entry input")).to_have_value("")
        expect(page.locator(".entry")).to_have_attribute("aria-busy", "false")
    page.locator(".entry input").blur()
