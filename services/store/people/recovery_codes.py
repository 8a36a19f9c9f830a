"""Recovery codes, known by their digests alone. A code that was used stays until new ones are made.

So its owner can be told of it.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import NamedTuple

import sqlalchemy as sa
from sqlalchemy import Connection

from services.store.db.engine import fetch, fetch_first
from services.store.db.metadata import DIGEST, INSTANT, PLAYER_ID, metadata

recovery_codes = sa.Table(
    "recovery_codes",
    metadata,
    sa.Column("digest", DIGEST, primary_key=True),
    sa.Column("player", PLAYER_ID, sa.ForeignKey("players.id"), nullable=False, index=True),
    sa.Column("created_at", INSTANT, nullable=False),
    sa.Column("used_at", INSTANT),
    sa.CheckConstraint("length(digest) = 64", name="digest"),
)
"""``digest``: the SHA-256 of the code, which only its player has."""


class CodesRow(NamedTuple):
    """A player's codes in numbers: ``left`` of ``made``; when they were made and one was used."""

    made: int
    left: int
    made_at: str | None
    used_at: str | None


_COUNT = """
SELECT count(*), count(*) - count(used_at), max(created_at), max(used_at)
FROM recovery_codes WHERE player = ?
"""
_USE = """
UPDATE recovery_codes SET used_at = ?
WHERE digest = ? AND used_at IS NULL
AND player IN (SELECT id FROM players WHERE "key" = ? AND closed_at IS NULL)
RETURNING player
"""


def replace(connection: Connection, player: str, digests: Iterable[str], now: str) -> None:
    """Give a player these codes in the place of all others."""
    connection.execute(sa.delete(recovery_codes).where(recovery_codes.c.player == player))
    values = [{"digest": one, "player": player, "created_at": now} for one in digests]
    connection.execute(sa.insert(recovery_codes), values)


def use(connection: Connection, key: str, digest: str, now: str) -> str | None:
    """Use up a code of the player of this name's key; return the player, or None: it is no good."""
    return fetch_first(connection, str, _USE, [now, digest, key])


def count(connection: Connection, player: str) -> CodesRow:
    """Say how many codes a player has."""
    return CodesRow(*fetch(connection, _COUNT, [player])[0])
