"""Two tabs of one browser: a page notices that it is for somebody else by now, and comes anew."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from playwright.sync_api import Browser as Chromium
from playwright.sync_api import Page, expect

from services.matches.queries import Asker
from tests.web.pages.chromium import PATIENCE, Site
from tests.web.pages.seats import Keyed, Seated, Table
from tests.web.people import PASSWORD

pytestmark = [pytest.mark.browser, pytest.mark.slow]


@pytest.fixture
def match(table: Table) -> str:
    """Start a match in which ada is to move, and open it on her page."""
    log_in(table.ada, table.ada.page, "ada")
    found = table.start("path-capture")
    table.ada.open(found)
    table.ada.turn_is("Your turn")
    return found


@pytest.fixture(scope="module")
def table(browser: Chromium, site: Site) -> Iterator[Table]:
    found = Table(site, Seated(browser, site, "ada"), Keyed(browser, site, "ben"))
    yield found
    for one in found.players():
        one.context.close()


def log_out(player: Seated, page: Page) -> None:
    page.goto(player.site.url)
    out = page.locator(".account button")
    if out.count():
        with page.expect_navigation():
            out.click()


def log_in(player: Seated, page: Page, name: str) -> None:
    log_out(player, page)
    page.goto(f"{player.site.url}/log-in")
    page.locator('main [name="name"]').fill(name)
    page.locator('main [name="password"]').fill(PASSWORD)
    with page.expect_navigation():
        page.locator("main button").click()


def version(table: Table, match: str) -> int:
    return table.site.house.queries.show(Asker(), match).view.version


def anew(page: Page, words: str) -> None:
    expect(page.locator("#anew")).to_have_text(words, timeout=PATIENCE)


def choose(page: Page) -> None:
    """Choose the first step of the list, which is folded on a page as low as this one."""
    page.locator(".listed summary").click()
    page.locator(".choice").first.click()


AS_BEN = "You are logged in as ben now, so this page was reloaded."
AS_NOBODY = "You are not logged in any more, so this page was reloaded."


def test_a_page_hears_at_once_that_another_account_is_logged_in(table: Table, match: str) -> None:
    """It is ben's match as well, so his turn could be played from ada's page."""
    page = table.ada.page
    other = table.ada.window()
    log_out(table.ada, other)
    anew(page, AS_NOBODY)
    log_in(table.ada, other, "ben")
    anew(page, AS_BEN)
    expect(page.locator(".account .who bdi")).to_have_text("ben")
    expect(page.locator("#desk-title")).not_to_have_text("Your turn")
    assert version(table, match) > 0
    other.close()


@pytest.mark.parametrize("way", ["step", "move"])
def test_what_is_sent_before_the_page_has_heard_is_neither_shown_nor_played(
    table: Table, match: str, way: str
) -> None:
    page, before = table.ada.window(), version(table, match)
    # Cut off from the other tab, as a page is that sleeps.
    page.add_init_script("delete window.BroadcastChannel")
    table.ada.open(match, "", page)
    if way == "move":
        choose(page)
        expect(page.locator(".preview")).to_be_attached()
    elsewhere = table.ada.context.request
    form = elsewhere.get(table.site.url).text()
    token = form.partition('name="csrf" value="')[2].partition('"')[0]
    elsewhere.post(f"{table.site.url}/log-out", form={"csrf": token})
    form = elsewhere.get(f"{table.site.url}/log-in").text()
    token = form.partition('name="csrf" value="')[2].partition('"')[0]
    typed: dict[str, str | float | bool] = {
        "csrf": token,
        "name": "ben",
        "password": PASSWORD,
        "next": "/",
    }
    assert elsewhere.post(f"{table.site.url}/log-in", form=typed).ok
    if way == "step":
        choose(page)
    else:
        page.locator(".preview button").first.click()
    anew(page, AS_BEN)
    assert version(table, match) == before
    page.close()


def test_a_page_that_is_looked_at_again_asks_whose_it_is(table: Table, match: str) -> None:
    """A session that was ended from elsewhere tells no tab."""
    assert match
    page = table.ada.page
    page.goto(f"{table.site.url}/account")
    # Until then nobody listens.
    expect(page.locator("html.settled")).to_be_attached()
    for session in table.site.house.sessions.list_by_player(table.ada.id, ""):
        table.site.house.sessions.end(table.ada.id, session.id)
    page.evaluate("document.dispatchEvent(new Event('visibilitychange'))")
    page.wait_for_url("**/log-in?next=/account**")
    anew(page, AS_NOBODY)


def test_nothing_is_loaded_anew_for_the_same_account(table: Table, match: str) -> None:
    other = table.ada.window()
    other.goto(f"{table.site.url}/m/{match}")
    expect(other.locator("html.settled")).to_be_attached()
    other.goto(table.site.url)
    table.ada.page.evaluate("document.dispatchEvent(new Event('visibilitychange'))")
    choose(table.ada.page)
    expect(table.ada.page.locator(".preview")).to_be_attached()
    assert table.ada.stayed()
    other.close()
