"""Recovery codes on pages: asked for, shown once, used, and told of."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from flask import Flask

from services.container import Services
from tests.web.pages.browsing import Browser
from tests.web.pages.readers import read
from tests.web.people import PASSWORD, Answer, Person

NEW = "quite another password"


def made(browser: Browser) -> list[str]:
    answer = browser.send("/account", "/account/recovery-codes", password=PASSWORD)
    assert (answer.status_code, answer.headers["Cache-Control"]) == (200, "private, no-store")
    return read(answer.text).one("textarea", id="made-codes").text.split()


def recover(browser: Browser, code: str, **typed: str) -> Answer:
    given = {"name": "cora", "code": code, "password": NEW, "again": NEW, **typed}
    return browser.send("/recover", "/recover", **given)


def test_codes_are_asked_for_and_shown_once(cora: Browser) -> None:
    shown = cora.page("/account")
    assert "If you forget your password, your account is lost" in shown.one("p", id="no-codes").text
    codes = made(cora)
    assert len(codes) == 10
    shown = cora.page("/account")
    assert not shown.all("p", id="no-codes")
    assert "10 of 10 are left" in shown.one("section", id="recovery").text
    assert codes[0] not in cora.get("/account").text


def test_a_code_lets_somebody_in_again_and_the_account_tells_of_it(
    cora: Browser, somebody: Browser
) -> None:
    codes = made(cora)
    answer = recover(somebody, codes[0])
    assert answer.headers["Location"] == "/account?done=recovered#done"
    done = somebody.page("/account?done=recovered")
    assert "get no more notices" in done.one("p", id="done").text
    assert [
        one for one in done.all("a", href="/account/notices") if "Check your notices" in one.text
    ]
    told = somebody.page("/account").one("section", id="recovery").text
    assert "9 of 10 are left" in told
    assert "A code was used on" in told
    assert cora.get("/account").status_code == 303
    assert recover(Browser(cora.client.application), codes[0]).status_code == 401


def test_who_has_used_the_last_code_is_warned_again(
    cora: Browser, somebody: Browser, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("services.accounts.recovery.CODES", 1)
    [code] = made(cora)
    assert not cora.page("/account").all("p", id="no-codes")
    recover(somebody, code)
    shown = somebody.page("/account")
    assert "0 of 1 are left" in shown.one("section", id="recovery").text
    assert "your account is lost" in shown.one("p", id="no-codes").text


@pytest.mark.parametrize(
    ("typed", "status", "field"),
    [
        ({"password": "short", "again": "short"}, 422, "f-password"),
        ({"again": "something else"}, 422, "f-again"),
    ],
)
def test_a_poor_password_uses_no_code_up(
    cora: Browser, somebody: Browser, typed: dict[str, str], status: int, field: str
) -> None:
    codes = made(cora)
    answer = recover(somebody, codes[0], **typed)
    assert answer.status_code == status
    assert read(answer.text).one("input", id=field).attributes["aria-invalid"] == "true"
    assert codes[0] not in answer.text
    assert recover(somebody, codes[0]).status_code == 303


def test_nobody_learns_there_which_names_there_are(cora: Browser, somebody: Browser) -> None:
    made(cora)
    pages = []
    for name in ("cora", "nobody"):
        answer = recover(somebody, "0000-0000-0000-0000", name=name)
        assert answer.status_code == 401
        pages.append(read(answer.text).one("p", role="alert").text)
    assert pages[0] == pages[1]


def test_who_is_logged_in_is_led_to_the_account(cora: Browser) -> None:
    assert cora.get("/recover").headers["Location"] == "/account#password"


def test_guesses_at_codes_are_limited_as_those_at_passwords(make_app: Callable[..., Flask]) -> None:
    app = make_app(rate_limit=1000, log_in_limit=3)
    Browser(app).sign_up("cora")
    guessing = Browser(app)
    answers = [recover(guessing, "0000-0000-0000-0000").status_code for _ in range(4)]
    assert answers == [401, 401, 401, 429]
    assert guessing.log_in("cora", "a guess").status_code == 429


def test_a_token_makes_no_codes_and_takes_none(anyone: Person, house: Services) -> None:
    ada = anyone.sign_up("ada")
    for path in ("/me/recovery-codes", "/recovery-codes", "/recover"):
        assert ada.ask("POST", path, json={"password": PASSWORD}).status_code == 404
    headers = {"Authorization": f"Bearer {ada.token}"}
    sent = ada.client.post("/account/recovery-codes", data={"password": PASSWORD}, headers=headers)
    assert sent.status_code == 403
    assert house.recovery.count(house.accounts.get_by_name("ada").id).made == 0
