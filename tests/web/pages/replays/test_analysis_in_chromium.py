"""An analysis in a real browser: it comes by itself, a key leads to mistakes, axe finds nothing."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from playwright.sync_api import Browser, expect

from services.matches.queries import Asker
from tests.web.pages.chromium import LOOKS, check, serving
from tests.web.pages.conftest import Players
from tests.web.pages.furnishing import analyse

pytestmark = [pytest.mark.browser, pytest.mark.slow]

WALK = [{"steps": 1}, {"steps": 3}, {"steps": 3}]


def test_it_is_asked_for_comes_by_itself_and_a_key_leads_to_the_mistakes(
    sqlite_template: Path, tmp_path: Path, browser: Browser
) -> None:
    with serving(sqlite_template, tmp_path / "site.sqlite") as site:
        match = Players(site.house).start("path-capture", *WALK, options={"length": 8})
        page = browser.new_page(viewport={"width": 390, "height": 800}, reduced_motion="reduce")
        page.goto(f"{site.url}/m/{match}")
        page.get_by_role("button", name="Analyse this match").click()
        expect(page.get_by_text("0 of 4 positions are analysed.")).to_be_visible()
        check(page, "an analysis that is being made", *LOOKS)
        analyse(site.house, match, 300)
        expect(page.locator(".judged")).to_be_attached(timeout=15_000)
        page.get_by_text("Each move, and what was best").click()
        check(page, "an analysis", *LOOKS)
        assert page.evaluate("document.documentElement.scrollWidth") <= 390
        # Names such as these have room for a line each.
        heights = page.locator(".marks .who-is").evaluate_all(
            """names => names.map((name, at) => {
                name.textContent = ["Nina_1", "House level 1"][at];
                return name.getClientRects().length;
            })"""
        )
        assert heights == [1, 1]
        page.keyboard.press("Home")
        expect(page.locator(".counter")).to_have_text(re.compile("Before the first move"))
        page.keyboard.press("x")
        expect(page.locator(".counter")).to_have_text(re.compile("Move 1 of 3"))
        before = page.locator('[data-do="mistake-before"]')
        expect(before).to_have_attribute("aria-disabled", "true")
        page.keyboard.press("End")
        before.click()
        expect(page.locator(".counter")).to_have_text(re.compile("Move 2 of 3"))
        page.keyboard.press("X")
        expect(page.locator(".counter")).to_have_text(re.compile("Move 1 of 3"))
        page.keyboard.press("?")
        expect(page.get_by_role("dialog")).to_contain_text("next mistake")
        page.close()


def test_whoever_looked_on_while_the_match_ended_sees_it_at_work_and_done(
    sqlite_template: Path, tmp_path: Path, browser: Browser
) -> None:
    with serving(sqlite_template, tmp_path / "site.sqlite") as site:
        players = Players(site.house)
        match = players.start("path-capture", *WALK[:2], options={"length": 8})
        first, second = browser.new_page(), browser.new_page()
        for page in (first, second):
            page.route("**/stream*", lambda route: route.abort())
            page.goto(f"{site.url}/m/{match}")
            expect(page.locator("html.settled")).to_be_attached()
        players.play(match, WALK[2])
        site.house.analyses.ask(Asker(local=True), match)
        first.evaluate("plybook.follower.catchUp()")
        expect(first.get_by_text("0 of 4 positions are analysed.")).to_be_attached()
        analyse(site.house, match, 300)
        expect(first.locator(".judged")).to_be_attached(timeout=15_000)
        second.evaluate("plybook.follower.catchUp()")
        expect(second.locator(".counter")).to_have_text(re.compile("After move 3 of 3"))
        expect(second.locator(".cursor").first).to_have_attribute("transform", "translate(1000 0)")
        second.locator(".panel > summary", has_text="Analysis").click()
        second.locator('[data-do="mistake-before"]').click()
        expect(second.locator(".counter")).to_have_text(re.compile("Move 2 of 3"))
        first.close()
        second.close()
