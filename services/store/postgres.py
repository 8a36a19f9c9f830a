"""Connections to PostgreSQL: a pool that reads, and a pool that writes."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from threading import Lock
from typing import Any

from sqlalchemy import Connection, create_engine, event
from sqlalchemy.exc import DatabaseError, OperationalError

HELD = 250
"""Milliseconds that a single statement waits for a row that somebody else has."""

KEPT = 8
"""Connections of each kind that stay open; twice as many may be open for a while."""


_left_behind: list[object] = []
"""Connections of a parent process: closing them here would end the parent's sessions."""


class Postgres:
    """The connections of one process. ``patience``: seconds to wait for a free one."""

    def __init__(self, url: str, patience: float) -> None:
        settings: dict[str, Any] = {
            "pool_size": KEPT,
            "max_overflow": KEPT,
            "pool_timeout": patience,
            "pool_use_lifo": True,
            "hide_parameters": True,
            "connect_args": {
                "connect_timeout": max(2, int(patience)),
                "client_encoding": "utf8",
            },
        }
        self._writers = create_engine(url, isolation_level="READ COMMITTED", **settings)
        # Where every statement is a transaction of its own there is none left to be undone.
        settings["pool_reset_on_return"] = None
        single = create_engine(url, isolation_level="AUTOCOMMIT", **settings)
        event.listen(single, "connect", _not_wait_long)
        self._single = single
        self._kept: Connection | None = None
        self._turn = Lock()
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
        with self._turn:
            kept = self._opened()
            try:
                yield kept
            except BaseException:
                kept.close()
                raise

    migrating = writing

    def is_outage(self, error: DatabaseError) -> bool:
        """Tell a database that cannot answer from a statement that it does not take."""
        return isinstance(error, OperationalError) or error.connection_invalidated

    def forget(self) -> None:
        """Leave all connections to the process that this one was forked from."""
        # Not even let go of, which might close it.
        _left_behind.append(self._kept)
        for engine in (self._readers, self._writers, self._single):
            engine.dispose(close=False)
        self._turn, self._kept = Lock(), None

    def dispose(self) -> None:
        """Close all connections that nobody uses."""
        with self._turn:
            if self._kept is not None:
                self._kept.close()
                self._kept = None
        for engine in (self._readers, self._writers, self._single):
            engine.dispose()

    def _opened(self) -> Connection:
        # Handed on as it is: taking a connection out of a pool and giving it back took a tenth
        # of all the time that a move needs, and a statement that is a transaction of its own
        # leaves nothing behind that would have to be undone.
        if self._kept is None or self._kept.closed:
            self._kept = self._single.connect()
        return self._kept


def _not_wait_long(connection: Any, _: object) -> None:  # noqa: ANN401 - of the driver
    connection.execute(f"SET lock_timeout = {HELD}")


def _only_read(connection: Any, _: object) -> None:  # noqa: ANN401 - a connection of the driver
    connection.execute("SET default_transaction_read_only = on")
