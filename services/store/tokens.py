"""Tokens: known by the digest of their secret alone."""

from __future__ import annotations

from typing import NamedTuple

from sqlalchemy import CheckConstraint, Column, Connection, ForeignKey, String, Table, Text, select
from sqlalchemy import delete as delete_from
from sqlalchemy import insert as insert_into

from services.store.db.metadata import DIGEST, INSTANT, PLAYER_ID, metadata
from services.store.db.sql import run

tokens = Table(
    "tokens",
    metadata,
    Column("id", String(32), primary_key=True),
    Column("player", PLAYER_ID, ForeignKey("players.id"), nullable=False, index=True),
    Column("digest", DIGEST, nullable=False, unique=True),
    Column("label", Text, nullable=False),
    Column("scopes", Text, nullable=False),
    Column("created_at", INSTANT, nullable=False),
    Column("expires_at", INSTANT, nullable=False),
    CheckConstraint("length(digest) = 64", name="digest"),
)
"""``digest`` is the SHA-256 of the token, which is stored nowhere. ``scopes``: by spaces."""


class TokenRow(NamedTuple):
    """A token; ``digest`` is the SHA-256 of its secret, ``scopes`` are separated by spaces."""

    id: str
    player: str
    digest: str
    label: str
    scopes: str
    created_at: str
    expires_at: str


class Bearer(NamedTuple):
    """Whose token it is, how far it reaches, how long it is good for, what its player is."""

    token: str
    player: str
    name: str
    scopes: str
    expires_at: str
    admin: bool


_COLUMNS = [tokens.c[name] for name in TokenRow._fields]
_BY_DIGEST = """
SELECT tokens.id, tokens.player, players.name, tokens.scopes, tokens.expires_at, players.admin
FROM tokens JOIN players ON players.id = tokens.player
WHERE tokens.digest = ? AND players.closed_at IS NULL
"""


def insert(connection: Connection, row: TokenRow) -> None:
    """Add a token."""
    connection.execute(insert_into(tokens), row._asdict())


def by_digest(connection: Connection, digest: str) -> Bearer | None:
    """Return whose token has this digest; whether it is still good is not asked here."""
    row = run(connection, _BY_DIGEST, [digest]).fetchone()
    return None if row is None else Bearer(*row)


def of_player(connection: Connection, player: str) -> list[TokenRow]:
    """Return a player's tokens, oldest first."""
    chosen = select(*_COLUMNS).where(tokens.c.player == player)
    rows = connection.execute(chosen.order_by(tokens.c.created_at, tokens.c.id))
    return [TokenRow(*row) for row in rows]


def delete(connection: Connection, player: str, token: str) -> bool:
    """Remove one of a player's own tokens; False if the player has none of that id."""
    its_own = (tokens.c.id == token) & (tokens.c.player == player)
    return connection.execute(delete_from(tokens).where(its_own)).rowcount == 1


def delete_of_player(connection: Connection, player: str) -> None:
    """Remove all tokens of a player."""
    connection.execute(delete_from(tokens).where(tokens.c.player == player))


def delete_expired(connection: Connection, before: str) -> int:
    """Remove the tokens that expired before an instant; return how many."""
    return connection.execute(delete_from(tokens).where(tokens.c.expires_at < before)).rowcount
