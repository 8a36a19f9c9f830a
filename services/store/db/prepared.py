"""Statements that PostgreSQL has prepared, sent without what the driver does for any statement.

The driver's cursor looks at each value's type, at whether the statement is worth preparing, and
then asks again and again whether the answer is there. For one statement that is sent for each
move that was as long as PostgreSQL's own work. Its connection (``psycopg.pq``) sends the values
as they are, and waits once.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any, NamedTuple, cast

from psycopg import OperationalError, RawCursor
from psycopg.errors import error_from_result
from psycopg.pq import DiagnosticField, ExecStatus
from sqlalchemy import Connection

from services.store.db.sql import as_core_would

if TYPE_CHECKING:
    import psycopg
    from psycopg.pq.abc import PGconn, PGresult

AT_MOST = 100
"""Statements that one connection keeps prepared, as the driver itself would keep."""

_DONE = (ExecStatus.COMMAND_OK, ExecStatus.TUPLES_OK)


def run_prepared(connection: Connection, sql: str, values: Sequence[object]) -> None:
    """Run ``sql`` on PostgreSQL, where it has its places numbered ($1, $2, ...).

    ``connection``: one on which each statement is a transaction of its own; ``values``: texts,
    numbers, bytes, truths and ``None``. Raises what Core would raise. It is not to be
    interrupted: the statement is one that does not wait long.
    """
    there = connection.connection
    kept: _Kept | None = there.info.get(__name__)
    if kept is None:
        line = cast("psycopg.Connection[object]", there.driver_connection)
        kept = there.info[__name__] = _Kept(line, line.pgconn, {})
    try:
        name = kept.names.get(sql) or kept.prepare(sql)
        if name is None:
            RawCursor(kept.line).execute(sql, values)
            return
        # Bytes and texts as they are, numbers and truths as words. (A text in words, too, would
        # end at its first NUL; as it is, PostgreSQL refuses that.)
        sent = [
            value if value is None or isinstance(value, bytes) else str(value).encode()
            for value in values
        ]
        formats = [isinstance(value, (bytes, str)) for value in values]
        # That null is None there is left out of its types.
        _succeed(kept.direct.exec_prepared(name, cast("Any", sent), formats), kept.direct)
    except connection.dialect.loaded_dbapi.Error as error:
        raise as_core_would(connection, sql, error) from error


class _Kept(NamedTuple):
    """What belongs to one connection of the driver: itself, and the names of its statements."""

    line: psycopg.Connection[object]
    direct: PGconn
    names: dict[str, bytes]

    def prepare(self, sql: str) -> bytes | None:
        """Prepare a statement; return its name, None if there are too many."""
        if len(self.names) >= AT_MOST:
            return None
        name = b"plybook_%d" % len(self.names)
        _succeed(self.direct.prepare(name, sql.encode()), self.direct)
        self.names[sql] = name
        return name


def _succeed(result: PGresult, connection: PGconn) -> None:
    if result.status in _DONE:
        return
    if result.error_field(DiagnosticField.SQLSTATE) is None:
        raise OperationalError(connection.get_error_message())
    raise error_from_result(result)
