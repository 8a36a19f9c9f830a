"""What a page says of other matches stays true while it is looked at."""

from __future__ import annotations

from pathlib import Path

import pytest
from playwright.sync_api import Browser as Chromium
from playwright.sync_api import expect

from tests.web.pages.chromium import serving
from tests.web.pages.seats import Seated

EVERY = 150_000
"""Milliseconds between two looks of a page without a stream."""

pytestmark = [pytest.mark.browser, pytest.mark.slow]


def test_the_count_and_the_list_follow_on_a_page_that_nobody_loads_anew(
    sqlite_template: Path, tmp_path: Path, browser: Chromium
) -> None:
    with serving(sqlite_template, tmp_path / "turns.sqlite") as site:
        ada, ben = Seated(browser, site, "ada"), Seated(browser, site, "ben")
        ben.page.clock.install()
        ben.visit("/")
        expect(ben.page.locator(".turns")).to_have_text("Your turn")
        ben.page.evaluate("window.stayed = true")
        match = ada.challenge(ben, "Path Capture", {})
        other = ben.window()
        other.goto(f"{site.url}/m/{match}")
        other.get_by_role("button", name="Take up the challenge").click()
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
        expect(ben.page.locator("h1")).to_have_text("1 match waits for your move")
        assert ben.stayed()
