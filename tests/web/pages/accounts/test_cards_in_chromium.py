"""In a browser: the small card beside a name, by pointer and by keys, and its end."""

from __future__ import annotations

import pytest
from playwright.sync_api import Browser as Chromium
from playwright.sync_api import Page, Route, expect

from tests.web.pages.chromium import LOOKS, check
from tests.web.pages.seats import Table

pytestmark = [pytest.mark.browser, pytest.mark.slow]

CARD = ".name-card"


@pytest.fixture
def page(table: Table) -> Page:
    """Open a match on ada's page, with the pointer on no name: the test before left it on one."""
    table.ada.page.mouse.move(600, 700)
    table.ada.open(table.start("path-capture"))
    return table.ada.page


def name(page: Page, player: str):  # type: ignore[no-untyped-def]  # noqa: ANN201 - a locator
    return page.locator("h1 .who-is", has_text=player)


def test_who_points_at_a_name_gets_a_card_that_can_be_pointed_at_and_stays(page: Page) -> None:
    asked: list[str] = []
    page.on("request", lambda one: asked.append(one.url) if "/card" in one.url else None)
    name(page, "ben").hover()
    card = page.locator(CARD)
    expect(card).to_contain_text("Here since")
    check(page, "a card", *LOOKS)
    card.hover()
    page.wait_for_timeout(600)
    expect(card).to_be_visible()
    box = card.bounding_box()
    assert box is not None
    assert box["x"] >= 0
    assert box["x"] + box["width"] <= page.evaluate("document.documentElement.clientWidth")
    page.mouse.move(600, 700)
    expect(card).to_have_count(0)
    name(page, "ben").hover()
    expect(card).to_contain_text("Here since")
    assert len(asked) == 1


def test_a_card_that_comes_when_the_pointer_has_gone_on_does_not_show(page: Page) -> None:
    held: list[Route] = []

    def hold(route: Route) -> None:
        held.append(route)

    page.route("**/p/ben/card", hold)
    with page.expect_request("**/p/ben/card"):
        name(page, "ben").hover()
    page.mouse.move(600, 700)
    page.wait_for_timeout(600)
    with page.expect_response("**/p/ben/card"):
        held[0].continue_()
    page.unroute("**/p/ben/card")
    page.wait_for_timeout(300)
    expect(page.locator(CARD)).to_have_count(0)
    name(page, "ada").hover()
    expect(page.locator(CARD)).to_contain_text("Your account")


def test_by_keys_it_comes_its_links_follow_and_escape_takes_it_away(page: Page) -> None:
    name(page, "ada").focus()
    page.keyboard.press("Shift+Tab")
    page.keyboard.press("Tab")
    expect(page.locator(CARD)).to_contain_text("Your account")
    page.keyboard.press("Escape")
    expect(page.locator(CARD)).to_have_count(0)
    expect(name(page, "ada")).to_be_focused()
    page.keyboard.press("Tab")
    expect(name(page, "ben")).to_be_focused()
    expect(page.locator(CARD)).to_contain_text("Challenge ben")
    page.keyboard.press("Tab")
    page.keyboard.press("Tab")
    expect(page.locator(CARD).get_by_role("link", name="Challenge ben")).to_be_focused()
    page.wait_for_timeout(600)
    expect(page.locator(CARD)).to_be_visible()
    page.keyboard.press("Tab")
    expect(page.locator(CARD)).to_have_count(0)


def test_a_finger_gets_the_page_and_no_card(table: Table, browser: Chromium) -> None:
    match = table.start("path-capture")
    with browser.new_context(has_touch=True) as context:
        page = context.new_page()
        page.goto(f"{table.site.url}/m/{match}")
        expect(page.locator("html.settled")).to_be_attached()
        asked: list[str] = []
        page.on("request", lambda one: asked.append(one.url))
        with page.expect_navigation():
            name(page, "ben").tap()
        assert page.url.endswith("/p/ben")
        assert not [one for one in asked if one.endswith("/card")]
