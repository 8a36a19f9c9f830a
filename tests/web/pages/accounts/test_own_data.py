"""One's own data as a file: from the account's page, by session and password alone."""

from __future__ import annotations

import orjson

from tests.web.pages.browsing import Browser, Pair, identity
from tests.web.pages.readers import read
from tests.web.people import PASSWORD, Person


def test_the_file_is_a_download_that_nobody_keeps(pair: Pair) -> None:
    match = identity(pair.start("path-capture"))
    answer = pair.browsers[0].send("/account", "/account/data", password=PASSWORD)
    assert answer.status_code == 200
    assert answer.headers["Content-Disposition"] == 'attachment; filename="plybook-cora.json"'
    assert answer.headers["Cache-Control"] == "private, no-store"
    assert answer.content_type == "application/json"
    assert [one["match"]["id"] for one in orjson.loads(answer.data)["matches"]] == [match]


def test_without_the_password_there_is_no_file(cora: Browser, anyone: Person) -> None:
    answer = cora.send("/account", "/account/data", password="a wrong password")
    assert answer.status_code == 401
    assert "not your password" in read(answer.text).one("p", id="f-data-password-error").text
    ada = anyone.sign_up("ada")
    headers = {"Authorization": f"Bearer {ada.token}"}
    sent = ada.client.post("/account/data", data={"password": PASSWORD}, headers=headers)
    assert sent.status_code == 403
    assert ada.ask("POST", "/me/data", json={"password": PASSWORD}).status_code == 404
