"""Sessions of browsers: known by the digest of their id alone."""

from __future__ import annotations

from typing import NamedTuple

from sqlalchemy import Connection
from sqlalchemy import delete as delete_from
from sqlalchemy import insert as insert_into

from services.store.driver import run
from services.store.tables import sessions


class SessionRow(NamedTuple):
    """A session; ``digest`` is the SHA-256 of its id."""

    digest: str
    player: str
    created_at: str
    expires_at: str


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


def delete_of_player(connection: Connection, player: str) -> None:
    """Remove all sessions of a player."""
    connection.execute(delete_from(sessions).where(sessions.c.player == player))


def delete_expired(connection: Connection, before: str) -> int:
    """Remove the sessions that expired before an instant; return how many."""
    return connection.execute(delete_from(sessions).where(sessions.c.expires_at < before)).rowcount
