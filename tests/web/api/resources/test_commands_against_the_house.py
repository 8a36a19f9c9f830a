"""Matches against the house by the API: the seat says so, and the house's moves name the engine."""

from __future__ import annotations

import pytest

from domain.search.engine import VERSION
from services.container import Services
from services.matches import seats
from tests.web.people import PASSWORD, Person, problem


def test_the_match_starts_at_once_and_its_seat_says_so(ada: Person, house: Services) -> None:
    match = ada.create(opponent="house:2")
    assert (match["status"], match["opponent"], match["to_act"]) == ("active", "house:2", 1)
    assert match["seats"] == [
        {"seat": 1, "player": "ada", "house": None},
        {"seat": 2, "player": "house:2", "house": 2},
    ]
    assert ada.move(match, {"steps": 1}).status_code == 201
    assert house.house_players.go_on(match["id"])
    [*_, event] = ada.get(f"/matches/{match['id']}/events").json["events"]
    assert (event["schema"], event["actor"], event["data"]["cause"]) == (2, "seat-2", "house")
    assert event["data"]["engine"] == {"version": VERSION, "level": 2}
    listed = ada.get("/matches?player=house:2").json["matches"]
    assert [one["id"] for one in listed] == [match["id"]]


@pytest.mark.parametrize(
    ("opponent", "game"),
    [("house:0", "grid-power"), ("house:9", "grid-power"), ("house:5", "path-capture")],
)
def test_a_level_that_there_is_not_is_told(ada: Person, opponent: str, game: str) -> None:
    answer = ada.post("/matches", {"game": game, "opponent": opponent})
    [fault] = problem(answer, 422, "unknown-opponent")["errors"]
    assert fault["pointer"] == "/opponent"


def test_who_has_many_running_matches_against_the_house_is_told(
    ada: Person, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(seats, "MOST_AGAINST_THE_HOUSE", 1)
    wanted = {"game": "path-capture", "opponent": "house:1"}
    first = ada.post("/matches", wanted, key="k")
    refused = problem(ada.post("/matches", wanted), 409, "too-many-house-matches")
    assert "1 running matches against the house" in refused["detail"]
    # What fits no form is told first, and what was done before is given again.
    problem(ada.post("/matches", {**wanted, "options": {"length": 0}}), 422, "invalid-options")
    assert ada.post("/matches", wanted, key="k").json == first.json


def test_a_house_player_is_shown_and_has_no_log_in(ada: Person) -> None:
    assert ada.get("/players/house:3").json["house"] == 3
    assert ada.get("/players/ada").json["house"] is None
    for name in ("house:3", "nobody"):
        asked = {"name": name, "password": PASSWORD, "label": "x", "scopes": ["match:read"]}
        problem(ada.post("/tokens", asked), 401, "unauthenticated")
    signed_up = ada.post("/players", {"name": "house:3", "password": PASSWORD})
    problem(signed_up, 422, "invalid-player")


def test_a_repeated_request_begins_one_match(ada: Person) -> None:
    wanted = {"game": "path-capture", "opponent": "house:1"}
    first, again = (ada.post("/matches", wanted, key="k") for _ in range(2))
    assert first.json == again.json
    assert len(ada.get("/matches?mine=true").json["matches"]) == 1
