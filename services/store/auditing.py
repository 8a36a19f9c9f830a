"""Reading for audits: rows as they lie, whatever became of them, in ranges of matches."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from sqlalchemy import Connection, select

from services.store.driver import rows
from services.store.readmodels import MatchRow
from services.store.snapshots import Snapshot
from services.store.tables import matches, snapshots

FIRST = ""
"""Before the id of every match."""
AT_ONCE = 5_000
"""Events of one reading: what keeps the memory of an audit flat."""


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


_COLUMNS = 'position, "match", version, kind, "at", body, hash, openings'
_OF_ONE = f'SELECT {_COLUMNS} FROM events WHERE "match" = ? ORDER BY version'  # noqa: S608
_PAGE = (
    f'SELECT {_COLUMNS} FROM events WHERE "match" > ? AND "match" <= ? '  # noqa: S608
    'ORDER BY "match", version LIMIT ?'
)
_PAGE_OPEN = (
    f'SELECT {_COLUMNS} FROM events WHERE "match" > ? '  # noqa: S608
    'ORDER BY "match", version LIMIT ?'
)
_SNAPSHOTS = (snapshots.c.match, snapshots.c.version, snapshots.c.head, snapshots.c.state)
_LINE = tuple(matches.c[name] for name in MatchRow._fields)


def events_of(connection: Connection, match: str) -> list[StoredRow]:
    """Return all rows of one match."""
    return [StoredRow(*row) for row in rows(connection, _OF_ONE, [match])]


def page(connection: Connection, after: str, upto: str | None) -> dict[str, list[StoredRow]]:
    """Return the rows of the next matches behind ``after``, each match whole.

    Nothing: there are none up to ``upto``, or up to the end.
    """
    bounds = [after] if upto is None else [after, upto]
    found = rows(connection, _PAGE_OPEN if upto is None else _PAGE, [*bounds, AT_ONCE])
    grouped: dict[str, list[StoredRow]] = {}
    for row in found:
        grouped.setdefault(row[1], []).append(StoredRow._make(row))
    if len(found) == AT_ONCE:
        last, _ = grouped.popitem()
        if not grouped:
            grouped[last] = events_of(connection, last)
    return grouped


def lines(connection: Connection, after: str, upto: str | None) -> dict[str, MatchRow]:
    """Return the lines of the read model with ``after`` < id <= ``upto``."""
    query = select(*_LINE).where(matches.c.id > after)
    if upto is not None:
        query = query.where(matches.c.id <= upto)
    return {row[0]: MatchRow(*row) for row in connection.execute(query)}


def snapshots_of(connection: Connection, after: str, upto: str | None) -> dict[str, list[Snapshot]]:
    """Return the snapshots of the matches with ``after`` < id <= ``upto``."""
    query = select(*_SNAPSHOTS).where(snapshots.c.match > after)
    if upto is not None:
        query = query.where(snapshots.c.match <= upto)
    found: dict[str, list[Snapshot]] = {}
    for row in connection.execute(query.order_by(snapshots.c.match, snapshots.c.version)):
        found.setdefault(row[0], []).append(Snapshot(*row))
    return found


def snapshots_of_one(connection: Connection, match: str) -> Sequence[Snapshot]:
    """Return the snapshots of one match."""
    query = select(*_SNAPSHOTS).where(snapshots.c.match == match).order_by(snapshots.c.version)
    return [Snapshot(*row) for row in connection.execute(query)]


def boundary(connection: Connection, after: str, matches_apart: int) -> str | None:
    """Return the id of a line that lies so many lines behind ``after``; None: fewer are left."""
    query = select(matches.c.id).where(matches.c.id > after).order_by(matches.c.id)
    found = connection.execute(query.offset(matches_apart - 1).limit(1)).scalar()
    return None if found is None else str(found)
