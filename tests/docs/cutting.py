"""A bad line between a program and the server: answers are lost, lines come twice."""

from __future__ import annotations

import socket
from http.client import HTTPConnection, HTTPResponse
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from threading import Lock, Thread
from time import monotonic, sleep
from types import TracebackType
from typing import Self
from urllib.parse import urlsplit

from typing_extensions import override

Answered = tuple[int, dict[str, str]]


class Cutter:
    """A proxy that does harm.

    ``stutter``: how often every line of a stream of one's own matches is sent, before it breaks.
    ``breaks``: how many streams break after a few bytes, in the midst of a line.
    """

    def __init__(self, url: str, stutter: int = 1, breaks: int = 0) -> None:
        self.target = urlsplit(url)
        self.stutter = stutter
        self.breaks = breaks
        self.lost = 0
        self._to_lose: dict[str, int] = {}
        self._answers: list[tuple[str, Answered]] = []
        self._lock = Lock()
        cutter = self

        class Handler(BaseHTTPRequestHandler):
            protocol_version = "HTTP/1.0"

            def do_GET(self) -> None:
                cutter.pass_on(self)

            def do_POST(self) -> None:
                cutter.pass_on(self)

            @override
            def log_message(self, format: str, *_: object) -> None:
                """Say nothing."""

        self._server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        self._server.daemon_threads = True
        self.url = f"http://127.0.0.1:{self._server.server_port}"

    def __enter__(self) -> Self:
        Thread(target=self._server.serve_forever, args=(0.02,), daemon=True).start()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, _: TracebackType | None
    ) -> None:
        self._server.shutdown()
        self._server.server_close()

    def lose_answers(self, end: str, times: int) -> None:
        """Lose the next answers to POSTs whose path ends so; what they asked for is done."""
        self._to_lose[end] = times

    def answers(self, end: str) -> list[Answered]:
        """Return status and headers of all answers to such POSTs, the lost ones too."""
        return [answer for path, answer in self._answers if path.endswith(end)]

    def wait_for_answers(self, end: str, count: int, patience: float = 60.0) -> None:
        """Wait until there are so many."""
        ends = monotonic() + patience
        while len(self.answers(end)) < count:
            assert monotonic() < ends, "waited in vain"
            sleep(0.02)

    def pass_on(self, handler: BaseHTTPRequestHandler) -> None:
        """Answer a request with what the server says, or let it go unanswered."""
        length = int(handler.headers.get("Content-Length", "0"))
        body = handler.rfile.read(length)
        upstream = HTTPConnection(self.target.hostname or "", self.target.port, timeout=60)
        headers = {k: v for k, v in handler.headers.items() if k.lower() != "host"}
        upstream.request(handler.command, handler.path, body or None, headers)
        answer = upstream.getresponse()
        try:
            if handler.command == "POST":
                self._post(handler, answer)
            else:
                self._get(handler, answer)
        except OSError:
            pass
        finally:
            answer.close()
            upstream.close()

    def _post(self, handler: BaseHTTPRequestHandler, answer: HTTPResponse) -> None:
        body = answer.read()
        headers = {name.lower(): value for name, value in answer.getheaders()}
        with self._lock:
            self._answers.append((handler.path, (answer.status, headers)))
            end = next((one for one, n in self._to_lose.items() if n and _ends(handler, one)), None)
            if end is not None:
                self._to_lose[end] -= 1
                self.lost += 1
        if end is not None:
            handler.connection.shutdown(socket.SHUT_RDWR)
            return
        self._begin(handler, answer)
        handler.wfile.write(body)

    def _get(self, handler: BaseHTTPRequestHandler, answer: HTTPResponse) -> None:
        self._begin(handler, answer)
        if "/stream" not in handler.path:
            handler.wfile.write(answer.read())
            return
        if self.breaks:
            self.breaks -= 1
            handler.wfile.write(answer.read1(700)[:-5])
            return
        for line in answer:
            handler.wfile.write(line * self.stutter)
            handler.wfile.flush()
            if self.stutter > 1 and b'"keep-alive"' not in line:
                return

    def _begin(self, handler: BaseHTTPRequestHandler, answer: HTTPResponse) -> None:
        handler.send_response(answer.status)
        kept = ("content-type", "etag", "idempotent-replayed")
        for name, value in answer.getheaders():
            if name.lower() in kept:
                handler.send_header(name, value)
        handler.end_headers()


def _ends(handler: BaseHTTPRequestHandler, end: str) -> bool:
    return handler.path.endswith(end)
