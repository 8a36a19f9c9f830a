"""Reading for audits: rows as they lie, whatever became of them, in ranges of matches."""

from __future__ import annotations

import sqlite3
from collections.abc import Collection, Mapping, Sequence
from itertools import groupby
from operator import attrgetter, itemgetter
from typing import Any, NamedTuple, TypeAlias

from sqlalchemy import Connection

from services.store.db.engine import fetch, fetch_first
from services.store.log.snapshots import Snapshot
from services.store.matches import MatchRow

FIRST = ""
"""Before the id of every match."""
AT_ONCE = 1_000
"""Events of short matches that are read at once: what keeps the memory of an audit flat."""

RawRow: TypeAlias = tuple[int, str, int, str, str, bytes, str, bytes | None]
"""A row of the table of events as the driver gives it: what a ``StoredRow`` has, in that order.

A record of each would take as long as its hash.
"""


class StoredRow(NamedTuple):
    """A row of the table of events."""

    position: int
    match: str
    version: int
    kind: str
    at: str
    body: bytes
    hash: str
    openings: bytes | None


class RowSpan(NamedTuple):
    """The matches with ``after`` < id <= ``upto``; None: to the end."""

    after: str
    upto: str | None


_EVENTS = (
    'SELECT position, "match", version, kind, "at", body, hash, openings FROM events WHERE "match"'
)
_LINES = f"SELECT {', '.join(MatchRow._fields)} FROM matches WHERE id"  # noqa: S608 - our names
_BOUNDARY = "SELECT id FROM matches WHERE id > ? ORDER BY id LIMIT 1 OFFSET ?"
_SNAPSHOTS = 'SELECT "match", version, head, format, state FROM snapshots WHERE "match"'
_WITH_SNAPSHOTS = 'SELECT DISTINCT "match", format FROM snapshots WHERE "match"'


def list_events(connection: Connection, match: str) -> list[StoredRow]:
    """Return all rows of one match."""
    return [
        StoredRow(*row)
        for row in _fetch_raw(connection, f"{_EVENTS} = ? ORDER BY version", [match])
    ]


def find_line(connection: Connection, match: str) -> MatchRow | None:
    """Return a match's line of the read model."""
    found = _fetch_raw(connection, f"{_LINES} = ?", [match])
    return MatchRow._make(found[0]) if found else None


def list_lines(connection: Connection, after: str, upto: str | None) -> dict[str, MatchRow]:
    """Return the lines of the read model with ``after`` < id <= ``upto``, in this order."""
    return {
        row[0]: MatchRow._make(row)
        for row in _fetch_within(connection, RowSpan(after, upto), _LINES, "id")
    }


def list_events_by_match(connection: Connection, span: RowSpan) -> dict[str | bytes, list[RawRow]]:
    """Return all rows of the matches of a span, by match, whether or not there is a line of it.

    SQLite lets bytes stand where the id of a match belongs, and they lie behind all texts.
    """
    found = _fetch_within(connection, span, _EVENTS, '"match", version')
    return {match: list(some) for match, some in groupby(found, itemgetter(1))}


def split_span(span: RowSpan, events: Mapping[str, int], at_once: int = AT_ONCE) -> list[RowSpan]:
    """Return a span in portions that are read at once, each of so many events or a long match.

    ``events``: the matches of the span in the order of their ids, and how many each is said to
    have.
    """
    made: list[RowSpan] = []
    (after, upto), room = span, at_once
    for match, number in events.items():
        room -= number
        if room <= 0:
            made.append(RowSpan(after, match))
            after, room = match, at_once
    return [*made, RowSpan(after, upto)]


def list_snapshots_by_match(
    connection: Connection, span: RowSpan, formats: Collection[str]
) -> dict[str, list[Snapshot]]:
    """Return the snapshots, in one of these formats, of the matches of a span."""
    found = map(Snapshot._make, _fetch_within(connection, span, _SNAPSHOTS, '"match", version'))
    readable = [one for one in found if one.format in formats]
    return {match: list(some) for match, some in groupby(readable, attrgetter("match"))}


def list_with_snapshots(
    connection: Connection, span: RowSpan, formats: Collection[str]
) -> list[str]:
    """Return which of the matches of a span have snapshots in one of these formats."""
    found = _fetch_within(connection, span, _WITH_SNAPSHOTS, '"match"')
    return sorted({match for match, written in found if written in formats})


def format_id(match: str | bytes) -> str:
    """Return what stands where the id of a match belongs so that it can be shown.

    What is no text in it is replaced, and bytes are written as SQL has them: neither is the id of
    a match.
    """
    if isinstance(match, bytes):
        return f"x'{match.hex()}'"
    return match.encode(errors="surrogateescape").decode(errors="replace")


def _fetch_within(connection: Connection, span: RowSpan, sql: str, order: str) -> Sequence[Any]:
    """Return the rows of a span; ``sql`` ends with the name of the column of ids."""
    column = sql.rpartition(" ")[2]
    bounds = [one for one in span if one is not None]
    upto = f" AND {column} <= ?" if len(bounds) == len(span) else ""
    return _fetch_raw(connection, f"{sql} > ?{upto} ORDER BY {order}", bounds)


def _fetch_raw(connection: Connection, sql: str, values: Sequence[object]) -> Sequence[Any]:
    """Return rows; bytes that are no text, which SQLite takes for texts, come as surrogates."""
    try:
        return fetch(connection, sql, values, many=True)
    except sqlite3.OperationalError:
        there: Any = connection.connection.driver_connection
        before, there.text_factory = there.text_factory, _decode
        try:
            return fetch(connection, sql, values, many=True)
        finally:
            there.text_factory = before


def _decode(text: bytes) -> str:
    return text.decode(errors="surrogateescape")


def list_snapshots(
    connection: Connection, match: str, formats: Collection[str]
) -> Sequence[Snapshot]:
    """Return the snapshots of one match that are in one of these formats."""
    found = _fetch_raw(connection, f"{_SNAPSHOTS} = ? ORDER BY version", [match])
    return [one for one in map(Snapshot._make, found) if one.format in formats]


def find_boundary(connection: Connection, after: str, matches_apart: int) -> str | None:
    """Return the id of a line that lies so many lines behind ``after``; None: fewer are left."""
    return fetch_first(connection, str, _BOUNDARY, [after, matches_apart - 1])
