"""Seeks, challenges, invitations, rematches and closed accounts, over the API."""

from __future__ import annotations

import io

import pytest

from services.container import Services
from services.runtime.logs import configure_logs
from services.runtime.settings import Settings
from tests.web.people import PASSWORD, Person, play_out, problem


def ids(person: Person, query: str) -> list[str]:
    answer = person.get(f"/matches?{query}")
    assert answer.status_code == 200, answer.text
    return [match["id"] for match in answer.json["matches"]]


def test_seeks_are_found_by_game_pace_rating_and_player(
    ada: Person, bob: Person, anyone: Person
) -> None:
    plain = ada.create("path-capture")["id"]
    slow = ada.create("path-capture", pace={"days_per_move": 3})["id"]
    bank = bob.create("grid-power", pace={"bank_hours": 24}, rated=True)["id"]
    ada.create(opponent="bob")
    ada.create(visibility="unlisted")
    ada.start(bob)
    kept = ada.create()["id"]
    ada.post(f"/matches/{kept}/invitations")
    seeks = "status=open&seeks=true"
    assert set(ids(anyone, seeks)) == {plain, slow, bank}
    assert ids(anyone, f"{seeks}&pace=per-move") == [slow]
    assert ids(anyone, f"{seeks}&pace=bank") == [bank]
    assert ids(anyone, f"{seeks}&pace=none") == [plain]
    assert ids(anyone, f"{seeks}&rated=true") == [bank]
    assert set(ids(anyone, f"{seeks}&rated=false")) == {plain, slow}
    assert set(ids(anyone, f"{seeks}&player=ada")) == {plain, slow}
    assert ids(anyone, f"{seeks}&game=grid-power") == [bank]
    fault = problem(anyone.get("/matches?pace=blitz"), 400, "malformed-request")
    assert fault["errors"][0]["parameter"] == "pace"


@pytest.mark.parametrize("sort", ["updated", "created"])
def test_pages_of_seeks_neither_skip_nor_repeat_rows_while_new_ones_arrive(
    ada: Person, bob: Person, anyone: Person, sort: str
) -> None:
    made = [ada.create()["id"] for _ in range(7)]
    seen: list[str] = []
    query = f"seeks=true&sort={sort}&limit=2"
    cursor = ""
    while True:
        page = anyone.get(f"/matches?{query}{cursor}").json
        seen += [match["id"] for match in page["matches"]]
        if page["next_cursor"] is None:
            break
        bob.create()
        cursor = f"&cursor={page['next_cursor']}"
    assert seen == made[::-1]


def test_a_challenge_is_declined_with_a_reason(ada: Person, bob: Person, eve: Person) -> None:
    match = ada.create(opponent="bob", visibility="private")
    path = f"/matches/{match['id']}/decline"
    problem(eve.post(path, {"reason": "I would."}), 404, "not-found")
    problem(ada.post(path), 403, "not-your-seat")
    problem(bob.post(path, {"reason": " "}), 422, "invalid-text")
    problem(bob.post(path, {"reason": 5}), 400, "malformed-request")
    first = bob.post(path, {"reason": "Not today."}, key="once")
    assert first.status_code == 200
    assert first.json["result"] == {"winner": None, "reason": "declined"}
    again = bob.post(path, {"reason": "Not today."}, key="once")
    assert (again.json, again.headers["Idempotent-Replayed"]) == (first.json, "true")
    told = ada.get(path).json
    assert (told["player"], told["reason"]) == ("bob", "Not today.")
    problem(eve.get(path), 404, "not-found")
    problem(bob.post(path), 409, "match-not-open")
    problem(bob.post(f"/matches/{match['id']}/join"), 409, "match-not-open")


def test_a_link_lets_one_person_into_a_private_match(
    ada: Person, bob: Person, eve: Person, anyone: Person
) -> None:
    problem(
        ada.post("/matches", {"game": "path-capture", "visibility": "private"}),
        400,
        "malformed-request",
    )
    match = ada.create(visibility="private", invitation=True)
    path = f"/matches/{match['id']}/invitations"
    problem(bob.post(path), 404, "not-found")
    made = ada.post(path, {"days": 3})
    assert (made.status_code, made.headers["Cache-Control"]) == (201, "no-store")
    link = f"/invitations/{made.json['token']}"
    problem(anyone.get(link), 401, "unauthenticated")
    assert bob.get(link).json["match"]["id"] == match["id"]
    problem(ada.post(f"{link}/accept"), 409, "own-match")
    started = bob.post(f"{link}/accept", {}, key="once")
    assert (started.status_code, started.json["status"]) == (200, "active")
    assert bob.post(f"{link}/accept", {}, key="once").json == started.json
    problem(eve.post(f"{link}/accept"), 404, "not-found")
    (listed,) = ada.get(path).json["invitations"]
    assert (listed["state"], listed["used_by"]) == ("used", "bob")
    assert "token" not in listed


def test_an_invitation_whose_answer_was_lost_is_given_again(ada: Person, bob: Person) -> None:
    match = ada.create()
    path = f"/matches/{match['id']}/invitations"
    first = ada.post(path, {"days": 3}, key="once")
    again = ada.post(path, {"days": 3}, key="once")
    assert (first.status_code, again.status_code) == (201, 201)
    assert again.json == first.json
    assert again.headers["Idempotent-Replayed"] == "true"
    assert again.headers["Cache-Control"] == "no-store"
    problem(ada.post(path, {"days": 4}, key="once"), 422, "idempotency-key-reused")
    assert len(ada.get(path).json["invitations"]) == 1
    assert bob.post(f"/invitations/{first.json['token']}/accept").status_code == 200
    # It is given again though no seat is free any more.
    assert ada.post(path, {"days": 3}, key="once").json == first.json
    problem(ada.post(path, {"days": 3}, key="another"), 409, "match-not-open")


def test_all_own_invitations_are_listed_until_nobody_can_come_with_them(
    ada: Person, bob: Person, anyone: Person
) -> None:
    def listed(person: Person, query: str = "") -> list[str]:
        return [one["id"] for one in person.get(f"/me/invitations{query}").json["invitations"]]

    assert listed(ada) == []
    problem(anyone.get("/me/invitations"), 401, "unauthenticated")
    first, second, third = (ada.create()["id"] for _ in range(3))
    made = [ada.post(f"/matches/{one}/invitations").json for one in (first, first, second, third)]
    newest = [one["id"] for one in reversed(made)]
    assert sorted(listed(ada)) == sorted(newest)
    assert listed(bob) == []
    page = ada.get("/me/invitations?limit=3")
    assert page.headers["Link"] == (
        f'</api/v1/me/invitations?limit=3&cursor={page.json["next_cursor"]}>; rel="next"'
    )
    rest = listed(ada, f"?limit=3&cursor={page.json['next_cursor']}")
    assert [*(one["id"] for one in page.json["invitations"]), *rest] == listed(ada)
    assert len(rest) == 1
    assert "token" not in page.json["invitations"][0]
    bob.post(f"/invitations/{made[0]['token']}/accept")
    ada.ask("DELETE", f"/matches/{second}/invitations/{made[2]['id']}")
    assert listed(ada) == [made[3]["id"]]
    problem(ada.get("/me/invitations?cursor=x"), 400, "malformed-request")
    problem(ada.get("/me/invitations?state=open"), 400, "malformed-request")


def test_own_challenges_are_listed_until_they_are_answered(
    ada: Person, bob: Person, eve: Person
) -> None:
    def listed(person: Person, query: str = "") -> set[str]:
        found = person.get(f"/me/challenges{query}").json["challenges"]
        assert all(one["expires_at"] > one["match"]["created_at"] for one in found)
        return {one["match"]["id"] for one in found}

    ada.create()
    public = ada.create(opponent="bob")["id"]
    private = ada.create(opponent="bob", visibility="private")["id"]
    to_eve = ada.create(opponent="eve")["id"]
    assert listed(bob) == listed(bob, "?by=others") == {public, private}
    assert listed(ada, "?by=me") == {public, private, to_eve}
    assert listed(ada) == listed(bob, "?by=me") == set()
    assert listed(eve) == {to_eve}
    page = ada.get("/me/challenges?by=me&limit=2").json
    rest = listed(ada, f"?by=me&limit=2&cursor={page['next_cursor']}")
    assert {one["match"]["id"] for one in page["challenges"]} | rest == {public, private, to_eve}
    assert len(rest) == 1
    bob.post(f"/matches/{public}/join")
    bob.post(f"/matches/{private}/decline")
    assert (listed(bob), listed(ada, "?by=me")) == (set(), {to_eve})
    problem(ada.get("/me/challenges?by=eve"), 400, "malformed-request")


def test_an_invitation_that_came_too_late_shows_nothing_of_a_private_match(
    ada: Person, bob: Person, eve: Person
) -> None:
    """A private match is seen by its two players only, whoever else was invited to it."""
    match = ada.create(visibility="private", invitation=True)
    path = f"/matches/{match['id']}/invitations"
    first, second = (ada.post(path).json["token"] for _ in range(2))
    assert eve.get(f"/invitations/{second}").status_code == 200
    assert bob.post(f"/invitations/{first}/accept").status_code == 200
    problem(eve.get(f"/invitations/{second}"), 404, "not-found")
    assert eve.post(f"/invitations/{second}/accept").status_code in (404, 409)
    states = [one["state"] for one in ada.get(path).json["invitations"]]
    assert sorted(states) == ["lapsed", "used"]


def test_an_invitation_is_revoked(ada: Person, bob: Person) -> None:
    match = ada.create()
    path = f"/matches/{match['id']}/invitations"
    made = ada.post(path).json
    problem(bob.post(f"/matches/{match['id']}/join"), 409, "seat-reserved")
    problem(bob.get(path), 403, "not-your-seat")
    problem(bob.ask("DELETE", f"{path}/{made['id']}"), 403, "not-your-seat")
    assert ada.ask("DELETE", f"{path}/{made['id']}").status_code == 204
    problem(ada.ask("DELETE", f"{path}/{made['id']}"), 404, "not-found")
    problem(bob.post(f"/invitations/{made['token']}/accept"), 404, "not-found")
    assert bob.post(f"/matches/{match['id']}/join").status_code == 200


@pytest.mark.parametrize("days", [0, 31, "3", 1.5])
def test_an_invitation_is_good_for_1_to_30_days(ada: Person, days: object) -> None:
    path = f"/matches/{ada.create()['id']}/invitations"
    problem(ada.post(path, {"days": days}), 400, "malformed-request")


def test_a_rematch_is_asked_for_by_one_and_accepted_by_the_other(
    ada: Person, bob: Person, eve: Person
) -> None:
    match = ada.start(bob, options={"length": 9}, pace={"days_per_move": 5})
    path = f"/matches/{match['id']}/rematch"
    problem(ada.post(path), 409, "no-rematch")
    play_out(match, ada, bob)
    problem(eve.post(path), 403, "not-your-seat")
    first = ada.post(path)
    assert first.status_code == 201
    new = first.json
    assert first.headers["Location"] == f"/api/v1/matches/{new['id']}"
    assert [seat["player"] for seat in new["seats"]] == [None, "ada"]
    assert (new["opponent"], new["options"], new["pace"]) == (
        "bob",
        match["options"],
        match["pace"],
    )
    again = ada.post(path)
    assert (again.status_code, again.json["id"]) == (200, new["id"])
    accepted = bob.post(path)
    assert (accepted.status_code, accepted.json["id"]) == (200, new["id"])
    assert (accepted.json["status"], accepted.json["you"]) == ("active", 1)


def test_a_repeated_request_for_a_rematch_gets_the_same_answer(ada: Person, bob: Person) -> None:
    match = ada.start(bob)
    play_out(match, ada, bob)
    path = f"/matches/{match['id']}/rematch"
    first = ada.post(path, {}, key="again")
    second = ada.post(path, {}, key="again")
    assert (first.status_code, second.status_code) == (201, 201)
    assert second.json == first.json
    assert second.headers["Idempotent-Replayed"] == "true"


def test_a_rematch_against_the_house_is_created_with_a_key_as_without(ada: Person) -> None:
    match = ada.create(opponent="house:1")
    ada.post(f"/matches/{match['id']}/actions", {"action": "resign"}, version=match["version"])
    path = f"/matches/{match['id']}/rematch"
    keyed = ada.post(path, {}, key="again")
    new = keyed.json
    assert (keyed.status_code, new["status"]) == (201, "active")
    assert keyed.headers["Location"] == f"/api/v1/matches/{new['id']}"


def test_a_seek_does_not_outlive_its_authors_account(
    ada: Person, bob: Person, anyone: Person, house: Services
) -> None:
    made = ada.create()["id"]
    played = ada.start(bob)
    play_out(played, ada, bob)
    assert ids(anyone, "seeks=true") == [made]
    house.closing.close("ada")
    assert ids(anyone, "seeks=true") == []
    problem(bob.post(f"/matches/{made}/join"), 409, "match-not-open")
    problem(ada.get("/me"), 401, "unauthenticated")
    shown = bob.look(played)
    assert [seat["player"] for seat in shown["seats"]] == ["closed account", "bob"]
    problem(anyone.post("/players", {"name": "Ada", "password": PASSWORD}), 409, "name-taken")


def test_an_invitations_token_is_not_logged(ada: Person, log: io.BytesIO) -> None:
    configure_logs(Settings())
    made = ada.post(f"/matches/{ada.create()['id']}/invitations").json
    for path in (f"/api/v1/invitations/{made['token']}/accept", f"/i/{made['token']}"):
        ada.visit(path)
    logged = log.getvalue().decode()
    assert made["token"] not in logged
    assert "path=/i/<token>" in logged
