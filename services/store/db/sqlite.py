"""Connections to SQLite: many that read, one that writes.

The journal is WAL, so that readers see the last commit and wait for nobody; synchronous is FULL,
so that a commit survives a power cut. A writer takes the write lock at once (BEGIN IMMEDIATE),
since a transaction that reads first and writes later fails on the spot when another got in
between. Within a process writers take turns in the order in which they came, because SQLite's own
busy handler sleeps and tries again, and lets the unlucky wait long.
"""

from __future__ import annotations

import sqlite3
import threading
from collections import deque
from collections.abc import Iterator
from contextlib import contextmanager
from types import TracebackType
from typing import Any
from urllib.parse import quote

import sqlalchemy as sa
from sqlalchemy import Connection
from sqlalchemy.exc import DatabaseError, OperationalError
from sqlalchemy.pool import QueuePool

from services.errors import Unavailable


class Turns:
    """A lock that is passed on in order, which Python's own locks do not promise.

    Entering raises ``Unavailable`` when the turn does not come within ``patience`` seconds.
    """

    def __init__(self, patience: float) -> None:
        self.patience = patience
        self._holder: int | None = None
        self._mutex = threading.Lock()
        self._waiting: deque[threading.Lock] = deque()

    def __enter__(self) -> None:
        me = threading.get_ident()
        if self._holder == me:
            raise RuntimeError("this thread is writing already; a second turn would never come")
        with self._mutex:
            if self._holder is None:
                self._holder = me
                return
            turn = threading.Lock()
            turn.acquire()
            self._waiting.append(turn)
        self._await(turn)
        self._holder = me

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        with self._mutex:
            self._pass_on()

    def _pass_on(self) -> None:
        if self._waiting:
            # Nobody may get in between: until the next in line wakes up it is taken by nobody.
            self._holder = NOBODY_YET
            self._waiting.popleft().release()
        else:
            self._holder = None

    def _await(self, turn: threading.Lock) -> None:
        # An exception (of the time-out, or thrown in from outside) must not leave a turn behind
        # that nobody takes.
        came = False
        try:
            came = turn.acquire(timeout=self.patience)
        finally:
            if not came:
                self._give_up(turn)
        if not came:
            raise Unavailable("Too many are writing at once; please try again in a moment.")

    def _give_up(self, turn: threading.Lock) -> None:
        with self._mutex:
            if turn in self._waiting:
                self._waiting.remove(turn)
            else:
                self._pass_on()


NOBODY_YET = -1


# A trigger on DELETE sees what INSERT OR REPLACE removes only with recursive_triggers.
PRAGMAS = """
PRAGMA journal_mode = WAL;
PRAGMA synchronous = FULL;
PRAGMA foreign_keys = ON;
PRAGMA recursive_triggers = ON;
"""

KEPT = 8
"""Connections that stay open between reads; more are opened when more read at once."""

OUTAGES = ("BUSY", "LOCKED", "CANTOPEN", "IOERR", "FULL", "READONLY", "NOTADB", "CORRUPT", "PERM")

_left_behind: list[object] = []
"""Connections of a parent process: closing them here would end the parent's sessions."""


class Sqlite:
    """The connections of one process to one file. ``patience``: seconds to wait to write."""

    def __init__(self, url: str, patience: float) -> None:
        # mode=rw: a path that was mistyped is an error, not a new and empty database.
        self._file = f"file:{quote(sa.make_url(url).database or '')}?mode=rw"
        self._patience = patience
        self._readers = self._make_engine(url, "PRAGMA query_only = ON")
        self._writers = self._make_engine(url)
        self._noters = self._make_engine(url, "PRAGMA synchronous = NORMAL")
        self._turns = Turns(patience)

    def _make_engine(self, url: str, *pragmas: str) -> sa.Engine:
        def opened() -> sqlite3.Connection:
            connection = sqlite3.connect(
                self._file,
                uri=True,
                timeout=self._patience,
                isolation_level=None,  # it is we who begin transactions
                check_same_thread=False,
            )
            try:
                connection.executescript(PRAGMAS + ";".join(pragmas))
            except sqlite3.Error:
                connection.close()
                raise
            return connection

        return sa.create_engine(
            url,
            creator=opened,
            poolclass=QueuePool,
            pool_size=KEPT,
            max_overflow=-1,
            hide_parameters=True,
        )

    @contextmanager
    def reading(self) -> Iterator[Connection]:
        """Give a connection on which everything is of the moment of the first look."""
        with self._readers.connect() as reader:
            _get_driver(reader).execute("BEGIN")
            yield reader

    @contextmanager
    def writing(self) -> Iterator[Connection]:
        """Give the connection that writes, when it is this thread's turn."""
        with self._turns, self._writers.connect() as writer, _begun(writer):
            yield writer

    stating = writing

    @contextmanager
    def noting(self) -> Iterator[Connection]:
        """Give the same, but nobody waits for the disk, and a power cut may undo what was written.

        The lock is held for a millisecond instead of five to ten, and whoever finds it held in
        another process sleeps longer than that. The next commit of a writer brings this one along.
        """
        with self._turns, self._noters.connect() as noter, _begun(noter):
            yield noter

    @contextmanager
    def migrating(self) -> Iterator[Connection]:
        """Give a connection on which foreign keys are not looked at.

        A table that is rebuilt is dropped for a moment, and with foreign keys on that would take
        along the rows that refer to it.
        """
        with self._turns, self._writers.connect() as connection:
            _get_driver(connection).execute("PRAGMA foreign_keys = OFF")
            with _begun(connection):
                yield connection
            connection.invalidate()

    def is_outage(self, error: DatabaseError) -> bool:
        """Tell a database that cannot answer from a statement that it does not take."""
        name = getattr(error.orig, "sqlite_errorname", "")
        return str(name).removeprefix("SQLITE_").startswith(OUTAGES)

    def is_forbidden(self, _: DatabaseError) -> bool:
        """Say no: a file that may not be written is an outage, and there are no roles."""
        return False

    def forget(self) -> None:
        """Leave all connections to the process that this one was forked from."""
        for engine in (self._readers, self._writers, self._noters):
            _left_behind.append(engine.pool)
            engine.dispose(close=False)
        self._turns = Turns(self._patience)

    def dispose(self) -> None:
        """Close all connections that nobody uses."""
        for engine in (self._readers, self._writers, self._noters):
            engine.dispose()


@contextmanager
def _begun(connection: Connection) -> Iterator[None]:
    try:
        _get_driver(connection).execute("BEGIN IMMEDIATE")
    except sqlite3.OperationalError as error:
        raise OperationalError("BEGIN IMMEDIATE", None, error) from error
    with connection.begin():
        yield


def _get_driver(connection: Connection) -> Any:  # noqa: ANN401 - SQLAlchemy knows no more either
    return connection.connection.dbapi_connection
