"""What stands between the server and the application, seen from the client's end."""

from __future__ import annotations

import socket
import time
from collections.abc import Iterator
from contextlib import ExitStack, closing
from pathlib import Path

import httpx
import pytest

from services.runtime.server import THREADS_FOR_REQUESTS
from tests.support.servers import Server, running_server

pytestmark = pytest.mark.slow

ODD = "tests.support.odd_answers:app"


@pytest.fixture(scope="module")
def server() -> Iterator[Server]:
    with running_server("", target=ODD, idle_seconds=5, max_streams=1) as running:
        yield running


def ended(server: Server) -> tuple[int, int]:
    """Return how many streams have ended, and of how many the client was seen to go."""
    ended, gone = httpx.get(f"{server.url}/ended").text.split()
    return int(ended), int(gone)


def wait_until(reached: tuple[int, int], server: Server) -> None:
    ends = time.monotonic() + 30
    while ended(server) != reached:
        assert time.monotonic() < ends, ended(server)
        time.sleep(0.05)


def connected(server: Server) -> socket.socket:
    port = int(server.url.rpartition(":")[2])
    return socket.create_connection(("127.0.0.1", port), timeout=60)


def test_an_answer_that_fails_in_the_middle_does_not_pass_for_whole(server: Server) -> None:
    before, gone = ended(server)
    with httpx.stream("GET", f"{server.url}/fails") as answer:
        assert answer.status_code == 200
        with pytest.raises(httpx.RemoteProtocolError):
            answer.read()
    wait_until((before + 1, gone), server)


def test_threads_outlive_an_application_that_raises(server: Server) -> None:
    for _ in range(40):
        assert httpx.get(f"{server.url}/raises").status_code == 500
    assert httpx.get(f"{server.url}/").text == "ready"


def test_a_stream_ends_as_soon_as_its_client_has_gone(server: Server) -> None:
    before, gone = ended(server)
    with httpx.stream("GET", f"{server.url}/ticks") as answer:
        pieces = answer.iter_raw()  # kept: with it goes the connection
        next(pieces)
        assert ended(server) == (before, gone)
    wait_until((before + 1, gone + 1), server)


def test_a_client_that_does_not_read_holds_no_thread_for_ever(server: Server) -> None:
    before, _ = ended(server)
    with closing(connected(server)) as there:
        there.sendall(b"GET /floods HTTP/1.1\r\nHost: here\r\n\r\n")
        ends = time.monotonic() + 30
        while ended(server)[0] == before:
            assert time.monotonic() < ends
            time.sleep(0.1)


def test_a_client_that_does_not_read_holds_no_thread_once_its_place_is_anothers() -> None:
    with running_server("", target=ODD, idle_seconds=60) as patient:
        with closing(connected(patient)) as there:
            there.sendall(b"GET /floods?let-go HTTP/1.1\r\nHost: here\r\n\r\n")
            wait_until((1, 0), patient)
        with (
            httpx.stream("GET", f"{patient.url}/ticks?let-go") as answer,
            pytest.raises(httpx.RemoteProtocolError),
        ):
            answer.read()


def test_more_streams_than_there_may_be_are_refused_and_nobody_waits(server: Server) -> None:
    before, gone = ended(server)
    with ExitStack() as opened:
        statuses = []
        while 503 not in statuses:
            stream = httpx.stream("GET", f"{server.url}/ticks", timeout=60)
            statuses.append(opened.enter_context(stream).status_code)
            assert len(statuses) < 200
        assert set(statuses[:-1]) == {200}
        assert len(statuses) > 16
        assert httpx.get(f"{server.url}/").text == "ready"
        # Such as a page: it needs no thread of its own.
        assert httpx.get(f"{server.url}/announced").text == "piecepiece"
    wait_until((before + len(statuses), gone + len(statuses) - 1), server)


def test_where_no_thread_can_be_had_a_stream_is_refused_and_the_others_go_on(
    server: Server,
) -> None:
    for _ in range(40):
        assert httpx.get(f"{server.url}/no-thread").status_code == 503
    assert httpx.get(f"{server.url}/").text == "ready"
    before, gone = ended(server)
    with httpx.stream("GET", f"{server.url}/ticks") as answer:
        assert answer.status_code == 200
    wait_until((before + 1, gone + 1), server)


def test_what_clients_who_have_gone_wanted_to_see_is_not_made(
    server: Server, tmp_path: Path
) -> None:
    let_go = tmp_path / "let-go"
    with ExitStack() as opened:
        for _ in range(THREADS_FOR_REQUESTS):
            there = opened.enter_context(closing(connected(server)))
            there.sendall(f"GET /hold?{let_go} HTTP/1.1\r\nHost: here\r\n\r\n".encode())
        time.sleep(0.5)
        for method in (*["GET"] * 20, "POST", "HEAD"):
            with closing(connected(server)) as goes:
                goes.sendall(f"{method} /counts HTTP/1.1\r\nHost: here\r\n\r\n".encode())
                time.sleep(0.02)
        stays = opened.enter_context(closing(connected(server)))
        stays.sendall(b"OPTIONS /counts HTTP/1.1\r\nHost: here\r\n\r\n")
        time.sleep(1)
        let_go.touch()
        assert stays.recv(15) == b"HTTP/1.1 200 OK"
    # What somebody wanted done is done, whether or not they wait for the answer.
    assert sorted(httpx.get(f"{server.url}/counted").text.split()) == ["OPTIONS", "POST"]
    assert "ASGI" not in server.logged()


def test_a_header_cannot_pass_for_another(server: Server) -> None:
    with closing(connected(server)) as there:
        there.sendall(
            b"GET /headers HTTP/1.1\r\nHost: here\r\nConnection: close\r\n"
            b"X_Forwarded_For: 10.0.0.1\r\nX-Forwarded-For: 10.0.0.2\r\n"
            b"X-Twice: a\r\nX-Twice: b\r\nCookie: a=1\r\nCookie: b=2\r\n\r\n"
        )
        answer = b"".join(iter(lambda: there.recv(65536), b""))
    headers = answer.decode().rpartition("\r\n\r\n")[2]
    assert headers == (
        "HTTP_CONNECTION=close HTTP_COOKIE=a=1; b=2 HTTP_HOST=here "
        "HTTP_X_FORWARDED_FOR=10.0.0.2 HTTP_X_TWICE=a,b"
    )
