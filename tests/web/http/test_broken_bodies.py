"""Requests that break off in the middle of their body, at the server that is really run."""

from __future__ import annotations

import re
import socket
import struct
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path
from typing import NamedTuple

import httpx
import pytest

from domain.json_types import JsonObject
from services.store import schema
from tests.support.servers import Server, running_server
from tests.web.people import BASE, PASSWORD

BREAKS = {
    "a size that is none": b"zz\r\n",
    "a size that is none, after a piece": b"2\r\n{}\r\nzz\r\n",
    "nothing": b"",
    "half a piece": b'10\r\n{"settings',
    "a piece and no end": b"2\r\n{}\r\n",
}
"""Ways in which a chunked body breaks off; after each, nothing more is sent."""


OPEN = 2
"""The version of a match that one player waits in."""


class Answered(NamedTuple):
    status: int
    head: str
    body: str


class Place:
    """A running service, and two players of it."""

    def __init__(self, server: Server) -> None:
        self.url = server.url
        self.tokens = {name: self._sign_up(name) for name in ("ada", "bob")}

    def _sign_up(self, name: str) -> str:
        account = {"name": name, "password": PASSWORD}
        assert self.ask("POST", "/players", account).status_code == 201
        token: str = self.ask("POST", "/tokens", {**account, "label": "test"}).json()["token"]
        return token

    def ask(
        self, method: str, path: str, body: JsonObject | None = None, player: str = ""
    ) -> httpx.Response:
        headers = {"Authorization": f"Bearer {self.tokens[player]}"} if player else {}
        return httpx.request(method, f"{self.url}{BASE}{path}", json=body, headers=headers)

    def open_match(self) -> str:
        answer = self.ask("POST", "/matches", {"game": "power-line", "seat": 1}, "ada")
        match: str = answer.json()["id"]
        assert self.version(match) == OPEN
        return match

    def version(self, match: str) -> int:
        version: int = self.ask("GET", f"/matches/{match}").json()["version"]
        return version

    def connect(self) -> socket.socket:
        port = int(self.url.rpartition(":")[2])
        return socket.create_connection(("127.0.0.1", port), timeout=60)

    def chunked(self, method: str, target: str, player: str = "", *more: str) -> bytes:
        """Return the head of a request with a chunked body."""
        lines = [f"{method} {target} HTTP/1.1", "Host: here", "Transfer-Encoding: chunked", *more]
        lines += ["Connection: close"]
        if "Content-Type" not in "".join(more):
            lines.append("Content-Type: application/json")
        if player:
            lines.append(f"Authorization: Bearer {self.tokens[player]}")
        return "\r\n".join([*lines, "", ""]).encode()

    def break_off(self, head: bytes, body: bytes) -> Answered:
        """Send a head and what there is of a body, close one's own side, and read the answer."""
        with closing(self.connect()) as there:
            there.sendall(head + body)
            there.shutdown(socket.SHUT_WR)
            return answered(there)

    def reset(self, head: bytes, body: bytes) -> None:
        """Send the same, and cut the connection."""
        there = self.connect()
        there.sendall(head + body)
        there.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
        there.close()


def answered(there: socket.socket) -> Answered:
    """Read until the connection is closed."""
    read = b"".join(iter(lambda: there.recv(65536), b""))
    head, _, body = read.decode().partition("\r\n\r\n")
    return Answered(int(head.split()[1]), head.lower(), body)


@pytest.fixture(scope="module")
def place(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Place]:
    path: Path = tmp_path_factory.mktemp("broken") / "served.sqlite"
    schema.upgrade(str(path))
    with running_server(str(path), max_body_bytes=20_000) as server:
        yield Place(server)


def operations(place: Place) -> list[tuple[str, str]]:
    """Return every operation that takes a body but does not need one, with made-up ids."""
    paths = place.ask("GET", "/openapi.json").json()["paths"]
    found = [
        (method.upper(), re.sub(r"{\w+}", "abcdefghijklmnop", path))
        for path, operations in paths.items()
        for method, operation in operations.items()
        if method in ("post", "put", "patch", "delete")
        and not operation.get("requestBody", {"required": True}).get("required", False)
    ]
    assert any(path.endswith("/join") for _, path in found)
    return [(method, path if path.startswith(BASE) else BASE + path) for method, path in found]


@pytest.mark.slow
@pytest.mark.parametrize("way", BREAKS)
def test_a_broken_body_is_refused_and_nobody_joins(way: str, place: Place) -> None:
    match = place.open_match()
    head = place.chunked("POST", f"{BASE}/matches/{match}/join", "bob")
    place.reset(head, BREAKS[way])
    answer = place.break_off(head, BREAKS[way])
    assert answer.status == 400
    assert "application/problem+json" in answer.head
    assert '"malformed-request"' in answer.body
    assert place.version(match) == OPEN
    assert place.ask("POST", f"/matches/{match}/join", player="bob").status_code == 200


@pytest.mark.slow
def test_a_broken_body_is_refused_by_every_operation_that_needs_none(place: Place) -> None:
    for method, path in operations(place):
        for body in BREAKS.values():
            answer = place.break_off(place.chunked(method, path, "bob"), body)
            assert (answer.status, method, path) == (400, method, path)


@pytest.mark.slow
def test_a_body_shorter_than_announced_is_refused(place: Place) -> None:
    match = place.open_match()
    head = place.chunked("POST", f"{BASE}/matches/{match}/join", "bob")
    head = head.replace(b"Transfer-Encoding: chunked", b"Content-Length: 100")
    assert place.break_off(head, b"{}").status == 400
    assert place.break_off(head, b"").status == 400
    assert place.version(match) == OPEN


@pytest.mark.slow
def test_a_whole_chunked_body_is_taken(place: Place) -> None:
    match = place.open_match()
    head = place.chunked("POST", f"{BASE}/matches/{match}/join", "bob")
    with closing(place.connect()) as there:
        there.sendall(head + b"1\r\n{\r\n1\r\n}\r\n0\r\n\r\n")
        assert answered(there).status == 200
    assert place.version(match) > OPEN


@pytest.mark.slow
def test_a_chunked_body_that_is_too_long_is_told_so(place: Place) -> None:
    match = place.open_match()
    head = place.chunked("POST", f"{BASE}/matches/{match}/join", "bob")
    for pieces in (5, 60):
        body = b"1000\r\n%b\r\n" % (b" " * 0x1000) * pieces + b"0\r\n\r\n"
        with closing(place.connect()) as there:
            there.sendall(head + body)
            answer = answered(there)
        assert answer.status == 413
        assert '"payload-too-large"' in answer.body
    assert place.version(match) == OPEN


@pytest.mark.slow
@pytest.mark.parametrize("way", BREAKS)
def test_a_broken_form_is_a_page_that_says_so(way: str, place: Place) -> None:
    with httpx.Client(base_url=place.url) as browser:
        token = re.search(r'name="csrf" value="([^"]+)"', browser.get("/sign-up").text)
        cookie = "; ".join(f"{one.name}={one.value}" for one in browser.cookies.jar)
    assert token is not None
    typed = f"csrf={token[1]}&name=eve&password={PASSWORD.replace(' ', '+')}".encode()
    kind = "Content-Type: application/x-www-form-urlencoded"
    head = place.chunked("POST", "/sign-up", "", kind, f"Cookie: {cookie}")
    answer = place.break_off(head, b"%x\r\n%b\r\n" % (len(typed), typed) + BREAKS[way])
    assert answer.status == 400
    assert "text/html" in answer.head
    account = {"name": "eve", "password": PASSWORD, "label": "test"}
    assert place.ask("POST", "/tokens", account).status_code == 401
