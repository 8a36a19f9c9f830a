"""What a page says of other matches stays true while it is looked at."""

from __future__ import annotations

from pathlib import Path

import pytest
from playwright.sync_api import Browser as Chromium
from playwright.sync_api import expect

from services.matches.requests import ChangeRequest, NewMatch
from tests.web.pages.chromium import PATIENCE, serving
from tests.web.pages.seats import Seated, Table

EVERY = 150_000
"""Milliseconds between two looks of a page without a stream."""

pytestmark = [pytest.mark.browser, pytest.mark.slow]


HIDE = """() => {
    Object.defineProperty(document, "hidden", { value: true, configurable: true });
    document.dispatchEvent(new Event("visibilitychange"));
}"""


def test_the_count_is_live_on_the_page_that_is_seen_and_on_those_behind_it(table: Table) -> None:
    seen, behind = table.ben.page, table.ben.window()
    asked: list[str] = []
    for page in (behind, seen):
        page.goto(f"{table.site.url}/players")
        expect(page.locator("html.settled")).to_be_attached()
        page.evaluate("window.stayed = true")
    behind.evaluate(HIDE)
    seen.wait_for_timeout(300)
    for page in (behind, seen):
        page.on("request", lambda one: asked.append(one.url))
    match = table.start("path-capture")
    request = ChangeRequest(table.ada.id, any_version=True)
    table.site.house.matches.play(request, match, {"steps": 1})
    for page in (seen, behind):
        expect(page.locator(".turns")).to_have_text("Your turn (1)")
        expect(page).to_have_title("(1) Players – Plybook")
        assert page.evaluate("window.stayed") is True
    assert asked == []
    behind.close()


def test_lists_of_ones_own_matches_come_anew_by_themselves(table: Table) -> None:
    ben = table.ben.page
    table.ben.visit("/")
    lists = ben.locator(".part-challenges .tally")
    expect(lists).to_have_count(0)
    waiting = ben.locator(".turns").inner_text()
    ben.evaluate("window.stayed = true")
    asked = NewMatch("path-capture", opponent="ben", visibility="private")
    table.site.house.matches.create(ChangeRequest(table.ada.id), asked)
    # It is nobody's turn there yet.
    expect(lists).to_have_text("1")
    expect(ben.locator(".turns")).to_have_text(waiting)
    assert ben.evaluate("window.stayed") is True
    mine = table.ben.window()
    mine.goto(f"{table.site.url}/matches?mine=true")
    listed = mine.locator(".match-card")
    before = listed.count()
    # Not under the hands of somebody who chooses there, but then.
    mine.locator("[name=sort]").focus()
    table.site.house.matches.create(ChangeRequest(table.ada.id), asked)
    mine.wait_for_timeout(500)
    expect(listed).to_have_count(before)
    mine.evaluate("document.activeElement.blur()")
    expect(listed).to_have_count(before + 1, timeout=PATIENCE)
    mine.close()


def test_a_page_of_a_match_hears_of_the_count_by_the_stream_that_it_has(table: Table) -> None:
    match = table.start("path-capture")
    streams: list[str] = []
    # The page before may ask once more while it is left.
    table.ben.page.goto("about:blank")
    table.ben.page.on("request", lambda one: streams.append(one.url.rpartition("/")[2]))
    table.ben.open(match)
    table.ben.turn_is("Your opponent's turn")
    table.ben.page.wait_for_timeout(500)
    assert [one.partition("?")[0] for one in streams if "stream" in one or one == "turns"] == [
        "stream"
    ]


def test_the_count_and_the_list_follow_on_a_page_that_is_refused_a_stream(
    sqlite_template: Path, tmp_path: Path, browser: Chromium
) -> None:
    with serving(sqlite_template, tmp_path / "turns.sqlite") as site:
        ada, ben = Seated(browser, site, "ada"), Seated(browser, site, "ben")
        ben.context.route("**/turns", lambda route: route.fulfill(status=503))
        # Nor do other windows tell it anything.
        ben.context.add_init_script("delete globalThis.BroadcastChannel")
        ben.page.clock.install()
        ben.visit("/")
        expect(ben.page.locator(".turns")).to_have_text("Your turn")
        ben.page.evaluate("window.stayed = true")
        match = ada.challenge(ben, "Path Capture", {})
        other = ben.window()
        other.goto(f"{site.url}/m/{match}")
        other.get_by_role("button", name="Accept the challenge").click()
        # Her page has come anew by itself when the match began.
        ada.turn_is("Your turn")
        ada.play(ada.legal(match)[0])
        # Not under the hands of somebody who has opened something; but then.
        ben.page.evaluate(
            "document.querySelector('main').append(document.createElement('details'))"
        )
        ben.page.evaluate("document.querySelector('main > details').open = true")
        ben.page.clock.run_for(EVERY + 1000)
        expect(ben.page.locator(".turns")).to_have_text("Your turn (1)")
        expect(ben.page).to_have_title("(1) Your matches – Plybook")
        expect(ben.page.locator("h1")).to_have_text("Your matches")
        ben.page.evaluate("document.querySelector('main > details').open = false")
        ben.page.clock.run_for(EVERY + 1000)
        expect(ben.page.locator("h1")).to_have_text("1 match is waiting for your move")
        assert ben.stayed()
