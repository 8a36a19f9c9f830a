"""All events of all matches, in an order in which none can be missed.

A reader keeps the cursor of the last page and asks for what is behind it, so an event must never
turn up before a place that was read already. On SQLite positions are given out by one writer at a
time. On PostgreSQL they are given out before their transactions commit, and a transaction that
commits late would be missed: there the order is that of transactions, and only those are read
that no running transaction can come before. A log that comes to another server brings numbers of
transactions along that may lie ahead of that server's; so ``txid`` is the server's number and a
shift (``log_transaction``): what was there comes before what is new.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Any, NamedTuple

from sqlalchemy import Connection

from domain.match.events import Event
from services.store.db.sql import rows
from services.store.log.codec import CODEC

START = "0.0"
"""The cursor before the first event."""

_CURSOR = re.compile(r"(\d{1,20})\.(\d{1,19})", re.ASCII)

_SQLITE = "FROM events WHERE position > ? ORDER BY position LIMIT ?"
_POSTGRES = """
FROM events
WHERE (txid, position) > (?::xid8, ?) AND txid < (SELECT log_horizon())
ORDER BY txid, position LIMIT ?
"""


class Page(NamedTuple):
    """Events, and the cursor to go on with (the same as before when there are none)."""

    events: list[Event]
    cursor: str


class Mark(NamedTuple):
    """An event in short: what its row says beside the body."""

    match: str
    version: int
    kind: str
    hash: str


class Marks(NamedTuple):
    """Events in short, and the cursor to go on with."""

    events: list[Mark]
    cursor: str


def read(connection: Connection, cursor: str = START, limit: int = 500) -> Page:
    """Return the next events behind ``cursor``, at most ``limit``.

    Events of one match come by version. The newest may stay away for as long as an older
    transaction runs. Raises ``ValueError`` for what is no cursor of this feed.
    """
    found = _behind(connection, "body, hash, openings", cursor, limit)
    return Page(CODEC.decode(row[:3] for row in found), _last(found, cursor))


def marks(connection: Connection, cursor: str = START, limit: int = 500) -> Marks:
    """Return the next events behind ``cursor`` in short, as ``read`` does; no body is opened."""
    found = _behind(connection, '"match", version, kind, hash', cursor, limit)
    return Marks([Mark(*row[:4]) for row in found], _last(found, cursor))


def _behind(connection: Connection, columns: str, cursor: str, limit: int) -> Sequence[Any]:
    """Return rows of these columns, and behind them the two parts of a cursor."""
    place = _CURSOR.fullmatch(cursor)
    if place is None:
        raise ValueError("This is no cursor of the feed of events.")
    transaction, position = place[1], int(place[2])
    if connection.dialect.name == "sqlite":
        return rows(connection, f"SELECT {columns}, 0, position {_SQLITE}", [position, limit])
    sql = f"SELECT {columns}, txid::text AS transaction, position {_POSTGRES}"
    return rows(connection, sql, [transaction, position, limit])


def _last(found: Sequence[Any], cursor: str) -> str:
    return f"{found[-1][-2]}.{found[-1][-1]}" if found else cursor
