"""The lease of the one sequencer among a service's processes.

Several would do no harm, and only read everything several times over. On PostgreSQL it is a
lock of a session, wherever its process runs; with SQLite, where all processes are on one
machine, it is a locked file beside the database. Either is free again when its holder is dead.
"""

from __future__ import annotations

import fcntl
import os
from collections.abc import Callable, Iterator
from contextlib import contextmanager

from sqlalchemy import Column, Connection, String, Table, make_url

from services.store.db.engine import Database
from services.store.db.metadata import INSTANT, metadata
from services.store.db.sql import run

leases = Table(
    "leases",
    metadata,
    Column("name", String(32), primary_key=True),
    Column("holder", String(64), nullable=False),
    Column("until", INSTANT, nullable=False),
)
"""Chores that one process at a time does; who does not renew its lease loses it."""

_TAKE = """
INSERT INTO leases (name, holder, until) VALUES (?, ?, ?)
ON CONFLICT (name) DO UPDATE SET holder = excluded.holder, until = excluded.until
WHERE leases.holder = excluded.holder OR leases.until <= ?
"""


def take_lease(connection: Connection, name: str, holder: str, now: str, until: str) -> bool:
    """Take or renew a lease; False: another holder has it."""
    return bool(run(connection, _TAKE, [name, holder, until, now]).rowcount)


_LOCK = 0x706C7964
"""PostgreSQL's lock: a number of ours."""


@contextmanager
def lease(database: Database) -> Iterator[Callable[[], object] | None]:
    """Hold the lease for a while; None: somebody else has it.

    What is given raises ``Unavailable`` once the lease is lost. Raises ``OSError`` where no file
    can be made beside an SQLite database.
    """
    if database.sqlite:
        with _locked_file(f"{make_url(database.url).database}.checkpoints-lock") as held:
            yield held
    else:
        with _locked_session(database) as held:
            yield held


@contextmanager
def _locked_file(path: str) -> Iterator[Callable[[], object] | None]:
    file = os.open(path, os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o600)
    try:
        fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
        yield lambda: None
    except BlockingIOError:
        yield None
    finally:
        os.close(file)


@contextmanager
def _locked_session(database: Database) -> Iterator[Callable[[], object] | None]:
    with database.read() as connection:
        taken = run(connection, f"SELECT pg_try_advisory_lock({_LOCK})", []).fetchone()
        if taken is None or not taken[0]:
            yield None
            return
        try:
            # A session that has ended has let go of the lock, and answers no more.
            yield lambda: run(connection, "SELECT 1", [])
        finally:
            if not connection.invalidated:
                run(connection, f"SELECT pg_advisory_unlock({_LOCK})", [])
