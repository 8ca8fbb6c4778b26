"""What takes a while in the browser: games of people and programs, analyses side by side, proofs, the workers."""

from __future__ import annotations

import re
import sys
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor

import pytest
from browser_fixtures import click, enter, opened
from browser_tools import served
from grid_backends import NatsBackend
from playwright.sync_api import Browser, Page, Route, expect

LONG = "J10 H9I8 K11J12"
"""A position of which nothing is proved soon."""
STONES = ".board .stone:not(.ghost)"


@pytest.fixture
def grid(tmp_path_factory: pytest.TempPathFactory) -> Iterator[NatsBackend]:
    """A broker with two workers. Browser tests have a loop in their thread, so it is started in another."""
    with ThreadPoolExecutor(1) as other:
        backend = other.submit(NatsBackend, tmp_path_factory.mktemp("grid")).result()
        yield backend
        other.submit(backend.close).result()


def begin_game(page: Page, black: str, white: str, control: str = "none") -> None:
    page.get_by_role("tab", name="Play").click()
    page.locator(".players").get_by_label("Black").select_option(black)
    page.locator(".players").get_by_label("White").select_option(white)
    page.get_by_label("Time").select_option(control)
    page.get_by_role("button", name="Play from here").click()
    expect(page.locator(".seat")).to_have_count(2)


def test_people_and_programs_play(page: Page) -> None:
    begin_game(page, "person", "person", "30m")
    expect(page.locator(".seat.thinking")).to_contain_text(re.compile(r"Person(30:00|29:\d\d)"))
    enter(page, "J10", "K11I9")
    expect(page.locator(".seat.thinking .dot.black")).to_have_count(1)
    page.get_by_role("button", name="Hint").click()
    expect(page.locator(".candidate").first).to_be_visible()
    page.get_by_role("tab", name="Analysis").click()
    hinted = page.locator(".lines .moves").first.inner_text().split()[0]
    click(page, re.findall(r"[A-Z]\d+", hinted)[0])  # one click is one stone, also where a hint is
    expect(page.locator(".stone.pending")).to_have_count(1)
    page.keyboard.press("Escape")
    page.get_by_role("tab", name="Play").click()
    page.get_by_role("button", name="Pause").click()
    expect(page.locator(".seat.thinking")).to_contain_text("paused")
    page.get_by_role("button", name="Go on").click()
    expect(page.get_by_role("button", name="Pause")).to_be_visible()
    page.get_by_role("button", name="Take back").click()
    expect(page.locator(STONES)).to_have_count(1)
    page.keyboard.press("Home")
    page.get_by_role("button", name="Back to the game").click()
    expect(page.locator(STONES)).to_have_count(1)
    enter(page, "A1A2", "K10L10", "A3B9", "M10N10", "B1C9", "O10")
    expect(page.locator(".play .verdict")).to_have_text("Black wins")
    page.get_by_role("button", name="Rematch").click()
    expect(page.locator(STONES)).to_have_count(0)
    expect(page.locator(".knot")).to_have_count(1)
    page.once("dialog", lambda dialog: dialog.dismiss())
    page.get_by_role("button", name="Resign").click()
    expect(page.locator(".play .verdict")).to_have_count(0)
    page.once("dialog", lambda dialog: dialog.accept())
    page.get_by_role("button", name="Resign").click()
    expect(page.locator(".play .verdict")).to_have_text("White wins by resignation")
    page.get_by_role("button", name="Another game").click()
    expect(page.locator(".players")).to_be_visible()
    assert page.locator(".players option[value=minimax], .players option[value=breaker]").count() == 0
    page.keyboard.press("Home")
    begin_game(page, "simple", "engine:level=10,book=atlas")  # two programs are watched, and Esc makes them wait
    expect(page.locator(".seat.thinking", has_text="Engine · Level 10")).to_be_visible()
    page.keyboard.press("Escape")
    expect(page.locator(".seat.thinking")).to_contain_text("paused")
    expect(page.locator(".queue")).to_have_count(0)
    page.get_by_role("button", name="Go on").click()
    expect(page.locator(".seat.running", has_text="Engine · Level 10")).to_be_visible()
    expect(page.locator(".queue li", has_text="Program’s move")).to_be_visible()
    page.get_by_role("button", name="End", exact=True).click()
    expect(page.locator(".players")).to_be_visible()


def test_a_program_of_others_plays_if_the_server_was_told_of_it(
    browser: Browser, tmp_path_factory: pytest.TempPathFactory
) -> None:
    spec = f"gtp:{sys.executable} -m tengen engine --protocol gtp --agent simple,name=Neighbour"
    with served(tmp_path_factory.mktemp("data"), "--engine", spec) as server, opened(browser, server) as page:
        page.get_by_role("tab", name="Play").click()
        page.locator(".players").get_by_label("White").select_option(label="Neighbour")
        held: list[Route] = []
        page.route("**/game", lambda route: held.append(route))
        with page.expect_request("**/game"):
            page.get_by_role("button", name="Play from here").click()
        click(page, "J10")  # a move of the game, which is about to begin
        held[0].continue_()
        expect(page.locator(STONES)).to_have_count(3)
        expect(page.locator(".turn")).to_contain_text("Black")


def show(page: Page, position: str) -> None:
    """Opens a position as by a link that somebody has sent."""
    page.evaluate("position => location.hash = `position=${position}`", position)
    page.reload()
    moves = position.split(") ")[-1].split()
    expect(page.locator(".knot")).to_have_count(len(moves) + 1)


def test_an_analysis_comes_along(page: Page) -> None:
    toggle = page.locator(".analysis .primary")
    show(page, LONG)
    page.keyboard.press("Space")
    expect(page.locator(".queue li", has_text="after move 3")).to_be_visible()
    expect(toggle).to_have_text("Stop")
    page.keyboard.press("ArrowLeft")
    expect(toggle).to_have_text("Analyse")
    page.keyboard.press("Space")
    expect(page.locator(".queue li", has_text="after move 2")).to_be_visible()
    expect(page.locator(".queue li")).to_have_count(1)
    show(page, "J10 A1A2")  # another record: what is at work elsewhere goes on
    expect(page.locator(".queue li")).to_have_count(1)
    page.keyboard.press("Space")
    expect(page.locator(".queue li")).to_have_count(2)
    page.keyboard.press("Space")
    expect(page.locator(".queue li")).to_have_count(1)
    page.keyboard.press("Escape")
    expect(page.locator(".queue")).to_have_count(0)


def test_analyses_wait_for_each_other_and_stream_onto_the_board(page: Page) -> None:
    show(page, "Connect(19,19,7,3,3) J10L10K11")  # takes all the time that it is given
    for _ in range(4):  # three run at a time
        page.evaluate("document.activeElement.blur()")
        page.get_by_role("tab", name="Analysis").click()
        page.locator(".analysis").get_by_role("button", name="Defend").click()
        page.keyboard.press("ArrowLeft")
        page.keyboard.press("ArrowRight")
    rows = page.locator(".queue li")
    expect(rows).to_have_count(4)
    expect(page.locator(".queue li.waiting")).to_have_count(1)
    rows.first.get_by_role("button", name="Stop: Defend").click()
    expect(rows).to_have_count(3)
    expect(page.locator(".queue li.waiting")).to_have_count(0)
    expect(page.locator(".tabs .busy")).to_have_count(1)
    page.keyboard.press("Home")
    expect(page.locator(STONES)).to_have_count(0)
    page.locator(".queue .what").first.click()
    expect(page.locator(STONES)).to_have_count(3)
    page.keyboard.press("Escape")
    expect(page.locator(".queue")).to_have_count(0)
    show(page, "J10 A1A2 K10L10 A3B9 M10A19")
    page.keyboard.press("d")
    expect(page.locator(".defences rect").first).to_be_visible()
    expect(page.locator(".finding", has_text="Defend")).to_contain_text("not proved to lose")
    page.locator(".chip").first.hover()
    expect(page.locator(".preview .stone")).to_have_count(2)
    page.keyboard.press("Escape")
    for key, name in (("p", "Play"), ("v", "Prove"), ("g", "Whole game"), ("a", "Analysis")):
        page.keyboard.press(key)
        expect(page.get_by_role("tab", name=name)).to_have_attribute("aria-selected", "true")
        expect(page.locator("#panel")).to_be_focused()  # a frame later: not after what comes next
        page.evaluate("document.activeElement.blur()")
    page.get_by_role("tab", name="Analysis").focus()
    page.keyboard.press("ArrowRight")
    expect(page.get_by_role("tab", name="Play")).to_be_focused()
    expect(page.locator(".players")).to_be_visible()
    page.keyboard.press("w")
    expect(page.get_by_role("heading", name="Workers")).to_be_visible()
    page.keyboard.press("Escape")
    expect(page.locator("svg.board")).to_be_visible()


def test_a_proof_search_is_watched_steered_and_goes_on(page: Page) -> None:
    show(page, "Connect(15,15,6,1,1) H8 G9")  # nobody settles that while we look
    page.get_by_role("tab", name="Prove").click()
    page.get_by_label("Workers for a proof at most").fill("1")
    page.get_by_role("button", name="Begin", exact=True).click()
    tree = page.locator(".branches li")
    expect(tree.nth(1)).to_be_visible()
    first = tree.first.locator(".jump").inner_text()
    tree.first.hover()
    page.get_by_role("button", name=f"Do not look here: {first}", exact=True).click()
    expect(tree.first).to_have_class(re.compile("pruned"))
    page.get_by_role("button", name=f"Look here again: {first}", exact=True).click()
    page.get_by_role("button", name=f"Look here first: {first}", exact=True).click()
    expect(page.get_by_role("button", name=f"No longer first: {first}", exact=True)).to_be_attached()
    page.get_by_text("Jobs, one by one").click()
    expect(page.locator(".jobs tr.running", has_text="local-1")).to_be_visible()
    # At once: the search goes on, and another move may be the second a moment later.
    of_first_position = page.locator(".branches li[style*='padding-left: 0px']")
    second = of_first_position.nth(1).locator(".jump").evaluate("button => (button.click(), button.innerText)")
    expect(page.locator(".knot.current title")).to_have_text(second)
    page.keyboard.press("ArrowLeft")
    enter(page, "A1")
    page.get_by_role("button", name="Give A1 to the search as a hint").click()
    expect(tree.locator(".jump", has_text="A1")).to_have_count(1)
    page.locator(".branches .twist:not(:disabled):not(.open)").first.click()
    expect(page.locator(".branches .twist.open").first).to_be_visible()
    page.keyboard.press("w")
    machine = page.get_by_label(re.compile("This machine"))
    expect(machine.locator("tr.mine", has_text="local-1")).to_contain_text("engine")
    page.keyboard.press("w")
    page.keyboard.press("Escape")
    expect(page.locator(".verdict.unknown")).to_contain_text("goes on from here")
    found = page.locator(".figures dd").nth(3).inner_text()
    page.keyboard.press("Home")
    page.keyboard.press("PageDown")
    page.keyboard.press("ArrowLeft")
    page.get_by_role("button", name="Begin", exact=True).click()
    done = page.locator(".figures div").nth(3)
    expect(done).to_have_attribute("title", re.compile(r", [1-9]\d* taken"))
    taken = re.search(r", (\d+) taken", done.get_attribute("title") or "")
    assert taken
    assert int(taken[1]) >= int(found)  # a job may have ended while the search did
    page.keyboard.press("Escape")
    expect(page.locator(".queue")).to_have_count(0)


def test_the_grid_is_seen_and_used(
    browser: Browser, grid: NatsBackend, tmp_path_factory: pytest.TempPathFactory
) -> None:
    with (
        served(tmp_path_factory.mktemp("data"), "--grid", str(grid.client)) as server,
        opened(browser, server) as page,
    ):
        page.get_by_role("button", name="Workers").click()
        seen = page.get_by_label("Grid · tester")
        expect(seen.locator("tr.idle")).to_have_count(2)
        page.keyboard.press("Escape")
        enter(page, *LONG.split())
        page.get_by_role("tab", name="Prove").click()
        page.get_by_label("on the grid").check()
        page.get_by_role("button", name="Begin", exact=True).click()
        expect(page.locator(".queue li")).to_have_count(1)
        page.keyboard.press("w")
        expect(seen.locator("tr.mine", has_text="w1")).to_contain_text(re.compile(r"engine.*tester\d+ s"))
        expect(seen.get_by_text("that is me")).to_be_visible()
        expect(seen.locator("dd").first).to_have_text("2 / 2")
        page.keyboard.press("w")
        page.keyboard.press("Escape")
        expect(page.locator(".queue")).to_have_count(0)


def test_a_defence_that_was_stopped_says_so(page: Page) -> None:
    show(page, "Connect(19,19,7,3,3) J10L10K11")  # takes all the time that it is given
    page.keyboard.press("d")
    found = page.locator(".finding", has_text="Defend")
    expect(found).to_contain_text("So far")
    page.keyboard.press("Escape")
    expect(found).to_contain_text("Stopped: ")
