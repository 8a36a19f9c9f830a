"""Databases of a given size, filled through the bare drivers, the guarding triggers included."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterable, Iterator, Sequence
from itertools import islice
from typing import Any

import psycopg
from sqlalchemy import make_url

from services.store.matches import MatchRow
from services.store.schema import upgrade
from tests.bench.copies import Copy, copies

EVENTS_EACH_PLAYER = 1_000
"""A service of many events has many players."""

AT_ONCE = 500
"""Matches of one load."""

COLUMNS = {
    "players": ("id", "name", "key", "admin", "created_at"),
    "events": ("match", "version", "kind", "at", "body", "hash", "openings"),
    "matches": MatchRow._fields,
    "snapshots": ("match", "version", "head", "format", "state"),
}

Rows = dict[str, list[Sequence[Any]]]


def fill(url: str, events: int) -> list[MatchRow]:
    """Migrate an empty database and put so many events into it; return its matches' rows."""
    count = max(20, events // EVENTS_EACH_PLAYER)
    people = [f"p_{number:016}" for number in range(count)]
    return put(url, copies(events, people), people)


def put(url: str, stream: Iterator[Copy], people: Sequence[str]) -> list[MatchRow]:
    """Migrate an empty database and put matches of these players into it; return their rows."""
    upgrade(url)
    load = _load_sqlite if url.startswith("sqlite") else _load_postgres
    loaded: list[MatchRow] = []
    load(url, _loads(stream, people, loaded))
    return loaded


def _loads(stream: Iterator[Copy], people: Sequence[str], loaded: list[MatchRow]) -> Iterator[Rows]:
    created = "2024-01-01T00:00:00.000000Z"
    yield {"players": [(one, one, one, False, created) for one in people]}
    while some := list(islice(stream, AT_ONCE)):
        rows = _rows(some)
        loaded += [MatchRow(*row) for row in rows["matches"]]
        yield rows


def _rows(some: Iterable[Copy]) -> Rows:
    rows: Rows = {"events": [], "matches": [], "snapshots": []}
    for copy in some:
        rows["events"] += copy.events
        rows["matches"].append([copy.match[name] for name in MatchRow._fields])
        rows["snapshots"] += copy.snapshots
    return rows


def _load_sqlite(url: str, loads: Iterable[Rows]) -> None:
    connection = sqlite3.connect(make_url(url).database or "", isolation_level=None)
    connection.execute("PRAGMA synchronous = OFF")
    connection.execute("BEGIN")
    for load in loads:
        for table, rows in load.items():
            names = ", ".join(f'"{name}"' for name in COLUMNS[table])
            places = ", ".join("?" * len(COLUMNS[table]))
            connection.executemany(f"INSERT INTO {table} ({names}) VALUES ({places})", rows)
    for ending in ("COMMIT", "ANALYZE", "PRAGMA wal_checkpoint(TRUNCATE)"):
        connection.execute(ending)
    connection.close()


def _load_postgres(url: str, loads: Iterable[Rows]) -> None:
    with psycopg.connect(url.replace("+psycopg", ""), autocommit=True) as connection:
        with connection.transaction(), connection.cursor() as cursor:
            for load in loads:
                for table, rows in load.items():
                    names = ", ".join(f'"{name}"' for name in COLUMNS[table])
                    with cursor.copy(f"COPY {table} ({names}) FROM STDIN") as copy:
                        for row in rows:
                            copy.write_row(row)
        connection.execute("VACUUM ANALYZE")
        connection.execute("CHECKPOINT")
