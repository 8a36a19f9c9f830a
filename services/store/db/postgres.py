"""Connections to PostgreSQL: a pool that reads, and a pool that writes."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import AbstractContextManager, contextmanager
from threading import Lock
from typing import Any

from psycopg import errors
from sqlalchemy import Connection, Engine, create_engine, event
from sqlalchemy.exc import DatabaseError, OperationalError
from typing_extensions import override

HELD = 250
"""Milliseconds that a single statement waits for a row that somebody else has."""

KEPT = 8
"""Connections of each kind that stay open; twice as many may be open for a while."""


_NOT_GRANTED, _READ_ONLY = "42501", "25006"

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
        event.listen(self._writers, "connect", _renumber)
        # Where every statement is a transaction of its own there is none left to be undone.
        settings["pool_reset_on_return"] = None
        single = create_engine(url, isolation_level="AUTOCOMMIT", **settings)
        event.listen(single, "connect", _renumber)
        event.listen(single, "connect", _not_wait_long)
        self._single = single
        self._alone = _Alone(single)
        # A statement that reads is a transaction of its own: READ COMMITTED promises no more
        # than that within a transaction, and this spares two round trips.
        self._readers = create_engine(url, isolation_level="AUTOCOMMIT", **settings)
        event.listen(self._readers, "connect", _renumber)
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

    def stating(self) -> AbstractContextManager[Connection]:
        """Give a connection on which every statement is a transaction of its own.

        None waits long for a row that another transaction holds: it raises ``OperationalError``.
        """
        return self._alone

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
        return getattr(error.orig, "sqlstate", None) == _NOT_GRANTED

    def forget(self) -> None:
        """Leave all connections to the process that this one was forked from."""
        # Not even let go of, which might close it.
        _left_behind.append(self._alone)
        for engine in (self._readers, self._writers, self._single):
            engine.dispose(close=False)
        self._alone = _Alone(self._single)

    def dispose(self) -> None:
        """Close all connections that nobody uses."""
        self._alone.close()
        for engine in (self._readers, self._writers, self._single):
            engine.dispose()


class _Alone(AbstractContextManager[Connection]):
    """The one connection of ``engine`` that threads hand on to each other.

    Taking a connection out of a pool and giving it back took a tenth of all the time that a move
    needs, and a statement that is a transaction of its own leaves nothing to be undone.
    """

    def __init__(self, engine: Engine) -> None:
        self._engine = engine
        self._turn = Lock()
        self._kept: Connection | None = None

    @override
    def __enter__(self) -> Connection:
        self._turn.acquire()
        try:
            if self._kept is None or self._kept.closed:
                self._kept = self._engine.connect()
        except BaseException:
            self._turn.release()
            raise
        return self._kept

    @override
    def __exit__(self, kind: type[BaseException] | None, *_: object) -> None:
        try:
            if kind is not None and self._kept is not None:
                self._kept.close()
        finally:
            self._turn.release()

    def close(self) -> None:
        """Close the connection, until it is needed again."""
        with self._turn:
            if self._kept is not None:
                self._kept.close()
                self._kept = None


def _renumber(connection: Any, _: object) -> None:  # noqa: ANN401 - of the driver
    """See that what comes now is numbered behind all that is there (see ``feed``)."""
    try:
        connection.execute("SELECT log_renumber()")
        connection.commit()
    except (errors.UndefinedFunction, errors.InsufficientPrivilege):
        # No schema yet, or none that one may look at: whoever needs it tells.
        connection.rollback()


def _not_wait_long(connection: Any, _: object) -> None:  # noqa: ANN401 - of the driver
    connection.execute(f"SET lock_timeout = {HELD}")


def _only_read(connection: Any, _: object) -> None:  # noqa: ANN401 - a connection of the driver
    connection.execute("SET default_transaction_read_only = on")
