"""Every page that there is, in a real browser: readable in every look, in every width."""

from __future__ import annotations

import shutil
import threading
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

import pytest
from axe_playwright_python.sync_playwright import Axe  # type: ignore[import-untyped]
from playwright.sync_api import Browser, BrowserContext, Page, expect, sync_playwright
from werkzeug.serving import make_server

from domain.games import all_games
from services.settings import Settings
from services.wiring import wire
from tests.web.pages.furnishing import Furnished, endpoint_of, furnish, page_endpoints
from web.app import create_app

pytestmark = [pytest.mark.browser, pytest.mark.slow]

FLAGS = ["--no-sandbox", "--disable-gpu", "--disable-background-networking"]
WIDTHS = (1280, 768, 320)

# Axe leaves this one out unless it is asked for; WCAG 2.2 AA has it.
AXE = {"resultTypes": ["violations"], "rules": {"target-size": {"enabled": True}}}

OUTSIDE = """[...document.querySelectorAll("main *")]
    .filter((one) => one.getBoundingClientRect().right > innerWidth)
    .map((one) => one.outerHTML.slice(0, 90)).slice(0, 5)"""

LOOKS = {
    "light": {"color_scheme": "light"},
    "dark": {"color_scheme": "dark"},
    "contrast": {"contrast": "more", "color_scheme": "light"},
    "dark contrast": {"contrast": "more", "color_scheme": "dark"},
}


class Site(NamedTuple):
    """A running service: its address, what is on it, the cookies of its player."""

    url: str
    pages: Furnished
    cookies: list[dict[str, str]]
    unseen: set[str]


@pytest.fixture(scope="module")
def site(web_sqlite_template: Path, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Site]:
    """Serve something on every page."""
    path = tmp_path_factory.mktemp("every") / "every.sqlite"
    shutil.copy(web_sqlite_template, path)
    settings = Settings(database_url=str(path), rate_limit=0)
    house = wire(settings)
    app = create_app(house, settings)
    pages = furnish(app, house, list(all_games()))
    known = {endpoint_of(app, one) for one in (*pages.visitors, *pages.players)}
    server = make_server("127.0.0.1", 0, app, threaded=True)
    thread = threading.Thread(target=server.serve_forever)
    thread.start()
    url = f"http://127.0.0.1:{server.port}"
    cookie = pages.cora.client.get_cookie("plybook")
    assert cookie is not None
    cookies = [{"name": "plybook", "value": cookie.value, "url": url}]
    yield Site(url, pages, cookies, set(page_endpoints(app)) - known)
    server.shutdown()
    thread.join()
    server.server_close()
    house.close()


@pytest.fixture(scope="module")
def browser(chromium: str) -> Iterator[Browser]:
    """Start Chromium."""
    with sync_playwright() as playwright:
        started = playwright.chromium.launch(executable_path=chromium, args=FLAGS)
        yield started
        started.close()


def _walk(site: Site, browser: Browser, **look: object) -> Iterator[tuple[str, Page]]:
    """Open every page, as a visitor and as a player; nothing on it moves by itself."""
    assert not site.unseen, "a page that no address here leads to"
    for cookies, addresses in (([], site.pages.visitors), (site.cookies, site.pages.players)):
        context: BrowserContext = browser.new_context(
            reduced_motion="reduce",
            **look,  # type: ignore[arg-type]
        )
        context.add_cookies(cookies)  # type: ignore[arg-type]
        page = context.new_page()
        for address in addresses:
            page.goto(site.url + address)
            yield address, page
        context.close()


@pytest.mark.parametrize("look", LOOKS)
def test_axe_finds_nothing_on_any_page_in_any_look(site: Site, browser: Browser, look: str) -> None:
    found = []
    for address, page in _walk(site, browser, **LOOKS[look]):
        results = Axe().run(page, options=AXE)
        if results.violations_count:
            found.append(f"{address}: {results.generate_report()}")
    assert not found, "\n".join(found)


def test_a_visitor_sees_a_match_being_replayed_within_five_seconds(
    site: Site, browser: Browser
) -> None:
    page = browser.new_page(viewport={"width": 1280, "height": 800})
    page.goto(site.url)
    step = page.locator(".feature .counter b").first
    expect(step).to_have_text("2", timeout=5000)
    expect(page.locator(".feature .board")).to_be_in_viewport()
    page.keyboard.press("End")
    # A key of the page itself is not taken away by the replay.
    page.wait_for_function("scrollY > 0", timeout=5000)
    page.get_by_role("button", name="Pause").click()
    expect(page.get_by_role("button", name="Play")).to_be_visible()
    assert page.url == f"{site.url}/"
    page.close()


def test_nothing_plays_for_whoever_wants_nothing_to_move(site: Site, browser: Browser) -> None:
    context = browser.new_context(reduced_motion="reduce")
    page = context.new_page()
    page.goto(site.url)
    page.wait_for_timeout(1500)
    expect(page.locator(".feature .counter b").first).to_have_text("0")
    page.get_by_role("button", name="Play").click()
    expect(page.locator(".feature .counter b").first).to_have_text("1")
    context.close()


@pytest.mark.parametrize("width", WIDTHS)
def test_no_page_is_wider_than_the_window(site: Site, browser: Browser, width: int) -> None:
    wider = {}
    for address, page in _walk(site, browser, viewport={"width": width, "height": 640}):
        if page.evaluate("document.documentElement.scrollWidth") > width:
            wider[address] = page.evaluate(OUTSIDE)
    assert wider == {}


def test_a_match_is_printed_dark_on_white_and_without_what_is_to_be_pressed(
    site: Site, browser: Browser
) -> None:
    page = browser.new_page()
    page.emulate_media(media="print", color_scheme="dark")
    match = next(one for one in site.pages.visitors if one.startswith("/m/"))
    page.goto(site.url + match)
    ink = page.evaluate("getComputedStyle(document.body).color")
    assert max(int(part) for part in ink[4:-1].split(",")) < 64, ink
    assert page.locator(".moves-list").is_visible()
    pressed = page.locator("main").locator("button, .button, input, select")
    assert [one.inner_text() for one in pressed.all() if one.is_visible()] == []
    page.close()
