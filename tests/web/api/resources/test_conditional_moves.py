"""Conditional moves over HTTP: on both databases, in the forms of the contract."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from flask import Flask

from domain.json_types import Json, JsonObject
from tests.web.people import Answer, Person, problem

INVALID = "invalid-conditional-moves"

ONE, TWO, THREE = ({"steps": steps} for steps in (1, 2, 3))


@pytest.fixture
def app(make_app: Callable[..., Flask]) -> Flask:
    """Give an application whose streams end at once."""
    return make_app(stream_seconds=0)


@pytest.fixture
def match(ada: Person, bob: Person) -> JsonObject:
    """Give a long match in which ada is to act."""
    return ada.start(bob, options={"length": 41})


def line(when: Json, *then: Json, following: list[JsonObject] | None = None) -> JsonObject:
    return {"if": when, "then": list(then), "next": following or []}


def path(match: JsonObject, more: str = "") -> str:
    return f"/matches/{match['id']}/conditional-moves{more}"


def put(
    person: Person, match: JsonObject, *lines: JsonObject, version: int | None = None, **body: Json
) -> Answer:
    """Put lines, on the present version of the match unless the body says otherwise."""
    given = {"lines": list(lines), "match_version": person.look(match)["version"], **body}
    headers = {} if version is None else {"If-Match": f'"{version}"'}
    return person.ask("PUT", path(match), headers, json=given)


def test_there_are_none_at_first(match: JsonObject, bob: Person) -> None:
    answer = bob.get(path(match))
    assert answer.status_code == 200
    assert answer.headers["ETag"].startswith('"0.')
    assert answer.json == {
        "seat": 2, "version": 0, "match_version": match["version"], "after": [],
        "lines": [], "updated_at": None,
    }  # fmt: skip
    assert bob.get(path(match, "/happenings")).json == {"happenings": [], "next_cursor": None}


def test_lines_are_put_listed_fired_and_told_of(
    match: JsonObject, ada: Person, bob: Person
) -> None:
    answer = put(bob, match, line(ONE, TWO, following=[line(ONE, THREE)]), version=0)
    assert answer.status_code == 200, answer.text
    assert answer.headers["ETag"].startswith('"1.')
    (first,) = answer.json["lines"]
    assert (first["line"], first["text"]) == ("1", "If +1, then +2.")
    assert first["next"][0]["line"] == "1.1"
    assert bob.get(path(match)).json == answer.json

    moved = ada.move(match, ONE)
    assert moved.status_code == 201
    made = [event["data"] for event in moved.json["events"]]
    assert [(data["seat"], data["cause"]) for data in made] == [(1, "player"), (2, "conditional")]
    assert moved.json["match"]["to_act"] == 1
    assert moved.json["match"]["version"] == match["version"] + 2

    (fired,) = bob.get(path(match, "/happenings")).json["happenings"]
    assert (fired["kind"], fired["reason"], fired["version"]) == (
        "fired", None, moved.json["match"]["version"],
    )  # fmt: skip
    assert fired["text"] == "Your opponent played +1; +2 was played for you."
    left = bob.get(path(match)).json
    assert left["version"] == 2
    assert [one["if"] for one in left["lines"]] == [ONE]


def test_a_repeated_move_shows_the_fired_moves_again(
    match: JsonObject, ada: Person, bob: Person
) -> None:
    put(bob, match, line(ONE, TWO), version=0)
    first = ada.move(match, ONE, key="k", version=match["version"])
    again = ada.move(match, ONE, key="k", version=match["version"])
    assert again.headers["Idempotent-Replayed"] == "true"
    assert again.data == first.data
    assert len(first.json["events"]) == 2


def test_lines_may_begin_behind_a_move_of_ones_own(
    match: JsonObject, ada: Person, bob: Person
) -> None:
    answer = put(ada, match, line(TWO, THREE), version=0, after=[ONE])
    assert answer.status_code == 200, answer.text
    assert (answer.json["after"], answer.json["lines"][0]["if"]) == ([ONE], TWO)
    assert len(ada.move(match, ONE).json["events"]) == 1
    assert ada.get(path(match)).json["after"] == []
    assert len(bob.move(match, TWO).json["events"]) == 2
    body = problem(put(ada, match, line(ONE, ONE), version=3, after=[ONE]), 422, INVALID)
    assert body["errors"][0]["pointer"] == "/after"
    body = problem(put(bob, match, line(ONE, ONE), version=0, after=[{"steps": 9}]), 422, INVALID)
    assert body["errors"][0]["pointer"] == "/after/0"


def test_versions_are_minded(match: JsonObject, bob: Person) -> None:
    problem(put(bob, match, line(ONE, TWO)), 428, "precondition-required")
    problem(bob.ask("DELETE", path(match)), 428, "precondition-required")
    stale = problem(put(bob, match, line(ONE, TWO), version=1), 412, "stale-version")
    assert stale["version"] == 0
    assert "conditional moves" in stale["detail"]
    old = put(bob, match, line(ONE, TWO), version=0, match_version=1)
    assert problem(old, 412, "stale-version")["version"] == match["version"]
    assert put(bob, match, line(ONE, TWO), expected_version=0).status_code == 200
    problem(put(bob, match, version=0), 412, "stale-version")
    problem(put(bob, match, version=1, expected_version=0), 400, "malformed-request")


def test_a_line_and_all_lines_are_deleted(match: JsonObject, bob: Person) -> None:
    put(bob, match, line(ONE, TWO, following=[line(ONE, ONE)]), line(TWO, TWO), version=0)
    answer = bob.ask("DELETE", path(match, "/1.1"), {"If-Match": '"1"'})
    assert [(one["if"], one["next"]) for one in answer.json["lines"]] == [(ONE, []), (TWO, [])]
    problem(bob.ask("DELETE", path(match, "/9"), {"If-Match": '"2"'}), 404, "not-found")
    problem(bob.ask("DELETE", path(match, "/1"), {"If-Match": '"1"'}), 412, "stale-version")
    answer = bob.ask("DELETE", path(match), {"If-Match": answer.headers["ETag"]})
    assert (answer.json["version"], answer.json["lines"]) == (3, [])


def test_faults_say_where_they_are(match: JsonObject, bob: Person) -> None:
    for lines, pointer in (
        ([line({"steps": 9}, TWO)], "/lines/0/if"),
        ([line(ONE, TWO, following=[line(TWO, {"feet": 1})])], "/lines/0/next/0/then/0/steps"),
    ):
        body = problem(put(bob, match, *lines, version=0), 422, "invalid-conditional-moves")
        assert body["errors"][0]["pointer"] == pointer
        assert body["errors"][0]["detail"] == body["detail"]
    problem(put(bob, match, lines={}, version=0), 422, "invalid-conditional-moves")
    problem(put(bob, match, version=0, more=1), 400, "malformed-request")


def test_who_is_to_act_and_who_has_no_seat_is_refused(
    match: JsonObject, ada: Person, bob: Person, eve: Person, anyone: Person
) -> None:
    problem(put(ada, match, line(ONE, TWO), version=0), 409, "your-turn")
    problem(put(eve, match, line(ONE, TWO), version=0), 403, "not-your-seat")
    problem(eve.get(path(match)), 403, "not-your-seat")
    problem(eve.get(path(match, "/happenings")), 403, "not-your-seat")
    problem(anyone.get(path(match)), 401, "unauthenticated")
    problem(bob.get(path({"id": "0" * 16})), 404, "not-found")
    reader = bob.with_scopes("match:read")
    problem(put(reader, match, line(ONE, TWO), version=0), 403, "missing-scope")
    assert ada.act(match, "resign").status_code == 201
    problem(put(bob, match, line(ONE, TWO), version=0), 409, "match-not-active")


def test_a_private_match_is_not_there_for_others(ada: Person, bob: Person, eve: Person) -> None:
    hidden = ada.start(bob, visibility="private", opponent="bob")
    problem(eve.get(path(hidden)), 404, "not-found")
    problem(eve.ask("DELETE", path(hidden), {"If-Match": '"0"'}), 404, "not-found")


def test_conditional_moves_are_not_visible_to_the_opponent(
    match: JsonObject, ada: Person, bob: Person, eve: Person
) -> None:
    """Named after the fault: nothing that anybody else can ask for changes with them."""
    asked = ("", "/events", "/replay", "/legal-moves", "/conditional-moves", "/stream")

    def seen(person: Person) -> list[tuple[bytes, str | None]]:
        answers = [person.get(f"/matches/{match['id']}{more}") for more in asked]
        answers.append(person.get("/matches"))
        return [(answer.data, answer.headers.get("ETag")) for answer in answers]

    def cut(everything: list[tuple[bytes, str | None]]) -> list[tuple[bytes, str | None]]:
        return [
            (b"\n".join(row for row in data.split(b"\n") if b"request_id" not in row), tag)
            for data, tag in everything
        ]

    before = [cut(seen(person)) for person in (ada, eve)]
    assert put(bob, match, line(ONE, TWO), line(TWO, TWO), version=0).status_code == 200
    assert [cut(seen(person)) for person in (ada, eve)] == before
    moved = ada.move(match, THREE)
    assert len(moved.json["events"]) == 1
    after = [row for person in (ada, eve) for row, _ in seen(person)]
    assert not any(b"condition" in row and b"not-your-seat" not in row for row in after[:4])


def test_what_fires_is_shown(match: JsonObject, ada: Person, bob: Person, eve: Person) -> None:
    """Named after the fault: conditional moves that fire though they are not shown."""
    put(bob, match, line(ONE, TWO), version=0)
    shown = bob.get(path(match)).json["lines"]
    ada.move(match, ONE)
    last = eve.get(f"/matches/{match['id']}/events?limit=100").json["events"][-1]
    assert last["data"]["cause"] == "conditional"
    assert last["data"]["move"] == shown[0]["then"][0]
    fired = bob.get(path(match, "/happenings")).json["happenings"]
    assert fired[0]["lines"][0]["then"] == [last["data"]["move"]]


def test_lines_of_the_card_game_see_no_more_than_their_author(ada: Person, bob: Person) -> None:
    match = ada.start(bob, "whisper")
    now = ada.look(match)
    mover, author = (ada, bob) if now["to_act"] == 1 else (bob, ada)
    seat = 2 if mover is ada else 1
    hand = author.look(match)["state"]["players"][seat - 1]["hand"]
    told = {"action": "whisper", "card": 3}
    mine = {"action": "whisper", "card": hand[0]}
    body = problem(
        put(author, match, line(told, mine), version=0), 422, "invalid-conditional-moves"
    )
    assert body["errors"][0]["pointer"] == "/lines/0/if/card"
    missing = next(card for card in range(6) if card not in hand)
    unknown = {"action": "whisper", "card": missing}
    heard = {"action": "whisper"}
    answer = put(author, match, line(heard, unknown), version=0)
    body = problem(answer, 422, "invalid-conditional-moves")
    assert body["errors"][0]["pointer"] == "/lines/0/then/0"
    assert put(author, match, line(heard, mine), version=0).status_code == 200
    laid = next(one["move"] for one in mover.legal(match) if one["move"]["action"] == "whisper")
    events = mover.move(match, laid).json["events"]
    assert [event["data"].get("cause") for event in events] == ["player", "conditional"]
    assert "value" not in events[1]["sealed"][0]
    assert "card" not in events[1]["data"]["move"]
