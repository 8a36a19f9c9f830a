"""What comes in between while somebody plays: nothing is lost, and nothing counts twice."""

from __future__ import annotations

import sqlite3
from contextlib import closing
from pathlib import Path
from time import sleep
from typing import Any

import pytest
from playwright.sync_api import Browser as Chromium
from playwright.sync_api import Page, Request, Route, expect

from domain.json_types import JsonObject
from services.matches.commands import MatchCommands
from services.matches.requests import ChangeRequest, CommandResult, NewMatch
from tests.web.pages.chromium import PATIENCE, serving
from tests.web.pages.seats import Keyed, Seated, Table

pytestmark = [pytest.mark.browser, pytest.mark.slow]

UNIT = "unit:5"
CELL = "cell:2,2"


@pytest.fixture
def match(table: Table) -> str:
    """Start a match in which ada is to move, and open it on her page."""
    found = table.start("grid-power")
    table.ada.open(found)
    table.ada.turn_is("Your turn")
    return found


def play_elsewhere(table: Table, player: Seated, match: str, text: str) -> None:
    """Play a move as from another device."""
    unit, row, column = text.replace("@", ",").split(",")
    move: JsonObject = {"unit": int(unit), "row": int(row), "column": int(column)}
    table.site.house.matches.play(ChangeRequest(player.id, any_version=True), match, move)


def steps(page: Page, number: int) -> None:
    expect(page.locator(".desk .taken li")).to_have_count(number)


def sent(page: Page) -> list[str]:
    """Return what the page sends from now on, as it goes out."""
    found: list[str] = []

    def note(request: Request) -> None:
        if request.method == "POST":
            found.append(request.url.rpartition("/")[2])

    page.on("request", note)
    return found


def test_whatever_is_open_outlives_a_reload(table: Table, match: str) -> None:
    page = table.ada.page
    table.ada.choose(UNIT)
    steps(page, 1)
    page.reload()
    steps(page, 1)
    page.keyboard.press("?")
    expect(page.locator("#keys")).to_be_visible()
    page.reload()
    expect(page.locator("#keys")).to_be_hidden()
    table.ada.choose(CELL)
    expect(page.locator(".preview code")).to_have_text("5@2,2")
    page.reload()
    expect(page.locator(".preview code")).to_have_text("5@2,2")
    page.locator(".offers a", has_text="Abort").click()
    expect(page.locator("form.sure")).to_be_visible()
    page.reload()
    page.locator("form.sure a", has_text="No, keep playing").click()
    expect(page.locator(".preview code")).to_have_text("5@2,2")
    table.ada.confirm()
    table.ada.turn_is("Your opponent's turn")
    assert table.moves(match) == 1


def test_whoever_joins_is_not_stopped_by_the_page_that_comes_anew(
    table: Table, monkeypatch: pytest.MonkeyPatch
) -> None:
    wanted, join = NewMatch("grid-power", seat=1), MatchCommands.join
    made = table.site.house.matches.create(ChangeRequest(table.ben.id, any_version=True), wanted)

    def slow(*given: Any) -> CommandResult:  # noqa: ANN401 - whatever joining takes
        # The page hears that the match has begun while the answer is still on its way.
        done = join(*given)
        sleep(1)
        return done

    monkeypatch.setattr(MatchCommands, "join", slow)
    stopped: list[str] = []
    table.ada.open(made.shown.view.id)
    table.ada.page.on("requestfailed", lambda one: stopped.append(f"{one.method} {one.url}"))
    table.ada.press("Join this match")
    table.ada.turn_is("Your opponent's turn")
    assert [one for one in stopped if one.startswith("POST")] == []


def test_back_goes_back_step_by_step_and_never_plays_again(table: Table, match: str) -> None:
    page = table.ada.page
    table.ada.choose(UNIT)
    steps(page, 1)
    table.ada.choose(CELL)
    expect(page.locator(".preview")).to_be_attached()
    page.go_back()
    expect(page.locator(".preview")).to_have_count(0)
    steps(page, 1)
    page.go_back()
    steps(page, 0)
    page.go_forward()
    steps(page, 1)
    assert table.ada.stayed()
    table.ada.choose(CELL)
    table.ada.confirm()
    table.ada.turn_is("Your opponent's turn")
    page.go_back()
    table.ada.turn_is("Your opponent's turn")
    expect(page.locator(".preview")).to_have_count(0)
    assert table.moves(match) == 1


def test_two_clicks_send_a_move_once(table: Table, match: str) -> None:
    page = table.ada.page
    posts = sent(page)
    table.ada.choose(UNIT)
    steps(page, 1)
    table.ada.choose(CELL)
    page.locator(".preview button").dblclick()
    table.ada.turn_is("Your opponent's turn")
    page.wait_for_timeout(300)
    assert posts == ["moves"]
    assert table.moves(match) == 1


def test_a_lost_connection_keeps_the_move_and_goes_on_when_it_is_back(
    table: Table, match: str
) -> None:
    page, sign = table.ada.page, table.ada.page.locator("#connection")
    expect(sign).to_have_attribute("data-state", "live")
    table.ada.choose(UNIT)
    steps(page, 1)
    table.ada.context.set_offline(True)
    expect(sign).to_have_attribute("data-state", "lost")
    table.ada.choose(CELL)
    expect(sign).to_contain_text("What you entered is kept")
    steps(page, 1)
    table.ada.context.set_offline(False)
    expect(page.locator(".preview code")).to_have_text("5@2,2", timeout=PATIENCE)
    expect(sign).to_have_attribute("data-state", "live")
    table.ada.context.set_offline(True)
    table.ada.confirm()
    expect(sign).to_contain_text("What you entered is kept")
    assert table.moves(match) == 0
    table.ada.context.set_offline(False)
    table.ada.turn_is("Your opponent's turn")
    assert table.moves(match) == 1
    assert table.ada.stayed()


def test_a_move_whose_answer_is_lost_counts_once(table: Table, match: str) -> None:
    page = table.ada.page
    posts = sent(page)
    lost: list[int] = []

    def lose_the_answer(route: Route) -> None:
        if not lost:
            lost.append(route.fetch(max_redirects=0).status)
            route.abort()
        else:
            route.continue_()

    page.route("**/moves", lose_the_answer)
    table.ada.choose(UNIT)
    steps(page, 1)
    table.ada.choose(CELL)
    table.ada.confirm()
    table.ada.turn_is("Your opponent's turn")
    page.unroute("**/moves")
    assert lost == [303]
    assert posts == ["moves", "moves"]
    assert table.moves(match) == 1
    expect(page.locator(".desk [role=alert]")).to_have_count(0)


def test_a_stale_page_tells_what_happened_and_keeps_the_draft(table: Table, match: str) -> None:
    page = table.ada.page
    page.route("**/stream*", lambda route: route.abort())
    table.ada.open(match)
    table.ada.choose(UNIT)
    steps(page, 1)
    table.ada.choose(CELL)
    expect(page.locator(".preview code")).to_have_text("5@2,2")
    play_elsewhere(table, table.ada, match, "9@1,1")
    play_elsewhere(table, table.ben, match, "8@3,3")
    table.ada.confirm()
    expect(page.locator(".news li")).to_have_count(2)
    expect(page.locator(".news")).to_contain_text("ben")
    expect(page.locator(".preview code")).to_have_text("5@2,2")
    assert table.moves(match) == 2
    table.ada.confirm()
    table.ada.turn_is("Your opponent's turn")
    assert table.moves(match) == 3
    page.unroute("**/stream*")
    assert table.ada.stayed()


def test_news_that_takes_a_draft_away_says_so(table: Table, match: str) -> None:
    page = table.ada.page
    table.ada.choose(UNIT)
    steps(page, 1)
    table.ada.choose(CELL)
    expect(page.locator(".preview")).to_be_attached()
    play_elsewhere(table, table.ada, match, "9@2,2")
    play_elsewhere(table, table.ben, match, "8@3,3")
    expect(page.locator(".desk .warning")).to_contain_text("Not possible any more")
    expect(page.locator(".news")).to_be_attached()
    steps(page, 1)
    table.ada.choose("cell:1,1")
    expect(page.locator(".preview code")).to_have_text("5@1,1")


def test_a_move_typed_against_a_rule_is_answered_with_the_rule(table: Table, match: str) -> None:
    page = table.ada.page
    play_elsewhere(table, table.ada, match, "9@2,2")
    play_elsewhere(table, table.ben, match, "8@3,3")
    expect(page.locator(".news li")).to_have_count(2)
    page.locator("#typed").fill("9@1,1")
    page.locator("#typed").press("Enter")
    expect(page.locator("#typed-error")).to_be_visible()
    rule = page.locator("#typed-error").inner_text()
    expect(page.locator("#desk-said")).to_have_text(rule)
    expect(page.locator("#typed")).to_be_focused()
    assert "9" in rule
    assert table.ada.stayed()


def test_a_match_is_played_while_scripts_do_not_arrive(table: Table) -> None:
    match = table.start("path-capture", options={"length": 7})
    for one in table.players():
        one.context.route("**/*.js", lambda route: route.abort())
        one.page.goto(f"{table.site.url}/m/{match}")
    for mover, node in zip((table.ada, table.ben) * 2, (1, 5, 3, 3), strict=True):
        page = mover.page
        page.reload()
        with page.expect_navigation():
            page.locator(f'.shown a.way[data-space="node:{node}"] .go-edge').click()
        with page.expect_navigation():
            page.locator(".preview button").click()
    for one, winner in zip(table.players(), ("ben", "You"), strict=True):
        one.page.reload()
        expect(one.page.locator(".standing")).to_have_text(
            f"{winner} won: a piece has landed on the other one."
        )
        assert one.page.evaluate("globalThis.plybook") is None
        one.context.unroute("**/*.js")


def test_a_page_that_nobody_looks_at_lets_go_of_its_connection(table: Table, match: str) -> None:
    page = table.ada.page
    turn = """([hidden]) => {
        Object.defineProperty(document, "hidden", { configurable: true, value: hidden });
        document.dispatchEvent(new Event("visibilitychange"));
        return plybook.follower.source.readyState;
    }"""
    expect(page.locator("#connection")).to_have_attribute("data-state", "live")
    assert page.evaluate(turn, [True]) == 2
    play_elsewhere(table, table.ada, match, "9@2,2")
    page.wait_for_timeout(500)
    table.ada.turn_is("Your turn")
    assert page.evaluate(turn, [False]) < 2
    table.ada.turn_is("Your opponent's turn")


def test_a_private_match_is_followed_live_and_over_a_restart(
    browser: Chromium,
    sqlite_template: Path,
    tmp_path_factory: pytest.TempPathFactory,
) -> None:
    path = tmp_path_factory.mktemp("restart") / "site.sqlite"
    with serving(sqlite_template, path) as first:
        port = int(first.url.rpartition(":")[2])
        table = Table(first, Seated(browser, first, "ada"), Keyed(browser, first, "ben"))
        match = table.start("grid-power", visibility="private", opponent="ben")
        table.ada.open(match)
        assert f"/m/{match}/stream" in table.ada.page.content()
        table.ada.choose(UNIT)
        play_elsewhere(table, table.ada, match, "9@1,1")
        table.ada.turn_is("Your opponent's turn")
    with serving(None, path, port) as second:
        play_elsewhere(table._replace(site=second), table.ben, match, "8@3,3")
        table.ada.turn_is("Your turn")
        expect(table.ada.page.locator("#connection")).to_have_attribute("data-state", "live")
        assert table.ada.stayed()
    for one in table.players():
        one.context.close()


def test_pages_begin_anew_when_a_backup_takes_the_place_of_their_match(
    browser: Chromium,
    sqlite_template: Path,
    tmp_path_factory: pytest.TempPathFactory,
) -> None:
    folder = tmp_path_factory.mktemp("backup")
    path, backup = folder / "site.sqlite", folder / "backup.sqlite"
    with serving(sqlite_template, path) as first:
        port = int(first.url.rpartition(":")[2])
        table = Table(first, Seated(browser, first, "ada"), Keyed(browser, first, "ben"))
        match = table.start("grid-power")
        play_elsewhere(table, table.ada, match, "9@1,1")
        with closing(sqlite3.connect(path)) as there, closing(sqlite3.connect(backup)) as copy:
            there.backup(copy)
        play_elsewhere(table, table.ben, match, "8@3,3")
        table.ada.open(match)
        table.ada.choose(UNIT)
        onlooker = browser.new_page()
        onlooker.goto(f"{first.url}/m/{match}?at={table.moves(match) + 4}")
        for page in (table.ada.page, onlooker):
            expect(page.locator("#connection")).to_have_attribute("data-state", "live")
    with serving(None, backup, port):
        table.ada.turn_is("Your opponent's turn")
        for page in (table.ada.page, onlooker):
            expect(page.locator("#connection")).to_have_attribute("data-state", "live")
            expect(page.locator(".counter")).to_have_text("Move 1 of 1")
    onlooker.close()
    for one in table.players():
        one.context.close()


def test_a_page_whose_stream_was_replaced_asks_once_a_minute(table: Table, match: str) -> None:
    page = table.ada.page
    body = "retry: 10\n\nevent: replaced\ndata: {}\n\n"
    asked: list[str] = []

    def replaced(route: Route) -> None:
        asked.append(route.request.url)
        route.fulfill(status=200, content_type="text/event-stream", body=body)

    page.route("**/stream*", replaced)
    page.clock.install()
    page.reload()
    expect(page.locator("#connection")).to_have_text(
        "News comes once a minute: many pages are open"
    )
    play_elsewhere(table, table.ada, match, "9@2,2")
    table.ada.turn_is("Your turn")
    page.clock.run_for(61_000)
    table.ada.turn_is("Your opponent's turn")
    assert len(asked) == 1
    page.unroute("**/stream*")
