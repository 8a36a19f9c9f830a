"""Every answer says whose it is, and a page that was made for one account acts for no other."""

from __future__ import annotations

from typing import Never

import pytest
from flask import Flask
from sqlalchemy import text

from services.container import Services
from services.errors import Unavailable
from services.matches.queries import Asker
from tests.web.pages.browsing import Browser, Pair, identity
from tests.web.pages.readers import read
from tests.web.people import Answer, Person

CALLER = "Plybook-Caller"


def whose(answer: Answer) -> str | None:
    found = answer.headers.getlist(CALLER)
    assert len(found) <= 1
    return found[0] if found else None


def test_every_answer_to_a_token_says_whose_it_is(ada: Person, bob: Person) -> None:
    me = ada.get("/me").json["id"]
    match = ada.start(bob)
    at = f"/matches/{match['id']}"
    move = {"move": ada.legal(match)[0]["move"]}
    tag = ada.get(at).headers["ETag"]
    reader = ada.with_scopes("match:read")
    answers = {
        "ok": ada.get(at),
        "known": ada.get(at, {"If-None-Match": tag}),
        "head": ada.ask("HEAD", at),
        "list": ada.get("/matches"),
        "lines": ada.get(f"{at}/events", {"Accept": "application/x-ndjson"}),
        "export": ada.get("/export"),
        "stream": ada.get(f"{at}/stream"),
        "own stream": ada.get("/me/stream"),
        "made": ada.post("/matches", {"game": "path-capture"}, key="k"),
        "repeated": ada.post("/matches", {"game": "path-capture"}, key="k"),
        "moved": ada.post(f"{at}/moves", move, version=match["version"]),
        "stale": ada.post(f"{at}/moves", move, version=match["version"]),
        "undecided": ada.post(f"{at}/moves", move),
        "malformed": ada.post("/matches", {"nonsense": 1}),
        "absent": ada.get("/matches/0000000000000000"),
        "beyond": reader.post("/matches", {"game": "path-capture"}),
        "unacceptable": ada.get(at, {"Accept": "image/gif"}),
        "gone": ada.ask("DELETE", f"/tokens/{ada.get('/tokens').json['tokens'][0]['id']}"),
    }
    assert {name: whose(answer) for name, answer in answers.items()} == dict.fromkeys(answers, me)
    assert {304, 403, 404, 412, 428} <= {answer.status_code for answer in answers.values()}
    assert answers["repeated"].headers["Idempotent-Replayed"] == "true"


def test_an_answer_to_nobody_or_to_everybody_says_nothing(anyone: Person, ada: Person) -> None:
    assert whose(anyone.get("/matches")) is None
    assert whose(anyone.get("/me")) is None
    assert whose(anyone.get("/me", {"Authorization": "Bearer none"})) is None
    # What is the same for everybody may be kept for others.
    assert whose(ada.get("/games")) is None


def test_every_page_says_whose_it_is(
    cora: Browser, dan: Browser, somebody: Browser, house: Services
) -> None:
    match = cora.start(dan).partition("#")[0]
    practice = cora.send("/practice?game=path-capture", "/practice").headers["Location"]
    player = house.accounts.find("cora")
    assert player is not None
    own = (
        f"{match}/frames",
        f"{match}/events",
        f"{match}/stream",
        "/account",
        "/nothing",
        "/m/none",
    )
    for address in ("/", "/caller", match, practice, f"{practice}/frames", *own):
        answer = cora.get(address)
        assert whose(answer) == player.id, address
        if answer.mimetype == "text/html":
            html = read(answer.text).one("html").attributes
            assert html["data-caller"] == player.id
        assert whose(somebody.get(address)) is None
    assert cora.get("/caller").status_code == 204
    assert read(somebody.get("/").text).one("html").attributes["data-caller"] == ""
    cora.log_out()
    assert whose(cora.get("/caller")) is None


def another_account(browser: Browser, name: str) -> None:
    """Log out and in as somebody else, as in another tab."""
    browser.log_out()
    assert browser.log_in(name).status_code == 303


def test_a_form_is_not_taken_from_another_account_than_it_was_made_for(
    pair: Pair, house: Services
) -> None:
    """Both play the same match: without care, the other account's turn would be used up."""
    match = pair.start("path-capture").partition("#")[0]
    browser = pair.acting
    pair.play(match, {"steps": 3})
    before = house.queries.show(Asker(), identity(match)).view.version
    resign = browser.form(f"{match}?ask=resign", f"{match}/actions")
    chat = browser.form(match, f"{match}/chat")
    log_out = browser.form("/", "/log-out")
    another_account(browser, "dan")
    for action, form in (
        (f"{match}/actions", resign),
        (f"{match}/chat", {**chat, "text": ["Not mine"]}),
        (f"{match}/moves", {**chat, "version": [str(before)], "move": ["+1"]}),
        ("/log-out", log_out),
        ("/look", {**chat, "look": ["dark"]}),
    ):
        answer = browser.post(action, form)
        assert answer.status_code == 403, action
        told = read(answer.text).one("main").text
        assert "made for another account: you are logged in as dan now" in told
        assert "Nothing has changed" in told
    assert house.queries.show(Asker(), identity(match)).view.version == before
    fresh = browser.form(match, f"{match}/chat")
    assert browser.post(f"{match}/chat", {**fresh, "text": ["Mine"]}).status_code == 303
    shown = browser.page(match).one("div", id="chat").text
    assert "Mine" in shown
    assert "Not mine" not in shown


@pytest.mark.parametrize("how", ["ended", "expired", "forgotten"])
def test_a_form_of_a_session_that_has_ended_leads_to_the_log_in_and_says_so(
    cora: Browser, dan: Browser, house: Services, how: str
) -> None:
    match = cora.start(dan).partition("#")[0]
    form = cora.form(match, f"{match}/chat")
    if how == "ended":
        house.accounts.set_password("cora", "another password altogether")
    elif how == "expired":
        with house.database.write() as connection:
            past = "2020-01-01T00:00:00.000000Z"
            connection.execute(text("UPDATE sessions SET expires_at = :past"), {"past": past})
    else:
        cora.client.delete_cookie("plybook")
    answer = cora.post(f"{match}/chat", {**form, "text": ["Hello"]})
    assert answer.status_code == 303
    shown = cora.page(answer.headers["Location"])
    assert "Your session has ended" in shown.one("p", role="status").text
    assert shown.one("main").one("input", name="next").attributes["value"] == match
    assert not cora.page("/log-in").all("p", role="status")


def test_nobody_is_told_that_they_are_nobody_while_the_database_is_away(
    app: Flask, house: Services, monkeypatch: pytest.MonkeyPatch
) -> None:
    eva = Browser(app).sign_up("eva")

    def away(*_: object) -> Never:
        raise Unavailable("The database is away.")

    for service, asked in ((house.sessions, "find"), (house.agenda, "count_turns")):
        monkeypatch.setattr(type(service), asked, away)
        assert eva.get("/caller").status_code == 503
        monkeypatch.undo()
    answer = eva.get("/caller")
    assert (answer.status_code, answer.headers["Plybook-Turns"]) == (204, "0")
    assert "Plybook-Turns" not in Browser(app).get("/caller").headers
