"""POST of a move with eight clients, against a bare application on the same server."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import AbstractContextManager
from http.client import HTTPConnection
from itertools import count, cycle
from statistics import median, quantiles
from time import perf_counter
from typing import Any

import orjson

from services.container import Services
from services.matches.requests import ChangeRequest, NewMatch
from tests.bench.databases import Bed
from tests.bench.rounds import Ratio
from tests.support.ports import free_port
from tests.support.servers import Server, running_server

CLIENTS = 8
REQUESTS = 100
"""Requests of each client in each round."""

LONGEST = 20
"""Milliseconds that ninety-nine of a hundred moves take at most."""

PASSWORD = "a password for measuring"

Send = Callable[[], None]


def post(bed: Bed, rounds: int) -> Iterator[Ratio]:
    """Measure the POST of a move; yields the ratio of rates, and the 99th percentile."""
    bare_app, ours_app = (served(bed.url, app) for app in ("bare_app", "ours_app"))
    rates: list[tuple[float, float]] = []
    latencies: tuple[list[float], list[float]] = [], []
    with bare_app as bare, ours_app as ours:
        raws = [_raw(bare.url) for _ in range(CLIENTS)]
        movers = [mover(ours.url, bed.house, f"client-{number}")[1] for number in range(CLIENTS)]
        for number in range(rounds + 1):
            if number == 1:  # the first round only warms up
                rates, latencies = [], ([], [])
            rates.append((send_all(raws, latencies[0]), send_all(movers, latencies[1])))
    raw, own = (quantiles(some, n=100) for some in latencies)
    bare_rate, our_rate = (median(some) for some in zip(*rates, strict=True))
    goal = 0.65 if bed.name == "SQLite" else 0.45
    told = f"{our_rate:.0f}/s, median {own[49]:.1f} ms; bare {bare_rate:.0f}/s, {raw[49]:.1f} ms"
    ratio = median(our / bare for bare, our in rates)
    yield Ratio(f"POST of a move, {bed.name}", ratio, goal, told)
    name = f"ms of 99 in 100 of these, {bed.name}"
    yield Ratio(name, own[98], LONGEST, f"bare {raw[98]:.1f}", at_most=True)


def served(url: str, app: str, **settings: Any) -> AbstractContextManager[Server]:  # noqa: ANN401
    """Run an application of ``served`` behind the real server."""
    figures = f"127.0.0.1:{free_port()}"
    return running_server(url, target=f"tests.bench.served:{app}", metrics=figures, **settings)


def send_all(senders: list[Send], latencies: list[float]) -> float:
    """Let all send at once; return the requests in a second."""

    def run(send: Send) -> None:
        for _ in range(REQUESTS):
            began = perf_counter()
            send()
            latencies.append((perf_counter() - began) * 1000)

    began = perf_counter()
    with ThreadPoolExecutor(len(senders)) as threads:
        list(threads.map(run, senders))
    return len(senders) * REQUESTS / (perf_counter() - began)


def _sender(url: str) -> Callable[[str, bytes, dict[str, str]], None]:
    connection = HTTPConnection(url.removeprefix("http://"))

    def send(path: str, body: bytes, headers: dict[str, str]) -> None:
        connection.request("POST", path, body, headers)
        answer = connection.getresponse()
        said = answer.read()
        if answer.status != 201:
            raise RuntimeError(f"{answer.status}: {said[:200]!r}")

    return send


def _raw(url: str) -> Send:
    """Return what posts as many bytes as a move is stored in."""
    send = _sender(url)
    body = b'{"move": {"strides": 1}, "expected_version": 1000}' + b" " * 400
    return lambda: send("/raw", body, {})


def mover(url: str, house: Services, name: str) -> tuple[str, Send]:
    """Start a match; return its id, and what makes the next move of whoever is to act."""
    names = [f"{name}-{seat}" for seat in (1, 2)]
    ids = [house.accounts.sign_up(name, PASSWORD).id for name in names]
    tokens = cycle([house.accounts.issue_token(name, PASSWORD, "bench").token for name in names])
    new = NewMatch("marathon", {"length": 10_000}, seat=1)
    match = house.matches.create(ChangeRequest(ids[0]), new).shown.view.id
    versions = count(house.matches.join(ChangeRequest(ids[1]), match).shown.view.version)
    send = _sender(url)

    def move() -> None:
        body = orjson.dumps({"move": {"strides": 1}, "expected_version": next(versions)})
        whose = {"Authorization": f"Bearer {next(tokens)}"}
        headers = {"Content-Type": "application/json", **whose}
        send(f"/api/v1/matches/{match}/moves", body, headers)

    return match, move
