"""Series by the API: begun, looked at, left, exported."""

from __future__ import annotations

import orjson
import pytest

from domain.json_types import Json, JsonObject
from tests.web.people import Person, problem


@pytest.fixture
def series(ada: Person, bob: Person) -> JsonObject:
    there = ada.post("/matches", {"game": "path-capture", "seat": 1, "series": {"length": 3}})
    assert there.status_code == 201
    bob.post(f"/matches/{there.json['id']}/join", {})
    return ada.look(there.json)


def act(person: Person, match: JsonObject, action: str) -> int:
    version = person.get(f"/matches/{match['id']}").json["version"]
    taken = person.post(f"/matches/{match['id']}/actions", {"action": action}, version=version)
    return taken.status_code


def last(person: Person, series: JsonObject) -> JsonObject:
    matches = person.get(f"/series/{series['id']}").json["matches"]
    found: JsonObject = person.get(f"/matches/{matches[-1]['match']}").json
    return found


def test_a_series_is_begun_shown_listed_and_left(
    series: JsonObject, ada: Person, bob: Person, anyone: Person
) -> None:
    assert series["series"] == {
        "length": 3, "decided": "early", "tie": "shared", "id": series["id"], "number": 1,
        "previous": None,
    }  # fmt: skip
    assert act(ada, series, "resign") == 201
    second = last(anyone, series)
    assert [seat["player"] for seat in second["seats"]] == ["bob", "ada"]
    shown = anyone.get(f"/series/{series['id']}").json
    assert shown == {
        "id": series["id"],
        "game": "path-capture",
        "terms": {"length": 3, "decided": "early", "tie": "shared"},
        "status": "active",
        "players": [
            {"player": "ada", "half_points": 0},
            {"player": "bob", "half_points": 2},
        ],
        "matches": [
            {
                "number": 1,
                "match": series["id"],
                "status": "finished",
                "result": {"winner": 2, "reason": "resignation"},
            },
            {"number": 2, "match": second["id"], "status": "active", "result": None},
        ],
        "champion": None,
    }
    listed = anyone.get("/series?player=ada&game=path-capture&status=active").json
    assert listed == {"series": [shown], "next_cursor": None}
    assert act(ada, second, "leave_series") == 201
    assert anyone.get(f"/series/{series['id']}").json["champion"] == "bob"
    version = last(ada, series)["version"]
    again = bob.post(
        f"/matches/{second['id']}/actions", {"action": "leave_series"}, version=version
    )
    problem(again, 409, "series-over")


IMPOSSIBLE: list[tuple[Json, str]] = [
    ({"length": 0}, "/series/length"),
    ({"length": 10**9}, "/series/length"),
    ({"length": 4}, "/series/length"),
    ({"length": 3, "tie": "toss"}, "/series/tie"),
    ({"length": 3, "best": True}, "/series"),
    ("three", "/series"),
]


def test_terms_that_cannot_be_are_told_where_they_stand(ada: Person) -> None:
    for terms, pointer in IMPOSSIBLE:
        answer = ada.post("/matches", {"game": "path-capture", "series": terms})
        problem(answer, 422, "invalid-series")
        assert [one["pointer"] for one in answer.json["errors"]] == [pointer]
        assert ada.get("/matches").json["matches"] == [], terms


def test_who_joins_twice_or_too_late_changes_nothing(
    ada: Person, bob: Person, eve: Person, anyone: Person
) -> None:
    asked = {"game": "path-capture", "seat": 1, "series": {"length": 3}}
    there = ada.post("/matches", asked).json
    problem(ada.post(f"/matches/{there['id']}/join", {}), 409, "own-match")
    assert bob.post(f"/matches/{there['id']}/join", {}).status_code == 200
    assert act(ada, there, "resign") == 201
    before = anyone.get(f"/series/{there['id']}").json
    told = {bob: ("own-match", "own-match"), eve: ("match-not-open", "seat-reserved")}
    for person, codes in told.items():
        for match, code in zip(before["matches"], codes, strict=True):
            problem(person.post(f"/matches/{match['match']}/join", {}), 409, code)
    assert anyone.get(f"/series/{there['id']}").json == before


def test_a_match_alone_has_no_series(ada: Person, bob: Person, anyone: Person) -> None:
    there = ada.start(bob, seat=1)
    assert there["series"] is None
    problem(anyone.get(f"/series/{there['id']}"), 404, "not-found")
    answer = ada.post(
        f"/matches/{there['id']}/actions", {"action": "leave_series"}, version=there["version"]
    )
    problem(answer, 409, "no-series")


def test_the_same_request_again_begins_no_other_match(
    series: JsonObject, ada: Person, anyone: Person
) -> None:
    body, version = {"action": "resign"}, series["version"]
    for _ in range(2):
        done = ada.post(f"/matches/{series['id']}/actions", body, version=version, key="once")
        assert done.status_code == 201
    assert len(anyone.get(f"/series/{series['id']}").json["matches"]) == 2


def test_a_series_is_exported_as_one_file(series: JsonObject, ada: Person, anyone: Person) -> None:
    act(ada, series, "resign")
    act(ada, last(ada, series), "resign")
    answer = anyone.get(f"/series/{series['id']}/export")
    assert answer.mimetype == "application/x-ndjson"
    ids = [one["match"] for one in anyone.get(f"/series/{series['id']}").json["matches"]]
    assert answer.data == b"".join(anyone.get(f"/matches/{one}/export").data for one in ids)
    known = anyone.get(f"/series/{series['id']}/export", {"If-None-Match": answer.headers["ETag"]})
    assert known.status_code == 304


def test_a_private_series_is_seen_by_its_players_alone(
    ada: Person, bob: Person, anyone: Person
) -> None:
    asked = {"game": "path-capture", "opponent": "bob", "visibility": "private",
             "series": {"length": 3}}  # fmt: skip
    there = ada.post("/matches", asked).json
    for path in ("", "/export"):
        problem(anyone.get(f"/series/{there['id']}{path}"), 404, "not-found")
        assert bob.get(f"/series/{there['id']}{path}").status_code == 200
    assert anyone.get("/series").json["series"] == []
    for person in (ada, bob):
        assert person.get("/series?player=ada").json["series"] == []
        own = person.get("/series?mine=true&status=open").json["series"]
        assert [one["id"] for one in own] == [there["id"]]
    told = problem(anyone.get("/series?mine=true"), 400, "malformed-request")
    assert told["errors"][0]["parameter"] == "mine"


@pytest.mark.usefixtures("series")
@pytest.mark.parametrize("which", ["game=chess", "player=nobody"])
def test_of_a_game_or_player_that_there_is_not_lists_are_empty(anyone: Person, which: str) -> None:
    for name in ("series", "matches"):
        answer = anyone.get(f"/{name}?{which}")
        assert (answer.status_code, answer.json) == (200, {name: [], "next_cursor": None})


def test_what_is_hidden_in_the_match_that_goes_on_stays_so(
    ada: Person, bob: Person, anyone: Person
) -> None:
    asked = {"game": "power-lines", "seat": 1, "series": {"length": 3}}
    there = ada.post("/matches", asked).json
    bob.post(f"/matches/{there['id']}/join", {})
    act(ada, there, "resign")
    second = last(anyone, there)

    def opened(person: Person) -> set[str]:
        file = person.get(f"/series/{there['id']}/export").data
        lines = [one for one in map(orjson.loads, file.splitlines()) if "sealed" in one]
        sealed = [one for e in lines if e["match"] == second["id"] for one in e["sealed"]]
        assert sealed
        return {audience for one in sealed if "value" in one for audience in one["for"]}

    assert opened(anyone) == set()
    assert opened(ada) == {"seat-2"}
    assert opened(bob) == {"seat-1"}
    drawn = anyone.get(f"/matches/{second['id']}/events").json["events"]
    assert not any("value" in seal for event in drawn for seal in event["sealed"])
