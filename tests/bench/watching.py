"""A move in a match that a thousand watch, against one that nobody watches; a stream's memory."""

from __future__ import annotations

import resource
import socket
from collections.abc import Iterator
from contextlib import ExitStack
from pathlib import Path
from statistics import median
from time import perf_counter, sleep

import httpx

from tests.bench.databases import Bed
from tests.bench.rounds import Ratio
from tests.support.servers import Server, running_server

WATCHERS = 1000
MOVES = 40
"""Moves of each of the two matches in a round, in turns."""
BETWEEN = 0.05
PASSWORD = "a password for measuring"
HEAVIEST = 115.0
"""kB a stream; it was 230."""


def watching(bed: Bed, rounds: int) -> Iterator[Ratio]:
    """Measure what a thousand spectators cost the players, and the process."""
    _, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    resource.setrlimit(resource.RLIMIT_NOFILE, (min(hard, 8192), hard))
    limits = {"sign_up_limit": 0, "log_in_limit": 0, "max_client_streams": WATCHERS}
    app = "tests.bench.served:ours_app"
    with ExitStack() as stack:
        server = stack.enter_context(running_server(bed.url, target=app, worker=False, **limits))
        client = stack.enter_context(httpx.Client(base_url=f"{server.url}/api/v1", timeout=60))
        players = [_token(client, name) for name in ("watched", "watching")]
        matches = [_start(client, players, rounds) for _ in range(2)]
        before = _resident(server)
        for _ in range(WATCHERS):
            stack.enter_context(_watch(server, matches[1]))
        each = (_resident(server) - before) / WATCHERS
        pairs = [_moves(client, players, matches) for _ in range(rounds + 1)][1:]
    quiet, watched = (median(time for pair in pairs for time in pair[side]) for side in (0, 1))
    name = f"move that {WATCHERS} watch, {bed.name}"
    told = f"p50 {1000 * watched:.2f} ms against {1000 * quiet:.2f} ms in a match nobody watches"
    yield Ratio(name, watched / quiet, 1.3, told, at_most=True)
    yield Ratio(f"memory of a stream, {bed.name}", each, HEAVIEST, "kB resident", at_most=True)


def _token(client: httpx.Client, name: str) -> dict[str, str]:
    account = {"name": name, "password": PASSWORD}
    client.post("/players", json=account)
    token = client.post("/tokens", json={**account, "label": "bench"}).json()["token"]
    return {"Authorization": f"Bearer {token}"}


def _start(client: httpx.Client, players: list[dict[str, str]], rounds: int) -> str:
    options = {"length": MOVES * (rounds + 2)}
    asked = {"game": "marathon", "seat": 1, "options": options}
    match: str = client.post("/matches", json=asked, headers=players[0]).json()["id"]
    client.post(f"/matches/{match}/join", headers=players[1]).raise_for_status()
    return match


def _watch(server: Server, match: str) -> socket.socket:
    """Open a stream, and wait until it has told what there is."""
    host, _, port = server.url.removeprefix("http://").partition(":")
    there = socket.create_connection((host, int(port)))
    there.sendall(f"GET /api/v1/matches/{match}/stream HTTP/1.1\r\nHost: x\r\n\r\n".encode())
    raw = b""
    while b"match-started" not in raw:
        raw += there.recv(65536)
    return there


def _resident(server: Server) -> float:
    """Return the kB in memory of the process that serves, the one with most."""
    pid = server.process.pid
    children = Path(f"/proc/{pid}/task/{pid}/children").read_text(encoding="utf-8").split()
    sleep(1)
    return max(_kilobytes(Path(f"/proc/{one}/status")) for one in (str(pid), *children))


def _kilobytes(status: Path) -> float:
    lines = status.read_text(encoding="utf-8").splitlines()
    return float(next(line.split()[1] for line in lines if line.startswith("VmRSS:")))


def _moves(
    client: httpx.Client, players: list[dict[str, str]], matches: list[str]
) -> tuple[list[float], list[float]]:
    """Move in both matches in turns; return how long each answer took, in seconds."""
    times: tuple[list[float], list[float]] = ([], [])
    for number in range(2 * MOVES):
        match, side = matches[number % 2], number % 2
        now = client.get(f"/matches/{match}").json()
        mover = players[now["to_act"] - 1]
        legal = client.get(f"/matches/{match}/legal-moves", headers=mover).json()
        move = {"move": legal["moves"][0]["move"], "expected_version": now["version"]}
        sleep(BETWEEN)
        began = perf_counter()
        answer = client.post(f"/matches/{match}/moves", json=move, headers=mover)
        times[side].append(perf_counter() - began)
        answer.raise_for_status()
    return times
