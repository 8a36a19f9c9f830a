"""All events of all matches, in an order in which none can be missed.

A reader keeps the cursor of the last page and asks for what is behind it, so an event must never
turn up before a place that was read already. On SQLite positions are given out by one writer at a
time. On PostgreSQL they are given out before their transactions commit, and a transaction that
commits late would be missed: there the order is that of transactions, and only those are read
that no running transaction can come before.
"""

from __future__ import annotations

import re
from typing import NamedTuple

from sqlalchemy import Connection

from domain.events import Event
from services.store.codec import CODEC
from services.store.driver import rows

START = "0.0"
"""The cursor before the first event."""

_CURSOR = re.compile(r"(\d{1,20})\.(\d{1,19})", re.ASCII)

_SQLITE = """
SELECT body, hash, openings, 0, position FROM events
WHERE position > ? ORDER BY position LIMIT ?
"""
_POSTGRES = """
SELECT body, hash, openings, txid::text AS transaction, position FROM events
WHERE (txid, position) > (?::xid8, ?) AND txid < pg_snapshot_xmin(pg_current_snapshot())
ORDER BY txid, position LIMIT ?
"""


class Page(NamedTuple):
    """Events, and the cursor to go on with (the same as before when there are none)."""

    events: list[Event]
    cursor: str


def read(connection: Connection, cursor: str = START, limit: int = 500) -> Page:
    """Return the next events behind ``cursor``, at most ``limit``.

    Events of one match come by version. The newest may stay away for as long as an older
    transaction runs. Raises ``ValueError`` for what is no cursor of this feed.
    """
    place = _CURSOR.fullmatch(cursor)
    if place is None:
        raise ValueError("This is no cursor of the feed of events.")
    transaction, position = place[1], int(place[2])
    if connection.dialect.name == "sqlite":
        found = rows(connection, _SQLITE, [position, limit])
    else:
        found = rows(connection, _POSTGRES, [transaction, position, limit])
    if not found:
        return Page([], cursor)
    return Page(CODEC.decode(row[:3] for row in found), f"{found[-1][3]}.{found[-1][4]}")
