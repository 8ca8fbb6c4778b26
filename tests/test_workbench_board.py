"""The board in the browser: near and far, without end, wheels, pictures, zones, the row that won."""

from __future__ import annotations

import re

import pytest
from browser_fixtures import click, enter, eventually, place_of
from playwright.sync_api import Page, expect

FORCED = "J10 A1A2 K10L10 B1C9"


def seen(page: Page) -> list[float]:
    """The part of the board that is seen: left, top, width, height."""
    box = page.locator("svg.board").get_attribute("viewBox")
    assert box is not None
    return [float(number) for number in box.split()]


def open_game(page: Page, name: str) -> None:
    before = page.evaluate("location.hash")
    page.keyboard.press("Shift+N")
    page.get_by_role("radio", name=name, exact=True).check()
    page.keyboard.press("Enter")
    eventually(lambda: bool(page.evaluate("location.hash") != before))
    expect(page.locator(".knot")).to_have_count(1)


def test_every_corner_can_be_clicked(page: Page) -> None:
    click(page, "S1")
    expect(page.locator(".stone:not(.ghost)")).to_have_count(1)
    page.get_by_role("button", name="Nearer").click()
    assert seen(page)[2] < 20


def test_ctrl_and_wheel_zoom_where_the_mouse_is(page: Page) -> None:
    whole = seen(page)
    x, y = place_of(page, "C3")
    page.mouse.move(x, y)
    page.keyboard.down("Control")
    page.mouse.wheel(0, -300)
    page.keyboard.up("Control")
    expect(page.locator("svg.board.movable")).to_be_visible()
    near = seen(page)
    assert near[2] < whole[2]
    page.mouse.click(x, y)
    expect(page.locator(".turn")).to_contain_text("White")
    expect(page.locator(".entry input")).to_have_value("")
    assert page.get_by_label("The board in words").inner_text().count("C3") == 2  # the last move, and the only stone
    page.mouse.dblclick(x, y)
    expect(page.locator("svg.board:not(.movable)")).to_be_visible()
    assert seen(page) == whole
    for key, is_nearer in (("+", True), ("0", False)):
        page.keyboard.press(key)
        expect(page.locator("svg.board.movable")).to_have_count(int(is_nearer))


def test_the_infinite_board_is_dragged_and_played_far_away(page: Page) -> None:
    open_game(page, "Connect6-infinite")
    before = seen(page)
    box = page.locator("svg.board").bounding_box()
    assert box is not None
    unit = box["width"] / before[2]
    middle = box["x"] + box["width"] / 2, box["y"] + box["height"] / 2
    page.mouse.move(*middle)
    page.mouse.down()
    page.mouse.move(middle[0] - 60, middle[1], steps=3)
    page.mouse.move(middle[0] - 12 * unit, middle[1] + 5 * unit, steps=5)
    page.mouse.up()
    wanted = pytest.approx([before[0] + 12, before[1] - 5, *before[2:]], abs=0.6)
    eventually(lambda: seen(page) == wanted)
    expect(page.locator(".board .stone:not(.ghost)")).to_have_count(0)  # a drag is no click
    enter(page, "-C-4")
    expect(page.get_by_label("The board in words")).to_contain_text("-C-4")
    page.get_by_role("button", name="Show everything").click()
    eventually(lambda: seen(page)[0] < -3 < sum(seen(page)[0::2]))
    assert seen(page)[1] < 22 < sum(seen(page)[1::2])


def test_fingers_pinch(page: Page) -> None:
    whole = seen(page)
    page.evaluate(
        """() => {
            const board = document.querySelector("svg.board");
            const {left, top, width} = board.getBoundingClientRect();
            const send = (type, id, x) => board.dispatchEvent(new PointerEvent(type, {
                pointerId: id, pointerType: "touch", bubbles: true,
                clientX: left + x * width, clientY: top + 0.5 * width}));
            board.setPointerCapture = () => {};
            send("pointerdown", 1, 0.45); send("pointerdown", 2, 0.55);
            send("pointermove", 1, 0.35); send("pointermove", 2, 0.65);
            send("pointerup", 1, 0.35); send("pointerup", 2, 0.65);
        }"""
    )
    expect(page.locator("svg.board.movable")).to_be_visible()
    assert seen(page)[2] == pytest.approx(whole[2] / 3, rel=0.1)


def test_the_wheel_steps_through_the_record(page: Page) -> None:
    enter(page, "J10", "K11I9", "K9I11")
    page.mouse.move(*place_of(page, "C3"))
    page.mouse.wheel(0, -120)
    expect(page.locator(".board .stone:not(.ghost)")).to_have_count(3)
    page.mouse.wheel(0, -120)
    expect(page.locator(".board .stone:not(.ghost)")).to_have_count(1)
    page.mouse.wheel(0, 120)
    expect(page.locator(".board .stone:not(.ghost)")).to_have_count(3)


def test_the_wheel_steps_through_a_line_and_a_click_takes_what_is_seen(page: Page) -> None:
    enter(page, *FORCED.split())
    page.keyboard.press("Space")
    best = page.locator(".lines li").first
    expect(best).to_have_text(re.compile(r"100\s%\S+(\s+\S+){4,}"))  # the whole win
    page.keyboard.press("Escape")
    expect(page.locator(".analysis .primary")).to_have_text("Analyse")
    best.hover()
    for notches, stones in ((120, 2), (120, 4), (120, 6), (-120, 4)):
        page.mouse.wheel(0, notches)
        expect(page.locator(".preview .stone")).to_have_count(stones)
    best.click()
    expect(page.locator(".knot")).to_have_count(7)


def test_zones_of_a_win_are_shown_and_hidden(page: Page) -> None:
    enter(page, *FORCED.split())
    page.get_by_role("button", name="Solve").click()
    page.keyboard.press("z")
    expect(page.locator(".zone").first).to_be_attached()
    assert set(page.locator(".zone text").all_text_contents()) <= {"1", "2", "3"}
    page.keyboard.press("z")
    expect(page.locator(".zone")).to_have_count(0)
    page.get_by_role("button", name="Zones").click()
    expect(page.locator(".zone").first).to_be_attached()


def test_candidates_are_played_from_the_board(page: Page) -> None:
    enter(page, *FORCED.split())
    page.keyboard.press("Space")
    expect(page.locator(".candidate.best").first).to_be_visible()
    page.keyboard.press("Escape")
    expect(page.locator(".analysis .primary")).to_have_text("Analyse")
    best = page.locator(".candidate.best circle").first
    box = best.bounding_box()
    assert box is not None
    page.mouse.move(box["x"] + box["width"] / 2, box["y"] + box["height"] / 2)
    expect(page.locator(".preview .stone").first).to_be_visible()
    page.mouse.click(box["x"] + box["width"] / 2, box["y"] + box["height"] / 2)
    expect(page.locator(".knot")).to_have_count(6)


def test_the_winning_row_is_drawn(page: Page) -> None:
    enter(page, "J10", "A1A3", "K10L10", "A5A7", "M10N10", "B1B3", "O10")
    expect(page.locator(".turn")).to_have_text(re.compile("Black wins"))
    expect(page.locator(".in-row")).to_have_count(6)
    expect(page.locator(".winning-row .band")).to_be_attached()


def test_only_new_stones_are_drawn(page: Page) -> None:
    open_game(page, "Connect6-59")
    enter(page, "J10", "K11I9", "K9I11")
    page.evaluate(
        """() => {
            window.touched = [];
            new MutationObserver((found) => window.touched.push(...found.map((one) => one.type)))
                .observe(document.querySelector("svg.board"), {subtree: true, childList: true, attributes: true});
        }"""
    )
    enter(page, "AA20AB21")
    expect(page.locator(".board .stone:not(.ghost)")).to_have_count(7)
    changes = page.evaluate("window.touched.length")
    assert changes <= 8, "two stones came, and two marks of the last move moved"


def test_pictures_are_saved(page: Page) -> None:
    enter(page, "J10")
    for kind, first in (("SVG", b"<svg"), ("PNG", b"\x89PNG")):
        page.get_by_role("button", name="This record").click()
        with page.expect_download() as download:
            page.get_by_role("link", name=kind, exact=True).click()
        assert download.value.path().read_bytes().startswith(first)
        assert download.value.suggested_filename.endswith(kind.lower())


def test_the_board_is_turned_and_mirrored(page: Page) -> None:
    click(page, "A1")
    stone = page.locator(".board .stone.black")
    for key, across, down in (("r", "0", "0"), ("r", "18", "0"), ("m", "0", "0")):
        page.keyboard.press(key)
        expect(stone).to_have_attribute("cx", across)
        expect(stone).to_have_attribute("cy", down)


def test_what_follows_is_shown_until_it_is_undone(page: Page) -> None:
    enter(page, "J10", "K11I9")
    page.keyboard.press("ArrowLeft")
    expect(page.locator(".board .next")).to_have_count(2)
    page.keyboard.press("Control+z")
    expect(page.locator(".board .next")).to_have_count(0)
