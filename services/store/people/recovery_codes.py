"""Recovery codes, known by their digests alone. A code that was used stays until new ones are made.

So its owner can be told of it.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import NamedTuple

from sqlalchemy import CheckConstraint, Column, Connection, ForeignKey, Table
from sqlalchemy import delete as delete_from
from sqlalchemy import insert as insert_into

from services.store.db.engine import first_row, rows
from services.store.db.metadata import DIGEST, INSTANT, PLAYER_ID, metadata

recovery_codes = Table(
    "recovery_codes",
    metadata,
    Column("digest", DIGEST, primary_key=True),
    Column("player", PLAYER_ID, ForeignKey("players.id"), nullable=False, index=True),
    Column("created_at", INSTANT, nullable=False),
    Column("used_at", INSTANT),
    CheckConstraint("length(digest) = 64", name="digest"),
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
    connection.execute(delete_from(recovery_codes).where(recovery_codes.c.player == player))
    values = [{"digest": one, "player": player, "created_at": now} for one in digests]
    connection.execute(insert_into(recovery_codes), values)


def use(connection: Connection, key: str, digest: str, now: str) -> str | None:
    """Use up a code of the player of this name's key; return the player, or None: it is no good."""
    return first_row(connection, str, _USE, [now, digest, key])


def count(connection: Connection, player: str) -> CodesRow:
    """Say how many codes a player has."""
    return CodesRow(*rows(connection, _COUNT, [player])[0])
