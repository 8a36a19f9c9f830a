"""A share of the streams for everybody: the newest of one's own replaces the oldest."""

from __future__ import annotations

import io
from collections.abc import Callable, Iterator
from threading import Thread
from time import monotonic, sleep

import orjson
import pytest
from flask import Flask
from flask.testing import FlaskClient
from werkzeug.test import TestResponse

from domain.json_types import JsonObject
from services.runtime.logs import configure_logs
from services.runtime.settings import Settings
from tests.web.people import Person, problem
from web.site import site_of


class Opened:
    """An open stream that is read in a thread of its own."""

    def __init__(self, app: Flask, path: str, address: str = "192.0.2.1", token: str = "") -> None:
        headers = {"Authorization": f"Bearer {token}"} if token else {}
        client: FlaskClient = app.test_client()
        self.when_gone: list[Callable[[], None]] = []
        self.let_go = 0
        self.answer: TestResponse = client.get(
            f"/api/v1{path}",
            headers=headers,
            buffered=False,
            environ_overrides={
                "REMOTE_ADDR": address,
                "plybook.when_gone": self.when_gone.append,
                "plybook.let_go": self._count_let_go,
            },
        )
        self.raw = b""
        self.ended = False
        self._thread = Thread(target=self._read, daemon=True)
        if self.answer.status_code == 200:
            self._thread.start()
            self.until(b"\n")

    def _count_let_go(self) -> None:
        self.let_go += 1

    def _read(self) -> None:
        for chunk in self.answer.iter_encoded():
            self.raw += chunk
        self.ended = True

    def until(self, text: bytes, within: float = 30) -> None:
        """Wait for a text."""
        end = monotonic() + within
        while text not in self.raw:
            assert monotonic() < end, self.raw
            sleep(0.01)

    def join(self) -> None:
        """Wait until it has ended, if it was ever opened."""
        if self.answer.status_code == 200:
            self._thread.join(30)

    @property
    def was_replaced(self) -> bool:
        """Whether it has ended, and its last message says why."""
        self.join()
        assert self.ended
        return self.raw.endswith(b"event: replaced\ndata: {}\n\n")


@pytest.fixture
def opened(make_app: Callable[..., Flask]) -> Iterator[Callable[..., Opened]]:
    """Give a function that opens streams at an application with few places."""
    app = make_app(max_streams=6, max_client_streams=2, max_own_streams=1, stream_seconds=60)

    def open_one(path: str, address: str = "192.0.2.1", token: str = "") -> Opened:
        found = Opened(app, path, address, token)
        made.append(found)
        return found

    made: list[Opened] = []
    yield open_one
    site_of(app).stop()
    for one in made:
        one.join()


@pytest.fixture
def stream(ada: Person, bob: Person) -> str:
    """Give the address of a match's stream."""
    return f"/matches/{ada.start(bob)['id']}/stream"


def test_one_address_replaces_its_own_oldest_stream_and_nobody_elses(
    opened: Callable[..., Opened], stream: str
) -> None:
    other = opened(stream, "198.51.100.7")
    oldest, middle, newest = (opened(stream) for _ in range(3))
    assert newest.answer.status_code == 200
    assert oldest.was_replaced
    assert not middle.ended
    assert not other.ended
    # Though it may not be read, it holds no thread.
    assert [one.let_go for one in (other, oldest, middle, newest)] == [0, 1, 0, 0]


@pytest.mark.parametrize("own", [False, True])
def test_a_stream_writes_something_as_soon_as_its_client_may_have_gone(
    own: bool,  # noqa: FBT001 - a parameter of the test
    opened: Callable[..., Opened],
    stream: str,
    ada: Person,
) -> None:
    reader = opened("/me/stream" if own else stream, token=ada.token)
    before = len(reader.raw)
    for call in reader.when_gone:
        call()
    ends = monotonic() + 10
    while len(reader.raw) == before:
        assert monotonic() < ends
        sleep(0.01)


def test_a_stream_tells_what_happened_while_nobody_watched(
    opened: Callable[..., Opened], ada: Person, bob: Person
) -> None:
    match, other = ada.start(bob), ada.start(bob)
    stream, version = f"/matches/{match['id']}/stream", ada.look(match)["version"]
    first = opened(f"{stream}?after={version}", "192.0.2.1")
    sleep(1.5)  # until what others do has been looked at
    for _ in range(2):
        opened(f"/matches/{other['id']}/stream", "192.0.2.1")
    assert first.was_replaced
    assert ada.move(match).status_code == 201
    opened(f"{stream}?after={ada.look(match)['version']}", "192.0.2.2")
    sleep(1.5)
    back = opened(f"{stream}?after={version}", "192.0.2.3")
    back.until(b'"version":%d' % (version + 1), within=10)


def test_an_ipv6_network_is_one_client(opened: Callable[..., Opened], stream: str) -> None:
    oldest = opened(stream, "2001:db8:1:2::1")
    other = opened(stream, "2001:db8:1:3::1")
    for number in (2, 3):
        assert opened(stream, f"2001:db8:1:2:{number}::9").answer.status_code == 200
    assert oldest.was_replaced
    assert not other.ended


def test_an_account_has_a_share_wherever_it_asks_from(
    opened: Callable[..., Opened], stream: str, ada: Person, bob: Person
) -> None:
    oldest = opened(stream, "192.0.2.1", ada.token)
    others = opened(stream, "192.0.2.2", bob.token)
    for number in (3, 4):
        assert opened(stream, f"192.0.2.{number}", ada.token).answer.status_code == 200
    assert oldest.was_replaced
    assert not others.ended


def test_the_same_account_makes_way_first_behind_a_shared_address(
    opened: Callable[..., Opened], stream: str, ada: Person, bob: Person
) -> None:
    bobs = opened(stream, token=bob.token)
    adas = opened(stream, token=ada.token)
    assert opened(stream, token=ada.token).answer.status_code == 200
    assert adas.was_replaced
    assert not bobs.ended


def test_the_newest_stream_of_ones_own_matches_replaces_the_oldest(
    opened: Callable[..., Opened], ada: Person, bob: Person
) -> None:
    bobs = opened("/me/stream", "192.0.2.9", bob.token)
    oldest = newest = opened("/me/stream", token=ada.token)
    for number in range(5):
        began = monotonic()
        newest = opened("/me/stream", f"192.0.2.{number}", ada.token)
        assert newest.answer.status_code == 200
        assert monotonic() - began < 5
        assert not oldest.was_replaced
        last = orjson.loads(oldest.raw.splitlines()[-1])
        assert (last["kind"], set(last)) == ("replaced", {"id", "kind"})
        oldest = newest
    assert not newest.ended
    assert not bobs.ended


def test_where_others_have_all_places_a_newcomer_is_told_to_wait(
    opened: Callable[..., Opened], stream: str
) -> None:
    theirs = [opened(stream, f"192.0.2.{number}") for number in range(6)]
    refused = opened(stream, "198.51.100.7").answer
    assert refused.status_code == 503
    assert int(refused.headers["Retry-After"]) > 0
    # They had to show that somebody reads them.
    for one in theirs:
        one.until(b": still here")
    # One who has a place already comes back in its stead.
    assert opened(stream, "192.0.2.3").answer.status_code == 200
    assert theirs[3].was_replaced


def test_the_place_of_a_stream_that_nobody_reads_any_more_is_free(
    make_app: Callable[..., Flask], stream: str
) -> None:
    app = make_app(max_streams=2, stream_seconds=60)
    left = app.test_client().get(f"/api/v1{stream}", buffered=False)
    theirs = Opened(app, stream, "192.0.2.2")

    def find_out() -> None:
        # As the server does, to whom the write fails.
        theirs.until(b": still here")
        left.close()

    closing = Thread(target=find_out)
    closing.start()
    assert Opened(app, stream, "192.0.2.3").answer.status_code == 200
    closing.join()
    site_of(app).stop()


def test_exports_and_streams_have_places_of_their_own(
    make_app: Callable[..., Flask], stream: str
) -> None:
    app = make_app(max_streams=1, max_exports=1, stream_seconds=60)
    watching = Opened(app, stream, "192.0.2.1")
    person = Person(app.test_client())
    path = "/api/v1/export"
    first = app.test_client().get(path, buffered=False)
    assert first.status_code == 200
    problem(person.get("/export"), 503, "unavailable")
    first.close()
    assert person.get("/export").status_code == 200
    site_of(app).stop()
    watching.join()


@pytest.mark.usefixtures("stream")
def test_one_address_does_not_take_all_places_for_exports(make_app: Callable[..., Flask]) -> None:
    app = make_app(max_exports=4)

    def export(address: str) -> TestResponse:
        environ = {"REMOTE_ADDR": address}
        return app.test_client().get("/api/v1/export", buffered=False, environ_overrides=environ)

    greedy = [export("192.0.2.1") for _ in range(2)]
    refused, other = export("192.0.2.1"), export("192.0.2.2")
    assert [one.status_code for one in (*greedy, refused, other)] == [200, 200, 429, 200]
    assert int(refused.headers["Retry-After"]) >= 1
    greedy[0].close()
    again = export("192.0.2.1")
    assert again.status_code == 200
    for one in (greedy[1], again, other):
        one.close()


def test_forwarded_addresses_that_no_setting_trusts_are_warned_of_once(
    make_app: Callable[..., Flask], log: io.BytesIO
) -> None:
    configure_logs(Settings(log_format="json"))
    for proxies, times in ((0, 1), (1, 0)):
        log.truncate(0)
        client = make_app(trusted_proxies=proxies).test_client()
        for _ in range(3):
            client.get("/api/v1/games", headers={"X-Forwarded-For": "203.0.113.5"})
        warned = [one for one in _lines(log) if one["event"] == "forwarded_address_not_trusted"]
        assert len(warned) == times
        assert all(one["setting"] == "PLYBOOK_TRUSTED_PROXIES" for one in warned)


def _lines(log: io.BytesIO) -> list[JsonObject]:
    return [orjson.loads(line) for line in log.getvalue().strip(b"\0").splitlines()]
