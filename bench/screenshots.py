"""Makes the pictures of the workbench that the documentation shows: real server, real engine, real browser.

python bench/screenshots.py [NAME ...]     all of them, or those that are named, into docs/pictures
"""

from __future__ import annotations

import re
import sys
import tempfile
from collections.abc import Callable
from io import BytesIO
from pathlib import Path

from PIL import Image
from playwright.sync_api import Browser, BrowserContext, Page, expect, sync_playwright

from tengen.game import column_name

sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "tests"))
from browser_tools import ARGUMENTS, Server, chromium, served

ROOT = Path(__file__).resolve().parents[1]
FOLDER = ROOT / "docs" / "pictures"
MOST_BYTES = 150_000
COLOURS = 256
PATIENCE = 300_000
"""Milliseconds: engines take their time on a busy machine."""

GAME = """(;GM[511]GN[Six double threats]PB[Ann]PW[Bo]
;B[j10];W[i11i10]
(;B[i9j9]C[The first real choice: extend along the row, or cut above?]
 (;W[j11k11];B[l11h9]
  (;W[g9k10];B[l9k9];W[m9l10]
   (;B[j12j7];W[m10j6];B[k7m7];W[i7k6]C[White looks safe. He is not.])
   (;B[m8l8];W[n8k8];B[m7o9]))
  (;W[g8k10];B[l9k9];W[m9l8]))
 (;W[k11h8];B[h9g9]
  (;W[f9k9];B[k10l11])
  (;W[k9l9];B[g8f7];W[e6h10])))
(;B[k11h9];W[l12h10];B[i12j12]
 (;W[k13g10];B[l9m8])
 (;W[h13k9];B[l10m9];W[n10k8])))"""
"""A game of two programs, with the variations of somebody who went through it."""
POSITION = "J10 I11I10 I9J9 J11K11 L11H9 G9K10 L9K9 M9L10 J12J7 M10J6 K7M7 I7K6"
MISSED = "J10 K10K11 K9I11 H12N6 J8J12 J9I8 H7I7 L10L11 H10M12 G9H6 K7I9 L6G11 J7M15 L7G7 K13L14"
"""A game of two simple programs, who overlook things."""
OPENING = "gomoku H8 I9"


class Studio:
    """Windows of all sizes on one server."""

    def __init__(self, browser: Browser, server: Server) -> None:
        self._browser, self._server = browser, server
        self._context: BrowserContext | None = None

    def open(self, text: str, title: str, *, scheme: str = "light", size: tuple[int, int] = (1400, 880)) -> Page:
        """A window that shows the end of a record."""
        is_phone = size[0] < 600
        self._context = context = self._browser.new_context(
            viewport={"width": size[0], "height": size[1]},
            color_scheme="dark" if scheme == "dark" else "light",
            reduced_motion="reduce",
            is_mobile=is_phone,
            has_touch=is_phone,
            device_scale_factor=2 if is_phone else 1,
        )
        context.set_default_timeout(PATIENCE)
        context.add_init_script("localStorage.setItem('tengen-toured', 'yes')")
        page = context.new_page()
        page.goto(self._server.address)
        page.locator(".board .grid").wait_for()
        made = page.request.post(
            f"{self._server.base}api/documents",
            data={"text": text, "title": title},
            headers=self._server.headers(),
        ).json()
        page.goto(f"{self._server.base}#record={made['document']['id']}")
        page.reload()
        page.locator(".board .grid").wait_for()
        return page

    def keep(self, page: Page, name: str) -> None:
        """Writes what is seen, with few colours so that it stays small; then the window is closed."""
        page.mouse.move(0, 0)
        seen = Image.open(BytesIO(page.screenshot(animations="disabled"))).convert("RGB")
        page.keyboard.press("Escape")  # closes what lies above the board …
        while page.locator(".queue").count():  # … and ends what runs, the last first
            page.keyboard.press("Escape")
            page.wait_for_timeout(200)
        path = FOLDER / f"{name}.png"
        colours = COLOURS
        while True:
            seen.quantize(colours, method=Image.Quantize.MEDIANCUT, kmeans=1).save(path, optimize=True)
            if path.stat().st_size < MOST_BYTES:
                break
            colours = colours * 3 // 4
        print(f"{path.relative_to(ROOT)}: {path.stat().st_size / 1000:.0f} kB, {colours} colours")
        assert self._context is not None
        self._context.close()


def light(studio: Studio) -> None:
    """The engine at work on a game with variations."""
    page = studio.open(GAME, "Six double threats")
    page.keyboard.press("Space")
    page.locator(".candidate").nth(4).wait_for()
    expect(page.locator(".lines b").first).to_have_text(re.compile(r"100\s%"))
    studio.keep(page, "workbench-light")


def dark(studio: Studio) -> None:
    """A win by threats, with its relevance zones."""
    page = studio.open(GAME, "Six double threats", scheme="dark")
    page.keyboard.press("s")
    page.locator(".finding .line").wait_for()
    page.keyboard.press("z")
    page.keyboard.press("n")
    page.locator(".zone").first.wait_for()
    studio.keep(page, "workbench-dark")


def phone(studio: Studio) -> None:
    """The engine under the thumb."""
    page = studio.open(POSITION, "Six double threats", size=(390, 844))
    page.locator(".phone-bar .primary").tap()
    page.locator(".candidate").nth(4).wait_for()
    studio.keep(page, "workbench-phone")


def large(studio: Studio) -> None:
    """A board of 59x59, on which several games seem to have grown together."""
    page = studio.open(many_games(), "Five fights at once")
    page.keyboard.press("Space")
    page.locator(".candidate").nth(4).wait_for()
    studio.keep(page, "workbench-59x59")


def proof(studio: Studio) -> None:
    """A proof while its tree grows."""
    page = studio.open(OPENING, "Is this opening won?", scheme="dark")
    page.get_by_role("tab", name="Prove").click()
    page.get_by_role("button", name="Begin", exact=True).click()
    page.locator(".branches li").nth(11).wait_for()
    expect(page.locator(".branches .pulse").first).to_be_visible()
    for twist in page.locator(".branches .twist:not(:disabled):not(.open)").all()[:2]:
        twist.click()
    studio.keep(page, "workbench-proof")


def game(studio: Studio) -> None:
    """A whole game looked over."""
    page = studio.open(MISSED, "Who overlooked what?")
    page.get_by_role("tab", name="Whole game").click()
    page.get_by_role("button", name="Look over the game").click()
    expect(page.locator(".queue")).to_have_count(1)
    expect(page.locator(".queue")).to_have_count(0)
    page.locator(".faults button", has_text="missed").first.click()
    studio.keep(page, "workbench-game")


def workers(studio: Studio) -> None:
    """What this machine is doing."""
    page = studio.open(OPENING, "Is this opening won?")
    page.get_by_role("tab", name="Prove").click()
    page.get_by_role("button", name="Begin", exact=True).click()
    page.locator(".branches li").nth(3).wait_for()
    page.keyboard.press("w")
    page.locator("tr.mine", has_text="local-2").wait_for()
    page.keyboard.press("w")
    page.keyboard.press("Space")
    page.keyboard.press("w")
    page.locator("tr.mine").nth(2).wait_for()
    studio.keep(page, "workbench-workers")


def openings(studio: Studio) -> None:
    """The atlas of openings, as it comes with the program."""
    page = studio.open(OPENING, "Openings")
    page.keyboard.press("o")
    page.get_by_role("button", name="Black wins").first.click()
    page.locator(".opening-row").first.click()
    page.get_by_role("button", name="All").click()
    page.keyboard.press("ArrowDown")
    page.locator(".opening-row:focus").wait_for()
    studio.keep(page, "workbench-openings")


def puzzles(studio: Studio) -> None:
    """The solution of a puzzle, stepped through by somebody who has tried a few."""
    page = studio.open(POSITION, "Six double threats")
    page.keyboard.press("q")
    for _ in range(7):
        page.locator(".task h2").wait_for()
        page.keyboard.press("s")
        page.locator(".feedback.shown").wait_for()
        page.keyboard.press("Enter")
        page.locator(".feedback.solving").wait_for()
    page.keyboard.press("s")
    for _ in range(2):
        page.keyboard.press("ArrowRight")
    studio.keep(page, "workbench-puzzles")


def many_games() -> str:
    """The stones of a game in five places, turned and mirrored, played in turn."""
    black: list[str] = []
    white: list[str] = []
    turns: list[Callable[[int, int], tuple[int, int]]] = [
        lambda x, y: (x + 20, y + 20),
        lambda x, y: (18 - x + 2, y + 36),
        lambda x, y: (y + 38, x + 37),
        lambda x, y: (y + 2, 18 - x + 3),
        lambda x, y: (x + 38, 18 - y + 2),
    ]
    for number, move in enumerate(POSITION.split()):
        for square in _squares(move):
            for turn in turns:
                x, y = turn(*square)
                (white if number % 2 else black).append(f"{column_name(x)}{y + 1}")
    first, *rest = black
    pairs = zip(
        *(["".join(pair) for pair in zip(side[::2], side[1::2], strict=False)] for side in (white, rest)), strict=False
    )
    return (
        f"Connect(59,59,6,2,1) {first} {' '.join(f'{answer} {move}' for answer, move in pairs)} {''.join(white[-2:])}"
    )


def _squares(move: str) -> list[tuple[int, int]]:
    cut = next((at for at in range(1, len(move)) if move[at].isalpha()), len(move))
    return [(ord(one[0]) - ord("A"), int(one[1:]) - 1) for one in (move[:cut], move[cut:]) if one]


PICTURES = {one.__name__: one for one in (light, dark, phone, large, proof, game, workers, openings, puzzles)}


if __name__ == "__main__":
    FOLDER.mkdir(parents=True, exist_ok=True)
    expect.set_options(timeout=PATIENCE)
    with tempfile.TemporaryDirectory() as folder, served(Path(folder)) as server, sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=chromium(), args=ARGUMENTS)
        for name in sys.argv[1:] or PICTURES:
            PICTURES[name](Studio(browser, server))
        browser.close()
