"""A replay in a real browser: keys, playing, the graph, the chain, following, and looks."""

from __future__ import annotations

import json
import random
import re
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path
from typing import NamedTuple

import pytest
from playwright.sync_api import Browser, Page, Route, expect

from domain.errors import MatchNotActive
from services.matches.queries import Asker
from tests.web.pages.chromium import OPEN_ALL, PATIENCE, check, serving
from tests.web.pages.conftest import Players

pytestmark = [pytest.mark.browser, pytest.mark.slow]

RECORD = ".panel > summary:has-text('Record')"
WALK = [{"steps": 3}, {"steps": 2}, {"steps": 2}, {"steps": 3}]


class Replays(NamedTuple):
    """A running service, with a finished match of stones and one of cards."""

    url: str
    players: Players
    stones: str
    cards: str


@pytest.fixture(scope="module")
def site(sqlite_template: Path, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Replays]:
    """Serve some matches."""
    path = tmp_path_factory.mktemp("replay") / "site.sqlite"
    with serving(sqlite_template, path) as running:
        players = Players(running.house)
        stones, cards = players.start("path-capture", *WALK), players.start("power-lines")
        chance = random.Random(3)
        players.play_on(cards, 60, lambda moves: chance.randrange(len(moves)))
        # Chance, which nobody here knows, may have ended it already.
        with suppress(MatchNotActive):
            players.resign(cards, 1)
        yield Replays(running.url, players, stones, cards)


@pytest.fixture
def page(browser: Browser) -> Iterator[Page]:
    """Open an empty page, which may be read from anywhere in the world."""
    context = browser.new_context(
        viewport={"width": 1280, "height": 900}, timezone_id="Asia/Tokyo", reduced_motion="reduce"
    )
    opened = context.new_page()
    opened.set_default_timeout(PATIENCE)
    yield opened
    context.close()


def open_replay(page: Page, site: Replays, match: str, query: str = "?at=1") -> None:
    """Open a match, and mark the window: whoever leaves the page loses the mark."""
    page.goto(f"{site.url}/m/{match}{query}")
    expect(page.locator("html.settled")).to_be_attached()
    page.evaluate("window.stayed = true")


def step_is(page: Page, number: int) -> None:
    version = page.evaluate("plybook.setup.first") + number
    expect(page.locator(".scrubber [type=range]")).to_have_value(str(version), timeout=PATIENCE)
    assert page.evaluate("window.stayed")


def test_keys_step_and_the_page_stays(page: Page, site: Replays) -> None:
    open_replay(page, site, site.stones)
    for key, number, told in (
        ("ArrowRight", 1, "Move 1 of 4"),
        ("ArrowRight", 2, "Move 2 of 4"),
        ("ArrowLeft", 1, "Move 1 of 4"),
        ("End", 5, "After move 4 of 4"),
        ("Home", 0, "Before the first move"),
        ("PageDown", 5, "After move 4 of 4"),
        ("PageUp", 0, "Before the first move"),
    ):
        page.keyboard.press(key)
        step_is(page, number)
        expect(page.locator(".counter")).to_have_text(told)
        expect(page.locator(".scrubber [type=range]")).to_have_attribute("aria-valuetext", told)
    page.keyboard.press("ArrowRight")
    expect(page.locator(".told bdi")).to_have_text("ada goes 3 nodes forward to node 3.")
    expect(page.locator(".moves-list [aria-current]")).to_have_text("+3")
    page.wait_for_url(f"**at={page.evaluate('plybook.version')}*")
    shown = page.locator(".shown .picture").inner_html()
    page.reload()
    assert page.locator(".shown .picture").inner_html() == shown


def test_every_step_by_script_is_the_page_that_the_server_gives(page: Page, site: Replays) -> None:
    open_replay(page, site, site.cards)
    page.evaluate("plybook.loaded")
    total = page.evaluate("plybook.setup.last - plybook.setup.first")
    other = page.context.new_page()
    for number in (3, total // 2, total):
        page.evaluate(f"plybook.go(plybook.setup.first + {number})")
        step_is(page, number)
        other.goto(page.evaluate("plybook.stage.address(plybook.version)"))
        # Its times are in the reader's zone a moment after it has come.
        expect(other.locator("html.settled")).to_be_attached()
        for part in (".counter", ".told", ".shown", ".meters", "#event", ".steps"):
            assert other.locator(part).inner_text() == page.locator(part).inner_text(), part
        for part in (".shown", ".meters", "#event"):
            assert other.locator(part).inner_html() == page.locator(part).inner_html(), part


def test_keys_are_left_alone_while_somebody_types(page: Page, site: Replays) -> None:
    open_replay(page, site, site.stones)
    page.click(RECORD)
    page.click(".embedding summary")
    page.focus("#embed-code")
    for key in ("ArrowRight", "End", "f", "?"):
        page.keyboard.press(key)
    step_is(page, 0)
    expect(page.locator("#keys")).to_be_hidden()


def test_space_plays_to_the_end_and_stops_there(page: Page, site: Replays) -> None:
    open_replay(page, site, site.stones)
    page.click(".more-ways summary")
    page.select_option('[name="play"]', "8")
    page.click(".more-ways summary")
    page.evaluate("document.activeElement.blur()")
    page.keyboard.press("Space")
    expect(page.locator(".play span")).to_have_text("Pause")
    step_is(page, 5)
    expect(page.locator(".play span")).to_have_text("Play")


def test_keys_and_playing_go_on_from_match_to_match_of_a_series(page: Page, site: Replays) -> None:
    first = site.players.start("path-capture", {"steps": 1}, series={"length": 3})
    page.goto(f"{site.url}/m/{first}")
    expect(page.locator("html.settled")).to_be_attached()
    page.keyboard.press("ArrowRight")
    expect(page.locator(".steps [data-do=next]")).not_to_have_attribute("href", re.compile("."))
    site.players.resign(first, 2)
    # The end comes by itself, and with it what follows.
    page.get_by_role("link", name="Next in the series").wait_for()
    series = site.players.house.series.list_match_ids(Asker(), first)
    second = f"**/m/{series[1]}?at=1#board"
    for key, goal in (
        ("ArrowRight", second),
        ("ArrowLeft", f"**/m/{first}#board"),
        (">", second),
        ("<", f"**/m/{first}#board"),
    ):
        page.keyboard.press(key)
        page.wait_for_url(goal)
        expect(page.locator("html.settled")).to_be_attached()
    # A key that is held down stops at the end.
    assert page.evaluate("plybook.act('next', true)")
    page.goto(f"{site.url}/m/{first}?at=1&play=8")
    page.wait_for_url(f"**/m/{series[1]}?at=1&play=8#board")
    expect(page.locator(".play span")).to_have_text("Play")


def test_escape_stops_and_real_waits_are_short(page: Page, site: Replays) -> None:
    open_replay(page, site, site.stones)
    page.click(".more-ways summary")
    page.select_option('[name="play"]', "waits")
    page.evaluate("plybook.loaded")
    assert page.evaluate("plybook.delay()") <= 2000
    page.select_option('[name="play"]', "0.5")
    page.click(".play")
    page.locator("body").press("Escape")
    expect(page.locator(".play span")).to_have_text("Play")
    page.keyboard.press("+")
    expect(page.locator(".said")).to_have_text("1 a second")


def test_help_opens_by_its_key_and_closes(page: Page, site: Replays) -> None:
    open_replay(page, site, site.stones)
    page.keyboard.press("?")
    expect(page.locator("#keys")).to_be_visible()
    check(page, "the help of the keys")
    page.keyboard.press("Escape")
    page.set_viewport_size({"width": 320, "height": 300})
    page.keyboard.press("?")
    expect(page.get_by_role("heading", name="Keys")).to_be_in_viewport()
    page.keyboard.press("Escape")
    expect(page.locator("#keys")).to_be_hidden()


def test_flip_turns_the_board_and_keeps_the_step(page: Page, site: Replays) -> None:
    open_replay(page, site, site.stones)
    page.keyboard.press("ArrowRight")
    step_is(page, 1)
    page.keyboard.press("f")
    page.wait_for_url("**flip=1*")
    expect(page.locator(".counter")).to_have_text("Move 1 of 4")
    expect(page.locator(".shown .space title").first).to_have_text("node 10")
    page.keyboard.press("ArrowRight")
    expect(page.locator(".counter")).to_have_text("Move 2 of 4")
    expect(page.locator(".shown .space title").first).to_have_text("node 10")


def test_list_graph_ticks_and_scrubber_lead_to_steps(page: Page, site: Replays) -> None:
    open_replay(page, site, site.stones)
    page.click(".moves-list >> text=+2 >> nth=0")
    step_is(page, 2)
    box = page.locator(".graph svg").bounding_box()
    assert box
    page.mouse.click(box["x"] + box["width"] * 0.6, box["y"] + 5)
    step_is(page, 3)
    page.locator(".tick-captured .grip").dispatch_event("click")
    step_is(page, 4)
    page.locator(".scrubber input").last.fill(str(page.evaluate("plybook.setup.first + 1")))
    step_is(page, 1)
    page.focus(".scrubber [type=range]")
    page.keyboard.press("ArrowRight")
    step_is(page, 2)


def test_the_current_move_is_kept_in_view(page: Page, site: Replays) -> None:
    open_replay(page, site, site.cards)
    page.evaluate("plybook.loaded")
    total = page.evaluate("plybook.setup.last - plybook.setup.first")
    for key, number in (("End", total), ("Home", 0), ("End", total)):
        page.keyboard.press(key)
        step_is(page, number)
        assert page.evaluate("""() => {
            const list = document.querySelector('.moves-list').getBoundingClientRect();
            const now = document.getElementById('now').getBoundingClientRect();
            return now.top >= list.top - 1 && now.bottom <= list.bottom + 1;
        }""")


def test_the_browser_checks_the_chain(page: Page, site: Replays) -> None:
    open_replay(page, site, site.cards)
    page.click(RECORD)
    page.click("text=Check the chain of hashes")
    badge = page.locator("#verdict")
    expect(badge).to_have_attribute("data-state", "holds")
    expect(badge.locator(".verdict")).to_contain_text("opened seals checked in this browser")


@pytest.mark.parametrize("fault", ["data", "seal", "missing", "previous"])
def test_a_chain_that_was_tampered_with_is_told(page: Page, site: Replays, fault: str) -> None:
    def tamper(route: Route) -> None:
        answer = route.fetch()
        found = answer.json()
        events = found["events"]
        if fault == "data":
            events[6]["data"]["seat"] = 9
        elif fault == "seal":
            sealed = next(one for one in events if one["sealed"])
            sealed["sealed"][0]["value"] = {"secret": "0" * 64}
        elif fault == "missing":
            del events[4]
        else:
            events[5]["previous"] = "1" * 64
        route.fulfill(status=200, content_type="application/json", body=json.dumps(found))

    open_replay(page, site, site.cards)
    page.route("**/events", tamper)
    page.click(RECORD)
    page.click("text=Check the chain of hashes")
    expect(page.locator("#verdict")).to_have_attribute("data-state", "broken")
    told = {
        "data": "Event 7 is not what was hashed.",
        "seal": "Event 1: what was opened is not what was sealed.",
        "missing": "Event 5 is missing.",
        "previous": "Event 6 does not follow on the one before.",
    }
    expect(page.locator(".verdict")).to_contain_text(told[fault])


def test_a_browser_that_cannot_check_says_so_and_who_can(page: Page, site: Replays) -> None:
    page.add_init_script(
        "Object.defineProperty(Crypto.prototype, 'subtle', {get: () => undefined})"
    )
    open_replay(page, site, site.cards)
    page.click(RECORD)
    page.click("text=Check the chain of hashes")
    expect(page.locator("#verdict")).to_have_attribute("data-state", "absent")
    export = f"{site.url}/api/v1/matches/{site.cards}/export"
    expect(page.locator(".verdict")).to_contain_text(f"plybook verify {export}")


def test_a_reader_at_the_end_goes_along_and_another_is_told(page: Page, site: Replays) -> None:
    match = site.players.start("path-capture")
    page.goto(f"{site.url}/m/{match}")
    expect(page.locator("html.settled")).to_be_attached()
    page.evaluate("window.stayed = true")
    site.players.play(match, {"steps": 3})
    step_is(page, 1)
    expect(page.locator(".moves-list")).to_contain_text("+3")
    page.keyboard.press("Home")
    step_is(page, 0)
    site.players.play(match, {"steps": 2}, {"steps": 1}, {"steps": 2})
    expect(page.locator("#news")).to_have_text("3 new moves")
    step_is(page, 0)
    page.click("#news")
    step_is(page, 4)
    expect(page.locator("#news")).to_be_hidden()
    site.players.resign(match, 1)
    expect(page.locator(".standing")).to_contain_text("resigned.")


def test_times_are_those_of_the_reader(page: Page, site: Replays) -> None:
    open_replay(page, site, site.stones, "")
    expect(page.locator(".told time")).to_contain_text("GMT+9")
    page.keyboard.press("ArrowLeft")
    expect(page.locator(".told time")).to_contain_text("GMT+9")


CHOSEN = ("light", "dark", "contrast")


def fits_opened(page: Page, where: str) -> None:
    """Open all that is folded on a page, and look whether it is as wide as its window."""
    page.evaluate(OPEN_ALL)
    for width in (320, 1280):
        page.set_viewport_size({"width": width, "height": 900})
        assert page.evaluate("document.documentElement.scrollWidth") <= width, (where, width)


def test_pages_fit_opened_and_axe_finds_nothing_in_any_look_that_can_be_chosen(
    page: Page, site: Replays
) -> None:
    page.goto(f"{site.url}/style")
    fits_opened(page, "/style")
    # Looks differ in colours alone, also those that are chosen: see test_colours.
    for look in CHOSEN:
        page.click(f'.looks [value="{look}"]')
        expect(page.locator(f'html[data-look="{look}"]')).to_be_attached()
        check(page, f"/style in {look}", whole=look == "light")
    for address in (f"/m/{site.stones}?at=6", f"/m/{site.cards}?at=30", f"/m/{site.cards}/embed"):
        page.goto(site.url + address)
        expect(page.locator(f'html[data-look="{CHOSEN[-1]}"]')).to_be_attached()
        fits_opened(page, address)
        for look in CHOSEN:
            page.evaluate("(look) => { document.documentElement.dataset.look = look; }", look)
            check(page, f"{address} in {look}", whole=look == "light")


def test_touch_targets_are_large_enough(page: Page, site: Replays) -> None:
    page.set_viewport_size({"width": 320, "height": 700})
    page.goto(f"{site.url}/m/{site.cards}?at=30")
    low = page.evaluate("""() => [...document.querySelectorAll('main button, main .button')]
        .map(one => [one.innerText, one.getBoundingClientRect()])
        .filter(([, box]) => box.height && Math.min(box.height, box.width) < 24)
        .map(([text]) => text)""")
    assert low == []


def tried(page: Page) -> list[str]:
    return page.locator(".moves-list .branch .entry").all_inner_texts()


def test_a_move_is_tried_on_the_board_itself_and_left_in_one_press(
    page: Page, site: Replays
) -> None:
    sent = []
    page.on("request", lambda one: sent.append((one.method, one.url)))
    open_replay(page, site, site.stones, "?at=5")
    page.click(".more-ways summary")
    page.click("#what-if")
    counter = page.locator(".counter")
    expect(counter).to_have_text("What if: After move 1")
    # What it was chosen from covers nothing any more that can be chosen.
    expect(page.locator(".ways-to-look")).not_to_be_visible()
    # Its last click tries a move; there is nothing to confirm, and no form that would send one.
    page.locator('.shown a.way[data-space="node:8"]').click(force=True)
    expect(counter).to_have_text("What if: Move 2")
    page.locator('.shown a.way[data-space="node:5"]').click(force=True)
    expect(counter).to_have_text("What if: Move 3")
    expect(page.locator(".told bdi")).to_have_text("ada goes 2 nodes forward to node 5.")
    assert tried(page) == ["+2", "+2"]
    assert page.locator(".replay > :not(.under) form[method=post]:visible").count() == 0
    # Arrows go through the line.
    for key, told in (
        ("ArrowLeft", "What if: Move 2"),
        ("Home", "What if: After move 1"),
        ("End", "What if: Move 3"),
        ("ArrowLeft", "What if: Move 2"),
    ):
        page.keyboard.press(key)
        expect(counter).to_have_text(told)
        assert tried(page) == ["+2", "+2"]
    # Another way from here is another branch.
    page.locator('.shown a.way[data-space="node:6"]').click(force=True)
    expect(page.locator(".moves-list .branch")).to_have_count(2)
    page.keyboard.press("Escape")
    expect(counter).to_have_text("Move 1 of 4")
    expect(page.locator(".told bdi")).to_have_text("ada goes 3 nodes forward to node 3.")
    # Both are there still, and one press leads in.
    page.locator(".moves-list .branch .entry").nth(1).click()
    expect(counter).to_have_text(re.compile("What if: Move 3"))
    page.locator(".moves-list .leave").click()
    expect(counter).to_have_text("Move 1 of 4")
    assert page.evaluate("window.stayed")
    assert {method for method, _ in sent} == {"GET"}


def test_who_steps_on_leaves_the_line_and_a_fault_is_told(page: Page, site: Replays) -> None:
    open_replay(page, site, site.stones, "?at=5")
    page.click(".more-ways summary")
    page.click("#what-if")
    page.fill("#typed", "+9")
    page.press("#typed", "Enter")
    expect(page.locator("#entry [role=alert]")).to_contain_text("+9")
    page.locator(".moves-list .entry").filter(has_text="+3").last.click()
    expect(page.locator(".counter")).to_have_text("Move 4 of 4")
    expect(page.locator("#entry")).to_have_count(0)
    check(page, "after a line")
