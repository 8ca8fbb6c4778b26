"""Manners of the workbench: keys, first steps, small screens, screen readers, languages."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from browser_fixtures import click, enter
from browser_tools import Server, axe
from playwright.sync_api import Browser, Locator, Page, expect

from tengen.theory import family_map

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


def press(page: Page, *keys: str) -> None:
    """One key right after the other."""
    for key in keys:
        page.keyboard.press(key)


def press_button(page: Page, within: Locator, name: str) -> None:
    """As the keyboard does it."""
    within.get_by_role("button", name=name, exact=True).focus()
    page.keyboard.press("Enter")


def test_the_focus_goes_into_the_list_of_records_and_back(page: Page) -> None:
    records = page.get_by_title("Records", exact=True)
    records.click()
    expect(page.locator(".shelf li")).to_have_count(1)  # the page was told of the record that it shows
    page.keyboard.press("Escape")
    records.focus()
    page.keyboard.press("Enter")
    expect(page.locator(".shelf li button").first).to_be_focused()
    page.keyboard.press("Escape")
    expect(records).to_be_focused()
    sheet = page.get_by_role("dialog", name="New game")
    for leave in ("Escape", "Cancel", "Close"):
        press(page, "Enter", "Shift+Tab", "Enter")  # to the button before the list
        expect(sheet).to_be_visible()
        expect(page.locator(".shelf")).to_have_count(0)
        if leave == "Escape":
            page.keyboard.press("Escape")
        else:
            press_button(page, sheet, leave)
        expect(sheet).to_have_count(0)
        expect(records).to_be_focused()


def test_a_sheet_gives_the_focus_back_to_the_menu_that_it_was_opened_from(page: Page) -> None:
    menu = page.get_by_role("button", name="This record", exact=True)
    menu.focus()
    for steps, name, buttons in (
        (1, "New game", ("Cancel", "Close", "Create")),
        (2, "About this game", ("Cancel", "Close", "Save")),
    ):
        sheet = page.get_by_role("dialog", name=name)
        opening = ("Enter", *["ArrowDown"] * steps, "Enter")
        press(page, *opening, "Escape")
        expect(sheet).to_have_count(0)
        expect(menu).to_be_focused()
        for button in buttons:
            press(page, *opening)
            expect(sheet).to_be_visible()
            expect(page.locator(".menu-list")).to_have_count(0)
            press_button(page, sheet, button)
            expect(sheet).to_have_count(0)
            expect(menu).to_be_focused()
    expect(page.get_by_role("status").filter(has_text="Saved")).to_be_visible()


def test_what_is_opened_by_a_key_or_a_button_gives_the_focus_back(page: Page) -> None:
    enter(page, "J10", "K11I9")
    page.keyboard.press("Space")
    expect(page.locator(".queue li")).to_have_count(1)
    threats = page.get_by_role("button", name="Threats", exact=True)
    keys, search = page.get_by_role("dialog", name="Keys"), page.get_by_role("search")
    threats.focus()
    for key, opened in (("?", keys), ("Shift+N", page.get_by_role("dialog", name="New game")), ("Control+f", search)):
        press(page, key, "Escape")
        expect(opened).to_have_count(0)
        expect(threats).to_be_focused()
        page.keyboard.press(key)
        press_button(page, opened, "Close")
        expect(opened).to_have_count(0)
        expect(threats).to_be_focused()
    for name, opened in (("Keys", keys), ("Search", search)):
        button = page.get_by_role("button", name=name, exact=True)
        button.focus()
        for _ in range(2):
            press(page, "Enter", "Escape")
            expect(opened).to_have_count(0)
            expect(button).to_be_focused()
    press(page, "Control+f", "q", "n")
    expect(search.get_by_role("textbox")).to_have_value("qn")  # the first letters already are not those of the page
    expect(page.locator(".queue li")).to_have_count(1)  # none of these keys has stopped anything


@pytest.mark.parametrize(
    ("width", "name"), [(1400, "This record"), (1400, "This branch"), (1000, "What the board shows")]
)
def test_a_menu_gives_the_focus_back(page: Page, width: int, name: str) -> None:
    page.set_viewport_size({"width": width, "height": 800})
    menu = page.get_by_role("button", name=name, exact=True)
    menu.focus()
    for keys in (("Escape",), ("ArrowDown", "Escape"), ("ArrowUp", "Escape")):
        press(page, "Enter", *keys)
        expect(page.locator(".menu-list")).to_have_count(0)
        expect(menu).to_be_focused()


def test_escape_closes_only_what_lies_on_top(page: Page) -> None:
    records = page.get_by_title("Records", exact=True)
    records.focus()
    page.keyboard.press("Enter")
    first = page.locator(".shelf button").first
    first.focus()
    press(page, "Shift+N", "Escape")
    expect(page.get_by_role("dialog")).to_have_count(0)
    expect(first).to_be_focused()
    page.keyboard.press("Escape")
    expect(page.locator(".shelf")).to_have_count(0)
    expect(records).to_be_focused()


def test_text_that_is_selected_beyond_the_edge_does_not_close_a_sheet(page: Page) -> None:
    page.keyboard.press("Shift+N")
    sheet = page.get_by_role("dialog", name="New game")
    field = sheet.get_by_label("In a row to win").bounding_box()
    edge = sheet.locator(".sheet-body").bounding_box()
    assert field is not None
    assert edge is not None
    inside, outside = (field["x"] + 5, field["y"] + 5), (edge["x"] - 30, field["y"] + 5)
    for begin, end, is_left in ((inside, outside, False), (outside, outside, True)):
        page.mouse.move(*begin)
        page.mouse.down()
        page.mouse.move(*end, steps=4)
        page.mouse.up()
        expect(sheet).to_have_count(0 if is_left else 1)


def test_a_menu_and_a_choice_have_the_arrow_keys_while_they_are_used(page: Page) -> None:
    enter(page, "J10", "K11I9")
    page.get_by_role("button", name="This branch").click()
    page.keyboard.press("ArrowLeft")
    page.keyboard.press("ArrowDown")
    expect(page.get_by_role("button", name="Cut this branch")).to_be_focused()
    page.keyboard.press("ArrowUp")
    expect(page.get_by_role("button", name="Delete from here")).to_be_focused()
    page.keyboard.press("Escape")
    page.get_by_role("button", name="To the end").focus()
    page.keyboard.press("Tab")
    page.keyboard.press("ArrowRight")
    triangle = page.get_by_role("radio", name="Triangle")
    expect(triangle).to_be_checked()
    expect(triangle).to_be_focused()
    expect(page.locator(".board .stone:not(.ghost)")).to_have_count(3)
    page.get_by_role("radio", name="Play stones").click()
    page.keyboard.press("ArrowLeft")  # after a click it is the record's
    expect(page.locator(".board .stone:not(.ghost)")).to_have_count(1)


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
    expect(page.locator(".queue")).to_have_count(0)  # the last answer has come: the lines stay as they are
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


@pytest.mark.parametrize("size", [(390, 844), (600, 800), (950, 700), (1024, 768), (1280, 720)])
def test_menus_and_tools_are_inside_the_window(page: Page, size: tuple[int, int]) -> None:
    page.set_viewport_size({"width": size[0], "height": size[1]})
    if size[0] <= 900:
        page.get_by_role("tab", name="Record").click()  # it comes when the page has heard that the window is narrow
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


def test_the_tools_under_the_board_stay_in_one_line(page: Page) -> None:
    moves = "J10 I11I10 I9J9 J11K11 L11H9 G9K10 L9K9 M9L10 J12J7 M10J6 K7M7 I7K6"
    page.evaluate("moves => (location.hash = `position=${encodeURIComponent(moves)}`)", moves)
    expect(page.locator(".board .stone:not(.ghost)")).to_have_count(23)
    page.keyboard.press("s")
    expect(page.get_by_role("button", name="Zones")).to_be_visible()
    press(page, "t", "t")
    expect(page.get_by_role("button", name="Threats and lines")).to_be_visible()
    for width, height in ((390, 844), (850, 700), (1160, 900), (1400, 900), (1600, 900), (1400, 1080)):
        page.set_viewport_size({"width": width, "height": height})
        expect(page.locator(".turn")).to_be_visible()
        shown = [box for one in page.locator(".status > *").all() if (box := one.bounding_box()) and box["width"]]
        middles = [box["y"] + box["height"] / 2 for box in shown]
        assert max(middles) - min(middles) < 12, (width, height)


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


def sentences_of_the_server() -> set[str]:
    """All texts of the program, with {} for what is filled in."""
    found = set()
    for path in (ROOT / "src" / "tengen").rglob("*.py"):
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            if isinstance(node, ast.JoinedStr):
                parts = (part.value if isinstance(part, ast.Constant) else "{}" for part in node.values)
                found.add("".join(map(str, parts)))
            elif isinstance(node, ast.Constant):
                found.add(str(node.value))
    return found


@pytest.mark.workshop
def test_the_server_says_what_is_translated_of_it() -> None:
    known = {evidence.why for cell in family_map() for evidence in cell.assessment.evidence}
    said = sentences_of_the_server()
    table = (TEXTS / "server.zh-Hant.ts").read_text(encoding="utf-8")
    translated = re.findall(r'\[\s*"(.+?)",\s+"(.+?)",?\s*\]', table)
    assert len(translated) > 50
    patterns = [re.compile(re.escape(english).replace(re.escape("{}"), "(.+?)")) for english, _ in translated]
    for (english, chinese), pattern in zip(translated, patterns, strict=True):
        assert set(re.findall(r"{(\d)}", chinese)) <= {str(place) for place in range(english.count("{}"))}, english
        assert english in said or any(map(pattern.search, known)), english
    assert [why for why in known if not any(pattern.fullmatch(why) for pattern in patterns)] == []


def test_refusals_and_evidence_are_said_in_chinese(page: Page) -> None:
    page.get_by_role("button", name="中文").first.click()
    enter(page, "J10")
    page.fill(".entry input", "J10A1")
    page.press(".entry input", "Enter")
    expect(page.locator(".notice.error")).to_have_text("J10 已有黑方的棋子")
    page.fill(".entry input", "A1A2A3")
    page.press(".entry input", "Enter")
    expect(page.locator(".notice.error")).to_have_text("A1A2A3：白方此處應下 2 子，而非 3 子")
    page.locator(".entry input").blur()
    page.keyboard.press("f")
    evidence = page.locator(".evidence")
    expect(evidence).to_contain_text("高段棋手也說不出有利哪一方")
    page.get_by_role("button", name="English").first.click()
    expect(evidence).to_contain_text("players of high rank have not been able to tell whom it favours")


def test_keys_of_the_record_are_heard_after_a_panel_was_chosen(page: Page) -> None:
    enter(page, "J10", "K11I9")
    stones = page.locator(".board .stone:not(.ghost)")
    page.keyboard.press("p")
    expect(page.get_by_role("tab", name="Play")).to_have_attribute("aria-selected", "true")
    page.keyboard.press("ArrowLeft")
    expect(stones).to_have_count(1)
    page.get_by_role("tab", name="Prove").click()
    page.keyboard.press("ArrowRight")
    expect(stones).to_have_count(3)
    page.keyboard.press("Home")
    expect(stones).to_have_count(0)
    expect(page.get_by_role("tab", name="Prove")).to_have_attribute("aria-selected", "true")
