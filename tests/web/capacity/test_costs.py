"""Costly answers: few at a time, kept where they can be, and no more of them than a share."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from concurrent.futures import Future, ThreadPoolExecutor
from threading import Event, Semaphore
from time import monotonic, perf_counter, process_time, sleep
from typing import Any

import pytest
from flask import Flask

from domain.json_types import JsonObject
from services.exchange import formats
from services.replays.replay import Replays
from services.runtime.gateway import IS_GONE
from tests.web.people import Answer, Person, problem
from web.capacity import clients


class Painting:
    """Stands for the painter of pictures: it says what it does, and can be held up."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch) -> None:
        self.begun = Semaphore(0)
        self.go_on = Event()
        self.go_on.set()
        self.made: list[str] = []
        self.at_once = 0
        self.most = 0
        monkeypatch.setattr(formats, "rasterise", self.paint)

    def paint(self, svg: str, _: str) -> bytes:
        self.at_once += 1
        self.most = max(self.most, self.at_once)
        self.begun.release()
        self.go_on.wait(20)
        self.made.append(svg)
        self.at_once -= 1
        return b"\x89PNG" + str(len(self.made)).encode()


@pytest.fixture
def painting(monkeypatch: pytest.MonkeyPatch) -> Painting:
    return Painting(monkeypatch)


@pytest.fixture
def match(ada: Person, bob: Person) -> JsonObject:
    started = ada.start(bob)
    assert ada.move(started).status_code == 201
    return ada.look(started)


def picture_of(person: Person, match: JsonObject, more: str = "", client: str = "") -> Answer:
    environ = {"REMOTE_ADDR": client} if client else {}
    path = f"/matches/{match['id']}/export?format=png{more}"
    return person.ask("GET", path, environ_base=environ)


@pytest.fixture
def asking(app: Flask) -> Iterator[Callable[..., Future[Answer]]]:
    """Give a function that asks for a picture of a step from a thread."""
    with ThreadPoolExecutor(40) as pool:

        def ask(match: JsonObject, at: int, client: str) -> Future[Answer]:
            anyone = Person(app.test_client())
            return pool.submit(picture_of, anyone, match, f"&at={at}", client)

        yield ask


def test_a_picture_is_painted_once_for_everybody(
    anyone: Person, match: JsonObject, painting: Painting
) -> None:
    first, second = picture_of(anyone, match), picture_of(anyone, match)
    assert (first.data, len(painting.made)) == (second.data, 1)
    picture_of(anyone, match, "&at=4")
    assert len(painting.made) == 2


@pytest.mark.usefixtures("painting")
def test_a_picture_is_painted_anew_when_the_match_has_gone_on(
    bob: Person, anyone: Person, match: JsonObject
) -> None:
    before = picture_of(anyone, match)
    assert bob.move(match).status_code == 201
    assert picture_of(anyone, match).data != before.data


@pytest.mark.parametrize("form", ["png", "svg", "text"])
def test_what_is_kept_for_one_viewer_is_given_to_no_other(
    ada: Person, bob: Person, anyone: Person, form: str
) -> None:
    hidden = ada.start(bob, "power-lines")
    path = f"/matches/{hidden['id']}/export?format={form}"
    own = ada.get(path).data
    assert len({own, bob.get(path).data, anyone.get(path).data}) == 3
    assert ada.get(path).data == own


def test_pictures_are_painted_one_at_a_time_and_few_wait(
    app: Flask, match: JsonObject, painting: Painting, asking: Callable[..., Future[Answer]]
) -> None:
    painting.go_on.clear()
    first = asking(match, 4, "192.0.2.1")
    assert painting.begun.acquire(timeout=10)
    others = [asking(match, at, f"192.0.2.{at}") for at in (2, 3, 4, 5) for _ in range(10)]
    while not any(one.done() for one in others):
        sleep(0.01)
    # Everything else goes on meanwhile.
    began = monotonic()
    assert Person(app.test_client()).get(f"/matches/{match['id']}").status_code == 200
    assert monotonic() - began < 5
    while sum(one.done() for one in others) < len(others) + 1 - clients.MOST_WAITING:
        sleep(0.01)
    painting.go_on.set()
    answers = [first.result(), *(one.result() for one in others)]
    refused = [one for one in answers if one.status_code != 200]
    assert {one.status_code for one in refused} <= {429, 503}
    assert all(int(one.headers["Retry-After"]) >= 1 for one in refused)
    assert len(answers) - len(refused) == clients.MOST_WAITING
    assert painting.most == 1
    assert len(painting.made) <= 4


def test_one_client_does_not_take_every_place_of_the_queue(
    match: JsonObject, painting: Painting, asking: Callable[..., Future[Answer]]
) -> None:
    painting.go_on.clear()
    greedy = [asking(match, 4, "192.0.2.1") for _ in range(20)]
    while sum(one.done() for one in greedy) < len(greedy) - clients.SHARE:
        sleep(0.01)
    other = asking(match, 3, "192.0.2.2")
    sleep(0.1)
    assert not other.done()
    painting.go_on.set()
    refused = [one.result() for one in greedy if one.result().status_code != 200]
    for one in refused:
        problem(one, 429, "rate-limited")
        assert int(one.headers["Retry-After"]) >= 1
    assert other.result().status_code == 200


def test_work_that_nobody_can_wait_for_any_more_is_not_begun(
    monkeypatch: pytest.MonkeyPatch,
    match: JsonObject,
    painting: Painting,
    asking: Callable[..., Future[Answer]],
) -> None:
    monkeypatch.setattr(clients, "PATIENCE", 0.2)
    painting.go_on.clear()
    first = asking(match, 4, "192.0.2.1")
    assert painting.begun.acquire(timeout=10)
    late = asking(match, 3, "192.0.2.2").result()
    problem(late, 503, "unavailable")
    assert int(late.headers["Retry-After"]) >= 1
    painting.go_on.set()
    assert first.result().status_code == 200
    assert len(painting.made) == 1


def test_work_for_clients_that_have_gone_is_not_begun_and_leaves_its_place(
    app: Flask, match: JsonObject, painting: Painting, asking: Callable[..., Future[Answer]]
) -> None:
    painting.go_on.clear()
    first = asking(match, 4, "192.0.2.1")
    assert painting.begun.acquire(timeout=10)
    anyone = Person(app.test_client())
    environ = {"REMOTE_ADDR": "192.0.2.1", IS_GONE: lambda: True}
    path = f"/matches/{match['id']}/export?format=png&at=3"
    began = monotonic()
    for _ in range(20):
        problem(anyone.ask("GET", path, environ_base=environ), 503, "unavailable")
    assert monotonic() - began < clients.PATIENCE
    others = [asking(match, at, "192.0.2.1") for at in (1, 2, 3)]
    painting.go_on.set()
    assert [one.result().status_code for one in (first, *others)] == [200] * 4
    assert len(painting.made) == 4


@pytest.mark.parametrize(
    "path", ["replay?scene=true", "export?format=text", "export?format=svg", "export?format=json"]
)
def test_other_costly_answers_wait_in_the_same_queue(
    path: str,
    app: Flask,
    match: JsonObject,
    painting: Painting,
    asking: Callable[..., Future[Answer]],
) -> None:
    painting.go_on.clear()
    held = [asking(match, at, "127.0.0.1") for at in (1, 2, 3, 4)]
    assert painting.begun.acquire(timeout=10)
    sleep(0.2)
    anyone = Person(app.test_client())
    problem(anyone.get(f"/matches/{match['id']}/{path}"), 429, "rate-limited")
    page = anyone.visit(f"/m/{match['id']}/frames")
    assert (page.status_code, page.headers["Retry-After"]) == (429, "2")
    assert anyone.visit(f"/m/{match['id']}").status_code == 200
    painting.go_on.set()
    assert [one.result().status_code for one in held] == [200] * 4


@pytest.fixture
def limited(make_app: Callable[..., Flask]) -> Person:
    """Give somebody at a service where a client has one second of the processor a minute."""
    return Person(make_app(rate_limit=10_000, processor_limit=1).test_client())


def busy(seconds: float) -> Callable[..., Any]:
    def take(*_: object) -> bytes:
        end = process_time() + seconds
        while process_time() < end:
            pass
        return b"\x89PNG"

    return take


def test_a_client_has_so_many_seconds_of_the_processor_in_a_minute(
    limited: Person, match: JsonObject, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(formats, "rasterise", busy(1.1))
    assert picture_of(limited, match).status_code == 200
    answer = limited.get(f"/matches/{match['id']}")
    problem(answer, 429, "rate-limited")
    assert 1 <= int(answer.headers["Retry-After"]) <= 60
    page = limited.visit(f"/m/{match['id']}")
    assert (page.status_code, page.mimetype) == (429, "text/html")
    assert 1 <= int(page.headers["Retry-After"]) <= 60
    assert limited.visit("/healthz").status_code == 200
    assert picture_of(limited, match, client="192.0.2.9").status_code == 200


def test_who_moves_is_not_kept_waiting_by_what_others_at_the_address_have_asked_for(
    limited: Person, match: JsonObject, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(formats, "rasterise", busy(1.1))
    assert picture_of(limited, match).status_code == 200
    problem(limited.get(f"/matches/{match['id']}"), 429, "rate-limited")
    move = limited.post(f"/matches/{match['id']}/moves", {"move": {}})
    assert move.status_code not in (429, 503)


def test_what_another_process_does_for_a_client_counts(
    limited: Person, match: JsonObject, monkeypatch: pytest.MonkeyPatch
) -> None:
    def paint(*_: object) -> bytes:
        sleep(1.1)
        return b"\x89PNG"

    monkeypatch.setattr(formats, "rasterise", paint)
    assert picture_of(limited, match).status_code == 200
    problem(limited.get("/games"), 429, "rate-limited")


@pytest.mark.parametrize("path", ["replay", "export?format=text", "export?format=json"])
def test_waiting_for_the_database_or_for_others_is_not_what_a_client_has_taken(
    path: str, limited: Person, match: JsonObject, monkeypatch: pytest.MonkeyPatch
) -> None:
    replay = Replays.replay

    def slowly(*given: Any, **named: Any) -> Any:  # noqa: ANN401 - as it is called
        sleep(1.1)
        return replay(*given, **named)

    monkeypatch.setattr(Replays, "replay", slowly)
    began = perf_counter()
    assert limited.get(f"/matches/{match['id']}/{path}").status_code == 200
    assert perf_counter() - began > 1
    assert limited.get("/games").status_code == 200


def test_the_minute_passes(
    limited: Person, match: JsonObject, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(formats, "rasterise", busy(1.1))
    monkeypatch.setattr(clients, "MINUTE", 0.5)
    began = perf_counter()
    picture_of(limited, match)
    while limited.get("/games").status_code == 429:
        sleep(0.05)
        assert perf_counter() - began < 20
