"""The page of puzzles in the browser: solved, refuted, helped, chosen, counted; and puzzles of one's own games."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from pathlib import Path

from browser_fixtures import click, opened
from browser_tools import Server, served
from playwright.sync_api import Browser, Page, Route, expect
from test_workbench_pages import look_for_trouble

from tengen import Move
from tengen.puzzle import Attempt, Puzzle, Shelf, shipped_puzzles
from tengen.puzzle.judge import sensible_moves
from tengen.record import Store

WINS = [one for one in shipped_puzzles() if one.kind == "win" and one.by == "vcdt" and one.length in (3, 4)]


def make_due(folder: Path, *puzzles: Puzzle) -> None:
    """The page gives these first, in their order."""
    now = datetime.now(UTC)
    with Store(folder / "tengen.sqlite3") as store:
        for number, puzzle in enumerate(puzzles):
            at = now - timedelta(days=1) + timedelta(minutes=number)
            Shelf(store).add_attempt(Attempt(puzzle.name, puzzle.level, at, False))


def attempts(server: Server) -> list[Attempt]:
    with Store(server.folder / "tengen.sqlite3") as store:
        return [attempt for _, attempt in Shelf(store).attempts()]


def play(page: Page, move: Move) -> None:
    for square in move:
        click(page, str(square))


def test_a_puzzle_is_solved_on_the_board(browser: Browser, tmp_path: Path) -> None:
    first, second = WINS[0], WINS[-1]
    make_due(tmp_path, first, second)
    with served(tmp_path) as server, opened(browser, server) as page:
        page.keyboard.press("q")
        task = page.get_by_label("Puzzle", exact=True)
        expect(task).to_contain_text(f"wins in {first.length} moves")
        expect(task).to_contain_text("due again")
        stones = page.locator(".board .stone:not(.pending):not(.ghost)")
        expect(stones).to_have_count(first.position.stone_count)
        for place, move in enumerate(first.line[::2], 1):
            play(page, move)
            if 2 * place < len(first.line):
                expect(task).to_contain_text("Right!")
                expect(stones).to_have_count(first.position.stone_count + 4 * place)
        expect(task).to_contain_text("Solved!")
        page.mouse.move(5, 5)
        look_for_trouble(page)
        page.keyboard.press("Enter")
        expect(task).to_contain_text(f"wins in {second.length} moves")
        kept = attempts(server)
        assert [(one.puzzle, one.is_clean) for one in kept[2:]] == [(first.name, True)]


def test_a_quiet_win_is_played_on_the_board_after_a_wrong_move(browser: Browser, tmp_path: Path) -> None:
    puzzle = next(one for one in shipped_puzzles() if one.kind == "quiet win")
    wrong = next(move for move in sensible_moves(puzzle.position, puzzle.move, 2) if move != puzzle.move)
    make_due(tmp_path, puzzle)
    with served(tmp_path) as server, opened(browser, server) as page:
        page.goto(server.at("puzzles"))
        task = page.get_by_label("Puzzle", exact=True)
        expect(task).to_contain_text(f"wins in {puzzle.length} moves, quietly")
        stones = page.locator(".board .stone:not(.pending):not(.ghost)")
        play(page, wrong)
        expect(task.locator(".feedback.wrong")).to_contain_text(str(wrong))
        page.keyboard.press("Backspace")
        expect(stones).to_have_count(puzzle.position.stone_count)
        play(page, puzzle.move)
        expect(task).to_contain_text("Right!")
        expect(stones).to_have_count(puzzle.position.stone_count + 4)


def test_a_wrong_move_is_refuted_and_the_solution_can_be_stepped_through(browser: Browser, tmp_path: Path) -> None:
    puzzle = WINS[0]
    wrong = next(iter(sensible_moves(puzzle.position, puzzle.move, 2)))
    make_due(tmp_path, puzzle)
    with served(tmp_path) as server, opened(browser, server) as page:
        page.goto(server.at("puzzles"))
        task = page.get_by_label("Puzzle", exact=True)
        expect(task).to_contain_text(f"wins in {puzzle.length} moves")
        stones = page.locator(".board .stone:not(.pending):not(.ghost)")
        before = puzzle.position.stone_count
        page.fill(".entry input", str(wrong))
        page.press(".entry input", "Enter")
        page.locator(".entry input").blur()
        expect(task.locator(".feedback.wrong")).to_contain_text(str(wrong))
        expect(stones).to_have_count(before + 4)
        page.keyboard.press("ArrowLeft")
        expect(stones).to_have_count(before + 2)
        look_for_trouble(page)
        page.keyboard.press("Backspace")
        expect(stones).to_have_count(before)
        page.keyboard.press("h")
        expect(page.locator(".hinted")).to_have_count(1)
        page.keyboard.press("h")
        expect(page.locator(".hinted")).to_have_count(2)
        expect(task).to_contain_text(f"Play {puzzle.move}")
        page.keyboard.press("s")
        expect(stones).to_have_count(before + 2)
        for _ in puzzle.line:
            page.keyboard.press("ArrowRight")
        expect(stones).to_have_count(before + 2 * len(puzzle.line))
        # A mistake, hints and the solution are one attempt.
        assert [(one.puzzle, one.is_clean) for one in attempts(server)[1:]] == [(puzzle.name, False)]
        page.get_by_role("button", name="Once more").first.click()
        expect(stones).to_have_count(before)


def test_what_is_no_answer_is_not_taken_for_one(browser: Browser, tmp_path: Path) -> None:
    with served(tmp_path) as server, opened(browser, server) as page:
        page.keyboard.press("q")
        task = page.get_by_label("Puzzle", exact=True)
        expect(task).to_be_visible()
        page.fill(".entry input", "Z99Z98")
        page.press(".entry input", "Enter")
        expect(page.locator(".notice.error")).to_be_visible()
        expect(page.locator(".entry input")).to_have_value("Z99Z98")  # it can be corrected
        page.route("**/api/puzzles/next", lambda route: route.abort())
        # It may have gone by itself.
        page.locator(".notice").evaluate_all("shown => shown.forEach((one) => one.click())")
        task.get_by_role("button", name="Skip").click()
        expect(page.locator(".notice.error")).to_have_text("The server does not answer")
        expect(page.locator(".missing")).to_have_count(0)


def test_sets_are_chosen_and_the_page_fits_a_phone_in_both_languages(browser: Browser, tmp_path: Path) -> None:
    with served(tmp_path) as server, opened(browser, server) as page:
        page.keyboard.press("q")
        task = page.get_by_label("Puzzle", exact=True)
        page.get_by_label("Level 4:").click()
        expect(task).to_contain_text("Level 4")
        of_level = [one for one in shipped_puzzles() if one.level == 4]
        in_three = [one for one in of_level if "in 3" in one.themes]
        expect(page.get_by_label("Theme").locator("[value='in 3']")).to_contain_text(f"({len(in_three)})")
        page.get_by_label("Kind").select_option("only defence")
        expect(page.get_by_label("Theme").locator("[value='in 3']")).to_have_count(0)
        expect(task).to_contain_text("has one defence")
        page.reload()
        expect(task).to_contain_text("has one defence")  # what was chosen is remembered
        expect(task).to_contain_text("Level 4")
        page.get_by_role("button", name="All", exact=True).click()
        expect(page.get_by_label("Kind")).to_have_value("")
        page.get_by_role("button", name="中文").click()
        expect(page.get_by_label("練習內容")).to_be_visible()
        page.set_viewport_size({"width": 390, "height": 844})
        expect(page.locator(".puzzle-bar")).to_be_visible()
        look_for_trouble(page)
        assert page.evaluate("document.documentElement.scrollWidth") <= 390


def test_missed_wins_of_a_game_become_puzzles(browser: Browser, tmp_path: Path) -> None:
    puzzle = WINS[0]
    missed = puzzle.position.copy()
    corner = next(move for move in map(Move, ("A1S19", "A19S1")) if missed.is_legal(move))
    missed.play(corner)
    with served(tmp_path) as server, opened(browser, server) as page:
        page.goto(server.at(f"position={missed}".replace(" ", "%20")))
        page.reload()
        page.keyboard.press("g")
        page.get_by_role("button", name="Make puzzles of missed wins").click()
        expect(page.get_by_role("status").filter(has_text="Missed wins")).to_contain_text("1, new among them: 1")
        page.get_by_role("button", name="Solve them").click()
        task = page.get_by_label("Puzzle", exact=True)
        expect(task).to_contain_text(f"wins in {puzzle.length} moves")
        expect(page.get_by_role("button", name="My own (1)")).to_have_attribute("aria-pressed", "true")
        play(page, puzzle.move)
        expect(task).to_contain_text("Right!")
        expect(task).to_contain_text("move 1")
        task.get_by_role("button", name="Remove").click()
        expect(page.get_by_role("button", name="My own (0)")).to_be_disabled()
        sheet = page.request.get(f"{server.base}api/puzzles/sheet?least=3&most=5&count=7", headers=server.headers())
        assert sheet.body().startswith(b"%PDF-")


def test_only_the_puzzle_asked_for_last_is_shown(browser: Browser, tmp_path: Path) -> None:
    held: list[Route] = []
    with served(tmp_path) as server, opened(browser, server) as page:
        page.route("**/api/puzzles/next", lambda route: held.append(route))
        with page.expect_request("**/api/puzzles/next"):
            page.keyboard.press("q")
        with page.expect_request("**/api/puzzles/next"):
            page.get_by_label("Level 4:").click()
        with page.expect_request("**/api/puzzles/next"):
            page.get_by_label("Level 2:").click()
        task = page.get_by_label("Puzzle", exact=True)
        while len(held) < 3:  # a request is told of before it is handed over
            page.wait_for_timeout(10)
        first, second, last = held
        last.continue_()
        expect(task).to_contain_text("Level 2")
        click(page, "A1")
        pending = page.locator(".board .stone.pending")
        expect(pending).to_have_count(1)
        for late in (first, second):
            with page.expect_response("**/api/puzzles/next"):
                late.continue_()
            expect(pending).to_have_count(1)
        expect(task).to_contain_text("Level 2")


def test_the_page_asks_for_no_puzzle_of_its_own_where_one_is_on_its_way(browser: Browser, tmp_path: Path) -> None:
    puzzle = WINS[0]
    missed = puzzle.position.copy()
    missed.play(next(move for move in map(Move, ("A1S19", "A19S1")) if missed.is_legal(move)))
    held: list[Route] = []
    with served(tmp_path) as server, opened(browser, server) as page:
        page.goto(server.at(f"position={missed}".replace(" ", "%20")))
        page.reload()
        page.keyboard.press("g")
        page.get_by_role("button", name="Make puzzles of missed wins").click()
        page.route("**/api/puzzles/next", lambda route: held.append(route))
        with page.expect_response("**/api/puzzles/progress"), page.expect_response("**/api/puzzles?**"):
            page.get_by_role("button", name="Solve them").click()
        expect(page.get_by_role("button", name="My own (1)")).to_have_attribute("aria-pressed", "true")
        page.evaluate("fetch('/api/puzzles/progress')")  # time enough to ask once more
        assert len(held) == 1


def test_nothing_can_be_solved_where_no_puzzle_is_of_the_sort(page: Page) -> None:
    page.keyboard.press("q")
    expect(page.get_by_label("Puzzle", exact=True)).to_be_visible()
    page.route("**/api/puzzles/next", lambda route: route.fulfill(status=422, json={"error": "none"}))
    page.get_by_role("button", name="Skip").first.click()
    expect(page.get_by_role("alert")).to_contain_text("There is no puzzle of this sort")
    expect(page.get_by_label("Puzzle", exact=True)).to_have_count(0)
    expect(page.locator("svg.board")).to_have_count(0)
