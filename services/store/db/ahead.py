"""Reading much, statement by statement, without waiting for a server more than it must be.

While what a statement gave is looked at, PostgreSQL is at the next one. SQLite works when its
rows are asked for, so these come one by one, and none waits in memory for those before it.
"""

from __future__ import annotations

from collections.abc import Generator, Iterable, Sequence
from itertools import chain
from typing import Any, TypeAlias

from sqlalchemy import Connection
from sqlalchemy.engine.interfaces import DBAPICursor

from services.store.db.sql import as_core_would, rows, run

Statement: TypeAlias = tuple[str, Sequence[object]]
"""SQL, and the values in the places of its question marks."""


def in_turn(connection: Connection, statements: Iterable[Statement]) -> Generator[Any, None, None]:
    """Yield the rows of all statements; of PostgreSQL's, those of one are in memory at most.

    Raises what ``run`` raises. The connection is for nothing else until the rows are at their
    end, or this is closed.
    """
    if connection.dialect.name == "sqlite":
        for sql, values in statements:
            yield from rows(connection, sql, values, many=True)
        return
    there: Any = connection.connection.driver_connection
    sent: list[DBAPICursor] = []
    try:
        with there.pipeline():
            for sql, values in statements:
                # What is there is taken first, since the driver would wait for both.
                there_by_now = [cursor.fetchall() for cursor in sent]
                sent = [run(connection, sql, values, many=True)]
                there.pgconn.send_flush_request()
                there.pgconn.flush()
                yield from chain.from_iterable(there_by_now)
            yield from chain.from_iterable(cursor.fetchall() for cursor in sent)
    except connection.dialect.loaded_dbapi.Error as error:
        raise as_core_would(connection, "", error) from error
