"""From where players have got in: keyed hashes, which tell nothing without the key."""

from __future__ import annotations

from sqlalchemy import CheckConstraint, Column, Connection, ForeignKey, Table

from services.store.db.metadata import DIGEST, INSTANT, PLAYER_ID, metadata
from services.store.db.sql import run

known_addresses = Table(
    "known_addresses",
    metadata,
    Column("digest", DIGEST, primary_key=True),
    Column("player", PLAYER_ID, ForeignKey("players.id"), nullable=False, index=True),
    Column("seen_at", INSTANT, nullable=False, index=True),
    CheckConstraint("length(digest) = 64", name="digest"),
)
"""``digest``: of a name's key and an address. ``seen_at``: when that player last got in there."""

_SEEN = "SELECT seen_at FROM known_addresses WHERE digest = ?"
_SEE = """
INSERT INTO known_addresses (digest, player, seen_at)
SELECT ?, id, ? FROM players WHERE "key" = ? AND closed_at IS NULL
ON CONFLICT (digest) DO UPDATE SET seen_at = excluded.seen_at
"""


def seen_at(connection: Connection, digest: str) -> str | None:
    """Return when somebody last got in there, or None: never, or it is forgotten."""
    row = run(connection, _SEEN, [digest]).fetchone()
    return None if row is None else str(row[0])


def see(connection: Connection, digest: str, key: str, now: str) -> None:
    """Keep that the player of this name's key got in there now."""
    run(connection, _SEE, [digest, now, key])


def delete_of_player(connection: Connection, player: str) -> None:
    """Forget from where a player got in."""
    run(connection, "DELETE FROM known_addresses WHERE player = ?", [player])


def delete_older(connection: Connection, before: str) -> int:
    """Forget from where nobody has got in since an instant; return how many addresses."""
    return run(connection, "DELETE FROM known_addresses WHERE seen_at < ?", [before]).rowcount
