"""The pages besides the bench in the browser: how fair the family is, and minimum Sudoku."""

from __future__ import annotations

from pathlib import Path
from unittest.mock import patch

import pytest
from browser_fixtures import opened
from browser_tools import served
from playwright.sync_api import Browser, Page, expect
from sudoku_tools import FAMOUS
from test_sudoku import EASY, FAMOUS_CLUES
from test_workbench_manners import serious

from tengen.record import Store
from tengen.sudoku import Campaign, Grid

CUT = """() => [...document.querySelectorAll("main :is(dt, dd, h1, h2, p, label, button)")]
    .filter((one) => one.scrollWidth > one.clientWidth + 1 && getComputedStyle(one).overflowX !== "visible")
    .map((one) => one.textContent)"""
"""Texts that one sees only a part of."""


def begin_campaign(folder: Path) -> None:
    """Begin a campaign: two workers agree about one grid, a third sent nonsense, and the other grid is still open."""
    (folder / "grids.txt").write_text(f"{FAMOUS}\n{EASY}\n", encoding="ascii")
    said = {"puzzles": [str(Grid(FAMOUS).puzzle(FAMOUS_CLUES))], "certificate": "0" * 16}
    with Store(folder / "tengen.sqlite3") as store:
        campaign = Campaign.create(store, "mine", folder / "grids.txt", 17, grids_a_job=1)
        campaign.take(0, "carl", {"checked": []}, 1.0)
        # The campaign recomputes results; for this grid that would take half a minute.
        with patch.object(Campaign, "_truth", lambda *_: said):
            for worker in ("ann", "bob"):
                assert campaign.take(0, worker, {"checked": [said]}, 1.0) is None


def look_for_trouble(page: Page) -> None:
    for scheme in ("light", "dark"):
        page.emulate_media(color_scheme=scheme, reduced_motion="reduce")
        assert serious(page) == []


@pytest.mark.workshop
def test_the_family_is_looked_at_and_puzzles_are_found(browser: Browser, tmp_path: Path) -> None:
    begin_campaign(tmp_path)
    with served(tmp_path) as server, opened(browser, server) as page:
        page.keyboard.press("f")
        known = page.get_by_label("What is known")
        expect(known).to_contain_text("Connect(6,2,1)")
        expect(known).to_contain_text("potentially fair")
        page.get_by_role("button", name="Connect(6,2,3): Black wins").click()
        expect(known).to_contain_text("definitely unfair")
        expect(known.locator("code").first).to_contain_text('tengen defend "Connect(6,2,3) J10L10K11"')
        page.keyboard.press("ArrowUp")
        expect(known.get_by_role("heading")).to_have_text("Connect(6,2,2)")
        look_for_trouble(page)
        known.get_by_role("button", name="New game").click()
        expect(page.locator("svg.board")).to_be_visible()
        expect(page.get_by_label("Title", exact=True)).to_have_value("Connect(6,2,2)")

        page.get_by_role("button", name="Minimum Sudoku").click()
        campaign = page.get_by_label("Campaign · mine")
        expect(campaign).to_contain_text("1 / 2")
        expect(campaign.locator(".liar")).to_contain_text("carl")
        campaign.get_by_role("button").click()
        expect(page.locator(".sudoku-grid .clue")).to_have_count(17)
        look_for_trouble(page)
        grid, find = page.get_by_label("A complete grid"), page.get_by_role("button", name="Find all puzzles")
        grid.fill(FAMOUS[:80])
        find.click()
        expect(page.get_by_role("alert")).to_contain_text("81")
        grid.fill(FAMOUS[:80] + "1")
        find.click()
        expect(page.get_by_role("alert")).to_contain_text("row 9 has two 1s")
        grid.fill(FAMOUS)
        find.click()
        expect(page.locator(".outcome progress")).to_be_visible()
        page.get_by_role("button", name="Stop", exact=True).click()
        expect(page.locator(".outcome")).to_contain_text("There may be more")
        grid.fill(EASY)
        page.get_by_label("Clues", exact=True).fill("16")
        find.click()
        expect(page.locator(".outcome")).to_contain_text("Puzzles with 16 clues: 0.")
        page.set_viewport_size({"width": 390, "height": 844})
        for key in ("f", "u"):
            page.evaluate("document.activeElement.blur()")
            page.keyboard.press(key)
            page.locator("main.page h1").wait_for()
            assert page.evaluate("document.documentElement.scrollWidth") <= 390
            assert page.evaluate(CUT) == []
