"""Blocking and following on pages."""

from __future__ import annotations

import pytest

from tests.web.pages.browsing import Browser, Pair, identity
from tests.web.pages.readers import read
from tests.web.people import Answer


def relate(browser: Browser, name: str, do: str) -> Answer:
    values = browser.form(f"/p/{name}", f"/p/{name}/relation")
    return browser.post(f"/p/{name}/relation", {**values, "do": [do]})


def offered(browser: Browser, name: str) -> list[str]:
    forms = browser.page(f"/p/{name}").all("form", action=f"/p/{name}/relation")
    return [one.text for form in forms for one in form.all("button")]


def test_followed_players_matches_stand_on_the_first_page(pair: Pair, somebody: Browser) -> None:
    eve = somebody.sign_up("eve")
    match = identity(pair.start("path-capture"))
    assert not eve.page("/").all("section", aria_labelledby="followed-title")
    assert offered(eve, "cora") == ["Follow", "Block"]
    assert relate(eve, "cora", "follow").headers["Location"] == "/p/cora"
    assert offered(eve, "cora") == ["Unfollow", "Block"]
    section = eve.page("/").one("section", aria_labelledby="followed-title")
    assert match in section.text
    ways = [eve.page(one).one("main").one("a", href="/account/people") for one in ("/", "/account")]
    shown = eve.page("/account/people")
    assert {one.text for one in ways} == {shown.one("h1").text}
    assert [one.text for one in shown.all("a", class_="who-is")] == ["cora"]
    values = eve.form("/account/people", "/p/cora/relation")
    answer = eve.post("/p/cora/relation", {**values, "do": ["unfollow"]})
    assert answer.headers["Location"] == "/account/people"
    assert not eve.page("/").all("section", aria_labelledby="followed-title")


def test_who_is_blocked_is_told_that_one_cannot_be_challenged_and_no_more(pair: Pair) -> None:
    cora, dan = pair.browsers
    match = f"/m/{identity(pair.start('path-capture'))}"
    assert relate(cora, "dan", "block").status_code == 303
    assert offered(cora, "dan") == ["Unblock"]
    answer = dan.send(
        "/new?game=path-capture", "/new", **{"with": "player", "opponent": "cora", "pace": "none"}
    )
    assert answer.status_code == 409
    assert "cannot be challenged" in read(answer.text).one("p", id="f-opponent-error").text
    answer = dan.send(match, f"{match}/chat", text="Hello?")
    assert answer.status_code == 409
    assert "cannot be challenged" in read(answer.text).one("p", id="chat-error").text
    assert "lock" not in read(answer.text).one("p", id="chat-error").text
    assert offered(dan, "cora") == ["Block"], "nothing that would be refused"
    assert "opponent=cora" not in dan.get("/p/cora").text
    assert "This player cannot be challenged." in dan.get("/p/cora").text
    assert "lock" not in dan.page("/p/cora").one("main").text.replace("Block", "")
    told = dan.send(
        "/new?game=path-capture", "/new", **{"with": "player", "opponent": "cora", "do": "tell"}
    )
    assert told.text == "This player cannot be challenged."
    assert relate(cora, "dan", "unblock").status_code == 303
    assert dan.send(match, f"{match}/chat", text="Hello!").status_code == 303


def test_a_free_seat_is_not_offered_to_who_could_not_take_it(cora: Browser, dan: Browser) -> None:
    seek = cora.new_match("path-capture").partition("#")[0]
    join = f"{seek}/join"
    assert "View and join" in dan.page("/").text
    assert dan.page(seek).all("form", action=join)
    assert relate(dan, "cora", "block").status_code == 303
    for one in (dan, cora):
        assert "View and join" not in one.page("/").text
    assert not dan.page(seek).all("form", action=join)
    assert "You cannot play against this player." in dan.page(seek).text


@pytest.mark.parametrize(
    ("name", "do", "status"),
    [
        ("cora", "follow", 400),
        ("nobody", "follow", 404),
        ("dan", "marry", 400),
        ("house:1", "block", 422),
    ],
)
@pytest.mark.usefixtures("dan")
def test_what_cannot_be_is_refused(cora: Browser, name: str, do: str, status: int) -> None:
    csrf = cora.form("/account", "/account/password")["csrf"]
    assert cora.post(f"/p/{name}/relation", {"csrf": csrf, "do": [do]}).status_code == status
    assert "Nobody." in cora.page("/account/people").text


def test_nobody_relates_without_an_account_or_a_token(cora: Browser, somebody: Browser) -> None:
    del cora
    assert not offered(somebody, "cora")
    csrf = somebody.form("/log-in", "/log-in")["csrf"]
    sent = {"csrf": csrf, "do": ["block"]}
    location = somebody.post("/p/cora/relation", sent).headers["Location"]
    assert location.startswith("/log-in")
    assert somebody.get("/account/people").status_code == 303
