"""The events of a match as they happen, for whoever the bearer token names."""

from __future__ import annotations

from flask import Response

from domain.errors import Refusal
from services.accounts.accounts import READ
from services.matches.event_ids import START, EventId
from services.matches.queries import EventPage
from web.api.callers import Access, admit
from web.api.operations import (
    Call,
    a_match,
    about,
    asks,
    gives,
    open_to_all,
    refuses,
    resumable,
    route,
)
from web.api.resources import events_of_schemas as events
from web.http.answers import EVENT_STREAM
from web.http.streaming import BATCH, Stream, answer_stream

TAG = "Events"


@route("GET", "/matches/<match_id>/stream", TAG)
@open_to_all(READ)
@about(a_match)
@asks(events.StreamQuery())
@resumable()
@gives(200, None, "Events, each with its `id`.", kinds=(EVENT_STREAM,), line=events.Event())
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
