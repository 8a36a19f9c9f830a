"""The pages of a player's webhooks: made, tried, turned off and on, and what was sent there."""

from __future__ import annotations

import re

from services.container import Services
from services.notices.webhooks import MOST
from tests.support.receiver import Receiver, deliver
from tests.web.pages.browsing import Browser
from tests.web.pages.readers import read

AT = "/account/webhooks"


def make(browser: Browser, url: str) -> str:
    """Make a webhook; return the address of its page."""
    answer = browser.send(AT, AT, url=url)
    assert answer.status_code == 200, answer.text
    found = re.search(rf'href="({AT}/w_[0-9a-z]{{16}})"', answer.text)
    assert found is not None
    return found[1]


def test_webhooks_are_their_players_own(somebody: Browser, cora: Browser, dan: Browser) -> None:
    assert somebody.get(AT).headers["Location"] == f"/log-in?next={AT}"
    page = make(cora, "https://bot.example/cora")
    assert dan.get(page).status_code == 404
    assert dan.press(page, "delete").status_code == 404
    assert "You have none." in dan.page(AT).text
    assert "https://bot.example/cora" in cora.page(AT).text


def test_its_secret_is_shown_once(cora: Browser, house: Services) -> None:
    answer = cora.send(AT, AT, url="https://bot.example/cora")
    secret = read(answer.text).one("input", id="made").attributes["value"]
    assert secret.startswith("whsec_")
    assert answer.headers["Cache-Control"] == "private, no-store"
    page = f"{AT}/{house.webhooks.list_by_player(house.accounts.get_by_name('cora').id)[0].id}"
    assert secret not in cora.get(AT).text + cora.get(page).text
    turned = cora.press(page, "rotate")
    assert read(turned.text).one("input", id="made").attributes["value"] != secret


def test_what_cannot_be_is_told_at_its_field(cora: Browser) -> None:
    answer = cora.send(AT, AT, url="bot.example")
    assert answer.status_code == 422
    shown = read(answer.text)
    assert shown.one("input", id="f-url").attributes["value"] == "bot.example"
    assert "Give the whole address" in shown.one("p", id="f-url-error").text
    token = cora.form(AT, AT)["csrf"]
    answer = cora.post(AT, {"csrf": token, "url": ["https://bot.example/"], "type": []})
    assert answer.status_code == 422
    assert "at least one type" in read(answer.text).one("p", id="f-types-error").text
    page = make(cora, "https://bot.example/")
    assert cora.press(page, "redeliver", number="x").status_code == 404
    assert cora.press(page, "nonsense").status_code == 400
    assert cora.get(f"{page}?cursor=nonsense").status_code == 404
    for _ in range(MOST - 1):
        make(cora, "https://bot.example/")
    assert cora.send(AT, AT, url="https://bot.example/").status_code == 409


def test_a_test_is_sent_and_told_of_and_sent_again(
    cora: Browser, house: Services, receiver: Receiver
) -> None:
    page = make(cora, f"{receiver.url}/ok")
    assert "Nothing has been sent yet." in cora.page(page).text
    done = cora.press(page, "test").headers["Location"]
    assert "A test is on its way" in cora.page(done).text
    deliver(house)
    shown = cora.page(page)
    assert "A test" in shown.text
    assert "delivered" in shown.text
    number = next(
        one.attributes["value"] for one in shown.all("input") if one.attributes["name"] == "number"
    )
    assert cora.press(page, "redeliver", number=number).status_code == 303
    deliver(house)
    one, other = receiver.received
    assert one.headers["webhook-id"] == other.headers["webhook-id"]


def test_one_that_fails_says_why_and_one_that_is_off_is_turned_on(
    cora: Browser, house: Services, receiver: Receiver
) -> None:
    page = make(cora, f"{receiver.url}/410")
    cora.press(page, "test")
    deliver(house)
    for address in (AT, page):
        assert "it answered that it is gone for good (410)" in cora.page(address).text
    assert cora.press(page, "test").status_code == 409
    assert cora.press(page, "on").status_code == 303
    receiver.statuses["/410"] = 500
    cora.press(page, "test")
    deliver(house)
    assert "the answer was an error (500)" in cora.page(page).text
    assert "Nothing has arrived there since" in cora.page(AT).text
    cora.press(page, "off")
    assert "you have turned it off" in cora.page(AT).text
    assert cora.press(page, "delete").headers["Location"] == f"{AT}?done=deleted#done"
    assert "You have none." in cora.page(AT).text


def test_its_address_name_and_types_are_changed_on_its_page(
    cora: Browser, dan: Browser, house: Services
) -> None:
    page = make(cora, "https://bot.example/cora")
    player = house.accounts.get_by_name("cora").id
    typed = {"name": "My bot", "url": "https://bot.example/2", "type": "match.turn"}
    assert cora.press(page, "change", **typed).status_code == 303
    [now] = house.webhooks.list_by_player(player)
    assert (now.name, now.url) == ("My bot", "https://bot.example/2")
    assert "My bot" in cora.page(AT).text
    for field, wrong in (("url", "bot.example"), ("name", "a\u202eb")):
        refused = cora.press(page, "change", **{**typed, field: wrong})
        assert refused.status_code == 422
        shown = read(refused.text)
        assert shown.one("p", id=f"f-{field}-error").text
        assert shown.one("input", id=f"f-{field}").attributes["value"] == wrong
    assert cora.press(page, "change", url=now.url, name="x").status_code == 422
    changed = cora.press(page, "change", url=now.url, name="", type="match.over")
    assert changed.status_code == 303
    assert dan.press(page, "change", url=now.url, type="match.over").status_code == 404
    [now] = house.webhooks.list_by_player(player)
    assert (now.name, now.types) == ("", ["match.over"])
