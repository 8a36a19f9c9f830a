"""Settings of a browser change by a form of ours, and nothing at all changes by looking at it."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import product

import pytest
from flask import Flask
from sqlalchemy import inspect, text

from services.container import Services
from tests.web.pages.browsing import Browser, Pair, identity
from tests.web.people import PASSWORD, Answer

SETTINGS = {"/look": {"look": ["dark"]}, "/confirm": {"confirm": ["once"]}}

ELSEWHERE = [
    {"Sec-Fetch-Site": "cross-site"},
    {"Sec-Fetch-Site": "same-site"},
    {"Origin": "https://evil.example"},
    {"Origin": "null"},
]

CHANGES = (
    "look=dark&confirm=once&next=/&language=de&action=resign&days=3&text=x&version=3&move=%2B3"
)
"""What forms send; in an address it does nothing."""


def remembered(browser: Browser) -> dict[str, str]:
    found = {name: browser.client.get_cookie(f"plybook-{name}") for name in ("look", "confirm")}
    return {name: cookie.value for name, cookie in found.items() if cookie is not None}


@pytest.mark.parametrize("address", SETTINGS)
def test_an_address_changes_no_setting(cora: Browser, address: str) -> None:
    query = "&".join(f"{name}={value}" for name, (value,) in SETTINGS[address].items())
    answer = cora.get(f"{address}?{query}", Sec_Fetch_Site="cross-site")
    assert answer.status_code == 405
    assert "GET" not in answer.headers["Allow"]
    assert remembered(cora) == {}


def test_a_form_from_elsewhere_changes_no_setting(cora: Browser, somebody: Browser) -> None:
    for headers, (address, pressed), browser in product(
        ELSEWHERE, SETTINGS.items(), (cora, somebody)
    ):
        assert browser.post(address, pressed, headers).status_code == 403, (address, headers)
        assert remembered(browser) == {}, (address, headers)


@pytest.mark.parametrize("address", SETTINGS)
def test_a_player_s_setting_needs_the_token_of_our_form(cora: Browser, address: str) -> None:
    assert cora.post(address, SETTINGS[address]).status_code == 403
    assert remembered(cora) == {}


def test_our_forms_change_settings(pair: Pair, somebody: Browser) -> None:
    match = pair.start("path-capture").partition("#")[0]
    player = pair.acting
    answers = [
        player.post(address, {**player.form(match, address), **pressed})
        for address, pressed in SETTINGS.items()
    ]
    assert [answer.headers["Location"].partition("#")[0] for answer in answers] == [match, match]
    assert remembered(player) == {"look": "dark", "confirm": "once"}
    here = {"Sec-Fetch-Site": "same-origin"}
    for visited in ("/", "/log-in"):
        values = {**somebody.form(visited, "/look"), "look": ["light"]}
        assert somebody.post("/look", values, here).headers["Location"] == visited
    assert remembered(somebody) == {"look": "light"}


def everything(house: Services) -> dict[str, list[tuple[object, ...]]]:
    """Return all that is in the database."""
    with house.database.read() as connection:
        names = inspect(connection).get_table_names()
        found = {name: connection.execute(text(f'SELECT * FROM "{name}"')).all() for name in names}
    return {name: sorted(map(tuple, rows), key=repr) for name, rows in found.items()}


def gettable(app: Flask, values: dict[str, str]) -> Iterator[str]:
    """Yield every address that answers GET, with these values in it, or with a 1."""
    adapter = app.url_map.bind("localhost")
    for rule in app.url_map.iter_rules():
        if "GET" in (rule.methods or ()) and rule.endpoint != "assets.show_asset":
            yield adapter.build(
                rule.endpoint, {one: values.get(one, "1") for one in rule.arguments}
            )


@pytest.mark.parametrize("method", ["GET", "HEAD"])
def test_to_look_at_an_address_changes_nothing(
    pair: Pair, somebody: Browser, house: Services, app: Flask, method: str
) -> None:
    match = pair.start("path-capture").partition("#")[0]
    waiting = pair.acting.new_match().partition("#")[0]
    made = f"{waiting}/invitations"
    shown = pair.acting.post(made, pair.acting.form(made, made)).text
    invitation = shown.partition('id="made" value="')[2].partition('"')[0].rpartition("/")[2]
    practice = somebody.send("/practice?game=path-capture", "/practice").headers["Location"]
    issued = house.accounts.issue_token("cora", PASSWORD, "x")
    headers = {"Authorization": f"Bearer {issued.token}", "Sec-Fetch-Site": "cross-site"}
    values = {
        "match_id": identity(match),
        "token": invitation,
        "name": "cora",
        "slug": "path-capture",
        "room": "players",
        "token_id": issued.id,
        "code": "not-found",
    }
    before = everything(house)
    cookies = str(remembered(pair.acting))

    def look(browser: Browser, address: str, sent: dict[str, str]) -> Answer:
        answer = browser.client.open(address, method=method, headers=sent, buffered=False)
        given = answer.headers.getlist("Set-Cookie")
        answer.close()
        assert all(one.startswith("plybook=") for one in given), (address, given)
        return answer  # type: ignore[return-value]

    found = {}
    for plain in [*gettable(app, values), practice]:
        for address in (plain, f"{plain}?{CHANGES}"):
            found[address] = look(pair.acting, address, headers).status_code
            look(pair.acting, address, {"Sec-Fetch-Site": "cross-site"})
            look(somebody, address, {})
    assert len(found) > 60
    assert everything(house) == before
    assert str(remembered(pair.acting)) == cookies
