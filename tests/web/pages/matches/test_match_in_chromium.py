"""Whole matches in a real browser: one clicks, one has keys only, both pages follow live."""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Iterator

import pytest
from playwright.sync_api import Browser as Chromium
from playwright.sync_api import Response, expect

from services.matches.actions import Action
from services.matches.requests import ChangeRequest, NewMatch
from tests.web.pages.chromium import LOOKS, OPEN_ALL, PATIENCE, check, wait_until
from tests.web.pages.seats import Keyed, Table

pytestmark = [pytest.mark.browser, pytest.mark.slow]

NARROW, WIDE = 320, 1280
TOUCH = 24
MIDDLE = """(space) => {
    const picture = document.querySelector('.shown [data-spots]');
    picture.scrollIntoView({ block: 'center' });
    const [x, y] = JSON.parse(picture.dataset.spots)[space];
    const found = new DOMPoint(x, y).matrixTransform(picture.getScreenCTM());
    return [found.x, found.y];
}"""
SMALL = """() => [...document.querySelectorAll(
        '.desk-place a, .desk-place button, .beside button, .beside summary, .shown a.way')]
    .map((one) => [one.textContent.trim().slice(0, 40), one.getBoundingClientRect()])
    .filter(([, box]) => box.width && (box.width < %d || box.height < %d))
    .map(([name, box]) => `${name}: ${box.width} x ${box.height}`)"""


def cards(match: str, table: Table) -> Iterator[str]:
    """Say what is played in a match of cards: whoever is first goes straight for the base."""
    first = 1 if table.to_act(match) is table.ada else 2
    on, home, far = (1, 0, 4) if first == 1 else (-1, 4, 0)
    for number in (1, 2, 3):
        yield f"place 8@{home + on * number},0"
        yield f"place 8@{far + on * number},0"
    yield f"8@{far - on},1 -8"
    yield f"8@{far},1 -8"
    yield f"dominate {far},0"


ONLY_EIGHTS = {"settings.deck": "8 " * 26}
CELLS = [{"row": 1, "column": column, "value": 5} for column in (2, 3, 4)]
OPTIONS = {
    "Power Line": {"options.length": "3", "options.nodes": "3"},
    "Energy Capture": {"options.cells": json.dumps(CELLS)},
    "Power Lines": {"options.gap": "3", **ONLY_EIGHTS},
}
MOVES = {
    "Path Capture": "+3 +3 +2 +2",
    "Grid Power": "5@2,2 9@1,1 4@2,1 8@3,3 3@1,2 7@1,3 9@2,3 6@3,1 8@3,2",
    "Power Line": "0=1 2=1 1=2 2=1 2=1",
    "Energy Capture": "1,2 5,4 1,3 5,3 1,4",
}


@pytest.mark.parametrize(
    ("game", "reason"),
    [
        ("Path Capture", "a piece has landed on the other one"),
        ("Grid Power", "the grid is full, and power decides"),
        ("Power Line", "one player holds the whole line"),
        ("Energy Capture", "a score of 15 has been reached"),
        ("Power Lines", "the other base has been dominated"),
    ],
)
def test_a_match_is_played_to_its_end_by_clicks_and_by_keys(
    table: Table, game: str, reason: str
) -> None:
    match = table.ada.challenge(table.ben, game, OPTIONS.get(game, {}))
    table.ben.accept(match, ONLY_EIGHTS if game == "Power Lines" else {})
    play_to_the_end(table, match, MOVES[game].split() if game in MOVES else cards(match, table))
    told = []
    for one in table.players():
        expect(one.page.locator(".standing")).to_contain_text(f"won: {reason}.")
        told.append(one.page.locator(".standing").inner_text().partition(" won")[0])
        assert one.stayed()
    assert sorted(told) in (["You", "ada"], ["You", "ben"])


def test_a_match_is_played_by_keys_alone(table: Table, browser: Chromium) -> None:
    eve = Keyed(browser, table.site, "eve")
    match = eve.challenge(table.ben, "Path Capture", {"options.length": "7"})
    table.ben.accept(match, {})
    play_to_the_end(table._replace(ada=eve), match, ["+1", "+1", "+2", "+2"])
    for one, winner in ((eve, "ben"), (table.ben, "You")):
        expect(one.page.locator(".standing")).to_have_text(
            f"{winner} won: a piece has landed on the other one."
        )
    eve.context.close()


def play_to_the_end(table: Table, match: str, moves: Iterable[str]) -> None:
    """Play moves on both pages; each of them hears of the other's by itself."""
    for one in table.players():
        # The page of whoever waited comes anew by itself; to go elsewhere meanwhile stops it.
        title = one.page.locator("#desk-title")
        expect(title).not_to_have_text("Waiting for an opponent", timeout=PATIENCE)
        one.open(match)
    for number, text in enumerate(moves, 1):
        mover = table.to_act(match)
        assert mover is not None
        mover.turn_is("Your turn")
        mover.play(next(one for one in mover.legal(match) if one["text"] == text))
        assert table.moves(match) == number
    assert table.to_act(match) is None


def test_what_happens_is_announced_and_the_other_page_follows(table: Table) -> None:
    match = table.start("path-capture")
    for one in table.players():
        one.open(match)
    waited = table.site.house.agenda.count_turns(table.ben.id)
    said = [one.page.locator("#desk-said") for one in table.players()]
    assert said[0].get_attribute("role") == "status"
    table.ada.enter(next(one for one in table.ada.legal(match) if one["text"] == "+2"))
    expect(said[0]).to_have_text("Your move: +2 You go 2 nodes forward to node 2.")
    table.ada.confirm()
    expect(said[0]).to_contain_text("Your opponent's turn")
    expect(said[1]).to_contain_text("ada goes 2 nodes forward to node 2.")
    table.ben.turn_is("Your turn")
    expect(table.ben.page.locator(".told bdi")).to_contain_text("ada goes 2 nodes forward")
    assert table.ben.page.title().startswith(f"({waited + 1}) Your turn")


def test_a_click_and_a_key_where_nothing_can_be_chosen_are_answered_with_the_rule(
    table: Table,
) -> None:
    match = table.start("energy-capture")
    table.ada.open(match)
    page, warning = table.ada.page, table.ada.page.locator(".desk .bar > .warning")
    rule = "A step goes one cell up, down, left or right from where you are, (1,1)."
    x, y = page.evaluate(MIDDLE, "cell:3,3")
    page.mouse.click(x, y)
    expect(warning).to_contain_text(rule)
    expect(page.locator("#desk-said")).to_contain_text(rule)
    page.reload()
    expect(warning).to_have_count(0)
    page.locator('[data-walked] [data-space="cell:5,1"]').focus()
    page.keyboard.press("Enter")
    expect(warning).to_contain_text(rule)
    expect(page.locator('[data-walked] [data-space="cell:5,1"]')).to_be_focused()
    table.ada.choose("cell:1,2")
    expect(warning).to_have_count(0)
    table.ada.confirm()
    table.ada.turn_is("Your opponent's turn")


def test_who_waits_for_an_opponent_sees_the_match_begin(table: Table) -> None:
    matches = table.site.house.matches
    new = NewMatch("path-capture", seat=1)
    match = matches.create(ChangeRequest(table.ada.id, any_version=True), new).shown.view.id
    table.ada.page.goto(f"{table.site.url}/m/{match}")
    table.ada.turn_is("Waiting for an opponent")
    matches.join(ChangeRequest(table.ben.id, any_version=True), match)
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
    expect(table.ada.page.locator(".counter")).to_have_text("Before the first move")
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
        other = text.split("Hand (ada)")[1].split("</figure>")[0]
        assert "<text" not in other


def test_a_desk_fits_can_be_touched_and_axe_finds_nothing_there_in_any_state(
    table: Table, browser: Chromium
) -> None:
    clocked = table.start("power-line", pace={"days_per_move": 3})
    with browser.new_context(
        storage_state=table.ada.context.storage_state(), reduced_motion="reduce"
    ) as context:
        page = context.new_page()
        for address in states(table, clocked):
            page.goto(table.site.url + address)
            expect(page.locator("html.settled")).to_be_attached()
            page.evaluate(OPEN_ALL)
            for width in (NARROW, WIDE):
                page.set_viewport_size({"width": width, "height": 700})
                where = f"{address} at {width}"
                assert page.evaluate("document.documentElement.scrollWidth") <= width, where
                assert page.evaluate(SMALL % (TOUCH, TOUCH)) == [], where
            check(page, address, *LOOKS)


def states(table: Table, clocked: str) -> list[str]:
    """Return addresses of matches in all states that a desk can be in."""
    cards, tiles = table.start("power-lines"), table.start("grid-power")
    return [
        f"/m/{clocked}",
        f"/m/{clocked}?path=cell:3",
        f"/m/{clocked}?ask=resign",
        f"/m/{cards}",
        f"/m/{cards}?path=nonsense&on=2",
        f"/m/{tiles}",
        f"/m/{tiles}?path=unit:5",
        f"/m/{tiles}?path=unit:5&path=cell:2,2",
        f"/m/{tiles}?move=nonsense",
    ]


def test_the_end_is_announced_and_the_keyboard_is_at_the_result(table: Table) -> None:
    match = table.start("path-capture", options={"length": 7})
    for one in table.players():
        one.open(match)
    for text in ("+1", "+1", "+2", "+2"):
        mover = table.to_act(match)
        assert mover is not None
        mover.turn_is("Your turn")
        mover.play(next(one for one in mover.legal(match) if one["text"] == text))
    for one, winner in zip(table.players(), ("ben", "You"), strict=True):
        result = f"{winner} won: a piece has landed on the other one."
        said = one.page.locator("#desk-said")
        expect(said).to_contain_text(result)
        expect(said).not_to_contain_text("..")
        expect(said).not_to_contain_text(re.compile(r"[.)]\w"))
    assert "You won" in table.ben.page.evaluate("document.activeElement.textContent")
    assert table.ben.page.evaluate("document.activeElement.matches('.standing')")


def test_an_end_that_is_told_under_the_board_leaves_no_empty_box_beside_it(table: Table) -> None:
    match = table.start("path-capture")
    table.ben.open(match)
    table.ben.turn_is("Your opponent's turn")
    resign = ChangeRequest(table.ada.id, any_version=True)
    table.site.house.matches.act(resign, match, Action("resign"))
    page = table.ben.page
    expect(page.locator(".told")).to_contain_text("You won: ada resigned.")
    desks = "[...document.querySelectorAll('.desk')].map((one) => getComputedStyle(one).clipPath)"
    wait_until(page, f"document.querySelector('.after') && {desks}.every((one) => one !== 'none')")


def test_a_unit_of_the_hand_chosen_by_key_leads_to_the_cells_that_it_can_go_to(
    table: Table,
) -> None:
    match = table.start("grid-power")
    table.ada.open(match)
    page = table.ada.page
    page.locator('.held [data-walked] [data-space="unit:5"]').focus()
    page.keyboard.press("Enter")
    at = "() => document.activeElement.dataset.space ?? ''"
    wait_until(page, f"() => ({at})().startsWith('cell:')")
    before = page.evaluate(at)
    page.keyboard.press("ArrowRight")
    page.keyboard.press("ArrowDown")
    assert page.evaluate(at) != before
    page.keyboard.press("Enter")
    expect(page.locator(".preview code")).to_have_text("5@2,2")


def played(table: Table, match: str, text: str) -> None:
    """Let whoever is to move play a move, and wait until their page has it."""
    mover = table.to_act(match)
    assert mover is not None
    mover.turn_is("Your turn")
    mover.play(next(one for one in mover.legal(match) if one["text"] == text))


def test_what_the_graph_says_in_words_follows_live(table: Table) -> None:
    match = table.start("power-line")
    watcher = table.ben.window()
    for one in table.players():
        one.open(match)
    table.ben.open(match, "", watcher)
    told = watcher.locator(".graph-told")
    for text in ("0=1", "10=1", "1=1", "9=1"):
        played(table, match, text)
    expect(told).to_have_count(0)
    played(table, match, "2=1")
    # From the fifth move on.
    expect(told).to_have_count(1, timeout=PATIENCE)
    before = told.text_content()
    played(table, match, "8=1")
    expect(told).not_to_have_text(before or "")
    watcher.close()


def test_the_form_says_live_what_will_happen_and_shows_what_counts(table: Table) -> None:
    table.ada.visit("/new?game=power-line")
    page = table.ada.page
    told, name = page.locator("output"), page.locator("#f-opponent")
    expect(told).to_contain_text("that anybody can join: 3 days a turn, random seats")
    for value, words in (
        ("player", "Type the name of the player"),
        ("link", "a link to send"),
        ("anybody", "that anybody can join"),
    ):
        table.ada.pick("with", value)
        expect(told).to_contain_text(words)
        expect(name).to_be_visible(visible=value == "player")
    table.ada.pick("with", "player")
    name.fill("ben")
    expect(told).to_contain_text("You challenge ben to Power Line")
    # A name that is not shown any more is not meant.
    table.ada.pick("with", "anybody")
    expect(told).to_contain_text("that anybody can join")
    numbers = page.locator(".own-number:visible input")
    expect(numbers).to_have_count(0)
    for value, names in (
        ("own-days", ["days_per_move"]),
        ("own-bank", ["bank_hours", "increment_hours", "cap_hours"]),
    ):
        table.ada.pick("pace", value)
        assert [one.get_attribute("name") for one in numbers.all()] == names
    page.locator("[name=cap_hours]").fill("300")
    expect(told).to_contain_text("300 h at most")
    table.ada.visit("/new?game=power-line&opponent=ben")
    expect(told).to_contain_text("You challenge ben to Power Line")
    expect(name).to_have_value("ben")
