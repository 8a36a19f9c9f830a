"""POST of a move with eight clients, against a bare application on the same server."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from http.client import HTTPConnection
from itertools import count, cycle
from statistics import median, quantiles
from threading import Barrier, Thread
from time import perf_counter
from typing import NamedTuple

import orjson

from services.container import House
from services.matches.requests import NewMatch, Request
from tests.bench.databases import Bed
from tests.bench.rounds import Ratio
from tests.support.ports import free_port
from tests.support.servers import running_server

CLIENTS = 8
REQUESTS = 100
"""Requests of each client in each round."""

LONGEST = 20
"""Milliseconds that ninety-nine of a hundred moves take at most."""

PASSWORD = "a password for measuring"

Send = Callable[[], None]


class Round(NamedTuple):
    """How a round went: requests in a second, and the latencies of all, in milliseconds."""

    rate: float
    latencies: list[float]


def post(bed: Bed, rounds: int) -> Iterator[Ratio]:
    """Measure the POST of a move; yields the ratio of rates, and the 99th percentile."""
    apps = [
        running_server(
            bed.url, target=f"tests.bench.served:{app}", metrics=f"127.0.0.1:{free_port()}"
        )
        for app in ("bare_app", "ours_app")
    ]
    with apps[0] as bare, apps[1] as ours:
        raws = [_raw(bare.url) for _ in range(CLIENTS)]
        movers = [_mover(ours.url, bed.house, number) for number in range(CLIENTS)]
        pairs = [(_round(raws), _round(movers)) for _ in range(rounds + 1)][1:]
    ratio = median(own.rate / raw.rate for raw, own in pairs)
    raw, own = (_together(side) for side in zip(*pairs, strict=True))
    goal = 0.65 if bed.name == "SQLite" else 0.45
    yield Ratio(f"POST of a move, {bed.name}", ratio, goal, f"ours {_told(own)}; bare {_told(raw)}")
    name = f"ms of 99 in 100 of these, {bed.name}"
    yield Ratio(name, _percent(own, 99), LONGEST, f"bare {_percent(raw, 99):.1f}", at_most=True)


def _together(rounds: tuple[Round, ...]) -> Round:
    latencies = [one for some in rounds for one in some.latencies]
    return Round(median(some.rate for some in rounds), latencies)


def _told(side: Round) -> str:
    return f"{side.rate:.0f}/s, median {_percent(side, 50):.1f} ms"


def _percent(side: Round, number: int) -> float:
    return quantiles(side.latencies, n=100)[number - 1]


def _round(senders: list[Send]) -> Round:
    """Let all send at once; a client that fails raises in the end."""
    latencies: list[float] = []
    barrier = Barrier(len(senders) + 1)

    def run(send: Send) -> None:
        barrier.wait()
        for _ in range(REQUESTS):
            began = perf_counter()
            send()
            latencies.append((perf_counter() - began) * 1000)

    threads = [Thread(target=run, args=(send,)) for send in senders]
    for thread in threads:
        thread.start()
    barrier.wait()
    began = perf_counter()
    for thread in threads:
        thread.join()
    if len(latencies) != len(senders) * REQUESTS:
        raise RuntimeError("a client has failed")
    return Round(len(latencies) / (perf_counter() - began), latencies)


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


def _mover(url: str, house: House, number: int) -> Send:
    """Return what makes the moves of a match of its own, for both seats."""
    names = [f"client-{number}-{seat}" for seat in (1, 2)]
    ids = [house.accounts.sign_up(name, PASSWORD).id for name in names]
    tokens = cycle([house.accounts.issue_token(name, PASSWORD, "bench").token for name in names])
    new = NewMatch("marathon", {"length": 10_000}, seat=1)
    match = house.matches.create(Request(ids[0]), new).shown.view.id
    versions = count(house.matches.join(Request(ids[1]), match).shown.view.version)
    send = _sender(url)

    def move() -> None:
        body = orjson.dumps({"move": {"strides": 1}, "expected_version": next(versions)})
        headers = {
            "Authorization": f"Bearer {next(tokens)}",
            "Content-Type": "application/json",
        }
        send(f"/api/v1/matches/{match}/moves", body, headers)

    return move
