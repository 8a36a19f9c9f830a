"""The events of a match: as a page of JSON, one a line, or as they happen.

What a caller sees of them is what the bearer token names.
"""

from __future__ import annotations

import orjson
from flask import Response
from marshmallow import Schema

from domain.errors import Refusal
from domain.match.events import FACTS
from services.errors import InvalidRequest, UnknownVersion
from services.lobby.lists import LIMIT, MOST
from services.matches.event_ids import START, EventId
from services.matches.queries import EventPage
from services.store.cursors import Page
from web.api import fields
from web.api.operations import OPEN, Call, asks, gives, reads, refuses, route
from web.api.paging import answer_json_page, make_page_schema
from web.http.answers import BY_CALLER, EVENT_STREAM, FOREVER, JSON, NDJSON, OWN, answer_bytes
from web.http.inputs import QuerySchema
from web.http.streaming import BATCH, Stream, answer_stream


class StreamQuerySchema(QuerySchema):
    """Where a stream begins; ``Last-Event-ID`` goes before it."""

    after = fields.EventIdParameter(
        "Only events after this one: its id in a stream, or its version."
    )


class EventsQuerySchema(StreamQuerySchema):
    """Which events. ``cursor`` is ``after`` under the name that other lists have for it."""

    cursor = fields.EventIdParameter("`next_cursor` of a page.")
    limit = fields.WholeParameter(
        f"{LIMIT} unless given; as NDJSON there is no limit unless given.", 1, MOST
    )


class SealSchema(Schema):
    """A sealed value; ``salt`` and ``value`` are there for those who may see them."""

    audience = fields.many(fields.text(), data_key="for")
    commitment = fields.digest()
    salt = fields.digest(always=False)
    value = fields.anything(always=False)


class EventSchema(Schema):
    """An event."""

    match = fields.text("The match's id.")
    version = fields.whole("Its place in the match, from 1 on without gaps.")
    kind = fields.words("What happened.", *FACTS)
    schema = fields.whole("The version of the form of `data`.")
    actor = fields.words("Whose doing it was.", "seat-1", "seat-2", "creator", "server", "admin")
    at = fields.instant("When.")
    data = fields.an_object("What happened, in full: see the event format.")
    sealed = fields.many(SealSchema)
    previous = fields.digest()
    hash = fields.digest()


TAG = "Events"

VARY = f"Accept, {BY_CALLER}"


@route("GET", "/matches/<match_id>/events", TAG, OPEN)
@asks(EventsQuerySchema())
@gives(
    200,
    make_page_schema(
        EventSchema,
        "events",
        following="Give it as `after` for the next page; null: that was the last event there is.",
    ),
    "A page of events; as NDJSON one a line, to the present last one.",
    kinds=(JSON, NDJSON),
    line=EventSchema(),
)
@refuses("unknown-version")
def list_events(call: Call, match_id: str) -> Response:
    """List the events of a match as the caller may see them."""
    after = _read_after(call)
    limit = call.query["limit"]
    lines = call.kind == NDJSON
    wanted = limit if lines or limit is not None else LIMIT
    page = call.house.queries.show_events(call.look, match_id, after, wanted)
    if not page.known:
        raise UnknownVersion(page.version)
    return _answer_lines(page) if lines else _answer_page(call, page)


def _read_after(call: Call) -> EventId:
    after, cursor = call.query["after"], call.query["cursor"]
    if after is not None and cursor is not None:
        raise InvalidRequest("after and cursor are two names of one thing.", pointer="/cursor")
    return after or cursor or START


def _answer_lines(page: EventPage) -> Response:
    body = b"".join(orjson.dumps(event) + b"\n" for event in page.events)
    return answer_bytes(
        body, kind=NDJSON, version=page.version, cache=_choose_cache(page), vary=VARY
    )


def _answer_page(call: Call, page: EventPage) -> Response:
    following = str(page.last) if page.last.version < page.version else None
    by = "after" if call.query["cursor"] is None else "cursor"
    how = {"version": page.version, "cache": _choose_cache(page), "vary": VARY}
    return answer_json_page("events", Page(page.events, following), dict, by, **how)


def _choose_cache(page: EventPage) -> str:
    return FOREVER if page.over else OWN


@route("GET", "/matches/<match_id>/stream", TAG, OPEN)
@asks(StreamQuerySchema())
@reads("Last-Event-ID")
@gives(200, None, "Events, each with its `id`.", kinds=(EVENT_STREAM,), line=EventSchema())
@gives(204, None, "The match is over, and you have had its last event: do not come back.")
def stream_events(call: Call, match_id: str) -> Response:
    """Stream the events of a match, from `Last-Event-ID` or `after` on.

    If that is not in the history of the match, as after a backup has been restored, a message
    `reset` comes first, and then all events from the first one on.
    """
    after = call.resume if call.resume is not None else call.query["after"] or START
    first = call.house.queries.show_events(call.look, match_id, after, BATCH)

    def read(behind: EventId) -> EventPage | None:
        # The token may have been revoked meanwhile. Whatever is refused, it is too late for an
        # answer that says so.
        try:
            call.admit_again()
            return call.house.queries.show_events(call.look, match_id, behind, BATCH)
        except Refusal:
            return None

    player = None if call.caller is None else call.caller.player
    return answer_stream(Stream(call.site, match_id, player, read), after, first)
