"""Whether a player has acted since something happened that they are to be told of.

Who has moved, made an offer, or said something beside the match has seen it, and so has whoever
brought it about. What their conditional moves did they have not seen.
"""

from __future__ import annotations

from sqlalchemy import Connection

from domain.match.events import SERVER, Event, seat_actor
from services.matches.conditional_moves.execution import CONDITIONAL
from services.store import talk
from services.store.log import events
from services.store.notices.deliveries import DeliveryRow

MOST_AT_ONCE = 8
"""So many events before the last one may be of the same act: what chance decided, an end."""


def has_acted(connection: Connection, player: str, seat: int | None, row: DeliveryRow) -> bool:
    """Tell whether a player has acted in the match of a notice since, or has brought it about."""
    if row.match is None or row.version is None or seat is None:
        return False
    found = events.load(connection, row.match, after=max(0, row.version - MOST_AT_ONCE))
    by_hand = [one for one in found if _is_by_hand(one)]
    cause = [one.actor for one in by_hand if one.version <= row.version][-1:]
    since = [one.actor for one in by_hand if one.version > row.version]
    return seat_actor(seat) in (*cause, *since) or talk.has_said(
        connection, row.match, player, row.at
    )


def _is_by_hand(event: Event) -> bool:
    conditional = getattr(event.fact, "cause", None) == CONDITIONAL
    return event.actor != SERVER and not conditional
