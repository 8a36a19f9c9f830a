"""Passkeys: added and used in Chromium with an authenticator; off where browsers allow none."""

from __future__ import annotations

from collections.abc import Callable, Iterator

import pytest
from flask import Flask
from playwright.sync_api import Browser as Chromium
from playwright.sync_api import Page, expect

from services.container import Services
from tests.web.pages.browsing import Browser
from tests.web.pages.chromium import Site
from tests.web.pages.readers import read
from tests.web.people import PASSWORD

KEEPS_KEYS = {
    "protocol": "ctap2",
    "transport": "internal",
    "hasResidentKey": True,
    "hasUserVerification": True,
    "isUserVerified": True,
    "automaticPresenceSimulation": True,
}


@pytest.fixture
def page(browser: Chromium, site: Site) -> Iterator[Page]:
    """Give a page of a browser that has an authenticator, at an address that allows passkeys."""
    context = browser.new_context(base_url=site.url.replace("127.0.0.1", "localhost"))
    found = context.new_page()
    devtools = context.new_cdp_session(found)
    devtools.send("WebAuthn.enable")
    devtools.send("WebAuthn.addVirtualAuthenticator", {"options": KEEPS_KEYS})
    yield found
    context.close()


@pytest.mark.browser
def test_a_passkey_is_added_with_the_password_and_lets_its_player_in(page: Page) -> None:
    page.goto("/sign-up")
    for field, value in (("name", "pia"), ("password", PASSWORD), ("again", PASSWORD)):
        page.fill(f"main [name={field}]", value)
    page.click("main form.stacked button")
    page.goto("/account")
    page.click("#passkeys summary")
    page.fill("#f-passkey-label", "my phone")
    page.fill("#f-passkey-password", "a wrong password")
    page.click("[data-passkey] button")
    expect(page.locator("#passkeys [data-said]")).to_have_text("This is not your password.")
    page.fill("#f-passkey-password", PASSWORD)
    page.click("[data-passkey] button")
    expect(page.locator("#done")).to_contain_text("log in with this passkey")
    expect(page.locator("#passkeys li")).to_contain_text("my phone")
    expect(page.locator("#no-codes")).to_contain_text("and lose your passkeys")
    expect(page.locator("#recovery")).to_contain_text("You can still log in with a passkey")
    page.context.clear_cookies()
    page.goto("/log-in?next=/account")
    page.click("[data-passkey] button")
    expect(page.locator("h1")).to_have_text("pia")
    expect(page.locator("#passkeys li")).to_contain_text("last used on")
    page.click("#passkeys li button")
    expect(page.locator("#passkeys li")).to_have_count(0)
    page.context.clear_cookies()
    page.goto("/log-in")
    page.click("[data-passkey] button")
    expect(page.locator("p[role=alert]").first).to_contain_text("was not accepted")


@pytest.mark.parametrize(
    "answer", ["", "[]", "{}", '{"id": 3}', '{"id": "x\\u0000"}', '{"id": "AAAA"}']
)
def test_what_nobody_has_signed_lets_nobody_in(
    cora: Browser, somebody: Browser, answer: str
) -> None:
    csrf = somebody.form("/log-in", "/log-in")["csrf"]
    asked = somebody.post("/log-in/passkey/asked", {"csrf": csrf})
    for ticket in (asked.json["ticket"], "", "AAAA"):
        sent = {"csrf": csrf, "ticket": [ticket], "answer": [answer]}
        refused = somebody.post("/log-in/passkey", sent)
        assert refused.status_code == 401
        assert "was not accepted" in read(refused.text).one("p", role="alert").text
    ticket = cora.post(
        "/account/passkeys/asked",
        {"csrf": cora.form("/account", "/account/password")["csrf"], "password": [PASSWORD]},
    ).json["ticket"]
    sent = {"ticket": [ticket], "answer": [answer], "label": ["x"]}
    added = cora.post(
        "/account/passkeys", {**sent, "csrf": cora.form("/account", "/account/password")["csrf"]}
    )
    assert added.status_code == 401


def test_where_browsers_allow_none_the_page_says_why(
    make_app: Callable[..., Flask], house: Services
) -> None:
    cora = Browser(make_app(public_url="http://192.0.2.1:8080"))
    cora.sign_up("cora")
    shown = cora.page("/account").one("section", id="passkeys")
    assert "Passkeys are off here" in shown.text
    assert not shown.all("form")
    csrf = cora.form("/account", "/account/password")["csrf"]
    refused = cora.post("/account/passkeys/asked", {"csrf": csrf, "password": [PASSWORD]})
    assert refused.status_code == 400
    assert house.passkeys.list_by_player(house.accounts.get_by_name("cora").id) == []
