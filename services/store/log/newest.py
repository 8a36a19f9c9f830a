"""The newest event of the log, by which a moment of one history is told from those of another."""

from __future__ import annotations

import re

from sqlalchemy import Connection

from services.store.db.sql import rows, run

NONE = "0"
"""There is no event yet: that was so in every history."""

_HASH = 16
_FORM = re.compile(r"([0-9]{1,18})-([0-9a-f]{16})-([0-9]{1,20})?", re.ASCII)


def newest(connection: Connection) -> str:
    """Name the newest event, for ``is_known``."""
    row = run(connection, _NEWEST, []).fetchone()
    return NONE if row is None else f"{row[0]}-{row[1][:_HASH]}-{_counter(connection)}"


def is_known(connection: Connection, name: str) -> bool:
    """Whether the log has the event that was the newest when it was named so."""
    found = _FORM.fullmatch(name)
    if found is None:
        return name == NONE
    row = run(connection, _HASH_AT, [int(found[1])]).fetchone()
    same = row is not None and row[0].startswith(found[2])
    return same and (found[3] or "") == _counter(connection)


def _counter(connection: Connection) -> str:
    """Name the cluster whose transactions are counted: another one counts anew."""
    if connection.dialect.name == "sqlite":
        return ""
    return str(next(iter(rows(connection, _CLUSTER, [])))[0])


_NEWEST = "SELECT position, hash FROM events ORDER BY position DESC LIMIT 1"
_HASH_AT = "SELECT hash FROM events WHERE position = ?"
_CLUSTER = "SELECT system_identifier FROM pg_control_system()"
