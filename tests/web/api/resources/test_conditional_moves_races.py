"""Lines are edited while the opponent moves: a real server with two processes, both databases.

Whoever comes second is told so, and nothing is ever half done: a line that was stored in time is
played with the move that it answers, and one that was not is refused.
"""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from contextlib import closing
from itertools import count
from threading import Barrier

import httpx
import pytest

from domain.json_types import JsonObject
from tests.support.servers import Server
from tests.web.people import PASSWORD

ROUNDS = 12


_numbers = count(1)


class Race:
    """A match whose players act at the same time, each over connections of their own."""

    def __init__(self, url: str) -> None:
        self.clients = {seat: httpx.Client(base_url=f"{url}/api/v1", timeout=30) for seat in (1, 2)}
        for client in self.clients.values():
            account = {"name": f"player{next(_numbers)}", "password": PASSWORD}
            assert client.post("/players", json=account).status_code == 201
            token = client.post("/tokens", json=account).json()["token"]
            client.headers["Authorization"] = f"Bearer {token}"
        asked = {"game": "path-capture", "seat": 1, "options": {"length": 41}}
        match = self.clients[1].post("/matches", json=asked).json()
        self.at = f"/matches/{match['id']}"
        self.clients[2].post(f"{self.at}/join")
        self.gate = Barrier(2)

    def close(self) -> None:
        for client in self.clients.values():
            client.close()

    def get(self, seat: int, more: str = "") -> JsonObject:
        return dict(self.clients[seat].get(f"{self.at}{more}").json())

    def move(self, seat: int, version: int) -> httpx.Response:
        self.gate.wait()
        body = {"move": {"steps": 1}, "expected_version": version}
        return self.clients[seat].post(f"{self.at}/moves", json=body)

    def keep(self, seat: int, version: int, lines_version: int) -> httpx.Response:
        self.gate.wait()
        body = {
            "lines": [{"if": {"steps": 1}, "then": [{"steps": 1}]}],
            "match_version": version,
            "expected_version": lines_version,
        }
        return self.clients[seat].put(f"{self.at}/conditional-moves", json=body)


@pytest.mark.slow
def test_a_line_stored_in_time_is_played_and_a_late_one_is_refused(two_processes: Server) -> None:
    with ThreadPoolExecutor(2) as pool, closing(Race(two_processes.url)) as race:
        outcomes = set()
        for _ in range(ROUNDS):
            now = race.get(1)
            seat = now["to_act"]
            if now["status"] != "active":
                break
            lines = race.get(3 - seat, "/conditional-moves")["version"]
            moving = pool.submit(race.move, seat, now["version"])
            keeping = pool.submit(race.keep, 3 - seat, now["version"], lines)
            moved, kept = moving.result(), keeping.result()
            assert moved.status_code == 201, moved.text
            causes = [event["data"].get("cause") for event in moved.json()["events"]]
            outcomes.add((kept.status_code, *causes))
        assert outcomes <= {(200, "player", "conditional"), (412, "player")}, outcomes
        events = race.get(1, "/events?limit=100")["events"]
        assert [event["version"] for event in events] == list(range(1, len(events) + 1))
        happened = [
            one["kind"]
            for seat in (1, 2)
            for one in race.get(seat, "/conditional-moves/happenings?limit=100")["happenings"]
        ]
        fired = [event for event in events if event["data"].get("cause") == "conditional"]
        assert happened == ["fired"] * len(fired)


@pytest.mark.slow
def test_of_two_edits_one_wins(two_processes: Server) -> None:
    with ThreadPoolExecutor(2) as pool, closing(Race(two_processes.url)) as race:
        version = race.get(1)["version"]
        for number in range(ROUNDS):
            edits = [pool.submit(race.keep, 2, version, number) for _ in range(2)]
            statuses = sorted(edit.result().status_code for edit in edits)
            assert statuses == [200, 412]
        assert race.get(2, "/conditional-moves")["version"] == ROUNDS
