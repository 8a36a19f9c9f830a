"""The events of a private match as they happen, for the pages of those who may see it.

The interface for programs knows nobody by a cookie, and a browser gives no token to a stream.
"""

from __future__ import annotations

from flask import Response, request

from domain.errors import Refusal
from services.looking import EventPage, Look
from web.api.inputs import last_event_id
from web.pages.frames import version
from web.pages.visitors import still_here, visitor
from web.site import this_site
from web.streaming import BATCH, answer_stream


def follow_match(match_id: str) -> Response:
    """Stream the events of a match as the visitor sees them, until they log out.

    Raises ``NotFound``, ``Unavailable``, and ``InvalidRequest`` for an ``after`` that is no
    version.
    """
    site, player, here = this_site(), visitor(), still_here()
    look = Look(None if player is None else player.player)
    resumed = last_event_id(request.environ)
    after = resumed if resumed is not None else version("after") or 0
    first = site.house.looking.events(look, match_id, after, BATCH)

    def read(behind: int) -> EventPage | None:
        # Whatever is refused, it is too late for an answer that says so.
        try:
            return site.house.looking.events(look, match_id, behind, BATCH) if here() else None
        except Refusal:
            return None

    return answer_stream(site, match_id, after, first, read)
