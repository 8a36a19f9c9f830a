"""What leads to matches, outside of their events: invitations, declined challenges, rematches."""

from __future__ import annotations

from typing import NamedTuple

import sqlalchemy as sa
from sqlalchemy import Connection

from services.store.db.engine import fetch_all, fetch_first, format_places, run
from services.store.db.metadata import DIGEST, INSTANT, MATCH_ID, PLAYER_ID, metadata

invitations = sa.Table(
    "invitations",
    metadata,
    sa.Column("id", sa.String(18), primary_key=True),
    sa.Column("match", MATCH_ID, nullable=False),
    sa.Column("player", PLAYER_ID, sa.ForeignKey("players.id"), nullable=False),
    sa.Column("digest", DIGEST, nullable=False, unique=True),
    sa.Column("created_at", INSTANT, nullable=False),
    sa.Column("expires_at", INSTANT, nullable=False),
    sa.Column("revoked_at", INSTANT),
    sa.Column("used_at", INSTANT),
    sa.Column("used_by", PLAYER_ID, sa.ForeignKey("players.id")),
    sa.CheckConstraint("length(digest) = 64", name="digest"),
    sa.CheckConstraint("(used_at IS NULL) = (used_by IS NULL)", name="used"),
    sa.Index(None, "match", "created_at"),
)
"""``digest``: the SHA-256 of the token in the link, which is stored nowhere."""

declined_challenges = sa.Table(
    "declined_challenges",
    metadata,
    sa.Column("match", MATCH_ID, primary_key=True),
    sa.Column("player", PLAYER_ID, sa.ForeignKey("players.id"), nullable=False),
    sa.Column("reason", sa.Text, nullable=False),
    sa.Column("at", INSTANT, nullable=False),
)
"""Why a challenge was declined, where its player has said it."""

rematches = sa.Table(
    "rematches",
    metadata,
    sa.Column("match", MATCH_ID, primary_key=True),
    sa.Column("rematch", MATCH_ID, nullable=False, unique=True),
)
"""The newest rematch of a match; that of a series stands with its first match."""


class InvitationRow(NamedTuple):
    """An invitation; ``player`` is who made it, ``used_by`` who came."""

    id: str
    match: str
    player: str
    digest: str
    created_at: str
    expires_at: str
    revoked_at: str | None = None
    used_at: str | None = None
    used_by: str | None = None


class DeclineRow(NamedTuple):
    """Why a player has declined a challenge."""

    match: str
    player: str
    reason: str
    at: str


_NAMES = ", ".join(f'"{name}"' for name in InvitationRow._fields)
_PLACES = format_places(InvitationRow._fields)
_SELECT = f"SELECT {_NAMES} FROM invitations"  # noqa: S608 - our own names
_LIVE = "used_at IS NULL AND revoked_at IS NULL AND expires_at > ?"


def insert_invitation(connection: Connection, row: InvitationRow) -> None:
    """Add an invitation."""
    run(connection, f"INSERT INTO invitations ({_NAMES}) VALUES ({_PLACES})", row)  # noqa: S608


def find_invitation(connection: Connection, digest: str) -> InvitationRow | None:
    """Return the invitation whose token has this digest."""
    return fetch_first(connection, InvitationRow, f"{_SELECT} WHERE digest = ?", [digest])


def list_invitations(connection: Connection, match: str) -> list[InvitationRow]:
    """Return all invitations to a match, the oldest first."""
    sql = f'{_SELECT} WHERE "match" = ? ORDER BY created_at, id'
    return fetch_all(connection, InvitationRow, sql, [match])


def list_live(
    connection: Connection, player: str, now: str, limit: int, after: tuple[str, str] | None
) -> list[InvitationRow]:
    """Return invitations of a player that somebody could come with, the newest first.

    ``after``: the instant and the id of the last one of the page before.
    """
    behind = "" if after is None else "AND (created_at, id) < (?, ?)"
    sql = (  # our own names, and question marks
        f"{_SELECT} WHERE player = ? AND {_LIVE} {behind} "  # noqa: S608
        'AND EXISTS (SELECT 1 FROM matches WHERE matches.id = invitations."match" '
        "AND status = 'open') ORDER BY created_at DESC, id DESC LIMIT ?"
    )
    return fetch_all(connection, InvitationRow, sql, [player, now, *(after or ()), limit])


def count_live(connection: Connection, match: str, now: str) -> int:
    """Return how many invitations to a match somebody could come with."""
    sql = f'SELECT count(*) FROM invitations WHERE "match" = ? AND {_LIVE}'  # noqa: S608
    return fetch_first(connection, int, sql, [match, now]) or 0


def use(connection: Connection, row: InvitationRow, player: str, now: str) -> bool:
    """Use an invitation up; False if it has lapsed, was revoked or is used already."""
    sql = f"UPDATE invitations SET used_at = ?, used_by = ? WHERE id = ? AND {_LIVE}"  # noqa: S608
    return run(connection, sql, [now, player, row.id, now]).rowcount == 1


def revoke(connection: Connection, match: str, row_id: str, now: str) -> bool:
    """Revoke an invitation to a match; False if nobody could come with it anyway."""
    sql = f'UPDATE invitations SET revoked_at = ? WHERE id = ? AND "match" = ? AND {_LIVE}'  # noqa: S608
    return run(connection, sql, [now, row_id, match, now]).rowcount == 1


def save_decline(connection: Connection, row: DeclineRow) -> None:
    """Keep why a challenge was declined.

    Of two who decline at the same moment the second one finds a reason here, and is refused when
    its event is appended, in the same transaction.
    """
    sql = "INSERT INTO declined_challenges VALUES (?, ?, ?, ?) ON CONFLICT DO NOTHING"
    run(connection, sql, row)


def find_decline(connection: Connection, match: str) -> DeclineRow | None:
    """Return why a challenge was declined, if that was said."""
    sql = 'SELECT "match", player, reason, "at" FROM declined_challenges WHERE "match" = ?'
    return fetch_first(connection, DeclineRow, sql, [match])


def find_rematch(connection: Connection, match: str) -> str | None:
    """Return the id of the newest rematch of a match."""
    return fetch_first(connection, str, 'SELECT rematch FROM rematches WHERE "match" = ?', [match])


def save_rematch(connection: Connection, match: str, rematch: str, former: str | None) -> bool:
    """Keep a rematch in place of ``former``; False if another one is there meanwhile."""
    if former is None:
        sql = "INSERT INTO rematches VALUES (?, ?) ON CONFLICT DO NOTHING"
        return run(connection, sql, [match, rematch]).rowcount == 1
    sql = 'UPDATE rematches SET rematch = ? WHERE "match" = ? AND rematch = ?'
    return run(connection, sql, [rematch, match, former]).rowcount == 1
