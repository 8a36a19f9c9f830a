"""Practice matches that this browser holds, as the match's page tells it."""

from __future__ import annotations

from typing import NamedTuple

from services.errors import NotFound
from web.pages.common.visitors import practice_holder
from web.site import this_site


class Held(NamedTuple):
    """Until when the browser holds a practice match."""

    until: str


def practice_of(match_id: str) -> Held | None:
    """Return until when this browser holds a practice match, or None: it does not."""
    holder = practice_holder()
    if holder is None:
        return None
    try:
        return Held(this_site().house.practising.until(holder, match_id))
    except NotFound:
        return None
