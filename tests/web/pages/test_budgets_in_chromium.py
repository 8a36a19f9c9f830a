"""What pages may cost their readers: bytes and requests. Seconds are `./dev bench site`."""

from __future__ import annotations

import shutil
from collections.abc import Iterator
from contextlib import ExitStack
from itertools import product
from pathlib import Path

import pytest
from playwright.sync_api import Browser

from tests.web.pages.chromium import wait_until
from tests.web.pages.metering import (
    EVENTS,
    FIRST_PAGE_BYTES,
    HOUR_BYTES,
    PHONE,
    RELOAD_REQUESTS,
    REPLAY_BYTES,
    REQUESTS,
    Staged,
    Tab,
    metered,
    open_for_an_hour,
    staged,
)

pytestmark = [pytest.mark.browser, pytest.mark.slow]


@pytest.fixture(scope="module")
def stage(sqlite_template: Path, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Staged]:
    """Serve something to look at."""
    database = tmp_path_factory.mktemp("budgets") / "budgets.sqlite"
    shutil.copy(sqlite_template, database)
    with staged(database) as found:
        yield found


def test_the_first_page_is_light(stage: Staged, browser: Browser) -> None:
    with browser.new_context() as context, metered(context) as (page, meter):
        page.goto(stage.url, wait_until="networkidle")
        assert page.evaluate("plybook.setup.guest")
        assert len(meter.requests) <= REQUESTS, meter.requests
        assert 10_000 < meter.bytes <= FIRST_PAGE_BYTES


BUSY = "globalThis.requestIdleCallback = (work) => (globalThis.later ??= []).push(work);"
"""A browser that never finds time for what can wait, until it is told to do it (``later``)."""

SIGNS = """[...document.querySelectorAll(".feature figcaption .seat-sign")].map(
    (one) => one.getBoundingClientRect().height)"""

TIME = "document.querySelector('time').textContent"

SEEN = """(selector) => [...document.querySelectorAll(selector)].map(
    (one) => one.firstElementChild.checkVisibility({ contentVisibilityAuto: true }))"""


def test_what_is_far_from_sight_and_times_wait_until_a_page_can_be_used(
    stage: Staged, browser: Browser
) -> None:
    with browser.new_context(viewport=PHONE, timezone_id="Asia/Tokyo") as context:
        page = context.new_page()
        page.add_init_script(BUSY)
        page.goto(stage.url)
        cards = page.evaluate(SEEN, ".match-card")
        assert len(cards) > 5
        assert not any(cards)
        # Figures of other pages are drawn in other ways: here a sign is as high as a letter.
        signs = page.evaluate(SIGNS)
        assert len(signs) == 2
        assert all(8 < high < 20 for high in signs)
        assert all(page.evaluate(SEEN, ".games li")[:2])
        assert page.evaluate(TIME).endswith("\N{NO-BREAK SPACE}UTC")
        page.goto(f"{stage.url}/m/{stage.over}?at=60")
        assert not any(page.evaluate(SEEN, ".moves-list"))
        # What waits is nothing that one needs to go on.
        page.keyboard.press("ArrowRight")
        wait_until(page, "plybook.version === 61")
        page.goto(stage.url)
        page.evaluate("while (later.length) later.shift()()")
        # What is laid out is said to be seen once the browser has drawn it, a frame later.
        wait_until(page, f"(selector) => ({SEEN})(selector).every(Boolean)", ".match-card")
        assert page.evaluate(TIME).endswith("GMT+9")


def test_a_long_replay_is_light_and_a_reload_of_it_lighter(stage: Staged, browser: Browser) -> None:
    with browser.new_context() as context, metered(context) as (page, meter):
        page.goto(f"{stage.url}/m/{stage.over}?at=60", wait_until="networkidle")
        total = page.evaluate("plybook.setup.last")
        assert total >= EVENTS
        # The neighbours are there: one can step at once, either way.
        page.evaluate("plybook.loaded")
        assert page.evaluate("[49, 61, 70].every((at) => plybook.frames.known.has(at))")
        assert 3 < len(meter.requests) <= REQUESTS, meter.requests
        assert 10_000 < meter.bytes <= REPLAY_BYTES
        meter.reset()
        page.reload(wait_until="networkidle")
        page.evaluate("plybook.loaded")
        assert page.evaluate("plybook.frames.known.has(61)")
        assert 1 <= len(meter.requests) <= RELOAD_REQUESTS, meter.requests


def test_who_steps_gets_every_step(stage: Staged, browser: Browser) -> None:
    with browser.new_context() as context, metered(context) as (page, _):
        page.goto(f"{stage.url}/m/{stage.over}?at=60", wait_until="networkidle")
        page.keyboard.press("ArrowRight")
        wait_until(page, "plybook.version > 60")
        wait_until(
            page, "plybook.frames.known.size === plybook.setup.last - plybook.setup.first + 1"
        )


@pytest.mark.parametrize("what", ["running", "over", "first page"])
def test_a_tab_left_open_costs_little(stage: Staged, browser: Browser, what: str) -> None:
    path = {"running": f"/m/{stage.running}", "over": f"/m/{stage.over}", "first page": "/"}[what]
    kinds = list(product(["player", "visitor"], [False, True]))
    with ExitStack() as opened:
        tabs = []
        for whose, hidden in kinds:
            context = opened.enter_context(browser.new_context())
            if whose == "player":
                stage.of_player(context)
            tabs.append(Tab(*opened.enter_context(metered(context)), stage.url + path, hidden))
        costs = open_for_an_hour(*tabs)
    for (whose, hidden), tab, cost in zip(kinds, tabs, costs, strict=True):
        assert cost <= HOUR_BYTES, (whose, hidden, tab.meter.requests)
        # A page of a player has news of matches, and one that is followed of its own.
        assert cost > 1000 or (whose == "visitor" and (what != "running" or hidden)), hidden
