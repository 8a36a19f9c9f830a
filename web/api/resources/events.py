"""The events of a match: as a page of JSON, one a line, or as they happen.

What a caller sees of them is what the bearer token names.
"""

from __future__ import annotations

import orjson
from flask import Response
from marshmallow import fields, validate

from domain.errors import Refusal
from domain.match.events import KINDS
from services.accounts.accounts import READ
from services.errors import InvalidRequest, UnknownVersion
from services.lobby.lists import LIMIT, MOST
from services.matches.event_ids import START, EventId
from services.matches.queries import EventPage
from web.api.fields import EventIdParameter, WholeParameter
from web.api.operations import (
    Access,
    Call,
    a_match,
    about,
    admit,
    asks,
    gives,
    open_to_all,
    refuses,
    resumable,
    route,
)
from web.http.answers import (
    BY_CALLER,
    EVENT_STREAM,
    FOREVER,
    JSON,
    NDJSON,
    OWN,
    bytes_answer,
    json_answer,
    next_link,
)
from web.http.inputs import AnswerSchema, QuerySchema, anything, instant, text, whole_field, words
from web.http.streaming import BATCH, Stream, answer_stream

HASH_FORM = r"^[0-9a-f]{64}$"


def _after_field() -> EventIdParameter:
    meaning = "Only events after this one: its id in a stream, or its version."
    return EventIdParameter(load_default=None, metadata={"description": meaning})


class EventsQuerySchema(QuerySchema):
    """Which events. ``cursor`` is ``after`` under the name that other lists have for it."""

    after = _after_field()
    cursor = EventIdParameter(
        load_default=None, metadata={"description": "`next_cursor` of a page."}
    )
    limit = WholeParameter(
        1,
        MOST,
        load_default=None,
        metadata={
            "description": f"{LIMIT} unless given; as NDJSON there is no limit unless given."
        },
    )


class StreamQuerySchema(QuerySchema):
    """Where a stream begins; ``Last-Event-ID`` goes before it."""

    after = _after_field()


class SealSchema(AnswerSchema):
    """A sealed value; ``salt`` and ``value`` are there for those who may see them."""

    audience = fields.List(fields.String(), required=True, data_key="for")
    commitment = fields.String(required=True, validate=validate.Regexp(HASH_FORM))
    salt = fields.String(validate=validate.Regexp(HASH_FORM))
    value = fields.Raw()


class EventSchema(AnswerSchema):
    """An event."""

    match = text("The match's id.")
    version = whole_field("Its place in the match, from 1 on without gaps.")
    kind = words("What happened.", *KINDS.values())
    schema = whole_field("The version of the form of `data`.")
    actor = words("Whose doing it was.", "seat-1", "seat-2", "creator", "server", "admin")
    at = instant("When.")
    data = anything("What happened, in full: see the event format.", type="object")
    sealed = fields.List(fields.Nested(SealSchema), required=True)
    previous = fields.String(required=True, validate=validate.Regexp(HASH_FORM))
    hash = fields.String(required=True, validate=validate.Regexp(HASH_FORM))


class EventsSchema(AnswerSchema):
    """A page of events."""

    events = fields.List(fields.Nested(EventSchema), required=True)
    next_cursor = text(
        "Give it as `after` for the next page; null: that was the last event there is.", null=True
    )


TAG = "Events"

VARY = f"Accept, {BY_CALLER}"


@route("GET", "/matches/<match_id>/events", TAG)
@open_to_all(READ)
@about(a_match)
@asks(EventsQuerySchema())
@gives(
    200,
    EventsSchema(),
    "A page of events; as NDJSON one a line, to the present last one.",
    kinds=(JSON, NDJSON),
    headers=("ETag", "Link"),
    line=EventSchema(),
)
@refuses("not-found", "unknown-version")
def list_events(call: Call, match_id: str) -> Response:
    """List the events of a match as the caller may see them."""
    after = _after(call)
    limit = call.query["limit"]
    lines = call.kind == NDJSON
    wanted = limit if lines or limit is not None else LIMIT
    page = call.house.looking.events(call.look, match_id, after, wanted)
    if not page.known:
        raise UnknownVersion(page.version)
    return _lines(page) if lines else _page(page)


def _after(call: Call) -> EventId:
    after, cursor = call.query["after"], call.query["cursor"]
    if after is not None and cursor is not None:
        raise InvalidRequest("after and cursor are two names of one thing.", pointer="/cursor")
    return after or cursor or START


def _lines(page: EventPage) -> Response:
    body = b"".join(orjson.dumps(event) + b"\n" for event in page.events)
    return bytes_answer(body, kind=NDJSON, version=page.version, cache=_cache(page), vary=VARY)


def _page(page: EventPage) -> Response:
    following = str(page.last) if page.last.version < page.version else None
    shown = {"events": page.events, "next_cursor": following}
    answer = json_answer(shown, version=page.version, cache=_cache(page), vary=VARY)
    if following is not None:
        answer.headers["Link"] = next_link(after=following)
    return answer


def _cache(page: EventPage) -> str:
    return FOREVER if page.over else OWN


@route("GET", "/matches/<match_id>/stream", TAG)
@open_to_all(READ)
@about(a_match)
@asks(StreamQuerySchema())
@resumable()
@gives(200, None, "Events, each with its `id`.", kinds=(EVENT_STREAM,), line=EventSchema())
@gives(204, None, "The match is over, and you have had its last event: do not come back.")
@refuses("not-found")
def stream_events(call: Call, match_id: str) -> Response:
    """Stream the events of a match, from `Last-Event-ID` or `after` on.

    If that is not in the history of the match, as after a backup has been restored, a message
    `reset` comes first, and then all events from the first one on.
    """
    after = call.resume if call.resume is not None else call.query["after"] or START
    first = call.house.looking.events(call.look, match_id, after, BATCH)

    def read(behind: EventId) -> EventPage | None:
        # The token may have been revoked meanwhile. Whatever is refused, it is too late for an
        # answer that says so.
        try:
            admit(call.house, call.authorization, Access.OPEN, READ)
            return call.house.looking.events(call.look, match_id, behind, BATCH)
        except Refusal:
            return None

    player = None if call.caller is None else call.caller.player
    return answer_stream(Stream(call.site, match_id, player, read), after, first)
