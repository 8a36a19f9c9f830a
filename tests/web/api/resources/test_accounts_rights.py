"""What a token and a session may do is what both they and the account have now."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from threading import Barrier, Thread

import pytest
from flask import Flask

from services.accounts import passwords
from services.container import Services
from services.errors import Unauthenticated
from tests.support.games import test_games
from tests.web.people import PASSWORD, Person, problem
from web.http.requests import BrokenOffError

NEW = "another password, long too"
BOUND = 1.0
"""Seconds after which a process knows at the latest what another one has done."""


ON_BOTH_DATABASES = True


@pytest.fixture
def elsewhere(house: Services) -> Iterator[Services]:
    """Give what another process has: a terminal's, or another server's."""
    made = Services(house.settings, games=test_games())
    yield made
    made.close()


@pytest.fixture
def root(eve: Person, house: Services) -> Person:
    house.accounts.set_admin("eve", admin=True)
    return eve.with_scopes("match:read", "match:play", "admin")


def scopes(person: Person) -> list[str]:
    return list(person.get("/me").json["scopes"])


def test_who_is_no_administrator_any_more_has_no_token_of_one(
    ada: Person, bob: Person, root: Person, elsewhere: Services
) -> None:
    match = ada.create(opponent="bob", visibility="private")
    bob.post(f"/matches/{match['id']}/join")
    chat = f"/matches/{match['id']}/chat/players"
    said = ada.post(chat, {"text": "nobody else reads this"}).json["number"]
    assert root.get(chat).status_code == 200
    assert scopes(root) == ["admin", "match:play", "match:read"]

    elsewhere.accounts.set_admin("eve", admin=False)
    assert scopes(root) == ["match:play", "match:read"]
    problem(root.get(chat), 404, "not-found")
    problem(root.ask("DELETE", f"{chat}/{said}"), 404, "not-found")
    abort = {"action": "abort", "expected_version": ada.look(match)["version"]}
    problem(root.post(f"/matches/{match['id']}/actions", abort), 404, "not-found")
    assert not any("admin" in one["scopes"] for one in root.get("/tokens").json["tokens"])
    asked = {"name": "eve", "password": PASSWORD, "label": "x", "scopes": ["admin"]}
    problem(root.post("/tokens", asked), 403, "missing-scope")

    elsewhere.accounts.set_admin("eve", admin=True)
    assert root.get(chat).status_code == 200


def test_a_password_set_by_an_administrator_ends_all_that_the_old_one_began(
    ada: Person, house: Services
) -> None:
    session = house.sessions.log_in("ada", PASSWORD, None)
    assert ada.get("/me").status_code == 200
    house.accounts.set_password("ada", NEW)
    problem(ada.get("/me"), 401, "unauthenticated")
    assert house.sessions.find(session) is None


def soon(refused: Callable[[], bool]) -> bool:
    end = time.monotonic() + BOUND
    while time.monotonic() < end:
        if refused():
            return True
        time.sleep(0.02)
    return refused()


@pytest.mark.parametrize("how", ["password", "closed", "revoked"])
def test_what_another_process_ends_is_over_within_a_second(
    ada: Person, elsewhere: Services, house: Services, how: str
) -> None:
    session = house.sessions.log_in("ada", PASSWORD, None)
    me = ada.get("/me").json
    if how == "password":
        elsewhere.accounts.set_password("ada", NEW)
    elif how == "closed":
        elsewhere.closing.close("ada")
    else:
        for token in elsewhere.accounts.list_tokens(me["id"]):
            elsewhere.accounts.revoke(me["id"], token.id)
    assert (house.sessions.find(session) is None) == (how != "revoked")
    assert soon(lambda: ada.get("/me").status_code == 401)


def test_a_token_does_not_outlive_the_password_that_it_is_being_made_with(
    ada: Person, house: Services, elsewhere: Services, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Whoever logs in in the very instant in which the password is set is not overlooked."""
    fits = passwords.fits

    def slowly(password: str, known: str | None) -> bool:
        found = fits(password, known)
        elsewhere.accounts.set_password("ada", NEW)
        return found

    monkeypatch.setattr(passwords, "fits", slowly)
    asked = {"name": "ada", "password": PASSWORD, "label": "x"}
    problem(ada.post("/tokens", asked), 401, "unauthenticated")
    with pytest.raises(Unauthenticated):
        house.sessions.log_in("ada", NEW, None)


def test_two_who_change_one_password_at_once_do_not_both_succeed(
    ada: Person, house: Services, elsewhere: Services, monkeypatch: pytest.MonkeyPatch
) -> None:
    del ada
    fits, both = passwords.fits, Barrier(2, timeout=30)
    sessions = [house.sessions.log_in("ada", PASSWORD, None) for _ in range(2)]
    done: list[str] = []

    def together(password: str, known: str | None) -> bool:
        found = fits(password, known)
        both.wait()
        return found

    monkeypatch.setattr(passwords, "fits", together)

    def change(of: Services, session: str, new: str) -> None:
        try:
            of.sessions.change_password(session, PASSWORD, new)
            done.append(new)
        except Unauthenticated:
            pass

    threads = [
        Thread(target=change, args=(house, sessions[0], "one new password")),
        Thread(target=change, args=(elsewhere, sessions[1], "two new passwords")),
    ]
    for one in threads:
        one.start()
    for one in threads:
        one.join()
    monkeypatch.undo()
    assert len(done) == 1
    assert house.accounts.check_password("ada", done[0])


def test_an_export_on_its_way_ends_with_its_token(
    ada: Person, bob: Person, app: Flask, elsewhere: Services
) -> None:
    for _ in range(3):
        ada.create(opponent="bob", visibility="private")
    answer = app.test_client().get(
        "/api/v1/export", headers={"Authorization": f"Bearer {bob.token}"}, buffered=False
    )
    sent = answer.iter_encoded()
    assert next(sent)
    elsewhere.accounts.set_password("bob", NEW)
    time.sleep(2 * BOUND)
    with pytest.raises(BrokenOffError):
        list(sent)
    answer.close()


def test_a_token_lists_and_revokes_itself_and_what_has_no_more_scopes(ada: Person) -> None:
    reader, player = ada.with_scopes("match:read"), ada.with_scopes("match:read", "match:play")
    bot = ada.with_scopes("match:read", "match:play", "bot")
    listed = {one["id"]: one["scopes"] for one in bot.get("/tokens").json["tokens"]}
    assert [len(scopes) for scopes in listed.values()] == [2, 1, 2, 3]
    _, small, big, biggest = listed

    def sees(person: Person) -> list[str]:
        return [one["id"] for one in person.get("/tokens").json["tokens"]]

    assert sees(reader) == [small]
    assert sees(player) == [*listed][:3]

    refused = problem(reader.ask("DELETE", f"/tokens/{big}"), 403, "missing-scope")
    assert "match:play" in refused["detail"]
    assert (
        "bot" in problem(player.ask("DELETE", f"/tokens/{biggest}"), 403, "missing-scope")["detail"]
    )
    assert bot.get("/me").status_code == 200

    assert player.ask("DELETE", f"/tokens/{small}").status_code == 204
    problem(reader.get("/me"), 401, "unauthenticated")
    assert player.ask("DELETE", f"/tokens/{big}").status_code == 204
    problem(player.get("/me"), 401, "unauthenticated")


def test_an_administrators_token_is_out_of_reach_of_a_lesser_one(root: Person, eve: Person) -> None:
    (token,) = (one["id"] for one in root.get("/tokens").json["tokens"] if "admin" in one["scopes"])
    assert token not in [one["id"] for one in eve.get("/tokens").json["tokens"]]
    assert "admin" in problem(eve.ask("DELETE", f"/tokens/{token}"), 403, "missing-scope")["detail"]
    assert root.ask("DELETE", f"/tokens/{token}").status_code == 204
