"""Links in mails: good once, for a while, for whoever reads what is sent to an address.

What is stored of a link is its digest. The link itself stays only until its mail has been sent,
since nobody else could write it into the mail once more after a crash.
"""

from __future__ import annotations

from typing import NamedTuple

import sqlalchemy as sa
from sqlalchemy import Connection

from services.store.db import engine
from services.store.db.engine import fetch_first, format_places, run
from services.store.db.metadata import DIGEST, INSTANT, PLAYER_ID, POSITION, metadata

CONFIRM, PASSWORD = "confirm", "password"
"""What a link is for; the types of their deliveries, too."""

mail_links = sa.Table(
    "mail_links",
    metadata,
    sa.Column("digest", DIGEST, primary_key=True),
    sa.Column("purpose", sa.String(16), nullable=False),
    sa.Column("player", PLAYER_ID),
    sa.Column("channel", sa.String(18)),
    sa.Column("address_hash", DIGEST),
    sa.Column("number", POSITION),
    sa.Column("secret", sa.Text),
    sa.Column("former", DIGEST),
    sa.Column("created_at", INSTANT, nullable=False),
    sa.Column("expires_at", INSTANT, nullable=False, index=True),
    sa.CheckConstraint("length(digest) = 64", name="digest"),
    sa.CheckConstraint("purpose IN ('confirm', 'password')", name="purpose"),
    sa.Index(None, "player"),
    sa.Index(None, "channel"),
    sa.Index(None, "address_hash"),
)
"""``player``: that of nobody where somebody asked for a name or an address that is not there.
``address_hash``: of an address that is to be confirmed. ``number``: of the delivery whose mail has
it. ``secret``: the link itself, until that is sent. ``former``: the digest of the password's hash
that it was asked for under; once that is another one, it is good for nothing."""


class LinkRow(NamedTuple):
    """A link; see ``mail_links``."""

    digest: str
    purpose: str
    created_at: str
    expires_at: str
    player: str
    channel: str
    address_hash: str | None
    number: int
    secret: str | None
    former: str


_FIELDS = LinkRow._fields
_NAMES = ", ".join(_FIELDS)
_INSERT = f"INSERT INTO mail_links ({_NAMES}) VALUES ({format_places(_FIELDS)})"  # noqa: S608 - names of our own
_GET = f"SELECT {_NAMES} FROM mail_links WHERE digest = ? AND purpose = ? AND expires_at > ?"  # noqa: S608
_SECRET = "SELECT secret FROM mail_links WHERE channel = ? AND number = ? AND expires_at > ?"  # noqa: S105
_FORGET = """
UPDATE mail_links SET secret = NULL WHERE channel = ? AND secret IS NOT NULL AND NOT EXISTS (
    SELECT 1 FROM notice_deliveries AS sent WHERE sent.channel = ?
    AND sent.number = mail_links.number AND sent.due_at IS NOT NULL
)
"""
_COUNT = """
SELECT count(*) FROM mail_links
WHERE purpose = ? AND created_at > ? AND (player = ? OR address_hash = ?)
"""


def insert(connection: Connection, row: LinkRow) -> None:
    """Add a link."""
    run(connection, _INSERT, row)


def find(connection: Connection, digest: str, purpose: str, now: str) -> LinkRow | None:
    """Return a link that is still good, or None."""
    return fetch_first(connection, LinkRow, _GET, [digest, purpose, now])


def find_secret(connection: Connection, channel: str, number: int, now: str) -> str | None:
    """Return the link of a delivery, or None: it was sent, was used, or is too old."""
    row = run(connection, _SECRET, [channel, number, now]).fetchone()
    return None if row is None else row[0]


def forget_secrets(connection: Connection, channel: str) -> None:
    """Keep only the digests of a channel's links whose mails are not to be sent any more."""
    run(connection, _FORGET, [channel, channel])


def use(connection: Connection, digest: str) -> bool:
    """Remove a link; False if somebody has used it at the same moment."""
    return run(connection, "DELETE FROM mail_links WHERE digest = ?", [digest]).rowcount == 1


_LOCK = 0x706C7965


def take_turns(connection: Connection) -> None:
    """Let those who ask for links to a new password do so one after the other.

    Whoever asks waits, whether or not there is somebody of that name or address.
    """
    engine.take_turns(connection, _LOCK)


def count(
    connection: Connection, purpose: str, since: str, player: str, address_hash: str | None
) -> int:
    """Return how many links were made since then for a player, or to an address."""
    return fetch_first(connection, int, _COUNT, [purpose, since, player, address_hash]) or 0
