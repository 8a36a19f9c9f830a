"""The key of ``services.store.sealing``: every process of a service has the same."""

from __future__ import annotations

from sqlalchemy import CheckConstraint, Column, Connection, Integer, String, Table, select

from services.store.db.metadata import metadata

sealing = Table(
    "sealing",
    metadata,
    Column("id", Integer, primary_key=True, autoincrement=False),
    Column("key", String(64), nullable=False),
    CheckConstraint("id = 1", name="one"),
    CheckConstraint("length(key) = 64", name="key"),
)
"""One row, made with the table. ``key``: 32 random bytes in hex."""


def key(connection: Connection) -> str:
    """Return the key."""
    return str(connection.scalar(select(sealing.c.key)))
