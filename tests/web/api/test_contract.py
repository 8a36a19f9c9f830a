"""The OpenAPI document is valid, and says what the contract says."""

import re
from pathlib import Path

import pytest
from flask import Flask
from openapi_spec_validator import OpenAPIV31SpecValidator

from domain import errors
from domain.json_types import JsonObject
from domain.match import decisions
from tests.web.people import Person
from web.api.operations import BASE, OPERATIONS
from web.http.problems import PROBLEMS

ROUTES = {
    ("POST", "/players", "201"),
    ("GET", "/players", "200"),
    ("GET", "/players/{name}", "200"),
    ("POST", "/tokens", "201"),
    ("GET", "/tokens", "200"),
    ("DELETE", "/tokens/{token_id}", "204"),
    ("GET", "/me", "200"),
    ("GET", "/games", "200"),
    ("GET", "/games/{slug}", "200"),
    ("POST", "/matches", "201"),
    ("POST", "/matches/{match_id}/join", "200"),
    ("GET", "/matches", "200"),
    ("GET", "/matches/{match_id}", "200"),
    ("GET", "/matches/{match_id}/legal-moves", "200"),
    ("GET", "/matches/{match_id}/hint", "200"),
    ("POST", "/matches/{match_id}/moves", "201"),
    ("POST", "/matches/{match_id}/actions", "201"),
    ("GET", "/matches/{match_id}/events", "200"),
    ("GET", "/matches/{match_id}/stream", "200"),
    ("GET", "/matches/{match_id}/replay", "200"),
    ("GET", "/matches/{match_id}/export", "200"),
    ("POST", "/matches/{match_id}/analysis", "202"),
    ("GET", "/matches/{match_id}/analysis", "200"),
    ("GET", "/export", "200"),
    ("GET", "/verifier", "200"),
    ("GET", "/matches/{match_id}/conditional-moves", "200"),
    ("PUT", "/matches/{match_id}/conditional-moves", "200"),
    ("DELETE", "/matches/{match_id}/conditional-moves", "200"),
    ("DELETE", "/matches/{match_id}/conditional-moves/{line}", "200"),
    ("GET", "/matches/{match_id}/conditional-moves/happenings", "200"),
    ("GET", "/matches/{match_id}/notes", "200"),
    ("PUT", "/matches/{match_id}/notes/{version}", "200"),
    ("DELETE", "/matches/{match_id}/notes/{version}", "204"),
    ("GET", "/matches/{match_id}/chat/{room}", "200"),
    ("POST", "/matches/{match_id}/chat/{room}", "201"),
    ("DELETE", "/matches/{match_id}/chat/{room}/{number}", "204"),
    ("GET", "/me/invitations", "200"),
    ("GET", "/me/challenges", "200"),
    ("GET", "/me/stream", "200"),
    ("POST", "/matches/{match_id}/decline", "200"),
    ("GET", "/matches/{match_id}/decline", "200"),
    ("POST", "/matches/{match_id}/invitations", "201"),
    ("GET", "/matches/{match_id}/invitations", "200"),
    ("DELETE", "/matches/{match_id}/invitations/{invitation_id}", "204"),
    ("GET", "/invitations/{token}", "200"),
    ("POST", "/invitations/{token}/accept", "200"),
    ("POST", "/matches/{match_id}/rematch", "201"),
    ("GET", "/checkpoints", "200"),
    ("GET", "/checkpoints/latest", "200"),
    ("GET", "/checkpoints/{size}", "200"),
    ("GET", "/keys", "200"),
    ("GET", "/matches/{match_id}/inclusion", "200"),
    ("GET", "/consistency", "200"),
    ("GET", "/me/vacation", "200"),
    ("PUT", "/me/vacation", "200"),
    ("DELETE", "/me/vacation", "200"),
    ("GET", "/me/relations", "200"),
    ("PUT", "/me/blocked/{name}", "204"),
    ("DELETE", "/me/blocked/{name}", "204"),
    ("PUT", "/me/followed/{name}", "204"),
    ("DELETE", "/me/followed/{name}", "204"),
    ("GET", "/puzzles", "200"),
    ("GET", "/puzzles/{puzzle_id}", "200"),
    ("POST", "/puzzles/{puzzle_id}/attempts", "200"),
    ("GET", "/series", "200"),
    ("GET", "/series/{series_id}", "200"),
    ("GET", "/series/{series_id}/export", "200"),
    ("GET", "/ratings/{game}", "200"),
    ("GET", "/players/{name}/ratings/{game}", "200"),
    ("GET", "/webhooks", "200"),
    ("POST", "/webhooks", "201"),
    ("PATCH", "/webhooks/{webhook_id}", "200"),
    ("DELETE", "/webhooks/{webhook_id}", "204"),
    ("POST", "/webhooks/{webhook_id}/test", "202"),
    ("POST", "/webhooks/{webhook_id}/rotate", "200"),
    ("GET", "/webhooks/{webhook_id}/deliveries", "200"),
    ("POST", "/webhooks/{webhook_id}/deliveries/{delivery}/redeliver", "202"),
    ("GET", "/problems", "200"),
    ("GET", "/problems/{code}", "200"),
}
"""The rows of the contract, and the two that explain its codes."""

PARAMETERS = {
    "/games/{slug}": {"slug", "rules_version"},
    "/players": {"prefix", "limit", "cursor"},
    "/matches": {
        "game",
        "status",
        "player",
        "to_act",
        "mine",
        "rated",
        "pace",
        "seeks",
        "sort",
        "limit",
        "cursor",
    },
    "/matches/{match_id}": {"match_id", "version", "as", "scene"},
    "/checkpoints": {"limit", "cursor"},
    "/matches/{match_id}/inclusion": {"match_id", "size"},
    "/consistency": {"from", "to"},
    "/matches/{match_id}/events": {"match_id", "after", "cursor", "limit"},
    "/matches/{match_id}/stream": {"match_id", "after", "Last-Event-ID"},
    "/puzzles": {"game", "difficulty", "limit", "cursor"},
    "/puzzles/{puzzle_id}": {"puzzle_id", "scene"},
    "/ratings/{game}": {"game", "limit", "cursor"},
    "/players/{name}/ratings/{game}": {"name", "game", "format", "limit", "cursor"},
    "/series": {"player", "game", "status", "mine", "limit", "cursor"},
    "/series/{series_id}": {"series_id"},
    "/series/{series_id}/export": {"series_id"},
    "/webhooks/{webhook_id}/deliveries": {"webhook_id", "limit", "cursor"},
    "/me/stream": {"after", "Last-Event-ID"},
    "/matches/{match_id}/replay": {"match_id", "from", "to", "as", "scene"},
    "/matches/{match_id}/export": {"match_id", "format", "at", "proof", "link", "as"},
    "/export": {"format", "game", "player", "since", "until", "limit", "cursor", "proof", "link"},
}

MATCH = {
    "id", "game", "rules_version", "options", "status", "visibility", "rated", "version", "seats",
    "opponent", "you", "to_act", "ply", "pace", "series", "deadline", "result", "state", "offers",
    "created_at", "updated_at",
}  # fmt: skip

STATUSES = {
    "malformed-request": 400,
    "cannot-be-rated": 422,
    "outside-range": 409,
    "cannot-be-challenged": 409,
    "too-many-relations": 409,
    "unauthenticated": 401,
    "missing-scope": 403,
    "suspended": 403,
    "not-your-seat": 403,
    "spectators-only": 403,
    "not-yours": 403,
    "not-found": 404,
    "no-analysis": 404,
    "method-not-allowed": 405,
    "not-acceptable": 406,
    "not-your-turn": 409,
    "your-turn": 409,
    "too-many-notes": 409,
    "match-not-open": 409,
    "match-not-active": 409,
    "seat-reserved": 409,
    "own-match": 409,
    "too-late-to-abort": 409,
    "offer-pending": 409,
    "no-series": 409,
    "series-over": 409,
    "on-vacation": 409,
    "vacation-used-up": 409,
    "no-such-offer": 409,
    "clock-forbids": 409,
    "cannot-take-back": 409,
    "name-taken": 409,
    "unknown-version": 409,
    "cursor-gone": 410,
    "no-rematch": 409,
    "match-not-over": 409,
    "too-many-invitations": 409,
    "too-many-house-matches": 409,
    "too-many-webhooks": 409,
    "webhook-off": 409,
    "no-hints": 409,
    "stale-version": 412,
    "payload-too-large": 413,
    "unsupported-media-type": 415,
    "malformed-move": 422,
    "illegal-move": 422,
    "invalid-conditional-moves": 422,
    "invalid-text": 422,
    "invalid-options": 422,
    "invalid-series": 422,
    "invalid-settings": 422,
    "invalid-player": 422,
    "invalid-webhook": 422,
    "unknown-opponent": 422,
    "idempotency-key-reused": 422,
    "precondition-required": 428,
    "rate-limited": 429,
    "analysis-under-way": 429,
    "too-many-analyses": 429,
    "internal": 500,
    "unavailable": 503,
}


@pytest.fixture
def document(app: Flask) -> JsonObject:
    answer = Person(app.test_client()).get("/openapi.json")
    assert answer.content_type == "application/json"
    return dict(answer.json)


def test_the_document_is_valid_openapi_3_1(document: JsonObject) -> None:
    assert document["openapi"].startswith("3.1")
    OpenAPIV31SpecValidator(document).validate()


def test_the_document_has_the_routes_of_the_contract_and_no_others(document: JsonObject) -> None:
    found = {
        (method.upper(), path, next(iter(operation["responses"])))
        for path, item in document["paths"].items()
        for method, operation in item.items()
    }
    assert found == ROUTES
    assert document["servers"] == [{"url": BASE}]


def test_the_application_has_the_routes_of_the_document_and_no_others(
    app: Flask, document: JsonObject
) -> None:
    rules = {
        (method, rule.rule.removeprefix(BASE).replace("<", "{").replace(">", "}"))
        for rule in app.url_map.iter_rules()
        if rule.rule.startswith(BASE)
        for method in (rule.methods or set()) - {"HEAD", "OPTIONS"}
    }
    described = {
        (method.upper(), path) for path, item in document["paths"].items() for method in item
    }
    assert rules == described | {("GET", "/openapi.json")}


@pytest.mark.parametrize("path", PARAMETERS)
def test_a_look_takes_the_parameters_of_the_contract(path: str, document: JsonObject) -> None:
    parameters = document["paths"][path]["get"]["parameters"]
    assert {parameter["name"] for parameter in parameters} == PARAMETERS[path]


@pytest.mark.parametrize("path", ["moves", "actions"])
def test_moves_and_actions_say_what_they_were_decided_on(path: str, document: JsonObject) -> None:
    operation = document["paths"][f"/matches/{{match_id}}/{path}"]["post"]
    headers = {one["name"] for one in operation["parameters"] if one["in"] == "header"}
    assert headers == {"If-Match", "Idempotency-Key"}
    name = operation["requestBody"]["content"]["application/json"]["schema"]["$ref"]
    body = document["components"]["schemas"][name.rpartition("/")[2]]
    assert "expected_version" in body["properties"]
    assert {"412", "428"} <= set(operation["responses"])


def test_every_post_but_those_that_hand_out_secrets_takes_an_idempotency_key(
    document: JsonObject,
) -> None:
    without = {
        path
        for path, item in document["paths"].items()
        if "post" in item
        and "Idempotency-Key" not in {one["name"] for one in item["post"]["parameters"]}
    }
    assert without == {"/players", "/tokens"}


def test_a_match_has_the_members_of_the_contract(document: JsonObject) -> None:
    match = document["components"]["schemas"]["Match"]
    assert set(match["required"]) == MATCH
    assert set(match["properties"]) == MATCH | {"clock", "imported", "rating_range", "ratings"}


def test_every_failure_is_described_as_a_problem(document: JsonObject) -> None:
    for path, item in document["paths"].items():
        for operation in item.values():
            for status, answer in operation["responses"].items():
                if status >= "400":
                    assert list(answer["content"]) == ["application/problem+json"], path


@pytest.mark.usefixtures("document")
def test_every_refusal_of_a_decision_is_named_by_an_operation() -> None:
    """Who adds one is asked here where it can come."""
    sources = [path.read_text() for path in Path(decisions.__path__[0]).glob("*.py")]
    raised = {name for text in sources for name in re.findall(r"errors\.([A-Z]\w+)\(", text)}
    assert "ClockForbids" in raised
    named = {code for operation in OPERATIONS.values() for code in operation.refusals}
    assert {getattr(errors, name).code for name in raised} <= named


def test_the_codes_travel_under_the_statuses_of_the_contract() -> None:
    assert {code: PROBLEMS[code].status for code in STATUSES} == STATUSES
    assert set(PROBLEMS) - set(STATUSES) == {"already-contributed"}
