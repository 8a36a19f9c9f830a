"""Beside a match in a real browser: lines, chat, notes and offers, and who sees them."""

from __future__ import annotations

import pytest
from playwright.sync_api import Browser as Chromium
from playwright.sync_api import Page, expect

from services.matches.actions import Action
from services.matches.queries import Asker
from services.matches.requests import ChangeRequest
from tests.web.pages.chromium import PATIENCE
from tests.web.pages.seats import Seated, Table

pytestmark = [pytest.mark.browser, pytest.mark.slow]

NOW_AND_THEN = 150_000
"""Milliseconds after which a page without a stream looks for news."""


@pytest.fixture
def match(table: Table) -> str:
    """Start a match in which ada is to move, and open it on both pages."""
    found = table.start("path-capture")
    for one in table.players():
        one.open(found)
    table.ada.turn_is("Your turn")
    return found


def play(player: Seated, match: str, text: str) -> None:
    player.turn_is("Your turn")
    player.play(next(one for one in player.legal(match) if one["text"] == text))


def try_on_the_board(page: Page, step: str) -> None:
    """Choose a step of a line where it is on the board, and try the move that it makes."""
    page.locator(f'.board a.way[data-space="{step}"] .go-edge').first.click()


def test_a_line_that_is_clicked_on_the_board_is_kept_and_played_when_the_opponent_answers_so(
    table: Table, match: str
) -> None:
    play(table.ada, match, "+2")
    table.ada.turn_is("Your opponent's turn")
    page = table.ada.page
    page.locator("summary", has_text="Conditional moves").click()
    page.get_by_role("link", name="Enter a line on a board").click()
    for step, tried in (("node:9", ["+1"]), ("node:5", ["+1", "+3"])):
        try_on_the_board(page, step)
        expect(page.locator(".moves-list .branch .entry")).to_have_text(tried)
    page.get_by_role("button", name="Keep it as conditional moves").click()
    expect(page.locator("#lines .line-text")).to_have_text(["1 If +1, then +3."])
    assert "then +3" not in table.ben.page.content()
    play(table.ben, match, "+1")
    table.ben.turn_is("Your turn")
    assert table.moves(match) == 3
    expect(table.ben.page.locator(".told bdi")).to_contain_text(
        "ada goes 3 nodes forward to node 5."
    )
    expect(page.locator(".told bdi")).to_contain_text("You go 3 nodes forward to node 5.")
    expect(page.locator("#lines .line-text")).to_have_count(0)


def test_what_the_opponent_writes_arrives_on_an_open_page_and_is_said(
    table: Table, match: str
) -> None:
    page = table.ben.window()
    table.ben.open(match, page=page)
    page.locator("#say-players").fill("half a sen")
    table.ada.page.locator("#say-players").fill("good luck, ben")
    table.ada.page.get_by_role("button", name="Send").click()
    expect(table.ada.page.locator(".said-text")).to_have_text("good luck, ben")
    expect(page.locator(".said-text")).to_have_text("good luck, ben")
    expect(page.locator("#desk-said")).to_contain_text("good luck, ben")
    expect(page.locator("#say-players")).to_have_value("half a sen")
    assert page.evaluate("window.stayed") is True
    page.close()


def test_what_stands_in_a_panel_keeps_its_distance(table: Table, match: str) -> None:
    page = table.ben.window()
    table.ben.open(match, page=page)
    page.locator("summary", has_text="Conditional moves").click()
    fields = page.locator("#lines .panel-form")
    fields.locator("[name=if]").fill("+1")
    fields.locator("[name=then]").fill("+3")
    fields.get_by_role("button").click()
    expect(page.locator("#lines .line-text")).to_have_count(1)
    gaps = page.evaluate(
        """() => [...document.querySelectorAll("#lines > *")]
          .map((one) => one.getBoundingClientRect())
          .map(({ bottom }, at, all) => (all[at + 1]?.top ?? bottom + 99) - bottom)"""
    )
    assert len(gaps) >= 5
    assert min(gaps) >= 8
    page.close()


def test_one_panel_is_open_and_messages_are_marked_on_the_tab_of_one_that_is_not(
    table: Table, match: str
) -> None:
    page = table.ben.window()
    table.ben.open(match, page=page)
    chat, notes = (page.locator(".panel", has_text=name) for name in ("Your message", "A new note"))
    expect(chat).to_have_attribute("open", "")
    # By keys as well; the other one folds.
    notes.locator("> summary").press("Enter")
    expect(notes).to_have_attribute("open", "")
    expect(chat).not_to_have_attribute("open", "")
    table.site.house.chat.say(table.ada.id, match, "players", "good luck, ben")
    expect(chat.locator("> summary")).to_have_attribute("data-news", "1 new")
    # What is open stays so, and the mark stays until the messages are seen.
    play(table.ada, match, "+1")
    expect(page.locator("#desk-title")).to_have_text("Your turn")
    expect(notes).to_have_attribute("open", "")
    expect(chat.locator("> summary")).to_have_attribute("data-news", "1 new")
    chat.locator("> summary").click()
    expect(page.locator(".said-text")).to_be_in_viewport()
    expect(chat.locator("> summary")).not_to_have_attribute("data-news", "1 new")
    page.close()


def test_tabs_stand_in_one_row_above_the_panel_that_an_address_opens(
    table: Table, browser: Chromium, match: str
) -> None:
    with browser.new_context(
        java_script_enabled=False, storage_state=table.ada.context.storage_state()
    ) as context:
        page = context.new_page()
        page.goto(f"{table.site.url}/m/{match}#notes")
        tabs = page.locator(".panel > summary").evaluate_all(
            "all => all.map((one) => one.getBoundingClientRect().top)"
        )
        assert len(tabs) == 5
        assert len(set(tabs)) == 1
        expect(page.get_by_label("A new note")).to_be_in_viewport()
        assert page.locator(".panel[open]").count() == 1


def test_who_watches_reads_live_what_others_say_who_watch(
    table: Table, browser: Chromium, match: str
) -> None:
    with browser.new_context() as context:
        page = context.new_page()
        table.ada.open(match, page=page)
        eve = table.site.house.accounts.get_local_player("eve").id
        table.site.house.chat.say(eve, match, "spectators", "node 7!")
        expect(page.locator(".said-text")).to_have_text("node 7!")
        expect(page.locator(".said")).to_contain_text("node 7!")
        assert page.evaluate("window.stayed") is True


def test_what_the_end_opens_is_on_the_page_and_stays_live(table: Table, match: str) -> None:
    page, house = table.ada.page, table.site.house
    rooms = page.locator(".beside summary", has_text="Chat")
    expect(rooms).to_have_count(1)
    asking = ChangeRequest(table.ben.id, any_version=True)
    house.matches.act(asking, match, Action("resign"))
    expect(rooms).to_have_count(2)
    expect(page.locator(".panel > summary", has_text="Analysis")).to_be_visible()
    # What has ended it is news at the present step; at another one the box has nothing to say.
    over = page.get_by_role("heading", name="It is over")
    expect(over).to_be_visible()
    page.keyboard.press("ArrowLeft")
    expect(over).to_be_hidden()
    page.keyboard.press("End")
    eve = house.accounts.get_local_player("eve").id
    house.chat.say(eve, match, "spectators", "well played")
    expect(page.locator(".said-text")).to_have_text("well played")
    expect(page.get_by_role("button", name="Play again")).to_be_visible()
    house.rematches.ask(asking, match)
    expect(page.get_by_role("button", name="Accept the rematch")).to_be_visible()
    expect(page.locator("#desk-said")).to_have_text(
        "Your opponent wants to play again, seats swapped."
    )
    assert table.ada.stayed()


def test_what_was_hidden_is_shown_at_earlier_steps_once_the_match_has_ended(table: Table) -> None:
    match = table.start("power-lines")
    page, house = table.ada.page, table.site.house
    table.ada.open(match)
    expect(page.locator(".sights")).to_have_count(0)
    page.evaluate("plybook.loaded")
    house.matches.act(ChangeRequest(table.ben.id, any_version=True), match, Action("resign"))
    expect(page.locator(".sights a")).to_have_count(4)
    page.keyboard.press("Home")
    expect(page.locator(".counter")).to_have_text("Before the first move")
    # The other one's hand lies open, as on the page of this step that a reader loads.
    seen = page.locator(".others .kind-card")
    number = seen.count()
    page.reload()
    assert number == seen.count() > 0


def test_without_a_stream_what_is_said_arrives_all_the_same(table: Table, match: str) -> None:
    page = table.ben.window()
    page.clock.install()
    page.route("**/stream*", lambda route: route.abort())
    table.ben.open(match, page=page)
    table.site.house.chat.say(table.ada.id, match, "players", "good luck, ben")
    page.clock.run_for(NOW_AND_THEN + 1000)
    expect(page.locator(".said-text")).to_have_text("good luck, ben")
    page.close()


def test_a_note_is_kept_for_its_author_alone(table: Table, match: str) -> None:
    page = table.ada.page
    page.locator("summary", has_text="My notes").click()
    page.get_by_label("A new note").fill("a plan of mine")
    page.get_by_role("button", name="Keep this note").click()
    note = page.get_by_role("textbox", name="On the whole match")
    expect(note).to_have_value("a plan of mine")
    assert table.ada.stayed()
    page.reload()
    page.locator("summary", has_text="My notes").click()
    expect(note).to_have_value("a plan of mine")
    for one in (table.ada, table.ben):
        source = one.page.request.get(f"{table.site.url}/m/{match}").text()
        assert ("a plan of mine" in source) is (one is table.ada)


@pytest.mark.parametrize("watching", [False, True])
def test_the_time_of_the_last_event_follows_a_move(
    table: Table, browser: Chromium, match: str, *, watching: bool
) -> None:
    context = browser.new_context() if watching else None
    page = context.new_page() if context else table.ben.page
    table.ada.open(match, page=page)
    last = page.locator(".facts dt", has_text="Last event").locator("+ dd time")
    before = last.get_attribute("datetime") or ""
    # A move in the same second would change nothing that can be seen. (A page's own clock may
    # have been put forward.)
    table.site.wait_until_behind(before)
    play(table.ada, match, "+1")
    expect(last).not_to_have_attribute("datetime", before, timeout=PATIENCE)
    expect(last).to_have_attribute("datetime", last_event(table, match))
    assert page.evaluate("window.stayed") is True
    if context:
        context.close()


def last_event(table: Table, match: str) -> str:
    """Return the second of the last event, as pages write it."""
    return table.site.house.queries.show(Asker(), match).view.updated_at.partition(".")[0] + "Z"


@pytest.mark.usefixtures("match")
def test_an_offer_arrives_on_the_open_page_and_its_answer_on_the_other(table: Table) -> None:
    ada, ben = table.ada.page, table.ben.page
    ada.locator(".asks summary").click()
    ada.get_by_role("button", name="Offer a draw").click()
    ben.get_by_role("button", name="Accept").click()
    for page in (ada, ben):
        expect(page.locator(".standing")).to_contain_text("draw")
        assert page.evaluate("window.stayed") is True


def test_a_takeback_that_is_allowed_takes_the_move_from_both_boards(
    table: Table, match: str
) -> None:
    play(table.ada, match, "+2")
    table.ben.turn_is("Your turn")
    ada, ben = table.ada.page, table.ben.page
    ada.locator(".asks summary").click()
    ada.get_by_role("button", name="Ask to take back").click()
    ben.locator(".proposal.theirs button").first.click()
    table.ada.turn_is("Your turn")
    for page in (ada, ben):
        expect(page.locator(".moves-list .gone")).to_have_count(1)
        assert page.evaluate("window.stayed") is True
