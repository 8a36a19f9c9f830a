"""Pages in a real browser: boards scroll in their boxes, keys suffice, the console is silent."""

from __future__ import annotations

import random
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import NamedTuple

import pytest
from playwright.sync_api import Browser, Page, expect

from domain.game.game import AnyGame
from domain.games import load_games
from tests.web.pages.chromium import serving, wait_until
from tests.web.pages.conftest import Players

pytestmark = [pytest.mark.browser, pytest.mark.slow]

WIDE, NARROW = 1280, 320


class Matches(NamedTuple):
    """A running service: its address, and a running and a finished match of every game."""

    url: str
    running: dict[str, str]
    finished: dict[str, str]

    def addresses(self) -> list[str]:
        """Return an address of every kind of page, for every game."""
        matches = [*self.running.values(), *self.finished.values()]
        games = [f"/games/{slug}" for slug in self.running]
        return ["/", "/matches?player=nobody", *(f"/m/{one}" for one in matches), *games, "/m/none"]


@pytest.fixture(scope="module")
def site(sqlite_template: Path, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Matches]:
    """Serve matches of every game that there is."""
    path = tmp_path_factory.mktemp("site") / "site.sqlite"
    with serving(sqlite_template, path) as served:
        players = Players(served.house)
        running = {game.slug: _played(players, game) for game in load_games()}
        finished = {game.slug: _played(players, game) for game in load_games()}
        for match in finished.values():
            players.resign(match, 2)
        yield Matches(served.url, running, finished)


def _played(players: Players, game: AnyGame) -> str:
    chance = random.Random(3)
    match = players.start(game.slug)
    most = 30 if game.secrets else 4
    players.play_on(match, most, lambda moves: chance.randrange(len(moves)))
    return match


class Watched(NamedTuple):
    """A page, and what its console has said."""

    page: Page
    said: list[str]


@contextmanager
def watching(browser: Browser) -> Iterator[Watched]:
    """Open an empty page."""
    page = browser.new_page(viewport={"width": WIDE, "height": 900})
    said: list[str] = []
    page.on("console", lambda message: said.append(message.text))
    page.on("pageerror", lambda error: said.append(str(error)))
    yield Watched(page, said)
    page.close()


@pytest.fixture
def watched(browser: Browser) -> Iterator[Watched]:
    """Give an empty page."""
    with watching(browser) as found:
        yield found


BELOW = """document.documentElement.scrollHeight <= innerHeight ? 0
    : document.documentElement.scrollHeight - scrollY
        - document.querySelector('footer').getBoundingClientRect().bottom"""


class Walk(NamedTuple):
    """What was found on all pages: what the console has said, and what is below the last line."""

    said: list[str]
    below: dict[str, float]


@pytest.fixture(scope="module")
def walk(site: Matches, browser: Browser) -> Walk:
    """Look at every page once."""
    found = Walk([], {})
    with watching(browser) as (page, said):
        for address in site.addresses():
            page.goto(site.url + address)
            found.below[address] = page.evaluate(BELOW)
        found.said.extend(said)
    return found


def test_the_console_stays_silent(walk: Walk) -> None:
    refused = "Failed to load resource: the server responded with a status of 404 (NOT FOUND)"
    assert walk.said == [refused]


def test_no_page_is_longer_than_what_is_on_it(walk: Walk) -> None:
    assert len(walk.below) > 10
    assert [address for address, below in walk.below.items() if below >= 1] == []


def test_a_wide_board_scrolls_in_its_own_box(site: Matches, watched: Watched) -> None:
    page = watched.page
    page.set_viewport_size({"width": NARROW, "height": 640})
    page.goto(f"{site.url}/m/{site.running['power-lines']}")
    wait_until(page, "typeof plybook !== 'undefined'")
    board = page.locator(".board").first
    assert board.evaluate("box => box.scrollWidth > box.clientWidth")
    # It shows the last move, wherever that is.
    board.evaluate("box => { box.scrollLeft = 0; }")
    board.focus()
    page.keyboard.press("ArrowRight")
    page.wait_for_timeout(500)
    assert board.evaluate("box => box.scrollLeft") > 0


def test_a_match_can_be_stepped_through_by_keyboard_without_a_script(
    site: Matches, browser: Browser
) -> None:
    page = browser.new_page(java_script_enabled=False)
    page.goto(f"{site.url}/m/{site.finished['path-capture']}#board")
    total = _step(page)
    seen = []
    for name in ("First", *["Next"] * total, "Previous", "Last", "Previous"):
        _press(page, name)
        seen.append(_step(page))
    assert seen == [0, *range(1, total + 1), total - 1, total, total - 1]
    page.close()


def test_what_is_focused_can_be_seen(site: Matches, watched: Watched) -> None:
    page = watched.page
    page.goto(f"{site.url}/m/{site.finished['path-capture']}")
    for _ in range(12):
        page.keyboard.press("Tab")
        outline = page.evaluate("getComputedStyle(document.activeElement).outlineStyle")
        assert outline == "solid"


def test_the_shown_step_is_in_view_in_the_list(site: Matches, watched: Watched) -> None:
    page = watched.page
    page.goto(f"{site.url}/m/{site.running['power-lines']}?at=20")
    page.focus("text=Go to the step that is shown")
    expect(page.locator(".to-step")).to_be_in_viewport()
    page.keyboard.press("Enter")
    assert page.evaluate("""() => {
        const list = document.querySelector('.moves-list').getBoundingClientRect();
        const now = document.getElementById('now').getBoundingClientRect();
        return now.top >= list.top - 1 && now.bottom <= list.bottom + 1;
    }""")


def test_the_two_seats_are_painted_differently(site: Matches, watched: Watched) -> None:
    page = watched.page
    page.goto(f"{site.url}/m/{site.running['path-capture']}")
    fills = page.locator(".picture .token > .body").evaluate_all(
        "bodies => bodies.map(body => getComputedStyle(body).fill)"
    )
    assert len(set(fills)) == 2
    assert [fill.startswith("url(") for fill in sorted(fills)] == [False, True]


def _step(page: Page) -> int:
    slider = page.locator(".scrubber [type=range]")
    return int(slider.input_value()) - int(slider.get_attribute("min") or "0")


def _press(page: Page, name: str) -> None:
    """Go to a link with Tab, from where a step's link has led, and press Enter."""
    for _ in range(7):
        page.keyboard.press("Tab")
        link = page.locator(".steps :focus")
        if link.count() and link.inner_text().strip() == name:
            with page.expect_navigation():
                page.keyboard.press("Enter")
            return
    raise AssertionError(f"{name} is not among the next links")
