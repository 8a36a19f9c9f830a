"""The events of a private match as they happen, for the pages of those who may see it.

The interface for programs knows nobody by a cookie, and a browser gives no token to a stream.
"""

from __future__ import annotations

from flask import Response, request

from domain.errors import Refusal
from domain.i18n import say
from services.errors import InvalidRequest
from services.matches.event_ids import START, EventId, read_event_id
from services.matches.queries import EventPage, Look
from web.http.inputs import last_event_id
from web.http.streaming import BATCH, Stream, answer_stream
from web.pages.common.visitors import still_here, visitor
from web.site import this_site


def follow_match(match_id: str) -> Response:
    """Stream the events of a match as the visitor sees them, until they log out.

    Raises ``NotFound``, ``Unavailable``, and ``InvalidRequest`` for an ``after`` that is no
    id of an event.
    """
    site, player, here = this_site(), visitor(), still_here()
    look = Look(None if player is None else player.player)
    resumed = last_event_id(request.environ)
    after = resumed if resumed is not None else _asked()
    first = site.house.looking.events(look, match_id, after, BATCH)

    def read(behind: EventId) -> EventPage | None:
        # Whatever is refused, it is too late for an answer that says so.
        try:
            return site.house.looking.events(look, match_id, behind, BATCH) if here() else None
        except Refusal:
            return None

    return answer_stream(Stream(site, match_id, look.caller, read), after, first)


def _asked() -> EventId:
    """Return the event that the address names. Raises ``InvalidRequest``."""
    given = request.args.get("after", "")
    found = read_event_id(given) if given else START
    if found is None:
        raise InvalidRequest(say("'after' is the id of an event."), pointer="/after")
    return found
