"""Signed checkpoints and the public keys that they were signed with, as they are stored."""

from __future__ import annotations

from typing import NamedTuple

from sqlalchemy import Connection

from services.store.db.sql import rows, run


class KeyRow(NamedTuple):
    """A public key (hex), and from when on it was the one that signs; ``number`` from 1 on."""

    number: int
    id: str
    public_key: str
    valid_from: str


class CheckpointRow(NamedTuple):
    """A checkpoint; ``root`` and ``signature`` in hex, ``key`` the id of its key."""

    size: int
    origin: str
    root: str
    at: str
    key: str
    signature: str


_CHECKPOINT = 'SELECT size, origin, root, "at", "key", signature FROM checkpoints'


def keys(connection: Connection) -> list[KeyRow]:
    """Return all keys, the oldest first."""
    sql = "SELECT number, id, public_key, valid_from FROM signing_keys ORDER BY number"
    return [KeyRow(*row) for row in rows(connection, sql, [])]


def add_key(connection: Connection, row: KeyRow) -> None:
    """Add a key."""
    sql = "INSERT INTO signing_keys (number, id, public_key, valid_from) VALUES (?, ?, ?, ?)"
    run(connection, sql, row)


def latest(connection: Connection) -> CheckpointRow | None:
    """Return the newest checkpoint, or None."""
    row = run(connection, f"{_CHECKPOINT} ORDER BY size DESC LIMIT 1", []).fetchone()
    return None if row is None else CheckpointRow(*row)


def of_size(connection: Connection, size: int) -> CheckpointRow | None:
    """Return the checkpoint of a tree of ``size`` leaves, or None."""
    row = run(connection, f"{_CHECKPOINT} WHERE size = ?", [size]).fetchone()
    return None if row is None else CheckpointRow(*row)


def page(connection: Connection, below: int | None, limit: int) -> list[CheckpointRow]:
    """Return the newest checkpoints of trees smaller than ``below``, the biggest first."""
    where = "" if below is None else "WHERE size < ?"
    values = [limit] if below is None else [below, limit]
    found = rows(connection, f"{_CHECKPOINT} {where} ORDER BY size DESC LIMIT ?", values)
    return [CheckpointRow(*row) for row in found]


def add(connection: Connection, row: CheckpointRow) -> None:
    """Add a checkpoint."""
    sql = (
        'INSERT INTO checkpoints (size, origin, root, "at", "key", signature) '
        "VALUES (?, ?, ?, ?, ?, ?)"
    )
    run(connection, sql, row)
