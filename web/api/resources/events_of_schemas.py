"""Events, and the addresses that list them."""

from __future__ import annotations

from marshmallow import fields, validate

from domain.match.events import KINDS
from services.lobby.lists import LIMIT, MOST
from web.api.fields import EventIdParameter, WholeParameter
from web.http.base import Query, Shown, anything, instant, text, whole, words

HASH_FORM = r"^[0-9a-f]{64}$"


def _after() -> EventIdParameter:
    meaning = "Only events after this one: its id in a stream, or its version."
    return EventIdParameter(load_default=None, metadata={"description": meaning})


class EventsQuery(Query):
    """Which events. ``cursor`` is ``after`` under the name that other lists have for it."""

    after = _after()
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


class StreamQuery(Query):
    """Where a stream begins; ``Last-Event-ID`` goes before it."""

    after = _after()


class Seal(Shown):
    """A sealed value; ``salt`` and ``value`` are there for those who may see them."""

    audience = fields.List(fields.String(), required=True, data_key="for")
    commitment = fields.String(required=True, validate=validate.Regexp(HASH_FORM))
    salt = fields.String(validate=validate.Regexp(HASH_FORM))
    value = fields.Raw()


class Event(Shown):
    """An event."""

    match = text("The match's id.")
    version = whole("Its place in the match, from 1 on without gaps.")
    kind = words("What happened.", *KINDS.values())
    schema = whole("The version of the form of `data`.")
    actor = words("Whose doing it was.", "seat-1", "seat-2", "creator", "server", "admin")
    at = instant("When.")
    data = anything("What happened, in full: see the event format.", type="object")
    sealed = fields.List(fields.Nested(Seal), required=True)
    previous = fields.String(required=True, validate=validate.Regexp(HASH_FORM))
    hash = fields.String(required=True, validate=validate.Regexp(HASH_FORM))


class Events(Shown):
    """A page of events."""

    events = fields.List(fields.Nested(Event), required=True)
    next_cursor = text(
        "Give it as `after` for the next page; null: that was the last event there is.", null=True
    )
