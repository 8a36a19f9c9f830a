"""Reading for audits: rows as they lie, whatever became of them, in ranges of matches."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from itertools import groupby
from operator import itemgetter
from typing import NamedTuple, TypeAlias, cast

from sqlalchemy import Connection

from services.store.driver import rows, run
from services.store.readmodels import MatchRow
from services.store.snapshots import Snapshot

FIRST = ""
"""Before the id of every match."""
AT_ONCE = 5_000
"""Events of one reading: what keeps the memory of an audit flat."""


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


_BESIDE = 'position, "match", version, kind, "at", body, hash'
_WITHOUT_OPENINGS = f"SELECT {_BESIDE}, NULL FROM events WHERE"  # noqa: S608
_ALL = f"SELECT {_BESIDE}, openings FROM events WHERE"  # noqa: S608
_OF_ONE = f'{_ALL} "match" = ? ORDER BY version'
_LINES = f"SELECT {', '.join(MatchRow._fields)} FROM matches WHERE id > ?"  # noqa: S608
_BOUNDARY = "SELECT id FROM matches WHERE id > ? ORDER BY id LIMIT 1 OFFSET ?"
_SNAPSHOTS = 'SELECT "match", version, head, state FROM snapshots WHERE "match"'


def events_of(connection: Connection, match: str) -> list[StoredRow]:
    """Return all rows of one match."""
    return [StoredRow(*row) for row in rows(connection, _OF_ONE, [match], many=True)]


def each(
    connection: Connection, after: str, upto: str | None, *, openings: bool = True
) -> Iterator[tuple[str, Sequence[RawRow]]]:
    """Yield the rows of the matches with ``after`` < id <= ``upto``, each match whole.

    ``openings``: whether those are wanted, too; otherwise rows have None in their place.
    """
    columns = _ALL if openings else _WITHOUT_OPENINGS
    last: str | None = after
    while last is not None:
        sql, bounds = f'{columns} "match" > ?', [last]
        if upto is not None:
            sql, bounds = f'{sql} AND "match" <= ?', [last, upto]
        sql = f'{sql} ORDER BY "match", version LIMIT {AT_ONCE}'
        read = run(connection, sql, bounds, many=True)
        last = None
        for match, some in _whole(connection, cast("Iterable[RawRow]", read)):
            last = match
            yield match, some


def _whole(
    connection: Connection, read: Iterable[RawRow]
) -> Iterator[tuple[str, Sequence[RawRow]]]:
    """Yield the matches of a page, but for the last one where the page may have cut it."""
    count = 0
    match, held = "", list[RawRow]()
    for following, some in groupby(read, itemgetter(1)):
        if held:
            yield match, held
        match, held = following, list(some)
        count += len(held)
    if held and count < AT_ONCE:
        yield match, held
    elif held and count == len(held):
        yield match, events_of(connection, match)


def lines(connection: Connection, after: str, upto: str | None) -> dict[str, MatchRow]:
    """Return the lines of the read model with ``after`` < id <= ``upto``."""
    sql, bounds = (_LINES, [after]) if upto is None else (f"{_LINES} AND id <= ?", [after, upto])
    return {row[0]: MatchRow._make(row) for row in rows(connection, sql, bounds)}


def snapshots_of(connection: Connection, after: str, upto: str | None) -> dict[str, list[Snapshot]]:
    """Return the snapshots of the matches with ``after`` < id <= ``upto``."""
    sql, bounds = f"{_SNAPSHOTS} > ?", [after]
    if upto is not None:
        sql, bounds = f'{sql} AND "match" <= ?', [after, upto]
    found = rows(connection, f'{sql} ORDER BY "match", version', bounds)
    return {
        match: [Snapshot._make(row) for row in some]
        for match, some in groupby(found, itemgetter(0))
    }


def snapshots_of_one(connection: Connection, match: str) -> Sequence[Snapshot]:
    """Return the snapshots of one match."""
    found = rows(connection, f"{_SNAPSHOTS} = ? ORDER BY version", [match])
    return [Snapshot._make(row) for row in found]


def boundary(connection: Connection, after: str, matches_apart: int) -> str | None:
    """Return the id of a line that lies so many lines behind ``after``; None: fewer are left."""
    row = run(connection, _BOUNDARY, [after, matches_apart - 1]).fetchone()
    return None if row is None else str(row[0])
