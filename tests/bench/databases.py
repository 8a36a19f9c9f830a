"""Databases to measure on: durable ones, migrated, each with its raw driver beside it."""

from __future__ import annotations

import sqlite3
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any, NamedTuple

import psycopg

from domain.match.events import Event
from services.container import House, wire
from services.runtime.settings import Settings
from services.store.schema import upgrade
from tests.support.games import test_games
from tests.support.postgres import PostgresUnavailableError, start_postgres

RAW_TABLE = "CREATE TABLE raw (id {key}, match text, version integer, body {blob}, hash text)"
RAW_INSERT = "INSERT INTO raw (match, version, body, hash) VALUES ({0}, {0}, {0}, {0})"


class Bed(NamedTuple):
    """A database under measurement.

    ``insert`` stores an event's bytes through the bare driver, durably, in a transaction of
    its own. ``select`` returns the bodies of a match's events through the bare driver, and
    ``select_one`` the body of one event.
    """

    name: str
    url: str
    house: House
    insert: Callable[[Event], None]
    select: Callable[[str], list[Any]]
    select_one: Callable[[str, int], bytes]


def settings(url: str) -> Settings:
    """Return settings without limits."""
    return Settings(database_url=url, rate_limit=0, sign_up_limit=0, log_in_limit=0)


@contextmanager
def beds() -> Iterator[list[Bed]]:
    """Make an SQLite file and, where there is one, a database of a durable PostgreSQL."""
    with TemporaryDirectory() as folder:
        sqlite = _sqlite_bed(Path(folder) / "bench.sqlite3")
        try:
            with start_postgres(durable=True) as server:
                postgres = _postgres_bed(server.create_database("bench"))
                yield [sqlite, postgres]
                postgres.house.close()
        except PostgresUnavailableError as reason:
            print(f"PostgreSQL is left out: {reason}")
            yield [sqlite]
        sqlite.house.close()


def _house(url: str) -> House:
    upgrade(url)
    return wire(settings(url), games=test_games())


def _sqlite_bed(path: Path) -> Bed:
    url = f"sqlite:///{path}"
    house = _house(url)
    raw = sqlite3.connect(path.with_name("raw.sqlite3"), isolation_level=None)
    raw.executescript("PRAGMA journal_mode = WAL; PRAGMA synchronous = FULL;")
    raw.execute(RAW_TABLE.format(key="integer primary key autoincrement", blob="blob"))
    reader = sqlite3.connect(path, isolation_level=None)
    statement = RAW_INSERT.format("?")

    def insert(event: Event) -> None:
        raw.execute("BEGIN IMMEDIATE")
        raw.execute(statement, (event.match, event.version, event.body, event.hash))
        raw.execute("COMMIT")

    def select(match: str) -> list[Any]:
        return reader.execute(
            'SELECT body FROM events WHERE "match" = ? ORDER BY version', (match,)
        ).fetchall()

    def select_one(match: str, version: int) -> bytes:
        row = reader.execute(
            'SELECT body FROM events WHERE "match" = ? AND version = ?', (match, version)
        ).fetchone()
        body: bytes = row[0]
        return body

    return Bed("SQLite", url, house, insert, select, select_one)


def _postgres_bed(url: str) -> Bed:
    house = _house(url)
    raw = psycopg.connect(url.replace("+psycopg", ""), autocommit=True)
    raw.execute(RAW_TABLE.format(key="bigserial primary key", blob="bytea"))
    statement = RAW_INSERT.format("%s")

    def insert(event: Event) -> None:
        with raw.transaction():
            raw.execute(statement, (event.match, event.version, event.body, event.hash))

    def select(match: str) -> list[Any]:
        sql = "SELECT body FROM events WHERE match = %s ORDER BY version"
        return raw.execute(sql, (match,)).fetchall()

    def select_one(match: str, version: int) -> bytes:
        sql = "SELECT body FROM events WHERE match = %s AND version = %s"
        row: Any = raw.execute(sql, (match, version)).fetchone()
        body: bytes = row[0]
        return body

    return Bed("PostgreSQL", url, house, insert, select, select_one)
