"""Somebody who is sent notices, and answers in every way that there is.

The path says how: ``/ok``, ``/500`` or any other status, ``/301`` with a place to go on to,
``/slow`` (a byte now and then), ``/slow-head``, ``/huge`` (without an end), ``/hang-up``.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager, suppress
from dataclasses import replace
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from threading import Event, Thread
from typing import NamedTuple

from typing_extensions import override

from services.container import Services

ELSEWHERE = "http://127.0.0.1:9/secret"


class Received(NamedTuple):
    """A request: its path, its headers in small letters, its body."""

    path: str
    headers: dict[str, str]
    body: bytes


class Receiver(ThreadingHTTPServer):
    """Keeps what it receives. ``statuses``: by path, where that says something else."""

    daemon_threads = True

    def __init__(self) -> None:
        super().__init__(("127.0.0.1", 0), _Handler)
        self.received: list[Received] = []
        self.statuses: dict[str, int] = {}
        self.ended = Event()

    @property
    def url(self) -> str:
        """The address, without a slash at its end."""
        return f"http://127.0.0.1:{self.server_port}"

    @override
    def handle_error(self, *_: object) -> None:
        """Say nothing of a client that has gone."""


class _Handler(BaseHTTPRequestHandler):
    server: Receiver
    protocol_version = "HTTP/1.1"

    def do_POST(self) -> None:
        body = self.rfile.read(int(self.headers["Content-Length"]))
        headers = {name.lower(): value for name, value in self.headers.items()}
        self.server.received.append(Received(self.path, headers, body))
        with suppress(OSError):
            self._answer(self.path.strip("/"))

    def _answer(self, how: str) -> None:
        if how == "hang-up":
            self.close_connection = True
            return
        if how == "slow-head":
            self.wfile.write(b"HTTP/1.1 200 OK\r\n")
            self._drip(b"X: y\r\n")
            return
        status = self.server.statuses.get(self.path, int(how) if how.isdigit() else 200)
        self.send_response(status)
        if 300 <= status < 400:
            self.send_header("Location", ELSEWHERE)
        if how in ("slow", "huge"):
            self.send_header("Connection", "close")
            self.end_headers()
            self._drip(b"x" if how == "slow" else b"x" * 65536, 0.02 if how == "slow" else 0)
            return
        self.send_header("Content-Length", "0")
        self.end_headers()

    def _drip(self, piece: bytes, every: float = 0.02) -> None:
        while not self.server.ended.wait(every):
            self.wfile.write(piece)

    @override
    def log_message(self, *_: object) -> None:
        pass


@contextmanager
def receiving() -> Iterator[Receiver]:
    """Run a receiver."""
    receiver = Receiver()
    thread = Thread(target=receiver.serve_forever, args=(0.02,))
    thread.start()
    try:
        yield receiver
    finally:
        receiver.ended.set()
        receiver.shutdown()
        thread.join()
        receiver.server_close()


def deliver(house: Services) -> None:
    """Send what is due of a house, as its worker would, without a pause in between."""
    replace(house.outbox, pace=0).deliver()


if __name__ == "__main__":
    with Receiver() as alone:
        print(alone.url, flush=True)  # noqa: T201 - for whoever has started it
        alone.serve_forever()
