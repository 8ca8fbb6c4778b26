"""Manners of the workbench: keys, first steps, small screens, screen readers, languages."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from browser_fixtures import click, enter
from browser_tools import Server, axe
from playwright.sync_api import Browser, Locator, Page, expect

ROOT = Path(__file__).resolve().parents[1]
TEXTS = ROOT / "frontend" / "src" / "texts"


@pytest.fixture
def phone(browser: Browser, server: Server) -> Iterator[Page]:
    context = browser.new_context(viewport={"width": 390, "height": 844}, has_touch=True, is_mobile=True)
    context.set_default_timeout(60_000)
    context.add_init_script("localStorage.setItem('tengen-toured', 'yes')")
    page = context.new_page()
    page.goto(server.address)
    page.locator(".board .grid").wait_for()
    yield page
    context.close()


def serious(page: Page) -> list[str]:
    """What axe-core finds that keeps people out."""
    page.evaluate(axe())
    found: dict[str, Any] = page.evaluate("axe.run()")
    return [
        f"{one['id']}: {one['nodes'][0]['html'][:120]}"
        for one in found["violations"]
        if one["impact"] in ("serious", "critical")
    ]


@pytest.mark.workshop
@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_nobody_is_kept_out(page: Page, scheme: Any) -> None:
    page.emulate_media(color_scheme=scheme, reduced_motion="reduce")
    enter(page, "J10", "K11I9")
    page.fill(".comment", "a comment")
    assert serious(page) == []
    page.get_by_role("button", name="This record").click()
    assert serious(page) == []
    page.get_by_role("button", name="About this game").click()
    assert serious(page) == []
    page.keyboard.press("Escape")
    page.locator(".comment").blur()
    page.keyboard.press("?")
    expect(page.get_by_role("dialog", name="Keys")).to_be_visible()
    assert serious(page) == []
    page.keyboard.press("Escape")
    page.get_by_title("Records", exact=True).click()
    page.keyboard.press("Control+f")
    assert serious(page) == []
    page.keyboard.press("Escape")
    for tab in ("Play", "Whole game", "Prove"):
        page.get_by_role("tab", name=tab).click()
        assert serious(page) == []
    page.get_by_role("button", name="Begin", exact=True).click()
    expect(page.locator(".branches li").first).to_be_visible()
    assert serious(page) == []
    page.get_by_role("button", name="Workers", exact=True).click()
    expect(page.locator("tr.mine").first).to_be_visible()
    assert serious(page) == []


def test_the_board_is_told_in_words(page: Page) -> None:
    enter(page, "J10", "K11I9")
    words = page.get_by_label("The board in words")
    expect(words).to_contain_text("Last move: White K11, I9. Black to move.")
    expect(words).to_contain_text("Black: J10")
    expect(words.locator("[aria-live=polite]")).to_have_count(1)


def test_the_list_of_keys_is_true(page: Page) -> None:
    enter(page, "J10", "K11I9")
    page.keyboard.press("?")
    dialog = page.get_by_role("dialog", name="Keys")
    expect(dialog).to_be_visible()
    listed = dialog.locator("dl > div").count()
    assert listed > 30
    page.keyboard.press("Escape")
    expect(dialog).to_have_count(0)
    for key, sign in (("n", ".board .number"), ("k", ".board .coordinate")):
        before = page.locator(sign).count()
        page.keyboard.press(key)
        expect(page.locator(sign)).not_to_have_count(before)
    page.keyboard.press("PageUp")
    expect(page.locator(".board .stone:not(.ghost)")).to_have_count(0)
    page.keyboard.press("PageDown")
    expect(page.locator(".board .stone:not(.ghost)")).to_have_count(3)
    page.keyboard.press("4")
    expect(page.get_by_role("radio", name="Circle")).to_be_checked()
    page.keyboard.press("1")
    page.keyboard.press("e")
    expect(page.get_by_role("button", name="Done")).to_be_visible()
    page.keyboard.press("Escape")
    expect(page.get_by_role("button", name="Done")).to_have_count(0)
    page.keyboard.press("s")
    expect(page.locator(".finding", has_text="Solve")).to_be_visible()
    page.keyboard.press("+")
    page.keyboard.press("Shift+ArrowRight")
    expect(page.locator("svg.board.movable")).to_be_visible()


def is_inside(one: Locator, other: Locator) -> bool:
    """Whether all of it is seen within the other."""
    inner, outer = one.bounding_box(), other.bounding_box()
    assert inner is not None
    assert outer is not None
    across = outer["x"] - 1 <= inner["x"] and inner["x"] + inner["width"] <= outer["x"] + outer["width"] + 1
    down = outer["y"] - 1 <= inner["y"] and inner["y"] + inner["height"] <= outer["y"] + outer["height"] + 1
    return across and down


def test_a_key_does_the_same_after_a_click(page: Page) -> None:
    enter(page, "J10", "K11I9")
    numbers = page.get_by_role("button", name="Numbers")
    numbers.click()
    page.keyboard.press("Space")
    expect(page.locator(".lines li").first).to_be_visible()
    expect(numbers).to_have_attribute("aria-pressed", "true")
    page.keyboard.press("Escape")
    expect(page.locator(".queue")).to_have_count(0)
    page.get_by_role("button", name="Threats").focus()
    page.keyboard.press("Tab")
    page.keyboard.press("Space")  # who went there by keyboard presses it
    expect(numbers).to_have_attribute("aria-pressed", "false")
    expect(page.locator(".queue")).to_have_count(0)


def test_escape_ends_first_what_was_begun_last(page: Page) -> None:
    enter(page, "J10", "K11I9")
    page.keyboard.press("Space")
    expect(page.locator(".queue li")).to_have_count(1)
    page.get_by_role("button", name="This branch").click()
    page.get_by_role("button", name="Copy this branch").focus()
    page.keyboard.press("Escape")
    expect(page.locator(".menu-list")).to_have_count(0)
    expect(page.get_by_role("button", name="This branch")).to_be_focused()
    page.keyboard.press("/")
    expect(page.get_by_role("search")).to_be_visible()
    page.keyboard.press("Escape")
    expect(page.get_by_role("search")).to_have_count(0)
    page.locator(".comment").focus()
    page.keyboard.press("Escape")
    expect(page.locator(".comment")).not_to_be_focused()
    click(page, "C3")
    expect(page.locator(".stone.pending")).to_have_count(1)
    page.keyboard.press("Escape")
    expect(page.locator(".stone.pending")).to_have_count(0)
    expect(page.locator(".queue li")).to_have_count(1)
    page.keyboard.press("Escape")
    expect(page.locator(".queue")).to_have_count(0)


def test_lines_are_taken_by_keyboard(page: Page) -> None:
    enter(page, "J10", "K11I9")
    page.keyboard.press("s")
    page.keyboard.press("Space")
    expect(page.locator(".lines li").first).to_be_visible()
    page.keyboard.press("Escape")
    page.get_by_label("How many lines").focus()
    page.keyboard.press("Tab")
    expect(page.locator(".preview .stone").first).to_be_visible()
    page.keyboard.press("Enter")
    expect(page.locator(".board .stone:not(.ghost)")).to_have_count(5)


def test_keys_leave_alone_what_is_not_seen(page: Page) -> None:
    enter(page, "J10", "K11I9")
    for name in ("w", "f", "u", "o"):
        page.keyboard.press(name)
        expect(page.locator("main.page")).to_be_visible()
        for key in ("Delete", "Control+x", "Space"):
            page.keyboard.press(key)
        page.evaluate("""() => {
            const clipboardData = new DataTransfer();
            clipboardData.setData("text/plain", "A1A2");
            document.body.dispatchEvent(new ClipboardEvent("paste", { clipboardData, bubbles: true }));
        }""")
        page.keyboard.press("Escape")
    enter(page, "L12L13")  # edits are made one after the other
    expect(page.locator(".knot")).to_have_count(4)
    expect(page.locator(".queue")).to_have_count(0)


@pytest.mark.parametrize("size", [(390, 844), (950, 700), (1024, 768), (1280, 720)])
def test_menus_and_tools_are_inside_the_window(page: Page, size: tuple[int, int]) -> None:
    page.set_viewport_size({"width": size[0], "height": size[1]})
    if (tab := page.get_by_role("tab", name="Record")).count():
        tab.click()
    expect(page.locator(".record .tools")).to_be_visible()
    assert page.evaluate("document.documentElement.scrollWidth") <= size[0]
    for name in ("This record", "This branch"):
        page.get_by_role("button", name=name).click()
        box = page.locator(".menu-list").bounding_box()
        assert box is not None
        assert min(box["x"], box["y"]) >= 0
        assert box["x"] + box["width"] <= size[0]
        assert box["y"] + box["height"] <= size[1]
        page.keyboard.press("Escape")


def test_the_first_analysis_is_shown_once(browser: Browser, server: Server) -> None:
    context = browser.new_context(viewport={"width": 1400, "height": 900})
    context.set_default_timeout(60_000)
    page = context.new_page()
    page.goto(server.address)
    page.get_by_role("button", name="Show me").click()
    expect(page.locator(".tour")).to_contain_text("space bar")
    expect(page.locator(".board .stone:not(.ghost)")).to_have_count(23)
    page.keyboard.press("Space")
    expect(page.locator(".tour")).to_contain_text("Point at a line")
    expect(page.locator(".lines li").first).to_be_visible()
    page.keyboard.press("Escape")
    page.locator(".tour").get_by_role("button", name="Next").click()
    page.get_by_role("button", name="Solve").click()
    expect(page.locator(".tour")).to_contain_text("Solved")
    assert is_inside(page.locator(".finding .line"), page.locator("#panel")), "it is seen without scrolling"
    page.locator(".finding .line").click()
    expect(page.locator(".tour")).to_contain_text("That is the heart of it")
    expect(page.locator(".turn")).not_to_contain_text("Black to move")
    page.locator(".tour").get_by_role("button", name="Begin").click()
    expect(page.locator(".tour")).to_have_count(0)
    page.reload()
    page.locator(".board .grid").wait_for()
    expect(page.locator(".tour")).to_have_count(0)
    context.close()


def test_a_phone_has_all_at_hand(phone: Page) -> None:
    enter(phone, "J10", "K11I9")
    assert phone.evaluate("document.documentElement.scrollWidth") <= 390
    board = phone.locator("svg.board").bounding_box()
    assert board is not None
    assert board["width"] == pytest.approx(390, abs=2)
    bar = phone.locator(".phone-bar")
    place = bar.bounding_box()
    assert place is not None
    assert place["y"] + place["height"] == pytest.approx(844, abs=1), "it stays at the bottom of the screen"
    bar.get_by_role("button", name="One move back").tap()
    expect(phone.locator(".board .stone:not(.ghost)")).to_have_count(1)
    bar.get_by_role("button", name="Analyse").tap()
    expect(phone.locator(".candidate").first).to_be_visible()
    bar.get_by_role("button", name="Stop").tap()
    expect(bar.get_by_role("button", name="Analyse")).to_be_visible()
    unit = board["width"] / 20.3
    for across in (3, 5):
        phone.touchscreen.tap(board["x"] + (across + 1.15) * unit, board["y"] + 1.15 * unit)
    phone.get_by_role("tab", name="Record").tap()
    expect(phone.locator(".knot")).to_have_count(4)
    for name in ("Play", "Prove", "Whole game", "Analysis"):
        phone.get_by_role("tab", name=name).tap()
        expect(phone.get_by_role("tabpanel", name=name)).to_be_visible()
        assert phone.evaluate("document.documentElement.scrollWidth") <= 390


@pytest.mark.workshop
def test_every_text_is_used_and_said_in_both_languages() -> None:
    english, chinese = (
        re.findall(r'^  "?([^":]+)"?: "', (TEXTS / f"{name}.ts").read_text(encoding="utf-8"), re.MULTILINE)
        for name in ("en", "zh-Hant")
    )
    assert len(english) > 200
    assert english == chinese
    code = "".join(path.read_text(encoding="utf-8") for path in TEXTS.parent.rglob("*.ts*") if path.parent != TEXTS)
    families = tuple(re.findall(r"`(\w+-)\$\{", code))  # such as `kind-${task.kind}`
    assert [name for name in english if not name.startswith(families) and f'"{name}"' not in code] == []


@pytest.mark.workshop
def test_every_class_of_the_style_sheets_is_used() -> None:
    code = "".join(path.read_text(encoding="utf-8") for path in TEXTS.parent.rglob("*.tsx"))
    families = ("of-", "on-", "shows-", "won-", "z")  # such as `on-${colour}`
    by_the_server = ("dead",)  # what it calls a line
    for path in TEXTS.parent.rglob("*.css"):
        rules = re.sub(r"/\*.*?\*/", "", path.read_text(encoding="utf-8"), flags=re.DOTALL)
        selectors = re.sub(r"\{[^{}]*\}", "", rules)
        for name in set(re.findall(r"\.([a-zA-Z][\w-]*)", selectors)):
            is_made = name.startswith(families) or name in by_the_server
            assert is_made or re.search(rf"(?<![\w-]){name}(?![\w-])", code), f"{path.name}: .{name}"


def test_everything_is_said_in_both_languages(page: Page) -> None:
    english, chinese = (
        dict(re.findall(r'^  "?([\w-]+)"?: "(.*)",$', (TEXTS / f"{name}.ts").read_text(encoding="utf-8"), re.MULTILINE))
        for name in ("en", "zh-Hant")
    )
    assert sorted(english) == sorted(chinese)
    page.get_by_role("button", name="中文").first.click()
    expect(page.locator(".analysis .primary")).to_have_text("分析")
    page.keyboard.press("?")
    expect(page.locator("dialog").get_by_text(chinese["keysRecord"], exact=True)).to_be_visible()
    said = f"{page.locator('main').inner_text()}\n{page.locator('dialog').inner_text()}".splitlines()
    keys = set(page.locator("kbd").all_inner_texts())
    assert {line.strip() for line in said} & (set(english.values()) - set(chinese.values())) - keys == set()
