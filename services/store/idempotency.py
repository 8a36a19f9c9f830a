"""Answers that were given to repeatable requests, to be given again."""

from __future__ import annotations

from typing import NamedTuple

import sqlalchemy as sa
from sqlalchemy import Connection

from services.errors import Unavailable
from services.store.db.engine import fetch_first, run
from services.store.db.metadata import DIGEST, INSTANT, PLAYER_ID, metadata

idempotency = sa.Table(
    "idempotency",
    metadata,
    sa.Column("player", PLAYER_ID, sa.ForeignKey("players.id"), primary_key=True),
    sa.Column("key", sa.String(255), primary_key=True),
    sa.Column("fingerprint", DIGEST, nullable=False),
    sa.Column("status", sa.Integer, nullable=False),
    sa.Column("headers", sa.Text, nullable=False),
    sa.Column("body", sa.LargeBinary, nullable=False),
    sa.Column("created_at", INSTANT, nullable=False, index=True),
)
"""Answers that were given, to be given again. ``headers``: a JSON object."""


class KeyInUse(Unavailable):
    """The same key was used at the same time, and that request is answered by now.

    The transaction must be undone; whoever tries again finds the answer that was kept.
    """


class IdempotencyRecord(NamedTuple):
    """An answer. ``fingerprint`` tells which request it answered; ``headers`` is JSON."""

    player: str
    key: str
    fingerprint: str
    status: int
    headers: str
    body: bytes
    created_at: str


_COLUMNS = 'player, "key", fingerprint, status, headers, body, created_at'
_GET = f'SELECT {_COLUMNS} FROM idempotency WHERE player = ? AND "key" = ?'  # noqa: S608
_SAVE = f"""
INSERT INTO idempotency ({_COLUMNS}) VALUES (?, ?, ?, ?, ?, ?, ?)
ON CONFLICT (player, "key") DO NOTHING
"""  # noqa: S608 - only our own text
_DELETE_OLDER = """
DELETE FROM idempotency WHERE (player, "key") IN (
    SELECT player, "key" FROM idempotency WHERE created_at < ? ORDER BY created_at LIMIT ?
)
"""


def find(connection: Connection, player: str, key: str) -> IdempotencyRecord | None:
    """Return the answer that a player got under a key."""
    return fetch_first(connection, IdempotencyRecord, _GET, [player, key])


def save(connection: Connection, record: IdempotencyRecord) -> None:
    """Keep an answer, in the transaction of what it answers.

    Raises ``KeyInUse``.
    """
    if run(connection, _SAVE, record).rowcount != 1:
        raise KeyInUse("The same Idempotency-Key is just being used. Repeat the request.")


def delete_mentioning(connection: Connection, name: str) -> int:
    """Forget the answers in which a name stands, whoever got them; return how many.

    There are those of two days at most, so all of them are looked through.
    """
    sqlite = connection.dialect.name == "sqlite"
    found = "instr(body, ?) > 0" if sqlite else "position(CAST(? AS bytea) IN body) > 0"
    sql = f"DELETE FROM idempotency WHERE {found}"  # noqa: S608 - our own text
    return run(connection, sql, [f'"{name}"'.encode()]).rowcount


def delete_older(connection: Connection, before: str, limit: int) -> int:
    """Forget at most so many of the answers that were given before an instant; return how many."""
    return run(connection, _DELETE_OLDER, [before, limit]).rowcount
