"""The openings in the browser: verdicts beside the user's own statistics, the way deeper and back, links and keys."""

from __future__ import annotations

from pathlib import Path

from browser_fixtures import opened
from browser_tools import served
from playwright.sync_api import Browser, expect
from test_opening import filled
from test_workbench_pages import look_for_trouble

from tengen import CONNECT6, Position, Record
from tengen.opening import Shelf
from tengen.play import OpeningBook


def fill(folder: Path) -> None:
    """An atlas in which K11I11 loses to J9J8, and a book with one game of it."""
    shelf = Shelf(folder / "openings")
    shelf.keep(filled())
    proofs = shelf.folder / "proofs"
    proofs.mkdir()
    (proofs / "a.tpf").write_bytes(b"a proof")
    games = OpeningBook(CONNECT6)
    game = Record.from_position(Position.parse("J10 I11K11 J8J9 A1A2"))
    game.root.set("RE", "B+")
    assert games.add(game)
    games.write(shelf.book_file)


def test_openings_are_explored(browser: Browser, tmp_path: Path) -> None:
    fill(tmp_path)
    with served(tmp_path) as server, opened(browser, server) as page:
        page.keyboard.press("o")
        moves, line = page.get_by_label("Moves known here"), page.get_by_label("Line", exact=True)
        widths = page.locator(".opening-board .grid :is(path, .edge)").evaluate_all(
            "lines => lines.map(line => parseFloat(getComputedStyle(line).strokeWidth))"
        )
        assert len(widths) == 2
        assert max(widths) < 0.2, "lines hide the board"
        expect(moves).to_contain_text("1 of 6 second moves of White’s are proved to lose.")
        expect(moves).to_contain_text("Statistics of 1 games of yours.")
        rows = moves.locator(".opening-row")
        expect(rows).to_have_count(6)
        moves.get_by_role("button", name="Black wins 1", exact=True).click()
        expect(rows).to_have_count(1)
        expect(rows.first).to_contain_text("K11I11")
        expect(rows.first).to_contain_text("0 % won")
        look_for_trouble(page)
        rows.first.click()
        moves.get_by_role("button", name="All 3").click()
        expect(rows).to_have_count(3)
        expect(rows.nth(1)).to_contain_text("replies left: 1")
        # By keyboard: to the first, play it, and back.
        page.keyboard.press("ArrowDown")
        page.keyboard.press("Enter")
        expect(line.locator("[aria-current]")).to_have_text("J9J8")
        expect(moves.locator(".opening-verdict")).to_contain_text("Black wins")
        with page.expect_download() as download:
            moves.get_by_role("link").click()
        assert download.value.path().read_bytes() == b"a proof"
        expect(rows).to_have_count(1)  # what the game went on with
        page.keyboard.press("ArrowLeft")
        expect(line.locator("[aria-current]")).to_have_text("K11I11")
        page.go_back()
        expect(line.locator("[aria-current]")).to_have_text("J9J8")
        link = page.evaluate("location.hash")
        assert link.startswith("#openings=")
        page.goto(server.at("openings=J10%20I9I11"))
        expect(line.locator("[aria-current]")).to_have_text("I9I11")
        expect(rows.first).to_contain_text("K10L10")  # the same opening, mirrored
        # Two clicks on the board are a move.
        board = page.locator(".opening-board")
        box = board.bounding_box()
        assert box is not None
        unit = box["width"] / 20.2
        for x, y in ((3, 3), (4, 3)):
            board.click(position={"x": (x + 1.1) * unit, "y": (18 - y + 1.1) * unit})
        expect(line.locator("[aria-current]")).to_have_text("D4E4")
        expect(moves).to_contain_text("Nothing is known")
        page.set_viewport_size({"width": 390, "height": 844})
        assert page.evaluate("document.documentElement.scrollWidth") <= 390
        look_for_trouble(page)
        line.get_by_role("button", name="Open in the editor").click()
        expect(page.locator("svg.board")).to_be_visible()
        expect(page.locator("svg.board .stone")).to_have_count(5)


def test_an_address_that_is_written_badly_shows_the_beginning(browser: Browser, tmp_path: Path) -> None:
    with served(tmp_path) as server, opened(browser, server) as page:
        page.goto(f"{server.base}#openings=%E0%A4%A")
        page.reload()
        expect(page.get_by_label("Moves known here")).to_be_visible()
