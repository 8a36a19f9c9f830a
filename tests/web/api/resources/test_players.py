"""Players as everybody may know them: found by how their names begin, with their records."""

import pytest

from services.container import Services
from tests.web.people import PASSWORD, Person, play_out, problem

HOUSE = [f"house:{level}" for level in range(1, 6)]


ON_BOTH_DATABASES = True


def names(anyone: Person, query: str) -> list[str]:
    answer = anyone.get(f"/players{query}")
    assert answer.status_code == 200, answer.text
    return [one["name"] for one in answer.json["players"]]


def test_a_player_has_a_name_a_date_and_a_record(ada: Person, bob: Person, anyone: Person) -> None:
    play_out(ada.start(bob), ada, bob)
    answer = anyone.get("/players/ada")
    assert answer.status_code == 200
    found = answer.json
    assert list(found) == ["id", "name", "created_at", "display_name", "house", "record", "ratings"]
    assert (found["name"], found["house"], found["ratings"]) == ("ada", None, [])
    (record,) = found["record"]
    assert record["game"] == "path-capture"
    assert (record["played"], record["won"] + record["lost"] + record["drawn"]) == (1, 1)
    assert anyone.get("/players/ADA").json == found
    (listed,) = anyone.get("/players?prefix=ADA").json["players"]
    assert listed == found
    assert answer.headers["ETag"]


def test_private_and_unlisted_matches_are_in_no_record(
    ada: Person, bob: Person, anyone: Person
) -> None:
    for visibility in ("private", "unlisted"):
        play_out(ada.start(bob, visibility=visibility, opponent="bob"), ada, bob)
    for person in (anyone, ada, bob):
        assert person.get("/players/ada").json["record"] == []
        assert all(not one["record"] for one in person.get("/players").json["players"])


def test_pages_are_cut_by_a_cursor(anyone: Person) -> None:
    for name in ("ada", "Adam", "adb", "ad-1", "zoe"):
        anyone.post("/players", {"name": name, "password": PASSWORD})
    first = anyone.get("/players?prefix=ad&limit=3")
    assert [one["name"] for one in first.json["players"]] == ["ad-1", "ada", "Adam"]
    cursor = first.json["next_cursor"]
    assert f"cursor={cursor}" in first.headers["Link"]
    second = anyone.get(f"/players?prefix=ad&limit=3&cursor={cursor}")
    assert [one["name"] for one in second.json["players"]] == ["adb"]
    assert second.json["next_cursor"] is None
    assert "Link" not in second.headers


def test_odd_names_are_nobodys(ada: Person, anyone: Person) -> None:
    assert names(anyone, "?prefix=%C3%A4") == names(anyone, "?prefix=%25") == []
    assert names(anyone, "?prefix=") == names(anyone, "") == [ada.name, *HOUSE]
    assert names(anyone, "?prefix=House:") == HOUSE
    assert anyone.get("/players/house:3").json["house"] == 3
    for name in ("nobody", "closed%20account", "%C3%A4da", "x" * 300, "a%00b"):
        problem(anyone.get(f"/players/{name}"), 404, "not-found")


@pytest.mark.usefixtures("ada")
def test_a_closed_account_is_not_found_any_more(bob: Person, house: Services) -> None:
    house.closing.close("ada")
    problem(bob.get("/players/ada"), 404, "not-found")
    assert names(bob, "?prefix=a") == names(bob, "?prefix=closed") == []
    assert names(bob, "") == ["bob", *HOUSE]


def test_what_cannot_be_asked_is_refused(anyone: Person) -> None:
    for query in ("limit=0", "limit=101", "limit=x", "cursor=x", "begins=a", "prefix=a%00b"):
        answer = anyone.get(f"/players?{query}")
        assert answer.status_code == 400, query
        problem(answer, 400, "malformed-request")
