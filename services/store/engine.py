"""The database of a process: connections to read with, and connections to write with.

Readers never wait for writers. On SQLite (WAL, synchronous FULL) writers take the write lock at
once (BEGIN IMMEDIATE), since a transaction that reads first and writes later fails on the spot
when another got in between; and within a process they wait for each other in a queue of ours,
because SQLite's own busy handler sleeps and retries, and lets the unlucky wait long.
"""

from __future__ import annotations

import os
import sqlite3
import weakref
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, contextmanager
from contextlib import nullcontext as no_turns
from pathlib import Path
from typing import Any
from urllib.parse import quote

from sqlalchemy import Connection, Engine, create_engine, event, make_url
from sqlalchemy.engine import URL
from sqlalchemy.exc import ArgumentError, DatabaseError, OperationalError
from sqlalchemy.exc import TimeoutError as PoolTimeout
from sqlalchemy.pool import QueuePool

from services.errors import Unavailable
from services.store.turns import Turns

PATIENCE = 10.0
"""Seconds that a writer waits for its turn, and anybody for PostgreSQL to answer."""

SQLITE_PRAGMAS = """
PRAGMA journal_mode = WAL;
PRAGMA synchronous = FULL;
PRAGMA foreign_keys = ON;
PRAGMA recursive_triggers = ON;
"""

POSTGRES_POOL = 8
"""Connections of each kind that a process keeps; twice as many may be open for a while."""


def normal_url(path_or_url: str) -> str:
    """Return the SQLAlchemy URL of a database; a plain path means SQLite.

    Raises ``ValueError`` in a person's words for what is neither SQLite in a file nor
    PostgreSQL.

    >>> normal_url("/srv/plybook.sqlite3")
    'sqlite:////srv/plybook.sqlite3'
    >>> normal_url("postgresql://plybook@db/plybook")
    'postgresql+psycopg://plybook@db/plybook'
    """
    if "://" not in path_or_url:
        path = Path(path_or_url).expanduser().absolute()
        return URL.create("sqlite", database=str(path)).render_as_string(hide_password=False)
    try:
        url = make_url(path_or_url)
    except ArgumentError:
        raise ValueError("The database's URL cannot be read.") from None
    backend = url.drivername.partition("+")[0]
    if backend in ("postgresql", "postgres"):
        return url.set(drivername="postgresql+psycopg").render_as_string(hide_password=False)
    if backend != "sqlite":
        raise ValueError(f"{backend!r} is no database that Plybook knows: SQLite and PostgreSQL.")
    if url.database in (None, "", ":memory:"):
        raise ValueError("Plybook keeps an SQLite database in a file: give its path.")
    return url.set(drivername="sqlite").render_as_string(hide_password=False)


class Database:
    """A database, built once per process; connections are opened when first needed.

    It may be used from many threads, and after a fork. ``patience``: seconds to wait for the
    turn to write. Raises ``ValueError`` for a URL that ``normal_url`` refuses.
    """

    def __init__(self, path_or_url: str, *, patience: float = PATIENCE) -> None:
        self.url = normal_url(path_or_url)
        self.shown_url = make_url(self.url).render_as_string()
        """The URL without its password."""
        self.patience = patience
        self.sqlite = self.url.startswith("sqlite")
        make = _sqlite_engine if self.sqlite else _postgres_engine
        self._readers = make(self.url, patience, writes=False)
        self._writers = make(self.url, patience, writes=True)
        self._turns = Turns(patience) if self.sqlite else None
        _databases.add(self)

    @contextmanager
    def read(self) -> Iterator[Connection]:
        """Give a connection that only reads.

        On SQLite all that it reads is of one moment; on PostgreSQL each statement has its own.
        Raises ``Unavailable``.
        """
        with self._connected(self._readers) as connection:
            yield connection

    @contextmanager
    def write(self) -> Iterator[Connection]:
        """Give a connection in a transaction, which is committed at the end or undone.

        Once the block is left without an exception, what was written survives a power cut.
        Raises ``Unavailable`` when the turn to write does not come in time.
        """
        turn: AbstractContextManager[None] = no_turns() if self._turns is None else self._turns
        with turn, self._connected(self._writers) as connection, connection.begin():
            yield connection

    @contextmanager
    def migrate(self) -> Iterator[Connection]:
        """Give a connection for changing the schema, in a transaction as with ``write``.

        On SQLite foreign keys are not looked at: a table that is rebuilt is dropped for a
        moment, and with foreign keys on, that would take the rows that refer to it along.
        """
        with self._connected(self._writers) as connection:
            if self.sqlite:
                # Over the driver: within a transaction SQLite would not listen.
                _driver(connection).execute("PRAGMA foreign_keys = OFF")
            with connection.begin():
                yield connection
            connection.invalidate()

    def dispose(self) -> None:
        """Close all connections that nobody uses."""
        self._readers.dispose()
        self._writers.dispose()

    @contextmanager
    def _connected(self, engine: Engine) -> Iterator[Connection]:
        try:
            with engine.connect() as connection:
                yield connection
        except PoolTimeout as error:
            raise Unavailable("Too many connections are in use; please try again.") from error
        except DatabaseError as error:
            if _is_outage(error):
                raise Unavailable(
                    f"The database {self.shown_url} does not answer: {_first_line(error)}"
                ) from error
            raise

    def forget_connections(self) -> None:
        """Leave the connections of the process that this one was forked from to that one."""
        # Closing them here would end the parent's sessions, so they are kept and never used.
        _inherited.extend((self._readers.pool, self._writers.pool))
        self._readers.dispose(close=False)
        self._writers.dispose(close=False)
        if self._turns is not None:
            self._turns = Turns(self.patience)


_databases: weakref.WeakSet[Database] = weakref.WeakSet()
_inherited: list[object] = []


def _after_fork() -> None:
    for database in _databases:
        database.forget_connections()


os.register_at_fork(after_in_child=_after_fork)


def _sqlite_engine(url: str, patience: float, *, writes: bool) -> Engine:
    engine = create_engine(
        url,
        creator=_sqlite_opener(make_url(url), patience, writes=writes),
        poolclass=QueuePool,
        # One writer at a time is all that SQLite has; readers must not wait for each other.
        pool_size=1 if writes else POSTGRES_POOL,
        max_overflow=0 if writes else -1,
    )
    begin = "BEGIN IMMEDIATE" if writes else "BEGIN"

    @event.listens_for(engine, "begin")
    def _begin(connection: Connection) -> None:
        try:
            _driver(connection).execute(begin)
        except sqlite3.OperationalError as error:
            raise OperationalError(begin, None, error) from error

    return engine


def _driver(connection: Connection) -> Any:  # noqa: ANN401 - whichever driver it is
    return connection.connection.dbapi_connection


def _sqlite_opener(url: URL, patience: float, *, writes: bool) -> Callable[[], sqlite3.Connection]:
    # mode=rw: a path that was mistyped is an error, not a new and empty database.
    uri = f"file:{quote(url.database or '')}?mode=rw"

    def connect() -> sqlite3.Connection:
        connection = sqlite3.connect(
            uri, uri=True, timeout=patience, isolation_level=None, check_same_thread=False
        )
        connection.executescript(SQLITE_PRAGMAS)
        if not writes:
            connection.execute("PRAGMA query_only = ON")
        return connection

    return connect


def _postgres_engine(url: str, patience: float, *, writes: bool) -> Engine:
    engine = create_engine(
        url,
        isolation_level="READ COMMITTED" if writes else "AUTOCOMMIT",
        pool_size=POSTGRES_POOL,
        max_overflow=POSTGRES_POOL,
        pool_timeout=patience,
        pool_use_lifo=True,
        connect_args={"connect_timeout": max(2, int(patience))},
    )
    if not writes:
        # Each statement that reads is its own transaction: READ COMMITTED promises no more
        # within one, and this saves two round trips.
        @event.listens_for(engine, "connect")
        def _only_read(connection: object, _: object) -> None:
            connection.execute("SET default_transaction_read_only = on")  # type: ignore[attr-defined]

    return engine


OUTAGES = ("BUSY", "LOCKED", "CANTOPEN", "IOERR", "FULL", "READONLY", "NOTADB", "CORRUPT", "PERM")


def _is_outage(error: DatabaseError) -> bool:
    """Tell a database that cannot answer from a statement that it does not take."""
    name = getattr(error.orig, "sqlite_errorname", None)
    if name is not None:
        return str(name).removeprefix("SQLITE_").startswith(OUTAGES)
    return isinstance(error, OperationalError) or error.connection_invalidated


def _first_line(error: DatabaseError) -> str:
    return str(error.orig).partition("\n")[0]
