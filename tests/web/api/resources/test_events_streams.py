"""Events as they happen: nothing is missed, nothing comes twice, and everything ends."""

from __future__ import annotations

from collections.abc import Callable
from threading import Thread
from time import monotonic

import orjson
import pytest
from flask import Flask
from werkzeug.test import TestResponse

from domain.json_types import JsonObject
from services.runtime import notifier
from tests.web.people import Person, play_out, problem
from web.http import streaming
from web.site import site_of


def messages(raw: bytes) -> list[tuple[int, JsonObject]]:
    """Return the messages of a stream: ids and data."""
    found = []
    for block in raw.decode().split("\n\n"):
        lines = dict(line.split(": ", 1) for line in block.splitlines() if not line.startswith(":"))
        if "data" in lines:
            found.append((int(lines["id"].partition("-")[0]), orjson.loads(lines["data"])))
    return found


def stream(person: Person, match: JsonObject, after: str = "", last: int | None = None) -> bytes:
    """Read a stream to its end."""
    headers = {} if last is None else {"Last-Event-ID": str(last)}
    return person.get(f"/matches/{match['id']}/stream{after}", headers).data


@pytest.fixture
def quick(make_app: Callable[..., Flask]) -> Person:
    """Give somebody whose streams end at once."""
    return Person(make_app(stream_seconds=0).test_client())


def test_a_stream_brings_what_the_log_has(ada: Person, bob: Person, quick: Person) -> None:
    match = ada.start(bob)
    answer = quick.get(f"/matches/{match['id']}/stream")
    assert answer.content_type == "text/event-stream"
    assert answer.headers["Cache-Control"] == "no-store"
    found = messages(answer.data)
    assert [number for number, _ in found] == [1, 2, 3, 4]
    events = quick.get(f"/matches/{match['id']}/events").json["events"]
    assert [event for _, event in found] == events


def test_a_stream_goes_on_behind_the_last_id(ada: Person, bob: Person, quick: Person) -> None:
    match = ada.start(bob)

    def ids(raw: bytes) -> list[int]:
        return [number for number, _ in messages(raw)]

    assert ids(stream(quick, match, "?after=2")) == [3, 4]
    assert ids(stream(quick, match, last=3)) == [4]
    assert ids(stream(quick, match, "?after=1", last=3)) == [4]
    assert ids(stream(quick, match, "?after=3", last=0)) == [1, 2, 3, 4]
    assert ids(stream(quick, match, last=4)) == []


def test_a_last_id_that_is_none_is_malformed(ada: Person) -> None:
    path = f"/matches/{ada.create()['id']}/stream"
    for last in ("x", "-1", "1.5", "1e3", ""):
        fault = problem(ada.get(path, {"Last-Event-ID": last}), 400, "malformed-request")
        assert fault["errors"][0]["header"] == "Last-Event-ID", last


def test_a_stream_ends_behind_the_last_event_and_then_there_is_none(
    ada: Person, bob: Person
) -> None:
    ended = play_out(ada.start(bob), ada, bob)
    found = messages(stream(ada, ended))
    assert [number for number, _ in found] == list(range(1, ended["version"] + 1))
    last = str(ended["version"])
    for again, headers in (("", {"Last-Event-ID": last}), (f"?after={last}", {})):
        answer = ada.get(f"/matches/{ended['id']}/stream{again}", headers)
        assert (answer.status_code, answer.data) == (204, b"")


def test_an_open_stream_is_told_at_once(ada: Person, bob: Person, app: Flask) -> None:
    match = ada.start(bob)
    answer = _open(app, match)
    chunks = iter(answer.iter_encoded())
    assert len(messages(next(chunks) + next(chunks))) == 4
    mover = Thread(target=ada.move, args=(match,))
    mover.start()
    ((number, event),) = messages(next(chunks))
    mover.join()
    assert (number, event["kind"]) == (5, "move-made")
    answer.close()


def test_whatever_happens_between_two_visits_is_not_missed_and_not_repeated(
    ada: Person, bob: Person, quick: Person
) -> None:
    match = ada.start(bob)
    seen: list[int] = []
    while not seen or ada.look(match)["status"] == "active":
        found = messages(stream(quick, match, last=seen[-1] if seen else 0))
        seen += [number for number, _ in found]
        now = ada.look(match)
        (ada, bob)[now["to_act"] - 1].move(match)
    seen += [number for number, _ in messages(stream(quick, match, last=seen[-1]))]
    assert seen == list(range(1, ada.look(match)["version"] + 1))


def test_a_long_match_comes_whole(ada: Person, bob: Person, quick: Person) -> None:
    match = ada.start(bob, "marathon", options={"length": 120})
    ended = play_out(match, ada, bob)
    assert ended["version"] > 100
    found = [number for number, _ in messages(stream(quick, match))]
    assert found == list(range(1, ended["version"] + 1))


def test_only_so_many_streams_are_open_at_once(
    ada: Person, bob: Person, make_app: Callable[..., Flask]
) -> None:
    match = ada.start(bob)
    app = make_app(max_streams=2)
    opened = [_open(app, match, address=f"192.0.2.{number}") for number in range(2)]
    # One that was never read must give its place back as well.
    next(iter(opened[0].iter_encoded()))
    refused = Person(app.test_client()).get(f"/matches/{match['id']}/stream")
    problem(refused, 503, "unavailable")
    assert int(refused.headers["Retry-After"]) > 0
    for answer in opened:
        answer.close()
    again = [_open(app, match, address=f"192.0.2.{number}") for number in range(2)]
    assert [answer.status_code for answer in again] == [200, 200]
    for answer in again:
        answer.close()


def test_a_stream_ends_with_the_process(
    ada: Person, bob: Person, make_app: Callable[..., Flask]
) -> None:
    app = make_app(stream_seconds=60)
    match = ada.start(bob)
    answer = _open(app, match)
    chunks = iter(answer.iter_encoded())
    next(chunks)
    next(chunks)
    site_of(app).stop()
    began = monotonic()
    assert list(chunks) == []
    assert monotonic() - began < 30
    answer.close()


def test_a_stream_ends_when_its_token_is_revoked(ada: Person, bob: Person, app: Flask) -> None:
    match = ada.start(bob, visibility="private", opponent="bob")
    asked = {"name": "bob", "password": "correct horse battery", "label": "x"}
    issued = ada.post("/tokens", asked).json
    answer = _open(app, match, issued["token"])
    chunks = iter(answer.iter_encoded())
    next(chunks)
    assert len(messages(next(chunks))) == 4
    bob.ask("DELETE", f"/tokens/{issued['id']}")
    ada.move(match)
    assert list(chunks) == []
    answer.close()


def test_a_silent_stream_says_that_it_is_there(
    ada: Person, bob: Person, app: Flask, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(streaming, "KEEP_ALIVE", 0.0)
    match = ada.start(bob)
    answer = _open(app, match)
    chunks = iter(answer.iter_encoded())
    next(chunks)
    next(chunks)
    assert next(chunks) == b": still here\n\n"
    answer.close()


def test_head_opens_no_stream(ada: Person, app: Flask) -> None:
    match = ada.create()
    answer = ada.ask("HEAD", f"/matches/{match['id']}/stream")
    assert (answer.status_code, answer.content_type) == (200, "text/event-stream")
    assert site_of(app).streams.taken == 0


def _open(
    app: Flask, match: JsonObject, token: str = "", address: str = "127.0.0.1"
) -> TestResponse:
    headers = {"Authorization": f"Bearer {token}"} if token else {}
    path = f"/api/v1/matches/{match['id']}/stream"
    return app.test_client().get(
        path, headers=headers, buffered=False, environ_overrides={"REMOTE_ADDR": address}
    )


def test_what_spectators_are_told_is_written_once_for_all_of_them(
    ada: Person, bob: Person, app: Flask, monkeypatch: pytest.MonkeyPatch
) -> None:
    # A look for what other processes did would have all of it read anew.
    monkeypatch.setattr(notifier, "LOOK_EVERY", 3_600)
    written: list[int] = []
    write = streaming._format_message  # noqa: SLF001 - nothing else tells

    def counted(event: JsonObject) -> bytes:
        written.append(event["version"])
        return write(event)

    monkeypatch.setattr(streaming, "_format_message", counted)
    match = ada.start(bob)
    answers = [_open(app, match, address=f"192.0.2.{number}") for number in range(3)]
    told = []
    for answer in answers:
        chunks = iter(answer.iter_encoded())
        told.append(next(chunks) + next(chunks))
    assert told == told[:1] * 3
    assert written == [1, 2, 3, 4]
    for answer in answers:
        answer.close()
