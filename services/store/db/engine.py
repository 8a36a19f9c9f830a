"""The database of a process: connections to read with, connections to write with, and SQL on them.

Readers never wait for writers. How that is done differs: see ``sqlite`` and ``postgres``.

``run`` takes SQL of our own, where Core's handling of statements would be most of the time. The
connection is Core's, and so are its transaction and its pool; the statement goes straight to the
driver's cursor. Where Core executes the same texts, a move over HTTP takes 210 to 260 µs of
processor time more on 1,060 to 1,130 with SQLite, and 250 to 310 more on 1,370 to 1,930 with
PostgreSQL; measured as in docs/decisions/0034.
"""

from __future__ import annotations

import os
import weakref
from collections.abc import Callable, Collection, Iterable, Iterator, Sequence
from contextlib import AbstractContextManager, contextmanager, suppress
from functools import cache
from itertools import chain
from pathlib import Path
from typing import Any, TypeVar

import sqlalchemy as sa
from platformdirs import user_data_path
from sqlalchemy import Connection
from sqlalchemy.engine import URL
from sqlalchemy.engine.interfaces import DBAPICursor
from sqlalchemy.exc import ArgumentError, DatabaseError, DBAPIError
from sqlalchemy.exc import TimeoutError as PoolTimeout

from domain.i18n import say
from services.errors import NotGranted, Unavailable
from services.store.db.postgres import Postgres
from services.store.db.sqlite import Sqlite

PATIENCE = 10.0
"""Seconds that a writer waits for its turn, and anybody for PostgreSQL to answer."""


ATTEMPTS = 6
"""How often something is tried in which other writers come between."""

T = TypeVar("T")


def normalize_url(path_or_url: str) -> str:
    """Return the SQLAlchemy URL of a database; a plain path means SQLite.

    Raises ``ValueError``, in a person's words, for what is neither SQLite in a file nor
    PostgreSQL.

    >>> normalize_url("/srv/plybook.sqlite3")
    'sqlite:////srv/plybook.sqlite3'
    >>> normalize_url("postgresql://plybook@db/plybook")
    'postgresql+psycopg://plybook@db/plybook'
    """
    if "://" not in path_or_url:
        return _format_url(URL.create("sqlite", database=_make_absolute(path_or_url)))
    try:
        url = sa.make_url(path_or_url)
    except (ArgumentError, ValueError):
        raise ValueError("The database's URL cannot be read.") from None
    backend = url.drivername.partition("+")[0]
    if backend in ("postgresql", "postgres"):
        return _format_url(url.set(drivername="postgresql+psycopg"))
    if backend != "sqlite":
        raise ValueError(f"Plybook knows SQLite and PostgreSQL, and {backend!r} is neither.")
    if not url.database or ":memory:" in url.database:
        raise ValueError("Plybook keeps an SQLite database in a file. Give its path.")
    return _format_url(URL.create("sqlite", database=_make_absolute(url.database)))


def _make_absolute(path: str) -> str:
    return str(Path(path).expanduser().absolute())


def _format_url(url: URL) -> str:
    return url.render_as_string(hide_password=False)


class Database:
    """A database, built once per process; connections are opened when first needed.

    It may be used from many threads, and after a fork. (Do not fork in the midst of writing:
    SQLite would keep the child from writing for good.) ``patience``: seconds to wait for the
    turn to write. Raises ``ValueError`` for a URL that ``normalize_url`` refuses.
    """

    def __init__(self, path_or_url: str, *, patience: float = PATIENCE) -> None:
        self.url = normalize_url(path_or_url)
        self.shown_url = sa.make_url(self.url).render_as_string()
        """The URL without its password."""
        self.sqlite = self.url.startswith("sqlite")
        self._backend = (Sqlite if self.sqlite else Postgres)(self.url, patience)
        _databases.add(self)

    def read(self) -> AbstractContextManager[Connection]:
        """Give a connection that only reads.

        On SQLite all that it reads is of one moment; on PostgreSQL each statement has its own.
        Raises ``Unavailable``.
        """
        return self._lend(self._backend.reading())

    def write(self) -> AbstractContextManager[Connection]:
        """Give a connection in a transaction, which is committed at the end or undone.

        Once the block is left without an exception, what was written survives a power cut.
        Raises ``Unavailable``, also when the turn to write does not come in time.
        """
        return self._lend(self._backend.writing())

    def write_again(self, do: Callable[[Connection], T], *lost: type[Exception]) -> T:
        """Return what is done in a transaction, and done anew when it raises that it was ``lost``.

        So it is where others wrote in between. Raises ``Unavailable`` if they do again and again.
        """
        for _ in range(ATTEMPTS):
            with suppress(*lost), self.write() as connection:
                return do(connection)
        raise make_overtaken()

    def note(self) -> AbstractContextManager[Connection]:
        """Give a connection as ``write`` does, but a power cut may undo the commit.

        That is for what is done once more then. On SQLite whoever writes beside it waits less.
        Raises ``Unavailable``.
        """
        return self._lend(self._backend.noting())

    def state(self) -> AbstractContextManager[Connection]:
        """Give a connection for one statement, which is committed by itself or undone.

        On PostgreSQL that spares the round trips that begin and end a transaction, and whoever
        holds a row for long is not waited for. On SQLite it is the same as ``write``. Raises
        ``Unavailable``.
        """
        return self._lend(self._backend.stating())

    def migrate(self) -> AbstractContextManager[Connection]:
        """Give a connection for changing the schema, in a transaction as with ``write``."""
        return self._lend(self._backend.migrating())

    @contextmanager
    def _lend(self, kept: AbstractContextManager[Connection]) -> Iterator[Connection]:
        """Lend a connection; a database that does not answer meanwhile raises ``Unavailable``."""
        try:
            with kept as connection:
                yield connection
        except PoolTimeout as error:
            raise Unavailable("Too many connections are in use. Try again in a moment.") from error
        except DatabaseError as error:
            reason = str(error.orig).partition("\n")[0]
            if self._backend.is_forbidden(error):
                raise make_not_granted(self.shown_url, reason) from error
            if self._backend.is_outage(error):
                raise Unavailable(
                    f"The database {self.shown_url} does not answer: {reason}"
                ) from error
            raise

    def locate_file(self, named: str, ending: str) -> Path:
        """Return where a file of this database is: where ``named`` says, else beside it.

        Beside a server there is no folder, so it is in the one of the user's data.
        """
        if named:
            return Path(named).expanduser().absolute()
        name = Path(f"{sa.make_url(self.url).database or 'plybook'}.{ending}")
        return name if self.sqlite else user_data_path("plybook") / name

    def dispose(self) -> None:
        """Close all connections that nobody uses."""
        self._backend.dispose()

    def forget_connections(self) -> None:
        """Leave all connections to the process that this one was forked from."""
        self._backend.forget()


def make_overtaken() -> Unavailable:
    """Return the refusal for who has been overtaken by other writers again and again."""
    return Unavailable(say("Too many others are writing right now. Try again."))


def make_not_granted(shown_url: str, reason: str) -> NotGranted:
    """Return the refusal for a role that may not do something, and what would allow it."""
    role = sa.make_url(shown_url).username
    return NotGranted(
        f"The database {shown_url} does not allow this: {reason}. The role that owns its tables "
        f"can: plybook db grant {role or 'ROLE'}"
    )


_databases: weakref.WeakSet[Database] = weakref.WeakSet()


def _forget_connections() -> None:
    for database in _databases:
        database.forget_connections()


os.register_at_fork(after_in_child=_forget_connections)


def take_turns(connection: Connection, lock: int) -> None:
    """Let transactions that name the same number come one after the other, each to its end.

    On SQLite all that write do anyway.
    """
    if connection.dialect.name == "postgresql":
        run(connection, f"SELECT pg_advisory_xact_lock({lock})")


MOST_ROWS = 512
"""Rows of the largest statement: their values stay below the limits of both drivers."""


def run(
    connection: Connection, sql: str, values: Sequence[object] = (), *, many: bool = False
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
        sql = _adapt_for_psycopg(sql)
        cursor = connection.connection.cursor(binary=many)
    try:
        cursor.execute(sql, tuple(values))
    except dialect.loaded_dbapi.Error as error:
        raise _make_error_of_core(connection, sql, error, cursor) from error
    return cursor


def format_places(values: Collection[object]) -> str:
    """Return a question mark for each of some values.

    >>> format_places(["ada", "bob"])
    '?, ?'
    """
    return ", ".join("?" * len(values))


def format_rows(number: int, columns: int) -> str:
    """Return the places of so many rows of values, as they stand behind VALUES.

    >>> format_rows(2, 3)
    '(?, ?, ?), (?, ?, ?)'
    """
    return ", ".join([f"({format_places(range(columns))})"] * number)


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


def insert_rows(connection: Connection, sql: str, rows: Sequence[Sequence[object]]) -> None:
    """Run SQL, in which ``{}`` stands for rows of values, for all of these."""
    run_in_rows(connection, lambda number: sql.format(format_rows(number, len(rows[0]))), rows)


def format_new_values(names: Iterable[str]) -> str:
    """Return what stands behind DO UPDATE SET for columns that take the new row's values."""
    return ", ".join(f'"{name}" = excluded."{name}"' for name in names)


def make_save_sql(table: str, keys: Sequence[str], others: Sequence[str]) -> str:
    """Return SQL for ``insert_rows``: new rows are added, those of the same keys are changed."""
    columns = ", ".join(f'"{name}"' for name in (*keys, *others))
    conflict = ", ".join(f'"{name}"' for name in keys)
    return (
        f"INSERT INTO {table} ({columns}) VALUES {{}} "  # noqa: S608 - our own names
        f"ON CONFLICT ({conflict}) DO UPDATE SET {format_new_values(others)}"
    )


@cache
def _adapt_for_psycopg(sql: str) -> str:
    return sql.replace("?", "%s")


def fetch(
    connection: Connection, sql: str, values: Sequence[object], *, many: bool = False
) -> Sequence[Any]:
    """Return all rows of ``sql``, as the driver gives them; ``many`` as for ``run``."""
    return run(connection, sql, values, many=many).fetchall()


def fetch_all(
    connection: Connection, kind: Callable[..., T], sql: str, values: Sequence[object] = ()
) -> list[T]:
    """Return what ``kind`` makes of each row of ``sql``."""
    return [kind(*row) for row in run(connection, sql, values).fetchall()]


def fetch_among(
    connection: Connection, sql: str, ids: Collection[object], *before: object
) -> Sequence[Any]:
    """Return the rows of ``sql``, in which ``{}`` stands for ``ids``, behind other values."""
    if not ids:
        return ()
    return fetch(connection, sql.format(format_places(ids)), [*before, *ids])


def fetch_first(
    connection: Connection, kind: Callable[..., T], sql: str, values: Sequence[object] = ()
) -> T | None:
    """Return what ``kind`` makes of the first row of ``sql``, or None."""
    row = run(connection, sql, values).fetchone()
    return None if row is None else kind(*row)


def _make_error_of_core(
    connection: Connection, sql: str, error: Exception, cursor: DBAPICursor
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
        sql, None, error, base, hide_parameters=True, connection_invalidated=lost, dialect=dialect
    )
