"""What HTTP itself asks for, whatever the address."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any
from urllib.parse import urlsplit

import pytest
from flask import Flask

from services.container import Services
from tests.web.people import Person, problem

PATHS = ("/games", "/matches", "/problems", "/games/path-capture", "/openapi.json")


def test_a_problem_leads_to_its_explanation(anyone: Person) -> None:
    body = problem(anyone.get("/matches/none"), 404, "not-found")
    address = urlsplit(body["type"])
    assert address.scheme == "http"
    explained = anyone.get(body["type"])
    assert explained.status_code == 200
    assert (explained.json["code"], explained.json["status"]) == ("not-found", 404)
    assert explained.json["title"] == body["title"]


def test_every_code_is_explained(anyone: Person) -> None:
    for one in anyone.get("/problems").json["problems"]:
        assert anyone.get(f"/problems/{one['code']}").json == one
    problem(anyone.get("/problems/no-such-code"), 404, "not-found")


def test_every_answer_has_a_request_id_and_a_problem_repeats_it(anyone: Person) -> None:
    answers = [anyone.get("/games"), anyone.get("/none")]
    ids = [answer.headers["X-Request-Id"] for answer in answers]
    assert len(set(ids)) == 2
    assert answers[1].json["request_id"] == ids[1]


@pytest.mark.parametrize(
    "path",
    ["/api", "/api/", "/api/v1", "/api/v1/", "/api/v2/games", "/api/v1/games/", "/api/v1//games",
     "/api/v1/none", "/api/docs/none", "/api/docs/../../etc/passwd"],
)  # fmt: skip
def test_the_api_never_answers_html(path: str, anyone: Person) -> None:
    answer = anyone.visit(path)
    problem(answer, 404, "not-found")


@pytest.mark.parametrize("method", ["PUT", "PATCH", "DELETE", "POST", "TRACE", "BREW"])
def test_a_method_that_is_not_known_is_told_the_others(method: str, anyone: Person) -> None:
    answer = anyone.ask(method, "/games")
    problem(answer, 405, "method-not-allowed")
    assert answer.headers["Allow"] == "GET, HEAD, OPTIONS"


@pytest.mark.parametrize(
    ("path", "allowed"),
    [
        ("/games", "GET, HEAD, OPTIONS"),
        ("/matches", "GET, HEAD, OPTIONS, POST"),
        ("/tokens/x", "DELETE, OPTIONS"),
        ("/matches/0000000000000000/moves", "OPTIONS, POST"),
    ],
)
def test_options_tells_the_methods(path: str, allowed: str, anyone: Person) -> None:
    answer = anyone.ask("OPTIONS", path)
    assert (answer.status_code, answer.data) == (204, b"")
    assert answer.headers["Allow"] == allowed
    assert "Content-Type" not in answer.headers


@pytest.mark.parametrize("path", [*PATHS, "/me"])
def test_head_is_get_without_the_body(path: str, ada: Person) -> None:
    got, head = ada.get(path), ada.ask("HEAD", path)
    assert (head.status_code, head.data) == (200, b"")
    own = {"X-Request-Id"}
    assert {k: v for k, v in head.headers if k not in own} == {
        k: v for k, v in got.headers if k not in own
    }


ACCEPTS = [
    ("application/json", 200),
    ("*/*", 200),
    ("application/*", 200),
    ("text/html, application/json;q=0.1", 200),
    ("text/html", 406),
    ("application/json;q=0", 406),
    ("image/png, text/plain", 406),
    ("nonsense", 406),
]


def test_only_what_is_accepted_is_given(anyone: Person) -> None:
    for accept, status in ACCEPTS:
        answer = anyone.get("/games", {"Accept": accept})
        assert answer.status_code == status, accept
        if status == 406:
            assert "application/json" in problem(answer, 406, "not-acceptable")["detail"]


UNREADABLE = [
    (b"", "application/json", 400, "malformed-request"),
    (b"{", "application/json", 400, "malformed-request"),
    (b"[]", "application/json", 400, "malformed-request"),
    (b"\xff", "application/json", 400, "malformed-request"),
    (b'{"name": "\\ud800"}', "application/json", 400, "malformed-request"),
    (b"[" * 100_000, "application/json", 413, "payload-too-large"),
    (b"[" * 60_000, "application/json", 400, "malformed-request"),
    (b'{"a":' * 900 + b"1" + b"}" * 900, "application/json", 400, "malformed-request"),
    (b'{"name": Infinity}', "application/json", 400, "malformed-request"),
    (b'{"name": 1e999}', "application/json", 400, "malformed-request"),
    (b"{}", "text/json", 415, "unsupported-media-type"),
    (b"{}", "application/json; charset=latin-1", 415, "unsupported-media-type"),
    (b"{}", "application/json; charset=UTF-8", 400, "malformed-request"),
    (b"", "", 415, "unsupported-media-type"),
]


def test_a_body_that_cannot_be_read_is_refused(ada: Person) -> None:
    for path in ("/players", "/tokens", "/matches"):
        for raw, kind, status, code in UNREADABLE:
            answer = ada.ask("POST", path, data=raw, content_type=kind)
            assert answer.status_code == status, (path, raw[:20], kind)
            problem(answer, status, code)


UNFIT: list[tuple[dict[str, Any], str]] = [
    ({"name": 5, "password": "x" * 12}, "/name"),
    ({"name": True, "password": "x" * 12}, "/name"),
    ({"name": ["eve"], "password": "x" * 12}, "/name"),
    ({"name": "e\x00ve", "password": "x" * 12}, "/name"),
    ({"name": "eve"}, "/password"),
    ({"name": "eve", "password": None}, "/password"),
    ({"name": "eve", "password": 5}, "/password"),
    ({"name": "eve", "password": "x" * 12, "a/b~c": 1}, "/a~1b~0c"),
]


def test_a_member_that_does_not_fit_is_pointed_at(anyone: Person) -> None:
    for body, pointer in UNFIT:
        fault = problem(anyone.post("/players", body), 400, "malformed-request")
        assert [error["pointer"] for error in fault["errors"]] == [pointer], body


@pytest.mark.parametrize("path", ["/games?x=1", "/me?x=1", "/tokens?x=1", "/problems?x=1"])
def test_a_parameter_that_there_is_not_is_refused(path: str, ada: Person) -> None:
    fault = problem(ada.get(path), 400, "malformed-request")
    assert fault["errors"] == [{"parameter": "x", "detail": "There is no such parameter."}]


def test_headers_of_safety_are_on_every_answer(anyone: Person, app: Flask) -> None:
    client = app.test_client()
    for answer in (
        anyone.get("/games"), anyone.get("/none"), anyone.ask("OPTIONS", "/games"),
        client.get("/"), client.get("/none"), client.get("/healthz"), client.get("/api/docs"),
    ):  # fmt: skip
        assert answer.headers["X-Content-Type-Options"] == "nosniff"
        assert answer.headers["X-Frame-Options"] == "DENY"
        policy = answer.headers.get_all("Content-Security-Policy")
        assert len(policy) == 1
        assert policy[0].startswith("default-src 'none'")
        assert "unsafe" not in policy[0]


def test_behind_https_browsers_are_told_to_stay_there(make_app: Callable[..., Flask]) -> None:
    app = make_app(public_url="https://play.example")
    answer = Person(app.test_client()).get("/none")
    assert answer.headers["Strict-Transport-Security"] == "max-age=31536000"
    assert answer.json["type"] == "https://play.example/api/v1/problems/not-found"


def test_a_fault_is_a_problem_and_tells_nothing(
    anyone: Person, house: Services, monkeypatch: pytest.MonkeyPatch
) -> None:
    def fail(*_: object, **__: object) -> None:
        raise RuntimeError("the inside of the house")

    monkeypatch.setattr(type(house.lobby), "list_matches", fail)
    answer = anyone.get("/matches")
    body = problem(answer, 500, "internal")
    assert "inside" not in answer.text
    assert answer.headers["X-Request-Id"] == body["request_id"]


def test_a_page_that_is_not_there_is_a_page(app: Flask) -> None:
    answer = app.test_client().get("/none")
    assert (answer.status_code, answer.mimetype) == (404, "text/html")
