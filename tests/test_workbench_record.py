"""Records in the browser: branches cut and pasted, searched, folded, merged, collected, shared."""

from __future__ import annotations

import re
from pathlib import Path

from browser_fixtures import enter
from browser_tools import Server
from playwright.sync_api import Page, expect
from test_workbench_pages import look_for_trouble


def knots(page: Page, count: int) -> None:
    expect(page.locator(".knot")).to_have_count(count)


def two_variations(page: Page) -> None:
    """A main line of four moves, and a variation of two from the second on."""
    enter(page, "J10", "K11I9", "K9I11", "A1A2")
    for _ in range(3):
        page.keyboard.press("ArrowLeft")
    expect(page.locator(".board .stone:not(.ghost)")).to_have_count(1)
    enter(page, "C3C4", "D3D4")
    knots(page, 7)


def settled(page: Page) -> None:
    """Waits until the last edit is answered."""
    expect(page.locator(".saved")).to_have_text("Saved")


def main_line(page: Page) -> str:
    page.keyboard.press("Home")
    page.keyboard.press("End")
    return page.locator(".knot.current title").text_content() or ""


def test_branches_are_cut_copied_and_pasted(page: Page) -> None:
    page.context.grant_permissions(["clipboard-read", "clipboard-write"])
    two_variations(page)
    page.keyboard.press("Control+x")
    knots(page, 6)
    page.keyboard.press("Control+v")
    knots(page, 7)
    expect(page.locator(".knot.current title")).to_have_text("D3D4")
    page.keyboard.press("Control+c")
    expect(page.locator(".notice")).to_contain_text("copied")
    page.keyboard.press("Home")
    page.keyboard.press("ArrowRight")
    enter(page, "E5E6")
    knots(page, 8)
    page.keyboard.press("Control+v")
    knots(page, 9)
    expect(page.locator(".knot.current title")).to_have_text("D3D4")
    page.keyboard.press("Control+z")
    knots(page, 8)


def test_what_does_not_fit_is_not_pasted(page: Page) -> None:
    page.context.grant_permissions(["clipboard-read", "clipboard-write"])
    enter(page, "J10", "K11I9")
    page.keyboard.press("Control+c")
    expect(page.locator(".notice")).to_contain_text("copied")
    page.keyboard.press("Control+v")
    expect(page.locator(".notice.error")).to_be_visible()
    knots(page, 3)


def test_variations_move_up(page: Page) -> None:
    two_variations(page)
    page.keyboard.press("Control+Shift+ArrowUp")
    settled(page)
    assert main_line(page) == "D3D4"
    page.keyboard.press("Control+z")
    settled(page)
    assert main_line(page) == "A1A2"


def test_a_variation_moves_up_by_one(page: Page) -> None:
    enter(page, "J10")
    for moves in ("A1A2", "B1B2", "C1C2"):
        enter(page, moves)
        page.keyboard.press("ArrowLeft")
    page.keyboard.press("ArrowRight")
    expect(page.locator(".knot.current title")).to_have_text("C1C2")
    page.keyboard.press("Control+ArrowUp")
    settled(page)
    page.keyboard.press("ArrowDown")
    expect(page.locator(".knot.current title")).to_have_text("B1B2")
    page.get_by_role("button", name="This branch").click()
    page.get_by_role("button", name="Move this variation up").click()
    settled(page)
    page.keyboard.press("ArrowDown")
    expect(page.locator(".knot.current title")).to_have_text("C1C2")


def test_branches_are_folded_and_never_hide_where_one_looks(page: Page) -> None:
    two_variations(page)
    page.keyboard.press("Home")
    page.keyboard.press("ArrowRight")
    page.keyboard.press("c")
    knots(page, 2)
    expect(page.locator(".fold.closed")).to_contain_text("+5")
    page.keyboard.press("ArrowRight")
    knots(page, 7)
    page.keyboard.press("Home")
    page.keyboard.press("ArrowRight")
    page.locator(".tree").hover()
    page.locator(".fold").first.click()
    knots(page, 2)
    page.locator(".fold.closed").click()
    knots(page, 7)
    page.keyboard.press("Shift+C")
    knots(page, 6)
    page.keyboard.press("Shift+C")
    knots(page, 7)


def test_comments_are_searched(page: Page) -> None:
    enter(page, "J10")
    page.fill(".comment", "a quiet beginning")
    page.locator(".comment").blur()
    enter(page, "K11I9")
    page.fill(".comment", "Quiet again")
    page.locator(".comment").blur()
    expect(page.locator(".saved")).to_have_text("Saved")
    page.keyboard.press("Control+f")
    page.get_by_label("Search", exact=True).last.fill("quiet")
    expect(page.locator(".search")).to_contain_text("/ 2")
    page.keyboard.press("Enter")
    expect(page.locator(".search")).to_contain_text("1 / 2")
    expect(page.locator(".comment")).to_have_value("a quiet beginning")
    page.get_by_role("button", name="Previous place").click()
    expect(page.locator(".comment")).to_have_value("Quiet again")
    page.get_by_label("Search", exact=True).last.fill("loud")
    expect(page.locator(".search")).to_contain_text("nothing found")
    for move in ("K11I9", "i9 k11"):
        page.get_by_role("textbox", name="Search").fill(move)
        expect(page.locator(".search")).to_contain_text("/ 1")
    page.keyboard.press("Escape")
    expect(page.locator(".search")).to_have_count(0)


def test_the_same_position_is_linked(page: Page) -> None:
    enter(page, "J10", "K11I9", "J11J12")
    page.keyboard.press("Home")
    enter(page, "J10", "K9I11", "J9J8")
    knots(page, 6)
    page.locator(".elsewhere .link").click()
    expect(page.locator(".knot.current title")).to_have_text("J11J12")


def test_the_game_is_described(page: Page) -> None:
    enter(page, "J10", "K11I9")
    page.get_by_role("button", name="This record").click()
    page.get_by_role("button", name="About this game").click()
    page.get_by_label("Black", exact=True).last.fill("Ann <b>")
    page.get_by_label("Date").fill("2026-05-01")
    page.get_by_role("button", name="Save").click()
    expect(page.locator("dialog")).to_have_count(0)
    expect(page.locator(".knot.current text").first).to_have_text("2")
    page.reload()
    page.get_by_role("button", name="This record").click()
    page.get_by_role("button", name="About this game").click()
    expect(page.get_by_label("Black", exact=True).last).to_have_value("Ann <b>")
    page.keyboard.press("Escape")
    expect(page.locator("dialog")).to_have_count(0)


def test_another_file_is_merged(page: Page, tmp_path: Path) -> None:
    enter(page, "J10", "K11I9")
    file = tmp_path / "other.sgf"
    file.write_text("(;GM[511];B[j10];W[i9k11];B[a1a2])")
    page.set_input_files(".merge-file", file)
    knots(page, 4)
    page.keyboard.press("Control+z")
    knots(page, 3)
    file.write_text("this is no record")
    page.set_input_files(".merge-file", file)
    expect(page.locator(".notice.error")).to_be_visible()
    knots(page, 3)


def test_files_with_many_records_are_listed_together(page: Page, tmp_path: Path) -> None:
    file = tmp_path / "games.sgf"
    file.write_text("".join(f"(;GM[511]PB[player {n}]PW[b];B[j10];W[i9k11])" for n in range(1, 131)))
    page.set_input_files("input[type=file]:not(.merge-file)", file)
    expect(page.locator(".title")).to_have_value("1. player 1 – b")
    page.get_by_title("Records", exact=True).click()
    page.get_by_role("button", name="games 130 records").click()
    expect(page.locator(".collection li")).to_have_count(100)
    page.get_by_role("button", name="30 more…").click()
    expect(page.locator(".collection li")).to_have_count(130)
    page.get_by_label("Filter by title").fill("player 129")
    expect(page.locator(".collection li")).to_have_count(1)
    page.locator(".collection li button").first.click()
    expect(page.locator(".title")).to_have_value("129. player 129 – b")
    page.reload()
    expect(page.locator(".title")).to_have_value("129. player 129 – b")
    page.get_by_title("Records", exact=True).click()
    page.once("dialog", lambda dialog: dialog.accept())
    page.locator(".collection").hover()
    page.get_by_role("button", name="Delete this record: games").click()
    expect(page.locator(".collection")).to_have_count(0)
    expect(page.locator(".title")).to_have_value("Connect6")


def test_of_many_records_the_newest_are_listed_first(page: Page, server: Server) -> None:
    make = """async (session) => {
        const headers = { "content-type": "application/json", ...session };
        const request = { method: "POST", headers, body: '{"game": "connect6"}' };
        for (let made = 0; made < 104; ++made) await fetch("/api/documents", request);
    }"""
    page.evaluate(make, server.headers())
    page.get_by_title("Records", exact=True).click()
    expect(page.locator(".shelf li")).to_have_count(100)
    page.get_by_role("button", name="5 more…").click()
    expect(page.locator(".shelf li")).to_have_count(105)
    expect(page.get_by_role("button", name="more…")).to_have_count(0)


def test_links_carry_the_whole_position(page: Page, server: Server) -> None:
    page.context.grant_permissions(["clipboard-read", "clipboard-write"])
    enter(page, "J10", "K11I9")
    page.get_by_role("button", name="Copy a link to this position").click()
    expect(page.locator(".notice")).to_have_text("Link copied")
    link = page.evaluate("navigator.clipboard.readText()")
    assert "#position=J10" in link
    other = page.context.new_page()
    other.goto(link)
    expect(other.locator(".board .stone:not(.ghost)")).to_have_count(3)
    expect(other).to_have_url(re.compile("#record="))


def test_one_sees_whether_everything_is_saved(page: Page, server: Server) -> None:
    enter(page, "J10")
    expect(page.locator(".saved")).to_have_text("Saved")
    server.kill()
    expect(page.locator(".saved")).to_have_text("Not saved")
    server.start()
    expect(page.locator(".saved")).to_have_text("Saved")


def test_what_is_refused_is_not_unsaved(page: Page) -> None:
    enter(page, "J10")
    page.fill(".entry input", "J10K10")
    page.press(".entry input", "Enter")
    expect(page.locator(".notice")).to_have_text("J10 is occupied by a black stone")
    expect(page.locator(".saved")).to_have_text("Saved")


def test_what_is_opened_is_seen(page: Page, tmp_path: Path) -> None:
    enter(page, "J10", "K11I9")
    tree = page.locator(".tree").element_handle()
    page.keyboard.press("w")
    expect(page.locator(".workers-page")).to_be_visible()
    tree.dispatch_event("scroll")  # the browser tells of it late
    page.get_by_title("Records", exact=True).click()
    page.locator(".shelf li button").first.click()
    knots(page, 3)
    page.keyboard.press("f")
    file = tmp_path / "game.sgf"
    file.write_text("(;FF[4];B[j10];W[k10k11];B[a1a2])", encoding="utf-8")
    chooser = page.locator("input[type=file]:not(.merge-file)")
    chooser.set_input_files(file)
    knots(page, 4)
    expect(chooser).to_have_value("")  # so that the same file can be opened again
    page.keyboard.press("f")
    page.get_by_title("Records", exact=True).click()
    page.get_by_role("button", name="New game…").click()
    page.get_by_role("dialog").get_by_role("radio", name="Gomoku", exact=True).check()
    page.get_by_role("button", name="Create").click()
    knots(page, 1)


def test_any_game_of_the_family_is_begun(page: Page) -> None:
    page.keyboard.press("Shift+N")
    sheet = page.get_by_role("dialog")
    expect(sheet.get_by_role("radio", name="Connect6", exact=True)).to_be_focused()
    page.keyboard.press("ArrowDown")  # to choose creates nothing yet
    expect(sheet.get_by_role("radio", name="Connect6-59")).to_be_checked()
    for name, value in (("Width", "9"), ("Height", "7"), ("Stones a move", "3")):
        sheet.get_by_label(name).fill(value)
    sheet.get_by_label("In a row").fill("12")
    expect(sheet).to_contain_text("There is no room for 12 in a row")
    expect(sheet.get_by_role("button", name="Create")).to_be_disabled()
    sheet.get_by_label("In a row").fill("5")
    expect(sheet).to_contain_text("Connect(9,7,5,3,1)")
    look_for_trouble(page)
    page.keyboard.press("Enter")
    expect(sheet).to_have_count(0)
    expect(page.locator(".title")).to_have_value("Connect(9,7,5,3,1)")
    page.keyboard.press("Shift+N")
    sheet.get_by_label("Infinite board").check()
    expect(sheet.get_by_label("Width")).to_have_count(0)
    sheet.get_by_label("White only blocks").check()
    page.keyboard.press("Enter")
    expect(page.locator(".title")).to_have_value("Connect(5,3,1) maker-breaker")


def test_what_is_dragged_away_again_is_not_waited_for(page: Page) -> None:
    drag = """([kind, name]) => {
        const dataTransfer = new DataTransfer();
        if (name) dataTransfer.items.add(new File(["J10"], name));
        else dataTransfer.setData("text/plain", "J10");
        document.querySelector(".brand").dispatchEvent(new DragEvent(kind, { dataTransfer, bubbles: true }));
    }"""
    page.evaluate(drag, ["dragover", "game.txt"])
    expect(page.locator(".drop")).to_be_visible()
    page.evaluate(drag, ["dragleave", "game.txt"])
    expect(page.locator(".drop")).to_have_count(0)
    page.evaluate(drag, ["dragover", "game.txt"])
    page.evaluate(drag, ["drop", "game.txt"])
    knots(page, 2)
    expect(page.locator(".drop")).to_have_count(0)
    page.evaluate(drag, ["dragover", ""])  # a text is no file
    page.evaluate("() => new Promise((seen) => requestAnimationFrame(() => requestAnimationFrame(seen)))")
    expect(page.locator(".drop")).to_have_count(0)


def test_a_larger_window_shows_more_of_the_tree(page: Page) -> None:
    page.set_viewport_size({"width": 1000, "height": 700})
    enter(page, "J10", *(f"A{row}B{row}" for row in range(1, 17)))
    page.keyboard.press("Home")
    expect(page.locator(".knot.current.none")).to_have_count(1)
    before = page.locator(".knot").count()
    page.set_viewport_size({"width": 1500, "height": 900})
    expect(page.locator(".knot")).to_have_count(18)
    assert before < 18


def test_the_way_back_leads_to_the_record_before(page: Page) -> None:
    enter(page, "J10")
    expect(page).to_have_title("Connect6 – Tengen")
    page.keyboard.press("Shift+N")
    page.get_by_role("radio", name="Gomoku", exact=True).check()
    page.keyboard.press("Enter")
    expect(page).to_have_title("Gomoku – Tengen")
    page.go_back()
    expect(page).to_have_title("Connect6 – Tengen")
    knots(page, 2)
    page.go_forward()
    expect(page).to_have_title("Gomoku – Tengen")


def test_players_and_result_stand_at_the_board(page: Page, tmp_path: Path) -> None:
    expect(page.locator(".sides")).to_have_count(0)
    file = tmp_path / "game.sgf"
    file.write_text("(;GM[511]PB[Ann]BR[3d]PW[Bo]RE[W+R];B[j10];W[i9k11])")
    page.set_input_files("input[type=file]:not(.merge-file)", file)
    expect(page.locator(".sides")).to_have_text("Ann3dBoWhite wins by resignation")


def test_a_record_keeps_its_title_when_the_field_is_emptied(page: Page) -> None:
    page.fill(".title", "")
    page.press(".title", "Enter")
    expect(page.locator(".title")).to_have_value("Connect6")


def test_what_is_too_large_is_refused_at_once(page: Page, tmp_path: Path) -> None:
    file = tmp_path / "large.sgf"
    file.write_text(f"(;GM[511]C[{'x' * 33_000_000}])", encoding="utf-8")
    page.set_input_files("input[type=file]:not(.merge-file)", file)
    expect(page.locator(".notice.error")).to_have_text("That is too large: at most 32 MB at once")
    page.fill(".entry input", "A1" * 500)
    page.press(".entry input", "Enter")
    expect(page.locator(".notice.error")).to_have_text("String should have at most 500 characters")


def test_a_link_to_nothing_opens_the_last_record(page: Page, server: Server) -> None:
    enter(page, "J10")
    settled(page)
    for link, said in (("position=zzz", "'zzz' at character 1 is no square"), ("record=zzz", "no such record")):
        other = page.context.new_page()
        other.goto(f"{server.base}#{link}")
        expect(other.locator(".notice.error")).to_contain_text(said)
        expect(other.locator(".board .stone:not(.ghost)")).to_have_count(1)
        other.close()
