"""The log of a server, at its most talkative: no move, no card, no token, no password."""

from __future__ import annotations

import io
import re
from collections.abc import Callable
from types import SimpleNamespace

import httpx
import pytest
from sqlalchemy import text

from domain.game.game import Viewer
from services.runtime import logs
from services.runtime.settings import Settings
from tests.secrecy.pairs import power_lines
from tests.secrecy.worlds import World
from tests.support.servers import running_server

PASSWORD = "correct horse battery"
REFUSING = {
    "sqlite": (
        "CREATE TRIGGER full BEFORE INSERT ON events WHEN NEW.version > 8 "
        "BEGIN SELECT RAISE(ABORT, 'no more'); END"
    ),
    "postgresql": "ALTER TABLE events ADD CONSTRAINT full_up CHECK (version < 9) NOT VALID",
}


HIDING = re.compile(r"\b(actions?|card|deck|commitment|Bearer)\b")
"""Words that stand in every move, opening and header, but not in our code's own lines."""


def assert_silent(log: str, *more: str) -> None:
    """Make sure that nothing of a move and none of ``more`` stands in a log."""
    assert HIDING.findall(log) == []
    for word in (PASSWORD, b'"action"'.hex(), *more):
        assert word not in log, word


@pytest.mark.parametrize("form", ["json", "text"])
def test_a_fault_of_the_database_is_logged_without_what_was_to_be_stored(
    any_database: Callable[[str], str], monkeypatch: pytest.MonkeyPatch, form: str
) -> None:
    """A refused INSERT is where a database repeats what it was given: openings and all."""
    world = World("only", any_database("only"))
    script = power_lines(Viewer.SPECTATOR, 1, 20).first
    match = world.start("power-lines", script)
    with world.house.database.write() as connection:
        connection.execute(text(REFUSING[connection.dialect.name]))
    written = io.BytesIO()
    monkeypatch.setattr(logs, "sys", SimpleNamespace(stderr=SimpleNamespace(buffer=written)))
    logs.configure_logs(Settings(log_level="debug", log_format=form))
    statuses = []
    for move in script.moves[:4]:
        truth = world.truth(match)
        mover = world.people[("ada", "bob")[(truth.to_act or 1) - 1]]
        answer = mover.post(f"/matches/{match}/moves", {"move": move}, version=truth.version)
        statuses.append(answer.status_code)
    world.house.close()
    log = written.getvalue().decode()
    assert 500 in statuses
    assert "IntegrityError" in log
    tokens = [person.token for person in world.people.values()]
    assert_silent(log, "Failing row", "parameters:", *tokens)


def test_the_log_of_a_real_server_at_debug_level_tells_no_secrets(
    new_sqlite: Callable[[str], str],
) -> None:
    with running_server(new_sqlite("served"), log_level="debug") as server:
        tokens = [_sign_up(server.url, name) for name in ("ada", "bob")]
        _play(server.url, tokens)
        server.stop()
        log = server.logged()
    assert log.count("\n") > 20
    assert '"status":201' in log
    assert_silent(log, *tokens, "no such password")


def _sign_up(url: str, name: str) -> str:
    account = {"name": name, "password": PASSWORD}
    with httpx.Client(base_url=f"{url}/api/v1") as client:
        assert client.post("/players", json=account).status_code == 201
        wrong = {"name": name, "password": "no such password", "label": "x"}
        assert client.post("/tokens", json=wrong).status_code == 401
        token: str = client.post("/tokens", json={**account, "label": "x"}).json()["token"]
    return token


def _play(url: str, tokens: list[str]) -> None:
    """Play the setup and a draw, wrong moves among them, and look at it in every way."""
    seats = [
        httpx.Client(base_url=f"{url}/api/v1", headers={"Authorization": f"Bearer {token}"})
        for token in tokens
    ]
    match = seats[0].post("/matches", json={"game": "power-lines", "seat": 1}).json()["id"]
    seats[1].post(f"/matches/{match}/join")
    for _ in range(7):
        now = seats[0].get(f"/matches/{match}").json()
        mover, waiting = seats[now["to_act"] - 1], seats[2 - now["to_act"]]
        move = mover.get(f"/matches/{match}/legal-moves").json()["moves"][0]["move"]
        body = {"move": move, "expected_version": now["version"]}
        assert waiting.post(f"/matches/{match}/moves", json=body).status_code == 409
        wrong = {**body, "move": {**move, "card": 99, "x": 50, "y": 50}}
        assert mover.post(f"/matches/{match}/moves", json=wrong).status_code == 422
        headers = {"Idempotency-Key": f"key-{now['version']}"}
        for _ in range(2):
            answer = mover.post(f"/matches/{match}/moves", json=body, headers=headers)
            assert answer.status_code == 201, answer.text
    for seat in seats:
        seat.get(f"/matches/{match}/replay?token={tokens[0]}")
        seat.get(f"/matches/{match}/events", headers={"Accept": "application/x-ndjson"})
        seat.close()
