"""Whole matches in a real browser: one clicks, one has keys only, both pages follow live."""

from __future__ import annotations

import random
from collections.abc import Iterator
from pathlib import Path
from typing import Literal

import pytest
from axe_playwright_python.sync_playwright import Axe  # type: ignore[import-untyped]
from playwright.sync_api import Browser as Chromium
from playwright.sync_api import Page, Response, expect, sync_playwright

from domain.json_types import JsonObject
from tests.web.pages.seats import FLAGS, Keyed, Seated, Site, Table, serving

pytestmark = [pytest.mark.browser, pytest.mark.slow]

NARROW = 320
MOST_MOVES = 250
TOUCH = 24
SMALL = """() => [...document.querySelectorAll(
        '.desk-place a, .desk-place button, .beside button, .beside summary, .shown a.way')]
    .map((one) => [one.textContent.trim().slice(0, 40), one.getBoundingClientRect()])
    .filter(([, box]) => box.width && (box.width < %d || box.height < %d))
    .map(([name, box]) => `${name}: ${box.width} x ${box.height}`)"""


@pytest.fixture(scope="module")
def site(web_sqlite_template: Path, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Site]:
    """Serve an empty service."""
    with serving(web_sqlite_template, tmp_path_factory.mktemp("match") / "site.sqlite") as found:
        yield found


@pytest.fixture(scope="module")
def browser(chromium: str) -> Iterator[Chromium]:
    """Start Chromium."""
    with sync_playwright() as playwright:
        started = playwright.chromium.launch(executable_path=chromium, args=FLAGS)
        yield started
        started.close()


@pytest.fixture(scope="module")
def table(browser: Chromium, site: Site) -> Iterator[Table]:
    """Give two players."""
    found = Table(site, Seated(browser, site, "ada"), Keyed(browser, site, "ben"))
    yield found
    for one in found.players():
        one.context.close()


def pick(moves: list[JsonObject], chance: random.Random) -> JsonObject:
    """Pick a move that brings a match nearer to its end, if one does."""
    ends = [one for one in moves if one["text"].startswith("dominate")]
    plays = [one for one in moves if "@" in one["text"] and not one["text"].startswith("place")]
    return chance.choice(ends or plays or moves)


@pytest.mark.parametrize(
    "game", ["path-capture", "grid-power", "power-line", "energy-capture", "power-lines"]
)
def test_a_match_is_played_to_its_end_by_clicks_and_by_keys(table: Table, game: str) -> None:
    match, chance = table.start(game), random.Random(game)
    for one in table.players():
        one.open(match)
    for _ in range(MOST_MOVES):
        mover = table.to_act(match)
        if mover is None:
            break
        mover.turn_is("Your turn")
        before = table.moves(match)
        mover.play(pick(mover.legal(match), chance))
        assert table.moves(match) == before + 1
    for one in table.players():
        expect(one.page.locator(".standing")).to_contain_text("won:" if won(table, match) else "draw")
        assert one.stayed()


def won(table: Table, match: str) -> bool:
    """Whether somebody has won."""
    page = table.site.app.test_client().get(f"/api/v1/matches/{match}").get_json()
    return page["result"]["winner"] is not None


def test_what_happens_is_announced_and_the_other_page_follows(table: Table) -> None:
    match = table.start("path-capture")
    for one in table.players():
        one.open(match)
    said = [one.page.locator("#desk-said") for one in table.players()]
    assert said[0].get_attribute("role") == "status"
    table.ada.enter(next(one for one in table.ada.legal(match) if one["text"] == "+2"))
    expect(said[0]).to_have_text("Your move: +2")
    table.ada.confirm()
    expect(said[0]).to_contain_text("Your opponent’s turn")
    expect(said[1]).to_contain_text("P1 goes 2 nodes forward to node 2.")
    table.ben.turn_is("Your turn")
    expect(table.ben.page.locator(".told bdi")).to_contain_text("P1 goes 2 nodes forward")
    assert table.ben.page.title().startswith("Your turn")


def test_who_waits_for_an_opponent_sees_the_match_begin(table: Table, browser: Chromium) -> None:
    from services.matches import NewMatch, Request  # noqa: PLC0415 - this one match is not joined

    matches = table.site.house.matches
    new = NewMatch("path-capture", seat=1)
    match = matches.create(Request(table.ada.id, any_version=True), new).shown.view.id
    table.ada.page.goto(f"{table.site.url}/m/{match}")
    table.ada.turn_is("Waiting for an opponent")
    matches.join(Request(table.ben.id, any_version=True), match)
    table.ada.turn_is("Your turn")


def test_a_reader_of_an_earlier_step_keeps_it_and_the_move_that_is_entered(table: Table) -> None:
    match = table.start("path-capture")
    table.ben.open(match)
    table.ada.open(match)
    table.ada.play(table.ada.legal(match)[0])
    table.ben.turn_is("Your turn")
    table.ben.play(table.ben.legal(match)[0])
    table.ada.turn_is("Your turn")
    table.ada.choose("node:3")
    expect(table.ada.page.locator(".preview")).to_be_attached()
    table.ada.page.keyboard.press("Home")
    expect(table.ada.page.locator(".counter b").first).to_have_text("0")
    expect(table.ada.page.locator(".preview")).to_be_attached()
    table.ada.page.keyboard.press("End")
    expect(table.ada.page.locator(".shown .chosen")).to_have_count(1)
    assert table.ada.stayed()


def test_the_other_page_never_receives_what_a_seat_alone_may_know(table: Table) -> None:
    match = table.start("power-lines")
    received: list[str] = []

    def keep(answer: Response) -> None:
        if f"/m/{match}" in answer.url and "text/html" in answer.headers.get("content-type", ""):
            received.append(answer.text())

    table.ben.open(match)
    table.ben.page.on("response", keep)
    table.ada.open(match)
    for _ in range(4):
        mover = table.to_act(match)
        assert mover is not None
        mover.turn_is("Your turn")
        mover.play(mover.legal(match)[0])
    table.ben.page.remove_listener("response", keep)
    assert received
    for text in received:
        # Whoever sees the other's hand sees faces in it; backs have no text.
        other = text.split("Hand of P1")[1].split("</figure>")[0]
        assert "<text" not in other


@pytest.mark.parametrize("look", ["light", "dark", "contrast"])
def test_axe_finds_nothing_on_a_match_that_is_played(
    table: Table, browser: Chromium, look: str
) -> None:
    scheme: Literal["light", "dark"] = "dark" if look == "dark" else "light"
    clocked = table.start("power-line", pace={"days_per_move": 3})
    with browser.new_context(
        storage_state=table.ada.context.storage_state(),
        color_scheme=scheme,
        contrast="more" if look == "contrast" else "no-preference",
        reduced_motion="reduce",
    ) as context:
        page = context.new_page()
        for address in states(table, clocked):
            page.goto(table.site.url + address)
            expect(page.locator("html.scripted")).to_be_attached()
            page.evaluate("document.querySelectorAll('details').forEach((one) => { one.open = true; })")
            check(page, address)


@pytest.mark.parametrize("width", [NARROW, 1280])
def test_nothing_sticks_out_and_everything_can_be_touched(
    table: Table, browser: Chromium, width: int
) -> None:
    clocked = table.start("power-line", pace={"days_per_move": 3})
    with browser.new_context(
        storage_state=table.ada.context.storage_state(), viewport={"width": width, "height": 700}
    ) as context:
        page = context.new_page()
        for address in states(table, clocked):
            page.goto(table.site.url + address)
            page.evaluate("document.querySelectorAll('details').forEach((one) => { one.open = true; })")
            assert page.evaluate("document.documentElement.scrollWidth") <= width, address
            assert page.evaluate(SMALL % (TOUCH, TOUCH)) == [], address


def states(table: Table, clocked: str) -> list[str]:
    """Return addresses of matches in all states that a desk can be in."""
    cards, tiles = table.start("power-lines"), table.start("grid-power")
    return [
        f"/m/{clocked}",
        f"/m/{clocked}?path=cell:3",
        f"/m/{clocked}?ask=resign",
        f"/m/{cards}",
        f"/m/{tiles}?path=unit:5&path=cell:2,2",
        f"/m/{tiles}?move=nonsense",
    ]


def check(page: Page, address: str) -> None:
    results = Axe().run(page, options={"resultTypes": ["violations"]})
    assert results.violations_count == 0, f"{address}: {results.generate_report()}"
