"""SQL of our own on the paths where Core's handling of statements would be most of the time.

The connection is Core's, and so are its transaction and its pool; the statement goes straight
to the driver's cursor.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import cache
from itertools import chain
from typing import Any, TypeAlias

from sqlalchemy import Connection, Row
from sqlalchemy.engine.interfaces import DBAPICursor
from sqlalchemy.exc import DBAPIError

AnyRow: TypeAlias = Row[*tuple[Any, ...]]
"""A row of columns that the type checker does not know."""


MOST_ROWS = 512
"""Rows of the largest statement: their values stay below the limits of both drivers."""


def run(
    connection: Connection, sql: str, values: Sequence[object], *, many: bool = False
) -> DBAPICursor:
    """Run ``sql``, on either database, with ``values`` in the places of its question marks.

    ``many``: rows of events are to come in thousands. PostgreSQL then sends values as they are
    in memory, bytes not as twice as many digits; of numbers, texts and bytes that is the same.
    Raises what Core would raise: ``IntegrityError``, ``OperationalError``, ... A connection that
    is lost is taken out of its pool.
    """
    dialect = connection.dialect
    if dialect.paramstyle == "qmark":
        cursor = connection.connection.cursor()
    else:
        sql = _for_psycopg(sql)
        cursor = connection.connection.cursor(binary=many)
    try:
        cursor.execute(sql, tuple(values))
    except dialect.loaded_dbapi.Error as error:
        raise as_core_would(connection, sql, error, cursor) from error
    return cursor


def run_in_rows(
    connection: Connection, sql: Callable[[int], str], rows: Sequence[Sequence[object]]
) -> None:
    """Run SQL that takes many rows of values for all of these.

    ``sql`` gives it for a number of rows, and is asked for few numbers only, so that the drivers
    can keep what they have prepared.
    """
    first, number = 0, MOST_ROWS
    while first < len(rows):
        while number > len(rows) - first:
            number //= 2
        values = chain.from_iterable(rows[first : first + number])
        run(connection, sql(number), [*values])
        first += number


@cache
def _for_psycopg(sql: str) -> str:
    return sql.replace("?", "%s")


def rows(
    connection: Connection, sql: str, values: Sequence[object], *, many: bool = False
) -> Sequence[Any]:
    """Return all rows of ``sql``, as the driver gives them; ``many`` as for ``run``."""
    return run(connection, sql, values, many=many).fetchall()


def as_core_would(
    connection: Connection, sql: str, error: Exception, cursor: DBAPICursor | None = None
) -> BaseException:
    """Return the exception that Core would raise for one of the driver's.

    Where the connection is lost, it is taken out of its pool.
    """
    dialect = connection.dialect
    base = dialect.loaded_dbapi.Error
    there = connection.connection.dbapi_connection
    lost = isinstance(error, base) and dialect.is_disconnect(error, there, cursor)
    if lost:
        connection.invalidate(error)
    return DBAPIError.instance(
        sql,
        None,
        error,
        base,
        hide_parameters=True,
        connection_invalidated=lost,
        dialect=dialect,
    )
