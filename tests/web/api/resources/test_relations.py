"""Blocking and following over HTTP: one's own alone, and no way around it there."""

from __future__ import annotations

import pytest

from tests.web.people import Person, problem


def relations(person: Person) -> tuple[list[str], list[str]]:
    found = person.get("/me/relations").json
    return found["blocked"], found["followed"]


def test_who_is_blocked_by_the_api_has_no_match_and_no_chat_by_it(
    ada: Person, bob: Person, eve: Person
) -> None:
    match = ada.create("path-capture", seat=1)["id"]
    assert bob.post(f"/matches/{match}/join", {}).status_code == 200
    seek = bob.create("path-capture")["id"]
    assert ada.ask("PUT", "/me/followed/BOB").status_code == 204
    assert ada.ask("PUT", "/me/blocked/bob").status_code == 204
    assert ada.ask("PUT", "/me/blocked/bob").status_code == 204
    assert relations(ada) == (["bob"], [])
    # Nobody is told, and nobody reads or changes another's.
    assert relations(bob) == relations(eve) == ([], [])
    for one, refused in (
        (bob, bob.post("/matches", {"game": "path-capture", "opponent": "ada"})),
        (ada, ada.post(f"/matches/{seek}/join", {})),
        (bob, bob.post(f"/matches/{match}/chat/players", {"text": "Hello?"})),
        (bob, bob.ask("PUT", "/me/followed/ada")),
        (ada, ada.ask("PUT", "/me/followed/bob")),
    ):
        problem(refused, 409, "cannot-be-challenged")
        assert ("blocked" in refused.text) == (one is ada)
    assert ada.ask("DELETE", "/me/blocked/bob").status_code == 204
    assert ada.ask("DELETE", "/me/blocked/bob").status_code == 204
    assert bob.ask("PUT", "/me/followed/ada").status_code == 204
    assert relations(bob) == ([], ["ada"])


@pytest.mark.parametrize(
    ("path", "status", "code"),
    [
        ("blocked/nobody-here", 404, "not-found"),
        ("blocked/ada", 400, "malformed-request"),
        ("blocked/house:3", 422, "invalid-player"),
    ],
)
def test_what_cannot_be_is_refused(ada: Person, path: str, status: int, code: str) -> None:
    problem(ada.ask("PUT", f"/me/{path}"), status, code)
    assert relations(ada) == ([], [])


def test_only_a_token_that_plays_relates(ada: Person, anyone: Person) -> None:
    problem(anyone.get("/me/relations"), 401, "unauthenticated")
    reader = ada.with_scopes("match:read")
    problem(reader.ask("PUT", "/me/blocked/bob"), 403, "missing-scope")
