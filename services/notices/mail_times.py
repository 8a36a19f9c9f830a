"""When a notice goes by mail, and whether it needs to any more.

It goes a little later than it happened, or at an hour that was chosen. Both follow from the notice,
the hour and the time zone alone. So nothing is kept that would have to be mended when somebody
chooses another hour or another zone, or when clocks are put back.

Who has moved, made an offer, or said something beside the match by then has seen it, and so has
whoever brought it about. What their conditional moves did they have not seen, nor what time alone
did.
"""

from __future__ import annotations

from datetime import UTC, datetime, time, timedelta, tzinfo

from sqlalchemy import Connection

from domain.match.events import SERVER, Event, format_actor
from domain.match.notices import TEST, TIME_LOW
from services.matches.conditional_moves.execution import CONDITIONAL
from services.store import talk
from services.store.log import events
from services.store.notices.deliveries import SECURITY, DeliveryRow
from services.store.notices.mail_links import CONFIRM, PASSWORD

HOUR, QUIET = timedelta(hours=1), timedelta(minutes=10)
"""So long somebody may act by themselves before they are told by mail."""

MOST_AN_HOUR = 20
"""So many mails a person gets in an hour at once. What else happens goes in one, when the next hour
begins: somebody else may make it happen, such as one challenge after the other."""

URGENT = frozenset({TIME_LOW, TEST, CONFIRM, PASSWORD, *SECURITY})
"""Types that wait for no hour: somebody waits for them, or it would be too late."""

MOST_AT_ONCE = 8
"""So many events before the last one may be of the same act: what chance decided, an end."""


def compute_send_time(type_: str, at: datetime, hour: int | None, zone: tzinfo) -> datetime:
    """Return when what happened ``at`` an instant goes; ``hour`` None: at once."""
    if type_ in URGENT:
        return at
    return at + QUIET if hour is None else compute_next_digest(at, hour, zone)


def compute_next_digest(at: datetime, hour: int, zone: tzinfo) -> datetime:
    """Return the first instant not before ``at`` at which it is so many o'clock somewhere.

    There is one each day. An hour that a day has not, since clocks are put forward, begins when
    they are; of one that it has twice, the first counts.

    >>> from zoneinfo import ZoneInfo
    >>> berlin = ZoneInfo("Europe/Berlin")
    >>> str(compute_next_digest(datetime(2027, 3, 27, 12, tzinfo=UTC), 2, berlin))
    '2027-03-28 01:00:00+00:00'
    """
    today = at.astimezone(zone).date()
    days = (today + timedelta(days=days) for days in range(3))
    found = (datetime.combine(day, time(hour), zone).astimezone(UTC) for day in days)
    return next(one for one in found if one >= at)


def has_acted(connection: Connection, player: str, seat: int | None, row: DeliveryRow) -> bool:
    """Tell whether a player has acted in the match of a notice since, or has brought it about."""
    if row.match is None or row.version is None or seat is None:
        return False
    found = events.load(connection, row.match, after=max(0, row.version - MOST_AT_ONCE))
    by_hand = [one for one in found if _is_by_hand(one)]
    since = [one.actor for one in by_hand if one.version > row.version]
    # That little time is left follows from nothing that anybody did.
    told = [one.at for one in found if one.version == row.version and row.type != TIME_LOW]
    cause = [one.actor for one in by_hand if one.version <= row.version and one.at in told][-1:]
    return format_actor(seat) in (*cause, *since) or talk.has_said(
        connection, row.match, player, row.at
    )


def _is_by_hand(event: Event) -> bool:
    conditional = getattr(event.fact, "cause", None) == CONDITIONAL
    return event.actor != SERVER and not conditional
