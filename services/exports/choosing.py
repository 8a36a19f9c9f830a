"""Which matches an export of many has, and where it goes on after it was cut off."""

from __future__ import annotations

import re
from datetime import UTC, datetime
from typing import NamedTuple

from services.clock import instant
from services.errors import InvalidRequest
from services.store.readmodels import Place

_CURSOR = re.compile(
    r"([0-9]{4}-[0-9]{2}-[0-9]{2}T[0-9]{2}:[0-9]{2}:[0-9]{2}\.[0-9]{6}Z),([0-9a-z]{16})", re.ASCII
)


class Choice(NamedTuple):
    """Which matches; None: all that the caller may see.

    ``player`` is the name of an account, ``game`` a slug. ``since`` and ``until`` are dates or
    instants (ISO 8601, UTC unless they say otherwise) between which the last event happened, the
    first included. ``cursor`` is that of the last match that the client has.
    """

    game: str | None = None
    player: str | None = None
    since: str | None = None
    until: str | None = None
    cursor: str | None = None


def write_cursor(place: Place) -> str:
    """Return the cursor behind a match: the instant of its last event, a comma, its id.

    Both stand in the match's last line, so that whoever has that knows the cursor.
    """
    return f"{place.at},{place.id}"


def read_cursor(cursor: str | None) -> Place | None:
    """Return where an export goes on. Raises ``InvalidRequest``."""
    if cursor is None:
        return None
    found = _CURSOR.fullmatch(cursor)
    if found is None:
        raise InvalidRequest(
            "A cursor is the `at` of a match's last event, a comma, and the match's id.",
            pointer="/cursor",
        )
    return Place(found[1], found[2])


def read_instant(text: str | None, name: str) -> str | None:
    """Return a date or an instant in the form of the event format. Raises ``InvalidRequest``.

    >>> read_instant("2026-11-27", "since"), read_instant("2026-11-27T22:00+01:00", "since")
    ('2026-11-27T00:00:00.000000Z', '2026-11-27T21:00:00.000000Z')
    """
    if text is None:
        return None
    try:
        when = datetime.fromisoformat(text)
        return instant(when if when.tzinfo is not None else when.replace(tzinfo=UTC))
    except (ValueError, OverflowError):
        raise InvalidRequest(
            f"'{name}' is a date or an instant, such as 2026-11-27 or 2026-11-27T22:00:00Z.",
            pointer=f"/{name}",
        ) from None
