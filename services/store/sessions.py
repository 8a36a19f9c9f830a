"""Sessions of browsers: known by the digest of their id alone."""

from __future__ import annotations

from typing import NamedTuple

from sqlalchemy import CheckConstraint, Column, Connection, ForeignKey, String, Table, select
from sqlalchemy import delete as delete_from
from sqlalchemy import insert as insert_into

from services.store.db.metadata import DIGEST, INSTANT, PLAYER_ID, metadata
from services.store.db.sql import run

sessions = Table(
    "sessions",
    metadata,
    Column("digest", DIGEST, primary_key=True),
    Column("player", PLAYER_ID, ForeignKey("players.id"), nullable=False, index=True),
    Column("created_at", INSTANT, nullable=False),
    Column("expires_at", INSTANT, nullable=False, index=True),
    Column("agent", String(200)),
    CheckConstraint("length(digest) = 64", name="digest"),
)
"""Browsers that are logged in; ``agent`` is what they call themselves.

``digest``: of the session's id, which only the cookie holds.
"""


class SessionRow(NamedTuple):
    """A session; ``digest`` is the SHA-256 of its id, ``agent`` what its browser calls itself."""

    digest: str
    player: str
    created_at: str
    expires_at: str
    agent: str | None = None


class Guest(NamedTuple):
    """Whose session it is, and how long it is good for."""

    player: str
    name: str
    expires_at: str


_BY_DIGEST = """
SELECT sessions.player, players.name, sessions.expires_at
FROM sessions JOIN players ON players.id = sessions.player
WHERE sessions.digest = ? AND players.closed_at IS NULL
"""


def insert(connection: Connection, row: SessionRow) -> None:
    """Add a session."""
    connection.execute(insert_into(sessions), row._asdict())


def by_digest(connection: Connection, digest: str) -> Guest | None:
    """Return whose session has this digest; whether it is still good is not asked here."""
    row = run(connection, _BY_DIGEST, [digest]).fetchone()
    return None if row is None else Guest(*row)


def delete(connection: Connection, digest: str) -> None:
    """Remove a session, if it is there."""
    connection.execute(delete_from(sessions).where(sessions.c.digest == digest))


def of_player(connection: Connection, player: str, now: str) -> list[SessionRow]:
    """Return a player's sessions that have not expired, the newest first."""
    columns = [sessions.c[name] for name in SessionRow._fields]
    chosen = select(*columns).where(sessions.c.player == player, sessions.c.expires_at > now)
    rows = connection.execute(chosen.order_by(sessions.c.created_at.desc(), sessions.c.digest))
    return [SessionRow(*row) for row in rows]


def delete_begun(connection: Connection, player: str, beginning: str) -> bool:
    """Remove a player's session whose digest begins so; False if there is none."""
    chosen = (sessions.c.player == player) & sessions.c.digest.startswith(
        beginning, autoescape=True
    )
    return connection.execute(delete_from(sessions).where(chosen)).rowcount > 0


def delete_of_player(connection: Connection, player: str, but: str | None = None) -> None:
    """Remove all sessions of a player, ``but`` one of this digest."""
    unwanted = delete_from(sessions).where(sessions.c.player == player)
    if but is not None:
        unwanted = unwanted.where(sessions.c.digest != but)
    connection.execute(unwanted)


def delete_expired(connection: Connection, before: str) -> int:
    """Remove the sessions that expired before an instant; return how many."""
    return connection.execute(delete_from(sessions).where(sessions.c.expires_at < before)).rowcount
