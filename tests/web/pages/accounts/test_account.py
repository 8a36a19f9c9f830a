"""A player's account: password, log-ins, tokens, vacation, and closing it."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from flask import Flask

from services.container import Services
from services.matches.queries import Asker
from tests.web.pages.browsing import Browser, identity
from tests.web.pages.readers import Element, read
from tests.web.people import PASSWORD, Answer

NEW = "quite another password"


def told(answer: Answer, field: str) -> str:
    """Return what is said at the field that is wrong, the only one."""
    shown = read(answer.text)
    wrong = [one for one in shown.everything() if one.attributes.get("aria-invalid")]
    assert [one.attributes["id"] for one in wrong] == [field]
    return shown.one("p", id=wrong[0].attributes["aria-describedby"].split()[0]).text


def rows(browser: Browser, section: str) -> list[Element]:
    return browser.page("/account").one("section", id=section).all("li")


def change(browser: Browser, **typed: str) -> Answer:
    given = {"current": PASSWORD, "password": NEW, "again": NEW, **typed}
    return browser.send("/account", "/account/password", **given)


def test_the_account_is_for_its_player_alone(somebody: Browser, cora: Browser) -> None:
    assert somebody.get("/account").headers["Location"] == "/log-in?next=/account"
    answer = cora.get("/account")
    assert answer.headers["Cache-Control"] == "private, no-store"
    assert read(answer.text).one("h1").text == "cora"


def test_a_new_password_ends_every_other_session_and_no_token(
    cora: Browser, somebody: Browser, house: Services
) -> None:
    assert somebody.log_in("cora").status_code == 303
    token = house.accounts.issue_token("cora", PASSWORD, "bot").token
    answer = change(cora)
    assert answer.status_code == 303
    assert "Other browsers are logged out" in cora.page(answer.headers["Location"]).text
    assert somebody.get("/account").status_code == 303
    assert somebody.log_in("cora").status_code == 401
    assert somebody.log_in("cora", NEW).status_code == 303
    assert house.accounts.authenticate(token).name == "cora"


@pytest.mark.parametrize(
    ("typed", "status", "words"),
    [
        ({"current": "a wrong password"}, 401, "not your password"),
        ({"password": "short", "again": "short"}, 422, "10 to 256"),
        ({"again": "something else"}, 422, "not the same"),
    ],
)
def test_a_password_that_does_not_fit_changes_nothing(
    cora: Browser, somebody: Browser, typed: dict[str, str], status: int, words: str
) -> None:
    answer = change(cora, **typed)
    assert answer.status_code == status
    assert words in told(answer, f"f-{next(iter(typed))}")
    assert PASSWORD not in answer.text
    assert somebody.log_in("cora").status_code == 303


def test_sessions_are_listed_and_ended_one_by_one(cora: Browser, somebody: Browser) -> None:
    values = somebody.form("/log-in", "/log-in") | {"name": ["cora"], "password": [PASSWORD]}
    phone = "Mozilla/5.0 (Linux; Android 15) Gecko/143.0 Firefox/143.0"
    assert somebody.post("/log-in", values, {"User-Agent": phone}).status_code == 303
    listed = rows(cora, "sessions")
    assert len(listed) == 2
    other = next(one for one in listed if one.all("form"))
    assert "Firefox on Android" in other.text
    assert [("This browser" in one.text) for one in listed].count(True) == 1
    assert cora.send("/account", "/account/sessions").status_code == 303
    assert somebody.get("/account").status_code == 303
    assert len(rows(cora, "sessions")) == 1


@pytest.mark.parametrize("session", ["", "%", "0" * 16, "' OR 1=1 --", "0" * 500])
def test_a_session_that_is_not_ones_own_cannot_be_ended(
    cora: Browser, dan: Browser, session: str
) -> None:
    values = cora.form("/account", "/account/password")
    answer = cora.post("/account/sessions", {"csrf": values["csrf"], "session": [session]})
    assert answer.status_code == 404
    assert cora.get("/account").status_code == dan.get("/account").status_code == 200


def test_another_players_session_cannot_be_ended(
    cora: Browser, dan: Browser, house: Services
) -> None:
    dans = house.accounts.find("dan")
    assert dans is not None
    (one,) = house.sessions.list_by_player(dans.id, "")
    values = cora.form("/account", "/account/password")
    answer = cora.post("/account/sessions", {"csrf": values["csrf"], "session": [one.id]})
    assert answer.status_code == 404
    assert dan.get("/account").status_code == 200


def test_what_a_browser_calls_itself_stays_text(somebody: Browser) -> None:
    values = somebody.form("/sign-up", "/sign-up")
    values |= {"name": ["eve"], "password": [PASSWORD], "again": [PASSWORD]}
    agent = "<script>alert(1)</script>" + "x" * 500
    assert somebody.post("/sign-up", values, {"User-Agent": agent}).status_code == 303
    (listed,) = rows(somebody, "sessions")
    assert not listed.all("script")
    assert "<script>alert(1)</script>" in listed.text


def test_who_may_not_administer_is_offered_no_token_for_it(cora: Browser, house: Services) -> None:
    def list_scopes() -> set[str]:
        return {one.attributes["value"] for one in cora.page("/account").all("input", name="scope")}

    others = list_scopes()
    house.accounts.set_admin("cora", admin=True)
    assert list_scopes() - others == {"admin"}


def test_a_token_is_shown_once_and_can_be_revoked(cora: Browser, house: Services) -> None:
    values = cora.form("/account", "/account/tokens")
    values |= {"label": ["my bot"], "password": [PASSWORD], "scope": ["match:read", "bot"]}
    made = cora.post("/account/tokens", values)
    assert (made.status_code, made.headers["Cache-Control"]) == (200, "private, no-store")
    token = read(made.text).one("input", id="made").attributes["value"]
    assert house.accounts.authenticate(token).scopes == {"match:read", "bot"}
    (listed,) = rows(cora, "tokens")
    assert "my bot" in listed.text
    assert token not in cora.get("/account").text
    assert cora.send("/account", "/account/tokens/revoked").status_code == 303
    assert rows(cora, "tokens") == []


@pytest.mark.parametrize(
    ("typed", "status", "field", "words"),
    [
        ({"label": ["a\nb"]}, 400, "f-label", "1 to 80"),
        ({"scope": ["admin"]}, 403, None, "Only administrators"),
        ({"scope": []}, 400, None, "Scopes are"),
        ({"scope": ["everything"]}, 400, None, "Scopes are"),
        ({"password": ["a wrong password"]}, 401, "f-token-password", "not your password"),
    ],
)
def test_a_token_that_cannot_be_is_told_at_its_field(
    cora: Browser, typed: dict[str, list[str]], status: int, field: str | None, words: str
) -> None:
    values = cora.form("/account", "/account/tokens")
    answer = cora.post(
        "/account/tokens", {**values, "label": ["bot"], "password": [PASSWORD], **typed}
    )
    assert answer.status_code == status
    said = told(answer, field) if field else read(answer.text).one("p", id="f-scopes-error").text
    assert words in said
    assert rows(cora, "tokens") == []


def test_a_vacation_begins_and_ends_there(cora: Browser, dan: Browser, house: Services) -> None:
    match = cora.start(dan, pace="3-days")
    assert cora.send("/account", "/account/vacation", days="5").status_code == 303
    clock = house.queries.show(Asker(), identity(match)).view.clock
    assert clock is not None
    assert clock.away_until[0]
    assert "You are on vacation until" in cora.page("/account").text
    assert cora.send("/account", "/account/vacation").status_code == 303
    assert "29 of 30 days are left" in cora.page("/account").text


@pytest.mark.parametrize(("days", "status"), [("0", 400), ("31", 400), ("x", 400)])
def test_a_vacation_that_cannot_be_is_refused(cora: Browser, days: str, status: int) -> None:
    answer = cora.send("/account", "/account/vacation", days=days)
    assert answer.status_code == status
    assert "30 of 30 days are left" in cora.page("/account").text


def test_more_days_than_are_left_are_told(cora: Browser) -> None:
    cora.send("/account", "/account/vacation", days="28")
    cora.send("/account", "/account/vacation")
    cora.send("/account", "/account/vacation", days="28")
    cora.send("/account", "/account/vacation")
    values = cora.form("/account", "/account/vacation")
    answer = cora.post("/account/vacation", {**values, "days": ["30"]})
    assert answer.status_code == 409
    assert "You have 28 of 30 days left" in told(answer, "f-days")


def test_deleting_needs_a_tick_and_the_password(
    cora: Browser, dan: Browser, house: Services
) -> None:
    match = cora.start(dan)
    values = cora.form("/account", "/account/close")
    answer = cora.post("/account/close", {**values, "password": [PASSWORD]})
    assert "Tick this" in told(answer, "f-sure")
    sure = {**values, "sure": ["1"]}
    answer = cora.post("/account/close", {**sure, "password": ["a wrong password"]})
    assert "not your password" in told(answer, "f-close-password")
    answer = cora.post("/account/close", {**sure, "password": [PASSWORD]})
    assert answer.headers["Location"] == "/account/closed"
    assert cora.page("/account/closed").one("h1").text == "Your account will be deleted"
    assert cora.get("/account").status_code == 303
    assert "closed account" not in dan.page(match).text
    house.closing.close("cora")
    assert cora.log_in("cora").status_code == 401
    assert "closed account" in dan.page(match).text


def test_who_logs_in_again_is_told_that_the_account_stays(cora: Browser, house: Services) -> None:
    values = cora.form("/account", "/account/close")
    cora.post("/account/close", {**values, "sure": ["1"], "password": [PASSWORD]})
    answer = cora.log_in("cora")
    assert answer.headers["Location"] == "/account?done=stays#done"
    assert "Your account stays" in cora.page("/account?done=stays").one("p", id="done").text
    assert house.closing.close_due() == 0
    cora.log_out()
    assert cora.log_in("cora").headers["Location"] == "/"


ACTIONS = [
    "password",
    "recovery-codes",
    "data",
    "sessions",
    "tokens",
    "tokens/revoked",
    "vacation",
    "close",
]


def test_every_form_of_an_account_needs_its_token_and_a_player(
    cora: Browser, somebody: Browser
) -> None:
    for action in ACTIONS:
        values = {"password": [PASSWORD], "current": [PASSWORD], "again": [PASSWORD], "sure": ["1"]}
        assert cora.post(f"/account/{action}", values).status_code == 403
        csrf = somebody.form("/log-in", "/log-in")["csrf"]
        answer = somebody.post(f"/account/{action}", {**values, "csrf": csrf})
        assert answer.status_code == 303
        assert answer.headers["Location"].startswith("/log-in?next="), action
        assert cora.get("/account").status_code == 200, action


def test_guesses_at_ones_own_password_are_limited(make_app: Callable[..., Flask]) -> None:
    app = make_app(rate_limit=1000, log_in_limit=3)
    cora = Browser(app).sign_up("cora")
    values = cora.form("/account", "/account/password")
    values |= {"current": ["a guess"], "password": [NEW], "again": [NEW]}

    def guess(number: int, action: str) -> int:
        environ = {"REMOTE_ADDR": f"192.0.2.{number}"}
        sent = {**values, "sure": ["1"], "label": ["bot"], "scope": ["match:read"]}
        return cora.client.post(action, data=sent, environ_base=environ).status_code

    actions = ("/account/password", "/account/close", "/account/tokens", "/account/password")
    assert [guess(number, one) for number, one in enumerate(actions)] == [401, 401, 401, 429]
