"""What a path or a query says is in no log: ids, invitations and cursors let people in."""

from __future__ import annotations

import io
import logging
import sqlite3
from collections.abc import Iterator
from contextlib import closing
from typing import NamedTuple

import httpx
import orjson
import pytest
from flask import Flask, Response
from werkzeug.routing import Rule

from services.runtime.logs import configure_logs
from services.runtime.settings import Settings
from tests.support.figures import figures_of
from tests.support.servers import running_server
from tests.web.people import Person
from web.api.operations import OPERATIONS

MARKER = "m4rker5ecret0000"


class Asking(NamedTuple):
    """A request with the marker in it, and the rule that it is meant for."""

    rule: Rule
    method: str
    address: str


def addresses(rule: Rule, known: dict[str, str]) -> Iterator[str]:
    """Yield addresses of a rule with the marker in one place of the path or the query each."""
    everywhere = dict.fromkeys(rule.arguments, MARKER)
    for marked in sorted(rule.arguments):
        yield filled(rule, {**everywhere, **known, marked: MARKER})
    there = filled(rule, {**everywhere, **known})
    for name in (*parameters(rule), MARKER):
        yield f"{there}?{name}={MARKER}"
    yield f"{there}?{MARKER}"


def parameters(rule: Rule) -> list[str]:
    """Return the names of the parameters that pages and the operation of a rule read."""
    operation = OPERATIONS.get(rule.endpoint.removeprefix("api."))
    fields = operation.query.fields.items() if operation and operation.query else ()
    return [*(field.data_key or name for name, field in fields), "at", "as", "next", "cursor"]


def filled(rule: Rule, values: dict[str, str]) -> str:
    address = rule.rule
    for name in rule.arguments:
        for form in (f"<{name}>", f"<path:{name}>"):
            address = address.replace(form, values[name])
    return address


def askings(app: Flask, **known: str) -> list[Asking]:
    """Return requests with the marker in each place, and, whatever the method, in all at once."""
    return one_of_each(app) + [
        Asking(rule, method, address)
        for rule in app.url_map.iter_rules()
        for method in sorted((rule.methods or set()) - {"HEAD", "OPTIONS"})
        for address in addresses(rule, known)
    ]


def one_of_each(app: Flask) -> list[Asking]:
    """Return a request of each rule and method, with the marker wherever it can stand."""
    return [
        Asking(rule, method, f"{filled(rule, dict.fromkeys(rule.arguments, MARKER))}?{query}")
        for rule in app.url_map.iter_rules()
        for method in sorted(rule.methods or ())
        for query in ["&".join(f"{name}={MARKER}" for name in (*parameters(rule), MARKER))]
    ]


def unmatched() -> list[tuple[str, str]]:
    paths = (f"/{MARKER}", f"/api/v1/{MARKER}", f"/i/a/{MARKER}", f"//{MARKER}", f"/m/{MARKER}/x")
    methods = ("GET", "POST", "PROPFIND", MARKER.upper())
    return [(method, path) for method in methods for path in paths]


def test_the_path_and_query_of_no_route_are_logged(
    app: Flask,
    ada: Person,
    log: io.BytesIO,
    caplog: pytest.LogCaptureFixture,
) -> None:
    configure_logs(Settings(log_level="debug"))
    caplog.set_level(logging.DEBUG)
    there = ada.create()["id"]
    asked = askings(app, match_id=there, name="ada", slug="path-capture")
    for _, method, address in asked:
        ada.ask(method, f"http://localhost{address}")
    for method, path in unmatched():
        ada.ask(method, f"http://localhost{path}")
    logged = log.getvalue().decode()
    assert logged.count("\n") > len(asked)
    assert MARKER not in (logged + caplog.text).lower()
    assert there not in logged + caplog.text


def test_a_request_is_logged_and_counted_under_the_pattern_of_its_route(
    app: Flask, ada: Person, log: io.BytesIO
) -> None:
    configure_logs(Settings(log_format="json"))
    for rule, method, address in askings(app):
        log.seek(0)
        log.truncate()
        answer = ada.ask(method, f"http://localhost{address}")
        line = orjson.loads(log.getvalue().splitlines()[-1])
        assert (line["method"], line["path"]) == (method, rule.rule)
        # Where a link leads away from here, nobody there is told where it stood.
        assert answer.headers["Referrer-Policy"] == "same-origin"
    for method, path in unmatched():
        answer = ada.ask(method, f"http://localhost{path}")
        assert "instance" not in (answer.json if path.startswith("/api/") else {})
    assert MARKER not in figures_of(app).lower()


def test_what_matches_no_route_is_logged_as_that(ada: Person, log: io.BytesIO) -> None:
    configure_logs(Settings(log_format="json"))
    for method, path in unmatched():
        ada.ask(method, f"http://localhost{path}")
    lines = [orjson.loads(line) for line in log.getvalue().splitlines()]
    assert [line["path"] for line in lines] == ["(unmatched)"] * len(unmatched())
    assert {line["method"] for line in lines} == {"GET", "POST", "(other)"}


def test_a_fault_is_logged_under_the_pattern_of_its_route(
    app: Flask, ada: Person, log: io.BytesIO, caplog: pytest.LogCaptureFixture
) -> None:
    def fail(**_: str) -> str:
        raise LookupError("a fault of this test")

    configure_logs(Settings(log_format="json"))
    app.view_functions = dict.fromkeys(app.view_functions, fail)
    for _, method, address in one_of_each(app):
        ada.ask(method, f"http://localhost{address}")
    logged = log.getvalue().decode()
    assert "a fault of this test" in logged
    assert "/i/<token>" in logged
    assert MARKER not in (logged + caplog.text).lower()


def test_a_fault_in_telling_of_a_fault_is_logged_under_the_pattern_too(
    app: Flask, ada: Person, log: io.BytesIO, caplog: pytest.LogCaptureFixture
) -> None:
    def fail(_: Response) -> Response:
        raise LookupError("a fault of this test")

    configure_logs(Settings())
    app.after_request_funcs[None] = [fail]
    app.config["PROPAGATE_EXCEPTIONS"] = False
    for _, method, address in one_of_each(app):
        ada.ask(method, f"http://localhost{address}")
    logged = log.getvalue().decode() + caplog.text
    assert "a fault of this test" in logged
    assert MARKER not in logged.lower()


@pytest.mark.slow
def test_a_stream_that_breaks_off_is_logged_under_the_pattern_of_its_route(
    ada: Person, migrated_sqlite_url: str
) -> None:
    match = ada.create(visibility="unlisted")["id"]
    with (
        running_server(migrated_sqlite_url, stream_seconds=30) as server,
        httpx.stream("GET", f"{server.url}/api/v1/matches/{match}/stream", timeout=60) as answer,
    ):
        told = answer.iter_lines()
        assert next(told).startswith("retry")
        with closing(sqlite3.connect(migrated_sqlite_url)) as database:
            database.execute("ALTER TABLE events RENAME TO elsewhere")
        with pytest.raises(httpx.RemoteProtocolError):
            list(told)
        httpx.get(f"{server.url}/api/v1/matches/{match}/events")
        logged = server.logged()
    assert match not in logged
    broken = [orjson.loads(line) for line in logged.splitlines() if '"broken_off"' in line]
    assert [line["path"] for line in broken] == ["/api/v1/matches/<match_id>/stream"]
    assert "no such table" in broken[0]["exception"]
