"""Rows to events: old schemas are brought up to date, and what is unknown stops the reader."""

import orjson
import pytest

from domain.errors import Corruption
from domain.json_types import JsonObject
from domain.match.events import SCHEMAS, Event, MoveMade, SeatTaken
from services.store.log.codec import CODEC, UPCASTERS, Codec, to_openings
from tests.services.store.streams import moves

# What a release stored that called a seat by a letter and its player "who".
OLDEST = (
    b'{"actor":"creator","at":"2024-01-01T00:00:00.000000Z","data":{"place":"A","who":"p_1"},'
    b'"kind":"seat-taken","match":"0123456789abcdef","previous":"00","schema":1,"sealed":[],'
    b'"version":2}'
)


def letters_to_numbers(data: JsonObject) -> JsonObject:
    return {"place": "AB".index(data["place"]) + 1, "who": data["who"]}


def present_names(data: JsonObject) -> JsonObject:
    return {"seat": data["place"], "player": data["who"]}


LATER = Codec(
    {**SCHEMAS, "seat-taken": 3},
    {("seat-taken", 1): letters_to_numbers, ("seat-taken", 2): present_names},
)


def row(event: Event, **changes: object) -> tuple[bytes, str, bytes | None]:
    body = {**orjson.loads(event.body), **changes}
    return orjson.dumps(body), event.hash, to_openings(event.sealed)


def test_an_event_of_an_older_schema_comes_up_step_by_step() -> None:
    [event] = LATER.decode([(OLDEST, "ff", None)])
    assert event.fact == SeatTaken(seat=1, player="p_1")
    assert (event.schema, event.body) == (1, OLDEST)


def test_an_event_of_the_middle_schema_takes_the_rest_of_the_way() -> None:
    body = OLDEST.replace(b'"schema":1', b'"schema":2').replace(b'"A"', b"2")
    [event] = LATER.decode([(body, "ff", None)])
    assert event.fact == SeatTaken(seat=2, player="p_1")


def test_an_event_of_the_present_schema_is_left_alone() -> None:
    body = OLDEST.replace(b'"schema":1', b'"schema":3').replace(
        b'{"place":"A","who":"p_1"}', b'{"player":"p_1","seat":2}'
    )
    [event] = LATER.decode([(body, "ff", None)])
    assert event.fact == SeatTaken(seat=2, player="p_1")


def test_every_schema_below_the_present_one_has_its_upcaster() -> None:
    wanted = {(kind, older) for kind, now in SCHEMAS.items() for older in range(1, now)}
    assert set(UPCASTERS) == wanted


def test_a_schema_that_no_upcaster_starts_from_stops_the_reader() -> None:
    holed = Codec(LATER.schemas, {("seat-taken", 1): letters_to_numbers})
    with pytest.raises(Corruption, match="schema 2 of seat-taken"):
        holed.decode([(OLDEST, "ff", None)])


@pytest.mark.parametrize(
    ("changes", "complaint"),
    [
        ({"kind": "piece-eaten"}, "unknown kind 'piece-eaten'"),
        ({"schema": 2}, "schema 2; this release knows 1"),
        ({"data": {"seat": 1}}, "missing members"),
        ({"data": {"seat": 1, "ply": 1, "move": {}, "cause": "x", "more": 1}}, "unknown or"),
        ({"data": {"seat": 1, "ply": 1, "move": {}, "more": 1}}, "none"),
        ({"data": None}, "none"),
        ({"sealed": [{"for": ["server"]}]}, "none"),
        ({"sealed": []}, None),
    ],
)
def test_what_is_unknown_stops_the_reader(changes: JsonObject, complaint: str | None) -> None:
    [event] = moves(1)
    if complaint is None:
        assert CODEC.decode([row(event, **changes)])[0].sealed == ()
        return
    with pytest.raises(Corruption, match=complaint):
        CODEC.decode([row(event, **changes)])


@pytest.mark.parametrize("body", [b"", b"{", b"[]", b"7", b"{}", b"\xff"])
def test_bytes_that_are_no_event_stop_the_reader(body: bytes) -> None:
    with pytest.raises(Corruption):
        CODEC.decode([(body, "ff", None)])


def test_openings_that_do_not_fit_the_seals_stop_the_reader() -> None:
    [event] = moves(1)
    with pytest.raises(Corruption):
        CODEC.decode([(event.body, event.hash, b"[]")])


def test_a_seal_that_nobody_here_can_open_stays_closed() -> None:
    [event] = moves(1)
    closed = event._replace(sealed=tuple(s._replace(salt=None, value=None) for s in event.sealed))
    assert CODEC.decode([(event.body, event.hash, to_openings(closed.sealed))]) == [closed]
    assert CODEC.decode([(event.body, event.hash, None)]) == [closed]


def test_a_fact_is_of_its_kind() -> None:
    [event] = CODEC.decode([row(moves(1)[0])])
    assert type(event) is Event
    assert type(event.fact) is MoveMade
