"""What the server hands over of a request, and what it is given back."""

from __future__ import annotations

from typing import Any

import pytest
from flask import Flask, session
from werkzeug.test import EnvironBuilder

from domain.json_types import JsonObject
from tests.web.people import PASSWORD

SIGN_UP = {"name": "eve", "password": PASSWORD}


def asked(path: str, method: str = "GET", json: JsonObject | None = None) -> dict[str, Any]:
    """Return the environment of a request as our server gives it."""
    return EnvironBuilder(f"/api/v1{path}", method=method, json=json).get_environ()


def answered(app: Flask, environ: dict[str, Any]) -> tuple[str, object]:
    """Return the status, and what the server is given as the body."""
    told: list[str] = []
    body = app(environ, lambda status, *_: told.append(status))  # type: ignore[arg-type]
    return told[0], body


@pytest.mark.parametrize(
    ("announced", "status"),
    [
        ("9" * 12, "413 REQUEST ENTITY TOO LARGE"),
        ("9" * 5000, "400 BAD REQUEST"),
        ("nonsense", "400 BAD REQUEST"),
    ],
)
def test_a_body_that_is_not_as_long_as_announced_is_refused(
    announced: str, status: str, app: Flask
) -> None:
    environ = asked("/players", method="POST", json={})
    environ["CONTENT_LENGTH"] = announced
    assert answered(app, environ)[0] == status


def test_a_body_that_ends_too_early_is_told_so(app: Flask) -> None:
    environ = asked("/players", method="POST", json=SIGN_UP)
    environ["CONTENT_LENGTH"] = "1000"
    status, body = answered(app, environ)
    assert status == "400 BAD REQUEST"
    assert b"ended before" in b"".join(body)  # type: ignore[arg-type]


def test_the_server_is_given_the_bytes_of_an_answer_as_they_are(app: Flask) -> None:
    status, body = answered(app, asked("/problems"))
    assert status == "200 OK"
    assert isinstance(body, list)
    assert len(body) == 1


def test_the_server_is_given_no_body_for_head(app: Flask) -> None:
    status, body = answered(app, asked("/problems", method="HEAD"))
    assert status == "200 OK"
    assert not list(body)  # type: ignore[call-overload]


def test_nothing_is_kept_in_sessions_of_the_framework(app: Flask) -> None:
    app.secret_key = "known to nobody"
    with app.test_request_context("/"):
        assert dict(session) == {}
        with pytest.raises(RuntimeError):
            session["a"] = 1
