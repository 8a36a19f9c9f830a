"""The events of a match, as a page of JSON or one a line."""

from __future__ import annotations

import orjson
from flask import Response

from services.accounts.accounts import READ
from services.errors import InvalidRequest, UnknownVersion
from services.lobby.lists import LIMIT
from services.matches.event_ids import START, EventId
from services.matches.queries import EventPage
from web.api.operations import Call, a_match, about, asks, gives, open_to_all, refuses, route
from web.api.resources import events_of_schemas as events
from web.http.answers import (
    BY_CALLER,
    FOREVER,
    JSON,
    NDJSON,
    OWN,
    bytes_answer,
    json_answer,
    next_link,
)

TAG = "Events"

VARY = f"Accept, {BY_CALLER}"


@route("GET", "/matches/<match_id>/events", TAG)
@open_to_all(READ)
@about(a_match)
@asks(events.EventsQuery())
@gives(
    200,
    events.Events(),
    "A page of events; as NDJSON one a line, to the present last one.",
    kinds=(JSON, NDJSON),
    headers=("ETag", "Link"),
    line=events.Event(),
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
