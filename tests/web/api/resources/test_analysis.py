"""Analyses over HTTP: who may ask for one, of what, and what comes back."""

from __future__ import annotations

import pytest

from domain.json_types import JsonObject
from domain.search.analysis import ENGINE
from services.container import Services
from tests.web.people import Answer, Person, problem


def ended(ada: Person, bob: Person, **more: str) -> str:
    match = ada.start(bob, **more)
    assert ada.act(match, "resign").status_code == 201
    return str(match["id"])


@pytest.fixture
def match(ada: Person, bob: Person) -> str:
    return ended(ada, bob)


def asked(person: Person, match: str, key: str | None = None) -> Answer:
    return person.post(f"/matches/{match}/analysis", {}, key=key)


def shown(person: Person, match: str) -> Answer:
    return person.get(f"/matches/{match}/analysis")


def test_it_is_asked_for_made_and_shown(
    match: str, house: Services, ada: Person, anyone: Person
) -> None:
    problem(shown(anyone, match), 404, "no-analysis")
    begun = asked(ada, match)
    assert begun.status_code == 202
    assert begun.json == {
        "status": "waiting", "done": 0, "of": 1, "engine": ENGINE, "positions": [],
    }  # fmt: skip
    assert shown(anyone, match).status_code == 202
    house.analyses.budget = lambda _: 200
    house.analyses.look()
    made = shown(anyone, match)
    assert (made.status_code, made.json["status"], made.json["done"]) == (200, "done", 1)
    [position] = made.json["positions"]
    assert {"version", "value", "best", "loss", "mark"} <= set(position)
    assert set(position["best"][0]) == {"move", "text", "line"}
    again = asked(ada, match)
    assert (again.status_code, again.json) == (200, made.json)
    known = anyone.get(f"/matches/{match}/analysis", {"If-None-Match": made.headers["ETag"]})
    assert known.status_code == 304


def test_the_same_request_has_the_same_answer(match: str, house: Services, ada: Person) -> None:
    first = asked(ada, match, "a-key")
    house.analyses.budget = lambda _: 200
    house.analyses.look()
    again = asked(ada, match, "a-key")
    assert (again.status_code, again.json) == (202, first.json)
    assert again.headers["Idempotent-Replayed"] == "true"
    other = "0000000000000000"
    problem(asked(ada, other, "a-key"), 404, "not-found")


def test_who_has_no_token_or_one_that_reads_alone_asks_for_none(
    match: str, ada: Person, anyone: Person
) -> None:
    problem(asked(anyone, match), 401, "unauthenticated")
    reader = ada.with_scopes("match:read")
    problem(asked(reader, match), 403, "missing-scope")


def test_a_running_a_private_and_an_unknown_match(ada: Person, bob: Person, eve: Person) -> None:
    running = ada.start(bob)["id"]
    for person in (ada, eve):
        problem(asked(person, running), 409, "match-not-over")
        problem(shown(person, running), 409, "match-not-over")
        problem(asked(person, "nosuchmatch00000"), 404, "not-found")
        problem(shown(person, "nosuchmatch00000"), 404, "not-found")
    private = ended(ada, bob, visibility="private", opponent="bob")
    for answer in (asked(eve, private), shown(eve, private)):
        problem(answer, 404, "not-found")
    assert asked(bob, private).status_code == 202
    assert shown(ada, private).status_code == 202
    problem(shown(eve, private), 404, "not-found")


def test_one_at_a_time_and_a_full_queue(
    match: str, ada: Person, bob: Person, monkeypatch: pytest.MonkeyPatch
) -> None:
    other = ended(ada, bob)
    assert asked(ada, match).status_code == 202
    refused = asked(ada, other)
    problem(refused, 429, "analysis-under-way")
    assert int(refused.headers["Retry-After"]) > 0
    assert asked(ada, match).status_code == 202
    monkeypatch.setattr("services.replays.analysis.MOST_WAITING", 1)
    full = asked(bob, other)
    problem(full, 429, "too-many-analyses")
    assert int(full.headers["Retry-After"]) > 0
    body: JsonObject = full.json
    assert body["detail"].endswith("Try again in a few minutes.")
