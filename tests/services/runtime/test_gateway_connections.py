"""Connections on which little or nothing is said, at the server that is really run."""

from __future__ import annotations

import resource
import socket
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import closing, contextmanager
from statistics import median
from threading import Thread

import httpx
import orjson
import pytest

from domain.json_types import JsonObject
from tests.support.servers import Server, running_server

STREAMS, SILENT, HALF = 1_000, 10_000, 300
IDLE = 30
"""Seconds for which the many may be silent: more than it takes to open them all."""

HEAD = b"POST /api/v1/players HTTP/1.1\r\nHost: here\r\nContent-Type: application/json\r\n"

UNFINISHED = {
    "nothing": b"",
    "half a head": b"GET /healthz HTTP/1.1\r\nHo",
    "half a body": HEAD + b'Content-Length: 100\r\n\r\n{"name',
    "half a body in chunks": HEAD + b"Transfer-Encoding: chunked\r\n\r\n2\r\n{",
    "no body": HEAD + b"Content-Length: 100\r\n\r\n",
    "a request that was answered": b"GET /healthz HTTP/1.1\r\nHost: here\r\n\r\n",
}


@pytest.fixture
def database_path(migrated_sqlite_url: str) -> str:
    return migrated_sqlite_url


class Match:
    """A match at a running server, which two people play."""

    def __init__(self, server: Server) -> None:
        self.api = f"{server.url}/api/v1"
        tokens = [self._sign_up(name) for name in ("ada", "bob")]
        new: JsonObject = {"game": "path-capture", "seat": 1}
        self.path = f"/matches/{self._ask('POST', '/matches', new, tokens[0])['id']}"
        self._ask("POST", f"{self.path}/join", {}, tokens[1])
        self._mover = tokens[0]

    def _sign_up(self, name: str) -> str:
        account: JsonObject = {"name": name, "password": "correct horse battery"}
        self._ask("POST", "/players", account)
        token: str = self._ask("POST", "/tokens", {**account, "label": "test"})["token"]
        return token

    def _ask(
        self, method: str, path: str, body: JsonObject | None = None, token: str = ""
    ) -> JsonObject:
        headers = {"Authorization": f"Bearer {token}"} if token else {}
        answer = httpx.request(method, self.api + path, json=body, headers=headers, timeout=60)
        assert answer.is_success, answer.text
        told: JsonObject = answer.json()
        return told

    @property
    def version(self) -> int:
        version: int = self._ask("GET", self.path)["version"]
        return version

    def move(self) -> None:
        """Make the first move that the first player may make."""
        legal = self._ask("GET", f"{self.path}/legal-moves", token=self._mover)
        move: JsonObject = {
            "move": legal["moves"][0]["move"],
            "expected_version": legal["version"],
        }
        self._ask("POST", f"{self.path}/moves", move, self._mover)


def connected(server: Server) -> socket.socket:
    port = int(server.url.rpartition(":")[2])
    return socket.create_connection(("127.0.0.1", port), timeout=60)


@pytest.mark.slow
def test_a_connection_closes_on_which_nothing_comes(database_path: str) -> None:
    lasted: dict[str, float] = {}

    def wait(said: str, there: socket.socket) -> None:
        began = time.monotonic()
        with closing(there):
            there.sendall(UNFINISHED[said])
            while there.recv(65536):
                pass
        lasted[said] = time.monotonic() - began

    with running_server(database_path, idle_seconds=3) as server:
        waiting = [Thread(target=wait, args=(said, connected(server))) for said in UNFINISHED]
        for one in waiting:
            one.start()
        for one in waiting:
            one.join(60)
    assert lasted.keys() == UNFINISHED.keys()
    assert min(lasted.values()) > 2
    assert max(lasted.values()) < 30


@pytest.mark.slow
def test_half_a_body_is_told_that_it_was_too_slow(database_path: str) -> None:
    with running_server(database_path, idle_seconds=1) as server, closing(connected(server)) as it:
        it.sendall(UNFINISHED["half a body"])
        answer = b"".join(iter(lambda: it.recv(65536), b""))
    assert answer.startswith(b"HTTP/1.1 400 ")
    assert b"not in time" in answer


@pytest.mark.slow
def test_a_stream_that_has_nothing_to_tell_stays(database_path: str) -> None:
    with running_server(database_path, idle_seconds=2) as server:
        match = Match(server)
        with httpx.stream("GET", f"{match.api}{match.path}/stream", timeout=60) as answer:
            lines = answer.iter_lines()
            heard = time.monotonic()
            while "still here" not in next(lines):
                pass
            assert time.monotonic() - heard > 4


@pytest.mark.slow
@pytest.mark.timeout(600)
def test_nobody_waits_for_the_silent_the_slow_and_those_who_listen(database_path: str) -> None:
    _, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    needed = STREAMS + SILENT + HALF + 3_000
    if hard != resource.RLIM_INFINITY and hard < needed:
        pytest.skip(f"a process may open {hard} files here, and this takes {needed}")
    more = {"trusted_proxies": 1, "max_streams": STREAMS, "idle_seconds": IDLE}
    with running_server(database_path, **more) as server:  # type: ignore[arg-type]
        match = Match(server)
        before = match.version
        with crowd(server, f"/api/v1{match.path}/stream?after={before}") as told:
            assert told() == {"streams": STREAMS, "early": 0}
            waited = [seconds_of_a_request(server) for _ in range(30)]
            assert max(waited) < 30
            assert median(waited) < 5
            match.move()
            events = match.version - before
            ended = {"closed": HALF + SILENT, "early": 0, "cut": 0, "told": STREAMS * events}
            assert told() == ended
        # Those who have gone make room for others.
        assert seconds_of_a_request(server) < 30


@contextmanager
def crowd(server: Server, stream: str) -> Iterator[Callable[[], JsonObject]]:
    """Let many others connect; give what reads the next line that their process tells."""
    words = [server.url.rpartition(":")[2], stream, *map(str, (IDLE, STREAMS, HALF, SILENT))]
    command = [sys.executable, "-m", "tests.support.crowd", *words]
    with subprocess.Popen(command, stdout=subprocess.PIPE) as process:
        try:
            yield lambda: told_by(process)
        finally:
            process.kill()


def told_by(crowd: subprocess.Popen[bytes]) -> JsonObject:
    assert crowd.stdout is not None
    told: JsonObject = orjson.loads(crowd.stdout.readline())
    return told


def seconds_of_a_request(server: Server) -> float:
    began = time.monotonic()
    assert httpx.get(f"{server.url}/api/v1/games", timeout=60).status_code == 200
    return time.monotonic() - began
