"""``plybook verify URL``, against servers that are there: what they answer, and what is said."""

from __future__ import annotations

import gzip
from collections.abc import Callable, Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from threading import Event, Thread
from typing import TypeAlias

import pytest
from typing_extensions import override

from cli.commands import audits
from tests.cli.calls import Plybook, begun
from tests.support.servers import running_server

Answer: TypeAlias = Callable[[BaseHTTPRequestHandler], None]
OVER = ("3", "2", "2", "3")


@pytest.fixture
def serve() -> Iterator[Callable[[Answer], str]]:
    """Give a function that serves answers on 127.0.0.1, and returns the URL."""
    servers: list[ThreadingHTTPServer] = []

    def started(answer: Answer) -> str:
        class Handler(BaseHTTPRequestHandler):
            def do_GET(self) -> None:
                answer(self)

            @override
            def log_message(self, format: str, *_: object) -> None:
                """Say nothing."""

        server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        servers.append(server)
        Thread(target=server.serve_forever, args=(0.02,), daemon=True).start()
        return f"http://127.0.0.1:{server.server_port}/it"

    yield started
    for server in servers:
        server.shutdown()
        server.server_close()


def giving(content: bytes, kind: str = "application/x-ndjson", *, length: int = 0) -> Answer:
    def answer(handler: BaseHTTPRequestHandler) -> None:
        handler.send_response(200)
        handler.send_header("Content-Type", kind)
        handler.send_header("Content-Length", str(length or len(content)))
        handler.end_headers()
        handler.wfile.write(content)

    return answer


@pytest.fixture
def exported(plybook: Plybook) -> bytes:
    return plybook("export", begun(plybook, "path-capture", *OVER)).stdout_bytes


@pytest.mark.parametrize("pack", [bytes, gzip.compress])
def test_an_export_at_a_url_is_verified(
    plybook: Plybook,
    exported: bytes,
    serve: Callable[[Answer], str],
    pack: Callable[[bytes], bytes],
) -> None:
    done = plybook("verify", serve(giving(pack(exported))))
    assert (done.exit_code, "1 match: 1 hold, 0 do not." in done.stdout) == (0, True), done.output


def test_an_export_is_verified_where_the_service_itself_gives_it(
    plybook: Plybook, database: Path
) -> None:
    match = begun(plybook, "path-capture", *OVER)
    with running_server(str(database)) as server:
        done = plybook("verify", f"{server.url}/api/v1/matches/{match}/export")
        assert (done.exit_code, "1 match: 1 hold" in done.stdout) == (0, True), done.output
        done = plybook("verify", f"{server.url}/api/v1/export")
        assert done.exit_code == 0
        gone = plybook("verify", f"{server.url}/api/v1/matches/{'0' * 16}/export")
        assert (gone.exit_code, "answers 404" in gone.stderr) == (1, True)
        assert "There is no match" in gone.stderr


def test_a_redirect_is_followed(
    plybook: Plybook, exported: bytes, serve: Callable[[Answer], str]
) -> None:
    target = serve(giving(exported))

    def answer(handler: BaseHTTPRequestHandler) -> None:
        handler.send_response(302)
        handler.send_header("Location", target)
        handler.end_headers()

    assert plybook("verify", serve(answer)).exit_code == 0


def test_a_redirect_in_a_circle_is_told(plybook: Plybook, serve: Callable[[Answer], str]) -> None:
    def answer(handler: BaseHTTPRequestHandler) -> None:
        handler.send_response(302)
        handler.send_header("Location", "/it")
        handler.end_headers()

    done = plybook("verify", serve(answer))
    assert (done.exit_code, "infinite loop" in done.stderr) == (1, True), done.output


def test_what_is_planted_at_a_url_is_found(
    plybook: Plybook, exported: bytes, serve: Callable[[Answer], str]
) -> None:
    planted = exported.replace(b'"steps":3', b'"steps":4')
    done = plybook("verify", serve(giving(planted)))
    assert (done.exit_code, "is not what was hashed" in done.stdout) == (3, True), done.output


@pytest.mark.parametrize("content", [b"hello\n", b"{}\n", b"\xff\xfe\n", b"[1,2]\n"])
def test_what_is_no_export_does_not_hold(
    plybook: Plybook, serve: Callable[[Answer], str], content: bytes
) -> None:
    done = plybook("verify", serve(giving(content, "text/plain")))
    assert (done.exit_code, "does not hold" in done.stdout) == (3, True), done.output


def test_a_web_page_is_told_from_an_export(
    plybook: Plybook, serve: Callable[[Answer], str]
) -> None:
    done = plybook("verify", serve(giving(b"<!doctype html>", "text/html; charset=utf-8")))
    assert (done.exit_code, "is a web page, and no export" in done.stderr) == (1, True)


def test_nothing_at_a_url_is_told(plybook: Plybook, serve: Callable[[Answer], str]) -> None:
    done = plybook("verify", serve(giving(b"")))
    assert (done.exit_code, "is empty" in done.stderr) == (1, True)


def test_an_answer_without_an_end_is_not_read_for_ever(
    plybook: Plybook,
    exported: bytes,
    serve: Callable[[Answer], str],
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(audits, "LARGEST", 5 * len(exported))

    def answer(handler: BaseHTTPRequestHandler) -> None:
        handler.send_response(200)
        handler.end_headers()
        while True:
            handler.wfile.write(exported)

    done = plybook("verify", serve(answer))
    assert (done.exit_code, "is longer than" in done.stderr) == (1, True), done.output


def test_a_packed_answer_is_bounded_by_what_it_unpacks_to(
    plybook: Plybook, serve: Callable[[Answer], str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(audits, "LARGEST", 4 << 20)
    done = plybook("verify", serve(giving(gzip.compress(b" " * (16 << 20)))))
    assert (done.exit_code, "is longer than" in done.stderr) == (1, True), done.output


def test_an_answer_that_stalls_or_breaks_off_is_told(
    plybook: Plybook,
    exported: bytes,
    serve: Callable[[Answer], str],
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    broken = plybook("verify", serve(giving(exported[:-40], length=len(exported))))
    assert broken.exit_code in (1, 3), broken.output
    assert "breaks off" in broken.stdout or "cannot be read" in broken.stderr
    monkeypatch.setattr(audits, "PATIENCE", 0.2)
    given_up = Event()

    def answer(handler: BaseHTTPRequestHandler) -> None:
        giving(exported[:-40], length=len(exported))(handler)
        given_up.wait(60)

    stalled = plybook("verify", serve(answer))
    given_up.set()
    assert (stalled.exit_code, "timed out" in stalled.stderr) == (1, True), stalled.output
