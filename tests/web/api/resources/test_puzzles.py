"""Puzzles by the API: listed without their solutions, tried, remembered for an account."""

from __future__ import annotations

import pytest

from domain.json_types import JsonObject
from services.container import Services
from tests.web.people import Person, problem

BEST = (2, 3, 1, 1, 3)
"""Seat 1 of a path of 11 nodes plays the only winning move each time: there are three puzzles."""


ON_BOTH_DATABASES = True


@pytest.fixture
def match(ada: Person, bob: Person, house: Services) -> JsonObject:
    there = ada.start(bob, seat=1)
    for number, steps in enumerate(BEST):
        mover = (ada, bob)[number % 2]
        there = mover.move(mover.look(there), {"steps": steps}).json["match"]
    house.puzzle_finder.search_match(there["id"])
    return there


@pytest.fixture
def puzzle(match: JsonObject, anyone: Person) -> str:
    """Give the id of the puzzle that the beginning of the match is."""
    assert match["status"] == "finished"
    listed = anyone.get("/puzzles").json["puzzles"]
    return str(next(one["id"] for one in listed if one["moves"] == 3))


def steps(*wanted: object) -> JsonObject:
    return {"moves": [{"steps": one} for one in wanted]}


def test_puzzles_are_listed_and_shown_without_their_solutions(
    match: JsonObject, puzzle: str, anyone: Person, bob: Person
) -> None:
    for person in (anyone, bob):
        listed = person.get("/puzzles?game=path-capture").json
        assert [one["moves"] for one in listed["puzzles"]] == [1, 2, 3]
        assert listed["next_cursor"] is None
        answer = person.get(f"/puzzles/{puzzle}")
        assert answer.headers["ETag"]
        shown = answer.json
        assert listed["puzzles"][2].items() <= shown.items()
        assert (shown["seat"], shown["aim"], shown["mark"]) == (1, "win", None)
        assert (shown["match"], shown["version"]) == (None, None)
        assert shown["state"] == {"players": [{"node": 0}, {"node": 10}]}
        assert [one["text"] for one in shown["legal_moves"]] == ["+1", "+2", "+3"]
        assert "scene" not in shown
        assert match["id"] not in answer.text
    assert anyone.get(f"/puzzles/{puzzle}?scene=true").json["scene"]["zones"]


def test_filters_and_pages(puzzle: str, anyone: Person) -> None:
    every = anyone.get("/puzzles").json["puzzles"]
    first = anyone.get("/puzzles?limit=2")
    cursor = first.json["next_cursor"]
    assert f"cursor={cursor}" in first.headers["Link"]
    rest = anyone.get(f"/puzzles?limit=2&cursor={cursor}").json
    assert [*first.json["puzzles"], *rest["puzzles"]] == every
    hardest = every[-1]["difficulty"]
    alike = anyone.get(f"/puzzles?difficulty={hardest}").json["puzzles"]
    assert puzzle in [one["id"] for one in alike]
    assert anyone.get("/puzzles?game=grid-power").json["puzzles"] == []
    for wrong in ("difficulty=6", "difficulty=easy", "level=1", "cursor=nonsense", "limit=0"):
        problem(anyone.get(f"/puzzles?{wrong}"), 400, "malformed-request")


def test_right_moves_are_answered_until_it_is_solved(
    match: JsonObject, puzzle: str, bob: Person
) -> None:
    attempts = f"/puzzles/{puzzle}/attempts"
    reply = {"move": {"steps": 1}, "text": "+1"}
    assert bob.post(attempts, steps(2)).json == {"solved": False, "reply": reply}
    assert bob.post(attempts, steps(2, 3)).json == {"solved": False, "reply": reply}
    assert bob.get(f"/puzzles/{puzzle}").json["mark"] is None
    assert bob.post(attempts, steps(2, 3, 3)).json == {"solved": True, "reply": None}
    shown = bob.get(f"/puzzles/{puzzle}").json
    assert (shown["mark"], shown["match"]) == ("solved", match["id"])
    assert shown["version"] >= 1
    assert [one["mark"] for one in bob.get("/puzzles").json["puzzles"]] == [None, None, "solved"]


def test_a_wrong_move_has_neither(puzzle: str, bob: Person, anyone: Person) -> None:
    for person in (bob, anyone):
        for wrong in (steps(1), steps(2, 1), steps(1, 3, 3)):
            done = person.post(f"/puzzles/{puzzle}/attempts", wrong)
            assert (done.status_code, done.json) == (200, {"solved": False, "reply": None})
    assert bob.get(f"/puzzles/{puzzle}").json["mark"] == "tried"
    assert anyone.get(f"/puzzles/{puzzle}").json["mark"] is None


BAD_ATTEMPTS: list[tuple[JsonObject, str, str]] = [
    (steps("far"), "malformed-move", "/moves/0/steps"),
    (steps(2, 4), "illegal-move", "/moves/1"),
    ({"moves": ["+2"]}, "malformed-move", "/moves/0"),
    ({"moves": []}, "malformed-request", "/moves"),
    ({"moves": "+2"}, "malformed-request", "/moves"),
    ({}, "malformed-request", "/moves"),
    ({**steps(2), "hint": True}, "malformed-request", "/hint"),
    (steps(*[2] * 61), "malformed-request", "/moves"),
]


def test_bad_attempts_say_where(puzzle: str, bob: Person) -> None:
    for body, code, pointer in BAD_ATTEMPTS:
        status = 400 if code == "malformed-request" else 422
        told = problem(bob.post(f"/puzzles/{puzzle}/attempts", body), status, code)
        assert [one["pointer"] for one in told["errors"]] == [pointer], body
        assert bob.get(f"/puzzles/{puzzle}").json["mark"] is None, body


def test_a_puzzle_that_is_not_there(bob: Person, anyone: Person) -> None:
    for person in (bob, anyone):
        for answer in (
            person.get("/puzzles/0000000000000000"),
            person.post("/puzzles/0000000000000000/attempts", steps(2)),
            person.post("/puzzles/0000000000000000/attempts", {"moves": 1}),
        ):
            told = problem(answer, 404, "not-found")
            assert told["detail"] == "There is no puzzle 0000000000000000."


def test_the_same_attempt_is_done_once(puzzle: str, bob: Person) -> None:
    attempts = f"/puzzles/{puzzle}/attempts"
    first = bob.post(attempts, steps(1), key="once")
    again = bob.post(attempts, steps(1), key="once")
    assert again.json == first.json
    assert again.headers["Idempotent-Replayed"] == "true"
    problem(bob.post(attempts, steps(2), key="once"), 422, "idempotency-key-reused")


def test_a_token_that_only_reads_may_look_and_not_try(puzzle: str, bob: Person) -> None:
    reader = bob.with_scopes("match:read")
    assert reader.get(f"/puzzles/{puzzle}").status_code == 200
    problem(reader.post(f"/puzzles/{puzzle}/attempts", steps(2)), 403, "missing-scope")
