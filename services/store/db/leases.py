"""Leases: of several processes that would do the same chore, the one that has its lease does it.

On PostgreSQL a lease is a lock of a session, wherever its process runs; with SQLite, where all
processes are on one machine, it is a locked file beside the database. Either is free again as soon
as its holder is dead, and asks no clock.
"""

from __future__ import annotations

import fcntl
import os
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from zlib import crc32

from sqlalchemy import make_url

from services.store.db.engine import Database, run

_LOCKS = 0x706C7964
"""PostgreSQL's locks of leases: a number of ours, beside one for each name."""


@contextmanager
def lease(database: Database, name: str) -> Iterator[Callable[[], object] | None]:
    """Hold the lease of a chore for a while; None: somebody else has it.

    What is given raises ``Unavailable`` once the lease is lost. Raises ``OSError`` where no file
    can be made beside an SQLite database.
    """
    if database.sqlite:
        with _locked_file(f"{make_url(database.url).database}.{name}-lock") as held:
            yield held
    else:
        # PostgreSQL's locks have numbers of 31 bits instead of names.
        with _locked_session(database, crc32(name.encode()) >> 1) as held:
            yield held


@contextmanager
def _locked_file(path: str) -> Iterator[Callable[[], object] | None]:
    file = os.open(path, os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o600)
    try:
        yield (lambda: None) if _try_lock(file) else None
    finally:
        os.close(file)


def _try_lock(file: int) -> bool:
    """Lock a file, unless somebody else has."""
    try:
        fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        return False
    return True


@contextmanager
def _locked_session(database: Database, number: int) -> Iterator[Callable[[], object] | None]:
    with database.read() as connection:
        taken = run(connection, "SELECT pg_try_advisory_lock(?, ?)", [_LOCKS, number]).fetchone()
        if taken is None or not taken[0]:
            yield None
            return
        try:
            # A session that has ended has let go of the lock, and answers no more.
            yield lambda: run(connection, "SELECT 1", [])
        finally:
            if not connection.invalidated:
                run(connection, "SELECT pg_advisory_unlock(?, ?)", [_LOCKS, number])
