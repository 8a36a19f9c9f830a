"""Which matches an export of many has, and where it goes on after it was cut off."""

from __future__ import annotations

import re
from datetime import UTC, datetime
from typing import NamedTuple

from domain.i18n import say
from services.errors import CursorGone, InvalidRequest
from services.runtime.clock import instant

_CURSOR = re.compile(r"([0-9a-z]{16}),([1-9][0-9]{0,8}),([0-9a-f]{64})", re.ASCII)
_OF_OLD = re.compile(r"[0-9]{4}(-[0-9]{2}){2}T([0-9]{2}:){2}[0-9]{2}\.[0-9]{6}Z,[0-9a-z]{16}")
"""A cursor of releases that went by instants."""


class Choice(NamedTuple):
    """Which matches; None: all that the caller may see.

    ``player`` is the name of an account, ``game`` a slug. ``since`` and ``until`` are dates or
    instants (ISO 8601, UTC unless they say otherwise) between which the last event happened, the
    first included; they choose, and do not say what is new. ``cursor`` is that of the last match
    that the client has.
    """

    game: str | None = None
    player: str | None = None
    since: str | None = None
    until: str | None = None
    cursor: str | None = None


class Last(NamedTuple):
    """The last event of a match in an export: what a cursor says."""

    match: str
    version: int
    hash: str


def write_cursor(last: Last) -> str:
    """Return the cursor behind a match: where its last event stands, and which one that was.

    All of it stands in the match's last line, so that whoever has that can go on.
    """
    return ",".join(map(str, last))


def read_cursor(cursor: str) -> Last:
    """Return behind which event an export goes on.

    Raises ``InvalidRequest``, and ``CursorGone`` for one of an older release.
    """
    found = _CURSOR.fullmatch(cursor)
    if found is not None:
        return Last(found[1], int(found[2]), found[3])
    if _OF_OLD.fullmatch(cursor) is not None:
        raise gone()
    raise InvalidRequest(
        say("This is no cursor of an export: `match,version,hash` of a match's last event is one."),
        pointer="/cursor",
    )


def gone() -> CursorGone:
    """Return the refusal of a cursor behind which this history cannot go on."""
    return CursorGone(
        say(
            "The history here has no such event as the one that this cursor is behind: a backup "
            "may have been restored. Export all anew, without a cursor."
        ),
        pointer="/cursor",
    )


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
