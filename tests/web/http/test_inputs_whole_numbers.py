"""An integer of any size is an integer: where it is out of range, that is what is said."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest

from domain.json_types import JsonObject
from services.accounts.tokens import DEFAULT_SCOPES, WEBHOOKS
from tests.web.people import Answer, Person
from web.api.openapi import build_document

HUGE = [2**31, 2**53, 2**63, 2**64, 2**70, -(2**64), 10**300, 10**400]
ENDLESS = "9" * 3_000
"""More digits than fit into any number, and fewer than a path may have."""


@pytest.fixture
def match(ada: Person, bob: Person) -> JsonObject:
    return ada.start(bob)


def told(answer: Answer) -> str:
    assert 400 <= answer.status_code < 500, (answer.status_code, answer.text)
    body = answer.json
    return " ".join([body["detail"], *(one["detail"] for one in body.get("errors", []))])


def out_of_range(answer: Answer) -> None:
    said = told(answer)
    assert "whole number" not in said.lower(), said
    assert " is out of range" in said or "must be from" in said, said


def test_members_of_bodies(ada: Person, match: JsonObject) -> None:
    there = f"/matches/{match['id']}"
    for number in HUGE:
        out_of_range(ada.post(f"{there}/moves", {"move": {"steps": 1}, "expected_version": number}))
        take = {"action": "offer_takeback", "to_version": number}
        out_of_range(ada.post(f"{there}/actions", take, version=4))
        for action, member in (("give_time", "hours"), ("offer_pause", "days")):
            body = {"action": action, member: number}
            out_of_range(ada.post(f"{there}/actions", body, version=4))
        out_of_range(ada.post(f"{there}/invitations", {"days": number}))
        out_of_range(ada.ask("PUT", "/me/vacation", json={"days": number}))
        lines = {"lines": [], "match_version": number}
        out_of_range(ada.ask("PUT", f"{there}/conditional-moves", json=lines))


def test_what_games_and_paces_take(ada: Person, match: JsonObject) -> None:
    for number in HUGE:
        for more in (
            {"game": "path-capture", "options": {"length": number}},
            {"game": "path-capture", "pace": {"days_per_move": number}},
            {"game": "path-capture", "seat": number},
            {"game": "power-lines", "settings": {"deck": [number] * 26}},
        ):
            said = told(ada.post("/matches", more))
            assert "must be a whole number" not in said.replace("whole number from", ""), said
            assert "whole numbers only" not in said
        answer = ada.post(f"/matches/{match['id']}/moves", {"move": {"steps": number}}, version=4)
        assert answer.json["code"] == "illegal-move"
        assert "whole number" not in told(answer)


def test_parameters_of_queries(ada: Person, match: JsonObject) -> None:
    paths = list(counted_parameters())
    assert len(paths) > 20
    asking = ada.with_scopes(*DEFAULT_SCOPES, WEBHOOKS)
    webhook = asking.post("/webhooks", {"url": "https://bot.example/"}).json["id"]
    for path, name in paths:
        address = path.replace("{match_id}", match["id"]).replace("{slug}", "power-line")
        address = address.replace("{game}", "power-line").replace("{webhook_id}", webhook)
        more = {"prove_consistency": "from=1&"}.get(path, "")
        for digits in (*map(str, HUGE), ENDLESS):
            answer = asking.get(f"{address.replace('{room}', 'players')}?{more}{name}={digits}")
            out_of_range(answer)
            assert any(one.get("parameter") == name for one in answer.json["errors"])


def counted_parameters() -> Iterator[tuple[str, str]]:
    """Yield the parameters that are whole numbers, each with its path."""
    for path, operations in build_document()["paths"].items():
        for given in operations.get("get", {}).get("parameters", []):
            if given["in"] == "query" and given["schema"].get("type") == "integer":
                yield path, given["name"]


IN_ADDRESSES = [*map(str, HUGE[:5]), ENDLESS]


def test_headers_and_paths(ada: Person, match: JsonObject) -> None:
    there = f"/matches/{match['id']}"
    for digits in IN_ADDRESSES:
        header = {"If-Match": f'"{digits}"'}
        out_of_range(ada.ask("POST", f"{there}/moves", header, json={"move": {"steps": 1}}))
        out_of_range(ada.get(f"/checkpoints/{digits}"))
        for path in (f"{there}/notes/{digits}", f"{there}/chat/players/{digits}"):
            answer = ada.ask("DELETE", path)
            assert (answer.status_code, "whole number" in told(answer)) == (404, False)
        line = ada.ask("DELETE", f"{there}/conditional-moves/{digits}", {"If-Match": '"0"'})
        assert line.status_code in {404, 412}
        stream = ada.get(f"{there}/stream", {"Last-Event-ID": digits})
        assert (stream.status_code, "event: reset" in stream.text) == (200, True)
        assert ada.get(f"{there}/events?after={digits}").json["code"] == "unknown-version"


def test_addresses_of_pages(ada: Person, match: JsonObject) -> None:
    for digits in IN_ADDRESSES:
        for name in ("at", "from", "to"):
            page = ada.visit(f"/m/{match['id']}{'' if name == 'at' else '/frames'}?{name}={digits}")
            assert page.status_code in {200, 404}


def test_numbers_with_fractions_and_texts_are_still_none(ada: Person, match: JsonObject) -> None:
    there = f"/matches/{match['id']}/invitations"
    for wrong in (1.0, 1e300, "1", True, None, [1]):
        said: Any = told(ada.post(there, {"days": wrong}))
        assert "out of range" not in said
    raw = b'{"days": 1, "x": "' + b"1" * 30 + b'"}'
    answer = ada.ask("POST", there, data=raw, content_type="application/json")
    assert [one["pointer"] for one in answer.json["errors"]] == ["/x"]
