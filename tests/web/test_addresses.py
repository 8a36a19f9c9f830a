"""Addresses are bound as the framework binds them, whatever a request says of its host."""

from __future__ import annotations

from typing import Any

import pytest
from flask import Flask
from werkzeug.exceptions import HTTPException
from werkzeug.routing import MapAdapter
from werkzeug.test import EnvironBuilder

from web.app import Plybook

HOSTS = (
    "localhost",
    "localhost:8080",
    "Play.Example.ORG:443",
    "play.example.org:80",
    "[::1]:8080",
    "xn--bcher-kva.example",
    "bücher.example",
    "a..b",
    "a" * 64 + ".example",
    "bad host",
    "bad/host",
    "host:99999",
    "",
    None,
)
OTHERS: tuple[dict[str, str], ...] = (
    {},
    {"REQUEST_METHOD": "post"},
    {"SCRIPT_NAME": "/below"},
    {"PATH_INFO": "//api/v1/games"},
    {"PATH_INFO": "/m/\xc3\xa9"},
    {"PATH_INFO": ""},
    {"QUERY_STRING": "as=seat-1"},
    {"QUERY_STRING": "as=\xc3\xa9"},
    {"HTTP_CONNECTION": "Upgrade", "HTTP_UPGRADE": "websocket"},
    {"HTTP_UPGRADE": "h2c"},
    {"wsgi.url_scheme": "https"},
)


@pytest.mark.parametrize("other", OTHERS, ids=str)
@pytest.mark.parametrize("host", HOSTS)
def test_an_address_is_bound_as_by_the_framework(
    app: Flask, host: str | None, other: dict[str, str]
) -> None:
    environ = EnvironBuilder("/api/v1/games").get_environ()
    del environ["HTTP_HOST"]
    if host is not None:
        environ["HTTP_HOST"] = host
    environ.update(other)
    assert _bound(Plybook, app, environ) == _bound(Flask, app, environ)


def _bound(kind: type[Flask], app: Flask, environ: dict[str, Any]) -> object:
    """Return all that is known of an address, or how it is refused."""
    try:
        adapter = kind.create_url_adapter(app, app.request_class(dict(environ)))
    except HTTPException as refusal:
        return type(refusal)
    assert isinstance(adapter, MapAdapter)
    return vars(adapter)


def test_nothing_is_kept_in_sessions_of_the_framework(app: Flask) -> None:
    app.secret_key = "known to nobody"
    with app.test_request_context("/"):
        from flask import session

        assert dict(session) == {}
        with pytest.raises(RuntimeError):
            session["a"] = 1
