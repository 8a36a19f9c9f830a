"""Pages about mail: an address, its confirmation, the end of mails, and a forgotten password."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import pytest
from flask import Flask
from sqlalchemy import text

from services.container import Services
from services.notices.emails import Emails
from services.runtime.mail_server import read_mail_server
from services.runtime.settings import Settings
from tests.web.pages.browsing import Browser
from tests.web.pages.readers import read
from tests.web.people import PASSWORD

ADDRESS = "cora@mail.example"
NEW = "quite another password"


@pytest.fixture
def settings(settings: Settings) -> Settings:
    """Name a mail server; nothing is sent there, since no worker runs."""
    return replace(settings, smtp_url="smtp+plain://127.0.0.1:9", mail_from="no@play.example")


def secret(house: Services) -> str:
    """Return the secret of the newest link, as the mail will have it."""
    with house.database.read() as connection:
        sql = "SELECT secret FROM mail_links WHERE secret IS NOT NULL ORDER BY created_at DESC"
        return str(connection.execute(text(sql)).scalar())


def give(cora: Browser, password: str = PASSWORD, address: str = ADDRESS) -> int:
    values = cora.form("/account/email", "/account/email/address")
    values.update(address=[address], password=[password])
    return cora.post("/account/email/address", values).status_code


def token(browser: Browser, page: str) -> dict[str, list[str]]:
    """Return what every form on a page has."""
    return {"csrf": [browser.page(page).all("input", name="csrf")[-1].attributes["value"]]}


def confirmed(cora: Browser, house: Services) -> None:
    assert give(cora) == 303
    link = f"/mail/{secret(house)}"
    assert cora.post(link, token(cora, link)).status_code == 200


def test_without_a_mail_server_the_pages_say_that_it_is_off(
    cora: Browser, somebody: Browser, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(Emails, "available", property(lambda _: False), raising=False)
    for browser, page in ((cora, "/account/email"), (somebody, "/forgot")):
        shown = browser.get(page).text
        assert "This service sends no mail" in shown
        assert 'name="address"' not in shown
        assert 'name="asked"' not in shown


def test_an_address_is_confirmed_by_a_button_behind_the_link(
    cora: Browser, somebody: Browser, house: Services
) -> None:
    assert "so you need not keep checking" in cora.page("/account/email").text
    assert give(cora) == 303
    assert f"{ADDRESS} is not confirmed yet" in cora.page("/account/email").text
    link = f"/mail/{secret(house)}"
    # To look changes nothing, and whoever has the link may be logged in nowhere.
    assert somebody.get(link).status_code == somebody.get(link).status_code == 200
    values = token(somebody, link)
    assert "is confirmed" in somebody.post(link, values).text
    assert somebody.get(link).status_code == somebody.post(link, values).status_code == 404
    shown = cora.page("/account/email")
    assert [one.text for one in shown.all("h2")][:1] == [ADDRESS]


@pytest.mark.parametrize(
    ("typed", "status", "words"),
    [(("wrong", ADDRESS), 401, "not your password"), ((PASSWORD, "cora"), 400, "e-mail address")],
)
def test_what_does_not_fit_is_told_and_changes_nothing(
    cora: Browser, house: Services, typed: tuple[str, str], status: int, words: str
) -> None:
    values = cora.form("/account/email", "/account/email/address")
    values |= {"password": [typed[0]], "address": [typed[1]]}
    answer = cora.post("/account/email/address", values)
    assert answer.status_code == status
    assert words in read(answer.text).text
    assert house.emails.list_by_player(house.accounts.get_by_name("cora").id) == []


def test_what_is_told_and_when_is_chosen_tried_and_forgotten(
    cora: Browser, house: Services
) -> None:
    confirmed(cora, house)
    player = house.accounts.get_by_name("cora").id
    values = {**token(cora, "/account/email"), "do": ["choose"]}
    chosen = {**values, "type": ["match.over"], "hour": ["7"]}
    assert cora.post("/account/email", chosen).status_code == 303
    [view] = house.emails.list_by_player(player)
    assert (view.types, view.hour) == (["match.over"], 7)
    for wrong in ({"hour": ["24"]}, {"hour": ["x"]}, {"type": ["odd"]}, {"do": ["odd"]}):
        assert cora.post("/account/email", {**values, **wrong}).status_code == 400
    assert cora.post("/account/email", {**values, "do": ["test"]}).status_code == 303
    assert "A test" in cora.page("/account/email").text
    assert house.emails.list_by_player(player) == [view]
    forget = {**values, "do": ["forget"], "channel": [view.id]}
    assert cora.post("/account/email", forget).status_code == 303
    assert house.emails.list_by_player(player) == []
    assert cora.post("/account/email", forget).status_code == 404


def test_nobody_sees_or_changes_the_address_of_another(
    cora: Browser, dan: Browser, house: Services
) -> None:
    confirmed(cora, house)
    [view] = house.emails.list_by_player(house.accounts.get_by_name("cora").id)
    values = dan.form("/account/email", "/account/email/address") | {"do": ["forget"]}
    assert dan.post("/account/email", {**values, "channel": [view.id]}).status_code == 404
    for page in ("/account/email", "/p/cora", "/players", "/account"):
        assert ADDRESS not in dan.get(page).text
    assert house.emails.list_by_player(house.accounts.get_by_name("cora").id) == [view]


def test_mail_programs_end_mails_by_one_request_and_a_look_ends_nothing(
    cora: Browser, house: Services, app: Flask
) -> None:
    confirmed(cora, house)
    [view] = house.emails.list_by_player(house.accounts.get_by_name("cora").id)
    link = f"/unsubscribe/{house.emails.letters.key_of(view.id)}"
    client = app.test_client()
    assert "Send no more mails" in client.get(link).text
    assert house.emails.list_by_player(house.accounts.get_by_name("cora").id) == [view]
    headers = {"Sec-Fetch-Site": "cross-site", "Origin": "https://mail.example"}
    answer = client.post(link, data={"List-Unsubscribe": "One-Click"}, headers=headers)
    assert answer.status_code == 200
    assert house.emails.list_by_player(house.accounts.get_by_name("cora").id)[0].types == []
    assert ADDRESS not in answer.text
    assert client.post(f"{link}x").status_code == client.get(f"{link}x").status_code == 404


def test_a_link_sets_a_new_password_once(cora: Browser, somebody: Browser, house: Services) -> None:
    confirmed(cora, house)
    answers = [somebody.send("/forgot", "/forgot", asked=asked) for asked in ("cora", "nobody")]
    assert answers[0].headers["Location"] == answers[1].headers["Location"]
    assert {one.status_code for one in answers} == {303}
    with house.database.read() as connection:
        sql = "SELECT secret FROM mail_links WHERE purpose = 'password' AND player IS NOT NULL"
        link = f"/password/{connection.execute(text(sql)).scalar()}"
    values = token(somebody, link)
    for typed, words in ((("short", "short"), "10 to 256"), ((NEW, "other"), "not the same")):
        refused = somebody.post(link, {**values, "password": [typed[0]], "again": [typed[1]]})
        assert (refused.status_code, words in read(refused.text).text) == (422, True)
    typed_well = {**values, "password": [NEW], "again": [NEW]}
    done = somebody.post(link, typed_well)
    assert done.status_code == 303
    assert "Your password is set" in somebody.page(done.headers["Location"]).text
    assert cora.get("/account").status_code == 303
    assert somebody.get(link).status_code == 404
    somebody.log_out()
    again = {**typed_well, "csrf": somebody.form("/forgot", "/forgot")["csrf"]}
    assert somebody.post(link, again).status_code == 404
    assert somebody.log_in("cora", NEW).status_code == 303


def test_links_are_asked_for_as_often_as_one_may_log_in(make_app: Callable[..., Flask]) -> None:
    browser = Browser(make_app(rate_limit=600, log_in_limit=3))
    values = browser.form("/forgot", "/forgot") | {"asked": ["cora"]}
    statuses = [browser.post("/forgot", values).status_code for _ in range(4)]
    assert statuses == [303, 303, 303, 429]


def test_no_token_leads_to_an_address(cora: Browser, house: Services, app: Flask) -> None:
    token = house.accounts.issue_token("cora", PASSWORD, "bot").token
    client, bearer = app.test_client(), {"Authorization": f"Bearer {token}"}
    assert client.get("/account/email", headers=bearer).status_code == 303
    confirmed(cora, house)
    for path in ("/me", "/players/cora", "/webhooks", "/tokens"):
        assert ADDRESS not in client.get(f"/api/v1{path}", headers=bearer).text


def test_mails_of_a_demo_are_kept_and_shown_on_its_machine_alone(
    app: Flask, house: Services, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    cora = Browser(app).sign_up("cora")
    assert cora.get("/demo/mails").status_code == 404
    server = read_mail_server(f"folder://{tmp_path}")
    outbox = replace(house.outbox, mailer=replace(house.outbox.mailer, server=server))
    monkeypatch.setattr(house, "outbox", outbox)
    assert "There are none yet" in cora.page("/demo/mails").text
    assert give(cora) == 303
    link = f"/mail/{secret(house)}"
    assert house.outbox.deliver() == {"sent": 1, "not_sent": 0}
    shown = cora.page("/demo/mails")
    assert "Confirm your address" in shown.text
    [href] = [
        one.attributes["href"] for one in shown.all("a") if "/mail/" in one.attributes["href"]
    ]
    assert href.endswith(link)
    proxied = app.test_client().get("/demo/mails", headers={"X-Forwarded-For": "192.0.2.1"})
    far = app.test_client().get("/demo/mails", environ_base={"REMOTE_ADDR": "192.0.2.1"})
    assert proxied.status_code == far.status_code == 404
