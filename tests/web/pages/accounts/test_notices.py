"""The page of all channels, and the lists of what was sent that the pages of each have."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest

from domain.match.clock import HOUR, add_span, format_instant
from services.container import Services
from services.notices.webhooks import NewWebhook
from services.runtime.settings import Settings
from services.store.notices import channels, deliveries
from services.store.notices.channels import EMAIL, PUSH, WEBHOOK, ChannelRow
from services.store.notices.deliveries import DeliveryRow
from tests.web.pages.browsing import Browser
from tests.web.people import PASSWORD
from web.pages.accounts.notices import PER_PAGE

AT = "/account/notices"


@pytest.fixture
def settings(settings: Settings) -> Settings:
    """Name a mail server; nothing is sent there, since no worker runs."""
    return replace(settings, smtp_url="smtp+plain://127.0.0.1:9", mail_from="no@play.example")


@pytest.fixture
def player(cora: Browser, house: Services) -> str:
    assert cora.get(AT).status_code == 200
    return house.accounts.get_by_name("cora").id


def have(house: Services, player: str, kind: str, channel: str, **more: Any) -> None:  # noqa: ANN401 - as rows take them
    """Let a player have a channel."""
    at = format_instant(house.now())
    row = ChannelRow(channel, player, kind, "match.turn", at, "cora@mail.example", held_until=at)
    with house.database.write() as connection:
        channels.insert(connection, row._replace(**more))


def told(house: Services, channel: str, number: int, at: str) -> None:
    """Let something have arrived at a channel."""
    row = DeliveryRow(number, channel, "test", None, None, "test", at, "sent", tried_at=at)
    with house.database.write() as connection:
        deliveries.save(connection, row)


def part(browser: Browser, id_: str) -> str:
    """Return what the page says of one kind of channel."""
    return " ".join(browser.page(AT).one("section", id=id_).text.split())


def test_who_has_set_up_nothing_reads_where_to_begin(somebody: Browser, cora: Browser) -> None:
    assert somebody.get(AT).headers["Location"] == f"/log-in?next={AT}"
    assert "you have given no address" in part(cora, "email")
    assert "no browser is set up yet" in part(cora, "browsers")
    assert "you have none yet" in part(cora, "webhooks")
    assert part(cora, "subscriptions").count("Off: it has no address yet.") == 2
    links = {one.attributes["href"] for one in cora.page(AT).all("a")}
    settings = ("email", "browsers", "subscriptions", "webhooks")
    assert links >= {f"/account/{name}" for name in settings}
    assert AT in {one.attributes["href"] for one in cora.page("/account").all("a")}


def test_each_channel_is_on_or_says_why_not_and_can_be_tried(
    cora: Browser, dan: Browser, player: str, house: Services
) -> None:
    at = format_instant(house.now())
    have(house, player, EMAIL, "e_1", confirmed_at=at, hour=7)
    have(house, player, PUSH, "p_1", address="https://push.example/1")
    have(house, player, PUSH, "p_2", off_at=at, off_reason="gone", digest="0" * 64)
    house.subscriptions.make(player, "feed")
    on, _ = house.webhooks.make(player, NewWebhook("https://bot.example/on"))
    told(house, "e_1", 1, at)
    shown = cora.page(AT)
    assert "On: once a day, at 07:00. Last sent" in part(cora, "email")
    assert "the browser no longer takes notices" in part(cora, "browsers")
    assert "Feed On, since" in part(cora, "subscriptions")
    assert "Last sent" not in part(cora, "webhooks")
    tried = [one for one in shown.all("input", name="do") if one.attributes["value"] == "test"]
    assert len(tried) == 3
    for page, more in (
        ("/account/email", {}),
        ("/account/browsers", {"browser": "p_1"}),
        (f"/account/webhooks/{on.webhook.id}", {}),
    ):
        assert cora.press(page, "test", **more).status_code == 303
    assert "cora@mail.example" not in dan.get(AT).text


def test_a_channel_that_is_off_cannot_be_tried(cora: Browser, player: str, house: Services) -> None:
    off = {"off_at": format_instant(house.now()), "off_reason": "rejected"}
    have(house, player, EMAIL, "e_1", confirmed_at=off["off_at"], **off)
    house.browsers.key.path.write_text("no key")
    assert "refuses this address for good" in part(cora, "email")
    assert "this service cannot use its key" in part(cora, "browsers")
    assert cora.page(AT).all("input", name="do") == []


def test_what_a_new_password_has_turned_off_says_so_and_is_turned_on_again(
    cora: Browser, player: str, house: Services
) -> None:
    have(house, player, WEBHOOK, "w_1", address="https://cora.example")
    have(house, player, PUSH, "b_1", digest="b" * 64)
    house.accounts.set_password("cora", PASSWORD)
    cora.log_in("cora")
    for id_ in ("webhooks", "browsers"):
        assert "Off since your password was reset" in part(cora, id_)
    csrf = cora.form("/account", "/account/password")["csrf"]
    cora.post("/account/webhooks/w_1", {"csrf": csrf, "do": ["on"]})
    assert "password" not in part(cora, "webhooks")


PAGES = {EMAIL: "/account/email", PUSH: "/account/browsers"}


@pytest.mark.parametrize("kind", PAGES)
def test_what_was_sent_comes_in_pages(
    cora: Browser, dan: Browser, player: str, house: Services, kind: str
) -> None:
    page = PAGES[kind]
    now = format_instant(house.now())
    for channel in ("c_1", "c_2"):
        have(house, player, kind, channel, confirmed_at=now, digest=channel[-1] * 64)
        for number in range(PER_PAGE):
            # The same notice at both, as it is where several channels are told.
            told(house, channel, number, add_span(now, number * HOUR))

    def listed(address: str) -> tuple[list[str], list[str]]:
        shown = cora.page(address).one("section", id="sent")
        rows = [" ".join(one.text.split()) for one in shown.all("li")]
        return rows, [a.attributes["href"] for a in shown.all("a")]

    first, [older] = listed(page)
    second, newest = listed(older.partition("#")[0])
    assert (len(first), len(second), newest) == (PER_PAGE, PER_PAGE, [f"{page}#sent"])
    rows = {*first, *second}
    both = ("Unknown browser, 1", "Unknown browser, 2")
    named = {name for name in both if any(name in row for row in rows)}
    assert (len(rows), len(named)) == ((2 * PER_PAGE, 2) if kind == PUSH else (PER_PAGE, 0))
    assert dan.get(older.partition("#")[0]).status_code == 404
    assert cora.get(f"{page}?cursor=nonsense").status_code == 404
