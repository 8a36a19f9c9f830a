"""Signing up, logging in and out: cookies, forged forms, addresses to go on to, limits."""

from __future__ import annotations

from collections.abc import Callable
from http.cookies import Morsel, SimpleCookie

import pytest
from flask import Flask

from services.container import Services
from tests.web.pages.browsing import Browser
from tests.web.pages.readers import read
from tests.web.people import PASSWORD, Answer
from web.pages.common.visitors import mask_token, token_of

ELSEWHERE = [
    "https://evil.example/",
    "//evil.example/",
    "/\\evil.example",
    "\\\\evil.example",
    "javascript:alert(1)",
    "/m/1\r\nX-Evil: yes",
    "evil",
]


def cookie(answer: Answer) -> Morsel[str]:
    (morsel,) = SimpleCookie(answer.headers["Set-Cookie"]).values()
    return morsel


def name_shown(browser: Browser) -> str | None:
    found = browser.page("/").one("nav", aria_label="Your account").all("bdi")
    return found[0].text if found else None


def test_whoever_signs_up_is_logged_in_and_can_come_back(somebody: Browser) -> None:
    assert name_shown(somebody) is None
    somebody.sign_up("Cora")
    assert name_shown(somebody) == "Cora"
    assert somebody.log_out().status_code == 303
    assert name_shown(somebody) is None
    assert somebody.log_in("cora").headers["Location"] == "/"
    assert name_shown(somebody) == "Cora"


@pytest.mark.parametrize(
    ("typed", "status", "field", "words"),
    [
        ({"name": "x"}, 422, "name", "2 to 24 characters"),
        ({"name": "CORA"}, 409, "name", "taken"),
        ({"password": "short", "again": "short"}, 422, "password", "10 to 256"),
        ({"again": "another password"}, 422, "again", "not the same"),
    ],
)
@pytest.mark.usefixtures("cora")
def test_what_does_not_fit_is_told_at_its_field(
    somebody: Browser, typed: dict[str, str], status: int, field: str, words: str
) -> None:
    given = {"name": "eve", "password": PASSWORD, "again": PASSWORD, **typed}
    answer = somebody.send("/sign-up", "/sign-up", **given)
    assert answer.status_code == status
    shown = read(answer.text)
    wrong = shown.one("input", name=field)
    assert wrong.attributes["aria-invalid"] == "true"
    told = shown.one("p", id=wrong.attributes["aria-describedby"].split()[0])
    assert words in told.text
    assert len(shown.all("p", class_="error")) == 1
    assert shown.one("input", name="name").attributes["value"] == given["name"]
    assert PASSWORD not in answer.text


@pytest.mark.usefixtures("cora")
def test_an_unknown_name_and_a_wrong_password_get_the_same_page(somebody: Browser) -> None:
    told = set()
    wrong = [("cora", "a wrong password"), ("house:3", PASSWORD), ("a visitor", PASSWORD)]
    for name, password in (*wrong, ("nobody", PASSWORD), ("a\0b", PASSWORD)):
        answer = somebody.log_in(name, password)
        assert answer.status_code == 401
        told.add(read(answer.text).one("p", role="alert").text)
    assert told == {"Name or password is wrong."}


def test_the_cookie_is_for_this_site_and_for_no_script(somebody: Browser) -> None:
    given = {"name": "eve", "password": PASSWORD, "again": PASSWORD}
    made = cookie(somebody.send("/sign-up", "/sign-up", **given))
    assert (made.key, made["path"], made["samesite"]) == ("plybook", "/", "Lax")
    assert made["httponly"] is True
    assert not made["secure"]
    assert not made["domain"]
    assert int(made["max-age"]) == 30 * 86_400


def test_under_tls_the_cookie_is_bound_to_it(make_app: Callable[..., Flask]) -> None:
    browser = Browser(make_app(public_url="https://play.example"))
    made = cookie(browser.get("/log-in"))
    assert made.key == "__Host-plybook"
    assert made["secure"] is True
    assert made["httponly"] is True


def test_a_page_without_a_form_sets_no_cookie(somebody: Browser) -> None:
    for address in ("/", "/games/path-capture", "/nothing"):
        assert "Set-Cookie" not in somebody.get(address).headers


def test_a_log_in_gives_another_cookie_than_was_there_before(
    somebody: Browser, cora: Browser
) -> None:
    planted = cookie(somebody.get("/log-in")).value
    answer = somebody.log_in("cora")
    assert cookie(answer).value != planted
    taken = cookie(answer).value
    cora.log_out()
    assert cookie(cora.log_in("cora")).value != taken
    thief = Browser(cora.client.application)
    thief.client.set_cookie("plybook", planted)
    assert name_shown(thief) is None


def test_a_cookie_is_good_for_nothing_after_the_log_out(cora: Browser) -> None:
    kept = cora.client.get_cookie("plybook")
    assert kept is not None
    gone = cookie(cora.log_out())
    assert (gone.value, gone["max-age"]) == ("", "0")
    cora.client.set_cookie("plybook", kept.value)
    assert name_shown(cora) is None


@pytest.mark.parametrize("value", ["nonsense", "x" * 5000, "ünï", "a;b", ""])
def test_a_cookie_that_is_none_of_ours_is_nobody(somebody: Browser, value: str) -> None:
    answer = somebody.client.get(
        "/", headers={"Cookie": f"plybook={value}".encode().decode("latin-1")}
    )
    assert answer.status_code == 200
    assert "Log in" in answer.text


def test_a_form_without_its_token_changes_nothing(cora: Browser, dan: Browser) -> None:
    for token in (None, "", "0" * 64, "ünï", "other"):
        values = cora.form("/new?game=path-capture", "/new")
        values.pop("csrf")
        if token == "other":
            values["csrf"] = dan.form("/new?game=path-capture", "/new")["csrf"]
        elif token is not None:
            values["csrf"] = [token]
        answer = cora.post("/new", values)
        assert (answer.status_code, answer.mimetype) == (403, "text/html"), token
        assert "Nothing has changed" in answer.text
        own = cora.page("/matches?mine=true").one("div", class_="empty")
        assert own.one("h2").text == "You have no match yet"


@pytest.mark.parametrize("action", ["/sign-up", "/log-in", "/log-out", "/new", "/m/x/join"])
def test_every_form_needs_a_token(somebody: Browser, action: str) -> None:
    for cookies in (False, True):
        assert somebody.post(action, {"name": ["cora"]}).status_code == 403
        if not cookies:
            somebody.get("/log-in")


ORIGINS: list[tuple[dict[str, str], int]] = [
    ({}, 303),
    ({"Origin": "http://localhost"}, 303),
    ({"Origin": "http://localhost:80"}, 303),
    ({"Origin": "http://evil.example"}, 403),
    ({"Origin": "http://localhost.evil.example"}, 403),
    ({"Origin": "http://localhost:8000"}, 403),
    ({"Origin": "null"}, 403),
    ({"Origin": "http://["}, 403),
    ({"Sec-Fetch-Site": "same-origin", "Origin": "http://behind.a.proxy"}, 303),
    ({"Sec-Fetch-Site": "none"}, 303),
    ({"Sec-Fetch-Site": "cross-site"}, 403),
    ({"Sec-Fetch-Site": "same-site", "Origin": "http://localhost"}, 403),
]


def test_a_form_comes_from_this_site_or_is_refused(somebody: Browser) -> None:
    for number, (headers, status) in enumerate(ORIGINS):
        somebody.client.delete_cookie("plybook")
        values = somebody.form("/sign-up", "/sign-up")
        values |= {"name": [f"eve-{number}"], "password": [PASSWORD], "again": [PASSWORD]}
        assert somebody.post("/sign-up", values, headers).status_code == status, headers


@pytest.mark.parametrize(
    ("origin", "status"), [("https://play.example", 303), ("http://play.example", 403)]
)
def test_behind_a_proxy_the_public_address_is_this_site_too(
    make_app: Callable[..., Flask], origin: str, status: int
) -> None:
    client = make_app(public_url="https://play.example/").test_client()
    client.set_cookie("__Host-plybook", "chosen", domain="inside.example", secure=True)
    token = mask_token(token_of("chosen"))
    values = {"csrf": token, "name": "eve", "password": PASSWORD, "again": PASSWORD}
    answer = client.post(
        "/sign-up", data=values, headers={"Origin": origin}, base_url="https://inside.example"
    )
    assert answer.status_code == status


def test_a_log_in_leads_back_to_where_it_was_asked_for(cora: Browser, somebody: Browser) -> None:
    match = cora.new_match()
    answer = somebody.get("/new?game=grid-power")
    assert answer.status_code == 303
    values = somebody.form(answer.headers["Location"], "/log-in")
    values |= {"name": ["cora"], "password": [PASSWORD]}
    assert somebody.post("/log-in", values).headers["Location"] == "/new?game=grid-power"
    assert somebody.get(f"/log-in?next={match}").headers["Location"] == match


@pytest.mark.usefixtures("cora")
def test_nothing_leads_to_another_site(somebody: Browser) -> None:
    for address in ELSEWHERE:
        somebody.client.delete_cookie("plybook")
        form = somebody.form("/log-in", "/log-in")
        values = {**form, "next": [address], "name": ["cora"], "password": [PASSWORD]}
        assert somebody.post("/log-in", values).headers["Location"] == "/", address
        answer = somebody.client.get("/sign-up", query_string={"next": address})
        assert answer.headers["Location"] == "/"


@pytest.mark.usefixtures("cora")
def test_a_page_that_needs_a_player_asks_for_the_log_in(somebody: Browser) -> None:
    for address in ("/new", "/matches?mine=true"):
        answer = somebody.get(address)
        assert answer.status_code == 303
        assert answer.headers["Location"].startswith("/log-in?next=")


def test_a_session_that_ended_leads_from_a_form_to_the_log_in(
    cora: Browser, dan: Browser, house: Services
) -> None:
    match = cora.start(dan)
    values = cora.form(cora.choose(match, "node 3"), f"{match}/moves")
    house.accounts.set_password("cora", "another password altogether")
    answer = cora.post(f"{match}/moves", values)
    assert answer.status_code == 303
    assert answer.headers["Location"].startswith("/log-in?next=")
    assert match.rpartition("/")[2] in answer.headers["Location"]


@pytest.mark.usefixtures("cora")
def test_log_ins_are_limited_by_address_on_pages_and_the_api_together(
    make_app: Callable[..., Flask],
) -> None:
    browser = Browser(make_app(rate_limit=1000, log_in_limit=3))
    assert browser.log_in("nobody", "a wrong password").status_code == 401
    assert browser.log_in("cora").status_code == 303
    credentials = {"name": "nobody", "password": "a wrong password", "label": "x"}
    assert browser.client.post("/api/v1/tokens", json=credentials).status_code == 401
    assert browser.client.post("/api/v1/tokens", json=credentials).status_code == 429
    browser.log_out()
    answer = browser.log_in("cora")
    assert (answer.status_code, answer.mimetype) == (429, "text/html")
    assert int(answer.headers["Retry-After"]) > 0
    assert browser.get("/log-in").status_code == 200


@pytest.mark.usefixtures("cora")
def test_guesses_at_one_name_are_limited_wherever_they_come_from(
    make_app: Callable[..., Flask],
) -> None:
    app = make_app(rate_limit=1000, log_in_limit=3)

    def guess(number: int, name: str, password: str) -> int:
        browser = Browser(app)
        values = browser.form("/log-in", "/log-in") | {"name": [name], "password": [password]}
        environ = {"REMOTE_ADDR": f"192.0.2.{number}"}
        return browser.client.post("/log-in", data=values, environ_base=environ).status_code

    assert [guess(number, "cora", PASSWORD) for number in range(4)] == [303] * 4
    assert [guess(10 + number, "Cora", "a guess that fails") for number in range(4)] == [
        401,
        401,
        401,
        429,
    ]
    assert guess(20, "somebody", "a guess that fails") == 401


def test_sign_ups_are_limited(make_app: Callable[..., Flask]) -> None:
    app = make_app(rate_limit=1000, sign_up_limit=1)
    Browser(app).sign_up("cora")
    given = {"name": "dan", "password": PASSWORD, "again": PASSWORD}
    assert Browser(app).send("/sign-up", "/sign-up", **given).status_code == 429
