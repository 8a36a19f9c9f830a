"""In a browser: small boards can be read, names complete themselves, a game is tried at once."""

from __future__ import annotations

import pytest
from playwright.sync_api import Browser, ViewportSize, expect

from tests.web.pages.chromium import PATIENCE, Site
from tests.web.pages.seats import Table

SMALLEST = """() => [...document.querySelectorAll(".mini text")]
    .filter((one) => one.getClientRects().length)
    .map((one) => parseFloat(getComputedStyle(one).fontSize) * one.getScreenCTM().a)
    .reduce((least, size) => Math.min(least, size), 99)"""
OUT = """() => [...document.querySelectorAll(".mini")].filter((one) => {
    const [box, drawn] = [one, one.firstElementChild].map((each) => each.getBoundingClientRect());
    return drawn.bottom > box.bottom + 1 || drawn.right > box.right + 1;
}).length"""


@pytest.mark.parametrize("wide", [320, 360, 768, 1280, 1920])
def test_nothing_on_a_small_board_is_too_small_to_be_read(
    site: Site, browser: Browser, wide: int
) -> None:
    page = browser.new_page(viewport=ViewportSize(width=wide, height=800))
    for address in ("/", "/practice"):
        page.goto(site.url + address)
        expect(page.locator(".games .mini svg")).to_have_count(5)
        assert page.evaluate(SMALLEST) >= 8.95
        assert page.evaluate(OUT) == 0
    page.close()


def test_a_game_is_played_against_the_house_with_one_click(site: Site, browser: Browser) -> None:
    page = browser.new_page()
    page.goto(site.url)
    with page.expect_navigation():
        page.locator(".games").get_by_role("button", name="Play now").first.click()
    expect(page.get_by_role("heading", name="House level 1", exact=True)).to_be_visible()
    expect(page.locator("#desk-title")).to_be_visible(timeout=PATIENCE)
    assert "/m/" in page.url
    page.close()


def test_a_match_of_a_list_is_opened_by_its_picture_too(table: Table) -> None:
    match = table.start("path-capture")
    for address in ("/", "/matches?mine=true"):
        table.ada.visit(address)
        with table.ada.page.expect_navigation():
            table.ada.page.locator(f'.match-card:has([href$="{match}"]) .mini').click(force=True)
        assert match in table.ada.page.url


def test_a_name_completes_itself_in_every_field_for_one(table: Table) -> None:
    page = table.ada.page
    for address, field in (
        ("/new?game=path-capture&opponent=b", "opponent"),
        ("/players", "prefix"),
        ("/matches", "player"),
    ):
        table.ada.visit(address)
        table.ada.write(field, "be")
        offered = page.locator("#names option")
        expect(offered).to_have_count(1)
        assert offered.evaluate("(one) => one.value") == "ben"
        table.ada.write(field, "bex")
        expect(offered).to_have_count(0)


@pytest.mark.parametrize("wide", [360, 768, 1280])
def test_there_is_room_for_what_is_typed_into_the_form_for_a_match(table: Table, wide: int) -> None:
    page = table.ada.page
    page.set_viewport_size({"width": wide, "height": 800})
    table.ada.visit("/new?game=path-capture")
    table.ada.pick("with", "player")
    table.ada.pick("pace", "own-days")
    for field, least in (("opponent", 200), ("days_per_move", 100)):
        box = page.locator(f'main [name="{field}"]').bounding_box()
        assert box is not None
        assert least <= box["width"] <= wide, field
    table.ada.write("opponent", "nobody-of-this-name")
    table.ada.press("Create the match")
    box = page.locator('main [name="opponent"]').bounding_box()
    assert box is not None
    assert box["width"] >= 200
