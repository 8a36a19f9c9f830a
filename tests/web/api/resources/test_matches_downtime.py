"""A server that comes back after longer than the grace: clocks get that time back."""

from __future__ import annotations

import time

import httpx
import pytest

from domain.json_types import JsonObject
from tests.support.servers import Server, running_server
from tests.web.people import PASSWORD

pytestmark = pytest.mark.slow

AWAY, PATIENCE = 3.0, 30.0


ON_BOTH_DATABASES = True


def begun(server: Server) -> str:
    """Return the path of a match with a clock that has just begun."""
    with httpx.Client(base_url=f"{server.url}/api/v1", timeout=30) as client:
        tokens = []
        for name in ("ada", "brook"):
            account = {"name": name, "password": PASSWORD}
            client.post("/players", json=account)
            token = client.post("/tokens", json=account).json()["token"]
            tokens.append({"Authorization": f"Bearer {token}"})
        asked = {"game": "path-capture", "seat": 1, "pace": {"days_per_move": 1}}
        match = client.post("/matches", json=asked, headers=tokens[0]).json()["id"]
        joined = client.post(f"/matches/{match}/join", headers=tokens[1])
        assert joined.status_code == 200, joined.text
    return f"/api/v1/matches/{match}"


def given(server: Server, match: str) -> JsonObject:
    """Wait until time is given back in a match, and return the event."""
    end = time.monotonic() + PATIENCE
    while time.monotonic() < end:
        events = httpx.get(f"{server.url}{match}/events").json()["events"]
        for event in events:
            if event["kind"] == "time-given":
                return dict(event)
        time.sleep(0.2)
    raise AssertionError(f"nothing is given back: {server.logged()[-2000:]}")


def test_a_server_that_was_stopped_gives_back_the_time_until_it_is_there_again(
    url_at_head: str,
) -> None:
    settings = {"downtime_grace": 1, "sweep_interval": 1, "workers": 2, "worker": True}
    with running_server(url_at_head, **settings) as server:  # type: ignore[arg-type]
        match = begun(server)
        before = httpx.get(server.url + match).json()
        server.stop()
    time.sleep(AWAY)
    with running_server(url_at_head, **settings) as server:  # type: ignore[arg-type]
        event = given(server, match)
        after = httpx.get(server.url + match).json()
        assert "service_was_away" in server.logged()
    assert (event["actor"], event["data"]["reason"]) == ("server", "downtime")
    assert event["data"]["amount"] >= AWAY - 2
    assert after["deadline"] > before["deadline"]
    assert after["status"] == "active"
