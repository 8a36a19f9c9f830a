"""Connections to PostgreSQL: a pool that reads, and a pool that writes."""

from __future__ import annotations

from collections import deque
from collections.abc import Iterator
from contextlib import contextmanager
from threading import BoundedSemaphore
from typing import Any

from sqlalchemy import Connection, Engine, create_engine, event
from sqlalchemy.exc import DatabaseError, OperationalError
from sqlalchemy.exc import TimeoutError as PoolTimeout

HELD = 250
"""Milliseconds that a single statement waits for a row that somebody else has."""

KEPT = 8
"""Connections of each kind that stay open; twice as many may be open for a while."""


class Postgres:
    """The connections of one process. ``patience``: seconds to wait for a free one."""

    def __init__(self, url: str, patience: float) -> None:
        settings: dict[str, Any] = {
            "pool_size": KEPT,
            "max_overflow": KEPT,
            "pool_timeout": patience,
            "pool_use_lifo": True,
            "hide_parameters": True,
            "connect_args": {"connect_timeout": max(2, int(patience))},
        }
        self._writers = create_engine(url, isolation_level="READ COMMITTED", **settings)
        # Where every statement is a transaction of its own there is none left to be undone.
        settings["pool_reset_on_return"] = None
        single = create_engine(url, isolation_level="AUTOCOMMIT", **settings)
        event.listen(single, "connect", _not_wait_long)
        self._single = _Kept(single, patience)
        # A statement that reads is a transaction of its own: READ COMMITTED promises no more
        # than that within a transaction, and this spares two round trips.
        self._readers = create_engine(url, isolation_level="AUTOCOMMIT", **settings)
        event.listen(self._readers, "connect", _only_read)

    @contextmanager
    def reading(self) -> Iterator[Connection]:
        """Give a connection whose statements are transactions of their own."""
        with self._readers.connect() as connection:
            yield connection

    @contextmanager
    def writing(self) -> Iterator[Connection]:
        """Give a connection in a transaction that commits at the end of the block."""
        with self._writers.begin() as connection:
            yield connection

    @contextmanager
    def stating(self) -> Iterator[Connection]:
        """Give a connection on which every statement is a transaction of its own.

        None waits long for a row that another transaction holds: it raises ``OperationalError``.
        """
        with self._single.taken() as connection:
            yield connection

    migrating = writing

    def is_outage(self, error: DatabaseError) -> bool:
        """Tell a database that cannot answer from a statement that it does not take."""
        return isinstance(error, OperationalError) or error.connection_invalidated

    def forget(self) -> None:
        """Leave all connections to the process that this one was forked from."""
        for engine in (self._readers, self._writers):
            engine.dispose(close=False)
        self._single.forget()

    def dispose(self) -> None:
        """Close all connections that nobody uses."""
        for engine in (self._readers, self._writers):
            engine.dispose()
        self._single.dispose()


class _Kept:
    """Connections for single statements, handed on from one to the next as they are.

    Taking a connection out of the engine's pool and giving it back took a tenth of all the time
    that a move needs, and does nothing for a statement that leaves no transaction behind.
    """

    def __init__(self, engine: Engine, patience: float) -> None:
        self._engine, self._patience = engine, patience
        self._free: deque[Connection] = deque()
        self._left: list[deque[Connection]] = []
        # No more than the pool has: nobody waits there while a connection is free here.
        self._turns = BoundedSemaphore(2 * KEPT)

    @contextmanager
    def taken(self) -> Iterator[Connection]:
        """Give a connection; one that anything went wrong on goes back to the pool."""
        if not self._turns.acquire(timeout=self._patience):
            raise PoolTimeout("no connection has become free")
        try:
            connection = self._one()
            with _closed_after_failure(connection):
                yield connection
            self._free.append(connection)
        finally:
            self._turns.release()

    def _one(self) -> Connection:
        try:
            return self._free.pop()
        except IndexError:
            return self._engine.connect()

    def forget(self) -> None:
        """Leave all of them to another process: not even let go of, which might close them."""
        self._left.append(self._free)
        self._free = deque()
        self._turns = BoundedSemaphore(2 * KEPT)
        self._engine.dispose(close=False)

    def dispose(self) -> None:
        """Close those that are free."""
        while self._free:
            self._free.pop().close()
        self._engine.dispose()


@contextmanager
def _closed_after_failure(connection: Connection) -> Iterator[None]:
    try:
        yield
    except BaseException:
        connection.close()
        raise


def _not_wait_long(connection: Any, _: object) -> None:  # noqa: ANN401 - of the driver
    connection.execute(f"SET lock_timeout = {HELD}")


def _only_read(connection: Any, _: object) -> None:  # noqa: ANN401 - a connection of the driver
    connection.execute("SET default_transaction_read_only = on")
