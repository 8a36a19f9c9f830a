"""Eight writers at once on one match, over a real server with two processes, on both databases."""

from __future__ import annotations

from collections import Counter
from concurrent.futures import ThreadPoolExecutor
from threading import Barrier

import httpx
import pytest

from domain.json_types import JsonObject
from tests.support.servers import Server
from tests.web.people import PASSWORD

WRITERS = 8
ROUNDS = 12


def sign_up(client: httpx.Client, name: str) -> dict[str, str]:
    account = {"name": name, "password": PASSWORD}
    assert client.post("/players", json=account).status_code == 201
    token = client.post("/tokens", json=account).json()["token"]
    return {"Authorization": f"Bearer {token}"}


@pytest.mark.slow
def test_of_eight_writers_exactly_one_wins_each_version(two_processes: Server) -> None:
    with httpx.Client(base_url=f"{two_processes.url}/api/v1", timeout=30) as client:
        tokens = {seat: sign_up(client, f"player{seat}") for seat in (1, 2)}
        match = start(client, tokens)
        gate = Barrier(WRITERS)

        def write(number: int, seat: int, version: int) -> httpx.Response:
            headers = {**tokens[seat], "If-Match": f'"{version}"'}
            gate.wait()
            move = {"steps": 1 + number % 3}
            return client.post(
                f"/matches/{match['id']}/moves", json={"move": move}, headers=headers
            )

        statuses: Counter[int] = Counter()
        with ThreadPoolExecutor(WRITERS) as pool:
            for _ in range(ROUNDS):
                now = client.get(f"/matches/{match['id']}").json()
                seats, versions = [now["to_act"]] * WRITERS, [now["version"]] * WRITERS
                answers = list(pool.map(write, range(WRITERS), seats, versions))
                won = [answer for answer in answers if answer.status_code == 201]
                assert len(won) == 1, [answer.text for answer in answers]
                statuses.update(answer.status_code for answer in answers)
                after = client.get(f"/matches/{match['id']}").json()
                assert after["version"] == won[0].json()["match"]["version"]
        assert statuses == {201: ROUNDS, 412: ROUNDS * (WRITERS - 1)}
        events = client.get(f"/matches/{match['id']}/events", params={"limit": 100}).json()
        numbers = [event["version"] for event in events["events"]]
        assert numbers == list(range(1, match["version"] + ROUNDS + 1))


@pytest.mark.slow
def test_a_request_repeated_eight_times_at_once_is_done_once(two_processes: Server) -> None:
    with httpx.Client(base_url=f"{two_processes.url}/api/v1", timeout=30) as client:
        token = sign_up(client, "ada")
        gate = Barrier(WRITERS)

        def create(_: int) -> httpx.Response:
            headers = {**token, "Idempotency-Key": "once"}
            gate.wait()
            return client.post("/matches", json={"game": "path-capture"}, headers=headers)

        with ThreadPoolExecutor(WRITERS) as pool:
            answers = list(pool.map(create, range(WRITERS)))
        assert {answer.status_code for answer in answers} == {201}
        assert len({answer.content for answer in answers}) == 1
        replayed = [answer for answer in answers if "Idempotent-Replayed" in answer.headers]
        assert len(replayed) == WRITERS - 1
        assert len(client.get("/matches?mine=true", headers=token).json()["matches"]) == 1


def start(client: httpx.Client, tokens: dict[int, dict[str, str]]) -> JsonObject:
    asked = {"game": "path-capture", "seat": 1, "options": {"length": 41}}
    match = client.post("/matches", json=asked, headers=tokens[1]).json()
    answer = client.post(f"/matches/{match['id']}/join", headers=tokens[2])
    assert answer.status_code == 200
    return dict(answer.json())
