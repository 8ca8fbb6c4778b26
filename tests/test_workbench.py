"""The workbench as people use it: real server, real engine, real browser."""

from __future__ import annotations

import re
from pathlib import Path

from browser_fixtures import click, enter
from browser_tools import Server
from playwright.sync_api import Page, expect

from tengen.game import Position
from tengen.record import Record, read_text

FORCED = "J10 A1A2 K10L10 B1C9"


def stones(page: Page) -> int:
    return page.locator(".board .stone:not(.ghost):not(.pending)").count()


def test_stones_are_placed_by_clicks_and_by_words(page: Page) -> None:
    click(page, "J10")
    expect(page.locator(".turn")).to_contain_text("White")
    click(page, "K11")
    expect(page.locator(".stone.pending")).to_have_count(1)
    click(page, "I9")
    expect(page.locator(".turn")).to_contain_text("Black")
    enter(page, "K9 I11")
    assert stones(page) == 5
    page.fill(".entry input", "J10J11")
    page.press(".entry input", "Enter")
    expect(page.locator(".notice.error")).to_contain_text("J10")
    assert stones(page) == 5


def test_the_record_is_walked_through_with_keys(page: Page) -> None:
    enter(page, "J10", "K11I9", "K9I11")
    page.keyboard.press("ArrowLeft")
    page.keyboard.press("ArrowLeft")
    expect(page.locator(".board .stone")).to_have_count(1)
    enter(page, "H8H9")
    expect(page.locator(".knot")).to_have_count(5)
    page.keyboard.press("ArrowUp")
    page.keyboard.press("End")
    expect(page.locator(".board .stone")).to_have_count(5)
    page.keyboard.press("Home")
    expect(page.locator(".board .stone")).to_have_count(0)


def test_edits_are_undone_and_made_again(page: Page) -> None:
    enter(page, "J10", "K11I9")
    page.keyboard.press("Control+z")
    expect(page.locator(".knot")).to_have_count(2)
    page.keyboard.press("Control+y")
    expect(page.locator(".knot")).to_have_count(3)
    page.keyboard.press("Delete")
    expect(page.locator(".knot")).to_have_count(2)
    page.keyboard.press("Control+z")
    expect(page.locator(".knot")).to_have_count(3)


def test_comments_and_marks_stay(page: Page, server: Server) -> None:
    enter(page, "J10")
    page.fill(".comment", "the middle of heaven")
    page.get_by_role("radio", name="Triangle").click()
    click(page, "K11")
    expect(page.locator(".mark")).to_have_count(1)
    page.reload()
    expect(page.locator(".comment")).to_have_value("the middle of heaven")
    expect(page.locator(".mark")).to_have_count(1)
    expect(page.locator(".knot.commented")).to_have_count(1)


def test_nothing_of_a_comment_is_run(page: Page) -> None:
    enter(page, "J10")
    page.fill(".comment", "<img src=x onerror=\"document.title='bad'\">")
    page.get_by_role("radio", name="Text").click()
    page.once("dialog", lambda dialog: dialog.accept("<b>x</b>"))
    click(page, "K11")
    expect(page.locator(".board .label")).to_have_text("<b>x</b>")
    page.reload()
    expect(page.locator(".board .label")).to_have_text("<b>x</b>")
    assert page.title() == "Connect6 – Tengen"


def test_the_engine_shows_its_moves_and_stops_at_once(page: Page) -> None:
    enter(page, "J10", "K11I9")
    page.keyboard.press("Space")
    expect(page.locator(".lines li").first).to_be_visible()
    expect(page.locator(".candidate").first).to_be_visible()
    page.keyboard.press("Escape")
    expect(page.locator(".analysis .primary")).to_have_text("Analyse")
    before = page.locator(".knot").count()
    page.locator(".lines li").first.click()
    expect(page.locator(".knot")).to_have_count(before + 1)


def test_wins_are_found_and_defences_listed(page: Page) -> None:
    enter(page, *FORCED.split())
    page.get_by_role("button", name="Solve").click()
    expect(page.locator(".finding .line")).to_contain_text("Win in")
    page.locator(".finding .line").click()
    expect(page.locator(".turn")).not_to_contain_text("Black to move")
    page.keyboard.press("ArrowLeft")
    page.get_by_role("button", name="Defend").click()
    expect(page.locator(".finding", has_text="Defend")).to_contain_text(re.compile("proved to lose"))


def test_threats_are_drawn(page: Page) -> None:
    enter(page, "J10", "A1A2", "K10L10", "A3B9", "M10A19")
    page.keyboard.press("t")
    expect(page.locator(".threats .segment").first).to_be_attached()
    expect(page.locator(".threats .defence").first).to_be_visible()
    expect(page.locator(".threats .live")).to_have_count(0)
    page.keyboard.press("t")
    expect(page.locator(".threats .live").first).to_be_attached()
    page.keyboard.press("t")
    expect(page.locator(".threats")).to_have_count(0)


def test_positions_are_set_up(page: Page) -> None:
    page.get_by_role("button", name="Set up a position").click()
    click(page, "J10")
    click(page, "J11")
    page.get_by_role("button", name="White", exact=True).click()
    click(page, "K10")
    page.get_by_role("button", name="Done").click()
    expect(page.locator(".board .stone")).to_have_count(3)
    expect(page.locator(".turn")).to_contain_text("Black")


SET_UPS = [
    "(;FF[4]GM[511]AB[j10]AW[k11]PL[W])",  # a whole turn for who is told to move
    "(;FF[4]GM[511]AB[j10]AW[k11])",  # the numbers of stones tell
    "(;FF[4]GM[511];B[j10];W[k11i9];B[j11j12];AE[j11])",  # the turn stays as it was
    "(;FF[4]GM[511]AB[j10];AE[k11][j10]AB[k11]AW[a1]PL[B])",  # what is cleared and placed is placed
    "(;FF[4]GM[511]AB[a1][b1][c1][d1][e1][f1]PL[W])",  # a row
    "(;FF[4]GM[511];B[a1];W[a19b19];B[b1c1];W[c19s1];B[d1e1];W[s2s3];B[f1s5];AE[a1]PL[W])",  # a row that is gone
    "Connect(5,5,3,1,1) maker-breaker A1 A5 B2 B5 E1 C5",  # the breaker's row is none
    "Connect(5,5,3,1,1) maker-breaker A1 A5 B1 B5 C1",  # the maker's is one
]


def test_the_page_knows_whose_turn_it_is_as_the_server_does(page: Page, tmp_path: Path) -> None:
    for number, text in enumerate(SET_UPS):
        (record,) = read_text(text) if text.startswith("(") else [Record.from_position(Position.parse(text))]
        position = record.position()
        file = tmp_path / f"set-up {number}.txt"
        file.write_text(text)
        page.set_input_files("input[type=file]", file)
        expect(page.locator(".title")).to_have_value(file.stem)
        expect(page.locator(".board .stone:not(.ghost)")).to_have_count(position.stone_count)
        said = f"{position.turn} to move{position.stones_left} to place"
        if position.winner is not None:
            said = f"{position.winner} wins"
        expect(page.locator(".turn")).to_have_text(said, ignore_case=True)


def test_files_are_dropped_and_other_records_kept(page: Page, tmp_path: Path) -> None:
    enter(page, "J10")
    file = tmp_path / "game.sgf"
    file.write_text("(;GM[511]PB[Ann]PW[Bo];B[j10];W[i9k11](;B[k9i11])(;B[a1a2]))")
    page.set_input_files("input[type=file]", file)
    expect(page.locator(".knot")).to_have_count(5)
    expect(page.locator(".title")).to_have_value("game")
    page.get_by_title("Records").click()
    expect(page.locator(".shelf li")).to_have_count(2)
    page.locator(".shelf li b", has_text="Connect6").click()
    expect(page.locator(".knot")).to_have_count(2)


def test_two_windows_see_the_same(page: Page, server: Server) -> None:
    other = page.context.new_page()
    enter(page, "J10")
    other.goto(page.url)
    expect(other.locator(".knot")).to_have_count(2)
    enter(page, "K11I9")
    expect(other.locator(".knot")).to_have_count(3)
    other.keyboard.press("Control+z")
    expect(page.locator(".knot")).to_have_count(2)


def test_a_server_that_was_killed_has_lost_nothing(page: Page, server: Server) -> None:
    enter(page, "J10", "K11I9")
    page.keyboard.press("Space")
    expect(page.locator(".lines li").first).to_be_visible()
    before = server.address
    server.kill()
    expect(page.locator(".lost")).to_contain_text("Nothing is lost")
    page.fill(".comment", "written while it was away")
    page.fill(".entry input", "K9I11")
    page.press(".entry input", "Enter")
    page.get_by_role("radio", name="Triangle").click()
    click(page, "C3")
    expect(page.locator(".lost")).to_contain_text("Edits that wait: 3")
    expect(page.locator(".saved")).to_have_text("Not saved")
    server.start()
    assert server.address == before, "the key of the page is good for the server that comes back"
    expect(page.locator(".lost")).to_have_count(0)
    expect(page.locator(".knot")).to_have_count(4)
    expect(page.locator(".mark")).to_have_count(1)
    expect(page.locator(".saved")).to_have_text("Saved")
    expect(page.locator(".analysis .primary")).to_have_text("Analyse")
    page.reload()
    expect(page.locator(".mark")).to_have_count(1)
    page.keyboard.press("ArrowLeft")
    expect(page.locator(".comment")).to_have_value("written while it was away")


def test_another_language(page: Page) -> None:
    page.get_by_role("button", name="中文").click()
    expect(page.locator(".analysis .primary")).to_have_text("分析")


def test_a_program_answers_and_moves_are_taken_back(page: Page) -> None:
    page.get_by_role("tab", name="Play").click()
    page.get_by_label("White").select_option("simple")
    page.get_by_role("button", name="Play from here").click()
    expect(page.locator(".seat")).to_have_count(2)
    click(page, "J10")
    expect(page.locator(".board .stone:not(.ghost)")).to_have_count(3)
    expect(page.locator(".turn")).to_contain_text("Black")
    page.get_by_role("button", name="Take back").click()
    expect(page.locator(".board .stone:not(.ghost)")).to_have_count(0)
    page.once("dialog", lambda dialog: dialog.accept())
    page.get_by_role("button", name="Resign").click()
    expect(page.locator(".play")).to_contain_text("White wins by resignation")


def test_a_game_is_looked_over(page: Page) -> None:
    enter(page, "J10", "A1A2", "K10L10", "B1C9", "R1S3")
    page.get_by_role("tab", name="Whole game").click()
    page.get_by_role("button", name="Look over the game").click()
    expect(page.locator(".curve .black-share")).to_be_attached()
    expect(page.locator(".faults li")).to_contain_text(["4. B1C9left a win open", "5. R1S3missed a win"])
    page.locator(".faults button").first.click()
    expect(page.locator(".knot.current title").first).to_have_text("B1C9")
    page.reload()
    expect(page.locator(".faults li")).to_have_count(2)  # the record has it


def test_a_proof_grows_and_is_handed_over(page: Page) -> None:
    page.evaluate("location.hash = 'position=Connect(7,7,4,1,1) D4 B2'")
    page.reload()
    expect(page.locator(".knot")).to_have_count(3)
    page.get_by_role("tab", name="Prove").click()
    page.get_by_role("button", name="Begin", exact=True).click()
    expect(page.locator(".verdict.win")).to_contain_text("Black wins")
    expect(page.locator(".verdict a")).to_be_visible()
