"""SQL of our own on the paths where Core's building of statements would be most of the time."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, TypeAlias

from sqlalchemy import Connection, CursorResult, Row

AnyRow: TypeAlias = Row[*tuple[Any, ...]]
"""A row of columns that the type checker does not know."""


def run(
    connection: Connection, sql: str, values: Sequence[object]
) -> CursorResult[*tuple[Any, ...]]:
    """Run ``sql``, on either database, with ``values`` in the places of its question marks."""
    if connection.dialect.paramstyle != "qmark":
        sql = sql.replace("?", "%s")
    return connection.exec_driver_sql(sql, tuple(values))


def rows(connection: Connection, sql: str, values: Sequence[object]) -> Sequence[Any]:
    """Return all rows of ``sql`` as the driver gives them, sparing a wrapper for each."""
    return run(connection, sql, values).cursor.fetchall()
