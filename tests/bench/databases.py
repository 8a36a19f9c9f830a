"""Databases to measure on: durable ones, migrated, each with its raw driver beside it."""

from __future__ import annotations

import sqlite3
from collections.abc import Callable, Iterator
from contextlib import ExitStack, closing, contextmanager
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any, NamedTuple

import psycopg
from sqlalchemy import make_url

from domain.match.events import Event
from services.container import Services
from services.runtime.settings import Settings
from services.store.schema import upgrade
from tests.support.games import test_games
from tests.support.postgres import PostgresUnavailableError, start_postgres

RAW_TABLE = "CREATE TABLE IF NOT EXISTS raw ({}, match text, version integer, body {}, hash text)"
RAW_INSERT = "INSERT INTO raw (match, version, body, hash) VALUES ({0}, {0}, {0}, {0})"


class Raw(NamedTuple):
    """The bare driver, each statement durable by itself, and its mark for a value."""

    execute: Callable[..., Any]
    mark: str
    close: Callable[[], None]


class Bed(NamedTuple):
    """A database under measurement, the service over it, and the bare driver beside that."""

    name: str
    url: str
    house: Services
    raw: Raw


@contextmanager
def beds() -> Iterator[list[Bed]]:
    """Make an SQLite file and, where there is one, a database of a durable PostgreSQL."""
    with TemporaryDirectory() as folder, ExitStack() as stack:
        urls = {"SQLite": f"sqlite:///{Path(folder) / 'bench.sqlite3'}"}
        try:
            server = stack.enter_context(start_postgres(durable=True))
            urls["PostgreSQL"] = server.create_database("bench")
        except PostgresUnavailableError as reason:
            print(f"PostgreSQL is left out: {reason}")
        yield [
            Bed(name, url, stack.enter_context(opened(url)), stack.enter_context(closing(raw(url))))
            for name, url in urls.items()
        ]


@contextmanager
def opened(url: str) -> Iterator[Services]:
    """Give the service over a database, without limits, at the newest schema."""
    upgrade(url)
    settings = Settings(database_url=url, rate_limit=0, sign_up_limit=0, log_in_limit=0)
    house = Services(settings, games=test_games())
    yield house
    house.close()


def raw(url: str) -> Raw:
    """Return the bare driver, and make a table for it to write to."""
    there: sqlite3.Connection | psycopg.Connection[Any]
    if url.startswith("sqlite"):
        path = make_url(url).database or ""
        there = sqlite3.connect(path, isolation_level=None, timeout=30, check_same_thread=False)
        there.executescript("PRAGMA journal_mode = WAL; PRAGMA synchronous = FULL;")
        mark, columns = "?", ("id integer primary key autoincrement", "blob")
    else:
        there = psycopg.connect(url.replace("+psycopg", ""), autocommit=True)
        mark, columns = "%s", ("id bigserial primary key", "bytea")
    there.execute(RAW_TABLE.format(*columns))
    return Raw(there.execute, mark, there.close)


def insert(bare: Raw, event: Callable[[], Event]) -> Callable[[], None]:
    """Return what stores the next event's bytes, durably, in a transaction of its own."""
    sql = RAW_INSERT.format(bare.mark)

    def store() -> None:
        one = event()
        bare.execute("BEGIN")
        bare.execute(sql, (one.match, one.version, one.body, one.hash))
        bare.execute("COMMIT")

    return store


def beside(url: str, name: str) -> str:
    """Return the URL of another database; on PostgreSQL it is made, empty."""
    whole = make_url(url)
    if whole.get_backend_name() == "sqlite":
        return f"sqlite:///{Path(whole.database or '').with_name(name)}.sqlite3"
    with psycopg.connect(url.replace("+psycopg", ""), autocommit=True) as connection:
        connection.execute(f"CREATE DATABASE {name}".encode())
    return whole.set(database=name).render_as_string(hide_password=False)
