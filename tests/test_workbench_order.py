"""Answers that come late, or in another order than the questions: nothing is lost, and nothing lands elsewhere."""

from __future__ import annotations

import re
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest
from browser_fixtures import click, enter, opened
from browser_tools import Server, served
from playwright.sync_api import Browser, Page, Route, expect
from test_workbench_puzzles import WINS, make_due, play
from test_workbench_work import begin_game

STONES = ".board .stone:not(.pending):not(.ghost)"
PENDING = ".board .stone.pending"


class Held:
    """Requests that are kept back until they are let go, in their order."""

    def __init__(self, page: Page) -> None:
        self.page = page
        self.routes: list[Route] = []

    def let_go(self, count: int = 1) -> None:
        while len(self.routes) < count:
            self.page.wait_for_timeout(20)
        for route in self.routes[:count]:
            route.continue_()
        del self.routes[:count]


@contextmanager
def holding(page: Page, pattern: str | re.Pattern[str]) -> Iterator[Held]:
    """Keeps requests back; at the end all are let go, and later ones pass."""
    held = Held(page)
    page.route(pattern, lambda route: held.routes.append(route))
    yield held
    held.let_go(len(held.routes))
    page.unroute(pattern)


@contextmanager
def asking(page: Page, pattern: str) -> Iterator[None]:
    with page.expect_request(pattern):
        yield


def knots(page: Page) -> list[str]:
    """What the nodes of the record say, in the order of the tree."""
    return [title or "" for title in page.locator(".knot title").all_text_contents()]


def is_at_rest(page: Page) -> None:
    expect(page.locator(".saved")).to_have_text("Saved")


def test_what_is_typed_while_a_move_is_on_its_way_stays(page: Page) -> None:
    field = page.locator(".entry input")
    enter(page, "J10")
    with holding(page, "**/play") as held:
        with asking(page, "**/play"):
            page.fill(".entry input", "I11I10")
            page.press(".entry input", "Enter")
        expect(field).to_have_value("")
        page.fill(".entry input", "I9J9")
        held.let_go()
        expect(page.locator(STONES)).to_have_count(3)
        expect(field).to_have_value("I9J9")
    page.press(".entry input", "Enter")
    expect(page.locator(STONES)).to_have_count(5)
    with holding(page, "**/play"):
        page.fill(".entry input", "I9")
        page.press(".entry input", "Enter")
    expect(field).to_have_value("I9")  # refused: it can be corrected


def test_clicks_after_a_move_are_about_the_position_after_it(page: Page) -> None:
    with holding(page, "**/play") as held:
        with asking(page, "**/play"):
            click(page, "J10")
        click(page, "I11")
        click(page, "K11")
        expect(page.locator(STONES)).to_have_count(0)
        with asking(page, "**/play"):
            held.let_go()
        held.let_go()
        expect(page.locator(STONES)).to_have_count(3)
    expect(page.locator(".turn")).to_contain_text("Black")
    is_at_rest(page)
    assert len(knots(page)) == 3


def test_a_click_is_forgotten_by_who_goes_elsewhere(page: Page) -> None:
    enter(page, "J10")
    with holding(page, "**/play") as held:
        with asking(page, "**/play"):
            page.fill(".entry input", "I11K11")
            page.press(".entry input", "Enter")
        click(page, "A1")
        page.locator(".entry input").blur()
        page.keyboard.press("Home")
        held.let_go()
        expect(page.locator(".knot")).to_have_count(3)
        is_at_rest(page)
    expect(page.locator(STONES)).to_have_count(0)  # nobody is pulled away from where he went
    expect(page.locator(PENDING)).to_have_count(0)


def test_moves_follow_each_other_whichever_answer_has_come(page: Page) -> None:
    def write(move: str) -> None:
        page.fill(".entry input", move)
        page.press(".entry input", "Enter")
        expect(page.locator(".entry input")).to_have_value("")

    enter(page, "J10")
    with holding(page, "**/play") as held:
        with asking(page, "**/play"):
            write("I11I10")
        write("I9J9")
        with asking(page, "**/play"):
            held.let_go()
        expect(page.locator(".knot")).to_have_count(3)  # the first has come, the second has not
        write("J11K11")
        with asking(page, "**/play"):
            held.let_go()
        held.let_go()
        expect(page.locator(STONES)).to_have_count(7)


def test_two_steps_in_the_openings_are_two_moves(page: Page) -> None:
    page.keyboard.press("o")
    expect(page.locator(".opening-row").first).to_be_visible()
    with holding(page, "**/api/openings?**") as held:
        with asking(page, "**/api/openings?**"):
            page.keyboard.press("ArrowRight")
        page.keyboard.press("ArrowRight")  # of what? the moves there are not known yet
        page.locator(".opening-row").first.click()
        held.let_go(len(held.routes))
        expect(page.locator(".notice.error")).to_have_count(0)
        expect(page).to_have_url(re.compile("#openings=J10%20[A-S0-9]+$"))


def test_what_was_found_is_of_the_record_that_was_searched(page: Page, tmp_path: Path) -> None:
    enter(page, "J10", "I11I10", "I9J9")
    page.fill(".comment", "needle")
    is_at_rest(page)
    page.keyboard.press("Escape")
    page.keyboard.press("Control+f")
    page.locator(".search input").fill("needle")
    expect(page.locator(".search")).to_contain_text("/ 1")
    file = tmp_path / "other.sgf"
    file.write_text("(;GM[511];B[a1])")
    page.set_input_files("input[type=file]", file)
    expect(page.locator(".knot")).to_have_count(2)
    page.locator("body").click(position={"x": 2, "y": 2})
    page.keyboard.press("F3")
    expect(page).not_to_have_url(re.compile("node=[2-9]"))
    expect(page.locator(STONES)).to_have_count(1)


def test_stones_that_were_begun_stay_behind_with_their_page(browser: Browser, tmp_path: Path) -> None:
    with served(tmp_path) as server, opened(browser, server) as page:
        page.keyboard.press("q")
        expect(page.get_by_label("Puzzle", exact=True)).to_be_visible()
        click(page, "A1")
        expect(page.locator(PENDING)).to_have_count(1)
        page.keyboard.press("Escape")
        expect(page.locator(".entry")).to_be_visible()
        expect(page.locator(PENDING)).to_have_count(0)
        enter(page, "J10")
        page.keyboard.press("q")
        with holding(page, "**/api/puzzles/next") as held:
            with asking(page, "**/api/puzzles/next"):
                page.get_by_role("button", name="Skip").first.click()
            page.keyboard.press("Escape")
            expect(page.locator(STONES)).to_have_count(1)
            click(page, "A1")
            expect(page.locator(PENDING)).to_have_count(1)
            with page.expect_response("**/api/puzzles/next"):
                held.let_go()
            page.evaluate("fetch('/api/desk')")
            expect(page.locator(PENDING)).to_have_count(1)


def test_an_analysis_is_of_the_move_that_is_on_its_way_and_begins_once(page: Page) -> None:
    enter(page, "J10")
    with holding(page, "**/play") as held:
        with asking(page, "**/play"):
            page.fill(".entry input", "I11K11")
            page.press(".entry input", "Enter")
        page.locator(".entry input").blur()
        page.keyboard.press("Space")
        with asking(page, "**/api/tasks"):
            held.let_go()
    expect(page.locator(".queue li", has_text="after move 2")).to_be_visible()
    expect(page.locator(".analysis .primary")).to_have_text("Stop")
    page.keyboard.press("Space")
    expect(page.locator(".queue")).to_have_count(0)
    with holding(page, "**/api/tasks") as held:
        with asking(page, "**/api/tasks"):
            page.keyboard.press("Space")
        page.keyboard.press("Space")
        with asking(page, "**/api/tasks/*"):
            held.let_go()
        expect(page.locator(".queue")).to_have_count(0)
        expect(page.locator(".analysis .primary")).to_have_text("Analyse")


def test_a_proof_is_begun_once(page: Page) -> None:
    page.get_by_role("tab", name="Prove").click()
    with holding(page, "**/api/tasks") as held:
        page.get_by_role("button", name="Begin", exact=True).dblclick()
        page.evaluate("fetch('/api/desk')")
        assert len(held.routes) == 1
        held.let_go()
        expect(page.get_by_role("button", name="Stop", exact=True).first).to_be_visible()
    page.keyboard.press("Escape")


def test_what_ends_before_the_page_listens_has_ended(page: Page, server: Server) -> None:
    enter(page, "J10", "I11I10")
    page.keyboard.press("Space")
    expect(page.locator(".analysis .primary")).to_have_text("Stop")
    with holding(page, re.compile("/api/documents/[^/]+$")) as held:
        with asking(page, "**/api/documents/*"):
            page.reload(wait_until="commit")
        stop = "headers => fetch('/api/tasks', {method: 'DELETE', headers}).then(answer => answer.status)"
        assert page.evaluate(stop, server.headers()) == 200
        held.let_go()
        expect(page.locator(".analysis .primary")).to_have_text("Analyse")
        expect(page.locator(".queue")).to_have_count(0)


def test_a_record_is_opened_as_it_is_by_then(page: Page, server: Server) -> None:
    enter(page, "J10", "I11I10")
    first = page.url
    page.keyboard.press("Shift+N")
    page.get_by_role("dialog").get_by_role("button", name=re.compile("Create|New|Begin|OK", re.I)).last.click()
    expect(page.locator(".knot")).to_have_count(1)
    id = re.search("record=([^&]+)", first)[1]  # type: ignore[index]
    write = """([id, text, headers]) => fetch(`/api/documents/${id}/comment`,
        {method: 'POST', headers, body: new Blob([JSON.stringify({node: 2, text})], {type: 'application/json'})})"""
    answered: list[Route] = []

    def late(route: Route) -> None:
        response = route.fetch()
        page.evaluate(write, [id, "from another window", server.headers()])
        answered.append(route)
        route.fulfill(response=response)

    page.route(f"**/api/documents/{id}", late, times=1)
    page.evaluate("address => location.href = address", first)
    expect(page.locator(".comment")).to_have_value("from another window")
    assert answered


def test_what_is_cut_is_what_was_copied(page: Page) -> None:
    enter(page, "J10", "I11I10", "I9J9", "J11K11")
    with holding(page, "**/file?**") as held:
        with asking(page, "**/file?**"):
            page.keyboard.press("Control+x")
        page.keyboard.press("ArrowLeft")
        page.keyboard.press("ArrowLeft")
        expect(page.locator(STONES)).to_have_count(3)
        held.let_go()
        expect(page.locator(".knot")).to_have_count(4)
    is_at_rest(page)  # the answer has come too: it must not lead to where the branch was
    expect(page.locator(STONES)).to_have_count(3)


def test_a_move_and_taking_it_back_come_in_turn(page: Page) -> None:
    begin_game(page, "person", "person")
    enter(page, "J10", "I11I10")
    with holding(page, "**/game/move") as held:
        with asking(page, "**/game/move"):
            page.fill(".entry input", "I9J9")
            page.press(".entry input", "Enter")
        page.get_by_role("button", name="Take back").click()
        with asking(page, "**/game/back"):
            held.let_go()
    expect(page.locator(".knot")).to_have_count(4)
    expect(page.locator(STONES)).to_have_count(3)
    is_at_rest(page)


def test_what_is_pressed_twice_happens_once(page: Page) -> None:
    page.keyboard.press("e")
    click(page, "J10")
    page.get_by_role("button", name="Done").dblclick()
    expect(page.locator(STONES)).to_have_count(1)
    is_at_rest(page)
    expect(page.locator(".knot")).to_have_count(1)  # the empty root took it; a second one would be a node of its own
    begin_game(page, "person", "person")
    page.once("dialog", lambda dialog: dialog.accept())
    page.get_by_role("button", name="Resign").click()
    with holding(page, re.compile("/api/documents$")) as held:
        page.get_by_role("button", name="Rematch").dblclick()
        page.evaluate("fetch('/api/desk')")
        assert len(held.routes) == 1
        held.let_go()
        expect(page.locator(".turn")).to_contain_text("Black")
        expect(page.locator(STONES)).to_have_count(0)
        expect(page.get_by_role("button", name="Resign")).to_be_visible()


def test_a_late_hint_is_none(browser: Browser, tmp_path: Path) -> None:
    puzzle = next(one for one in WINS if len(one.line) > 2)
    make_due(tmp_path, puzzle)
    with served(tmp_path) as server, opened(browser, server) as page:
        page.keyboard.press("q")
        task = page.get_by_label("Puzzle", exact=True)
        expect(task).to_contain_text("due again")
        with holding(page, "**/solution") as held:
            with asking(page, "**/solution"):
                page.keyboard.press("h")
            play(page, puzzle.move)
            expect(task).to_contain_text("Right!")
            with page.expect_response("**/solution"):
                held.let_go()
            page.evaluate("fetch('/api/desk')")
            expect(page.locator(".hinted")).to_have_count(0)


@pytest.mark.parametrize(("key", "asked"), [("w", "/api/workers"), ("u", "/api/campaigns")])
def test_a_page_that_is_left_asks_no_more(page: Page, key: str, asked: str) -> None:
    with holding(page, f"**{asked}") as held:
        with asking(page, f"**{asked}"):
            page.keyboard.press(key)
        page.keyboard.press("Escape")
        expect(page.locator(".entry")).to_be_visible()
        held.let_go()
        page.wait_for_timeout(2500)  # longer than it waits
        assert held.routes == []
