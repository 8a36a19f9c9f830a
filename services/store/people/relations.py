"""Who has blocked whom, and who follows whom."""

from __future__ import annotations

from collections.abc import Collection

import sqlalchemy as sa
from sqlalchemy import Connection

from services.store.db.engine import fetch, fetch_all, fetch_among, run
from services.store.db.metadata import INSTANT, PLAYER_ID, metadata

BLOCKS, FOLLOWS = KINDS = ("blocks", "follows")

relations = sa.Table(
    "relations",
    metadata,
    sa.Column("player", PLAYER_ID, sa.ForeignKey("players.id"), primary_key=True),
    sa.Column("kind", sa.String(8), primary_key=True),
    sa.Column("other", PLAYER_ID, sa.ForeignKey("players.id"), primary_key=True),
    sa.Column("since", INSTANT, nullable=False),
    sa.CheckConstraint("kind IN ('blocks', 'follows')", name="kind"),
    sa.CheckConstraint("player <> other", name="other"),
    sa.Index(None, "other"),
)

_ADD = """
INSERT INTO relations (player, kind, other, since) VALUES (?, ?, ?, ?)
ON CONFLICT (player, kind, other) DO NOTHING
"""
_REMOVE = "DELETE FROM relations WHERE player = ? AND kind = ? AND other = ?"
_OF = "SELECT other FROM relations WHERE player = ? AND kind = ? ORDER BY since, other"
_BLOCKED = "SELECT other FROM relations WHERE kind = 'blocks' AND player = ? AND other IN ({})"
_BLOCKING = "SELECT player FROM relations WHERE kind = 'blocks' AND other = ? AND player IN ({})"
_BETWEEN = """
SELECT player FROM relations
WHERE kind = 'blocks' AND ((player = ? AND other = ?) OR (player = ? AND other = ?))
"""


def add(connection: Connection, player: str, kind: str, other: str, now: str) -> None:
    """Keep that a player blocks or follows another one."""
    run(connection, _ADD, [player, kind, other, now])


def remove(connection: Connection, player: str, kind: str, other: str) -> None:
    """Forget that a player blocks or follows another one."""
    run(connection, _REMOVE, [player, kind, other])


def list_others(connection: Connection, player: str, kind: str) -> list[str]:
    """Return whom a player blocks or follows, the one of longest standing first."""
    return fetch_all(connection, str, _OF, [player, kind])


def list_blockers(connection: Connection, one: str, other: str) -> set[str]:
    """Return who of two players has blocked the other."""
    return {row[0] for row in fetch(connection, _BETWEEN, [one, other, other, one])}


def list_blocked(connection: Connection, player: str, others: Collection[str]) -> set[str]:
    """Return which of others a player has blocked, or is blocked by."""
    found = (fetch_among(connection, sql, others, player) for sql in (_BLOCKED, _BLOCKING))
    return {other for some in found for (other,) in some}


def delete_all(connection: Connection, player: str) -> None:
    """Forget all that a player has chosen of others, and others of them."""
    theirs = sa.or_(relations.c.player == player, relations.c.other == player)
    connection.execute(sa.delete(relations).where(theirs))
