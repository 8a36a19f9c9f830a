"""Ratings by the API: refused where they cannot be; shown with matches, players, leaderboards."""

from __future__ import annotations

import csv
from io import StringIO

import pytest

from domain.json_types import JsonObject
from domain.rating.glicko2 import INITIAL
from services.container import Services
from tests.services.ratings.test_rated_matches import rate
from tests.web.people import Person, problem

NEW = INITIAL._asdict()


ON_BOTH_DATABASES = True


def played(ada: Person, bob: Person) -> JsonObject:
    """Play a rated match that ada wins."""
    there = ada.start(bob, seat=1, rated=True)
    for mover in (ada, bob):
        there = mover.move(mover.look(there), {"steps": 1}).json["match"]
    done = bob.act(there, "resign").json["match"]
    assert isinstance(done, dict)
    return done


@pytest.mark.parametrize(
    "more", [{"visibility": "unlisted"}, {"options": {"length": 21}}, {"visibility": "private"}]
)
@pytest.mark.usefixtures("bob")
def test_what_cannot_be_rated_is_refused(ada: Person, more: JsonObject) -> None:
    body = {"game": "path-capture", "rated": True, "opponent": "bob", **more}
    refused = ada.post("/matches", body)
    assert problem(refused, 422, "cannot-be-rated")["errors"][0]["pointer"] == "/rated"


def test_a_range_is_kept_shown_and_held_to(ada: Person, bob: Person, anyone: Person) -> None:
    wanted = {"min": 160_000, "max": 180_000}
    created = ada.post("/matches", {"game": "path-capture", "rating_range": wanted})
    assert created.status_code == 201
    match = created.json
    assert match["rating_range"] == wanted
    listed = anyone.get("/matches?status=open").json["matches"]
    assert [one["rating_range"] for one in listed if one["id"] == match["id"]] == [wanted]
    problem(bob.post(f"/matches/{match['id']}/join", {}), 409, "outside-range")
    assert anyone.get(f"/matches/{match['id']}").json["status"] == "open"


NO_RANGES: list[object] = [
    {"min": 2, "max": 1},
    {"min": "1"},
    {"least": 1},
    5,
    {"min": -1},
    {"max": 10**30},
]


def test_a_range_that_is_none_is_refused(ada: Person) -> None:
    for wanted in NO_RANGES:
        refused = ada.post("/matches", {"game": "path-capture", "rating_range": wanted})
        told = problem(refused, 400, "malformed-request")["errors"]
        assert told[0]["pointer"].startswith("/rating_range"), wanted


def test_half_a_range_is_open_at_the_other_end(ada: Person, bob: Person) -> None:
    body = {"game": "path-capture", "rating_range": {"max": 150_000}}
    match = ada.post("/matches", body).json
    assert match["rating_range"]["min"] == 0
    assert bob.post(f"/matches/{match['id']}/join", {}).json["status"] == "active"


def test_a_match_a_player_and_a_history_tell_the_same_ratings(
    ada: Person, bob: Person, anyone: Person, house: Services
) -> None:
    match = played(ada, bob)
    assert rate(house) == 1
    first, second = anyone.get(f"/matches/{match['id']}").json["ratings"]
    assert (first["before"], second["before"]) == (NEW, NEW)
    assert first["after"]["rating"] > NEW["rating"] > second["after"]["rating"]
    [told] = anyone.get("/players/ada").json["ratings"]
    assert told == {
        "game": "path-capture",
        **first["after"],
        "provisional": True,
        "matches": 1,
        "last_at": match["updated_at"],
    }
    answer = anyone.get("/players/ada/ratings/path-capture")
    assert answer.headers["ETag"]
    row = {
        "match": match["id"],
        "at": match["updated_at"],
        "seat": 1,
        "opponent": "bob",
        "half_points": 2,
        "before": first["before"],
        "after": first["after"],
    }
    assert answer.json == {"ratings": [row], "next_cursor": None}
    listed = {one["name"]: one["ratings"] for one in anyone.get("/players").json["players"]}
    assert listed["ada"] == [told]


@pytest.mark.parametrize("how", ["?format=csv", "accept"])
def test_a_history_as_csv_has_the_same_rows(
    ada: Person, bob: Person, anyone: Person, house: Services, how: str
) -> None:
    matches = [played(ada, bob)["id"] for _ in range(2)]
    rate(house)
    address = "/players/bob/ratings/path-capture"
    told = anyone.get(address).json["ratings"]
    if how == "accept":
        answer = anyone.get(address, headers={"Accept": "text/csv"})
    else:
        answer = anyone.get(address + how)
    assert answer.headers["Content-Type"] == "text/csv; charset=utf-8"
    rows = list(csv.DictReader(StringIO(answer.text)))
    assert [row["match"] for row in rows] == matches
    assert [row["after_rating"] for row in rows] == [str(one["after"]["rating"]) for one in told]
    assert [row["before_volatility"] for row in rows] == [
        str(one["before"]["volatility"]) for one in told
    ]


def test_a_history_as_csv_can_come_in_pages_too(
    ada: Person, bob: Person, anyone: Person, house: Services
) -> None:
    matches = [played(ada, bob)["id"] for _ in range(3)]
    rate(house)
    address = "/players/ada/ratings/path-capture?format=csv"
    first = anyone.get(f"{address}&limit=2")
    link = first.headers["Link"].removeprefix("<").partition(">")[0]
    rest = anyone.get(link)
    found = [row["match"] for one in (first, rest) for row in csv.DictReader(StringIO(one.text))]
    assert found == matches
    assert "Link" not in rest.headers
    assert "Link" not in anyone.get(address).headers
    for wrong in ("cursor=x", "limit=0", "limit=101"):
        problem(anyone.get(f"{address}&{wrong}"), 400, "malformed-request")


def test_a_leaderboard_comes_in_pages(
    ada: Person, bob: Person, anyone: Person, house: Services, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert anyone.get("/ratings/path-capture").json == {"players": [], "next_cursor": None}
    monkeypatch.setattr("services.ratings.leaderboards.LEAST_MATCHES", 1)
    match = played(ada, bob)
    rate(house)
    first = anyone.get("/ratings/path-capture?limit=1")
    [winner] = first.json["players"]
    assert winner == {
        "rank": 1,
        "player": "ada",
        "rating": 166231,
        "deviation": 29032,
        "matches": 1,
        "last_at": match["updated_at"],
    }
    assert 'rel="next"' in first.headers["Link"]
    rest = anyone.get(f"/ratings/path-capture?limit=1&cursor={first.json['next_cursor']}").json
    assert [(one["rank"], one["player"]) for one in rest["players"]] == [(2, "bob")]
    assert rest["next_cursor"] is None


@pytest.mark.usefixtures("ada")
def test_of_a_game_or_player_that_there_is_not_there_are_no_ratings(anyone: Person) -> None:
    for address in ("/ratings/chess", "/players/ada/ratings/chess", "/players/x/ratings/go"):
        problem(anyone.get(address), 404, "not-found")
    problem(anyone.get("/ratings/path-capture?cursor=x"), 400, "malformed-request")
    problem(anyone.get("/players/ada/ratings/path-capture?format=xml"), 400, "malformed-request")


def test_house_players_have_fixed_ratings(anyone: Person) -> None:
    told = anyone.get("/players/house:3").json["ratings"]
    assert {one["game"] for one in told} == {
        *("energy-capture", "grid-power", "power-line", "power-lines")
    }
    assert {(one["rating"], one["deviation"], one["matches"]) for one in told} == {(150_000, 0, 0)}
