"""A puzzle in a real browser: tried by pointer and by keyboard, told to screen readers."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

import pytest
from playwright.sync_api import Browser, Page, expect

from tests.web.pages.chromium import PATIENCE, serving
from tests.web.pages.conftest import Players

pytestmark = [pytest.mark.browser, pytest.mark.slow]

BEST = [{"steps": steps} for steps in (2, 3, 1, 1, 3)]


class PuzzleSite(NamedTuple):
    """A running service, and the addresses of its puzzles, the hardest first."""

    url: str
    puzzles: list[str]


@pytest.fixture(scope="module")
def site(sqlite_template: Path, tmp_path_factory: pytest.TempPathFactory) -> Iterator[PuzzleSite]:
    path = tmp_path_factory.mktemp("puzzles") / "site.sqlite"
    with serving(sqlite_template, path) as running:
        match = Players(running.house).start("path-capture", *BEST)
        running.house.puzzle_finder.search_match(match)
        found = running.house.puzzles.list_by_match(match)
        yield PuzzleSite(running.url, [f"{running.url}/puzzles/{one}" for one in found])


@pytest.fixture
def page(browser: Browser, site: PuzzleSite) -> Iterator[Page]:
    """Open the hardest puzzle."""
    context = browser.new_context(viewport={"width": 1280, "height": 900}, reduced_motion="reduce")
    opened = context.new_page()
    opened.set_default_timeout(PATIENCE)
    opened.goto(site.puzzles[0])
    expect(opened.locator("html.settled")).to_be_attached()
    yield opened
    context.close()


def choose(page: Page, node: int) -> None:
    page.locator(f'.shown a.way[data-space="node:{node}"]').click(force=True)


def heading(page: Page, text: str) -> None:
    expect(page.locator("#desk-title")).to_have_text(text)


def test_clicks_on_the_board_solve_it_without_leaving_the_page(page: Page) -> None:
    page.evaluate("window.stayed = true")
    choose(page, 1)
    expect(page.locator("#entry [role=alert]")).to_have_text("+1 is not the move. Try another one.")
    expect(page.locator("#desk-said")).to_have_text("+1 is not the move. Try another one.")
    choose(page, 2)
    heading(page, "Right. Now find move 2 of 3")
    expect(page.locator("#entry [role=alert]")).to_have_count(0)
    expect(page.locator(".told")).to_contain_text("B goes 1 node forward to node 9.")
    choose(page, 5)
    heading(page, "Right. Now find move 3 of 3")
    choose(page, 8)
    heading(page, "Solved")
    expect(page.locator(".match-head .solved")).to_have_text("solved")
    assert page.evaluate("window.stayed")
    page.go_back()
    heading(page, "Right. Now find move 3 of 3")
    page.get_by_role("link", name="Start over").click()
    heading(page, "Your move")


def test_keys_alone_solve_it(page: Page) -> None:
    page.locator('[data-walked] [data-space="node:0"]').focus()
    for heard in ("Right. Now find move 2 of 3", "Right. Now find move 3 of 3", "Solved"):
        goal = {"Right. Now find move 2 of 3": 2, "Right. Now find move 3 of 3": 5}.get(heard, 8)
        while page.evaluate("document.activeElement.dataset.space") != f"node:{goal}":
            page.keyboard.press("ArrowRight")
        page.keyboard.press("Enter")
        heading(page, heard)
        expect(page.locator("#desk-said")).to_have_text(heard)
    following = page.get_by_role("link", name="Next puzzle")
    following.focus()
    page.keyboard.press("Enter")
    heading(page, "Your move")
    expect(page.locator("#desk-said")).to_have_text("")


def test_the_solution_is_stepped_through_in_place(page: Page) -> None:
    page.get_by_role("button", name="Show the solution").click()
    heading(page, "The solution")
    for number in range(1, 6):
        page.get_by_role("link", name="Next move").click()
        expect(page.locator(".told-step")).to_have_text(f"Move {number} of the solution")
    expect(page.get_by_role("link", name="Next move")).to_have_count(0)
    page.get_by_role("link", name="Previous move").click()
    expect(page.locator(".told-step")).to_have_text("Move 4 of the solution")
