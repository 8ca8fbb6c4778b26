"""What is written is kept where it was meant, however late the server answers and whoever else writes."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

from browser_fixtures import enter
from browser_tools import Server
from playwright.sync_api import Page, Route, expect


def settled(page: Page) -> None:
    """Waits until the last edit is answered."""
    expect(page.locator(".saved")).to_have_text("Saved")


def only_first(page: Page, what: str, act: Callable[[Route], None]) -> None:
    """Something else is done with the first request of this kind."""
    seen: list[Route] = []

    def handle(route: Route) -> None:
        seen.append(route)
        if len(seen) == 1:
            act(route)
        else:
            route.continue_()

    page.route(f"**/{what}", handle)


@contextmanager
def held(page: Page, what: str) -> Iterator[None]:
    """The first request of this kind reaches the server when the block ends."""
    routes: list[Route] = []
    only_first(page, what, routes.append)
    yield
    for route in routes:
        route.continue_()
    assert routes


def write(page: Page, comment: str) -> None:
    with page.expect_request("**/comment"):
        page.fill(".comment", comment)


def new_record(page: Page) -> None:
    page.get_by_title("Records", exact=True).click()
    page.get_by_role("button", name="New game").click()
    with page.expect_response("**/api/documents/*"):
        page.get_by_role("button", name="Create").click()
    expect(page.locator(".shelf")).to_have_count(0)


def test_what_waits_goes_to_the_record_that_it_was_written_in(page: Page) -> None:
    first = page.url
    with held(page, "comment"):
        write(page, "a note")
        page.fill(".comment", "a note about the first record")
        new_record(page)
        expect(page.locator(".comment")).to_have_value("")
        expect(page).not_to_have_url(first)
    settled(page)
    expect(page.locator(".comment")).to_have_value("")
    page.reload()
    expect(page.locator(".board .grid")).to_be_visible()
    expect(page.locator(".comment")).to_have_value("")
    page.goto(first)
    expect(page.locator(".comment")).to_have_value("a note about the first record")


def test_moves_that_wait_go_on_from_each_other_though_another_record_is_open(page: Page) -> None:
    first = page.url.split("&", maxsplit=1)[0]
    with held(page, "play"):
        with page.expect_request("**/play"):
            page.fill(".entry input", "J10")
            page.press(".entry input", "Enter")
        page.fill(".entry input", "K11I9")
        page.press(".entry input", "Enter")
        new_record(page)
        expect(page.locator(".board .stone:not(.ghost)")).to_have_count(0)
    settled(page)
    expect(page.locator(".knot")).to_have_count(1)
    page.goto(first)
    expect(page.locator(".board .stone:not(.ghost)")).to_have_count(3)


def test_what_waits_is_done_where_it_was_asked_for(page: Page) -> None:
    enter(page, "J10", "K11I9")
    with held(page, "comment"):
        write(page, "a note")
        page.locator(".comment").blur()
        page.keyboard.press("Delete")
        page.keyboard.press("ArrowLeft")
        expect(page.locator(".board .stone:not(.ghost)")).to_have_count(1)
    expect(page.locator(".knot")).to_have_count(2)
    settled(page)
    expect(page.locator(".knot")).to_have_count(2)
    expect(page.locator(".board .stone:not(.ghost)")).to_have_count(1)


def test_an_answer_that_breaks_off_ends_nothing(page: Page) -> None:
    enter(page, "J10")
    only_first(page, "comment", lambda route: route.fulfill(content_type="application/json", body='{"rev'))
    write(page, "a note")
    settled(page)
    enter(page, "K11I9")
    settled(page)
    page.reload()
    expect(page.locator(".knot")).to_have_count(3)
    page.keyboard.press("ArrowLeft")
    expect(page.locator(".comment")).to_have_value("a note")


def test_a_comment_of_another_window_is_not_overwritten(page: Page, server: Server) -> None:
    write(page, "mine")
    settled(page)
    other = page.context.new_page()
    other.goto(page.url)
    expect(other.locator(".comment")).to_have_value("mine")
    write(other, "mine and theirs")
    expect(page.locator(".comment")).to_have_value("mine and theirs")
    page.keyboard.press("Control+End")
    page.keyboard.type(".")
    expect(other.locator(".comment")).to_have_value("mine and theirs.")


def test_two_comments_that_are_written_at_once_are_both_kept(page: Page) -> None:
    other = page.context.new_page()
    other.goto(page.url)
    expect(other.locator(".board .grid")).to_be_visible()
    with held(page, "comment"):
        write(page, "mine")
        with other.expect_response("**/comment"):
            write(other, "theirs")
        settled(other)
        expect(page.locator(".comment")).to_have_value("theirs\n\nmine")
    settled(page)
    expect(other.locator(".comment")).to_have_value("theirs\n\nmine")
    page.reload()
    expect(page.locator(".comment")).to_have_value("theirs\n\nmine")


def test_who_has_gone_on_is_not_pulled_back_to_his_comment(page: Page) -> None:
    enter(page, "J10", "K11I9")
    with held(page, "comment"):
        write(page, "a note")
        page.locator(".comment").blur()
        page.keyboard.press("Home")
        expect(page.locator(".board .stone:not(.ghost)")).to_have_count(0)
    settled(page)
    expect(page.locator(".knot.commented")).to_have_count(1)
    expect(page.locator(".board .stone:not(.ghost)")).to_have_count(0)


def open_files(page: Page, folder: Path, *names: str) -> None:
    """A record of each name; the last one is shown."""
    for name in names:
        file = folder / f"{name}.sgf"
        file.write_text("(;GM[511];B[j10])", encoding="ascii")
        page.set_input_files("input[type=file]:not(.merge-file)", file)
        expect(page.locator(".title")).to_have_value(name)


def open_by_title(page: Page, title: str) -> None:
    page.get_by_title("Records", exact=True).click()
    page.locator(".shelf li b", has_text=title).click()


def test_the_record_that_was_chosen_last_is_shown_though_another_comes_later(page: Page, tmp_path: Path) -> None:
    open_files(page, tmp_path, "ann")
    ann = re.search("record=([^&]+)", page.url)
    assert ann is not None
    open_files(page, tmp_path, "bob", "carl")
    with page.expect_response(f"**/api/documents/{ann[1]}"), held(page, f"api/documents/{ann[1]}"):
        open_by_title(page, "ann")
        open_by_title(page, "bob")
        expect(page.locator(".title")).to_have_value("bob")
    enter(page, "K11I9")
    expect(page.locator(".title")).to_have_value("bob")


def test_a_name_that_is_kept_late_stays_with_its_record(page: Page, tmp_path: Path) -> None:
    open_files(page, tmp_path, "ann", "bob")
    enter(page, "K11I9")
    with held(page, "api/documents/*"):
        with page.expect_request("**/api/documents/*"):
            page.fill(".title", "carl")
            page.locator(".title").blur()
        open_by_title(page, "ann")
        expect(page.locator(".knot")).to_have_count(2)
    page.get_by_title("Records", exact=True).click()
    expect(page.locator(".shelf li b", has_text="carl")).to_have_count(1)
    expect(page.locator(".title")).to_have_value("ann")
    expect(page.locator(".knot")).to_have_count(2)


def test_a_name_is_seen_in_every_window(page: Page) -> None:
    other = page.context.new_page()
    other.goto(page.url)
    expect(other.locator(".title")).to_have_value("Connect6")
    page.fill(".title", "my best game")
    page.locator(".title").blur()
    expect(other.locator(".title")).to_have_value("my best game")


def test_a_window_that_is_hidden_before_its_frame_is_told_all_the_same(page: Page) -> None:
    other = page.context.new_page()
    other.goto(page.url)
    expect(other.locator(".board .grid")).to_be_visible()
    page.evaluate("window.requestAnimationFrame = () => 0")
    enter(other, "J10")
    expect(page.locator(".knot")).to_have_count(2)


def test_a_page_that_got_no_answer_at_first_is_filled_when_there_is_one(page: Page) -> None:
    other = page.context.new_page()
    only_first(other, "api/desk", lambda route: route.abort())
    other.goto(page.url)
    expect(other.locator(".board .grid")).to_be_visible()
