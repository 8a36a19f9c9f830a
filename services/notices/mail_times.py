"""When a notice goes by mail: a little later than it happened, or at an hour that was chosen.

Both follow from the notice, the hour and the time zone alone. So nothing is kept that would have to
be mended when somebody chooses another hour or another zone, or when clocks are put back.
"""

from __future__ import annotations

from datetime import UTC, datetime, time, timedelta, tzinfo

from domain.match.notices import TEST, TIME_LOW
from services.store.notices.mail_links import CONFIRM, PASSWORD

QUIET = timedelta(minutes=10)
"""So long somebody may act by themselves before they are told by mail."""

URGENT = frozenset({TIME_LOW, TEST, CONFIRM, PASSWORD})
"""Types that wait for no hour: somebody waits for them, or it would be too late."""


def goes_at(type_: str, at: datetime, hour: int | None, zone: tzinfo) -> datetime:
    """Return when what happened ``at`` an instant goes; ``hour`` None: at once."""
    if type_ in URGENT:
        return at
    return at + QUIET if hour is None else next_digest(at, hour, zone)


def next_digest(at: datetime, hour: int, zone: tzinfo) -> datetime:
    """Return the first instant not before ``at`` at which it is so many o'clock somewhere.

    There is one each day. An hour that a day has not, since clocks are put forward, begins when
    they are; of one that it has twice, the first counts.

    >>> from zoneinfo import ZoneInfo
    >>> berlin = ZoneInfo("Europe/Berlin")
    >>> str(next_digest(datetime(2027, 3, 27, 12, tzinfo=UTC), 2, berlin))
    '2027-03-28 01:00:00+00:00'
    """
    today = at.astimezone(zone).date()
    days = (today + timedelta(days=days) for days in range(3))
    found = (datetime.combine(day, time(hour), zone).astimezone(UTC) for day in days)
    return next(one for one in found if one >= at)
