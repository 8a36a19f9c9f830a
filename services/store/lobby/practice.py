"""Which browser holds which practice match: by the digest of a cookie, for a day."""

from __future__ import annotations

from typing import NamedTuple

import sqlalchemy as sa
from sqlalchemy import Connection

from services.store.db.engine import fetch_all, fetch_first, run
from services.store.db.metadata import DIGEST, INSTANT, MATCH_ID, metadata

practices = sa.Table(
    "practices",
    metadata,
    sa.Column("match", MATCH_ID, primary_key=True),
    sa.Column("digest", DIGEST, nullable=False),
    sa.Column("created_at", INSTANT, nullable=False),
    sa.Column("expires_at", INSTANT, nullable=False, index=True),
    sa.CheckConstraint("length(digest) = 64", name="digest"),
    sa.Index(None, "digest", "created_at"),
)
"""``digest``: the SHA-256 of what the cookie holds, which is stored nowhere."""


class PracticeRow(NamedTuple):
    """A practice match, who holds it, and until when."""

    match: str
    digest: str
    created_at: str
    expires_at: str


_COLUMNS = '"match", digest, created_at, expires_at'
_GO_ON = (
    f"INSERT INTO practices ({_COLUMNS}) "  # noqa: S608
    'SELECT ?, digest, created_at, expires_at FROM practices WHERE "match" = ?'
)
_GET = f'SELECT {_COLUMNS} FROM practices WHERE "match" = ? AND digest = ? AND expires_at > ?'  # noqa: S608
_OF = (
    f"SELECT {_COLUMNS} FROM practices WHERE digest = ? AND expires_at > ? "  # noqa: S608
    "ORDER BY created_at DESC"
)
_CREATORS = (
    'SELECT m.creator FROM practices p JOIN matches m ON m.id = p."match" '
    "WHERE p.digest = ? AND p.expires_at > ?"
)
_EXPIRED = f"SELECT {_COLUMNS} FROM practices WHERE expires_at <= ? ORDER BY expires_at LIMIT ?"  # noqa: S608


def insert(connection: Connection, row: PracticeRow) -> None:
    """Add a practice match."""
    run(connection, f"INSERT INTO practices ({_COLUMNS}) VALUES (?, ?, ?, ?)", row)  # noqa: S608


def go_on(connection: Connection, match: str, following: str) -> None:
    """Let whoever holds a practice match hold the one that follows on it, too."""
    run(connection, _GO_ON, [following, match])


def find(connection: Connection, match: str, digest: str, now: str) -> PracticeRow | None:
    """Return a practice match if this digest holds it now."""
    return fetch_first(connection, PracticeRow, _GET, [match, digest, now])


def list_held(connection: Connection, digest: str, now: str) -> list[PracticeRow]:
    """Return what a digest holds now, the newest first."""
    return fetch_all(connection, PracticeRow, _OF, [digest, now])


def list_creators(connection: Connection, digest: str, now: str) -> list[str]:
    """Return who has created each match that a digest holds now."""
    return fetch_all(connection, str, _CREATORS, [digest, now])


def list_expired(connection: Connection, now: str, limit: int) -> list[PracticeRow]:
    """Return at most so many that nobody holds any more."""
    return fetch_all(connection, PracticeRow, _EXPIRED, [now, limit])


def delete(connection: Connection, match: str) -> None:
    """Forget who held a practice match."""
    run(connection, 'DELETE FROM practices WHERE "match" = ?', [match])
