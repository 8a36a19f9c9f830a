"""Rows to events: what is unknown stops the reader."""

import orjson
import pytest

from domain.errors import Corruption
from domain.json_types import JsonObject
from domain.match.events import Event, MoveMade
from services.store.log import codec
from services.store.log.codec import to_openings
from tests.services.store.streams import moves


def row(event: Event, **changes: object) -> tuple[bytes, str, bytes | None]:
    body = {**orjson.loads(event.body), **changes}
    return orjson.dumps(body), event.hash, to_openings(event.sealed)


@pytest.mark.parametrize(
    ("changes", "complaint"),
    [
        ({"kind": "piece-eaten"}, "unknown kind 'piece-eaten'"),
        ({"schema": 2}, "schema 2 with the members of another"),
        ({"schema": 3}, "schema 3; this release knows 2"),
        ({"schema": 0}, "schema 0 with the members of another"),
        ({"schema": "1"}, "none"),
        ({"data": {"seat": 1}}, "missing members"),
        ({"data": {"seat": 1, "ply": 1, "move": {}, "cause": "x", "more": 1}}, "unknown or"),
        ({"data": {"seat": 1, "ply": 1, "move": {}, "more": 1}}, "unknown or"),
        ({"data": None}, "missing members"),
        ({"sealed": [{"for": ["server"]}]}, "none"),
        ({"sealed": []}, None),
    ],
)
def test_what_is_unknown_stops_the_reader(changes: JsonObject, complaint: str | None) -> None:
    [event] = moves(1)
    if complaint is None:
        assert codec.decode([row(event, **changes)])[0].sealed == ()
        return
    with pytest.raises(Corruption, match=complaint):
        codec.decode([row(event, **changes)])


@pytest.mark.parametrize("body", [b"", b"{", b"[]", b"7", b"{}", b"\xff"])
def test_bytes_that_are_no_event_stop_the_reader(body: bytes) -> None:
    with pytest.raises(Corruption):
        codec.decode([(body, "ff", None)])


def test_openings_that_do_not_fit_the_seals_stop_the_reader() -> None:
    [event] = moves(1)
    with pytest.raises(Corruption):
        codec.decode([(event.body, event.hash, b"[]")])


def test_a_seal_that_nobody_here_can_open_stays_closed() -> None:
    [event] = moves(1)
    closed = event._replace(sealed=tuple(s._replace(salt=None, value=None) for s in event.sealed))
    assert codec.decode([(event.body, event.hash, to_openings(closed.sealed))]) == [closed]
    assert codec.decode([(event.body, event.hash, None)]) == [closed]


def test_a_fact_is_of_its_kind() -> None:
    [event] = codec.decode([row(moves(1)[0])])
    assert type(event) is Event
    assert type(event.fact) is MoveMade
