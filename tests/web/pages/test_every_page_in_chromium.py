"""Every page that there is, in a real browser: readable in every look, in every width."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

import pytest
from playwright.sync_api import Browser, Page, ViewportSize, expect

from tests.web.pages.chromium import LOOKS, SMALL_TEXTS, check, serving, wait_until
from tests.web.pages.furnishing import Furnished, FurnishedFile, endpoint_of, page_endpoints
from tests.web.people import PASSWORD
from web.pages.lobby import agenda

pytestmark = [pytest.mark.browser, pytest.mark.slow]

WIDTHS = (1280, 768, 360, 320)
PHONE = 360
"""From this width on everything on a board can be read, and tables are seen whole."""
USUAL = ViewportSize(width=1280, height=720)
PARTS = 4
"""So many tests share all pages, so that none of them is a long one at the end."""

STYLES = Path(__file__).parents[3] / "web" / "static"

OUTSIDE = """[...document.querySelectorAll("main *")]
    .filter((one) => one.getBoundingClientRect().right > innerWidth)
    .map((one) => one.outerHTML.slice(0, 90)).slice(0, 5)"""

CUT = """[...document.querySelectorAll(".wide")]
    .filter((one) => one.scrollWidth > one.clientWidth).map((one) => one.innerText.slice(0, 40))"""
"""Tables that have to be scrolled."""


class FurnishedSite(NamedTuple):
    """A running service with something on every page, and the cookies of its player."""

    url: str
    pages: Furnished
    cookies: list[dict[str, str]]
    unseen: set[str]


@pytest.fixture(scope="module")
def furnished(
    furnished_whole: FurnishedFile, tmp_path_factory: pytest.TempPathFactory
) -> Iterator[FurnishedSite]:
    """Serve something on every page."""
    path = tmp_path_factory.mktemp("every") / "every.sqlite"
    with (
        serving(Path(furnished_whole.path), path) as site,
        pytest.MonkeyPatch.context() as patch,
    ):
        pages = furnished_whole.of(site.app)
        patch.setattr(agenda, "get_showcase_id", lambda: pages.showcase)
        known = {endpoint_of(site.app, one) for one in (*pages.visitors, *pages.players)}
        cookies = [{"name": "plybook", "value": furnished_whole.session, "url": site.url}]
        yield FurnishedSite(site.url, pages, cookies, set(page_endpoints(site.app)) - known)


def _walk(site: FurnishedSite, browser: Browser, part: int) -> Iterator[tuple[str, Page]]:
    """Open a part of all pages, as a visitor or as a player; nothing moves by itself there."""
    assert not site.unseen, "a page that no address here leads to"
    for cookies, addresses in (([], site.pages.visitors), (site.cookies, site.pages.players)):
        with browser.new_context(reduced_motion="reduce") as context:
            context.add_cookies(cookies)  # type: ignore[arg-type]
            page = context.new_page()
            for address in addresses[part::PARTS]:
                page.emulate_media(color_scheme="light", contrast="no-preference")
                page.goto(site.url + address)
                yield address, page


def test_looks_differ_in_properties_of_colours_alone() -> None:
    """That is why axe is asked everything in one look, and of the others what goes by colours."""
    sheets = [path.read_text() for path in STYLES.rglob("*.css")]
    blocks = re.findall(
        r"@media \(prefers-(?:contrast|color-scheme).*?\n}", "\n".join(sheets), re.DOTALL
    )
    assert blocks
    declared = re.findall(r"^ +([\w-]+):(?!not)", "\n".join(blocks), re.MULTILINE)
    assert len(declared) > 10
    assert [name for name in declared if not name.startswith("--")] == []


@pytest.mark.parametrize("part", range(PARTS))
def test_every_page_fits_its_window_and_axe_finds_nothing_there_in_any_look(
    furnished: FurnishedSite, browser: Browser, part: int
) -> None:
    wider, hard_to_read = {}, {}
    for address, page in _walk(furnished, browser, part):
        for width in WIDTHS:
            page.set_viewport_size({"width": width, "height": 640})
            if page.evaluate("document.documentElement.scrollWidth") > width:
                wider[address, width] = page.evaluate(OUTSIDE)
            if width >= PHONE and (found := page.evaluate(SMALL_TEXTS) + page.evaluate(CUT)):
                hard_to_read[address, width] = found
        page.set_viewport_size(USUAL)
        check(page, address, *LOOKS)
    assert wider == {}
    assert hard_to_read == {}


TWO_INKS = """<!doctype html><html lang="en"><title>Two inks</title><style>
:root { --ink: #222; --paper: #fff }
@media (prefers-color-scheme: dark) { :root { --ink: #ddd; --paper: #111 } }
body { color: var(--ink); background: var(--paper) }
aside { color: %s }
</style><main><h1>Two inks</h1><p>Here.</p><aside>There.</aside>%s</main></html>"""


def test_axe_is_asked_about_what_no_page_has_had_in_a_look_before(browser: Browser) -> None:
    with browser.new_context() as context:
        page = context.new_page()
        # What nobody sees is not looked at.
        hidden = '<details><summary>More</summary><p style="color: #222">Nowhere.</p></details>'
        page.set_content(TWO_INKS % ("var(--ink)", hidden))
        check(page, "as elsewhere", *LOOKS[:2])
        # By day it can be read, and only there.
        page.set_content(TWO_INKS % ("#222", ""))
        check(page, "by day", LOOKS[0])
        with pytest.raises(AssertionError, match=r"by night in .*dark"):
            check(page, "by night", *LOOKS[:2])


OVER = """<div style="height: 3em; background: #333"></div>
<p style="margin: -2em 1em 0">Over a ground that is not its own.</p>"""


def test_axe_is_asked_about_what_lies_over_something_else(browser: Browser) -> None:
    with browser.new_context() as context:
        page = context.new_page()
        page.set_content(TWO_INKS % ("var(--ink)", ""))
        check(page, "on its own ground", LOOKS[0])
        page.set_content(TWO_INKS % ("var(--ink)", OVER))
        with pytest.raises(AssertionError, match=r"elsewhere(.|\n)*color-contrast"):
            check(page, "elsewhere", LOOKS[0])


def test_axe_finds_nothing_on_a_form_that_was_refused(
    furnished: FurnishedSite, browser: Browser
) -> None:
    with browser.new_context(reduced_motion="reduce") as context:
        page = context.new_page()
        page.goto(f"{furnished.url}/log-in")
        page.get_by_label("Name").fill("nobody")
        page.get_by_label("Password").fill(PASSWORD)
        page.locator("main").get_by_role("button", name="Log in").click()
        page.wait_for_selector("[role=alert]")
        check(page, "/log-in with an error", *LOOKS)


def test_a_visitor_sees_a_match_being_replayed_within_five_seconds(
    furnished: FurnishedSite, browser: Browser
) -> None:
    page = browser.new_page(viewport={"width": 1280, "height": 800})
    page.goto(furnished.url)
    step = page.locator(".feature .counter").first
    expect(step).to_have_text(re.compile("Move [2-4] of 4"), timeout=5000)
    expect(page.locator(".feature .board")).to_be_in_viewport()
    page.keyboard.press("End")
    # A key of the page itself is not taken away by the replay.
    wait_until(page, "scrollY > 0", within=5_000)
    page.get_by_role("button", name="Pause").click()
    expect(page.get_by_role("button", name="Play", exact=True)).to_be_visible()
    assert page.url == f"{furnished.url}/"
    page.close()


def test_all_buttons_of_the_replay_that_plays_fit_on_a_narrow_page(
    furnished: FurnishedSite, browser: Browser
) -> None:
    page = browser.new_page(viewport={"width": 320, "height": 800})
    page.goto(furnished.url)
    expect(page.get_by_role("button", name="Pause")).to_be_visible()
    ends = page.locator(".feature, .feature .step").evaluate_all(
        "all => all.map((one) => one.getBoundingClientRect().right)"
    )
    assert len(ends) == 6
    assert max(ends[1:]) < ends[0]
    page.close()


TABLET = 959
LONG_NAME = "Wolfeschlegelsteinhausen"
HEADER = """() => {
    const top = document.querySelector(".top");
    const name = top.querySelector(".who bdi").getBoundingClientRect();
    return [top.offsetHeight, document.documentElement.scrollWidth <= innerWidth, name.width > 40];
}"""


def test_the_header_is_one_row_for_a_player_with_a_long_name(
    furnished: FurnishedSite, browser: Browser
) -> None:
    with browser.new_context(reduced_motion="reduce") as context:
        page = context.new_page()
        page.goto(f"{furnished.url}/sign-up")
        page.locator("main [name=name]").fill(LONG_NAME)
        for field in ("password", "again"):
            page.locator(f"main [name={field}]").fill(PASSWORD)
        page.locator("main").get_by_role("button", name="Sign up").click()
        page.wait_for_selector(".who")
        page.evaluate("document.querySelector('.turns .count').textContent = '(12)'")
        wrong = {}
        for width in (360, 390, 624, 625, 641, 736, 737, 832, 833, 959, 960, 1024, 1280):
            page.set_viewport_size({"width": width, "height": 800})
            height, fits, shown = page.evaluate(HEADER)
            if height > (48 if width <= TABLET else 80) or not (fits and shown):
                wrong[width] = height, fits, shown
        assert wrong == {}


def test_nothing_plays_for_whoever_wants_nothing_to_move(
    furnished: FurnishedSite, browser: Browser
) -> None:
    context = browser.new_context(reduced_motion="reduce")
    page = context.new_page()
    page.goto(furnished.url)
    page.wait_for_timeout(1500)
    expect(page.locator(".feature .counter").first).to_have_text("Before the first move")
    page.get_by_role("button", name="Play", exact=True).click()
    expect(page.locator(".feature .counter").first).to_have_text(re.compile("Move 1 of"))
    context.close()


@pytest.mark.parametrize("width", [320, 1280])
def test_a_long_move_stands_beside_the_mark_of_its_seat(
    furnished: FurnishedSite, browser: Browser, width: int
) -> None:
    page = browser.new_page(viewport={"width": width, "height": 900})
    match = next(one for one in furnished.pages.visitors if one.startswith("/m/"))
    page.goto(furnished.url + match)
    below = page.evaluate(
        """() => [...document.querySelectorAll(".turn-of")].map((turn) => {
          const entry = turn.querySelector(".entry");
          entry.textContent = "dominate 7,0 and then some more";
          const mark = turn.querySelector(".seat-sign").getBoundingClientRect();
          return entry.getBoundingClientRect().top >= mark.bottom;
        })"""
    )
    assert below
    assert not any(below)
    page.close()


def test_a_match_is_printed_dark_on_white_and_without_what_is_to_be_pressed(
    furnished: FurnishedSite, browser: Browser
) -> None:
    page = browser.new_page()
    page.emulate_media(media="print", color_scheme="dark")
    match = next(one for one in furnished.pages.visitors if one.startswith("/m/"))
    page.goto(furnished.url + match)
    ink = page.evaluate("getComputedStyle(document.body).color")
    assert max(int(part) for part in ink[4:-1].split(",")) < 64, ink
    assert page.locator(".moves-list").is_visible()
    assert page.locator(".beside > *").count()
    assert not page.locator(".beside").is_visible()
    over = [one for one in furnished.pages.visitors if one.startswith("/m/") and "?" not in one]
    for address in (match, *over[5:11:5], "/p/cora"):
        page.goto(furnished.url + address)
        pressed = page.locator("main").locator("button, .button, input, select, summary")
        assert [one.inner_text() for one in pressed.all() if one.is_visible()] == [], address
    page.close()
