"""A NUL, which PostgreSQL takes in no text, is answered like anything else that is wrong."""

from __future__ import annotations

from flask import Flask

from tests.web.pages.browsing import Browser
from tests.web.people import PASSWORD, Person

ON_BOTH_DATABASES = True


def test_an_address_with_a_nul_leads_nowhere(anyone: Person) -> None:
    for address in ("/api/v1/matches/%00", "/api/v1/matches/%00/events", "/m/%00", "/games/a%00"):
        assert anyone.visit(address).status_code == 404


def test_a_nul_in_a_query_is_a_value_that_nothing_has(anyone: Person) -> None:
    assert anyone.visit("/matches?player=%00").status_code == 200
    assert anyone.visit("/matches?game=%00").status_code == 404


def test_a_nul_in_a_form_is_a_value_that_does_not_fit(app: Flask) -> None:
    cora, dan = Browser(app).sign_up("cora"), Browser(app).sign_up("dan")
    match = cora.start(dan)
    values = cora.form(f"{match}?path=node:2&path=%00&move=%00", f"{match}/moves")
    for name in ("move", "path", "version"):
        answer = cora.post(f"{match}/moves", {**values, name: ["\0"], "key": ["\0"]})
        assert answer.status_code in (303, 400)
    assert cora.send("/new?game=path-capture", "/new", opponent="a\0b").status_code == 422
    cora.log_out()
    assert cora.log_in("co\0ra", PASSWORD).status_code == 401
