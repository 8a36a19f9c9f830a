"""Passkeys: public keys by which a browser or a device lets its player in. No secret is here."""

from __future__ import annotations

from typing import NamedTuple

import sqlalchemy as sa
from sqlalchemy import Connection

from services.store.db.engine import fetch_all, fetch_first, run
from services.store.db.metadata import DIGEST, INSTANT, PLAYER_ID, metadata

passkeys = sa.Table(
    "passkeys",
    metadata,
    sa.Column("id", sa.String(1400), primary_key=True),
    sa.Column("player", PLAYER_ID, sa.ForeignKey("players.id"), nullable=False, index=True),
    sa.Column("public_key", sa.LargeBinary, nullable=False),
    sa.Column("uses", sa.Integer, nullable=False),
    sa.Column("label", sa.Text, nullable=False),
    sa.Column("created_at", INSTANT, nullable=False),
    sa.Column("used_at", INSTANT),
)
"""``id``: the credential's, in base64url. ``uses``: what its device counts, if it counts."""

used_challenges = sa.Table(
    "used_challenges",
    metadata,
    sa.Column("digest", DIGEST, primary_key=True),
    sa.Column("expires_at", INSTANT, nullable=False, index=True),
    sa.CheckConstraint("length(digest) = 64", name="digest"),
)
"""What was signed, by its SHA-256, until nobody would take it any more: so each is good once."""


class PasskeyRow(NamedTuple):
    """A passkey; see ``passkeys``."""

    id: str
    player: str
    public_key: bytes
    uses: int
    label: str
    created_at: str
    used_at: str | None = None


_COLUMNS = ", ".join(PasskeyRow._fields)
_ADD = f"INSERT INTO passkeys ({_COLUMNS}) VALUES (?, ?, ?, ?, ?, ?, ?) ON CONFLICT DO NOTHING"  # noqa: S608
_GET = f"SELECT {_COLUMNS} FROM passkeys WHERE id = ?"  # noqa: S608 - names of our own
_OF = f"SELECT {_COLUMNS} FROM passkeys WHERE player = ? ORDER BY created_at, id"  # noqa: S608
_USED = "UPDATE passkeys SET uses = ?, used_at = ? WHERE id = ? AND uses = ?"
_USE_UP = "INSERT INTO used_challenges (digest, expires_at) VALUES (?, ?) ON CONFLICT DO NOTHING"
_REMOVE = "DELETE FROM passkeys WHERE player = ? AND id = ?"


def add(connection: Connection, row: PasskeyRow) -> bool:
    """Add a passkey; False: it is there already."""
    return run(connection, _ADD, row).rowcount == 1


def find(connection: Connection, passkey: str) -> PasskeyRow | None:
    """Return a passkey by its id."""
    return fetch_first(connection, PasskeyRow, _GET, [passkey])


def list_by_player(connection: Connection, player: str) -> list[PasskeyRow]:
    """Return a player's passkeys, the oldest first."""
    return fetch_all(connection, PasskeyRow, _OF, [player])


def save_use(connection: Connection, former: PasskeyRow, uses: int, now: str) -> bool:
    """Keep that a passkey was used, and what its device counts; False: it is not as it was."""
    return run(connection, _USED, [uses, now, former.id, former.uses]).rowcount == 1


def use_up(connection: Connection, challenge: str, expires_at: str) -> bool:
    """Keep that the challenge of this digest was signed; False if it was before."""
    return run(connection, _USE_UP, [challenge, expires_at]).rowcount == 1


def remove(connection: Connection, player: str, passkey: str) -> bool:
    """Remove a passkey of a player; False: they have no such one."""
    return run(connection, _REMOVE, [player, passkey]).rowcount == 1
