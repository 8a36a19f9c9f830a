"""(e) POST of a move with 8 clients, against a bare Flask app on the same server."""

from __future__ import annotations

import os
import sqlite3
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from http.client import HTTPConnection
from itertools import cycle
from statistics import median, quantiles
from threading import Barrier, Thread
from time import monotonic, perf_counter, sleep
from typing import NamedTuple

import orjson
import psycopg
from typing_extensions import override

from services.container import House
from services.matches.matches import NewMatch, Request
from tests.bench import served
from tests.bench.databases import Bed
from tests.bench.rounds import Ratio
from tests.support.ports import free_port

CLIENTS = 8
REQUESTS = 100
"""Requests of each client in each round."""

PASSWORD = "a password for measuring"

SERVE = """
from services.runtime.serving import serve
from services.runtime.settings import from_environment
serve("tests.bench.served:{app}", "127.0.0.1", {port}, 1, from_environment())
"""


class Round(NamedTuple):
    """How a round went: requests in a second, and the latencies of all, in milliseconds."""

    rate: float
    latencies: list[float]


class Client(NamedTuple):
    """One client: what it sends to where, again and again."""

    path: str
    tokens: tuple[str, str]
    version: int


def post(bed: Bed, rounds: int) -> Iterator[Ratio]:
    """Measure the POST of a move; yields the ratio of rates, and how p50 and p99 compare."""
    _make_raw_table(bed)
    clients = [_client(bed.house, number) for number in range(CLIENTS)]
    with _server("bare_app", bed.url) as bare_port, _server("ours_app", bed.url) as our_port:
        runs = [Mover(our_port, client) for client in clients]
        raws = [Raw(bare_port) for _ in range(CLIENTS)]
        pairs = []
        for number in range(rounds + 1):
            raw, own = _round(raws), _round(runs)
            if number:
                pairs.append((raw, own))
    ratio = median(own.rate / raw.rate for raw, own in pairs)
    yield Ratio(f"POST of a move, {bed.name}", ratio, 0.5, _detail(pairs))


def _detail(pairs: list[tuple[Round, Round]]) -> str:
    told = []
    for name, side in (("ours", 1), ("bare", 0)):
        latencies = [one for pair in pairs for one in pair[side].latencies]
        percent = quantiles(latencies, n=100)
        rate = median(pair[side].rate for pair in pairs)
        told.append(f"{name} {rate:.0f}/s p50 {percent[49]:.1f} ms p99 {percent[98]:.1f} ms")
    return "; ".join(told)


class Raw:
    """Posts bytes to the bare application."""

    def __init__(self, port: int) -> None:
        self.connection = HTTPConnection("127.0.0.1", port)
        self.body = b'{"move": {"strides": 1}, "expected_version": 1000}' + b" " * 400

    def send(self) -> None:
        """Send one request."""
        self.connection.request("POST", "/raw", self.body)
        self._read()

    def _read(self) -> bytes:
        answer = self.connection.getresponse()
        body = answer.read()
        if answer.status != 201:
            raise RuntimeError(f"{answer.status}: {body[:200]!r}")
        return body


class Mover(Raw):
    """Plays a match of its own, both seats."""

    def __init__(self, port: int, client: Client) -> None:
        super().__init__(port)
        self.path, self.version = client.path, client.version
        self.tokens = cycle(client.tokens)

    @override
    def send(self) -> None:
        """Make one move."""
        body = orjson.dumps({"move": {"strides": 1}, "expected_version": self.version})
        headers = {
            "Authorization": f"Bearer {next(self.tokens)}",
            "Content-Type": "application/json",
        }
        self.connection.request("POST", self.path, body, headers)
        self._read()
        self.version += 1


def _round(clients: list[Raw] | list[Mover]) -> Round:
    latencies: list[float] = []
    barrier = Barrier(len(clients) + 1)

    def run(client: Raw) -> None:
        barrier.wait()
        for _ in range(REQUESTS):
            began = perf_counter()
            client.send()
            latencies.append((perf_counter() - began) * 1000)

    threads = [Thread(target=run, args=(client,)) for client in clients]
    for thread in threads:
        thread.start()
    barrier.wait()
    began = perf_counter()
    for thread in threads:
        thread.join()
    if len(latencies) != len(clients) * REQUESTS:
        raise RuntimeError("a client has failed")
    return Round(len(latencies) / (perf_counter() - began), latencies)


def _client(house: House, number: int) -> Client:
    tokens, ids = [], []
    for seat in (1, 2):
        name = f"client-{number}-{seat}"
        ids.append(house.accounts.sign_up(name, PASSWORD).id)
        tokens.append(house.accounts.issue_token(name, PASSWORD, "bench").token)
    new = NewMatch("marathon", {"length": 10_000}, seat=1)
    match = house.matches.create(Request(ids[0]), new).shown.view.id
    version = house.matches.join(Request(ids[1]), match).shown.view.version
    return Client(f"/api/v1/matches/{match}/moves", (tokens[0], tokens[1]), version)


def _make_raw_table(bed: Bed) -> None:
    if bed.name == "SQLite":
        with sqlite3.connect(bed.url.removeprefix("sqlite:///")) as connection:
            connection.execute(served.SQLITE_RAW)
        connection.close()
    else:
        with psycopg.connect(bed.url.replace("+psycopg", ""), autocommit=True) as there:
            there.execute(served.POSTGRES_RAW)


def servers(bed: Bed, rounds: int) -> Iterator[Ratio]:
    """Measure the bare application on our server against the same on gunicorn's threads."""
    _make_raw_table(bed)
    with _server("bare_app", bed.url) as ours, _gunicorn(bed.url) as other:
        granian, gunicorn = ([Raw(port) for _ in range(CLIENTS)] for port in (ours, other))
        pairs = []
        for number in range(rounds + 1):
            raw, own = _round(gunicorn), _round(granian)
            if number:
                pairs.append((raw, own))
    ratio = median(own.rate / raw.rate for raw, own in pairs)
    detail = _detail(pairs).replace("ours", "granian").replace("bare", "gunicorn")
    yield Ratio(f"bare app, granian against gunicorn, {bed.name}", ratio, None, detail)


@contextmanager
def _server(app: str, url: str) -> Iterator[int]:
    port = free_port()
    code = SERVE.format(app=app, port=port)
    with _running([sys.executable, "-c", code], url, port):
        yield port


@contextmanager
def _gunicorn(url: str) -> Iterator[int]:
    port = free_port()
    options = ["--bind", f"127.0.0.1:{port}", "--workers", "1"]
    # Connections must outlive the rounds of the other server.
    options += ["--threads", "80", "--keep-alive", "60"]
    target = "tests.bench.served:bare_app"
    with _running([sys.executable, "-m", "gunicorn", *options, target], url, port):
        yield port


@contextmanager
def _running(command: list[str], url: str, port: int) -> Iterator[None]:
    environment = {
        **os.environ,
        "PLYBOOK_DATABASE_URL": url,
        "PLYBOOK_RATE_LIMIT": "0",
        "PLYBOOK_METRICS": f"127.0.0.1:{free_port()}",
    }
    # The log is written as always, to nowhere.
    process = subprocess.Popen(command, env=environment, stderr=subprocess.DEVNULL)
    try:
        _await(port)
        yield
    finally:
        process.terminate()
        process.wait(20)


def _await(port: int) -> None:
    ends = monotonic() + 30
    while True:
        try:
            connection = HTTPConnection("127.0.0.1", port, timeout=5)
            connection.request("GET", "/healthz")
            connection.getresponse().read()
        except OSError:
            if monotonic() > ends:
                raise
            sleep(0.1)
        else:
            connection.close()
            return
