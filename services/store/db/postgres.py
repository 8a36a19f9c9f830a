"""Connections to PostgreSQL: a pool that reads, and a pool that writes."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import sqlalchemy as sa
from sqlalchemy import Connection
from sqlalchemy.exc import DatabaseError, OperationalError

HELD = 250
"""Milliseconds that a single statement waits for a row that somebody else has."""

KEPT = 8
"""Connections of each kind that stay open; twice as many may be open for a while."""

NOT_GRANTED, _READ_ONLY = "42501", "25006"
"""What PostgreSQL calls the two."""


class Postgres:
    """The connections of one process. ``patience``: seconds to wait for a free one."""

    def __init__(self, url: str, patience: float) -> None:
        settings: dict[str, Any] = {
            "pool_size": KEPT,
            "max_overflow": KEPT,
            "pool_timeout": patience,
            "pool_use_lifo": True,
            "hide_parameters": True,
            "connect_args": {"connect_timeout": max(2, int(patience)), "client_encoding": "utf8"},
        }
        self._writers = sa.create_engine(url, isolation_level="READ COMMITTED", **settings)
        sa.event.listen(self._writers, "connect", _renumber)
        # Where every statement is a transaction of its own there is none left to be undone.
        settings["pool_reset_on_return"] = None
        single = sa.create_engine(url, isolation_level="AUTOCOMMIT", **settings)
        sa.event.listen(single, "connect", _renumber)
        sa.event.listen(single, "connect", _limit_waiting)
        self._single = single
        # A statement that reads is a transaction of its own: READ COMMITTED promises no more
        # than that within a transaction, and this spares two round trips.
        self._readers = sa.create_engine(url, isolation_level="AUTOCOMMIT", **settings)
        sa.event.listen(self._readers, "connect", _renumber)
        sa.event.listen(self._readers, "connect", _forbid_writing)

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

    noting = writing

    @contextmanager
    def stating(self) -> Iterator[Connection]:
        """Give a connection on which every statement is a transaction of its own.

        None waits long for a row that another transaction holds: it raises ``OperationalError``.
        """
        with self._single.connect() as connection:
            yield connection

    migrating = writing

    def is_outage(self, error: DatabaseError) -> bool:
        """Tell a database that cannot answer from a statement that it does not take."""
        state = getattr(error.orig, "sqlstate", None)
        return (
            isinstance(error, OperationalError)
            or error.connection_invalidated
            or state == _READ_ONLY
        )

    def is_forbidden(self, error: DatabaseError) -> bool:
        """Tell whether the role that is connected may not do this."""
        return getattr(error.orig, "sqlstate", None) == NOT_GRANTED

    def forget(self) -> None:
        """Leave all connections to the process that this one was forked from."""
        for engine in (self._readers, self._writers, self._single):
            engine.dispose(close=False)

    def dispose(self) -> None:
        """Close all connections that nobody uses."""
        for engine in (self._readers, self._writers, self._single):
            engine.dispose()


def _renumber(connection: Any, _: object) -> None:  # noqa: ANN401 - of the driver
    """See that what comes now is numbered behind all that is there (see ``feed``)."""
    from psycopg import errors  # noqa: PLC0415 - a tenth of a start, and SQLite needs none of it

    try:
        connection.execute("SELECT log_renumber()")
        connection.commit()
    except (errors.UndefinedFunction, errors.InsufficientPrivilege):
        # No schema yet, or none that one may look at: whoever needs it tells.
        connection.rollback()


def _limit_waiting(connection: Any, _: object) -> None:  # noqa: ANN401 - of the driver
    connection.execute(f"SET lock_timeout = {HELD}")


def _forbid_writing(connection: Any, _: object) -> None:  # noqa: ANN401 - a connection of the driver
    connection.execute("SET default_transaction_read_only = on")
