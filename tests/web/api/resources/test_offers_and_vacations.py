"""Clocks, offers, takebacks and vacations over the API."""

from __future__ import annotations

import pytest

from domain.json_types import JsonObject
from tests.web.people import Person, problem

DAYS: JsonObject = {"days_per_move": 3}
FULL = {"days_per_move": 3, "vacation": True, "pause": True}


@pytest.fixture
def timed(ada: Person, bob: Person) -> JsonObject:
    return ada.start(bob, pace=DAYS)


def test_a_match_with_a_pace_has_a_deadline_and_clocks(timed: JsonObject) -> None:
    assert timed["pace"] == FULL
    assert timed["deadline"] > timed["updated_at"]
    assert timed["clock"]["running"] == timed["to_act"] == 1
    assert [one["seconds"] for one in timed["clock"]["seats"]] == [259_200, 259_200]


@pytest.mark.parametrize(
    ("pace", "pointer"),
    [
        ("fast", "/pace"),
        ({}, "/pace"),
        ({"days_per_move": 0}, "/pace/days_per_move"),
        ({"bank_hours": 5, "increment_hours": 1.5}, "/pace/increment_hours"),
    ],
)
def test_what_is_no_pace_is_malformed(ada: Person, pace: object, pointer: str) -> None:
    body = problem(
        ada.post("/matches", {"game": "path-capture", "pace": pace}), 400, "malformed-request"
    )
    assert [error["pointer"] for error in body["errors"]] == [pointer]


def test_a_draw_is_offered_and_accepted(ada: Person, bob: Person, timed: JsonObject) -> None:
    offered = bob.act(timed, "offer_draw")
    assert offered.status_code == 201
    assert offered.json["events"][0]["kind"] == "draw-offered"
    version = timed["version"]
    assert ada.look(timed)["offers"] == {"draw": {"seat": 2, "version": version}, "takeback": None}
    problem(ada.act(timed, "offer_draw"), 409, "offer-pending")
    problem(bob.act(timed, "accept_draw"), 409, "no-such-offer")
    ended = ada.act(timed, "accept_draw").json["match"]
    assert ended["result"] == {"winner": None, "reason": "agreement"}
    assert ended["offers"] == {"draw": None, "takeback": None}
    problem(bob.act(timed, "offer_draw"), 409, "match-not-active")


def test_a_takeback_is_asked_for_and_accepted(ada: Person, bob: Person, timed: JsonObject) -> None:
    ada.move(timed)
    answer = ada.act(timed, "offer_takeback", to_version=timed["version"])
    assert answer.json["match"]["offers"]["takeback"] == {"seat": 1, "to_version": timed["version"]}
    taken = bob.act(timed, "accept_takeback").json
    assert [event["kind"] for event in taken["events"]] == ["takeback-accepted"]
    assert (taken["match"]["ply"], taken["match"]["to_act"]) == (0, 1)
    assert taken["match"]["state"] == timed["state"]
    assert taken["match"]["version"] == timed["version"] + 3


def test_a_takeback_to_nowhere_says_so(ada: Person, timed: JsonObject) -> None:
    body = problem(ada.act(timed, "offer_takeback", to_version=2), 409, "cannot-take-back")
    assert body["errors"][0]["pointer"] == "/to_version"
    problem(ada.act(timed, "offer_takeback", to_version=99), 400, "malformed-request")


UNFIT: list[tuple[str, JsonObject, str]] = [
    ("offer_takeback", {}, "/to_version"),
    ("offer_pause", {}, "/days"),
    ("offer_pause", {"days": 31}, "/days"),
    ("give_time", {"days": 3}, "/hours"),
    ("give_time", {"hours": 0}, "/hours"),
    ("offer_draw", {"to_version": 3}, "/to_version"),
    ("resign", {"hours": 3}, "/hours"),
]


def test_an_action_takes_what_it_needs_and_nothing_else(ada: Person, timed: JsonObject) -> None:
    for action, more, pointer in UNFIT:
        body = problem(ada.act(timed, action, **more), 400, "malformed-request")
        assert pointer in [error["pointer"] for error in body["errors"]], (action, more)


def test_clocks_are_paused_and_resumed_by_agreement(
    ada: Person, bob: Person, timed: JsonObject
) -> None:
    proposed = ada.act(timed, "offer_pause", days=10).json["match"]
    assert proposed["offers"]["pause"] == {"seat": 1, "days": 10}
    paused = bob.act(timed, "accept_pause").json["match"]
    assert paused["clock"]["since"] == paused["clock"]["paused_until"]
    assert paused["deadline"] > timed["deadline"]
    bob.act(timed, "offer_resume")
    resumed = ada.act(timed, "accept_resume").json["match"]
    assert resumed["clock"]["paused_until"] is None
    assert resumed["deadline"] < paused["deadline"]


def test_the_opponent_is_given_time(bob: Person, timed: JsonObject) -> None:
    given = bob.act(timed, "give_time", hours=24).json
    assert given["events"][0]["data"] == {"seat": 1, "reason": "gift", "amount": 86_400}
    assert given["match"]["clock"]["seats"][0]["seconds"] in range(345_500, 345_601)


def test_without_a_clock_there_is_nothing_to_stop(ada: Person, bob: Person) -> None:
    match = ada.start(bob)
    problem(ada.act(match, "offer_pause", days=3), 409, "clock-forbids")
    problem(ada.act(match, "give_time", hours=3), 409, "clock-forbids")


def test_both_abort_what_one_cannot(ada: Person, bob: Person, timed: JsonObject) -> None:
    ada.move(timed)
    bob.move(timed)
    problem(ada.act(timed, "abort"), 409, "too-late-to-abort")
    ada.act(timed, "offer_abort")
    aborted = bob.act(timed, "accept_abort").json["match"]
    assert (aborted["status"], aborted["result"]["reason"]) == ("aborted", "agreement")


def test_a_vacation_begins_and_ends(ada: Person, timed: JsonObject) -> None:
    before = ada.get("/me/vacation").json
    assert (before["days"], before["days_left"], before["current"]) == (30, 30, None)
    begun = ada.ask("PUT", "/me/vacation", json={"days": 7})
    assert begun.status_code == 200
    assert (begun.json["days_left"], begun.json["current"]["days"]) == (23, 7)
    assert ada.look(timed)["clock"]["seats"][0]["away_until"] is not None
    problem(ada.ask("PUT", "/me/vacation", json={"days": 1}), 409, "on-vacation")
    ended = ada.ask("DELETE", "/me/vacation")
    assert (ended.json["days_left"], ended.json["current"]) == (29, None)
    assert ada.look(timed)["clock"]["seats"][0]["away_until"] is None
    problem(ada.ask("DELETE", "/me/vacation"), 409, "on-vacation")
    problem(ada.ask("PUT", "/me/vacation", json={"days": 30}), 409, "vacation-used-up")


def test_a_vacation_has_whole_days(ada: Person) -> None:
    for days in (0, 31, "7", None, 1.5):
        problem(ada.ask("PUT", "/me/vacation", json={"days": days}), 400, "malformed-request")


def test_a_replay_has_the_seconds_of_each_move(ada: Person, timed: JsonObject) -> None:
    ada.move(timed)
    frames = ada.get(f"/matches/{timed['id']}/replay").json["frames"]
    assert [frame.get("seconds") for frame in frames] == [None, 0]
